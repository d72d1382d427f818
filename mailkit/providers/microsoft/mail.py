"""One account's mail at Microsoft Graph.

Responsible for which requests answer the verbs that read; those that write stand in ``drafts``, ``sending``,
``organise`` and ``label_changes``. What JSON means stands in ``mail_wire``, how a search is carried out in ``search``,
what is known of the mailbox in ``directory``.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from functools import partial

from mailkit.errors import BadPayload, MailkitError, NotDownloadable, NotFound, ProviderError
from mailkit.models.mail import Attachment, Label, Message, Thread
from mailkit.providers.base import Capabilities, Listing, Search
from mailkit.providers.microsoft.access import READ, SEND, WRITE, is_granted, require
from mailkit.providers.microsoft.label_changes import OutlookLabelChanges
from mailkit.providers.microsoft.mail_base import WHOLE, members
from mailkit.providers.microsoft.mail_wire import attachment_from_wire
from mailkit.providers.microsoft.requests import prefer
from mailkit.providers.microsoft.search import OPERATION, Run
from mailkit.providers.microsoft.sending import OutlookSending
from mailkit.providers.wire import Wire, as_object, read_each
from mailkit.query.ast import Field, Leaf
from mailkit.query.ast import Label as LabelTerm
from mailkit.query.context import QueryContext
from mailkit.query.explanation import ProviderPlan
from mailkit.query.formula import literals
from mailkit.query.graph_plan import GraphPlan, plan
from mailkit.query.people import is_me
from mailkit.transport.call import Answer, Call
from mailkit.transport.url import segment
from mailkit.values import Ref

_THREAD_PAGE = "50"


class OutlookDriver(OutlookSending, OutlookLabelChanges):
    """Mail of one Microsoft account."""

    @property
    def capabilities(self) -> Capabilities:
        """What can be done here."""
        return Capabilities(
            read_mail=is_granted(self.account, READ),
            send_mail=is_granted(self.account, SEND),
            drafts=is_granted(self.account, WRITE),
            organise=is_granted(self.account, WRITE),
            categories=is_granted(self.account, ("MailboxSettings.Read", "MailboxSettings.ReadWrite")),
            link_attachments=True,
        )

    async def own_addresses(self) -> tuple[str, ...]:
        """Give the addresses of the mailbox's owner, the main one first."""
        return await self._directory.own_addresses("account.addresses")

    async def search(self, search: Search) -> Listing:
        """Start a list, newest first."""
        made, context = await self._planned(search)
        run = Run(
            session=self._session,
            plan=made,
            search=search,
            context=context,
            mailbox_holding=partial(self._directory.mailbox_holding, OPERATION),
        )
        return await run.start()

    async def plan(self, search: Search) -> ProviderPlan:
        """Say what ``search`` would do."""
        made, _ = await self._planned(search)
        return made.report(self.account.name, mailbox_path=self._path)

    async def get(self, ids: Sequence[str], *, include_raw: bool = False) -> list[Message | MailkitError]:
        """Give whole messages, in the order of ``ids``, each with an outcome of its own."""
        require(self.account, "mail.get", READ)
        answers = await self._session.batch(
            [Call(operation="mail.get", url=self._url(i), query=WHOLE, headers=prefer()) for i in ids]
        )
        items = [_item(answer) for answer in answers]
        mailbox = await self._mailbox_of("mail.get", [item for item in items if not isinstance(item, MailkitError)])
        outcomes: list[Message | MailkitError] = []
        for item in items:
            try:
                outcomes.append(
                    item if isinstance(item, MailkitError) else self._message(item, "$", mailbox, include_raw)
                )
            except BadPayload as problem:
                outcomes.append(problem)
        return outcomes

    async def thread(self, thread_id: str) -> Thread:
        """Give the whole conversation, oldest message first, wherever its messages lie.

        Raises:
            NotFound: no message of that conversation is left.
        """
        require(self.account, "mail.thread", READ)
        quoted = thread_id.replace("'", "''")
        call = Call(
            operation="mail.thread",
            url=self._messages,
            query=(
                # The property ordered by leads the filter: https://learn.microsoft.com/graph/api/user-list-messages
                ("$filter", f"receivedDateTime ge 1900-01-01T00:00:00Z and conversationId eq '{quoted}'"),
                ("$orderby", "receivedDateTime asc"),
                ("$top", _THREAD_PAGE),
                *WHOLE,
            ),
            headers=prefer(),
        )
        items = [item async for answer in self._session.pages(call) for item in members(answer)]
        mailbox = await self._mailbox_of("mail.thread", items)
        messages = {m.ref.id: m for i, item in enumerate(items) for m in [self._message(item, f"value[{i}]", mailbox)]}
        if not messages:
            raise NotFound(
                "no message of this thread is left; search again", account=self.account.name, operation="mail.thread"
            )
        return Thread(
            ref=Ref(account=self.account.name, kind="thread", id=thread_id),
            messages=tuple(sorted(messages.values(), key=lambda m: m.date)),
        )

    async def raw(self, message_id: str) -> bytes:
        """Give the message as RFC 5322 bytes."""
        require(self.account, "mail.raw", READ)
        # https://learn.microsoft.com/graph/outlook-get-mime-message
        url = f"{self._url(message_id)}/$value"
        answer = await self._session.request(Call(operation="mail.raw", url=url, expects="bytes", headers=prefer()))
        if not answer.content:
            raise BadPayload("the message came without a byte; try again", path="$", request_id=answer.request_id)
        return answer.content

    async def labels(self) -> tuple[list[Label], list[BadPayload]]:
        """Give every folder and category, parents before children, and what of them could not be read."""
        require(self.account, "mail.labels.list", READ)
        return await self._directory.labels("mail.labels.list")

    async def attachments(self, message_id: str) -> tuple[list[Attachment], list[BadPayload]]:
        """Give what hangs on a message, and what of it could not be read."""
        require(self.account, "mail.attachments.list", READ)
        items = await self._attachment_rows("mail.attachments.list", message_id)
        read = partial(attachment_from_wire, account=self.account.name, message_id=message_id)
        return read_each(items, "value", read)

    def read_attachment(self, message_id: str, part: str) -> AbstractAsyncContextManager[AsyncIterator[bytes]]:
        """Stream the bytes of one attachment; of an attached Outlook item, its MIME text.

        Raises:
            NotDownloadable: it is a link to a file kept elsewhere.
        """
        require(self.account, "mail.attachments.read", READ)
        return self._reading(f"{self._url(message_id)}/attachments/{segment(part)}")

    @asynccontextmanager
    async def _reading(self, url: str) -> AsyncIterator[AsyncIterator[bytes]]:
        operation = "mail.attachments.read"
        # https://learn.microsoft.com/graph/api/attachment-get#get-the-raw-contents-of-a-file-or-item-attachment
        call = Call(operation=operation, url=f"{url}/$value", expects="bytes", headers=prefer())
        async with AsyncExitStack() as stack:
            try:
                pieces = await stack.enter_async_context(self._session.stream(call))
            except ProviderError as refusal:
                if type(refusal) is not ProviderError:
                    raise  # not there, not now: what kind it is does not matter
                # A link has no bytes here, and is refused with 405 (the page above): only then is its kind asked for.
                about = Call(operation=operation, url=url, query=(("$select", "id,name"),), headers=prefer())
                item = as_object((await self._session.request(about)).json(), "$")
                if str(item.get("@odata.type")).endswith("referenceAttachment"):
                    raise NotDownloadable(
                        "this attachment is a link to a file kept elsewhere; open it in its own service",
                        account=self.account.name,
                        operation=operation,
                    ) from None
                raise refusal from None
            yield pieces

    async def _planned(self, search: Search) -> tuple[GraphPlan, QueryContext]:
        require(self.account, OPERATION, READ)
        terms = [literal.term for literal in literals(search.expr)]
        me = await self._directory.own_addresses(OPERATION) if any(map(_asks_who_i_am, terms)) else ()
        names_labels = any(isinstance(term, LabelTerm) for term in terms)
        mailbox = await self._directory.mailbox(OPERATION, whole=names_labels)
        context = QueryContext(now=search.now, tz=search.tz, me=me)
        return plan(search.expr, context, mailbox), context


def _item(answer: Answer | MailkitError) -> Wire | MailkitError:
    """Give the object that an answer of a batch holds, or why there is none."""
    if isinstance(answer, MailkitError):
        return answer
    try:
        return as_object(answer.json(), "$")
    except BadPayload as problem:
        return problem


def _asks_who_i_am(term: Leaf) -> bool:
    """Whether a plan needs the own addresses: for ``me``, and for ``bcc:``, which only one's own mail keeps."""
    return isinstance(term, Field) and (is_me(term) or term.name == "bcc")
