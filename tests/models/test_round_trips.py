"""Everything that mailkit gives back goes through JSON and pickle and comes back equal."""

from __future__ import annotations

import json
import pickle

import pytest
from hypothesis import given, settings

from mailkit.errors import BadPayload, MailkitError, UsageError
from mailkit.models import Failure, Label, MessageSummary, Note, Outcome, Record, Results, SendResult, Thread
from mailkit.models.errors_json import error_from_dict, error_key, error_to_dict
from mailkit.values import Ref
from tests.models import strategies as some

few = settings(max_examples=40, deadline=None)


def through_json(value: object) -> object:
    return json.loads(json.dumps(value))


@few
@given(some.records)
def test_records(record: Record) -> None:
    again = type(record).from_dict(through_json(record.to_dict()))
    assert again == record
    assert getattr(again, "raw", None) == getattr(record, "raw", None)
    assert pickle.loads(pickle.dumps(record)) == record


@few
@given(some.send_results)
def test_send_results(result: SendResult) -> None:
    assert SendResult.from_dict(through_json(result.to_dict())) == result
    assert pickle.loads(pickle.dumps(result)) == result


@few
@given(some.notes)
def test_notes(note: Note) -> None:
    assert Note.from_dict(through_json(note.to_dict())) == note
    assert pickle.loads(pickle.dumps(note)) == note


@few
@given(some.some_errors)
def test_errors(error: MailkitError) -> None:
    again = error_from_dict(through_json(error_to_dict(error)))
    assert type(again) is type(error)
    assert str(again) == str(error)
    assert error_key(again) == error_key(error) == error_key(pickle.loads(pickle.dumps(error)))
    assert again.retryable == error.retryable


@few
@given(some.failures)
def test_failures(failure: Failure) -> None:
    assert Failure.from_dict(through_json(failure.to_dict())) == failure
    assert pickle.loads(pickle.dumps(failure)) == failure


@few
@given(some.outcomes)
def test_outcomes(outcome: Outcome[Record]) -> None:
    assert Outcome.from_dict(through_json(outcome.to_dict())) == outcome
    assert pickle.loads(pickle.dumps(outcome)) == outcome


@few
@given(some.results)
def test_results(results: Results[Record]) -> None:
    assert Results.from_dict(through_json(results.to_dict())) == results
    assert pickle.loads(pickle.dumps(results)) == results


@pytest.mark.parametrize(
    ("read", "data"),
    [
        (Results.from_dict, {}),
        (Results.from_dict, []),
        (
            Results.from_dict,
            {"rows": [{"kind": "Path", "value": {}}], "failures": [], "notes": [], "problems": [], "cursor": None},
        ),
        (Results.from_dict, {"rows": [7], "failures": [], "notes": [], "problems": [], "cursor": None}),
        (Outcome.from_dict, {"ref": "x"}),
        (Outcome.from_dict, None),
        (Failure.from_dict, {"account": "a", "error": {"error": "SystemExit", "message": "x"}}),
        (Label.from_dict, {"ref": "nonsense"}),
        (error_from_dict, {"error": "Details", "message": "x"}),
        (error_from_dict, {"error": "AccountsFailed", "message": "x"}),
        (error_from_dict, {"error": "AccountsFailed", "message": "x", "errors": [{"error": "NotFound"}]}),
        (error_from_dict, {"error": "AccountsFailed", "message": "x", "errors": [1]}),
        (error_from_dict, {"error": "NotFound"}),
        (error_from_dict, "NotFound"),
        (Label.from_dict, None),
        (Label.from_dict, []),
        (Label.from_dict, {"ref": 7, "unknown": 1}),
    ],
)
def test_what_does_not_fit_is_a_usage_error(read: object, data: object) -> None:
    with pytest.raises(UsageError) as caught:
        read(data)  # type: ignore[operator]
    assert caught.value.code == "bad_record"


def test_a_naive_instant_is_refused() -> None:
    ref = str(Ref(account="a", kind="message", id="1"))
    with pytest.raises(UsageError, match=r"\$\.date"):
        MessageSummary.from_dict({"ref": ref, "thread": ref, "date": "2026-01-01T00:00:00"})


def test_what_is_unknown_is_told_by_its_path() -> None:
    thread = Thread(ref=Ref(account="a", kind="thread", id="t"), messages=())
    with pytest.raises(UsageError, match=r"\$\.colour$"):
        Thread.from_dict(thread.to_dict() | {"colour": "blue"})
    with pytest.raises(UsageError) as caught:
        Thread.from_dict(thread.to_dict() | {"ann@example.com": 1})
    assert "ann" not in str(caught.value)


def test_what_is_wrong_is_told_by_its_path() -> None:
    thread = Thread(ref=Ref(account="a", kind="thread", id="t"), messages=())
    data = thread.to_dict() | {"messages": [{"ref": "x"}]}
    with pytest.raises(UsageError, match=r"\$\.messages\[0\]\.date"):
        Thread.from_dict(data)


def test_problems_must_be_problems() -> None:
    kept = Results.from_dict(Results(problems=(BadPayload("bad", path="a[1]"),)).to_dict())
    assert kept.problems[0].path == "a[1]"
