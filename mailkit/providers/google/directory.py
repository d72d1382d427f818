"""What is remembered of a Gmail mailbox between calls: its labels and the account's own addresses.

Responsible for asking no more than is needed: labels travel in the same batch as the first request that needs their
names, and are read anew when something unknown turns up. What JSON means stands in ``gmail_labels``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mailkit.errors import BadPayload, MailkitError
from mailkit.providers.google.gmail_calls import labels_list, profile
from mailkit.providers.google.gmail_labels import LabelBook, labels_from_wire
from mailkit.providers.google.gmail_wire import label_ids
from mailkit.providers.wire import Wire, as_object, get_list, get_needed_text
from mailkit.query import ast
from mailkit.query.formula import literals
from mailkit.transport.call import Answer, Call
from mailkit.transport.session import Session

# https://developers.google.com/workspace/gmail/api/guides/labels: ids of the user's own labels begin so
_USER_LABEL = "Label_"


class Directory:
    """One mailbox's labels and addresses."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._book: LabelBook | None = None
        self._unknown: set[str] = set()  # label ids looked for in vain, so that none is looked for twice
        self._address = session.account.address

    async def batch(self, calls: Sequence[Call]) -> list[Answer | MailkitError]:
        """Send calls whose answers will need the labels' names: where those are unknown, the question goes along."""
        if self._book is not None or not calls:
            return await self._session.batch(calls)
        # First, since it is the cheapest: a quota that runs out on the way must not take the rest with it.
        labels, *answers = await self._session.batch([labels_list(calls[0].operation), *calls])
        if isinstance(labels, MailkitError):
            raise labels
        self._learn(labels)
        return answers

    async def read_labels(self, operation: str) -> LabelBook:
        """Read the labels now."""
        return self._learn(await self._session.request(labels_list(operation)))

    async def label_names(self, operation: str, messages: Sequence[Wire]) -> Mapping[str, str]:
        """Give the names of the user's labels by id, with those that these messages carry if they exist at all."""
        carried = {i for message in messages for i in _label_ids(message) if i.startswith(_USER_LABEL)}
        book = self._book
        if not carried:
            return book.names if book else {}
        if book is None or not book.knows(carried - self._unknown):
            book = await self.read_labels(operation)
            self._unknown |= carried.difference(book.names)
        return book.names

    async def missing_labels(self, operation: str, expr: ast.Expr) -> tuple[ast.Label, ...]:
        """Give the labels a query names that do not exist; one not seen before is looked for once more."""
        if not any(isinstance(literal.term, ast.Label) for literal in literals(expr)):
            return ()
        if self._book is not None and not self._book.missing(expr):
            return ()
        return (await self.read_labels(operation)).missing(expr)

    async def own_addresses(self, operation: str) -> tuple[str, ...]:
        """Give the addresses that ``me`` stands for; Gmail is asked for the main one where the account does not say."""
        if self._address is None:
            answer = await self._session.request(profile(operation))
            self._address = get_needed_text(as_object(answer.json(), "$"), "emailAddress", "$")
        return (self._address, *self._session.account.aliases)

    def _learn(self, answer: Answer) -> LabelBook:
        items = get_list(as_object(answer.json(), "$"), "labels", "$")
        self._book = labels_from_wire(items, "$.labels", account=self._session.account.name)
        return self._book


def _label_ids(message: Wire) -> Sequence[str]:
    try:
        return label_ids(message, "$")
    except BadPayload:  # reported when the message itself is read
        return []
