"""Whatever strangers call their mail and their files, both can be handed on, under a name that is usable."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from mailkit import Attachment, Ref
from mailkit.mime.file_names import safe_file_name
from mailkit.sandbox import File, Person
from mailkit.sending.order_files import as_file
from mailkit.values import Provider
from tests.addressing.test_received import SOUP
from tests.sending.post import ANN, BOB, PROVIDERS, Post
from tests.sending.test_conversations import last_sent

pytestmark = pytest.mark.anyio

NAMES = [
    "=?utf-8?q?a=0D=0ABcc=3A_eve=40evil.example?=",
    "=?utf-7?q?+AAo-?=",
    "=?utf-8?b?Cg==?=.txt",
    "a\u200bb.txt",
    "../../etc/passwd",
    "\u202etxt.exe",
    "CON",
]


@settings(max_examples=150, deadline=None)
@given(SOUP)
def test_every_name_of_an_attachment_becomes_one_of_a_file(name: str) -> None:
    ref = Ref(account="ann", kind="attachment", id="m1", part="1")
    found = as_file(Attachment(ref=ref, name=name, content_type="text/plain")).name
    assert found is None or found == safe_file_name(found, "text/plain")


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("name", NAMES)
async def test_mail_with_hostile_names_can_be_handed_on(provider: Provider, name: str) -> None:
    post = Post(provider)
    file = File(name=name, content=b"at ten", content_type="text/plain")
    ref = Ref(account="ann", kind="message", id=post.letter_to_ann(name, files=[file]))
    async with post.client() as mail:
        for as_attachment in (False, True):
            assert (await mail.forward(ref, BOB, text="For you.", as_attachment=as_attachment)).state == "sent"
        files = await mail.attachments.list(ref)
        assert (await mail.send(ANN, subject="Files", files=files, account="bob")).state == "sent"
    assert {recipient for sent in post.sandbox.sent for recipient in sent.recipients} == {ANN, BOB}
    (sent,) = last_sent(post).iter_attachments()
    written = sent.get_filename()
    assert written is not None
    assert written == safe_file_name(written)


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_a_subject_is_no_path(provider: Provider) -> None:
    post = Post(provider)
    ref = Ref(account="ann", kind="message", id=post.letter_to_ann("Figures 3/4"))
    async with post.client() as mail:
        await mail.forward(ref, BOB, as_attachment=True)
    (sent,) = last_sent(post).iter_attachments()
    assert sent.get_filename() == "Figures 3_4.eml"


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_an_answer_says_whom_no_mail_can_be_sent_to(provider: Provider) -> None:
    post = Post(provider)
    ref = Ref(account="ann", kind="message", id=post.letter_to_ann(cc=[Person("Eve", "jürgen@example.net")]))
    async with post.client() as mail:
        result = await mail.reply(ref, text="At ten.", reply_all=True)
    assert (result.state, [note.code for note in result.notes]) == ("sent", ["address_left_out"])
    assert post.sandbox.sent[-1].recipients == (BOB,)
