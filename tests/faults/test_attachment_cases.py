"""The cases about attachments, each acted out where it happened."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import httpx
import pytest

from mailkit import Account, AsyncMailClient, HttpxTransport, NotDownloadable
from mailkit.mime.file_names import safe_file_name
from mailkit.models import Attachment
from mailkit.providers.google.gmail_wire import parts_from_wire
from mailkit.providers.microsoft.mail_wire import attachment_from_wire
from mailkit.sandbox import File, Mail, Sandbox
from mailkit.testing import sandbox_accounts
from mailkit.values import Ref
from tests.support.cases import Case, cases

pytestmark = pytest.mark.anyio


def case(id_: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("case", cases("faults.jsonl", lambda case: case["id"] == id_))


class Played:
    """Answers every path from a table, in turn where it holds a list; keeps what was asked."""

    def __init__(self, answers: Mapping[str, object]) -> None:
        self.answers = answers
        self.asked: list[str] = []

    def client(self) -> AsyncMailClient:
        transport = HttpxTransport(httpx_transport=httpx.MockTransport(self._answer))
        return AsyncMailClient(Account(name="home", provider="google", token="t", transport=transport))

    def _answer(self, request: httpx.Request) -> httpx.Response:
        path = request.url.path.partition("/users/me/")[2]
        self.asked.append(path)
        answer = self.answers[path]
        if isinstance(answer, list):
            answer = answer.pop(0)
        return httpx.Response(200, json=answer)


def gmail(*parts: Mapping[str, object]) -> dict[str, object]:
    return {
        "id": "m1",
        "threadId": "t1",
        "payload": {"partId": "", "mimeType": "multipart/mixed", "parts": list(parts)},
    }


REF = Ref(account="home", kind="attachment", id="m1", part="1")
TEXT = {"partId": "0", "mimeType": "text/plain", "filename": "", "body": {"size": 0}}


async def both(*files: File) -> list[tuple[AsyncMailClient, list[Attachment]]]:
    found = []
    sandbox = Sandbox()
    for box in (sandbox.google("ann@example.com"), sandbox.microsoft("ann@contoso.example")):
        box.add(Mail(text="Here", files=files))
        mail = AsyncMailClient(sandbox_accounts(sandbox, home=box), tz="UTC")
        found.append((mail, list(await mail.attachments.list((await mail.recent())[0]))))
    return found


def own(folder: Path) -> Path:
    folder.mkdir()
    folder.chmod(0o700)
    return folder


@case("C236")
async def test_what_has_the_name_is_left_alone(case: Case, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    names = case["input"]["names"]
    for number, (mail, listed) in enumerate(await both(*(File(name=name, content=b"x") for name in names))):
        folder = own(tmp_path / f"down{number}")
        (folder / names[0]).symlink_to(elsewhere)
        (folder / names[1]).mkdir()
        paths = [await mail.attachments.save(each, folder) for each in listed]
        assert [path.name for path in paths] == ["a (2).txt", "b (2).txt"]
        assert not elsewhere.exists()


@case("C237")
async def test_nameless_and_namesakes(case: Case, tmp_path: Path) -> None:
    files = [
        File(
            name=part["name"] or "",
            content_type=part["content_type"],
            content=b"From: a@example.com\r\n\r\nx\r\n" if part["content_type"] == "message/rfc822" else b"%d" % number,
            kind="item" if part["content_type"] == "message/rfc822" else "file",
        )
        for number, part in enumerate(case["input"]["parts"])
    ]
    generated = case["expected"]["generated_names"]
    for number, (mail, listed) in enumerate(await both(*files)):
        assert len({each.ref for each in listed}) == case["expected"]["count"]
        folder = own(tmp_path / f"down{number}")
        paths = [await mail.attachments.save(each, folder) for each in listed]
        assert [path.name for path in paths] == [*generated, "a.pdf", "a (2).pdf"]
        assert [path.read_bytes() for path in paths if path.suffix != ".eml"] == [b"0", b"2", b"3"]
        assert b"\r\n\r\nx" in (folder / generated[1]).read_bytes()


@case("C238")
async def test_zero_bytes_are_a_file(case: Case, tmp_path: Path) -> None:
    expected = case["expected"]["each"]
    played = Played({"messages/m1": gmail(TEXT, {"partId": "1", **case["input"]["gmail_part"]})})
    async with played.client() as mail:
        assert await mail.attachments.read(REF) == b""
    wire = attachment_from_wire({"id": "1", **case["input"]["graph"]}, "$", account="home", message_id="m1")
    assert (wire.name, wire.kind) == (expected["name"], "file")
    for number, (client, (listed,)) in enumerate(await both(File(name=expected["name"], content_type="text/plain"))):
        path = await client.attachments.save(listed, own(tmp_path / f"down{number}"))
        assert (path.name, path.stat().st_size) == (expected["name"], 0)


@case("C239")
async def test_an_empty_file_does_not_grow(case: Case) -> None:
    sandbox = Sandbox()
    raw = case["input"]["raw"].encode()
    for box in (sandbox.google("ann@example.com"), sandbox.microsoft("ann@contoso.example")):
        box.load_eml(raw)
        async with AsyncMailClient(sandbox_accounts(sandbox, home=box), tz="UTC") as mail:
            (listed,) = await mail.attachments.list((await mail.recent())[0])
            assert listed.size == case["expected"]["attachment_size"]
            assert await mail.attachments.read(listed) == b""


@case("C241")
async def test_an_item_is_saved_as_its_text(case: Case, tmp_path: Path) -> None:
    (graph,) = case["input"]["graph_attachments"]
    item = attachment_from_wire(graph, "$", account="home", message_id="m1")
    assert (item.kind, item.content_type) == (case["expected"]["kind"], "message/rfc822")
    assert safe_file_name(item.name, item.content_type) == "Fwd_ report.eml"
    sandbox = Sandbox()
    box = sandbox.microsoft("ann@contoso.example")
    box.add(Mail(text="Here", files=[File(name=graph["name"], content=b"Subject: report\r\n\r\n", kind="item")]))
    async with AsyncMailClient(sandbox_accounts(sandbox, home=box), tz="UTC") as mail:
        (listed,) = await mail.attachments.list((await mail.recent())[0])
        assert (await mail.attachments.save(listed, own(tmp_path / "down"))).name == "Fwd_ report.eml"
    assert sandbox.requests[-1].path.endswith("/$value")


@case("C243")
async def test_a_link_has_no_bytes(case: Case, tmp_path: Path) -> None:
    (graph,) = case["input"]["graph_attachments"]
    link = attachment_from_wire(graph, "$", account="home", message_id="m1")
    assert (link.kind, link.url) == (case["expected"]["kind"], None)
    told = {**graph, "sourceUrl": "https://cloud.example/b"}
    assert attachment_from_wire(told, "$", account="home", message_id="m1").url == "https://cloud.example/b"
    sandbox = Sandbox()
    box = sandbox.microsoft("ann@contoso.example")
    box.add(Mail(text="Here", files=[File(name=graph["name"], kind="link", url="https://cloud.example/b")]))
    folder = own(tmp_path / "down")
    async with AsyncMailClient(sandbox_accounts(sandbox, home=box), tz="UTC") as mail:
        (listed,) = await mail.attachments.list((await mail.recent())[0])
        with pytest.raises(NotDownloadable):
            await mail.attachments.save(listed, folder)
    assert list(folder.iterdir()) == []


@case("C244")
async def test_gmails_ids_of_attachments_are_never_kept(case: Case) -> None:
    stored, (_, _, new) = case["input"]["stored"], case["input"]["responses"]
    played = Played(
        {
            f"messages/{stored['messageId']}": gmail(
                TEXT, {"partId": stored["partId"], "mimeType": "a/b", "filename": "a", "body": {"attachmentId": "NEW"}}
            ),
            "messages/m1/attachments/NEW": new["attachments/NEW"],
        }
    )
    async with played.client() as mail:
        assert (await mail.attachments.read(REF)).decode() == case["expected"]["bytes"]
    assert len(played.asked) == case["expected"]["extra_calls"]


@case("C245")
async def test_an_attachment_is_its_part(case: Case) -> None:
    first, second = (case["input"][name]["parts"] for name in ("first_get", "second_get"))
    one, other = ([part.id for part in parts_from_wire(gmail(*parts), "$")] for parts in (first, second))
    assert one == other == ["1"]


@case("C246")
async def test_name_and_type_come_from_the_part(case: Case, tmp_path: Path) -> None:
    part, expected = case["input"]["part"], case["expected"]["attachment"]
    whole = {**gmail(TEXT, {**part, "body": {"attachmentId": "A", "size": 3}}), "internalDate": "1700000000000"}
    batch = (
        "--b\r\nContent-Type: application/http\r\nContent-ID: <response-{id}>\r\n\r\nHTTP/1.1 200 OK\r\n"
        "Content-Type: application/json\r\n\r\n" + json.dumps(whole) + "\r\n--b--"
    )

    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.path.startswith("/batch"):
            id_ = request.content.decode().partition("Content-ID: <")[2].partition(">")[0]
            return httpx.Response(
                200, headers={"content-type": "multipart/mixed; boundary=b"}, text=batch.replace("{id}", id_)
            )
        return httpx.Response(
            200, json=case["input"]["attachments_get"] if "attachments" in request.url.path else whole
        )

    transport = HttpxTransport(httpx_transport=httpx.MockTransport(answer))
    account = Account(name="home", provider="google", token="t", transport=transport)
    async with AsyncMailClient(account) as mail:
        path = await mail.attachments.save(
            Ref(account="home", kind="attachment", id="m1", part=part["partId"]), own(tmp_path / "down")
        )
        (listed,) = await mail.attachments.list("m1")
    assert (path.name, path.read_text()) == (expected["name"], expected["content"])
    assert (listed.name, listed.content_type) == (expected["name"], expected["content_type"])


@case("C247")
async def test_many_messages_bring_the_names_along_without_the_bytes(case: Case) -> None:
    sandbox = Sandbox()
    for box in (sandbox.google("ann@example.com"), sandbox.microsoft("ann@contoso.example")):
        ids = [box.add(Mail(text="Here", files=[File(name=f"{n}.bin", content=bytes(9999))])) for n in range(25)]
        sandbox.requests.clear()
        async with AsyncMailClient(sandbox_accounts(sandbox, home=box), tz="UTC") as mail:
            outcomes = await mail.get_many(ids)
        assert [outcome.unwrap().attachments[0].name for outcome in outcomes] == [f"{n}.bin" for n in range(25)]
        parts = [part for request in sandbox.requests for part in request.parts]
        assert not any(part.path.endswith("/attachments") for part in parts)
        assert not any("attachments.get" in str(part.operation) for part in parts)
        assert len(sandbox.requests) <= 4
        for part in parts:
            if box.provider == "microsoft":
                assert "attachments($select=" in httpx.URL(part.url).params.get("$expand", "attachments($select=")
    assert case["expected"]["never"].startswith("contentBytes")
