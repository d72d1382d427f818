"""Begins answers and forwards as Exchange does: to whom, about what, above which quoted message.

Responsible for learn.microsoft.com/graph/api/message-createreply, -createreplyall and -createforward. Touches no
mailbox.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Literal

from mailkit.sandbox.mail import Mail, Person
from mailkit.sandbox.microsoft import bodies

__all__ = ["Kind", "begun"]

Kind = Literal["reply", "replyAll", "forward"]

_REPLY = re.compile(r"re:", re.IGNORECASE)
_FORWARD = re.compile(r"fwd?:", re.IGNORECASE)


def begun(kind: Kind, parent: Mail, *, message_id: str, own: Collection[str], comment: str) -> Mail:
    """Give the draft of an answer to ``parent``, or of a forward of it.

    ``own`` are the addresses of the mailbox, ``message_id`` the parent's as it is shown.
    """
    forward = kind == "forward"
    to, cc = ((), ()) if forward else _answered(parent, own, everybody=kind == "replyAll")
    prefix, known = ("Fw: ", _FORWARD) if forward else ("Re: ", _REPLY)
    # An answer keeps the pictures of the quoted text; a forward takes every file along.
    files = tuple(file for file in parent.files if forward or file.inline)
    text, html = bodies.answered(parent, comment, _headings(parent))
    return Mail(
        folder="drafts",
        read=True,
        to=to,
        cc=cc,
        subject=parent.subject if known.match(parent.subject) else prefix + parent.subject,
        files=files,
        in_reply_to=message_id,
        # RFC 5322, 3.6.4
        references=(*(parent.references or filter(None, (parent.in_reply_to,))), message_id),
        text=text,
        html=html,
    )


def _answered(parent: Mail, own: Collection[str], *, everybody: bool) -> tuple[tuple[Person, ...], tuple[Person, ...]]:
    author = parent.reply_to or ((parent.from_,) if parent.from_ else ())
    if not everybody:
        return author, ()
    taken = {address.casefold() for address in own}
    # Who answers their own mail to others writes to these again, and who wrote to themselves alone, to themselves.
    to = _others((*author, *parent.to), taken) or list(author)
    return tuple(to), tuple(_others(parent.cc, taken))


def _others(people: Iterable[Person], taken: set[str]) -> list[Person]:
    """Give those not in ``taken``, each once, and note them there."""
    found = []
    for person in people:
        if person.address.casefold() not in taken:
            taken.add(person.address.casefold())
            found.append(person)
    return found


def _headings(parent: Mail) -> list[tuple[str, str]]:
    sent = f"{parent.date:%A, %B %d, %Y %H:%M}" if parent.date else ""
    shown = [
        ("From", _listed((parent.from_,) if parent.from_ else ())),
        ("Sent", sent),
        ("To", _listed(parent.to)),
        ("Cc", _listed(parent.cc)),
        ("Subject", parent.subject),
    ]
    return [(name, text) for name, text in shown if text or name != "Cc"]


def _listed(people: Iterable[Person]) -> str:
    return "; ".join(f"{person.name} <{person.address}>" if person.name else person.address for person in people)
