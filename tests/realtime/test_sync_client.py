"""What only real time, real processes and real signals can show of the sync client."""

from __future__ import annotations

import subprocess
import sys
import textwrap
import time

import anyio
import pytest

from mailkit import portal
from mailkit.errors import TimedOut

pytestmark = pytest.mark.realtime

# A client whose work mailbox answers and whose home mailbox never does, in real time.
SETUP = """
import os, signal, sys, threading, time
import anyio
from mailkit import Account, MailClient, portal
from mailkit.sandbox import Fault, Mail, Sandbox
from mailkit.testing import sandbox_accounts
from mailkit.transport import SystemClock

sandbox = Sandbox(clock=SystemClock())
home, work = sandbox.google("ann@example.com"), sandbox.microsoft("ann@contoso.example")
id = work.add(Mail(subject="Hello", text="Hello"))
home.script(Fault.hang(times=50))
mail = MailClient(sandbox_accounts(sandbox, home=home, work=work), tz="UTC")
row = mail.search(accounts="work")[0]
"""


def run(code: str, *, within: float = 30.0) -> tuple[str, float]:
    """Run a program; give what it printed and the seconds from its last line to its end."""
    program = SETUP + textwrap.dedent(code) + "\nprint('ended', time.time(), flush=True)\n"
    command = [sys.executable, "-W", "error", "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, timeout=within, check=False)
    over = time.time()
    assert done.returncode == 0, done.stderr
    *printed, last = done.stdout.splitlines()
    return "\n".join(printed), over - float(last.split()[1])


CTRL_C = """
    import faulthandler
    faulthandler.dump_traceback_later(20, exit=True)
    sent = []
    def interrupt():
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)
    try:
        threading.Timer(0.5, interrupt).start()
        {call}
    except KeyboardInterrupt:
        print(time.monotonic() - sent[0])
"""


@pytest.mark.skipif(sys.platform == "win32", reason="sends itself a POSIX signal")
@pytest.mark.parametrize(
    "call",
    [
        "mail.search(deadline=60)",
        "list(mail.iter_search(deadline=60))",
        "with mail.search_as_completed(deadline=60) as updates: list(updates)",
        "mail.get('x', account='home', deadline=60)",
        "with mail: mail.recent(deadline=60)",
        "MailClient([Account(name='a', provider='google', token=lambda: time.sleep(60))]).recent(deadline=60)",
    ],
)
def test_ctrl_c_comes_back_at_once(call: str) -> None:
    printed, _ = run(CTRL_C.format(call=call))
    assert float(printed) < 0.5


@pytest.mark.skipif(sys.platform == "win32", reason="sends itself a POSIX signal")
def test_a_client_works_on_after_ctrl_c() -> None:
    printed, _ = run(CTRL_C.format(call="mail.search(deadline=60)") + "\n    print(len(mail.search(accounts='work')))")
    assert printed.splitlines()[1] == "1"


ABANDONED = {
    "a client": "",
    "a call": """
        threading.Thread(target=mail.search, kwargs={"deadline": 60}, daemon=True).start()
        time.sleep(0.3)
    """,
    "an iterator": """
        rows = mail.iter_search(accounts="work")
        next(rows)
    """,
    "a context": """
        updates = mail.search_as_completed(deadline=60)
        next(updates.__enter__())
    """,
    "a generator in a context": """
        def rows():
            with mail.search_as_completed(deadline=60) as updates:
                yield from updates
        left = rows()
        next(left)
    """,
    "a worker thread": """
        try:
            MailClient([Account(name="a", provider="google", token=lambda: time.sleep(60))]).recent(deadline=0.2)
        except Exception:
            pass
    """,
}


@pytest.mark.parametrize("left", ABANDONED.values(), ids=ABANDONED)
def test_what_nobody_closed_does_not_hold_the_exit(left: str) -> None:
    _, ending = run(left)
    assert ending < 0.5


@pytest.mark.skipif(not hasattr(__import__("os"), "fork"), reason="there is no fork here")
def test_a_forked_child_starts_anew() -> None:
    printed, _ = run("""
        import warnings
        warnings.simplefilter("ignore", DeprecationWarning)  # forking with threads, on purpose
        child = os.fork()
        if child == 0:
            rows = mail.search(accounts="work")
            os._exit(40 + len(rows))
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), len(mail.search(accounts="work")))
    """)
    assert printed == "41 1"


def test_many_threads_share_a_client() -> None:
    printed, _ = run("""
        from concurrent.futures import ThreadPoolExecutor
        with ThreadPoolExecutor(16) as pool:
            print(set(pool.map(lambda _: len(mail.search(accounts="work")), range(64))))
    """)
    assert printed == "{1}"


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_it_works_where_an_event_loop_is_running(backend: str) -> None:
    printed, _ = run(f"""
        async def main():
            with mail:
                return len(mail.search(accounts="work"))
        print(anyio.run(main, backend={backend!r}))
    """)
    assert printed == "1"


def test_a_timeout_cancels_and_returns_at_once() -> None:
    begun = time.monotonic()
    with pytest.raises(TimedOut):
        portal.run(anyio.sleep_forever, timeout=0.1)
    assert time.monotonic() - begun < 0.6


def test_a_deadline_of_one_account_gives_the_rows_of_the_other() -> None:
    printed, _ = run("""
        begun = time.monotonic()
        found = mail.search(deadline=0.5)
        print(len(found), type(found.failures[0].error).__name__, time.monotonic() - begun < 1.0)
    """)
    assert printed == "1 TimedOut True"
