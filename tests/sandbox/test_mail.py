"""Seeds: what no message can say is refused where it is written, not where a mailbox is read."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest

from mailkit.sandbox import File, Mail, Person, Sandbox
from mailkit.sandbox.eml import read

LINES = ("a\nb", "a\r\nb", "a\n", "a\x0bb", "a\u2028b", "a\ud800", "\udce9")
ON_ONE_LINE: dict[str, Callable[[str], object]] = {
    "name": lambda text: Person(text, "amy@example.net"),
    "address": lambda text: Person("Amy", text),
    "file": lambda text: File(name=text),
    "content_type": lambda text: File(name="a", content_type=text),
    "url": lambda text: File(name="a", kind="link", url=text),
    "subject": lambda text: Mail(subject=text),
    "folder": lambda text: Mail(folder=text),
    "labels": lambda text: Mail(labels=["a", text]),
    "message_id": lambda text: Mail(message_id=text),
    "references": lambda text: Mail(references=[text]),
    "id": lambda text: Mail(id=text),
}


@pytest.mark.parametrize("text", LINES, ids=ascii)
@pytest.mark.parametrize("made", ON_ONE_LINE.values(), ids=ON_ONE_LINE)
def test_what_stands_on_one_line_holds_no_break_and_no_half_character(made: Callable[[str], object], text: str) -> None:
    with pytest.raises(ValueError, match="must be text"):
        made(text)
    made("Grüße 🎉")


@pytest.mark.parametrize(
    "wrong",
    [
        {"text": "a\ud800"},
        {"html": "\ud800"},
        {"subject": None},
        {"subject": 5},
        {"labels": [5]},
        {"headers": [("X-A", "a\nb")]},
        {"headers": [("X-A", "\ud800")]},
        {"date": dt.datetime(1899, 12, 31, tzinfo=dt.UTC)},
        {"received": dt.datetime(1, 1, 1, tzinfo=dt.UTC)},
        {"date": dt.datetime(2026, 1, 1)},  # noqa: DTZ001  # what is tested
    ],
    ids=ascii,
)
def test_mail_that_cannot_be_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        Mail(**wrong)


def test_a_single_label_is_one() -> None:
    assert Mail(labels="Friends").labels == ("Friends",)


@pytest.mark.parametrize(
    "wrong",
    [
        {"from_": "amy@example.net"},
        {"to": "amy@example.net"},
        {"cc": ["amy@example.net"]},
        {"reply_to": [None]},
        {"files": [b"at ten"]},
    ],
)
def test_people_are_persons_and_files_are_files(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=rf"{next(iter(wrong))} must be .* as in (Person|File)\("):
        Mail(**wrong)


def test_headers_are_pairs_or_a_mapping() -> None:
    assert Mail(headers={"X-A": "a"}).headers == Mail(headers=[("X-A", "a")]).headers == (("X-A", "a"),)
    with pytest.raises(ValueError, match="unpack"):
        Mail(headers=["X-A: a"])  # type: ignore[list-item]


@pytest.mark.parametrize("content_type", ["message/delivery-status", "message/global", "multipart/mixed"])
def test_a_file_of_a_composite_type_is_a_file(content_type: str) -> None:
    box = Sandbox().google("ann@example.com")
    box.add(Mail(text="a", files=[File(name="a", content=b"a\0b", content_type=content_type)]))
    (entry,) = box
    (file,) = read(entry.raw).files
    assert (file.name, file.content) == ("a", b"a\0b")


@pytest.mark.parametrize("provider", ["google", "microsoft"])
def test_what_may_be_broken_may(provider: str) -> None:
    sandbox = Sandbox()
    box = getattr(sandbox, provider)("ann@example.com")
    box.add(Mail(text="a\r\nb", headers=[("X-A", "a\r\n b")], date=dt.datetime(1900, 1, 1, tzinfo=dt.UTC)))


def test_what_senders_write_is_read_all_the_same() -> None:
    raw = (
        b"Date: Mon, 01 Jan 1001 00:00:00 +0000\r\n"
        b"Subject: =?utf-8?q?a=0Ab?=\r\nFrom: =?utf-7?q?+2AA-?= <amy@example.net>\r\n"
        b"X-A: =?utf-8?q?a=0D=0Ab?=\r\nContent-Type: text/plain; charset=utf-7\r\n\r\nhalf +2AA-\r\n"
    )
    mail = read(raw)
    assert (mail.subject, mail.date, mail.headers) == ("a b", None, (("X-A", "a b"),))
    assert mail.text is not None
    assert mail.text.startswith("half ")
    (mail.text + str(mail.from_)).encode()
