"""What an answer or a forward shows of the original, in text and in HTML. Pure.

The original's HTML is other people's: it is sanitised before it goes into one's own mail.
"""

from __future__ import annotations

import datetime as dt
import html as html_text
import re
from collections.abc import Iterable
from email.utils import format_datetime

import attrs

from mailkit.mime.safe_html import safe_html
from mailkit.models.mail import Message
from mailkit.values import Address

__all__ = ["Quoted", "quote_forward", "quote_reply"]

_FORWARDED = "---------- Forwarded message ----------"
# A text may hold neither a NUL (RFC 5322 section 4) nor half a character; what was received now and then does.
_UNFIT = re.compile("[\x00\ud800-\udfff]")
_BORDER = "margin:0 0 0 0.8ex;border-left:1px solid #ccc;padding-left:1ex"


@attrs.frozen(kw_only=True, repr=False)
class Quoted:
    """The new text with the original below it; ``html`` is None where there was none to begin with."""

    text: str
    html: str | None


def quote_reply(original: Message, *, text: str, html: str | None, tz: dt.tzinfo) -> Quoted:
    """Put the original below an answer, each line marked with ``>``; its date is given in ``tz``."""
    attribution = f"On {_date(original, tz)}, {_author(original)} wrote:"
    lines = "\n".join(f"> {line}" if line and not line.startswith(">") else f">{line}" for line in _lines(original))
    return Quoted(
        text=_below(text, f"{attribution}\n{lines}"),
        html=None
        if html is None
        else _below_html(
            html,
            f'{html_text.escape(attribution)}<br><blockquote type="cite" class="gmail_quote" style="{_BORDER}">'
            f"{_inner_html(original)}</blockquote>",
        ),
    )


def quote_forward(original: Message, *, text: str, html: str | None, tz: dt.tzinfo) -> Quoted:
    """Put the whole original below a few words, with its head."""
    head = [
        ("From", _author(original)),
        ("Date", _date(original, tz)),
        ("Subject", " ".join(original.subject.split())),
        ("To", _people(original.to)),
        ("Cc", _people(original.cc)),
    ]
    shown = [(name, value) for name, value in head if value]
    plain = "\n".join((_FORWARDED, *(f"{name}: {value}" for name, value in shown), "", *_lines(original)))
    marked = "<br>".join((_FORWARDED, *(f"<b>{name}:</b> {html_text.escape(value)}" for name, value in shown)))
    return Quoted(
        text=_below(text, plain),
        html=None if html is None else _below_html(html, f"{marked}<br><br>{_inner_html(original)}"),
    )


def _below(text: str, quoted: str) -> str:
    return f"{text.rstrip()}\n\n{_fit(quoted)}\n" if text.strip() else f"{_fit(quoted)}\n"


def _below_html(html: str, quoted: str) -> str:
    # The class is what mail programs, and our own reader, know quoted history by.
    return f'{html}<br><div class="gmail_quote">{_fit(quoted)}</div>'


def _fit(quoted: str) -> str:
    return _UNFIT.sub("\ufffd", quoted)


def _lines(original: Message) -> list[str]:
    return original.body.text.rstrip().splitlines()


def _inner_html(original: Message) -> str:
    """Give the original as HTML; its pictures are expected to come along, under their content ids."""
    shown = original.body.html
    if shown is None or not shown.strip():
        return "<br>".join(html_text.escape(line) for line in _lines(original))
    return safe_html(shown, remote_images=True)


def _date(original: Message, tz: dt.tzinfo) -> str:
    local = original.date.astimezone(tz)
    return f"{format_datetime(local)[:16]} at {local:%H:%M}"  # English whatever the locale says


def _author(original: Message) -> str:
    return _people(() if original.from_ is None else (original.from_,)) or "an unknown sender"


def _people(people: Iterable[Address]) -> str:
    return " ".join(", ".join(str(person) for person in people if person.address or person.name).split())
