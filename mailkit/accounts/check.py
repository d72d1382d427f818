"""Whether an account would work now, looked at from every side, each finding with what to do about it.

Asks the provider three times at most and changes nothing. Its findings name no token; an address stands in its own
field and in no text.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Awaitable, Callable
from email.utils import parsedate_to_datetime
from typing import Literal, TypeAlias, TypeVar

import anyio.to_thread
import attrs

from mailkit.accounts.registry import PROVIDERS
from mailkit.accounts.scopes import features_of
from mailkit.accounts.settings import Settings
from mailkit.accounts.stores import TokenStore
from mailkit.errors import MailkitError, ProviderError, SignInRequired, TimedOut, TransportError
from mailkit.models.records import Record
from mailkit.providers.base import MailDriver
from mailkit.transport.user_agent import user_agent
from mailkit.values import AccessToken, Account, Clock, HttpRequest, TokenSource, Transport

__all__ = ["AccountCheck", "Finding", "check_account"]

T = TypeVar("T")

Subject: TypeAlias = Literal["reachable", "clock", "token", "features", "address"]

# The sign-in services accept proofs that are off by this much, and so do we before we say so.
_CLOCK_SECONDS = 120.0


@attrs.frozen(kw_only=True)
class Finding(Record):
    """One thing that was looked at. ``ok`` is None where it could not be; ``remedy`` says what to do, where need be."""

    subject: Subject
    ok: bool | None
    text: str
    remedy: str | None = None


@attrs.frozen(kw_only=True)
class AccountCheck(Record):
    """What ``Accounts.check`` found, in the order it was looked at.

    ``features`` are those granted (None: not known), ``address`` is whose mailbox it is, ``clock_off`` how many
    seconds this machine's clock is ahead of the provider's. ``str(check)`` is one line per finding.
    """

    account: str
    findings: tuple[Finding, ...]
    features: frozenset[str] | None = None
    address: str | None = attrs.field(default=None, repr=False)
    clock_off: float | None = None

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return all(finding.ok is not False for finding in self.findings)

    def __str__(self) -> str:
        marks = {True: "ok  ", False: "FAIL", None: "?   "}
        return "\n".join(
            f"{marks[each.ok]} {each.subject:9}  {each.text}{f'; {each.remedy}' if each.remedy else ''}"
            for each in self.findings
        )


async def check_account(
    account: Account, *, tokens: TokenSource, driver: MailDriver, transport: Transport, clock: Clock, deadline: float
) -> AccountCheck:
    """Look at one account; what goes wrong is a finding and no error.

    ``driver`` is one that does not know the address; ``deadline`` is in seconds for each question.
    """

    async def asked(work: Callable[[], Awaitable[T]]) -> T | MailkitError:
        answer: T | MailkitError = TimedOut("no answer in time; try again later")
        with clock.deadline(deadline):
            try:
                answer = await work()
            except MailkitError as error:
                answer = error
        return answer

    date = await asked(lambda: _date(account, transport))
    off = (clock.now() - date).total_seconds() if isinstance(date, dt.datetime) else None
    token = await asked(tokens.token)
    scopes = await asked(lambda: _scopes(account, token))
    features = features_of(account.provider, scopes) if isinstance(scopes, frozenset) else None
    addresses = await asked(driver.own_addresses) if isinstance(token, AccessToken) else ()
    return AccountCheck(
        account=account.name,
        findings=(
            _reachable(date),
            _clock(off),
            _token(token, clock.now()),
            _features(account, features),
            _address(account, addresses),
        ),
        features=features,
        address=addresses[0] if isinstance(addresses, tuple) and addresses else None,
        clock_off=off,
    )


async def _date(account: Account, transport: Transport) -> dt.datetime | None:
    """Ask without a token: any answer at all will do, and every one says what time it is there."""
    url = account.base_url or PROVIDERS[account.provider].dialect(Settings()).base_url
    response = await transport.send(HttpRequest(method="GET", url=url, headers=(("User-Agent", user_agent()),)))
    await response.aclose()
    try:
        return parsedate_to_datetime(response.headers["date"]).astimezone(dt.UTC)
    except (KeyError, ValueError):
        return None


async def _scopes(account: Account, token: AccessToken | MailkitError) -> frozenset[str] | None:
    if isinstance(token, AccessToken) and token.scopes is not None:
        return token.scopes
    if account.scopes is None and isinstance(account.token, TokenStore):
        grant = await anyio.to_thread.run_sync(account.token.load)
        return grant.scopes if grant else None
    return account.scopes


def _reachable(date: dt.datetime | MailkitError | None) -> Finding:
    if isinstance(date, MailkitError):
        return Finding(subject="reachable", ok=False, text="no answer came", remedy=date.message)
    return Finding(subject="reachable", ok=True, text="the provider answers")


def _clock(off: float | None) -> Finding:
    if off is None:
        return Finding(subject="clock", ok=None, text="the provider did not say what time it is")
    if abs(off) <= _CLOCK_SECONDS:
        return Finding(subject="clock", ok=True, text="this machine's clock is right")
    return Finding(
        subject="clock",
        ok=False,
        text=f"this machine's clock is {abs(off):.0f} seconds {'ahead' if off > 0 else 'behind'}",
        remedy="set it, or have the network set it: a wrong clock makes good tokens look bad",
    )


def _token(token: AccessToken | MailkitError, now: dt.datetime) -> Finding:
    if isinstance(token, MailkitError):
        return Finding(subject="token", ok=False, text="there is no token", remedy=token.message)
    lasts = f", good for {(token.expires_at - now).total_seconds() / 60:.0f} minutes" if token.expires_at else ""
    return Finding(subject="token", ok=True, text=f"there is a token{lasts}")


def _features(account: Account, features: frozenset[str] | None) -> Finding:
    if features is None:
        return Finding(subject="features", ok=None, text="what was granted is not known; calls will tell")
    if not features:
        return Finding(
            subject="features",
            ok=False,
            text="nothing was granted that mailkit could use",
            remedy=f'sign in again and agree: mailkit.sign_in("{account.name}")',
        )
    return Finding(subject="features", ok=True, text=f"granted: {', '.join(sorted(features))}")


def _address(account: Account, addresses: tuple[str, ...] | MailkitError) -> Finding:
    if isinstance(addresses, SignInRequired | ProviderError | TransportError):
        return Finding(subject="address", ok=False, text="the mailbox does not answer", remedy=addresses.message)
    if isinstance(addresses, MailkitError) or not addresses:  # not permitted to ask, or nothing to tell it by
        remedy = None if account.address else "name it in the account (address=) if queries with 'me' find nothing"
        return Finding(subject="address", ok=None, text="the mailbox does not tell whose it is", remedy=remedy)
    if account.address and account.address.lower() not in {address.lower() for address in addresses}:
        return Finding(
            subject="address",
            ok=False,
            text="it is another mailbox than the account says",
            remedy=f'sign in with the right one, mailkit.sign_in("{account.name}"), or correct address=',
        )
    return Finding(subject="address", ok=True, text="the mailbox tells whose it is")
