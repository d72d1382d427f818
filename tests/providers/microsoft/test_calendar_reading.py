"""Reading Outlook's calendars on the sandbox: windows, order, whole days, series, what is refused unasked."""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

import pytest

from mailkit.errors import NotFound, PermissionMissing
from mailkit.models.calendar import Attendee
from mailkit.providers.calendar import EventFields, EventQuery
from mailkit.providers.microsoft.calendar import OutlookCalendarDriver
from mailkit.recurrence import Recurrence
from mailkit.sandbox import MicrosoftMailbox, Person, Sandbox
from mailkit.sandbox.event import Changed, Event, Guest
from mailkit.values import Address
from tests.support.outlook_calendar import BERLIN, LOS_ANGELES, events, outlook_calendar, pages

pytestmark = pytest.mark.anyio

UTC = dt.UTC
DAY = dt.timedelta(days=1)
AMY = Person("Amy", "amy@example.com")
MARCH = dt.datetime(2026, 3, 1, tzinfo=UTC)


def opened(**options: object) -> tuple[Sandbox, MicrosoftMailbox, OutlookCalendarDriver]:
    sandbox = Sandbox()
    box = sandbox.microsoft("mia@contoso.example")
    return sandbox, box, outlook_calendar(sandbox, box, **options)  # type: ignore[arg-type]


def at(day: int, hour: int = 9, minute: int = 0, zone: dt.tzinfo = BERLIN) -> dt.datetime:
    return dt.datetime(2026, 3, day, hour, minute, tzinfo=zone)


async def test_calendars_come_with_the_main_one_first_and_read_by_either_name() -> None:
    _, box, driver = opened()
    other = box.calendars.add("Private")
    box.add_event(Event(title="Here", start=at(3)))
    box.add_event(Event(title="There", start=at(3), calendar="Private"))
    calendars, problems = await driver.calendars()
    assert not problems
    assert [(each.name, each.is_primary, each.can_edit) for each in calendars] == [
        ("Calendar", True, True),
        ("Private", False, True),
    ]
    assert calendars[1].online_meetings == ("teams",)
    assert calendars[0].owner is not None
    assert calendars[0].owner.address == "mia@contoso.example"
    for calendar_id, title in (("primary", "Here"), (calendars[0].ref.id, "Here"), (other.id, "There")):
        (event,) = await events(driver, MARCH, MARCH + 30 * DAY, calendar_id=calendar_id)
        assert event.title == title
        assert event.calendar.id == calendar_id
        assert event.ref.part == calendar_id
        assert (await driver.event(calendar_id, event.ref.id)).title == title


async def test_a_window_is_expanded_in_order_page_by_page() -> None:
    _, box, driver = opened()
    box.add_event(Event(title="Standup", start=at(2), recurrence="RRULE:FREQ=DAILY;COUNT=40"))
    for day in range(2, 30):
        box.add_event(Event(title="Lunch", start=at(day, 12)))
    query = EventQuery(calendar_id="primary", start=MARCH, end=MARCH + 31 * DAY, tz=BERLIN, size=7)
    found = await pages(driver, query)
    assert len(found) > 5
    starts = [event.start for page in found for event in page.events]
    assert len(starts) == 30 + 28
    assert starts == sorted(starts)
    standup = [event for page in found for event in page.events if event.title == "Standup"]
    assert {event.kind for event in standup} == {"occurrence"}
    assert [event.start.hour for event in standup if isinstance(event.start, dt.datetime)] == [9] * 30


async def test_every_request_asks_for_lasting_ids_and_utc_and_only_what_is_read() -> None:
    sandbox, box, driver = opened()
    box.add_event(Event(start=at(2)))
    await events(driver, MARCH, MARCH + DAY)
    await driver.calendars()
    for request in sandbox.requests:
        assert 'IdType="ImmutableId"' in request.headers["prefer"]
        assert 'outlook.timezone="UTC"' in request.headers["prefer"]
        assert "%24select" in request.url or "$select" in request.url


@pytest.mark.parametrize("moves", [False, True])
async def test_whole_days_begin_where_the_viewer_is(*, moves: bool) -> None:
    """Outlook keeps them as instants of a zone: at a window's edge they would be missing, or too many."""
    sandbox = Sandbox()
    box = sandbox.microsoft("mia@contoso.example", zone="Pacific/Kiritimati")
    box.calendars.moves_all_day = moves
    driver = outlook_calendar(sandbox, box)
    for day in range(1, 12):
        box.add_event(Event(title=f"{day}", start=dt.date(2026, 3, day)))
    for zone in ("Etc/GMT+12", "America/Los_Angeles", "UTC", "Pacific/Kiritimati"):
        tz = ZoneInfo(zone)
        found = await events(driver, at(5, 0, zone=tz), at(7, 0, zone=tz), tz=tz)
        assert [(event.start, event.end) for event in found] == [
            (dt.date(2026, 3, 5), dt.date(2026, 3, 6)),
            (dt.date(2026, 3, 6), dt.date(2026, 3, 7)),
        ]


async def test_whole_days_come_before_what_begins_later_on_them() -> None:
    _, box, driver = opened()
    tz = LOS_ANGELES
    box.add_event(Event(title="late", start=at(5, 23, zone=tz)))
    box.add_event(Event(title="day", start=dt.date(2026, 3, 5)))
    box.add_event(Event(title="early", start=at(5, 0, 30, zone=tz)))
    box.add_event(Event(title="before", start=at(4, 23, 30, zone=tz)))
    for size in (1, 2, 50):
        found = await events(driver, at(4, 0, zone=tz), at(7, 0, zone=tz), tz=tz, size=size)
        assert [event.title for event in found] == ["before", "day", "early", "late"]


async def test_a_window_of_twelve_years_is_split_without_a_seam() -> None:
    sandbox, box, driver = opened()
    start = dt.datetime(2020, 1, 1, tzinfo=UTC)
    box.add_event(
        Event(title="Yearly", start=dt.datetime(2020, 6, 1, 9, tzinfo=BERLIN), recurrence="RRULE:FREQ=YEARLY")
    )
    edge = start - dt.timedelta(hours=26) + 1825 * DAY
    box.add_event(Event(title="Edge", start=edge - DAY, end=edge + DAY))
    found = await events(driver, start, dt.datetime(2032, 1, 1, tzinfo=UTC))
    assert [event.title for event in found].count("Edge") == 1
    assert [event.start.year for event in found if event.title == "Yearly"] == list(range(2020, 2032))
    assert len(sandbox.requests) == 3


@pytest.mark.parametrize("end", [None, dt.datetime(2037, 1, 1, tzinfo=BERLIN)])
@pytest.mark.parametrize("start", [at(28, 0), at(30, 0), at(31, 0), dt.datetime(2032, 10, 28, tzinfo=BERLIN)])
async def test_no_window_is_too_long_where_clocks_change(start: dt.datetime, end: dt.datetime | None) -> None:
    _, box, driver = opened()
    box.add_event(Event(title="Yearly", start=at(1), recurrence="RRULE:FREQ=YEARLY;COUNT=15"))
    found = await events(driver, start, end, tz=BERLIN)
    last = 2041 if end is None else 2037
    assert [event.start.year for event in found] == list(range(start.year + 1, last))


async def test_without_an_end_everything_that_is_to_come_is_found() -> None:
    sandbox, box, driver = opened()
    box.add_event(Event(title="soon", start=at(2)))
    box.add_event(Event(title="in nine years", start=dt.datetime(2035, 5, 1, 9, tzinfo=BERLIN)))
    assert [event.title for event in await events(driver, MARCH, None)] == ["soon", "in nine years"]
    assert len(sandbox.requests) == 4
    box.add_event(Event(title="each month", start=at(3), recurrence="RRULE:FREQ=MONTHLY"))
    query = EventQuery(calendar_id="primary", start=MARCH, end=None, tz=UTC, size=10)
    found = [event for page in await pages(driver, query, most=40) for event in page.events]
    assert len(found) > 300


async def test_events_that_touch_the_window_belong_to_it() -> None:
    _, box, driver = opened()
    for title, start, end in (
        ("ends at its start", at(4, 8), at(4, 9)),
        ("reaches into it", at(4, 8), at(4, 10)),
        ("has no length", at(4, 9), at(4, 9)),
        ("begins at its end", at(5, 9), at(5, 10)),
    ):
        box.add_event(Event(title=title, start=start, end=end))
    assert {event.title for event in await events(driver, at(4, 9), at(5, 9))} == {"reaches into it", "has no length"}


async def test_text_is_looked_for_in_title_body_place_and_people() -> None:
    _, box, driver = opened()
    box.add_event(Event(title="Budget review", start=at(2)))
    box.add_event(Event(title="A", start=at(3), html="<p>The <b>bud</b>get of <i>Review</i></p>"))
    box.add_event(Event(title="Review", start=at(4), location="Budget room"))
    box.add_event(Event(title="review", start=at(5), guests=[Guest(Person("Budget office", "b@contoso.example"))]))
    box.add_event(Event(title="budget alone", start=at(6)))
    found = await events(driver, MARCH, MARCH + 30 * DAY, text="REVIEW budget", size=1)
    assert [event.start.day for event in found] == [2, 3, 4, 5]


async def test_series_are_kept_together_when_asked() -> None:
    _, box, driver = opened()
    box.add_event(Event(title="over", start=at(1), recurrence="RRULE:FREQ=DAILY;COUNT=3"))
    box.add_event(Event(title="weekly", start=at(2), recurrence="RRULE:FREQ=WEEKLY;BYDAY=MO"))
    box.add_event(Event(title="single", start=at(17)))
    box.add_event(Event(title="days", start=dt.date(2026, 3, 1), recurrence="RRULE:FREQ=DAILY;COUNT=25"))
    found = await events(driver, at(16, 0), at(18, 0), expand=False)
    assert [(event.title, event.kind) for event in found] == [
        ("days", "series"),
        ("weekly", "series"),
        ("single", "single"),
    ]
    assert str(found[1].recurrence) == "RRULE:FREQ=WEEKLY;BYDAY=MO"


async def test_occurrences_say_their_series_and_where_its_rule_puts_them() -> None:
    _, box, driver = opened()
    start = dt.datetime(2026, 3, 23, 9, tzinfo=BERLIN)
    moved = Event(title="Moved", start=start + 7 * DAY + dt.timedelta(hours=5))
    id_ = box.add_event(
        Event(
            title="Weekly",
            start=start,
            recurrence="RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=4",
            exceptions=[Changed(original=start + 7 * DAY, event=moved), Changed(original=start + 14 * DAY)],
        )
    )
    found = await events(driver, MARCH, MARCH + 60 * DAY)
    assert [(event.kind, event.title) for event in found] == [
        ("occurrence", "Weekly"),
        ("exception", "Moved"),
        ("occurrence", "Weekly"),
    ]
    assert [event.original_start for event in found] == [start, start + 7 * DAY, start + 21 * DAY]
    assert {event.series.id for event in found if event.series} == {id_}
    # Summer time began in between: the wall clock stays.
    assert [event.start.isoformat() for event in found if event.kind == "occurrence"] == [
        "2026-03-23T09:00:00+01:00",
        "2026-04-13T09:00:00+02:00",
    ]
    series = await driver.event("primary", id_)
    assert series.recurrence is not None
    assert series.recurrence.exdates == (start + 14 * DAY,)
    assert [event.ref for event in await driver.instances("primary", id_, MARCH, MARCH + 60 * DAY)] == [
        event.ref for event in found
    ]
    assert len({event.ical_uid for event in [series, *found]}) == 1


@pytest.mark.parametrize("zone", ["Etc/GMT+12", "America/New_York", "Pacific/Kiritimati"])
async def test_a_series_of_whole_days_keeps_its_days_in_every_zone(zone: str) -> None:
    sandbox = Sandbox()
    box = sandbox.microsoft("mia@contoso.example", zone=zone)
    driver = outlook_calendar(sandbox, box)
    start = dt.date(2026, 3, 6)
    id_ = box.add_event(Event(start=start, recurrence=["RRULE:FREQ=WEEKLY;BYDAY=FR;COUNT=4", "EXDATE:20260320"]))
    found = await events(driver, MARCH, MARCH + 60 * DAY)
    assert [event.start for event in found] == [start, start + 7 * DAY, start + 21 * DAY]
    assert [event.original_start for event in found] == [event.start for event in found]
    series = await driver.event("primary", id_)
    assert series.recurrence is not None
    assert series.recurrence.exdates == (start + 14 * DAY,)


async def test_what_is_called_off_is_left_out_unless_asked_for() -> None:
    sandbox, box, driver = opened()
    amy = sandbox.microsoft(AMY.address)
    id_ = amy.add_event(Event(title="Talk", start=at(4)))
    organiser = outlook_calendar(sandbox, amy)
    guest = Attendee(address=Address(address=box.address))
    await organiser.update("primary", id_, EventFields(add_attendees=(guest,)), scope="this", etag=None, notify="all")
    assert [event.title for event in await events(driver, MARCH, MARCH + 30 * DAY)] == ["Talk"]
    await organiser.delete("primary", id_, scope="this", notify="all", comment="Sorry")
    assert await events(driver, MARCH, MARCH + 30 * DAY) == []
    (gone,) = await events(driver, MARCH, MARCH + 30 * DAY, cancelled=True)
    assert gone.status == "cancelled"


async def test_a_named_mailbox_is_asked_everywhere() -> None:
    sandbox, box, _ = opened()
    driver = outlook_calendar(sandbox, box, mailbox=box.address)
    id_ = box.add_event(Event(start=at(3), recurrence="RRULE:FREQ=DAILY;COUNT=3"))
    await driver.calendars()
    await driver.event("primary", id_)
    await driver.instances("primary", id_, MARCH, MARCH + 30 * DAY)
    await events(driver, MARCH, MARCH + 30 * DAY, size=1)
    await driver.free_busy(["amy@example.com"], MARCH, MARCH + DAY)
    assert len(sandbox.requests) > 5
    assert all("/users/mia%40contoso.example/" in request.url for request in sandbox.requests)


async def test_without_the_permission_nothing_is_asked() -> None:
    sandbox, _, driver = opened(scopes=frozenset({"Mail.Read"}))
    with pytest.raises(PermissionMissing) as refused:
        await events(driver, MARCH, MARCH + DAY)
    assert "Calendars.Read" in refused.value.scopes
    with pytest.raises(PermissionMissing):
        await driver.calendars()
    assert not sandbox.requests


async def test_an_unknown_calendar_or_event_is_not_found() -> None:
    _, _, driver = opened()
    with pytest.raises(NotFound):
        await events(driver, MARCH, MARCH + DAY, calendar_id="AAMkNone=")
    with pytest.raises(NotFound):
        await driver.event("primary", "AAMkNone=")


async def test_stopping_early_leaves_nothing_open() -> None:
    sandbox, box, driver = opened()
    for day in range(1, 20):
        box.add_event(Event(start=at(day)))
    query = EventQuery(calendar_id="primary", start=MARCH, end=MARCH + 60 * DAY, tz=UTC, size=3)
    (page,) = await pages(driver, query, most=1)
    assert page.events
    assert len(sandbox.requests) < 5


async def test_a_rule_is_read_back_as_it_was() -> None:
    _, box, driver = opened()
    start = dt.datetime(2026, 3, 31, 9, tzinfo=BERLIN)
    id_ = box.add_event(Event(start=start, recurrence="RRULE:FREQ=MONTHLY;BYMONTHDAY=-1"))
    event = await driver.event("primary", id_)
    assert event.recurrence == Recurrence.from_text("RRULE:FREQ=MONTHLY;BYMONTHDAY=-1")
    assert event.start == start
