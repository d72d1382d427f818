"""What a program's type checker sees: never run, read by mypy and pyright (``nox -s types``)."""

# pyright: strict

from __future__ import annotations

import datetime as dt
from typing import assert_type

from mailkit.errors import AccountsFailed, MailkitError, RateLimited
from mailkit.models.mail import Message, MessageSummary
from mailkit.models.outcomes import Failure, Note, Outcome
from mailkit.models.results import Results
from mailkit.values import AccessToken, Account, Address, Ref, TokenSource


class VaultToken:
    """A token source of the program's own."""

    async def token(self, *, stale: str | None = None) -> AccessToken:
        return AccessToken(value="x", expires_at=dt.datetime.now(dt.UTC))


source: TokenSource = VaultToken()

Account(name="home", provider="google", token="x", aliases=["ann@example.com"], scopes={"gmail.readonly"})
Account(name="work", provider="microsoft", token=source)
Account(name="vault", provider="google", token=lambda: "x")
assert_type(Ref.parse("mk1:home:message:1:0").account, str)


def rows(found: Results[MessageSummary]) -> None:
    for row in found:
        assert_type(row, MessageSummary)
        assert_type(row.from_, Address | None)
        assert_type(row.date, dt.datetime)
        assert_type(row.has_attachments, bool | None)
    assert_type(found[0], MessageSummary)
    assert_type(found.failures, tuple[Failure, ...])
    assert_type(found.notes, tuple[Note, ...])
    assert_type(found.cursor, str | None)
    try:
        found.raise_for_failures()
    except AccountsFailed as group:
        assert_type(group.errors, tuple[MailkitError, ...])
    except RateLimited as error:
        assert_type(error.retry_after, float | None)


def one_of_many(outcome: Outcome[Message]) -> None:
    assert_type(outcome.unwrap(), Message)
    assert_type(outcome.value, Message | None)
