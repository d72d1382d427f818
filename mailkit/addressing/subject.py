"""Subjects of answers and forwards: one prefix, whatever language the other side's program speaks. Pure."""

from __future__ import annotations

import re

from mailkit.mime.header_text import is_one_line

__all__ = ["forward_subject", "reply_subject"]

# What mail programs write before the subject of an answer or a forward, by language:
# https://en.wikipedia.org/wiki/List_of_email_subject_abbreviations
_REPLY = (
    "Re", "AW", "SV", "VS", "Antw", "Odp", "R", "RIF", "RES", "Ref", "YNT", "BLS", "Vá", "ATB", "Hal", "Ang", "Vast",
    "Отв", "На", "Ответ", "ΑΠ", "ΣΧΕΤ", "回复", "回覆", "答复", "答覆", "返信", "답장", "회신", "השב", "תגובה", "رد",  # noqa: RUF001
)  # fmt: skip
_FORWARD = (
    "Fwd", "Fw", "WG", "TR", "RV", "ENC", "VB", "VL", "VS", "Doorst", "PD", "I", "İLT", "Továbbítás", "Пересл",
    "ΠΡΘ", "转发", "轉寄", "轉發", "転送", "전달", "הועבר", "إعادة توجيه",
)  # fmt: skip
_BLANKS = re.compile("[\x00-\x20\x7f\x85\u2028\u2029]+")  # and control characters; a no-break space stays


def _prefix(words: tuple[str, ...]) -> re.Pattern[str]:
    # RE[2]: and Re(2): count answers; French programs put a blank before the colon, Chinese ones a full-width colon.
    return re.compile(rf"(?:{'|'.join(map(re.escape, words))})(?:\[\d+\]|\(\d+\)|\^\d+)?\s?[:\uff1a]", re.IGNORECASE)


_ANSWERED, _FORWARDED = _prefix(_REPLY), _prefix(_FORWARD)


def reply_subject(subject: str) -> str:
    """Give the subject of an answer: ``Re: `` before it, unless it has that already, in whatever language."""
    return _with("Re: ", _ANSWERED, subject)


def forward_subject(subject: str) -> str:
    """Give the subject of a forward: ``Fwd: `` before it, unless it has that already, in whatever language."""
    return _with("Fwd: ", _FORWARDED, subject)


def _with(prefix: str, known: re.Pattern[str], subject: str) -> str:
    # A received subject may still be folded (RFC 5322 section 2.2.3); a line end must never reach a header.
    line = _BLANKS.sub(" ", subject).strip()
    if not is_one_line(line):  # it hides one in what looks encoded
        line = line.replace("=?", "= ?")
    return line if known.match(line) else f"{prefix}{line}".rstrip()
