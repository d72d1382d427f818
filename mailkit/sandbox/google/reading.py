"""What Gmail's reading methods answer: the profile, lists, messages, threads, attachments, labels, addresses.

Source: developers.google.com/workspace/gmail/api/reference/rest. It changes no mailbox.
"""

from __future__ import annotations

import base64
import json
from weakref import WeakKeyDictionary

from mailkit.sandbox.google import labels, listing, payload
from mailkit.sandbox.google.call import Answers, Call
from mailkit.sandbox.google.labels import Json
from mailkit.sandbox.google.letter import Letter
from mailkit.sandbox.google.mailbox import GoogleMailbox
from mailkit.sandbox.google.q_read import read
from mailkit.sandbox.google.q_tests import Setting
from mailkit.sandbox.google.refusals import Refusal
from mailkit.sandbox.mailbox import Entry

__all__ = ["Reading"]


class Reading:
    """The reading half of the Gmail service."""

    def __init__(self) -> None:
        self._letters: WeakKeyDictionary[Entry, Letter] = WeakKeyDictionary()
        self._attachment_ids = 0

    @property
    def answers(self) -> Answers:
        """The methods answered here."""
        return {
            "getProfile": self._profile,
            "settings.sendAs.list": self._addresses,
            "settings.sendAs.get": self._address,
            "messages.list": self._messages,
            "messages.get": self._message,
            "attachments.get": self._attachment,
            "threads.list": self._threads,
            "threads.get": self._thread,
            "drafts.list": self._drafts,
            "drafts.get": self._draft,
            "labels.list": self._labels,
            "labels.get": self._label,
        }

    def _profile(self, call: Call) -> Json:
        return {
            "emailAddress": call.box.address,
            "messagesTotal": len(call.box),
            "threadsTotal": len({entry.thread_id for entry in call.box}),
            "historyId": str(call.box.history_id),
        }

    def _messages(self, call: Call) -> Json:
        return listing.messages(call.box, self._wish(call), self._letter)

    def _threads(self, call: Call) -> Json:
        def row(thread_id: str) -> Json:
            newest = call.box.thread(thread_id)[-1]
            shown = payload.snippet(self._letter(newest).shown)
            return {"id": thread_id, "snippet": shown, "historyId": str(call.box.history_id_of(newest))}

        return listing.threads(call.box, self._wish(call), self._letter, row)

    def _wish(self, call: Call) -> listing.Wish:
        text = call.one("q")
        if text and call.metadata_only:
            raise Refusal(403, "forbidden", "Metadata scope does not support 'q' parameter")
        query = read(text, Setting(call.box.address, call.request.now)) if text.strip() else None
        return listing.Wish.of(call.box, call.request.query, query)

    def _message(self, call: Call) -> Json:
        return self._resource(call, call.entry())

    def _thread(self, call: Call) -> Json:
        entries = call.thread()
        messages = [self._resource(call, entry) for entry in entries]
        newest = max(call.box.history_id_of(entry) for entry in entries)
        return {"id": call.path["id"], "historyId": str(newest), "messages": messages}

    def _resource(self, call: Call, entry: Entry) -> Json:
        name = call.one("format", "full").lower()
        form = next((known for known in payload.FORMATS if known == name), None)
        if form is None or (form == "raw" and "/threads/" in call.request.path):
            raise Refusal(400, message=f"Invalid value at 'format': \"{name}\"")
        if call.metadata_only and form in ("full", "raw"):
            raise Refusal(403, "forbidden", f"Metadata scope doesn't allow format {form.upper()}")
        return payload.resource(
            entry,
            form,
            base=payload.summary(
                entry,
                call.box.label_ids(entry),
                self._letter(entry).shown,
                call.box.history_id_of(entry),
            ),
            headers=call.all("metadataHeaders"),
            attachment_id=lambda part_id: self._attachment_id(entry.id, part_id),
        )

    def _attachment(self, call: Call) -> Json:
        entry = call.entry()
        part_id = _part_id(call.path["id"], entry.id)
        part = None if part_id is None else payload.find_part(entry.message, part_id)
        if part is None:
            raise Refusal(400, message="Invalid attachment token")
        data = payload.part_bytes(part)
        return {"size": len(data), "data": payload.encoded(data)}

    def _drafts(self, call: Call) -> Json:
        return listing.drafts(call.box, self._wish(call), self._letter)

    def _draft(self, call: Call) -> Json:
        return {"id": call.path["id"], "message": self._resource(call, call.draft(call.path["id"]))}

    def _labels(self, call: Call) -> Json:
        system = [labels.system_resource(name) for name in labels.SYSTEM]
        return {"labels": [*system, *map(labels.user_resource, call.box.labels.values())]}

    def _label(self, call: Call) -> Json:
        wanted = call.path["id"]
        user = next((label for label in call.box.labels.values() if label.id == wanted), None)
        if user is None and wanted not in labels.SYSTEM:
            raise Refusal(404)
        entries = [entry for entry in call.box if wanted in call.box.label_ids(entry)]
        unread = [entry for entry in entries if not entry.mail.read]
        return {
            **(labels.system_resource(wanted) if user is None else labels.user_resource(user)),
            "messagesTotal": len(entries),
            "messagesUnread": len(unread),
            "threadsTotal": len({entry.thread_id for entry in entries}),
            "threadsUnread": len({entry.thread_id for entry in unread}),
        }

    def _addresses(self, call: Call) -> Json:
        return {"sendAs": [_send_as(call.box, address) for address in call.box.own_addresses]}

    def _address(self, call: Call) -> Json:
        wanted = call.path["email"].casefold()
        found = next((address for address in call.box.own_addresses if address.casefold() == wanted), None)
        if found is None:
            raise Refusal(404)
        return _send_as(call.box, found)

    # -- finding -------------------------------------------------------------------------------------------------------

    def _letter(self, entry: Entry) -> Letter:
        if entry not in self._letters:
            self._letters[entry] = Letter(entry)
        return self._letters[entry]

    def _attachment_id(self, message_id: str, part_id: str) -> str:
        # Gmail gives an attachment another id each time its message is read; the earlier ones go on working.
        self._attachment_ids += 1
        word = json.dumps([self._attachment_ids, message_id, part_id]).encode()
        return f"ANGjdJ{base64.urlsafe_b64encode(word).decode().rstrip('=')}"


def _send_as(box: GoogleMailbox, address: str) -> Json:
    own: Json = {"isPrimary": True, "isDefault": True}
    alias: Json = {"treatAsAlias": True, "verificationStatus": "accepted"}
    shown: Json = {"sendAsEmail": address, "displayName": box.name, "replyToAddress": "", "signature": ""}
    return shown | (own if address == box.address else alias)


def _part_id(attachment_id: str, message_id: str) -> str | None:
    word = attachment_id.removeprefix("ANGjdJ")
    try:
        _, of_message, part_id = json.loads(base64.urlsafe_b64decode(word + "=" * (-len(word) % 4)))
    except (ValueError, TypeError):
        return None
    return str(part_id) if of_message == message_id else None
