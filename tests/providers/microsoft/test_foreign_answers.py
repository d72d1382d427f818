"""What is done, and nothing else said of it, has one status at Graph: any other is a proxy's, and says nothing."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator

import attrs
import pytest

from mailkit import BadPayload, CalendarClient, MailClient
from mailkit.sandbox import Event, Fault, Guest, Person, Sandbox
from mailkit.sandbox.microsoft import MicrosoftMailbox
from mailkit.testing import sandbox_accounts

START = dt.datetime(2026, 4, 1, 9, tzinfo=dt.UTC)
ANN, AMY = Person("Ann", "ann@contoso.example"), Person("Amy", "amy@example.net")


@attrs.frozen
class World:
    box: MicrosoftMailbox
    mail: MailClient
    calendar: CalendarClient

    def event(self, **fields: object) -> str:
        kept = self.box.add_event(Event(title="Plans", start=START, end=START + dt.timedelta(hours=1), **fields))  # type: ignore[arg-type]  # Event's own names
        assert kept
        (found,) = self.calendar.events(START.date(), START.date() + dt.timedelta(days=1))
        return str(found.ref)


@pytest.fixture
def world() -> Iterator[World]:
    sandbox = Sandbox()
    box = sandbox.microsoft(ANN.address)
    accounts = sandbox_accounts(sandbox, work=box)
    with MailClient(accounts) as mail, CalendarClient(accounts, tz="UTC") as calendar:
        yield World(box, mail, calendar)


def answer(world: World) -> None:
    world.calendar.respond(world.event(organizer=AMY, guests=[Guest(ANN)]), "accepted")


def call_off(world: World) -> None:
    world.calendar.cancel(world.event(guests=[Guest(AMY)]))


def delete_event(world: World) -> None:
    world.calendar.delete(world.event())


def delete_folder(world: World) -> None:
    world.mail.labels.delete(world.mail.labels.create("Alpha", kind="folder"))


def delete_category(world: World) -> None:
    world.mail.labels.delete(world.mail.labels.create("Red", kind="category"))


def delete_draft(world: World) -> None:
    world.mail.drafts.delete(world.mail.drafts.create(AMY.address, subject="Lunch?", text="At one?"))


@pytest.mark.parametrize("fault", [{"json": {}}, {"body": b""}], ids=["200 {}", "200"])
@pytest.mark.parametrize(
    ("verb", "operation"),
    [
        (answer, "events.accept"),
        (call_off, "events.cancel"),
        (delete_event, "events.delete"),
        (delete_folder, "folders.delete"),
        (delete_category, "categories.delete"),
        (delete_draft, "messages.delete"),
    ],
)
def test_another_answer_than_the_documented_one_is_no_success(
    world: World, verb: Callable[[World], None], operation: str, fault: dict[str, object]
) -> None:
    world.box.script(Fault(status=200, operation=operation, times=None, **fault))  # type: ignore[arg-type]
    with pytest.raises(BadPayload) as raised:
        verb(world)
    assert (raised.value.code, raised.value.status) == ("not_accepted", 200)
    world.box.faults.clear()
