"""What concerns single items: each goes to the account its ref names, several to several accounts at once."""

from __future__ import annotations

from collections.abc import Awaitable, Iterable

from mailkit.checks import asked, flag, refuse
from mailkit.errors import MailkitError
from mailkit.fanout.flow import Work, fan_out, in_account, named
from mailkit.fanout.listed import ListWork, listed
from mailkit.fanout.request import Mailboxes
from mailkit.fanout.resolve import concerned, item_ref
from mailkit.models.mail import Label, Message, MessageSummary, Thread
from mailkit.models.outcomes import Outcome
from mailkit.models.results import Results
from mailkit.values import Ref

__all__ = ["get", "get_many", "labels", "raw", "thread", "whole"]


async def get_many(
    mailboxes: Mailboxes,
    items: Iterable[Ref | str | MessageSummary],
    *,
    account: str | None,
    include_raw: bool,
    deadline: float,
) -> list[Outcome[Message]]:
    """Give whole messages in the order asked for, each with an outcome of its own; repeated refs are asked once."""
    operation = "mail.get_many"
    with asked(operation):
        flag(include_raw, "include_raw")
        if isinstance(items, str) or not isinstance(items, Iterable):
            refuse(items, "messages", "a list of rows, refs or ids")
    refs = [item_ref(item, "message", account=account, known=mailboxes.names, operation=operation) for item in items]
    ids: dict[str, list[str]] = {}
    for ref in dict.fromkeys(refs):
        ids.setdefault(ref.account, []).append(ref.id)

    def batch(name: str) -> Work[list[Message | MailkitError]]:
        return lambda: mailboxes.driver(name).get(ids[name], include_raw=include_raw)

    answers = await fan_out(
        {name: batch(name) for name in ids}, operation=operation, clock=mailboxes.clock, deadline=deadline
    )
    found: dict[tuple[str, str], Message | MailkitError] = {}
    for name, answer in answers.items():
        each = [answer] * len(ids[name]) if isinstance(answer, MailkitError) else answer
        found.update(((name, id_), message) for id_, message in zip(ids[name], each, strict=True))
    for (name, _), outcome in found.items():
        if isinstance(outcome, MailkitError):
            named(outcome, account=name, operation=operation)
    return [_outcome(ref, found[ref.account, ref.id]) for ref in refs]


async def get(mailboxes: Mailboxes, ref: Ref, *, include_raw: bool, deadline: float) -> Message:
    """Give one whole message."""
    with asked("mail.get"):
        flag(include_raw, "include_raw")

    def work() -> Awaitable[Message]:
        return whole(mailboxes, ref, include_raw=include_raw)

    return await in_account(mailboxes, ref.account, work, operation="mail.get", deadline=deadline)


async def whole(mailboxes: Mailboxes, ref: Ref, *, include_raw: bool = False) -> Message:
    """Ask for one whole message, as part of some item's work."""
    (answer,) = await mailboxes.driver(ref.account).get([ref.id], include_raw=include_raw)
    if isinstance(answer, MailkitError):
        raise answer
    return answer


async def thread(mailboxes: Mailboxes, ref: Ref, *, deadline: float) -> Thread:
    """Give a whole conversation."""

    def work() -> Awaitable[Thread]:
        return mailboxes.driver(ref.account).thread(ref.id)

    return await in_account(mailboxes, ref.account, work, operation="mail.thread", deadline=deadline)


async def raw(mailboxes: Mailboxes, ref: Ref, *, deadline: float) -> bytes:
    """Give one message as RFC 5322 bytes."""

    def work() -> Awaitable[bytes]:
        return mailboxes.driver(ref.account).raw(ref.id)

    return await in_account(mailboxes, ref.account, work, operation="mail.raw", deadline=deadline)


async def labels(mailboxes: Mailboxes, accounts: str | Iterable[str] | None, *, deadline: float) -> Results[Label]:
    """Give every account's tree of places and marks, account by account."""
    operation = "mail.labels.list"
    names = concerned(accounts, mailboxes.names, operation=operation)

    def tree(name: str) -> ListWork[Label]:
        return lambda: mailboxes.driver(name).labels()

    return await listed(
        {name: tree(name) for name in names}, operation=operation, clock=mailboxes.clock, deadline=deadline
    )


def _outcome(ref: Ref, answer: Message | MailkitError) -> Outcome[Message]:
    return Outcome(ref=ref, error=answer) if isinstance(answer, MailkitError) else Outcome(ref=ref, value=answer)
