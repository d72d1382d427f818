"""What every part of the Outlook driver works with: the way to Graph, what is remembered, how whole messages are read.

The parts (reading, drafts, sending, organising) stand in files of their own and are put together in ``mail``.
"""

from __future__ import annotations

from collections.abc import Sequence

from mailkit.models.mail import Message
from mailkit.providers.microsoft.directory import Directory
from mailkit.providers.microsoft.mail_wire import ATTACHMENT_MEMBERS, MESSAGE_MEMBERS, message_from_wire
from mailkit.providers.microsoft.requests import mailbox_path, prefer, rows_of
from mailkit.providers.wire import Wire, as_object, get_objects
from mailkit.query.graph_mailbox import GraphMailbox
from mailkit.transport.call import Answer, Call
from mailkit.transport.session import Session
from mailkit.transport.url import segment
from mailkit.values import Account

# Without their bytes, which a list would bring along.
WHOLE = (
    ("$select", ",".join(MESSAGE_MEMBERS)),
    ("$expand", f"attachments($select={','.join(ATTACHMENT_MEMBERS)})"),
)


class OutlookBase:
    """One Microsoft account's session and directory."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._directory = Directory(session)
        self._path = mailbox_path(session.account)
        self._messages = f"{self._path}/messages"

    @property
    def account(self) -> Account:
        """Whose mail this is."""
        return self._session.account

    def _url(self, message_id: str) -> str:
        return f"{self._messages}/{segment(message_id)}"

    async def _object(self, call: Call) -> Wire:
        return as_object((await self._session.request(call)).json(), "$")

    async def _attachments(self, operation: str, message_id: str) -> list[Wire]:
        """Give what hangs on a message, without its bytes.

        Raises:
            BadPayload: one of it is no object.
        """
        rows = enumerate(await self._attachment_rows(operation, message_id))
        return [as_object(row, f"value[{at}]") for at, row in rows]

    async def _attachment_rows(self, operation: str, message_id: str) -> list[object]:
        call = Call(
            operation=operation,
            url=f"{self._url(message_id)}/attachments",
            query=(("$select", ",".join(ATTACHMENT_MEMBERS)),),
            headers=prefer(),
        )
        return [row async for answer in self._session.pages(call) for row in rows_of(answer)]

    async def _mailbox_of(self, operation: str, items: Sequence[object]) -> GraphMailbox:
        """Give it with the folders that messages lie in, as far as these can be read."""
        ids = [i for item in items if isinstance(item, dict) and isinstance(i := item.get("parentFolderId"), str)]
        return await self._directory.mailbox_holding(operation, ids)

    def _message(self, item: Wire, path: str, mailbox: GraphMailbox, include_raw: bool = False) -> Message:
        return message_from_wire(item, path, account=self.account.name, mailbox=mailbox, include_raw=include_raw)


def members(answer: Answer) -> list[Wire]:
    """Give the objects of a list."""
    return get_objects(as_object(answer.json(), "$"), "value", "$")
