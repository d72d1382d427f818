"""Putting mail in order at Gmail, where every place and mark is a label.

Responsible for which labels a change puts on and takes off, and for telling of each message whether it came about: one
request changes a thousand messages and says nothing of any, so each is looked at afterwards.
https://developers.google.com/workspace/gmail/api/guides/labels
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence

from mailkit.errors import BadPayload, MailkitError, ProviderError
from mailkit.providers.google.access import MODIFY, permitted
from mailkit.providers.google.gmail_base import GmailBase
from mailkit.providers.google.gmail_messages import object_of
from mailkit.providers.google.gmail_organise_calls import (
    Labels,
    batch_modify,
    message_modify,
    message_state,
    thread_state,
)
from mailkit.providers.google.gmail_wire import label_ids, place_of
from mailkit.providers.google.limits import BATCH_MODIFY_MOST
from mailkit.providers.organising import Change, Mark, Move, Place, Relabel, Target, concerns
from mailkit.providers.wire import Wire, get_needed_text, get_objects
from mailkit.transport.call import Answer, Call

_LEFT = frozenset(("INBOX", "TRASH", "SPAM"))
"""What a move takes a message out of."""

# What was sent or drafted is never received, so out of the trash it does not come into the inbox.
_OWN = frozenset(("SENT", "DRAFT"))
_PLACE: Mapping[Place, str] = {"inbox": "INBOX", "trash": "TRASH", "spam": "SPAM"}


class GmailOrganising(GmailBase):
    """The verbs that mark, move and label messages."""

    async def organise(self, targets: Sequence[Target], change: Change, *, operation: str) -> list[str | MailkitError]:
        """Change messages; gives each one's id, or why it was not changed, in order.

        Two round trips for 500 messages; one more out of trash and spam, where it must be known what lies there.

        Raises:
            PermissionMissing: this account may not change mail.
        """
        ids = [target.id for target in targets]
        with permitted(self.account, operation, MODIFY):
            if isinstance(change, Move) and change.only_from in ("trash", "spam"):
                return await self._brought_back(ids, change, operation)
            return await self._modified(ids, _labels(change), operation)

    async def members(
        self, thread_ids: Sequence[str], change: Change, *, operation: str
    ) -> list[tuple[Target, ...] | MailkitError]:
        """Give the messages of each conversation that the change concerns, or why they cannot be told."""
        with permitted(self.account, operation, MODIFY):
            answers = await self._session.batch([thread_state(operation, thread_id) for thread_id in thread_ids])
        return [_members(answer, change) for answer in answers]

    async def _brought_back(self, ids: Sequence[str], change: Move, operation: str) -> list[str | MailkitError]:
        """Move only what lies in the place that the change starts from."""
        states = await self._session.batch([message_state(operation, each) for each in ids])
        outcomes: dict[str, str | MailkitError] = {}
        groups: dict[Labels, list[str]] = {}
        for each, state in zip(ids, states, strict=True):
            carried = _carried(state)
            if isinstance(carried, MailkitError):
                outcomes[each] = carried
            elif _PLACE[change.only_from or "inbox"] not in carried:
                outcomes[each] = each
            else:
                back = Labels(remove=("SPAM", "TRASH")) if carried & _OWN else _labels(change)
                groups.setdefault(back, []).append(each)
        for labels, group in groups.items():
            outcomes.update(zip(group, await self._modified(group, labels, operation), strict=True))
        return [outcomes[each] for each in ids]

    async def _modified(self, ids: Sequence[str], labels: Labels, operation: str) -> list[str | MailkitError]:
        """Put labels on and take others off, then look at each message."""
        chunks = [ids[at : at + BATCH_MODIFY_MOST] for at in range(0, len(ids), BATCH_MODIFY_MOST)]
        answers = await self._session.batch([batch_modify(operation, chunk, labels) for chunk in chunks])
        steps: list[Call | MailkitError] = []
        for chunk, answer in zip(chunks, answers, strict=True):
            for each in chunk:
                if not isinstance(answer, MailkitError):
                    steps.append(message_state(operation, each))
                elif answer.status == 400:  # it did not like one of them: then each is asked for by itself
                    steps.append(message_modify(operation, each, labels))
                else:
                    steps.append(copy.copy(answer))
        found = iter(await self._session.batch([step for step in steps if isinstance(step, Call)]))
        return [
            step if isinstance(step, MailkitError) else _outcome(each, next(found), labels)
            for each, step in zip(ids, steps, strict=True)
        ]


def _labels(change: Change) -> Labels:
    """Say which labels a change puts on and takes off."""
    match change:
        case Mark(read=read, starred=starred):
            wanted = {"UNREAD": None if read is None else not read, "STARRED": starred}
            return Labels(
                add=tuple(label for label, on in wanted.items() if on),
                remove=tuple(label for label, on in wanted.items() if on is False),
            )
        case Move(to="archive", only_from="inbox"):
            return Labels(remove=("INBOX",))  # what lies elsewhere stays there, whatever else it carries
        case Move(to="trash"):
            return Labels(add=("TRASH",), remove=("SPAM",))  # its other labels come back with it
        case Move(to="archive"):
            return Labels(remove=tuple(sorted(_LEFT)))
        case Move(to=goal):
            label = _PLACE[goal] if isinstance(goal, str) else goal.id
            return Labels(add=(label,), remove=tuple(sorted(_LEFT - {label})))
        case Relabel():
            return Labels(add=tuple(ref.id for ref in change.add), remove=tuple(ref.id for ref in change.remove))


def _outcome(message_id: str, state: Answer | MailkitError, labels: Labels) -> str | MailkitError:
    carried = _carried(state)
    if isinstance(carried, MailkitError):
        return carried
    if carried.issuperset(labels.add) and carried.isdisjoint(labels.remove):
        return message_id
    return ProviderError("the change could not be verified; look at the message, then try again", code="unverified")


def _carried(state: Answer | MailkitError) -> frozenset[str] | MailkitError:
    """Give the labels that a message carries."""
    item = object_of(state)
    try:
        return item if isinstance(item, MailkitError) else frozenset(label_ids(item, "$"))
    except BadPayload as problem:
        return problem


def _members(answer: Answer | MailkitError, change: Change) -> tuple[Target, ...] | MailkitError:
    item = object_of(answer)
    if isinstance(item, MailkitError):
        return item
    try:
        found = [_target(message, f"$.messages[{at}]") for at, message in enumerate(get_objects(item, "messages", "$"))]
    except BadPayload as problem:
        return problem
    return tuple(target for target in found if target.place is None or concerns(change, target.place))


def _target(message: Wire, path: str) -> Target:
    return Target(id=get_needed_text(message, "id", path), place=place_of(label_ids(message, path)))
