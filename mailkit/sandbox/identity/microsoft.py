"""Entra ID and personal Microsoft accounts: sign-in pages, device codes, the documents clients read.

Responsible for routing, for the pages people see, and for finding the mailbox a token opens. The token endpoint stands
in ``microsoft_tokens``, the words in ``microsoft_words``.
Sources: learn.microsoft.com/entra/identity-platform/v2-oauth2-auth-code-flow, /v2-oauth2-device-code.
"""

from __future__ import annotations

import datetime as dt
import itertools
import re
from collections.abc import Callable, Collection, Iterable
from typing import Literal
from urllib.parse import unquote, urlsplit

from mailkit.sandbox.faults import Fault, FaultScript
from mailkit.sandbox.identity.forms import query_of, read_form, redirect_to, registered, words
from mailkit.sandbox.identity.ledger import Code, IssuedToken
from mailkit.sandbox.identity.microsoft_apps import MicrosoftApp, Tenant
from mailkit.sandbox.identity.microsoft_directory import Authority, Device, Directory, short_scope
from mailkit.sandbox.identity.microsoft_documents import HOSTS, instance_discovery, openid_configuration
from mailkit.sandbox.identity.microsoft_tokens import Form, TokenEndpoint
from mailkit.sandbox.identity.microsoft_words import WORDS, Refusal
from mailkit.sandbox.identity.people import Grant, Person
from mailkit.sandbox.identity.provider import Reached, Visit, Visitor
from mailkit.sandbox.mailbox import Mailbox
from mailkit.sandbox.microsoft.ids import guid
from mailkit.sandbox.wire import SandboxRequest, SandboxResponse, json_response

__all__ = ["MicrosoftIdentity"]

_INSTANCE = "/common/discovery/instance"
_ENDPOINT = re.compile(
    r"/([^/]+)/(?:oauth2/v2\.0/(authorize|token|devicecode)|v2\.0/\.well-known/(openid-configuration))"
)
_USER = re.compile(r"(?:/v1\.0)?/users/([^/?]+)")
_CODE_LIVES = dt.timedelta(minutes=10)
_DEVICE_LIVES = 900
# Each Fault's usual number: what the endpoint says when it is not well.
_USUAL = {429: ("too_many_requests", "Too many requests."), 503: ("temporarily_unavailable", "Try again later.")}


class MicrosoftIdentity:
    """Microsoft's half of ``sandbox.identity``.

    ``lifetime`` is how many seconds an access token lives (Entra ID picks 60 to 90 minutes). ``single_use`` ends a
    refresh token when it is used, which Entra ID leaves to the client. ``device_expired`` is the number a device code
    ends with: 70020 (``expired_token``) or 70019 (``code_expired``). Every Outlook mailbox of the sandbox has its
    person.
    """

    hosts: tuple[str, ...] = HOSTS

    def __init__(self, now: Callable[[], dt.datetime], boxes: Callable[[], Iterable[Mailbox]]) -> None:
        self.lifetime = 4500
        self.single_use = False
        self.device_expired = 70020
        self.faults: FaultScript = FaultScript()
        self._directory = Directory(now, boxes)
        self._numbers = itertools.count(1)

    # -- the test's side ---------------------------------------------------------------------------------------------

    def person(self, address: str) -> Person:
        """Give the person with this address; one nobody knew before gets an account at their domain's organisation."""
        return self._directory.person(address)

    def tenant(self, domain: str) -> Tenant:
        """Give the organisation of a domain, founding it where there is none (outlook.com: all personal accounts)."""
        return self._directory.tenant(domain)

    def app(
        self,
        client_id: str,
        *,
        tenant: str | None = None,
        audience: Literal["all", "organizations", "personal", "tenant"] = "all",
        secret: str | None = None,
        public_flows: bool = True,
        redirects: Collection[str] = ("http://localhost",),
        web_redirects: Collection[str] = (),
        roles: Collection[str] = (),
    ) -> MicrosoftApp:
        """Register an app, at the organisation of the domain ``tenant``; see ``MicrosoftApp``."""
        app = MicrosoftApp(
            client_id=client_id,
            tenant=None if tenant is None else self.tenant(tenant),
            audience=audience,
            secret=secret,
            public_flows=public_flows,
            redirects=redirects,
            web_redirects=web_redirects,
            roles=roles,
        )
        self._directory.apps[client_id] = app
        return app

    def script(self, *faults: Fault) -> None:
        """Let the next requests that fit go wrong.

        Operations are ``authorize token devicecode openid-configuration instance``.
        """
        for fault in faults:
            self.faults.add(fault)

    # -- the sandbox's side ------------------------------------------------------------------------------------------

    def serves(self, path: str) -> bool:
        """Say whether ``path`` is one of these endpoints."""
        return path == _INSTANCE or _ENDPOINT.fullmatch(path) is not None

    def operation(self, request: SandboxRequest) -> str | None:
        """Name the endpoint."""
        match = _ENDPOINT.fullmatch(request.path)
        return "instance" if request.path == _INSTANCE else match and (match[2] or match[3])

    def refuse(self, status: int, reason: str | None = None, message: str | None = None) -> SandboxResponse:
        """Word an error of the token endpoint; ``reason`` may be an AADSTS number."""
        if reason is not None and reason.isdecimal():
            return self._refused(Refusal(int(reason)), None)
        error, text = _USUAL.get(status, ("server_error" if status >= 500 else "invalid_request", "It failed."))
        return json_response({"error": reason or error, "error_description": message or text}, status)

    def answer(self, request: SandboxRequest) -> SandboxResponse:
        """Answer one request; the sign-in page is opened by a person who agrees."""
        operation = self.operation(request)
        wanted = "POST" if operation in ("token", "devicecode") else "GET"
        if operation is None or request.method != wanted:
            return SandboxResponse(status=404)
        if operation == "authorize":
            return self.authorise(request.url, Visitor()).response
        try:
            if operation == "instance":
                return self._instance(request)
            authority = self._directory.authority(_segment(request.path))
            if operation == "openid-configuration":
                issuer = "{tenantid}" if authority.tenant is None else authority.tenant.id
                return json_response(openid_configuration(_origin(request), authority.segment, issuer))
            form = read_form(request)
            if operation == "devicecode":
                return json_response(self._device(authority, form))
            return json_response(self._tokens.answer(authority, form), 200, (("cache-control", "no-store, no-cache"),))
        except Refusal as refusal:
            return self._refused(refusal, request)

    def reach(self, request: SandboxRequest) -> Reached | None:
        """Find the mailbox of the request's token.

        A person's token opens their own, and with ``….Shared`` permissions those they may open; an app's token opens
        any that a path names.
        """
        token = self._directory.ledger.access_tokens.get(request.token or "")
        if token is None:
            return None
        if token.expires_at <= self._directory.now():
            return Reached(refusal=(401, "InvalidAuthenticationToken", None))
        named = _named(request)
        box = None if named is None else self._directory.box(named)
        person = token.grant.person
        if person is None:
            return _reached_alone(box, named, token)
        own = self._directory.box(person.address)
        if box is not None and box is not own:
            if box.address.lower() not in map(str.lower, person.opens):
                return Reached(refusal=(403, "ErrorAccessDenied", None))
            shared = {scope.removesuffix(".Shared") for scope in token.scopes if scope.endswith(".Shared")}
            return Reached(box=box, scopes=frozenset(shared))
        if own is None:
            sentence = "The mailbox is either inactive, soft-deleted, or is hosted on-premise."
            return Reached(refusal=(404, "MailboxNotEnabledForRESTAPI", sentence))
        return Reached(box=own, scopes=token.scopes)

    # -- pages people see --------------------------------------------------------------------------------------------

    def authorise(self, url: str, visitor: Visitor) -> Visit:
        """Show the sign-in page to a person.

        What is wrong with the app or its redirect stays on the page; everything else is sent to the program, unless
        the person closes the page.
        """
        asked = query_of(url)
        try:
            authority = self._directory.authority(_segment(urlsplit(url).path))
            app = self._directory.app_in(asked.get("client_id", ""), authority)
            redirect_uri = asked.get("redirect_uri", "")
            if not registered(redirect_uri, (*app.redirects, *app.web_redirects)):
                raise Refusal(50011, {"redirect_uri": redirect_uri, "client_id": app.client_id})
            for parameter in ("response_type", "scope"):
                if not asked.get(parameter):
                    raise Refusal(900144, {"parameter": parameter})
        except Refusal as refusal:
            return Visit(status=400, error=f"AADSTS{refusal.code}")
        if asked.get("response_mode", "query") != "query":
            return Visit(status=400, error="unsupported_response_mode")  # the sandbox's own: it sends no forms
        person = self._directory.visiting(visitor.account or asked.get("login_hint"))
        if person is None:
            return Visit()  # the page that asks for an account
        try:
            self._directory.check(person, app, authority, "sign_in")
            grant = _let_in(person, app, words(asked["scope"]), visitor)
        except Refusal as refusal:
            return self._turned_away(refusal, redirect_uri, asked.get("state"), visitor)
        code = Code(
            grant=grant,
            redirect_uri=redirect_uri,
            challenge=asked.get("code_challenge"),
            method=asked.get("code_challenge_method", "plain"),
            nonce=asked.get("nonce"),
            offline="offline_access" in grant.scopes,
            expires_at=self._directory.now() + _CODE_LIVES,
        )
        answer = {
            "code": self._directory.ledger.add_code("1.A", code),
            "client_info": self._directory.client_info(person) if asked.get("client_info") == "1" else None,
            "state": asked.get("state"),
            "session_state": guid("session", person.address),
        }
        return Visit(redirect=redirect_to(redirect_uri, answer))

    def enter(self, user_code: str, visitor: Visitor) -> Visit:
        """Let a person enter a user code on the device page, where a code is good once."""
        now = self._directory.now()
        waiting = (
            device
            for device in self._directory.devices.values()
            if device.user_code == user_code.strip().upper() and device.outcome is None and device.expires_at > now
        )
        device = next(waiting, None)
        if device is None:
            return Visit(error="AADSTS70018")
        person = self._directory.visiting(visitor.account)
        if person is None:
            return Visit()
        try:
            self._directory.check(person, device.app, device.authority, "device")
            device.outcome = _let_in(person, device.app, device.scopes, visitor)
        except Refusal as refusal:
            device.outcome = Refusal(70015) if refusal.code == 65004 else refusal
            return Visit(error=f"AADSTS{refusal.code}")
        return Visit()

    def _turned_away(self, refusal: Refusal, redirect_uri: str, state: str | None, visitor: Visitor) -> Visit:
        error = f"AADSTS{refusal.code}"
        if not visitor.returns:
            return Visit(status=400, error=error)
        # invalid_grant is a word of the token endpoint; a page's words are OpenID Connect Core's, §3.1.2.6.
        consent = WORDS[refusal.code].suberror == "consent_required"
        word = (
            refusal.word
            if refusal.word != "invalid_grant"
            else "consent_required"
            if consent
            else "interaction_required"
        )
        description = refusal.described(trace=self._trace(), correlation=self._trace(), now=self._directory.now())
        answer = {
            "error": word,
            "error_subcode": "cancel" if word == "access_denied" else None,
            "error_description": description,
            "state": state,
        }
        return Visit(redirect=redirect_to(redirect_uri, answer), error=error)

    # -- endpoints programs call -------------------------------------------------------------------------------------

    def _device(self, authority: Authority, form: Form) -> dict[str, object]:
        for parameter in ("client_id", "scope"):
            if not form.get(parameter):
                raise Refusal(900144, {"parameter": parameter})
        word = self._directory.ledger.word("")
        device = Device(
            user_code=re.sub(r"[^A-Z0-9]", "", word.upper())[:9],
            app=self._directory.app_in(form["client_id"], authority),
            authority=authority,
            scopes=words(form["scope"]),
            expires_at=self._directory.now() + dt.timedelta(seconds=_DEVICE_LIVES),
            interval=5,
        )
        device_code = self._directory.ledger.word("DA")
        self._directory.devices[device_code] = device
        page = "https://microsoft.com/devicelogin"
        return {
            "user_code": device.user_code,
            "device_code": device_code,
            "verification_uri": page,
            "expires_in": _DEVICE_LIVES,
            "interval": device.interval,
            "message": f"To sign in, use a web browser to open the page {page} and enter the code {device.user_code}"
            " to authenticate.",
        }

    def _instance(self, request: SandboxRequest) -> SandboxResponse:
        document = instance_discovery(dict(request.query).get("authorization_endpoint", ""))
        if document is None:
            raise Refusal(50049)
        return json_response(document)

    @property
    def _tokens(self) -> TokenEndpoint:
        return TokenEndpoint(
            directory=self._directory,
            lifetime=self.lifetime,
            single_use=self.single_use,
            device_expired=self.device_expired,
        )

    def _refused(self, refusal: Refusal, request: SandboxRequest | None) -> SandboxResponse:
        trace = self._trace()
        return refusal.response(
            trace=trace,
            correlation=request.headers.get("client-request-id", trace) if request else trace,
            now=self._directory.now(),
            origin=_origin(request) if request else f"https://{HOSTS[0]}",
        )

    def _trace(self) -> str:
        return guid("trace", str(next(self._numbers)))


def _let_in(person: Person, app: MicrosoftApp, scopes: Iterable[str], visitor: Visitor) -> Grant:
    if not visitor.agrees:
        raise Refusal(65004)
    return person.let_in(app.client_id, tuple(map(short_scope, scopes)))


def _segment(path: str) -> str:
    return unquote(path.strip("/").partition("/")[0])


def _origin(request: SandboxRequest) -> str:
    """Give the address Entra ID has, which is its own also where a loopback server carries it."""
    return request.origin if urlsplit(request.url).hostname in HOSTS else f"https://{HOSTS[0]}"


def _named(request: SandboxRequest) -> str | None:
    """Give the user a path names; of a batch, the one its first part names."""
    paths = [request.path]
    if request.path.endswith("/$batch"):
        try:
            body = request.json()
        except ValueError:
            body = None
        parts = body.get("requests") if isinstance(body, dict) else None
        paths = [str(part.get("url")) for part in parts or () if isinstance(part, dict)]
    match = next(filter(None, map(_USER.match, paths)), None)
    return None if match is None else unquote(match[1])


def _reached_alone(box: Mailbox | None, named: str | None, token: IssuedToken) -> Reached:
    if box is not None:
        return Reached(box=box, scopes=token.scopes)
    if named is None:
        sentence = "/me request is only valid with delegated authentication flow."
        return Reached(refusal=(400, "BadRequest", sentence))
    return Reached(refusal=(404, "ErrorInvalidUser", f"The requested user '{named}' is invalid."))
