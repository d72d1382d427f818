"""The verbs that change where messages lie: archive, trash, spam, folders and labels."""

from __future__ import annotations

from collections.abc import Iterable

from mailkit import fanout
from mailkit.clients.desk import Desk
from mailkit.fanout import PATIENCE
from mailkit.models import Label, MessageLike, Outcomes
from mailkit.providers.organising import Move
from mailkit.values import Ref

__all__ = ["AsyncMoving"]


class AsyncMoving:
    """What moves mail.

    ``messages`` is a message or a thread, or up to 500 of them in a list, of any accounts: rows, refs, the texts of
    those, or a message's bare id. A thread means its messages. What comes back has an outcome for each message, in that
    order; what is named alone, and not in a list, raises instead when it could not be changed.
    """

    _desk: Desk

    async def archive(
        self,
        messages: MessageLike | Iterable[MessageLike],
        *,
        account: str | None = None,
        deadline: float | None = None,
    ) -> Outcomes:
        """Take messages out of the inbox, into the archive.

        Those that lie elsewhere stay where they are and count as done: of a thread, what was sent from here stays among
        the sent mail. ``move(messages, "archive")`` takes them from anywhere.

        Raises:
            UsageError: these are no messages, or more than 500; nothing was sent.
            PermissionMissing: what is named alone lies in an account that may not change mail.
            NotFound: what is named alone is not there.

        Example:
            ```python
            from mailkit import AsyncMailClient
            from mailkit.testing import demo_accounts

            async with AsyncMailClient(demo_accounts()) as mail:
                results = await mail.search("in:inbox older_than:30d")
                print(await mail.archive(results))
                thread = await mail.thread((await mail.search("subject:budget"))[0])
                for outcome in await mail.archive(thread):
                    print(outcome.ref, outcome.ok)
            ```
        """
        return await fanout.organise(
            self._desk,
            messages,
            Move(to="archive", only_from="inbox"),
            operation="mail.archive",
            account=account,
            deadline=self._desk.deadline(deadline, at_least=PATIENCE),
        )

    async def trash(
        self,
        messages: MessageLike | Iterable[MessageLike],
        *,
        account: str | None = None,
        deadline: float | None = None,
    ) -> Outcomes:
        """Move messages to the trash, from where the provider deletes them after a while.

        Of a thread, what was sent from here and what is drafted stays.

        Raises:
            UsageError: these are no messages, or more than 500; nothing was sent.
            PermissionMissing: what is named alone lies in an account that may not change mail.
            NotFound: what is named alone is not there.

        Example:
            ```python
            from mailkit import AsyncMailClient
            from mailkit.testing import demo_accounts

            async with AsyncMailClient(demo_accounts()) as mail:
                row = (await mail.search("subject:parcel"))[0]
                gone = await mail.trash(row)
                print(gone, await mail.untrash(gone.refs))
            ```
        """
        return await fanout.organise(
            self._desk,
            messages,
            Move(to="trash"),
            operation="mail.trash",
            account=account,
            deadline=self._desk.deadline(deadline, at_least=PATIENCE),
        )

    async def untrash(
        self,
        messages: MessageLike | Iterable[MessageLike],
        *,
        account: str | None = None,
        deadline: float | None = None,
    ) -> Outcomes:
        """Bring messages back from the trash into the inbox; drafts go back among the drafts.

        Those that are not in the trash stay where they are and count as done. At Gmail, which keeps a message's labels
        in the trash, what was sent from here is found among the sent mail again.

        Raises:
            UsageError: these are no messages, or more than 500; nothing was sent.
            PermissionMissing: what is named alone lies in an account that may not change mail.
            NotFound: what is named alone is not there.

        Example:
            ```python
            from mailkit import AsyncMailClient
            from mailkit.testing import demo_accounts

            async with AsyncMailClient(demo_accounts()) as mail:
                row = (await mail.search("subject:parcel"))[0]
                gone = await mail.trash(row)
                print(await mail.untrash(gone.refs))
            ```
        """
        return await fanout.organise(
            self._desk,
            messages,
            Move(to="inbox", only_from="trash"),
            operation="mail.untrash",
            account=account,
            deadline=self._desk.deadline(deadline, at_least=PATIENCE),
        )

    async def spam(
        self,
        messages: MessageLike | Iterable[MessageLike],
        *,
        account: str | None = None,
        deadline: float | None = None,
    ) -> Outcomes:
        """Move messages to the spam, on Outlook the junk mail.

        Raises:
            UsageError: these are no messages, or more than 500; nothing was sent.
            PermissionMissing: what is named alone lies in an account that may not change mail.
            NotFound: what is named alone is not there.

        Example:
            ```python
            from mailkit import AsyncMailClient
            from mailkit.testing import demo_accounts

            async with AsyncMailClient(demo_accounts()) as mail:
                row = (await mail.search("subject:parcel"))[0]
                print(await mail.spam(row))
            ```
        """
        return await fanout.organise(
            self._desk,
            messages,
            Move(to="spam"),
            operation="mail.spam",
            account=account,
            deadline=self._desk.deadline(deadline, at_least=PATIENCE),
        )

    async def not_spam(
        self,
        messages: MessageLike | Iterable[MessageLike],
        *,
        account: str | None = None,
        deadline: float | None = None,
    ) -> Outcomes:
        """Bring messages back from the spam into the inbox.

        Those that are not in the spam stay where they are and count as done.

        Raises:
            UsageError: these are no messages, or more than 500; nothing was sent.
            PermissionMissing: what is named alone lies in an account that may not change mail.
            NotFound: what is named alone is not there.

        Example:
            ```python
            from mailkit import AsyncMailClient
            from mailkit.testing import demo_accounts

            async with AsyncMailClient(demo_accounts()) as mail:
                row = (await mail.search("subject:parcel"))[0]
                junk = await mail.spam(row)
                print(await mail.not_spam(junk.refs))
            ```
        """
        return await fanout.organise(
            self._desk,
            messages,
            Move(to="inbox", only_from="spam"),
            operation="mail.not_spam",
            account=account,
            deadline=self._desk.deadline(deadline, at_least=PATIENCE),
        )

    async def move(
        self,
        messages: MessageLike | Iterable[MessageLike],
        to: str | Label | Ref,
        *,
        account: str | None = None,
        deadline: float | None = None,
    ) -> Outcomes:
        """Move messages to a place, or to a folder or label of one's own, which must be there.

        ``to`` is ``inbox``, ``archive``, ``trash`` or ``spam``, else the path of an Outlook folder (``Projects/Alpha``)
        or Gmail label exactly as ``mail.labels.list()`` shows it; with that label, a Gmail message leaves the inbox. Of
        a thread, what was sent from here, drafted or thrown away stays where it is.

        Raises:
            UsageError: these are no messages, or more than 500, or no labels; nothing was sent.
            NotFound: what is named alone, or the label, is not there; ``near`` of the error has names alike.
            Unsupported: on Outlook, it is a category.
            PermissionMissing: what is named alone lies in an account that may not change mail.

        Example:
            ```python
            from mailkit import AsyncMailClient
            from mailkit.testing import demo_accounts

            async with AsyncMailClient(demo_accounts()) as mail:
                work = await mail.labels.create("Projects/Alpha", account="work", kind="folder")
                row = (await mail.search("subject:minutes"))[0]
                print(await mail.move(row, work))
            ```
        """
        operation = "mail.move"
        wish = fanout.destination(to, known=self._desk.names, operation=operation)
        return await fanout.organise(
            self._desk,
            messages,
            wish,
            operation=operation,
            account=account,
            deadline=self._desk.deadline(deadline, at_least=PATIENCE),
        )
