"""Mailboxes: order, conversations, changes, and message files that keep their bytes."""

from __future__ import annotations

import datetime as dt
from email import message_from_bytes, policy
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mailkit.sandbox import File, Mail, Person, Sandbox, VirtualClock
from mailkit.sandbox.eml import build, read, shown, without
from mailkit.sandbox.google import GoogleMailbox

_NOON = dt.datetime(2026, 3, 15, 12, tzinfo=dt.UTC)
_AMY = Person("Amy", "amy@example.com")


@pytest.fixture
def box() -> GoogleMailbox:
    return Sandbox(VirtualClock(_NOON)).google("ann@example.com")


def _ago(hours: int) -> dt.datetime:
    return _NOON - dt.timedelta(hours=hours)


def test_the_newest_stands_first_by_the_time_it_was_received(box: GoogleMailbox) -> None:
    old, new = box.add(Mail(date=_ago(5))), box.add(Mail(date=_ago(1)))
    late = box.add(Mail(date=_ago(9), received=_ago(3)))
    now = box.add(Mail())
    assert [entry.id for entry in box] == [now, new, late, old]
    assert len(box) == 4


def test_conversations_follow_keys_then_message_ids(box: GoogleMailbox) -> None:
    first = box.add(Mail(message_id="<a@x>", date=_ago(4)))
    answer = box.add(Mail(message_id="<b@x>", in_reply_to="<a@x>", date=_ago(3)))
    deep = box.add(Mail(references=["<gone@x>", "<b@x>", "<lost@x>"], date=_ago(2)))
    apart = box.add(Mail(in_reply_to="<gone@x>", thread="mine", date=_ago(1)))
    joined = box.add(Mail(thread="mine", date=_ago(0)))
    assert [entry.id for entry in box.thread(first)] == [first, answer, deep]
    assert [entry.id for entry in box.thread(apart)] == [apart, joined]
    assert box.thread("nothing") == []


def test_a_mailbox_changes_under_its_reader(box: GoogleMailbox) -> None:
    mail_id, other = box.add(Mail(subject="one", date=_ago(2))), box.add(Mail(date=_ago(1)))
    before = box.get(mail_id)
    assert before is not None
    box.update(mail_id, read=True, received=_ago(0))
    after = box.get(mail_id)
    assert after is not None
    assert (after.mail.read, after.raw, after.change > before.change) == (True, before.raw, True)
    assert [entry.id for entry in box] == [mail_id, other]
    box.update(mail_id, subject="two")
    rewritten = box.get(mail_id)
    assert rewritten is not None
    assert b"Subject: two" in rewritten.raw
    assert box.move(mail_id, "trash") == mail_id
    box.remove(other)
    assert [entry.mail.place for entry in box] == ["trash"]
    with pytest.raises(KeyError):
        box.remove(other)
    with pytest.raises(TypeError):
        box.update(mail_id, sbuject="?")


def test_an_id_can_be_chosen_once(box: GoogleMailbox) -> None:
    assert box.add(Mail(id="m01")) == "m01"
    with pytest.raises(ValueError, match="m01"):
        box.add(Mail(id="m01"))


@pytest.mark.parametrize(
    ("folder", "place"),
    [
        ("inbox", "inbox"),
        ("Trash", "trash"),
        ("trash/Old Stuff", "trash"),
        ("Inbox/Newsletters", "archive"),
        ("Projects/Alpha", "archive"),
    ],
)
def test_a_folder_counts_to_a_place(folder: str, place: str) -> None:
    assert Mail(folder=folder).place == place


def test_dates_are_aware() -> None:
    with pytest.raises(ValueError, match="aware"):
        Mail(date=dt.datetime(2026, 1, 1))  # noqa: DTZ001  # what is refused


def test_message_files_keep_their_bytes(box: GoogleMailbox, tmp_path: Path) -> None:
    raw = b"From: Amy <amy@example.com>\nSubject: =?utf-8?q?Caf=C3=A9?=\nDate: Sat, 14 Mar 2026 10:00:00 -0500\n\nHi\n"
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "a.eml").write_bytes(raw)
    (tmp_path / "b.eml").write_bytes(b"no header at all")
    (tmp_path / "all.mbox").write_bytes(b"From x Sat Mar 14 10:00:00 2026\n" + raw + b"\n")
    ids = [*box.load_folder(tmp_path, folder="archive"), *box.load_mbox(tmp_path / "all.mbox")]
    plain, loaded, boxed = (box.get(mail_id) for mail_id in ids)
    assert plain is not None
    assert loaded is not None
    assert boxed is not None
    assert (loaded.raw, loaded.mail.subject, loaded.mail.from_) == (raw, "Café", _AMY)
    assert loaded.received == dt.datetime(2026, 3, 14, 15, tzinfo=dt.UTC)
    assert (plain.received, plain.mail.message_id, plain.mail.folder) == (_NOON, None, "archive")
    assert boxed.mail.text == "Hi\n"


def test_what_senders_really_write_is_read() -> None:
    raw = (
        b'From: "=?utf-8?Q?Caf=C3=A9?=" <cafe@example.com>\r\nSubject: so=?utf-8?Q?=2E=2E?=.\r\n'
        b"To: a@b, C@D <c@example.com>\r\nContent-Type: multipart/mixed; boundary=never\r\n\r\nHello\r\n"
    )
    mail = read(raw)
    assert (mail.from_, mail.subject) == (Person("Café", "cafe@example.com"), "so...")
    assert {person.address for person in mail.to} >= {"a@b", "c@example.com"}
    assert ((mail.text or "").strip(), mail.files) == ("Hello", ())


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_a_header_is_cut_out_and_nothing_else(end: bytes) -> None:
    lines = [b"Subject: x", b"Bcc: a@example.com,", b"\tb@example.com", b"BCC : c@example.com", b"", b"Bcc: text"]
    assert without(end.join(lines), "bcc") == end.join([b"Subject: x", b"", b"Bcc: text"])
    assert without(end.join(lines[1:4]) + end, "bcc") == b""


_WORDS = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "Zs")), max_size=40).map(str.strip)
_PEOPLE = st.builds(Person, _WORDS, st.just("someone@example.com"))
_TEXTS = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "Zs"))).map(lambda text: f"{text}\n")
_FILES = st.builds(
    File,
    name=st.sampled_from(["a.pdf", "übel größe.txt", "会议.docx"]),
    content=st.binary(max_size=60),
    inline=st.booleans(),
    content_id=st.sampled_from([None, "c1"]),
)


@given(
    st.builds(
        Mail,
        from_=_PEOPLE,
        to=st.lists(_PEOPLE, max_size=3),
        subject=_WORDS,
        text=_TEXTS,
        html=st.none() | _TEXTS,
        files=st.lists(_FILES, max_size=3),
        date=st.datetimes(dt.datetime(1990, 1, 1), dt.datetime(2100, 1, 1)).map(  # noqa: DTZ001  # made aware here
            lambda when: when.replace(microsecond=0, tzinfo=dt.UTC)
        ),
    )
)
def test_a_built_message_reads_back(mail: Mail) -> None:
    again = read(build(mail))
    assert (again.subject, again.date) == (mail.subject, mail.date)
    assert [text and text.replace("\r\n", "\n") for text in (again.text, again.html)] == [mail.text, mail.html]
    assert (again.from_, again.to) == (mail.from_, mail.to)
    assert sorted((f.name, f.content, f.inline) for f in again.files) == sorted(
        (f.name, f.content, f.inline) for f in mail.files
    )


def test_a_built_message_is_sound_and_always_the_same() -> None:
    mail = Mail(
        from_=_AMY,
        to=[Person("Ünal, Ann", "ann@example.com"), Person("", "用户@例え.example")],
        subject="Straße " * 30,
        html="<p>ü</p>",
        headers=[("Received", "by x"), ("Subject", "given")],
        files=[
            File(name="in.eml", kind="item", content=b"Subject: inner\nMIME-Version: 1.0\n\ninner"),
            File(name="cloud", kind="link", url="https://cloud.example/1"),
        ],
        list_id="<dev.lists.example.com>",
        references=["<a@x>", "<b@x>"],
        date=_NOON,
    )
    raw = build(mail)
    assert raw == build(mail)
    message = message_from_bytes(raw, policy=policy.default)
    assert message.keys()[0] == "Received"
    assert message.get_all("subject") == ["given"]
    assert [part.get_content_type() for part in message.walk()] == [
        "multipart/mixed",
        "text/html",
        "message/rfc822",
        "text/plain",
    ]
    assert b"MIME-Version: 1.0\r\n\r\ninner" in raw
    assert not [defect for part in message.walk() for defect in part.defects]
    again = read(raw)
    assert (again.list_id, again.references) == ("<dev.lists.example.com>", ("<a@x>", "<b@x>"))
    assert (again.to, again.files[0].kind) == (mail.to, "item")


@pytest.mark.parametrize(
    ("name", "value", "seen"),
    [
        ("To", "=?utf-8?q?Doe=2C_J=C3=B6?= <j@x.example>", '"Doe, Jö" <j@x.example>'),
        ("To", "=?utf-8?q?J=C3=B6?= <j@x.example>, k@x.example", "Jö <j@x.example>, k@x.example"),
        ("Subject", "=?utf-8?q?a=2C_=C3=B6?=\r\n =?utf-8?q?b?=", "a, öb"),
        ("Subject", "=?nocharset?q?a?=", "=?nocharset?q?a?="),
        ("Subject", "folded\r\n  line", "folded  line"),
    ],
)
def test_headers_are_shown_decoded(name: str, value: str, seen: str) -> None:
    assert shown(name, value) == seen


def test_hostile_files_are_read_without_an_error() -> None:
    raw = (
        b"From: =?x?b?%%%?= <<>\nDate: Foo, 99 Bar 99999 99:99:99\nContent-Type: multipart/mixed\n"
        b"Content-Transfer-Encoding: base64\n\n--b\nContent-Type: text/plain; charset=nope; name*=nope''%FF\n\n\xff\n"
    )
    mail = read(raw)
    assert mail.date is None
