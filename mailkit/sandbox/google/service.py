"""Google's REST interfaces: finds the method a request means, checks permission and parameters, lets it be answered.

Source: developers.google.com/workspace/gmail/api/reference/rest. Not served: history, watching, import and insert,
settings but for the addresses one sends as. What each method answers stands in ``reading``, ``sending``,
``organising`` and ``label_writing``; the Calendar's methods have a room of their own, ``calendar``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

import attrs

from mailkit.sandbox.delivery import PostOffice
from mailkit.sandbox.google import batch, label_writing, organising
from mailkit.sandbox.google.calendar.service import CalendarService
from mailkit.sandbox.google.call import Answers, Call, json_body
from mailkit.sandbox.google.fields import SHAPES, select
from mailkit.sandbox.google.mailbox import GoogleMailbox
from mailkit.sandbox.google.methods import UPLOAD, Method, matching
from mailkit.sandbox.google.reading import Reading
from mailkit.sandbox.google.refusals import Refusal, refuse
from mailkit.sandbox.google.sending import Sending
from mailkit.sandbox.google.uploads import Uploads, check_media, related
from mailkit.sandbox.invitations import CalendarPost
from mailkit.sandbox.service import Exchange
from mailkit.sandbox.wire import SandboxRequest, SandboxResponse, json_response

# guides/batch names the first; the discovery document (batchPath), and so Google's own clients, the second
_BATCH = ("/batch/gmail/v1", "/batch/calendar/v3", "/batch")
# Known to every method of Google's APIs.
_COMMON = ("fields", "alt", "prettyPrint", "key", "quotaUser")


class GoogleService:
    """The Google half of a sandbox: Gmail and Calendar; see ``mailkit.sandbox.service.Service``."""

    hosts: ClassVar[tuple[str, ...]] = ("gmail.googleapis.com", "www.googleapis.com")

    def __init__(self, post: PostOffice, invitations: CalendarPost) -> None:
        self._calendar = CalendarService(invitations)
        self._uploads = Uploads()
        self._answers: Answers = {
            **Reading().answers,
            **Sending(post).answers,
            **organising.ANSWERS,
            **label_writing.ANSWERS,
        }

    def serves(self, path: str) -> bool:
        """Say whether ``path`` is Gmail's or Calendar's."""
        return self._calendar.serves(path) or UPLOAD.sub("", path).startswith("/gmail/v1/") or path in _BATCH

    def operation(self, request: SandboxRequest) -> str | None:
        """Name the method: ``messages.list``, ``batch``; chunks of an upload bear the name of what they are for."""
        if request.path in _BATCH:
            return "batch"
        if call := self._uploads.called(request):
            return call.method.name
        if self._calendar.serves(request.path):
            return self._calendar.operation(request)
        found = matching(request)
        return found and found[0].name

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
        if self._calendar.serves(request.path):
            return self._calendar.answer(box, request)
        return _or_refused(lambda: self._taken(box, request))

    def _taken(self, box: GoogleMailbox, request: SandboxRequest) -> SandboxResponse:
        uploads = UPLOAD.match(request.path) is not None
        if uploads and any(name == "upload_id" for name, _ in request.query):
            return self._uploads.take(box, request, lambda call: _or_refused(lambda: self._carried_out(call)))
        call = _call(box, request)
        if not uploads:
            takes = call.method.body
            return self._carried_out(
                call if takes is None else attrs.evolve(call, body=json_body(request.content, takes))
            )
        if request.part:
            raise Refusal(400, "badRequest", "Media uploads are not allowed in a batch.")
        return self._uploaded(call)

    def _uploaded(self, call: Call) -> SandboxResponse:
        content, way = call.request.content, call.one("uploadType")
        if way == "resumable":
            return self._uploads.begin(attrs.evolve(call, body=json_body(content, call.method.body or ())))
        if way == "multipart":
            return self._carried_out(related(call))
        if way != "media":
            raise Refusal(400, "badRequest", f"Upload type is not supported: {way}")
        check_media(call.request.headers.get("content-type", ""), len(content))
        return self._carried_out(attrs.evolve(call, media=content))

    def _carried_out(self, call: Call) -> SandboxResponse:
        value = self._answers[call.method.name](call)
        if value is None:
            return SandboxResponse(status=204)
        fields = call.one("fields")
        return json_response(select(value, fields, SHAPES[call.method.name]) if fields else value)


def _call(box: GoogleMailbox, request: SandboxRequest) -> Call:
    """Find the method, and judge what holds for each: permission, mailbox, parameters, quota."""
    found = matching(request)
    if found is None:
        raise Refusal(404, message="Method not found.")
    method, path = found
    if box.scopes is not None and box.scopes.isdisjoint(method.scopes):
        raise Refusal(403, "insufficientPermissions")
    if path["user"].lower() not in ("me", box.address.lower()):
        raise Refusal(403, "forbidden", f"Delegation denied for {box.address}")
    for name, _ in request.query:
        if name not in _known(method, request) and not name.startswith("$"):
            raise Refusal(
                400,
                "badRequest",
                f'Invalid JSON payload received. Unknown name "{name}": Cannot bind query parameter.'
                f" Field '{name}' could not be found in request message.",
            )
    if not box.spend(method.units, request.now):
        raise Refusal(403, "rateLimitExceeded")
    return Call(box, request, method, path)


def _known(method: Method, request: SandboxRequest) -> tuple[str, ...]:
    return (*method.parameters, *_COMMON, *(("uploadType",) if UPLOAD.match(request.path) else ()))


def _or_refused(work: Callable[[], SandboxResponse]) -> SandboxResponse:
    try:
        return work()
    except Refusal as refusal:
        return refusal.response
