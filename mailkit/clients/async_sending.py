"""The verbs that send: new mail, replies, forwards, and finding out what became of a send."""

from __future__ import annotations

from attrs import evolve

from mailkit.addressing import Addressed
from mailkit.checks import asked, flag
from mailkit.clients.desk import Desk
from mailkit.clients.orders import new_answer, new_order, whole_message
from mailkit.errors import OutcomeUnknown
from mailkit.fanout.resolve import creator, mail_ref
from mailkit.mime.outgoing import Files, Headers, OutgoingMessage, Recipients
from mailkit.models import MessageSummary, SendResult, Thread
from mailkit.providers.writing import Progress
from mailkit.sending import OnUnknown, addressed, dispatch, dispatch_answer, reconcile
from mailkit.values import Ref

__all__ = ["AsyncSending"]


class AsyncSending:
    """What a mail client sends."""

    _desk: Desk

    async def send(
        self,
        to: Recipients = (),
        *,
        cc: Recipients = (),
        bcc: Recipients = (),
        subject: str = "",
        text: str | None = None,
        html: str | None = None,
        markdown: str | None = None,
        files: Files = (),
        reply_to: Recipients = (),
        headers: Headers = (),
        from_: Recipients | None = None,
        account: str | None = None,
        key: str | None = None,
        on_unknown: OnUnknown = "raise",
        progress: Progress | None = None,
        deadline: float | None = None,
    ) -> SendResult:
        """Send a new message, once.

        Recipients are an ``Address``, a text with one or several addresses, or a list. ``text`` and ``html`` are both
        sent; of ``markdown`` both are made. ``files`` are paths, ``Attachment`` rows or refs, and ``OutgoingFile`` for
        bytes, streams and pictures in the HTML; large ones are uploaded in pieces, and ``progress`` is told the bytes
        that have gone and those of all. ``headers`` are ``X-…`` ones. It goes from ``account``, else from the default
        account of the set, else from the only one; ``from_`` is another own address of that.

        A send is never repeated while its fate is unclear: then the mail is looked for among the sent mail, and what
        stays unclear is ``OutcomeUnknown``, or a result of state ``unknown`` with ``on_unknown="return"``. With a
        ``key`` (1 to 128 of letters, digits and ``. _ : -``) the same call again within seven days sends nothing and
        gives a ``duplicate``. What the client's policy does not let go is kept as a draft: ``held``. ``deadline``
        counts until the provider's answer; with files it is 300 s where the settings say less.

        Raises:
            InvalidMessage: something cannot go into a mail; nothing was sent.
            AmbiguousAccount: several accounts, no default, and none named.
            PermissionMissing: the account may not send, or not keep the draft that this takes.
            Conflict: the key was used for another message, or is being used right now.
            OutcomeUnknown: the mail may have gone or not; pass it to ``reconcile`` before any repeat.

        Example:
            ```python
            from mailkit import AsyncMailClient
            from mailkit.testing import demo_accounts

            async with AsyncMailClient(demo_accounts()) as mail:
                sent = await mail.send("Amy <amy@example.com>", subject="Lunch?", text="At one?", account="home")
                print(sent.state, sent.message_id)
            ```
        """
        operation = "mail.send"
        with asked(operation):
            message = OutgoingMessage(
                to=to,
                cc=cc,
                bcc=bcc,
                subject=subject,
                text=text,
                html=html,
                markdown=markdown,
                files=files,
                reply_to=reply_to,
                headers=headers,
                from_=from_,
            )
            order = new_order(
                self._desk, operation, message, key=key, on_unknown=on_unknown, progress=progress, deadline=deadline
            )
        name = creator(account, self._desk.names, self._desk.default, operation=operation)
        return await dispatch(self._desk, evolve(order, account=name))

    async def reply(
        self,
        message: Ref | str | MessageSummary | Thread,
        *,
        text: str | None = None,
        html: str | None = None,
        markdown: str | None = None,
        reply_all: bool = False,
        own_spellings: bool = False,
        to: Recipients = (),
        cc: Recipients = (),
        bcc: Recipients = (),
        subject: str = "",
        files: Files = (),
        quote: bool = True,
        as_draft: bool = False,
        headers: Headers = (),
        from_: Recipients | None = None,
        account: str | None = None,
        key: str | None = None,
        on_unknown: OnUnknown = "raise",
        progress: Progress | None = None,
        deadline: float | None = None,
    ) -> SendResult:
        """Answer a message; it is threaded on both sides, and goes to the same people whichever provider it is at.

        A ``Thread``, or its ref, stands for its newest message that is neither a draft nor in the trash. The answer
        goes to whom the message says answers go, with ``reply_all`` also to everybody else it went to, never to an own
        address and never to Bcc; ``to``, ``cc`` and ``bcc`` add people. ``own_spellings`` also counts an own address
        with a ``+tag`` as own, and one of Gmail with other dots. The answer comes from the own address the message was
        sent to. ``explain_reply`` says all that without sending. The original is quoted below, its date in the
        client's zone, unless ``quote`` is False. ``as_draft`` keeps the answer as a draft.

        Everything else is as in ``send``, and so is what is raised.

        Raises:
            InvalidMessage: nobody would get it, or something cannot go into a mail.
            NotFound: there is no such message.

        Example:
            ```python
            from mailkit import AsyncMailClient
            from mailkit.testing import demo_accounts

            async with AsyncMailClient(demo_accounts()) as mail:
                row = (await mail.search("from:priya"))[0]
                result = await mail.reply(row, text="Gladly!", as_draft=True)
                print(result.state, result.draft)
            ```
        """
        operation = "mail.reply"
        with asked(operation):
            flag(reply_all, "reply_all")
            flag(as_draft, "as_draft")
            written = OutgoingMessage(
                to=to,
                cc=cc,
                bcc=bcc,
                subject=subject,
                text=text,
                html=html,
                markdown=markdown,
                files=files,
                headers=headers,
                from_=from_,
            )
            answer = new_answer(
                self._desk,
                "reply_all" if reply_all else "reply",
                written,
                quote=quote,
                own_spellings=own_spellings,
            )
            ref = mail_ref(message, account=account, known=self._desk.names, operation=operation)
            order = new_order(
                self._desk, operation, written, key=key, on_unknown=on_unknown, progress=progress, deadline=deadline
            )
        order = evolve(order, account=ref.account, as_draft=as_draft)
        return await dispatch_answer(self._desk, ref, answer, order, known=whole_message(message))

    async def forward(
        self,
        message: Ref | str | MessageSummary | Thread,
        to: Recipients = (),
        *,
        text: str | None = None,
        html: str | None = None,
        markdown: str | None = None,
        cc: Recipients = (),
        bcc: Recipients = (),
        subject: str = "",
        files: Files = (),
        as_attachment: bool = False,
        as_draft: bool = False,
        headers: Headers = (),
        from_: Recipients | None = None,
        account: str | None = None,
        key: str | None = None,
        on_unknown: OnUnknown = "raise",
        progress: Progress | None = None,
        deadline: float | None = None,
    ) -> SendResult:
        """Hand a message on, with its attachments; pictures in it stay where they are.

        ``as_attachment`` sends it as one attached message (``.eml``) instead, as it came. Links to files kept elsewhere
        do not go along, and a note says so. Everything else is as in ``send`` and ``reply``.

        Raises:
            InvalidMessage: nobody would get it, or something cannot go into a mail.
            NotFound: there is no such message.

        Example:
            ```python
            from mailkit import AsyncMailClient
            from mailkit.testing import demo_accounts

            async with AsyncMailClient(demo_accounts()) as mail:
                row = (await mail.search("has:attachment"))[0]
                result = await mail.forward(row, "bob@example.com", text="For you.", as_draft=True)
                print(result.state)
            ```
        """
        operation = "mail.forward"
        with asked(operation):
            flag(as_attachment, "as_attachment")
            flag(as_draft, "as_draft")
            written = OutgoingMessage(
                to=to,
                cc=cc,
                bcc=bcc,
                subject=subject,
                text=text,
                html=html,
                markdown=markdown,
                files=files,
                headers=headers,
                from_=from_,
            )
            answer = evolve(new_answer(self._desk, "forward", written), as_attachment=as_attachment)
            ref = mail_ref(message, account=account, known=self._desk.names, operation=operation)
            order = new_order(
                self._desk, operation, written, key=key, on_unknown=on_unknown, progress=progress, deadline=deadline
            )
        order = evolve(order, account=ref.account, as_draft=as_draft)
        return await dispatch_answer(self._desk, ref, answer, order, known=whole_message(message))

    async def explain_reply(
        self,
        message: Ref | str | MessageSummary | Thread,
        *,
        reply_all: bool = False,
        own_spellings: bool = False,
        to: Recipients = (),
        cc: Recipients = (),
        bcc: Recipients = (),
        account: str | None = None,
        deadline: float | None = None,
    ) -> Addressed:
        """Say who would get an answer, from which own address and under which subject, and why; sends nothing.

        What is passed is as in ``reply``.

        Raises:
            InvalidMessage: nobody would get it.
            NotFound: there is no such message.

        Example:
            ```python
            from mailkit import AsyncMailClient
            from mailkit.testing import demo_accounts

            async with AsyncMailClient(demo_accounts()) as mail:
                row = (await mail.search("from:priya"))[0]
                for reason in (await mail.explain_reply(row, reply_all=True)).reasons:
                    print(reason.place, reason.address, reason.why)
            ```
        """
        operation = "mail.explain_reply"
        with asked(operation):
            flag(reply_all, "reply_all")
            added = OutgoingMessage(to=to, cc=cc, bcc=bcc)
            answer = new_answer(self._desk, "reply_all" if reply_all else "reply", added, own_spellings=own_spellings)
            ref = mail_ref(message, account=account, known=self._desk.names, operation=operation)
        return await addressed(
            self._desk,
            ref,
            answer,
            known=whole_message(message),
            operation=operation,
            deadline=self._desk.deadline(deadline),
        )

    async def reconcile(self, what: SendResult | OutcomeUnknown) -> SendResult:
        """Find out what became of a send whose outcome was unknown; sends nothing.

        The mail is looked for among the sent mail, twice with a pause, since that lags: up to half a minute. ``sent``
        says by its ``evidence`` how it is known; ``draft`` means that it was not sent and still lies in the drafts;
        ``unknown`` that it is not to be seen (yet). Any other result is given back as it is.

        Raises:
            UsageError: it is no result of a send, or of an account that is not here.

        Example:
            ```python
            from mailkit import AsyncMailClient, OutcomeUnknown
            from mailkit.testing import demo_accounts

            async with AsyncMailClient(demo_accounts()) as mail:
                try:
                    result = await mail.send("amy@example.com", subject="Hi", text="Hello", account="home")
                except OutcomeUnknown as unknown:
                    result = await mail.reconcile(unknown)
                print(result.state)
            ```
        """
        return await reconcile(self._desk, what, operation="mail.reconcile")
