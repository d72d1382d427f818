"""Drafts at Gmail: a draft has an id of its own that stays, while each change gives it another message.

Responsible for the requests and the records; ``gmail_sending`` sends drafts. The permission to compose reads drafts,
but no other mail, no labels and no attachments. https://developers.google.com/workspace/gmail/api/guides/drafts
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import attrs

from mailkit.errors import BadPayload, InvalidMessage, MailkitError, NotFound, PermissionMissing
from mailkit.mime.address_key import address_key
from mailkit.models.mail import Message
from mailkit.models.parsed import parse_message
from mailkit.models.sending import Draft
from mailkit.providers.google import base64url
from mailkit.providers.google.access import COMPOSE, DRAFTS, permitted
from mailkit.providers.google.gmail_base import GmailBase, unwrapped
from mailkit.providers.google.gmail_letters import bring
from mailkit.providers.google.gmail_messages import object_of
from mailkit.providers.google.gmail_wire import message_from_wire, parts_from_wire
from mailkit.providers.google.gmail_writing_calls import (
    draft_delete,
    draft_get,
    draft_update,
    drafts_create,
    drafts_list,
)
from mailkit.providers.google.limits import PAGE_MOST
from mailkit.providers.google.page_tokens import next_token
from mailkit.providers.wire import Wire, as_object, get_list, get_needed_text, get_object, read_each
from mailkit.providers.writing import Attempt, Letter, Progress
from mailkit.transport.call import Call
from mailkit.values import Address, Ref


class GmailDrafts(GmailBase):
    """The verbs for drafts."""

    async def drafts(self, limit: int) -> tuple[list[Draft], list[BadPayload]]:
        """Give the newest drafts, whole, and what could not be read of them; two round trips for each 500.

        Raises:
            PermissionMissing: this account may not read drafts.
        """
        operation = "mail.drafts.list"
        found: list[Draft] = []
        problems: list[BadPayload] = []
        token, seen = "", set[str]()
        with permitted(self.account, operation, DRAFTS):
            while len(found) < limit:
                answer = await self._session.request(drafts_list(min(limit - len(found), PAGE_MOST), token))
                page = as_object(answer.json(), "$")
                ids, nameless = read_each(get_list(page, "drafts", "$"), "$.drafts", _id)
                drafts, unread = await self._page(operation, ids)
                found += drafts
                problems += nameless + unread
                token = next_token(page, seen)
                if not token:
                    break
                seen.add(token)
        return found, problems

    async def draft(self, draft_id: str) -> Draft:
        """Give one draft.

        Raises:
            PermissionMissing: this account may not read drafts.
            NotFound: there is no such draft (any more); it may have been sent.
        """
        with permitted(self.account, "mail.drafts.get", DRAFTS):
            return await self._draft("mail.drafts.get", draft_id)

    async def create_draft(self, letter: Letter, *, progress: Progress | None = None) -> Draft:
        """Keep a letter as a draft, in the conversation it answers if that is still there.

        Raises:
            PermissionMissing: this account may not touch drafts.
            InvalidMessage: the author is not known to be this account's.
            TooLarge: Gmail takes no message of this size.
        """
        call = drafts_create()
        with permitted(self.account, call.operation, COMPOSE):
            await self._check_author(letter, call.operation)
        return await self._kept(call, letter, progress)

    async def update_draft(self, draft_id: str, letter: Letter, *, progress: Progress | None = None) -> Draft:
        """Replace what a draft holds; its id stays, its message gets another.

        Raises:
            PermissionMissing: this account may not touch drafts.
            NotFound: there is no such draft (any more); it may have been sent.
            InvalidMessage: there is to be another author, who is not known to be this account's.
            TooLarge: Gmail takes no message of this size.
        """
        call = draft_update(draft_id)
        with permitted(self.account, call.operation, COMPOSE):
            try:
                await self._check_author(letter, call.operation)
            except InvalidMessage:  # one that only Gmail knows for this account's stays
                there = (await self._draft(call.operation, draft_id)).message.from_
                if not _is_same(there, letter.message.from_):
                    raise
        return await self._kept(call, letter, progress)

    async def delete_draft(self, draft_id: str) -> None:
        """Delete a draft for ever; one that is gone already is fine.

        Raises:
            PermissionMissing: this account may not touch drafts.
        """
        with permitted(self.account, "mail.drafts.delete", COMPOSE), suppress(NotFound):
            await self._session.request(draft_delete(draft_id))

    async def _kept(self, call: Call, letter: Letter, progress: Progress | None) -> Draft:
        with permitted(self.account, call.operation, COMPOSE):
            item = await bring(self._session, call, letter, Attempt(), progress)
            return await self._draft(call.operation, get_needed_text(item, "id", "$"))

    async def _draft(self, operation: str, draft_id: str) -> Draft:
        item = await self._object(draft_get(operation, draft_id))
        (outcome,) = await self._read(operation, [_message(item)])
        return await self._as_draft(operation, item, outcome)

    async def _page(self, operation: str, ids: Sequence[str]) -> tuple[list[Draft], list[BadPayload]]:
        found: list[Draft] = []
        problems: list[BadPayload] = []
        items: list[tuple[Wire, tuple[str, Wire]]] = []
        for answer in await self._session.batch([draft_get(operation, draft_id) for draft_id in ids]):
            outcome = object_of(answer)
            if isinstance(outcome, NotFound):
                continue  # sent or deleted since it was listed
            try:
                item = unwrapped(outcome)
                items.append((item, _message(item)))
            except BadPayload as problem:
                problems.append(problem)
        outcomes = await self._read(operation, [message for _, message in items])
        for (item, _), message in zip(items, outcomes, strict=True):
            try:
                found.append(await self._as_draft(operation, item, message))
            except BadPayload as problem:
                problems.append(problem)
        return found, problems

    async def _as_draft(self, operation: str, item: Wire, outcome: Message | MailkitError) -> Draft:
        return Draft(
            ref=Ref(account=self.account.name, kind="draft", id=get_needed_text(item, "id", "$")),
            message=await self._whole(operation, item, outcome),
        )

    async def _whole(self, operation: str, item: Wire, outcome: Message | MailkitError) -> Message:
        """Give the message; its texts from the bytes where a long one lies behind an id that may not be asked for."""
        if not isinstance(outcome, PermissionMissing):
            return unwrapped(outcome)
        draft = await self._object(draft_get(operation, get_needed_text(item, "id", "$"), raw=True))
        raw = get_needed_text(get_object(draft, "message", "$"), "raw", "$.message")
        wire = get_object(item, "message", "$")
        message = message_from_wire(
            wire,
            "$.message",
            account=self.account.name,
            label_names={},
            parts=parts_from_wire(wire, "$.message"),
            fetched={},
        )
        body = parse_message(base64url.decode(raw, "$.message.raw")).body
        return attrs.evolve(message, body=attrs.evolve(body, snippet=message.snippet))


def _is_same(one: Address | None, other: Address | None) -> bool:
    return one is not None and other is not None and address_key(one.address) == address_key(other.address)


def _id(item: Wire, path: str) -> str:
    return get_needed_text(item, "id", path)


def _message(item: Wire) -> tuple[str, Wire]:
    """Give a draft's message with its JSON path."""
    return "$.message", get_object(item, "message", "$")
