"""Google's sign-in service: the two requests of a first sign-in; renewing and signing through google-auth.

The addresses and requests are pure; ``refresh`` and ``delegated`` block and belong in a worker thread. The flow around
them is ``signin``'s.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Protocol
from urllib.parse import quote, urlencode

from mailkit.accounts.grant import Grant
from mailkit.accounts.token_answer import refused
from mailkit.accounts.token_http import GoogleHttp, form_request
from mailkit.errors import ConfigurationError, MailkitError, Unavailable
from mailkit.values import HttpRequest, Transport

__all__ = ["authorise_url", "delegated", "exchange_request", "refresh"]

# https://developers.google.com/identity/protocols/oauth2/native-app
_AUTHORISE_URL = "https://accounts.google.com/o/oauth2/v2/auth"
_TOKEN_URL = "https://oauth2.googleapis.com/token"  # noqa: S105  # an address, no secret


def authorise_url(
    *,
    client_id: str,
    scopes: Iterable[str],
    redirect_uri: str,
    state: str,
    challenge: str,
    login_hint: str | None = None,
) -> str:
    """Give the page that asks the person; ``challenge`` is PKCE's, by SHA-256."""
    query = {
        "response_type": "code",
        "client_id": client_id,
        "redirect_uri": redirect_uri,
        "scope": " ".join(sorted(scopes)),
        "state": state,
        "code_challenge": challenge,
        "code_challenge_method": "S256",
        # Both are needed for a refresh token whenever the person has agreed before:
        # https://developers.google.com/identity/protocols/oauth2/web-server#offline
        "access_type": "offline",
        "prompt": "consent",
    }
    if login_hint:
        query["login_hint"] = login_hint
    return f"{_AUTHORISE_URL}?{urlencode(query, quote_via=quote)}"


def exchange_request(
    *, client_id: str, client_secret: str | None, code: str, verifier: str, redirect_uri: str
) -> HttpRequest:
    """Make the request that turns a code into tokens."""
    return form_request(
        _TOKEN_URL,
        {
            "grant_type": "authorization_code",
            "client_id": client_id,
            "client_secret": client_secret,
            "code": code,
            "code_verifier": verifier,
            "redirect_uri": redirect_uri,
        },
    )


def refresh(grant: Grant, *, transport: Transport, account: str, now: dt.datetime) -> Mapping[str, object]:
    """Renew: asks for exactly the granted scopes; gives the service's own answer.

    Raises:
        MailkitError: no tokens, and why.
    """
    from google.oauth2.credentials import Credentials

    credentials = Credentials(
        None,
        refresh_token=grant.refresh_token,
        token_uri=_TOKEN_URL,
        client_id=grant.client_id,
        client_secret=grant.client_secret,
        scopes=sorted(grant.scopes),
    )
    age = None if grant.granted_at is None else now - grant.granted_at
    return _answer(credentials, transport=transport, account=account, grant_age=age)


def delegated(
    key_file: Path, *, subject: str, scopes: Iterable[str], transport: Transport, account: str
) -> Mapping[str, object]:
    """Let a service account act for a person of its domain: signs, asks, and gives the service's own answer.

    Raises:
        MailkitError: no token, and why.
    """
    from google.oauth2.service_account import Credentials

    try:
        credentials = Credentials.from_service_account_file(str(key_file), scopes=sorted(scopes), subject=subject)
    except (OSError, ValueError) as error:
        raise ConfigurationError(
            f"the key of the service account cannot be used ({type(error).__name__}); download it again "
            "(Google Cloud console, IAM, Service accounts, Keys) and check the path",
            file=str(key_file),
            account=account,
            code="google_file",
        ) from None
    return _answer(credentials, transport=transport, account=account)


class _Credentials(Protocol):
    """The part of ``google.auth.credentials.Credentials`` that is used."""

    def refresh(self, request: object, /) -> None: ...


def _answer(
    credentials: _Credentials, *, transport: Transport, account: str, grant_age: dt.timedelta | None = None
) -> Mapping[str, object]:
    http = GoogleHttp(transport)
    try:
        credentials.refresh(http)
    except MailkitError as error:
        error.account = error.account or account
        raise
    except Exception as error:  # noqa: BLE001  # an answer that is nonsense makes google-auth fail anyhow
        # Its text may quote the answer, so it goes no further.
        if http.last is None or "error" not in (answer := http.last.json()):
            raise Unavailable(
                f"the answers of Google's token service make no sense ({type(error).__name__}); try again later",
                account=account,
            ) from None
        raise refused("google", answer, account=account, grant_age=grant_age, status=http.last.status) from None
    assert http.last is not None  # noqa: S101  # a refresh that succeeded has asked
    return http.last.json()
