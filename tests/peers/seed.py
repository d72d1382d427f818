"""The mail that peers and mailkit both read: one list of letters, put into a Gmail and an Outlook mailbox."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

import attrs

from mailkit.sandbox import File, Mail, Mailbox, Person

START = dt.datetime(2026, 3, 2, 9, 30, tzinfo=dt.UTC)

ANN = Person("Ann Lee", "ann@example.com")
PRIYA = Person("Priya Nair", "priya@example.net")
SAM = Person("Ortiz, Sam", "sam@contoso.example")
ZOE = Person("Zoë Çelik", "zoe@example.org")
NAMELESS = Person("", "robot@example.net")

LONG_SUBJECT = ", ".join(["A subject so long that its header line must be folded"] * 3)

PDF = File(name="Budget 2026.pdf", content=bytes(range(256)) * 40, content_type="application/pdf")
PICTURE = File(
    name="logo.png",
    content=b"\x89PNG\r\n\x1a\n" + bytes(300),
    content_type="image/png",
    inline=True,
    content_id="logo@example.net",
)
TABLE = File(name="Übersicht größer.csv", content="a;ü\r\n1;2\r\n".encode(), content_type="text/csv")
LETTER = File(
    name="Forwarded.eml",
    content=b"From: sam@contoso.example\r\nSubject: Inside\r\nMIME-Version: 1.0\r\n\r\nInner text.\r\n",
    content_type="message/rfc822",
    kind="item",
)


def fill(box: Mailbox) -> None:
    """Put the letters in; the folders, marks and files of both providers are all there."""
    for number, mail in enumerate(letters()):
        box.add(attrs.evolve(mail, date=START + number * dt.timedelta(hours=7, minutes=1, seconds=13)))


def letters() -> Iterator[Mail]:
    """Give the letters, the oldest first."""
    yield Mail(subject="Dinner on Friday?", from_=PRIYA, to=ANN, text="Shall we say eight?", read=True)
    yield Mail(subject="Quarterly budget", from_=SAM, to=[ANN, PRIYA], cc=ZOE, text="See below.", files=[PDF])
    yield Mail(subject="Grüße aus Köln 🎡", from_=ZOE, to=ANN, text="Schöne Grüße!\n\nZoë", starred=True)
    yield Mail(subject="", from_=NAMELESS, to=ANN, text="No subject at all.", read=True, important=True)
    yield Mail(subject="Newsletter", from_=NAMELESS, to=ANN, html="<p>Only <b>HTML</b> &amp; more</p>", labels=["News"])
    yield Mail(
        subject="Our logo",
        from_=PRIYA,
        to=ANN,
        text="In the text.",
        html='<p>Look: <img src="cid:logo@example.net"></p>',
        files=[PICTURE],
        labels=["Work", "Work/Design"],
    )
    yield Mail(subject="Two files", from_=ZOE, to=ANN, text="Both.", files=[TABLE, PDF], labels=["Work"], starred=True)
    yield Mail(subject="Forwarded letter", from_=SAM, to=ANN, text="See inside.", files=[LETTER], read=True)
    yield Mail(subject="Trip", from_=PRIYA, to=ANN, text="Where to?", thread="trip", read=True)
    yield Mail(subject="Re: Trip", from_=ANN, to=PRIYA, text="The sea.", thread="trip", folder="sent", read=True)
    yield Mail(subject="Re: Trip", from_=PRIYA, to=ANN, cc=SAM, text="Yes!", thread="trip")
    yield Mail(subject="Re: Trip", from_=SAM, to=[ANN, PRIYA], text="Me too.", thread="trip", folder="Projects/Alpha")
    yield Mail(subject=LONG_SUBJECT, from_=SAM, to=ANN, text=".")
    yield Mail(subject="Old plans", from_=SAM, to=ANN, text="Bin this budget.", folder="trash", read=True)
    yield Mail(subject="You have won", from_=NAMELESS, to=ANN, text="Click.", folder="spam")
    yield Mail(subject="Unsent", from_=ANN, to=SAM, bcc=ZOE, text="Not yet.", folder="drafts", read=True)
    yield Mail(subject="Kept", from_=PRIYA, to=ANN, text="Archived budget.", folder="archive", read=True)
    yield Mail(subject="Nested", from_=ZOE, to=ANN, text="Deep.", folder="Projects/Alpha/Notes", read=True)
    yield Mail(subject="Long", from_=PRIYA, to=ANN, text="Zeile mit Ümlaut.\n" * 20_000)
    for number in range(12):
        yield Mail(subject=f"Report {number}", from_=SAM, to=ANN, text=f"Figures {number}.", read=number % 3 == 0)


def files() -> list[tuple[str, bytes]]:
    """Give name and bytes of every file there is, sorted."""
    return sorted((file.name, file.content) for mail in letters() for file in mail.files)
