"""The account set."""

from __future__ import annotations

from functools import partial

import anyio
import pytest

from mailkit.accounts import Accounts, Settings
from mailkit.errors import ConfigurationError, UnknownAccount
from mailkit.sandbox import Sandbox
from mailkit.testing import sandbox_account
from mailkit.values import Account, HttpRequest, HttpResponse

HOME = Account(name="home", provider="google", token="t")
WORK = Account(name="work", provider="microsoft", token="t")


class Counting:
    """A transport that counts how often its pools were closed."""

    def __init__(self) -> None:
        self.closed = 0

    async def send(self, request: HttpRequest) -> HttpResponse:
        raise AssertionError("nothing is sent here")

    async def aclose(self) -> None:
        self.closed += 1


def test_it_gives_accounts_by_name_and_in_order() -> None:
    accounts = Accounts([WORK, HOME])
    assert list(accounts) == ["work", "home"]
    assert accounts.names == ("work", "home")
    assert accounts["home"] is HOME
    assert "home" in accounts
    assert "other" not in accounts
    assert len(accounts) == 2
    assert repr(accounts) == "<Accounts work, home>"


def test_an_unknown_name_lists_the_names_there_are() -> None:
    with pytest.raises(UnknownAccount) as caught:
        Accounts([HOME])["hom"]
    assert caught.value.known == ("home",)


def test_two_of_one_name_are_refused() -> None:
    with pytest.raises(ConfigurationError, match="'home'"):
        Accounts([HOME, HOME])


def test_a_default_must_be_one_of_them() -> None:
    assert Accounts([HOME, WORK], default="work").default == "work"
    with pytest.raises(ConfigurationError, match="home"):
        Accounts([HOME], default="work")


@pytest.mark.parametrize("bad", [{"deadline": 0}, {"in_flight": 0}, {"connect_timeout": -1}, {"read_timeout": 0}])
def test_settings_are_above_zero(bad: dict[str, float]) -> None:
    with pytest.raises(ConfigurationError, match=next(iter(bad))):
        Settings(**bad)  # type: ignore[arg-type]


def test_each_account_has_one_driver() -> None:
    sandbox = Sandbox()
    account = sandbox_account(sandbox, sandbox.google("ann@example.com"), name="home")
    accounts = Accounts([account])
    assert accounts.driver("home") is accounts.driver("home")
    with pytest.raises(UnknownAccount):
        accounts.driver("work")


def test_a_token_that_is_none_is_told_when_the_account_is_used() -> None:
    accounts = Accounts([Account(name="home", provider="google", token=7)])
    with pytest.raises(ConfigurationError):
        accounts.driver("home")


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_the_last_client_of_a_loop_closes_what_is_open_there(backend: str) -> None:
    transport = Counting()
    accounts = Accounts([Account(name="home", provider="google", token="t", transport=transport)])
    accounts.driver("home")

    class Client:
        pass

    async def two_clients() -> None:
        one, two = Client(), Client()
        accounts.join(one)
        accounts.join(two)
        await accounts.leave(one)
        assert transport.closed == 0
        await accounts.leave(two)
        assert transport.closed == 1
        await accounts.leave(two)  # harmless

    anyio.run(two_clients, backend=backend)
    transport.closed = 0

    async def one_client(client: Client) -> None:
        accounts.join(client)
        await accounts.leave(client)
        assert transport.closed == 1

    anyio.run(partial(one_client, Client()), backend=backend)
