"""Cursors are opaque, URL-safe, and refused when anything about them is not as it was given."""

from __future__ import annotations

import base64
import datetime as dt
import hashlib
import json
import re

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mailkit.errors import UsageError
from mailkit.fanout.cursor import Cursor, advanced, fingerprint
from mailkit.providers.base import Position
from mailkit.query import parse
from tests.fanout.fakes import EPOCH, row

instants = st.datetimes(min_value=dt.datetime(1970, 1, 1), max_value=dt.datetime(2200, 1, 1), timezones=st.just(dt.UTC))  # noqa: DTZ001
states = st.sampled_from(["start", "done"]) | st.builds(
    Position, at=instants, seen=st.frozensets(st.text(max_size=8), max_size=3)
)
cursors = st.builds(
    Cursor,
    operation=st.just("mail.search"),
    query=st.text(max_size=8),
    now=instants,
    tz=st.none() | st.just("Europe/Berlin"),
    states=st.dictionaries(st.from_regex(r"[a-z]{1,4}", fullmatch=True), states, min_size=1, max_size=3),
)
ONE = Cursor(operation="mail.search", query="q", now=EPOCH, tz="UTC", states={"a": "start", "b": "done"})


def forged(fields: object) -> str:
    body = fields if isinstance(fields, bytes) else json.dumps(fields).encode()
    check = hashlib.blake2s(body, digest_size=8).digest()
    return "mkc1." + base64.urlsafe_b64encode(check + body).rstrip(b"=").decode()


@given(cursors)
def test_a_cursor_comes_back_equal(cursor: Cursor) -> None:
    text = cursor.encode()
    if text is None:
        assert set(cursor.states.values()) == {"done"}
    else:
        assert re.fullmatch(r"[A-Za-z0-9._-]+", text)
        assert Cursor.decode(text) == cursor


@given(st.integers(0, 10_000), st.characters(codec="ascii"))
def test_one_changed_character_is_noticed(at: int, char: str) -> None:
    text = ONE.encode()
    assert text is not None
    at %= len(text)
    changed = text[:at] + char + text[at + 1 :]
    try:
        read: Cursor | None = Cursor.decode(changed)
    except UsageError:
        read = None
    assert read in (None, ONE)  # the last character of base64 has bits that say nothing


@given(st.text())
def test_any_text_is_a_cursor_or_a_usage_error(text: str) -> None:
    for each in (text, f"mkc1.{text}"):
        with pytest.raises(UsageError):
            Cursor.decode(each)


GOOD = {"o": "mail.search", "q": "q", "n": 0, "z": None, "s": {"a": "start"}}


@pytest.mark.parametrize(
    "fields",
    [
        {},
        [],
        b"\xff",
        b"[" * 100_000,
        {**GOOD, "s": {}},
        {**GOOD, "s": {"a": "middle"}},
        {**GOOD, "s": {"a": [1, [2]]}},
        {**GOOD, "s": {"a": [10**30, []]}},
        {**GOOD, "n": 10**30},
        {**GOOD, "n": None},
        {**GOOD, "z": 1},
    ],
)
def test_a_forged_cursor_is_refused_whatever_it_holds(fields: object) -> None:
    with pytest.raises(UsageError) as caught:
        Cursor.decode(forged(fields))
    assert caught.value.code == "bad_cursor"


def test_the_forger_of_these_tests_knows_its_trade() -> None:
    assert Cursor.decode(forged(GOOD)).states == {"a": "start"}


def test_a_cursor_of_boundless_size_is_not_even_read() -> None:
    with pytest.raises(UsageError):
        Cursor.decode("mkc1." + "A" * 5_000_000)


@pytest.mark.parametrize(
    ("call", "word"),
    [
        ({"operation": "mail.recent"}, "mail.search"),
        ({"query": "other"}, "query"),
        ({"accounts": ["a"]}, "accounts"),
        ({"tz": "Asia/Tokyo"}, "zone"),
    ],
)
def test_a_cursor_continues_only_its_own_list(call: dict[str, object], word: str) -> None:
    same: dict[str, object] = {"operation": "mail.search", "query": "q", "accounts": ["b", "a"], "tz": "UTC"}
    ONE.check(**same)  # type: ignore[arg-type]
    ONE.check(**{**same, "accounts": None, "tz": None})  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=word) as caught:
        ONE.check(**{**same, **call})  # type: ignore[arg-type]
    assert caught.value.code == "bad_cursor"


def test_a_fingerprint_tells_queries_apart_and_hides_them() -> None:
    assert fingerprint(parse("from:ann")) == fingerprint(parse("from: ann"))
    assert fingerprint(parse("from:ann")) != fingerprint(parse("from:bob"))
    assert "ann" not in fingerprint(parse("from:ann"))


def test_a_state_remembers_all_ids_of_its_instant() -> None:
    first = advanced("start", [row("a", "1", 5), row("a", "2", 3)], ended=False)
    assert first == Position(at=row("a", "", 3).date, seen=frozenset({"2"}))
    assert advanced(first, [], ended=False) == first
    assert advanced(first, [row("a", "3", 3)], ended=False) == attrs.evolve(first, seen=frozenset({"2", "3"}))
    assert advanced(first, [row("a", "4", 1)], ended=True) == "done"
