"""Drafts at Gmail: a draft has an id of its own that stays, while each change gives it another message.

Responsible for the requests and the records; ``gmail_sending`` sends drafts. The permission to compose reads drafts,
but no other mail, no labels and no attachments. https://developers.google.com/workspace/gmail/api/guides/drafts
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import attrs

from mailkit.errors import MailkitError, NotFound, PermissionMissing
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
from mailkit.providers.wire import Wire, as_object, get_needed_text, get_object, get_objects, get_text
from mailkit.providers.writing import Attempt, Letter, Progress
from mailkit.transport.call import Call
from mailkit.values import Ref


class GmailDrafts(GmailBase):
    """The verbs for drafts."""

    async def drafts(self, limit: int) -> list[Draft]:
        """Give the newest drafts, whole; two round trips for each 500.

        Raises:
            PermissionMissing: this account may not read drafts.
            BadPayload: one of them cannot be read.
        """
        operation = "mail.drafts.list"
        found: list[Draft] = []
        token = ""
        with permitted(self.account, operation, DRAFTS):
            while len(found) < limit:
                answer = await self._session.request(drafts_list(min(limit - len(found), PAGE_MOST), token))
                page = as_object(answer.json(), "$")
                ids = [get_needed_text(row, "id", "$.drafts[*]") for row in get_objects(page, "drafts", "$")]
                answers = await self._session.batch([draft_get(operation, draft_id) for draft_id in ids])
                items = map(object_of, answers)
                # sent or deleted since it was listed
                there = [unwrapped(item) for item in items if not isinstance(item, NotFound)]
                found += await self._drafts(operation, there)
                token = get_text(page, "nextPageToken", "$")
                if not token:
                    break
        return found

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
            TooLarge: Gmail takes no message of this size.
        """
        return await self._kept(drafts_create(), letter, progress)

    async def update_draft(self, draft_id: str, letter: Letter, *, progress: Progress | None = None) -> Draft:
        """Replace what a draft holds; its id stays, its message gets another.

        Raises:
            PermissionMissing: this account may not touch drafts.
            NotFound: there is no such draft (any more); it may have been sent.
            TooLarge: Gmail takes no message of this size.
        """
        return await self._kept(draft_update(draft_id), letter, progress)

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
        (draft,) = await self._drafts(operation, [await self._object(draft_get(operation, draft_id))])
        return draft

    async def _drafts(self, operation: str, items: Sequence[Wire]) -> list[Draft]:
        messages = [("$.message", get_object(item, "message", "$")) for item in items]
        outcomes = await self._read(operation, messages)
        return [
            Draft(
                ref=Ref(account=self.account.name, kind="draft", id=get_needed_text(item, "id", "$")),
                message=await self._whole(operation, item, outcome),
            )
            for item, outcome in zip(items, outcomes, strict=True)
        ]

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
