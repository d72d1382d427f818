"""O365 drafts, sends, answers, attaches and organises on the sandbox, and everything arrives where it should."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from mailkit.sandbox import Mail, MicrosoftMailbox, Person, Sandbox
from tests.peers.o365_peer import O365Peer
from tests.support.loopback import served

pytestmark = pytest.mark.others_leak  # O365 logs the bearer token of every request

BOB = "bob@fabrikam.example"


@pytest.fixture
def sandbox() -> Sandbox:
    return Sandbox()


@pytest.fixture
def ann(sandbox: Sandbox) -> MicrosoftMailbox:
    box = sandbox.microsoft("ann@contoso.example", name="Ann Lee")
    box.add(
        Mail(subject="Trip", from_=Person("Bob Ray", BOB), to=Person("Ann Lee", box.address), html="<p>Where to?</p>")
    )
    return box


@pytest.fixture
def bob(sandbox: Sandbox) -> MicrosoftMailbox:
    return sandbox.microsoft(BOB, name="Bob Ray")


@pytest.fixture
def peer(sandbox: Sandbox, ann: MicrosoftMailbox, bob: MicrosoftMailbox) -> Iterator[O365Peer]:
    with served(sandbox) as url:
        peer = O365Peer(url, ann.token)
        yield peer
        peer.close()


def places(box: MicrosoftMailbox) -> dict[str, str]:
    return {entry.mail.subject: entry.mail.folder for entry in box}


def test_new_mail_is_sent_and_arrives(peer: O365Peer, ann: MicrosoftMailbox, bob: MicrosoftMailbox) -> None:
    message = peer.mailbox.new_message()
    message.to.add([("Bob Ray", BOB)])
    message.bcc.add("dan@example.com")
    message.subject = "Lunch"
    message.body = "<p>On <b>Monday</b>?</p>"
    assert message.send()
    (arrived,) = bob
    assert (arrived.mail.subject, arrived.mail.from_) == ("Lunch", Person("Ann Lee", ann.address))
    assert "<p>On <b>Monday</b>?</p>" in (arrived.mail.html or "")
    assert places(ann) == {"Trip": "inbox", "Lunch": "sent"}


def test_a_draft_is_kept_changed_and_sent(
    peer: O365Peer, ann: MicrosoftMailbox, bob: MicrosoftMailbox, tmp_path: Path
) -> None:
    small, large = tmp_path / "small.txt", tmp_path / "large.bin"
    small.write_bytes(b"hi")
    large.write_bytes(bytes(range(256)) * 4 * 5000)  # 5 MB: it takes an upload session
    message = peer.mailbox.new_message()
    message.to.add(BOB)
    message.subject = "Plan"
    assert message.save_draft()
    message.subject = "Plan B"
    message.attachments.add([small, large])
    assert message.save_draft()
    assert places(ann) == {"Trip": "inbox", "Plan B": "drafts"}
    assert message.send()
    assert places(ann) == {"Trip": "inbox", "Plan B": "sent"}
    (arrived,) = bob
    assert [(file.name, file.content) for file in arrived.mail.files] == [
        (path.name, path.read_bytes()) for path in (small, large)
    ]


def test_an_answer_threads_on_both_sides(peer: O365Peer, ann: MicrosoftMailbox, bob: MicrosoftMailbox) -> None:
    (trip,) = peer.messages()
    answer = trip.reply()
    assert (answer.subject, answer.conversation_id) == ("Re: Trip", trip.conversation_id)
    assert [recipient.address for recipient in answer.to] == [BOB]
    answer.body = "Rome!"
    assert answer.send()
    (arrived,) = bob
    assert arrived.mail.in_reply_to == trip.internet_message_id
    assert "Rome!" in (arrived.mail.html or "")
    assert "Where to?" in (arrived.mail.html or "")
    forward = trip.forward()
    forward.to.add("dan@example.com")
    assert forward.send()
    assert len({entry.thread_id for entry in ann}) == 1


def test_mail_is_marked_labelled_moved_copied_and_deleted(peer: O365Peer, ann: MicrosoftMailbox) -> None:
    assert peer.account.outlook_categories().create_category("Travel", "green")
    (trip,) = peer.messages()
    assert trip.mark_as_read()
    trip.flag.set_flagged()
    trip.add_category("Travel")
    assert trip.save_message()
    (entry,) = ann
    assert (entry.mail.read, entry.mail.starred, entry.mail.labels) == (True, True, ("Travel",))
    folder = peer.mailbox.create_child_folder("Journeys")
    assert trip.move(folder)
    assert places(ann) == {"Trip": "Journeys"}
    assert folder.update_folder_name("Voyages")
    assert places(ann) == {"Trip": "Voyages"}
    copied = trip.copy(peer.mailbox.archive_folder())
    assert sorted(entry.mail.folder for entry in ann) == ["Voyages", "archive"]
    assert trip.delete()
    assert places(ann) == {"Trip": "archive"}
    assert copied.move(peer.mailbox.deleted_folder())
    assert places(ann) == {"Trip": "trash"}
    assert folder.delete()
    (category,) = peer.account.outlook_categories().get_categories()
    assert category.update_color("blue")
    assert category.delete()
    assert ann.categories == []
