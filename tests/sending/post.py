"""A person who writes and a person who gets it, in one sandbox: what a test says about a send is held against it.

Bob's mailbox is at the other provider, so that every mail crosses the border. Nothing here knows what mailkit does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import attrs

from mailkit import AsyncMailClient, Draft, MessageSummary
from mailkit.accounts import Accounts, Settings
from mailkit.sandbox import Mail, Mailbox, Person, Sandbox
from mailkit.testing import sandbox_account
from mailkit.transport import Quota
from mailkit.values import Provider

ANN, BOB = "ann@example.com", "bob@contoso.example"
ROOMY = Settings(gmail_quota=Quota(units=10_000_000, seconds=60))

PROVIDERS: tuple[Provider, ...] = ("google", "microsoft")

SCOPES: dict[Provider, dict[str, tuple[str, ...] | None]] = {
    "google": {
        "send": ("gmail.send",),
        "send+read": ("gmail.send", "gmail.readonly"),
        "compose": ("gmail.compose",),
        "wide": ("gmail.modify",),
        "unstated": None,
    },
    "microsoft": {
        "send": ("Mail.Send",),
        "send+read": ("Mail.Send", "Mail.Read"),
        "wide": ("Mail.Send", "Mail.ReadWrite"),
        "unstated": None,
    },
}
"""Sets of permissions, small and wide; unstated: everything is granted, and the account does not say so."""

MAY_READ = ("send+read", "wide", "unstated")
MAY_DRAFT = ("compose", "wide", "unstated")
CASES = [(provider, width) for provider, widths in SCOPES.items() for width in widths]


class Post:
    """Ann, whose client is tested, and Bob. Options of the client are given to ``client``."""

    def __init__(self, provider: Provider = "google", width: str = "wide", sandbox: Sandbox | None = None) -> None:
        self.sandbox = sandbox or Sandbox()
        self.scopes = SCOPES[provider][width]
        make = (self.sandbox.google, self.sandbox.microsoft)
        ours, theirs = make if provider == "google" else reversed(make)
        self.ann: Mailbox = ours(ANN, name="Ann Lee", scopes=self.scopes)
        self.bob: Mailbox = theirs(BOB, name="Bob Ray")

    def accounts(self, default: str | None = None) -> Accounts:
        """Make the account set anew, as a program does that was started again."""
        ann = attrs.evolve(sandbox_account(self.sandbox, self.ann, name="ann"), address=ANN, scopes=self.scopes)
        bob = attrs.evolve(sandbox_account(self.sandbox, self.bob, name="bob"), address=BOB)
        return Accounts([ann, bob], default=default, settings=ROOMY, clock=self.sandbox.clock)

    def client(self, **options: Any) -> AsyncMailClient:
        """Make a client that remembers nothing yet."""
        return AsyncMailClient(self.accounts(), tz="UTC", **options)

    def letter_to_ann(self, subject: str = "Plans", **fields: Any) -> str:
        """Let a mail from Bob lie in Ann's inbox; gives its id."""
        to = fields.pop("to", [Person("Ann", ANN)])
        return self.ann.add(Mail(subject=subject, from_=Person("Bob Ray", BOB), to=to, text="At nine?", **fields))

    def arrived(self) -> list[str]:
        """Give the subjects of what lies in Bob's inbox."""
        return [entry.mail.subject for entry in self.bob if entry.mail.folder == "inbox"]

    def drafts(self) -> list[str]:
        """Give the subjects of Ann's drafts."""
        return [entry.mail.subject for entry in self.ann if entry.mail.folder == "drafts"]

    def asked(self, since: int = 0) -> list[str]:
        """Give the operations that were asked for, those inside batches among them."""
        return list(self._operations(since))

    def _operations(self, since: int) -> Iterator[str]:
        for request in self.sandbox.requests[since:]:
            for each in request.parts or [request]:
                yield each.operation or "?"


async def only(rows: Sequence[MessageSummary]) -> MessageSummary:
    """Give the one row there is."""
    (row,) = rows
    return row


def named(drafts: Sequence[Draft]) -> list[str]:
    """Give the subjects of drafts."""
    return [draft.message.subject for draft in drafts]
