"""google-api-python-client and mailkit read one Gmail mailbox and say the same."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from html import escape

import pytest
from googleapiclient.errors import HttpError

from mailkit import MailClient
from mailkit.sandbox import Fault
from tests.peers.conftest import Service
from tests.peers.gmail_peer import GmailPeer
from tests.peers.seed import files
from tests.peers.seen import row_of

EVERYTHING = "in:anywhere"
QUERIES = (
    "",
    "from:priya",
    "to:ann cc:sam",
    "subject:budget",
    "budget",
    '"see below"',
    "is:unread",
    "is:starred is:unread",
    "is:important",
    "has:attachment",
    "filename:pdf",
    "has:attachment -from:zoe",
    "{from:zoe subject:trip}",
    "(from:sam OR from:zoe) -is:unread",
    "label:work",
    "label:projects-alpha",
    "in:sent",
    "in:drafts",
    "in:trash budget",
    "in:spam",
    EVERYTHING,
    "after:2026/03/05 before:2026/03/08",
    "larger:100K",
    "subject:grüße",
    "nothing-has-this-word",
)


@pytest.fixture(scope="module")
def peer(service: Service) -> Iterator[GmailPeer]:
    peer = GmailPeer(service.url, service.gmail.token)
    yield peer
    peer.close()


@pytest.mark.parametrize("query", QUERIES)
def test_a_search_finds_the_same_in_the_same_order(mail: MailClient, peer: GmailPeer, query: str) -> None:
    ours = [row.ref.id for row in mail.iter_search(query, accounts="home", limit=None)]
    assert peer.ids(q=query) == ours
    assert peer.ids(q=query, page=3) == ours
    assert bool(ours) == (query != "nothing-has-this-word")


@pytest.mark.parametrize("form", ["metadata", "full"])
def test_rows_say_the_same(mail: MailClient, peer: GmailPeer, form: str) -> None:
    ours = list(mail.iter_search(EVERYTHING, accounts="home", limit=None))
    theirs = peer.many(peer.ids(q=EVERYTHING), format=form)
    assert [peer.seen(message) for message in theirs] == list(map(row_of, ours))
    assert [(message["sizeEstimate"], message["snippet"]) for message in theirs] == [
        (row.size, _escaped(row.snippet)) for row in ours
    ]


def test_whole_messages_say_the_same(mail: MailClient, peer: GmailPeer) -> None:
    rows = list(mail.iter_search(EVERYTHING, accounts="home", limit=None))
    for theirs, outcome in zip(peer.many([row.ref.id for row in rows]), mail.get_many(rows), strict=True):
        ours = outcome.value
        assert ours is not None
        assert peer.seen(theirs) == row_of(ours)
        assert [(h["name"], h["value"]) for h in theirs["payload"]["headers"]] == list(ours.headers)
        assert (peer.text(theirs, "text/plain"), peer.text(theirs, "text/html")) == (ours.body.plain, ours.body.html)


def test_attachments_have_the_same_names_types_and_bytes(mail: MailClient, peer: GmailPeer) -> None:
    found: list[tuple[str, bytes]] = []
    for row in mail.iter_search(EVERYTHING, accounts="home", limit=None):
        ours = [(a.name, a.content_type, mail.attachments.read(a)) for a in mail.attachments.list(row)]
        (message,) = peer.many([row.ref.id])
        assert peer.files(message) == ours
        found += [(name, data) for name, _, data in ours]
    assert sorted(found) == files()


def test_threads_hold_the_same_messages(mail: MailClient, peer: GmailPeer) -> None:
    ids = peer.thread_ids(q=EVERYTHING)
    assert len(ids) == len(set(ids)) == 28
    for thread_id in ids:
        ours = mail.thread(thread_id, account="home")
        assert [peer.seen(message) for message in peer.thread(thread_id)] == list(map(row_of, ours.messages))


def test_labels_are_the_same(mail: MailClient, peer: GmailPeer) -> None:
    ours = {
        (label.ref.id, label.path if label.kind == "label" else label.ref.id)
        for label in mail.labels.list(accounts="home")
    }
    assert {(label["id"], label["name"]) for label in peer.labels()} == ours


def test_the_original_bytes_are_the_same(mail: MailClient, peer: GmailPeer) -> None:
    rows = list(mail.iter_search("has:attachment", accounts="home", limit=None))
    theirs = peer.many([row.ref.id for row in rows], format="raw")
    assert [base64.urlsafe_b64decode(message["raw"] + "==") for message in theirs] == list(map(mail.raw, rows))


def test_the_profile_names_the_address_mailkit_means_by_me(mail: MailClient, peer: GmailPeer) -> None:
    address = peer.users.getProfile(userId="me").execute()["emailAddress"]
    ours = [row.ref.id for row in mail.iter_search("from:me", accounts="home", limit=None)]
    assert peer.ids(q=f"from:{address}") == ours != []


def test_it_understands_the_refusals(service: Service, peer: GmailPeer) -> None:
    with pytest.raises(HttpError) as caught:
        peer.users.messages().get(userId="me", id="18c0ffee18c0ffee").execute()
    assert (caught.value.status_code, caught.value.reason) == (404, "Requested entity was not found.")
    service.gmail.script(Fault.rate_limited())
    with pytest.raises(HttpError) as caught:
        peer.users.messages().list(userId="me").execute()
    assert caught.value.error_details[0]["reason"] == "rateLimitExceeded"


def _escaped(text: str) -> str:
    """Write text as Gmail writes snippets."""
    return escape(text, quote=True).replace("&#x27;", "&#39;")
