"""Drafts at Graph: read, made, changed, deleted; and the draft that a letter is while it is on its way out.

Responsible for what it takes to make a draft exactly what the letter says. Never sends; ``sending`` does.
A draft of an answer is begun by Exchange, which alone can put it into the conversation, and then rewritten.
"""

from __future__ import annotations

import base64
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial

import anyio
import attrs

from mailkit.errors import BadPayload, MailkitError, NotFound
from mailkit.mime.build import Built
from mailkit.models.sending import Draft
from mailkit.providers.microsoft.access import READ, WRITE, permitted
from mailkit.providers.microsoft.letter_wire import (
    check,
    has_message_id,
    has_send_id,
    marks_to_wire,
    message_to_wire,
    mime_of,
    send_id_to_wire,
)
from mailkit.providers.microsoft.mail_base import WHOLE, OutlookBase, members
from mailkit.providers.microsoft.requests import deletion, prefer, rows_of
from mailkit.providers.microsoft.uploads import add_files
from mailkit.providers.wire import (
    Wire,
    get_flag,
    get_needed_text,
    get_number,
    get_object,
    get_objects,
    get_text,
    read_each,
)
from mailkit.providers.writing import Answers, Attempt, Letter, Progress
from mailkit.query.graph_mailbox import GraphMailbox
from mailkit.transport.call import Answer, Call
from mailkit.transport.url import segment
from mailkit.values import Address

_PAGE = 50
_CLEANING_SECONDS = 10.0
_BEGUN = {"reply": "createReply", "reply_all": "createReplyAll", "forward": "createForward"}


class OutlookDrafts(OutlookBase):
    """The drafts of one Microsoft account."""

    async def drafts(self, limit: int) -> tuple[list[Draft], list[BadPayload]]:
        """Give the newest drafts, those changed last first, and what could not be read of them."""
        operation = "mail.drafts.list"
        call = Call(
            operation=operation,
            url=f"{self._path}/mailFolders/drafts/messages",
            query=(("$orderby", "lastModifiedDateTime desc"), ("$top", str(min(limit, _PAGE))), *WHOLE),
            headers=prefer(),
        )
        found: list[Draft] = []
        problems: list[BadPayload] = []
        with permitted(self.account, operation, READ):
            async for answer in self._session.pages(call):
                items = rows_of(answer)
                drafts, unread = read_each(
                    items, "value", partial(self._as_draft, await self._mailbox_of(operation, items))
                )
                found += drafts
                problems += unread
                if len(found) >= limit:
                    break
        return found[:limit], problems

    async def draft(self, draft_id: str) -> Draft:
        """Give one draft.

        Raises:
            NotFound: there is none of that id (any more); it may have been sent.
        """
        return await self._draft("mail.drafts.get", draft_id)

    async def create_draft(self, letter: Letter, *, progress: Progress | None = None) -> Draft:
        """Keep a letter as a draft; one that could not be finished is deleted again."""
        operation = "mail.drafts.create"
        letter = self._authored(letter)
        check(letter, account=self.account.name, operation=operation)
        attempt = Attempt()
        with permitted(self.account, operation, WRITE):
            try:
                await self._fill(operation, letter, await self._begin(operation, letter, attempt), attempt, progress)
                return await self._draft(operation, str(attempt.draft_id))
            except BaseException as error:
                await self._clear_away(operation, letter, attempt, error)
                raise

    async def update_draft(self, draft_id: str, letter: Letter, *, progress: Progress | None = None) -> Draft:
        """Replace what a draft holds; its id stays, and so do headers it was made with.

        What is new is put there before what was there is taken away: cut off half way, a draft may hold both.
        """
        operation = "mail.drafts.update"
        letter = self._authored(letter)
        check(letter, account=self.account.name, operation=operation)
        with permitted(self.account, operation, WRITE):
            there = get_objects(await self._draft_item(operation, draft_id), "attachments", "$")
            await self._patch(operation, draft_id, letter)
            await self._settle(operation, draft_id, letter, there, progress)
            return await self._draft(operation, draft_id)

    async def delete_draft(self, draft_id: str) -> None:
        """Delete a draft; one that is gone already is fine."""
        operation = "mail.drafts.delete"
        with permitted(self.account, operation, WRITE), suppress(NotFound):
            await self._draft_item(operation, draft_id)  # a draft that was sent may keep its id: it stays
            await self._delete(operation, [self._url(draft_id)])

    # -- reading -----------------------------------------------------------------------------------------------------

    async def _draft(self, operation: str, draft_id: str) -> Draft:
        with permitted(self.account, operation, READ):
            item = await self._draft_item(operation, draft_id)
            return self._as_draft(await self._mailbox_of(operation, [item]), item, "$")

    async def _draft_item(self, operation: str, draft_id: str) -> Wire:
        item = await self._object(Call(operation=operation, url=self._url(draft_id), query=WHOLE, headers=prefer()))
        if not get_flag(item, "isDraft", "$"):
            raise NotFound(
                "this is no draft any more: it was sent; list the drafts again",
                account=self.account.name,
                operation=operation,
                code="not_a_draft",
            )
        return item

    def _as_draft(self, mailbox: GraphMailbox, item: Wire, path: str) -> Draft:
        message = self._message(item, path, mailbox)
        return Draft(ref=attrs.evolve(message.ref, kind="draft"), message=message)

    # -- making ------------------------------------------------------------------------------------------------------

    def _authored(self, letter: Letter) -> Letter:
        """Let mail out of a mailbox that is named by its address be from that address."""
        mailbox = self.account.mailbox
        if letter.message.from_ is not None or mailbox is None or "@" not in mailbox:
            return letter
        # https://learn.microsoft.com/graph/outlook-send-mail-from-other-user
        return attrs.evolve(letter, message=attrs.evolve(letter.message, from_=Address(address=mailbox)))

    async def _begin(self, operation: str, letter: Letter, attempt: Attempt) -> Wire:
        """Make the draft: a new message as it is to be, or what Exchange begins an answer or a forward with.

        What answers a message that does not lie here begins as MIME, which alone can say so.
        """
        wire: dict[str, object] = {**message_to_wire(letter), **marks_to_wire(letter)}
        call = Call(operation=operation, method="POST", url=self._messages, json=wire, headers=prefer(), repeat=False)
        if letter.answers is not None:
            # https://learn.microsoft.com/graph/api/message-createreply and its sisters: recipients given here may add
            # to those that Exchange finds, so that only the headers are, which cannot be given later.
            url = f"{self._url(letter.answers.id)}/{_BEGUN[letter.answers.kind]}"
            call = attrs.evolve(call, url=url, json={"message": marks_to_wire(letter)})
        elif letter.in_reply_to is not None:
            # https://learn.microsoft.com/graph/api/user-post-messages
            call = mime_call(operation, self._messages, mime_of(attrs.evolve(letter, files=())))
        made = await self._object(call)
        attempt.draft_id = get_needed_text(made, "id", "$")
        attempt.message_id = get_text(made, "internetMessageId", "$") or None
        return made

    async def _fill(
        self, operation: str, letter: Letter, made: Wire, attempt: Attempt, progress: Progress | None
    ) -> None:
        """Make the draft what the letter says."""
        draft_id = get_needed_text(made, "id", "$")
        if letter.answers is not None or letter.in_reply_to is not None:
            changed = await self._patch(operation, draft_id, letter)
            attempt.message_id = get_text(changed, "internetMessageId", "$") or None
        there = await self._attachments(operation, draft_id) if letter.answers and _has_files(made) else []
        await self._settle(operation, draft_id, letter, there, progress)

    async def _patch(self, operation: str, draft_id: str, letter: Letter) -> Wire:
        wire = {**message_to_wire(letter), **send_id_to_wire(letter)}
        return await self._object(
            Call(operation=operation, method="PATCH", url=self._url(draft_id), json=wire, headers=prefer())
        )

    async def _settle(
        self, operation: str, draft_id: str, letter: Letter, there: Sequence[Wire], progress: Progress | None
    ) -> None:
        """Let exactly the letter's files hang on a draft, and of those ``there`` the ones that are to be kept."""
        kept = await self._kept(operation, letter.answers, there)
        await add_files(self._session, self._url(draft_id), letter, operation=operation, progress=progress)
        ids = [get_needed_text(item, "id", "$") for item in there]
        await self._delete(operation, [f"{self._url(draft_id)}/attachments/{segment(i)}" for i in ids if i not in kept])

    async def _kept(self, operation: str, answers: Answers | None, there: Sequence[Wire]) -> set[str]:
        """Find the attachments of the original again, as which they hang on the draft: there they have other ids."""
        if answers is None or not answers.keep:
            return set()
        originals = await self._attachments(operation, answers.id)
        wanted = {likeness for likeness, id_ in _told_apart(originals) if id_ in answers.keep}
        kept = {id_ for likeness, id_ in _told_apart(there) if likeness in wanted}
        if len(kept) < len(set(answers.keep)):
            raise NotFound(
                "an attachment that was to go along is not there any more; list the message's attachments again",
                account=self.account.name,
                operation=operation,
                code="attachment_missing",
            )
        return kept

    async def _delete(self, operation: str, urls: Iterable[str]) -> None:
        """Delete things; those that are gone already are fine."""
        calls = [deletion(operation, url, prefer()) for url in urls]
        for outcome in await self._session.batch(calls) if calls else ():
            if isinstance(outcome, MailkitError) and not isinstance(outcome, NotFound):
                raise outcome

    async def _clear_away(self, operation: str, letter: Letter, attempt: Attempt, error: BaseException) -> None:
        """Delete the draft that was made on the way, also when the call was cut off; what goes wrong is not told."""
        if attempt.draft_id is None and isinstance(error, MailkitError) and error.had_no_effect:
            return
        with (
            anyio.CancelScope(shield=True),
            self._session.clock.deadline(_CLEANING_SECONDS),
            suppress(MailkitError),  # what went wrong first says more
        ):
            left = [attempt.draft_id] if attempt.draft_id else await self._left_behind(operation, letter)
            await self._delete(operation, map(self._url, left))
            attempt.draft_id = None

    async def _left_behind(self, operation: str, letter: Letter) -> list[str]:
        """Find the draft that was made by a request nobody saw the answer of; MIME brought no send id yet."""
        calls = [
            Call(
                operation=operation,
                url=f"{self._path}/mailFolders/drafts/messages",
                query=(("$filter", text), ("$select", "id")),
                headers=prefer(),
            )
            for text in (has_send_id(letter.send_id), has_message_id(letter.message_id))
        ]
        answers = [answer for answer in await self._session.batch(calls) if isinstance(answer, Answer)]
        return list({get_needed_text(item, "id", "$") for answer in answers for item in members(answer)})


def mime_call(operation: str, url: str, built: Built) -> Call:
    """Make the request that brings a message as bytes, in base64.

    https://learn.microsoft.com/graph/outlook-send-mime-message
    """
    headers = (("Content-Type", "text/plain"), *prefer())
    content = base64.b64encode(bytes(built))
    return Call(operation=operation, method="POST", url=url, content=content, headers=headers, repeat=False)


def _has_files(made: Wire) -> bool:
    """Whether anything hangs on a message; of pictures in the text only the text tells.

    https://learn.microsoft.com/graph/api/resources/message, at hasAttachments
    """
    return get_flag(made, "hasAttachments", "$") or "cid:" in get_text(get_object(made, "body", "$"), "content", "$")


def _told_apart(items: Iterable[Wire]) -> Iterator[tuple[tuple[str, str, int, int], str]]:
    """Give by what an attachment is known from a message to its forward, the number among those alike last; its id."""
    seen = Counter[tuple[str, str, int]]()
    for item in items:
        alike = get_text(item, "name", "$"), get_text(item, "contentId", "$"), get_number(item, "size", "$") or 0
        yield (*alike, seen[alike]), get_needed_text(item, "id", "$")
        seen[alike] += 1
