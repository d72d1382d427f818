"""What a provider's half of the sandbox must offer. Nothing here knows a provider, a mailbox's content or httpx."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeAlias, TypeVar

from mailkit.sandbox.mailbox import Mailbox
from mailkit.sandbox.wire import SandboxRequest, SandboxResponse

__all__ = ["Exchange", "Proceed", "Service"]

BoxT_contra = TypeVar("BoxT_contra", bound=Mailbox, contravariant=True)

Proceed: TypeAlias = Callable[[SandboxRequest], SandboxResponse]
Exchange: TypeAlias = Callable[[SandboxRequest, Proceed], SandboxResponse]


class Service(Protocol[BoxT_contra]):
    """One provider's REST interface over mailboxes: a pure function from request to answer.

    Sandbox finds the mailbox by bearer token, judges scripted faults of whole requests, logs, waits; the service does
    the rest. For every part of a batch the service makes a ``SandboxRequest`` with ``part=True`` and passes it with its
    own way of answering to ``exchange``, which logs the part and applies the faults scripted for it::

        answer = exchange(part_request, lambda request: self._route(box, request))
    """

    @property
    def hosts(self) -> tuple[str, ...]:
        """The hosts this provider is reached at."""
        ...

    def serves(self, path: str) -> bool:
        """Say whether ``path`` is this provider's, for hosts nobody claims (a loopback server)."""
        ...

    def operation(self, request: SandboxRequest) -> str | None:
        """Name what the request asks for (``messages.list``); faults match on it and the log shows it."""
        ...

    def weight(self, request: SandboxRequest) -> int:
        """Say how many requests this one counts for while it is under way."""
        ...

    def stranger(self, request: SandboxRequest) -> SandboxResponse:
        """Answer a request that carries no token, or one of no mailbox here: the provider's 401."""
        ...

    def refuse(self, status: int, reason: str | None = None, message: str | None = None) -> SandboxResponse:
        """Word an error as this provider does; without ``reason`` the one usual for the status."""
        ...

    def handle(self, box: BoxT_contra, request: SandboxRequest, exchange: Exchange) -> SandboxResponse:
        """Answer one request for one mailbox; permissions (``box.scopes``) are checked here."""
        ...
