"""Who gets an answer, and why: the rules one by one, and what holds for all of them."""

from __future__ import annotations

import datetime as dt

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mailkit.addressing import Addressed, Wish, address, answerable
from mailkit.errors import InvalidMessage
from mailkit.mime.headers import read_addresses
from mailkit.models.mail import FolderRole, Message, Thread
from mailkit.values import Address, Ref

ME = ("me@example.com", "me.alias@example.com", "sales@example.com")
NOON = dt.datetime(2026, 3, 15, 12, tzinfo=dt.UTC)


def mail(
    from_: str = "",
    *,
    to: str = "",
    cc: str = "",
    bcc: str = "",
    reply_to: str = "",
    folder: FolderRole = "inbox",
    **headers: str,
) -> Message:
    """Make a message out of header texts; ``mail_followup_to=`` is the header Mail-Followup-To."""
    sender = read_addresses(from_)
    return Message(
        ref=Ref(account="work", kind="message", id="m1"),
        thread=Ref(account="work", kind="thread", id="t1"),
        date=NOON,
        subject="Plan",
        message_id="<m1@example.org>",
        from_=sender[0] if sender else None,
        to=read_addresses(to),
        cc=read_addresses(cc),
        bcc=read_addresses(bcc),
        reply_to=read_addresses(reply_to),
        folder=folder,
        headers=tuple((name.replace("_", "-").title(), value) for name, value in headers.items()),
    )


def people(addressed: Addressed) -> tuple[list[str], list[str], list[str]]:
    to, cc, bcc = ([each.address for each in place] for place in (addressed.to, addressed.cc, addressed.bcc))
    return to, cc, bcc


def answered(original: Message, wish: Wish = "reply", **more: str) -> tuple[list[str], list[str], list[str]]:
    return people(address(original, wish, me=ME, **{name: read_addresses(text) for name, text in more.items()}))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("original", "reply", "reply_all"),
    [
        pytest.param(
            mail("ann@x", to="me@example.com, bob@x", cc="dee@x"),
            (["ann@x"], []),
            (["ann@x", "bob@x"], ["dee@x"]),
            id="from",
        ),
        pytest.param(
            mail("ann@x", to="me@example.com", reply_to="list@x, Ann@x"),
            (["list@x", "Ann@x"], []),
            (["list@x", "Ann@x"], []),
            id="reply-to before from",
        ),
        pytest.param(
            mail("ann@x", to="bob@x", reply_to="me@example.com"),
            (["ann@x"], []),
            (["ann@x", "bob@x"], []),
            id="a Reply-To of one's own says nothing",
        ),
        pytest.param(
            mail("me@example.com", to="bob@x, me@example.com", cc="dee@x, me.alias@example.com"),
            (["bob@x"], []),
            (["bob@x"], ["dee@x"]),
            id="one's own message goes on to the same people",
        ),
        pytest.param(
            mail("me@example.com", to="me@example.com", cc="dee@x"),
            ([], ["dee@x"]),
            ([], ["dee@x"]),
            id="one's own message to people in Cc only",
        ),
        pytest.param(
            mail("sales@example.com", to="sales@example.com", reply_to="visitor@x"),
            (["visitor@x"], []),
            (["visitor@x"], []),
            id="contact form",
        ),
        pytest.param(
            mail("me@example.com", to="me@example.com"),
            (["me@example.com"], []),
            (["me@example.com"], []),
            id="note to oneself",
        ),
        pytest.param(
            mail("ann@x", to="list@lists.x", list_post="<mailto:list@lists.x>"),
            (["ann@x"], []),
            (["ann@x", "list@lists.x"], []),
            id="a list does not take the author's place",
        ),
        pytest.param(
            mail("ann@x", to="list@lists.x", cc="dee@x", mail_followup_to="list@lists.x, me@example.com"),
            (["ann@x"], []),
            (["list@lists.x"], []),
            id="Mail-Followup-To",
        ),
        pytest.param(
            mail("op@x", to="General@lists.x", reply_to="general@lists.x"),
            (["general@lists.x"], []),
            (["general@lists.x"], []),
            id="each address once",
        ),
        pytest.param(
            mail("ann@x", to="bob@x", cc="BOB@X, ann@x, dee@x"),
            (["ann@x"], []),
            (["ann@x", "bob@x"], ["dee@x"]),
            id="To before Cc",
        ),
        pytest.param(
            mail("team@x", to="cloud@x", cc="hr@x", bcc="me@example.com, boss@x"),
            (["team@x"], []),
            (["team@x", "cloud@x"], ["hr@x"]),
            id="Bcc stays hidden",
        ),
        pytest.param(
            mail("ann@x", to="ME@EXAMPLE.COM, info@bücher.example", cc="INFO@xn--bcher-kva.example"),
            (["ann@x"], []),
            (["ann@x", "info@bücher.example"], []),
            id="compared without case, domains in one form",
        ),
    ],
)
def test_the_rules(
    original: Message, reply: tuple[list[str], list[str]], reply_all: tuple[list[str], list[str]]
) -> None:
    assert answered(original) == (*reply, [])
    assert answered(original, "reply_all") == (*reply_all, [])


def test_people_can_be_added() -> None:
    original = mail("ann@x", to="bob@x", cc="dee@x")
    assert answered(original, "reply_all", to="eve@x", cc="ann@x, fay@x", bcc="me@example.com, dee@x") == (
        ["ann@x", "bob@x", "eve@x"],
        ["dee@x", "fay@x"],
        ["me@example.com"],
    )


def test_a_forward_goes_only_to_those_named() -> None:
    assert answered(mail("ann@x", to="bob@x"), "forward", to="eve@x") == (["eve@x"], [], [])


@pytest.mark.parametrize(
    ("original", "wish"),
    [
        (mail("ann@x", to="bob@x"), "forward"),
        (mail(), "reply"),
        (mail("me@example.com", bcc="dee@x"), "reply_all"),
        (mail(to="me@example.com"), "reply_all"),
        (mail('"Mail Delivery" <>', to="undisclosed-recipients:;"), "reply_all"),
    ],
)
def test_a_mail_to_nobody_is_refused(original: Message, wish: Wish) -> None:
    with pytest.raises(InvalidMessage, match="name somebody with to=") as caught:
        address(original, wish, me=ME)
    assert caught.value.code == "no_recipients"


@pytest.mark.parametrize(
    ("original", "expected"),
    [
        (mail("ann@x", to="Sales@example.com, me@example.com"), "Sales@example.com"),
        (mail("ann@x", to="bob@x", cc="me.alias@example.com"), "me.alias@example.com"),
        (mail("me.alias@example.com", to="sales@example.com"), "me.alias@example.com"),
        (mail("ann@x", to="list@x", delivered_to="sales@example.com"), "sales@example.com"),
        (mail("ann@x", to="list@x"), None),
    ],
)
def test_an_answer_comes_from_the_address_it_was_sent_to(original: Message, expected: str | None) -> None:
    sender = address(original, "reply", me=ME).from_
    assert (sender and sender.address) == expected


def test_tags_and_dots_count_only_when_asked() -> None:
    original = mail("ann@x", to="m.e+news@gmail.com, bob@x")
    assert people(address(original, "reply_all", me=["me@gmail.com"]))[0] == ["ann@x", "m.e+news@gmail.com", "bob@x"]
    assert people(address(original, "reply_all", me=["me@gmail.com"], own_spellings=True))[0] == ["ann@x", "bob@x"]


def test_an_answer_comes_from_an_own_address_as_it_is_whatever_spellings_count() -> None:
    me = ["first.last@gmail.com", "first.last+shop@gmail.com"]
    for to, expected in ((me[0], me[0]), (me[1], me[1]), ("f.irstlast+news@gmail.com", None)):
        found = address(mail("ann@x", to=to), "reply_all", me=me, own_spellings=True)
        assert (found.from_ and found.from_.address) == expected
        assert people(found)[0] == ["ann@x"]


def test_every_address_has_its_reason() -> None:
    original = mail("ann@x", to="me@example.com, bob@x, ANN@x", cc="nobody:;")
    reasons = address(original, "reply_all", me=ME, bcc=[Address(address="dee@x")]).reasons
    assert [(each.address.address, each.place, each.why) for each in reasons] == [
        ("ann@x", "to", "from"),
        ("me@example.com", None, "own_address"),
        ("bob@x", "to", "original_to"),
        ("ANN@x", None, "named_twice"),
        ("dee@x", "bcc", "added"),
    ]


@pytest.mark.parametrize("bad", ["not an address", "jürgen@x", "a b@x", "@x", "eve@x\nBcc: bob@x"])
def test_those_that_no_mail_can_be_sent_to_keep_it_from_nobody_else(bad: str) -> None:
    original = attrs.evolve(mail("ann@x", to="bob@x"), cc=(Address(name="Eve", address=bad), Address(address="dee@x")))
    found = address(original, "reply_all", me=ME)
    assert people(found) == (["ann@x", "bob@x"], ["dee@x"], [])
    assert [each.address.address for each in found.reasons if each.why == "no_address"] == [bad]
    with pytest.raises(InvalidMessage, match="name somebody with to="):
        address(attrs.evolve(mail(), from_=Address(address=bad)), "reply", me=ME)


def in_thread(*folders: FolderRole) -> Thread:
    return Thread(
        ref=Ref(account="work", kind="thread", id="t1"),
        messages=tuple(mail(f"p{n}@x", folder=folder) for n, folder in enumerate(folders)),
    )


def test_a_thread_is_answered_at_its_newest_message_that_counts() -> None:
    found = answerable(in_thread("inbox", "sent", "drafts", "trash", "spam"))
    assert found.from_ == Address(address="p1@x")
    with pytest.raises(InvalidMessage, match="no message that can be answered"):
        answerable(in_thread("drafts"))


ADDRESSES = st.sampled_from([*ME, "Me@Example.com", "ann@x", "ANN@X", "bob@x", "dee@x", "list@x", "eve@y"]).map(
    lambda text: Address(address=text)
)
LISTS = st.lists(ADDRESSES, max_size=4).map(tuple)
WISHES: st.SearchStrategy[Wish] = st.sampled_from(("reply", "reply_all", "forward"))


@st.composite
def originals(draw: st.DrawFn) -> Message:
    return Message(
        ref=Ref(account="work", kind="message", id="m1"),
        thread=Ref(account="work", kind="thread", id="t1"),
        date=NOON,
        from_=draw(st.none() | ADDRESSES),
        to=draw(LISTS),
        cc=draw(LISTS),
        bcc=draw(LISTS),
        reply_to=draw(LISTS),
    )


def same(address: Address) -> str:
    return address.address.lower()


@given(originals(), WISHES, LISTS, LISTS, LISTS)
def test_what_holds_for_every_answer(
    original: Message, wish: Wish, to: tuple[Address, ...], cc: tuple[Address, ...], bcc: tuple[Address, ...]
) -> None:
    try:
        found = address(original, wish, me=ME, to=to, cc=cc, bcc=bcc)
    except InvalidMessage:
        nobody_wrote = original.from_ is None and not original.reply_to
        assert not any((to, cc, bcc))
        assert wish == "forward" or nobody_wrote or not original.to
        return
    everybody = [same(each) for each in (*found.to, *found.cc, *found.bcc)]
    assert len(everybody) == len(set(everybody)), "an address stands once"
    by_hand = {same(each) for each in (*to, *cc, *bcc)}
    visible = {same(each) for each in (original.from_, *original.to, *original.cc, *original.reply_to) if each}
    assert set(everybody) <= visible | by_hand, "a Bcc of the original was leaked"
    own = (set(everybody) - by_hand) & set(ME)
    if own:
        assert not set(everybody) - by_hand - set(ME), "oneself only in a note to oneself"
    assert {same(each) for each in found.bcc} <= {same(each) for each in bcc}
    placed = {(each.place, same(each.address)) for each in found.reasons if each.place}
    assert placed == {
        *(("to", same(each)) for each in found.to),
        *(("cc", same(each)) for each in found.cc),
        *(("bcc", same(each)) for each in found.bcc),
    }
    assert {same(each.address) for each in found.reasons} >= by_hand


def test_an_address_is_not_shown_in_passing() -> None:
    found = Addressed(to=(Address(name="Amy", address="amy@x"),), subject="Plans")
    assert repr(found) == "<Addressed to 1, cc 0, bcc 0>"
