"""The updates of a sync search: cancelled from another thread, as the button of a window does it."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator

import anyio
import pytest

from mailkit import Account, AccountUpdate, CalendarClient, MailClient, MessageSummary, UsageError
from mailkit.sandbox import Sandbox
from mailkit.testing import demo_accounts, sandbox_account
from mailkit.values import HttpRequest, HttpResponse


class Stuck:
    """A way to a provider on which nothing ever comes back."""

    def __init__(self) -> None:
        self.asked = threading.Event()
        self.cancelled = threading.Event()

    async def send(self, request: HttpRequest) -> HttpResponse:
        self.asked.set()
        try:
            await anyio.sleep_forever()
        finally:
            self.cancelled.set()
        raise AssertionError

    async def aclose(self) -> None:
        pass


@pytest.fixture
def stuck() -> Stuck:
    return Stuck()


@pytest.fixture
def mail(stuck: Stuck) -> Iterator[MailClient]:
    sandbox = Sandbox()
    home = sandbox_account(sandbox, sandbox.google("ann@example.com"), name="home")
    work = Account(name="work", provider="google", token="t", transport=stuck)
    with MailClient([home, work], tz="UTC") as mail:
        yield mail


def test_another_thread_ends_the_wait(mail: MailClient, stuck: Stuck) -> None:
    seen: list[AccountUpdate[MessageSummary]] = []
    with mail.search_as_completed("is:unread", deadline=math.inf) as updates:

        def click() -> None:
            assert stuck.asked.wait(10)
            updates.cancel()

        button = threading.Thread(target=click)
        button.start()
        seen.extend(updates)
        button.join()
        updates.cancel()
        assert next(updates, None) is None
    assert stuck.cancelled.is_set()
    assert [update.account for update in seen] in (["home"], [])  # home may be slower than the button


def test_after_the_block_there_are_no_more(mail: MailClient, stuck: Stuck) -> None:
    with mail.search_as_completed(deadline=math.inf) as updates:
        assert next(updates).account == "home"
    assert stuck.cancelled.is_set()
    assert next(updates, None) is None
    updates.cancel()


def test_updates_are_opened_once_with_a_block() -> None:
    with MailClient(demo_accounts()) as mail:
        updates = mail.search_as_completed()
        with pytest.raises(UsageError, match="with mail"):
            next(updates)
        with updates:
            with pytest.raises(UsageError, match="again"), updates:
                pass
            assert len(list(updates)) == 2
        with pytest.raises(UsageError, match="again"), updates:
            pass


def test_events_come_as_accounts_answer() -> None:
    with CalendarClient(demo_accounts(), tz="UTC") as calendar:
        with calendar.events_as_completed(accounts=["home", "work"]) as updates:
            seen = list(updates)
        assert sorted(update.account for update in seen) == ["home", "work"]
        assert seen[-1].waiting == ()
        assert seen[-1].results == calendar.events(accounts=["home", "work"])
        assert len(seen[0].results) == len(seen[0].rows)
