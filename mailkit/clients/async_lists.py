"""The verb about mailing lists."""

from __future__ import annotations

from mailkit import fanout
from mailkit.clients.desk import Desk
from mailkit.models import Message, MessageSummary
from mailkit.values import Ref

__all__ = ["AsyncLists"]


class AsyncLists:
    """What mailing lists take."""

    _desk: Desk

    async def unsubscribe(
        self, message: Ref | str | MessageSummary, *, account: str | None = None, deadline: float | None = None
    ) -> None:
        """Leave the mailing list that a message came over, with the one click it offers (RFC 8058).

        One request goes to the list's server, over the account's transport: without token or cookie, to a public https
        address only, and no redirect is followed. Nothing is ever sent unless this is called, and never a mail: what
        offers no one click says so, and ``message.list_unsubscribe`` has the other ways. Unless a whole ``Message`` is
        passed, it is read first. Call it for lists somebody joined: to a spammer it says that this mailbox is read.

        Raises:
            UsageError: the ref is no message's, or of another account.
            Unsupported: the message offers no one click (code ``no_one_click``), names no list (``no_list``), or the
                address is not public (``not_public``); nothing was sent to the list.
            NotFound: there is no such message.
            ProviderError: the list's server did not take it.

        Example:
            ```python
            from mailkit import AsyncMailClient
            from mailkit.sandbox import Mail, Sandbox
            from mailkit.testing import sandbox_accounts

            sandbox = Sandbox()
            sandbox.web("https://lists.example.com/leave?u=7")
            headers = [
                ("List-Unsubscribe", "<https://lists.example.com/leave?u=7>"),
                ("List-Unsubscribe-Post", "List-Unsubscribe=One-Click"),
            ]
            home = sandbox.google("ann@example.com")
            home.add(Mail(subject="This week's offers", headers=headers))

            async with AsyncMailClient(sandbox_accounts(sandbox, home=home)) as mail:
                message = await mail.get((await mail.recent())[0])
                print(message.is_bulk)
                await mail.unsubscribe(message)
            ```
        """
        operation = "mail.unsubscribe"
        ref = fanout.item_ref(message, "message", account=account, known=self._desk.names, operation=operation)
        await fanout.unsubscribe(
            self._desk,
            ref,
            known=message if isinstance(message, Message) else None,
            deadline=self._desk.deadline(deadline),
        )
