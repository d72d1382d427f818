"""Drafts: kept, listed, changed, sent and thrown away, over all accounts or in the one a draft lies in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress

import attrs

from mailkit.errors import InvalidMessage
from mailkit.fanout.flow import in_account
from mailkit.fanout.listed import ListWork, listed
from mailkit.fanout.request import Mailboxes
from mailkit.mime.outgoing import OutgoingMessage
from mailkit.models.drafts import Draft
from mailkit.models.mail import Message
from mailkit.models.results import Results
from mailkit.models.sending import SendResult
from mailkit.providers.writing import Answers
from mailkit.sending.dispatch import dispatch, new_letter
from mailkit.sending.order import Order, Outbox, Ready
from mailkit.sending.order_files import as_file, opened_files
from mailkit.values import Ref

__all__ = ["changed", "create", "delete", "get", "list_drafts", "outgoing", "send", "update"]


async def list_drafts(mailboxes: Mailboxes, names: tuple[str, ...], *, limit: int, deadline: float) -> Results[Draft]:
    """Give the newest drafts of every account, newest first over all."""
    operation = "mail.drafts.list"

    def newest(name: str) -> ListWork[Draft]:
        return lambda: mailboxes.driver(name).drafts(limit)

    found = await listed(
        {name: newest(name) for name in names}, operation=operation, clock=mailboxes.clock, deadline=deadline
    )
    rows = sorted(found.rows, key=lambda draft: draft.message.date, reverse=True)
    return attrs.evolve(found, rows=tuple(rows[:limit]))


async def get(mailboxes: Mailboxes, ref: Ref, *, deadline: float) -> Draft:
    """Give one draft."""
    return await in_account(
        mailboxes,
        ref.account,
        lambda: mailboxes.driver(ref.account).draft(ref.id),
        operation="mail.drafts.get",
        deadline=deadline,
    )


async def create(mailboxes: Mailboxes, order: Order) -> Draft:
    """Keep a message as a draft."""
    driver = mailboxes.driver(order.account)

    async def work() -> Draft:
        async with opened_files(mailboxes, order, order.message.files) as files:
            letter = new_letter(Ready(message=order.message), files, account=driver.account, clock=mailboxes.clock)
            return await driver.create_draft(letter, progress=order.progress)

    return await in_account(mailboxes, order.account, work, operation=order.operation, deadline=order.deadline)


async def update(mailboxes: Mailboxes, ref: Ref, order: Order, changes: Mapping[str, object]) -> Draft:
    """Change a draft: what ``changes`` leaves alone stays, its files and its place in a conversation included."""
    driver = mailboxes.driver(ref.account)

    async def work() -> Draft:
        current = await driver.draft(ref.id)
        message = current.message
        place = Answers(kind="reply", id=message.ref.id, thread_id=message.thread.id)
        ready = Ready(
            message=changed(outgoing(message), changes),
            draft=current,
            answers=place if message.in_reply_to else None,
            in_reply_to=message.in_reply_to,
            references=message.references,
        )
        async with opened_files(mailboxes, order, ready.message.files) as files:
            letter = new_letter(ready, files, account=driver.account, clock=mailboxes.clock)
            return await driver.update_draft(ref.id, letter, progress=order.progress)

    return await in_account(mailboxes, ref.account, work, operation=order.operation, deadline=order.deadline)


async def send(outbox: Outbox, ref: Ref, order: Order) -> SendResult:
    """Send a draft as it is, if the policy lets it go.

    Raises:
        NotFound: there is no such draft (any more); it may have been sent.
    """
    driver = outbox.driver(ref.account)

    async def prepare() -> Ready:
        draft = await driver.draft(ref.id)
        return Ready(message=outgoing(draft.message), draft=draft)

    return await dispatch(outbox, attrs.evolve(order, about=(str(ref),), prepare=prepare))


async def delete(mailboxes: Mailboxes, ref: Ref, *, deadline: float) -> None:
    """Delete a draft."""
    operation = "mail.drafts.delete"
    work = mailboxes.driver(ref.account).delete_draft
    await in_account(mailboxes, ref.account, lambda: work(ref.id), operation=operation, deadline=deadline)


def changed(message: OutgoingMessage, changes: Mapping[str, object]) -> OutgoingMessage:
    """Give a message with some of its fields named anew.

    Raises:
        InvalidMessage: one of them cannot go into a mail.
    """
    return attrs.evolve(message, **changes)  # type: ignore[arg-type]  # the fields look at what they get


def outgoing(message: Message) -> OutgoingMessage:
    """Give what a draft would send; its files stay where they are until they are needed."""
    return OutgoingMessage(
        to=message.to,
        cc=message.cc,
        bcc=message.bcc,
        subject=" ".join(message.subject.split()),
        text=message.body.plain,
        html=message.body.html,
        files=tuple(as_file(each) for each in message.attachments if each.kind != "link"),
        reply_to=message.reply_to,
        headers=tuple(_own_headers(message)),
        from_=message.from_,
    )


def _own_headers(message: Message) -> Iterator[tuple[str, str]]:
    """Give the headers that a caller may have set; the others say what stands elsewhere, or are the provider's."""
    for pair in message.headers:
        with suppress(InvalidMessage):
            yield from OutgoingMessage(headers=[pair]).headers
