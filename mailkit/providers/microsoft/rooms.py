"""The directory of rooms that an organisation keeps at Microsoft, where it may be read."""

from __future__ import annotations

from mailkit.errors import AccessError, NotFound
from mailkit.models.calendar import Room
from mailkit.models.notes import Note
from mailkit.providers.microsoft.access import PLACES, is_granted
from mailkit.providers.microsoft.calendar_book import in_utc
from mailkit.providers.microsoft.calendar_wire import ROOM_MEMBERS, room_from_wire
from mailkit.providers.microsoft.requests import rows_of
from mailkit.providers.microsoft.schedule import OutlookSchedules
from mailkit.providers.wire import read_each
from mailkit.transport.call import Call

__all__ = ["OutlookRooms"]

_NO_DIRECTORY = Note(
    code="no_directory",
    effect=f"the directory of rooms cannot be read: it needs the permission {PLACES[0]} of an organisation's account",
)


class OutlookRooms(OutlookSchedules):
    """The verb that finds rooms."""

    async def rooms(self, name: str) -> tuple[list[Room], tuple[Note, ...]]:
        """Give the rooms of the directory whose name holds ``name``, or a note that there is none to ask."""
        if not is_granted(self.account, PLACES):
            return [], self._book.notes(_NO_DIRECTORY)
        call = Call(
            operation="calendar.rooms",
            # https://learn.microsoft.com/graph/api/place-list
            url="/places/microsoft.graph.room",
            query=(("$select", ",".join(ROOM_MEMBERS)),),
            headers=in_utc(),
        )
        try:
            items = [row async for answer in self._book.session.pages(call) for row in rows_of(answer)]
        except (AccessError, NotFound):
            return [], self._book.notes(_NO_DIRECTORY)
        rooms, _ = read_each(items, "value", lambda item, path: room_from_wire(item, path, account=self.account.name))
        wanted = name.casefold()
        return [room for room in rooms if wanted in str(room.address).casefold()], ()
