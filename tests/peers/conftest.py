"""One sandbox on loopback, filled for both providers, and a mailkit client that reads it over the same socket."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec

import attrs
import pytest

from mailkit import Account, MailClient, Quota, Settings
from mailkit.sandbox import GoogleMailbox, MicrosoftMailbox, Sandbox
from tests.peers.seed import fill
from tests.support.loopback import served

# Their own session installs the peers; elsewhere there is nothing to run here.
collect_ignore_glob = [] if find_spec("O365") else ["test_*.py"]


@attrs.frozen
class Service:
    """The served sandbox: its address and its two mailboxes, which hold the same letters."""

    url: str
    sandbox: Sandbox
    gmail: GoogleMailbox
    outlook: MicrosoftMailbox


@pytest.fixture(scope="session")
def service() -> Iterator[Service]:
    sandbox = Sandbox()
    gmail = sandbox.google("ann@example.com", name="Ann Lee")
    outlook = sandbox.microsoft("ann@example.com", name="Ann Lee")
    fill(gmail)
    fill(outlook)
    with served(sandbox) as url:
        yield Service(url, sandbox, gmail, outlook)


@pytest.fixture(scope="session")
def mail(service: Service) -> Iterator[MailClient]:
    """Give a client of both accounts; days are Pacific ones, as Gmail reads dates in a query."""
    home = Account(name="home", provider="google", token=service.gmail.token, base_url=service.url)
    work = Account(name="work", provider="microsoft", token=service.outlook.token, base_url=f"{service.url}/v1.0")
    unpaced = Settings(gmail_quota=Quota(units=1_000_000, seconds=60))
    with MailClient([home, work], tz="America/Los_Angeles", settings=unpaced) as client:
        yield client
