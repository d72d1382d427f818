"""Marking, moving and labelling: messages and conversations of any accounts at once, with an outcome for each message.

Responsible for what is meant by what was passed, for what goes to which account, and for the order of the outcomes. How
a change is made is the drivers' concern.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice

import attrs

from mailkit.checks import asked, flag, refuse
from mailkit.errors import MailkitError, UsageError
from mailkit.fanout.flow import Work, fan_out, named
from mailkit.fanout.request import Mailboxes
from mailkit.fanout.resolve import label_named, mail_ref
from mailkit.models.mail import Label, MessageSummary, Thread
from mailkit.models.organised import Organised
from mailkit.models.organising import MessageLike, Outcomes
from mailkit.models.outcomes import Outcome
from mailkit.providers.base import MailDriver
from mailkit.providers.organising import Change, LabelUse, Move, Place, Relabel, Target
from mailkit.values import Ref

__all__ = ["MOST", "LabelWish", "destination", "label_wish", "organise"]

MOST = 500
"""How many messages and conversations one call takes."""

_MOST_LABELS = 100  # https://developers.google.com/workspace/gmail/api/reference/rest/v1/users.messages/batchModify
_PLACES: Mapping[str, Place] = {"inbox": "inbox", "archive": "archive", "trash": "trash", "spam": "spam"}


@attrs.frozen(kw_only=True)
class LabelWish:
    """What labels are wished for: names, which each account looks up for itself, and refs."""

    use: LabelUse
    labels: tuple[str | Ref, ...]
    create: bool = False

    async def change(self, driver: MailDriver, operation: str) -> Change:
        """Make it a change for one account."""
        names = [label for label in self.labels if isinstance(label, str)]
        found = iter(
            await driver.find_labels(names, self.use, create=self.create, operation=operation) if names else ()
        )
        refs = tuple(next(found) if isinstance(label, str) else label for label in self.labels)
        if self.use == "move":
            return Move(to=refs[0])
        return Relabel(add=refs) if self.use == "add" else Relabel(remove=refs)


@attrs.frozen(kw_only=True)
class _Share:
    """What of a call concerns one account: messages by id, conversations."""

    messages: dict[str, Target] = attrs.field(factory=dict)
    threads: dict[str, None] = attrs.field(factory=dict)


@attrs.frozen(kw_only=True)
class _Done:
    """What one account did: the messages of each conversation, and what became of each message."""

    members: Mapping[str, Sequence[str] | MailkitError]
    changed: Mapping[str, str | MailkitError]


def destination(to: str | Label | Ref, *, known: Sequence[str], operation: str) -> Move | LabelWish:
    """Say where messages are to be moved: a place, or a folder or label.

    Raises:
        UsageError: nothing can be moved there.
    """
    with asked(operation):
        if isinstance(to, Label) and to.kind == "system":
            to = to.role or ""
            if to not in _PLACES:
                raise UsageError(
                    "nothing can be moved there; take inbox, archive, trash, spam, or a folder or label of one's own",
                    code="bad_to",
                )
        if isinstance(to, str) and to in _PLACES:
            return Move(to=_PLACES[to])
    return label_wish([to], "move", known=known, operation=operation)


def label_wish(
    labels: str | Label | Ref | Iterable[str | Label | Ref],
    use: LabelUse,
    *,
    known: Sequence[str],
    operation: str,
    create: bool = False,
) -> LabelWish:
    """Check what labels are named.

    Raises:
        UsageError: they are no labels of a person's own, or none at all, or too many.
    """
    with asked(operation):
        flag(create, "create")
        if isinstance(labels, str | Label | Ref):
            labels = (labels,)
        elif not isinstance(labels, Iterable):
            refuse(labels, "labels", "the name of a label, a Label, its ref, or a list of them")
        found = tuple(_named(label, known=known, operation=operation) for label in islice(labels, _MOST_LABELS + 1))
        if not 0 < len(found) <= _MOST_LABELS:
            raise UsageError(f"pass 1 to {_MOST_LABELS} labels at a time", code="bad_labels")
    return LabelWish(use=use, labels=found, create=create)


def _named(label: object, *, known: Sequence[str], operation: str) -> str | Ref:
    if isinstance(label, Label) and label.kind == "system":
        raise UsageError(
            "this is the provider's own; use mark_read, star, archive, trash, spam, or move", code="system_label"
        )
    return label_named(label, account=None, known=known, operation=operation)


async def organise(
    mailboxes: Mailboxes,
    messages: MessageLike | Iterable[MessageLike],
    wish: Change | LabelWish,
    *,
    operation: str,
    account: str | None,
    deadline: float,
) -> Outcomes:
    """Change messages; gives an outcome for each, in the order they were named in.

    Raises:
        UsageError: these are no messages, or too many of them, or a label belongs to another account.
        MailkitError: what was named alone, and not in a list, could not be changed.
    """
    alone = isinstance(messages, Ref | str | MessageSummary | Thread)
    with asked(operation):
        items: Iterable[object] = (messages,) if alone else messages  # type: ignore[assignment]  # looked at right here
        if not isinstance(items, Iterable):
            refuse(messages, "messages", "a message, a thread, or a list of them")
        found = [_meant(item, account, mailboxes.names, operation) for item in islice(items, MOST + 1)]
        if len(found) > MOST:
            raise UsageError(f"pass at most {MOST} messages and threads at a time", code="too_many")
        refs = [ref for ref, _ in found]
        _check_labels(wish, refs)
    shares: dict[str, _Share] = {}
    for ref, target in found:
        share = shares.setdefault(ref.account, _Share())
        if target is None:
            share.threads[ref.id] = None
        else:
            share.messages[ref.id] = target

    def work(name: str) -> Work[_Done]:
        return lambda: _do(mailboxes.driver(name), shares[name], wish, operation)

    done = await fan_out(
        {name: work(name) for name in shares}, operation=operation, clock=mailboxes.clock, deadline=deadline
    )
    outcomes = Outcomes(tuple(each for ref in dict.fromkeys(refs) for each in _outcomes(ref, done[ref.account])))
    for outcome in outcomes.failures:
        if outcome.error is not None:
            named(outcome.error, account=outcome.ref.account, operation=operation)
    if alone:
        outcomes.raise_for_failures()
    return outcomes


def _meant(item: object, account: str | None, known: Sequence[str], operation: str) -> tuple[Ref, Target | None]:
    """Give the ref of what is meant, and the message to change; None: it is a conversation."""
    ref = mail_ref(item, account=account, known=known, operation=operation)  # type: ignore[arg-type]  # it looks
    if ref.kind == "thread":
        return ref, None
    return ref, Target(id=ref.id, place=item.folder if isinstance(item, MessageSummary) else None)


def _check_labels(wish: Change | LabelWish, refs: Sequence[Ref]) -> None:
    accounts = {ref.account for ref in refs}
    for label in wish.labels if isinstance(wish, LabelWish) else ():
        if isinstance(label, Ref) and accounts - {label.account}:
            raise UsageError(
                "this label belongs to another account than some of the messages; pass its name to look it up in each",
                code="wrong_account",
            )


async def _do(driver: MailDriver, share: _Share, wish: Change | LabelWish, operation: str) -> _Done:
    change = await wish.change(driver, operation) if isinstance(wish, LabelWish) else wish
    threads = [*share.threads]
    found = await driver.members(threads, change, operation=operation) if threads else []
    targets = {target.id: target for each in found if not isinstance(each, MailkitError) for target in each}
    targets |= share.messages
    changed = await driver.organise([*targets.values()], change, operation=operation) if targets else []
    return _Done(
        members={
            thread: each if isinstance(each, MailkitError) else [target.id for target in each]
            for thread, each in zip(threads, found, strict=True)
        },
        changed=dict(zip(targets, changed, strict=True)),
    )


def _outcomes(ref: Ref, done: _Done | MailkitError) -> list[Outcome[Organised]]:
    if isinstance(done, MailkitError):
        return [Outcome(ref=ref, error=done)]
    if ref.kind == "message":
        return [_outcome(ref, done.changed[ref.id])]
    members = done.members[ref.id]
    if isinstance(members, MailkitError):
        return [Outcome(ref=ref, error=members)]
    return [_outcome(Ref(account=ref.account, kind="message", id=each), done.changed[each]) for each in members]


def _outcome(ref: Ref, result: str | MailkitError) -> Outcome[Organised]:
    if isinstance(result, MailkitError):
        return Outcome(ref=ref, error=result)
    return Outcome(ref=ref, value=Organised(ref=ref if result == ref.id else attrs.evolve(ref, id=result)))
