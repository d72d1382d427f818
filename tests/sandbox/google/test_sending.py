"""Sending over Gmail's interface: what is refused, what becomes of a mail, which conversation it joins."""

from __future__ import annotations

from typing import Any

import pytest

from mailkit.sandbox import Fault, Mail, Person, Sandbox, VirtualClock
from tests.support.gmail import Gmail, decode, encode, error, letter

_ANN, _BOB = "ann@example.com", "bob@example.com"


def _pair(**options: Any) -> tuple[Gmail, Gmail]:
    sandbox = Sandbox(VirtualClock())
    return (
        Gmail(sandbox, sandbox.google(_ANN, name="Ann Lee", aliases=["a.lee@example.com"], **options)),
        Gmail(sandbox, sandbox.google(_BOB)),
    )


@pytest.fixture
def ann() -> Gmail:
    return _pair()[0]


def _headers(gmail: Gmail, id: str) -> dict[str, str]:  # noqa: A002  # the name of the thing
    payload = gmail.get(f"/messages/{id}", ("format", "metadata"))["payload"]
    return {header["name"]: header["value"] for header in payload["headers"]}


# -- what becomes of a mail ------------------------------------------------------------------------------------------


def test_a_sent_mail_lies_in_sent_and_arrives() -> None:
    ann, bob = _pair()
    sent = ann.send(letter(From=_ANN, Message_ID="<1@x>", Subject="Plans"))
    assert sent == {"id": sent["id"], "threadId": sent["id"], "labelIds": ["SENT"]}
    assert ann.find("in:sent rfc822msgid:1@x") == [sent["id"]]
    assert ann.find("in:inbox") == []
    (got,) = bob.find("in:inbox is:unread subject:plans from:ann")
    assert bob.get(f"/messages/{got}", ("format", "minimal"))["labelIds"] == ["UNREAD", "INBOX"]
    headers = _headers(bob, got)
    assert list(headers)[:2] == ["Delivered-To", "Received"]
    assert (headers["Message-ID"], headers["Delivered-To"]) == ("<1@x>", _BOB)


def test_every_send_is_recorded_once_and_foreign_mail_leaves(ann: Gmail) -> None:
    ann.send(letter(To=f"{_BOB}, Bob <{_BOB.upper()}>, zoe@elsewhere.example", Cc="amy@elsewhere.example"))
    (mail,) = ann.sandbox.sent
    assert mail.sender == _ANN
    assert [address.lower() for address in mail.recipients] == [_BOB, "zoe@elsewhere.example", "amy@elsewhere.example"]
    assert mail.at == ann.sandbox.clock.now()
    (left,) = ann.sandbox.outbox
    assert left.recipients == ("zoe@elsewhere.example", "amy@elsewhere.example")
    assert (left.raw, left.message_id) == (mail.raw, mail.message_id)


def test_blind_copies_are_seen_by_the_sender_alone() -> None:
    ann, bob = _pair()
    sent = ann.send(letter(To="zoe@elsewhere.example", Bcc=_BOB))
    assert _headers(ann, sent["id"])["Bcc"] == _BOB
    (got,) = bob.find("in:inbox")
    assert "Bcc" not in _headers(bob, got)
    assert all(b"Bcc" not in mail.raw for mail in (*ann.sandbox.sent, *ann.sandbox.outbox))


def test_mail_to_oneself_is_one_message_in_both_places(ann: Gmail) -> None:
    sent = ann.send(letter(To="a.lee@example.com"))
    assert sent["labelIds"] == ["UNREAD", "SENT", "INBOX"]
    assert ann.find("in:inbox") == ann.find("in:sent") == ann.ids(("labelIds", "INBOX"), ("labelIds", "SENT"))
    assert len(ann.box) == 1
    assert len(ann.sandbox.sent) == 1


@pytest.mark.parametrize(
    ("given", "shown", "original"),
    [
        ("Ann <ann@example.com>", "Ann <ann@example.com>", None),
        ("A.LEE@example.com", "A.LEE@example.com", None),
        ("Eve <eve@example.com>", "Ann Lee <ann@example.com>", "Eve <eve@example.com>"),
        ("", "Ann Lee <ann@example.com>", None),
    ],
)
def test_nobody_sends_under_another_name(ann: Gmail, given: str, shown: str, original: str | None) -> None:
    headers = _headers(ann, ann.send(letter(From=given))["id"])
    assert (headers["From"], headers.get("X-Google-Original-From")) == (shown, original)


def test_what_is_missing_is_added_and_the_rest_stays(ann: Gmail) -> None:
    raw = letter(From=_ANN)
    kept = decode(ann.get(f"/messages/{ann.send(raw)['id']}", ("format", "raw"))["raw"])
    assert kept.endswith(raw)
    added = [line.partition(b":")[0] for line in kept[: -len(raw)].splitlines()]
    assert added == [b"Received", b"Message-ID", b"Date"]


def test_message_ids_are_rewritten_where_a_test_says_so() -> None:
    ann, bob = _pair()
    ann.box.rewrites_message_ids = True
    sent = ann.send(letter(Message_ID="<1@x>", X_Mark="7"))
    headers = _headers(ann, sent["id"])
    assert headers["Message-ID"].endswith("@mail.gmail.com>")
    assert headers["X-Mark"] == "7"
    assert ann.find("rfc822msgid:1@x") == []
    assert _headers(bob, *bob.find("in:inbox"))["Message-ID"] == headers["Message-ID"]


def test_sent_copies_lag_where_a_test_says_so() -> None:
    ann, bob = _pair()
    clock = ann.sandbox.clock
    assert isinstance(clock, VirtualClock)
    ann.box.sent_lag = 30
    sent = ann.send(letter(Message_ID="<1@x>"))
    assert sent["labelIds"] == ["SENT"]
    for _ in range(2):
        assert ann.find("in:sent") == ann.find("rfc822msgid:1@x") == []
        assert ann.refused(f"/messages/{sent['id']}") == (404, "notFound")
        assert ann.refused(f"/threads/{sent['threadId']}") == (404, "notFound")
        assert len(bob.find("in:inbox")) == 1
        clock.advance(14.9)
    clock.advance(0.2)
    assert ann.find("in:sent rfc822msgid:1@x") == [sent["id"]]


# -- what is refused -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "status", "sentence"),
    [
        ({"raw": encode(letter(To=""))}, 400, "Recipient address required"),
        ({"raw": encode(letter(To="Bob"))}, 400, "Invalid To header"),
        ({"raw": encode(letter(Cc="@example.com"))}, 400, "Invalid Cc header"),
        ({"raw": "a*b"}, 400, "Invalid value at 'message.raw' (TYPE_BYTES)"),
        ({"raw": "A"}, 400, "Invalid value at 'message.raw' (TYPE_BYTES)"),
        ({}, 400, "'raw' RFC822 payload message string"),
        ({"raw": encode(letter()), "rav": ""}, 400, "Invalid JSON payload received. Unknown name"),
        ([], 400, "Invalid JSON payload received."),
        ({"raw": encode(letter()), "threadId": "1f00000000000000"}, 404, "Requested entity was not found."),
        ({"raw": "A" * 5_300_000}, 413, "Request payload size exceeds the limit"),
    ],
)
def test_what_cannot_be_sent(ann: Gmail, body: object, status: int, sentence: str) -> None:
    code, message = error(ann.tell("/messages/send", body))
    assert (code, message[: len(sentence)]) == (status, sentence)
    assert (ann.sandbox.sent, len(ann.box)) == ([], 0)


def test_both_alphabets_are_read(ann: Gmail) -> None:
    for raw in (b"To: b@x.example\r\n\r\n\xfb\xff\xfe", b"To: b@x.example\r\n\r\n\xfb\xff"):
        sent = ann.told("/messages/send", {"raw": encode(raw).replace("-", "+").replace("_", "/") + "=="})
        assert decode(ann.get(f"/messages/{sent['id']}", ("format", "raw"))["raw"]).endswith(raw)


# -- conversations ---------------------------------------------------------------------------------------------------


def _asked(gmail: Gmail) -> dict[str, Any]:
    """Let Bob have written to Ann."""
    id_ = gmail.box.add(Mail(subject="Trip", from_=Person("Bob", _BOB), message_id="<q@x>"))
    return gmail.get(f"/messages/{id_}")


@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize("header", ["In_Reply_To", "References"])
@pytest.mark.parametrize("subject", ["Trip", "Re: trip", "AW: Re[2]: TRIP"])
def test_an_answer_joins_its_conversation(ann: Gmail, named: bool, header: str, subject: str) -> None:
    thread = _asked(ann)["threadId"]
    raw = letter(**{"Subject": subject, header: "<q@x>"})
    assert ann.send(raw, **({"threadId": thread} if named else {}))["threadId"] == thread
    assert len(ann.get(f"/threads/{thread}")["messages"]) == 2


@pytest.mark.parametrize(
    "headers", [{"Subject": "Re: Trip"}, {"In_Reply_To": "<q@x>", "Subject": "Trips"}, {"References": "<other@x>"}]
)
def test_a_named_conversation_alone_is_not_enough(ann: Gmail, headers: dict[str, str]) -> None:
    thread = _asked(ann)["threadId"]
    sent = ann.send(letter(**headers), threadId=thread)
    assert sent["threadId"] == sent["id"] != thread


def test_five_turns_are_one_conversation_on_both_sides() -> None:
    ann, bob = _pair()
    references: list[str] = []
    for turn in range(5):
        assert isinstance(ann.sandbox.clock, VirtualClock)
        ann.sandbox.clock.advance(60)
        raw = letter(
            To=(_BOB, _ANN)[turn % 2],
            Subject="Re: Trip" if turn else "Trip",
            Message_ID=f"<{turn}@x>",
            References=" ".join(references),
        )
        (ann, bob)[turn % 2].send(raw)
        references.append(f"<{turn}@x>")
    for side in (ann, bob):
        (row,) = side.get("/threads")["threads"]
        assert len(side.get(f"/threads/{row['id']}")["messages"]) == 5


def test_an_answer_finds_the_conversation_of_a_copy_that_lags() -> None:
    ann, bob = _pair()
    ann.box.sent_lag = 30
    sent = ann.send(letter(Message_ID="<1@x>"))
    bob.send(letter(To=_ANN, Subject="Re: Plans", In_Reply_To="<1@x>"))
    (row,) = ann.get("/messages")["messages"]
    assert row["threadId"] == sent["threadId"]


# -- faults ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fault", "sent"),
    [
        (Fault.rate_limited(), 0),
        (Fault.server_error(503, retry_after=3), 0),
        (Fault.server_error(502), 0),
        (Fault.server_error(502, takes_effect=True), 1),
        (Fault.server_error(500, operation="messages.send", takes_effect=True), 1),
    ],
)
def test_a_refused_send_may_have_sent(ann: Gmail, fault: Fault, sent: int) -> None:
    ann.box.script(fault)
    assert ann.tell("/messages/send", {"raw": encode(letter())}).status_code == fault.status
    assert len(ann.sandbox.sent) == len(ann.find("in:sent")) == sent


# -- permissions -----------------------------------------------------------------------------------------------------


def test_a_token_that_may_only_send_does_just_that() -> None:
    ann, _ = _pair(scopes=["https://www.googleapis.com/auth/gmail.send"])
    sent = ann.send(letter())
    assert ann.refused(f"/messages/{sent['id']}") == ann.refused("/profile") == (403, "insufficientPermissions")
    refused = ann.tell("/drafts", {"message": {"raw": encode(letter())}})
    assert refused.status_code == 403
    assert refused.json()["error"]["details"][0]["reason"] == "ACCESS_TOKEN_SCOPE_INSUFFICIENT"
    assert error(ann.tell("/messages/batchModify", {"ids": [sent["id"]]}))[0] == 403
