"""Attachments over the whole house: listed, read and saved from both providers."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import anyio
import attrs
import pytest

from mailkit import (
    AsyncMailClient,
    BadPayload,
    ConfigurationError,
    MailClient,
    NotDownloadable,
    NotFound,
    TimedOut,
    UsageError,
)
from mailkit.models import Attachment
from mailkit.sandbox import Fault, File, Mail, Mailbox, Sandbox
from mailkit.testing import sandbox_accounts
from mailkit.values import Ref

pytestmark = pytest.mark.anyio

PROVIDERS = ("google", "microsoft")
DATA = bytes(range(256)) * 40
EML = b"From: ann@example.com\r\nSubject: inner\r\n\r\nHello\r\n"
ICS = b"BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n"
PICTURE = File(name="logo.png", content=b"png", content_type="image/png", inline=True, content_id="logo")


@attrs.frozen
class World:
    sandbox: Sandbox
    box: Mailbox
    mail: AsyncMailClient
    folder: Path

    async def files(self, *files: File) -> list[Attachment]:
        """Put a message with these files into the mailbox, and list what hangs on it."""
        id_ = self.box.add(Mail(subject="Files", text="Here", files=files))
        return list(await self.mail.attachments.list(id_))

    def saved(self) -> list[str]:
        return sorted(each.name for each in self.folder.iterdir())


def open_world(provider: str, folder: Path) -> World:
    sandbox = Sandbox()
    box = sandbox.google("ann@example.com") if provider == "google" else sandbox.microsoft("ann@contoso.example")
    folder.mkdir()
    folder.chmod(0o700)
    return World(sandbox, box, AsyncMailClient(sandbox_accounts(sandbox, home=box), tz="UTC"), folder)


@pytest.fixture(params=PROVIDERS)
def world(request: pytest.FixtureRequest, tmp_path: Path) -> World:
    return open_world(request.param, tmp_path / "down")


@pytest.fixture
def outlook(tmp_path: Path) -> World:
    return open_world("microsoft", tmp_path / "down")


async def test_one_that_cannot_be_read_stands_beside_the_others(outlook: World) -> None:
    id_ = outlook.box.add(Mail(subject="Files", text="Here"))
    fine = {"@odata.type": "#microsoft.graph.fileAttachment", "id": "a", "name": "a.txt", "size": 1}
    wire = {"value": [{**fine, "name": 5}, fine]}
    outlook.box.script(Fault(status=200, json=wire, operation="attachments.list"))
    listed = await outlook.mail.attachments.list(id_)
    assert [each.name for each in listed] == ["a.txt"]
    assert [problem.path for problem in listed.problems] == ["value[0].name"]


async def test_kinds_and_places_are_told_and_each_gives_its_own_bytes(world: World) -> None:
    listed = await world.files(
        File(name="a.bin", content=DATA),
        File(name="a.bin", content=b"other"),
        File(name="empty.txt", content_type="text/plain"),
        PICTURE,
    )
    assert [(each.name, each.kind, each.inline, each.size) for each in listed] == [
        ("a.bin", "file", False, len(DATA)),
        ("a.bin", "file", False, 5),
        ("empty.txt", "file", False, 0),
        ("logo.png", "file", True, 3),
    ]
    assert [await world.mail.attachments.read(each) for each in listed] == [DATA, b"other", b"", b"png"]
    paths = [await world.mail.attachments.save(each, world.folder) for each in listed]
    assert [path.name for path in paths] == ["a.bin", "a (2).bin", "empty.txt", "logo.png"]
    assert [path.read_bytes() for path in paths] == [DATA, b"other", b"", b"png"]
    assert world.saved() == ["a (2).bin", "a.bin", "empty.txt", "logo.png"]
    if sys.platform != "win32":
        assert {path.stat().st_mode & 0o777 for path in paths} == {0o600}


async def test_a_message_brings_its_attachments_along(world: World) -> None:
    ids = [world.box.add(Mail(text="Here", files=[File(name=f"{n}.bin", content=DATA)])) for n in range(12)]
    outcomes = await world.mail.get_many(ids)
    asked = len(world.sandbox.requests)
    assert sorted(outcome.unwrap().attachments[0].name for outcome in outcomes) == sorted(f"{n}.bin" for n in range(12))
    assert len(world.sandbox.requests) == asked
    everything = [*world.sandbox.requests, *(part for each in world.sandbox.requests for part in each.parts)]
    assert not any("attachments" in each.path for each in everything)
    assert asked <= 4


async def test_names_are_made_usable_and_stay_inside(world: World) -> None:
    (listed,) = await world.files(File(name="../..\\ev\u202eil?.txt", content=b"x"))
    assert listed.name == "../..\\ev\u202eil?.txt"
    path = await world.mail.attachments.save(listed, str(world.folder))
    assert path == world.folder / "evil_.txt"
    path = await world.mail.attachments.save(listed, world.folder, name="../my name.txt")
    assert path == world.folder / "my name.txt"
    assert world.saved() == ["evil_.txt", "my name.txt"]


async def test_a_ref_alone_is_enough(world: World) -> None:
    (listed,) = await world.files(File(name="a.bin", content=DATA))
    seen: list[tuple[int, int | None]] = []
    path = await world.mail.attachments.save(
        str(listed.ref), world.folder, progress=lambda done, total: seen.append((done, total))
    )
    assert (path.name, path.read_bytes(), seen[-1]) == ("a.bin", DATA, (len(DATA), len(DATA)))
    gone = attrs.evolve(listed.ref, part="77")
    for ref in (gone, Ref(account="home", kind="attachment", id="0", part="1")):
        with pytest.raises(NotFound) as caught:
            await world.mail.attachments.save(ref, world.folder)
        assert (caught.value.account, caught.value.operation) == ("home", "mail.attachments.save")
    assert world.saved() == ["a.bin"]


@pytest.mark.parametrize(
    ("content", "saved"), [(EML, "Fwd_ v1.2.eml"), (ICS, "Fwd_ v1.2.ics"), (b"BEGIN:VCARD\r\n", "Fwd_ v1.2.vcf")]
)
async def test_an_outlook_item_is_saved_as_what_it_is(outlook: World, content: bytes, saved: str) -> None:
    (listed,) = await outlook.files(File(name="Fwd: v1.2", content=content, kind="item"))
    assert (listed.kind, listed.content_type) == ("item", "message/rfc822")
    seen: list[int | None] = []
    path = await outlook.mail.attachments.save(listed, outlook.folder, progress=lambda _, total: seen.append(total))
    assert (path.name, path.read_bytes(), seen) == (saved, content, [None])


async def test_a_link_is_listed_and_never_saved(outlook: World) -> None:
    (listed,) = await outlook.files(File(name="Budget.xlsx", kind="link", url="https://cloud.example/b"))
    assert listed.kind == "link"
    for verb in ("read", "save"):
        with pytest.raises(NotDownloadable) as caught:
            await (
                outlook.mail.attachments.read(listed)
                if verb == "read"
                else outlook.mail.attachments.save(listed, outlook.folder)
            )
        assert caught.value.operation == f"mail.attachments.{verb}"
    assert outlook.saved() == []


async def test_progress_tells_how_much_and_may_end_the_call(world: World) -> None:
    (listed,) = await world.files(File(name="a.bin", content=DATA))
    seen: list[tuple[int, int | None]] = []
    for item in (listed, listed.ref):
        assert await world.mail.attachments.read(item, progress=lambda *now: seen.append(now)) == DATA
    assert (len(DATA), len(DATA)) in seen
    assert seen[-1] == (len(DATA), None)

    class Enough(Exception):
        pass

    def enough(_done: int, _total: int | None) -> None:
        raise Enough

    with pytest.raises(Enough):
        await world.mail.attachments.save(listed, world.folder, progress=enough)
    with pytest.raises(Enough):
        await world.mail.attachments.read(listed, progress=enough)
    assert world.saved() == []


async def test_a_cut_or_late_answer_leaves_nothing_and_names_the_verb(world: World) -> None:
    (listed,) = await world.files(File(name="secret.bin", content=DATA))
    attachments = world.mail.attachments
    works: dict[str, Callable[[], object]] = {
        "save": lambda: attachments.save(listed, world.folder, deadline=5),
        "save ": lambda: attachments.save(listed.ref, world.folder, deadline=5),
        "read": lambda: attachments.read(listed, deadline=5),
    }
    for verb, work in works.items():
        world.box.script(Fault.hang(times=None))
        with pytest.raises(TimedOut) as caught:
            await work()  # type: ignore[misc]  # each gives something to be awaited
        world.box.faults.clear()
        assert caught.value.operation == f"mail.attachments.{verb.strip()}"
        assert "secret" not in str(caught.value)
    assert world.saved() == []


async def test_a_cancelled_save_leaves_nothing(world: World) -> None:
    (listed,) = await world.files(File(name="a.bin", content=DATA))
    there: list[str] = []
    with anyio.CancelScope() as scope:

        def cancel(_done: int, _total: int | None) -> None:
            there.extend(world.saved())
            scope.cancel()

        await world.mail.attachments.save(listed, world.folder, progress=cancel)
    assert scope.cancelled_caught
    assert len(there) == 1
    assert world.saved() == []


async def test_the_directory_is_looked_at_before_anything_is_asked(world: World) -> None:
    (listed,) = await world.files(File(name="a.bin", content=DATA))
    asked = len(world.sandbox.requests)
    world.folder.chmod(0o777)
    for folder in (world.folder, world.folder / "none"):
        with pytest.raises(ConfigurationError) as caught:
            await world.mail.attachments.save(listed, folder)
        assert caught.value.operation == "mail.attachments.save"
    for wrong in ("", None, 5):
        with pytest.raises(UsageError):
            await world.mail.attachments.save(listed, wrong)  # type: ignore[arg-type]  # what is tested
    assert len(world.sandbox.requests) == asked


@pytest.mark.parametrize("provider", PROVIDERS)
def test_the_sync_client_saves_too(provider: str, tmp_path: Path) -> None:
    world = open_world(provider, tmp_path / "down")
    world.box.add(Mail(text="Here", files=[File(name="a.bin", content=DATA)]))
    seen: list[int] = []

    def too_much(done: int, _total: int | None) -> None:
        raise ValueError(done)

    with MailClient(sandbox_accounts(world.sandbox, home=world.box)) as mail:
        (listed,) = mail.attachments.list(mail.recent()[0])
        path = mail.attachments.save(listed, world.folder, progress=lambda done, _: seen.append(done))
        with pytest.raises(ValueError, match=str(len(DATA))):
            mail.attachments.save(listed, world.folder, progress=too_much)
    assert (path.read_bytes(), seen[-1], world.saved()) == (DATA, len(DATA), ["a.bin"])


async def test_an_error_among_the_bytes_names_the_verb(tmp_path: Path) -> None:
    world = open_world("google", tmp_path / "down")
    (listed,) = await world.files(File(name="a.bin", content=DATA))
    world.box.script(Fault.truncated(operation="attachments.get", times=None))
    with pytest.raises(BadPayload) as caught:  # noqa: PT012  # the error comes inside the block
        async with world.mail.attachments.iter_bytes(listed) as pieces:
            async for _ in pieces:
                pass
    assert (caught.value.account, caught.value.operation) == ("home", "mail.attachments.iter_bytes")
    with pytest.raises(BadPayload) as caught:
        await world.mail.attachments.save(listed, world.folder)
    assert (caught.value.operation, world.saved()) == ("mail.attachments.save", [])
