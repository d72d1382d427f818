"""Both identity providers of a sandbox, and the browser that leads to them.

Responsible for finding the provider a request or a page belongs to.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Collection, Iterable
from contextlib import AbstractContextManager
from urllib.parse import urlsplit

from mailkit.sandbox.identity.browser import Browser
from mailkit.sandbox.identity.google import GoogleIdentity
from mailkit.sandbox.identity.microsoft import MicrosoftIdentity
from mailkit.sandbox.identity.provider import IdentityProvider, Reached, Visitor
from mailkit.sandbox.mailbox import Mailbox
from mailkit.sandbox.wire import SandboxRequest

__all__ = ["Identity"]


class Identity:
    """Where people of a sandbox sign in: ``google``, ``microsoft``, and ``browser`` for what people do there.

    Example:
        ```python
        import httpx

        from mailkit.sandbox import Sandbox

        sandbox = Sandbox()
        sandbox.microsoft("ann@contoso.example")
        sandbox.identity.microsoft.app("my-app")
        program = httpx.Client(transport=sandbox.transport())
        endpoint = "https://login.microsoftonline.com/common/oauth2/v2.0"

        asked = {"client_id": "my-app", "scope": "Mail.Read offline_access"}
        flow = program.post(f"{endpoint}/devicecode", data=asked).json()
        sandbox.identity.browser("ann@contoso.example").enter(flow["user_code"])

        grant = {"grant_type": "device_code", "client_id": "my-app", "device_code": flow["device_code"]}
        token = program.post(f"{endpoint}/token", data=grant).json()["access_token"]
        answer = program.get(
            "https://graph.microsoft.com/v1.0/me/messages", headers={"authorization": f"Bearer {token}"}
        )
        assert answer.status_code == 200
        ```
    """

    def __init__(
        self,
        now: Callable[[], dt.datetime],
        boxes: Callable[[], Iterable[Mailbox]],
        lock: AbstractContextManager[object],
    ) -> None:
        self.google: GoogleIdentity = GoogleIdentity(now, lambda: _of("google", boxes()))
        self.microsoft: MicrosoftIdentity = MicrosoftIdentity(now, lambda: _of("microsoft", boxes()))
        self._lock = lock

    def browser(
        self,
        account: str | None = None,
        *,
        agrees: bool = True,
        scopes: Collection[str] | None = None,
        returns: bool = True,
    ) -> Browser:
        """Give a browser.

        ``account`` is the address its person signs in with (None: the one the page suggests, or the only one there
        is), ``agrees`` whether they let the app in, ``scopes`` the permissions they leave ticked (None: all; Google
        only), ``returns`` whether they follow the link from Microsoft's error page back to the program.
        """
        return Browser(
            Visitor(account=account, agrees=agrees, scopes=scopes, returns=returns),
            provider=self._page_of,
            microsoft=self.microsoft,
            lock=self._lock,
        )

    def provider(self, url: str) -> IdentityProvider | None:
        """Give the provider at a URL's host, else (a loopback server) the one that has such a path."""
        pieces = urlsplit(url)
        providers: tuple[IdentityProvider, ...] = (self.google, self.microsoft)
        named = (provider for provider in providers if pieces.hostname in provider.hosts)
        return next(named, None) or next((provider for provider in providers if provider.serves(pieces.path)), None)

    def reach(self, provider: str, request: SandboxRequest) -> Reached | None:
        """Find the mailbox a request's token opens at one provider; None: no token of its making."""
        return (self.google if provider == "google" else self.microsoft).reach(request)

    def _page_of(self, url: str) -> IdentityProvider:
        found = self.provider(url)
        if found is None:
            raise ValueError("this is no sign-in page of the sandbox")
        return found


def _of(provider: str, boxes: Iterable[Mailbox]) -> list[Mailbox]:
    return [box for box in boxes if box.provider == provider]
