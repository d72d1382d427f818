"""Gmail's REST interface: finds the method a request means, checks permission and parameters, answers.

Source: developers.google.com/workspace/gmail/api/reference/rest. History, writing and uploads are not served.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import ClassVar
from urllib.parse import unquote
from weakref import WeakKeyDictionary

import attrs

from mailkit.sandbox.delivery import PostOffice
from mailkit.sandbox.google import batch, labels, listing, payload
from mailkit.sandbox.google.fields import SHAPES, select
from mailkit.sandbox.google.labels import Json
from mailkit.sandbox.google.letter import Letter
from mailkit.sandbox.google.mailbox import GoogleMailbox
from mailkit.sandbox.google.q_read import read
from mailkit.sandbox.google.q_tests import Setting
from mailkit.sandbox.google.refusals import Refusal, refuse
from mailkit.sandbox.mailbox import Entry
from mailkit.sandbox.service import Exchange
from mailkit.sandbox.wire import SandboxRequest, SandboxResponse, json_response

_ALL = ("https://mail.google.com/", "gmail.modify", "gmail.readonly")
_META = (*_ALL, "gmail.metadata")
# guides/batch names the first; the discovery document (batchPath), and so Google's own clients, the second
_BATCH = ("/batch/gmail/v1", "/batch")
_LIST = ("q", "labelIds", "maxResults", "pageToken", "includeSpamTrash")
# Known to every method of Google's APIs.
_COMMON = ("fields", "alt", "prettyPrint", "key", "quotaUser")


@attrs.frozen(kw_only=True)
class _Method:
    """One method: where it lives, who may call it, what it costs (quota units, reference/quota), what it takes."""

    name: str
    path: str
    scopes: tuple[str, ...]
    units: int
    parameters: tuple[str, ...] = ()

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """What its paths look like."""
        below = re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", self.path)
        return re.compile(f"/gmail/v1/users/(?P<user>[^/]+){below}")


_METHODS = (
    _Method(name="getProfile", path="/profile", scopes=(*_META, "gmail.compose"), units=1),
    _Method(name="messages.list", path="/messages", scopes=_META, units=5, parameters=_LIST),
    _Method(
        name="messages.get", path="/messages/{id}", scopes=_META, units=5, parameters=("format", "metadataHeaders")
    ),
    _Method(name="attachments.get", path="/messages/{message}/attachments/{id}", scopes=_ALL, units=5),
    _Method(name="threads.list", path="/threads", scopes=_META, units=10, parameters=_LIST),
    _Method(name="threads.get", path="/threads/{id}", scopes=_META, units=10, parameters=("format", "metadataHeaders")),
    _Method(name="labels.list", path="/labels", scopes=(*_META, "gmail.labels"), units=1),
    _Method(name="labels.get", path="/labels/{id}", scopes=(*_META, "gmail.labels"), units=1),
)


@attrs.frozen
class _Call:
    """One request to one method, its path and query read."""

    box: GoogleMailbox
    request: SandboxRequest
    path: Mapping[str, str]
    metadata_only: bool

    def one(self, name: str, default: str = "") -> str:
        return next((value for given, value in self.request.query if given == name), default)

    def all(self, name: str) -> list[str]:
        return [value for given, value in self.request.query if given == name]


class GoogleService:
    """The Gmail half of a sandbox; see ``mailkit.sandbox.service.Service``."""

    hosts: ClassVar[tuple[str, ...]] = ("gmail.googleapis.com", "www.googleapis.com")

    def __init__(self, post: PostOffice) -> None:
        self._post = post
        self._letters: WeakKeyDictionary[Entry, Letter] = WeakKeyDictionary()
        self._attachment_ids = 0
        self._answers: dict[str, Callable[[_Call], Json]] = {
            "getProfile": self._profile,
            "messages.list": self._messages,
            "messages.get": self._message,
            "attachments.get": self._attachment,
            "threads.list": self._threads,
            "threads.get": self._thread,
            "labels.list": self._labels,
            "labels.get": self._label,
        }

    def serves(self, path: str) -> bool:
        """Say whether ``path`` is Gmail's."""
        return path.startswith("/gmail/v1/") or path in _BATCH

    def operation(self, request: SandboxRequest) -> str | None:
        """Name the method: ``messages.list``, ``batch``."""
        if request.path in _BATCH:
            return "batch"
        return next((method.name for method in _METHODS if method.pattern.fullmatch(request.path)), None)

    def weight(self, request: SandboxRequest) -> int:  # noqa: ARG002  # of one weight here, whatever it is
        """Say that each request counts for one, batches too: Gmail counts what they cost."""
        return 1

    def stranger(self, request: SandboxRequest) -> SandboxResponse:
        """Answer 401; in a batch every part is told so."""
        if request.path in _BATCH:
            return _or_refused(lambda: batch.answer(request, lambda _part: refuse(401)))
        return refuse(401)

    def refuse(self, status: int, reason: str | None = None, message: str | None = None) -> SandboxResponse:
        """Word an error as Google does."""
        return refuse(status, reason, message)

    def handle(self, box: GoogleMailbox, request: SandboxRequest, exchange: Exchange) -> SandboxResponse:
        """Answer one request for one mailbox."""
        if request.path in _BATCH and request.method == "POST":
            return _or_refused(
                lambda: batch.answer(request, lambda part: exchange(part, lambda seen: self._answer(box, seen)))
            )
        return self._answer(box, request)

    def _answer(self, box: GoogleMailbox, request: SandboxRequest) -> SandboxResponse:
        return _or_refused(lambda: json_response(self._value(box, request)))

    def _value(self, box: GoogleMailbox, request: SandboxRequest) -> object:
        found = ((method, method.pattern.fullmatch(request.path)) for method in _METHODS)
        method, match = next(((method, match) for method, match in found if match), (None, None))
        if method is None or match is None or request.method != "GET":
            raise Refusal(404, message="Method not found.")
        if box.scopes is not None and box.scopes.isdisjoint(method.scopes):
            raise Refusal(403, "insufficientPermissions")
        path = {name: unquote(value) for name, value in match.groupdict().items()}
        if path["user"].lower() not in ("me", box.address.lower()):
            raise Refusal(403, "forbidden", f"Delegation denied for {box.address}")
        for name, _ in request.query:
            if name not in (*method.parameters, *_COMMON) and not name.startswith("$"):
                raise Refusal(
                    400,
                    "badRequest",
                    f'Invalid JSON payload received. Unknown name "{name}": Cannot bind query parameter.'
                    f" Field '{name}' could not be found in request message.",
                )
        if not box.spend(method.units, request.now):
            raise Refusal(403, "rateLimitExceeded")
        metadata_only = box.scopes is not None and box.scopes.isdisjoint(_ALL)
        call = _Call(box, request, path, metadata_only)
        value = self._answers[method.name](call)
        fields = call.one("fields")
        return select(value, fields, SHAPES[method.name]) if fields else value

    # -- the methods -------------------------------------------------------------------------------------------------

    def _profile(self, call: _Call) -> Json:
        return {
            "emailAddress": call.box.address,
            "messagesTotal": len(call.box),
            "threadsTotal": len({entry.thread_id for entry in call.box}),
            "historyId": str(call.box.history_id),
        }

    def _messages(self, call: _Call) -> Json:
        return listing.messages(call.box, self._wish(call), lambda entry: self._letter(call.box, entry))

    def _threads(self, call: _Call) -> Json:
        def row(thread_id: str) -> Json:
            newest = call.box.thread(thread_id)[-1]
            shown = payload.snippet(self._letter(call.box, newest).shown)
            return {"id": thread_id, "snippet": shown, "historyId": str(call.box.history_id_of(newest))}

        return listing.threads(call.box, self._wish(call), lambda entry: self._letter(call.box, entry), row)

    def _wish(self, call: _Call) -> listing.Wish:
        text = call.one("q")
        if text and call.metadata_only:
            raise Refusal(403, "forbidden", "Metadata scope does not support 'q' parameter")
        query = read(text, Setting(call.box.address, call.request.now)) if text.strip() else None
        return listing.Wish.of(call.box, call.request.query, query)

    def _message(self, call: _Call) -> Json:
        return self._resource(call, self._entry(call.box, call.path["id"]))

    def _thread(self, call: _Call) -> Json:
        entries = call.box.thread(call.path["id"])
        if not entries:
            raise Refusal(404)
        messages = [self._resource(call, entry) for entry in entries]
        newest = max(call.box.history_id_of(entry) for entry in entries)
        return {"id": call.path["id"], "historyId": str(newest), "messages": messages}

    def _resource(self, call: _Call, entry: Entry) -> Json:
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
                self._letter(call.box, entry).shown,
                call.box.history_id_of(entry),
            ),
            headers=call.all("metadataHeaders"),
            attachment_id=lambda part_id: self._attachment_id(entry.id, part_id),
        )

    def _attachment(self, call: _Call) -> Json:
        entry = self._entry(call.box, call.path["message"])
        part_id = _part_id(call.path["id"], entry.id)
        part = None if part_id is None else payload.find_part(entry.message, part_id)
        if part is None:
            raise Refusal(400, message="Invalid attachment token")
        data = payload.part_bytes(part)
        return {"size": len(data), "data": payload.encoded(data)}

    def _labels(self, call: _Call) -> Json:
        system = [labels.system_resource(name) for name in labels.SYSTEM]
        return {"labels": [*system, *map(labels.user_resource, call.box.labels.values())]}

    def _label(self, call: _Call) -> Json:
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

    # -- finding -------------------------------------------------------------------------------------------------------

    def _entry(self, box: GoogleMailbox, id: str) -> Entry:  # noqa: A002  # the name of the thing
        entry = box.get(id)
        if entry is not None:
            return entry
        # A message id is a hexadecimal number; anything else is no id at all.
        raise Refusal(404) if re.fullmatch(r"[0-9a-f]{1,16}", id) else Refusal(400, message="Invalid id value")

    def _letter(self, box: GoogleMailbox, entry: Entry) -> Letter:
        if entry not in self._letters:
            self._letters[entry] = Letter(entry, box.user_labels(entry))
        return self._letters[entry]

    def _attachment_id(self, message_id: str, part_id: str) -> str:
        # Gmail gives an attachment another id each time its message is read; the earlier ones go on working.
        self._attachment_ids += 1
        word = json.dumps([self._attachment_ids, message_id, part_id]).encode()
        return f"ANGjdJ{base64.urlsafe_b64encode(word).decode().rstrip('=')}"


def _part_id(attachment_id: str, message_id: str) -> str | None:
    word = attachment_id.removeprefix("ANGjdJ")
    try:
        _, of_message, part_id = json.loads(base64.urlsafe_b64decode(word + "=" * (-len(word) % 4)))
    except (ValueError, TypeError):
        return None
    return str(part_id) if of_message == message_id else None


def _or_refused(work: Callable[[], SandboxResponse]) -> SandboxResponse:
    try:
        return work()
    except Refusal as refusal:
        return refusal.response
