"""The leak scan of the suite finds what it is there for."""

from __future__ import annotations

import logging

import pytest

from mailkit.errors import Unavailable
from mailkit.sandbox import Sandbox
from mailkit.sandbox.identity.ledger import Ledger
from tests.support.leaks import Scan


@pytest.mark.parametrize("logger", ["msal.token_cache", "httpx", "httpcore.http11", "google.auth", "mailkit", "anyone"])
def test_a_token_in_a_log_record_is_found(leak_scan: Scan, logger: str) -> None:
    box = Sandbox().google("ann@example.com")
    logging.getLogger(logger).debug("asked with %s", {"authorization": f"Bearer {box.token}"})
    (found,) = leak_scan.take()
    assert logger in found


def test_a_secret_in_a_traceback_is_found(leak_scan: Scan) -> None:
    secret = Sandbox().identity.google.app("app").secret
    try:
        raise ValueError(secret)
    except ValueError:
        logging.getLogger("anyone").exception("it went wrong")
    assert len(leak_scan.take()) == 1


def test_a_key_in_a_repr_is_found(leak_scan: Scan) -> None:
    info = Sandbox().identity.google.service_account("robot@project.example").info
    logging.getLogger("anyone").debug("using %r", info)
    assert len(leak_scan.take()) == 1


def test_a_token_in_an_error_is_found(leak_scan: Scan) -> None:
    box = Sandbox().microsoft("ann@contoso.example")
    Unavailable(f"{box.token} is refused")
    (found,) = leak_scan.take()
    assert "Unavailable" in found


def test_what_the_identity_providers_hand_out_is_known(leak_scan: Scan) -> None:
    sandbox = Sandbox()
    word = Ledger("google", sandbox.clock.now).word("1//0")
    logging.getLogger("anyone").debug(word)
    assert len(leak_scan.take()) == 1


def test_other_texts_are_none_of_its_business(leak_scan: Scan) -> None:
    before = leak_scan.looked_at
    logging.getLogger("anyone").debug("all is well")
    assert (leak_scan.looked_at - before, leak_scan.take()) == (1, [])
