"""What single lines of a message say about quoting: marks, markers, heads of messages, attributions.

Looks at lines; decides nothing about the rest of the text. Every look is bounded: some lines, some hundred signs.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

import attrs

from mailkit.mime.headers import read_addresses
from mailkit.mime.quoted import words
from mailkit.values import Address

# A line of a message's head is short; more is a paragraph that somebody wrote.
_LONGEST_LINE = 400
_LONGEST_HEAD = 30
_FEW = 5
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]")
_FRAME = "-_=*"
_RULE = re.compile(r"[-_=*\u2500\u2501\u2014 ]{3,}")
_FRAMED = re.compile(r"[-_=*]{3,}+([^\n]{1,400}?)[-_=*]{3,}+")
_MAILTO = re.compile(r"[\[<]mailto:([^\]>\s]{1,320})[\]>]")
_ENDS_IN_ADDRESS = re.compile(r"@[^<>()@\s]{1,255}[>)\]\"]{1,3}\s?[:\uff1a]")
_DAY = re.compile(r"\d{1,4}([./-])\d{1,2}\1\d{1,4}")
_MARKS = re.compile(r"(?:>\s?)+")


def bare(line: str) -> str:
    """Give the line as a reader sees it: no invisible characters, plain blanks, none at its ends."""
    return _INVISIBLE.sub("", line).replace("\xa0", " ").strip()


def is_marked(lines: Sequence[str], at: int) -> bool:
    """Whether the line bears the mark of a quote.

    Alone, ``>From`` is how a mailbox file keeps a line of the text, and ``>>>`` a prompt or an ornament. Of lines taken
    together, each has to bear it.
    """
    if lines[at].count("\n") > lines[at].count("\n>"):
        return False
    if not lines[at].startswith((">From ", ">>>")):
        return lines[at].startswith(">")
    return sum(line.startswith(">") for line in lines[max(0, at - 1) : at + 2]) > 1


def is_rule(line: str) -> bool:
    """Whether the line is drawn: dashes, underscores."""
    return _RULE.fullmatch(line) is not None


def is_framed(line: str) -> bool:
    """Whether the line is words in a frame, as above what is quoted: ``----- Mail original -----``."""
    return _FRAMED.fullmatch(line) is not None


def without_marks(line: str) -> str:
    """Give what the line says without the marks of quotes before it."""
    return _MARKS.sub("", line, count=1) if line.startswith(">") else line


def marker(line: str) -> Literal["original", "forward"] | None:
    """Say whether the line announces a quoted or a forwarded message: ``-----Original Message-----``."""
    said = " ".join(line.strip(_FRAME + "> :\uff1a").split()).casefold() if len(line) <= _LONGEST_LINE else ""
    is_framed = line.lstrip("> ")[:2].strip(_FRAME) == ""
    if said in words.FORWARDS and (is_framed or line.endswith((":", "\uff1a"))):
        return "forward"
    if is_framed and said.startswith("forwarded by "):  # Notes: "----- Forwarded by Ann Lee/ACME on 02.04.2012 -----"
        return "forward"
    return "original" if is_framed and said in words.ORIGINALS else None


def field(line: str) -> tuple[str, str] | None:
    """Read ``From: somebody`` in any of the languages: which field of a message's head it is, and its value."""
    label, colon, value = line[:_LONGEST_LINE].replace("\uff1a", ":", 1).partition(":")
    name = words.FIELDS.get(" ".join(label.strip("*_ ").split()).casefold()) if colon and len(label) < 40 else None
    return (name, value.strip("*_ ")) if name else None


@attrs.frozen(kw_only=True)
class Head:
    """The head of a quoted message: the lines from ``start`` to before ``end``."""

    start: int
    end: int
    sender: Address | None


def head_at(lines: Sequence[str], start: int) -> Head | None:
    """Read the head of a message that begins at this line, or None: three fields of it, one of them the sender.

    Where fields could be those of a journey (from, to, date), an address or a word only mail uses has to be among them.
    Notes writes sender and date above the fields, without a label.
    """
    if field(without_marks(lines[start])) is None:
        return None
    values: dict[str, str] = {}
    end = at = start
    name = ""
    while at < min(len(lines), start + _LONGEST_HEAD):
        if lines[at].startswith(">") != lines[start].startswith(">"):
            break  # a quote below the head, or what is below a quote
        line = without_marks(lines[at])
        found = field(line)
        if found is not None:
            name = found[0]
            values.setdefault(name, found[1])
        elif not line:
            if not _goes_on(lines, at):
                break
            at += 1
            continue
        elif name and not values[name]:  # the value stands below its label
            values[name] = line
        elif name == "subject":  # the last field of most programs, and not wrapped by them
            break
        at += 1
        end = at
    if "from" not in values and values.keys() >= {"to", "subject"} and (above := _sender_above(lines, start)):
        start, values["from"] = above
        values["date"] = ""
    is_mail = values.keys() & {"subject", "sent"} or any("@" in value for value in values.values())
    if "from" not in values or len(values.keys() - {"other"}) < 3 or not is_mail:
        return None
    return Head(start=start, end=end, sender=read_sender(values["from"]))


def _sender_above(lines: Sequence[str], end: int) -> tuple[int, str] | None:
    """Find the sender above other fields, on the line of a date or on the one before it, and where that begins."""
    for at in range(end - 1, max(-1, end - _FEW), -1):
        line = without_marks(lines[at])[:_LONGEST_LINE]
        day = _DAY.search(line)
        if day is None:
            continue
        before = line[: day.start()].removesuffix(" on ").strip()
        start = at if before or at == 0 else at - 1
        name = before or without_marks(lines[start])
        is_name = 0 < len(name.split()) <= 6 and name[-1] not in ".,:;?!" and _DAY.search(name) is None
        return (start, name) if is_name else None
    return None


def _goes_on(lines: Sequence[str], at: int) -> bool:
    """Whether a field follows a blank line: HTML makes a paragraph of each."""
    return at + 1 < len(lines) and field(without_marks(lines[at + 1])) is not None


def read_sender(text: str) -> Address | None:
    """Read the sender a head or an attribution names; one without an address keeps the name."""
    said = _MAILTO.sub(r"<\1>", text)
    people = read_addresses(said)
    with_address = [who for who in people if "@" in who.address]
    if with_address:
        return with_address[0]
    name = " ".join(said.split()).strip("\"'<>:, ")
    return Address(name=name, address="") if name else None


def attribution(line: str) -> Literal["firm", "loose"] | None:
    """Say whether the line tells who wrote what follows: ``On Monday, Ann wrote:``.

    A firm one is known by itself, a loose one only where a quote follows. A frame stands for the colon (Zoho).
    """
    if framed := _FRAMED.fullmatch(line):
        line = f"{framed[1].strip()}:"
    if not line.endswith((":", "\uff1a")) or len(line) > _LONGEST_LINE:
        return None
    verb = words.VERBS.search(line.casefold())
    dated = words.DATE.search(line) is not None
    addressed = "@" in line
    if dated and _ENDS_IN_ADDRESS.search(line[-300:]):
        return "firm"
    if verb:
        at_end = not line[verb.end() :].strip(" :\uff1a()/")
        return "firm" if dated or (addressed and at_end) else "loose"
    return "loose" if dated and addressed else None


def attribution_start(lines: Sequence[str], end: int, first: int) -> int:
    """Give the line at which the attribution that ends at ``end`` begins: programs wrap it, at most twice.

    ``first`` is the first line that may belong to it.
    """
    start, joined = end, lines[end]
    while start > max(first, end - 2) and not (_begins(joined) and _is_dated(joined)):
        above = lines[start - 1]
        if not above or len(above) > _LONGEST_LINE or above.endswith((".", "?", "!", ":")):
            break
        if _is_dated(joined) and not _begins(above):
            break
        start -= 1
        joined = f"{above} {joined}"
    return start if _is_dated(joined) else end


def _begins(line: str) -> bool:
    return words.OPENERS.match(line[:20].casefold()) is not None


def _is_dated(line: str) -> bool:
    return words.DATE.search(line) is not None
