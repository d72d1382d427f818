"""The verbs about other people's time: when they are free, and rooms to meet in."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from zoneinfo import ZoneInfo

from mailkit.checks import asked, flag, instance, refuse
from mailkit.clients.desk import Desk
from mailkit.clients.windows import between, zone
from mailkit.fanout import free_busy as asking
from mailkit.fanout.free_busy import OnUnreadable, people_asked
from mailkit.fanout.request import local_zone
from mailkit.fanout.resolve import concerned
from mailkit.mime.recipients import Recipients
from mailkit.models import FreeBusy, FreeSlot, Results, Room
from mailkit.scheduling import WorkingHours, check_lengths, free_slots

__all__ = ["AsyncFreeTime"]


class AsyncFreeTime:
    """What a calendar client knows of other people's time."""

    _desk: Desk

    async def free_busy(
        self,
        people: Recipients = (),
        start: dt.datetime | dt.date | None = None,
        end: dt.datetime | dt.date | None = None,
        *,
        me: bool = False,
        accounts: str | Iterable[str] | None = None,
        on_error: OnUnreadable = "note",
        tz: str | ZoneInfo | dt.timezone | None = None,
        deadline: float | None = None,
    ) -> Results[FreeBusy]:
        """Say when people and rooms are taken, one row each, in the order asked for.

        ``people`` are addresses; every account is asked about all of them, and what several know is put together. With
        ``me`` the first rows are each account's own main calendar (``who`` is ``"primary"``). The window is from
        ``start`` (now) to ``end``; times come in ``tz``, which is the client's zone, else the machine's. Somebody whose
        calendar nobody may read has ``known=False``: that is not free. With ``on_error="raise"`` that is an error.

        Raises:
            UsageError: an address, the window or a zone cannot be right; nothing was sent.
            NotFound: somebody's calendar cannot be read, and ``on_error`` is ``"raise"``; if an account failed that
                might have known, that error itself.
            AllAccountsFailed: every account failed; the only account concerned raises its own error.

        Example:
            ```python
            import datetime as dt

            from mailkit import AsyncCalendarClient
            from mailkit.testing import demo_accounts

            async with AsyncCalendarClient(demo_accounts(), tz="Europe/Berlin") as calendar:
                rows = await calendar.free_busy(
                    ["priya@example.com"], dt.date(2026, 3, 16), dt.date(2026, 3, 17), me=True
                )
                for row in rows:
                    print(row.who, row.known, [(busy.start, busy.end) for busy in row.busy])
            ```
        """
        operation = "calendar.free_busy"
        with asked(operation):
            if on_error not in ("raise", "note"):
                refuse(on_error, "on_error", "'raise' or 'note'")
            who = people_asked(people, me=flag(me, "me"), operation=operation)
            first, last = between(self._desk, start, end, tz)
            days = zone(self._desk, tz) or local_zone()
        return await asking.free_busy(
            self._desk,
            concerned(accounts, self._desk.names, operation=operation),
            who,
            me=me,
            start=first,
            end=last,
            tz=days,
            on_error=on_error,
            operation=operation,
            deadline=self._desk.deadline(deadline),
        )

    async def free_slots(
        self,
        people: Recipients,
        duration: dt.timedelta,
        start: dt.datetime | dt.date | None = None,
        end: dt.datetime | dt.date | None = None,
        *,
        me: bool = True,
        working_hours: WorkingHours | None = None,
        step: dt.timedelta | None = None,
        skip_unknown: bool = False,
        accounts: str | Iterable[str] | None = None,
        tz: str | ZoneInfo | dt.timezone | None = None,
        deadline: float | None = None,
    ) -> Results[FreeSlot]:
        """Give the times at which everybody is free for so long, across both providers.

        ``me`` counts the own main calendars too. Without ``step`` each slot is a whole free stretch of at least
        ``duration``; with it each is ``duration`` long and begins at a multiple of ``step`` from midnight in ``tz``:
        whole seconds, at most a day, and at most 100,000 of them in the window. ``working_hours`` are times on the
        clock of ``tz``, which is the client's zone, else the machine's. Somebody whose calendar nobody may read is not
        free: then there is no slot, and a note says so, unless ``skip_unknown`` leaves such people out; ``free_busy``
        says who it is. It leaves out nobody where an account failed: ``accounts`` does without that one.

        Raises:
            UsageError: an address, a length, the window or a zone cannot be right; nothing was sent.
            AllAccountsFailed: every account failed; the only account concerned raises its own error.

        Example:
            ```python
            import datetime as dt

            from mailkit import AsyncCalendarClient, WorkingHours
            from mailkit.testing import demo_accounts

            async with AsyncCalendarClient(demo_accounts(), tz="Europe/Berlin") as calendar:
                slots = await calendar.free_slots(
                    [],
                    dt.timedelta(minutes=45),
                    dt.date(2026, 3, 16),
                    dt.date(2026, 3, 21),
                    working_hours=WorkingHours(),
                )
                print(slots[0].start if slots else slots.notes)
            ```
        """
        operation = "calendar.free_slots"
        with asked(operation):
            flag(skip_unknown, "skip_unknown")
            if working_hours is not None:
                instance(working_hours, "working_hours", WorkingHours, "WorkingHours")
            who = people_asked(people, me=flag(me, "me"), operation=operation)
            first, last = between(self._desk, start, end, tz)
            days = zone(self._desk, tz) or local_zone()
            check_lengths(duration, step, last - first)
        rows = await asking.free_busy(
            self._desk,
            concerned(accounts, self._desk.names, operation=operation),
            who,
            me=me,
            start=first,
            end=last,
            tz=days,
            on_error="note",
            operation=operation,
            deadline=self._desk.deadline(deadline),
        )
        # Where an account failed, people are unknown who may be busy.
        skips = skip_unknown and not rows.failures
        asked_for = [row for row in rows if row.known or not skips]
        slots = free_slots(asked_for, duration, start=first, end=last, tz=days, working_hours=working_hours, step=step)
        return Results(rows=tuple(slots), failures=rows.failures, notes=rows.notes)

    async def find_rooms(
        self, name: str = "", *, accounts: str | Iterable[str] | None = None, deadline: float | None = None
    ) -> Results[Room]:
        """Find rooms to invite: those used most within half a year (before and after now), then the directory's.

        ``name`` is looked for in their names and addresses. The directory is asked where the account may (Outlook with
        ``Place.Read.All``); a note says where it is not.

        Raises:
            UnknownAccount: a name in ``accounts`` is not known.
            AllAccountsFailed: every account failed; the only account concerned raises its own error.

        Example:
            ```python
            from mailkit import AsyncCalendarClient
            from mailkit.testing import demo_accounts

            async with AsyncCalendarClient(demo_accounts()) as calendar:
                for room in await calendar.find_rooms("board"):
                    print(room.address, room.uses)
            ```
        """
        operation = "calendar.find_rooms"
        with asked(operation):
            instance(name, "name", str, "a part of the room's name, or empty")
        return await asking.rooms(
            self._desk,
            concerned(accounts, self._desk.names, operation=operation),
            name,
            now=self._desk.clock.now(),
            operation=operation,
            deadline=self._desk.deadline(deadline),
        )
