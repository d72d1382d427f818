"""The law of putting mail in order: whatever verbs come in whatever order, both providers end up as a plain model says.

Somebody else has a hand in it: between two verbs they put on a category, or move a message; requests are throttled.
"""

from __future__ import annotations

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mailkit import AsyncMailClient, Ref
from mailkit.sandbox import Fault, GoogleMailbox, Mail, Mailbox, Sandbox
from mailkit.testing import sandbox_accounts

pytestmark = pytest.mark.anyio

PLACES = ("inbox", "archive", "trash", "spam")
LABELS = ("Red", "Blue", "Green")
COUNT = 4


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    """What becomes of a mailbox does not depend on the event loop, and the law takes long."""
    return "asyncio"


@attrs.define
class Expected:
    """One message as it must be."""

    place: str = "inbox"
    read: bool = False
    starred: bool = False
    labels: frozenset[str] = frozenset()


@attrs.frozen
class Step:
    """One verb on some of the messages, by number; ``word`` is what it takes besides."""

    verb: str
    numbers: tuple[int, ...]
    word: str = ""


def _steps() -> st.SearchStrategy[Step]:
    numbers = st.lists(st.integers(0, COUNT - 1), min_size=1, max_size=COUNT, unique=True).map(tuple)
    plain = ("mark_read", "mark_unread", "star", "unstar", "archive", "trash", "untrash", "spam", "not_spam")
    return st.one_of(
        st.builds(Step, st.sampled_from((*plain, "throttle")), numbers),
        st.builds(Step, st.just("move"), numbers, st.sampled_from(PLACES)),
        st.builds(
            Step, st.sampled_from(("add_labels", "remove_labels", "elsewhere")), numbers, st.sampled_from(LABELS)
        ),
    )


def _expect(message: Expected, step: Step) -> None:
    match step.verb:
        case "mark_read" | "mark_unread":
            message.read = step.verb == "mark_read"
        case "star" | "unstar":
            message.starred = step.verb == "star"
        case "archive" if message.place == "inbox":
            message.place = "archive"
        case "untrash" if message.place == "trash":
            message.place = "inbox"
        case "not_spam" if message.place == "spam":
            message.place = "inbox"
        case "trash" | "spam":
            message.place = step.verb
        case "move":
            message.place = step.word
        case "add_labels" | "elsewhere":
            message.labels |= {step.word}
        case "remove_labels":
            message.labels -= {step.word}


def _somebody_else(box: Mailbox, message_id: str, label: str) -> None:
    entry = box.get(message_id)
    assert entry is not None
    if label not in entry.mail.labels:
        box.update(message_id, labels=(*entry.mail.labels, label))


@settings(max_examples=30)
@given(st.lists(_steps(), min_size=1, max_size=8))
async def test_both_providers_end_up_as_the_model_says(steps: list[Step]) -> None:
    sandbox = Sandbox()
    boxes: dict[str, Mailbox] = {"g": sandbox.google("ann@example.com"), "m": sandbox.microsoft("ann@contoso.example")}
    for box in boxes.values():
        for label in LABELS:
            if isinstance(box, GoogleMailbox):
                box.label(label)
    ids = {name: [box.add(Mail(subject=str(n), text="x")) for n in range(COUNT)] for name, box in boxes.items()}
    expected = [Expected() for _ in range(COUNT)]
    async with AsyncMailClient(sandbox_accounts(sandbox, g=boxes["g"], m=boxes["m"]), tz="UTC") as mail:
        old = {row.ref: row for row in await mail.search("in:anywhere")}
        for at, step in enumerate(steps):
            refs = [Ref(account=name, kind="message", id=ids[name][n]) for name in boxes for n in step.numbers]
            if step.verb == "throttle":
                for box in boxes.values():
                    box.faults.clear()
                    box.script(Fault.rate_limited(1, times=2))
            elif step.verb == "elsewhere":
                for ref in refs:
                    _somebody_else(boxes[ref.account], ref.id, step.word)
            else:
                # What an old row says of the place counts for archiving, and for nothing else.
                messages = refs if step.verb == "archive" or at % 2 else [old[ref] for ref in refs]
                options = {"create": True} if step.verb == "add_labels" else {}
                words = (step.word,) if step.word else ()
                (await getattr(mail, step.verb)(messages, *words, **options)).raise_for_failures()
            for number in step.numbers:
                _expect(expected[number], step)
        for box in boxes.values():
            box.faults.clear()
        for row in await mail.search("in:anywhere"):
            want = expected[int(row.subject)]
            got = Expected(row.folder, row.is_read, row.is_starred, frozenset(row.labels))
            assert got == want, (row.account, row.subject)
