"""The shared cases, where they are at hand: expected trees, error codes, and what each query selects."""

from __future__ import annotations

import datetime as dt
import json
import os
from functools import cache
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from mailkit.errors import InvalidQuery
from mailkit.query import Candidate, CandidateFile, QueryContext, matches, parse, render, to_gmail
from mailkit.query.ast import to_json
from mailkit.values import Address

_SHARED = os.environ.get("MAILKIT_SHARED")

pytestmark = [pytest.mark.cases, pytest.mark.skipif(not _SHARED, reason="MAILKIT_SHARED is not set")]


def _cases(*, errors: bool) -> list[Any]:
    if not _SHARED:
        return [None]
    lines = Path(_SHARED, "cases", "queries.jsonl").read_text(encoding="utf-8").splitlines()
    return [pytest.param(case, id=case["id"]) for case in map(json.loads, lines) if ("error" in case) == errors]


@cache
def _corpus() -> tuple[tuple[str, ...], tuple[Candidate, ...]]:
    corpus = json.loads(Path(str(_SHARED), "cases", "corpus.json").read_text(encoding="utf-8"))
    mails = sorted(map(_candidate, corpus["messages"]), key=lambda mail: mail.date, reverse=True)
    return tuple(corpus["me"]), tuple(mails)


def _candidate(mail: dict[str, Any]) -> Candidate:
    def people(name: str) -> tuple[Address, ...]:
        return tuple(Address(**person) for person in mail[name])

    return Candidate(
        id=mail["id"],
        thread_id=mail["thread_id"],
        message_id=mail["message_id"],
        from_=Address(**mail["from"]) if mail["from"] else None,
        to=people("to"),
        cc=people("cc"),
        bcc=people("bcc"),
        delivered_to=tuple(mail["delivered_to"]),
        subject=mail["subject"],
        body=mail["body"],
        date=dt.datetime.fromisoformat(mail["date"]),
        size=mail["size"],
        folder=mail["folder"],
        folder_path=mail["folder_path"],
        labels=tuple(mail["labels"]),
        category=mail["category"],
        attachments=tuple(CandidateFile(**file) for file in mail["attachments"]),
        list_id=mail["list_id"],
        **{name: value for name, value in mail["flags"].items() if name != "flag_complete"},
    )


def _selected(text: str, case: dict[str, Any]) -> list[str]:
    me, mails = _corpus()
    context = QueryContext(now=dt.datetime.fromisoformat(case["now"]), tz=ZoneInfo(case["tz"]), me=me)
    return [mail.id for mail in mails if matches(parse(text), mail, context)]


@pytest.mark.parametrize("case", _cases(errors=False))
def test_a_query_has_the_tree_and_selects_the_mail(case: dict[str, Any]) -> None:
    expr = parse(case["query"])
    assert to_json(expr) == case["ast"]
    assert parse(render(expr)) == expr
    assert _selected(case["query"], case) == case["ids"]


@pytest.mark.parametrize("case", _cases(errors=False))
def test_the_text_for_gmail_reads_back_to_the_same_mail(case: dict[str, Any]) -> None:
    me, _ = _corpus()
    context = QueryContext(now=dt.datetime.fromisoformat(case["now"]), tz=ZoneInfo(case["tz"]), me=me)
    assert _selected(to_gmail(parse(case["query"]), context), case) == case["ids"]


@pytest.mark.parametrize("case", _cases(errors=True))
def test_a_bad_query_has_its_code(case: dict[str, Any]) -> None:
    with pytest.raises(InvalidQuery) as caught:
        parse(case["query"])
    assert caught.value.code == case["error"]
