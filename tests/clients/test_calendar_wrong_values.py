"""Every verb of the calendar clients with every parameter wrong: refused in words before anything is sent."""

from __future__ import annotations

import datetime as dt
import inspect
import math
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any, Literal

import pytest

from mailkit import AsyncCalendarClient, InvalidRecurrence, Recurrence, Ref, UsageError
from mailkit.clients.async_agenda import AsyncAgenda
from mailkit.clients.async_calendars import AsyncCalendars
from mailkit.clients.async_event_writing import AsyncEventWriting
from mailkit.clients.async_free_time import AsyncFreeTime
from mailkit.clients.async_invitations import AsyncInvitations
from tests.clients.calendar_world import HOUR, PROVIDERS, World, at, make_world
from tests.clients.test_wrong_values import WRONG as ALIKE

pytestmark = [pytest.mark.anyio, pytest.mark.matrix]

EVENT = Ref(account="home", kind="event", id="id", part="calendar")
BROKEN = Ref(account="home", kind="event", id="\ud800", part="calendar")
NAIVE = dt.datetime(2026, 3, 16, 9)  # noqa: DTZ001  # what is tested: the client has no zone
FAR = (dt.date.min, dt.date.max, dt.datetime(1, 1, 1, tzinfo=dt.UTC), dt.datetime(9999, 12, 31, tzinfo=dt.UTC))
NO_TIME: tuple[object, ...] = (5, "2026-03-16", b"x", [], NAIVE, *FAR)
NO_PEOPLE: tuple[object, ...] = (5, b"x", "nobody", ["amy@example.com", 5], "a@b\r\nBcc: c@d", [None])
NO_EVENT: tuple[object, ...] = (
    *(None, 5, b"x", [], {}, "", "bare", "mk1:x", "\ud800", BROKEN),
    *(Ref(account="home", kind="message", id="x"), Ref(account="home", kind="event", id="x")),
    *(Ref(account="nobody", kind="event", id="x", part="y"), Ref(account="work", kind="event", id="x", part="y")),
)
NO_CALENDAR: tuple[object, ...] = (
    *(5, b"x", {"a": 1}, "", "mk1:x", "\ud800", EVENT),
    *(Ref(account="home", kind="calendar", id="x", part="y"), Ref(account="work", kind="calendar", id="x")),
)
WRONG: Mapping[str, tuple[object, ...]] = {
    **{name: ALIKE[name] for name in ("accounts", "tz", "deadline", "account")},
    "start": NO_TIME,
    "end": (*NO_TIME, at(16, 9), at(16, 8), dt.date(2026, 3, 1)),
    "limit": (0, -1, "25", 2.0, True, None, 10_001),
    "text": (5, b"x", ["x"]),
    "calendars": (5, b"x", [], [5], "", "unclear", EVENT, [Ref(account="nobody", kind="calendar", id="x")]),
    "calendar": (None, *NO_CALENDAR),
    "event": NO_EVENT,
    **dict.fromkeys(("expand", "cancelled", "dedupe", "me", "skip_unknown", "send_response"), (None, 1, "yes", [])),
    **dict.fromkeys(("title", "html", "location"), (5, b"x", ["x"], "half \ud800")),
    "duration": (5, "1h", dt.timedelta(0), -HOUR),
    **dict.fromkeys(("attendees", "optional", "rooms", "add_attendees"), NO_PEOPLE),
    **dict.fromkeys(("remove_attendees", "set_attendees"), NO_PEOPLE),
    "people": (*NO_PEOPLE, None),
    "recurrence": (5, b"x", [5], "FREQ=NEVER", "x", ["RRULE:FREQ=DAILY", "RRULE:FREQ=DAILY"]),
    "reminders": (-1, "5", [None], True, [5, -5], 10**9, b"x"),
    "visibility": (5, "secret", [], ["private"]),
    "show_as": (5, "sleeping", [], {}),
    "online_meeting": (1, "yes", "teams"),
    "categories": (5, b"x", [5], ["\ud800"]),
    "color": (5, b"x", ["red"]),
    "wants_responses": (1, "yes"),
    "key": (5, "", b"x", "\ud800"),
    "notify": (None, 5, "nobody", [], True),
    "scope": (5, "all", [], True),
    "etag": (5, b"x", [], True, "", "a\r\nX: b"),
    "response": (None, 5, "yes", "none", []),
    "comment": (None, 5, b"x"),
    "propose_start": (5, "nine", dt.date(2026, 3, 16), NAIVE, at(16, 12), *FAR[2:]),
    "propose_end": (5, "nine", dt.date(2026, 3, 16), NAIVE, at(16, 8), *FAR[2:]),
    "on_error": (None, 5, "ignore", []),
    "working_hours": (5, "9-17", [], (9, 17)),
    "step": (5, dt.timedelta(0), -HOUR, "30m"),
    "name": (None, 5, b"x"),
}
GIVEN: Mapping[str, Mapping[str, object]] = {
    "create": {"title": "x", "start": at(16, 9), "end": at(16, 10)},
    "update": {"event": EVENT, "title": "x", "start": at(16, 9)},
    "respond": {"event": EVENT, "response": "declined"},
    "instances": {"event": EVENT, "start": at(16, 9), "end": at(16, 10)},
    "free_busy": {"people": "amy@example.com", "start": at(16, 9), "end": at(16, 10)},
    "free_slots": {"people": "amy@example.com", "duration": HOUR, "start": at(16, 9), "end": at(16, 10)},
    **{verb: {"start": at(16, 9), "end": at(16, 10)} for verb in ("events", "iter_events")},
    **{verb: {"event": EVENT} for verb in ("get", "delete", "cancel")},
}
# What must stand beside a parameter for it to be alone in being wrong.
BESIDE: Mapping[tuple[str, str], Mapping[str, object]] = {
    ("respond", "propose_start"): {"propose_end": at(16, 10)},
    ("respond", "propose_end"): {"propose_start": at(16, 9)},
    ("create", "duration"): {"end": None},
}
NAMESPACES = {
    AsyncAgenda: None,
    AsyncEventWriting: None,
    AsyncInvitations: None,
    AsyncFreeTime: None,
    AsyncCalendars: "calendars",
}


def verbs() -> list[tuple[str, inspect.Signature]]:
    return [
        (f"{namespace}.{name}" if namespace else name, inspect.signature(verb))
        for owner, namespace in NAMESPACES.items()
        for name, verb in inspect.getmembers(owner, inspect.isfunction)
        if not name.startswith("_")
    ]


CASES = [
    pytest.param(verb, name, value, id=f"{verb}-{name}-{number}")
    for verb, signature in verbs()
    for name in list(signature.parameters)[1:]
    for number, value in enumerate(WRONG[name])
]


@pytest.fixture(scope="module")  # what is refused leaves no trace in it
def world() -> World:
    return make_world()


@pytest.fixture
async def calendar(world: World) -> AsyncIterator[AsyncCalendarClient]:
    async with AsyncCalendarClient(world.accounts()) as client:
        yield client


async def call(calendar: AsyncCalendarClient, verb: str, arguments: Mapping[str, object]) -> None:
    *namespace, name = verb.split(".")
    method: Callable[..., Any] = getattr(getattr(calendar, namespace[0]) if namespace else calendar, name)
    given = method(**arguments)
    await (given if inspect.isawaitable(given) else anext(given))


@pytest.mark.parametrize(("verb", "name", "value"), CASES)
async def test_what_is_wrong_is_refused_before_anything_is_sent(
    world: World, calendar: AsyncCalendarClient, verb: str, name: str, value: object
) -> None:
    arguments = {**GIVEN.get(verb, {}), **BESIDE.get((verb, name), {})}
    if verb in {"create", "update", "delete", "cancel", "respond", "get", "instances"}:
        arguments["account"] = "home"
    sent = len(world.sandbox.requests)
    with pytest.raises(UsageError) as caught:
        await call(calendar, verb, {**arguments, name: value})
    assert len(world.sandbox.requests) == sent
    assert len(str(caught.value)) < 400
    assert "amy@" not in str(caught.value)
    if name != "deadline":
        asked = "events" if verb == "events_as_completed" else verb
        assert caught.value.operation == f"calendar.{asked}"


@pytest.mark.parametrize("name", PROVIDERS)
@pytest.mark.parametrize("frequency", ["HOURLY", "MINUTELY", "SECONDLY"])
async def test_a_rule_below_a_day_is_refused_before_anything_is_sent(name: str, frequency: str) -> None:
    world = make_world()
    rule = f"RRULE:FREQ={frequency};INTERVAL=6;COUNT=3"
    async with world.client() as calendar:
        made = await calendar.create("Plan", at(16, 9), duration=HOUR, account=name)
        sent = len(world.sandbox.requests)
        for given in (rule, [rule], Recurrence.from_text(rule)):
            with pytest.raises(InvalidRecurrence) as caught:
                await calendar.create("Plan", at(16, 9), duration=HOUR, recurrence=given, account=name)
            assert (caught.value.code, caught.value.operation) == ("sub_daily", "calendar.create")
            with pytest.raises(InvalidRecurrence) as caught:
                await calendar.update(made, recurrence=given)
            assert (caught.value.code, caught.value.operation) == ("sub_daily", "calendar.update")
        assert len(world.sandbox.requests) == sent


@pytest.mark.parametrize(("response", "send"), [("accepted", True), ("declined", False)])
async def test_another_time_needs_an_answer_that_is_sent_and_no_yes(
    world: World, calendar: AsyncCalendarClient, response: Literal["accepted", "declined"], send: bool
) -> None:
    sent = len(world.sandbox.requests)
    with pytest.raises(UsageError) as caught:
        await calendar.respond(
            EVENT, response, send_response=send, propose_start=at(16, 9), propose_end=at(16, 10), account="home"
        )
    assert (caught.value.code, len(world.sandbox.requests)) == ("bad_proposal", sent)


async def test_what_is_right_is_taken() -> None:
    calendar = AsyncCalendarClient(make_world().accounts())
    days = (dt.date(2026, 3, 16), dt.date(2026, 3, 17))
    for tz in (dt.UTC, "Asia/Tokyo"):
        assert len(await calendar.events(*days, tz=tz, deadline=math.inf, limit=10_000, accounts=("home",))) == 2
    made = await calendar.create("", NAIVE, duration=HOUR, tz="Europe/Berlin", account="home", reminders=(), key="k")
    assert made.start == at(16, 9)
    assert (await calendar.update(made, recurrence=(), add_attendees=[])).event.kind == "single"
    await calendar.aclose()
