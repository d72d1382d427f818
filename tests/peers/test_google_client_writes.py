"""google-api-python-client sends, drafts, labels and throws away on a served sandbox; mailkit reads what it did."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterator
from email.message import EmailMessage
from typing import Any

import attrs
import pytest
from googleapiclient.errors import HttpError
from googleapiclient.http import MediaIoBaseUpload

from mailkit import Account, MailClient
from mailkit.sandbox import Fault, GoogleMailbox, Mail, Sandbox
from tests.peers.gmail_peer import GmailPeer
from tests.support.loopback import served

_CHUNK = 256 * 1024


@attrs.frozen
class _World:
    sandbox: Sandbox
    ann: GoogleMailbox
    peer: GmailPeer
    mail: MailClient

    @property
    def users(self) -> Any:
        return self.peer.users

    def found(self, query: str, account: str = "ann") -> list[str]:
        return [row.ref.id for row in self.mail.search(query, accounts=account)]


@pytest.fixture
def world() -> Iterator[_World]:
    sandbox = Sandbox()
    boxes = {name: sandbox.google(f"{name}@example.com") for name in ("ann", "bob")}
    boxes["ann"].add(Mail(subject="Trip", message_id="<q@x.example>", labels=["Old"]))
    with served(sandbox) as url:
        accounts = [Account(name=name, provider="google", token=box.token, base_url=url) for name, box in boxes.items()]
        peer = GmailPeer(url, boxes["ann"].token)
        with MailClient(accounts) as mail:
            yield _World(sandbox, boxes["ann"], peer, mail)
        peer.close()


def _letter(subject: str = "Plans", file: bytes = b"", **headers: str) -> EmailMessage:
    message = EmailMessage()
    message["To"] = "Bob Ray <bob@example.com>"
    message["Subject"] = subject
    for name, value in headers.items():
        message[name.replace("_", "-")] = value
    message.set_content("Grüße aus Köln.", cte="base64")  # the client's multipart takes seven bits only
    if file:
        message.add_attachment(file, maintype="application", subtype="pdf", filename="plan.pdf")
    return message


def _raw(message: EmailMessage) -> dict[str, str]:
    return {"raw": base64.urlsafe_b64encode(message.as_bytes()).decode()}


def _media(message: EmailMessage, *, resumable: bool) -> MediaIoBaseUpload:
    stream = io.BytesIO(message.as_bytes())
    return MediaIoBaseUpload(stream, "message/rfc822", chunksize=_CHUNK, resumable=resumable)


def test_it_sends(world: _World) -> None:
    sent = world.users.messages().send(userId="me", body=_raw(_letter())).execute()
    assert world.found("in:sent") == [sent["id"]]
    (got,) = world.mail.search("in:inbox", accounts="bob")
    assert (got.subject, got.from_ and got.from_.address) == ("Plans", "ann@example.com")


@pytest.mark.parametrize("resumable", [False, True])
@pytest.mark.parametrize("size", [10, 3 * _CHUNK])
def test_it_uploads_and_the_file_arrives(world: _World, resumable: bool, size: int) -> None:
    file = bytes(range(256)) * (size // 256 + 1)
    message = _letter("Re: Trip", file, In_Reply_To="<q@x.example>")
    (asked,) = world.peer.many(world.peer.ids(q="subject:trip"))
    body = {"threadId": asked["threadId"]}
    media = _media(message, resumable=resumable)
    sent = world.users.messages().send(userId="me", body=body, media_body=media).execute()
    assert sent["threadId"] == asked["threadId"]
    (row,) = world.mail.search("in:inbox has:attachment", accounts="bob")
    (attachment,) = world.mail.attachments.list(row)
    assert (attachment.name, world.mail.attachments.read(attachment)) == ("plan.pdf", file)
    assert len(world.sandbox.sent) == 1


def test_it_takes_up_an_upload_that_broke_off(world: _World) -> None:
    media = _media(_letter(file=bytes(3 * _CHUNK)), resumable=True)
    request = world.users.messages().send(userId="me", body={}, media_body=media)
    status, answer = request.next_chunk()
    assert (status.resumable_progress, answer) == (_CHUNK, None)
    world.ann.script(Fault.server_error(503, method="PUT", takes_effect=True))
    with pytest.raises(HttpError):
        request.next_chunk()
    while answer is None:  # asks how far it has come, then goes on from there
        _, answer = request.next_chunk()
    assert answer["labelIds"] == ["SENT"]
    assert len(world.sandbox.sent) == 1


def test_it_drafts_updates_and_sends(world: _World) -> None:
    drafts = world.users.drafts()
    made = drafts.create(userId="me", body={"message": _raw(_letter("First"))}).execute()
    updated = drafts.update(userId="me", id=made["id"], body={"message": _raw(_letter("Second"))}).execute()
    assert updated["id"] == made["id"]
    assert [row.subject for row in world.mail.search("in:drafts", accounts="ann")] == ["Second"]
    (listed,) = drafts.list(userId="me").execute()["drafts"]
    assert listed["id"] == made["id"]
    sent = drafts.send(userId="me", body={"id": made["id"]}).execute()
    assert (world.found("in:sent"), world.found("in:drafts")) == ([sent["id"]], [])
    with pytest.raises(HttpError) as caught:
        drafts.send(userId="me", body={"id": made["id"]}).execute()
    assert caught.value.status_code == 404


def test_it_labels_and_throws_away(world: _World) -> None:
    messages, labels = world.users.messages(), world.users.labels()
    (id_,) = world.peer.ids()
    label = labels.create(userId="me", body={"name": "Work/Clients"}).execute()["id"]
    messages.modify(userId="me", id=id_, body={"addLabelIds": [label], "removeLabelIds": ["INBOX"]}).execute()
    labels.patch(userId="me", id=label, body={"name": "Job"}).execute()
    assert world.found("label:job -in:inbox") == [id_]
    messages.batchModify(userId="me", body={"ids": [id_], "addLabelIds": ["STARRED"]}).execute()
    assert world.found("is:starred") == [id_]
    messages.trash(userId="me", id=id_).execute()
    assert (world.found("is:starred"), world.found("in:trash")) == ([], [id_])
    messages.untrash(userId="me", id=id_).execute()
    labels.delete(userId="me", id=label).execute()
    assert (world.found("is:starred"), world.found("label:job")) == ([id_], [])
    messages.delete(userId="me", id=id_).execute()
    assert world.peer.ids() == []


def test_it_understands_the_refusals(world: _World) -> None:
    with pytest.raises(HttpError) as caught:
        world.users.labels().create(userId="me", body={"name": "old"}).execute()
    assert (caught.value.status_code, caught.value.reason) == (409, "Label name exists or conflicts")
    message = _letter()
    del message["To"]
    with pytest.raises(HttpError) as caught:
        world.users.messages().send(userId="me", body=_raw(message)).execute()
    assert (caught.value.status_code, caught.value.reason) == (400, "Recipient address required")
