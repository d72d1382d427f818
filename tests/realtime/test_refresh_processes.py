"""Twenty processes, one store, one rotating refresh token: it is renewed in turn and never lost."""

from __future__ import annotations

import datetime as dt
import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs

import pytest

from mailkit.accounts.grant import Grant
from mailkit.accounts.stores import FileStore

pytestmark = pytest.mark.realtime

PROCESSES, CALLS = 20, 50

# Each process asks for a token fifty times at once, of its own event loop, and says which it was given.
PROGRAM = """
import json, sys
import anyio, attrs
from mailkit.accounts.refresh import RefreshingSource
from mailkit.accounts.stores import FileStore
from mailkit.accounts.token_cache import TokenCache
from mailkit.transport import HttpxTransport, SystemClock

class ToLoopback:
    def __init__(self, port):
        self.inner, self.port = HttpxTransport(), port
    async def send(self, request):
        host, _, path = request.url.removeprefix("https://").partition("/")
        return await self.inner.send(attrs.evolve(request, url=f"http://127.0.0.1:{self.port}/{host}/{path}"))
    async def aclose(self):
        await self.inner.aclose()

async def main(path, port, calls, forced):
    clock = SystemClock()
    store = FileStore(path)
    source = RefreshingSource(
        account="work", provider=store.load().provider, store=store, transport=ToLoopback(port), clock=clock
    )
    cache, values = TokenCache(source, clock=clock), []
    async def ask(stale):
        values.append((await cache.token(stale=stale)).value)
    async with anyio.create_task_group() as group:
        for _ in range(calls):
            group.start_soon(ask, None)
    if forced:
        await ask(values[-1])
    await source.transport.aclose()
    print(json.dumps(values))

anyio.run(main, sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4] == "forced")
"""


class Service(ThreadingHTTPServer):
    """A token service that renews each refresh token once."""

    daemon_threads = True
    request_queue_size = 128
    good = "refresh-0"
    renewals = 0
    refused = 0
    turn = threading.Lock()


class Handler(BaseHTTPRequestHandler):
    server: Service

    def do_GET(self) -> None:
        base = "https://" + self.path.removeprefix("/").partition("/v2.0/")[0]
        self._answer(
            200,
            {
                "issuer": base,
                "authorization_endpoint": f"{base}/oauth2/v2.0/authorize",
                "token_endpoint": f"{base}/oauth2/v2.0/token",
            },
        )

    def do_POST(self) -> None:
        form = parse_qs(self.rfile.read(int(self.headers["content-length"])).decode())
        with self.server.turn:
            if form["refresh_token"] != [self.server.good]:
                self.server.refused += 1
                self._answer(400, {"error": "invalid_grant", "error_description": "used up"})
                return
            self.server.renewals += 1
            number = self.server.renewals
            self.server.good = f"refresh-{number}"
        answer = {"access_token": f"access-{number}", "refresh_token": f"refresh-{number}", "expires_in": 3600}
        self._answer(200, answer)

    def _answer(self, status: int, body: object) -> None:
        content = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None: ...  # noqa: A002  # the name it has there


@contextmanager
def serving() -> Iterator[Service]:
    with Service(("127.0.0.1", 0), Handler) as service:
        threading.Thread(target=service.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        try:
            yield service
        finally:
            service.shutdown()


@pytest.mark.parametrize("mode", ["expired", "forced"])
@pytest.mark.parametrize("provider", ["google", "microsoft"])
def test_twenty_processes_share_one_rotating_grant(tmp_path: Path, provider: str, mode: str) -> None:
    now = dt.datetime.now(dt.UTC)
    store = FileStore(tmp_path / "work.json")
    store.save(
        Grant(
            provider=provider,  # type: ignore[arg-type]
            client_id="app",
            client_secret="secret" if provider == "google" else None,
            refresh_token="refresh-0",
            access_token="access-0",
            renewed_at=now - dt.timedelta(hours=2),
            expires_at=now - dt.timedelta(hours=1),
            scopes=frozenset({"Mail.Read"}),
            features=frozenset({"read"}),
        )
    )
    with serving() as service:
        command = [
            sys.executable,
            "-W",
            "error",
            "-c",
            PROGRAM,
            str(store.path),
            str(service.server_port),
            str(CALLS),
            mode,
        ]
        programs = [
            subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            for _ in range(PROCESSES)
        ]
        given = []
        for program in programs:
            out, err = program.communicate(timeout=180)
            assert program.returncode == 0, err
            given.append(json.loads(out))
    values = {value for each in given for value in each}
    assert [len(each) for each in given] == [CALLS + (mode == "forced")] * PROCESSES
    kept = store.load()
    assert kept is not None
    assert (service.refused, kept.dead) == (0, None)
    assert kept.refresh_token == service.good
    assert "access-0" not in values
    if mode == "expired":
        assert (service.renewals, values) == (1, {"access-1"})
    else:  # each wants another token than the one it had: at most one renewal for each
        assert 1 < service.renewals <= PROCESSES + 1
    assert [path.name for path in tmp_path.iterdir() if path.suffix == ".tmp"] == []
