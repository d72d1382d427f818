"""Google Calendar's REST interface: finds the method a request means, checks permission, lets it be answered.

Source: developers.google.com/workspace/calendar/api/v3/reference. What each method answers stands in ``reading``,
``writing``, ``listing`` and ``freebusy``.
"""

from __future__ import annotations

from mailkit.sandbox.google.calendar import freebusy, listing, reading
from mailkit.sandbox.google.calendar.call import Answers, CalendarCall
from mailkit.sandbox.google.calendar.methods import BASE, matching
from mailkit.sandbox.google.calendar.shapes import SHAPES
from mailkit.sandbox.google.calendar.writing import EventWriting
from mailkit.sandbox.google.call import json_body
from mailkit.sandbox.google.fields import select
from mailkit.sandbox.google.mailbox import GoogleMailbox
from mailkit.sandbox.google.refusals import Refusal, refuse
from mailkit.sandbox.invitations import CalendarPost
from mailkit.sandbox.wire import SandboxRequest, SandboxResponse, json_response

__all__ = ["CalendarService"]

# Known to every method.
_COMMON = ("fields", "alt", "prettyPrint", "key", "quotaUser", "oauth_token", "userIp")


class CalendarService:
    """The Calendar part of Google's half of a sandbox; ``post`` takes invitations to others."""

    def __init__(self, post: CalendarPost) -> None:
        self._answers: Answers = {
            **listing.ANSWERS,
            **reading.ANSWERS,
            **EventWriting(post).answers,
            "freebusy.query": lambda call: freebusy.query(call, post),
        }

    def serves(self, path: str) -> bool:
        """Say whether ``path`` is Calendar's."""
        return path.startswith(f"{BASE}/")

    def operation(self, request: SandboxRequest) -> str | None:
        """Name the method: ``events.list``."""
        found = matching(request)
        return found and found[0].name

    def answer(self, box: GoogleMailbox, request: SandboxRequest) -> SandboxResponse:
        """Answer one request for one account."""
        try:
            return self._carried_out(box, request)
        except Refusal as refusal:
            return refuse(refusal.status, refusal.reason, refusal.message, service="calendar-json.googleapis.com")

    def _carried_out(self, box: GoogleMailbox, request: SandboxRequest) -> SandboxResponse:
        found = matching(request)
        if found is None:
            raise Refusal(404, "notFound", "Not Found")
        method, path = found
        if box.scopes is not None and box.scopes.isdisjoint(method.scopes):
            raise Refusal(403, "insufficientPermissions")
        for name, _ in request.query:
            if name not in method.parameters and name not in _COMMON:
                raise Refusal(400, "badRequest", f'Unknown name "{name}": Cannot bind query parameter.')
        body = {} if method.body is None else json_body(request.content, method.body)
        call = CalendarCall(box, request, method, path, body)
        value = self._answers[method.name](call)
        if value is None:
            return SandboxResponse(status=204)
        fields = call.one("fields")
        return json_response(select(value, fields, SHAPES[method.name]) if fields else value)
