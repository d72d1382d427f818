"""What each term finds, on messages made for the question."""

from __future__ import annotations

import datetime as dt
from typing import get_args
from zoneinfo import ZoneInfo

import attrs
import pytest

from mailkit.errors import UsageError
from mailkit.query import Candidate, CandidateFile, CandidateFolder, QueryContext, matches, parse
from mailkit.query.ast import Expr, Not, Text
from mailkit.values import Address

CONTEXT = QueryContext(
    now=dt.datetime(2026, 3, 15, 12, tzinfo=dt.UTC),
    tz=ZoneInfo("UTC"),
    me=("Me@Example.com", "me.alias@example.org", "ich@bücher.example"),
)
MAIL = Candidate(
    id="1",
    date=dt.datetime(2026, 3, 1, tzinfo=dt.UTC),
    message_id="<Abc+1@mail.example>",
    from_=Address(name="Amy B. Stone", address="amy.b@shop.example.com"),
    to=(Address(name="Mia", address="ME@example.COM"), Address(address="foo+bar@corp.example")),
    cc=(Address(name="Carl Cee", address="carl@corp.example"),),
    bcc=(Address(name="Bea Hidden", address="bea@corp.example"),),
    delivered_to=("me.alias@example.org",),
    subject="Re: Contract draft, v1.2 (follow-up)",
    body="The holiday policy changed: ask about vacation days. See https://docs.google.com/document/d/1",
    size=1000,
    folder="inbox",
    labels=("Work/Clients", "R&D"),
    category="primary",
    read=False,
    starred=True,
    star="red-bang",
    attachments=(CandidateFile(name="Costs alpha final.xlsx"), CandidateFile(name="logo.png", inline=True)),
    list_id="Dev list <dev.lists.example.com>",
)

FOUND = """
amy | stone | "b stone" | +STONE | contract | "contract draft" | "draft v1" | draft,v1.2 | follow-up | bea | carl
corp.example | foo+bar | xlsx | "costs alpha" | logo | vacation | "policy changed ask" | amy.b@shop.example.com
from:amy | from:b | from:stone | from:"amy b stone" | from:example.com | from:@example.com | from:amy.b@
from:shop | from:AMY.B@SHOP.EXAMPLE.COM | from:<amy.b@shop.example.com> | from:amy.b | to:me | to:mia | to:foo
to:foo+bar | to:foo+bar@corp.example | to:carl | to:bea | to:bea@corp.example | to:@corp.example | cc:carl
-cc:bea | -cc:me | bcc:bea | bcc:bea@corp.example | bcc:hidden | -bcc:carl | -bcc:me | -from:me | deliveredto:me
deliveredto:me.alias@example.org | deliveredto:alias | -deliveredto:me@example.com | subject:contract
subject:"contract draft" | subject:(draft contract) | subject:re | subject:v1 | subject:v1.2 | filename:xlsx
filename:XLSX | filename:costs | filename:"costs alpha" | filename:png | filename:(final costs)
list:dev.lists.example.com | list:dev@lists.example.com | list:lists | list:<dev.lists.example.com>
rfc822msgid:Abc+1@mail.example | rfc822msgid:<Abc+1@mail.example> | holiday AROUND 5 vacation
vacation AROUND 5 holiday | "holiday AROUND 5 vacation" | policy AROUND 0 holiday | "holiday policy" AROUND 2 ask
contract AROUND 0 draft | subject:(contract AROUND 0 draft) | has:attachment | has:drive | has:document
has:userlabels | has:red-bang | label:work-clients | label:"Work/Clients" | label:r-d | category:primary | in:inbox
in:anywhere | in:all | is:unread | is:starred | after:2026/03/01 | before:2026/03/02 | -before:2026/03/01
after:1772323200 | newer_than:15d | older_than:13d | older_than:14d | newer_than:1m | larger:999 | smaller:1001
"""

MISSED = """
am | stones | "stone b" | contrac | movie | "days see https docs" movie | cafe | from:am | from:amyb | from:mia
from:example.community | from:"stone amy" | from:b@shop.example.com | from:amy@shop.example.com | from:me | cc:me
cc:mia | bcc:carl | bcc:me | cc:bea | deliveredto:me@example.com | from:"me" | to:bar@corp.example
to:foo@corp.example | to:amy | subject:vacation | subject:"draft contract" | subject:contracts | subject:1
filename:xls | filename:"alpha costs" | filename:contract | list:example.org | list:dev.example.com
rfc822msgid:abc+1@mail.example | rfc822msgid:1@mail.example | holiday AROUND 3 vacation
"vacation AROUND 5 holiday" | contract AROUND 9 vacation | subject:(holiday AROUND 5 vacation)
holiday AROUND 9 holiday | has:youtube | has:spreadsheet | has:presentation | has:nouserlabels | has:yellow-star
label:work | label:clients | label:work/client | category:social | in:sent | in:archive | in:trash | is:read
is:important | is:muted | is:snoozed | is:chat | after:2026/03/02 | before:2026/03/01 | before:1772323200
newer_than:13d | newer_than:14d | older_than:15d | older_than:1m | larger:1000 | smaller:1000
"""


def _terms(table: str) -> list[str]:
    return [term.strip() for row in table.strip().splitlines() for term in row.split("|")]


def found(text: str, mail: Candidate = MAIL) -> bool:
    return matches(parse(text), mail, CONTEXT)


@pytest.mark.parametrize("text", _terms(FOUND))
def test_found(text: str) -> None:
    assert found(text)
    assert not found(f"-({text})")


@pytest.mark.parametrize("text", _terms(MISSED))
def test_missed(text: str) -> None:
    assert not found(text)
    assert found(f"-({text})")


def test_me_is_every_own_address_and_compares_without_case_and_in_one_form_of_the_domain() -> None:
    for address in ("me@example.com", "ME.alias@EXAMPLE.org", "ich@bücher.example", "ICH@XN--BCHER-KVA.example"):
        assert found("from:me", attrs.evolve(MAIL, from_=Address(address=address)))
    for address in ("me@example.org", "xme@example.com", "me@example.com.example", "ich@xn--.example", ""):
        assert not found("from:me", attrs.evolve(MAIL, from_=Address(address=address)))


def test_an_international_address_is_found_in_either_form() -> None:
    mail = attrs.evolve(MAIL, from_=Address(address="ich@xn--bcher-kva.example"))
    assert found("from:ich@bücher.example", mail)
    assert found("from:ich@xn--bcher-kva.example", mail)


def test_a_sent_mail_keeps_its_bcc_wherever_it_is_moved() -> None:
    folders: tuple[CandidateFolder, ...] = ("sent", "inbox", "other")
    for folder in folders:
        moved = attrs.evolve(MAIL, folder=folder, from_=Address(address="me@example.com"))
        assert found("bcc:bea from:me", moved)
        assert not found("-bcc:bea", moved)
    assert found("-bcc:bea", attrs.evolve(MAIL, bcc=()))


def test_mail_without_a_sender_matches_no_from() -> None:
    mail = attrs.evolve(MAIL, from_=None)
    assert not found("from:amy", mail)
    assert not found("from:me", mail)
    assert found("-from:amy", mail)


@pytest.mark.parametrize(
    ("text", "folders"),
    [
        ("contract", {"inbox", "sent", "drafts", "archive", "outbox", "other"}),
        ("in:trash", {"trash"}),
        ("in:spam", {"spam"}),
        ("in:anywhere", {"inbox", "sent", "drafts", "archive", "outbox", "other", "trash", "spam"}),
        ("in:trash OR contract", {"inbox", "sent", "drafts", "archive", "outbox", "other", "trash"}),
        ("-in:trash", {"inbox", "sent", "drafts", "archive", "outbox", "other"}),
        ("in:archive", {"archive", "other"}),
        ("-in:archive", {"inbox", "sent", "drafts", "outbox"}),
        ("in:all", {"inbox", "sent", "drafts", "archive", "outbox", "other"}),
        ("in:drafts OR in:outbox", {"drafts", "outbox"}),
    ],
)
def test_folders_and_scope(text: str, folders: set[str]) -> None:
    every: tuple[CandidateFolder, ...] = get_args(CandidateFolder)
    assert {folder for folder in every if found(text, attrs.evolve(MAIL, folder=folder))} == folders


def test_snoozed_mail_and_chats_are_not_archived() -> None:
    assert not found("in:archive", attrs.evolve(MAIL, folder="other", snoozed=True))
    assert not found("in:archive", attrs.evolve(MAIL, folder="other", chat=True))
    assert found("in:snoozed", attrs.evolve(MAIL, folder="other", snoozed=True))


def test_a_folder_of_ones_own_is_a_label_too_and_a_parent_is_not() -> None:
    mail = attrs.evolve(MAIL, labels=(), folder="other", folder_path="Projects/Alpha")
    assert found("label:projects-alpha has:userlabels", mail)
    assert not found("label:projects", mail)
    deleted = attrs.evolve(mail, folder="trash", folder_path="Deleted/Old")
    assert not found("in:trash label:deleted-old", deleted)
    assert found("in:trash has:nouserlabels", deleted)


def test_only_attachments_beside_the_text_count() -> None:
    inline = attrs.evolve(MAIL, attachments=(CandidateFile(name="logo.png", inline=True),))
    assert not found("has:attachment", inline)
    assert found("filename:png", inline)


@pytest.mark.parametrize(
    ("body", "kinds"),
    [
        ("https://drive.google.com/file/d/1", {"drive"}),
        ("<HTTPS://Docs.Google.com/Spreadsheets/d/1>", {"drive", "spreadsheet"}),
        ("docs.google.com/presentation/d/1", {"drive", "presentation"}),
        ("http://www.youtube.com/watch?v=1", {"youtube"}),
        ("https://youtu.be/1.", {"youtube"}),
        ("https://notyoutube.com https://youtube.com.evil.example https://my-youtu.be", set()),
        ("docs.google.comx mydocs.google.com drive.google.community", set()),
    ],
)
def test_links(body: str, kinds: set[str]) -> None:
    every = ("drive", "document", "spreadsheet", "presentation", "youtube")
    mail = attrs.evolve(MAIL, body=body)
    assert {kind for kind in every if found(f"has:{kind}", mail)} == kinds


def test_words_without_a_letter_stand_nowhere() -> None:
    assert not matches(Text("--"), MAIL, CONTEXT)


def test_a_message_that_lacks_everything_matches_only_what_asks_for_nothing() -> None:
    bare = Candidate(id="2", date=MAIL.date)
    for text in ("amy", "from:me", "cc:amy", "subject:x", "list:x", "filename:x", "rfc822msgid:x@y", "has:red-bang"):
        assert not found(text, bare)
    assert found("-has:attachment has:nouserlabels is:read smaller:1 in:archive", bare)


def test_a_tree_too_deep_is_refused() -> None:
    deep: Expr = Text("a")
    for _ in range(10_000):
        deep = Not(deep)
    with pytest.raises(UsageError) as caught:
        matches(deep, MAIL, CONTEXT)
    assert caught.value.code == "too_deep"


def test_a_candidate_shows_nothing_of_the_mail() -> None:
    assert repr(MAIL) == "<Candidate 1>"
    assert "example" not in repr(CONTEXT)
