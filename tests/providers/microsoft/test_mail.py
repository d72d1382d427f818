"""Every verb of the Outlook driver on the sandbox: what comes back, and what is refused unasked."""

from __future__ import annotations

import datetime as dt

import pytest

from mailkit.errors import (
    BadPayload,
    ConfigurationError,
    NotDownloadable,
    NotFound,
    PermissionMissing,
    ProviderError,
    RateLimited,
    Unavailable,
)
from mailkit.models.mail import Message
from mailkit.providers.base import Search
from mailkit.providers.microsoft.mail import OutlookDriver
from mailkit.query import parse
from mailkit.sandbox import Fault, File, Mail, MicrosoftMailbox, Person, Sandbox
from tests.support.drivers import UTC, found, outlook

pytestmark = pytest.mark.anyio

NOW = dt.datetime(2026, 3, 15, 12, tzinfo=dt.UTC)
AMY, MIA = Person("Amy", "amy@example.com"), Person("Mia", "mia@example.com")


def opened(scopes: frozenset[str] | None = None) -> tuple[Sandbox, MicrosoftMailbox, OutlookDriver]:
    sandbox = Sandbox()
    box = sandbox.microsoft("mia@example.com", scopes=scopes)
    return sandbox, box, outlook(sandbox, box, scopes=scopes)


async def test_many_messages_come_in_order_each_with_an_outcome() -> None:
    sandbox, box, driver = opened()
    ids = [box.add(Mail(from_=AMY, subject=f"Mail {n}", text="hello", date=NOW)) for n in range(45)]
    outcomes = await driver.get([*ids[:22], "AAkNoSuch=", *ids[22:]])
    assert isinstance(outcomes[22], NotFound)
    whole = [outcome for outcome in outcomes if isinstance(outcome, Message)]
    assert [message.ref.id for message in whole] == ids
    batches = [request for request in sandbox.requests if request.path.endswith("/$batch")]
    assert [len(batch.parts) for batch in batches[:3]] == [20, 20, 6]
    assert max(request.in_flight for request in sandbox.requests) <= 4


async def test_a_throttled_part_is_asked_again_and_only_that_one() -> None:
    sandbox, box, driver = opened()
    ids = [box.add(Mail(from_=AMY, subject=f"Mail {n}", date=NOW)) for n in range(8)]
    box.script(Fault.rate_limited(2, part=True, times=3))
    outcomes = await driver.get(ids)
    assert [m.ref.id for m in outcomes if isinstance(m, Message)] == ids
    assert [len(r.parts) for r in sandbox.requests if r.path.endswith("/$batch")][:2] == [8, 3]


async def test_a_message_has_its_html_headers_and_attachments() -> None:
    _, box, driver = opened()
    files = [
        File(name="plan.pdf", content=b"%PDF-1.4", content_type="application/pdf"),
        File(name="logo.png", content=b"png", content_type="image/png", inline=True, content_id="logo"),
    ]
    id_ = box.add(
        Mail(
            from_=AMY,
            to=[MIA],
            subject="Plan",
            html="<p>Hi <b>Mia</b></p>",
            files=files,
            list_id="<dev.example>",
            date=NOW,
        )
    )
    (message,) = await driver.get([id_])
    assert isinstance(message, Message)
    assert message.body.source == "html"
    assert "Mia" in message.body.text
    assert message.header("List-Id") == "<dev.example>"
    assert [(a.name, a.inline, a.content_id) for a in message.attachments] == [
        ("plan.pdf", False, None),
        ("logo.png", True, "logo"),
    ]
    assert message.raw is None
    (with_raw,) = await driver.get([id_], include_raw=True)
    assert isinstance(with_raw, Message)
    assert with_raw.raw is not None


async def test_a_thread_is_read_to_its_end_oldest_first_wherever_it_lies() -> None:
    _, box, driver = opened()
    ids = [
        box.add(Mail(from_=AMY, subject="Long talk", thread="talk", date=NOW + dt.timedelta(minutes=n)))
        for n in range(120)
    ]
    box.move(ids[3], "sent")
    box.move(ids[4], "trash")
    (row,), _ = await found(driver, parse("in:sent"), now=NOW)
    thread = await driver.thread(row.thread.id)
    assert [message.ref.id for message in thread.messages] == ids
    with pytest.raises(NotFound, match="no message of this thread"):
        await driver.thread("it's gone")


async def test_raw_is_the_message_as_bytes() -> None:
    _, box, driver = opened()
    id_ = box.load_eml(b"From: Amy <amy@example.com>\r\nSubject: As it came\r\n\r\nhello\r\n")
    assert b"Subject: As it came" in await driver.raw(id_)


async def test_labels_are_folders_and_categories_in_one_tree() -> None:
    _, box, driver = opened()
    box.add_folder("Projects/Alpha")
    box.add_folder("Secret", hidden=True)
    box.categories = ["Red", "Work/Clients"]
    for n in range(3):
        box.add(Mail(from_=AMY, folder="Projects/Alpha", read=n > 0, date=NOW))
    labels, problems = await driver.labels()
    assert not problems
    by_path = {label.path: label for label in labels}
    assert by_path["Inbox"].kind == "system"
    assert by_path["Inbox"].role == "inbox"
    alpha = by_path["Projects/Alpha"]
    assert (alpha.name, alpha.kind, alpha.role, alpha.total, alpha.unread) == ("Alpha", "folder", None, 3, 1)
    assert alpha.parent == by_path["Projects"].ref
    assert by_path["Work/Clients"].kind == "category"
    assert "Secret" not in by_path
    seen = [label.ref for label in labels]
    assert all(label.parent is None or label.parent in seen[: seen.index(label.ref)] for label in labels)


async def test_folders_and_categories_that_cannot_be_read_stand_beside_the_others() -> None:
    _, box, driver = opened()
    box.add_folder("Projects/Alpha")
    box.script(
        Fault(
            status=200,
            json={"value": [{"id": 5}, {"id": "x", "displayName": "X", "childFolderCount": 1}]},
            operation="folders.list",
        ),
        Fault(status=200, json={"value": [7, {"displayName": "Red"}, {}]}, operation="categories.list"),
    )
    labels, problems = await driver.labels()
    assert {"Inbox", "X", "Red"} <= {label.path for label in labels}
    assert [problem.path for problem in problems] == ["value[0].id", "value[0]", "value[2].displayName"]
    labels, problems = await driver.labels()  # each time anew
    assert "Projects/Alpha" in {label.path for label in labels}
    assert problems == []


async def test_more_folders_than_a_page_and_deeper_than_a_level_are_all_listed() -> None:
    _, box, driver = opened()
    for n in range(260):
        box.add_folder(f"Many/Folder {n:03}")
    box.add_folder("a/b/c/d/e")
    paths = {label.path for label in (await driver.labels())[0]}
    assert {f"Many/Folder {n:03}" for n in range(260)} <= paths
    assert "a/b/c/d/e" in paths


async def test_without_the_settings_permission_labels_are_folders_and_a_label_query_says_so() -> None:
    _, box, driver = opened(frozenset({"Mail.Read", "User.Read"}))
    box.categories = ["Work"]
    tagged = box.add(Mail(from_=AMY, labels=["work"], date=NOW))
    assert {label.kind for label in (await driver.labels())[0]} == {"system"}
    assert not driver.capabilities.categories
    rows, notes = await found(driver, parse("label:work"), now=NOW)
    assert [row.ref.id for row in rows] == [tagged]
    assert [(note.account, note.code) for note in notes] == [("work", "categories_unverified")]


async def test_attachments_of_every_kind_are_listed_and_read_or_refused() -> None:
    _, box, driver = opened()
    big = bytes(range(256)) * 4000
    files = [
        File(name="big.bin", content=big),
        File(name="Forwarded", content=b"Subject: inner\r\n\r\nhi\r\n", kind="item"),
        File(name="Cloud.docx", kind="link", url="https://files.example/cloud.docx"),
    ]
    id_ = box.add(Mail(from_=AMY, files=files, date=NOW))
    attachments, _ = await driver.attachments(id_)
    assert [(a.name, a.kind) for a in attachments] == [
        ("big.bin", "file"),
        ("Forwarded", "item"),
        ("Cloud.docx", "link"),
    ]
    read: list[bytes] = []
    for attachment in attachments[:2]:
        async with driver.read_attachment(id_, attachment.ref.part or "") as pieces:
            read.append(b"".join([piece async for piece in pieces]))
    assert read[0] == big
    assert b"Subject: inner" in read[1]
    with pytest.raises(NotDownloadable, match="open it in its own service"):
        async with driver.read_attachment(id_, attachments[2].ref.part or ""):
            pass
    with pytest.raises(NotFound):
        async with driver.read_attachment(id_, "AAMkNoSuch="):
            pass


async def test_what_is_no_attachment_stands_beside_the_others() -> None:
    _, box, driver = opened()
    message = box.add(Mail(subject="Plan", text="Here.", files=[File(name="plan.txt", content=b"x")]))
    box.script(Fault(status=200, json={"value": [7, {"id": "a1", "name": "plan.txt"}]}, operation="attachments.list"))
    attachments, problems = await driver.attachments(message)
    assert [attachment.name for attachment in attachments] == ["plan.txt"]
    assert [problem.path for problem in problems] == ["value[0]"]


async def test_what_kind_an_attachment_is_matters_only_where_it_is_refused() -> None:
    sandbox, box, driver = opened()
    id_ = box.add(Mail(from_=AMY, files=[File(name="page.html", content=b"<p>", content_type="text/html")], date=NOW))
    (attachment,), _ = await driver.attachments(id_)
    async with driver.read_attachment(id_, attachment.ref.part or "") as pieces:
        assert [piece async for piece in pieces] == [b"<p>"]
    for fault, error, questions in [
        (Fault.rate_limited(600), RateLimited, 0),
        (Fault.html_page(200), Unavailable, 0),
        (Fault(status=400), ProviderError, 1),
    ]:
        box.script(fault)
        sandbox.requests.clear()
        with pytest.raises(ProviderError) as caught:
            async with driver.read_attachment(id_, attachment.ref.part or ""):
                pass
        assert (type(caught.value), len(sandbox.requests)) == (error, 1 + questions)


async def test_a_message_is_never_empty() -> None:
    _, box, driver = opened()
    id_ = box.add(Mail(from_=AMY, date=NOW))
    box.script(Fault(status=200, body=b""))
    with pytest.raises(BadPayload):
        await driver.raw(id_)


async def test_me_is_asked_for_only_when_the_account_does_not_say_and_never_twice() -> None:
    sandbox = Sandbox()
    box = sandbox.microsoft("mia@example.com")
    mine = box.add(Mail(from_=MIA, folder="sent", date=NOW))
    driver = outlook(sandbox, box, states_address=False)
    for _ in range(2):
        rows, _notes = await found(driver, parse("from:me"), now=NOW)
        assert [row.ref.id for row in rows] == [mine]
    assert sum(request.path == "/v1.0/me" for request in sandbox.requests) == 1


async def test_without_the_profile_permission_the_sent_mail_tells_who_i_am() -> None:
    sandbox = Sandbox()
    box = sandbox.microsoft("mia@example.com", scopes=frozenset({"Mail.Read"}))
    driver = outlook(sandbox, box, states_address=False)
    with pytest.raises(ConfigurationError, match="pass address="):
        await found(driver, parse("from:me"), now=NOW)
    mine = box.add(Mail(from_=MIA, folder="sent", date=NOW))
    rows, _ = await found(driver, parse("from:me"), now=NOW)
    assert [row.ref.id for row in rows] == [mine]


@pytest.mark.parametrize("scopes", [set(), {"Calendars.Read"}, {"Mail.ReadBasic"}])
async def test_a_permission_known_to_be_missing_is_refused_before_anything_is_sent(scopes: set[str]) -> None:
    sandbox, _, driver = opened(frozenset(scopes))
    search = Search(expr=parse(""), now=NOW, tz=UTC, size=5)
    for verb in (
        driver.search(search),
        driver.plan(search),
        driver.get(["x"]),
        driver.thread("x"),
        driver.raw("x"),
        driver.labels(),
        driver.attachments("x"),
    ):
        with pytest.raises(PermissionMissing) as caught:
            await verb
        assert "Mail.Read" in caught.value.scopes
    with pytest.raises(PermissionMissing):
        driver.read_attachment("x", "y")
    assert not driver.capabilities.read_mail
    assert not sandbox.requests


@pytest.mark.parametrize("scope", ["mail.read", "https://graph.microsoft.com/Mail.ReadWrite"])
async def test_a_permission_may_be_written_as_its_url_and_in_any_case(scope: str) -> None:
    _, _, driver = opened()
    assert outlook(*opened()[:2], scopes=frozenset({scope})).capabilities.read_mail
    assert driver.capabilities.read_mail


async def test_a_message_of_the_wrong_shape_is_the_outcome_of_its_ref_only() -> None:
    _, box, driver = opened()
    ids = [box.add(Mail(from_=AMY, date=NOW)) for _ in range(2)]
    box.script(Fault(status=200, json={"id": ids[0], "receivedDateTime": 7}, part=True, operation="messages.get"))
    first, second = await driver.get(ids)
    assert isinstance(first, BadPayload)
    assert first.path == "$.receivedDateTime"
    assert isinstance(second, Message)
    box.script(Fault(status=200, json=["no message"], part=True, operation="messages.get"))
    assert [type(outcome) for outcome in await driver.get(ids)] == [BadPayload, Message]


async def test_a_mailbox_without_an_archive_is_read_all_the_same() -> None:
    _, box, driver = opened()
    id_ = box.add(Mail(from_=AMY, date=NOW))
    box.script(
        Fault(status=404, json={"error": {"code": "ErrorItemNotFound", "message": "x"}}, part=True, path="archive")
    )
    rows, _ = await found(driver, parse("in:archive OR in:inbox"), now=NOW)
    assert [row.ref.id for row in rows] == [id_]


async def test_folders_that_cannot_be_read_fail_the_search_rather_than_let_junk_through() -> None:
    _, box, driver = opened()
    box.add(Mail(from_=AMY, date=NOW))
    box.script(Fault.forbidden(part=True, times=None, path="deleteditems"))
    with pytest.raises(PermissionMissing):
        await found(driver, parse(""), now=NOW)
