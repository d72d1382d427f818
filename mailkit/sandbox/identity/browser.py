"""A person's browser: opens a sign-in page, does there what its person would, follows the redirect to the program.

The redirect is the one thing in the sandbox that goes over a real socket, and only to this machine.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from contextlib import AbstractContextManager
from threading import Thread
from urllib.parse import urlsplit

import httpx

from mailkit.sandbox.identity.forms import is_loopback
from mailkit.sandbox.identity.microsoft import MicrosoftIdentity
from mailkit.sandbox.identity.provider import IdentityProvider, Visit, Visitor

__all__ = ["Browser"]


class Browser:
    """Made by ``sandbox.identity.browser``; what its person does is said there."""

    def __init__(
        self,
        visitor: Visitor,
        *,
        provider: Callable[[str], IdentityProvider],
        microsoft: MicrosoftIdentity,
        lock: AbstractContextManager[object],
    ) -> None:
        self._visitor = visitor
        self._provider = provider
        self._microsoft = microsoft
        self._lock = lock

    def visit(self, url: str) -> Visit:
        """Open a sign-in page and give where it ends; the redirect is not followed, as where no program listens."""
        with self._lock:
            return self._provider(url).authorise(url, self._visitor)

    def open(self, url: str) -> Future[int | None]:
        """Open a sign-in page and follow its redirect to the program that listens on this machine.

        Returns at once, as a real browser does; the future gives the status of the program's answer, None where the
        page led nowhere. Its errors are httpx's, and ValueError for a redirect to another machine.
        """
        visit = self.visit(url)
        future: Future[int | None] = Future()

        def follow() -> None:
            try:
                future.set_result(None if visit.redirect is None else _get(visit.redirect))
            except Exception as error:  # noqa: BLE001  # the future carries it to whoever asks
                future.set_exception(error)

        Thread(target=follow, name="sandbox browser", daemon=True).start()
        return future

    def enter(self, user_code: str) -> Visit:
        """Enter a user code on Microsoft's device page, and agree or decline there."""
        with self._lock:
            return self._microsoft.enter(user_code, self._visitor)


def _get(redirect: str) -> int:
    if not is_loopback(redirect):
        raise ValueError("the sandbox's browser follows redirects to this machine only; use visit() instead")
    url, host = httpx.URL(redirect), urlsplit(redirect).netloc
    with httpx.Client(trust_env=False) as client:
        return client.get(url.copy_with(host="127.0.0.1"), headers={"host": host}).status_code
