"""Other people's code at the edges: whatever it does concerns its own account and leaves the rest standing."""

from __future__ import annotations

import datetime as dt
import sys
from collections.abc import Callable

import pytest

from mailkit import AccessToken, Account, AsyncMailClient, ConfigurationError, MailClient, SignInRequired
from mailkit.sandbox import Mail, Sandbox
from mailkit.testing import sandbox_account, sandbox_accounts
from mailkit.values import HttpRequest, HttpResponse

pytestmark = pytest.mark.anyio


def naive() -> AccessToken:
    return AccessToken(value="t", expires_at=dt.datetime(2027, 1, 1))  # noqa: DTZ001  # what is tested


class SyncSource:
    def token(self, *, stale: str | None = None) -> AccessToken:
        return AccessToken(value="t")


class TextSource:
    async def token(self, *, stale: str | None = None) -> str:
        return "t"


class BrokenTransport:
    async def send(self, request: HttpRequest) -> HttpResponse:
        raise KeyError("no route")

    async def aclose(self) -> None:
        pass


def ends(error: type[BaseException]) -> Callable[[], str]:
    def give() -> str:
        raise error

    return give


def healthy() -> tuple[Sandbox, Account]:
    sandbox = Sandbox()
    box = sandbox.microsoft("ann@contoso.example")
    box.add(Mail(subject="Hello"))
    return sandbox, sandbox_account(sandbox, box, name="work")


@pytest.mark.parametrize(
    ("token", "error"),
    [
        (naive, ConfigurationError),
        (SyncSource(), ConfigurationError),
        (TextSource(), ConfigurationError),
        (lambda: AccessToken(value="tökén"), ConfigurationError),
        ("ya29.…", ConfigurationError),
        ("two words", ConfigurationError),
        ("nul\x00", ConfigurationError),
        (ends(SystemExit), SignInRequired),
        (ends(KeyboardInterrupt), SignInRequired),
        (ends(GeneratorExit), SignInRequired),
        (ends(ZeroDivisionError), ConfigurationError),
    ],
)
async def test_a_token_that_cannot_be_one_fails_its_account_alone_and_at_once(token: object, error: type) -> None:
    sandbox, work = healthy()
    home = Account(name="home", provider="google", token=token, transport=work.transport)
    async with AsyncMailClient([home, work], clock=sandbox.clock) as mail:
        found = await mail.search("")
    assert [row.account for row in found] == ["work"]
    (failure,) = found.failures
    assert (failure.account, type(failure.error), failure.error.account) == ("home", error, "home")
    assert not failure.error.retryable
    assert "tökén" not in repr(failure.error)
    assert sandbox.clock.monotonic() == 0


async def test_white_space_around_a_token_is_what_files_leave() -> None:
    sandbox, work = healthy()
    account = Account(name="work", provider="microsoft", token=f"{work.token}\n", transport=work.transport)
    async with AsyncMailClient([account], clock=sandbox.clock) as mail:
        assert len(await mail.search("")) == 1


async def test_a_transport_that_raises_what_it_must_not_fails_its_account_alone() -> None:
    sandbox, work = healthy()
    home = Account(name="home", provider="google", token="t", transport=BrokenTransport())
    async with AsyncMailClient([home, work], clock=sandbox.clock) as mail:
        found = await mail.search("")
    assert [row.account for row in found] == ["work"]
    assert isinstance(found.failures[0].error, ConfigurationError)
    assert "KeyError" in str(found.failures[0].error)


def test_a_callable_that_wants_to_end_the_program_leaves_every_sync_client_alive() -> None:
    sandbox = Sandbox()
    box = sandbox.google("ann@example.com")
    ending = Account(name="a", provider="google", token=lambda: sys.exit(3))
    with MailClient([ending]) as broken, pytest.raises(SignInRequired):
        broken.search("")
    with MailClient(sandbox_accounts(sandbox, home=box)) as mail:
        assert len(mail.search("")) == 0


def test_async_code_that_wants_to_end_the_program_leaves_the_event_loop_alive() -> None:
    async def ending() -> str:
        sys.exit(3)

    with MailClient([Account(name="a", provider="google", token=ending)]) as broken, pytest.raises(SignInRequired):
        broken.search("")
    sandbox = Sandbox()
    with MailClient(sandbox_accounts(sandbox, home=sandbox.google("ann@example.com"))) as mail:
        assert len(mail.search("")) == 0
