"""Labels at Gmail found by name, made, renamed and deleted.

Gmail knows flat names: that ``A/B`` hangs under ``A`` is read off the slash, so what is above a new label is made as
well, and what hangs under a renamed one is renamed with it.
https://developers.google.com/workspace/gmail/api/reference/rest/v1/users.labels
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mailkit.errors import NotFound, ProviderError, Unsupported
from mailkit.models.mail import Label
from mailkit.models.organising import RenamedLabel
from mailkit.providers.google.access import LABEL_CHANGES, LABELS, permitted
from mailkit.providers.google.gmail_base import GmailBase, unwrapped
from mailkit.providers.google.gmail_labels import LabelBook
from mailkit.providers.google.gmail_messages import as_missing
from mailkit.providers.google.gmail_organise_calls import label_create, label_delete, label_rename
from mailkit.providers.label_names import check_path, name_taken, naming
from mailkit.providers.near import near
from mailkit.providers.organising import Counted, LabelUse, NewLabelKind
from mailkit.values import Ref

_MAKES: Mapping[LabelUse, str] = {
    "add": ", and create=True makes it",
    "move": ", and mail.labels.create makes it",
}


class GmailLabelChanges(GmailBase):
    """The verbs that find and change labels."""

    async def find_labels(
        self,
        names: Sequence[str],
        use: LabelUse,
        *,
        create: bool,
        operation: str,
    ) -> list[Ref]:
        """Give the labels of exactly these names, in order; ``create`` makes those that are missing.

        Raises:
            NotFound: there is no such label.
            PermissionMissing: this account may not look at labels.
        """
        with permitted(self.account, operation, LABEL_CHANGES if create or use == "change" else LABELS):
            book = await self._directory.read_labels(operation)
            # Gmail's own are found where they are to be changed, and refused like those that are named by their refs.
            own = {label.path: label.ref.id for label in book.labels if label.kind == "system" and use == "change"}
            missing = [name for name in dict.fromkeys(names) if name not in {*own, *book.names.values()}]
            for name in missing:
                self._refuse_own(book, name, operation)
            if missing and not create:
                raise NotFound(
                    f"there is no label of that name; the error's near has names alike{_MAKES.get(use, '')}",
                    account=self.account.name,
                    operation=operation,
                    code="no_such_label",
                    near=near(missing[0], book.names.values()),
                )
            for name in missing:
                book = await self._create(book, name, operation)
        ids = own | {name: label_id for label_id, name in book.names.items()}
        return [Ref(account=self.account.name, kind="label", id=ids[name]) for name in names]

    async def create_label(self, name: str, kind: NewLabelKind | None) -> Label:
        """Make a label of that path, and what is missing above it.

        Raises:
            Conflict: there is one already.
            Unsupported: it is to be a folder or a category.
            PermissionMissing: this account may not change labels.
        """
        operation = "mail.labels.create"
        if kind not in (None, "label"):
            raise Unsupported(
                f"Gmail has no {kind}; make a label, which is both a folder and a mark",
                account=self.account.name,
                operation=operation,
            )
        with permitted(self.account, operation, LABEL_CHANGES):
            book = await self._directory.read_labels(operation)
            if name in book.names.values():
                raise name_taken(self.account.name, operation)
            self._refuse_own(book, name, operation)
            book = await self._create(book, name, operation)
        return next(label for label in book.labels if label.path == name and label.kind == "label")

    async def rename_label(
        self,
        label: Ref,
        name: str,
        *,
        progress: Counted | None,  # noqa: ARG002  # no message is touched
    ) -> RenamedLabel:
        """Give a label another name where it stands, and with it those that hang under it.

        Raises:
            NotFound: there is no such label.
            Conflict: there is one of that name already.
            Unsupported: it is one of Gmail's own.
            PermissionMissing: this account may not change labels.
        """
        operation = "mail.labels.rename"
        with permitted(self.account, operation, LABEL_CHANGES):
            old = await self._own(label, operation)
            above = old.path.removesuffix(old.name)
            with naming():
                await self._session.request(label_rename(operation, label.id, above + name))
            names = (await self._directory.read_labels(operation)).names
            below = {i: path.removeprefix(old.path) for i, path in names.items() if path.startswith(f"{old.path}/")}
            answers = await self._session.batch(
                [label_rename(operation, i, above + name + rest) for i, rest in below.items()]
            )
            for answer in answers:
                unwrapped(answer)
            return RenamedLabel(label=await self._own(label, operation))

    async def delete_label(self, label: Ref) -> None:
        """Delete a label; the messages stay where they are.

        Raises:
            NotFound: there is no such label.
            Unsupported: it is one of Gmail's own.
            PermissionMissing: this account may not change labels.
        """
        operation = "mail.labels.delete"
        with permitted(self.account, operation, LABEL_CHANGES):
            await self._own(label, operation)
            try:
                await self._session.request(label_delete(operation, label.id))
            except ProviderError as refusal:
                raise as_missing(refusal) from None
            await self._directory.read_labels(operation)

    async def _own(self, label: Ref, operation: str) -> Label:
        """Give the label as it is now; one of Gmail's own is refused."""
        book = await self._directory.read_labels(operation)
        found = next((each for each in book.labels if each.ref.id == label.id), None)
        if found is None:
            raise NotFound(
                "there is no such label (any more); list them again", account=self.account.name, operation=operation
            )
        if found.kind == "system":
            raise Unsupported(
                "this label is one of Gmail's own, which stay as they are",
                account=self.account.name,
                operation=operation,
                code="system_label",
            )
        return found

    def _refuse_own(self, book: LabelBook, name: str, operation: str) -> None:
        """Refuse the name of one of Gmail's own."""
        # https://developers.google.com/workspace/gmail/api/guides/labels, at reserved names
        if any(label.kind == "system" and label.path.casefold() == name.casefold() for label in book.labels):
            raise Unsupported(
                "a label of Gmail's own has that name; the verbs star, mark_unread, move and their like set it",
                account=self.account.name,
                operation=operation,
                code="system_label",
            )

    async def _create(self, book: LabelBook, name: str, operation: str) -> LabelBook:
        """Make a label and what is missing above it; gives the labels there are then."""
        check_path(name)
        parts = name.split("/")
        for path in ("/".join(parts[:depth]) for depth in range(1, len(parts) + 1)):
            if path not in book.names.values():
                with naming():
                    await self._session.request(label_create(operation, path))
        return await self._directory.read_labels(operation)
