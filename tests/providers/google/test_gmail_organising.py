"""Putting mail in order at Gmail: which labels a change puts on and takes off, and what is told of each message."""

from __future__ import annotations

import json
from urllib.parse import urlsplit

import pytest

from mailkit.errors import (
    Conflict,
    NotFound,
    PermissionMissing,
    ProviderError,
    RateLimited,
    Unavailable,
    Unsupported,
    UsageError,
)
from mailkit.providers.google.gmail import GmailDriver
from mailkit.providers.organising import Change, Mark, Move, Relabel, Target
from mailkit.sandbox import Fault, GoogleMailbox, Mail, Sandbox
from mailkit.values import Ref
from tests.support.drivers import gmail

pytestmark = pytest.mark.anyio

SCOPE = "https://www.googleapis.com/auth/"
LABEL = Ref(account="work", kind="label", id="Label_1")


@pytest.fixture
def sandbox() -> Sandbox:
    return Sandbox()


@pytest.fixture
def box(sandbox: Sandbox) -> GoogleMailbox:
    box = sandbox.google("ann@example.com")
    box.label("Projects")  # Label_1
    return box


@pytest.fixture
def driver(sandbox: Sandbox, box: GoogleMailbox) -> GmailDriver:
    return gmail(sandbox, box)


def labels(box: GoogleMailbox, message_id: str) -> set[str]:
    entry = box.get(message_id)
    assert entry is not None
    return set(box.label_ids(entry))


def asked(sandbox: Sandbox) -> list[tuple[str | None, int]]:
    return [(request.operation, len(request.parts)) for request in sandbox.requests]


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (Mark(read=True), ([], ["UNREAD"])),
        (Mark(read=False), (["UNREAD"], [])),
        (Mark(starred=True), (["STARRED"], [])),
        (Mark(read=True, starred=False), ([], ["UNREAD", "STARRED"])),
        (Move(to="archive", only_from="inbox"), ([], ["INBOX"])),
        (Move(to="archive"), ([], ["INBOX", "SPAM", "TRASH"])),
        (Move(to="inbox"), (["INBOX"], ["SPAM", "TRASH"])),
        (Move(to="trash"), (["TRASH"], ["SPAM"])),
        (Move(to="spam"), (["SPAM"], ["INBOX", "TRASH"])),
        (Move(to=LABEL), (["Label_1"], ["INBOX", "SPAM", "TRASH"])),
        (Relabel(add=(LABEL,)), (["Label_1"], [])),
        (Relabel(remove=(LABEL,)), ([], ["Label_1"])),
    ],
)
async def test_a_change_is_one_request_for_all_and_a_look_at_each(
    box: GoogleMailbox, driver: GmailDriver, sandbox: Sandbox, change: Change, expected: tuple[list[str], list[str]]
) -> None:
    add, remove = expected
    ids = [box.add(Mail(subject=str(number), text="x", starred=True)) for number in range(3)]
    assert await driver.organise([Target(id=each) for each in ids], change, operation="mail.star") == ids
    modify, look = sandbox.requests
    assert modify.operation == "messages.batchModify"
    body = json.loads(modify.content)
    assert (body["ids"], body.get("addLabelIds", []), body.get("removeLabelIds", [])) == (ids, add, remove)
    assert [part.operation for part in look.parts] == ["messages.get"] * 3
    assert {urlsplit(part.url).query for part in look.parts} == {"format=minimal&fields=id%2ClabelIds"}
    assert all(labels(box, each).issuperset(add) and labels(box, each).isdisjoint(remove) for each in ids)


async def test_five_hundred_take_two_round_trips(sandbox: Sandbox, box: GoogleMailbox, driver: GmailDriver) -> None:
    ids = [box.add(Mail(subject=str(number), text="x")) for number in range(500)]
    for gone in ids[7::50]:
        box.remove(gone)
    outcomes = await driver.organise(
        [Target(id=each) for each in ids], Move(to="archive", only_from="inbox"), operation="mail.archive"
    )
    assert asked(sandbox)[0] == ("messages.batchModify", 0)
    assert {operation for operation, _ in asked(sandbox)[1:]} == {"batch"}
    assert sum(parts for _, parts in asked(sandbox)) == 500
    failed = [each for each, outcome in zip(ids, outcomes, strict=True) if isinstance(outcome, NotFound)]
    assert failed == ids[7::50]
    assert [outcome for outcome in outcomes if isinstance(outcome, str)] == [each for each in ids if each not in failed]


async def test_only_what_lies_in_the_trash_comes_back(
    box: GoogleMailbox, driver: GmailDriver, sandbox: Sandbox
) -> None:
    trashed = box.add(Mail(subject="a", text="x", folder="trash"))
    archived = box.add(Mail(subject="b", text="x", folder="archive"))
    sent = box.add(Mail(subject="c", text="x", folder="sent"))
    await driver.organise([Target(id=sent)], Move(to="trash"), operation="mail.trash")
    assert labels(box, sent) >= {"SENT", "TRASH"}
    sandbox.requests.clear()
    ids = [trashed, archived, sent, "nothing"]
    *done, missing = await driver.organise(
        [Target(id=each) for each in ids], Move(to="inbox", only_from="trash"), operation="mail.untrash"
    )
    assert done == [trashed, archived, sent]
    assert isinstance(missing, NotFound)
    assert labels(box, trashed) >= {"INBOX"}
    assert labels(box, trashed).isdisjoint({"TRASH"})
    assert "INBOX" not in labels(box, archived)
    assert labels(box, sent).isdisjoint({"TRASH", "INBOX"})


@pytest.mark.parametrize("change", [Mark(starred=True), Mark(read=True)])
async def test_what_did_not_come_about_cannot_be_verified(
    box: GoogleMailbox, driver: GmailDriver, change: Change
) -> None:
    ids = [box.add(Mail(subject=str(number), text="x")) for number in range(3)]
    box.script(Fault(operation="messages.get", json={"id": ids[1], "labelIds": ["UNREAD"]}, status=200, skip=1))
    outcomes = await driver.organise([Target(id=each) for each in ids], change, operation="mail.star")
    assert (outcomes[0], outcomes[2]) == (ids[0], ids[2])
    assert isinstance(outcomes[1], ProviderError)
    assert outcomes[1].code == "unverified"


async def test_throttled_looks_are_repeated_alone(sandbox: Sandbox, box: GoogleMailbox, driver: GmailDriver) -> None:
    ids = [box.add(Mail(subject=str(number), text="x")) for number in range(30)]
    box.script(Fault.rate_limited(operation="messages.get", times=4))
    assert await driver.organise([Target(id=each) for each in ids], Mark(starred=True), operation="mail.star") == ids
    assert sorted(len(request.parts) for request in sandbox.requests) == [0, 4, 10, 20]


async def test_a_refused_list_is_changed_one_by_one(sandbox: Sandbox, box: GoogleMailbox, driver: GmailDriver) -> None:
    ids = [box.add(Mail(subject="x", text="x")), "no id of Gmail's"]
    box.script(Fault(status=400, reason="invalidArgument", operation="messages.batchModify"))
    done, failed = await driver.organise([Target(id=each) for each in ids], Mark(starred=True), operation="mail.star")
    assert done == ids[0]
    assert isinstance(failed, NotFound)
    assert [part.operation for part in sandbox.requests[-1].parts] == ["messages.modify"] * 2
    assert json.loads(sandbox.requests[-1].parts[0].content) == {"addLabelIds": ["STARRED"]}


async def test_an_account_that_is_not_well_says_so_for_each(box: GoogleMailbox, driver: GmailDriver) -> None:
    ids = [box.add(Mail(subject=str(number), text="x")) for number in range(2)]
    box.script(Fault.server_error(operation="messages.batchModify", times=None))
    first, second = await driver.organise(
        [Target(id=each) for each in ids], Mark(read=True), operation="mail.mark_read"
    )
    assert isinstance(first, Unavailable)
    assert isinstance(second, Unavailable)
    assert first is not second


async def test_a_conversation_moves_without_what_was_sent_drafted_or_thrown_away(
    box: GoogleMailbox, driver: GmailDriver
) -> None:
    places = ("inbox", "archive", "sent", "drafts", "trash", "spam")
    ids = {place: box.add(Mail(subject="x", text="x", folder=place, thread="t")) for place in places}
    thread = box.get(ids["inbox"]).thread_id  # type: ignore[union-attr]  # it is there

    async def concerned(change: Change) -> set[str]:
        found, missing = await driver.members([thread, "1"], change, operation="mail.move")
        assert isinstance(missing, NotFound)
        assert isinstance(found, tuple)
        return {place for place, each in ids.items() if each in {target.id for target in found}}

    assert await concerned(Move(to="trash")) == {"inbox", "archive"}
    assert await concerned(Move(to="archive", only_from="inbox")) == {"inbox"}
    assert await concerned(Move(to="inbox", only_from="spam")) == {"spam"}
    assert await concerned(Mark(read=True)) == set(places)


@pytest.mark.parametrize("scopes", [{f"{SCOPE}gmail.readonly"}, {f"{SCOPE}gmail.compose", f"{SCOPE}gmail.labels"}])
async def test_without_the_permission_nothing_is_asked(sandbox: Sandbox, box: GoogleMailbox, scopes: set[str]) -> None:
    driver = gmail(sandbox, box, scopes=frozenset(scopes))
    assert not driver.capabilities.organise
    with pytest.raises(PermissionMissing) as refused:
        await driver.organise([Target(id="1")], Mark(read=True), operation="mail.mark_read")
    assert f"{SCOPE}gmail.modify" in refused.value.scopes
    with pytest.raises(PermissionMissing):
        await driver.members(["1"], Mark(read=True), operation="mail.mark_read")
    assert not sandbox.requests


async def test_a_refusal_of_gmail_names_the_permission(sandbox: Sandbox) -> None:
    box = sandbox.google("bob@example.com", scopes={f"{SCOPE}gmail.readonly"})
    each = box.add(Mail(subject="x", text="x"))
    driver = gmail(sandbox, box)
    (outcome,) = await driver.organise([Target(id=each)], Mark(read=True), operation="mail.mark_read")
    assert isinstance(outcome, PermissionMissing)


# -- labels ----------------------------------------------------------------------------------------------------------


async def test_labels_are_found_by_their_exact_names(box: GoogleMailbox, driver: GmailDriver) -> None:
    box.label("Projects/Alpha")
    found = await driver.find_labels(["Projects/Alpha", "Projects"], "add", create=False, operation="mail.add_labels")
    assert [ref.id for ref in found] == ["Label_2", "Label_1"]
    with pytest.raises(NotFound) as missing:
        await driver.find_labels(["projects/alfa"], "add", create=False, operation="mail.add_labels")
    assert missing.value.near[0] == "Projects/Alpha"
    assert "alfa" not in str(missing.value)


async def test_labels_are_made_where_they_are_wished_for(box: GoogleMailbox, driver: GmailDriver) -> None:
    found = await driver.find_labels(
        ["New/One", "Projects", "New/One"], "add", create=True, operation="mail.add_labels"
    )
    assert [ref.id for ref in found] == [box.labels["New/One"].id, "Label_1", box.labels["New/One"].id]
    assert set(box.labels) == {"Projects", "New", "New/One"}


async def test_a_label_is_made_with_what_is_above_it(box: GoogleMailbox, driver: GmailDriver) -> None:
    made = await driver.create_label("Projects/2026/Alpha", None)
    assert (made.name, made.path, made.kind) == ("Alpha", "Projects/2026/Alpha", "label")
    assert set(box.labels) == {"Projects", "Projects/2026", "Projects/2026/Alpha"}
    with pytest.raises(Conflict):
        await driver.create_label("Projects", "label")
    with pytest.raises(Conflict):
        await driver.create_label("PROJECTS", "label")  # Gmail's own judgement
    with pytest.raises(Unsupported):
        await driver.create_label("Folder", "folder")


@pytest.mark.parametrize("name", ["Trains/", "/Trains", "a//b", " Trains"])
async def test_a_path_that_is_none_is_not_asked_for(box: GoogleMailbox, driver: GmailDriver, name: str) -> None:
    with pytest.raises(UsageError, match="each part") as refused:
        await driver.find_labels([name], "add", create=True, operation="mail.add_labels")
    assert refused.value.code == "bad_name"
    assert set(box.labels) <= {"Projects"}


@pytest.mark.parametrize("name", ["UNREAD", "Starred"])
async def test_the_names_of_gmails_own_labels_are_refused_with_what_to_do(driver: GmailDriver, name: str) -> None:
    for make in (
        lambda: driver.create_label(name, None),
        lambda: driver.find_labels([name], "add", create=True, operation="mail.add_labels"),
        lambda: driver.find_labels([name], "add", create=False, operation="mail.add_labels"),
        lambda: driver.find_labels([name], "remove", create=False, operation="mail.remove_labels"),
    ):
        with pytest.raises(Unsupported, match="star") as refused:
            await make()
        assert refused.value.code == "system_label"


async def test_a_label_is_renamed_with_those_under_it(box: GoogleMailbox, driver: GmailDriver) -> None:
    for name in ("Projects/Alpha", "Projects/Alpha/Old", "Projectsome"):
        box.label(name)
    each = box.add(Mail(subject="x", text="x", labels=["Projects/Alpha/Old"]))
    renamed = await driver.rename_label(Ref(account="work", kind="label", id="Label_2"), "Beta", progress=None)
    assert renamed.label.path == "Projects/Beta"
    assert renamed.label.ref.id == "Label_2"
    assert not renamed.messages
    assert set(box.labels) == {"Projects", "Projects/Beta", "Projects/Beta/Old", "Projectsome"}
    assert box.get(each).mail.labels == ("Projects/Beta/Old",)  # type: ignore[union-attr]  # it is there


async def test_a_label_is_deleted_and_its_messages_stay(box: GoogleMailbox, driver: GmailDriver) -> None:
    each = box.add(Mail(subject="x", text="x", labels=["Projects"]))
    await driver.delete_label(LABEL)
    assert not box.labels
    assert labels(box, each) == {"INBOX", "UNREAD"}
    with pytest.raises(NotFound):
        await driver.delete_label(LABEL)
    for own in ("INBOX", "CATEGORY_SOCIAL"):
        with pytest.raises(Unsupported):
            await driver.delete_label(Ref(account="work", kind="label", id=own))


async def test_labels_need_a_permission_of_their_own(sandbox: Sandbox, box: GoogleMailbox) -> None:
    reading = gmail(sandbox, box, scopes=frozenset({f"{SCOPE}gmail.readonly"}))
    with pytest.raises(PermissionMissing) as refused:
        await reading.create_label("x", None)
    assert refused.value.scopes[0] == f"{SCOPE}gmail.labels"
    with pytest.raises(PermissionMissing):
        await reading.rename_label(LABEL, "x", progress=None)
    with pytest.raises(PermissionMissing):
        await reading.delete_label(LABEL)
    assert not sandbox.requests
    labelling = gmail(sandbox, box, scopes=frozenset({f"{SCOPE}gmail.labels"}))
    assert (await labelling.create_label("x", None)).path == "x"


async def test_a_quota_that_is_used_up_is_told_for_what_it_left_out(sandbox: Sandbox, box: GoogleMailbox) -> None:
    ids = [box.add(Mail(subject=str(number), text="x")) for number in range(400)]
    driver = gmail(sandbox, box)
    with sandbox.clock.deadline(10):
        outcomes = await driver.organise([Target(id=each) for each in ids], Mark(starred=True), operation="mail.star")
    assert {type(outcome) for outcome in outcomes} == {str, RateLimited}
    assert all("STARRED" in labels(box, each) for each in ids)
