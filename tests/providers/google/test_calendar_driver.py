"""Google calendars by hand: the request that must go out, an answer, what has to come of it."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import parse_qsl, urlsplit
from zoneinfo import ZoneInfo

import pytest

from mailkit.errors import (
    BadPayload,
    ConfigurationError,
    Conflict,
    MailkitError,
    NotFound,
    PermissionMissing,
    RateLimited,
    Unavailable,
    Unsupported,
    UsageError,
)
from mailkit.models.calendar import Attendee, Busy, FreeBusy
from mailkit.providers.calendar import EventFields
from mailkit.providers.google.calendar import GoogleCalendarDriver
from mailkit.providers.google.calendar_wire import CALENDAR_FIELDS, EVENT_FIELDS
from mailkit.recurrence import Recurrence
from mailkit.values import Address, HttpRequest
from tests.support.google_calendar_driver import BERLIN, NOW, ROOT, TOKYO, events_of, pages_of, query, scripted
from tests.support.wire import Reply, reply

pytestmark = pytest.mark.anyio

KEY = "0123456789abcdef0123456789abcdef"
TEN = dt.datetime(2026, 3, 9, 10, tzinfo=BERLIN)
HOUR = dt.timedelta(hours=1)
AUTH = "https://www.googleapis.com/auth/"
HEAD = reply(json={"summary": "ann@example.com", "timeZone": "Etc/UTC", "accessRole": "owner"})
ITEMS = f"nextPageToken,timeZone,items({EVENT_FIELDS})"


def item(event_id: str = "e1", start: str = "2026-03-09T10:00:00+01:00", **more: Any) -> dict[str, Any]:
    end = dt.datetime.fromisoformat(start) + HOUR
    times = {
        name: {"dateTime": each, "timeZone": "Europe/Berlin"}
        for name, each in (("start", start), ("end", end.isoformat()))
    }
    return {"id": event_id, "status": "confirmed", "etag": '"1"', "organizer": {"self": True}, **times, **more}


def page(*items: object, token: str = "") -> Reply:
    return reply(json={"timeZone": "Etc/UTC", "items": items, **({"nextPageToken": token} if token else {})})


def refusal(status: int, reason: str) -> Reply:
    return reply(status, json={"error": {"code": status, "errors": [{"reason": reason}]}})


def line(request: HttpRequest) -> tuple[str, dict[str, str]]:
    parts = urlsplit(request.url)
    return f"{request.method} {parts.path.removeprefix('/calendar/v3')}", dict(parse_qsl(parts.query))


def body(request: HttpRequest) -> Any:
    return json.loads(request.content)


# Reading


async def test_the_list_of_calendars_to_its_end() -> None:
    first = {"items": [{"id": "c2", "summary": "Team"}, {"summary": "no id"}], "nextPageToken": "t1"}
    second = {"items": [{"id": "ann@example.com", "primary": True, "timeZone": "Asia/Tokyo"}]}
    driver, requests = scripted(reply(json=first), reply(json=second), page())
    calendars, problems = await driver.calendars()
    assert [calendar.ref.id for calendar in calendars] == ["ann@example.com", "c2"]
    assert [problem.path for problem in problems] == ["$.items[1].id"]
    asked = {"maxResults": "250", "fields": f"nextPageToken,items({CALENDAR_FIELDS})"}
    assert [line(request) for request in requests] == [
        ("GET /users/me/calendarList", asked),
        ("GET /users/me/calendarList", {**asked, "pageToken": "t1"}),
    ]
    assert await events_of(driver, query(tz=TOKYO)) == []  # whose zone is known by now, also by its other name
    assert len(requests) == 3


async def test_a_window_is_asked_for_and_read_to_the_last_page() -> None:
    driver, requests = scripted(
        HEAD,
        page(item("a"), item("b"), {"id": "bad"}, token="t1"),
        page(token="t2"),
        page(item("c", "2026-03-10T10:00:00+01:00")),
    )
    pages = await pages_of(driver, query(size=3, text="plans & more", cancelled=True))
    assert [[event.ref.id for event in each.events] for each in pages] == [[], [], ["a", "b"], ["c"]]
    assert [(problem.path, problem.account) for each in pages for problem in each.problems] == [
        ("$.items[2].start", "home")
    ]
    asked = {
        "timeMin": "2026-03-01T12:00:00Z",
        "timeMax": "2026-03-31T12:00:00Z",
        "singleEvents": "true",
        "orderBy": "startTime",
        "showDeleted": "true",
        "q": "plans & more",
        "maxResults": "3",
        "fields": ITEMS,
    }
    assert [line(request) for request in requests] == [
        ("GET /calendars/primary/events", {"maxResults": "1", "fields": "summary,timeZone,accessRole"}),
        ("GET /calendars/primary/events", asked),
        ("GET /calendars/primary/events", {**asked, "pageToken": "t1"}),
        ("GET /calendars/primary/events", {**asked, "pageToken": "t2"}),
    ]


async def test_a_window_without_an_end_is_read_no_further_than_asked() -> None:
    driver, requests = scripted(HEAD, page(item("a"), item("b", "2026-03-10T10:00:00+01:00"), token="t1"))
    pages = driver.events(query(days=None, size=9999))
    assert [event.ref.id for event in (await anext(pages)).events] == ["a"]
    assert line(requests[1])[1].keys() == {"timeMin", "singleEvents", "orderBy", "maxResults", "fields"}
    assert line(requests[1])[1]["maxResults"] == "2500"


async def test_a_viewer_in_another_zone_asks_for_more() -> None:
    driver, requests = scripted(HEAD, page())
    await events_of(driver, query(NOW + dt.timedelta(microseconds=1), days=1, tz=TOKYO))
    asked = line(requests[1])[1]
    assert (asked["timeMin"], asked["timeMax"]) == ("2026-03-01T03:00:00Z", "2026-03-02T21:00:01Z")


async def test_series_kept_together_come_in_no_order_and_are_sorted() -> None:
    due = {"dateTime": "2026-03-16T10:00:00+01:00"}
    lone = item("x1_20260310", "2026-03-10T10:00:00+01:00", recurringEventId="x1", originalStartTime=due)
    off = {"id": "s1_20260317", "status": "cancelled", "recurringEventId": "s1", "originalStartTime": due}
    driver, requests = scripted(
        HEAD,
        page(item("b", "2026-03-12T10:00:00+01:00"), item("s1_20260316", recurringEventId="s1"), token="t1"),
        page(item("s1", recurrence=["RRULE:FREQ=WEEKLY"]), off, lone, {"id": "z", "status": "cancelled"}),
    )
    found = await events_of(driver, query(expand=False))
    assert [(event.ref.id, event.kind) for event in found] == [
        ("s1", "series"),
        ("x1_20260310", "exception"),
        ("b", "single"),
    ]
    assert line(requests[1])[1].keys() == {"timeMin", "timeMax", "maxResults", "fields"}


async def test_pages_that_lead_in_a_circle_end() -> None:
    driver, _ = scripted(HEAD, page(token="t1"), page(token="t1"))
    with pytest.raises(BadPayload) as caught:
        await pages_of(driver, query())
    assert caught.value.code == "circle"


async def test_one_event_asks_for_the_calendars_zone_only_where_it_says_none() -> None:
    bare = {"id": "e2", "start": {"dateTime": "2026-03-09T10:00:00+01:00"}}
    driver, requests = scripted(reply(json=item()), reply(json=bare), HEAD, reply(json=bare))
    assert (await driver.event("primary", "e1")).zone_source is None
    for _ in range(2):
        event = await driver.event("primary", "e2")
        assert (event.start, event.zone_source) == (TEN, "calendar")
    assert [line(request)[0] for request in requests] == [
        "GET /calendars/primary/events/e1",
        "GET /calendars/primary/events/e2",
        "GET /calendars/primary/events",
        "GET /calendars/primary/events/e2",
    ]


async def test_ids_are_quoted() -> None:
    driver, requests = scripted(reply(json=item()))
    await driver.event("a/b#c@group.calendar.google.com", "e?1")
    assert requests[0].url == f"{ROOT}/calendars/a%2Fb%23c%40group.calendar.google.com/events/e%3F1"


async def test_what_is_left_of_a_deleted_event_is_not_found() -> None:
    driver, _ = scripted(reply(json={"id": "e1", "status": "cancelled"}))
    with pytest.raises(NotFound) as caught:
        await driver.event("primary", "e1")
    assert (caught.value.account, caught.value.operation) == ("home", "calendar.get")


async def test_instances_of_a_window() -> None:
    driver, requests = scripted(page(item("b", "2026-03-16T10:00:00+01:00"), token="t"), page(item("a")))
    found = await driver.instances("primary", "s1", NOW, NOW + dt.timedelta(days=30))
    assert [event.ref.id for event in found] == ["a", "b"]
    assert line(requests[1]) == (
        "GET /calendars/primary/events/s1/instances",
        {
            "timeMin": "2026-03-01T12:00:00Z",
            "timeMax": "2026-03-31T12:00:00Z",
            "maxResults": "2500",
            "fields": ITEMS,
            "pageToken": "t",
        },
    )
    driver, _ = scripted(page({"id": "bad"}))
    with pytest.raises(BadPayload):
        await driver.instances("primary", "s1", NOW, NOW + HOUR)


# Writing


async def test_an_event_is_made_under_an_id_of_our_own() -> None:
    driver, requests = scripted(reply(json=item(KEY)))
    fields = EventFields(
        title="Plans",
        start=TEN,
        end=TEN + HOUR,
        recurrence=Recurrence.every("week", count=2),
        attendees=(Attendee(address=Address(name="Bob", address="bob@example.com"), kind="optional"),),
        online_meeting=True,
        categories=("Red",),
    )
    event, notes = await driver.create("primary", fields, key=KEY, notify="external")
    assert (event.ref.id, [note.term for note in notes]) == (KEY, ["categories"])
    (request,) = requests
    assert line(request) == (
        "POST /calendars/primary/events",
        {"sendUpdates": "externalOnly", "conferenceDataVersion": "1"},
    )
    assert body(request) == {
        "id": KEY,
        "summary": "Plans",
        "start": {"dateTime": "2026-03-09T10:00:00+01:00", "timeZone": "Europe/Berlin"},
        "end": {"dateTime": "2026-03-09T11:00:00+01:00", "timeZone": "Europe/Berlin"},
        "recurrence": ["RRULE:FREQ=WEEKLY;COUNT=2"],
        "attendees": [{"email": "bob@example.com", "displayName": "Bob", "optional": True}],
        "conferenceData": {"createRequest": {"requestId": KEY, "conferenceSolutionKey": {"type": "hangoutsMeet"}}},
    }


async def test_a_duplicate_is_the_event_of_the_first_time() -> None:
    driver, requests = scripted(reply(503), refusal(409, "duplicate"), reply(json=item(KEY)))
    event, _ = await driver.create("primary", EventFields(start=TEN, end=TEN + HOUR), key=KEY, notify="all")
    assert event.ref.id == KEY
    assert [line(request)[0] for request in requests][1:] == [
        "POST /calendars/primary/events",
        f"GET /calendars/primary/events/{KEY}",
    ]


async def test_a_guest_list_is_guarded_and_put_together_anew() -> None:
    bob, cleo = {"email": "bob@example.com", "responseStatus": "declined"}, {"email": "cleo@example.com"}
    driver, requests = scripted(
        reply(json=item(attendees=[bob])),
        refusal(412, "conditionNotMet"),
        reply(json=item(etag='"2"', attendees=[bob, {"email": "dan@example.com"}])),
        reply(json=item(etag='"3"', attendees=[bob, {"email": "dan@example.com"}, cleo])),
    )
    fields = EventFields(add_attendees=(Attendee(address=Address(address="cleo@example.com")),))
    change = await driver.update("primary", "e1", fields, scope="this", etag=None, notify="all")
    assert [each.address.address for each in change.added] == ["cleo@example.com"]
    assert [dict(request.headers).get("If-Match") for request in requests] == [None, '"1"', None, '"2"']
    assert body(requests[3]) == {"attendees": [bob, {"email": "dan@example.com"}, cleo]}


async def test_an_etag_of_before_is_a_conflict_before_anything_is_sent() -> None:
    driver, requests = scripted(reply(json=item()))
    with pytest.raises(Conflict):
        await driver.update("primary", "e1", EventFields(title="x"), scope="this", etag='"0"', notify="all")
    assert len(requests) == 1


async def test_a_guarded_change_is_not_repeated() -> None:
    driver, requests = scripted(reply(json=item()), reply(503))
    with pytest.raises(Unavailable):
        await driver.update("primary", "e1", EventFields(title="x"), scope="this", etag='"1"', notify="all")
    assert len(requests) == 2


async def test_nothing_to_change_asks_for_no_change() -> None:
    driver, requests = scripted(reply(json=item()))
    change = await driver.update("primary", "e1", EventFields(categories=("a",)), scope="this", etag=None, notify="all")
    assert (change.event.ref.id, [note.term for note in change.notes], len(requests)) == ("e1", ["categories"], 1)


async def test_a_guest_list_that_is_not_whole_is_not_replaced() -> None:
    driver, _ = scripted(reply(json=item(attendeesOmitted=True)))
    fields = EventFields(remove_attendees=frozenset({"bob@example.com"}))
    with pytest.raises(Unsupported):
        await driver.update("primary", "e1", fields, scope="this", etag=None, notify="all")


async def test_a_series_of_others_is_not_cut() -> None:
    due = {"dateTime": "2026-03-16T10:00:00+01:00", "timeZone": "Europe/Berlin"}
    occurrence = item("s1_2", "2026-03-16T10:00:00+01:00", recurringEventId="s1", originalStartTime=due)
    series = item("s1", recurrence=["RRULE:FREQ=WEEKLY"], organizer={"email": "bob@example.com"})
    driver, requests = scripted(reply(json=occurrence), reply(json=series))
    with pytest.raises(UsageError) as caught:
        await driver.update("primary", "s1_2", EventFields(title="x"), scope="following", etag=None, notify="all")
    assert (caught.value.code, len(requests)) == ("not_organizer", 2)


async def test_a_cut_step_by_step() -> None:
    def due(day: int) -> dict[str, str]:
        offset = "+01:00" if day < 29 else "+02:00"
        return {"dateTime": f"2026-03-{day:02}T10:00:00{offset}", "timeZone": "Europe/Berlin"}

    def occurrence(day: int, **more: Any) -> dict[str, Any]:
        start = {"recurringEventId": "s1", "originalStartTime": due(day)}
        return item(f"s1_{day}", due(day)["dateTime"], **{**start, **more})

    series = item("s1", recurrence=["RRULE:FREQ=WEEKLY;COUNT=9"], iCalUID="u", summary="Plans", etag='"s"')
    ended = {**series, "recurrence": ["RRULE:FREQ=WEEKLY;UNTIL=20260316T085959Z"]}
    driver, requests = scripted(
        reply(json=occurrence(16)),
        reply(json=series),
        page(
            series, occurrence(9, summary="Past"), occurrence(23, summary="Changed"), occurrence(30, status="cancelled")
        ),
        reply(json=item("new", summary="New")),
        reply(json=ended),
        refusal(410, "deleted"),
        reply(json={"items": [{"id": "new_23"}]}),
        reply(json=item("new_23")),
    )
    fields = EventFields(location="There")
    change = await driver.update("primary", "s1_16", fields, scope="following", etag='"1"', notify="external")
    assert (change.event.ref.id, [ref.id for ref in change.carried], change.lost) == ("new", ["new_23"], ())
    assert change.old is not None
    assert change.old.ref.id == "s1"
    told = {"sendUpdates": "externalOnly"}
    new_id = body(requests[3])["id"]
    assert [line(request) for request in requests] == [
        ("GET /calendars/primary/events/s1_16", {}),
        ("GET /calendars/primary/events/s1", {}),
        ("GET /calendars/primary/events", {"iCalUID": "u", "maxResults": "2500"}),
        ("POST /calendars/primary/events", told),
        ("PATCH /calendars/primary/events/s1", told),
        ("DELETE /calendars/primary/events/s1_23", {"sendUpdates": "none"}),
        (
            f"GET /calendars/primary/events/{new_id}/instances",
            {"originalStart": "2026-03-23T10:00:00+01:00", "maxResults": "1", "fields": "items(id)"},
        ),
        ("PATCH /calendars/primary/events/new_23", told),
    ]
    assert [dict(request.headers).get("If-Match") for request in requests] == [None] * 4 + ['"s"'] + [None] * 3
    assert body(requests[3]) == {
        "id": new_id,
        "summary": "Plans",
        "location": "There",
        "start": due(16),
        "end": {"dateTime": "2026-03-16T11:00:00+01:00", "timeZone": "Europe/Berlin"},
        "recurrence": ["RRULE:FREQ=WEEKLY;COUNT=8", "EXDATE;TZID=Europe/Berlin:20260330T100000"],
    }
    assert body(requests[4]) == {"recurrence": ended["recurrence"]}
    assert body(requests[7]) == {"summary": "Changed"}


@pytest.mark.parametrize("answer", [Reply(204), refusal(404, "notFound"), refusal(410, "deleted")])
async def test_a_delete_of_what_is_gone_is_fine(answer: Reply) -> None:
    driver, requests = scripted(answer)
    assert await driver.delete("primary", "e1", scope="this", notify="none", comment=None) == ()
    assert line(requests[0]) == ("DELETE /calendars/primary/events/e1", {"sendUpdates": "none"})
    driver, _ = scripted(refusal(404, "notFound"))
    assert await driver.delete("primary", "e1", scope="series", notify="none", comment=None) == ()


# Answering


async def test_an_answer_sends_the_own_entry_alone() -> None:
    own = {
        "email": "ann@example.com",
        "self": True,
        "optional": True,
        "responseStatus": "needsAction",
        "comment": "before",
    }
    guests = [{"email": "bob@example.com", "responseStatus": "accepted"}, own]
    driver, requests = scripted(reply(json=item(organizer={"email": "bob@example.com"}, attendees=guests)), reply())
    assert await driver.respond("primary", "e1", "declined", comment="", send=False, proposed=None) == ()
    assert line(requests[1]) == ("PATCH /calendars/primary/events/e1", {"sendUpdates": "none"})
    assert body(requests[1]) == {"attendeesOmitted": True, "attendees": [{**own, "responseStatus": "declined"}]}


@pytest.mark.parametrize(
    ("address", "code"), [("Ann@Example.com", None), ("zoe@example.com", "not_invited"), (None, "not_invited")]
)
async def test_the_own_entry_is_known_by_its_address_too(address: str | None, code: str | None) -> None:
    guests = [{"email": "ann@example.com", "responseStatus": "needsAction"}]
    answer = reply(json=item(organizer={"email": "bob@example.com"}, attendees=guests))
    driver, requests = scripted(answer, reply(), address=address)
    if code is None:
        await driver.respond("c2", "e1", "accepted", comment="Yes", send=True, proposed=None)
        assert body(requests[1])["attendees"] == [{**guests[0], "responseStatus": "accepted", "comment": "Yes"}]
    else:
        with pytest.raises(UsageError) as caught:
            await driver.respond("c2", "e1", "accepted", comment="", send=True, proposed=None)
        assert caught.value.code == code


# Free time


async def test_busy_times() -> None:
    busy = [
        {"start": "2026-03-09T10:00:00+01:00", "end": "2026-03-09T11:00:00+01:00"},
        {"start": "2026-03-09T10:00:00Z", "end": "2026-03-09T10:30:00Z"},
    ]
    calendars = {
        "ann@example.com": {"busy": busy},
        "room@x.example": {"busy": [], "errors": [{"domain": "global", "reason": "notFound"}]},
        "b@x.example": {"errors": [{"reason": "somethingElse"}]},
    }
    driver, requests = scripted(reply(json={"calendars": calendars}))
    who = ["room@x.example", "ann@example.com", "group@x.example", "b@x.example", "ann@example.com"]
    found = await driver.free_busy(who, NOW, NOW + dt.timedelta(days=60))
    taken = Busy(start=dt.datetime(2026, 3, 9, 9, tzinfo=dt.UTC), end=dt.datetime(2026, 3, 9, 10, 30, tzinfo=dt.UTC))
    ann = FreeBusy(who="ann@example.com", account="home", busy=(taken,))
    unknown = [
        FreeBusy(who=each, account="home", known=False, reason=reason)
        for each, reason in (
            ("room@x.example", "not_found"),
            ("group@x.example", "not_told"),
            ("b@x.example", "failed"),
        )
    ]
    assert found == [unknown[0], ann, unknown[1], unknown[2], ann]
    assert line(requests[0]) == ("POST /freeBusy", {"fields": "calendars"})
    assert body(requests[0]) == {
        "timeMin": "2026-03-01T12:00:00Z",
        "timeMax": "2026-04-30T12:00:00Z",
        "items": [{"id": each} for each in dict.fromkeys(who)],
    }


async def test_nobody_is_asked_about_nobody() -> None:
    driver, requests = scripted()
    assert (await driver.free_busy([], NOW, NOW + HOUR), requests) == ([], [])


async def test_an_odd_answer_is_the_problem_of_whom_it_is_about() -> None:
    odd = {"busy": [{"start": "2026-03-09T10:00:00Z"}]}
    driver, _ = scripted(reply(json={"calendars": {"a": odd, "b": {"busy": []}}}))
    first, second = await driver.free_busy(["a", "b"], NOW, NOW + HOUR)
    assert isinstance(first, BadPayload)
    assert second == FreeBusy(who="b", account="home")


async def test_a_refusal_of_everything_is_raised() -> None:
    driver, _ = scripted(refusal(403, "insufficientPermissions"))
    with pytest.raises(PermissionMissing) as caught:
        await driver.free_busy(["a"], NOW, NOW + HOUR)
    assert f"{AUTH}calendar.freebusy" in caught.value.scopes


# Permissions and refusals

VERBS: dict[str, Callable[[GoogleCalendarDriver], Awaitable[object]]] = {
    "calendars": lambda driver: driver.calendars(),
    "events": lambda driver: anext(driver.events(query())),
    "event": lambda driver: driver.event("primary", "e1"),
    "instances": lambda driver: driver.instances("primary", "e1", NOW, NOW + HOUR),
    "create": lambda driver: driver.create("primary", EventFields(start=TEN, end=TEN + HOUR), key=KEY, notify="all"),
    "update": lambda driver: driver.update("primary", "e1", EventFields(), scope="this", etag=None, notify="all"),
    "delete": lambda driver: driver.delete("primary", "e1", scope="this", notify="all", comment=None),
    "respond": lambda driver: driver.respond("primary", "e1", "accepted", comment="", send=True, proposed=None),
    "free_busy": lambda driver: driver.free_busy(["a"], NOW, NOW + HOUR),
}
READS, WRITES = {"events", "event", "instances"}, {"create", "update", "delete", "respond"}


@pytest.mark.parametrize(
    ("scope", "allowed"),
    [
        ("gmail.modify", set()),
        ("calendar.freebusy", {"free_busy"}),
        ("calendar.readonly", {"calendars", "free_busy", *READS}),
        ("calendar.events.readonly", {"calendars", *READS}),
        ("calendar.events", {"calendars", *READS, *WRITES}),
        ("calendar", set(VERBS)),
    ],
)
async def test_a_missing_permission_is_known_before_the_network(scope: str, allowed: set[str]) -> None:
    for name, verb in VERBS.items():
        driver, requests = scripted(reply(400), scopes=[f"{AUTH}{scope}"])
        with pytest.raises(MailkitError) as caught:
            await verb(driver)
        assert (name in allowed) is bool(requests), name
        if name not in allowed:
            assert isinstance(caught.value, PermissionMissing)
            assert f"{AUTH}calendar" in caught.value.scopes


@pytest.mark.parametrize("name", VERBS)
async def test_a_permission_that_google_misses_is_named(name: str) -> None:
    driver, _ = scripted(refusal(403, "insufficientPermissions"))
    with pytest.raises(PermissionMissing) as caught:
        await VERBS[name](driver)
    assert f"{AUTH}calendar" in caught.value.scopes


@pytest.mark.parametrize(
    ("status", "reason", "error"),
    [
        (403, "requiredAccessLevel", PermissionMissing),
        (403, "forbiddenForNonOrganizer", Unsupported),
        (403, "notACalendarUser", Unsupported),
        (403, "accessNotConfigured", ConfigurationError),
        (404, "notFound", NotFound),
        (410, "deleted", NotFound),
        (412, "conditionNotMet", Conflict),
        (403, "dailyLimitExceeded", RateLimited),
    ],
)
async def test_refusals_in_googles_words(status: int, reason: str, error: type[MailkitError]) -> None:
    driver, _ = scripted(reply(json=item()), refusal(status, reason))
    with pytest.raises(error) as caught:
        await driver.update("primary", "e1", EventFields(title="x"), scope="this", etag=None, notify="all")
    assert (caught.value.code, caught.value.account, caught.value.operation) == (reason, "home", "calendar.update")
    assert "Gmail" not in caught.value.message
    assert "gmail" not in caught.value.message
    assert not isinstance(caught.value, PermissionMissing) or caught.value.scopes == ()


async def test_a_zone_nobody_knows_is_not_utc_by_silence() -> None:
    times = {"start": {"dateTime": "2026-03-09T10:00:00+01:00", "timeZone": "Custom"}}
    driver, _ = scripted(reply(json={"id": "e1", **times}))
    event = await driver.event("primary", "e1")
    assert (event.start, getattr(event.start, "tzinfo", None), event.zone_source) == (TEN, ZoneInfo("Etc/UTC"), "none")
