"""Microsoft Graph v1.0 over Outlook mailboxes and calendars: a function from request to answer.

Responsible for routing, permissions, concurrency, errors and headers. What an operation answers stands in the modules
named in ``_respond``.
"""

from __future__ import annotations

import itertools

import attrs

from mailkit.sandbox.delivery import PostOffice
from mailkit.sandbox.invitations import CalendarPost
from mailkit.sandbox.microsoft import (
    attaching,
    batch,
    calendar_service,
    directory,
    messages,
    organising,
    sending,
    writing,
)
from mailkit.sandbox.microsoft.answers import Asked
from mailkit.sandbox.microsoft.attaching import answer_session
from mailkit.sandbox.microsoft.ids import guid
from mailkit.sandbox.microsoft.mailbox import MicrosoftMailbox
from mailkit.sandbox.microsoft.permissions import is_read, wanted
from mailkit.sandbox.microsoft.prefer import Preferences
from mailkit.sandbox.microsoft.refusals import Refusal, busy, forbidden, too_long
from mailkit.sandbox.microsoft.routes import SESSIONS, VERSION, Route, options, route
from mailkit.sandbox.service import Exchange
from mailkit.sandbox.wire import SandboxRequest, SandboxResponse, json_response

__all__ = ["MicrosoftService"]

_LONGEST = 4_000_000  # bytes of a request's body (outlook-large-attachments: 4 MB)
_USUAL = {
    400: ("BadRequest", "Bad request."),
    401: ("InvalidAuthenticationToken", "Access token has expired or is not yet valid."),
    403: ("ErrorAccessDenied", "Access is denied. Check credentials and try again."),
    404: ("ErrorItemNotFound", "The specified object was not found in the store."),
    409: ("ErrorIrresolvableConflict", "The send or update operation could not be performed."),
    429: ("ApplicationThrottled", "Application is over its MailboxConcurrency limit."),
    500: ("InternalServerError", "An internal server error occurred."),
    503: ("serviceNotAvailable", "The service is temporarily unavailable."),
    504: ("UnknownError", "The gateway timed out."),
}


class MicrosoftService:
    """The Graph service of mail and calendars; ``post`` takes mail, ``invitations`` takes those to other people."""

    hosts: tuple[str, ...] = (
        "graph.microsoft.com",
        # learn.microsoft.com/graph/deployments: the national clouds
        "graph.microsoft.us",
        "dod-graph.microsoft.us",
        "microsoftgraph.chinacloudapi.cn",
        # learn.microsoft.com/graph/outlook-large-attachments: upload sessions
        "outlook.office.com",
    )

    def __init__(self, post: PostOffice, invitations: CalendarPost) -> None:
        self._post = post
        self._invitations = invitations
        self._numbers = itertools.count(1)

    def serves(self, path: str) -> bool:
        """Say whether ``path`` is Graph's."""
        return path.startswith((f"{VERSION}/", f"{SESSIONS}/"))

    def operation(self, request: SandboxRequest) -> str | None:
        """Name what the request asks for: ``messages.list``, ``folders.get``, ``batch`` and so on."""
        try:
            return route(request.method, request.path).operation
        except Refusal:
            return None

    def weight(self, request: SandboxRequest) -> int:
        """Say how many requests this one counts for while it is under way."""
        return batch.weight(request) if self.operation(request) == "batch" else 1

    def stranger(self, request: SandboxRequest) -> SandboxResponse:
        """Answer 401."""
        empty = request.token is None
        text = "Access token is empty." if empty else "Access token validation failure. Invalid audience."
        refused = self._refused(Refusal(401, "InvalidAuthenticationToken", text), request)
        return attrs.evolve(refused, headers=(*refused.headers, ("www-authenticate", 'Bearer realm=""')))

    def refuse(self, status: int, reason: str | None = None, message: str | None = None) -> SandboxResponse:
        """Word an error as Graph does."""
        code, text = _USUAL.get(status, ("UnknownError", "The request failed."))
        return self._refused(Refusal(status, reason or code, message or text), None)

    def handle(self, box: MicrosoftMailbox, request: SandboxRequest, exchange: Exchange) -> SandboxResponse:
        """Answer one request, which may be a batch."""
        try:
            if self.operation(request) != "batch":
                return self._answer(box, request)
            if len(request.content) > _LONGEST:
                raise too_long()
            answer = batch.answer_batch(
                request,
                lambda part: exchange(part, lambda inner: self._part(box, inner)),
                lambda refusal: self._refused(refusal, request),
            )
            return self._headed(answer, request)
        except Refusal as refusal:
            return self._refused(refusal, request)

    def _part(self, box: MicrosoftMailbox, request: SandboxRequest) -> SandboxResponse:
        try:
            return self._answer(box, request)
        except Refusal as refusal:
            return self._refused(refusal, request)

    def _answer(self, box: MicrosoftMailbox, request: SandboxRequest) -> SandboxResponse:
        asked_for = route(request.method, request.path)
        if asked_for.operation == "batch":
            raise Refusal(405, "Request_BadRequest", "A batch holds no batch.")
        if asked_for.operation.startswith("uploads."):
            options(asked_for.operation, request.query)
            return answer_session(box, request, asked_for.operation, asked_for.keys[1])
        if len(request.content) > _LONGEST:
            raise too_long()
        if box.concurrency is not None and request.in_flight > box.concurrency:
            raise busy(1)
        self._check_permission(box, asked_for)
        asked = Asked(
            request=request,
            route=asked_for,
            options=options(asked_for.operation, request.query),
            preferences=Preferences.read(request.headers.get("prefer", "")),
        )
        if asked_for.operation.partition(".")[0] in calendar_service.AREAS:
            answer = calendar_service.respond(box, asked, self._invitations)
        else:
            answer = _respond(box, asked, self._post)
        # Answers to writes are in the zone that was written, whatever is preferred.
        told = asked.preferences if is_read(asked_for.operation) else attrs.evolve(asked.preferences, timezone=None)
        return self._headed(answer, request, told)

    def _check_permission(self, box: MicrosoftMailbox, asked_for: Route) -> None:
        if box.scopes is not None:
            granted = {scope.rpartition("/")[2].lower() for scope in box.scopes}
            if granted.isdisjoint(wanted(asked_for.operation)):
                raise forbidden()
        names = {name.lower() for name in (box.user_id, *box.own_addresses)}
        if asked_for.user is not None and asked_for.user.lower() not in names:
            raise Refusal(404, "ErrorInvalidUser", f"The requested user '{asked_for.user}' is invalid.")

    def _headed(
        self, answer: SandboxResponse, request: SandboxRequest, preferences: Preferences | None = None
    ) -> SandboxResponse:
        applied = preferences.applied if preferences else None
        more = (("preference-applied", applied),) if applied else ()
        return attrs.evolve(answer, headers=(*answer.headers, *self._ids(request), *more))

    def _refused(self, refusal: Refusal, request: SandboxRequest | None) -> SandboxResponse:
        ids = self._ids(request)
        inner = ({"date": f"{request.now:%Y-%m-%dT%H:%M:%S}"} if request else {}) | dict(ids)
        error = {"code": refusal.code, "message": refusal.message, "innerError": inner}
        wait = () if refusal.retry_after is None else (("retry-after", f"{refusal.retry_after:g}"),)
        return json_response({"error": error}, refusal.status, (*wait, *ids))

    def _ids(self, request: SandboxRequest | None) -> tuple[tuple[str, str], ...]:
        own = guid("request", str(next(self._numbers)))
        given = request.headers.get("client-request-id") if request else None
        return (("request-id", own), ("client-request-id", given or own))


def _respond(box: MicrosoftMailbox, asked: Asked, post: PostOffice) -> SandboxResponse:
    area, _, verb = asked.route.operation.partition(".")
    match area:
        case "folders":
            return _respond_folders(box, asked, verb)
        case "messages":
            return _respond_messages(box, asked, verb, post)
        case "attachments":
            return _respond_attachments(box, asked, verb)
        case "categories":
            return _respond_categories(box, asked, verb)
    if verb == "sendMail":
        return sending.send_mail(box, asked, post)
    return directory.get_user(box, asked)


def _respond_folders(box: MicrosoftMailbox, asked: Asked, verb: str) -> SandboxResponse:
    keys = asked.route.keys
    match verb:
        case "list":
            return directory.list_folders(box, asked, box.folders.root)
        case "get":
            return directory.get_folder(box, asked, directory.find_folder(box, keys[0]))
        case "children":
            return directory.list_folders(box, asked, directory.find_folder(box, keys[0]))
        case "create":
            parent = directory.find_folder(box, keys[0]) if keys else box.folders.root
            return organising.create_folder(box, asked, parent)
        case "update":
            return organising.rename_folder(box, asked, keys[0])
        case "move":
            return organising.move_folder(box, asked, keys[0])
        case "delete":
            return organising.delete_folder(box, keys[0])
    assert verb == "permanentDelete"  # noqa: S101  # routes.py names no other
    return organising.drop_folder(box, keys[0])


def _respond_messages(box: MicrosoftMailbox, asked: Asked, verb: str, post: PostOffice) -> SandboxResponse:
    keys = asked.route.keys
    match verb:
        case "list":
            return messages.list_messages(box, asked, directory.find_folder(box, keys[0]) if keys else None)
        case "get":
            return messages.get_message(box, asked, keys[0])
        case "raw":
            return messages.raw_message(box, keys[0])
        case "create":
            return writing.create_draft(box, asked, directory.find_folder(box, keys[0] if keys else "drafts"))
        case "update":
            return writing.update_message(box, asked, keys[0])
        case "delete" | "permanentDelete":
            return writing.delete_message(box, keys[0])
        case "move":
            return writing.move_message(box, asked, keys[0])
        case "copy":
            return writing.copy_message(box, asked, keys[0])
        case "send":
            return sending.send_message(box, asked, keys[0], post)
        case "reply" | "replyAll" | "forward":
            return sending.answer_message(box, asked, keys[0], verb, post)
        case "createReply":
            return sending.begin_answer(box, asked, keys[0], "reply")
        case "createReplyAll":
            return sending.begin_answer(box, asked, keys[0], "replyAll")
    assert verb == "createForward"  # noqa: S101  # routes.py names no other
    return sending.begin_answer(box, asked, keys[0], "forward")


def _respond_attachments(box: MicrosoftMailbox, asked: Asked, verb: str) -> SandboxResponse:
    keys = asked.route.keys
    match verb:
        case "list":
            return messages.list_attachments(box, asked, keys[0])
        case "get":
            return messages.get_attachment(box, asked, keys[0], keys[1])
        case "raw":
            return messages.raw_attachment(box, keys[0], keys[1])
        case "create":
            return attaching.attach(box, asked, keys[0])
        case "delete":
            return attaching.detach(box, keys[0], keys[1])
    assert verb == "createUploadSession"  # noqa: S101  # routes.py names no other
    return attaching.create_session(box, asked, keys[0])


def _respond_categories(box: MicrosoftMailbox, asked: Asked, verb: str) -> SandboxResponse:
    keys = asked.route.keys
    match verb:
        case "list":
            return directory.list_categories(box, asked)
        case "get":
            return organising.get_category(box, asked, keys[0])
        case "create":
            return organising.create_category(box, asked)
        case "update":
            return organising.recolour_category(box, asked, keys[0])
    assert verb == "delete"  # noqa: S101  # routes.py names no other
    return organising.delete_category(box, keys[0])
