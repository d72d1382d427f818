"""Replies and forwards: read the original, address and quote it by the rules, and hand the message on to be sent."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Sequence

import attrs

from mailkit.addressing import Addressed, Wish, address, answerable, quote_forward, quote_reply
from mailkit.errors import MailkitError
from mailkit.fanout.flow import attempt, in_account
from mailkit.fanout.request import Mailboxes
from mailkit.mime.file_names import safe_file_name
from mailkit.mime.outgoing import OutgoingFile, OutgoingMessage
from mailkit.mime.safe_html import text_as_html
from mailkit.mime.texts import texts_of
from mailkit.models.mail import Attachment, Message
from mailkit.models.notes import Note
from mailkit.models.sending import SendResult
from mailkit.providers.base import MailDriver
from mailkit.providers.writing import Answers
from mailkit.sending.dispatch import dispatch
from mailkit.sending.order import Order, Outbox, Ready
from mailkit.sending.order_files import EML, as_file
from mailkit.values import Ref

__all__ = ["Answer", "addressed", "dispatch_answer"]


@attrs.frozen(kw_only=True, repr=False)
class Answer:
    """What somebody wants to answer with: ``message`` holds the new text, people to add and files.

    ``quote`` puts the original below; ``as_attachment`` forwards it as one file instead. ``own_spellings`` is for
    ``address``. ``tz`` is the zone in which the original's date is given.
    """

    wish: Wish
    message: OutgoingMessage
    quote: bool = True
    as_attachment: bool = False
    own_spellings: bool = False
    tz: dt.tzinfo


async def addressed(
    mailboxes: Mailboxes, ref: Ref, answer: Answer, *, known: Message | None, operation: str, deadline: float
) -> Addressed:
    """Read the original, and say who gets the answer; ``known`` is the original where the caller has it whole.

    Raises:
        InvalidMessage: nobody would get it, or the thread has nothing to answer.
    """
    driver = mailboxes.driver(ref.account)
    _, head = await in_account(
        mailboxes, ref.account, lambda: _addressed(driver, ref, answer, known), operation=operation, deadline=deadline
    )
    return head


async def dispatch_answer(
    outbox: Outbox, ref: Ref, answer: Answer, order: Order, *, known: Message | None
) -> SendResult:
    """Send an answer, or keep it as a draft, as ``order`` says.

    Raises what ``dispatch`` and ``addressed`` raise.
    """
    about = (
        answer.wish,
        str(ref),
        f"quote={answer.quote}",
        f"as_attachment={answer.as_attachment}",
        f"own_spellings={answer.own_spellings}",
    )
    driver = outbox.driver(ref.account)
    return await dispatch(
        outbox, attrs.evolve(order, about=about, prepare=lambda: _answered(driver, ref, answer, known))
    )


async def _answered(driver: MailDriver, ref: Ref, answer: Answer, known: Message | None) -> Ready:
    original, head = await _addressed(driver, ref, answer, known)
    if answer.as_attachment:
        files, kept = [await _as_one_file(driver, original)], list[Attachment]()
    else:
        files, kept = _taken_along(original, answer, stays=answer.wish == "forward" and driver.forwards_attachments)
    return Ready(
        message=_composed(original, answer, head, [*files, *map(as_file, kept)]),
        along=tuple(files),
        answers=Answers(
            kind=answer.wish,
            id=original.ref.id,
            thread_id=original.thread.id,
            keep=tuple(each.ref.part or "" for each in kept),
        ),
        in_reply_to=head.in_reply_to,
        references=head.references,
        notes=tuple(_notes(original, answer, head, kept)),
    )


async def _addressed(driver: MailDriver, ref: Ref, answer: Answer, known: Message | None) -> tuple[Message, Addressed]:
    original, message = known or await _original(driver, ref), answer.message
    head = address(
        original,
        answer.wish,
        me=await _me(driver),
        to=message.to,
        cc=message.cc,
        bcc=message.bcc,
        own_spellings=answer.own_spellings,
    )
    return original, head


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


def _wanted(original: Message, answer: Answer) -> list[Attachment]:
    """Give what goes along: with a forward everything, with a reply pictures; these only below HTML that shows them."""
    if answer.as_attachment:
        return []
    if answer.wish == "forward":
        return [each for each in original.attachments if answer.quote or not each.inline]
    shown = answer.quote and (answer.message.html is not None or answer.message.markdown is not None)
    return [each for each in original.attachments if each.inline and shown]


def _taken_along(original: Message, answer: Answer, *, stays: bool) -> tuple[list[OutgoingFile], list[Attachment]]:
    """Give the files to open, and the attachments that go along without leaving the provider."""
    wanted = _wanted(original, answer)
    if stays:
        return [], wanted
    return [as_file(each) for each in wanted if each.kind != "link"], []


def _notes(original: Message, answer: Answer, head: Addressed, kept: Sequence[Attachment]) -> Iterator[Note]:
    """Say what cannot be as it was asked for."""
    if nobody := [reason for reason in head.reasons if reason.why == "no_address"]:
        effect = f"{len(nobody)} of the original's addresses are none that mail can be sent to, and are left out"
        yield Note(account=original.account, code="address_left_out", effect=effect)
    if links := [each for each in _wanted(original, answer) if each.kind == "link" and each not in kept]:
        effect = f"{len(links)} attachments are links to files kept elsewhere, and do not go along"
        yield Note(account=original.account, code="link_left_out", effect=effect)


async def _as_one_file(driver: MailDriver, original: Message) -> OutgoingFile:
    raw = await driver.raw(original.ref.id)
    name = safe_file_name(re.sub(r"[/\\]", "_", original.subject).strip() or "message", EML)  # a subject is no path
    return OutgoingFile(content=raw, name=name, content_type=EML)


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
