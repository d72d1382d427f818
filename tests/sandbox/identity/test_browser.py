"""The browser: a real redirect to a real listener, and nowhere else."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import httpx
import pytest

from mailkit.sandbox import Sandbox
from tests.support.identity import GMAIL_READ, GOOGLE_AUTH, MICROSOFT, query_of, with_query
from tests.support.loopback import served


class _Listener(HTTPServer):
    """A program's loopback listener; remembers what came."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.paths: list[str] = []
        self.hosts: list[str] = []


class _Handler(BaseHTTPRequestHandler):
    server: _Listener

    def do_GET(self) -> None:
        self.server.paths.append(self.path)
        self.server.hosts.append(self.headers["host"])
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the name it has there
        pass


@pytest.fixture
def listener() -> Iterator[_Listener]:
    with _Listener() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def sandbox() -> Sandbox:
    sandbox = Sandbox()
    sandbox.google("ann@example.com")
    sandbox.microsoft("ann@contoso.example")
    sandbox.identity.google.app("site", kind="web", redirects=["https://site.example/back"])
    sandbox.identity.google.app("desk")
    sandbox.identity.microsoft.app("desk")
    return sandbox


def _google(redirect_uri: str, client_id: str = "desk") -> str:
    asked = {"client_id": client_id, "redirect_uri": redirect_uri, "response_type": "code", "scope": GMAIL_READ}
    return with_query(GOOGLE_AUTH, **asked, state="s t")


def _microsoft(redirect_uri: str) -> str:
    asked = {"client_id": "desk", "redirect_uri": redirect_uri, "response_type": "code", "scope": "Mail.Read"}
    return with_query(f"{MICROSOFT}/common/oauth2/v2.0/authorize", **asked, state="s t")


@pytest.mark.parametrize("page", [_google, _microsoft])
def test_the_redirect_reaches_the_program(sandbox: Sandbox, listener: _Listener, page: object) -> None:
    assert callable(page)
    port = listener.server_port
    assert sandbox.identity.browser().open(page(f"http://localhost:{port}")).result(5) == 200
    (path,) = listener.paths
    assert query_of(path)["state"] == "s t"
    assert query_of(path)["code"]
    assert listener.hosts == [f"localhost:{port}"]


def test_a_page_that_leads_nowhere_sends_nothing(sandbox: Sandbox, listener: _Listener) -> None:
    sandbox.identity.google.person("ann@example.com").refuse("admin_policy_enforced")
    url = _google(f"http://127.0.0.1:{listener.server_port}/")
    assert sandbox.identity.browser().open(url).result(5) is None
    assert listener.paths == []


def test_nobody_listens(sandbox: Sandbox, listener: _Listener) -> None:
    port = listener.server_port
    listener.server_close()
    with pytest.raises(httpx.ConnectError):
        sandbox.identity.browser().open(_google(f"http://127.0.0.1:{port}/")).result(5)


def test_the_browser_goes_to_no_other_machine(sandbox: Sandbox) -> None:
    url = _google("https://site.example/back", "site")
    assert sandbox.identity.browser().visit(url).redirect is not None
    with pytest.raises(ValueError, match="this machine only"):
        sandbox.identity.browser().open(url).result(5)


def test_only_sign_in_pages_can_be_opened(sandbox: Sandbox) -> None:
    with pytest.raises(ValueError, match="no sign-in page"):
        sandbox.identity.browser().visit("https://elsewhere.example/")


def test_the_endpoints_are_served_on_loopback_too(sandbox: Sandbox) -> None:
    with served(sandbox) as base, httpx.Client(trust_env=False) as client:
        page = client.get(_google("http://127.0.0.1:1/").replace("https://accounts.google.com", base))
        assert page.status_code == 302
        answer = client.post(f"{base}/common/oauth2/v2.0/devicecode", data={"client_id": "desk", "scope": "Mail.Read"})
        assert answer.json()["user_code"]
