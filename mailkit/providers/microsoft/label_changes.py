"""Categories and folders at Outlook found by name, made, renamed and deleted.

A category is a mark, many to a message, known by its name alone: another name is another category, so renaming one goes
over all messages that carry it. A folder keeps its id under any name. Category names compare without capitals, and
may stand on messages without being on the list of categories. https://learn.microsoft.com/graph/api/resources/outlookcategory
"""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from mailkit.errors import Conflict, NotFound, PermissionMissing, Unsupported, UsageError
from mailkit.models.mail import Label
from mailkit.models.organised import Organised
from mailkit.models.organising import Outcomes, RenamedLabel
from mailkit.models.outcomes import Outcome
from mailkit.providers.label_names import naming
from mailkit.providers.microsoft.access import READ, SETTINGS, WRITE, is_granted, permitted
from mailkit.providers.microsoft.folders import FOLDER_MEMBERS, category_label, folder_from_wire
from mailkit.providers.microsoft.mail_base import members
from mailkit.providers.microsoft.organise import OutlookOrganising
from mailkit.providers.microsoft.requests import deletion, prefer
from mailkit.providers.near import near
from mailkit.providers.organising import Counted, LabelUse, NewLabelKind, Relabel
from mailkit.providers.wire import Wire, get_needed_text, get_text
from mailkit.query.graph_mailbox import GraphFolder, GraphMailbox
from mailkit.transport.call import Call
from mailkit.transport.url import segment
from mailkit.values import Ref

_FOLDER = (("$select", ",".join(FOLDER_MEMBERS)),)
_AT_ONCE = 100
"""How many messages are given another category before progress is told."""


class OutlookLabelChanges(OutlookOrganising):
    """The verbs that find and change categories and folders."""

    async def find_labels(self, names: Sequence[str], use: LabelUse, *, create: bool, operation: str) -> list[Ref]:
        """Give what is called exactly so and can be put to that use, in order.

        What is moved to is a folder, named by its path, what is put on and taken off a category. One that stands in
        no list may still stand on messages, so any is found that is to be taken off. ``create`` makes those that are to
        be put on; without the permission for the list they are put on all the same. What is to be changed is either.

        Raises:
            NotFound: there is no such folder or category, or it cannot be told whether there is.
            Unsupported: there is, but of a kind that has no such use.
            UsageError: there are several that could be meant.
            PermissionMissing: this account may not organise mail.
        """
        if use == "change":
            return await self._called_now(names, operation)
        with permitted(self.account, operation, WRITE):
            mailbox = await self._directory.mailbox(operation, whole=True)
            if not all(_is_known(name, use, mailbox) for name in names):
                self._directory.forget()
                mailbox = await self._directory.mailbox(operation, whole=True)
            if use == "move":
                return [self._folder_called(name, mailbox, operation) for name in names]
            return [await self._category_called(name, use, mailbox, create, operation) for name in names]

    async def create_label(self, name: str, kind: NewLabelKind | None) -> Label:
        """Make a category, or a folder of that path and what is missing above it.

        Raises:
            Conflict: there is one already.
            Unsupported: it is to be a label like Gmail's.
            PermissionMissing: this account may not change categories, or folders.
        """
        operation = "mail.labels.create"
        if kind == "label":
            raise Unsupported(
                "Outlook has no such labels; make a category, or a folder",
                account=self.account.name,
                operation=operation,
            )
        if kind == "folder":
            with permitted(self.account, operation, WRITE):
                return await self._create_folder(name, operation)
        with permitted(self.account, operation, SETTINGS):
            await self._create_category(name, "none", operation)
        return category_label(self.account.name, name)

    async def rename_label(self, label: Ref, name: str, *, progress: Counted | None) -> RenamedLabel:
        """Give a folder another name where it stands, or put another category in the place of one.

        Raises:
            NotFound: there is none (any more).
            Conflict: there is one of that name already.
            Unsupported: it is one of Outlook's own folders.
            PermissionMissing: this account may not change categories, or mail.
        """
        operation = "mail.labels.rename"
        if label.part is not None:
            with permitted(self.account, operation, SETTINGS), permitted(self.account, operation, WRITE):
                return await self._rename_category(label, name, progress, operation)
        with permitted(self.account, operation, WRITE):
            folder = await self._own_folder(label, operation)
            call = Call(
                operation=operation,
                method="PATCH",
                url=self._folder_url(label.id),
                headers=prefer(),
                json={"displayName": name},
            )
            with naming():
                await self._session.request(call)
        self._directory.forget()
        parent = folder.path.rpartition("/")[0]
        path = f"{parent}/{name}" if parent else name
        return RenamedLabel(label=self._folder_label(attrs.evolve(folder, path=path), name))

    async def delete_label(self, label: Ref) -> None:
        """Delete a category from the list, or an empty folder; messages keep lying, and marked, as they are.

        Raises:
            NotFound: there is none (any more).
            Conflict: the folder is not empty.
            Unsupported: it is one of Outlook's own folders.
            PermissionMissing: this account may not change categories, or folders.
        """
        operation = "mail.labels.delete"
        if label.part is not None:
            with permitted(self.account, operation, SETTINGS):
                await self._delete_category(await self._category(label.id, operation), operation)
            return
        with permitted(self.account, operation, WRITE):
            await self._own_folder(label, operation)
            url = self._folder_url(label.id)
            item = await self._object(Call(operation=operation, url=url, query=_FOLDER, headers=prefer()))
            folder = folder_from_wire(item, "$")
            if folder.total or folder.children:
                raise Conflict(
                    "this folder is not empty, and what is in it would go to the trash with it; move that first",
                    account=self.account.name,
                    operation=operation,
                    code="not_empty",
                )
            await self._session.request(deletion(operation, url, prefer()))
        self._directory.forget()

    async def _called_now(self, names: Sequence[str], operation: str) -> list[Ref]:
        """Give what is called so at this moment: one that was renamed elsewhere must not be deleted in its place."""
        with permitted(self.account, operation, READ):
            self._directory.forget()
            mailbox = await self._directory.mailbox(operation, whole=True)
        found: list[Ref] = []
        for name in names:
            folders = [self._ref(folder.id) for folder in mailbox.folders if folder.path == name]
            categories = [self._ref(name, "category")] if name in (mailbox.categories or ()) else []
            if not folders and not categories:
                raise NotFound(
                    "there is no folder or category of that name; the error's near has names alike"
                    if mailbox.categories is not None
                    else "there is no folder of that path, and whether there is such a category cannot be told without "
                    "the permission MailboxSettings.Read; grant it, or name a folder by its whole path",
                    account=self.account.name,
                    operation=operation,
                    code="no_such_label",
                    near=near(name, [*(folder.path for folder in mailbox.folders), *(mailbox.categories or ())]),
                )
            found.append(self._only([*folders, *categories], operation))
        return found

    def _only(self, found: Sequence[Ref], operation: str) -> Ref:
        if len(found) > 1:
            raise UsageError(
                "several folders and categories are called so; pass the one that is meant as mail.labels.list gives it",
                account=self.account.name,
                operation=operation,
                code="ambiguous_label",
            )
        return found[0]

    # -- folders -----------------------------------------------------------------------------------------------------

    def _folder_called(self, name: str, mailbox: GraphMailbox, operation: str) -> Ref:
        found = [self._ref(folder.id) for folder in mailbox.folders if folder.path == name]
        if found:
            return self._only(found, operation)
        if name in (mailbox.categories or ()):
            return self._ref(name, "category")  # to be refused like one that is named by its ref
        raise NotFound(
            "there is no folder of that path; the error's near has paths alike, and mail.labels.create makes it",
            account=self.account.name,
            operation=operation,
            code="no_such_label",
            near=near(name, [folder.path for folder in mailbox.folders]),
        )

    async def _create_folder(self, path: str, operation: str) -> Label:
        mailbox = await self._directory.mailbox(operation, whole=True)
        paths = {folder.path: folder.id for folder in mailbox.folders}
        parts = path.split("/")
        above: str | None = None
        for depth in range(1, len(parts) + 1):
            here = "/".join(parts[:depth])
            if here in paths and depth < len(parts):
                above = paths[here]
                continue
            url = f"{self._path}/mailFolders" if above is None else f"{self._folder_url(above)}/childFolders"
            made = Call(
                operation=operation,
                method="POST",
                url=url,
                headers=prefer(),
                json={"displayName": parts[depth - 1]},
                repeat=False,
            )
            with naming():
                parent, above = above, get_needed_text(await self._object(made), "id", "$")
        self._directory.forget()
        return self._folder_label(GraphFolder(id=str(above), path=path, parent_id=parent), parts[-1])

    async def _own_folder(self, label: Ref, operation: str) -> GraphFolder:
        """Give a folder of the person's own as it is now."""
        mailbox = await self._directory.mailbox_holding(operation, [label.id])
        folder = next((folder for folder in mailbox.folders if folder.id == label.id), None)
        if folder is None:
            raise NotFound(
                "there is no such folder (any more); list the labels again",
                account=self.account.name,
                operation=operation,
            )
        if folder.role != "other":
            raise Unsupported(
                "this folder is one of Outlook's own, which stay as they are",
                account=self.account.name,
                operation=operation,
                code="system_label",
            )
        return folder

    def _folder_url(self, folder_id: str) -> str:
        return f"{self._path}/mailFolders/{segment(folder_id)}"

    def _folder_label(self, folder: GraphFolder, name: str) -> Label:
        parent = None if folder.parent_id is None else self._ref(folder.parent_id)
        return Label(ref=self._ref(folder.id), name=name, path=folder.path, kind="folder", parent=parent)

    def _ref(self, label_id: str, part: str | None = None) -> Ref:
        return Ref(account=self.account.name, kind="label", id=label_id, part=part)

    # -- categories --------------------------------------------------------------------------------------------------

    async def _category_called(
        self, name: str, use: LabelUse, mailbox: GraphMailbox, create: bool, operation: str
    ) -> Ref:
        category = self._ref(name, "category")
        if name in (mailbox.categories or ()):
            return category
        folder = next((folder for folder in mailbox.folders if folder.path == name), None)
        if folder is not None:
            return self._ref(folder.id)  # to be refused like one that is named by its ref
        if use == "remove":
            return category
        if create:
            if is_granted(self.account, SETTINGS):
                await self._create_listed(name, operation)
            return category
        known = mailbox.categories
        raise NotFound(
            "whether there is such a category cannot be told without the permission MailboxSettings.Read; grant it, or "
            "put the category on all the same with create=True"
            if known is None
            else "there is no category of that name; the error's near has names alike, and create=True makes it",
            account=self.account.name,
            operation=operation,
            code="no_such_label",
            near=near(name, known or ()),
        )

    async def _create_listed(self, name: str, operation: str) -> None:
        """Put a category on the list where that may be done: on messages it may stand without."""
        try:
            await self._create_category(name, "none", operation)
        except (PermissionMissing, Conflict):  # nobody knew the permissions; it differs in capitals, or is there by now
            self._directory.forget()

    async def _create_category(self, name: str, colour: str, operation: str) -> None:
        # https://learn.microsoft.com/graph/api/outlookuser-post-mastercategories
        call = Call(
            operation=operation,
            method="POST",
            url=f"{self._path}/outlook/masterCategories",
            json={"displayName": name, "color": colour},
            repeat=False,
        )
        with naming():
            await self._session.request(call)
        self._directory.forget()

    async def _category(self, name: str, operation: str) -> Wire:
        """Give a category of the list."""
        # $filter does not work here (microsoft-graph-docs#12777).
        call = Call(operation=operation, url=f"{self._path}/outlook/masterCategories")
        found = [item async for answer in self._session.pages(call) for item in members(answer)]
        for item in found:
            if get_text(item, "displayName", "value") == name:
                return item
        raise NotFound(
            "there is no such category on the list (any more); list the labels again",
            account=self.account.name,
            operation=operation,
        )

    async def _delete_category(self, category: Wire, operation: str) -> None:
        url = f"{self._path}/outlook/masterCategories/{segment(get_needed_text(category, 'id', 'value'))}"
        await self._session.request(deletion(operation, url, ()))
        self._directory.forget()

    async def _rename_category(self, old: Ref, name: str, progress: Counted | None, operation: str) -> RenamedLabel:
        """Make the new one, change the messages, and delete the old one when none is left that carries it."""
        # outlookcategory-update: a category's name stays as it is
        category = await self._category(old.id, operation)
        await self._create_category(name, get_text(category, "color", "value") or "none", operation)
        label = category_label(self.account.name, name)
        ids = await self._carrying(old.id, operation)
        change = Relabel(add=(label.ref,), remove=(old,))
        outcomes: list[Outcome[Organised]] = []
        for at in range(0, len(ids), _AT_ONCE):
            changed = await self.recategorised(ids[at : at + _AT_ONCE], change, operation)
            for message_id, outcome in changed.items():
                ref = Ref(account=self.account.name, kind="message", id=message_id)
                if isinstance(outcome, str):
                    value = Organised(ref=Ref(account=ref.account, kind="message", id=outcome))
                    outcomes.append(Outcome(ref=ref, value=value))
                else:
                    outcomes.append(Outcome(ref=ref, error=outcome))
            if progress:
                progress(len(outcomes), len(ids))
        messages = Outcomes(tuple(outcomes))
        if messages.ok:
            await self._delete_category(category, operation)
        return RenamedLabel(label=label, messages=messages)

    async def _carrying(self, name: str, operation: str) -> list[str]:
        """Give the ids of all messages with a category."""
        quoted = name.replace("'", "''")
        call = Call(
            operation=operation,
            url=self._messages,
            query=(("$filter", f"categories/any(c:c eq '{quoted}')"), ("$select", "id"), ("$top", "1000")),
            headers=prefer(),
        )
        return [
            get_needed_text(item, "id", "value")
            async for answer in self._session.pages(call)
            for item in members(answer)
        ]


def _is_known(name: str, use: LabelUse, mailbox: GraphMailbox) -> bool:
    is_folder = any(folder.path == name for folder in mailbox.folders)
    return is_folder or (use != "move" and (mailbox.categories is None or name in mailbox.categories))
