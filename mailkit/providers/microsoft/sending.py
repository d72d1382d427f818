"""Sending at Graph: as a draft that is filled and sent where drafts may be made, else with one request.

Responsible for the requests of a send and for what is known of it at each moment. Never sends twice: what an unclear
answer means is decided elsewhere, and ``sent_search`` looks for what became of it.
"""

from __future__ import annotations

import attrs

from mailkit.errors import MailkitError, PermissionMissing
from mailkit.providers.microsoft.access import READ, SEND, WRITE, is_granted, missing, permitted, require
from mailkit.providers.microsoft.drafts import OutlookDrafts, mime_call
from mailkit.providers.microsoft.letter_wire import MOST_JSON, check, marks_to_wire, message_to_wire, mime_of, size_of
from mailkit.providers.microsoft.requests import ACCEPTED, prefer
from mailkit.providers.microsoft.sent_search import find_sent
from mailkit.providers.microsoft.uploads import with_content
from mailkit.providers.wire import get_needed_text, get_text
from mailkit.providers.writing import Attempt, Letter, Progress, Sent, Trace
from mailkit.transport.call import Call

_SEND = "mail.send"
_AT_ONCE = {"reply": "reply", "reply_all": "replyAll", "forward": "forward"}


class OutlookSending(OutlookDrafts):
    """Sending from one Microsoft account.

    Without the permission for drafts the mail goes as MIME, which keeps both texts, Message-ID and In-Reply-To, or in
    JSON where it would not fit into a request as MIME, or is to take along files that lie at Outlook.
    """

    @property
    def forwards_attachments(self) -> bool:
        """Exchange begins a forward with the original's attachments."""
        return True

    async def send(self, letter: Letter, attempt: Attempt, *, progress: Progress | None = None) -> Sent:
        """Send a letter once.

        Raises:
            PermissionMissing: it may not be sent, or without drafts cannot be.
            TooLarge: Outlook takes no message that large.
            InvalidMessage: it has more headers of its own than Outlook keeps.
        """
        letter = self._authored(letter)
        check(letter, account=self.account.name, operation=_SEND)
        require(self.account, _SEND, SEND)
        if not is_granted(self.account, WRITE):
            return await self._send_at_once(letter, attempt)
        try:
            with permitted(self.account, _SEND, WRITE):
                try:
                    made = await self._begin(_SEND, letter, attempt)
                except PermissionMissing:
                    if self.account.scopes is not None:
                        raise
                    return await self._send_at_once(letter, attempt)  # nobody knew which permissions there are
                await self._fill(_SEND, letter, made, attempt, progress)
            await self._hand_over(self._send_call(get_needed_text(made, "id", "$")), attempt)
        except BaseException as error:
            if not attempt.committed:
                await self._clear_away(_SEND, letter, attempt, error)
            raise
        return Sent(
            message_id=attempt.message_id,
            # With immutable ids, which a sent draft keeps: https://learn.microsoft.com/graph/outlook-immutable-id
            id=attempt.draft_id,
            thread_id=get_text(made, "conversationId", "$") or None,
        )

    async def send_draft(self, draft_id: str, attempt: Attempt) -> Sent:
        """Send a draft as it is.

        Raises:
            NotFound: there is no such draft (any more); it may have been sent.
        """
        operation = "mail.drafts.send"
        require(self.account, operation, SEND)
        with permitted(self.account, operation, WRITE):
            item = await self._draft_item(operation, draft_id)
        attempt.draft_id, attempt.message_id = draft_id, get_text(item, "internetMessageId", "$") or None
        await self._hand_over(self._send_call(draft_id, operation), attempt)
        return Sent(message_id=attempt.message_id, id=draft_id, thread_id=get_text(item, "conversationId", "$") or None)

    async def find_sent(self, trace: Trace) -> Sent | None:
        """Look once for a mail among the sent mail; one that is still a draft is not sent."""
        operation = "mail.reconcile"
        with permitted(self.account, operation, READ):
            return await find_sent(self._session, self._path, trace, operation=operation)

    def _send_call(self, draft_id: str, operation: str = _SEND) -> Call:
        # https://learn.microsoft.com/graph/api/message-send: saved in Sent Items, answered with 202 and no body
        return Call(
            operation=operation,
            method="POST",
            url=f"{self._url(draft_id)}/send",
            headers=(("Content-Length", "0"), *prefer()),
            expects="bytes",
            repeat=False,
        )

    async def _hand_over(self, call: Call, attempt: Attempt) -> None:
        """Make the one request that sends.

        All that sends is answered with 202 (message-send, user-sendmail, message-reply, message-forward).
        """
        attempt.committed = True
        try:
            with permitted(self.account, call.operation, SEND):
                await self._session.request(attrs.evolve(call, done=ACCEPTED))
        except MailkitError as error:
            if error.had_no_effect:
                attempt.committed = False
            raise

    async def _send_at_once(self, letter: Letter, attempt: Attempt) -> Sent:
        call = self._as_mime(letter) or await self._as_json(letter)
        if call is None:
            raise missing(self.account, _SEND, WRITE, "sending files of this size")
        await self._hand_over(call, attempt)
        return Sent(message_id=letter.message_id)

    def _as_mime(self, letter: Letter) -> Call | None:
        """Make the request for the whole message as bytes; None where it is too long, or does not hold all of it.

        It threads by In-Reply-To and References on both sides.
        """
        built = mime_of(letter)
        if (letter.answers and letter.answers.keep) or 4 * -(-built.size // 3) > MOST_JSON:
            return None
        # https://learn.microsoft.com/graph/api/user-sendmail
        return attrs.evolve(mime_call(_SEND, f"{self._path}/sendMail", built), expects="bytes")

    async def _as_json(self, letter: Letter) -> Call | None:
        """Make the request of the verb that fits; None where its files do not fit into it.

        https://learn.microsoft.com/graph/api/user-sendmail, message-reply, message-replyall, message-forward
        """
        message = {**message_to_wire(letter), **marks_to_wire(letter)}
        if size_of(message) + sum(4 * -(-file.payload.size // 3) + 1000 for file in letter.files) > MOST_JSON:
            return None
        if letter.files:
            message["attachments"] = [with_content(letter, file) for file in letter.files]
        answers = letter.answers
        if answers is None:
            url, wire = f"{self._path}/sendMail", {"message": message, "saveToSentItems": True}
        else:
            if answers.kind == "forward":
                await self._must_take_all(answers.id, answers.keep)
            url, wire = f"{self._url(answers.id)}/{_AT_ONCE[answers.kind]}", {"message": message}
        return Call(operation=_SEND, method="POST", url=url, json=wire, headers=prefer(), expects="bytes", repeat=False)

    async def _must_take_all(self, message_id: str, keep: tuple[str, ...]) -> None:
        """Refuse to forward some of the attachments: ``forward`` takes all of them along."""
        with permitted(self.account, _SEND, READ):
            there = {get_text(item, "id", "$") for item in await self._attachments(_SEND, message_id)}
        if there != set(keep):
            raise missing(self.account, _SEND, WRITE, "forwarding some of the attachments, or with more of them,")
