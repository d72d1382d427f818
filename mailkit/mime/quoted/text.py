"""Plain text, or the lines of an HTML text, sorted into new, quoted and signature.

One pass for what is quoted, one for the signatures of what is left, one to put the lines together. It knows nothing of
HTML: who does hands in hints, line by line.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum
from itertools import groupby

import attrs

from mailkit.mime.quoted.lines import (
    attribution,
    attribution_start,
    bare,
    field,
    head_at,
    is_framed,
    is_marked,
    is_rule,
    marker,
    read_sender,
    without_marks,
)
from mailkit.mime.quoted.signatures import signature_lines
from mailkit.values import Address

_LINE_END = re.compile(r"\r\n|\r|\n")
LOOKED_AT = 20_000
"""The most lines looked at one by one; those beyond are taken together, as one long line, and keep their breaks."""
# How far below "Forwarded message" its sender may stand.
_NEAR = 12
# What somebody newly writes is shorter, and a longer line is not compared with it word by word.
_LONGEST_SAID = 100_000


class Kind(Enum):
    """What a line is."""

    NEW = 1
    QUOTED = 2
    SIGNATURE = 3


@attrs.frozen(kw_only=True)
class SplitText:
    """The lines of a text, sorted; ``forwarded_from`` is the sender of the message that a forward passes on."""

    new: str
    quoted: str = ""
    signature: str = ""
    forwarded_from: Address | None = None


def split_text(text: str, *, said: str = "") -> SplitText:
    r"""Sort the lines of a plain text.

    ``said`` is what somebody else holds to be new: where the text itself shows no quote and begins or ends with those
    words, what is beside them counts as quoted. ``new`` is the whole text where nothing in it is new.

    >>> split = split_text("At ten.\n\nOn Mon, 2 Apr 2012 at 18:26, Ann <ann@example.com> wrote:\n> When?")
    >>> split.new
    'At ten.'
    >>> split.quoted.splitlines()[-1]
    '> When?'
    """
    lines = _LINE_END.split(text, maxsplit=LOOKED_AT)
    split = split_lines(lines, [None] * len(lines))
    if said and not split.quoted:
        split = split_lines(lines, _hints(lines, said))
    return split if split.new else attrs.evolve(split, new=text)


def split_lines(lines: Sequence[str], hints: Sequence[Kind | None]) -> SplitText:
    """Sort lines of which some are known; ``new`` may be empty."""
    sorter = _Sorter(lines, hints)
    sorter.find_quotes()
    sorter.find_signatures()
    return SplitText(
        new=sorter.said(Kind.NEW),
        quoted=sorter.said(Kind.QUOTED),
        signature=sorter.said(Kind.SIGNATURE),
        forwarded_from=sorter.forwarded_from,
    )


def _hints(lines: Sequence[str], said: str) -> list[Kind | None]:
    """Call quoted what is beside the words that were said; nothing, where they neither begin nor end the text."""
    hints: list[Kind | None] = [None] * len(lines)
    if len(said) > _LONGEST_SAID:
        return hints
    words = said.split()
    for numbers in (range(len(lines)), range(len(lines) - 1, -1, -1)):
        left = words[:: numbers.step]
        at = 0
        for number in numbers:
            if len(lines[number]) > _LONGEST_SAID:
                break
            here = lines[number].split()[:: numbers.step]
            if at == len(left) and here:
                inside = range(number, len(lines)) if numbers.step > 0 else range(number + 1)
                hints[inside.start : inside.stop] = [Kind.QUOTED] * len(inside)
                return hints
            if left[at : at + len(here)] != here:
                break
            at += len(here)
    return hints


class _Sorter:
    """The lines of one text while they are being sorted."""

    def __init__(self, lines: Sequence[str], hints: Sequence[Kind | None]) -> None:
        self._lines = lines
        self._bare = [bare(line) for line in lines]
        self._kinds = [
            hint or (Kind.QUOTED if is_marked(self._bare, at) else Kind.NEW) for at, hint in enumerate(hints)
        ]
        self._is_first = True  # no message has begun yet
        self.forwarded_from: Address | None = None

    def find_quotes(self) -> None:
        """Call quoted what a marker, the head of a message or an attribution announces, as far as it goes."""
        free = 0  # the line after the last quote: from there an attribution may take lines
        above = Kind.NEW
        for at, line in enumerate(self._bare):
            if not line:
                continue
            kind = self._kinds[at]
            if not line.startswith(">") and (kind is Kind.NEW or above is not Kind.QUOTED) and self._is_message(at):
                return
            above = kind = self._kinds[at]
            if kind is Kind.NEW:
                start = attribution_start(self._bare, at, free)
                strength = attribution(" ".join(self._bare[start : at + 1]))
                follows = self._next(at + 1)
                is_quote_below = follows < len(self._bare) and self._kinds[follows] is Kind.QUOTED
                if strength == "firm" and not is_quote_below:  # by a program that puts no marks before what it quotes
                    self._quote(start)
                    return
                if strength is None or not is_quote_below:
                    continue
                self._quote(start, at + 1)
                above = Kind.QUOTED
            free = at + 1

    def _is_message(self, at: int) -> bool:
        """Whether a message begins here that goes to the end of the text; then it is quoted."""
        announced = marker(self._bare[at])
        head = None if announced else head_at(self._bare, at)
        is_known = self._kinds[at] is not Kind.NEW  # by a hint, which also knows where it ends
        if announced is None and head is None:
            return False
        start = self._rule_above(head.start) if head else at
        is_on_top = self._is_first and not self._is_anything_new(start)
        if is_on_top and announced != "forward" and (answered := self._answered_below(head.end if head else at + 1)):
            self._is_first = False
            self._quote(start, answered)
            return False
        if announced == "forward" or is_on_top:
            self.forwarded_from = head.sender if head else self._sender_below(at)
        self._is_first = False
        if is_known and announced != "forward":
            return False
        self._quote(start)
        return True

    def _rule_above(self, at: int) -> int:
        """Give the line drawn above a message's head, or the head's own."""
        above = next((n for n in range(at - 1, -1, -1) if self._bare[n]), at)
        return above if is_rule(self._bare[above]) or is_framed(self._bare[above]) else at

    def _answered_below(self, at: int) -> int | None:
        """Give where the marked quote begins that a head or marker announces, where somebody wrote below it."""
        start = self._next(at)
        if start < len(self._bare) and self._kinds[start] is Kind.NEW:  # the head below a marker, or an attribution
            head = head_at(self._bare, start)
            start = self._next(head.end if head else start + 1) if head or attribution(self._bare[start]) else start
        kinds = [self._kinds[n] for n in range(start, len(self._bare)) if self._bare[n]]
        return start if kinds and kinds[0] is Kind.QUOTED and Kind.NEW in kinds else None

    def _next(self, at: int) -> int:
        """Give the first line from there on that says something."""
        return next((n for n in range(at, len(self._bare)) if self._bare[n]), len(self._bare))

    def _is_anything_new(self, end: int) -> bool:
        written = {at for at in range(end) if self._bare[at] and self._kinds[at] is Kind.NEW}
        return not written <= signature_lines(self._bare[:end])

    def _sender_below(self, at: int) -> Address | None:
        """Give the sender of the message that a marker announces: by its head, else by an attribution."""
        near = range(at + 1, min(at + 1 + _NEAR, len(self._bare)))
        for n in near:
            found = field(without_marks(self._bare[n]))
            if found is not None and found[0] == "from":
                return read_sender(found[1] or " ".join(self._bare[n + 1 : n + 2]))
        said = next((self._bare[n] for n in near if attribution(self._bare[n])), "")
        return read_sender(said.rstrip(":\uff1a")) if said else None

    def _quote(self, start: int, end: int | None = None) -> None:
        lines = range(start, len(self._lines) if end is None else end)
        self._kinds[lines.start : lines.stop] = [Kind.QUOTED] * len(lines)

    def find_signatures(self) -> None:
        """Call signature what each stretch of written lines ends with."""
        for kind, stretch in groupby(range(len(self._lines)), key=self._kinds.__getitem__):
            if kind is Kind.NEW:
                numbers = list(stretch)
                for at in signature_lines([self._bare[n] for n in numbers]):
                    self._kinds[numbers[at]] = Kind.SIGNATURE

    def said(self, kind: Kind) -> str:
        """Give the lines of a kind; where something stood between them, a blank line does now."""
        kept: list[str] = []
        here = Kind.NEW
        is_after = False
        for at, line in enumerate(self._lines):
            if self._bare[at]:  # blank lines belong to what stands above them
                here = self._kinds[at]
            if here is kind:
                if kept and not is_after and bare(kept[-1]):
                    kept.append("")
                if kept or self._bare[at]:
                    kept.append(line)
            is_after = here is kind
        while kept and not bare(kept[-1]):
            kept.pop()
        return "\n".join(kept)
