"""Checking an account says what is wrong, one finding at a time, and never raises for it."""

from __future__ import annotations

import datetime as dt
from collections.abc import AsyncIterator, Mapping
from email.utils import format_datetime

import anyio.to_thread
import attrs
import pytest

from mailkit.accounts import Accounts
from mailkit.accounts.check import AccountCheck, Finding
from mailkit.accounts.stores import MemoryStore
from mailkit.errors import ConnectionFailed, UnknownAccount
from mailkit.sandbox import Fault, Mailbox, Sandbox
from mailkit.transport import HttpxTransport
from mailkit.values import Account, HttpRequest, HttpResponse, Provider

pytestmark = pytest.mark.anyio


@attrs.define
class Dated:
    """A ``Transport`` whose answers say what time it is, ``off`` from the sandbox's clock."""

    sandbox: Sandbox
    off: float | None = 0.0

    async def send(self, request: HttpRequest) -> HttpResponse:
        response = await HttpxTransport(httpx_transport=self.sandbox.transport()).send(request)
        headers: dict[str, str] = {} if self.off is None else {"date": self._date()}
        return Answer(response, headers)

    async def aclose(self) -> None: ...

    def _date(self) -> str:
        now = self.sandbox.clock.now() + dt.timedelta(seconds=self.off or 0)
        return format_datetime(now, usegmt=True)


@attrs.define
class Answer:
    inner: HttpResponse
    more: Mapping[str, str]

    @property
    def status(self) -> int:
        return self.inner.status

    @property
    def headers(self) -> Mapping[str, str]:
        return {**{name: text for name, text in self.inner.headers.items() if name != "date"}, **self.more}

    def stream(self) -> AsyncIterator[bytes]:
        return self.inner.stream()

    async def aclose(self) -> None:
        await self.inner.aclose()


def world(provider: Provider = "google", *, off: float | None = 0.0, **account: object) -> tuple[Mailbox, Accounts]:
    sandbox = Sandbox()
    box = sandbox.google("ann@example.com") if provider == "google" else sandbox.microsoft("ann@contoso.example")
    settings: dict[str, object] = {"token": box.token, "transport": Dated(sandbox, off)} | account
    made = Account(name="work", provider=provider, **settings)  # type: ignore[arg-type]
    return box, Accounts([made], clock=sandbox.clock)


def finding(check: AccountCheck, subject: str) -> Finding:
    return next(each for each in check.findings if each.subject == subject)


async def test_an_account_that_works() -> None:
    _, accounts = world(scopes={"gmail.readonly"}, address="Ann@example.com")
    check = await accounts.check_async("work")
    assert check.ok
    assert [each.ok for each in check.findings] == [True] * 5
    assert [each.subject for each in check.findings] == ["reachable", "clock", "token", "features", "address"]
    assert (check.features, check.address, check.clock_off) == (frozenset({"read"}), "ann@example.com", 0)
    assert "ann@" not in str(check) + repr(check)
    assert AccountCheck.from_dict(check.to_dict()) == check


async def test_the_sync_twin_finds_the_same() -> None:
    _, accounts = world()
    assert await anyio.to_thread.run_sync(accounts.check, "work") == await accounts.check_async("work")
    assert Accounts.check.__doc__ == Accounts.check_async.__doc__


async def test_what_is_not_known_is_no_failure() -> None:
    _, accounts = world(off=None)
    check = await accounts.check_async("work")
    assert check.ok
    assert finding(check, "clock").ok is None
    assert finding(check, "features").ok is None
    assert (check.features, check.clock_off) == (None, None)


@pytest.mark.parametrize(("off", "word"), [(3600, "behind"), (-3600, "ahead")])
async def test_a_clock_that_is_off_by_an_hour(off: float, word: str) -> None:
    _, accounts = world(off=off)
    check = await accounts.check_async("work")
    assert check.clock_off == -off
    assert f"3600 seconds {word}" in finding(check, "clock").text
    assert finding(check, "clock").remedy
    assert not check.ok


async def test_an_account_nobody_has_signed_in_to() -> None:
    _, accounts = world(token=MemoryStore())
    check = await accounts.check_async("work")
    assert 'mailkit.sign_in("work")' in str(finding(check, "token").remedy)
    assert finding(check, "reachable").ok
    assert finding(check, "address").ok is None


async def test_a_token_that_is_refused() -> None:
    box, accounts = world()
    box.script(Fault.unauthorized(times=None))
    check = await accounts.check_async("work")
    assert finding(check, "address").ok is False
    assert not check.ok


async def test_another_mailbox_than_the_account_says() -> None:
    _, accounts = world(address="eve@example.com")
    check = await accounts.check_async("work")
    assert finding(check, "address").ok is False
    assert check.address == "ann@example.com"


async def test_a_mailbox_that_cannot_tell_its_address() -> None:
    _, accounts = world("microsoft")
    check = await accounts.check_async("work")
    assert check.address is None or check.address == "ann@contoso.example"
    assert finding(check, "address").ok is not False


async def test_a_provider_that_never_answers() -> None:
    box, accounts = world()
    box.script(Fault.hang(times=None))
    check = await accounts.check_async("work")
    assert finding(check, "address").ok is False
    assert not check.ok


async def test_a_consent_to_nothing() -> None:
    _, accounts = world(scopes={"openid"})
    check = await accounts.check_async("work")
    assert finding(check, "features").ok is False


async def test_an_account_that_is_not_there() -> None:
    _, accounts = world()
    with pytest.raises(UnknownAccount):
        await accounts.check_async("home")


async def test_no_way_to_the_provider() -> None:
    class Offline:
        async def send(self, request: HttpRequest) -> HttpResponse:
            raise ConnectionFailed("could not connect; check the network")

        async def aclose(self) -> None: ...

    _, accounts = world(transport=Offline())
    check = await accounts.check_async("work")
    assert finding(check, "reachable") == Finding(
        subject="reachable", ok=False, text="no answer came", remedy="could not connect; check the network"
    )
    assert "FAIL reachable" in str(check)
    assert finding(check, "clock").ok is None
    assert finding(check, "address").ok is False
