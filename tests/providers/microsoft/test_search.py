"""How far a search reads, and what it survives: short pages, one crowded second, mail that goes while it is read."""

from __future__ import annotations

import datetime as dt
from urllib.parse import parse_qs, urlsplit

import pytest

from mailkit.errors import BadPayload
from mailkit.providers.base import Listing, Position, Search
from mailkit.providers.microsoft.mail import OutlookDriver
from mailkit.query import parse
from mailkit.sandbox import Fault, Mail, MicrosoftMailbox, Person, Sandbox
from tests.support.drivers import UTC, found, outlook

pytestmark = pytest.mark.anyio

NOW = dt.datetime(2026, 3, 15, 12, tzinfo=dt.UTC)
AMY = Person("Amy", "amy@example.com")


def opened() -> tuple[Sandbox, MicrosoftMailbox, OutlookDriver]:
    sandbox = Sandbox()
    box = sandbox.microsoft("mia@example.com")
    return sandbox, box, outlook(sandbox, box)


def fill(
    box: MicrosoftMailbox, count: int, *, apart: dt.timedelta = dt.timedelta(minutes=1), **mail: object
) -> list[str]:
    """Put mail in, the newest first; gives the ids in that order."""
    return [
        box.add(Mail(**{"from_": AMY, "subject": f"Mail {n}", "text": "hello", "date": NOW - n * apart, **mail}))  # type: ignore[arg-type]
        for n in range(count)
    ]


def listed(sandbox: Sandbox) -> list[dict[str, list[str]]]:
    """The queries of all requests for messages."""
    urls = [urlsplit(r.url) for r in sandbox.requests if r.method == "GET" and "/messages" in r.url]
    return [parse_qs(url.query) for url in urls]


async def test_the_first_request_of_a_cold_search_follows_one_batch() -> None:
    sandbox, box, driver = opened()
    ids = fill(box, 3)
    rows, _ = await found(driver, parse("is:unread"), now=NOW)
    assert [row.ref.id for row in rows] == ids
    whole = [(r.method, r.path) for r in sandbox.requests]
    assert whole == [("POST", "/v1.0/$batch"), ("GET", "/v1.0/me/messages")]
    (query,) = listed(sandbox)
    assert query["$filter"][0].startswith("receivedDateTime ge 1900-01-01T00:00:00Z and ")
    assert query["$orderby"] == ["receivedDateTime desc"]
    assert query["$top"] == ["25"]


async def test_the_inbox_alone_is_one_request_once_folders_are_known() -> None:
    sandbox, box, driver = opened()
    fill(box, 3)
    await found(driver, parse("in:inbox"), now=NOW)
    sandbox.requests.clear()
    await found(driver, parse("in:inbox"), now=NOW)
    assert [r.path for r in sandbox.requests] == ["/v1.0/me/mailFolders/inbox/messages"]


async def test_every_mail_call_asks_for_ids_that_survive_a_move() -> None:
    _, box, driver = opened()
    ids = fill(box, 2)
    before, _ = await found(driver, parse("from:amy"), now=NOW)
    box.move(ids[0], "Projects/Alpha")
    after, _ = await found(driver, parse("from:amy"), now=NOW)
    assert [row.ref for row in before] == [row.ref for row in after]
    assert (await driver.get([ids[0]]))[0].ref.id == ids[0]  # type: ignore[union-attr]


async def test_pages_go_on_by_instant_and_miss_nothing_that_stays_while_other_mail_goes() -> None:
    _, box, driver = opened()
    ids = fill(box, 40)
    listing: Listing | None = await driver.search(Search(expr=parse(""), now=NOW, tz=UTC, size=10))
    seen: list[str] = []
    gone: set[str] = set()
    while listing:
        seen += [row.ref.id for row in (await listing.fetch()).rows]
        for doomed in [i for i in seen if i not in gone][:4]:  # a skip-based page would now pass over four rows
            box.remove(doomed)
            gone.add(doomed)
        listing = await listing.next() if listing.next else None
    assert seen == ids


async def test_more_mail_of_one_second_than_a_page_holds_comes_once_each() -> None:
    _, box, driver = opened()
    ids = fill(box, 35, apart=dt.timedelta())
    rows, _ = await found(driver, parse(""), now=NOW, size=10)
    assert sorted(row.ref.id for row in rows) == sorted(ids)


async def test_an_empty_or_short_page_is_not_the_end() -> None:
    _, box, driver = opened()
    ids = fill(box, 12)
    box.page_rows.extend([0, 3, 0, 0])
    rows, _ = await found(driver, parse(""), now=NOW, size=5)
    assert [row.ref.id for row in rows] == ids


async def test_a_position_goes_on_below_it_and_drops_what_was_seen_there() -> None:
    _, box, driver = opened()
    ids = fill(box, 6, apart=dt.timedelta(hours=1))
    twin = box.add(Mail(from_=AMY, subject="Twin", date=NOW - dt.timedelta(hours=2)))
    after = Position(at=NOW - dt.timedelta(hours=2), seen=frozenset({ids[2]}))
    for query in ("", "from:amy", "hello OR twin"):
        rows, _ = await found(driver, parse(query), now=NOW, after=after)
        assert [row.ref.id for row in rows] == [twin, *ids[3:]], query


async def test_a_search_reads_its_candidates_before_the_first_row_and_sorts_by_received() -> None:
    sandbox, box, driver = opened()
    late = box.add(Mail(from_=AMY, text="dinner", date=NOW - dt.timedelta(days=9), received=NOW))
    early = box.add(Mail(from_=AMY, text="dinner", date=NOW - dt.timedelta(days=1)))
    rows, _ = await found(driver, parse("dinner"), now=NOW)
    assert [row.ref.id for row in rows] == [late, early]
    assert all("$search" in query and "$orderby" not in query for query in listed(sandbox))


async def test_a_search_that_meets_its_cap_says_so_pauses_and_goes_on_when_asked() -> None:
    sandbox, box, driver = opened()
    ids = fill(box, 1300, apart=dt.timedelta(hours=6), text="dinner")
    listing = await driver.search(Search(expr=parse("dinner"), now=NOW, tz=UTC, size=25))
    assert [note.code for note in listing.notes if note.code == "truncated"] == ["truncated"]
    assert listing.pause
    assert len((await listing.fetch()).rows) == 1000
    assert listing.next is not None
    rest = await listing.next()
    assert {row.ref.id for row in (await rest.fetch()).rows} >= set(ids[1000:])
    assert rest.next is None
    assert sandbox.requests


async def test_mail_below_trash_in_a_folder_made_just_now_stays_out() -> None:
    _, box, driver = opened()
    ids = fill(box, 2)
    await found(driver, parse(""), now=NOW)
    hidden = box.add(Mail(from_=AMY, subject="Old", date=NOW, folder="trash/New pile"))
    rows, _ = await found(driver, parse(""), now=NOW)
    assert [row.ref.id for row in rows] == ids
    trash, _ = await found(driver, parse("in:trash"), now=NOW)
    assert [row.ref.id for row in trash] == [hidden]


async def test_rows_in_a_folder_of_ones_own_carry_its_path() -> None:
    sandbox, box, driver = opened()
    fill(box, 1, folder="Projects/Alpha")
    (row,), _ = await found(driver, parse(""), now=NOW)
    assert (row.folder, row.folder_path, row.labels) == ("other", "Projects/Alpha", ("Projects/Alpha",))
    sandbox.requests.clear()
    await found(driver, parse(""), now=NOW)
    assert len(sandbox.requests) == 1  # the tree is known now


async def test_a_malformed_row_is_reported_by_path_and_the_rest_is_intact() -> None:
    _, box, driver = opened()
    ids = fill(box, 2)
    await found(driver, parse(""), now=NOW)
    good = {"id": ids[0], "conversationId": "C", "receivedDateTime": "2026-03-15T12:00:00Z"}
    bad = {"id": ids[1], "conversationId": "C", "receivedDateTime": "soon"}
    box.script(Fault(status=200, json={"value": [bad, good, "odd"]}, path="/messages"))
    page = await (await driver.search(Search(expr=parse(""), now=NOW, tz=UTC, size=25))).fetch()
    assert [row.ref.id for row in page.rows] == [ids[0]]
    assert [problem.path for problem in page.problems] == ["value[0].receivedDateTime", "value[2]"]


async def test_rows_that_cannot_be_read_do_not_stop_the_list() -> None:
    _, box, driver = opened()
    ids = fill(box, 2)
    await found(driver, parse(""), now=NOW)
    link = "https://graph.microsoft.com/v1.0/me/messages?$skiptoken=next"
    page = {"value": [{"id": 7}, {"receivedDateTime": "soon"}], "@odata.nextLink": link}
    good = {"id": ids[0], "conversationId": "C", "receivedDateTime": "2026-03-15T12:00:00Z"}
    box.script(
        Fault(status=200, json=page, path="/messages"), Fault(status=200, json={"value": [good]}, path="/messages")
    )
    listing = await driver.search(Search(expr=parse(""), now=NOW, tz=UTC, size=25))
    first = await listing.fetch()
    assert len(first.problems) == 2
    assert listing.next is not None
    assert [row.ref.id for row in (await (await listing.next()).fetch()).rows] == [ids[0]]


async def test_an_answer_without_rows_at_all_is_no_empty_list() -> None:
    _, box, driver = opened()
    await found(driver, parse(""), now=NOW)
    box.script(Fault(status=200, json={"value": "none"}, path="/messages"))
    with pytest.raises(BadPayload) as caught:
        await found(driver, parse(""), now=NOW)
    assert caught.value.path == "$.value"
