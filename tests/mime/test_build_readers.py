"""Whatever is built, Python's two parsers and our reader find in it what was meant: properties."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mailkit.mime.build import BytesPayload, FilePart
from mailkit.mime.outgoing import OutgoingMessage
from mailkit.values import Address
from tests.support.written import BREAKS, READERS, SEND_ID, File, People, Read, by_mailkit, by_python, defects, made

some = settings(max_examples=50, deadline=None)

# What a header may hold: any character that ends no line. "=?" is put in on purpose.
CHARACTERS = st.characters(
    exclude_categories=["Cs"], exclude_characters="".join(map(chr, range(0x20))) + "\x7f\x85\u2028\u2029"
)
WORDS = st.text(CHARACTERS, min_size=1, max_size=40) | st.sampled_from(
    [
        "=?utf-8?q?caf=C3=A9?=",
        "=?",
        "?=",
        "Doe, Jane",
        "a;b:c",
        'say "hi"',
        "back\\slash",
        "(x)",
        "<b@example.com>",
        "@",
        ".",
    ]
)
SUBJECTS = st.lists(WORDS, max_size=12).map(" ".join) | st.text(CHARACTERS, max_size=300)
NAMES = st.lists(WORDS, max_size=5).map(lambda words: " ".join(" ".join(words).split()))
LOCALS = st.from_regex(r"[a-z0-9!#$%&'*+/^_`{|}~-]{1,10}(\.[a-z0-9]{1,10}){0,2}", fullmatch=True)
DOMAINS = st.sampled_from(["example.com", "a.b.example.org", "xn--bcher-kva.example", f"{'d' * 63}.example.net"])
ADDRESSES = st.builds(
    lambda name, local, domain: Address(name=name, address=f"{local}@{domain}"), NAMES, LOCALS, DOMAINS
)
PEOPLE = st.lists(ADDRESSES, max_size=4)
BODY_CHARACTERS = st.characters(
    exclude_categories=["Cs"], exclude_characters="\0\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"
)
LINES = (
    st.text(BODY_CHARACTERS, max_size=60)
    | st.sampled_from(
        [".", "..", "From here", ">From there", "trailing  ", "\t", "x" * 1500, "=", "--", f"--=_mixed_{SEND_ID}"]
    )
    | st.integers(990, 1005).map(lambda length: "w" * length)
)
TEXTS = st.lists(LINES, max_size=8).map("\n".join)
FILES = st.lists(
    st.builds(
        lambda name, content, content_type: FilePart(
            name=f"{name}.bin", content_type=content_type, payload=BytesPayload(content)
        ),
        # What can stand in a file's name, which is made safe before.
        st.text(st.characters(categories=("L", "N", "S", "Pd")), min_size=1, max_size=60),
        st.binary(max_size=400),
        st.sampled_from(["application/pdf", "image/png", "application/gzip", "application/x-thing"]),
    ),
    max_size=3,
)
HEADERS = st.lists(st.tuples(st.from_regex(r"X-[A-Za-z][A-Za-z0-9-]{0,60}", fullmatch=True), SUBJECTS), max_size=3)
MESSAGES = st.builds(
    lambda headers, sender, **more: OutgoingMessage(
        headers=[
            (name, value)
            for name, value in headers
            if value.strip() and len(value.encode()) <= 900 and not name.lower().startswith("x-mailkit-")
        ],
        from_=sender,
        **more,
    ),
    headers=HEADERS,
    sender=ADDRESSES,
    to=PEOPLE,
    cc=PEOPLE,
    bcc=PEOPLE,
    reply_to=PEOPLE,
    subject=SUBJECTS,
    text=TEXTS,
    html=st.none() | TEXTS.map(lambda text: f"<p>{text}</p>"),
)


def tidy_line(text: str) -> str:
    """Give a subject as our reader does: runs of blanks are one."""
    return re.sub(r"[ \t]+", " ", text).strip(" ")


def meant(message: OutgoingMessage, files: list[FilePart]) -> Read:
    people = {
        "From": (message.from_,) if message.from_ else (),
        "To": message.to,
        "Cc": message.cc,
        "Bcc": message.bcc,
        "Reply-To": message.reply_to,
    }
    own = [name for name, those in people.items() if those]
    ends = ["MIME-Version", "Content-Type", "Content-Transfer-Encoding"]
    return Read(
        names=[
            *own,
            "Subject",
            "Date",
            "Message-ID",
            *(name for name, _ in message.headers),
            "X-Mailkit-Send-Id",
            *ends,
        ],
        people={name: [(one.name, one.address) for one in people[name]] for name in own},
        subject=message.subject,
        text=message.text or "",
        html=message.html or "",
        files=[
            File(name=file.name, content_type=file.content_type, content=b"".join(file.payload.pieces()))
            for file in files
        ],
        values=[],
    )


def without_blanks(people: Mapping[str, People]) -> dict[str, People]:
    return {field: [("".join(name.split()), address) for name, address in those] for field, those in people.items()}


@pytest.mark.parametrize("read", READERS)
@some
@given(MESSAGES, FILES)
def test_every_reader_finds_what_was_meant(
    read: Callable[[bytes], Read], message: OutgoingMessage, files: list[FilePart]
) -> None:
    data = bytes(made(message, files=files))
    found, wanted = read(data), meant(message, files)
    assert found.names == wanted.names
    if read is by_python:  # which adds a blank where a long name is split between two encoded words
        assert without_blanks(found.people) == without_blanks(wanted.people)
    else:
        assert found.people == wanted.people
    assert found.html == wanted.html
    if message.html is None or (message.text or "").strip():
        assert found.text == wanted.text
    assert found.files == wanted.files
    assert not any(map(BREAKS.search, found.values))
    assert found.subject == (tidy_line(wanted.subject) if read is by_mailkit else wanted.subject)


@some
@given(MESSAGES, FILES)
def test_what_travels_is_lines_of_ascii(message: OutgoingMessage, files: list[FilePart]) -> None:
    data = bytes(made(message, files=files))
    assert not defects(data)
    assert data.isascii()
    assert not re.search(rb"(?<!\r)\n|\r(?!\n)|\0", data)
    assert max(map(len, data.split(b"\r\n"))) <= 998
    head = data.partition(b"\r\n\r\n")[0]
    words = re.findall(rb"=\?utf-8\?[qb]\?[^?]*\?=", head)
    assert max(map(len, words), default=0) <= 75


@some
@given(MESSAGES, FILES, st.data())
def test_pieces_from_anywhere_are_the_rest(
    message: OutgoingMessage, files: list[FilePart], data: st.DataObject
) -> None:
    built = made(message, files=files)
    whole = bytes(built)
    assert built.size == len(whole)
    start = data.draw(st.integers(0, len(whole) + 3))
    assert b"".join(built.pieces(start)) == whole[start:]
    assert b"".join(built.pieces()) == whole


def test_every_place_of_a_small_message() -> None:
    file = FilePart(name="a.bin", content_type="image/png", payload=BytesPayload(bytes(range(256))))
    built = made(OutgoingMessage(to="bob@example.com", text="Hi."), files=[file, file])
    whole = bytes(built)
    assert all(b"".join(built.pieces(start)) == whole[start:] for start in range(len(whole) + 1))


def test_names_are_the_same_characters() -> None:
    name = unicodedata.normalize("NFD", "Müller.pdf")
    file = FilePart(name=name, content_type="application/pdf", payload=BytesPayload(b"x"))
    data = bytes(made(OutgoingMessage(to="bob@example.com", text="Hi."), files=[file]))
    assert {read(data).files[0].name for read in READERS} == {name}
