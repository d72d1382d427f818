"""The order of events, and one meeting shown once."""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

from mailkit.models.calendar import Event
from mailkit.scheduling import deduplicated, event_key
from mailkit.values import Ref

BERLIN, TOKYO = ZoneInfo("Europe/Berlin"), ZoneInfo("Asia/Tokyo")


def event(
    id_: str, start: dt.datetime | dt.date, *, account: str = "a", uid: str | None = None, organizer: bool = False
) -> Event:
    return Event(
        ref=Ref(account=account, kind="event", id=id_, part="c"),
        calendar=Ref(account=account, kind="calendar", id="c"),
        start=start,
        end=start + dt.timedelta(days=1),
        ical_uid=uid,
        is_organizer=organizer,
    )


def test_by_instant_whole_days_first_then_account_and_id() -> None:
    day = dt.date(2026, 3, 16)
    events = [
        event("late", dt.datetime(2026, 3, 16, 9, tzinfo=BERLIN)),
        event("early", dt.datetime(2026, 3, 16, 9, tzinfo=TOKYO)),
        event("midnight", dt.datetime(2026, 3, 16, tzinfo=BERLIN)),
        event("day", day),
        event("b", dt.datetime(2026, 3, 16, 9, tzinfo=BERLIN), account="b"),
    ]
    ordered = sorted(events, key=lambda each: event_key(each, BERLIN))
    assert [each.ref.id for each in ordered] == ["day", "midnight", "early", "late", "b"]
    assert min(events, key=lambda each: event_key(each, TOKYO)).ref.id == "day"


def test_one_meeting_in_two_own_calendars_is_shown_once() -> None:
    nine = dt.datetime(2026, 3, 16, 9, tzinfo=BERLIN)
    same = nine.astimezone(TOKYO)
    events = [
        event("1", nine, uid="u"),
        event("2", same, account="b", uid="u", organizer=True),
        event("3", nine + dt.timedelta(days=7), uid="u"),
        event("4", nine),
        event("5", nine),
    ]
    found = deduplicated(events)
    assert [each.ref.id for each in found] == ["2", "3", "4", "5"]
    assert [ref.id for ref in found[0].also] == ["1"]
