"""Sending mail at Gmail, and finding again what may have been sent.

Responsible for the requests and for saying from which moment on a letter may be gone; what to do about that is decided
by ``sending``. https://developers.google.com/workspace/gmail/api/guides/sending
"""

from __future__ import annotations

from mailkit.errors import MailkitError, NotFound
from mailkit.providers.google.access import COMPOSE, METADATA, READ, SEND, is_granted, permitted
from mailkit.providers.google.gmail_base import GmailBase, unwrapped
from mailkit.providers.google.gmail_letters import bring, committing
from mailkit.providers.google.gmail_messages import object_of
from mailkit.providers.google.gmail_trace import by_message_id, by_time, recognise, sent_from_wire
from mailkit.providers.google.gmail_writing_calls import draft_send, messages_send, sent_list, sent_message
from mailkit.providers.wire import Wire, as_object, get_needed_text, get_objects
from mailkit.providers.writing import Attempt, Letter, Progress, Sent, Trace
from mailkit.transport.call import Answer

_LOOKED_AT = 50  # sent mails, which cost 1,000 of the 6,000 quota units of a minute


class GmailSending(GmailBase):
    """The verbs that send."""

    @property
    def forwards_attachments(self) -> bool:
        """Whether a forward can take along attachments that stay at Gmail: it cannot."""
        return False

    async def send(self, letter: Letter, attempt: Attempt, *, progress: Progress | None = None) -> Sent:
        """Send a letter, in the conversation it answers if that is still there.

        Gmail may give it another Message-ID and does not say so; it stands in the message of ``id``.

        Raises:
            PermissionMissing: this account may not send.
            InvalidMessage: the author is not known to be this account's.
            TooLarge: Gmail takes no message of this size.
        """
        with permitted(self.account, "mail.send", SEND):
            await self._check_author(letter, "mail.send")
            return sent_from_wire(await bring(self._session, messages_send(), letter, attempt, progress))

    async def send_draft(self, draft_id: str, attempt: Attempt) -> Sent:
        """Send a draft as it is. A draft that is still there was not sent.

        Raises:
            PermissionMissing: this account may not touch drafts.
            NotFound: there is no such draft (any more); it may have been sent.
        """
        with permitted(self.account, "mail.drafts.send", COMPOSE), committing(attempt):
            attempt.committed = True
            return sent_from_wire(as_object((await self._session.request(draft_send(draft_id))).json(), "$"))

    async def find_sent(self, trace: Trace) -> Sent | None:
        """Look once for a mail: by its Message-ID, then among the sent mail of that time by send id and by likeness.

        A draft that is still there (``draft``) was not sent: that can be asked even where no mail may be read.

        Raises:
            PermissionMissing: no mail may be read here.
        """
        with permitted(self.account, "mail.reconcile", METADATA):
            # v1/users.messages/list: q cannot be used with the metadata scope
            may_search = is_granted(self.account, READ)
            searched = [sent_list(by_message_id(trace), size=1)] if may_search else []
            page = sent_list(*(by_time(trace, self._session.clock.now()) if may_search else ()), size=_LOOKED_AT)
            *found, newest = map(_members, await self._session.batch([*searched, page]))
            for item in found[0] if found else ():
                return sent_from_wire(item, message_id=trace.message_id, evidence="message_id")
            ids = [get_needed_text(item, "id", "$.messages[*]") for item in newest]
            rows = [object_of(answer) for answer in await self._session.batch([sent_message(i) for i in ids])]
            return recognise(trace, [unwrapped(row) for row in rows if not isinstance(row, NotFound)])


def _members(answer: Answer | MailkitError) -> list[Wire]:
    return get_objects(unwrapped(object_of(answer)), "messages", "$")
