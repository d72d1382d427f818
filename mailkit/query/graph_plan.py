"""From a query to the one request (or none) that Microsoft Graph is asked, and what is then checked here.

Responsible for the choice: the cheapest plan whose rows, checked by ``matches`` where there is a residual, are exactly
the messages that fit, newest first. Negations are pushed to the leaves, so that the formula is monotone: a clause that
finds more than its term makes the plan slower, never wrong. Pure: it sends nothing and knows the mailbox by argument.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from typing import Literal as OneOf
from typing import TypeAlias

import attrs

from mailkit.models.notes import Note
from mailkit.query.ast import And, Expr, In, Not, and_, bounded
from mailkit.query.context import QueryContext
from mailkit.query.explanation import PlannedRequest, ProviderPlan, Strategy, TermReport
from mailkit.query.formula import (
    FALSE,
    TRUE,
    AllOf,
    Clause,
    Formula,
    Literal,
    conjuncts,
    fitted,
    is_exact,
    is_selective,
    literals,
    translated,
    written,
)
from mailkit.query.graph_fields import GraphFields, fields_of
from mailkit.query.graph_filter import EVER, filter_of, received
from mailkit.query.graph_mailbox import WELL_KNOWN, GraphMailbox
from mailkit.query.graph_notes import notes_of, report_of
from mailkit.query.graph_search import search_of, search_value, until
from mailkit.query.scope import admitted

__all__ = ["GraphPlan", "PlanExactness", "plan"]

PlanExactness: TypeAlias = OneOf["exact", "approximate", "unsupported"]

_ONE_FOLDER = frozenset(WELL_KNOWN) - {"archive"}
"""``in:archive`` is everything outside the other places, not the folder of that name."""

_MOST_CLAUSES = 60
"""How long a filter or search may get; no limit is documented, this one is assumed."""

_SEARCH_CAP = 1000  # learn.microsoft.com/graph/search-query-parameter: at most 1,000 results, by sent date
_MOST_TOP = 1000  # user-list-messages: $top is 1 to 1000
_OVERFETCH: Mapping[Strategy, int] = {"filter+local": 4, "scan+local": 20, "search+local": 40}
"""How many rows are asked for per row wanted: the less the provider narrows down, the more."""


@attrs.frozen(kw_only=True)
class GraphPlan:
    """One way to answer a query at Microsoft Graph.

    ``folder`` is the name of the one folder to look into (``inbox``, ``sentitems`` …), None: all of them. There is
    ``filter`` with ``orderby``, or ``search`` (KQL, not yet quoted), or neither where ``strategy`` is ``empty`` and
    nothing need be sent. Where there is a residual, rows count only if ``matches(residual, …)`` is true; ``fields`` is
    what that reads. A search gives at most ``cap`` rows, and not by the received instant, so all are read before the
    first is shown. ``overfetch`` is the factor from rows wanted to ``$top``.
    """

    folder: str | None = None
    filter: str | None = attrs.field(default=None, repr=False)
    orderby: str | None = None
    search: str | None = attrs.field(default=None, repr=False)
    residual: Expr | None = attrs.field(default=None, repr=False)
    fields: GraphFields = attrs.field(factory=GraphFields)
    strategy: Strategy
    overfetch: int = 1
    cap: int | None = None
    terms: tuple[TermReport, ...] = attrs.field(default=(), repr=False)
    notes: tuple[Note, ...] = attrs.field(default=(), repr=False)

    @property
    def exactness(self) -> PlanExactness:
        """The worst of the terms: ``unsupported`` where Outlook cannot hold one, ``approximate`` where one differs."""
        found = {report.exactness for report in self.terms}
        return "unsupported" if "cannot be held" in found else "approximate" if "approximate" in found else "exact"

    @property
    def path(self) -> str:
        """The path of the collection, below that of the mailbox (``/me``)."""
        return f"/mailFolders/{self.folder}/messages" if self.folder else "/messages"

    @property
    def parameters(self) -> tuple[tuple[str, str], ...]:
        """The query parameters that select and order the rows, values not yet percent-encoded."""
        given = {
            "$filter": self.filter,
            "$orderby": self.orderby,
            "$search": search_value(self.search) if self.search is not None else None,
        }
        return tuple((name, value) for name, value in given.items() if value is not None)

    def top(self, wanted: int) -> int:
        """Give the page size for that many rows wanted."""
        return min(_MOST_TOP, max(1, wanted) * self.overfetch)

    def before(self, at: dt.datetime) -> GraphPlan:
        """Give the plan for the rows at or before an aware instant: how a list is continued without ``$skip``.

        A search is bound by days, up to a day late, so its rows must still be compared with the instant.
        """
        if self.filter is not None:
            # The property ordered by leads the filter, else InefficientFilter (user-list-messages).
            return attrs.evolve(self, filter=f"{received('le', at)} and {self.filter}")
        if self.search is not None:
            return attrs.evolve(self, search=f"({self.search}) AND {until('received', at)}")
        return self

    def sent_until(self, at: dt.datetime) -> GraphPlan:
        """Give a search for what was sent at or before an aware instant: how one that met its cap goes on."""
        return attrs.evolve(self, search=f"({self.search}) AND {until('sent', at)}")

    def report(self, account: str, *, mailbox_path: str = "/me") -> ProviderPlan:
        """Say what the plan does, for an explanation."""
        path = f"{mailbox_path}{self.path}"
        query = " & ".join(f"{name}={value}" for name, value in self.parameters)
        return ProviderPlan(
            account=account,
            provider="microsoft",
            strategy=self.strategy,
            requests=() if self.strategy == "empty" else (PlannedRequest(path=path, query=query),),
            terms=self.terms,
            notes=tuple(attrs.evolve(note, account=account) for note in self.notes),
        )


def plan(expr: Expr, context: QueryContext, mailbox: GraphMailbox) -> GraphPlan:
    """Make the cheapest plan that answers ``expr`` exactly.

    Raises:
        UsageError: the tree is too deep.
    """
    folder, rest = _folder(bounded(expr), mailbox)
    scoped = and_([*rest, *_scope(expr)])

    def in_filter(literal: Literal) -> Formula:
        pushed = filter_of(literal, context, mailbox)
        return TRUE if pushed is None else pushed

    def in_search(literal: Literal) -> Formula:
        settled = filter_of(literal, context, mailbox)
        return settled if settled in (TRUE, FALSE) else search_of(literal, context)

    whole = translated(scoped, in_filter)
    filtered = fitted(whole, _MOST_CLAUSES)
    searched = fitted(translated(scoped, in_search), _MOST_CLAUSES)
    pushed = [filter_of(literal, context, mailbox) for literal in literals(scoped)]
    exact = filtered == whole and all(part is not None and is_exact(part) for part in pushed)
    strategy = _strategy(filtered, searched, exact=exact)
    checked = strategy not in ("empty", "filter")
    by_search = strategy == "search+local"
    terms = tuple(literals(expr))
    return GraphPlan(
        folder=folder if strategy != "empty" else None,
        filter=None if by_search or strategy == "empty" else _filter_text(filtered),
        orderby=None if by_search or strategy == "empty" else "receivedDateTime desc",
        search=written(searched, "AND", "OR") if by_search else None,
        residual=expr if checked else None,
        fields=fields_of(literal.term for literal in terms) if checked else GraphFields(),
        strategy=strategy,
        overfetch=_OVERFETCH.get(strategy, 1),
        cap=_SEARCH_CAP if by_search else None,
        terms=tuple(
            dict.fromkeys(
                report_of(literal, filter_of(literal, context, mailbox), strategy, mailbox) for literal in terms
            )
        ),
        notes=notes_of(terms, strategy, mailbox),
    )


def _strategy(filtered: Formula, searched: Formula, *, exact: bool) -> Strategy:
    if filtered == FALSE:
        return "empty"
    if exact:
        return "filter"
    if is_selective(filtered):
        return "filter+local"
    return "search+local" if is_selective(searched) else "scan+local"


def _conjuncts(expr: Expr) -> tuple[Expr, ...]:
    return expr.args if isinstance(expr, And) else (expr,)


def _folder(expr: Expr, mailbox: GraphMailbox) -> tuple[str | None, list[Expr]]:
    """Take the first conjunct that is one whole folder out of the query, and give that folder's name."""
    parts = list(_conjuncts(expr))
    for part in parts:
        # A path reaches one folder and not its children, while trash and spam reach into theirs.
        if isinstance(part, In) and part.value in _ONE_FOLDER and len(mailbox.folder_ids(part.value)) == 1:
            parts.remove(part)
            return WELL_KNOWN[part.value], parts
    return None, parts


def _scope(expr: Expr) -> Iterator[Expr]:
    """Leave trash and spam out, unless the query mentions them or lies within one place anyway."""
    if any(isinstance(part, In) and part.value not in ("anywhere", "all") for part in _conjuncts(expr)):
        return
    for hidden in ("trash", "spam"):
        if hidden not in admitted(expr):
            yield Not(In(hidden))


def _filter_text(formula: Formula) -> str:
    """Write the filter with the received instant first, as ordering by it demands (user-list-messages)."""
    parts = sorted(conjuncts(formula), key=lambda part: not (isinstance(part, Clause) and part.dated))
    if not (parts and isinstance(parts[0], Clause) and parts[0].dated):
        # Without a bound that leads, ordering fails with InefficientFilter even where it is all that is asked.
        parts.insert(0, Clause(received("ge", EVER), dated=True))
    return written(AllOf(tuple(parts)), "and", "or")
