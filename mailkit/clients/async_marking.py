"""The verbs that change what messages carry: whether they are read, stars, labels."""

from __future__ import annotations

from collections.abc import Iterable

from mailkit import fanout
from mailkit.clients.desk import Desk
from mailkit.fanout import PATIENCE
from mailkit.models import Label, MessageLike, Outcomes
from mailkit.providers.organising import Mark
from mailkit.values import Ref

__all__ = ["AsyncMarking"]


class AsyncMarking:
    """What marks mail.

    ``messages`` is a message or a thread, or up to 500 of them in a list, of any accounts: rows, refs, the texts of
    those, or a message's bare id. A thread means its messages. What comes back has an outcome for each message, in that
    order; what is named alone, and not in a list, raises instead when it could not be changed.
    """

    _desk: Desk

    async def mark_read(
        self,
        messages: MessageLike | Iterable[MessageLike],
        *,
        account: str | None = None,
        deadline: float | None = None,
    ) -> Outcomes:
        """Mark messages as read.

        ``account`` is for bare ids where there are several accounts; ``deadline`` is in seconds and per account (None:
        at least 120, since 500 messages may use up a minute's quota).

        Raises:
            UsageError: these are no messages, or more than 500; nothing was sent.
            PermissionMissing: what is named alone lies in an account that may not change mail.
            NotFound: what is named alone is not there.

        Example:
            ```python
            from mailkit import AsyncMailClient
            from mailkit.testing import demo_accounts

            async with AsyncMailClient(demo_accounts()) as mail:
                outcomes = await mail.mark_read(await mail.search("is:unread from:priya"))
                print(outcomes)
                for outcome in outcomes.failures:
                    print(outcome.ref, outcome.error)
            ```
        """
        return await fanout.organise(
            self._desk,
            messages,
            Mark(read=True),
            operation="mail.mark_read",
            account=account,
            deadline=self._desk.deadline(deadline, at_least=PATIENCE),
        )

    async def mark_unread(
        self,
        messages: MessageLike | Iterable[MessageLike],
        *,
        account: str | None = None,
        deadline: float | None = None,
    ) -> Outcomes:
        """Mark messages as unread.

        Raises:
            UsageError: these are no messages, or more than 500; nothing was sent.
            PermissionMissing: what is named alone lies in an account that may not change mail.
            NotFound: what is named alone is not there.

        Example:
            ```python
            from mailkit import AsyncMailClient
            from mailkit.testing import demo_accounts

            async with AsyncMailClient(demo_accounts()) as mail:
                row = (await mail.search("is:read"))[0]
                print(await mail.mark_unread(row))
            ```
        """
        return await fanout.organise(
            self._desk,
            messages,
            Mark(read=False),
            operation="mail.mark_unread",
            account=account,
            deadline=self._desk.deadline(deadline, at_least=PATIENCE),
        )

    async def star(
        self,
        messages: MessageLike | Iterable[MessageLike],
        *,
        account: str | None = None,
        deadline: float | None = None,
    ) -> Outcomes:
        """Star messages: on Outlook the flag.

        Raises:
            UsageError: these are no messages, or more than 500; nothing was sent.
            PermissionMissing: what is named alone lies in an account that may not change mail.
            NotFound: what is named alone is not there.

        Example:
            ```python
            from mailkit import AsyncMailClient
            from mailkit.testing import demo_accounts

            async with AsyncMailClient(demo_accounts()) as mail:
                row = (await mail.search("from:priya"))[0]
                print(await mail.star(row))
            ```
        """
        return await fanout.organise(
            self._desk,
            messages,
            Mark(starred=True),
            operation="mail.star",
            account=account,
            deadline=self._desk.deadline(deadline, at_least=PATIENCE),
        )

    async def unstar(
        self,
        messages: MessageLike | Iterable[MessageLike],
        *,
        account: str | None = None,
        deadline: float | None = None,
    ) -> Outcomes:
        """Take the star, on Outlook the flag, off messages.

        Raises:
            UsageError: these are no messages, or more than 500; nothing was sent.
            PermissionMissing: what is named alone lies in an account that may not change mail.
            NotFound: what is named alone is not there.

        Example:
            ```python
            from mailkit import AsyncMailClient
            from mailkit.testing import demo_accounts

            async with AsyncMailClient(demo_accounts()) as mail:
                await mail.star((await mail.recent())[0])
                print(await mail.unstar(await mail.search("is:starred")))
            ```
        """
        return await fanout.organise(
            self._desk,
            messages,
            Mark(starred=False),
            operation="mail.unstar",
            account=account,
            deadline=self._desk.deadline(deadline, at_least=PATIENCE),
        )

    async def add_labels(
        self,
        messages: MessageLike | Iterable[MessageLike],
        names: str | Label | Ref | Iterable[str | Label | Ref],
        *,
        create: bool = False,
        account: str | None = None,
        deadline: float | None = None,
    ) -> Outcomes:
        """Put labels on messages, on Outlook categories; other labels stay.

        ``names`` are exactly as ``mail.labels.list()`` shows them, and looked up in each account. One that is missing
        there is an error, unless ``create`` makes it. On Outlook a category may stand on messages without standing in
        the list of categories, and does so where the permission for that list (MailboxSettings.ReadWrite) is missing.

        Raises:
            UsageError: these are no messages, or more than 500, or no labels; nothing was sent.
            NotFound: what is named alone, or the label, is not there; ``near`` of the error has names alike.
            Unsupported: on Outlook, it is a folder, of which a message has one: use ``move``.
            PermissionMissing: what is named alone lies in an account that may not change mail.

        Example:
            ```python
            from mailkit import AsyncMailClient
            from mailkit.testing import demo_accounts

            async with AsyncMailClient(demo_accounts()) as mail:
                rows = await mail.search("from:priya")
                print(await mail.add_labels(rows, ["Friends"], create=True))
            ```
        """
        operation = "mail.add_labels"
        wish = fanout.label_wish(names, "add", create=create, known=self._desk.names, operation=operation)
        return await fanout.organise(
            self._desk,
            messages,
            wish,
            operation=operation,
            account=account,
            deadline=self._desk.deadline(deadline, at_least=PATIENCE),
        )

    async def remove_labels(
        self,
        messages: MessageLike | Iterable[MessageLike],
        names: str | Label | Ref | Iterable[str | Label | Ref],
        *,
        account: str | None = None,
        deadline: float | None = None,
    ) -> Outcomes:
        """Take labels off messages, on Outlook categories; one that a message does not have is fine.

        ``names`` are as in ``add_labels``; on Outlook any category can be taken off, whether it is in the list or not.

        Raises:
            UsageError: these are no messages, or more than 500, or no labels; nothing was sent.
            NotFound: what is named alone, or the label, is not there; ``near`` of the error has names alike.
            Unsupported: on Outlook, it is a folder, out of which a message is moved.
            PermissionMissing: what is named alone lies in an account that may not change mail.

        Example:
            ```python
            from mailkit import AsyncMailClient
            from mailkit.testing import demo_accounts

            async with AsyncMailClient(demo_accounts()) as mail:
                rows = await mail.search("from:priya")
                labelled = await mail.add_labels(rows, "Friends", create=True)
                print(await mail.remove_labels(labelled.refs, "Friends"))
            ```
        """
        operation = "mail.remove_labels"
        wish = fanout.label_wish(names, "remove", known=self._desk.names, operation=operation)
        return await fanout.organise(
            self._desk,
            messages,
            wish,
            operation=operation,
            account=account,
            deadline=self._desk.deadline(deadline, at_least=PATIENCE),
        )
