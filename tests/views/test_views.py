"""Events for people: what stands where, and that nobody's text becomes markup."""

from __future__ import annotations

import datetime as dt
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from mailkit.errors import UsageError
from mailkit.models.calendar import Attendee, Event
from mailkit.recurrence import Recurrence
from mailkit.values import Address, Ref
from mailkit.views import day_view, describe, week_view

BERLIN, TOKYO = ZoneInfo("Europe/Berlin"), ZoneInfo("Asia/Tokyo")
MONDAY = dt.date(2026, 3, 16)


def event(title: str, start: dt.datetime | dt.date, end: dt.datetime | dt.date, **more: object) -> Event:
    return Event(
        ref=Ref(account="work", kind="event", id=title, part="c"),
        calendar=Ref(account="work", kind="calendar", id="c"),
        title=title,
        start=start,
        end=end,
        **more,  # type: ignore[arg-type]
    )


def at(day: int, hour: int, minute: int = 0) -> dt.datetime:
    return dt.datetime(2026, 3, day, hour, minute, tzinfo=BERLIN)


LUNCH = event("Lunch", at(16, 12, 30), at(16, 13, 30), location="Café")


def people(*names: str) -> tuple[Attendee, ...]:
    return tuple(Attendee(address=Address(name=name, address=f"{name.lower()}@x")) for name in names)


@pytest.mark.parametrize(
    ("shown", "tz", "said"),
    [
        (LUNCH, BERLIN, "Lunch, Monday, 16 March 2026 12:30–13:30, at Café"),
        (LUNCH, TOKYO, "Lunch, Monday, 16 March 2026 20:30–21:30, at Café"),
        (
            event("Night", at(16, 22), at(17, 6)),
            BERLIN,
            "Night, Monday, 16 March 2026 22:00 to Tuesday, 17 March 2026 06:00",
        ),
        (event("Off", MONDAY, dt.date(2026, 3, 17)), TOKYO, "Off, Monday, 16 March 2026"),
        (
            event("Trip", MONDAY, dt.date(2026, 3, 19)),
            BERLIN,
            "Trip, Monday, 16 March 2026 to Wednesday, 18 March 2026",
        ),
        (
            event("Talk", at(16, 9), at(16, 10), attendees=people("Amy", "Bob")),
            BERLIN,
            "Talk, Monday, 16 March 2026 09:00–10:00, with Amy and Bob",
        ),
        (
            event(
                "Talk", at(16, 9), at(16, 10), attendees=people("Amy", "Bob", "Cy", "Dee", "Eve"), status="cancelled"
            ),
            BERLIN,
            "Talk, Monday, 16 March 2026 09:00–10:00, with Amy, Bob, Cy and 2 more (cancelled)",
        ),
        (
            event("Jog", at(16, 7), at(16, 8), kind="series", recurrence=Recurrence.every("week", on=["MO"])),
            BERLIN,
            "Jog, Monday, 16 March 2026 07:00–08:00; every week on Monday",
        ),
        (event(" \u202e", at(16, 7), at(16, 8)), BERLIN, "\ufffd, Monday, 16 March 2026 07:00–08:00"),
    ],
)
def test_a_sentence(shown: Event, tz: ZoneInfo, said: str) -> None:
    assert describe(shown, tz) == said


def test_a_day_shows_what_touches_it() -> None:
    events = [
        LUNCH,
        event("Night", at(15, 22), at(16, 6)),
        event("Late", at(16, 22), at(17, 6)),
        event("Until midnight", at(16, 20), at(17, 0)),
        event("Next day", at(17, 0), at(17, 1)),
        event("Off", MONDAY, dt.date(2026, 3, 17)),
        event("Yesterday", dt.date(2026, 3, 15), MONDAY),
    ]
    lines = str(day_view(events, MONDAY, BERLIN)).splitlines()[2:]
    assert [" ".join(line.split()) for line in lines] == [
        "Mon 16 Mar all day Off work",
        "Mon 16 Mar ←–06:00 Night work",
        "Mon 16 Mar 12:30–13:30 Lunch Café work",
        "Mon 16 Mar 20:00–00:00 Until midnight work",
        "Mon 16 Mar 22:00–→ Late work",
    ]


@pytest.mark.parametrize(("first_weekday", "first"), [(0, "Mon 16 Mar"), (6, "Sun 15 Mar")])
def test_a_week_has_seven_columns(first_weekday: int, first: str) -> None:
    view = week_view([LUNCH], dt.date(2026, 3, 18), BERLIN, first_weekday=first_weekday)
    html = view._repr_html_()
    assert html.count("<th>") == 7
    assert html.startswith(f"<table><thead><tr><th>{first}</th>")
    assert html.count("12:30–13:30 Lunch") == 1
    assert repr(view) == "<AgendaView 7 days, 1 events>"


def test_nobodys_text_becomes_markup() -> None:
    evil = event("<script>x</script>", at(16, 9), at(16, 10), location="<b>")
    for html in (day_view([evil], MONDAY, BERLIN).to_html(), week_view([evil], MONDAY, BERLIN).to_html()):
        assert "<script>" not in html
        assert "<b>" not in html
        assert "&lt;script&gt;" in html


def test_days_are_those_of_the_viewers_zone() -> None:
    late = event("Late", at(16, 22), at(16, 23))
    assert "Late" not in str(day_view([late], MONDAY, TOKYO))
    assert "Late" in str(day_view([late], dt.date(2026, 3, 17), TOKYO))


def test_a_zone_may_be_named() -> None:
    for view in (day_view, week_view):
        assert view([LUNCH], MONDAY, "Asia/Tokyo").to_html() == view([LUNCH], MONDAY, TOKYO).to_html()
    assert describe(LUNCH, "Asia/Tokyo") == describe(LUNCH, TOKYO)


@pytest.mark.parametrize("tz", ["Mars/Olympus", "", None, 5])
def test_what_is_no_zone_is_refused(tz: Any) -> None:
    for show in (
        lambda: describe(LUNCH, tz),
        lambda: day_view([LUNCH], MONDAY, tz),
        lambda: week_view([LUNCH], MONDAY, tz),
    ):
        with pytest.raises(UsageError, match="Europe/Berlin") as caught:
            show()
        assert caught.value.code == "bad_zone"


def test_what_has_no_title_or_does_not_take_place_says_so() -> None:
    events = [event("", at(16, 9), at(16, 10)), event("Talk", at(16, 11), at(16, 12), status="cancelled")]
    for view in (day_view(events, MONDAY, BERLIN), week_view(events, MONDAY, BERLIN)):
        for shown in (view.to_html(), view.to_text()):
            assert "(no title)" in shown
            assert "Talk (cancelled)" in shown


@pytest.mark.parametrize("wrong", [LUNCH.ref, [LUNCH.ref], "Lunch", None])
def test_what_is_no_event_is_refused(wrong: Any) -> None:
    for show in (
        lambda: describe(wrong, BERLIN),
        lambda: day_view(wrong, MONDAY, BERLIN),
        lambda: week_view(wrong, MONDAY, BERLIN),
    ):
        with pytest.raises(UsageError, match=r"calendar\.events gives"):
            show()


@pytest.mark.parametrize("first_weekday", ["SU", 7, -1, True])
def test_what_is_no_weekday_is_refused(first_weekday: Any) -> None:
    with pytest.raises(UsageError, match="0 for Monday") as caught:
        week_view([LUNCH], MONDAY, BERLIN, first_weekday=first_weekday)
    assert caught.value.code == "bad_first_weekday"


@pytest.mark.parametrize("day", [dt.date(2, 1, 1), dt.date(9998, 12, 31)])
def test_the_first_and_the_last_day_that_can_be_seen(day: dt.date) -> None:
    for zone in (ZoneInfo("Pacific/Kiritimati"), ZoneInfo("Pacific/Pago_Pago")):
        assert day_view([LUNCH], day, zone).days == ((day, ()),)
        assert len(week_view([LUNCH], day, zone).days) == 7


@pytest.mark.parametrize("day", ["2026-03-16", None, at(16, 9), dt.date(1, 12, 31), dt.date(9999, 1, 1)])
def test_what_is_no_day_is_refused(day: Any) -> None:
    for view in (day_view, week_view):
        with pytest.raises(UsageError, match="a date"):
            view([LUNCH], day, BERLIN)


def test_midnight_ends_a_day_also_where_clocks_show_it_twice() -> None:
    havana = ZoneInfo("America/Havana")  # on 1 November 2026 an hour after midnight it is midnight again
    start, end = dt.datetime(2026, 10, 31, 22, tzinfo=havana), dt.datetime(2026, 11, 1, tzinfo=havana)
    assert "22:00–00:00" in str(day_view([event("Party", start, end)], start.date(), havana))
