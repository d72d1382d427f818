"""What the two identity providers have in common, and what comes of a person opening one of their pages.

Responsible for the shape only. Nothing here knows a provider's words.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

import attrs

from mailkit.sandbox.faults import Fault, FaultScript
from mailkit.sandbox.mailbox import Mailbox
from mailkit.sandbox.wire import SandboxRequest, SandboxResponse

__all__ = ["IdentityProvider", "Reached", "Visit", "Visitor"]


@attrs.frozen(kw_only=True)
class Visitor:
    """The person in front of a browser and what they do there.

    ``account`` is whom they sign in as (None: whom the page suggests, or the only one there is). ``agrees`` says
    whether they let the app in, ``scopes`` which permissions they leave ticked (None: all; Google only). A person who
    ``returns`` follows the link that leads from Microsoft's error page back to the program.
    """

    account: str | None = None
    agrees: bool = True
    scopes: Collection[str] | None = None
    returns: bool = True


@attrs.frozen(kw_only=True)
class Visit:
    """Where opening a sign-in page ends: on the way to ``redirect``, or on a page (``status``) of the provider's.

    ``error`` is the provider's word for what went wrong, None where nothing did.
    """

    status: int = 200
    redirect: str | None = attrs.field(default=None, repr=False)
    error: str | None = None

    @property
    def response(self) -> SandboxResponse:
        """What the browser is answered."""
        if self.redirect is not None:
            return SandboxResponse(status=302, headers=(("location", self.redirect),))
        page = f"<!DOCTYPE html><html><head><title>Sign in</title></head><body>{self.error or ''}</body></html>"
        return SandboxResponse(
            status=self.status, headers=(("content-type", "text/html; charset=utf-8"),), content=page.encode()
        )


@attrs.frozen(kw_only=True)
class Reached:
    """The mailbox an access token opens, with what it may do there (None: all).

    Without a mailbox ``refusal`` (status, reason, message) says why; None: the token is a stranger's.
    """

    box: Mailbox | None = None
    scopes: frozenset[str] | None = None
    refusal: tuple[int, str, str | None] | None = None


class IdentityProvider(Protocol):
    """An identity provider as the sandbox sees it."""

    @property
    def hosts(self) -> tuple[str, ...]:
        """The hosts it is reached at."""
        ...

    @property
    def faults(self) -> FaultScript:
        """What goes wrong next."""
        ...

    def script(self, *faults: Fault) -> None:
        """Let the next requests that fit go wrong; see ``Fault``. Operations are ``token``, ``authorize`` …."""
        ...

    def serves(self, path: str) -> bool:
        """Say whether ``path`` is this provider's, for hosts nobody claims (a loopback server)."""
        ...

    def operation(self, request: SandboxRequest) -> str | None:
        """Name what the request asks for."""
        ...

    def refuse(self, status: int, reason: str | None = None, message: str | None = None) -> SandboxResponse:
        """Word an error as this provider does."""
        ...

    def answer(self, request: SandboxRequest) -> SandboxResponse:
        """Answer one request."""
        ...

    def authorise(self, url: str, visitor: Visitor) -> Visit:
        """Show the sign-in page at ``url`` to a person."""
        ...

    def reach(self, request: SandboxRequest) -> Reached | None:
        """Find the mailbox that the request's token opens; None: no such token, answer as to a stranger."""
        ...
