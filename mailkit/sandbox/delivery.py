"""The post between mailboxes: what one account sends arrives in the others, as bytes.

Responsible for who gets a mail, and for the record of what was sent. It knows no provider: how a mail is judged before
it leaves and how it is kept where it arrives is each provider's.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable
from email.utils import format_datetime

import attrs

from mailkit.sandbox import eml
from mailkit.sandbox.mailbox import Mailbox

__all__ = ["PostOffice", "SentMail"]


@attrs.frozen(kw_only=True)
class SentMail:
    """One mail that was accepted and is on its way.

    ``sender`` is the account's address, ``recipients`` whom it goes to, each address once; ``raw`` is what they get,
    without Bcc, ``message_id`` the one that stands in it, ``at`` the sandbox's time.
    """

    sender: str = attrs.field(repr=False)
    recipients: tuple[str, ...] = attrs.field(repr=False)
    message_id: str | None
    raw: bytes = attrs.field(repr=False)
    at: dt.datetime


class PostOffice:
    """Takes mail from the services of one sandbox; ``boxes`` gives its mailboxes as they are now.

    ``sent`` holds every mail that was accepted, ``outbox`` those that left for addresses without a mailbox here, with
    these addresses alone.
    """

    def __init__(self, boxes: Callable[[], Iterable[Mailbox]], now: Callable[[], dt.datetime]) -> None:
        self.sent: list[SentMail] = []
        self.outbox: list[SentMail] = []
        self._boxes = boxes
        self._now = now

    def deliver(self, sender: Mailbox, raw: bytes, recipients: Iterable[str]) -> SentMail:
        """Take a mail to the mailboxes of ``recipients``, once each, and record it.

        ``raw`` is the whole message; its Bcc lines are cut out here, its Message-ID stays. The sender's own copy is the
        service's, and is kept before this is called.
        """
        addresses = {address.casefold(): address for address in recipients}
        raw = eml.without(raw, "Bcc")
        mail = SentMail(
            sender=sender.address,
            recipients=tuple(addresses.values()),
            message_id=eml.headers(raw)["Message-ID"],
            raw=raw,
            at=self._now(),
        )
        self.sent.append(mail)
        for box in self._boxes():
            own = [key for key in map(str.casefold, box.own_addresses) if key in addresses]
            if own:
                box.receive(_stamped(mail, own[0]))
            for key in own:
                del addresses[key]
        if addresses:
            self.outbox.append(attrs.evolve(mail, recipients=tuple(addresses.values())))
        return mail


def _stamped(mail: SentMail, address: str) -> bytes:
    """Put the trace of the journey on top (RFC 5321, 4.4)."""
    from_, to = (one.rpartition("@")[2] for one in (mail.sender, address))
    date = format_datetime(mail.at)
    return f"Received: from {from_} by mx.{to} with ESMTPS; {date}\r\n".encode() + mail.raw
