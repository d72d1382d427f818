"""Putting mail in order at Outlook: read and flagged, moved, with categories.

Responsible for the requests, twenty in each batch, and for the outcome of each message. Ids are asked for that survive
a move; where one changes all the same, the new one is given. https://learn.microsoft.com/graph/api/message-move
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from mailkit.errors import BadPayload, Conflict, MailkitError, NotFound, Unsupported
from mailkit.providers.microsoft.access import WRITE, permitted
from mailkit.providers.microsoft.mail_base import OutlookBase, members
from mailkit.providers.microsoft.requests import prefer
from mailkit.providers.organising import Change, Mark, Move, Relabel, Target, concerns
from mailkit.providers.wire import Wire, as_object, get_flag, get_list, get_needed_text, get_text
from mailkit.query.graph_mailbox import WELL_KNOWN, GraphMailbox
from mailkit.transport.call import Answer, Call
from mailkit.values import Ref

T = TypeVar("T")

_WHERE = (("$select", "id,parentFolderId,isDraft"),)
_CATEGORIES = (("$select", "id,categories"),)
_THREAD_PAGE = ("$top", "1000")


class OutlookOrganising(OutlookBase):
    """The verbs that mark, move and categorise messages."""

    async def organise(self, targets: Sequence[Target], change: Change, *, operation: str) -> list[str | MailkitError]:
        """Change messages; gives each one's id from now on, or why it was not changed, in order.

        One batch for 20 messages, and another where it must be looked first: at the folder of a message whose place is
        not known, at the categories it has.

        Raises:
            PermissionMissing: this account may not change mail.
            Unsupported: a category is moved to, or a folder put on.
        """
        with permitted(self.account, operation, WRITE):
            match change:
                case Mark():
                    marks = dict.fromkeys((target.id for target in targets), _marked(change))
                    changed = await self._patched(marks, operation)
                    # Exchange also refuses so while it works on a message itself (mguessan/davmail#491); once more.
                    again = {i: marks[i] for i, outcome in changed.items() if isinstance(outcome, Conflict)}
                    changed |= await self._patched(again, operation)
                case Move():
                    changed = await self._moved(targets, change, operation)
                case Relabel():
                    changed = await self.recategorised([target.id for target in targets], change, operation)
        return [changed[target.id] for target in targets]

    async def members(
        self, thread_ids: Sequence[str], change: Change, *, operation: str
    ) -> list[tuple[Target, ...] | MailkitError]:
        """Give the messages of each conversation that the change concerns, or why they cannot be told."""
        with permitted(self.account, operation, WRITE):
            calls = [self._in_thread(thread_id, operation) for thread_id in thread_ids]
            found = [
                answer if isinstance(answer, MailkitError) else await self._whole(call, answer)
                for call, answer in zip(calls, await self._session.batch(calls), strict=True)
            ]
            items = [item for each in found if not isinstance(each, MailkitError) for item in each]
            mailbox = await self._mailbox_of(operation, items)
        return [each if isinstance(each, MailkitError) else _concerned(each, change, mailbox) for each in found]

    async def recategorised(self, ids: Sequence[str], change: Relabel, operation: str) -> dict[str, str | MailkitError]:
        """Put categories on and take others off; those that anybody else puts on meanwhile stay."""
        add, remove = self._categories(change.add, operation), self._categories(change.remove, operation)
        outcomes: dict[str, str | MailkitError] = {}
        left = list(ids)
        for _ in range(2):  # somebody who comes in between is let in once
            patches: dict[str, tuple[Wire, str]] = {}
            for message_id, found in (await self._read(left, _CATEGORIES, _categories_of, operation)).items():
                outcomes[message_id] = found if isinstance(found, MailkitError) else message_id
                if not isinstance(found, MailkitError) and (now := _with(found[0], add, remove)) != found[0]:
                    patches[message_id] = ({"categories": now}, found[1])
            outcomes |= await self._patched(patches, operation)
            left = [message_id for message_id in patches if isinstance(outcomes[message_id], Conflict)]
            if not left:
                break
        return outcomes

    async def _moved(self, targets: Sequence[Target], change: Move, operation: str) -> dict[str, str | MailkitError]:
        to = change.to if isinstance(change.to, str) else self._folder(change.to, operation)
        outcomes: dict[str, str | MailkitError] = {target.id: target.id for target in targets}
        # https://learn.microsoft.com/graph/api/message-move: well-known names are destinations, too
        goals = dict.fromkeys(outcomes, WELL_KNOWN.get(to, to))
        # That a row saw it in the inbox is enough to archive it; whatever else a row saw may have changed since.
        unsure = [t.id for t in targets if change.only_from and not (t.place == change.only_from == "inbox")]
        if unsure:
            found = await self._read(unsure, _WHERE, _whereabouts, operation)
            folders = [where[0] for where in found.values() if not isinstance(where, MailkitError)]
            mailbox = await self._directory.mailbox_holding(operation, folders)
            for message_id, where in found.items():
                if isinstance(where, MailkitError):
                    outcomes[message_id] = where
                    del goals[message_id]
                elif mailbox.place(where[0]) != change.only_from:
                    del goals[message_id]
                elif where[1] and to == "inbox":
                    goals[message_id] = WELL_KNOWN["drafts"]
        calls = {
            message_id: Call(
                operation=operation,
                method="POST",
                url=f"{self._url(message_id)}/move",
                headers=prefer(),
                json={"destinationId": goal},
            )
            for message_id, goal in goals.items()
        }
        return outcomes | await self._changed(calls)

    async def _patched(self, patches: Mapping[str, tuple[Wire, str]], operation: str) -> dict[str, str | MailkitError]:
        """Change properties of messages, each only while it is as its etag says, if there is one."""
        return await self._changed(
            {
                message_id: Call(
                    operation=operation,
                    method="PATCH",
                    url=self._url(message_id),
                    headers=(*prefer(), *((("If-Match", etag),) if etag else ())),
                    json=body,
                )
                for message_id, (body, etag) in patches.items()
            }
        )

    async def _changed(self, calls: Mapping[str, Call]) -> dict[str, str | MailkitError]:
        """Send changes; each is answered with the message as it is then."""
        answers = await self._session.batch([*calls.values()])
        return {
            message_id: _read_as(lambda item: get_needed_text(item, "id", "$"), answer)
            for message_id, answer in zip(calls, answers, strict=True)
        }

    async def _read(
        self, ids: Sequence[str], query: tuple[tuple[str, str], ...], read: Callable[[Wire], T], operation: str
    ) -> dict[str, T | MailkitError]:
        """Look at something of each message."""
        calls = [Call(operation=operation, url=self._url(each), query=query, headers=prefer()) for each in ids]
        answers = await self._session.batch(calls)
        return {each: _read_as(read, answer) for each, answer in zip(ids, answers, strict=True)}

    def _in_thread(self, thread_id: str, operation: str) -> Call:
        quoted = thread_id.replace("'", "''")
        return Call(
            operation=operation,
            url=self._messages,
            query=(("$filter", f"conversationId eq '{quoted}'"), *_WHERE, _THREAD_PAGE),
            headers=prefer(),
        )

    async def _whole(self, call: Call, first: Answer) -> list[Wire] | MailkitError:
        """Give the members of a list; one that goes on past its first page is read again to its end."""
        try:
            if "@odata.nextLink" not in as_object(first.json(), "$"):
                return members(first)
            return [item async for answer in self._session.pages(call) for item in members(answer)]
        except MailkitError as error:
            return error

    def _folder(self, label: Ref, operation: str) -> str:
        if label.part is not None:
            raise Unsupported(
                "this is a category, and nothing lies in one; put it on with add_labels, or move to a folder",
                account=self.account.name,
                operation=operation,
                code="is_category",
            )
        return label.id

    def _categories(self, labels: Sequence[Ref], operation: str) -> list[str]:
        if any(label.part is None for label in labels):
            raise Unsupported(
                "this is a folder, and a message lies in one only; use move, or take a category",
                account=self.account.name,
                operation=operation,
                code="is_folder",
            )
        return [label.id for label in labels]


def _marked(mark: Mark) -> tuple[Wire, str]:
    """Give what is to be written, whatever stands there."""
    body: dict[str, object] = {}
    if mark.read is not None:
        body["isRead"] = mark.read
    if mark.starred is not None:
        # https://learn.microsoft.com/graph/api/resources/followupflag
        body["flag"] = {"flagStatus": "flagged" if mark.starred else "notFlagged"}
    return body, ""


def _with(had: Sequence[str], add: Sequence[str], remove: Sequence[str]) -> list[str]:
    """Give the categories a message is to have; capitals make no difference to Outlook."""
    gone = {name.casefold() for name in remove}
    kept = [name for name in had if name.casefold() not in gone]
    there = {name.casefold() for name in kept}
    return kept + [name for name in dict.fromkeys(add) if name.casefold() not in there]


def _categories_of(item: Wire) -> tuple[list[str], str]:
    """Give the categories of a message, and the etag of their state."""
    return [str(each) for each in get_list(item, "categories", "$")], get_text(item, "@odata.etag", "$")


def _whereabouts(item: Wire) -> tuple[str, bool]:
    """Give the folder a message lies in, and whether it is a draft."""
    return get_needed_text(item, "parentFolderId", "$"), get_flag(item, "isDraft", "$")


def _concerned(items: Sequence[Wire], change: Change, mailbox: GraphMailbox) -> tuple[Target, ...] | MailkitError:
    if not items:
        return NotFound("no message of this thread is left; search again")
    try:
        found = [(get_needed_text(item, "id", "value"), mailbox.place(_whereabouts(item)[0])) for item in items]
    except BadPayload as problem:
        return problem
    return tuple(Target(id=message_id, place=place) for message_id, place in found if concerns(change, place))


def _read_as(read: Callable[[Wire], T], answer: Answer | MailkitError) -> T | MailkitError:
    """Read the message that an answer of a batch holds, or say why there is none."""
    if isinstance(answer, MailkitError):
        return answer
    try:
        return read(as_object(answer.json(), "$"))
    except BadPayload as problem:
        return problem
