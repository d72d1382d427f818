"""One account's mail at Gmail.

Responsible for which requests answer the verbs that read; those that write stand in ``gmail_sending``,
``gmail_drafts``, ``gmail_organise`` and ``gmail_label_changes``. What JSON means stands in ``gmail_wire``,
``gmail_parts`` and ``gmail_labels``, how a list is read in ``gmail_list``, what is remembered in ``directory``. Never
retries, paces or merges.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, aclosing, asynccontextmanager
from functools import partial

import attrs

from mailkit.errors import BadPayload, MailkitError, NotDownloadable, NotFound
from mailkit.models.mail import Attachment, Label, Message, Thread
from mailkit.providers.base import Capabilities, Listing, Search
from mailkit.providers.google import base64url, gmail_calls
from mailkit.providers.google.access import COMPOSE, LABELS, METADATA, MODIFY, READ, SEND, is_granted, require
from mailkit.providers.google.gmail_base import unwrapped
from mailkit.providers.google.gmail_drafts import GmailDrafts
from mailkit.providers.google.gmail_label_changes import GmailLabelChanges
from mailkit.providers.google.gmail_labels import missing_notes
from mailkit.providers.google.gmail_list import GmailList
from mailkit.providers.google.gmail_messages import object_of
from mailkit.providers.google.gmail_organise import GmailOrganising
from mailkit.providers.google.gmail_query import asks_who_i_am, list_parameters
from mailkit.providers.google.gmail_sending import GmailSending
from mailkit.providers.google.gmail_wire import parts_from_wire
from mailkit.providers.wire import get_needed_text, get_objects
from mailkit.query.explanation import ProviderPlan
from mailkit.query.gmail_report import gmail_report
from mailkit.values import Ref

_SEARCH = "mail.search"


class GmailDriver(GmailSending, GmailDrafts, GmailOrganising, GmailLabelChanges):
    """Mail of one Google account."""

    @property
    def capabilities(self) -> Capabilities:
        """What can be done here."""
        return Capabilities(
            read_mail=is_granted(self.account, READ),
            send_mail=is_granted(self.account, SEND),
            drafts=is_granted(self.account, COMPOSE),
            organise=is_granted(self.account, MODIFY),
            gmail_categories=True,
            star_colours=True,
        )

    async def own_addresses(self) -> tuple[str, ...]:
        """Give the addresses of the mailbox's owner, the main one first."""
        return await self._directory.own_addresses("account.addresses")

    async def search(self, search: Search) -> Listing:
        """Start a list, newest first."""
        parameters = await self._parameters(search)
        (answer,) = await self._directory.batch([gmail_calls.messages_list(parameters)])
        if isinstance(answer, MailkitError):
            raise answer
        steps = GmailList(
            session=self._session,
            search=search,
            parameters=parameters,
            label_names=partial(self._directory.label_names, _SEARCH),
        )
        plan = await self._plan(search, parameters)
        return steps.step(answer, notes=plan.notes)

    async def plan(self, search: Search) -> ProviderPlan:
        """Say what ``search`` would do."""
        return await self._plan(search, await self._parameters(search))

    async def get(self, ids: Sequence[str], *, include_raw: bool = False) -> list[Message | MailkitError]:
        """Give whole messages, in the order of ``ids``, each with an outcome of its own."""
        return await self._get("mail.get", ids, include_raw=include_raw)

    async def thread(self, thread_id: str) -> Thread:
        """Give the whole conversation, oldest message first.

        Raises:
            NotFound: there is no such thread.
            BadPayload: one of its messages cannot be read.
        """
        operation = "mail.thread"
        require(self.account, operation, READ)
        (answer,) = await self._directory.batch([gmail_calls.thread(thread_id)])
        members = get_objects(unwrapped(object_of(answer)), "messages", "$")
        items = [(f"$.messages[{at}]", member) for at, member in enumerate(members)]
        messages = [unwrapped(outcome) for outcome in await self._read(operation, items)]
        return Thread(
            ref=Ref(account=self.account.name, kind="thread", id=thread_id),
            messages=tuple(sorted(messages, key=lambda message: message.date)),
        )

    async def raw(self, message_id: str) -> bytes:
        """Give the message as RFC 5322 bytes."""
        require(self.account, "mail.raw", READ)
        item = await self._object(gmail_calls.message_raw("mail.raw", message_id))
        return base64url.decode(get_needed_text(item, "raw", "$"), "$.raw")

    async def labels(self) -> tuple[list[Label], list[BadPayload]]:
        """Give every label, the system's first, and what could not be read of them."""
        operation = "mail.labels.list"
        require(self.account, operation, LABELS)
        book = await self._directory.read_labels(operation)
        return list(book.labels), list(book.problems)

    async def attachments(self, message_id: str) -> tuple[list[Attachment], list[BadPayload]]:
        """Give what hangs on a message: at Gmail parts of it, read together or not at all."""
        (outcome,) = await self._get("mail.attachments.list", [message_id])
        return list(unwrapped(outcome).attachments), []

    def read_attachment(self, message_id: str, part: str) -> AbstractAsyncContextManager[AsyncIterator[bytes]]:
        """Stream the bytes of one attachment; of an attached message, its MIME text.

        Raises:
            NotFound: the message has no such part.
            NotDownloadable: Gmail names the part but gives no bytes for it.
        """
        operation = "mail.attachments.read"
        require(self.account, operation, READ)
        return self._reading(operation, message_id, part)

    @asynccontextmanager
    async def _reading(self, operation: str, message_id: str, part_id: str) -> AsyncIterator[AsyncIterator[bytes]]:
        # Attachment ids are new at every get, so the part is looked up each time.
        item = await self._object(gmail_calls.message_full(operation, message_id, fields="payload"))
        part = next((part for part in parts_from_wire(item, "$") if part.id == part_id), None)
        if part is None:
            raise NotFound(
                "the message has no such attachment; list its attachments again",
                account=self.account.name,
                operation=operation,
            )
        if part.is_detached:
            call = gmail_calls.attachment(operation, message_id, part.attachment_id)
            async with self._session.stream(call) as pieces, aclosing(base64url.decode_data(pieces)) as decoded:
                yield decoded
        elif part.is_withheld:
            raise NotDownloadable(
                "Gmail gives no bytes for this part; take them from the whole message, as raw() gives it",
                account=self.account.name,
                operation=operation,
            )
        else:
            yield _at_once(part.data())

    async def _parameters(self, search: Search) -> tuple[tuple[str, str], ...]:
        """Give the parameters of the search, once it is sure that they may be sent."""
        me: tuple[str, ...] = ()
        if asks_who_i_am(search.expr):
            require(self.account, _SEARCH, READ)
            me = await self._directory.own_addresses(_SEARCH)
        parameters = list_parameters(search, me, quota=self._session.quota)
        # v1/users.messages/list: q cannot be used with the metadata scope
        require(self.account, _SEARCH, READ if "q" in dict(parameters) else METADATA)
        return parameters

    async def _plan(self, search: Search, parameters: tuple[tuple[str, str], ...]) -> ProviderPlan:
        plan = gmail_report(search.expr, self.account.name, parameters)
        missing = await self._directory.missing_labels(_SEARCH, search.expr)
        return attrs.evolve(plan, notes=(*plan.notes, *missing_notes(missing, self.account.name)))

    async def _get(
        self, operation: str, ids: Sequence[str], *, include_raw: bool = False
    ) -> list[Message | MailkitError]:
        require(self.account, operation, READ)
        answers = await self._directory.batch([gmail_calls.message_full(operation, i) for i in ids])
        outcomes = [object_of(answer) for answer in answers]
        items = [("$", outcome) for outcome in outcomes if not isinstance(outcome, MailkitError)]
        messages = iter(await self._read(operation, items, include_raw=include_raw))
        return [outcome if isinstance(outcome, MailkitError) else next(messages) for outcome in outcomes]


async def _at_once(data: bytes) -> AsyncIterator[bytes]:
    if data:
        yield data
