"""The mail the emulator is started with, written with the standard library, and what a reader should see of it."""

from __future__ import annotations

import base64
import datetime as dt
from collections.abc import Mapping
from email.message import EmailMessage
from email.utils import format_datetime
from functools import cache
from typing import TypeAlias

import attrs

Json: TypeAlias = dict[str, object]

TOKEN_OF_CALENDAR = "token-of-ann's-calendar"
TOKEN, TOKEN_OF_BOB = "token-of-ann", "token-of-bob"  # an unknown token is the first user, so Bob stands first
ANN, BOB = "ann@example.com", "bob@example.com"
START = dt.datetime(2026, 3, 2, 9, 30, tzinfo=dt.UTC)
PDF = bytes(range(256)) * 40
LABELS = {"Label_7": "Work", "Label_8": "Work/Clients"}


@attrs.frozen(kw_only=True)
class Letter:
    """One message as it is seeded."""

    id: str
    subject: str
    sender: str = "Priya Nair <priya@example.net>"
    text: str | None = "Hello."
    html: str | None = None
    files: tuple[tuple[str, str, bytes], ...] = ()
    labels: tuple[str, ...] = ("INBOX",)
    answers: str | None = None

    @property
    def message_id(self) -> str:
        return f"<{self.id}@example.net>"


LETTERS = (
    Letter(id="m01", subject="Trip", labels=("INBOX", "STARRED")),
    Letter(id="m02", subject="Re: Trip", sender=f"Ann Lee <{ANN}>", text="Yes.", labels=("SENT",), answers="m01"),
    Letter(id="m03", subject="Re: Trip", text="Good.", labels=("INBOX", "UNREAD"), answers="m02"),
    Letter(
        id="m04", subject="Budget", files=(("Budget 2026.pdf", "application/pdf", PDF),), labels=("INBOX", "Label_7")
    ),
    Letter(
        id="m05",
        subject="Two texts",
        sender='"Ortiz, Sam" <sam@contoso.example>',
        html="<p>Hello <b>Ann</b>.</p>",
        files=(("a.csv", "text/csv", b"1;2\n"), ("b.bin", "application/octet-stream", b"\0\1\2" * 1000)),
        labels=("INBOX", "UNREAD", "Label_7", "Label_8"),
    ),
    Letter(id="m06", subject="Only HTML", text=None, html="<p>See you <b>Monday</b>.</p>"),
    Letter(id="m07", subject="Grüße aus Köln 🎡", sender="Zoë Çelik <zoe@example.org>", text="Schöne Grüße!"),
    Letter(id="m08", subject="Old", labels=("TRASH",)),
    Letter(id="m09", subject="You have won", labels=("SPAM", "UNREAD")),
    Letter(id="m10", subject="Unsent", sender=f"Ann Lee <{ANN}>", labels=("DRAFT",)),
    *(Letter(id=f"r{number:03}", subject=f"Report {number}", text=f"Figures {number}.") for number in range(130)),
)
CALENDARS: tuple[Mapping[str, object], ...] = (
    {"id": ANN, "summary": "Ann", "primary": True, "selected": True, "time_zone": "Europe/Berlin"},
    {"id": "sport", "summary": "Sport", "time_zone": "America/New_York"},
)
EVENTS: tuple[Mapping[str, object], ...] = (
    {
        "id": "plan",
        "calendar_id": ANN,
        "summary": "Plan",
        "location": "Room 1",
        "start_date_time": "2026-03-16T09:00:00+01:00",
        "end_date_time": "2026-03-16T10:00:00+01:00",
        "attendees": [{"email": "sam@contoso.example", "display_name": "Sam"}],
    },
    {"id": "fair", "calendar_id": ANN, "summary": "Fair", "start_date": "2026-03-17", "end_date": "2026-03-19"},
    *(
        {
            "id": f"run{day}",
            "calendar_id": "sport",
            "summary": f"Run {day}",
            "start_date_time": f"2026-03-{day}T12:00:00Z",
            "end_date_time": f"2026-03-{day}T12:45:00Z",
        }
        for day in range(10, 31)
    ),
)
DATES = {letter.id: START + number * dt.timedelta(hours=1) for number, letter in enumerate(LETTERS)}


def config() -> Json:
    """Give the emulator's seed: two users, of whom only the second has mail."""
    return {
        "tokens": {
            TOKEN: {"login": ANN, "scopes": ["https://www.googleapis.com/auth/gmail.readonly"]},
            TOKEN_OF_CALENDAR: {"login": ANN, "scopes": ["https://www.googleapis.com/auth/calendar"]},
            TOKEN_OF_BOB: {"login": BOB, "scopes": ["https://www.googleapis.com/auth/gmail.modify"]},
        },
        "google": {
            "users": [{"email": BOB, "name": "Bob"}, {"email": ANN, "name": "Ann Lee"}],
            "labels": [{"id": id_, "user_email": ANN, "name": name} for id_, name in LABELS.items()],
            "messages": [_message(letter) for letter in LETTERS],
            "calendars": [{"user_email": ANN, **calendar} for calendar in CALENDARS],
            "calendar_events": [{"user_email": ANN, **event} for event in EVENTS],
        },
    }


def _message(letter: Letter) -> Json:
    return {
        "id": letter.id,
        "user_email": ANN,
        "raw": base64.urlsafe_b64encode(raw(letter)).decode().rstrip("="),
        "label_ids": list(letter.labels),
    }


@cache  # boundaries are new every time
def raw(letter: Letter) -> bytes:
    """Give the message as it travelled."""
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = letter.sender, f"Ann Lee <{ANN}>", letter.subject
    message["Date"], message["Message-ID"] = format_datetime(DATES[letter.id]), letter.message_id
    if letter.answers:
        answered = next(other for other in LETTERS if other.id == letter.answers)
        message["In-Reply-To"] = message["References"] = answered.message_id
    if letter.text is not None:
        message.set_content(letter.text)
    if letter.html is not None:
        (message.add_alternative if letter.text is not None else message.set_content)(letter.html, subtype="html")
    for name, kind, content in letter.files:
        main, _, sub = kind.partition("/")
        message.add_attachment(content, main, sub, filename=name)
    return message.as_bytes()
