"""What the headers of a message say about lists: whether it went to many, and how to get off it. Pure.

Reads RFC 2369 (List-Unsubscribe), RFC 8058 (one click) and RFC 6068 (mailto) as senders really write them; never
raises. What cannot be a web or mail address is left out. Asks nobody and follows no link.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import unquote

from mailkit.mime.headers import decode_words

__all__ = ["is_bulk", "is_one_click", "read_links", "read_mailto"]

# RFC 2919, RFC 2369 section 3; Feedback-ID: https://support.google.com/mail/answer/6254652
_OF_LISTS = frozenset(
    {
        "list-id",
        "list-unsubscribe",
        "list-subscribe",
        "list-post",
        "list-help",
        "list-owner",
        "list-archive",
        "feedback-id",
    }
)
_PRECEDENCE = frozenset({"bulk", "list", "junk"})  # RFC 3834 section 3.1.8 calls it common practice
_ANGLE = re.compile(r"<([^<>]*)>")
_BLANK = re.compile(r"\s+")
_URL = re.compile(r"(?:https?://|mailto:)[^\s<>\"\x00-\x1f\x7f]+", re.IGNORECASE)
_ADDRESS = re.compile(r"[^@\s,;<>\x00-\x1f\x7f]+@[^@\s,;<>\x00-\x1f\x7f]+")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]+")


def is_bulk(headers: Iterable[tuple[str, str]]) -> bool:
    """Tell whether a message says of itself that it went to many: a list, a newsletter, a mailing.

    What a machine sent to one person alone is not bulk, so Auto-Submitted (RFC 3834) does not count.
    """
    for name, value in headers:
        header = name.lower()
        if header in _OF_LISTS or (header == "precedence" and value.strip().lower() in _PRECEDENCE):
            return True
    return False


def read_links(value: str) -> tuple[str, ...]:
    """Give the https, http and mailto links of a List-Unsubscribe header, in the order the sender prefers.

    White space inside ``<>`` comes from folding and is taken out (RFC 2369 section 2); links without ``<>``, which
    are wrong and found in mail, are taken as well.
    """
    text = decode_words(value)
    found = _ANGLE.findall(text) or text.split(",")
    links = [_BLANK.sub("", each) for each in found]
    return tuple(dict.fromkeys(link for link in links if _URL.fullmatch(link)))


def is_one_click(value: str) -> bool:
    """Tell whether a List-Unsubscribe-Post header allows one click: it can say only this (RFC 8058 section 3.1)."""
    return _BLANK.sub("", value).lower() == "list-unsubscribe=one-click"


def read_mailto(link: str) -> tuple[str, str, str] | None:
    """Give address, subject and text of the mail that a mailto link asks for; None where it names no one address.

    Any other header it names (``cc``, ``bcc``, ``attach``) is left out: a link must not make somebody write to others.
    """
    path, _, query = link[len("mailto:") :].partition("?")
    address = unquote(path)
    if not _ADDRESS.fullmatch(address):
        return None
    fields = {"subject": "", "body": ""}
    for pair in query.split("&"):
        name, _, value = pair.partition("=")
        if name.lower() in fields:
            fields[name.lower()] = unquote(value)
    return address, _CONTROL.sub(" ", fields["subject"]).strip(), fields["body"].replace("\r\n", "\n")
