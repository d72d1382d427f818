"""One agenda of two providers, a slot for five people, an occurrence moved, the rest of a series changed, offline.

The calendars live in this process. On real accounts only the part that makes them differs:
``CalendarClient(Accounts.load(), tz="Europe/Berlin")``.

Run it: ``python examples/agenda.py``
"""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

from mailkit import CalendarClient, Recurrence, WorkingHours
from mailkit.sandbox import Sandbox
from mailkit.testing import sandbox_accounts
from mailkit.views import describe, week_view

BERLIN = ZoneInfo("Europe/Berlin")
MONDAY = dt.date(2026, 3, 16)


def at(day: int, hour: int, minute: int = 0) -> dt.datetime:
    """Give a time of that week."""
    return dt.datetime(2026, 3, day, hour, minute, tzinfo=BERLIN)


def main() -> None:
    """Fill two calendars, look at them as one, find time for five people, and change a series."""
    sandbox = Sandbox()
    home, work = sandbox.google("ann@example.com"), sandbox.microsoft("ann@contoso.example")
    others = {
        "amy": sandbox.google("amy@example.net"),
        "bo": sandbox.google("bo@example.org"),
        "cem": sandbox.microsoft("cem@fabrikam.example"),
        "dee": sandbox.microsoft("dee@contoso.example"),
    }
    hour = dt.timedelta(hours=1)

    with CalendarClient(sandbox_accounts(sandbox, home=home, work=work, **others), tz=BERLIN) as calendar:
        calendar.create("Dentist", at(17, 8, 30), duration=hour, account="home")
        review = calendar.create(
            "Review", at(16, 10), duration=hour, recurrence=Recurrence.every("week", on=["MO", "WE"]), account="work"
        )
        calendar.create("Fair", MONDAY + dt.timedelta(days=3), account="work")
        for name, day in zip(others, (16, 17, 18, 16), strict=True):
            calendar.create("Busy", at(day, 9), at(day, 16), account=name)

        mine = calendar.events(MONDAY, MONDAY + dt.timedelta(days=7), accounts=["home", "work"])
        print("The week of two calendars at two providers:\n")
        print(week_view(mine, MONDAY, BERLIN))

        print("\nTime for five people:\n")
        people = ["amy@example.net", "bo@example.org", "cem@fabrikam.example", "dee@contoso.example"]
        slots = calendar.free_slots(
            people, hour, MONDAY, MONDAY + dt.timedelta(days=5), working_hours=WorkingHours(), accounts=None
        )
        for slot in slots:
            print(f"  {slot.start:%a %d %b %H:%M}-{slot.end:%H:%M}")

        wednesday = next(event for event in mine if event.title == "Review" and event.start == at(18, 10))
        moved = calendar.update(wednesday, start=at(18, 14))
        print(f"\nMoved alone:     {describe(moved.event, BERLIN)}")

        following = calendar.events(at(25, 0), at(26, 0), accounts="work")[0]
        change = calendar.update(
            following, title="Short review", duration=hour / 2, start=at(25, 10), scope="following"
        )
        print(f"From then on:    {describe(change.event, BERLIN)}")
        print(f"Before that:     {describe(calendar.get(review), BERLIN)}")


if __name__ == "__main__":
    main()
