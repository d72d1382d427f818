"""Drafts over Gmail's interface: their ids, their messages, how they are sent."""

from __future__ import annotations

from typing import Any

import pytest

from mailkit.sandbox import Fault, Mail, Person, Sandbox
from tests.support.gmail import Gmail, decode, encode, error, letter

_ANN = "ann@example.com"


@pytest.fixture
def gmail() -> Gmail:
    sandbox = Sandbox()
    return Gmail(sandbox, sandbox.google(_ANN))


def _draft(gmail: Gmail, raw: bytes | None = None, **more: str) -> dict[str, Any]:
    return gmail.told("/drafts", {"message": {"raw": encode(letter() if raw is None else raw), **more}})


def test_a_draft_is_a_message_that_goes_nowhere(gmail: Gmail) -> None:
    draft = _draft(gmail, letter(To="", Subject="Unsent"))
    assert draft["message"]["labelIds"] == ["DRAFT"]
    assert gmail.find("in:drafts subject:unsent") == [draft["message"]["id"]]
    whole = gmail.get(f"/drafts/{draft['id']}")
    assert whole["message"]["payload"]["headers"][-1] == {"name": "Subject", "value": "Unsent"}
    raw = gmail.get(f"/drafts/{draft['id']}", ("format", "raw"))["message"]["raw"]
    assert decode(raw).endswith(letter(To="", Subject="Unsent"))
    assert gmail.sandbox.sent == []


def test_drafts_are_listed_seeds_too(gmail: Gmail) -> None:
    seed = gmail.box.add(Mail(subject="Seed", folder="drafts"))
    gmail.box.add(Mail(subject="No draft"))
    made = _draft(gmail)
    page = gmail.get("/drafts", ("maxResults", 1))
    rest = gmail.get("/drafts", ("maxResults", 1), ("pageToken", page["nextPageToken"]))
    rows = {row["id"]: row["message"]["id"] for row in (*page["drafts"], *rest["drafts"])}
    assert rows[made["id"]] == made["message"]["id"]
    assert set(rows.values()) == {seed, made["message"]["id"]}
    (found,) = gmail.get("/drafts", ("q", "subject:seed"))["drafts"]
    assert gmail.get(f"/drafts/{found['id']}", ("format", "minimal"))["message"]["id"] == seed


def test_an_update_keeps_the_drafts_id_and_changes_its_messages(gmail: Gmail) -> None:
    gmail.box.add(Mail(subject="Trip", from_=Person("", "bob@example.com"), message_id="<q@x>"))
    first = _draft(gmail, letter(Subject="Re: Trip", In_Reply_To="<q@x>"))
    body = {"id": first["id"], "message": {"raw": encode(letter("New.", Subject="Re: Trip", In_Reply_To="<q@x>"))}}
    second = gmail.told(f"/drafts/{first['id']}", body, method="PUT")
    assert second["id"] == first["id"]
    assert second["message"]["id"] != first["message"]["id"]
    assert second["message"]["threadId"] == first["message"]["threadId"]
    assert gmail.refused(f"/messages/{first['message']['id']}") == (404, "notFound")
    assert gmail.get("/drafts")["drafts"] == [
        {"id": first["id"], "message": {"id": second["message"]["id"], "threadId": second["message"]["threadId"]}}
    ]


def test_a_sent_draft_is_gone_and_its_conversation_stays(gmail: Gmail) -> None:
    asked = gmail.box.add(Mail(subject="Trip", from_=Person("", "bob@example.com"), message_id="<q@x>"))
    thread = gmail.get(f"/messages/{asked}")["threadId"]
    draft = _draft(gmail, letter(Subject="Re: Trip", References="<q@x>", Message_ID="<a@x>"), threadId=thread)
    sent = gmail.told("/drafts/send", {"id": draft["id"]})
    assert (sent["threadId"], sent["labelIds"]) == (thread, ["SENT"])
    assert sent["id"] != draft["message"]["id"]
    assert gmail.find("in:drafts") == []
    assert gmail.find("in:sent rfc822msgid:a@x") == [sent["id"]]
    assert [mail.message_id for mail in gmail.sandbox.sent] == ["<a@x>"]
    assert error(gmail.tell("/drafts/send", {"id": draft["id"]}))[0] == 404
    assert len(gmail.sandbox.sent) == 1


def test_a_draft_may_be_sent_with_other_words(gmail: Gmail) -> None:
    draft = _draft(gmail)
    sent = gmail.told("/drafts/send", {"id": draft["id"], "message": {"raw": encode(letter("Other words."))}})
    assert gmail.find('"other words"') == [sent["id"]]
    assert gmail.find("in:drafts") == []


def test_a_draft_to_nobody_is_not_sent_and_stays(gmail: Gmail) -> None:
    draft = _draft(gmail, letter(To=""))
    assert error(gmail.tell("/drafts/send", {"id": draft["id"]})) == (400, "Recipient address required")
    assert gmail.find("in:drafts") == [draft["message"]["id"]]


def test_a_deleted_draft_is_gone_for_good(gmail: Gmail) -> None:
    draft = _draft(gmail)
    answer = gmail.tell(f"/drafts/{draft['id']}", method="DELETE")
    assert (answer.status_code, answer.content) == (204, b"")
    assert len(gmail.box) == 0
    for method, path in (("GET", "/drafts/{}"), ("DELETE", "/drafts/{}"), ("PUT", "/drafts/{}")):
        assert gmail.tell(path.format(draft["id"]), {}, method=method).status_code == 404


@pytest.mark.parametrize(
    "body", [{}, {"message": {}}, {"message": {"raw": "*"}}, {"message": "raw"}, {"raw": encode(letter())}]
)
def test_what_is_no_draft(gmail: Gmail, body: object) -> None:
    assert gmail.tell("/drafts", body).status_code == 400
    assert len(gmail.box) == 0


def test_a_draft_may_be_made_or_sent_though_its_answer_is_lost(gmail: Gmail) -> None:
    gmail.box.script(Fault.server_error(502, operation="drafts.create", takes_effect=True))
    assert gmail.tell("/drafts", {"message": {"raw": encode(letter())}}).status_code == 502
    (row,) = gmail.get("/drafts")["drafts"]
    gmail.box.script(Fault.server_error(504, operation="drafts.send", takes_effect=True))
    assert gmail.tell("/drafts/send", {"id": row["id"]}).status_code == 504
    assert len(gmail.sandbox.sent) == 1
    assert gmail.get("/drafts") == {"resultSizeEstimate": 0}


def test_a_token_for_composing_drafts_and_sends_and_reads_no_mail() -> None:
    sandbox = Sandbox()
    gmail = Gmail(sandbox, sandbox.google(_ANN, scopes=["https://www.googleapis.com/auth/gmail.compose"]))
    draft = _draft(gmail)
    assert gmail.get(f"/drafts/{draft['id']}")["message"]["payload"]
    assert gmail.refused(f"/messages/{draft['message']['id']}") == (403, "insufficientPermissions")
    assert gmail.told("/drafts/send", {"id": draft["id"]})["labelIds"] == ["SENT"]
