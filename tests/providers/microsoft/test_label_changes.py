"""Categories and folders at Outlook: found by name, made, renamed, deleted."""

from __future__ import annotations

import pytest

from mailkit.errors import Conflict, NotFound, PermissionMissing, Unsupported
from mailkit.providers.microsoft.mail import OutlookDriver
from mailkit.sandbox import Fault, Mail, MicrosoftMailbox, Sandbox
from mailkit.values import Ref
from tests.support.drivers import outlook

pytestmark = pytest.mark.anyio

NARROW = frozenset({"Mail.ReadWrite"})


@pytest.fixture
def sandbox() -> Sandbox:
    return Sandbox()


@pytest.fixture
def box(sandbox: Sandbox) -> MicrosoftMailbox:
    box = sandbox.microsoft("ann@contoso.example")
    box.categories = ["Work", "Red category"]
    box.add_folder("Projects/Alpha")
    return box


@pytest.fixture
def driver(sandbox: Sandbox, box: MicrosoftMailbox) -> OutlookDriver:
    return outlook(sandbox, box)


@pytest.fixture
def narrow(sandbox: Sandbox) -> tuple[MicrosoftMailbox, OutlookDriver]:
    """Mail alone may be changed, and the list of categories not even read."""
    box = sandbox.microsoft("bob@contoso.example", scopes=NARROW)
    return box, outlook(sandbox, box, scopes=NARROW)


def label(label_id: str, part: str | None = None) -> Ref:
    return Ref(account="work", kind="label", id=label_id, part=part)


def paths(box: MicrosoftMailbox) -> set[str]:
    """Give the paths of the person's own folders."""
    found = [box.folders.root]
    for parent in found:
        found += box.folders.children(parent)
    return {box.folders.path(folder) for folder in found if folder.well_known is None}


async def test_categories_are_put_on_and_folders_moved_to(box: MicrosoftMailbox, driver: OutlookDriver) -> None:
    assert await driver.find_labels(["Work"], "add", create=False, operation="x") == [label("Work", "category")]
    alpha = box.add_folder("Projects/Alpha")
    assert await driver.find_labels(["Projects/Alpha"], "move", create=False, operation="x") == [label(alpha)]
    # what has no such use comes as what it is, and is refused where it would be used
    assert await driver.find_labels(["Projects/Alpha"], "add", create=True, operation="x") == [label(alpha)]
    assert await driver.find_labels(["Work"], "move", create=False, operation="x") == [label("Work", "category")]


async def test_a_name_that_is_missing_has_names_alike(driver: OutlookDriver) -> None:
    with pytest.raises(NotFound) as missing:
        await driver.find_labels(["Wrok"], "add", create=False, operation="x")
    assert missing.value.near == ("Work",)
    with pytest.raises(NotFound) as missing:
        await driver.find_labels(["alpha"], "move", create=False, operation="x")
    assert missing.value.near == ("Projects/Alpha",)


async def test_what_was_made_elsewhere_just_now_is_found(box: MicrosoftMailbox, driver: OutlookDriver) -> None:
    await driver.find_labels(["Work"], "add", create=False, operation="x")
    box.categories.append("Late")
    made = box.add_folder("Late folder")
    assert await driver.find_labels(["Late"], "add", create=False, operation="x") == [label("Late", "category")]
    assert await driver.find_labels(["Late folder"], "move", create=False, operation="x") == [label(made)]


async def test_any_category_can_be_taken_off(driver: OutlookDriver) -> None:
    assert await driver.find_labels(["Gone"], "remove", create=False, operation="x") == [label("Gone", "category")]


async def test_a_category_is_made_where_it_is_wished_for(box: MicrosoftMailbox, driver: OutlookDriver) -> None:
    wished = ["New", "Work", "work"]
    found = await driver.find_labels(wished, "add", create=True, operation="x")
    assert found == [label(name, "category") for name in wished]
    assert box.categories == ["Work", "Red category", "New"]


async def test_without_the_list_a_category_is_put_on_all_the_same(
    narrow: tuple[MicrosoftMailbox, OutlookDriver], sandbox: Sandbox
) -> None:
    box, driver = narrow
    with pytest.raises(NotFound, match=r"MailboxSettings\.Read"):
        await driver.find_labels(["Work"], "add", create=False, operation="x")
    assert await driver.find_labels(["Work"], "add", create=True, operation="x") == [label("Work", "category")]
    unsure = outlook(sandbox, box)  # nobody knows which permissions there are
    assert await unsure.find_labels(["Work"], "add", create=True, operation="x") == [label("Work", "category")]
    assert not box.categories


# -- making ----------------------------------------------------------------------------------------------------------


async def test_a_category_is_made(box: MicrosoftMailbox, driver: OutlookDriver) -> None:
    made = await driver.create_label("New", None)
    assert (made.ref, made.kind) == (label("New", "category"), "category")
    assert "New" in box.categories
    for name in ("Work", "WORK"):
        with pytest.raises(Conflict):
            await driver.create_label(name, "category")
    with pytest.raises(Unsupported):
        await driver.create_label("Label", "label")


async def test_a_folder_is_made_with_what_is_above_it(box: MicrosoftMailbox, driver: OutlookDriver) -> None:
    made = await driver.create_label("Projects/2026/Beta", "folder")
    assert (made.name, made.path, made.kind) == ("Beta", "Projects/2026/Beta", "folder")
    assert paths(box) == {"Projects", "Projects/Alpha", "Projects/2026", "Projects/2026/Beta"}
    listed = {each.path: each for each in (await driver.labels())[0]}
    assert listed["Projects/2026/Beta"].ref == made.ref
    assert listed["Projects/2026/Beta"].parent == made.parent
    assert (await driver.create_label("Inbox/News", "folder")).path == "Inbox/News"
    for path in ("Projects", "projects/ALPHA", "Inbox"):
        with pytest.raises(Conflict):
            await driver.create_label(path, "folder")


# -- renaming --------------------------------------------------------------------------------------------------------


async def test_a_folder_is_renamed_in_place(box: MicrosoftMailbox, driver: OutlookDriver) -> None:
    each = box.add(Mail(subject="x", text="x", folder="Projects/Alpha"))
    ref = label(box.add_folder("Projects/Alpha"))
    renamed = await driver.rename_label(ref, "Beta", progress=None)
    assert (renamed.label.ref, renamed.label.name, renamed.label.path) == (ref, "Beta", "Projects/Beta")
    assert box.get(each).mail.folder == "Projects/Beta"  # type: ignore[union-attr]  # it is there
    with pytest.raises(NotFound):
        await driver.rename_label(label("nothing"), "Beta", progress=None)
    with pytest.raises(Unsupported):
        await driver.rename_label(label(box.add_folder("inbox")), "Beta", progress=None)


async def test_a_category_is_renamed_on_every_message(
    sandbox: Sandbox, box: MicrosoftMailbox, driver: OutlookDriver
) -> None:
    box.colours["Work"] = "preset3"
    ids = [box.add(Mail(subject=str(n), text="x", labels=["Work", "Red category"])) for n in range(130)]
    other = box.add(Mail(subject="x", text="x", labels=["Red category"]))
    told: list[tuple[int, int]] = []
    renamed = await driver.rename_label(
        label("Work", "category"), "Job", progress=lambda done, of: told.append((done, of))
    )
    assert told == [(100, 130), (130, 130)]
    assert renamed.label.ref == label("Job", "category")
    assert {outcome.ref.id for outcome in renamed.messages} == set(ids)
    assert renamed.messages.ok
    assert {box.get(each).mail.labels for each in ids} == {("Red category", "Job")}  # type: ignore[union-attr]  # it is there
    assert box.get(other).mail.labels == ("Red category",)  # type: ignore[union-attr]  # it is there
    assert sorted(box.categories) == ["Job", "Red category"]
    assert box.colours["Job"] == "preset3"


async def test_a_category_stays_where_a_message_could_not_be_changed(
    box: MicrosoftMailbox, driver: OutlookDriver
) -> None:
    for number in range(3):
        box.add(Mail(subject=str(number), text="x", labels=["Work"]))
    box.script(Fault(status=403, reason="ErrorAccessDenied", operation="messages.update", skip=1))
    renamed = await driver.rename_label(label("Work", "category"), "Job", progress=None)
    assert len(renamed.messages.failures) == 1
    assert sorted(box.categories) == ["Job", "Red category", "Work"]
    with pytest.raises(Conflict):
        await driver.rename_label(label("Work", "category"), "Red category", progress=None)
    with pytest.raises(NotFound):
        await driver.rename_label(label("Gone", "category"), "Job", progress=None)


# -- deleting --------------------------------------------------------------------------------------------------------


async def test_a_category_leaves_the_list_and_stays_on_messages(box: MicrosoftMailbox, driver: OutlookDriver) -> None:
    each = box.add(Mail(subject="x", text="x", labels=["Work"]))
    await driver.delete_label(label("Work", "category"))
    assert box.categories == ["Red category"]
    assert box.get(each).mail.labels == ("Work",)  # type: ignore[union-attr]  # it is there
    with pytest.raises(NotFound):
        await driver.delete_label(label("Work", "category"))


async def test_only_an_empty_folder_is_deleted(box: MicrosoftMailbox, driver: OutlookDriver) -> None:
    each = box.add(Mail(subject="x", text="x", folder="Projects/Alpha"))
    alpha, projects = label(box.add_folder("Projects/Alpha")), label(box.add_folder("Projects"))
    for ref in (alpha, projects):
        with pytest.raises(Conflict) as refused:
            await driver.delete_label(ref)
        assert refused.value.code == "not_empty"
    box.move(each, "inbox")
    await driver.delete_label(alpha)
    await driver.delete_label(projects)
    assert paths(box) == {"trash/Alpha", "trash/Projects"}
    with pytest.raises(Unsupported):
        await driver.delete_label(label(box.add_folder("trash")))


# -- permissions -----------------------------------------------------------------------------------------------------


async def test_categories_need_a_permission_of_their_own(
    sandbox: Sandbox, narrow: tuple[MicrosoftMailbox, OutlookDriver]
) -> None:
    _, driver = narrow
    work = label("Work", "category")
    with pytest.raises(PermissionMissing) as refused:
        await driver.create_label("Work", None)
    assert refused.value.scopes == ("MailboxSettings.ReadWrite",)
    with pytest.raises(PermissionMissing):
        await driver.rename_label(work, "Job", progress=None)
    with pytest.raises(PermissionMissing):
        await driver.delete_label(work)
    assert not sandbox.requests
    made = await driver.create_label("Projects", "folder")
    await driver.delete_label(made.ref)


async def test_folders_need_the_permission_for_mail(sandbox: Sandbox, box: MicrosoftMailbox) -> None:
    driver = outlook(sandbox, box, scopes=frozenset({"Mail.Read", "MailboxSettings.ReadWrite"}))
    for refused in (
        driver.create_label("x", "folder"),
        driver.rename_label(label("x"), "y", progress=None),
        driver.delete_label(label("x")),
        driver.find_labels(["x"], "add", create=True, operation="x"),
        driver.rename_label(label("Work", "category"), "y", progress=None),
    ):
        with pytest.raises(PermissionMissing):
            await refused
    assert not sandbox.requests
    assert (await driver.create_label("Blue", None)).kind == "category"
