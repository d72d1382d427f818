"""The emulator as a process of its own, on a free port of 127.0.0.1, ended with the tests."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from mailkit import Account, CalendarClient, MailClient, Quota, Settings
from tests.emulator import seed

# Read before the environment is scrubbed. The `emulator` session installs the package and names its command here.
_COMMAND = os.environ.get("EMULATE_COMMAND", "")

# It would listen on every interface of the machine.
_LOOPBACK_ONLY = """
import net from "node:net"
const listen = net.Server.prototype.listen
net.Server.prototype.listen = function (port, ...rest) { return listen.call(this, port, "127.0.0.1", ...rest.slice(1)) }
"""


@pytest.fixture(scope="session")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Start the emulator; gives its address."""
    if not _COMMAND:
        pytest.skip("EMULATE_COMMAND names no emulator; run `nox -s emulator`")
    folder = tmp_path_factory.mktemp("emulator")
    (folder / "seed.json").write_text(json.dumps(seed.config()), encoding="utf-8")
    (folder / "loopback.mjs").write_text(_LOOPBACK_ONLY, encoding="utf-8")
    port = str(_free_port())
    command = ["node", "--import", "./loopback.mjs", _COMMAND, "start", "--service", "google", "--port", port]
    log = folder / "log"
    with log.open("wb") as out:
        process = subprocess.Popen([*command, "--seed", "seed.json"], cwd=folder, stdout=out, stderr=out)
        try:
            yield _ready(f"http://127.0.0.1:{port}", process, log)
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


@pytest.fixture(scope="session")
def mail(url: str) -> Iterator[MailClient]:
    """Give a client of Ann's mailbox, which nobody changes."""
    with _client(url, seed.TOKEN, seed.ANN) as client:
        yield client


@pytest.fixture(scope="session")
def writer(url: str) -> Iterator[MailClient]:
    """Give a client of Bob's mailbox, which begins empty."""
    with _client(url, seed.TOKEN_OF_BOB, seed.BOB) as client:
        yield client


@pytest.fixture
def calendar(url: str) -> Iterator[CalendarClient]:
    """Give a client of Ann's calendars."""
    account = Account(name="home", provider="google", token=seed.TOKEN_OF_CALENDAR, address=seed.ANN, base_url=url)
    with CalendarClient([account], tz="Europe/Berlin") as client:
        yield client


def _client(url: str, token: str, address: str) -> MailClient:
    """Make a client; the emulator knows no profile, so the address is stated."""
    account = Account(name="home", provider="google", token=token, address=address, base_url=url)
    unpaced = Settings(gmail_quota=Quota(units=1_000_000, seconds=60))
    return MailClient([account], tz="UTC", settings=unpaced)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _ready(url: str, process: subprocess.Popen[bytes], log: Path) -> str:
    """Wait until it answers."""
    until = time.monotonic() + 30
    while time.monotonic() < until and process.poll() is None:
        try:
            httpx.get(f"{url}/gmail/v1/users/me/labels")
        except httpx.ConnectError:
            time.sleep(0.05)
        else:
            return url
    pytest.fail(f"the emulator did not start:\n{log.read_text(encoding='utf-8')}")
