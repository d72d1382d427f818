"""Header values to people, ids, dates and plain text.

Reads what senders really write: encoded words, comments, groups, names with bare commas. Never raises; what cannot be
an address is kept as a name rather than dropped. It builds no header and compares no addresses.
"""

from __future__ import annotations

import binascii
import datetime as dt
import re
from collections.abc import Iterator
from email.utils import parsedate_to_datetime

from mailkit.mime.charsets import decode_text
from mailkit.values import Address

_ENCODED = r"=\?[^?\s]{1,64}\?[bBqQ]\?[^?]*\?="  # RFC 2047 §2; blanks inside are wrong, and found in mail
_ENCODED_RUN = re.compile(rf"{_ENCODED}(?:\s*{_ENCODED})*")
_IN_LIST = re.compile(rf'"(?:[^"\\]|\\.)*+"|(?P<run>{_ENCODED}(?:\s*{_ENCODED})*)', re.DOTALL)
_MARKS = re.compile(r'[()<>\[\]:;@\\,"]')
_TO_ESCAPE = re.compile(r'["\\]')
_ENCODED_WORD = re.compile(r"=\?([^?\s]+)\?([bBqQ])\?([^?]*)\?=")

# The two plain forms of nearly every mailbox: Name <local@domain>, "Name" <local@domain>, or the address alone; then a
# comma or the end. Possessive, since giving blanks back would take time that grows with the square of their number.
_ATOM = r"[^\s<>@,;:()\"\\\[\]]++"
_PLAIN = re.compile(
    rf"\s*+(?:(?:\"([^\"\\]*+)\"|([^\"\\(),:;<>@]*+)) ?<({_ATOM}@{_ATOM})>|({_ATOM}@{_ATOM}))\s*+(?:,|\Z)"
)

_PIECE = re.compile(r'"(?P<quoted>(?:[^"\\]|\\.)*)"?|<(?P<angle>[^>]*)>?|[,;:()]|\\.|[^",;:()<\\]+|\\', re.DOTALL)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_BLANKS = re.compile(r"[ \t\r\n]+")
_COMMENT = re.compile(r"\([^()]*\)")
_SPACED_DOT = re.compile(r"\s+\.\s*")
_TIME = r"(?:[01]\d|2[0-3])(?::[0-5]\d){2}"
_DATE = re.compile(
    rf"(?:[A-Z][a-z]{{2}}, )?(\d{{1,2}}) ([A-Z][a-z]{{2}}) ([12]\d{{3}}) ({_TIME}) ([+-]\d{{4}})(?: \(\w+\))?", re.ASCII
)
_MONTH_NAMES = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_MONTHS = {name: f"{at:02}" for at, name in enumerate(_MONTH_NAMES, 1)}
_MESSAGE_ID = re.compile(r"<[^<>\s]+>")


def decode_words(text: str) -> str:
    """Replace the encoded words (RFC 2047) of a header's value by what they say."""
    return _ENCODED_RUN.sub(_decoded_run, text) if "=?" in text else text


def decode_list(text: str) -> str:
    """Replace the encoded words of an address list, so that what it says is still the same list.

    A name that holds a comma or another mark of the list's stands in quotes then (RFC 5322 §3.2.3).
    """
    return _IN_LIST.sub(_quoted_run, text) if "=?" in text else text


def _quoted_run(found: re.Match[str]) -> str:
    if found["run"] is None:  # a quoted string, which keeps its quotes
        return decode_words(found[0])
    said = decode_words(found[0])
    if said == found[0] or not _MARKS.search(said):
        return said
    return '"' + _TO_ESCAPE.sub(r"\\\g<0>", said) + '"'


def _decoded_run(run: re.Match[str]) -> str:
    """Decode neighbours together: a character of several bytes may be split between two of them."""
    pieces: list[tuple[str, bytearray]] = []
    for charset, how, text in _ENCODED_WORD.findall(run[0]):
        name = charset.partition("*")[0].lower()  # RFC 2231 §5 appends a language
        try:
            data = _word_bytes(how, text)
        except (ValueError, UnicodeError):
            return run[0]
        if pieces and pieces[-1][0] == name:
            pieces[-1][1].extend(data)
        else:
            pieces.append((name, bytearray(data)))
    return "".join(decode_text(bytes(data), name) for name, data in pieces)


def _word_bytes(how: str, text: str) -> bytes:
    if how in "qQ":
        return binascii.a2b_qp(text.encode("utf-8"), header=True)
    bare = text.rstrip("=").encode("ascii")
    return binascii.a2b_base64(bare + b"=" * (-len(bare) % 4))


def one_line(text: str) -> str:
    """Unfold a header's value: runs of blanks and line ends become one blank."""
    if text.isprintable() and "  " not in text:  # as nearly every line is: no control character, no two blanks
        return text.strip(" ")
    return _BLANKS.sub(" ", text).strip(" ")


def read_text(text: str) -> str:
    """Read what a header says, decoded, on one line."""
    return one_line(decode_words(text))


def read_addresses(text: str) -> tuple[Address, ...]:
    """Read an address list (RFC 5322 §3.4); groups give their members, comments are dropped."""
    return _plain(text) or tuple(_joined(_mailboxes(text)))


def _plain(text: str) -> tuple[Address, ...] | None:
    """Read what nearly every header is without taking it apart; None where it is anything else."""
    people: list[Address] = []
    at = 0
    while at < len(text):
        found = _PLAIN.match(text, at)
        if found is None:
            return None
        quoted, bare, angle, alone = found.groups()
        people.append(Address(address=alone) if alone else _person(_tidy(decode_words(quoted or bare or "")), angle))
        at = found.end()
    return tuple(people)


def _person(name: str, address: str) -> Address:
    """Make an address; a name that only repeats it is none."""
    return Address(name="" if name == address else name, address=address)


def _tidy(text: str) -> str:
    return " ".join(text.split())


class _Mailbox:
    """One mailbox of a list while it is being read."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self.comment: list[str] = []
        self.angle: str | None = None
        self.quoted = False

    def address(self) -> Address | None:
        words = _tidy("".join(self.words))
        comment = _tidy(decode_words("".join(self.comment)[1:-1]))
        if self.angle is not None:
            route_free = self.angle.rpartition(":")[2] if self.angle.startswith("@") else self.angle
            bare = route_free if '"' in route_free else _COMMENT.sub("", route_free)
            return _person(_tidy(decode_words(words)) or comment, "".join(bare.split()))
        if not words:
            return None
        if "@" not in words:
            is_local_name = " " not in words and "=?" not in words  # MAILER-DAEMON
            return Address(address=words) if is_local_name else Address(name=_tidy(decode_words(words)), address="")
        parts = _SPACED_DOT.sub(".", words).split(" ")  # RFC 5322 §4.4: blanks round the dots of a domain
        address = parts.pop(next(at for at, part in enumerate(parts) if "@" in part))
        return _person(_tidy(decode_words(" ".join(parts))) or comment, address)


def _mailboxes(text: str) -> Iterator[_Mailbox]:
    now = _Mailbox()
    depth = 0
    for found in _PIECE.finditer(text):
        piece = found[0]
        if piece == "(" or depth:
            depth += {"(": 1, ")": -1}.get(piece, 0)
            now.comment.append(piece)
        elif piece in ",;":
            yield now
            now = _Mailbox()
        elif piece == ":":  # what stood before it names a group, or is "mailto"
            now = _Mailbox()
        elif found["angle"] is not None:
            now.angle = found["angle"].strip()
        elif found["quoted"] is not None:
            now.quoted = True
            now.words.append(_ESCAPE.sub(r"\1", found["quoted"]))
        elif piece != ")":
            now.words.append(_ESCAPE.sub(r"\1", piece))
    yield now


def _joined(mailboxes: Iterator[_Mailbox]) -> Iterator[Address]:
    """Give the addresses; ``Doe, Jane <jane@example.com>`` without quotes is one person, not two."""
    held: Address | None = None
    for mailbox in mailboxes:
        address = mailbox.address()
        if address is None:
            continue
        if held is not None:
            if mailbox.angle and address.name and not mailbox.quoted:
                address = Address(name=f"{held.name or held.address}, {address.name}", address=address.address)
            else:
                yield held
            held = None
        if mailbox.angle is None and "@" not in address.address:
            held = address
        else:
            yield address
    if held is not None:
        yield held


def read_message_ids(text: str) -> tuple[str, ...]:
    """Give the message ids of a References or In-Reply-To header, each with its ``<>``, in order."""
    return tuple(_MESSAGE_ID.findall(text))


def read_date(text: str) -> dt.datetime | None:
    """Read a Date header as aware UTC; a date without a zone counts as UTC, one that cannot be is None."""
    try:
        date = _plain_date(text) or parsedate_to_datetime(text)
        return (date if date.tzinfo else date.replace(tzinfo=dt.UTC)).astimezone(dt.UTC)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def _plain_date(text: str) -> dt.datetime | None:
    """Read the form that nearly every date has (RFC 5322 §3.3), three times as fast; None where it is another."""
    found = _DATE.fullmatch(text)
    if found is None or found[2] not in _MONTHS:
        return None
    day, month, year, time, zone = found.groups()
    return dt.datetime.fromisoformat(f"{year}-{_MONTHS[month]}-{day:0>2}T{time}{zone}")
