from __future__ import annotations

import base64
import datetime as dt
from typing import Any

import httpx
import pytest

from mailkit.sandbox import Fault, File, Mail, Sandbox, VirtualClock
from mailkit.sandbox.microsoft import MicrosoftMailbox
from tests.support.graph import IMMUTABLE, Graph, to

MB = 1024 * 1024
DATA = bytes(range(256)) * (20 * 1024)  # 5 MB
CHUNK = 12 * 320 * 1024
NOTE = {
    "@odata.type": "#microsoft.graph.fileAttachment",
    "name": "a.txt",
    "contentBytes": "aGk=",
    "contentType": "text/plain",
}


@pytest.fixture
def draft(graph: Graph) -> str:
    made = graph.made("/me/messages", {"subject": "Plan", "toRecipients": to("bob@example.com")})
    return f"/me/messages/{made['id']}"


@pytest.fixture
def outside(sandbox: Sandbox) -> httpx.Client:
    """Give a client that knows no token."""
    return httpx.Client(transport=sandbox.transport())


def opened(graph: Graph, draft: str, **item: Any) -> dict[str, Any]:
    item = {"attachmentType": "file", "name": "big.bin", "size": len(DATA), **item}
    return graph.made(f"{draft}/attachments/createUploadSession", {"AttachmentItem": item})


def put(outside: httpx.Client, url: str, first: int, content: bytes, size: int = len(DATA)) -> httpx.Response:
    span = f"bytes {first}-{first + len(content) - 1}/{size}"
    return outside.put(url, content=content, headers={"content-range": span})


def test_files_go_on_and_come_off(graph: Graph, draft: str) -> None:
    made = [graph.made(f"{draft}/attachments", NOTE | {"name": name}) for name in ("a", "b", "a")]
    assert (made[0]["@odata.type"], made[0]["size"], made[0]["contentType"]) == (NOTE["@odata.type"], 2, "text/plain")
    assert graph.json(draft)["hasAttachments"] is True
    listed = graph.json(f"{draft}/attachments")["value"]
    assert [row["id"] for row in listed] == [row["id"] for row in made]
    assert len({row["id"] for row in made}) == 3
    assert graph.write("DELETE", f"{draft}/attachments/{made[0]['id']}").status_code == 204
    assert graph.get(f"{draft}/attachments/{made[1]['id']}/$value").content == b"hi"
    graph.made(f"{draft}/attachments", NOTE | {"name": "c"})
    rows = graph.json(f"{draft}/attachments")["value"]
    assert [row["name"] for row in rows] == ["b", "a", "c"]
    assert [row["id"] for row in rows[:2]] == [row["id"] for row in made[1:]]
    assert rows[2]["id"] != made[0]["id"]
    assert graph.refused("DELETE", f"{draft}/attachments/none") == (404, "ErrorItemNotFound")


def test_items_and_links_go_on_too(graph: Graph, draft: str) -> None:
    item = {
        "@odata.type": "#microsoft.graph.message",
        "subject": "Inner",
        "body": {"contentType": "text", "content": "x"},
    }
    graph.made(
        f"{draft}/attachments", {"@odata.type": "#microsoft.graph.itemAttachment", "name": "Inner", "item": item}
    )
    graph.made(f"{draft}/attachments", {"@odata.type": "#microsoft.graph.referenceAttachment", "name": "Cloud"})
    inner, link = graph.json(f"{draft}/attachments")["value"]
    assert [inner["@odata.type"], link["@odata.type"]] == [
        "#microsoft.graph.itemAttachment",
        "#microsoft.graph.referenceAttachment",
    ]
    assert b"Subject: Inner" in graph.get(f"{draft}/attachments/{inner['id']}/$value").content


@pytest.mark.parametrize(
    "change", [{"name": None}, {"contentBytes": "*"}, {"contentBytes": None}, {"@odata.type": "#microsoft.graph.file"}]
)
def test_files_that_are_refused(graph: Graph, draft: str, change: dict[str, Any]) -> None:
    assert graph.refused("POST", f"{draft}/attachments", NOTE | change)[0] == 400


def test_a_large_file_comes_in_parts(box: MicrosoftMailbox, graph: Graph, draft: str, outside: httpx.Client) -> None:
    session = opened(graph, draft, contentType="image/jpeg", isInline=True, contentId="pic")
    url = session["uploadUrl"]
    assert url.startswith("https://outlook.office.com/")
    assert session["nextExpectedRanges"] == ["0-"]
    first = put(outside, url, 0, DATA[:CHUNK])
    assert (first.status_code, first.json()["nextExpectedRanges"]) == (200, [str(CHUNK)])
    assert graph.json(f"{draft}/attachments")["value"] == []
    assert outside.get(url).json()["nextExpectedRanges"] == [str(CHUNK)]
    last = put(outside, url, CHUNK, DATA[CHUNK:])
    assert (last.status_code, last.content) == (201, b"")
    (row,) = graph.json(f"{draft}/attachments")["value"]
    assert last.headers["location"].endswith(f"/Attachments('{row['id']}')")
    assert (row["name"], row["contentType"], row["isInline"], row["contentId"]) == (
        "big.bin",
        "image/jpeg",
        True,
        "pic",
    )
    assert base64.b64decode(row["contentBytes"]) == DATA
    assert outside.get(url).status_code == 404


def test_parts_come_in_order_and_whole(graph: Graph, draft: str, outside: httpx.Client) -> None:
    url = opened(graph, draft)["uploadUrl"]
    assert put(outside, url, CHUNK, DATA[CHUNK:]).status_code == 416
    assert put(outside, url, 0, DATA[:CHUNK], size=9).status_code == 416
    assert put(outside, url, 0, b"x" * (4 * MB + 1)).status_code == 413
    assert outside.put(url, content=DATA[:9]).status_code == 400
    assert outside.put(url, content=DATA[:9], headers={"content-range": "bytes 0-7/5242880"}).status_code == 416
    assert put(outside, url, 0, DATA[:CHUNK]).status_code == 200
    assert put(outside, url, 0, DATA[:CHUNK]).status_code == 416
    assert outside.get(url).json()["nextExpectedRanges"] == [str(CHUNK)]


def test_the_url_opens_itself_and_no_token_does(graph: Graph, draft: str, outside: httpx.Client) -> None:
    url = opened(graph, draft)["uploadUrl"]
    refused = graph.http.put(url, content=DATA[:9], headers={"content-range": "bytes 0-8/5242880"})
    assert (refused.status_code, refused.json()["error"]["code"]) == (401, "InvalidAuthenticationToken")
    assert outside.get(url.partition("?")[0]).status_code == 401
    assert outside.get(url.replace("authtoken=", "authtoken=x")).status_code == 401
    assert outside.get(url + "&select=x").status_code == 400
    assert outside.get("https://outlook.office.com/api/v2.0/me").status_code == 401


def test_a_session_ends(
    sandbox: Sandbox, box: MicrosoftMailbox, graph: Graph, draft: str, outside: httpx.Client
) -> None:
    assert isinstance(sandbox.clock, VirtualClock)
    cancelled, late, orphan = (opened(graph, draft)["uploadUrl"] for _ in range(3))
    assert len({cancelled, late, orphan}) == 3
    assert outside.delete(cancelled).status_code == 204
    assert outside.get(cancelled).status_code == 404
    assert graph.write("DELETE", draft).status_code == 204
    assert put(outside, orphan, 0, DATA[:CHUNK]).status_code == 404
    session = opened(graph, f"/me/messages/{box.add(Mail(folder='drafts'))}")
    expires = dt.datetime.fromisoformat(session["expirationDateTime"])
    sandbox.clock.advance((expires - sandbox.clock.now()).total_seconds())
    assert put(outside, session["uploadUrl"], 0, DATA[:CHUNK]).status_code == 404


@pytest.mark.parametrize(
    ("item", "refusal"),
    [
        ({"size": 2 * MB - 1}, (400, "ErrorAttachmentSizeShouldNotBeLessThanMinimumSize")),
        ({"size": 150 * MB + 1}, (413, "ErrorAttachmentSizeLimitExceeded")),
        ({"size": "5"}, (400, "RequestBodyRead")),
        ({"attachmentType": "item"}, (400, "RequestBodyRead")),
        ({"name": None}, (400, "RequestBodyRead")),
    ],
)
def test_sessions_that_are_refused(graph: Graph, draft: str, item: dict[str, Any], refusal: tuple[int, str]) -> None:
    body = {"attachmentItem": {"attachmentType": "file", "name": "big.bin", "size": 5 * MB, **item}}
    assert graph.refused("POST", f"{draft}/attachments/createUploadSession", body) == refusal


def test_an_upload_can_go_wrong_in_the_middle(
    box: MicrosoftMailbox, graph: Graph, draft: str, outside: httpx.Client
) -> None:
    url = opened(graph, draft)["uploadUrl"]
    box.script(Fault.reset(operation="uploads.put"), Fault.server_error(503, operation="uploads.put"))
    with pytest.raises(httpx.ReadError):
        put(outside, url, 0, DATA[:CHUNK])
    assert outside.get(url).json()["nextExpectedRanges"] == [str(CHUNK)]
    assert put(outside, url, CHUNK, DATA[CHUNK:]).status_code == 503
    assert put(outside, url, CHUNK, DATA[CHUNK:]).status_code == 201


def test_ids_of_attachments_survive_other_changes(box: MicrosoftMailbox, graph: Graph) -> None:
    key = box.add(Mail(files=[File(name="a", content=b"1")]))
    before = graph.json(f"/me/messages/{key}/attachments")["value"][0]["id"]
    graph.changed(f"/me/messages/{key}", {"isRead": True})
    moved = graph.made(f"/me/messages/{key}/move", {"destinationId": "archive"}, prefer=IMMUTABLE)
    assert graph.json(f"/me/messages/{moved['id']}/attachments")["value"][0]["id"] == before
