"""Labels, categories and folders made, renamed and deleted, each in one account."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import get_args

from mailkit.checks import asked, plain_function, refuse, text
from mailkit.errors import UsageError
from mailkit.fanout.flow import in_account
from mailkit.fanout.request import Mailboxes
from mailkit.fanout.resolve import creator, label_named
from mailkit.models.mail import Label
from mailkit.models.organising import RenamedLabel
from mailkit.providers.base import MailDriver
from mailkit.providers.label_names import check_path
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

    return await in_account(mailboxes, account, work, operation=operation, deadline=deadline)


async def rename_label(
    mailboxes: Mailboxes,
    label: str | Label | Ref,
    name: str,
    *,
    progress: Counted | None,
    account: str | None,
    deadline: float,
) -> RenamedLabel:
    """Give a label another name."""
    operation = "mail.labels.rename"
    owner, named = _meant(mailboxes, label, account, operation)
    with asked(operation):
        _check_name(name)
        if "/" in name:
            raise UsageError(
                "name must be the new last part of its path, without '/'; a label stays where it hangs", code="bad_name"
            )
        plain_function(progress, "progress", "the messages done and those of all")

    async def work() -> RenamedLabel:
        driver = mailboxes.driver(owner)
        return await driver.rename_label(await _found(driver, named, operation), name, progress=progress)

    return await in_account(mailboxes, owner, work, operation=operation, deadline=deadline)


async def delete_label(mailboxes: Mailboxes, label: str | Label | Ref, *, account: str | None, deadline: float) -> None:
    """Delete a label."""
    operation = "mail.labels.delete"
    owner, named = _meant(mailboxes, label, account, operation)

    async def work() -> None:
        driver = mailboxes.driver(owner)
        await driver.delete_label(await _found(driver, named, operation))

    await in_account(mailboxes, owner, work, operation=operation, deadline=deadline)


def _meant(mailboxes: Mailboxes, label: object, account: str | None, operation: str) -> tuple[str, str | Ref]:
    """Give the account a label is in, and its name or ref."""
    named = label_named(label, account=account, known=mailboxes.names, operation=operation)
    if isinstance(named, Ref):
        return named.account, named
    return creator(account, mailboxes.names, None, operation=operation), named


async def _found(driver: MailDriver, named: str | Ref, operation: str) -> Ref:
    if isinstance(named, Ref):
        return named
    (ref,) = await driver.find_labels([named], "change", create=False, operation=operation)
    return ref


def _check_name(name: object) -> None:
    check_path(text(name, "name"))
