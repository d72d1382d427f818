"""Replies and forwards: read the original, address and quote it by the rules, and hand the message on to be sent."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

import attrs

from mailkit.addressing import Addressed, Wish, address, answerable, quote_forward, quote_reply
from mailkit.errors import MailkitError
from mailkit.fanout.flow import attempt
from mailkit.fanout.items import one
from mailkit.fanout.request import Mailboxes
from mailkit.mime.outgoing import OutgoingFile, OutgoingMessage, read_content_id, read_content_type
from mailkit.mime.safe_html import text_as_html
from mailkit.mime.texts import texts_of
from mailkit.models.mail import Attachment, Message
from mailkit.models.outcomes import Note
from mailkit.providers.base import MailDriver
from mailkit.providers.writing import Answers
from mailkit.sending.order import Order
from mailkit.values import Ref

__all__ = ["Answer", "addressed", "answered", "as_file"]

_EML = "message/rfc822"


@attrs.frozen(kw_only=True, repr=False)
class Answer:
    """What somebody wants to answer with: ``message`` holds the new text, people to add and files.

    ``quote`` puts the original below; ``as_attachment`` forwards it as one file instead. ``tz`` is the zone in which
    its date is given.
    """

    wish: Wish
    message: OutgoingMessage
    quote: bool = True
    as_attachment: bool = False
    tz: dt.tzinfo


async def addressed(
    mailboxes: Mailboxes, ref: Ref, answer: Answer, *, known: Message | None, operation: str, deadline: float
) -> tuple[Message, Addressed]:
    """Read the original, and say who gets the answer; ``known`` is the original where the caller has it whole.

    Raises:
        InvalidMessage: nobody would get it, or the thread has nothing to answer.
    """
    driver = mailboxes.driver(ref.account)

    async def work() -> tuple[Message, Addressed]:
        original = known or await _original(driver, ref)
        message = answer.message
        return original, address(
            original, answer.wish, me=await _me(driver), to=message.to, cc=message.cc, bcc=message.bcc
        )

    return await one(mailboxes, ref, work, operation=operation, deadline=deadline)


async def answered(mailboxes: Mailboxes, ref: Ref, answer: Answer, order: Order, *, known: Message | None) -> Order:
    """Make the order to send an answer out of ``order``, which says how it is to be sent."""
    started = mailboxes.clock.monotonic()
    original, head = await addressed(
        mailboxes, ref, answer, known=known, operation=order.operation, deadline=order.deadline
    )
    driver = mailboxes.driver(ref.account)
    files, keep, notes = _taken_along(original, answer, forwards=driver.forwards_attachments)
    if answer.as_attachment:
        files = [await _as_file(mailboxes, original, order)]
    left = order.deadline - (mailboxes.clock.monotonic() - started)
    return attrs.evolve(
        order,
        message=_composed(original, answer, head, files),
        answers=Answers(kind=answer.wish, id=original.ref.id, thread_id=original.thread.id, keep=keep),
        in_reply_to=head.in_reply_to,
        references=head.references,
        notes=(*order.notes, *notes),
        deadline=max(left, 1.0),
    )


def _composed(original: Message, answer: Answer, head: Addressed, files: Sequence[OutgoingFile]) -> OutgoingMessage:
    texts = texts_of(answer.message)
    text, html = texts.text, texts.html
    if answer.wish == "forward" and html is None and original.body.html and not answer.as_attachment and answer.quote:
        html = text_as_html(text)  # so that what is handed on keeps its looks
    if answer.quote and not answer.as_attachment:
        quote = quote_forward if answer.wish == "forward" else quote_reply
        quoted = quote(original, text=text, html=html, tz=answer.tz)
        text, html = quoted.text, quoted.html
    return attrs.evolve(
        answer.message,
        to=head.to,
        cc=head.cc,
        bcc=head.bcc,
        from_=answer.message.from_ or head.from_,
        subject=answer.message.subject or head.subject,
        text=text,
        html=html,
        markdown=None,
        files=(*answer.message.files, *files),
    )


def _taken_along(
    original: Message, answer: Answer, *, forwards: bool
) -> tuple[list[OutgoingFile], tuple[str, ...], tuple[Note, ...]]:
    """Say what of the original's attachments goes along: files to open, parts that stay where they are, and notes."""
    if answer.as_attachment:
        return [], (), ()
    if answer.wish == "forward":
        wanted = [each for each in original.attachments if answer.quote or not each.inline]
    else:
        wanted = [each for each in original.attachments if each.inline and answer.quote]
    if forwards and answer.wish == "forward":
        return [], tuple(each.ref.part or "" for each in wanted), ()
    links = [each for each in wanted if each.kind == "link"]
    note = Note(
        account=original.account,
        code="link_left_out",
        effect=f"{len(links)} attachments are links to files kept elsewhere, and do not go along",
    )
    return [as_file(each) for each in wanted if each.kind != "link"], (), (note,) if links else ()


def as_file(attachment: Attachment) -> OutgoingFile:
    """Give an attachment as a file to send along."""
    is_item = attachment.kind == "item"
    return OutgoingFile(
        content=attachment.ref,
        name=_one_line(attachment.name) or None,
        content_type=_EML if is_item else read_content_type(attachment.content_type),
        content_id=read_content_id(attachment.content_id) if attachment.inline else None,
    )


async def _as_file(mailboxes: Mailboxes, original: Message, order: Order) -> OutgoingFile:
    raw = await one(
        mailboxes,
        original.ref,
        lambda: mailboxes.driver(original.account).raw(original.ref.id),
        operation=order.operation,
        deadline=order.deadline,
    )
    return OutgoingFile(content=raw, name=f"{_one_line(original.subject) or 'message'}.eml", content_type=_EML)


def _one_line(text: str) -> str:
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


async def _original(driver: MailDriver, ref: Ref) -> Message:
    if ref.kind == "thread":
        return answerable(await driver.thread(ref.id))
    (found,) = await driver.get([ref.id])
    if isinstance(found, MailkitError):
        raise found
    return found


async def _me(driver: MailDriver) -> tuple[str, ...]:
    """Give the own addresses; an account that may not be asked has those it was made with."""
    account = driver.account
    found = await attempt(driver.own_addresses)
    if not isinstance(found, MailkitError):
        return found
    known = tuple(filter(None, (account.mailbox, account.address, *account.aliases)))
    if not known:
        raise found
    return known
