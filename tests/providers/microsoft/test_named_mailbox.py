"""An account that works in a mailbox it names: every request goes there, none to the signed-in person's own."""

from __future__ import annotations

import datetime as dt

import pytest

from mailkit.errors import NotFound
from mailkit.models.mail import Message
from mailkit.providers.base import Search
from mailkit.providers.microsoft.mail import OutlookDriver
from mailkit.query import parse
from mailkit.sandbox import File, Mail, MicrosoftMailbox, Person, Sandbox
from tests.support.drivers import UTC, found, outlook

pytestmark = pytest.mark.anyio

NOW = dt.datetime(2026, 3, 15, 12, tzinfo=dt.UTC)
AMY, TEAM = Person("Amy", "amy@example.com"), Person("Team", "team@contoso.example")


def opened(mailbox: str = TEAM.address) -> tuple[Sandbox, MicrosoftMailbox, OutlookDriver]:
    sandbox = Sandbox()
    box = sandbox.microsoft(TEAM.address)
    return sandbox, box, outlook(sandbox, box, mailbox=mailbox, states_address=False)


def paths(sandbox: Sandbox) -> list[str]:
    """Every path asked for, those inside batches too."""
    alone = [request.path.removeprefix("/v1.0") for request in sandbox.requests]
    parts = [part.path.removeprefix("/v1.0") for request in sandbox.requests for part in request.parts]
    return [path for path in alone if path != "/$batch"] + parts


async def test_every_verb_asks_that_mailbox() -> None:
    sandbox, box, driver = opened()
    id_ = box.add(Mail(from_=AMY, to=[TEAM], subject="Plan", date=NOW, files=[File(name="a.txt", content=b"abc")]))
    (whole,) = await driver.get([id_])
    assert isinstance(whole, Message)
    await driver.thread(whole.thread.id)
    assert await driver.raw(id_)
    await driver.labels()
    (file,), _ = await driver.attachments(id_)
    assert file.ref.part
    async with driver.read_attachment(id_, file.ref.part) as pieces:
        assert b"".join([piece async for piece in pieces]) == b"abc"
    assert [row.subject for row in (await found(driver, parse("in:inbox plan"), now=NOW))[0]] == ["Plan"]
    asked = paths(sandbox)
    assert len(asked) > 15
    assert all(path.startswith("/users/team%40contoso.example") for path in asked), asked


async def test_lists_that_go_on_stay_in_that_mailbox() -> None:
    sandbox, box, driver = opened()
    for number in range(30):
        box.add(Mail(from_=AMY, to=[TEAM], subject=f"Mail {number}", date=NOW))  # one instant: by nextLink alone
    rows, _ = await found(driver, parse("from:amy"), now=NOW, size=5)
    assert len(rows) == 30
    assert all("/users/team%40contoso.example" in path for path in paths(sandbox))


async def test_me_is_the_mailbox_that_is_named() -> None:
    sandbox, box, driver = opened()
    box.add(Mail(from_=AMY, to=[TEAM], subject="to us", date=NOW))
    box.add(Mail(from_=AMY, to=[AMY], subject="to others", date=NOW))
    assert [row.subject for row in (await found(driver, parse("to:me"), now=NOW))[0]] == ["to us"]
    assert not [path for path in paths(sandbox) if path == "/users/team%40contoso.example"]


async def test_a_mailbox_named_by_id_is_asked_for_its_address() -> None:
    sandbox = Sandbox()
    box = sandbox.microsoft(TEAM.address)
    box.add(Mail(from_=AMY, to=[TEAM], subject="to us", date=NOW))
    driver = outlook(sandbox, box, mailbox=box.user_id, states_address=False)
    assert [row.subject for row in (await found(driver, parse("to:me"), now=NOW))[0]] == ["to us"]
    assert f"/users/{box.user_id}" in paths(sandbox)


async def test_an_explanation_shows_that_path() -> None:
    _, _, driver = opened()
    plan = await driver.plan(Search(expr=parse("in:inbox"), now=NOW, tz=UTC, size=5))
    assert plan.requests[0].path == "/users/team%40contoso.example/mailFolders/inbox/messages"


async def test_a_mailbox_that_is_not_there_is_an_error() -> None:
    _, _, driver = opened(mailbox="nobody@contoso.example")
    with pytest.raises(NotFound):
        await driver.raw("AAk=")
