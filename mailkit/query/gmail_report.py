"""What Gmail is asked, for an explanation: every term is its own, so every term is exact.

Responsible for words only; the driver makes the request.
"""

from __future__ import annotations

from mailkit.models.notes import Note
from mailkit.query.ast import Expr, Has, Leaf, Text, bounded
from mailkit.query.explanation import PlannedRequest, ProviderPlan, TermReport
from mailkit.query.formula import literals
from mailkit.query.render import render

__all__ = ["gmail_report"]

_PATH = "/gmail/v1/users/me/messages"
_INLINE = "Gmail may also count pictures that the text shows in place"  # support.google.com/mail/answer/7190


def gmail_report(expr: Expr, account: str, parameters: tuple[tuple[str, str], ...]) -> ProviderPlan:
    """Report a Gmail search; ``parameters`` are those of its list request, values not percent-encoded.

    Raises:
        UsageError: the tree is too deep.
    """
    terms = tuple(dict.fromkeys(literals(bounded(expr))))
    return ProviderPlan(
        account=account,
        provider="google",
        strategy="search",
        requests=(PlannedRequest(path=_PATH, query=" & ".join(f"{name}={value}" for name, value in parameters)),),
        terms=tuple(
            TermReport(term=render(term.term), positive=term.positive, note=_remark(term.term)) for term in terms
        ),
        notes=tuple(
            Note(account=account, code="approximate", term=render(term.term), effect=_INLINE)
            for term in terms
            if term.term == Has("attachment")
        ),
    )


def _remark(term: Leaf) -> str | None:
    match term:
        case Has("attachment"):
            return _INLINE
        case Text(phrase=False, exact=False):
            return "Gmail may also find other forms of the word"
        case _:
            return None
