"""Invitations between calendars: what an organiser asks, what guests answer, across providers.

Responsible for who hears of a change, and for the record of it. It knows no provider and keeps no event: how an
invitation is kept, and what an answer changes, is the ``Diary``'s it reaches.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal, Protocol, TypeAlias

import attrs

from mailkit.sandbox.event import Event, Guest, ShowAs, When
from mailkit.sandbox.mail import Person

__all__ = ["Answer", "CalendarPost", "Diary", "Invitation", "Notice", "Notify"]

Notify: TypeAlias = Literal["all", "external", "none"]
"""Who is written to: all, those of other providers, or nobody (guests of the same provider see the change anyway)."""


@attrs.frozen(kw_only=True)
class Invitation:
    """What an organiser has to say of an event: that it is, how it is now, or that it is off.

    ``event`` is all of it, guests and recurrence included; with ``original`` it is the one occurrence of the series
    that was due then. ``comment`` is what the organiser writes along, ``wishes`` what else they set, in the words of
    their provider, which others do not read.
    """

    uid: str
    organizer: Person
    event: Event
    original: When | None = None
    sequence: int = 0
    comment: str = ""
    wishes: Mapping[str, object] = attrs.field(factory=dict)
    at: dt.datetime


@attrs.frozen(kw_only=True)
class Answer:
    """What a guest answers: to the event or series, or with ``original`` to one occurrence of it."""

    uid: str
    guest: Guest
    original: When | None = None
    proposal: tuple[dt.datetime, dt.datetime] | None = None
    at: dt.datetime


class Diary(Protocol):
    """One account's calendars, as invitations see them."""

    provider: str
    """Whose service keeps them."""

    @property
    def own_addresses(self) -> Sequence[str]:
        """The addresses their owner is invited at."""
        ...

    def shows_busy_to(self, address: str) -> bool:
        """Say whether somebody may see when the owner is busy."""
        ...

    def engagements(self, start: dt.datetime, end: dt.datetime) -> list[tuple[dt.datetime, dt.datetime, ShowAs]]:
        """Give what fills the owner's time between two instants."""
        ...

    def take_invitation(self, invitation: Invitation) -> None:
        """Keep an event, or what has become of it, in the primary calendar; the guest has yet to answer."""
        ...

    def take_cancellation(self, invitation: Invitation) -> None:
        """Note that an event, or an occurrence of it, is off, or goes on without this guest."""
        ...

    def take_answer(self, answer: Answer) -> None:
        """Note in the organiser's own copy what a guest answered."""
        ...


@attrs.frozen(kw_only=True)
class Notice:
    """One message about an event that went out to people: the mail they would find in their inbox."""

    kind: Literal["invitation", "cancellation", "answer"]
    uid: str
    sender: str = attrs.field(repr=False)
    recipients: tuple[str, ...] = attrs.field(repr=False)
    original: When | None = None
    comment: str = attrs.field(default="", repr=False)
    at: dt.datetime


class CalendarPost:
    """Takes invitations from the services of one sandbox; ``diaries`` gives its accounts' calendars as they are now.

    ``notices`` records whom each change was sent to, with a mailbox here or without.
    """

    def __init__(self, diaries: Callable[[], Iterable[Diary]]) -> None:
        self.notices: list[Notice] = []
        self._diaries = diaries

    def of(self, address: str, near: Diary) -> Diary | None:
        """Find the calendars of an address, at the provider of ``near`` first; those of no account here are None."""
        key = address.casefold()
        found = [diary for diary in self._diaries() if key in map(str.casefold, diary.own_addresses)]
        return min(found, key=lambda diary: diary.provider != near.provider, default=None)

    def invite(self, sender: Diary, invitation: Invitation, guests: Iterable[Guest], notify: Notify = "all") -> None:
        """Take an invitation, or what has become of it, to ``guests``."""
        for diary in self._told(sender, invitation, guests, notify, "invitation"):
            diary.take_invitation(invitation)

    def cancel(self, sender: Diary, invitation: Invitation, guests: Iterable[Guest], notify: Notify = "all") -> None:
        """Tell ``guests`` that an event is off, or goes on without them."""
        for diary in self._told(sender, invitation, guests, notify, "cancellation"):
            diary.take_cancellation(invitation)

    def answer(self, sender: Diary, organizer: Person, answer: Answer, notify: Notify = "all") -> None:
        """Take a guest's answer to the organiser."""
        diary = self.of(organizer.address, sender)
        written = _written(sender, diary, notify)
        if written:
            self.notices.append(
                Notice(
                    kind="answer",
                    uid=answer.uid,
                    sender=sender.own_addresses[0],
                    recipients=(organizer.address,),
                    original=answer.original,
                    comment=answer.guest.comment,
                    at=answer.at,
                )
            )
        if diary is not None and diary is not sender and (written or diary.provider == sender.provider):
            diary.take_answer(answer)

    def _told(
        self,
        sender: Diary,
        invitation: Invitation,
        guests: Iterable[Guest],
        notify: Notify,
        kind: Literal["invitation", "cancellation"],
    ) -> list[Diary]:
        """Write to the guests that are to be written to; gives the calendars in which the change shows."""
        written: list[str] = []
        shown: list[Diary] = []
        for guest in guests:
            diary = self.of(guest.person.address, sender)
            if diary is sender:
                continue
            if _written(sender, diary, notify):
                written.append(guest.person.address)
            elif diary is None or diary.provider != sender.provider:
                continue
            if diary is not None and diary not in shown:
                shown.append(diary)
        if written:
            self.notices.append(
                Notice(
                    kind=kind,
                    uid=invitation.uid,
                    sender=sender.own_addresses[0],
                    recipients=tuple(written),
                    original=invitation.original,
                    comment=invitation.comment,
                    at=invitation.at,
                )
            )
        return shown


def _written(sender: Diary, diary: Diary | None, notify: Notify) -> bool:
    return notify == "all" or (notify == "external" and (diary is None or diary.provider != sender.provider))
