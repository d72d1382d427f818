"""Records of calendars go through JSON and pickle, and through tables, times with their zones."""

from __future__ import annotations

import datetime as dt
import json
import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mailkit.errors import UsageError
from mailkit.models import Attendee, Busy, Event, FreeBusy, Record, Results
from mailkit.values import Address, Ref
from tests.models.calendar_strategies import BERLIN, calendar_rows, event_changes

few = settings(max_examples=60, deadline=None)


def zones(record: object) -> list[object]:
    """Give every wall clock in a record and where it is read: what equality of instants does not see."""
    return [
        (value.replace(tzinfo=None, fold=0), value.utcoffset(), value.tzinfo)
        for value in (getattr(record, name, None) for name in ("start", "end", "original_start"))
        if isinstance(value, dt.datetime)
    ]


@few
@given(calendar_rows | event_changes)
def test_records(record: Record) -> None:
    again = type(record).from_dict(json.loads(json.dumps(record.to_dict())))
    assert again == record
    assert pickle.loads(pickle.dumps(record)) == record
    if isinstance(record, Event):
        assert zones(again) == zones(record)


@few
@given(st.lists(calendar_rows, max_size=4).map(tuple))
def test_rows_of_results(rows: tuple[Record, ...]) -> None:
    results = Results(rows=rows)
    assert Results.from_dict(json.loads(json.dumps(results.to_dict()))) == results
    records = results.to_records()
    assert len(records) == len(rows)
    json.dumps(records, default=lambda value: value.isoformat())
    assert results._repr_html_().count("<tr>") == len(rows) + 1


def test_what_a_table_of_events_shows() -> None:
    event = Event(
        ref=Ref(account="work", kind="event", id="1", part="c"),
        calendar=Ref(account="work", kind="calendar", id="c"),
        title="<b>Plan</b>",
        start=dt.datetime(2026, 3, 16, 9, tzinfo=BERLIN),
        end=dt.datetime(2026, 3, 16, 10, tzinfo=BERLIN),
        attendees=(Attendee(address=Address(name="Amy", address="amy@example.com")),),
    )
    (record,) = Results(rows=(event,)).to_records()
    assert record["start"] == dt.datetime(2026, 3, 16, 8, tzinfo=dt.UTC)
    assert record["attendees"] == "amy@example.com"
    shown = Results(rows=(event,))._repr_html_()
    assert "2026-03-16 08:00 UTC" in shown
    assert "&lt;b&gt;Plan&lt;/b&gt;" in shown
    busy = Busy(start=dt.datetime(2026, 3, 16, 9, tzinfo=BERLIN), end=dt.datetime(2026, 3, 16, 10, tzinfo=BERLIN))
    row = FreeBusy(who="amy@example.com", account="work", busy=(busy,))
    (busy_record,) = Results(rows=(row,)).to_records()
    assert busy_record["busy"] == "2026-03-16 08:00 UTC–2026-03-16 09:00 UTC busy"


@pytest.mark.parametrize(
    "start",
    ["2026-03-16T09:00:00", "2026-03-16T09:00:00+01:00[Mars/Base]", "2026-03-16T09:00:00+01:00[../x]", "x", 5, None],
)
def test_a_time_that_is_none_is_told_by_its_path(start: object) -> None:
    ref = str(Ref(account="a", kind="event", id="1", part="c"))
    data = {"ref": ref, "calendar": str(Ref(account="a", kind="calendar", id="c")), "start": start, "end": "2026-03-17"}
    with pytest.raises(UsageError, match=r"\$\.start"):
        Event.from_dict(data)
