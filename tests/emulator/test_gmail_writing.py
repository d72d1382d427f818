"""mailkit sends and keeps drafts on npm's ``emulate``, for a user whose mailbox begins empty.

It delivers nothing, knows no upload in pieces and finds nothing by Message-ID (the colon of ``rfc822msgid:`` is to it
a part of the id).
"""

from __future__ import annotations

import pytest

from mailkit import MailClient, NotFound
from mailkit.values import Address
from tests.emulator.seed import ANN, PDF


def test_a_mail_lies_in_sent_with_its_file(writer: MailClient) -> None:
    result = writer.send(
        [Address(name="Zoë Çelik", address="zoe@example.org"), ANN],
        bcc="amy@example.org",
        subject="Grüße aus Köln 🎡",
        markdown="Hello **Ann**.",
        files=PDF,
    )
    assert (result.state, result.evidence) == ("sent", "answer")
    assert result.message is not None
    message = writer.get(result.message)
    assert (message.subject, message.folder, message.message_id) == ("Grüße aus Köln 🎡", "sent", result.message_id)
    assert [str(person) for person in message.to] == ["Zoë Çelik <zoe@example.org>", ANN]
    assert "<strong>Ann</strong>" in (message.body.html or "")
    (file,) = message.attachments
    assert writer.attachments.read(file) == PDF
    assert result.message in [row.ref for row in writer.search("in:sent to:zoe")]


def test_a_reply_stands_in_its_conversation(writer: MailClient) -> None:
    first = writer.send(ANN, subject="Trip", text="Shall we?")
    assert first.message is not None
    answer = writer.reply(first.message, text="Well?")
    assert answer.thread == first.thread
    assert answer.thread is not None
    one, two = writer.thread(answer.thread).messages
    assert (two.subject, two.in_reply_to) == ("Re: Trip", one.message_id)
    assert [person.address for person in two.to] == [ANN]


def test_the_life_of_a_draft(writer: MailClient) -> None:
    draft = writer.drafts.create(ANN, subject="Plans", text="Not yet.")
    assert (draft.message.is_draft, (draft.message.body.plain or "").strip()) == (True, "Not yet.")
    changed = writer.drafts.update(draft, text="Now.")
    assert (changed.ref, (changed.message.body.plain or "").strip()) == (draft.ref, "Now.")
    assert [each.ref for each in writer.drafts.list()] == [draft.ref]
    result = writer.drafts.send(draft)
    assert result.message is not None
    assert writer.get(result.message).folder == "sent"
    assert list(writer.drafts.list()) == []
    with pytest.raises(NotFound):
        writer.drafts.get(draft)
    writer.drafts.delete(draft)


def test_labels_are_made_put_on_taken_off_and_deleted(writer: MailClient) -> None:
    label = writer.labels.create("Kept/2026")
    sent = writer.send(ANN, subject="To be kept", text="Hello.").message
    assert sent is not None
    assert writer.add_labels(sent, "Kept/2026").ok
    assert writer.get(sent).labels == ("Kept/2026",)
    assert writer.remove_labels([sent], "Kept/2026").ok
    assert writer.get(sent).labels == ()
    writer.labels.delete(label)
    assert "Kept/2026" not in {each.path for each in writer.labels.list()}


def test_messages_are_marked_and_put_away(writer: MailClient) -> None:
    sent = writer.send(ANN, subject="To be marked", text="Hello.").message
    assert sent is not None
    assert writer.mark_unread(sent).ok
    assert writer.star(sent).ok
    seen = writer.get(sent)
    assert (seen.is_read, seen.is_starred) == (False, True)
    assert writer.trash(sent).ok
    assert writer.get(sent).folder == "trash"
