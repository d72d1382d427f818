"""What a person must know about a query at Outlook: per term how it is answered, and notes where that differs.

Responsible for words only; the plan decides what happens.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mailkit.models.notes import Note
from mailkit.query.ast import Field, Is, Label, Size, Text
from mailkit.query.explanation import Strategy, TermExactness, TermReport
from mailkit.query.formula import Formula, Literal, is_exact
from mailkit.query.graph_filter import held
from mailkit.query.graph_mailbox import GraphMailbox
from mailkit.query.render import render

__all__ = ["notes_of", "report_of"]

_CHECKED = "Outlook is asked for more than fits; each message is looked at here"
_SCAN = (
    "neither a filter nor the search index narrows this down, so mail is read from the newest on until enough fits; "
    "a sender, a subject or a recent date makes it fast"
)


def report_of(literal: Literal, pushed: Formula | None, strategy: Strategy, mailbox: GraphMailbox) -> TermReport:
    """Report one literal; ``pushed`` is its part of the filter."""
    note = _term_note(literal, strategy, mailbox)
    exactness: TermExactness = "checked locally"
    if not held(literal.term):
        exactness = "cannot be held"
    elif note is not None and note.code in ("approximate", "categories_unverified"):
        exactness = "approximate"
    elif strategy != "search+local" and pushed is not None and is_exact(pushed):
        exactness = "exact"
    remark = note.effect if note else _CHECKED if exactness == "checked locally" else None
    return TermReport(term=render(literal.term), positive=literal.positive, exactness=exactness, note=remark)


def notes_of(literals: Iterable[Literal], strategy: Strategy, mailbox: GraphMailbox) -> tuple[Note, ...]:
    """Give the notes of a plan, each once."""
    return tuple(dict.fromkeys(_notes(literals, strategy, mailbox)))


def _notes(literals: Iterable[Literal], strategy: Strategy, mailbox: GraphMailbox) -> Iterator[Note]:
    for literal in literals:
        note = _term_note(literal, strategy, mailbox)
        if note is not None:
            yield note
    if strategy == "scan+local":
        yield Note(code="scan", effect=_SCAN)


def _term_note(literal: Literal, strategy: Strategy, mailbox: GraphMailbox) -> Note | None:
    found = _remark(literal, strategy, mailbox)
    return Note(code=found[0], term=render(literal.term), effect=found[1]) if found else None


def _remark(literal: Literal, strategy: Strategy, mailbox: GraphMailbox) -> tuple[str, str] | None:
    match literal.term:
        case term if not held(term):
            effect = "matches nothing" if literal.positive else "leaves nothing out"
            return "unsupported", f"Outlook has no such thing, so this {effect}"
        case Label(key) if mailbox.categories is None:
            return (
                "categories_unverified",
                "without MailboxSettings.Read the names of categories are unknown; only usual spellings are looked for",
            )
        case Label(key) if not (mailbox.categories_like(key) or mailbox.labelled_folders(key)):
            return "no_such_label", "no category and no folder of this mailbox has that name"
        case Is("important"):
            return "approximate", "Outlook's importance is what the sender set, not what mattered to the reader"
        case Size():
            return "approximate", "Outlook's size of an item differs a little from the size of the message as sent"
        case Field("bcc") if literal.positive:
            return "bcc_kept_by_sender", "Outlook keeps Bcc in sent mail and drafts; only those are looked through"
        case Text() | Field("to") if literal.positive and strategy == "search+local":
            return "bcc_not_indexed", "Outlook's search may miss mail that matches by its Bcc recipients alone"
        case _:
            return None
