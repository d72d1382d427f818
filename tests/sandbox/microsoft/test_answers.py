from __future__ import annotations

from email import message_from_bytes
from typing import Any

import pytest

from mailkit.sandbox import File, Mail, Person, Sandbox
from mailkit.sandbox.microsoft import MicrosoftMailbox
from tests.support.graph import Graph, to

ANN, AMY, BOB = (
    Person("Ann Lee", "ann@contoso.example"),
    Person("Amy", "amy@example.net"),
    Person("", "bob@example.com"),
)
PLAN = File(name="plan.pdf", content=b"%PDF", content_type="application/pdf")
LOGO = File(name="logo.png", content=b"png", content_type="image/png", inline=True, content_id="logo")
TRIP = Mail(
    subject="Trip",
    from_=AMY,
    to=[Person("", "Ann@Contoso.example"), BOB],
    cc=[Person("", "ann.lee@contoso.example"), Person("Cat", "cat@example.org"), Person("", "BOB@example.com")],
    html="<html><head></head><body bgcolor='white'><p>Where <b>to</b>?</p></body></html>",
    files=[PLAN, LOGO],
    message_id="<trip@example.net>",
    in_reply_to="<older@example.net>",
)


def addresses(item: dict[str, Any], field: str) -> list[str]:
    return [recipient["emailAddress"]["address"] for recipient in item[f"{field}Recipients"]]


def test_an_answer_is_begun_with_the_mail_below_it(box: MicrosoftMailbox, graph: Graph) -> None:
    key = box.add(TRIP)
    parent = graph.json(f"/me/messages/{key}")
    made = graph.made(f"/me/messages/{key}/createReply", {"comment": "Rome <3"})
    assert (made["subject"], made["isDraft"], made["conversationId"]) == ("Re: Trip", True, parent["conversationId"])
    assert (addresses(made, "to"), addresses(made, "cc")) == (["amy@example.net"], [])
    content = made["body"]["content"]
    assert (
        content.index("Rome &lt;3") < content.index("<b>From:</b> Amy &lt;amy@example.net&gt;") < content.index("Where")
    )
    assert content.count("<body") == content.count("<html") == 1
    files = graph.json(f"/me/messages/{made['id']}/attachments")["value"]
    assert [(file["name"], file["isInline"], file["contentId"]) for file in files] == [("logo.png", True, "logo")]
    assert graph.json(f"/me/messages/{made['id']}", select="uniqueBody", prefer='outlook.body-content-type="text"')[
        "uniqueBody"
    ]["content"].startswith("Rome <3")


def test_an_answer_to_text_is_text(box: MicrosoftMailbox, graph: Graph) -> None:
    key = box.add(Mail(subject="re: Trip", from_=AMY, reply_to=[BOB], text="Where to?"))
    made = graph.made(f"/me/messages/{key}/createReply")
    assert (made["subject"], addresses(made, "to")) == ("re: Trip", ["bob@example.com"])
    text = graph.json(f"/me/messages/{made['id']}", prefer='outlook.body-content-type="text"')["body"]["content"]
    assert text.splitlines()[1:3] == ["_" * 32, "From: Amy <amy@example.net>"]
    assert text.endswith("\r\n\r\nWhere to?")


def test_everybody_is_answered_but_oneself(box: MicrosoftMailbox, graph: Graph) -> None:
    made = graph.made(f"/me/messages/{box.add(TRIP)}/createReplyAll", {"message": {"importance": "high"}})
    assert addresses(made, "to") == ["amy@example.net", "bob@example.com"]
    assert addresses(made, "cc") == ["cat@example.org"]
    assert made["importance"] == "high"
    own = graph.made(f"/me/messages/{box.add(Mail(from_=ANN, to=ANN))}/createReplyAll")
    assert addresses(own, "to") == ["ann@contoso.example"]


def test_a_forward_takes_the_files_along(box: MicrosoftMailbox, graph: Graph) -> None:
    key = box.add(TRIP)
    made = graph.made(f"/me/messages/{key}/createForward", {"comment": "fyi", "toRecipients": to("eve@example.com")})
    assert (made["subject"], addresses(made, "to"), addresses(made, "cc")) == ("Fw: Trip", ["eve@example.com"], [])
    files = graph.json(f"/me/messages/{made['id']}/attachments")["value"]
    assert [file["name"] for file in files] == ["plan.pdf", "logo.png"]
    assert made["conversationId"] == graph.json(f"/me/messages/{key}")["conversationId"]
    again = graph.made(f"/me/messages/{made['id']}/createForward", {"message": {"toRecipients": to("dan@example.com")}})
    assert (again["subject"], addresses(again, "to")) == ("Fw: Trip", ["dan@example.com"])


@pytest.mark.parametrize("verb", ["reply", "replyAll", "forward", "createReply", "createReplyAll", "createForward"])
def test_comment_and_body_exclude_each_other(sandbox: Sandbox, box: MicrosoftMailbox, graph: Graph, verb: str) -> None:
    path = f"/me/messages/{box.add(TRIP)}/{verb}"
    body = {"contentType": "text", "content": "mine"}
    both = {"comment": "x", "message": {"body": body, "toRecipients": to("bob@example.com")}}
    assert graph.refused("POST", path, both) == (400, "ErrorInvalidRequest")
    assert graph.refused("POST", path, {"comment": 5}) == (400, "RequestBodyRead")
    assert graph.refused("POST", path, {"message": 5}) == (400, "RequestBodyRead")
    assert graph.refused("POST", path, {"remark": "x"}) == (400, "RequestBodyRead")
    assert graph.refused("POST", path.replace("messages/", "messages/no"), {"comment": "x"})[0] == 404
    assert len(box) == 1
    assert graph.write("POST", path, {"message": both["message"]}).is_success
    newest = next(iter(box))
    assert (newest.mail.text or "").strip() == "mine"
    assert bool(sandbox.sent) is not verb.startswith("create")


def test_recipients_of_a_forward_are_given_once(box: MicrosoftMailbox, graph: Graph) -> None:
    twice = {"toRecipients": to("a@b.example"), "message": {"toRecipients": to("c@d.example")}}
    path = f"/me/messages/{box.add(TRIP)}"
    assert graph.refused("POST", f"{path}/forward", twice) == (400, "ErrorInvalidRequest")
    assert graph.refused("POST", f"{path}/forward") == (400, "ErrorInvalidRecipients")
    assert graph.refused("POST", f"{path}/createReply", {"toRecipients": to("a@b.example")}) == (400, "RequestBodyRead")


def test_answers_carry_the_headers_that_thread(sandbox: Sandbox, box: MicrosoftMailbox, graph: Graph) -> None:
    key = box.add(TRIP)
    assert graph.write("POST", f"/me/messages/{key}/replyAll", {"comment": "Rome"}).status_code == 202
    headers = message_from_bytes(sandbox.sent[0].raw)
    assert headers["In-Reply-To"] == "<trip@example.net>"
    assert headers["References"].split() == ["<older@example.net>", "<trip@example.net>"]
    assert len(box.thread(box.add(Mail(in_reply_to=sandbox.sent[0].message_id)) and next(iter(box)).thread_id)) == 3


def test_an_answer_in_mime_belongs_to_the_conversation(sandbox: Sandbox, box: MicrosoftMailbox, graph: Graph) -> None:
    key = box.add(TRIP)
    raw = b"From: ann@contoso.example\r\nTo: amy@example.net\r\nSubject: Re: Trip\r\n\r\nRome\r\n"
    made = graph.mime(f"/me/messages/{key}/createReply", raw)
    assert (made.status_code, made.json()["isDraft"]) == (201, True)
    assert graph.mime(f"/me/messages/{key}/reply", raw).status_code == 202
    assert len(sandbox.sent) == 1
    assert len({entry.thread_id for entry in box}) == 1
    assert len(box) == 3


def test_a_conversation_threads_on_both_sides(sandbox: Sandbox, box: MicrosoftMailbox, graph: Graph) -> None:
    bob = sandbox.microsoft("bob@fabrikam.example")
    theirs = Graph(sandbox, bob.token)
    plan = {"subject": "Plan", "body": {"contentType": "text", "content": "?"}, "toRecipients": to(bob.address)}
    assert graph.write("POST", "/me/sendMail", {"message": plan}).status_code == 202
    sides = [(theirs, bob), (graph, box)]
    with theirs.http:
        for turn in range(4):
            asks, side = sides[turn % 2]
            (newest, *_) = (entry for entry in side if entry.mail.folder == "inbox")
            made = asks.made(f"/me/messages/{newest.id}/createReplyAll", {"comment": f"turn {turn}"})
            assert made["conversationId"] == newest.thread_id
            assert asks.write("POST", f"/me/messages/{made['id']}/send").status_code == 202
            assert made["subject"] == "Re: Plan"
            sandbox.clock.advance(60)  # type: ignore[attr-defined]  # a VirtualClock
    for side in (box, bob):
        assert len({entry.thread_id for entry in side}) == 1
        assert len(side) == 5
    last = message_from_bytes(sandbox.sent[-1].raw)
    assert last["References"].split() == [mail.message_id for mail in sandbox.sent[:-1]]
