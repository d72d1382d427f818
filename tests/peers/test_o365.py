"""O365 and mailkit read one Outlook mailbox and say the same."""

from __future__ import annotations

import base64
import datetime as dt
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from O365.utils.query import CompositeFilter, SearchFilter

from mailkit import MailClient
from tests.peers.conftest import Service
from tests.peers.o365_peer import O365Peer
from tests.peers.seed import files
from tests.peers.seen import row_of

pytestmark = pytest.mark.others_leak  # O365 logs the bearer token of every request

EVERYTHING = "in:anywhere"
NEWEST_FIRST = "receivedDateTime desc"
EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
MARCH_6 = dt.datetime.fromtimestamp(1772784000, dt.UTC)


@pytest.fixture(scope="module")
def peer(service: Service) -> Iterator[O365Peer]:
    peer = O365Peer(service.url, service.outlook.token)
    yield peer
    peer.close()


def _ours(mail: MailClient, query: str) -> list[str]:
    return [row.ref.id for row in mail.iter_search(query, accounts="work", limit=None)]


def test_a_list_says_the_same_however_long_its_pages(mail: MailClient, peer: O365Peer) -> None:
    ours = [row_of(row) for row in mail.iter_search(EVERYTHING, accounts="work", limit=None)]
    assert len(ours) == 31
    for batch in (None, 4):
        theirs = peer.messages(order_by=NEWEST_FIRST, batch=batch)
        assert list(map(peer.seen, theirs)) == ours


# Each pair asks for the same in mailkit's words and in O365's.
FILTERS: dict[str, Callable[[Any], Any]] = {
    "is:unread in:anywhere": lambda q: q.equals("is_read", False),
    "is:starred in:anywhere": lambda q: q.equals("flag", "flagged"),
    "has:attachment in:anywhere": lambda q: q.equals("has_attachments", True),
    "is:important in:anywhere": lambda q: q.equals("importance", "high"),
    "from:sam@contoso.example in:anywhere": lambda q: q.equals("from", "sam@contoso.example"),
    "after:1772784000 in:anywhere": lambda q: q.greater_equal("receivedDateTime", MARCH_6),
    "is:unread from:sam@contoso.example in:anywhere": lambda q: q.chain_and(
        q.equals("is_read", False), q.equals("from", "sam@contoso.example")
    ),
    "is:starred OR from:zoe@example.org in:anywhere": lambda q: q.chain_or(
        q.equals("flag", "flagged"), q.equals("from", "zoe@example.org"), group=True
    ),
}


@pytest.mark.parametrize("query", FILTERS)
def test_a_filter_finds_the_same(mail: MailClient, peer: O365Peer, query: str) -> None:
    made = peer.mailbox.new_query()
    chosen = FILTERS[query](made)
    # The property ordered by leads the filter, or Exchange refuses: user-list-messages
    leading = made.chain_and(made.greater_equal("receivedDateTime", EPOCH), chosen)
    newest_first = leading & made.orderby(("receivedDateTime", False))
    theirs = [m.object_id for m in peer.messages(query=newest_first, batch=3)]
    assert theirs == _ours(mail, query) != []
    assert [m.object_id for m in peer.messages(query=chosen)] == theirs[::-1]


def test_a_category_finds_the_same(mail: MailClient, peer: O365Peer) -> None:
    by_hand = "categories/any(c:c eq 'Work')"  # its builder knows no list of plain words
    theirs = [m.object_id for m in peer.messages(query=by_hand)]
    assert theirs[::-1] == _ours(mail, "label:Work in:anywhere") != []


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("subject:budget in:anywhere", "subject:budget"),
        ("budget in:anywhere", "budget OR recipients:budget OR attachment:budget"),
        ("from:priya in:anywhere", "from:priya"),
        ("subject:trip in:anywhere", "subject:trip"),
        ("grüße in:anywhere", "grüße"),
        ("has:attachment from:zoe in:anywhere", "hasattachment:true AND from:zoe"),
    ],
)
def test_a_search_finds_the_same(mail: MailClient, peer: O365Peer, query: str, words: str) -> None:
    theirs = [m.object_id for m in peer.messages(query=CompositeFilter(search=SearchFilter(words)))]
    assert theirs == _ours(mail, query) != []


def test_folders_have_the_same_names_and_messages(mail: MailClient, peer: O365Peer) -> None:
    ours = [label for label in mail.labels.list(accounts="work") if label.kind != "category"]
    assert {label.ref.id: label.path for label in ours} == peer.folders
    rows = list(mail.iter_search(EVERYTHING, accounts="work", limit=None))
    for label in ours:
        folder = peer.mailbox.get_folder(folder_id=label.ref.id)
        inside = [row.ref.id for row in rows if row.folder_id == label.ref.id or row.folder == label.role]
        assert [m.object_id for m in peer.messages(folder, order_by=NEWEST_FIRST)] == inside
        assert (folder.total_items_count, folder.unread_items_count) == (label.total, label.unread)


def test_a_folder_is_found_by_its_name(mail: MailClient, peer: O365Peer) -> None:
    alpha = peer.mailbox.get_folder(folder_name="Projects").get_folder(folder_name="Alpha")
    assert [m.object_id for m in peer.messages(alpha)] == _ours(mail, "label:projects-alpha")


def test_categories_are_the_same(mail: MailClient, peer: O365Peer) -> None:
    ours = [label.name for label in mail.labels.list(accounts="work") if label.kind == "category"]
    assert sorted(peer.categories()) == sorted(ours) != []


def test_whole_messages_say_the_same(mail: MailClient, peer: O365Peer) -> None:
    rows = list(mail.iter_search(EVERYTHING, accounts="work", limit=None))
    for outcome in mail.get_many(rows):
        ours = outcome.value
        assert ours is not None
        theirs = peer.mailbox.get_message(object_id=ours.ref.id)
        assert peer.seen(theirs) == row_of(ours)
        assert (theirs.internet_message_id, theirs.body) == (ours.message_id, ours.body.html or ours.body.plain)
        assert theirs.get_mime_content() == mail.raw(ours)


def test_attachments_have_the_same_names_and_bytes(mail: MailClient, peer: O365Peer) -> None:
    found: list[tuple[str, bytes]] = []
    for message in peer.messages():
        ours = mail.attachments.list(message.object_id, account="work")
        message.attachments.download_attachments()
        assert [(a.attachment_id, a.name, a.size, a.is_inline) for a in message.attachments] == [
            (a.ref.part, a.name, a.size, a.inline) for a in ours
        ]
        for theirs, attachment in zip(message.attachments, ours, strict=True):
            data = mail.attachments.read(attachment)
            if theirs.attachment_type == "item":
                assert message.attachments.get_mime_content(theirs) == data
            else:
                assert base64.b64decode(theirs.content) == data
            found.append((attachment.name, data))
    assert sorted(found) == files()


def test_a_conversation_is_the_same(mail: MailClient, peer: O365Peer) -> None:
    made = peer.mailbox.new_query()
    (trip, *_) = mail.search("subject:trip", accounts="work")
    theirs = peer.messages(query=made.equals("conversation_id", trip.thread.id))
    assert [peer.seen(m) for m in theirs] == list(map(row_of, mail.thread(trip).messages))
    assert len(theirs) == 4


def test_the_user_is_the_one_mailkit_means_by_me(mail: MailClient, peer: O365Peer) -> None:
    user = peer.account.get_current_user_data()
    made = peer.mailbox.new_query()
    theirs = peer.messages(query=made.equals("from", user.mail))
    assert sorted(m.object_id for m in theirs) == sorted(_ours(mail, "from:me in:anywhere")) != []
