"""Putting mail in order over the whole house: both providers, several accounts, lists, conversations, labels."""

from __future__ import annotations

from collections.abc import AsyncIterator

import attrs
import pytest

from mailkit import (
    Accounts,
    AmbiguousAccount,
    AsyncMailClient,
    Conflict,
    ItemsFailed,
    Label,
    MailClient,
    NotFound,
    Outcomes,
    PermissionMissing,
    Ref,
    TimedOut,
    UnknownAccount,
    Unsupported,
    UsageError,
)
from mailkit.errors import MailkitError
from mailkit.models import MessageSummary, Outcome
from mailkit.sandbox import Fault, GoogleMailbox, Mail, Mailbox, MicrosoftMailbox, Sandbox
from mailkit.testing import sandbox_account, sandbox_accounts

pytestmark = pytest.mark.anyio


@attrs.frozen
class World:
    sandbox: Sandbox
    google: GoogleMailbox
    microsoft: MicrosoftMailbox

    def add(self, account: str, **fields: object) -> str:
        box: Mailbox = self.google if account == "g" else self.microsoft
        return box.add(Mail(**{"subject": "x", "text": "Hello", **fields}))  # type: ignore[arg-type]  # as given

    def mail(self, account: str, message_id: str) -> Mail:
        box: Mailbox = self.google if account == "g" else self.microsoft
        entry = box.get(message_id)
        assert entry is not None
        return entry.mail


@pytest.fixture
def world() -> World:
    sandbox = Sandbox()
    return World(sandbox, sandbox.google("ann@example.com"), sandbox.microsoft("ann@contoso.example"))


@pytest.fixture
async def mail(world: World) -> AsyncIterator[AsyncMailClient]:
    async with AsyncMailClient(sandbox_accounts(world.sandbox, g=world.google, m=world.microsoft), tz="UTC") as client:
        yield client


def ref(account: str, message_id: str) -> Ref:
    return Ref(account=account, kind="message", id=message_id)


async def row(mail: AsyncMailClient, query: str = "in:anywhere") -> MessageSummary:
    (found,) = await mail.search(query)
    return found


@pytest.mark.parametrize("account", ["g", "m"])
@pytest.mark.parametrize(("verb", "back"), [("archive", None), ("trash", "untrash"), ("spam", "not_spam")])
async def test_there_and_back(world: World, mail: AsyncMailClient, account: str, verb: str, back: str | None) -> None:
    world.add(account, starred=True, labels=["Blue"])
    before = await row(mail)
    outcomes = await getattr(mail, verb)(before)
    assert outcomes.ok
    after = await row(mail)
    assert after.folder == verb
    assert outcomes.refs == (after.ref,)
    assert (await mail.get(outcomes.refs[0])).subject == "x"  # the id is usable
    assert (await mail.move(outcomes.refs[0], "inbox") if back is None else await getattr(mail, back)(before)).ok
    assert attrs.evolve(await row(mail), folder_id=None) == attrs.evolve(before, folder_id=None)


@pytest.mark.parametrize("account", ["g", "m"])
async def test_marks_go_on_and_off(world: World, mail: AsyncMailClient, account: str) -> None:
    each = ref(account, world.add(account))
    for verb, field, value in (
        (mail.mark_read, "is_read", True),
        (mail.mark_unread, "is_read", False),
        (mail.star, "is_starred", True),
        (mail.unstar, "is_starred", False),
    ):
        assert (await verb(each)).refs == (each,)
        assert getattr(await row(mail), field) is value


@pytest.mark.parametrize("account", ["g", "m"])
async def test_labels_go_on_and_off_and_others_stay(world: World, mail: AsyncMailClient, account: str) -> None:
    world.add(account, labels=["Blue"])
    before = await row(mail)
    assert (await mail.add_labels(before, ["Green", "Blue", "Green"], create=True)).ok
    assert set((await row(mail)).labels) == {"Blue", "Green"}
    green = next(label for label in await mail.labels.list() if label.path == "Green")
    assert (await mail.remove_labels(str(before.ref), green)).ok
    assert (await row(mail)).labels == ("Blue",)
    with pytest.raises(NotFound) as missing:
        await mail.add_labels(before, "Bleu")
    assert missing.value.near == ("Blue",)
    assert missing.value.operation == "mail.add_labels"
    with pytest.raises(NotFound) as nowhere:
        await mail.move(before, "Bleu")
    assert "create=" not in str(nowhere.value)  # move takes no such thing
    assert "mail.labels.create" in str(nowhere.value)


async def test_mail_moves_to_labels_and_folders(world: World, mail: AsyncMailClient) -> None:
    world.google.label("Projects/Alpha")
    world.microsoft.add_folder("Projects/Alpha")
    ids = {account: world.add(account, folder="trash") for account in "gm"}
    outcomes = await mail.move([ref(account, each) for account, each in ids.items()], "Projects/Alpha")
    assert outcomes.ok
    rows = await mail.search("label:projects-alpha")
    assert {(each.account, each.ref) for each in rows} == {(o.ref.account, o.value.ref) for o in outcomes if o.value}
    assert not await mail.search("in:inbox")
    assert not await mail.search("in:trash")
    for label in await mail.labels.list():
        if label.role == "inbox":
            assert (await mail.move([each for each in rows if each.account == label.account], label)).ok
    assert len(await mail.search("in:inbox")) == 2


async def test_what_outlook_calls_otherwise_is_said(world: World, mail: AsyncMailClient) -> None:
    world.microsoft.add_folder("Projects")
    world.microsoft.categories = ["Work"]
    each = ref("m", world.add("m"))
    for call, code in (
        (mail.add_labels(each, "Projects"), "is_folder"),
        (mail.remove_labels(each, "Projects"), "is_folder"),
        (mail.move(each, "Work"), "is_category"),
    ):
        with pytest.raises(Unsupported) as refused:
            await call
        assert refused.value.code == code


async def test_a_long_list_fails_for_just_those_that_do(world: World, mail: AsyncMailClient) -> None:
    refs = [ref("gm"[number % 2], world.add("gm"[number % 2])) for number in range(500)]
    gone = refs[11::50]
    for each in gone:
        (world.google if each.account == "g" else world.microsoft).remove(each.id)
    outcomes = await mail.archive(refs)
    assert [outcome.ref for outcome in outcomes] == refs
    assert [outcome.ref for outcome in outcomes.failures] == gone
    assert {type(outcome.error) for outcome in outcomes.failures} == {NotFound}
    assert {outcome.error.account for outcome in outcomes.failures if outcome.error} == {each.account for each in gone}
    assert len(outcomes.refs) == 490
    with pytest.raises(ItemsFailed) as raised:
        outcomes.raise_for_failures()
    assert len(raised.value.errors) == 10
    assert raised.value.operation == "mail.archive"
    assert repr(outcomes) == "<Outcomes 490 done, 10 failed>"


async def test_an_account_that_fails_leaves_the_other_alone(world: World, mail: AsyncMailClient) -> None:
    refs = [ref(account, world.add(account)) for account in "gmgm"]
    world.google.script(Fault.hang(times=None))
    outcomes = await mail.star([*refs, refs[0]], deadline=5)
    assert [outcome.ref for outcome in outcomes] == refs
    assert [type(outcome.error) for outcome in outcomes] == [TimedOut, type(None)] * 2
    assert all(world.mail("m", each.id).starred for each in refs if each.account == "m")


@pytest.mark.parametrize("account", ["g", "m"])
async def test_a_conversation_leaves_its_sent_mail_and_drafts_behind(
    world: World, mail: AsyncMailClient, account: str
) -> None:
    places = ("inbox", "sent", "inbox", "drafts", "archive")
    ids = [world.add(account, folder=place, thread="t", subject=str(n)) for n, place in enumerate(places)]
    thread = await mail.thread((await mail.search("subject:0"))[0])
    outcomes = await mail.archive(thread)
    assert {outcome.ref.id for outcome in outcomes} == {ids[0], ids[2]}
    assert [world.mail(account, each).place for each in ids] == ["archive", "sent", "archive", "drafts", "archive"]
    assert {outcome.ref.id for outcome in await mail.trash([thread.ref])} == {ids[0], ids[2], ids[4]}
    assert [world.mail(account, each).place for each in ids] == ["trash", "sent", "trash", "drafts", "trash"]
    assert {outcome.ref.id for outcome in await mail.mark_read(str(thread.ref))} == set(ids)
    assert not await mail.archive(thread)  # nothing of it is in the inbox


async def test_a_conversation_that_is_gone_fails_as_one(world: World, mail: AsyncMailClient) -> None:
    gone = [Ref(account=account, kind="thread", id="17a0") for account in "gm"]
    each = ref("g", world.add("g"))
    outcomes = await mail.archive([*gone, each])
    assert [(outcome.ref, outcome.ok) for outcome in outcomes] == [(gone[0], False), (gone[1], False), (each, True)]
    for thread in gone:
        with pytest.raises(NotFound):
            await mail.archive(thread)


async def test_what_is_named_alone_raises_its_own_error(world: World, mail: AsyncMailClient) -> None:
    with pytest.raises(NotFound) as missing:
        await mail.archive(ref("g", "17a0"))
    assert (missing.value.account, missing.value.operation) == ("g", "mail.archive")
    assert not (await mail.archive([ref("g", "17a0")])).ok
    assert len(await mail.archive([])) == 0
    assert not await mail.archive(await mail.search("subject:nothing"))


async def test_bare_ids_need_an_account(world: World, mail: AsyncMailClient) -> None:
    each = world.add("m")
    with pytest.raises(AmbiguousAccount):
        await mail.star(each)
    assert (await mail.star([each], account="m")).refs == (ref("m", each),)


async def test_what_cannot_be_is_refused_before_anything_is_sent(world: World, mail: AsyncMailClient) -> None:
    label = Label(ref=Ref(account="g", kind="label", id="Label_1"), name="x", path="x", kind="label")
    inbox = attrs.evolve(label, kind="system", role="inbox")
    each, other = ref("g", "1"), ref("m", "1")
    for call in (
        lambda: mail.archive([each] * 501),
        lambda: mail.archive(7),  # type: ignore[arg-type]  # on purpose
        lambda: mail.archive([7]),  # type: ignore[list-item]  # on purpose
        lambda: mail.archive(label.ref),
        lambda: mail.archive("mk1:broken"),
        lambda: mail.add_labels(each, []),
        lambda: mail.add_labels(each, [f"l{n}" for n in range(101)]),
        lambda: mail.add_labels(each, " "),
        lambda: mail.add_labels(each, 7),  # type: ignore[arg-type]  # on purpose
        lambda: mail.add_labels(each, inbox),
        lambda: mail.add_labels([each, other], label),
        lambda: mail.add_labels(each, each),
        lambda: mail.move(each, 7),  # type: ignore[arg-type]  # on purpose
        lambda: mail.move(each, attrs.evolve(inbox, role="sent")),
        lambda: mail.add_labels(each, "x", create="yes"),  # type: ignore[arg-type]  # on purpose
        lambda: mail.labels.create("a//b", account="g"),
        lambda: mail.labels.create(" a", account="g"),
        lambda: mail.labels.create("a", account="g", kind="tag"),  # type: ignore[arg-type]  # on purpose
        lambda: mail.labels.create("a"),
        lambda: mail.labels.rename(label, "a/b"),
        lambda: mail.labels.rename(label, "a", progress=7),  # type: ignore[arg-type]  # on purpose
        lambda: mail.labels.delete(each),
    ):
        with pytest.raises(UsageError) as refused:
            await call()
        assert refused.value.operation
    with pytest.raises(UnknownAccount):
        await mail.labels.create("a", account="nobody")
    assert not world.sandbox.requests


async def test_an_account_without_the_permission_fails_alone(world: World) -> None:
    accounts = [
        attrs.evolve(sandbox_account(world.sandbox, world.google, name="g"), scopes={"gmail.readonly"}),
        sandbox_account(world.sandbox, world.microsoft, name="m"),
    ]
    refs = [ref("g", world.add("g")), ref("m", world.add("m"))]
    async with AsyncMailClient(Accounts(accounts, clock=world.sandbox.clock)) as mail:
        outcomes = await mail.archive(refs)
        assert [type(outcome.error) for outcome in outcomes] == [PermissionMissing, type(None)]
        with pytest.raises(PermissionMissing):
            await mail.archive(refs[0])
    assert all(request.mailbox == "ann@contoso.example" for request in world.sandbox.requests)


# -- labels ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("account", "kind"), [("g", "label"), ("m", "category"), ("m", "folder")])
async def test_labels_are_made_renamed_and_deleted(
    world: World, mail: AsyncMailClient, account: str, kind: str
) -> None:
    made = await mail.labels.create("Travel", account=account, kind=kind)  # type: ignore[arg-type]  # one of them
    assert (made.kind, made.path) == (kind, "Travel")
    assert made.ref in {label.ref for label in await mail.labels.list()}
    with pytest.raises(Conflict):
        await mail.labels.create("Travel", account=account, kind=kind)  # type: ignore[arg-type]  # one of them
    each = ref(account, world.add(account))
    await (mail.move(each, made) if kind == "folder" else mail.add_labels(each, made))
    renamed = await mail.labels.rename(str(made.ref), "Journeys")
    assert (await row(mail)).labels == ("Journeys",)
    assert renamed.messages.ok
    if kind == "folder":
        with pytest.raises(Conflict):
            await mail.labels.delete(renamed.label)
        await mail.trash(each)
    await mail.labels.delete(renamed.label)
    assert renamed.label.ref not in {label.ref for label in await mail.labels.list() if label.kind == kind} or (
        kind == "folder"  # which lies in the trash now
    )
    assert (await row(mail)).ref == each


@pytest.mark.parametrize(("account", "kind"), [("g", "label"), ("m", "category"), ("m", "folder")])
async def test_labels_are_renamed_and_deleted_by_their_names(
    world: World, mail: AsyncMailClient, account: str, kind: str
) -> None:
    made = await mail.labels.create("Travel", account=account, kind=kind)  # type: ignore[arg-type]  # one of them
    for verb in (mail.labels.delete, lambda label, **of: mail.labels.rename(label, "Work", **of)):
        for name in ("Travle", "travel", made.ref.id if kind != "category" else "TRAVEL"):
            with pytest.raises(NotFound) as missing:
                await verb(name, account=account)
            assert (missing.value.code, missing.value.account) == ("no_such_label", account)
            assert (missing.value.near == ("Travel",)) is (name.lower()[:4] == "trav")
            assert missing.value.operation in ("mail.labels.delete", "mail.labels.rename")
        with pytest.raises(AmbiguousAccount):
            await verb("Travel")
        with pytest.raises(UnknownAccount):
            await verb("Travel", account="nobody")
        with pytest.raises(UsageError):
            await verb(" ", account=account)
    assert made.ref in {label.ref for label in await mail.labels.list()}
    renamed = await mail.labels.rename("Travel", "Journeys", account=account)
    assert (renamed.label.path, renamed.label.kind) == ("Journeys", kind)
    await mail.labels.delete("Journeys", account=account)
    assert "Journeys" not in {label.path for label in await mail.labels.list()}


@pytest.mark.parametrize(("account", "kind"), [("g", "label"), ("m", "category"), ("m", "folder")])
async def test_a_name_that_is_taken_is_told_alike(mail: AsyncMailClient, account: str, kind: str) -> None:
    for name in ("Travel", "Work"):
        await mail.labels.create(name, account=account, kind=kind)  # type: ignore[arg-type]  # one of them
    for name in ("Travel", "TRAVEL"):
        for call in (
            mail.labels.create(name, account=account, kind=kind),  # type: ignore[arg-type]  # one of them
            mail.labels.rename("Work", name, account=account),
        ):
            with pytest.raises(Conflict, match="of that name already") as taken:
                await call
            assert (taken.value.code, taken.value.account) == ("label_exists", account)
            assert taken.value.operation in ("mail.labels.create", "mail.labels.rename")
            assert taken.value.had_no_effect is (taken.value.status is not None)  # by the provider, or known before
    assert {"Travel", "Work"} <= {label.path for label in await mail.labels.list(accounts=account)}


@pytest.mark.parametrize(("account", "path"), [("g", "INBOX"), ("m", "Inbox")])
async def test_the_providers_own_stay_however_they_are_named(mail: AsyncMailClient, account: str, path: str) -> None:
    (inbox,) = [each for each in await mail.labels.list(accounts=account) if each.role == "inbox"]
    assert inbox.path == path
    for named in (path, inbox, inbox.ref, str(inbox.ref)):
        for call in (mail.labels.delete(named, account=account), mail.labels.rename(named, "Mine", account=account)):
            with pytest.raises(Unsupported) as refused:
                await call
            assert refused.value.code == "system_label"


async def test_a_name_that_several_have_changes_none_of_them(world: World, mail: AsyncMailClient) -> None:
    world.microsoft.categories = ["Work"]
    world.microsoft.add_folder("Work")
    both = {label.ref for label in await mail.labels.list(accounts="m") if label.path == "Work"}
    for call in (mail.labels.delete("Work", account="m"), mail.labels.rename("Work", "Job", account="m")):
        with pytest.raises(UsageError) as refused:
            await call
        assert (refused.value.code, refused.value.account) == ("ambiguous_label", "m")
    assert both == {label.ref for label in await mail.labels.list(accounts="m") if label.path == "Work"}
    assert len(both) == 2
    assert not [each for each in world.sandbox.requests if each.method not in ("GET", "POST")]
    for ref in both:
        await mail.labels.delete(ref)


async def test_a_label_is_deleted_by_the_name_it_has_now(world: World, mail: AsyncMailClient) -> None:
    kept = world.microsoft.add_folder("Old")
    each = ref("m", world.add("m", folder="Old"))
    await row(mail)  # folders are known from here on
    async with AsyncMailClient(sandbox_accounts(world.sandbox, g=world.google, m=world.microsoft)) as other:
        await other.labels.rename("Old", "Kept", account="m")
        made = await other.labels.create("Old", account="m", kind="folder")
    await mail.labels.delete("Old", account="m")
    assert made.ref.id != kept
    assert (await mail.get(each)).folder_path == "Kept"


async def test_labels_are_made_in_the_default_account(world: World) -> None:
    accounts = sandbox_accounts(world.sandbox, g=world.google, m=world.microsoft)
    accounts.set_default("m")
    async with AsyncMailClient(accounts) as mail:
        assert (await mail.labels.create("Blue")).account == "m"


# -- what comes back -------------------------------------------------------------------------------------------------


async def test_outcomes_are_a_list_that_can_be_shown(world: World, mail: AsyncMailClient) -> None:
    each = ref("g", world.add("g"))
    outcomes = await mail.star([each, ref("g", "17a0")])
    assert isinstance(outcomes[:1], Outcomes)
    assert outcomes[:1].ok
    first, second = outcomes.to_records()
    assert first == {"account": "g", "ref": str(each), "new_ref": str(each), "error": None}
    assert second["new_ref"] is None
    assert str(second["error"]).startswith("NotFound: ")
    assert "NotFound" in outcomes._repr_html_()
    assert [Outcome.from_dict(outcome.to_dict()) for outcome in outcomes] == list(outcomes)
    with pytest.raises(MailkitError) as raised:
        outcomes.raise_for_failures()
    assert type(raised.value) is NotFound


def test_the_sync_client_does_the_same(world: World) -> None:
    each = ref("m", world.add("m"))
    with MailClient(sandbox_accounts(world.sandbox, g=world.google, m=world.microsoft)) as mail:
        assert mail.archive(each).refs == (each,)
        assert mail.labels.create("Blue", account="g").path == "Blue"
        with pytest.raises(NotFound):
            mail.move(each, "Nowhere")
