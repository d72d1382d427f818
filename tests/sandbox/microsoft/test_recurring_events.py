"""Series as they are written over the wire, expanded and read back: known patterns, and zones around the world."""

from __future__ import annotations

import datetime as dt
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from mailkit.sandbox.microsoft import zones
from tests.support.cases import cases
from tests.support.graph import Graph
from tests.support.meetings import at, event, every, view

AROUND = [
    "Dateline Standard Time",
    "Newfoundland Standard Time",
    "UTC",
    "Nepal Standard Time",
    "Line Islands Standard Time",
]


def local(moment: dict[str, str], zone: ZoneInfo) -> dt.datetime:
    return dt.datetime.fromisoformat(moment["dateTime"]).replace(tzinfo=dt.UTC).astimezone(zone)


@pytest.mark.parametrize("case", cases("graph_recurrences.jsonl"))
def test_known_patterns_over_the_wire(graph: Graph, case: dict[str, Any]) -> None:
    start = dt.date.fromisoformat(case["recurrence"]["range"]["startDate"])
    clock = "00:00" if case["all_day"] else case["start_time"]
    end = f"{start + dt.timedelta(days=1)}T00:00:00" if case["all_day"] else f"{start}T{clock}:00"
    recurrence = case["recurrence"]
    recurrence["range"].pop("recurrenceTimeZone", None)  # in some it is another zone, which is read and never written
    body = event("x", f"{start}T{clock}:00", end, case["tz"], isAllDay=case["all_day"], recurrence=recurrence)
    if "error" in case:
        assert graph.refused("POST", "/me/events", body) == (400, "ErrorInvalidRequest")
        return
    made = graph.made("/me/events", body)
    zone = zones.named(case["tz"])
    assert zone is not None
    wanted = case["occurrences"]
    found: list[str] = []
    day = start
    # A view is at most five years wide.
    while len(found) < len(wanted) and day < start + dt.timedelta(days=40_000):
        last = day + dt.timedelta(days=1800)
        rows = view(graph, f"{day}T00:00:00Z", f"{last}T00:00:00Z", f"/me/events/{made['id']}/instances")
        dates = (
            row["start"]["dateTime"][:10] if case["all_day"] else f"{local(row['start'], zone):%Y-%m-%d}"
            for row in rows
        )
        found += [date for date in dates if date not in found]
        day = last
    assert found[: len(wanted)] == wanted


@pytest.mark.parametrize("name", AROUND)
def test_a_series_keeps_its_clock_and_its_days_in_every_zone(graph: Graph, name: str) -> None:
    zone = zones.named(name)
    assert zone is not None
    for clock in ("00:30", "23:30"):
        body = event("x", f"2026-03-04T{clock}:00", f"2026-03-04T{clock}:00", name)
        made = graph.made(
            "/me/events", body | {"recurrence": every("weekly", "2026-03-04", count=40, daysOfWeek=["wednesday"])}
        )
        rows = view(graph, "2026-03-01T00:00:00Z", "2027-03-01T00:00:00Z", f"/me/events/{made['id']}/instances")
        moments = [local(row["start"], zone) for row in rows]
        assert [f"{moment:%H:%M %a}" for moment in moments] == [f"{clock} Wed"] * 40
        assert [moment.date() for moment in moments] == [dt.date(2026, 3, 4) + dt.timedelta(weeks=n) for n in range(40)]


@pytest.mark.parametrize("name", AROUND)
def test_whole_days_repeat_on_their_days_in_every_zone(graph: Graph, name: str) -> None:
    days = {"start": at("2026-03-04T00:00:00", name), "end": at("2026-03-05T00:00:00", name), "isAllDay": True}
    graph.made("/me/events", {"subject": "x", **days, "recurrence": every("daily", "2026-03-04", count=3)})
    for prefer in ("", 'outlook.timezone="Tokyo Standard Time"'):
        rows = view(graph, "2026-03-01T00:00:00Z", "2026-04-01T00:00:00Z", prefer=prefer)
        assert [row["start"]["dateTime"][:16] for row in rows] == [f"2026-03-0{day}T00:00" for day in (4, 5, 6)]


@pytest.mark.parametrize(
    ("zone", "taken"),
    [("W. Europe Standard Time", True), ("Europe/Stockholm", True), ("", True), ("UTC", False), ("Mars", False)],
)
def test_a_recurrence_is_in_the_zone_of_its_event(graph: Graph, zone: str, *, taken: bool) -> None:
    recurrence = every("daily", "2026-03-04", count=2)
    recurrence["range"]["recurrenceTimeZone"] = zone
    body = event("x", "2026-03-04T09:00:00", "2026-03-04T10:00:00", "Europe/Berlin", recurrence=recurrence)
    assert graph.write("POST", "/me/events", body).status_code == (201 if taken else 400)
