"""The neutral message: what a query can ask about a mail, whichever provider holds it.

Providers fill it in from their own shapes; matching reads nothing else. It never fetches what is missing.
"""

from __future__ import annotations

import datetime as dt
from typing import Literal, TypeAlias

import attrs

from mailkit.values import Address

__all__ = ["Candidate", "CandidateFile", "CandidateFolder"]

CandidateFolder: TypeAlias = Literal["inbox", "sent", "drafts", "trash", "spam", "archive", "outbox", "other"]


@attrs.frozen(kw_only=True)
class CandidateFile:
    """An attachment as a query sees it: its file name, and whether the body shows it in place."""

    name: str
    inline: bool = False


@attrs.frozen(kw_only=True, repr=False)
class Candidate:
    """One message as a query sees it.

    ``date`` is the received instant, aware. ``size`` is in bytes. ``body`` is text, never HTML. ``folder`` is the
    built-in folder that holds the message, with ``other`` for a folder of the person's own, whose full name with ``/``
    between parent and child is then ``folder_path``. ``labels`` are names as the person wrote them. ``list_id`` is the
    List-Id header, ``delivered_to`` the addresses of Delivered-To headers, ``message_id`` the Message-ID header.
    ``star`` is the colour of a Gmail star (``red-bang`` ...).
    """

    id: str
    date: dt.datetime
    thread_id: str = ""
    message_id: str = ""
    from_: Address | None = None
    to: tuple[Address, ...] = ()
    cc: tuple[Address, ...] = ()
    bcc: tuple[Address, ...] = ()
    delivered_to: tuple[str, ...] = ()
    subject: str = ""
    body: str = ""
    size: int = 0
    folder: CandidateFolder = "other"
    folder_path: str | None = None
    labels: tuple[str, ...] = ()
    category: str | None = None
    read: bool = True
    starred: bool = False
    important: bool = False
    muted: bool = False
    snoozed: bool = False
    chat: bool = False
    star: str | None = None
    attachments: tuple[CandidateFile, ...] = ()
    list_id: str | None = None

    def __repr__(self) -> str:
        return f"<Candidate {self.id}>"
