"""Entra ID's token endpoint: codes, device codes, refresh tokens and secrets become access tokens.

Responsible for what each grant type asks and gives. Raises ``Refusal``; it neither reads nor writes HTTP.
Sources: learn.microsoft.com/entra/identity-platform/v2-oauth2-auth-code-flow, /v2-oauth2-device-code,
/v2-oauth2-client-creds-grant-flow, /refresh-tokens (lifetimes, rotation).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping

import attrs

from mailkit.sandbox.identity.forms import proves, registered, words
from mailkit.sandbox.identity.jwt import unsigned
from mailkit.sandbox.identity.ledger import RefreshToken
from mailkit.sandbox.identity.microsoft_apps import MicrosoftApp
from mailkit.sandbox.identity.microsoft_directory import Authority, Directory, resource_scopes, short_scope
from mailkit.sandbox.identity.microsoft_words import Refusal
from mailkit.sandbox.identity.people import Grant, Person
from mailkit.sandbox.microsoft.ids import guid

__all__ = ["Form", "TokenEndpoint"]

Form = Mapping[str, str]

_UNUSED_LIVES = dt.timedelta(days=90)
_ISSUER = "https://login.microsoftonline.com"


@attrs.frozen(kw_only=True)
class TokenEndpoint:
    """The endpoint; its settings are those of ``MicrosoftIdentity``."""

    directory: Directory
    lifetime: int
    single_use: bool
    device_expired: int

    def answer(self, authority: Authority, form: Form) -> dict[str, object]:
        """Answer a form; raises Refusal."""
        for parameter in ("grant_type", "client_id"):
            if not form.get(parameter):
                raise Refusal(900144, {"parameter": parameter})
        app = self.directory.app_in(form["client_id"], authority)
        match form["grant_type"]:
            case "authorization_code":
                return self._redeem(app, form)
            case "refresh_token":
                return self._refresh(app, authority, form)
            case "device_code" | "urn:ietf:params:oauth:grant-type:device_code":
                return self._poll(app, form)
            case "client_credentials":
                return self._act_alone(app, authority, form)
            case grant_type:
                raise Refusal(70003, {"grant_type": grant_type})

    # -- grant types -------------------------------------------------------------------------------------------------

    def _redeem(self, app: MicrosoftApp, form: Form) -> dict[str, object]:
        code = self.directory.ledger.codes.get(form.get("code", ""))
        if code is None or code.grant.client_id != app.client_id:
            raise Refusal(70000)
        redirect_uri = form.get("redirect_uri", "")
        if redirect_uri != code.redirect_uri:
            raise Refusal(50011, {"redirect_uri": redirect_uri, "client_id": app.client_id}, "invalid_grant")
        # The platform of the redirect says whether the app can keep a secret.
        if registered(redirect_uri, app.web_redirects):
            _check_secret(app, form)
        elif "client_secret" in form:
            raise Refusal(700025)
        if code.spent:
            raise Refusal(54005)
        if code.expires_at <= self.directory.now():
            raise Refusal(70008)
        if code.challenge is not None and not proves(form.get("code_verifier", ""), code.challenge, code.method):
            raise Refusal(501481)
        code.spent = True
        return self._tokens(code.grant, form, words(form.get("scope", "")) or code.grant.scopes, code.nonce)

    def _refresh(self, app: MicrosoftApp, authority: Authority, form: Form) -> dict[str, object]:
        held = self.directory.ledger.refresh_tokens.get(form.get("refresh_token", ""))
        if held is None or held.grant.client_id != app.client_id or held.grant.person is None or held.spent:
            raise Refusal(70000)
        if "client_secret" in form:
            if app.secret is None:
                raise Refusal(700025)
            _check_secret(app, form)
        elif not app.public_flows:
            raise Refusal(7000218)
        self._check_alive(held, held.grant.person)
        self.directory.check(held.grant.person, app, authority, "refresh")
        held.spent = self.single_use
        held.grant.used = self.directory.now()
        return self._tokens(held.grant, form, words(form.get("scope", "")) or held.grant.scopes)

    def _check_alive(self, held: RefreshToken, person: Person) -> None:
        issued = f"{held.issued_at:%Y-%m-%dT%H:%M:%S.0000000Z}"
        if held.grant.ended == "password":
            changed = f"{person.password_changed:%Y-%m-%dT%H:%M:%S.0000000Z}"
            raise Refusal(50173, {"issued": issued, "valid_from": changed})
        if held.issued_at + _UNUSED_LIVES <= self.directory.now():
            raise Refusal(700082, {"issued": issued})

    def _poll(self, app: MicrosoftApp, form: Form) -> dict[str, object]:
        # A public client that sends a secret is told that the secret is wrong, not that there is none to send.
        if "client_secret" in form:
            _check_secret(app, form)
        elif not app.public_flows:
            raise Refusal(7000218)
        text = form.get("device_code") or form.get("code", "")
        device = self.directory.devices.get(text)
        if device is None or device.app is not app:
            raise Refusal(70018)
        now = self.directory.now()
        if device.expires_at <= now:
            raise Refusal(self.device_expired)
        # RFC 8628 §3.5. Entra ID's own page does not list it, yet clients must take it.
        early = device.polled_at is not None and (now - device.polled_at).total_seconds() < device.interval
        device.polled_at = now
        if early:
            device.interval += 5
            raise Refusal(70016, error="slow_down")
        if device.outcome is None:
            raise Refusal(70016)
        del self.directory.devices[text]
        if isinstance(device.outcome, Refusal):
            raise device.outcome
        return self._tokens(device.outcome, form, device.scopes)

    def _act_alone(self, app: MicrosoftApp, authority: Authority, form: Form) -> dict[str, object]:
        if authority.tenant is None:
            raise Refusal(50059)
        _check_secret(app, form)
        scope = form.get("scope", "")
        if not scope.endswith("/.default"):
            raise Refusal(1002012, {"scope": scope})
        now = self.directory.now()
        grant = Grant(client_id=app.client_id, person=None, scopes=tuple(app.roles), made=now, used=now)
        return self._access(grant, frozenset(app.roles))

    # -- what is handed out ------------------------------------------------------------------------------------------

    def _tokens(self, grant: Grant, form: Form, asked: Iterable[str], nonce: str | None = None) -> dict[str, object]:
        person = grant.person
        if person is None:
            raise Refusal(70000)
        asked = tuple(asked)
        # A token carries all that the person has agreed to for this app, whatever part of it is asked for.
        agreed = resource_scopes(person.consents.get(grant.client_id, ()))
        if not agreed or not resource_scopes(asked) - {".default"} <= agreed:
            raise Refusal(65001, {"client_id": grant.client_id})
        long = next((scope.removesuffix(short_scope(scope)) for scope in asked if scope.startswith("https://")), "")
        about = [scope for scope in ("profile", "openid", "email") if scope in asked]
        answer = {
            "scope": " ".join((*(long + scope for scope in sorted(agreed)), *about)),
            **self._access(grant, agreed),
        }
        if "offline_access" in grant.scopes:
            answer["refresh_token"] = self.directory.ledger.add_refresh_token("1.A", grant)
        if "openid" in asked:
            answer["id_token"] = unsigned(self._claims(grant, person, nonce))
        if form.get("client_info") == "1":
            answer["client_info"] = self.directory.client_info(person)
        return answer

    def _access(self, grant: Grant, scopes: frozenset[str]) -> dict[str, object]:
        token = self.directory.ledger.add_access_token("EwB", grant, scopes, self.lifetime)
        return {
            "token_type": "Bearer",
            "expires_in": self.lifetime,
            "ext_expires_in": self.lifetime,
            "access_token": token,
        }

    def _claims(self, grant: Grant, person: Person, nonce: str | None) -> dict[str, object]:
        tenant, issued = self.directory.tenant_of(person).id, int(self.directory.now().timestamp())
        claims: dict[str, object] = {
            "aud": grant.client_id,
            "iss": f"{_ISSUER}/{tenant}/v2.0",
            "iat": issued,
            "nbf": issued,
            "exp": issued + 3600,
            "name": person.name,
            "oid": guid(person.address),
            "preferred_username": person.address,
            "sub": guid("subject", grant.client_id, person.address),
            "tid": tenant,
            "ver": "2.0",
        }
        return claims | ({} if nonce is None else {"nonce": nonce})


def _check_secret(app: MicrosoftApp, form: Form) -> None:
    if "client_secret" not in form:
        raise Refusal(7000218)
    if app.secret is None or form["client_secret"] != app.secret:
        raise Refusal(7000215, {"client_id": app.client_id})
    if app.secret_expired:
        raise Refusal(7000222, {"client_id": app.client_id})
