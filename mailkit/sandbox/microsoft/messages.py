"""Answers what is asked about messages and attachments: finds, orders, pages, selects, expands.

Responsible for one mailbox's ``/messages`` in all its forms (learn.microsoft.com/graph/api/user-list-messages,
message-get, message-list-attachments, attachment-get). Never judges permissions: see ``service``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from mailkit.sandbox.mailbox import Entry
from mailkit.sandbox.microsoft import rendering
from mailkit.sandbox.microsoft.answers import Asked, collection, entity
from mailkit.sandbox.microsoft.filter_tree import Filter, paths
from mailkit.sandbox.microsoft.folders import Folder
from mailkit.sandbox.microsoft.kql import parse_search
from mailkit.sandbox.microsoft.mailbox import MicrosoftMailbox
from mailkit.sandbox.microsoft.matching import holds, property_id, sort
from mailkit.sandbox.microsoft.odata import check_order, parse_filter, parse_orderby
from mailkit.sandbox.microsoft.refusals import Refusal, bad_select, not_found
from mailkit.sandbox.microsoft.schema import ATTACHMENT, MESSAGE
from mailkit.sandbox.microsoft.searching import MOST_HITS, found
from mailkit.sandbox.microsoft.selection import Selection, parse_expand, parse_select
from mailkit.sandbox.wire import SandboxResponse

__all__ = [
    "find_attachment",
    "find_message",
    "get_attachment",
    "get_message",
    "list_attachments",
    "list_messages",
    "raw_attachment",
    "raw_message",
]

_PAGE = 10  # user-list-messages: the default page size
_EXPAND = ("$select", "$filter")
_PROPERTY = re.compile(r"id eq '((?:[^']|'')*)'", re.IGNORECASE)


def find_message(box: MicrosoftMailbox, key: str) -> Entry:
    """Give the message of that id.

    Raises:
        Refusal: there is none.
    """
    entry = box.find(key)
    if entry is None:
        raise not_found()
    return entry


def find_attachment(box: MicrosoftMailbox, entry: Entry, key: str) -> int:
    """Give the place of the attachment of that id.

    Raises:
        Refusal: there is none.
    """
    keys = rendering.attachment_ids(box, entry)
    if key not in keys:
        raise not_found()
    return keys.index(key)


def list_messages(box: MicrosoftMailbox, asked: Asked, folder: Folder | None) -> SandboxResponse:
    """Answer with the messages of ``folder``, or of the whole mailbox, trash and junk included."""
    options = asked.options
    render = _renderer(box, asked)
    entries = list(box) if folder is None else box.in_folder(folder)
    if "$search" in options:
        entries = _searched(box, asked, entries)
    else:
        entries = _filtered(options, entries, lambda entry: rendering.summary(box, entry))
    context = asked.context(box.address, "/messages" if folder is None else f"/mailFolders('{folder.id}')/messages")
    short = box.page_rows.popleft() if box.page_rows else None
    return collection(asked, context, entries, render, size=_PAGE, short=short)


def get_message(box: MicrosoftMailbox, asked: Asked, key: str) -> SandboxResponse:
    """Answer with one message."""
    return entity(asked, box.address, "/messages", _renderer(box, asked)(find_message(box, key)))


def raw_message(box: MicrosoftMailbox, key: str) -> SandboxResponse:
    """Answer with the MIME content (learn.microsoft.com/graph/outlook-get-mime-message)."""
    return SandboxResponse(
        content=rendering.mime(box, find_message(box, key)), headers=(("content-type", "text/plain"),)
    )


def list_attachments(box: MicrosoftMailbox, asked: Asked, key: str) -> SandboxResponse:
    """Answer with all attachments of a message, their bytes too unless ``$select`` leaves them out."""
    selection = parse_select(asked.options.get("$select"), ATTACHMENT)
    rows = rendering.attachments(box, find_message(box, key))
    context = asked.context(box.address, f"/messages('{key}')/attachments")
    return collection(asked, context, rows, selection.cut, size=len(rows))


def get_attachment(box: MicrosoftMailbox, asked: Asked, key: str, attachment_key: str) -> SandboxResponse:
    """Answer with one attachment."""
    entry = find_message(box, key)
    selection = parse_select(asked.options.get("$select"), ATTACHMENT)
    item = rendering.attachments(box, entry)[find_attachment(box, entry, attachment_key)]
    return entity(asked, box.address, f"/messages('{key}')/attachments", selection.cut(item))


def raw_attachment(box: MicrosoftMailbox, key: str, attachment_key: str) -> SandboxResponse:
    """Answer with the bytes of a file, or with the MIME content of an attached message."""
    entry = find_message(box, key)
    file = entry.mail.files[find_attachment(box, entry, attachment_key)]
    if file.kind == "link":
        # attachment-get: "Attempting to get the $value of a reference attachment returns HTTP 405."
        raise Refusal(405, "ErrorInvalidOperation", "The content of a reference attachment cannot be read.")
    content_type = "text/plain" if file.kind == "item" else file.content_type
    return SandboxResponse(content=file.content, headers=(("content-type", content_type),))


def _searched(box: MicrosoftMailbox, asked: Asked, entries: list[Entry]) -> list[Entry]:
    # search-query-parameter: alone, at most 1,000, by the date they were sent, newest first.
    for option, code, name in (
        ("$filter", "SearchWithFilter", "$filter"),
        ("$orderby", "SearchWithOrderBy", "$orderBy"),
    ):
        if option in asked.options:
            raise Refusal(400, code, f"The query parameter '{name}' is not supported with '$search'.")
    tree = parse_search(asked.options["$search"])
    hits = [entry for entry in entries if found(tree, rendering.indexed(box, entry), box.search)]
    return sorted(hits, key=lambda entry: entry.mail.date or entry.received, reverse=True)[:MOST_HITS]


def _filtered(
    options: Mapping[str, str], entries: list[Entry], summary: Callable[[Entry], Mapping[str, object]]
) -> list[Entry]:
    tree = parse_filter(options["$filter"], MESSAGE) if "$filter" in options else None
    orders = parse_orderby(options["$orderby"], MESSAGE) if "$orderby" in options else []
    if tree is not None and orders:
        check_order(tree, orders)
    if tree is not None:
        entries = [entry for entry in entries if holds(tree, _filterable(entry, tree, summary(entry)))]
        if not orders:
            entries.reverse()  # without $orderby a filter gives the oldest first, as users report
    return sort(entries, orders, MESSAGE, summary)


def _filterable(entry: Entry, tree: Filter, item: Mapping[str, object]) -> Mapping[str, object]:
    # They are only worked out where the filter asks for them: the size takes building the message.
    if "singleValueExtendedProperties" not in paths(tree):
        return item
    return {**item, "singleValueExtendedProperties": rendering.properties(entry)}


def _renderer(box: MicrosoftMailbox, asked: Asked) -> Callable[[Entry], dict[str, object]]:
    selection = parse_select(asked.options.get("$select"), MESSAGE)
    expanded = parse_expand(asked.options.get("$expand"), MESSAGE, _EXPAND)
    files: Selection | None = None
    if "attachments" in expanded:
        if "$filter" in expanded["attachments"]:
            raise bad_select("$filter is not supported on attachments.")
        files = parse_select(expanded["attachments"].get("$select"), ATTACHMENT)
    wanted = _wanted_properties(expanded.get("singleValueExtendedProperties"))

    def render(entry: Entry) -> dict[str, object]:
        item = rendering.message(box, entry, selection, asked.preferences)
        if files is not None:
            item["attachments"] = [files.cut(row) for row in rendering.attachments(box, entry)]
        if wanted:
            known = {property_id(each["id"]): each for each in rendering.properties(entry)}
            shown = [{**known[property_id(name)], "id": name} for name in wanted if property_id(name) in known]
            item |= {"singleValueExtendedProperties": shown} if shown else {}
        return item

    return render


def _wanted_properties(options: Mapping[str, str] | None) -> list[str]:
    """Read ``$expand=singleValueExtendedProperties($filter=id eq '...' or id eq '...')``; the filter is a must."""
    if options is None:
        return []
    terms = [_PROPERTY.fullmatch(term.strip()) for term in options.get("$filter", "").split(" or ")]
    names = [term.group(1).replace("''", "'") for term in terms if term]
    if len(names) != len(terms) or "$select" in options:
        raise bad_select("Extended properties are expanded by a filter on their id.")
    return names
