"""One call over many accounts: which are concerned, one flow each under its own deadline, one merged answer."""

from __future__ import annotations

from mailkit.fanout.attachments import list_attachments, open_attachment, read_attachment, save_attachment
from mailkit.fanout.items import get, get_many, labels, raw, thread
from mailkit.fanout.iterate import AsyncMessageIterator
from mailkit.fanout.label_changes import create_label, delete_label, rename_label
from mailkit.fanout.lists import unsubscribe
from mailkit.fanout.organise import destination, label_wish, organise
from mailkit.fanout.request import PATIENCE, ask, page_size
from mailkit.fanout.resolve import creator, item_ref, thread_ref
from mailkit.fanout.search import AsyncUpdates, explain, search
from mailkit.fanout.updates import AccountUpdate

__all__ = [
    "PATIENCE",
    "AccountUpdate",
    "AsyncMessageIterator",
    "AsyncUpdates",
    "ask",
    "create_label",
    "creator",
    "delete_label",
    "destination",
    "explain",
    "get",
    "get_many",
    "item_ref",
    "label_wish",
    "labels",
    "list_attachments",
    "open_attachment",
    "organise",
    "page_size",
    "raw",
    "read_attachment",
    "rename_label",
    "save_attachment",
    "search",
    "thread",
    "thread_ref",
    "unsubscribe",
]
