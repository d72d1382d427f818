"""How fast, and in how much memory, a message is read from its bytes, beside the standard library's lenient parser."""

from __future__ import annotations

import base64
import tracemalloc
from collections.abc import Iterator, Sequence
from email import message_from_bytes, policy
from email.message import EmailMessage

from mailkit import parse_message
from tests.benchmarks.measure import least_cpu, verdict

COLUMNS = ("message", "mailkit µs", "email, compat32, µs", "ratio", "bound", "", "memory", "bound", "")

_MOST = 2.0
_MOST_MEMORY = 5.0  # times the message


def rows() -> Iterator[list[str]]:
    """Measure ordinary mail, mail with a large file, and a long text."""
    yield _row("ordinary: two texts, some with a file", [_letter(number) for number in range(50)])
    yield _row("a file of 5 MB", [_letter(0, file=bytes(range(256)) * 20_000)])
    yield _row("a text of 5 MB, quoted-printable", [_letter(1, text="Émile wrote: the figures are new.\n" * 150_000)])
    yield _row("2,000 parts within each other", [_nested(2_000)], compared=False)


def _row(name: str, contents: Sequence[bytes], *, compared: bool = True) -> list[str]:
    works = {"ours": lambda: [*map(_ours, contents)]}
    if compared:
        works["theirs"] = lambda: [*map(_theirs, contents)]
    took = least_cpu(works, rounds=15 if len(contents) > 1 else 5)
    times = [f"{took['ours'] / len(contents) * 1e6:,.0f}", "cannot", "", "", ""]
    if compared:
        ratio = took["ours"] / took["theirs"]
        theirs = f"{took['theirs'] / len(contents) * 1e6:,.0f}"
        times = [times[0], theirs, f"{ratio:.2f}", f"≤ {_MOST}", verdict(ratio, most=_MOST)]
    memory = _memory(max(contents, key=len))
    return [name, *times, f"{memory:.1f} times", f"≤ {_MOST_MEMORY}", verdict(memory, most=_MOST_MEMORY)]


def _ours(content: bytes) -> object:
    """Read a message with its people, ids and date, its texts and its files."""
    message = parse_message(content)
    return message.body.plain, message.body.html, [attachment.content for attachment in message.attachments]


def _theirs(content: bytes) -> object:
    """Read it into parts and decode each; no header is read beyond what that needs."""
    message = message_from_bytes(content, policy=policy.compat32)
    return [part.get_payload(decode=True) for part in message.walk() if not part.is_multipart()]


def _memory(content: bytes) -> float:
    """Give the most memory taken while a message is read, as a multiple of its length."""
    tracemalloc.start()
    _ours(content)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most / len(content)


def _letter(
    number: int, *, text: str = "The second column is new; please look at it.\n" * 40, file: bytes = b""
) -> bytes:
    letter = EmailMessage(policy=policy.SMTP)
    letter["From"] = "Priya Nair <priya@example.net>"
    letter["To"] = "Ann Lee <ann@example.com>, Bob <bob@example.com>"
    letter["Subject"] = f"Zahlen für Ann, Entwurf {number}"
    letter["Date"] = "Sun, 1 Mar 2026 12:00:00 +0100"
    letter["Message-ID"] = f"<CAF{number}.figures@mail.example.net>"
    for at in range(20):
        letter[f"X-Note-{at}"] = "some words about the way it went " * 3
    letter.set_content(text, cte="quoted-printable")
    letter.add_alternative(f"<div><p>{number} is <b>new</b>.</p></div>\n" * 100, subtype="html", cte="base64")
    if file or number % 3 == 0:
        data = file or base64.b64encode(bytes(30_000))
        letter.add_attachment(data, maintype="application", subtype="pdf", filename="figures.pdf")
    return letter.as_bytes()


def _nested(depth: int) -> bytes:
    """Write parts within each other, deeper than the standard library can go."""
    open_ = (b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (level, level) for level in range(depth))
    return b"".join(open_) + b"\n" + b"deep\n" * 10
