"""What went wrong elsewhere with Outlook's calendars; and answers written by hand: expected requests and records."""

from __future__ import annotations

import datetime as dt
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from mailkit.errors import RateLimited, UsageError
from mailkit.models.calendar import Attendee, FreeBusy
from mailkit.providers.calendar import EventFields, EventQuery
from mailkit.recurrence import parse_recurrence
from mailkit.sandbox import Sandbox
from mailkit.sandbox.event import Event as Seed
from mailkit.values import Address
from tests.support.cases import Case, cases
from tests.support.outlook_calendar import Asked, canned, codes, events, outlook_calendar, pages, wire_event

pytestmark = pytest.mark.anyio

DAY = dt.timedelta(days=1)
VIEW = "GET /me/calendar/calendarView"
ONE = "GET /me/calendar/events/e1"
PATCH = "PATCH /me/calendar/events/e1"
KEY = "0123456789abcdef0123456789abcdef"


def case_of(number: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("case", cases("faults.jsonl", lambda case: case["id"] == number))


def aware(text: str) -> dt.datetime:
    return dt.datetime.fromisoformat(text)


@case_of("C114")
async def test_a_whole_day_is_written_from_midnight_to_midnight(case: Case) -> None:
    made = wire_event(isAllDay=True)
    graph, driver = canned({"POST /me/calendar/events": lambda asked: (201, {**made, **asked.body})})
    start = dt.date.fromisoformat(case["input"]["create"]["start"])
    event, _ = await driver.create("primary", EventFields(start=start, end=start + DAY), key=KEY, notify="all")
    (asked,) = graph.of("POST")
    wanted = case["expected"]["graph"]
    assert asked.body["isAllDay"] is wanted["isAllDay"]
    assert {side: asked.body[side]["dateTime"] for side in ("start", "end")} == {
        side: wanted[side]["dateTime"] for side in ("start", "end")
    }
    assert asked.body["start"]["timeZone"] == asked.body["end"]["timeZone"]
    assert asked.body["transactionId"] == KEY
    assert (event.start, event.end) == (start, start + DAY)


@case_of("C116")
async def test_a_zone_of_somebodys_own_is_told_and_its_instants_are_right(case: Case) -> None:
    graph, driver = canned(
        {
            ONE: wire_event(**case["input"]["graph_event"]),
            "GET /me/mailboxSettings/timeZone": {"value": "Eastern Standard Time"},
        }
    )
    event = await driver.event("primary", "e1")
    assert (event.start, event.end) == (aware(case["expected"]["start_utc"]), aware(case["expected"]["end_utc"]))
    assert event.zone_source == "mailboxSettings.timeZone"
    assert isinstance(event.start, dt.datetime)
    assert event.start.tzinfo == ZoneInfo("America/New_York")
    await driver.event("primary", "e1")
    assert len(graph.asked) == 3  # the zone is asked for once


@case_of("C116")
async def test_without_the_permission_the_mailbox_zone_is_not_asked_for(case: Case) -> None:
    graph, driver = canned({ONE: wire_event(**case["input"]["graph_event"])}, scopes=frozenset({"Calendars.Read"}))
    event = await driver.event("primary", "e1")
    assert event.start == aware(case["expected"]["start_utc"])
    assert event.zone_source == "start.timeZone"
    assert len(graph.asked) == 1


@case_of("C118")
async def test_a_new_body_leaves_times_in_an_unknown_zone_alone(case: Case) -> None:
    item = wire_event(**case["input"]["graph_event"])
    graph, driver = canned({ONE: item, PATCH: item})
    await driver.update("primary", "e1", EventFields(text="New"), scope="this", etag=None, notify="all")
    (asked,) = graph.of("PATCH")
    assert sorted(asked.body) == case["expected"]["patch_keys"]


@case_of("C125")
async def test_an_added_guest_resets_nobody(case: Case) -> None:
    there = [
        {
            "emailAddress": {"address": each["email"], "name": each["email"]},
            "type": "optional" if each.get("optional") else "required",
            "status": {"response": each["responseStatus"], "time": "2026-03-01T08:00:00Z"},
        }
        for each in case["input"]["existing"]
    ]
    item = wire_event(attendees=there)
    graph, driver = canned({ONE: item, PATCH: lambda asked: {**item, **asked.body}})
    added = Attendee(address=Address(address="c@example.com"))
    change = await driver.update(
        "primary", "e1", EventFields(add_attendees=(added,)), scope="this", etag=None, notify="all"
    )
    (asked,) = graph.of("PATCH")
    assert asked.body == {"attendees": [*there, {"emailAddress": {"address": "c@example.com"}, "type": "required"}]}
    assert asked.headers["if-match"] == 'W/"1"'
    assert change.added == (added,)


@case_of("C126")
async def test_guests_are_compared_without_case(case: Case) -> None:
    item = wire_event(attendees=[{"emailAddress": {"address": each}} for each in case["input"]["existing"]])
    graph, driver = canned({ONE: item, PATCH: lambda asked: {**item, **asked.body}})
    added = tuple(Attendee(address=Address(address=each)) for each in case["input"]["op"]["add_attendees"])
    await driver.update("primary", "e1", EventFields(add_attendees=added), scope="this", etag=None, notify="all")
    (asked,) = graph.of("PATCH")
    assert [each["emailAddress"]["address"] for each in asked.body["attendees"]] == case["expected"]["attendees"]


@case_of("C131")
async def test_series_that_are_kept_together_are_sorted_here(case: Case) -> None:
    assert case["expected"]["ordering"] == "done by the SDK"
    late = wire_event(id="late")
    early = wire_event(
        id="early",
        start={"dateTime": "2026-03-02T08:00:00.0000000", "timeZone": "UTC"},
        end={"dateTime": "2026-03-02T09:00:00.0000000", "timeZone": "UTC"},
    )
    graph, driver = canned({"GET /me/calendar/events": {"value": [late, early]}})
    start = dt.datetime(2026, 3, 1, tzinfo=dt.UTC)
    assert [event.ref.id for event in await events(driver, start, start + 30 * DAY, expand=False)] == ["early", "late"]
    assert "$orderby" not in graph.asked[0].query


@case_of("C132")
async def test_a_missing_mailbox_is_never_free(case: Case) -> None:
    graph, driver = canned({"POST /me/calendar/getSchedule": case["input"]["response"]})
    start = dt.datetime(2024, 5, 6, tzinfo=dt.UTC)
    found = await driver.free_busy(["a@example.com", "nobody@example.com"], start, start + DAY)
    known, missing = (each for each in found if isinstance(each, FreeBusy))
    wanted = [(aware(one), aware(other)) for one, other in case["expected"]["busy"]["a@example.com"]]
    assert [(each.start, each.end) for each in known.busy if each.status == "busy"] == wanted
    assert [each.status for each in known.busy] == ["busy", "elsewhere"]
    assert (missing.known, missing.reason) == (False, "not_found")
    assert "availabilityViewInterval" not in graph.asked[0].body


@case_of("C134")
async def test_a_weekly_meeting_keeps_its_hour_when_clocks_change(case: Case) -> None:
    sandbox = Sandbox()
    driver = outlook_calendar(sandbox, sandbox.microsoft("mia@contoso.example"))
    start = aware(case["input"]["start"]).replace(tzinfo=ZoneInfo(case["input"]["tz"]))
    fields = EventFields(
        start=start,
        end=start + dt.timedelta(hours=1),
        recurrence=parse_recurrence([case["input"]["rrule"]], start),
    )
    await driver.create("primary", fields, key=KEY, notify="all")
    found = await events(driver, start - DAY, start + 60 * DAY)
    assert [event.start for event in found] == [aware(each) for each in case["expected"]["starts_utc"]]


@case_of("C135")
async def test_an_occurrence_late_in_the_evening_is_found_by_its_instant(case: Case) -> None:
    sandbox = Sandbox()
    driver = outlook_calendar(sandbox, sandbox.microsoft("mia@contoso.example"))
    start = aware(case["input"]["start"]).replace(tzinfo=ZoneInfo(case["input"]["tz"]))
    rule = parse_recurrence([case["input"]["rrule"], "EXDATE;VALUE=DATE:20091127"], start)
    fields = EventFields(start=start, end=start + dt.timedelta(hours=1), recurrence=rule)
    await driver.create("primary", fields, key=KEY, notify="all")
    gone = aware(case["expected"]["original_start_utc"])
    found = [event.start for event in await events(driver, gone - 8 * DAY, gone + 8 * DAY)]
    assert found == [gone - 7 * DAY, gone + 7 * DAY]


@case_of("C136")
async def test_an_event_without_length_takes_no_time(case: Case) -> None:
    start = aware(case["expected"]["parsed"]["start"])
    sandbox = Sandbox()
    box = sandbox.microsoft("mia@contoso.example")
    box.add_event(Seed(start=start, end=start))
    driver = outlook_calendar(sandbox, box)
    (event,) = await events(driver, start, start + DAY)
    assert (event.start, event.end) == (start, start)
    for who in ("primary", "mia@contoso.example"):
        (found,) = await driver.free_busy([who], start - DAY, start + DAY)
        assert isinstance(found, FreeBusy)
        assert found.busy == ()


async def test_a_window_is_asked_for_like_this() -> None:
    graph, driver = canned({VIEW: {"value": [wire_event()]}})
    start = dt.datetime(2026, 3, 16, tzinfo=dt.UTC)
    (event,) = await events(driver, start, start + DAY, size=50)
    assert event.ref.id == "e1"
    (asked,) = graph.asked
    assert asked.query["startDateTime"] == "2026-03-14T22:00:00Z"  # the same day may begin 26 hours apart
    assert asked.query["endDateTime"] == "2026-03-18T02:00:00Z"
    assert (asked.query["$top"], asked.query["$orderby"]) == ("50", "start/dateTime")
    assert asked.headers["prefer"] == 'IdType="ImmutableId", outlook.timezone="UTC"'


async def test_an_unreadable_event_fails_no_calendar() -> None:
    _, driver = canned({VIEW: {"value": [wire_event(id="ok"), wire_event(id="bad", start=None), 7]}})
    start = dt.datetime(2026, 3, 16, tzinfo=dt.UTC)
    query = EventQuery(calendar_id="primary", start=start, end=start + DAY, tz=dt.UTC)
    found = await pages(driver, query)
    assert [event.ref.id for page in found for event in page.events] == ["ok"]
    assert [problem.path for page in found for problem in page.problems] == ["value[1].start.dateTime", "value[2]"]


async def test_what_is_no_calendar_stands_beside_the_others() -> None:
    listed = {"value": [7, {"id": "c1", "name": "Team"}, None]}
    _, driver = canned({"GET /me/calendars": listed})
    calendars, problems = await driver.calendars()
    assert [calendar.name for calendar in calendars] == ["Team"]
    assert [problem.path for problem in problems] == ["value[0]", "value[2]"]


async def test_a_page_that_fails_can_be_asked_for_again() -> None:
    answers = iter([(429, {"error": {"code": "ApplicationThrottled"}})] * 4 + [{"value": [wire_event()]}])

    def view(_: Asked) -> Any:
        return next(answers)

    _, driver = canned({VIEW: view})
    start = dt.datetime(2026, 3, 16, tzinfo=dt.UTC)
    steps = driver.events(EventQuery(calendar_id="primary", start=start, end=start + DAY, tz=dt.UTC))
    with pytest.raises(RateLimited):
        await anext(steps)
    assert [event.ref.id for event in (await anext(steps)).events] == ["e1"]


async def test_files_and_meeting_links_of_a_series_that_is_cut_are_told_of() -> None:
    recurrence: dict[str, Any] = {
        "pattern": {"type": "daily", "interval": 1},
        "range": {"type": "noEnd", "startDate": "2026-03-16", "recurrenceTimeZone": "W. Europe Standard Time"},
    }
    series = wire_event(
        id="s1",
        type="seriesMaster",
        recurrence=recurrence,
        hasAttachments=True,
        isOnlineMeeting=True,
        onlineMeetingProvider="teamsForBusiness",
        importance="high",
        exceptionOccurrences=[],
    )
    occurrence = wire_event(
        type="occurrence",
        seriesMasterId="s1",
        start={"dateTime": "2026-03-18T08:00:00.0000000", "timeZone": "UTC"},
        end={"dateTime": "2026-03-18T09:00:00.0000000", "timeZone": "UTC"},
    )
    graph, driver = canned(
        {
            ONE: occurrence,
            "GET /me/calendar/events/s1": series,
            "GET /me/calendar": {"allowedOnlineMeetingProviders": ["teamsForBusiness"]},
            "POST /me/calendar/events": lambda asked: (201, {**wire_event(id="s2"), **asked.body}),
            "PATCH /me/calendar/events/s1": lambda asked: {**series, **asked.body},
        }
    )
    change = await driver.update("primary", "e1", EventFields(title="New"), scope="following", etag=None, notify="all")
    assert codes(change.notes) == ["new_meeting", "attachments_stay"]
    (post,), (patch,) = graph.of("POST"), graph.of("PATCH")
    assert (post.body["subject"], post.body["importance"], post.body["isOnlineMeeting"]) == ("New", "high", True)
    assert post.body["start"] == {"dateTime": "2026-03-18T09:00:00", "timeZone": "W. Europe Standard Time"}
    assert patch.body["recurrence"]["range"] == {
        **recurrence["range"],
        "type": "endDate",
        "endDate": "2026-03-17",
    }
    assert patch.headers["if-match"] == 'W/"1"'


async def test_a_new_text_of_an_online_meeting_is_told_to_replace_how_to_join() -> None:
    item = wire_event(isOnlineMeeting=True, onlineMeetingProvider="teamsForBusiness")
    _, driver = canned({ONE: item, PATCH: lambda asked: {**item, **asked.body}})
    change = await driver.update("primary", "e1", EventFields(text="New"), scope="this", etag=None, notify="all")
    assert codes(change.notes) == ["meeting_text"]


async def test_a_series_whose_rule_cannot_be_read_keeps_its_times() -> None:
    recurrence = {"pattern": {"type": "lunar"}, "range": {"type": "noEnd", "startDate": "2026-03-16"}}
    item = wire_event(type="seriesMaster", recurrence=recurrence)
    graph, driver = canned({ONE: item, PATCH: lambda asked: {**item, **asked.body}})
    start = dt.datetime(2026, 3, 16, 10, tzinfo=ZoneInfo("Europe/Berlin"))
    fields = EventFields(start=start, end=start + dt.timedelta(hours=1))
    with pytest.raises(UsageError) as refused:
        await driver.update("primary", "e1", fields, scope="series", etag=None, notify="all")
    assert refused.value.code == "unreadable_recurrence"
    assert not graph.of("PATCH")
    change = await driver.update("primary", "e1", EventFields(title="New"), scope="series", etag=None, notify="all")
    assert change.event.title == "New"


async def test_an_occurrence_that_cannot_be_looked_for_remains() -> None:
    recurrence = {"pattern": {"type": "daily", "interval": 1}, "range": {"type": "noEnd", "startDate": "2026-03-16"}}
    made = wire_event(type="seriesMaster", recurrence=recurrence)
    _, driver = canned({"POST /me/calendar/events": (201, made)})
    start = dt.datetime(2026, 3, 16, 9, tzinfo=ZoneInfo("Europe/Berlin"))
    rule = parse_recurrence(["FREQ=DAILY", "EXDATE:20260318T080000Z"], start)
    fields = EventFields(start=start, end=start + dt.timedelta(hours=1), recurrence=rule)
    _, notes = await driver.create("primary", fields, key=KEY, notify="all")
    assert [(note.code, note.term) for note in notes] == [("dates_remain", "2026-03-18T09:00:00+01:00")]
