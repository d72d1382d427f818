"""The leak scan: no secret that a sandbox gave out shows in a log record or an error of the suite.

Codes, device codes, access and refresh tokens are noted where the identity providers make them, the tokens of mailboxes
and the secrets of apps where a test sets them up. Every log record of the process, ours and the libraries', from DEBUG
on, and every error of mailkit is looked at when it is made. What shows a secret fails the test that caused it, unless
the test is marked ``others_leak``: it lets a library do on its own what mailkit keeps that library from doing.
"""

from __future__ import annotations

import logging
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, cast

import pytest

from mailkit.errors import MailkitError
from mailkit.sandbox import Mailbox, Sandbox
from mailkit.sandbox.identity.google_apps import GoogleApp, ServiceAccount
from mailkit.sandbox.identity.ledger import Ledger
from mailkit.sandbox.identity.microsoft_apps import MicrosoftApp

# Tests also give tokens like "t", which every text contains; no provider does.
_SHORTEST = 12
_PERSON = "sandbox browser"  # the thread of the browser, which shows its person the whole address


class Scan(logging.Handler):
    """Knows the secrets, looks at every text, and keeps what it found until a test takes it."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.looked_at = 0
        self._secrets: tuple[str, ...] = ()
        self._found: list[str] = []
        self._own = threading.Lock()  # sync clients log from the thread of their portal

    def note(self, secret: object) -> None:
        """Remember a secret. Sandboxes give out the same ones in every run and every test, so there are few."""
        with self._own:
            if isinstance(secret, str) and len(secret) >= _SHORTEST and secret not in self._secrets:
                self._secrets = (*self._secrets, secret)

    def emit(self, record: logging.LogRecord) -> None:
        """Look at a log record: its text, what it was made of, and the traceback it brings."""
        if record.threadName != _PERSON:
            error = record.exc_info[1] if record.exc_info else None
            raised = "".join(traceback.format_exception(error)) if error else ""
            self.look(f"{record.getMessage()}\n{record.args!r}\n{raised}", f"the log record of {record.name}")

    def look(self, text: str, where: str) -> None:
        """Look at one text; ``where`` says what it is."""
        self.looked_at += 1
        if any(secret in text for secret in self._secrets):
            with self._own:
                self._found.append(f"{where}: {text.strip()[:500]}")

    def take(self) -> list[str]:
        """Give what was found since the last time."""
        with self._own:
            taken, self._found = self._found, []
        return taken


@contextmanager
def scanning() -> Iterator[Scan]:
    """Put a scan where secrets are made, where records are logged and where errors are made."""
    scan = Scan()
    levels = {logging.getLogger(): logging.DEBUG, logging.getLogger("asyncio"): logging.INFO}  # it logs making a loop
    before = {logger: logger.level for logger in levels}
    with pytest.MonkeyPatch.context() as patch:
        _after(patch, Ledger, "word", lambda _, word: scan.note(word))
        _after(patch, Sandbox, "_opened", lambda _, box: scan.note(cast(Mailbox, box).token))
        _after(patch, GoogleApp, "__init__", lambda app, _: scan.note(app.secret))
        _after(patch, MicrosoftApp, "__init__", lambda app, _: scan.note(app.secret))
        _after(patch, ServiceAccount, "__init__", lambda account, _: scan.note(_line_of(account.info["private_key"])))
        _after(patch, MailkitError, "__init__", lambda error, _: scan.look(_shown(error), type(error).__name__))
        logging.getLogger().addHandler(scan)
        for logger, level in levels.items():
            logger.setLevel(level)
        try:
            yield scan
        finally:
            logging.getLogger().removeHandler(scan)
            for logger, level in before.items():
                logger.setLevel(level)


def _line_of(key: str) -> str:
    # A key shows with its line breaks or with what a repr makes of them; its fifth line is nobody else's.
    return key.splitlines()[5]


def _shown(error: MailkitError) -> str:
    # Not str(error): one of several errors makes its text of theirs, once it has them, and they were looked at before.
    return f"{error.message}\n{vars(error)!r}"


def _after(patch: pytest.MonkeyPatch, owner: type, name: str, see: Callable[[Any, object], None]) -> None:
    """Let ``see`` look at the object and at what its method gave, whenever that is called."""
    method = getattr(owner, name)

    def seen(self: object, *args: object, **options: object) -> object:
        given = method(self, *args, **options)
        see(self, given)
        return given

    patch.setattr(owner, name, seen)


@pytest.fixture(scope="session")
def leak_scan() -> Iterator[Scan]:
    with scanning() as scan:
        yield scan


@pytest.fixture(autouse=True)
def _nothing_leaks(leak_scan: Scan, request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail the test that let a secret show."""
    yield
    found = leak_scan.take()
    if found and not request.node.get_closest_marker("others_leak"):
        pytest.fail("a secret shows in\n" + "\n".join(found), pytrace=False)
