"""One call over many accounts: which are concerned, one flow each under its own deadline, one merged answer."""

from __future__ import annotations

from mailkit.fanout.attachments import list_attachments, open_attachment, read_attachment, save_attachment
from mailkit.fanout.items import get, get_many, labels, raw, thread
from mailkit.fanout.iterate import AsyncMessageIterator
from mailkit.fanout.lists import unsubscribe
from mailkit.fanout.request import PATIENCE, ask, page_size
from mailkit.fanout.resolve import item_ref, thread_ref
from mailkit.fanout.search import AccountUpdate, AsyncUpdates, explain, search

__all__ = [
    "PATIENCE",
    "AccountUpdate",
    "AsyncMessageIterator",
    "AsyncUpdates",
    "ask",
    "explain",
    "get",
    "get_many",
    "item_ref",
    "labels",
    "list_attachments",
    "open_attachment",
    "page_size",
    "raw",
    "read_attachment",
    "save_attachment",
    "search",
    "thread",
    "thread_ref",
    "unsubscribe",
]
