"""What Gmail does with a mail that is to be sent or kept as a draft.

Sources: developers.google.com/workspace/gmail/api/guides/sending, guides/threads, guides/drafts. It judges the mail,
completes its headers, finds its conversation and keeps it; taking it to its recipients is the post office's.
"""

from __future__ import annotations

import hashlib
from email.utils import format_datetime, formataddr, getaddresses

import attrs

from mailkit.sandbox import eml
from mailkit.sandbox.delivery import PostOffice
from mailkit.sandbox.google.call import Answers, Call, inner
from mailkit.sandbox.google.labels import Json
from mailkit.sandbox.google.refusals import Refusal
from mailkit.sandbox.mail import Mail
from mailkit.sandbox.mailbox import Entry

__all__ = ["Sending"]


class Sending:
    """The methods that write mail."""

    def __init__(self, post: PostOffice) -> None:
        self._post = post
        self._made = 0

    @property
    def answers(self) -> Answers:
        """The methods answered here."""
        return {
            "messages.send": lambda call: self._sent(call, call.body),
            "drafts.create": lambda call: _draft(call, self._drafted(call, inner(call.body, "message"))),
            "drafts.update": self._update,
            "drafts.send": self._send_draft,
            "drafts.delete": self._delete_draft,
        }

    # -- drafts --------------------------------------------------------------------------------------------------------

    def _drafted(self, call: Call, message: Json) -> Entry:
        raw = self._complete(call, call.raw(message))
        mail = attrs.evolve(eml.read(raw), folder="drafts", read=True)
        return call.box.keep(raw, mail, _thread(call, message, raw))

    def _update(self, call: Call) -> Json:
        old = call.draft(call.path["id"])
        new = self._drafted(call, inner(call.body, "message"))
        call.box.redraft(old, new)
        return _draft(call, new)

    def _send_draft(self, call: Call) -> Json:
        draft = call.draft(call.body.get("id"))
        message = inner(call.body, "message")
        if call.media is None and "raw" not in message:
            sent = self._accept(call, draft.raw, draft.thread_id)
        else:  # "sends" what it is given instead of what was kept
            sent = self._sent(call, message)
        call.box.remove(draft.id)
        return sent

    def _delete_draft(self, call: Call) -> None:
        call.box.remove(call.draft(call.path["id"]).id)

    # -- sending -------------------------------------------------------------------------------------------------------

    def _sent(self, call: Call, message: Json) -> Json:
        raw = call.raw(message)
        return self._accept(call, raw, _thread(call, message, raw))

    def _accept(self, call: Call, raw: bytes, thread_id: str | None) -> Json:
        recipients = _recipients(eml.read(eml.head(raw)))
        raw = self._complete(call, raw)
        if call.box.rewrites_message_ids:
            raw = _with(eml.without(raw, "Message-ID"), "Message-ID", self._message_id(call))
        # The copy in Sent says in its first line that it came over the interface, as anybody sees in its source.
        received = f"from unknown by gmailapi.google.com with HTTPREST; {format_datetime(call.request.now)}"
        copy = _with(raw, "Received", received)
        id = call.box.keep(copy, attrs.evolve(eml.read(copy), folder="sent", read=True), thread_id).id  # noqa: A001  # the name of the thing
        self._post.deliver(call.box, raw, recipients)
        entry = call.box.get(id)
        assert entry is not None  # noqa: S101  # kept a moment ago
        call.box.lag(id)
        return _row(call, entry)

    def _complete(self, call: Call, raw: bytes) -> bytes:
        """Add what every mail must have, and let nobody write under another name."""
        headers = eml.headers(raw)
        own = {address.casefold() for address in call.box.own_addresses}
        from_ = [address.casefold() for _, address in getaddresses(headers.get_all("From", []))]
        if len(from_) != 1 or from_[0] not in own:
            # Gmail puts the account in, and the other one into a header of its own, as users report.
            for other in headers.get_all("From", []):
                raw = _with(raw, "X-Google-Original-From", other)
            raw = _with(eml.without(raw, "From"), "From", formataddr((call.box.name, call.box.address)))
        if "Date" not in headers:
            raw = _with(raw, "Date", format_datetime(call.request.now))
        if "Message-ID" not in headers:
            raw = _with(raw, "Message-ID", self._message_id(call))
        return raw

    def _message_id(self, call: Call) -> str:
        self._made += 1
        word = hashlib.blake2s(f"{call.box.address} {self._made}".encode(), digest_size=16).hexdigest()
        return f"<CA{word}@mail.gmail.com>"


def _with(raw: bytes, name: str, value: str) -> bytes:
    return f"{name}: {value}\r\n".encode() + raw


def _recipients(mail: Mail) -> list[str]:
    """Give everybody a mail goes to.

    Raises:
        Refusal: nobody, or somebody without an address.
    """
    for name, people in (("To", mail.to), ("Cc", mail.cc), ("Bcc", mail.bcc)):
        if any(not all(person.address.rpartition("@")) for person in people):
            raise Refusal(400, message=f"Invalid {name} header")
    found = [person.address for person in (*mail.to, *mail.cc, *mail.bcc)]
    if not found:
        raise Refusal(400, message="Recipient address required")
    return found


def _thread(call: Call, message: Json, raw: bytes) -> str | None:
    """Give the conversation a mail joins, None: it starts one.

    A mail joins the conversation it names only if it answers one of its messages and has its subject (reference of
    Message.threadId); where it names none, one it answers under the same subject.
    """
    wanted = message.get("threadId")
    if wanted is not None and not (isinstance(wanted, str) and call.box.has_thread(wanted)):
        raise Refusal(404)
    fitting = call.box.conversation(eml.read(eml.head(raw)))
    if wanted is None:
        return next(iter(fitting), None)
    return wanted if wanted in fitting else None


def _row(call: Call, entry: Entry) -> Json:
    return {"id": entry.id, "threadId": entry.thread_id, "labelIds": call.box.label_ids(entry)}


def _draft(call: Call, entry: Entry) -> Json:
    return {"id": call.box.draft_id(entry), "message": _row(call, entry)}
