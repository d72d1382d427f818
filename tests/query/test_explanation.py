"""Explanations: term by term, readable, as data, and silent in their reprs."""

from __future__ import annotations

import datetime as dt
import pickle
from zoneinfo import ZoneInfo

from mailkit.query import QueryContext, parse, render, to_gmail
from mailkit.query.explanation import Explanation, PlannedRequest, ProviderPlan, TermReport
from mailkit.query.gmail_report import gmail_report
from mailkit.query.graph_plan import plan
from tests.query.graph_plans import EVER, MAILBOX, ME, SCOPE

NOW = dt.datetime(2026, 3, 15, 12, tzinfo=dt.UTC)
CONTEXT = QueryContext(now=NOW, tz=ZoneInfo("Europe/Stockholm"), me=ME)


def explained(query: str) -> Explanation:
    expr = parse(query)
    return Explanation(
        query=render(expr),
        tz="Europe/Stockholm",
        now=NOW,
        plans=(
            gmail_report(expr, "home", (("q", to_gmail(expr, CONTEXT)),)),
            plan(expr, CONTEXT, MAILBOX).report("work"),
        ),
    )


def test_outlook_says_term_by_term_what_it_does() -> None:
    report = plan(parse("from:amy is:unread -category:social larger:5 -label:work"), CONTEXT, MAILBOX).report("work")
    assert [(term.term, term.positive, term.exactness) for term in report.terms] == [
        ("from:amy", True, "checked locally"),
        ("is:unread", True, "exact"),
        ("category:social", False, "cannot be held"),
        ("larger:5", True, "approximate"),
        ("label:work", False, "exact"),
    ]
    assert {note.account for note in report.notes} == {"work"}
    assert [note.code for note in report.notes] == ["unsupported", "approximate"]


def test_under_a_search_everything_is_checked() -> None:
    report = plan(parse("dinner is:unread"), CONTEXT, MAILBOX).report("work")
    assert [term.exactness for term in report.terms] == ["checked locally", "checked locally"]


def test_gmail_answers_every_term_itself() -> None:
    expr = parse("dinner has:attachment after:2026/03/01")
    report = gmail_report(expr, "home", (("q", to_gmail(expr, CONTEXT)), ("includeSpamTrash", "false")))
    assert {term.exactness for term in report.terms} == {"exact"}
    assert [(note.account, note.code, note.term) for note in report.notes] == [
        ("home", "approximate", "has:attachment")
    ]
    assert str(report.requests[0]) == (
        f"GET /gmail/v1/users/me/messages?q={to_gmail(expr, CONTEXT)} & includeSpamTrash=false"
    )


def test_requests_are_shown_decoded() -> None:
    assert plan(parse("is:unread in:inbox"), CONTEXT, MAILBOX).report("work").requests == (
        PlannedRequest(
            path="/me/mailFolders/inbox/messages",
            query=f"$filter={EVER} and isRead eq false & $orderby=receivedDateTime desc",
        ),
    )
    assert plan(parse("is:muted"), CONTEXT, MAILBOX).report("work").requests == ()


def test_a_table_for_people() -> None:
    lines = str(explained("is:unread category:social")).splitlines()
    assert lines[0] == "is:unread category:social (dates read in Europe/Stockholm, now 2026-03-15T12:00:00+00:00)"
    assert lines[2].split() == ["account", "strategy", "term", "how", "remark"]
    assert lines[4].split() == ["home", "(google)", "search", "is:unread", "exact"]
    assert lines[5].split() == ["category:social", "exact"]
    assert lines[6].split() == ["work", "(microsoft)", "empty", "is:unread", "exact"]
    assert "cannot be held" in lines[7]
    assert lines[8] == "home: GET /gmail/v1/users/me/messages?q=is:unread category:social"
    assert lines[9].startswith("work: category:social [unsupported] ")


def test_everything_has_a_table_too() -> None:
    lines = str(explained("")).splitlines()
    assert lines[0].startswith("everything (")
    assert lines[5].split() == ["work", "(microsoft)", "filter"]
    assert lines[-1] == f"work: GET /me/messages?$filter={EVER} and {SCOPE} & $orderby=receivedDateTime desc"


def test_html_is_escaped() -> None:
    shown = explained('subject:"<script>"')._repr_html_()
    assert "<script>" not in shown
    assert "&lt;script&gt;" in shown


def test_data_comes_back_equal() -> None:
    one = explained("zelda from:amy@example.com category:social")
    assert Explanation.from_dict(one.to_dict()) == one
    assert pickle.loads(pickle.dumps(one)) == one


def test_reprs_are_silent() -> None:
    assert "zelda" not in repr(explained("zelda from:zelda@example.com"))
    assert "zelda" not in repr(TermReport(term="from:zelda", exactness="exact"))
    assert "zelda" not in repr(ProviderPlan(account="work", provider="microsoft", strategy="empty"))
