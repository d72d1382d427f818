"""What every part of the Gmail driver works with: the session, what is remembered, and how whole messages are read.

The parts (reading, sending, drafts, organising) stand in files of their own and are put together in ``gmail``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from mailkit.errors import InvalidMessage, MailkitError, PermissionMissing, ProviderError
from mailkit.mime.address_key import address_key
from mailkit.models.mail import Message
from mailkit.providers.google.access import LABELS, is_granted
from mailkit.providers.google.directory import Directory
from mailkit.providers.google.gmail_messages import as_missing, read_messages
from mailkit.providers.wire import Wire, as_object
from mailkit.providers.writing import Letter
from mailkit.transport.call import Call
from mailkit.transport.session import Session
from mailkit.values import Account

T = TypeVar("T")


class GmailBase:
    """One Google account's session and directory."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._directory = Directory(session)

    @property
    def account(self) -> Account:
        """Whose mail this is."""
        return self._session.account

    async def _check_author(self, letter: Letter, operation: str) -> None:
        """Refuse an author who is not known to be this account's: Gmail would put the account's main address there.

        It sends all the same and says nothing of it: https://support.google.com/mail/answer/22370

        Raises:
            InvalidMessage: it is none of the account's addresses, as far as they are known.
        """
        author = letter.message.from_
        if author is None:
            return
        wanted = address_key(author.address)
        if wanted in map(address_key, self.account.aliases):
            return
        try:
            own = await self._directory.own_addresses(operation)
        except PermissionMissing:  # who may only send cannot ask
            own = ()
        if wanted not in map(address_key, own):
            raise InvalidMessage(
                "from_ is none of this account's addresses that are known, and Gmail would write its main one there; "
                "if it is one, name it in the account's address or aliases",
                account=self.account.name,
                operation=operation,
                code="bad_sender",
            )

    async def _object(self, call: Call) -> Wire:
        """Ask for something by its id."""
        try:
            return as_object((await self._session.request(call)).json(), "$")
        except ProviderError as refusal:
            raise as_missing(refusal) from None

    async def _read(
        self, operation: str, items: Sequence[tuple[str, Wire]], *, include_raw: bool = False
    ) -> list[Message | MailkitError]:
        """Read messages, each given with its JSON path; without names of labels where those may not be read."""
        messages = [item for _, item in items]
        may_ask = is_granted(self.account, LABELS)
        names = await self._directory.label_names(operation, messages) if may_ask else {}
        return await read_messages(self._session, operation, items, label_names=names, include_raw=include_raw)


def unwrapped(outcome: T | MailkitError) -> T:
    """Give what came, or raise why it did not."""
    if isinstance(outcome, MailkitError):
        raise outcome
    return outcome
