"""One call over many accounts: which are concerned, one flow each under its own deadline, one merged answer."""

from __future__ import annotations

from mailkit.fanout.items import get, get_many, labels, list_attachments, open_attachment, raw, read_attachment, thread
from mailkit.fanout.iterate import AsyncMessageIterator
from mailkit.fanout.request import PAGE, PATIENCE, ask
from mailkit.fanout.resolve import item_ref, thread_ref
from mailkit.fanout.search import AccountUpdate, explain, search, search_as_completed

__all__ = [
    "PAGE",
    "PATIENCE",
    "AccountUpdate",
    "AsyncMessageIterator",
    "ask",
    "explain",
    "get",
    "get_many",
    "item_ref",
    "labels",
    "list_attachments",
    "open_attachment",
    "raw",
    "read_attachment",
    "search",
    "search_as_completed",
    "thread",
    "thread_ref",
]
