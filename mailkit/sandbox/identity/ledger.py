"""What a provider has handed out: authorisation codes, refresh tokens, access tokens, each with its end.

Responsible for making them and finding them again. Whether one is still good is for the provider to say.
"""

from __future__ import annotations

import base64
import datetime as dt
import hashlib
import itertools
from collections.abc import Callable

import attrs

from mailkit.sandbox.identity.people import Grant

__all__ = ["Code", "IssuedToken", "Ledger", "RefreshToken"]


@attrs.define(kw_only=True, eq=False)
class Code:
    """An authorisation code and what it was asked with."""

    grant: Grant
    redirect_uri: str
    challenge: str | None
    method: str
    nonce: str | None
    offline: bool
    expires_at: dt.datetime
    spent: bool = False


@attrs.define(kw_only=True, eq=False)
class RefreshToken:
    """A refresh token; several may stand for one grant."""

    grant: Grant
    issued_at: dt.datetime
    spent: bool = False


@attrs.frozen(kw_only=True, eq=False)
class IssuedToken:
    """An access token: what it stands for, what it may do, until when."""

    grant: Grant
    scopes: frozenset[str]
    expires_at: dt.datetime


class Ledger:
    """Every code and token of one provider, by its text. Texts say nothing and are the same in every run."""

    def __init__(self, provider: str, now: Callable[[], dt.datetime]) -> None:
        self.codes: dict[str, Code] = {}
        self.refresh_tokens: dict[str, RefreshToken] = {}
        self.access_tokens: dict[str, IssuedToken] = {}
        self._provider = provider
        self._now = now
        self._numbers = itertools.count(1)

    def word(self, prefix: str) -> str:
        """Make a text nobody could guess, after ``prefix``."""
        made = hashlib.blake2b(f"{self._provider} {prefix} {next(self._numbers)}".encode(), digest_size=48).digest()
        return prefix + base64.urlsafe_b64encode(made).decode()

    def add_code(self, prefix: str, code: Code) -> str:
        """Hand out an authorisation code."""
        text = self.word(prefix)
        self.codes[text] = code
        return text

    def add_refresh_token(self, prefix: str, grant: Grant) -> str:
        """Hand out a refresh token."""
        text = self.word(prefix)
        self.refresh_tokens[text] = RefreshToken(grant=grant, issued_at=self._now())
        return text

    def add_access_token(self, prefix: str, grant: Grant, scopes: frozenset[str], seconds: float) -> str:
        """Hand out an access token that lives ``seconds``."""
        text = self.word(prefix)
        expires_at = self._now() + dt.timedelta(seconds=seconds)
        self.access_tokens[text] = IssuedToken(grant=grant, scopes=scopes, expires_at=expires_at)
        return text
