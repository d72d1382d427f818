"""The cases about calendars that concern Google, each acted out by the driver."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any
from urllib.parse import parse_qsl, urlsplit
from zoneinfo import ZoneInfo

import pytest

from mailkit.models.calendar import Attendee
from mailkit.providers.calendar import EventFields
from mailkit.recurrence import parse_recurrence
from mailkit.sandbox import Sandbox
from mailkit.sandbox.event import Event
from mailkit.values import Address, HttpRequest
from tests.support.cases import Case, cases
from tests.support.google_calendar_driver import events_of, google_calendar, query, scripted
from tests.support.wire import Reply, reply

pytestmark = pytest.mark.anyio

HEAD = reply(json={"timeZone": "Etc/UTC"})
START = {"dateTime": "2026-03-09T10:00:00Z", "timeZone": "Etc/UTC"}


def case(id_: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("case", cases("faults.jsonl", lambda case: case["id"] == id_))


def asked(request: HttpRequest) -> dict[str, str]:
    return dict(parse_qsl(urlsplit(request.url).query))


def sent(request: HttpRequest) -> Any:
    return json.loads(request.content)


def an_event(**more: Any) -> Reply:
    return reply(json={"id": "e1", "etag": '"1"', "start": START, "end": START, **more})


def utc(text: str) -> dt.datetime:
    return dt.datetime.fromisoformat(text)


@case("C114")
async def test_a_whole_day_ends_on_the_next(case: Case) -> None:
    wanted = case["expected"]["google"]
    start, end = (dt.date.fromisoformat(wanted[name]["date"]) for name in ("start", "end"))
    driver, requests = scripted(reply(json={"id": "e1", **wanted}))
    event, _ = await driver.create("primary", EventFields(start=start, end=end), key="0" * 32, notify="none")
    assert {name: sent(requests[0])[name] for name in ("start", "end")} == wanted
    assert (event.start, event.end) == (start, end)


@case("C121")
async def test_a_cancelled_occurrence_has_hardly_anything(case: Case) -> None:
    items = case["input"]["google_events"]
    answer = reply(json={"timeZone": "America/Detroit", "items": items})
    start = utc("2025-02-01T00:00:00Z")
    driver, _ = scripted(HEAD, answer, answer)
    assert [event.ref.id for event in await events_of(driver, query(start, expand=False))] == ["s1"]
    shown = await events_of(driver, query(start, cancelled=True))
    (off,) = [event for event in shown if event.status == "cancelled"]
    assert off.original_start == utc("2025-02-26T15:20:00Z")
    sandbox = Sandbox()
    box = sandbox.google("ann@example.com")
    first = utc(items[0]["start"]["dateTime"]).astimezone(ZoneInfo("America/Detroit"))
    series = box.add_event(Event(start=first, recurrence=items[0]["recurrence"]))
    ann = google_calendar(sandbox, box)
    second = (await ann.instances("primary", series, start, start + dt.timedelta(days=60)))[1]
    await ann.delete("primary", second.ref.id, scope="this", notify="none", comment=None)
    assert [event.start for event in await events_of(ann, query(start))] == [*map(utc, case["expected"]["expanded"])]


@case("C125")
async def test_a_guest_who_is_added_resets_nobody(case: Case) -> None:
    guests = case["input"]["existing"]
    driver, requests = scripted(an_event(attendees=guests), an_event(attendees=guests))
    added = EventFields(add_attendees=(Attendee(address=Address(address="c@example.com")),))
    await driver.update("primary", "e1", added, scope="this", etag=None, notify="all")
    assert sent(requests[1]) == case["expected"]["patch"]


@case("C126")
async def test_guests_are_added_once_and_nobody_is_uninvited(case: Case) -> None:
    guests = [{"email": address} for address in case["input"]["existing"]]
    people = tuple(Attendee(address=Address(address=each)) for each in case["input"]["op"]["add_attendees"])
    driver, requests = scripted(an_event(attendees=guests), an_event(attendees=guests))
    await driver.update("primary", "e1", EventFields(add_attendees=people), scope="this", etag=None, notify="all")
    assert [each["email"] for each in sent(requests[1])["attendees"]] == case["expected"]["attendees"]


@case("C128")
async def test_an_answer_undoes_nobody_elses(case: Case) -> None:
    guests = case["input"]["google_event"]["attendees"]
    driver, requests = scripted(an_event(attendees=guests), an_event())
    await driver.respond("primary", "e1", "accepted", comment="", send=True, proposed=None)
    own = {"email": "me@example.com", "self": True, "responseStatus": "accepted"}
    assert sent(requests[1]) == {"attendeesOmitted": True, "attendees": [own]}


@case("C130")
async def test_what_comes_next_begins_now(case: Case) -> None:
    driver, requests = scripted(HEAD, reply())
    await events_of(driver, query(utc(case["input"]["now"]), days=None, size=10))
    assert case["expected"]["query"].items() <= asked(requests[1]).items()


@case("C131")
async def test_series_kept_together_are_not_ordered_by_google(case: Case) -> None:
    assert "orderBy" in case["expected"]["query"]
    driver, requests = scripted(HEAD, reply())
    await events_of(driver, query(expand=False))
    assert {"orderBy", "singleEvents"}.isdisjoint(asked(requests[1]))


@case("C134")
async def test_a_weekly_meeting_keeps_its_hour(case: Case) -> None:
    given = case["input"]
    start = dt.datetime.fromisoformat(given["start"]).replace(tzinfo=ZoneInfo(given["tz"]))
    sandbox = Sandbox()
    ann = google_calendar(sandbox, sandbox.google("ann@example.com"))
    rule = parse_recurrence([given["rrule"]], start)
    made = EventFields(start=start, end=start + dt.timedelta(hours=1), recurrence=rule)
    series, _ = await ann.create("primary", made, key="0" * 32, notify="none")
    found = await ann.instances("primary", series.ref.id, start, start + dt.timedelta(days=60))
    assert [event.start for event in found] == [*map(utc, case["expected"]["starts_utc"])]


@case("C135")
async def test_an_occurrence_late_in_the_evening_is_the_one_of_that_evening(case: Case) -> None:
    given, due = case["input"], utc(case["expected"]["original_start_utc"])
    start = dt.datetime.fromisoformat(given["start"]).replace(tzinfo=ZoneInfo(given["tz"]))
    sandbox = Sandbox()
    box = sandbox.google("ann@example.com", zone=given["tz"])
    box.add_event(Event(start=start, recurrence=f"RRULE:{given['rrule']}"))
    ann = google_calendar(sandbox, box)
    window = query(due - dt.timedelta(days=1), days=9, tz=start.tzinfo)
    first, second = await events_of(ann, window)
    assert first.ref.id.endswith(case["expected"]["instance_id_suffix"])
    assert (first.original_start, f"{first.start:%Y-%m-%d}") == (due, "2009-11-27")
    await ann.delete("primary", first.ref.id, scope="this", notify="none", comment=None)
    assert await events_of(ann, window) == [second]


@case("C136")
async def test_an_event_may_take_no_time(case: Case) -> None:
    given, wanted = case["input"]["google_event"], case["expected"]["parsed"]
    without_end = {name: value for name, value in given.items() if name != "end"}
    for item in (given, without_end):
        driver, _ = scripted(reply(json={"id": "e1", **item}), HEAD)
        event = await driver.event("primary", "e1")
        assert (event.start, event.end) == (utc(wanted["start"]), utc(wanted["end"]))
    nothing = {"start": given["start"]["dateTime"], "end": given["end"]["dateTime"]}
    driver, _ = scripted(reply(json={"calendars": {"a": {"busy": [nothing]}}}))
    start = utc(wanted["start"])
    (found,) = await driver.free_busy(["a"], start, start + dt.timedelta(days=1))
    assert getattr(found, "busy", None) == ()
