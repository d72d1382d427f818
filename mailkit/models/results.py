"""What a call over several accounts gives: the rows of all that answered, and beside them what went otherwise.

``Results`` is an immutable sequence and does no I/O: whoever has a ``cursor`` hands it to the client for more.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from typing import Generic, TypeVar, overload

import attrs

from mailkit.errors import AccountsFailed, BadPayload, UsageError
from mailkit.models.body import Body
from mailkit.models.calendar import Attendee, Busy, Calendar, Event, FreeBusy, OnlineMeeting, Reminder
from mailkit.models.drafts import Draft
from mailkit.models.errors_json import error_from_dict, error_key, error_to_dict
from mailkit.models.kinds import row_from_dict, row_to_dict
from mailkit.models.mail import Attachment, Label, Message, MessageSummary, Thread
from mailkit.models.notes import Failure, Note
from mailkit.models.records import Record
from mailkit.recurrence import Recurrence
from mailkit.tables import Table
from mailkit.values import Address, Ref

__all__ = ["Results"]

T_co = TypeVar("T_co", bound=Record, covariant=True)

# What a table of rows shows; a kind that is not named here shows everything.
_SHOWN: Mapping[type[Record], tuple[str, ...]] = {
    MessageSummary: ("account", "date", "from", "subject", "folder", "labels"),
    Message: ("account", "date", "from", "subject", "folder", "labels"),
    Thread: ("account", "subject", "messages"),
    Label: ("account", "path", "kind", "role", "total", "unread"),
    Attachment: ("account", "name", "content_type", "size", "inline", "kind"),
    Draft: ("account", "message"),
    Calendar: ("account", "name", "is_primary", "can_edit", "tz"),
    Event: ("account", "start", "end", "title", "location"),
    FreeBusy: ("who", "account", "known", "busy"),
}


def _keys(errors: tuple[BadPayload, ...]) -> tuple[str, ...]:
    return tuple(map(error_key, errors))


@attrs.frozen(kw_only=True, repr=False)
class Results(Sequence[T_co], Generic[T_co]):
    """Rows of every account that answered, in one order, and what was not as asked.

    ``failures`` names the accounts that gave nothing (more), ``notes`` what a provider could not do exactly,
    ``problems`` the items that could not be understood and were left out. ``cursor`` continues the list where this
    one ends: opaque text, safe in JSON and URLs, None at the end. A slice keeps all but the cursor.
    """

    rows: tuple[T_co, ...] = ()
    failures: tuple[Failure, ...] = ()
    notes: tuple[Note, ...] = ()
    problems: tuple[BadPayload, ...] = attrs.field(default=(), eq=_keys)
    cursor: str | None = None

    @overload
    def __getitem__(self, index: int) -> T_co: ...
    @overload
    def __getitem__(self, index: slice) -> Results[T_co]: ...
    def __getitem__(self, index: int | slice) -> T_co | Results[T_co]:
        if isinstance(index, slice):
            return attrs.evolve(self, rows=self.rows[index], cursor=None)
        return self.rows[index]

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[T_co]:
        return iter(self.rows)

    def raise_for_failures(self) -> None:
        """Raise when an account failed: the one error itself, or ``AccountsFailed`` around several."""
        errors = [failure.error for failure in self.failures]
        if len(errors) == 1:
            raise errors[0]
        if errors:
            raise AccountsFailed(f"{len(errors)} accounts failed", errors, operation=errors[0].operation)

    def to_records(self) -> list[dict[str, object]]:
        """Give one flat dict per row, ready for a data frame.

        Instants are aware UTC datetimes, a sender has two columns (``from``, ``from_name``), several values in one
        field are joined by ``", "``; headers and ``raw`` are left out.
        """
        return [_flat(row) for row in self.rows]

    def to_dict(self) -> dict[str, object]:
        """Give everything as JSON-safe values; ``Results.from_dict`` reads them back."""
        return {
            "rows": [row_to_dict(row) for row in self.rows],
            "failures": [failure.to_dict() for failure in self.failures],
            "notes": [note.to_dict() for note in self.notes],
            "problems": [error_to_dict(problem) for problem in self.problems],
            "cursor": self.cursor,
        }

    @classmethod
    def from_dict(cls, data: object) -> Results[Record]:
        """Read what ``to_dict`` gave.

        Raises:
            UsageError: the data does not fit.
        """
        match data:
            case {
                "rows": list(rows),
                "failures": list(failures),
                "notes": list(notes),
                "problems": list(problems),
                "cursor": str() | None as cursor,
            }:
                return Results(
                    rows=tuple(row_from_dict(row) for row in rows),
                    failures=tuple(Failure.from_dict(failure) for failure in failures),
                    notes=tuple(Note.from_dict(note) for note in notes),
                    problems=tuple(error for error in map(error_from_dict, problems) if isinstance(error, BadPayload)),
                    cursor=cursor,
                )
        raise UsageError("these are no Results: expected the object to_dict gave", code="bad_record")

    def __repr__(self) -> str:
        return f"<Results {', '.join(self._summary())}>"

    def __rich_repr__(self) -> Iterator[object]:
        yield from self.rows
        yield "failures", self.failures, ()
        yield "notes", self.notes, ()
        yield "problems", len(self.problems), 0
        yield "cursor", "more" if self.cursor else None, None

    def _repr_html_(self) -> str:
        return self.to_table().to_html()

    def to_table(self) -> Table:
        """Give the rows as a table, with a remark per failure and note; instants are in UTC."""
        records = self.to_records()
        shown = dict.fromkeys(name for row in self.rows for name in _SHOWN.get(type(row), ()))
        columns = tuple(shown or dict.fromkeys(name for record in records for name in record))
        return Table(
            columns=columns or ("account",),
            rows=tuple(tuple(_cell(record.get(column)) for column in columns) for record in records),
            remarks=(*(f"{type(f.error).__name__}: {f.error}" for f in self.failures), *map(str, self.notes)),
        )

    def _summary(self) -> Iterator[str]:
        yield f"{len(self.rows)} row{'' if len(self.rows) == 1 else 's'}"
        for name, items in (("failure", self.failures), ("note", self.notes), ("problem", self.problems)):
            if items:
                yield f"{len(items)} {name}{'' if len(items) == 1 else 's'}"
        if self.cursor is not None:
            yield "more to come"


def _flat(row: Record) -> dict[str, object]:
    flat: dict[str, object] = {"account": getattr(row, "account", None)}
    if isinstance(row, Thread):
        flat["subject"] = row.subject
    for field in attrs.fields(type(row)):
        name, value = field.name.rstrip("_"), getattr(row, field.name)
        match value:
            case _ if name in ("raw", "headers"):
                continue
            case Address():
                flat |= {name: value.address, f"{name}_name": value.name}
            case Body():
                flat[name] = value.text
            case Ref() | Recurrence():
                flat[name] = str(value)
            case OnlineMeeting():
                flat[name] = value.url or value.kind
            case Message():
                flat[name] = value.subject
            case dt.datetime():
                flat[name] = value.astimezone(dt.UTC)
            case tuple() if name == "messages":
                flat[name] = len(value)
            case tuple():
                flat[name] = ", ".join(map(_word, value))
            case _:
                flat[name] = value
    if isinstance(row, MessageSummary) and row.from_ is None:
        flat["from_name"] = None
    return flat


def _word(value: object) -> str:
    match value:
        case Address():
            return value.address
        case Attendee():
            return value.address.address
        case Attachment():
            return value.name
        case Busy():
            return f"{_cell(value.start.astimezone(dt.UTC))}–{_cell(value.end.astimezone(dt.UTC))} {value.status}"
        case Reminder():
            return f"{value.minutes} min"
        case _:
            return str(value)


def _cell(value: object) -> str:
    match value:
        case None | False:
            return ""
        case True:
            return "yes"
        case dt.datetime():
            return f"{value:%Y-%m-%d %H:%M} UTC"
        case _:
            return str(value)
