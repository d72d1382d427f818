"""msgraph-sdk and mailkit read one Outlook mailbox and say the same."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from msgraph.generated.models.o_data_errors.o_data_error import ODataError

from mailkit import MailClient
from tests.peers.conftest import Service
from tests.peers.msgraph_peer import GraphPeer, asked
from tests.peers.seed import files
from tests.peers.seen import row_of

pytestmark = [
    pytest.mark.anyio,
    # The SDK warns of its own classes when it first imports and uses them.
    pytest.mark.filterwarnings("ignore:GetQueryParameters is deprecated:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:This class is deprecated. Please use the generic Req:DeprecationWarning"),
]

EVERYTHING = "in:anywhere"
NEWEST_FIRST = ["receivedDateTime desc"]


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"  # all that the SDK knows


@pytest.fixture(scope="module")
async def peer(service: Service) -> AsyncIterator[GraphPeer]:
    peer = GraphPeer(service.url, service.outlook.token)
    await peer.open()
    yield peer
    await peer.close()


def _ours(mail: MailClient, query: str) -> list[str]:
    return [row.ref.id for row in mail.iter_search(query, accounts="work", limit=None)]


@pytest.mark.parametrize("top", [4, 50])
async def test_a_list_says_the_same_however_long_its_pages(mail: MailClient, peer: GraphPeer, top: int) -> None:
    ours = [row_of(row) for row in mail.iter_search(EVERYTHING, accounts="work", limit=None)]
    theirs = await peer.every(peer.me.messages, top=top, orderby=NEWEST_FIRST)
    assert list(map(peer.seen, theirs)) == ours
    assert len(ours) == 31


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("is:unread in:anywhere", "isRead eq false"),
        ("is:starred in:anywhere", "flag/flagStatus eq 'flagged'"),
        ("from:zoe@example.org in:anywhere", "from/emailAddress/address eq 'zoe@example.org'"),
        ("label:Work in:anywhere", "categories/any(c:c eq 'Work')"),
        ("has:attachment -is:unread in:anywhere", "hasAttachments eq true and isRead eq true"),
    ],
)
async def test_a_filter_finds_the_same(mail: MailClient, peer: GraphPeer, query: str, words: str) -> None:
    chosen = f"receivedDateTime ge 1970-01-01T00:00:00Z and {words}"
    theirs = await peer.every(peer.me.messages, top=3, filter=chosen, orderby=NEWEST_FIRST, select=["id", "subject"])
    assert [message.id for message in theirs] == _ours(mail, query) != []


@pytest.mark.parametrize(
    ("query", "words"),
    [("from:priya in:anywhere", '"from:priya"'), ('"see below" in:anywhere', '"\\"see below\\""')],
)
async def test_a_search_finds_the_same(mail: MailClient, peer: GraphPeer, query: str, words: str) -> None:
    theirs = await peer.every(peer.me.messages, top=2, search=words)
    assert [message.id for message in theirs] == _ours(mail, query) != []


async def test_folders_have_the_same_names_and_messages(mail: MailClient, peer: GraphPeer) -> None:
    ours = [label for label in mail.labels.list(accounts="work") if label.kind != "category"]
    assert {label.ref.id: label.path for label in ours} == peer.folders
    rows = list(mail.iter_search(EVERYTHING, accounts="work", limit=None))
    for label in ours:
        folder = peer.me.mail_folders.by_mail_folder_id(label.ref.id)
        about = await folder.get()
        assert (about.total_item_count, about.unread_item_count) == (label.total, label.unread)
        inside = [row.ref.id for row in rows if row.folder_id == label.ref.id or row.folder == label.role]
        assert [m.id for m in await peer.every(folder.messages, top=5, orderby=NEWEST_FIRST)] == inside


async def test_categories_are_the_same(mail: MailClient, peer: GraphPeer) -> None:
    ours = [label.name for label in mail.labels.list(accounts="work") if label.kind == "category"]
    theirs = await peer.every(peer.me.outlook.master_categories)
    assert sorted(category.display_name for category in theirs) == sorted(ours) != []


async def test_whole_messages_say_the_same(mail: MailClient, peer: GraphPeer) -> None:
    for outcome in mail.get_many(list(mail.iter_search(EVERYTHING, accounts="work", limit=None))):
        ours = outcome.value
        assert ours is not None
        builder = peer.me.messages.by_message_id(ours.ref.id)
        theirs = await builder.get(request_configuration=asked(builder))
        assert peer.seen(theirs) == row_of(ours)
        assert theirs.body.content == (ours.body.html if theirs.body.content_type.value == "html" else ours.body.plain)
        assert theirs.internet_message_id == ours.message_id
        if not ours.is_draft:  # Graph gives no headers of what was not sent yet
            headers = asked(builder, select=["internetMessageHeaders"])
            shown = (await builder.get(request_configuration=headers)).internet_message_headers
            assert [(header.name, header.value) for header in shown] == list(ours.headers)
        assert await builder.content.get() == mail.raw(ours)


async def test_attachments_have_the_same_names_and_bytes(mail: MailClient, peer: GraphPeer) -> None:
    found: list[tuple[str, bytes]] = []
    for message in await peer.every(peer.me.messages, expand=["attachments"]):
        builder = peer.me.messages.by_message_id(message.id).attachments
        theirs = await peer.every(builder)
        assert [a.id for a in theirs] == [a.id for a in message.attachments]
        ours = mail.attachments.list(message.id, account="work")
        assert [(a.id, a.name, a.size, a.is_inline) for a in theirs] == [
            (a.ref.part, a.name, a.size, a.inline) for a in ours
        ]
        for attachment, same in zip(theirs, ours, strict=True):
            data = mail.attachments.read(same)
            assert (
                attachment.content_bytes == data
                if same.kind == "file"
                else attachment.odata_type.endswith(".itemAttachment")
            )
            found.append((same.name, data))
    assert sorted(found) == files()


async def test_a_conversation_is_the_same(mail: MailClient, peer: GraphPeer) -> None:
    (trip, *_) = mail.search("subject:trip", accounts="work")
    theirs = await peer.every(peer.me.messages, filter=f"conversationId eq '{trip.thread.id}'")
    assert [peer.seen(message) for message in theirs] == [row_of(m) for m in mail.thread(trip).messages]


async def test_it_understands_the_refusals(peer: GraphPeer) -> None:
    with pytest.raises(ODataError) as caught:
        await peer.me.messages.by_message_id("AAkALgAAnone").get()
    assert (caught.value.response_status_code, caught.value.error.code) == (404, "ErrorItemNotFound")
