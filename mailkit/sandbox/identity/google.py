"""Google's identity endpoints: the sign-in page, the token endpoint, revocation.

Responsible for what is granted to whom and for how long. Its words stand in ``google_words``.
Sources: developers.google.com/identity/protocols/oauth2 (lifetimes), /native-app (PKCE, loopback), /service-account.
"""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Literal

from mailkit.sandbox.faults import Fault, FaultScript
from mailkit.sandbox.identity.forms import proves, query_of, read_form, redirect_to, words
from mailkit.sandbox.identity.google_apps import GoogleApp, ServiceAccount
from mailkit.sandbox.identity.google_delegation import judged
from mailkit.sandbox.identity.google_words import (
    PAGE_STATUS,
    Refusal,
    known_scope,
    long_scopes,
    ordered,
    refresh_refusal,
)
from mailkit.sandbox.identity.jwt import unsigned
from mailkit.sandbox.identity.ledger import Code, Ledger, RefreshToken
from mailkit.sandbox.identity.people import Grant, Person
from mailkit.sandbox.identity.provider import Reached, Visit, Visitor
from mailkit.sandbox.mailbox import Mailbox
from mailkit.sandbox.wire import SandboxRequest, SandboxResponse, json_response

__all__ = ["GoogleIdentity"]

_JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer"
_OPERATIONS = {
    "/o/oauth2/v2/auth": "authorize",
    "/o/oauth2/auth": "authorize",
    "/token": "token",
    "/revoke": "revoke",
    "/device/code": "devicecode",
}
_CODE_LIVES = dt.timedelta(minutes=10)
_TESTING_LIVES = dt.timedelta(days=7)  # protocols/oauth2#expiration
_UNUSED_LIVES = dt.timedelta(days=182)  # there, "has not been used for six months"
_OVER = "Token has been expired or revoked."


class GoogleIdentity:
    """Google's half of ``sandbox.identity``.

    ``lifetime`` is how many seconds an access token lives. ``rotates`` lets every refresh bring a new refresh token
    besides the old one, which Google does not do but may. Every Gmail mailbox of the sandbox has its person.
    """

    hosts: tuple[str, ...] = ("accounts.google.com", "oauth2.googleapis.com")

    def __init__(self, now: Callable[[], dt.datetime], boxes: Callable[[], Iterable[Mailbox]]) -> None:
        self.lifetime = 3599
        self.rotates = False
        self.faults: FaultScript = FaultScript()
        self._now = now
        self._boxes = boxes
        self._ledger = Ledger("google", now)
        self._people: dict[str, Person] = {}
        self._apps: dict[str, GoogleApp] = {}
        self._service_accounts: dict[str, ServiceAccount] = {}

    # -- the test's side ---------------------------------------------------------------------------------------------

    def person(self, address: str) -> Person:
        """Give the person with this address; one nobody knew before gets an account."""
        box = self._box(address)
        made = Person(address, now=self._now) if box is None else Person(box.address, now=self._now, name=box.name)
        return self._people.setdefault(address.lower(), made)

    def app(
        self,
        client_id: str,
        *,
        secret: str = "GOCSPX-sandbox",  # noqa: S107  # a desktop client's secret is none, and this one is made up
        kind: Literal["desktop", "web"] = "desktop",
        redirects: Collection[str] = (),
        testers: Collection[str] | None = None,
        organisation: str | None = None,
    ) -> GoogleApp:
        """Register an OAuth client; see ``GoogleApp``."""
        app = GoogleApp(
            client_id=client_id,
            secret=secret,
            kind=kind,
            redirects=redirects,
            testers=testers,
            organisation=organisation,
        )
        self._apps[client_id] = app
        return app

    def service_account(
        self, address: str, *, domain: str | None = None, scopes: Collection[str] = ()
    ) -> ServiceAccount:
        """Make a service account; ``domain`` and ``scopes`` are its delegation."""
        account = ServiceAccount.made(address, domain=domain, scopes=scopes)
        self._service_accounts[address] = account
        return account

    def script(self, *faults: Fault) -> None:
        """Let the next requests that fit go wrong; operations are ``authorize token revoke devicecode``."""
        for fault in faults:
            self.faults.add(fault)

    # -- the sandbox's side ------------------------------------------------------------------------------------------

    def serves(self, path: str) -> bool:
        """Say whether ``path`` is one of these endpoints."""
        return path in _OPERATIONS

    def operation(self, request: SandboxRequest) -> str | None:
        """Name the endpoint."""
        return _OPERATIONS.get(request.path)

    def refuse(self, status: int, reason: str | None = None, message: str | None = None) -> SandboxResponse:
        """Word an error of the token endpoint."""
        usual = {429: "rate_limit_exceeded", 500: "internal_failure", 503: "backend_error"}
        error = reason or usual.get(status, "invalid_request" if status < 500 else "internal_failure")
        return json_response({"error": error, "error_description": message or "Bad Request"}, status)

    def answer(self, request: SandboxRequest) -> SandboxResponse:
        """Answer one request; the sign-in page is opened by a person who agrees."""
        operation = self.operation(request)
        if operation == "authorize" and request.method == "GET":
            return self.authorise(request.url, Visitor()).response
        if operation in (None, "authorize") or request.method != "POST":
            return SandboxResponse(status=404)
        form = read_form(request)
        try:
            if operation == "token":
                return json_response(self._token(form))
            if operation == "revoke":
                self._revoke(form.get("token") or dict(request.query).get("token", ""))
                return json_response({})
            raise self._no_device(form)
        except Refusal as refusal:
            return refusal.response

    def reach(self, request: SandboxRequest) -> Reached | None:
        """Find the mailbox of the request's token: the person's own."""
        token = self._ledger.access_tokens.get(request.token or "")
        if token is None or token.expires_at <= self._now() or token.grant.ended == "withdrawn":
            return None
        box = None if token.grant.person is None else self._box(token.grant.person.address)
        if box is None:  # a service account for itself, a person without Gmail
            return Reached(refusal=(400, "failedPrecondition", None))
        return Reached(box=box, scopes=token.scopes)

    # -- the sign-in page --------------------------------------------------------------------------------------------

    def authorise(self, url: str, visitor: Visitor) -> Visit:
        """Show the page to a person. Errors stay on the page; only the person's own answer is sent to the program.

        Source: developers.google.com/identity/protocols/oauth2/native-app, "Authorization errors".
        """
        asked = query_of(url)
        app = self._apps.get(asked.get("client_id", ""))
        if app is None:
            return _page("invalid_client")
        redirect_uri = asked.get("redirect_uri", "")
        if not app.allows(redirect_uri):
            return _page(
                "invalid_request" if redirect_uri.startswith("urn:ietf:wg:oauth:2.0:oob") else "redirect_uri_mismatch"
            )
        scopes = words(asked.get("scope", ""))
        method = asked.get("code_challenge_method", "plain")
        if asked.get("response_type") != "code" or not scopes or method not in ("plain", "S256"):
            return _page("invalid_request")
        if not all(map(known_scope, scopes)):
            return _page("invalid_scope")
        person = self._visiting(visitor.account or asked.get("login_hint"))
        if person is None:
            return Visit()  # the page that asks for an account
        blocked = self._blocked(app, person)
        if blocked is not None:
            return _page(blocked)
        back = {"state": asked.get("state")}
        if not visitor.agrees:
            return Visit(redirect=redirect_to(redirect_uri, {"error": "access_denied", **back}), error="access_denied")
        ticked = scopes if visitor.scopes is None else [scope for scope in scopes if scope in visitor.scopes]
        known = person.consents.get(app.client_id)
        granted = long_scopes(ticked)
        if asked.get("include_granted_scopes") == "true":
            granted |= known or frozenset()
        until = None if app.testers is None else self._now() + _TESTING_LIVES
        code = Code(
            grant=person.let_in(app.client_id, ordered(granted), until=until),
            redirect_uri=redirect_uri,
            challenge=asked.get("code_challenge"),
            method=method,
            nonce=asked.get("nonce"),
            # A refresh token comes with the first consent, and again only where consent is asked for anew.
            offline=asked.get("access_type") == "offline"
            and (known is None or "consent" in words(asked.get("prompt", ""))),
            expires_at=self._now() + _CODE_LIVES,
        )
        short = tuple(name for name in ("email", "profile") if any(f"userinfo.{name}" in scope for scope in granted))
        answer = {
            **back,
            "iss": "https://accounts.google.com",
            "code": self._ledger.add_code("4/0A", code),
            "scope": " ".join((*short, *ordered(granted))),
            "authuser": "0",
            "prompt": "consent",
        }
        return Visit(redirect=redirect_to(redirect_uri, answer))

    def _visiting(self, account: str | None) -> Person | None:
        addresses = {box.address.lower() for box in self._boxes()} | set(self._people)
        if account is None and len(addresses) == 1:
            account = next(iter(addresses))
        return self.person(account) if account is not None and account.lower() in addresses else None

    def _blocked(self, app: GoogleApp, person: Person) -> str | None:
        if app.organisation is not None and person.domain != app.organisation.lower():
            return "org_internal"
        if app.testers is not None and person.address.lower() not in map(str.lower, app.testers):
            return "access_denied"
        rule = person.refusal("sign_in")
        return None if rule is None else str(rule)

    # -- the token endpoint ------------------------------------------------------------------------------------------

    def _token(self, form: Mapping[str, str]) -> Mapping[str, object]:
        match form.get("grant_type"):
            case None | "":
                raise Refusal("invalid_request", "Required parameter is missing: grant_type")
            case "authorization_code":
                return self._redeem(self._client(form), form)
            case "refresh_token":
                return self._refresh(self._client(form), form)
            case grant_type if grant_type == _JWT_BEARER:
                return self._assert(form.get("assertion", ""))
            case grant_type:
                raise Refusal("unsupported_grant_type", f"Invalid grant_type: {grant_type}")

    def _client(self, form: Mapping[str, str]) -> GoogleApp:
        if "client_id" not in form:
            raise Refusal("invalid_request", "Could not determine client ID from request.")
        app = self._apps.get(form["client_id"])
        if app is None:
            raise Refusal("invalid_client", "The OAuth client was not found.")
        if "client_secret" not in form:
            raise Refusal("invalid_request", "client_secret is missing.")
        if form["client_secret"] != app.secret:
            raise Refusal("invalid_client", "The provided client secret is invalid.")
        return app

    def _redeem(self, app: GoogleApp, form: Mapping[str, str]) -> Mapping[str, object]:
        code = self._ledger.codes.get(form.get("code", ""))
        if code is None:
            raise Refusal("invalid_grant", "Malformed auth code.")
        if code.grant.client_id != app.client_id:
            raise Refusal("unauthorized_client", "Unauthorized")
        if code.redirect_uri != form.get("redirect_uri"):
            raise Refusal("redirect_uri_mismatch", "Bad Request")
        if code.spent or code.expires_at <= self._now() or code.grant.ended:
            raise Refusal("invalid_grant", "Bad Request")
        if code.challenge is not None:
            verifier = form.get("code_verifier")
            if not verifier:
                raise Refusal("invalid_grant", "Missing code verifier.")
            if not proves(verifier, code.challenge, code.method):
                raise Refusal("invalid_grant", "Invalid code verifier.")
        code.spent = True
        refresh = self._ledger.add_refresh_token("1//0", code.grant) if code.offline else None
        return self._tokens(code.grant, frozenset(code.grant.scopes), refresh, code.nonce)

    def _refresh(self, app: GoogleApp, form: Mapping[str, str]) -> Mapping[str, object]:
        held = self._ledger.refresh_tokens.get(form.get("refresh_token", ""))
        if held is None:
            raise Refusal("invalid_grant", "Bad Request")
        if held.grant.client_id != app.client_id:
            raise Refusal("unauthorized_client", "Unauthorized")
        if self._is_over(held):
            raise Refusal("invalid_grant", _OVER)
        rule = None if held.grant.person is None else held.grant.person.refusal("refresh")
        if rule is not None:
            raise refresh_refusal(str(rule))
        scopes = long_scopes(words(form.get("scope", ""))) or frozenset(held.grant.scopes)
        if not scopes <= set(held.grant.scopes):
            raise Refusal("invalid_scope", "Bad Request")
        held.grant.used = self._now()
        refresh = self._ledger.add_refresh_token("1//0", held.grant) if self.rotates else None
        return self._tokens(held.grant, scopes, refresh)

    def _is_over(self, held: RefreshToken) -> bool:
        grant, now = held.grant, self._now()
        # A new password ends only what may see mail: protocols/oauth2#expiration.
        mail = any("/auth/gmail." in scope or scope == "https://mail.google.com/" for scope in grant.scopes)
        return (
            grant.ended == "withdrawn"
            or (grant.ended == "password" and mail)
            or (grant.until is not None and grant.until <= now)
            or grant.used + _UNUSED_LIVES <= now
        )

    def _tokens(
        self, grant: Grant, scopes: frozenset[str], refresh: str | None = None, nonce: str | None = None
    ) -> Mapping[str, object]:
        answer: dict[str, object] = {
            "access_token": self._ledger.add_access_token("ya29.a0", grant, scopes, self.lifetime),
            "expires_in": self.lifetime,
        }
        if refresh is not None:
            answer["refresh_token"] = refresh
            if grant.until is not None:
                answer["refresh_token_expires_in"] = round((grant.until - self._now()).total_seconds())
        answer |= {"scope": " ".join(ordered(scopes)), "token_type": "Bearer"}
        if grant.person is not None and "openid" in scopes:
            answer["id_token"] = unsigned(self._claims(grant, grant.person, scopes, nonce))
        return answer

    def _claims(self, grant: Grant, person: Person, scopes: frozenset[str], nonce: str | None) -> dict[str, object]:
        issued = int(self._now().timestamp())
        claims: dict[str, object] = {
            "iss": "https://accounts.google.com",
            "azp": grant.client_id,
            "aud": grant.client_id,
            "sub": _number(person.address),
            "iat": issued,
            "exp": issued + 3600,
        }
        if any("userinfo.email" in scope for scope in scopes):
            claims |= {"email": person.address, "email_verified": True}
        if any("userinfo.profile" in scope for scope in scopes):
            claims["name"] = person.name
        return claims | ({} if nonce is None else {"nonce": nonce})

    def _assert(self, assertion: str) -> Mapping[str, object]:
        claim = judged(assertion, self._service_accounts, self._now())
        person = None if claim.subject is None else self._visiting(claim.subject)
        if claim.subject is not None and person is None:
            raise Refusal("invalid_grant", "Invalid email or User ID")
        now = self._now()
        grant = Grant(client_id=claim.account.address, person=person, scopes=ordered(claim.scopes), made=now, used=now)
        token = self._ledger.add_access_token("ya29.c0", grant, claim.scopes, self.lifetime)
        return {"access_token": token, "expires_in": self.lifetime, "token_type": "Bearer"}

    # -- the others --------------------------------------------------------------------------------------------------

    def _revoke(self, token: str) -> None:
        held = self._ledger.refresh_tokens.get(token) or self._ledger.access_tokens.get(token)
        if held is None or held.grant.ended or held.grant.person is None:
            raise Refusal("invalid_token", "Token expired or revoked")
        held.grant.person.withdraw(held.grant.client_id)

    def _no_device(self, form: Mapping[str, str]) -> Refusal:
        """Say why there is no device code: Gmail's scopes are not on that flow's list, nor are these client types.

        Source: developers.google.com/identity/protocols/oauth2/limited-input-device, "Allowed scopes".
        """
        if form.get("client_id") not in self._apps:
            return Refusal("invalid_client", "The OAuth client was not found.")
        wrong = [scope for scope in words(form.get("scope", "")) if "/auth/" in scope or "mail.google" in scope]
        if wrong:
            return Refusal("invalid_scope", f"Invalid device flow scope: {wrong[0]}")
        return Refusal("invalid_client", "Invalid client type.")

    def _box(self, address: str) -> Mailbox | None:
        return next((box for box in self._boxes() if box.address.lower() == address.lower()), None)


def _page(error: str) -> Visit:
    return Visit(status=PAGE_STATUS.get(error, 400), error=error)


def _number(address: str) -> str:
    """Give the number an account has at Google, 21 digits."""
    digest = hashlib.blake2s(address.lower().encode(), digest_size=8).digest()
    return f"1{int.from_bytes(digest):020d}"
