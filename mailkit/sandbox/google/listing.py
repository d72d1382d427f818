"""messages.list and threads.list: which messages, which page.

Source: developers.google.com/workspace/gmail/api/reference/rest/v1/users.messages/list. A page token remembers the last
message listed, not a count, so mail that comes or goes between two pages displaces nothing.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator, Sequence

import attrs

from mailkit.sandbox.google.labels import SYSTEM, Json
from mailkit.sandbox.google.letter import Letter
from mailkit.sandbox.google.mailbox import GoogleMailbox
from mailkit.sandbox.google.q_read import Query
from mailkit.sandbox.google.refusals import Refusal
from mailkit.sandbox.mailbox import Entry

_MOST = 500
_USUAL = 100
# What Gmail answers for any result longer than a page, as many users have seen.
_ROUGHLY = 201

Order = tuple[float, str]


@attrs.frozen(kw_only=True)
class Wish:
    """What a list request asks for."""

    query: Query | None
    label_ids: frozenset[str]
    spam_and_trash: bool
    size: int
    after: Order | None

    @classmethod
    def of(cls, box: GoogleMailbox, pairs: Sequence[tuple[str, str]], query: Query | None) -> Wish:
        """Read the query parameters; Refusal for values Gmail refuses."""
        given = dict(pairs)
        labels = frozenset(value for name, value in pairs if name == "labelIds")
        known = {*SYSTEM, *(label.id for label in box.labels.values())}
        for unknown in sorted(labels - known):
            raise Refusal(400, message=f"Invalid label: {unknown}")
        size = given.get("maxResults", str(_USUAL))
        if not size.isdecimal() or not 0 < int(size) <= _MOST:
            raise Refusal(400, message="Invalid value for maxResults")
        return cls(
            query=query,
            label_ids=labels,
            spam_and_trash=given.get("includeSpamTrash") == "true",
            size=int(size),
            after=_position(given["pageToken"]) if "pageToken" in given else None,
        )


def messages(box: GoogleMailbox, wish: Wish, letter: Callable[[Entry], Letter]) -> Json:
    """Answer messages.list."""
    found = list(_matching(box, wish, letter))
    page = [entry for entry in found if wish.after is None or entry.order > wish.after]
    rows: list[Json] = [{"id": entry.id, "threadId": entry.thread_id} for entry in page[: wish.size]]
    return _page("messages", rows, [entry.order for entry in page], wish, len(found))


def drafts(box: GoogleMailbox, wish: Wish, letter: Callable[[Entry], Letter]) -> Json:
    """Answer drafts.list."""
    found = list(_matching(box, attrs.evolve(wish, label_ids=wish.label_ids | {"DRAFT"}), letter))
    page = [entry for entry in found if wish.after is None or entry.order > wish.after]
    rows: list[Json] = [
        {"id": box.draft_id(entry), "message": {"id": entry.id, "threadId": entry.thread_id}}
        for entry in page[: wish.size]
    ]
    return _page("drafts", rows, [entry.order for entry in page], wish, len(found))


def threads(box: GoogleMailbox, wish: Wish, letter: Callable[[Entry], Letter], row: Callable[[str], Json]) -> Json:
    """Answer threads.list: a conversation stands where its newest matching message does."""
    newest: dict[str, Order] = {}
    for entry in _matching(box, wish, letter):
        newest.setdefault(entry.thread_id, entry.order)
    page = [(thread_id, order) for thread_id, order in newest.items() if wish.after is None or order > wish.after]
    rows = [row(thread_id) for thread_id, _ in page[: wish.size]]
    return _page("threads", rows, [order for _, order in page], wish, len(newest))


def _page(name: str, rows: list[Json], orders: list[Order], wish: Wish, found: int) -> Json:
    answer: Json = {name: rows} if rows else {}
    if len(orders) > wish.size:
        answer["nextPageToken"] = _token(orders[wish.size - 1])
    return {**answer, "resultSizeEstimate": found if found <= wish.size else max(_ROUGHLY, wish.size)}


def _matching(box: GoogleMailbox, wish: Wish, letter: Callable[[Entry], Letter]) -> Iterator[Entry]:
    query = wish.query
    trash = wish.spam_and_trash or "TRASH" in wish.label_ids or (query is not None and query.trash)
    spam = wish.spam_and_trash or "SPAM" in wish.label_ids or (query is not None and query.spam)
    for entry in box:
        marks = letter(entry).marks
        if ("TRASH" in marks and not trash) or ("SPAM" in marks and not spam):
            continue
        if wish.label_ids and not wish.label_ids.issubset(box.label_ids(entry)):
            continue
        if query is None or query.test(letter(entry)):
            yield entry


def _token(order: Order) -> str:
    return base64.urlsafe_b64encode(json.dumps(order).encode()).decode().rstrip("=")


def _position(token: str) -> Order:
    try:
        stamp, id = json.loads(base64.urlsafe_b64decode(token + "=" * (-len(token) % 4)))  # noqa: A001  # the name of the thing
        return float(stamp), str(id)
    except (ValueError, TypeError):
        raise Refusal(400, message="Invalid pageToken") from None
