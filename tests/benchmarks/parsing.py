"""How fast JSON becomes records, beside the plain way, which checks nothing."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence

from mailkit.models import Message, MessageSummary
from mailkit.providers.google import gmail_wire
from mailkit.providers.microsoft import mail_wire
from mailkit.providers.wire import Wire, as_object, read_each
from mailkit.query.graph_mailbox import GraphFolder, GraphMailbox
from tests.benchmarks import letters, plain
from tests.benchmarks.measure import least_cpu, verdict

COLUMNS = ("payload", "mailkit µs a message", "plain µs a message", "speed", "bound", "")

_COUNT = 200
_PAGE = 100
_LEAST = 0.8
_MAILBOX = GraphMailbox(folders=(GraphFolder(id="folder-inbox", path="Inbox", role="inbox"),), categories=None)


def rows() -> Iterator[list[str]]:
    """Measure the three kinds of payload."""
    numbers = range(_COUNT)
    pages = [
        b'{"value":[' + b",".join(map(letters.graph_summary, numbers[start : start + _PAGE])) + b"]}"
        for start in numbers[::_PAGE]
    ]
    yield _row("Gmail metadata", [*map(letters.gmail_summary, numbers)], _gmail_summary, plain.gmail_summary)
    yield _row("Gmail, whole, bodies unread", [*map(letters.gmail_whole, numbers)], _gmail_whole, plain.gmail_whole)
    yield _row("Outlook, pages of 100", pages, _graph_page, plain.graph_page)


def _row(
    payload: str, contents: Sequence[bytes], ours: Callable[[bytes], object], theirs: Callable[[bytes], object]
) -> list[str]:
    took = least_cpu({"ours": lambda: [*map(ours, contents)], "theirs": lambda: [*map(theirs, contents)]}, rounds=25)
    speed = took["theirs"] / took["ours"]
    return [
        payload,
        f"{took['ours'] / _COUNT * 1e6:.1f}",
        f"{took['theirs'] / _COUNT * 1e6:.1f}",
        f"{speed:.2f}",
        f"≥ {_LEAST}",
        verdict(speed, least=_LEAST),
    ]


def _gmail_summary(content: bytes) -> MessageSummary:
    return gmail_wire.summary_from_wire(_item(content), "$", account=plain.ACCOUNT, label_names=plain.LABELS)


def _gmail_whole(content: bytes) -> Message:
    item = _item(content)
    parts = gmail_wire.parts_from_wire(item, "$")
    return gmail_wire.message_from_wire(
        item, "$", account=plain.ACCOUNT, label_names=plain.LABELS, parts=parts, fetched={}
    )


def _graph_page(content: bytes) -> list[MessageSummary]:
    def read(item: Wire, path: str) -> MessageSummary:
        return mail_wire.summary_from_wire(item, path, account=plain.ACCOUNT, mailbox=_MAILBOX)

    page, problems = read_each(json.loads(content)["value"], "value", read)
    assert not problems
    return page


def _item(content: bytes) -> Wire:
    return as_object(json.loads(content), "$")
