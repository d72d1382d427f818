"""Microsoft Graph v1.0 over Outlook mailboxes, the mail half: a pure function from request to answer.

Responsible for routing, permissions, concurrency, errors and headers. What an operation answers stands in ``messages``
and ``directory``.
"""

from __future__ import annotations

import itertools

import attrs

from mailkit.sandbox.delivery import PostOffice
from mailkit.sandbox.microsoft import batch, directory, messages
from mailkit.sandbox.microsoft.answers import Asked
from mailkit.sandbox.microsoft.ids import guid
from mailkit.sandbox.microsoft.mailbox import MicrosoftMailbox
from mailkit.sandbox.microsoft.prefer import Preferences
from mailkit.sandbox.microsoft.refusals import Refusal, busy, forbidden
from mailkit.sandbox.microsoft.routes import VERSION, Route, options, route
from mailkit.sandbox.service import Exchange
from mailkit.sandbox.wire import SandboxRequest, SandboxResponse, json_response

__all__ = ["MicrosoftService"]

# Any one of these will do (the permission tables of each operation's page).
_MAIL = ("mail.read", "mail.readwrite")
_SCOPES = {
    "me": ("user.read", "user.readwrite", "user.read.all", "user.readwrite.all", "directory.read.all"),
    "folders": ("mail.readbasic", *_MAIL),
    "messages": _MAIL,
    "attachments": _MAIL,
    "categories": ("mailboxsettings.read", "mailboxsettings.readwrite"),
}
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
    """The Graph mail service."""

    hosts: tuple[str, ...] = (
        "graph.microsoft.com",
        # learn.microsoft.com/graph/deployments: the national clouds
        "graph.microsoft.us",
        "dod-graph.microsoft.us",
        "microsoftgraph.chinacloudapi.cn",
    )

    def __init__(self, post: PostOffice) -> None:
        self._post = post
        self._numbers = itertools.count(1)

    def serves(self, path: str) -> bool:
        """Say whether ``path`` is Graph's."""
        return path.startswith(f"{VERSION}/")

    def operation(self, request: SandboxRequest) -> str | None:
        """Name what the request asks for: ``messages.list``, ``folders.get``, ``batch`` and so on."""
        try:
            return route(request.path).operation
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
            if request.method != "POST":
                raise Refusal(405, "Request_BadRequest", "Specified HTTP method is not allowed for the request target.")
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
        asked_for = route(request.path)
        if request.method != "GET" or asked_for.operation == "batch":
            raise Refusal(405, "Request_BadRequest", "Specified HTTP method is not allowed for the request target.")
        if box.concurrency is not None and request.in_flight > box.concurrency:
            raise busy(1)
        self._check_permission(box, asked_for)
        asked = Asked(
            request=request,
            route=asked_for,
            options=options(asked_for.operation, request.query),
            preferences=Preferences.read(request.headers.get("prefer", "")),
        )
        return self._headed(_respond(box, asked), request, asked.preferences)

    def _check_permission(self, box: MicrosoftMailbox, asked_for: Route) -> None:
        if box.scopes is not None:
            granted = {scope.rpartition("/")[2].lower() for scope in box.scopes}
            if granted.isdisjoint(_SCOPES[asked_for.operation.partition(".")[0]]):
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


def _respond(box: MicrosoftMailbox, asked: Asked) -> SandboxResponse:
    keys = asked.route.keys
    match asked.route.operation:
        case "me.get":
            return directory.get_user(box, asked)
        case "folders.list":
            return directory.list_folders(box, asked, box.folders.root)
        case "folders.get":
            return directory.get_folder(box, asked, directory.find_folder(box, keys[0]))
        case "folders.children":
            return directory.list_folders(box, asked, directory.find_folder(box, keys[0]))
        case "categories.list":
            return directory.list_categories(box, asked)
        case "messages.list":
            return messages.list_messages(box, asked, directory.find_folder(box, keys[0]) if keys else None)
        case "messages.get":
            return messages.get_message(box, asked, keys[0])
        case "messages.raw":
            return messages.raw_message(box, keys[0])
        case "attachments.list":
            return messages.list_attachments(box, asked, keys[0])
        case "attachments.get":
            return messages.get_attachment(box, asked, keys[0], keys[1])
        case operation:
            assert operation == "attachments.raw"  # noqa: S101  # routes.py names no other
            return messages.raw_attachment(box, keys[0], keys[1])
