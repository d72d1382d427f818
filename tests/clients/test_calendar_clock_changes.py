"""Series and windows on the nights in which clocks change: equal times of two instants, and nights of seven hours."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from zoneinfo import ZoneInfo

import pytest

from mailkit import CalendarClient, Event
from mailkit.providers.calendar import Scope
from mailkit.sandbox import Sandbox
from mailkit.testing import sandbox_accounts

# The second of the zones that Windows calls W. Europe Standard Time, so that Outlook tells of it as Berlin.
ROME = ZoneInfo("Europe/Rome")
TWICE = dt.datetime(2026, 10, 25, 2, 30, tzinfo=ROME)
DAY, HOUR = dt.timedelta(days=1), dt.timedelta(hours=1)

pytestmark = pytest.mark.parametrize("account", ["home", "work"])


@pytest.fixture
def calendar() -> Iterator[CalendarClient]:
    sandbox = Sandbox()
    home, work = sandbox.google("ann@example.com"), sandbox.microsoft("ann@contoso.example")
    with CalendarClient(sandbox_accounts(sandbox, home=home, work=work), tz="Europe/Rome") as client:
        yield client


def nightly(calendar: CalendarClient, account: str, *more: str) -> list[Event]:
    rule = ("RRULE:FREQ=DAILY;COUNT=5", *more)
    calendar.create("Backup", TWICE - 2 * DAY, duration=HOUR / 2, recurrence=rule, account=account)
    return there(calendar)


def there(calendar: CalendarClient) -> list[Event]:
    return list(calendar.events(dt.date(2026, 10, 20), dt.date(2026, 11, 10)))


def clock(moment: dt.datetime | dt.date) -> str:
    assert isinstance(moment, dt.datetime)
    return f"{moment:%d %H:%M}"


def seconds(moment: dt.datetime | dt.date) -> float:
    """Give the instant, since of times that are shown twice == says nothing."""
    assert isinstance(moment, dt.datetime)
    return moment.timestamp()


def test_a_date_taken_out_is_out_also_where_clocks_show_its_time_twice(calendar: CalendarClient, account: str) -> None:
    found = nightly(calendar, account, "EXDATE;TZID=Europe/Rome:20261025T023000")
    assert [clock(event.start) for event in found] == ["23 02:30", "24 02:30", "26 02:30", "27 02:30"]


def test_one_that_is_moved_to_the_second_of_two_equal_times_is_an_exception_and_goes_along(
    calendar: CalendarClient, account: str
) -> None:
    found = nightly(calendar, account)
    second = TWICE.replace(fold=1)
    moved = calendar.update(found[2], start=second).event
    assert (moved.kind, seconds(moved.start)) == ("exception", seconds(second))
    change = calendar.update(found[1], title="Copy", scope="following")
    assert (len(change.carried), change.lost) == (1, ())
    assert [seconds(event.start) for event in there(calendar) if event.kind == "exception"] == [seconds(second)]


def test_a_title_of_its_own_goes_over_a_cut_in_the_hour_that_is_shown_twice(
    calendar: CalendarClient, account: str
) -> None:
    found = nightly(calendar, account)
    calendar.update(found[2], title="Long backup")
    change = calendar.update(found[1], location="Cellar", scope="following")
    assert (len(change.carried), change.lost) == (1, ())
    assert [event.title for event in there(calendar)] == ["Backup", "Backup", "Long backup", "Backup", "Backup"]


def test_a_series_that_is_cut_where_clocks_change_goes_on_as_long(calendar: CalendarClient, account: str) -> None:
    found = nightly(calendar, account)
    calendar.update(found[2], title="Copy", scope="following")
    assert [(event.title, clock(event.start), clock(event.end)) for event in there(calendar)][3:] == [
        ("Copy", "26 02:30", "26 03:00"),
        ("Copy", "27 02:30", "27 03:00"),
    ]


@pytest.mark.parametrize("scope", ["following", "series"])
@pytest.mark.parametrize("later", [dt.timedelta(0), HOUR, DAY])
def test_nights_stay_as_long_when_one_of_a_clock_change_is_moved_with_the_others(
    calendar: CalendarClient, account: str, scope: Scope, later: dt.timedelta
) -> None:
    night = dt.datetime(2026, 10, 17, 22, tzinfo=ROME)
    calendar.create("Shift", night, duration=8 * HOUR, recurrence="FREQ=WEEKLY;COUNT=4", account=account)
    change = calendar.update(there(calendar)[0], start=night + 7 * DAY + later, scope=scope)
    assert change.lost == ()
    first, length = night + later, 8 * HOUR
    after = [(event.start, event.end) for event in there(calendar) if seconds(event.start) > seconds(night + 9 * DAY)]
    assert after == [(first + n * DAY, first + n * DAY + length) for n in (14, 21)]


def test_a_whole_day_is_there_until_it_ends_on_the_clock_of_who_looks(account: str) -> None:
    sandbox = Sandbox()
    zone = "Pacific/Kiritimati"  # where days begin 23 hours before they do on Adak, whose clocks change that night
    box = (
        sandbox.google("ann@example.com", zone=zone)
        if account == "home"
        else sandbox.microsoft("a@b.example", zone=zone)
    )
    with CalendarClient(sandbox_accounts(sandbox, home=box), tz="America/Adak") as client:
        client.create("Fair", dt.date(2026, 3, 8))
        evening = dt.datetime(2026, 3, 8, 23, 30, tzinfo=ZoneInfo("America/Adak"))
        last = client.events(evening, dt.date(2026, 3, 9))
        assert [event.title for event in last] == ["Fair"]
