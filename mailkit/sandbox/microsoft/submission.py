"""Sends mail as Exchange does: judges author and recipients, completes the message, keeps a copy, hands it to the post.

Responsible for what happens between a request that sends and the post office. Words no answer.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable
from email.utils import format_datetime

import attrs

from mailkit.sandbox import eml
from mailkit.sandbox.delivery import PostOffice
from mailkit.sandbox.mail import Mail, Person
from mailkit.sandbox.mailbox import Entry
from mailkit.sandbox.microsoft import bodies
from mailkit.sandbox.microsoft.drafting import DELIVERY_RECEIPT, READ_RECEIPT
from mailkit.sandbox.microsoft.ids import guid
from mailkit.sandbox.microsoft.mailbox import MicrosoftMailbox
from mailkit.sandbox.microsoft.refusals import Refusal

__all__ = ["send_draft", "send_new"]


def send_draft(box: MicrosoftMailbox, entry: Entry, post: PostOffice, now: dt.datetime) -> None:
    """Send a draft, which becomes the copy in Sent Items.

    Raises:
        Refusal: it has no recipients, or an author who may not send from here.
    """
    mail, raw = _finished(box, entry.mail, entry.given, now)
    sent = box.send_off(entry, mail, raw=raw)
    box.outgoing.add(sent.id)
    box.lag(sent.id)
    post.deliver(box, sent.raw, _addresses(mail))


def send_new(
    box: MicrosoftMailbox,
    mail: Mail,
    post: PostOffice,
    now: dt.datetime,
    *,
    raw: bytes | None = None,
    thread_id: str | None = None,
    keep: bool = True,
) -> None:
    """Send a message that was no draft before; ``keep`` says whether a copy stays in Sent Items.

    Raises:
        Refusal: it has no recipients, or an author who may not send from here.
    """
    mail, raw = _finished(box, mail, raw, now)
    sent = box.file(mail, raw=raw, thread_id=thread_id)
    written = sent.raw
    if keep:
        box.outgoing.add(sent.id)
        box.lag(sent.id)
    else:
        box.remove(sent.id)
    post.deliver(box, written, _addresses(mail))


def _finished(box: MicrosoftMailbox, mail: Mail, raw: bytes | None, now: dt.datetime) -> tuple[Mail, bytes | None]:
    """Give the sent copy, and its bytes where they came as bytes."""
    _check_recipients(mail)
    author = _author(box, mail)
    if raw is not None:
        own = mail.message_id or f"<{guid(box.address, str(box.change))}@outlook.example>"
        missing = {"From": author.address, "Date": format_datetime(now), "Message-ID": own}
        present = eml.headers(raw)
        head = "".join(f"{name}: {value}\r\n" for name, value in missing.items() if name not in present)
        raw = head.encode() + raw
        mail = attrs.evolve(mail, message_id=own, date=mail.date or now)
    else:
        receipts = (READ_RECEIPT, DELIVERY_RECEIPT)
        headers = [(name, author.address if name in receipts else value) for name, value in mail.headers]
        # Beside HTML Exchange sends the same as text.
        mail = attrs.evolve(mail, date=now, text=bodies.text_of(mail), headers=headers)
    return attrs.evolve(mail, from_=author, folder="sent", read=True, received=now), raw


def _author(box: MicrosoftMailbox, mail: Mail) -> Person:
    """Give who the message is from, under the name the directory knows."""
    if mail.from_ is None:
        return Person(box.name, box.address)
    if mail.from_.address.casefold() not in map(str.casefold, box.own_addresses):
        raise Refusal(
            403,
            "ErrorSendAsDenied",
            "The user account which was used to submit this request does not have the right to send mail on behalf of "
            "the specified sending account., Cannot submit message.",
        )
    return Person(box.name or mail.from_.name, mail.from_.address)


def _check_recipients(mail: Mail) -> None:
    addresses = _addresses(mail)
    if not addresses:
        reason = "A message can't be sent because it contains no recipients."
        raise Refusal(400, "ErrorInvalidRecipients", f"At least one recipient is not valid., {reason}")
    for address in addresses:
        if not re.fullmatch(r"[^\s@<>,;]+@[^\s@<>,;]+", address):
            reason = f"Recipient '{address}' is not resolved. All recipients must be resolved before a message can be "
            raise Refusal(400, "ErrorInvalidRecipients", f"At least one recipient is not valid., {reason}submitted.")


def _addresses(mail: Mail) -> list[str]:
    people: Iterable[Person] = (*mail.to, *mail.cc, *mail.bcc)
    return [person.address for person in people]
