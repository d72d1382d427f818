"""A driver on a sandbox mailbox, and a list read to its end."""

from __future__ import annotations

import datetime as dt
import json
from typing import TypedDict, Unpack
from zoneinfo import ZoneInfo

import httpx

from mailkit.models.mail import MessageSummary
from mailkit.models.notes import Note
from mailkit.providers.base import Listing, MailDriver, Position, Search
from mailkit.providers.google.dialect import GoogleDialect
from mailkit.providers.google.gmail import GmailDriver
from mailkit.providers.microsoft.dialect import GraphDialect
from mailkit.providers.microsoft.mail import OutlookDriver
from mailkit.query.ast import Expr
from mailkit.sandbox import GoogleMailbox, MicrosoftMailbox, Sandbox
from mailkit.transport import Dialect, HttpxTransport, Session
from mailkit.values import AccessToken, Account

UTC = ZoneInfo("UTC")


class FixedToken:
    """The token of one mailbox, never another."""

    def __init__(self, value: str) -> None:
        self._value = value

    async def token(self, *, stale: str | None = None) -> AccessToken:
        return AccessToken(value=self._value)


class RowCount(httpx.AsyncBaseTransport):
    """Counts the messages that lists answered with."""

    def __init__(self, inner: httpx.AsyncBaseTransport) -> None:
        self.rows = 0
        self._inner = inner

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        response = await self._inner.handle_async_request(request)
        if request.url.path.endswith("/messages"):
            self.rows += len(json.loads(await response.aread()).get("value", ()))
        return response


class Options(TypedDict, total=False):
    """What may differ from a plain account: whether it states its address, its scopes, its mailbox, its transport."""

    states_address: bool
    scopes: frozenset[str] | None
    mailbox: str | None
    transport: httpx.AsyncBaseTransport


def outlook(sandbox: Sandbox, box: MicrosoftMailbox, **options: Unpack[Options]) -> OutlookDriver:
    return OutlookDriver(_session(sandbox, box, GraphDialect(), options))


def gmail(sandbox: Sandbox, box: GoogleMailbox, **options: Unpack[Options]) -> GmailDriver:
    return GmailDriver(_session(sandbox, box, GoogleDialect(), options))


def _session(sandbox: Sandbox, box: GoogleMailbox | MicrosoftMailbox, dialect: Dialect, options: Options) -> Session:
    stated = box.own_addresses if options.get("states_address", True) else ()
    account = Account(
        name="work",
        provider="google" if isinstance(box, GoogleMailbox) else "microsoft",
        token=box.token,
        address=stated[0] if stated else None,
        aliases=tuple(stated[1:]),
        scopes=options.get("scopes"),
        mailbox=options.get("mailbox"),
        transport=HttpxTransport(httpx_transport=options.get("transport") or sandbox.transport()),
    )
    return Session(account, dialect=dialect, tokens=FixedToken(box.token), clock=sandbox.clock)


async def found(
    driver: MailDriver,
    expr: Expr,
    *,
    now: dt.datetime,
    tz: ZoneInfo = UTC,
    size: int = 25,
    after: Position | None = None,
    most_steps: int = 1000,
) -> tuple[list[MessageSummary], list[Note]]:
    """Read a list to its end (or ``most_steps`` far): the rows as they came, and the notes."""
    rows: list[MessageSummary] = []
    notes: list[Note] = []
    search = Search(expr=expr, now=now, tz=tz, size=size, after=after)
    listing: Listing | None = await driver.search(search)
    while listing and most_steps:
        most_steps -= 1
        notes += listing.notes
        page = await listing.fetch()
        assert not page.problems
        rows += page.rows
        listing = await listing.next() if listing.next else None
    return rows, notes
