"""Reads one account's list, step by step, and keeps what comes beside the rows.

Knows one driver and one search. Deadlines and other accounts are not its concern.
"""

from __future__ import annotations

from collections.abc import Callable

from mailkit.errors import BadPayload, MailkitError, Unsupported
from mailkit.fanout.flow import Work, both
from mailkit.models.mail import MessageSummary
from mailkit.models.notes import Note
from mailkit.providers.base import Listing, MailDriver, Page, Search

__all__ = ["Reader"]


class Reader:
    """One account's list on its way: the rest fills as it is read, ``ended`` says that it is at its end."""

    def __init__(self, driver: Callable[[], MailDriver], search: Search, *, strict: bool) -> None:
        self.rows: list[MessageSummary] = []
        self.notes: list[Note] = []
        self.problems: list[BadPayload] = []
        self.ended: bool = False
        self._driver = driver
        self._search = search
        self._strict = strict
        self._advance: Work[Listing] = self._start
        self._upcoming: Listing | MailkitError | None = None
        self._pausing = False

    async def read(self, *, ahead: bool = False) -> tuple[MessageSummary, ...]:
        """Give the rows of the next step; with ``ahead``, ask for the step after it while they are on their way.

        Raises:
            MailkitError: the step failed. What failed ahead is raised when its turn comes.
        """
        listing, self._upcoming = self._upcoming, None
        if listing is None:
            listing = await self._advance()
        if isinstance(listing, MailkitError):
            raise listing
        self._note(listing.notes)
        page = await self._fetch(listing, ahead=ahead)
        self.problems.extend(page.problems)
        if page.error is not None:
            self._upcoming = page.error
        elif listing.next is None:
            self.ended = True
        else:
            self._advance = listing.next
        self._pausing = listing.pause
        return page.rows

    async def collect(self, limit: int) -> None:
        """Fill ``rows`` with at least ``limit`` rows, or all there are.

        Raises:
            MailkitError: a step failed; ``rows`` keeps what came before it.
        """
        pace = limit
        while not self.ended and len(self.rows) < limit:
            step = await self.read(ahead=limit - len(self.rows) > pace)
            pace = len(step) or pace
            self.rows += step
            # What lies beyond a pause is for iterators; here the note beside the rows says that there is more.
            if self._pausing:
                self.ended = True

    async def _start(self) -> Listing:
        driver = self._driver()
        if self._strict:
            # The plan asks for labels and folders at most, so a refusal comes before the list is asked for.
            self._note((await driver.plan(self._search)).notes)
        return await driver.search(self._search)

    def _note(self, notes: tuple[Note, ...]) -> None:
        self.notes.extend(note for note in notes if note not in self.notes)
        if self._strict and self.notes:
            note = self.notes[0]
            raise Unsupported(
                f"{note.term or 'the query'} cannot be answered exactly here ({note.effect}); "
                "reword it, or leave strict= out",
                code=note.code,
            )

    async def _fetch(self, listing: Listing, *, ahead: bool) -> Page:
        if not ahead or listing.next is None:
            return await listing.fetch()
        page, self._upcoming = await both(listing.fetch, listing.next)
        if isinstance(page, MailkitError):
            raise page
        return page
