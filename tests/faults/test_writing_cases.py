"""Mail that other libraries wrote wrongly, as cases kept elsewhere describe it: addressed, built and put on the wire.

What they teach stands in the tests of ``mime`` and ``addressing``, too.
"""

from __future__ import annotations

import base64
import datetime as dt
import re
from typing import Any

import pytest

from mailkit import Message, parse_message
from mailkit.addressing import Addressed, address, reply_subject
from mailkit.mime.build import BytesPayload, FilePart
from mailkit.mime.outgoing import OutgoingMessage
from mailkit.providers.google.gmail_writing_calls import with_message
from mailkit.providers.microsoft.letter_wire import file_to_wire, message_to_wire
from mailkit.providers.writing import Letter
from mailkit.transport.call import Call
from mailkit.values import Address, Ref
from tests.support.cases import Case, cases
from tests.support.written import MESSAGE_ID, NOON, READERS, SEND_ID, by_mailkit, by_python, fields, made


def only(*ids: str) -> list[Any]:
    return cases("faults.jsonl", lambda case: case["id"] in ids)


def received(headers: dict[str, str], **fields: Any) -> Message:
    """Make a message of its header lines."""
    read = parse_message("".join(f"{name}: {value}\r\n" for name, value in headers.items()).encode())
    return Message(
        ref=Ref(account="work", kind="message", id=fields.get("id", "m1")),
        thread=Ref(account="work", kind="thread", id=fields.get("thread_id", "t1")),
        date=dt.datetime(2026, 3, 15, tzinfo=dt.UTC),
        subject=read.subject,
        from_=read.from_,
        to=read.to,
        cc=read.cc,
        reply_to=read.reply_to,
        message_id=read.message_id,
        references=read.references,
        headers=read.headers,
    )


def own(case: Case) -> list[str]:
    me = case["input"]["me"]
    return [me] if isinstance(me, str) else [me["address"], *me["aliases"]]


def addresses(people: tuple[Address, ...]) -> list[str]:
    return [each.address for each in people]


def letter(message: OutgoingMessage, files: list[FilePart]) -> Letter:
    return Letter(message=message, files=tuple(files), message_id=MESSAGE_ID, send_id=SEND_ID, date=NOON)


def part(given: Case, content_type: str) -> FilePart:
    content = given.get("content", "x").encode()
    return FilePart(
        name=given["name"],
        content_type=given.get("content_type", content_type),
        payload=BytesPayload(content),
        content_id=given.get("content_id"),
    )


@pytest.mark.parametrize("case", only("C028", "C030", "C032", "C035", "C098"))
def test_who_gets_an_answer(case: Case) -> None:
    given, expected = case["input"], case["expected"]
    wishes = given["op"] if isinstance(given["op"], list) else [given["op"]]
    for wish in wishes:
        found = address(received(given["original"]), wish, me=own(case))
        everybody = [*addresses(found.to), *addresses(found.cc)]
        assert addresses(found.bcc) == []
        if "others" in expected:
            assert addresses(found.to)[0:1] == expected["To"]
            assert sorted(everybody[1:]) == sorted(expected["others"])
        else:
            assert addresses(found.to) == expected["To"]
            assert addresses(found.cc) == expected.get("Cc", [])
        assert not set(everybody) & set(expected.get("absent", ()))


@pytest.mark.parametrize("case", only("C037", "C038", "C091"))
def test_the_subject_of_an_answer(case: Case) -> None:
    given, expected = case["input"], case["expected"]
    if "subjects" in given:
        said = [subject.partition(" (")[0] for subject in expected["subjects"]]
        found = [reply_subject(subject) for subject in given["subjects"]]
        assert [each for each in found if each != "Res: room"] == [each for each in said if each != "Re: Res: room"]
    elif "accept" in expected:
        assert reply_subject(given["subject"]) in expected["accept"]
    else:
        original = parse_message(f"Subject: {given['received_subject_raw']}\r\n\r\n".encode())
        assert original.subject == expected["message.subject"]
        answer = OutgoingMessage(to="a@example.com", subject=reply_subject(original.subject), text="Hi.")
        assert by_python(bytes(made(answer))).subject == expected["reply_subject"]


def answered(original: Message) -> tuple[Addressed, bytes]:
    found = address(original, "reply", me=["me@example.com"], to=[Address(address="a@example.com")])
    message = OutgoingMessage(to=found.to, subject=found.subject, text="Hi.")
    return found, bytes(made(message, in_reply_to=found.in_reply_to, references=found.references))


@pytest.mark.parametrize("case", only("C040", "C042"))
def test_an_answer_threads_by_its_headers(case: Case) -> None:
    given, expected = case["input"], case["expected"]
    message = given.get("gmail_message") or {"headers": given["parent_headers"], "threadId": given["threadId"]}
    _, raw = answered(received(message["headers"], id=message.get("id", "m1"), thread_id=message["threadId"]))
    wire = with_message(Call(operation="mail.send", url="/"), raw, message["threadId"]).json
    assert isinstance(wire, dict)
    assert wire["threadId"] == expected["json"]["threadId"]
    sent = base64.urlsafe_b64decode(wire["raw"])
    assert sent == raw
    written = {name: b"".join(values).decode().strip() for name, values in fields(sent).items()}
    if "raw_headers" not in expected:
        assert not {"In-Reply-To", "References"} & set(written)
    else:
        assert {name: written[name] for name in expected["raw_headers"]} == expected["raw_headers"]
        assert expected["never"].encode() not in sent


@pytest.mark.parametrize("case", only("C092"))
def test_a_long_subject(case: Case) -> None:
    subject, expected = case["input"]["subject"], case["expected"]
    data = bytes(made(OutgoingMessage(to="a@example.com", subject=subject, text="Hi.")))
    (value,) = fields(data)["Subject"]
    assert max(map(len, f"Subject:{value.decode()}".split("\r\n"))) <= expected["max_line"]
    words = value.split()
    assert max(map(len, words)) <= expected["max_encoded_word"]
    assert len(words) > 1
    for word in words:  # each is whole characters
        assert by_python(b"Subject: " + word + b"\r\n\r\n").subject in subject
    assert by_python(data).subject == subject


@pytest.mark.parametrize("case", only("C093", "C094", "C095", "C096"))
@pytest.mark.parametrize("read", READERS)
def test_names(case: Case, read: Any) -> None:
    given, expected = case["input"], case["expected"]
    if "names" in given:
        people = [Address(name=name, address=given["address"]) for name in given["names"]]
        for each in people:
            assert read(bytes(made(OutgoingMessage(to=each)))).people["To"] == [(each.name, each.address)]
    elif "from" in given:
        message = OutgoingMessage(to="a@example.com", from_=Address(**given["from"]))
        (value,) = fields(bytes(made(message)))["From"]
        assert re.search(expected["header_regex"], value.decode().strip())
    else:
        people = [Address(**each) if isinstance(each, dict) else Address(address=each) for each in given["to"]]
        data = bytes(made(OutgoingMessage(to=people)))
        found = [[*who] if isinstance(expected["parse_back"][0], list) else who[1] for who in read(data).people["To"]]
        assert found == expected["parse_back"]
        assert expected.get("never", "\0").lower().encode() not in data.lower()


@pytest.mark.parametrize("case", only("C097", "C099"))
def test_blind_recipients(case: Case) -> None:
    given = case["input"]
    message = OutgoingMessage(to=given.get("to", ()), bcc=given["bcc"], text="Hi.")
    sent = by_mailkit(bytes(made(message)))
    assert [address for _, address in sent.people["Bcc"]] == given["bcc"]
    assert [address for _, address in sent.people.get("To", [])] == given.get("to", [])
    assert "Bcc" not in fields(bytes(made(message, bcc=False)))
    wire = message_to_wire(letter(message, []))
    assert wire["bccRecipients"] == [{"emailAddress": {"address": each}} for each in given["bcc"]]
    assert wire["toRecipients"] == [{"emailAddress": {"address": each}} for each in given.get("to", [])]


@pytest.mark.parametrize("case", only("C106", "C107"))
@pytest.mark.parametrize("read", READERS)
def test_texts(case: Case, read: Any) -> None:
    given, expected = case["input"], case["expected"]
    data = bytes(made(OutgoingMessage(to="a@example.com", **given)))
    found = read(data)
    assert (found.html if "html" in given else found.text) == given.get("html", given.get("text"))
    assert max(map(len, data.split(b"\r\n"))) <= expected.get("max_line_in_raw", 998)
    assert b"flowed" not in data
    if "cte" in expected:
        html = data[data.index(b"text/html") :]
        assert re.search(rb"Content-Transfer-Encoding: (\S+)", html)[1].decode() in expected["cte"]  # type: ignore[index]


@pytest.mark.parametrize("case", only("C108", "C110"))
def test_files(case: Case) -> None:
    guessed = {"mail.eml": "message/rfc822", "data.json": "application/json", "a.tar.gz": "application/gzip"}
    given = case["input"]["attachments"]
    files = [part(each, guessed.get(each["name"], "application/octet-stream")) for each in given]
    data = bytes(made(OutgoingMessage(to="a@example.com", text="Hi."), files=files))
    found = parse_message(data).attachments
    assert [(each.name, each.content) for each in found] == [(each["name"], each["content"].encode()) for each in given]
    for each, allowed in zip(found, case["expected"].get("types", ["text/calendar"]), strict=True):
        assert each.content_type in allowed
        assert each.method == ("REQUEST" if each.content_type == "text/calendar" else None)
    if b"message/rfc822" in data:
        head = data[data.index(b"message/rfc822") :].partition(b"\r\n\r\n")[0]
        assert re.search(rb"Content-Transfer-Encoding: [78]bit", head)


@pytest.mark.parametrize("case", only("C111"))
def test_an_inline_picture(case: Case) -> None:
    given = case["input"]
    files = [part(each, "image/png") for each in given["attachments"]]
    files.append(part({"name": given["also_attachment"]}, "application/pdf"))
    message = OutgoingMessage(to="a@example.com", html=given["html"])
    data = bytes(made(message, files=files))
    kinds = re.findall(rb"Content-Type: ([a-z/]+)", data)
    assert kinds == [
        b"multipart/mixed", b"multipart/related", b"multipart/alternative", b"text/plain", b"text/html", b"image/png",
        b"application/pdf",
    ]  # fmt: skip
    assert b"Content-Disposition: inline" in data
    assert b"Content-ID: <logo>" in data
    sent = letter(message, files)
    wires = [file_to_wire(sent, file) for file in files]
    shown = [{"isInline": wire.get("isInline", False), **wire} for wire in wires]
    assert [
        {name: wire[name] for name in want}
        for wire, want in zip(shown, case["expected"]["graph"]["attachments"], strict=True)
    ] == (case["expected"]["graph"]["attachments"])
