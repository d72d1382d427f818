"""How fast a message is built, beside the standard library's, with the same content."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Iterator
from email import policy
from email.headerregistry import Address as StandardAddress
from email.message import EmailMessage
from email.utils import format_datetime

from mailkit.mime.build import BytesPayload, FilePart, build
from mailkit.mime.outgoing import OutgoingMessage
from mailkit.values import Address
from tests.benchmarks.measure import least_cpu, verdict

COLUMNS = ("message", "mailkit ms", "EmailMessage.as_bytes, ms", "ratio", "bound", "")

_MOST = 3.0
_DATE = dt.datetime(2026, 3, 1, 12, tzinfo=dt.UTC)
_TEXT = "The second column is new; please look at the figures before Monday.\n" * 30
_HTML = "<div><p>The second column is <b>new</b>;&nbsp;please look at the figures.</p></div>\n" * 110
_ACCENTS = "Émile wrote: the figures are new.\n" * 60
_PEOPLE = tuple((f"Person Nº {number}", f"person.{number}@example.com") for number in range(12))


def rows() -> Iterator[list[str]]:
    """Measure a note, ordinary mail, mail in a language with accents, and mail with a file."""
    yield _row("a note", 1, "See you at nine.", None, 0)
    yield _row("two texts, three people", 3, _TEXT, _HTML, 0)
    yield _row("two texts with accents, twelve people", 12, _ACCENTS, f"<p>{_ACCENTS}</p>", 0)
    yield _row("a file of 20 KB", 1, _TEXT, None, 20_000)
    yield _row("a file of 5 MB", 1, _TEXT, None, 5_000_000)


def _row(name: str, people: int, text: str, html: str | None, size: int) -> list[str]:
    content = random.Random(7).randbytes(size)
    times = 1 if size > 100_000 else 20
    took = least_cpu(
        {
            "ours": lambda: [_ours(people, text, html, content) for _ in range(times)],
            "theirs": lambda: [_theirs(people, text, html, content) for _ in range(times)],
        },
        rounds=7,
    )
    ratio = took["ours"] / took["theirs"]
    figures = [f"{took[who] / times * 1e3:,.2f}" for who in ("ours", "theirs")]
    return [name, *figures, f"{ratio:.2f}", f"≤ {_MOST:.0f}", verdict(ratio, most=_MOST)]


def _ours(people: int, text: str, html: str | None, content: bytes) -> bytes:
    message = OutgoingMessage(
        from_="Ann Lee <ann@example.com>",
        to=[Address(name=name, address=address) for name, address in _PEOPLE[:people]],
        subject="Figures, zweiter Entwurf für Montag",
        text=text,
        html=html,
    )
    file = FilePart(name="figures.pdf", content_type="application/pdf", payload=BytesPayload(content))
    files = [file] if content else []
    return bytes(
        build(message, files=files, message_id="<b1@mail.example.com>", send_id="0123456789abcdef", date=_DATE)
    )


def _theirs(people: int, text: str, html: str | None, content: bytes) -> bytes:
    message = EmailMessage(policy=policy.SMTP)
    message["From"] = StandardAddress("Ann Lee", addr_spec="ann@example.com")
    message["To"] = [StandardAddress(name, addr_spec=address) for name, address in _PEOPLE[:people]]
    message["Subject"] = "Figures, zweiter Entwurf für Montag"
    message["Date"] = format_datetime(_DATE)
    message["Message-ID"] = "<b1@mail.example.com>"
    message["X-Mailkit-Send-Id"] = "0123456789abcdef"
    message.set_content(text)
    if html is not None:
        message.add_alternative(html, subtype="html")
    if content:
        message.add_attachment(content, maintype="application", subtype="pdf", filename="figures.pdf")
    return message.as_bytes()
