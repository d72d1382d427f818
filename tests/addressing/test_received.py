"""Whatever strangers wrote into their mail, an answer to it can be built, and says nothing of theirs as a header."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mailkit import Message, parse_message
from mailkit.addressing import Wish, address
from mailkit.mime.outgoing import OutgoingMessage
from mailkit.values import Address, Ref
from tests.support.written import BREAKS, READERS, made

SOUP = st.lists(
    st.sampled_from([
        "\r", "\n", "\r\n", "\0", "\x01", "\x0b", "\x1b", "\x85", "\u2028", "Bcc: eve@evil.example",
        "=?utf-8?q?=0D=0A?=", "=?utf-8?q?=3D=3Futf-8=3Fq=3F=0A=3F=3D?=", "=?utf-7?q?+AA0ACg-?=", "=?", "?=", "<", ">",
        ",", '"', "Plan", "é", " ",
    ]),
    max_size=6,
).map("".join)  # fmt: skip


def received(**fields: Any) -> Message:
    given: dict[str, Any] = {
        "from_": Address(address="ann@example.org"),
        "to": (Address(address="me@example.com"),),
        "message_id": "<m1@example.org>",
        **fields,
    }
    return Message(
        ref=Ref(account="work", kind="message", id="m1"),
        thread=Ref(account="work", kind="thread", id="t1"),
        date=dt.datetime(2026, 3, 15, 12, tzinfo=dt.UTC),
        **given,
    )


def answer(original: Message, wish: Wish) -> bytes:
    head = address(original, wish, me=["me@example.com"], to=[Address(address="bob@example.net")])
    message = OutgoingMessage(to=head.to, cc=head.cc, subject=head.subject, text="Hi.")
    return bytes(made(message, in_reply_to=head.in_reply_to, references=head.references))


@settings(max_examples=150, deadline=None)
@given(SOUP, SOUP, SOUP, st.sampled_from(["reply", "reply_all", "forward"]))
def test_an_answer_can_always_be_built(subject: str, name: str, word: str, wish: Wish) -> None:
    original = received(
        subject=subject,
        from_=Address(name=name, address="ann@example.org"),
        cc=(Address(name=name, address="cy@example.org"),),
        message_id=f"<{word}@example.org>",
        references=(f"<{word}1@example.org>", word),
    )
    data = answer(original, wish)
    for read in READERS:
        found = read(data)
        assert set(found.names) <= {
            "To", "Cc", "Subject", "Date", "Message-ID", "In-Reply-To", "References", "X-Mailkit-Send-Id",
            "MIME-Version", "Content-Type", "Content-Transfer-Encoding",
        }  # fmt: skip
        assert not any(map(BREAKS.search, found.values))


@pytest.mark.parametrize(
    ("raw", "subject"),
    [
        (b"Subject: Quarterly Roadmap\r\n & Project Status", "Re: Quarterly Roadmap & Project Status"),
        (b"Subject: =?utf-8?q?a=0D=0ABcc:_eve?=", "Re: a Bcc: eve"),
        (b"Subject: =?utf-8?q?=3D=3Futf-8=3Fq=3F=0A=3F=3D?=", "Re: =?utf-8?q? ?="),
        (b"Subject: =?utf-8?q?=3D=3Futf-8=3Fq=3F=3D0A=3F=3D?=", "Re: = ?utf-8?q?=0A?="),
    ],
)
def test_subjects_as_they_came(raw: bytes, subject: str) -> None:
    data = answer(received(subject=parse_message(raw + b"\r\n\r\n").subject), "reply")
    assert parse_message(data).subject == subject
