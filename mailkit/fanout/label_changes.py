"""Labels, categories and folders made, renamed and deleted, each in one account."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import get_args

from mailkit.checks import asked, refuse, text
from mailkit.errors import MailkitError, UsageError
from mailkit.fanout.flow import in_time
from mailkit.fanout.items import one
from mailkit.fanout.request import Mailboxes
from mailkit.models.mail import Label
from mailkit.models.organising import RenamedLabel
from mailkit.providers.organising import Counted, NewLabelKind
from mailkit.values import Ref

__all__ = ["create_label", "delete_label", "rename_label"]


async def create_label(
    mailboxes: Mailboxes, name: str, *, account: str, kind: NewLabelKind | None, deadline: float
) -> Label:
    """Make a label in ``account``."""
    operation = "mail.labels.create"
    with asked(operation):
        _check_name(name)
        if kind is not None and kind not in get_args(NewLabelKind):
            refuse(kind, "kind", "'label' (Gmail), 'category' or 'folder' (Outlook), or None")

    def work() -> Awaitable[Label]:
        return mailboxes.driver(account).create_label(name, kind)

    outcome = await in_time(work, account=account, operation=operation, clock=mailboxes.clock, deadline=deadline)
    if isinstance(outcome, MailkitError):
        raise outcome
    return outcome


async def rename_label(
    mailboxes: Mailboxes, ref: Ref, name: str, *, progress: Counted | None, deadline: float
) -> RenamedLabel:
    """Give a label another name."""
    operation = "mail.labels.rename"
    with asked(operation):
        _check_name(name)
        if "/" in name:
            raise UsageError(
                "name must be the new last part of its path, without '/'; a label stays where it hangs", code="bad_name"
            )
        if progress is not None and not callable(progress):
            refuse(progress, "progress", "a function that takes two numbers, or None")

    def work() -> Awaitable[RenamedLabel]:
        return mailboxes.driver(ref.account).rename_label(ref, name, progress=progress)

    return await one(mailboxes, ref, work, operation=operation, deadline=deadline)


async def delete_label(mailboxes: Mailboxes, ref: Ref, *, deadline: float) -> None:
    """Delete a label."""

    def work() -> Awaitable[None]:
        return mailboxes.driver(ref.account).delete_label(ref)

    await one(mailboxes, ref, work, operation="mail.labels.delete", deadline=deadline)


def _check_name(name: object) -> None:
    if any(not part or part != part.strip() for part in text(name, "name").split("/")):
        raise UsageError("each part of name, between '/', must be a text without blanks around it", code="bad_name")
