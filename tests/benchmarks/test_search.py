"""How long mailkit itself takes for a search: everything but the network, on the sandbox."""

from __future__ import annotations

import datetime as dt

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from mailkit import MailClient
from mailkit.sandbox import Mail, Person, Sandbox, VirtualClock
from mailkit.testing import sandbox_accounts


@pytest.mark.parametrize("accounts", [["home"], ["work"], ["home", "work"]], ids=["Gmail", "Outlook", "both"])
def test_newest_100(benchmark: BenchmarkFixture, accounts: list[str]) -> None:
    clock = VirtualClock()
    sandbox = Sandbox(clock)
    home, work = sandbox.google("ann@example.com"), sandbox.microsoft("ann@contoso.example")
    for box in (home, work):
        for number in range(100):
            date = clock.now() - dt.timedelta(hours=number)
            box.add(Mail(subject=f"Letter {number}", from_=Person("Priya", "priya@example.net"), date=date, text="…"))

    with MailClient(sandbox_accounts(sandbox, home=home, work=work)) as mail:

        def search() -> int:
            return len(mail.search("from:priya", accounts=accounts, limit=100))

        # A minute passes between the rounds, or Gmail's quota would be used up.
        rounds = {"setup": lambda: clock.advance(60), "rounds": 20}
        assert benchmark.pedantic(search, **rounds) == 100  # type: ignore[no-untyped-call]  # theirs is untyped
