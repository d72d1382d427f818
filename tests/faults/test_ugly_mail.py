"""Mail as people wrote it says the same from its bytes, at Gmail and at Outlook."""

from __future__ import annotations

import pytest

from mailkit import AsyncMailClient, Attachment, Body, ParsedAttachment, parse_message
from mailkit.sandbox import Sandbox
from mailkit.testing import sandbox_accounts

pytestmark = pytest.mark.anyio

HEAD = b"From: Ann <ann@example.com>\nSubject: x\nMIME-Version: 1.0\n"


def mixed(*parts: bytes, kind: bytes = b"mixed") -> bytes:
    marked = b"".join(b"--B\n" + part + b"\n" for part in parts)
    return b"Content-Type: multipart/" + kind + b"; boundary=B\n\n" + marked + b"--B--\n"


PLAIN = b"Content-Type: text/plain; charset=utf-8\n\ncaf\xc3\xa9"
HTML = b"Content-Type: text/html; charset=iso-8859-1\n\n<p>caf\xe9</p>"
ATTACHED = b"Content-Type: application/pdf\nContent-Transfer-Encoding: base64\nContent-Disposition: attachment"

File = tuple[str, int, bool, str]

LETTERS: dict[str, tuple[bytes, str, list[File]]] = {
    "plain": (PLAIN, "café", []),
    "html in a narrow charset": (HTML, "café", []),
    "a charset of another name": (
        b'Content-Type: text/plain; charset="koi8-r"\nContent-Transfer-Encoding: quoted-printable\n\n=F0=D2=C9\n',
        "При",
        [],
    ),
    "two forms": (mixed(PLAIN, HTML, kind=b"alternative"), "café", []),
    "two types, the first counts": (
        mixed(PLAIN, HTML, kind=b"alternative").replace(b"\n\n", b"\nContent-Type: text/plain\n\n", 1),
        "café",
        [],
    ),
    "a boundary within a line": (mixed(b"\nsome --B text\nand more"), "some --B text and more", []),
    "one file and nothing else": (
        (
            b'Content-Type: image/png; name="shot.png"\nContent-Transfer-Encoding: base64\n'
            b'Content-Disposition: attachment; filename="shot.png"\n\niVBORw0KGgo=\n'
        ),
        "",
        [("shot.png", 8, False, "file")],
    ),
    "a file of no byte": (mixed(PLAIN, ATTACHED + b"; filename=e.pdf\n"), "café", [("e.pdf", 0, False, "file")]),
    "base64 with junk and without padding": (
        mixed(PLAIN, ATTACHED + b"; filename=a.pdf\n\nJV\n BER\ng"),
        "café",
        [("a.pdf", 4, False, "file")],
    ),
    "a name in pieces": (
        mixed(PLAIN, ATTACHED + b";\n filename*0*=utf-8''caf%C3;\n filename*1*=%A9;\n filename*2=.pdf\n\nJVBERg=="),
        "café",
        [("café.pdf", 4, False, "file")],
    ),
    "a picture in the text": (
        mixed(
            b'Content-Type: text/html\n\n<p>See <img src="cid:pic@x"></p>',
            b"Content-Type: image/png; name=pic.png\nContent-ID: <pic@x>\nContent-Disposition: inline\n"
            b"Content-Transfer-Encoding: base64\n\niVBORw0KGgo=",
            kind=b"related",
        ),
        "See",
        [("pic.png", 8, True, "file")],
    ),
    "a mail in the mail": (
        mixed(PLAIN, b"Content-Type: message/rfc822\n\nSubject: in\n\ntext"),
        "café",
        [("attachment.eml", 0, False, "item")],
    ),
    "winmail.dat": (
        mixed(
            PLAIN,
            b"Content-Type: application/ms-tnef; name=winmail.dat\nContent-Transfer-Encoding: base64\n\neJ8+IgE=",
        ),
        "café",
        [("winmail.dat", 5, False, "file")],
    ),
}
WAYS = ("bytes", "google", "microsoft")


async def read(raw: bytes, way: str) -> tuple[Body, tuple[Attachment | ParsedAttachment, ...]]:
    if way == "bytes":
        message = parse_message(raw)
        return message.body, message.attachments
    sandbox = Sandbox()
    box = getattr(sandbox, way)("owner@example.com")
    box.load_eml(raw)
    async with AsyncMailClient(sandbox_accounts(sandbox, home=box), tz="UTC") as mail:
        (row,) = await mail.search()
        whole = await mail.get(row)
    return whole.body, whole.attachments


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("letter", LETTERS)
async def test_ugly_mail(letter: str, way: str) -> None:
    raw, text, files = LETTERS[letter]
    body, attachments = await read(HEAD + raw, way)
    assert " ".join(body.text.split()) == text
    # A mail in the mail is written anew on its way, with other line ends.
    found = [(one.name, one.size if one.kind == "file" else 0, one.inline, one.kind) for one in attachments]
    assert found == files


@pytest.mark.parametrize("way", WAYS)
async def test_outlooks_idea_of_what_is_new_is_kept(way: str) -> None:
    raw = HEAD + b"\nNew words.\n\nOn 2 Apr 2012 at 18:26, Ann wrote:\n> old words\n"
    body, _ = await read(raw, way)
    assert body.new == "New words."
    assert ("New words." in (body.to_dict()["unique"] or "")) == (way == "microsoft")  # type: ignore[operator]  # text
