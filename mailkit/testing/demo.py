"""A small sandbox with something in it, for trying things out."""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

from mailkit.accounts import Accounts
from mailkit.sandbox import Event, File, Guest, Mail, Mailbox, Person, Sandbox
from mailkit.testing.accounts import sandbox_accounts

__all__ = ["demo_accounts", "demo_sandbox"]

_ANN = Person("Ann Lee", "ann@example.com")
_PRIYA = Person("Priya Nair", "priya@example.net")
_SAM = Person("Sam Ortiz", "sam@contoso.example")
_BOARD = Person("Board room", "board@contoso.example")
_ZONE = ZoneInfo("Europe/Berlin")


def demo_accounts() -> Accounts:
    """Make two accounts, ``home`` (Google) and ``work`` (Microsoft), each with a few messages and events."""
    sandbox, home, work = demo_sandbox()
    return sandbox_accounts(sandbox, home=home, work=work)


def demo_sandbox() -> tuple[Sandbox, Mailbox, Mailbox]:
    """Make the sandbox of ``demo_accounts`` and give its two mailboxes, to change or to script faults for."""
    sandbox = Sandbox()
    home, work = sandbox.google("ann@example.com"), sandbox.microsoft("ann@contoso.example")

    def ago(**span: float) -> dt.datetime:
        return sandbox.clock.now() - dt.timedelta(**span)

    plan = File(name="plan.txt", content=b"09:00 train\n12:30 lunch\n", content_type="text/plain")
    home.add(Mail(subject="Dinner on Friday?", from_=_PRIYA, to=_ANN, text="Shall we say eight?", date=ago(hours=3)))
    home.add(Mail(subject="Trip", from_=_PRIYA, to=_ANN, text="The plan.", date=ago(days=2), files=(plan,), read=True))
    home.add(Mail(subject="Your parcel", from_=_SAM, to=_ANN, text="It is on its way.", date=ago(days=40), read=True))
    draft = work.add(Mail(subject="Budget", from_=_PRIYA, to=_ANN, text="First draft.", date=ago(days=1), thread="b"))
    work.update(draft, read=True)
    work.add(Mail(subject="Re: Budget", from_=_SAM, to=_ANN, text="Looks right to me.", date=ago(hours=5), thread="b"))
    work.add(Mail(subject="Minutes", from_=_PRIYA, to=_ANN, html="<p>See you <b>Monday</b>.</p>", date=ago(hours=1)))
    _fill_calendars(sandbox, home, work)
    return sandbox, home, work


def _fill_calendars(sandbox: Sandbox, home: Mailbox, work: Mailbox) -> None:
    """Add a series and some events of the days to come, one of them an invitation."""
    today = sandbox.clock.now().astimezone(_ZONE).date()

    def at(days: int, hour: int, minute: int = 0) -> dt.datetime:
        return dt.datetime.combine(today + dt.timedelta(days=days), dt.time(hour, minute), _ZONE)

    home.add_event(Event(title="Dentist", start=at(1, 8, 30), end=at(1, 9)))
    home.add_event(Event(title="Trip", start=today + dt.timedelta(days=4), end=today + dt.timedelta(days=6)))
    work.add_event(
        Event(
            title="Standup",
            start=at(0, 11),
            end=at(0, 11, 15),
            recurrence="RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",
            guests=(Guest(_SAM), Guest(_BOARD, kind="room")),
        )
    )
    ann = Guest(Person("Ann Lee", "ann@contoso.example"))
    work.add_event(Event(title="Budget", start=at(2, 14), end=at(2, 15), organizer=_PRIYA, guests=ann))
