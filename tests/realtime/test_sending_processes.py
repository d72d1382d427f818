"""Twenty processes, one journal, one key: one mail."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from mailkit.sandbox import Sandbox
from mailkit.transport.clock import SystemClock
from mailkit.values import Provider
from tests.support.loopback import served

pytestmark = pytest.mark.realtime

PROCESSES = 20

PROGRAM = """
import sys
from mailkit import Account, Conflict, MailClient, SqliteJournal

provider, url, token, journal = sys.argv[1:]
account = Account(name="ann", provider=provider, token=token, base_url=url, address="ann@example.com")
with MailClient(account, journal=SqliteJournal(journal)) as mail:
    print("ready", flush=True)
    sys.stdin.readline()
    try:
        print(mail.send("bob@elsewhere.example", subject="Plans", text="At ten.", key="order-7").state)
    except Conflict as conflict:
        print(conflict.code)
"""


@pytest.mark.parametrize(("provider", "path"), [("google", ""), ("microsoft", "/v1.0")])
def test_twenty_processes_with_one_key_send_one_mail(tmp_path: Path, provider: Provider, path: str) -> None:
    sandbox = Sandbox(clock=SystemClock(), latency=0.2)
    box = sandbox.google("ann@example.com") if provider == "google" else sandbox.microsoft("ann@example.com")
    with served(sandbox) as url:
        command = [sys.executable, "-c", PROGRAM, provider, url + path, box.token, str(tmp_path / "journal")]
        pipe = subprocess.PIPE
        running = [subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) for _ in range(PROCESSES)]
        for process in running:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
        for process in running:
            assert process.stdin is not None
            process.stdin.write("go\n")
            process.stdin.flush()
        told = Counter(_told(process) for process in running)
    assert told["sent"] == 1
    assert told["sent"] + told["in_flight"] + told["duplicate"] == PROCESSES
    assert len(sandbox.sent) == 1


def _told(process: subprocess.Popen[str]) -> str:
    said, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    return said.strip()
