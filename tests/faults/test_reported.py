"""Faults that people reported of other libraries, over the whole house: what was asked, and what comes back.

Those of a single room stand in that room's tests.
"""

from __future__ import annotations

import datetime as dt
import re
from contextlib import suppress
from urllib.parse import parse_qs, unquote, urlsplit

import anyio
import pytest

from mailkit import AsyncMailClient, InvalidQuery, Message
from mailkit.sandbox import Mail, Person, Sandbox, VirtualClock
from mailkit.sandbox.mailbox import Mailbox
from mailkit.testing import sandbox_accounts

pytestmark = pytest.mark.anyio

PROVIDERS = ("google", "microsoft")
ALICE, ELI = Person("Alice", "alice@example.com"), Person("Eli", "eli@example.com")


def opened(provider: str, now: str = "2024-06-01T12:00:00+00:00") -> tuple[Sandbox, Mailbox]:
    sandbox = Sandbox(VirtualClock(dt.datetime.fromisoformat(now)))
    return sandbox, getattr(sandbox, provider)("owner@example.com")


async def subjects(sandbox: Sandbox, box: Mailbox, query: str, *, limit: int = 25, tz: str = "UTC") -> list[str]:
    async with AsyncMailClient(sandbox_accounts(sandbox, home=box), tz=tz) as mail:
        return [row.subject for row in await mail.search(query, limit=limit)]


def at(text: str) -> dt.datetime:
    return dt.datetime.fromisoformat(text).replace(tzinfo=dt.UTC)


def lists(sandbox: Sandbox) -> list[dict[str, str]]:
    """Give the query of every request for a list of messages."""
    asked = [urlsplit(request.url) for request in sandbox.requests]
    return [
        {name: value for name, (value,) in parse_qs(url.query).items()}
        for url in asked
        if url.path.endswith("/messages")
    ]


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_a_quoted_sender_and_a_word_find_just_that(provider: str) -> None:
    sandbox, box = opened(provider)
    acme = Person("Acme Corp", "billing@acme.example")
    box.add(Mail(subject="wanted", from_=acme, text="your invoice"))
    box.add(Mail(subject="other words", from_=acme, text="a greeting"))
    box.add(Mail(subject="other sender", from_=Person("Corp Acme", "x@other.example"), text="your invoice"))
    box.add(Mail(subject="half the name", from_=Person("Acme", "x@half.example"), text="your invoice"))
    assert await subjects(sandbox, box, 'from:"Acme Corp" invoice') == ["wanted"]


@pytest.mark.parametrize(
    ("query", "phrase"),
    [
        ("Backup Config 0", r"\"0\""),
        ('"Backup Config 0"', r"\"backup config 0\""),
        ("under_score", r"\"under_score\""),
        (r"back\slash", r"\"slash\""),
        ('to:"Acme Corp" invoice', r"recipients:\"acme corp\""),
    ],
)
async def test_what_outlook_searches_for_is_quoted_once_and_escaped_within(query: str, phrase: str) -> None:
    sandbox, box = opened("microsoft")
    assert await subjects(sandbox, box, query) == []
    (asked,) = lists(sandbox)
    assert phrase in asked["$search"]
    assert re.fullmatch(r'"(?:[^"\\]|\\")*"', asked["$search"])


@pytest.mark.parametrize("query", ["_", "\\", "--"])
async def test_what_holds_no_word_is_never_searched_for(query: str) -> None:
    sandbox, box = opened("microsoft")
    with suppress(InvalidQuery):
        assert await subjects(sandbox, box, query) == []
    assert not [asked for asked in lists(sandbox) if "$search" in asked]


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_a_filter_comes_newest_first_whatever_it_begins_with(provider: str) -> None:
    sandbox, box = opened(provider)
    box.add(Mail(subject="old", from_=ALICE, date=at("2020-03-16T13:25:51"), text="x"))
    box.add(Mail(subject="other", from_=ELI, date=at("2022-01-01T00:00:00"), text="x"))
    box.add(Mail(subject="new", from_=ALICE, date=at("2024-03-01T00:00:00"), text="x"))
    assert await subjects(sandbox, box, "from:alice@example.com") == ["new", "old"]
    assert {request.status for request in sandbox.requests} == {200}
    for query in lists(sandbox):
        if "$orderby" in query:
            assert query["$orderby"] == "receivedDateTime desc"
            assert query["$filter"].startswith("receivedDateTime ")


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_the_latest_of_a_subject_is_the_latest(provider: str) -> None:
    sandbox, box = opened(provider)
    for subject, date in [("test A", "2024-01-01"), ("test B", "2024-03-01"), ("other", "2024-04-01")]:
        box.add(Mail(subject=subject, from_=ALICE, date=at(date), text="x"))
    assert await subjects(sandbox, box, "subject:test", limit=1) == ["test B"]
    assert {request.status for request in sandbox.requests} == {200}


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_a_limit_gives_the_newest_not_the_first(provider: str) -> None:
    sandbox, box = opened(provider)
    for subject, date in [("a", "2020-03-16T13:25:51"), ("b", "2020-03-19T12:24:29"), ("c", "2022-08-30T19:52:47")]:
        box.add(Mail(subject=subject, from_=ELI, date=at(date), text="x"))
    assert await subjects(sandbox, box, "from:eli@example.com", limit=2) == ["c", "b"]


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_free_text_and_flags_never_meet_in_one_request_of_graph(provider: str) -> None:
    sandbox, box = opened(provider)
    for subject, date, read, text in [
        ("wanted", "2024-03-01T00:00:00", False, "the invoice"),
        ("read", "2024-03-02T00:00:00", True, "the invoice"),
        ("early", "2024-02-29T23:59:59", False, "the invoice"),
        ("silent", "2024-03-02T00:00:00", False, "nothing"),
    ]:
        box.add(Mail(subject=subject, from_=ALICE, date=at(date), read=read, text=text))
    assert await subjects(sandbox, box, "invoice is:unread after:2024/03/01") == ["wanted"]
    for query in lists(sandbox):
        assert "$search" not in query or not query.keys() & {"$filter", "$orderby"}


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_today_is_the_day_of_the_asking_person(provider: str) -> None:
    # Half past five in the afternoon of 16 April in Los Angeles; in Greenwich it is the 17th.
    sandbox, box = opened(provider, "2025-04-17T00:30:00+00:00")
    for subject, date in [
        ("yesterday", "2025-04-16T06:59:59"),
        ("midnight", "2025-04-16T07:00:00"),
        ("now", "2025-04-17T00:29:00"),
    ]:
        box.add(Mail(subject=subject, from_=ALICE, date=at(date), text="x"))
    assert await subjects(sandbox, box, "after:2025/04/16", tz="America/Los_Angeles") == ["now", "midnight"]
    assert await subjects(sandbox, box, "after:2025/04/17", tz="America/Los_Angeles") == []
    assert await subjects(sandbox, box, "before:2025/04/16", tz="America/Los_Angeles") == ["yesterday"]


@pytest.mark.parametrize("query", ["from:foo+bar", "from:foo+bar@example.com"])
@pytest.mark.parametrize("provider", PROVIDERS)
async def test_a_plus_in_an_address_is_a_plus(provider: str, query: str) -> None:
    sandbox, box = opened(provider)
    for local in ("foo+bar", "foo", "bar"):
        box.add(Mail(subject=local, from_=Person("", f"{local}@example.com"), text="x"))
    assert await subjects(sandbox, box, query) == ["foo+bar"]
    if provider == "google":
        # Gmail takes an unquoted foo+bar for foo or bar; and in a URL a bare plus sign is a blank.
        sent = [line for request in sandbox.requests for line in request.content.decode().splitlines() if "q=" in line]
        assert sent
        assert all("+" not in line and '"foo+bar' in unquote(line) for line in sent)


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_mail_that_arrives_while_a_list_is_read_comes_once_or_not_at_all(provider: str) -> None:
    sandbox, box = opened(provider)
    ids = [
        box.add(Mail(subject=str(n), from_=ALICE, text="x", date=sandbox.clock.now() - dt.timedelta(hours=n + 1)))
        for n in range(560)
    ]
    seen: list[str] = []
    async with AsyncMailClient(sandbox_accounts(sandbox, home=box), tz="UTC") as mail:
        async for row in mail.iter_search("from:alice"):
            seen.append(row.ref.id)
            if len(seen) % 100 == 0:
                box.add(Mail(subject="just now", from_=ALICE, text="x"))
    assert [i for i in seen if i in ids] == ids
    assert len(set(seen)) == len(seen)


async def test_fifty_messages_at_once_keep_to_the_four_requests_of_a_mailbox() -> None:
    sandbox, box = opened("microsoft")
    sandbox.latency = 0.2
    ids = [box.add(Mail(subject=str(n), from_=ALICE, text="x")) for n in range(50)]
    got: list[Message] = []

    async with AsyncMailClient(sandbox_accounts(sandbox, home=box), tz="UTC") as mail:

        async def one(message_id: str) -> None:
            got.append(await mail.get(message_id))

        async with anyio.create_task_group() as group:
            for message_id in ids:
                group.start_soon(one, message_id)
    assert sorted(message.ref.id for message in got) == sorted(ids)
    assert max(request.in_flight for request in sandbox.requests) <= 4
    assert {request.status for request in sandbox.requests} == {200}


async def test_labels_that_differ_by_a_slash_and_a_dash_are_two() -> None:
    sandbox, box = opened("google")
    box.add(Mail(subject="dash", from_=ALICE, text="x", labels=["gog-pr-review"]))
    async with AsyncMailClient(sandbox_accounts(sandbox, home=box), tz="UTC") as mail:
        assert [label.path for label in await mail.labels.list() if label.kind == "label"] == ["gog-pr-review"]
        box.add(Mail(subject="slash", from_=ALICE, text="x", labels=["gog/pr-review"]))
        found = [label for label in await mail.labels.list() if label.kind == "label"]
    assert sorted(label.path for label in found) == ["gog-pr-review", "gog/pr-review"]
    assert len({label.ref for label in found}) == 2
