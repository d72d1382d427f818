"""Lists in pages: links byte for byte, checked before any request, and an end to circles."""

from __future__ import annotations

import pytest

from mailkit.errors import BadPayload, Unavailable
from mailkit.transport import Call
from tests.support.wire import Reply, SmallDialect, bench, reply

pytestmark = pytest.mark.anyio

BASE = "https://graph.example/v1.0"
GRAPH = SmallDialect(base_url=BASE)
LIST = Call(
    operation="mail.search",
    url="/me/mailFolders/AQMk-x/messages",
    query=(("$top", "3"),),
    headers=(("Prefer", 'IdType="ImmutableId"'),),
)
PATH = f"{BASE}/me/mailFolders/AQMk-x/messages"


def page(*rows: str, link: object = None) -> Reply:
    return reply(json={"value": list(rows), **({"@odata.nextLink": link} if link is not None else {})}, request_id="r")


async def test_pages_are_followed_and_an_empty_one_is_not_the_end() -> None:
    links = [f"{PATH}?$skip={n}" for n in (3, 6, 9)]
    b = bench([page("a", "b", link=links[0]), page("c", link=links[1]), page(link=links[2]), page("d")], dialect=GRAPH)
    pages = [answer.json() async for answer in b.session.pages(LIST)]
    assert [p["value"] for p in pages if isinstance(p, dict)] == [["a", "b"], ["c"], [], ["d"]]
    assert [r.url for r in b.transport.requests] == [f"{PATH}?$top=3", *links]
    assert all(("Prefer", 'IdType="ImmutableId"') in r.headers for r in b.transport.requests)


async def test_a_link_goes_back_byte_for_byte() -> None:
    token = "%5b%7B%22token%22%3a%22%2bRID%3a~x%3d%3d%23RT%3a1%22%7D%5d"
    link = f"{PATH}?$skiptoken={token}&$filter=subject%20eq%20%27a%2Bb%27"
    b = bench([page(link=link), page()], dialect=GRAPH)
    assert len([answer async for answer in b.session.pages(LIST)]) == 2
    assert b.transport.requests[1].url == link


async def test_graph_s_other_way_to_write_the_same_path_is_followed() -> None:
    link = f"{BASE}/me/mailfolders('AQMk-x')/messages?$skiptoken=1"
    b = bench([page(link=link), page()], dialect=GRAPH)
    assert len([answer async for answer in b.session.pages(LIST)]) == 2


@pytest.mark.parametrize(
    "link",
    [
        "https://evil.example.net/v1.0/me/mailFolders/AQMk-x/messages?$skip=10",
        "https://graph.example.evil.net/v1.0/me/mailFolders/AQMk-x/messages",
        "http://graph.example/v1.0/me/mailFolders/AQMk-x/messages?$skip=10",
        "https://graph.example@evil.example.net/v1.0/me/mailFolders/AQMk-x/messages",
        "https://graph.example:8443/v1.0/me/mailFolders/AQMk-x/messages",
        "https://graph.example/v1.0/me/mailFolders/AQMk-x",
        "https://graph.example/v1.0/me/mailFolders/other/messages",
        "https://graph.example/v1.0/me/mailFolders/AQMk-x/messages/../../../drafts",
        "https://graph.example/v1.0/me/mailFolders/AQMk-x%2fmessages",
        "https://graph.example\\@evil.net/v1.0/me/mailFolders/AQMk-x/messages",
        "https://graph.example/v1.0/me/mailFolders/AQMk-x/messages#x",
        "https://graph.example/v1.0/me/mailFolders/AQMk-x/messages?a b",
        "https://graph.example/v1.0/me/mailFolders/AQMk-x/messages?a\nb",
        "https://gráph.example/v1.0/me/mailFolders/AQMk-x/messages",
        "/v1.0/me/mailFolders/AQMk-x/messages?$skip=10",
        "",
        7,
        {"href": "x"},
    ],
)
async def test_a_link_that_leads_elsewhere_is_refused_before_any_request(link: object) -> None:
    b = bench([page("a", link=link)], dialect=GRAPH)
    with pytest.raises(BadPayload) as caught:
        await anext(b.session.pages(LIST))
    error = caught.value
    assert (error.code, error.path) == ("foreign_link", "@odata.nextLink")
    assert (error.account, error.operation, error.status, error.request_id) == ("work", "mail.search", 200, "r")
    assert len(b.transport.requests) == 1


@pytest.mark.parametrize("same", ["https://GRAPH.example:443/v1.0", "HTTPS://graph.example/v1.0"])
async def test_one_origin_written_in_another_way_is_the_same(same: str) -> None:
    b = bench([page(link=f"{same}/me/mailFolders/AQMk-x/messages?$skip=1"), page()], dialect=GRAPH)
    assert len([answer async for answer in b.session.pages(LIST)]) == 2


async def test_a_base_of_one_s_own_sets_the_origin() -> None:
    base = "http://127.0.0.1:4000/graph"
    b = bench(
        [page(link=f"{base}/me/mailFolders/AQMk-x/messages?$skip=1"), page(link=f"{PATH}?$skip=2")],
        dialect=GRAPH,
        account={"base_url": base},
    )
    pages = b.session.pages(LIST)
    await anext(pages)
    with pytest.raises(BadPayload):
        await anext(pages)


@pytest.mark.parametrize("circle", [[f"{PATH}?$skip=1"] * 2, [f"{PATH}?$skip=1", f"{PATH}?$top=3"]])
async def test_a_circle_ends(circle: list[str]) -> None:
    b = bench([page("a", link=link) for link in circle], dialect=GRAPH)
    with pytest.raises(BadPayload) as caught:
        _ = [answer async for answer in b.session.pages(LIST)]
    assert caught.value.code == "endless_pages"
    assert len(b.transport.requests) == 2


async def test_links_that_never_repeat_end_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mailkit.transport.pages._MOST_PAGES", 5)
    b = bench((page(link=f"{PATH}?$skip={n}") for n in range(100)), dialect=GRAPH)
    with pytest.raises(BadPayload):
        _ = [answer async for answer in b.session.pages(LIST)]
    assert len(b.transport.requests) == 5


async def test_a_page_that_is_no_object_is_an_error() -> None:
    b = bench([reply(json=["a"])], dialect=GRAPH)
    with pytest.raises(BadPayload) as caught:
        await anext(b.session.pages(LIST))
    assert caught.value.code == "not_a_page"


async def test_after_a_failed_page_the_next_step_asks_for_it_again() -> None:
    link = f"{PATH}?$skip=1"
    b = bench([page("a", link=link), *[reply(503)] * 4, page("b")], dialect=GRAPH)
    pages = b.session.pages(LIST)
    await anext(pages)
    with pytest.raises(Unavailable):
        await anext(pages)
    assert (await anext(pages)).json() == {"value": ["b"]}
    assert [r.url for r in b.transport.requests[1:]] == [link] * 5
    with pytest.raises(StopAsyncIteration):
        await anext(pages)


async def test_a_link_may_start_a_list() -> None:
    link = f"{PATH}?$skip=1"
    b = bench([page("a", link=f"{PATH}?$skip=2"), page("b")], dialect=GRAPH)
    assert len([answer async for answer in b.session.pages(Call(operation="mail.search", url=link))]) == 2
