"""What a mail driver can do to order a mailbox: marks, places and labels, and the records that go in and out.

A driver makes the provider's requests; which messages are meant, in which accounts, and in what order the outcomes come
is decided by ``fanout``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, Protocol, TypeAlias

import attrs

from mailkit.errors import MailkitError
from mailkit.models.mail import FolderRole, Label
from mailkit.models.organising import RenamedLabel
from mailkit.values import Ref

__all__ = [
    "Change",
    "Counted",
    "LabelUse",
    "MailOrganiser",
    "Mark",
    "Move",
    "NewLabelKind",
    "Place",
    "Relabel",
    "Target",
    "concerns",
]

Place: TypeAlias = Literal["inbox", "archive", "trash", "spam"]
LabelUse: TypeAlias = Literal["add", "remove", "move", "change"]
"""What a label is looked up for: put on, taken off, moved to; renamed or deleted, which any kind can be."""
NewLabelKind: TypeAlias = Literal["label", "folder", "category"]
Counted: TypeAlias = Callable[[int, int], object]
"""Told how many messages are done, and how many there are in all."""

_STAYING: frozenset[FolderRole] = frozenset(("sent", "drafts", "outbox", "trash", "spam"))


@attrs.frozen(kw_only=True)
class Target:
    """A message to change; ``place`` is where it was last seen, None where nobody has looked."""

    id: str
    place: FolderRole | None = None


@attrs.frozen(kw_only=True)
class Mark:
    """Make messages read or starred, or not; what is None stays as it is."""

    read: bool | None = None
    starred: bool | None = None


@attrs.frozen(kw_only=True)
class Move:
    """Move messages to a place, or to a folder or label of the person's own.

    With ``only_from``, messages that lie elsewhere stay where they are and count as done; out of trash and spam, what
    was never received goes back to where it is kept.
    """

    to: Place | Ref
    only_from: Place | None = None


@attrs.frozen(kw_only=True)
class Relabel:
    """Put labels on messages and take others off, all by the refs that ``find_labels`` gave."""

    add: tuple[Ref, ...] = ()
    remove: tuple[Ref, ...] = ()


Change: TypeAlias = Mark | Move | Relabel


def concerns(change: Change, place: FolderRole) -> bool:
    """Say whether a change of a conversation concerns those of its messages that lie in ``place``.

    Marks and labels go on all. A move takes what lies in the place it starts from; one that starts anywhere leaves
    alone what was sent, drafted or thrown away.
    """
    if not isinstance(change, Move):
        return True
    return place not in _STAYING if change.only_from is None else place == change.only_from


class MailOrganiser(Protocol):
    """One account's mail at one provider, as far as it is put in order."""

    async def organise(self, targets: Sequence[Target], change: Change, *, operation: str) -> list[str | MailkitError]:
        """Change messages; gives each one's id from now on, or why it was not changed, in order."""
        ...

    async def members(
        self, thread_ids: Sequence[str], change: Change, *, operation: str
    ) -> list[tuple[Target, ...] | MailkitError]:
        """Give the messages of each conversation that the change ``concerns``, or why they cannot be told."""
        ...

    async def find_labels(self, names: Sequence[str], use: LabelUse, *, create: bool, operation: str) -> list[Ref]:
        """Give what is called exactly so and can be put to that use, in order; ``create`` makes what is to be added.

        Raises:
            NotFound: there is no such label; the error's ``near`` has names alike.
            Unsupported: there is, but of a kind that has no such use.
            UsageError: there are several that could be meant (``ambiguous_label``).
        """
        ...

    async def create_label(self, name: str, kind: NewLabelKind | None) -> Label:
        """Make a label of that path, and what is missing above it.

        Raises:
            Conflict: there is one already.
            Unsupported: the provider has no such kind.
        """
        ...

    async def rename_label(self, label: Ref, name: str, *, progress: Counted | None) -> RenamedLabel:
        """Give a label another name where it stands in the tree.

        Raises:
            Conflict: there is one of that name already.
            Unsupported: it is the provider's own.
        """
        ...

    async def delete_label(self, label: Ref) -> None:
        """Delete a label; messages keep lying where they are.

        Raises:
            Conflict: it is a folder that is not empty.
            Unsupported: it is the provider's own.
        """
        ...
