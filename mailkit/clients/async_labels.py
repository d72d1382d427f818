"""``mail.labels``: the labels, folders and categories of every account."""

from __future__ import annotations

from collections.abc import Iterable

from mailkit import fanout
from mailkit.clients.desk import Desk
from mailkit.fanout import PATIENCE
from mailkit.models import Label, RenamedLabel, Results
from mailkit.providers.organising import Counted, NewLabelKind
from mailkit.values import Ref

__all__ = ["AsyncLabels"]


class AsyncLabels:
    """The labels, folders and categories of every account."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    async def list(
        self, *, accounts: str | Iterable[str] | None = None, deadline: float | None = None
    ) -> Results[Label]:
        """List every place and mark, account by account, parents before children.

        Raises:
            UnknownAccount: a name in ``accounts`` is not known.
            AllAccountsFailed: every account failed; the only account concerned raises its own error.

        Example:
            ```python
            from mailkit import AsyncMailClient
            from mailkit.testing import demo_accounts

            async with AsyncMailClient(demo_accounts()) as mail:
                for label in await mail.labels.list():
                    print(label.account, label.kind, label.path)
            ```
        """
        return await fanout.labels(self._desk, accounts, deadline=self._desk.deadline(deadline))

    async def create(
        self, name: str, *, account: str | None = None, kind: NewLabelKind | None = None, deadline: float | None = None
    ) -> Label:
        """Make a label at Gmail, at Outlook a category or, with ``kind="folder"``, a folder.

        ``name`` is the path of a label or folder, parts joined by ``/``; what is missing above it is made, too. Without
        ``account`` it is made in the default account, or in the only one.

        Raises:
            UsageError: the name cannot be one.
            AmbiguousAccount: several accounts, no default, and none named.
            Conflict: there is one of that name already.
            Unsupported: the provider has no such kind.
            PermissionMissing: the account may not do that; Outlook wants MailboxSettings.ReadWrite for categories.

        Example:
            ```python
            from mailkit import AsyncMailClient
            from mailkit.testing import demo_accounts

            async with AsyncMailClient(demo_accounts()) as mail:
                print((await mail.labels.create("Travel/Trains", account="home")).path)
                print((await mail.labels.create("Projects/Alpha", account="work", kind="folder")).kind)
            ```
        """
        owner = fanout.creator(account, self._desk.names, self._desk.accounts.default, operation="mail.labels.create")
        return await fanout.create_label(
            self._desk, name, account=owner, kind=kind, deadline=self._desk.deadline(deadline)
        )

    async def rename(
        self,
        label: str | Label | Ref,
        name: str,
        *,
        progress: Counted | None = None,
        account: str | None = None,
        deadline: float | None = None,
    ) -> RenamedLabel:
        """Give a label or folder another name where it hangs; what hangs under it goes along.

        An Outlook category is its name, so a new one is put on every message in the place of the old one, which is
        deleted at last, unless a message failed: ``.messages`` says which. ``progress`` is told how many messages are
        done, and how many there are in all. ``label`` is its exact name (the whole path), a ``Label``, its ref, or the
        text of that.

        Raises:
            UsageError: the name cannot be one, this is the ref of something else, or several are called so.
            AmbiguousAccount: a name, several accounts, and none named.
            NotFound: there is no such label; of a name, the error's ``near`` has those alike.
            Conflict: there is one of that name already.
            Unsupported: it is one of the provider's own.
            PermissionMissing: the account may not do that; Outlook wants MailboxSettings.ReadWrite for categories.

        Example:
            ```python
            from mailkit import AsyncMailClient
            from mailkit.testing import demo_accounts

            async with AsyncMailClient(demo_accounts()) as mail:
                label = await mail.labels.create("Travel", account="home")
                print((await mail.labels.rename(label, "Journeys")).label.path)
            ```
        """
        return await fanout.rename_label(
            self._desk,
            label,
            name,
            progress=progress,
            account=account,
            deadline=self._desk.deadline(deadline, at_least=PATIENCE),
        )

    async def delete(
        self, label: str | Label | Ref, *, account: str | None = None, deadline: float | None = None
    ) -> None:
        """Delete a label, category or folder; no message is moved or deleted.

        A Gmail label comes off its messages. An Outlook category leaves the list and stays on the messages that carry
        it. A folder must be empty. ``label`` is its exact name (the whole path), a ``Label``, its ref, or the text of
        that.

        Raises:
            UsageError: this is the ref of something else, or several are called so.
            AmbiguousAccount: a name, several accounts, and none named.
            NotFound: there is no such label; of a name, the error's ``near`` has those alike.
            Conflict: the folder is not empty.
            Unsupported: it is one of the provider's own.
            PermissionMissing: the account may not do that; Outlook wants MailboxSettings.ReadWrite for categories.

        Example:
            ```python
            from mailkit import AsyncMailClient
            from mailkit.testing import demo_accounts

            async with AsyncMailClient(demo_accounts()) as mail:
                label = await mail.labels.create("Travel", account="home")
                await mail.labels.delete(label)
                print([label.path for label in await mail.labels.list(accounts="home") if label.kind == "label"])
            ```
        """
        await fanout.delete_label(self._desk, label, account=account, deadline=self._desk.deadline(deadline))
