"""Results: a sequence that shows itself in notebooks and terminals, and harmlessly so."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

import attrs
import pytest
from rich.console import Console
from rich.pretty import Pretty

from mailkit.errors import AccountsFailed, NotFound, SignInRequired, UsageError
from mailkit.models import Attachment, Body, Failure, Label, Message, MessageSummary, Note, Outcome, Results, Thread
from mailkit.values import Address, Ref

REF = Ref(account="work", kind="message", id="m1")
ROW = MessageSummary(
    ref=REF,
    thread=attrs.evolve(REF, kind="thread"),
    from_=Address(name="<b>Eve</b>", address="eve@example.com"),
    to=(Address(address="a@x"), Address(address="b@x")),
    subject="<script>alert(1)</script>",
    date=dt.datetime(2026, 3, 1, 1, 30, tzinfo=dt.timezone(dt.timedelta(hours=2))),
    labels=("Home", "Tax"),
)
DOWN = Failure(account="old", error=SignInRequired("sign in again", account="old"))
MIXED = Results(rows=(ROW, ROW), failures=(DOWN,), notes=(Note(code="scan", effect="slow"),), cursor="abc")


def test_it_is_a_sequence() -> None:
    assert isinstance(MIXED, Sequence)
    assert len(MIXED) == 2
    assert MIXED[0] is ROW
    assert list(MIXED) == [ROW, ROW]
    assert ROW in MIXED


def test_a_slice_keeps_everything_but_the_cursor() -> None:
    first = MIXED[:1]
    assert first.rows == (ROW,)
    assert first.failures == MIXED.failures
    assert first.cursor is None


def test_it_cannot_be_changed() -> None:
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        MIXED.cursor = "x"  # type: ignore[misc]


def test_one_failure_raises_itself_and_several_a_group() -> None:
    Results[Label]().raise_for_failures()
    with pytest.raises(SignInRequired):
        MIXED.raise_for_failures()
    two = attrs.evolve(MIXED, failures=(DOWN, Failure(account="b", error=NotFound("gone", account="b"))))
    with pytest.raises(AccountsFailed) as caught:
        two.raise_for_failures()
    assert [type(error) for error in caught.value.errors] == [SignInRequired, NotFound]


def test_the_notebook_view_escapes_everything() -> None:
    page = MIXED._repr_html_()
    assert "<script>" not in page
    assert "&lt;script&gt;" in page
    assert "2026-02-28 23:30 UTC" in page
    assert "sign in again" in page
    assert "[scan] slow" in page


def test_the_text_view_is_one_line_a_row() -> None:
    assert len(MIXED.to_table().to_text(width=80).splitlines()) == 1 + 1 + 2 + 2


def test_the_repr_counts_and_names_nobody() -> None:
    assert repr(MIXED) == "<Results 2 rows, 1 failure, 1 note, more to come>"
    assert repr(Results()) == "<Results 0 rows>"


def test_rich_shows_rows_and_what_went_wrong() -> None:
    console = Console(width=200, record=True, file=None, quiet=True)
    console.print(Pretty(MIXED))
    with console.capture() as shown:
        console.quiet = False
        console.print(Pretty(MIXED))
    assert "failures=" in shown.get()


def test_records_are_flat_and_in_utc() -> None:
    (record, _) = MIXED.to_records()
    assert record["account"] == "work"
    assert record["date"] == dt.datetime(2026, 2, 28, 23, 30, tzinfo=dt.UTC)
    assert getattr(record["date"], "tzinfo", None) is dt.UTC
    assert record["from"] == "eve@example.com"
    assert record["from_name"] == "<b>Eve</b>"
    assert record["to"] == "a@x, b@x"
    assert record["labels"] == "Home, Tax"
    assert record["ref"] == str(REF)
    assert "raw" not in record


def test_records_of_every_kind_have_the_same_columns_row_by_row() -> None:
    nobody = attrs.evolve(ROW, from_=None)
    columns = {tuple(sorted(record)) for record in Results(rows=(ROW, nobody)).to_records()}
    assert len(columns) == 1


def test_records_of_the_other_kinds() -> None:
    file = Attachment(ref=attrs.evolve(REF, kind="attachment", part="2"), name="a.pdf", size=9)
    message = Message(ref=REF, thread=REF, date=ROW.date, subject="Hi", body=Body(plain="text"), attachments=(file,))
    thread = Thread(ref=REF, messages=(message, message))
    label = Label(ref=REF, name="Tax", path="Home/Tax", kind="folder")
    assert Results(rows=(message,)).to_records()[0]["attachments"] == "a.pdf"
    assert Results(rows=(message,)).to_records()[0]["body"] == "text"
    assert Results(rows=(thread,)).to_records()[0]["messages"] == 2
    assert Results(rows=(thread,)).to_records()[0]["subject"] == "Hi"
    assert Results(rows=(label,)).to_records()[0]["path"] == "Home/Tax"
    for kind in (message, thread, label, file):
        assert "work" in Results(rows=(kind,)).to_table().to_text()


def test_an_outcome_gives_its_value_or_raises() -> None:
    assert Outcome(ref=REF, value=ROW).unwrap() is ROW
    assert Outcome(ref=REF, value=ROW).ok
    broken = Outcome[MessageSummary](ref=REF, error=UsageError("no"))
    assert not broken.ok
    with pytest.raises(UsageError):
        broken.unwrap()
