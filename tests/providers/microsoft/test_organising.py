"""Putting mail in order at Outlook: the requests, twenty in a batch, and what is told of each message."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import attrs
import pytest

from mailkit.errors import BadPayload, Conflict, NotFound, PermissionMissing, Unsupported
from mailkit.providers.microsoft.mail import OutlookDriver
from mailkit.providers.organising import Change, Mark, Move, Relabel, Target
from mailkit.sandbox import Fault, Mail, MicrosoftMailbox, Sandbox
from mailkit.sandbox.sandbox import LoggedRequest
from mailkit.values import Ref
from tests.support.drivers import outlook

pytestmark = pytest.mark.anyio

ARCHIVE = Move(to="archive", only_from="inbox")
IMMUTABLE = 'IdType="ImmutableId"'


@pytest.fixture
def sandbox() -> Sandbox:
    return Sandbox()


@pytest.fixture
def box(sandbox: Sandbox) -> MicrosoftMailbox:
    return sandbox.microsoft("ann@contoso.example")


@pytest.fixture
def driver(sandbox: Sandbox, box: MicrosoftMailbox) -> OutlookDriver:
    return outlook(sandbox, box)


def category(name: str) -> Ref:
    return Ref(account="work", kind="label", id=name, part="category")


def folder(box: MicrosoftMailbox, path: str) -> Ref:
    return Ref(account="work", kind="label", id=box.add_folder(path))


def mail(box: MicrosoftMailbox, message_id: str) -> Mail:
    entry = box.get(message_id)
    assert entry is not None
    return entry.mail


def parts(sandbox: Sandbox) -> list[LoggedRequest]:
    """Give the requests that concern messages, those in batches one by one."""
    each = [part for request in sandbox.requests for part in (request.parts or [request])]
    return [part for part in each if (part.operation or "").startswith("messages.")]


def bodies(sandbox: Sandbox, *methods: str) -> list[dict[str, Any]]:
    return [json.loads(part.content) for part in parts(sandbox) if part.method in methods]


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (Mark(read=True), ("PATCH", {"isRead": True})),
        (Mark(read=False), ("PATCH", {"isRead": False})),
        (Mark(starred=True), ("PATCH", {"flag": {"flagStatus": "flagged"}})),
        (Mark(starred=False), ("PATCH", {"flag": {"flagStatus": "notFlagged"}})),
        (Move(to="archive"), ("POST", {"destinationId": "archive"})),
        (Move(to="inbox"), ("POST", {"destinationId": "inbox"})),
        (Move(to="trash"), ("POST", {"destinationId": "deleteditems"})),
        (Move(to="spam"), ("POST", {"destinationId": "junkemail"})),
    ],
)
async def test_a_change_is_one_request_for_each(
    sandbox: Sandbox, box: MicrosoftMailbox, driver: OutlookDriver, change: Change, expected: object
) -> None:
    ids = [box.add(Mail(subject=str(number), text="x", starred=True)) for number in range(3)]
    assert await driver.organise([Target(id=each) for each in ids], change, operation="mail.move") == ids
    assert len(sandbox.requests) == 1
    assert [(part.method, json.loads(part.content)) for part in parts(sandbox)] == [expected] * 3
    assert all(part.headers["prefer"] == IMMUTABLE for part in parts(sandbox))


async def test_a_folder_of_ones_own_is_moved_to(box: MicrosoftMailbox, driver: OutlookDriver) -> None:
    each = box.add(Mail(subject="x", text="x"))
    goal = folder(box, "Projects/Alpha")
    assert await driver.organise([Target(id=each)], Move(to=goal), operation="mail.move") == [each]
    assert mail(box, each).folder == "Projects/Alpha"
    with pytest.raises(Unsupported):
        await driver.organise([Target(id=each)], Move(to=category("Work")), operation="mail.move")


async def test_rows_that_know_their_place_take_twenty_five_batches(
    sandbox: Sandbox, box: MicrosoftMailbox, driver: OutlookDriver
) -> None:
    ids = [box.add(Mail(subject=str(number), text="x")) for number in range(500)]
    for gone in ids[3::50]:
        box.remove(gone)
    outcomes = await driver.organise(
        [Target(id=each, place="inbox") for each in ids], ARCHIVE, operation="mail.archive"
    )
    assert [len(request.parts) for request in sandbox.requests] == [20] * 25
    assert max(request.in_flight for request in sandbox.requests) <= 4
    assert [i for i, outcome in zip(ids, outcomes, strict=True) if isinstance(outcome, NotFound)] == ids[3::50]
    assert sum(mail(box, each).folder == "archive" for each in ids if each not in ids[3::50]) == 490


async def test_bare_ids_are_looked_up_first(sandbox: Sandbox, box: MicrosoftMailbox, driver: OutlookDriver) -> None:
    ids = [box.add(Mail(subject=str(number), text="x")) for number in range(40)]
    box.move(ids[0], "Projects")
    await driver.organise([Target(id=each) for each in ids], ARCHIVE, operation="mail.archive")
    assert [part.method for part in parts(sandbox)] == ["GET"] * 40 + ["POST"] * 39
    assert mail(box, ids[0]).folder == "Projects"


async def test_a_row_that_saw_it_elsewhere_is_not_believed(box: MicrosoftMailbox, driver: OutlookDriver) -> None:
    each = box.add(Mail(subject="x", text="x"))
    await driver.organise([Target(id=each, place="archive")], ARCHIVE, operation="mail.archive")
    assert mail(box, each).folder == "archive"


async def test_only_what_lies_in_the_trash_comes_back(box: MicrosoftMailbox, driver: OutlookDriver) -> None:
    ids = [box.add(Mail(subject=place, text="x", folder=place)) for place in ("trash", "trash/Old", "Projects", "sent")]
    draft = box.add(Mail(subject="d", text="x", folder="drafts"))
    await driver.organise([Target(id=draft)], Move(to="trash"), operation="mail.trash")
    targets = [Target(id=each, place="trash") for each in (*ids, draft, "nothing")]
    *done, missing = await driver.organise(targets, Move(to="inbox", only_from="trash"), operation="mail.untrash")
    assert done == [*ids, draft]
    assert isinstance(missing, NotFound)
    assert [mail(box, each).folder for each in (*ids, draft)] == ["inbox", "inbox", "Projects", "sent", "drafts"]


async def test_an_id_that_changed_is_the_new_one(box: MicrosoftMailbox, driver: OutlookDriver) -> None:
    each = box.add(Mail(subject="x", text="x"))
    box.script(Fault(operation="messages.move", status=201, json={"id": "another"}))
    assert await driver.organise([Target(id=each)], Move(to="trash"), operation="mail.trash") == ["another"]
    box.script(Fault(operation="messages.move", status=201, json={}))
    (outcome,) = await driver.organise([Target(id=each)], Move(to="trash"), operation="mail.trash")
    assert isinstance(outcome, BadPayload)


async def test_only_throttled_parts_are_repeated(
    sandbox: Sandbox, box: MicrosoftMailbox, driver: OutlookDriver
) -> None:
    ids = [box.add(Mail(subject=str(number), text="x")) for number in range(20)]
    box.script(Fault.rate_limited(2, operation="messages.move", times=3))
    assert await driver.organise([Target(id=each) for each in ids], Move(to="trash"), operation="mail.trash") == ids
    assert [len(request.parts) for request in sandbox.requests] == [20, 3]
    assert (sandbox.requests[1].at - sandbox.requests[0].at).total_seconds() >= 2


async def test_a_message_that_exchange_works_on_is_marked_at_the_second_attempt(
    sandbox: Sandbox, box: MicrosoftMailbox, driver: OutlookDriver
) -> None:
    ids = [box.add(Mail(subject=str(number), text="x")) for number in range(4)]
    busy = Fault(status=412, reason="ErrorIrresolvableConflict", operation="messages.update")
    box.script(busy, busy)
    assert await driver.organise([Target(id=each) for each in ids], Mark(read=True), operation="mail.mark_read") == ids
    assert len(parts(sandbox)) == 6
    box.script(attrs.evolve(busy, times=None))
    (outcome,) = await driver.organise([Target(id=ids[0])], Mark(read=False), operation="mail.mark_unread")
    assert isinstance(outcome, Conflict)


# -- categories ------------------------------------------------------------------------------------------------------


async def test_categories_are_changed_and_others_kept(
    sandbox: Sandbox, box: MicrosoftMailbox, driver: OutlookDriver
) -> None:
    plain = box.add(Mail(subject="a", text="x"))
    marked = box.add(Mail(subject="b", text="x", labels=["Red", "WORK"]))
    add = Relabel(add=(category("Work"), category("New")))
    assert await driver.organise([Target(id=plain), Target(id=marked)], add, operation="mail.add_labels") == [
        plain,
        marked,
    ]
    assert mail(box, plain).labels == ("Work", "New")
    assert mail(box, marked).labels == ("Red", "WORK", "New")
    remove = Relabel(remove=(category("work"), category("Green")))
    await driver.organise([Target(id=plain), Target(id=marked)], remove, operation="mail.remove_labels")
    assert (mail(box, plain).labels, mail(box, marked).labels) == (("New",), ("Red", "New"))
    sandbox.requests.clear()
    await driver.organise([Target(id=plain), Target(id=marked)], remove, operation="mail.remove_labels")
    assert {part.method for part in parts(sandbox)} == {"GET"}  # there was nothing to change


async def test_a_change_in_between_is_kept(sandbox: Sandbox, box: MicrosoftMailbox, driver: OutlookDriver) -> None:
    ids = [box.add(Mail(subject=str(number), text="x", labels=["Red"])) for number in range(2)]
    meddle(box, lambda: box.update(ids[0], labels=("Red", "Green")), times=1)
    assert (
        await driver.organise(
            [Target(id=each) for each in ids], Relabel(add=(category("Work"),)), operation="mail.add_labels"
        )
        == ids
    )
    assert [mail(box, each).labels for each in ids] == [("Red", "Green", "Work"), ("Red", "Work")]
    assert [part.method for part in parts(sandbox)] == ["GET", "GET", "PATCH", "PATCH", "GET", "PATCH"]


async def test_who_changes_it_again_and_again_is_told_of(box: MicrosoftMailbox, driver: OutlookDriver) -> None:
    each = box.add(Mail(subject="x", text="x"))
    count = iter(range(9))
    meddle(box, lambda: box.update(each, labels=(f"Green {next(count)}",)), times=2)
    (outcome,) = await driver.organise([Target(id=each)], Relabel(add=(category("Work"),)), operation="mail.add_labels")
    assert isinstance(outcome, Conflict)
    assert mail(box, each).labels == ("Green 1",)


def meddle(box: MicrosoftMailbox, change: Callable[[], None], *, times: int) -> None:
    """Let somebody else change the mailbox after categories were read and before they are written."""
    left = [change] * times
    take = box.faults.take

    def meddling(request: Any, operation: str | None) -> Fault | None:
        if operation == "messages.update" and left:
            left.pop()()
        return take(request, operation)

    box.faults.take = meddling  # type: ignore[method-assign]  # a hand between two requests


async def test_folders_are_no_marks(box: MicrosoftMailbox, driver: OutlookDriver, sandbox: Sandbox) -> None:
    alpha = folder(box, "Projects/Alpha")
    for change in (Relabel(add=(alpha,)), Relabel(remove=(alpha,))):
        with pytest.raises(Unsupported) as refused:
            await driver.organise([Target(id="x")], change, operation="mail.add_labels")
        assert refused.value.code == "is_folder"
    assert not sandbox.requests


# -- conversations ---------------------------------------------------------------------------------------------------


async def test_a_conversation_moves_without_what_was_sent_drafted_or_thrown_away(
    box: MicrosoftMailbox, driver: OutlookDriver
) -> None:
    places = ("inbox", "archive", "Projects", "sent", "drafts", "outbox", "trash", "trash/Old", "spam")
    ids = {place: box.add(Mail(subject="x", text="x", folder=place, thread="t")) for place in places}
    thread = box.get(ids["inbox"]).thread_id  # type: ignore[union-attr]  # it is there

    async def concerned(change: Change) -> set[str]:
        found, missing = await driver.members([thread, "it's nothing"], change, operation="mail.move")
        assert isinstance(missing, NotFound)
        assert isinstance(found, tuple)
        return {place for place, each in ids.items() if each in {target.id for target in found}}

    assert await concerned(Move(to="trash")) == {"inbox", "archive", "Projects"}
    assert await concerned(ARCHIVE) == {"inbox"}
    assert await concerned(Move(to="inbox", only_from="trash")) == {"trash", "trash/Old"}
    assert await concerned(Mark(read=True)) == set(places)


async def test_a_long_conversation_is_read_to_its_end(box: MicrosoftMailbox, driver: OutlookDriver) -> None:
    ids = {box.add(Mail(subject="x", text="x", thread="t")) for _ in range(5)}
    box.page_rows.extend([2, 0, 2])
    thread = box.get(min(ids)).thread_id  # type: ignore[union-attr]  # it is there
    (found,) = await driver.members([thread], Mark(read=True), operation="mail.mark_read")
    assert isinstance(found, tuple)
    assert {target.id for target in found} == ids


# -- permissions -----------------------------------------------------------------------------------------------------


async def test_without_the_permission_nothing_is_asked(sandbox: Sandbox, box: MicrosoftMailbox) -> None:
    driver = outlook(sandbox, box, scopes=frozenset({"Mail.Read", "Mail.Send"}))
    assert not driver.capabilities.organise
    with pytest.raises(PermissionMissing) as refused:
        await driver.organise([Target(id="1")], Mark(read=True), operation="mail.mark_read")
    assert "Mail.ReadWrite" in refused.value.scopes
    with pytest.raises(PermissionMissing):
        await driver.members(["1"], Mark(read=True), operation="mail.mark_read")
    assert not sandbox.requests


async def test_shared_mailboxes_are_put_in_order(sandbox: Sandbox) -> None:
    box = sandbox.microsoft("team@contoso.example", scopes={"Mail.ReadWrite.Shared", "Mail.ReadWrite"})
    each = box.add(Mail(subject="x", text="x"))
    driver = outlook(sandbox, box, scopes=frozenset({"Mail.ReadWrite.Shared"}), mailbox="team@contoso.example")
    assert await driver.organise([Target(id=each)], ARCHIVE, operation="mail.archive") == [each]
    assert all("/users/team%40contoso.example/" in part.url for part in parts(sandbox))
