"""``mail.drafts``: messages that are not sent yet."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import evolve

from mailkit.checks import asked, whole
from mailkit.clients.desk import Desk
from mailkit.clients.orders import new_order
from mailkit.fanout.resolve import concerned, creator, item_ref
from mailkit.mime.outgoing import Files, Headers, OutgoingMessage, Recipients
from mailkit.models import Draft, Results, SendResult
from mailkit.providers.writing import Progress
from mailkit.sending import OnUnknown, drafts
from mailkit.values import Ref

__all__ = ["AsyncDrafts"]

_MOST = 100


class AsyncDrafts:
    """Messages that are not sent yet; a draft's ref stays the same when it is changed."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    async def create(
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
        progress: Progress | None = None,
        deadline: float | None = None,
    ) -> Draft:
        """Keep a message as a draft; what is passed is as in ``mail.send``, and recipients may still be missing.

        Raises:
            InvalidMessage: something cannot go into a mail; nothing was kept.
            AmbiguousAccount: several accounts, no default, and none named.
            PermissionMissing: the account may not keep drafts.

        Example:
            ```python
            from mailkit import AsyncMailClient
            from mailkit.testing import demo_accounts

            async with AsyncMailClient(demo_accounts()) as mail:
                draft = await mail.drafts.create("amy@example.com", subject="Plan", text="Soon.", account="home")
                print(draft.ref, draft.message.subject)
            ```
        """
        operation = "mail.drafts.create"
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
            order = new_order(self._desk, operation, message, progress=progress, deadline=deadline)
        name = creator(account, self._desk.names, self._desk.default, operation=operation)
        return await drafts.create(self._desk, evolve(order, account=name))

    async def list(
        self, *, accounts: str | Iterable[str] | None = None, limit: int = 25, deadline: float | None = None
    ) -> Results[Draft]:
        """List the newest drafts of every account, newest first; ``limit`` is 1 to 100.

        Raises:
            UsageError: limit or account name cannot be right.
            AllAccountsFailed: every account failed; the only account concerned raises its own error.

        Example:
            ```python
            from mailkit import AsyncMailClient
            from mailkit.testing import demo_accounts

            async with AsyncMailClient(demo_accounts()) as mail:
                await mail.drafts.create(subject="Plan", text="Soon.", account="home")
                for draft in await mail.drafts.list():
                    print(draft.account, draft.message.subject)
            ```
        """
        operation = "mail.drafts.list"
        with asked(operation):
            whole(limit, "limit", most=_MOST)
        names = concerned(accounts, self._desk.names, operation=operation)
        return await drafts.list_drafts(self._desk, names, limit=limit, deadline=self._desk.deadline(deadline))

    async def get(
        self, draft: Draft | Ref | str, *, account: str | None = None, deadline: float | None = None
    ) -> Draft:
        """Get one draft, by its record, its ref, the text of that, or the provider's bare id.

        Raises:
            UsageError: the ref is no draft's, or of another account.
            NotFound: there is no such draft (any more).

        Example:
            ```python
            from mailkit import AsyncMailClient
            from mailkit.testing import demo_accounts

            async with AsyncMailClient(demo_accounts()) as mail:
                draft = await mail.drafts.create(subject="Plan", text="Soon.", account="home")
                print((await mail.drafts.get(draft.ref)).message.body.text)
            ```
        """
        ref = _ref(self._desk, draft, account, "mail.drafts.get")
        return await drafts.get(self._desk, ref, deadline=self._desk.deadline(deadline))

    async def update(
        self,
        draft: Draft | Ref | str,
        *,
        to: Recipients | None = None,
        cc: Recipients | None = None,
        bcc: Recipients | None = None,
        subject: str | None = None,
        text: str | None = None,
        html: str | None = None,
        markdown: str | None = None,
        files: Files | None = None,
        reply_to: Recipients | None = None,
        from_: Recipients | None = None,
        account: str | None = None,
        progress: Progress | None = None,
        deadline: float | None = None,
    ) -> Draft:
        """Change what is named of a draft; the rest, its files and its place in a conversation stay.

        ``text``, ``html`` and ``markdown`` each replace all the text there was, and ``files`` all files.

        Raises:
            InvalidMessage: something cannot go into a mail; nothing was changed.
            NotFound: there is no such draft (any more).

        Example:
            ```python
            from mailkit import AsyncMailClient
            from mailkit.testing import demo_accounts

            async with AsyncMailClient(demo_accounts()) as mail:
                draft = await mail.drafts.create(subject="Plan", text="Soon.", account="home")
                draft = await mail.drafts.update(draft, to="amy@example.com", text="Now.")
                print(draft.message.to, draft.message.subject)
            ```
        """
        operation = "mail.drafts.update"
        named = {
            "to": to,
            "cc": cc,
            "bcc": bcc,
            "subject": subject,
            "files": files,
            "reply_to": reply_to,
            "from_": from_,
        }
        changes: dict[str, object] = {name: value for name, value in named.items() if value is not None}
        if text is not None or html is not None or markdown is not None:
            changes |= {"text": text, "html": html, "markdown": markdown}
        with asked(operation):
            drafts.changed(OutgoingMessage(), changes)  # refuses what cannot be right before anything is sent
            ref = _ref(self._desk, draft, account, operation)
            order = new_order(
                self._desk,
                operation,
                OutgoingMessage(),
                account=ref.account,
                progress=progress,
                deadline=deadline,
            )
        return await drafts.update(self._desk, ref, order, changes)

    async def send(
        self,
        draft: Draft | Ref | str,
        *,
        account: str | None = None,
        key: str | None = None,
        on_unknown: OnUnknown = "raise",
        deadline: float | None = None,
    ) -> SendResult:
        """Send a draft as it is, once; the client's policy looks at it like at any message.

        Everything else is as in ``mail.send``.

        Raises:
            NotFound: there is no such draft (any more); it may have been sent.
            OutcomeUnknown: it may have gone or not; pass this to ``mail.reconcile`` before any repeat.

        Example:
            ```python
            from mailkit import AsyncMailClient
            from mailkit.testing import demo_accounts

            async with AsyncMailClient(demo_accounts()) as mail:
                draft = await mail.drafts.create("amy@example.com", subject="Plan", text="Soon.", account="home")
                print((await mail.drafts.send(draft)).state)
            ```
        """
        operation = "mail.drafts.send"
        with asked(operation):
            ref = _ref(self._desk, draft, account, operation)
            order = new_order(
                self._desk,
                operation,
                OutgoingMessage(),
                account=ref.account,
                key=key,
                on_unknown=on_unknown,
                deadline=deadline,
            )
        return await drafts.send(self._desk, ref, order)

    async def delete(
        self, draft: Draft | Ref | str, *, account: str | None = None, deadline: float | None = None
    ) -> None:
        """Throw a draft away; one that is gone already is fine.

        Raises:
            UsageError: the ref is no draft's, or of another account.

        Example:
            ```python
            from mailkit import AsyncMailClient
            from mailkit.testing import demo_accounts

            async with AsyncMailClient(demo_accounts()) as mail:
                draft = await mail.drafts.create(subject="Plan", account="home")
                await mail.drafts.delete(draft)
                print(len(await mail.drafts.list()), "drafts left")
            ```
        """
        ref = _ref(self._desk, draft, account, "mail.drafts.delete")
        await drafts.delete(self._desk, ref, deadline=self._desk.deadline(deadline))


def _ref(desk: Desk, draft: Draft | Ref | str, account: str | None, operation: str) -> Ref:
    return item_ref(draft, "draft", account=account, known=desk.names, operation=operation)
