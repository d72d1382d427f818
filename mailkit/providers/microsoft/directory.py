"""What is known of one mailbox's folders, categories and own addresses, asked for once and kept for a while.

The well-known folders and what lies below Deleted Items and Junk Email come first, since every search needs them; the
whole tree only when a query or a row asks for it. Never fatal where only a nicety is missing (categories without their
permission).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mailkit.errors import AccessError, BadPayload, ConfigurationError, MailkitError, NotFound
from mailkit.models.mail import FolderRole, Label
from mailkit.providers.microsoft.folders import (
    FOLDER_MEMBERS,
    WireFolder,
    category_label,
    folder_from_wire,
    folder_labels,
    folder_tree,
)
from mailkit.providers.microsoft.requests import mailbox_path, rows_of
from mailkit.providers.wire import as_object, get_list, get_needed_text, get_object, get_text, read_each
from mailkit.query.graph_mailbox import WELL_KNOWN, GraphMailbox
from mailkit.transport.call import Answer, Call
from mailkit.transport.session import Session
from mailkit.transport.url import segment

FRESH_SECONDS = 300.0
"""How long folders and categories are taken as unchanged. A row in a folder not known yet renews them at once."""

_ONE = (("$select", ",".join(FOLDER_MEMBERS)),)
_MANY = (*_ONE, ("$top", "250"))
_PLACES: tuple[FolderRole, ...] = ("inbox", "sent", "drafts", "trash", "spam", "archive", "outbox")
_BELOW_OF_EACH_SEARCH: tuple[FolderRole, ...] = ("trash", "spam")


class Directory:
    """Folders, categories and own addresses of one mailbox, as last seen."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._path = mailbox_path(session.account)
        self._folders: dict[str, WireFolder] = {}
        self._places: dict[str, FolderRole] = {}
        self._folders_at = float("-inf")
        self._is_whole = False
        self._homeless: frozenset[str] = frozenset()
        self._categories: tuple[str, ...] | None = None
        self._categories_at = float("-inf")
        self._unread_folders: list[BadPayload] = []
        self._unread_categories: list[BadPayload] = []
        self._me: tuple[str, ...] = ()

    async def mailbox(self, operation: str, *, whole: bool = False) -> GraphMailbox:
        """Give what a plan must know: the well-known folders and all below trash and spam.

        ``whole``: every folder, and the categories.
        """
        await self._know_folders(operation, whole=whole)
        categories = await self._know_categories(operation) if whole else self._categories
        return GraphMailbox(folders=folder_tree(self._folders.values(), self._places), categories=categories)

    async def mailbox_holding(self, operation: str, folder_ids: Iterable[str]) -> GraphMailbox:
        """Give it with the folders that rows lie in: read anew where one is not known yet (made just now, say)."""
        unknown = {i for i in folder_ids if i not in self._folders} - self._homeless
        if unknown:
            self._folders_at = float("-inf")
            await self._know_folders(operation, whole=True)
            # Hidden folders stay out of the tree: they are remembered, so as not to be looked for again.
            self._homeless = frozenset(i for i in unknown if i not in self._folders)
        return await self.mailbox(operation)

    async def labels(self, operation: str) -> tuple[list[Label], list[BadPayload]]:
        """Give folders and categories as one tree, parents before children, read anew; and what could not be read."""
        self.forget()
        mailbox = await self.mailbox(operation, whole=True)
        account = self._session.account.name
        folders = folder_labels(account, mailbox.folders, self._folders.values())
        categories = [category_label(account, name) for name in mailbox.categories or ()]
        return folders + categories, self._unread_folders + self._unread_categories

    def forget(self) -> None:
        """Read folders and categories anew when they are needed next: one was made or changed, or is missed."""
        self._folders_at = self._categories_at = float("-inf")

    async def _know_folders(self, operation: str, *, whole: bool) -> None:
        whole = whole or self._is_whole
        if not self._is_fresh(self._folders_at) or (whole and not self._is_whole):
            await self._read_folders(operation, whole=whole)
            self._folders_at = self._session.clock.monotonic()
            self._is_whole = whole
            self._homeless = frozenset()

    async def _know_categories(self, operation: str) -> tuple[str, ...] | None:
        """Give the names of the master categories; None where MailboxSettings.Read is not granted."""
        if not self._is_fresh(self._categories_at):
            call = Call(
                operation=operation, url=f"{self._path}/outlook/masterCategories", query=(("$select", "displayName"),)
            )
            try:
                found = [category async for answer in self._session.pages(call) for category in rows_of(answer)]
            except AccessError:
                self._categories, self._unread_categories = None, []
            else:
                names, self._unread_categories = read_each(
                    found, "value", lambda item, path: get_needed_text(item, "displayName", path)
                )
                self._categories = tuple(names)
            self._categories_at = self._session.clock.monotonic()
        return self._categories

    async def own_addresses(self, operation: str) -> tuple[str, ...]:
        """Give every address of the mailbox's owner: as the account says, else as Graph says.

        Raises:
            ConfigurationError: neither knows one.
        """
        account = self._session.account
        # In a mailbox named by its address that is who writes, whoever signed in.
        named = account.mailbox if account.mailbox and "@" in account.mailbox else account.address
        if named:
            return (named, *account.aliases)
        if not self._me:
            self._me = await self._profile(operation) or await self._sender_of_newest_sent(operation)
        if not self._me:
            raise ConfigurationError(
                "the mailbox does not tell its own address, which 'me' needs; pass address= to the account",
                account=account.name,
            )
        return (*self._me, *account.aliases)

    async def _profile(self, operation: str) -> tuple[str, ...]:
        # Needs User.Read, which a mail-only consent lacks: https://learn.microsoft.com/graph/api/user-get
        call = Call(operation=operation, url=self._path, query=(("$select", "mail,userPrincipalName,proxyAddresses"),))
        try:
            item = as_object((await self._session.request(call)).json(), "$")
        except (AccessError, NotFound):
            return ()
        # proxyAddresses reads "SMTP:main@x" and "smtp:alias@x", among other kinds of address.
        proxies = (str(p) for p in get_list(item, "proxyAddresses", "$"))
        aliases = (p[5:] for p in proxies if p[:5].lower() == "smtp:")
        named = (get_text(item, "mail", "$"), get_text(item, "userPrincipalName", "$"), *aliases)
        return tuple(dict.fromkeys(address.lower() for address in named if "@" in address))

    async def _sender_of_newest_sent(self, operation: str) -> tuple[str, ...]:
        call = Call(
            operation=operation,
            url=f"{self._path}/mailFolders/sentitems/messages",
            query=(("$select", "from"), ("$top", "1")),
        )
        addresses, _ = read_each(
            rows_of(await self._session.request(call)),
            "value",
            lambda item, path: get_text(
                get_object(get_object(item, "from", path), "emailAddress", path), "address", path
            ),
        )
        return tuple(address.lower() for address in addresses if address)

    def _is_fresh(self, asked_at: float) -> bool:
        return self._session.clock.monotonic() - asked_at < FRESH_SECONDS

    async def _read_folders(self, operation: str, *, whole: bool) -> None:
        places: dict[FolderRole, str] = {role: f"{self._path}/mailFolders/{WELL_KNOWN[role]}" for role in _PLACES}
        below = [f"{places[role]}/childFolders" for role in _BELOW_OF_EACH_SEARCH]
        lists = [f"{self._path}/mailFolders"] if whole else below
        answers = await self._session.batch(
            [Call(operation=operation, url=url, query=_ONE) for url in places.values()]
            + [Call(operation=operation, url=url, query=_MANY) for url in lists]
        )
        found: dict[str, WireFolder] = {}
        roles: dict[str, FolderRole] = {}
        for place, answer in zip(places, answers, strict=False):
            if isinstance(answer, NotFound):
                continue  # not every mailbox has an archive: https://learn.microsoft.com/graph/api/resources/mailfolder
            if not isinstance(answer, Answer):
                raise answer
            folder = folder_from_wire(as_object(answer.json(), "$"), "$")
            found[folder.id] = folder
            roles[folder.id] = place
        level, unread = await self._read_lists(operation, lists, answers[len(places) :])
        while level:
            parents = [f"{self._path}/mailFolders/{segment(f.id)}/childFolders" for f in level if f.children]
            found.update((folder.id, folder) for folder in level)
            calls = [Call(operation=operation, url=url, query=_MANY) for url in parents]
            below_them, problems = await self._read_lists(
                operation, parents, await self._session.batch(calls) if calls else []
            )
            level = [folder for folder in below_them if folder.id not in found]
            unread += problems
        self._folders, self._places, self._unread_folders = found, roles, unread

    async def _read_lists(
        self, operation: str, urls: Sequence[str], answers: Sequence[Answer | MailkitError]
    ) -> tuple[list[WireFolder], list[BadPayload]]:
        """Read lists of folders; one that goes on past its first page is read again to its end."""
        folders: list[WireFolder] = []
        unread: list[BadPayload] = []
        for url, answer in zip(urls, answers, strict=True):
            if isinstance(answer, NotFound):
                continue
            if not isinstance(answer, Answer):
                raise answer
            members = list(rows_of(answer))
            if "@odata.nextLink" in as_object(answer.json(), "$"):
                call = Call(operation=operation, url=url, query=_MANY)
                members = [member async for page in self._session.pages(call) for member in rows_of(page)]
            read, problems = read_each(members, "value", folder_from_wire)
            folders.extend(folder for folder in read if not folder.hidden)
            unread += problems
        return folders, unread
