"""What became of a query at each account, as data and as a table for people.

Responsible for showing: term by term what the provider does and what is checked locally, the requests, the notes. It
plans nothing and sends nothing. A table shows the query's own words, so none of this belongs in a log; the reprs leave
them out.
"""

from __future__ import annotations

import datetime as dt
import html
from typing import Literal, TypeAlias

import attrs

from mailkit.models.notes import Note
from mailkit.models.records import Record
from mailkit.tables import Table, clean
from mailkit.values import Provider

__all__ = ["Explanation", "PlannedRequest", "ProviderPlan", "Strategy", "TermExactness", "TermReport"]

TermExactness: TypeAlias = Literal["exact", "checked locally", "approximate", "cannot be held"]
Strategy: TypeAlias = Literal["search", "empty", "filter", "filter+local", "search+local", "scan+local"]


@attrs.frozen(kw_only=True)
class TermReport(Record):
    """What becomes of one term of the query.

    ``exact``: the provider answers it. ``checked locally``: the provider answers with more, or cannot be asked, and
    mailkit looks at each message. ``approximate``: the provider's notion differs a little. ``cannot be held``: the
    provider has no such thing, so the term matches nothing (its negation everything).
    """

    term: str = attrs.field(repr=False)
    positive: bool = True
    exactness: TermExactness = "exact"
    note: str | None = None


@attrs.frozen(kw_only=True)
class PlannedRequest(Record):
    """A request as it would leave, its query decoded for reading (``$filter=… & $orderby=…``)."""

    method: str = "GET"
    path: str
    query: str = attrs.field(default="", repr=False)

    def __str__(self) -> str:
        return f"{self.method} {self.path}{'?' if self.query else ''}{self.query}"


@attrs.frozen(kw_only=True)
class ProviderPlan(Record):
    """What a search would do at one account."""

    account: str
    provider: Provider
    strategy: Strategy
    requests: tuple[PlannedRequest, ...] = ()
    terms: tuple[TermReport, ...] = ()
    notes: tuple[Note, ...] = attrs.field(default=(), repr=False)


@attrs.frozen(kw_only=True)
class Explanation(Record):
    """What a query would do at every account. ``query`` is its canonical text, ``now`` an aware datetime.

    ``str()`` gives a table for a terminal, a notebook shows it as HTML, ``to_dict()`` gives the data.
    """

    query: str = attrs.field(repr=False)
    tz: str
    now: dt.datetime
    plans: tuple[ProviderPlan, ...] = ()

    def __str__(self) -> str:
        return f"{clean(self._title)}\n\n{self._table.to_text()}"

    def _repr_html_(self) -> str:
        return f'<p dir="auto">{html.escape(clean(self._title))}</p>{self._table.to_html()}'

    @property
    def _title(self) -> str:
        return f"{self.query or 'everything'} (dates read in {self.tz}, now {self.now.isoformat(timespec='seconds')})"

    @property
    def _table(self) -> Table:
        return Table(
            columns=("account", "strategy", "term", "how", "remark"),
            rows=tuple(row for plan in self.plans for row in _rows(plan)),
            remarks=tuple(remark for plan in self.plans for remark in _remarks(plan)),
        )


def _rows(plan: ProviderPlan) -> list[tuple[str, ...]]:
    head = (f"{plan.account} ({plan.provider})", plan.strategy)
    rows = [
        (f"{'' if report.positive else '-'}{report.term}", report.exactness, report.note or "") for report in plan.terms
    ]
    # The account stands once, at its first term.
    return [(*(head if at == 0 else ("", "")), *row) for at, row in enumerate(rows or [("", "", "")])]


def _remarks(plan: ProviderPlan) -> list[str]:
    return [*(f"{plan.account}: {request}" for request in plan.requests), *map(str, plan.notes)]
