"""Which accounts a call concerns."""

from __future__ import annotations

import pytest

from mailkit.errors import AmbiguousAccount, ConfigurationError, UnknownAccount, UsageError
from mailkit.fanout.resolve import concerned, item_ref, owner, thread_ref
from mailkit.models import Attachment, Message
from mailkit.values import Ref, RefKind
from tests.fanout.fakes import EPOCH, row

KNOWN = ("home", "work")
ROW = row("home", "m1", 0)


@pytest.mark.parametrize(
    ("accounts", "expected"),
    [(None, KNOWN), ("work", ("work",)), (["work", "home", "work"], KNOWN), (iter(["home"]), ("home",))],
)
def test_reads_go_to_all_or_to_the_named(accounts: object, expected: tuple[str, ...]) -> None:
    assert concerned(accounts, KNOWN, operation="mail.search") == expected  # type: ignore[arg-type]


def test_an_unknown_name_lists_the_names_there_are() -> None:
    with pytest.raises(UnknownAccount) as caught:
        concerned(["home", "hom"], KNOWN, operation="mail.search")
    assert caught.value.known == KNOWN
    assert caught.value.operation == "mail.search"


def test_nobody_named_and_nobody_there_are_mistakes() -> None:
    with pytest.raises(UsageError):
        concerned([], KNOWN, operation="x")
    with pytest.raises(ConfigurationError):
        concerned(None, (), operation="x")
    with pytest.raises(ConfigurationError):
        owner(None, ())


def test_a_bare_id_needs_an_account_unless_there_is_one() -> None:
    assert owner("work", KNOWN) == "work"
    assert owner(None, ("only",)) == "only"
    with pytest.raises(AmbiguousAccount) as caught:
        owner(None, KNOWN)
    assert caught.value.known == KNOWN
    with pytest.raises(UnknownAccount):
        owner("nobody", KNOWN)


@pytest.mark.parametrize("item", [ROW, ROW.ref, str(ROW.ref), f" {ROW.ref}\n"])
def test_a_row_a_ref_and_its_text_name_the_same_message(item: object) -> None:
    ref = item_ref(item, "message", account=None, known=KNOWN, operation="x")  # type: ignore[arg-type]
    assert ref == ROW.ref


def test_a_bare_id_becomes_a_ref() -> None:
    ref = item_ref("m9", "message", account="work", known=KNOWN, operation="x")
    assert ref == Ref(account="work", kind="message", id="m9")


@pytest.mark.parametrize(
    ("item", "kind", "account", "code"),
    [
        (ROW.thread, "message", None, "wrong_kind"),
        (ROW, "message", "work", "wrong_account"),
        (str(ROW.ref)[:-1] + "x", "message", None, "bad_ref"),
        ("", "message", "home", "bad_ref"),
        (" m1", "message", "home", "bad_ref"),
        ("m1", "attachment", "home", "bad_ref"),
        (Ref(account="home", kind="attachment", id="m1"), "attachment", None, "bad_ref"),
        ("e1", "event", "home", "bad_ref"),
        (Ref(account="home", kind="event", id="e1"), "event", None, "bad_ref"),
        (Ref(account="home", kind="calendar", id="c1", part="e1"), "calendar", None, "bad_ref"),
        (Ref(account="home", kind="message", id=""), "message", None, "bad_ref"),
        (Ref(account="home", kind="message", id="m1", part="2"), "message", None, "bad_ref"),
    ],
)
def test_what_cannot_be_meant_is_refused(item: object, kind: RefKind, account: str | None, code: str) -> None:
    with pytest.raises(UsageError) as caught:
        item_ref(item, kind, account=account, known=KNOWN, operation="x")  # type: ignore[arg-type]
    assert caught.value.code == code


def test_a_ref_of_an_account_that_is_not_here_is_refused() -> None:
    with pytest.raises(UnknownAccount):
        item_ref(row("old", "m1", 0), "message", account=None, known=KNOWN, operation="x")


def test_an_attachment_is_named_by_itself() -> None:
    ref = Ref(account="home", kind="attachment", id="m1", part="2")
    assert item_ref(Attachment(ref=ref), "attachment", account=None, known=KNOWN, operation="x") == ref


def test_a_row_and_a_message_stand_for_their_thread() -> None:
    message = Message(ref=ROW.ref, thread=ROW.thread, date=EPOCH)
    for item in (ROW, message, ROW.thread, str(ROW.thread)):
        assert thread_ref(item, account=None, known=KNOWN, operation="x") == ROW.thread
    with pytest.raises(UsageError, match="thread"):
        thread_ref(ROW.ref, account=None, known=KNOWN, operation="x")
