"""The contract judge: every request mailkit sends in the suite, and every sandbox answer, is as its provider documents.

The checker is no part of mailkit: ``MAILKIT_SHARED`` names the folder that holds ``contract/contract_check.py``, and
without it nothing here happens. Requests are judged where mailkit makes them (``Exchange``), whatever carries them;
answers are judged where they leave the sandbox, unless a fault had a hand in them. What is wrong fails the test that
caused it. Tests marked ``cases`` check one case of that folder each and are counted too.

A run of the whole suite (``--contract-counts=check``, as ``nox -s tests`` does) also fails when it judged less than is
recorded in ``tests/contract_counts.json``. ``nox -s tests -- --contract-counts=update`` raises the record to nine
tenths of what the run judged: property tests do not ask equally often in every run.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import threading
from collections import Counter
from collections.abc import Generator, Iterator, Mapping
from pathlib import Path
from types import ModuleType
from urllib.parse import urlsplit

import httpx
import pytest

from mailkit.sandbox.transport import SandboxTransport
from mailkit.transport import Answer, Call
from mailkit.transport.exchange import Exchange
from mailkit.values import HttpRequest, HttpResponse

_RECORD = Path(__file__).parent.parent / "contract_counts.json"
_COUNTED = ("requests", "answers", "cases")
_LINK = re.compile(rb'"@odata\.(?:next|delta)Link"\s*:\s*("[^"]+")')
_GOOGLE_HOSTS = ("gmail.googleapis.com", "www.googleapis.com")
# Two patterns that begin with plain text are faster than one: a UUID behind its first eight digits, and a boundary.
_UUID = re.compile(r"-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_BOUNDARY = re.compile(r"batch_[0-9a-f]{24}")
_LONG = 100_000  # so long a body is a file, with no such word in it
_SCRIPTED = "mailkit.scripted"
"""The extension by which the sandbox marks an answer that a test asked for and no provider need give."""


class Judge:
    """Checks requests and answers, counts them, and keeps what is wrong until a test takes it."""

    def __init__(self, checker: ModuleType) -> None:
        self.counts: Counter[str] = Counter()
        self.found = 0
        self._checker = checker
        self._violations: list[str] = []
        self._links: set[str] = set()
        self._right: set[int] = set()
        self._lock = threading.Lock()  # sync clients send from the thread of their portal

    def request(self, request: HttpRequest) -> None:
        """Judge what mailkit sends."""
        provider = _provider(request.url)
        followed = {"opaque_query": True} if provider == "graph" and request.url in self._links else {}
        self._judge(
            "requests",
            f"check_{provider}",
            (request.method, request.url, tuple(request.headers), request.content),
            followed,
        )

    def learn(self, content: bytes) -> None:
        """Remember the links of an answer: they may be followed as they are."""
        self._links.update(json.loads(link) for link in _LINK.findall(content))

    def answer(self, request: httpx.Request, response: httpx.Response) -> None:
        """Judge what the sandbox answers."""
        url = str(request.url)
        provider = _provider(url)
        asked: dict[str, object] = {"request_body": request.content}
        if provider == "google":
            asked["request_headers"] = tuple(request.headers.multi_items())
        self._judge(
            "answers",
            f"check_response_{provider}",
            (request.method, url, response.status_code, response.content, tuple(response.headers.multi_items())),
            asked,
        )

    def _judge(self, counted: str, check: str, exchange: tuple[object, ...], more: Mapping[str, object]) -> None:
        method, url = exchange[:2]
        with self._lock:
            if not hasattr(self._checker, check):  # no provider lives there: a test of the transport itself
                self.counts["elsewhere"] += 1
                return
            self.counts[counted] += 1
            told = _told(check, *exchange, *more, *more.values())
            if told in self._right:
                return
        host = urlsplit(str(url)).netloc.lower()
        violations = getattr(self._checker, check)(*exchange, hosts=(host,), **more)
        with self._lock:
            if not violations:
                self._right.add(told)
            self._violations += [f"{counted}: {method} {url} -> {violation}" for violation in violations]

    def take(self) -> list[str]:
        """Give the violations since the last time."""
        with self._lock:
            taken, self._violations = self._violations, []
        self.found += len(taken)
        return taken


def _told(*exchange: object) -> int:
    """Make a key of all that the checker is told.

    It knows nothing else, so what it found right once is right always, and a fifth of the suite's CPU is saved. Words
    that somebody drew at random count as equal where they stand in the same places.
    """
    text = repr([hash(part) if isinstance(part, bytes) and len(part) > _LONG else part for part in exchange])
    drawn = [text[word.start() - 8 : word.end()] for word in _UUID.finditer(text)] + _BOUNDARY.findall(text)
    for number, word in enumerate(dict.fromkeys(drawn)):
        text = text.replace(word, f"<{number}>")
    return hash(text)


def _provider(url: str) -> str | None:
    """Tell by the address, since tests also give a provider a host of their own."""
    parts = urlsplit(url)
    if parts.hostname == "graph.microsoft.com" or parts.path.startswith(("/v1.0/", "/beta/")):
        return "graph"
    if parts.hostname in _GOOGLE_HOSTS or parts.path.startswith(("/gmail/", "/upload/gmail/", "/calendar/")):
        return "google"
    return None


def _is_judged(response: httpx.Response) -> bool:
    """Files come as they are and are nobody's contract; everything else the provider describes."""
    kind = response.headers.get("content-type", "").partition(";")[0]
    return not response.extensions.get(_SCRIPTED) and kind in {"", "application/json", "multipart/mixed", "text/plain"}


def _load_checker(folder: Path) -> ModuleType:
    path = folder / "contract" / "contract_check.py"
    spec = importlib.util.spec_from_file_location("contract_check", path)
    if spec is None or spec.loader is None or not path.is_file():
        raise pytest.UsageError(f"MAILKIT_SHARED names a folder without {path.name}: correct it, or unset it")
    checker = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(checker)
    return checker


_JUDGE = pytest.StashKey[Judge]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that says this is a run of the whole suite."""
    parser.addoption(
        "--contract-counts", choices=("check", "update"), help="compare (or raise) what the contract judge saw"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Load the checker where there is one."""
    if folder := os.environ.get("MAILKIT_SHARED"):
        config.stash[_JUDGE] = Judge(_load_checker(Path(folder)))


@pytest.fixture(scope="session", autouse=True)
def _contract_everywhere(pytestconfig: pytest.Config) -> Iterator[None]:
    """Put the judge where requests are made and where answers leave the sandbox."""
    judge = pytestconfig.stash.get(_JUDGE, None)
    if judge is None:
        yield
        return
    make, read = Exchange._request, Exchange._answer
    handle, handle_async = SandboxTransport.handle_request, SandboxTransport.handle_async_request

    def judged_make(self: Exchange, call: Call, token: str) -> HttpRequest:
        request = make(self, call, token)
        judge.request(request)
        return request

    def judged_read(self: Exchange, response: HttpResponse, content: bytes) -> Answer:
        judge.learn(content)
        return read(self, response, content)

    def judged_handle(self: SandboxTransport, request: httpx.Request) -> httpx.Response:
        response = handle(self, request)
        if _is_judged(response):
            request.read()
            response.read()
            judge.answer(request, response)
        return response

    async def judged_handle_async(self: SandboxTransport, request: httpx.Request) -> httpx.Response:
        response = await handle_async(self, request)
        if _is_judged(response):
            await request.aread()
            await response.aread()
            judge.answer(request, response)
        return response

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Exchange, "_request", judged_make)
        patch.setattr(Exchange, "_answer", judged_read)
        patch.setattr(SandboxTransport, "handle_request", judged_handle)
        patch.setattr(SandboxTransport, "handle_async_request", judged_handle_async)
        yield


@pytest.fixture(autouse=True)
def _contract_held(pytestconfig: pytest.Config) -> Iterator[None]:
    """Fail the test that broke the contract."""
    yield
    judge = pytestconfig.stash.get(_JUDGE, None)
    if judge is not None and (violations := judge.take()):
        pytest.fail("against the provider's contract:\n" + "\n".join(violations), pytrace=False)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Count the cases that were really checked."""
    report = yield
    judge = item.config.stash.get(_JUDGE, None)
    if judge is not None and report.when == "call" and report.passed and item.get_closest_marker("cases"):
        judge.counts["cases"] += 1
    return report


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Hold the whole suite to the recorded counts."""
    judge = session.config.stash.get(_JUDGE, None)
    mode = session.config.getoption("--contract-counts")
    if judge is None or mode is None or session.exitstatus != pytest.ExitCode.OK:
        return
    recorded: Mapping[str, int] = json.loads(_RECORD.read_text(encoding="utf-8"))
    if mode == "update":
        raised = {name: max(recorded[name], judge.counts[name] * 9 // 10) for name in _COUNTED}
        _RECORD.write_text(json.dumps(raised, indent=2) + "\n", encoding="utf-8")
    elif any(judge.counts[name] < max(1, recorded[name]) for name in _COUNTED):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Say what was judged."""
    judge = config.stash.get(_JUDGE, None)
    if judge is None:
        return
    counts = judge.counts
    terminalreporter.write_line(
        f"contract: {counts['requests']} requests, {counts['answers']} answers checked, {judge.found} violations; "
        f"cases: {counts['cases']} ({counts['elsewhere']} exchanges with no provider's address)"
    )
    if config.getoption("--contract-counts") == "check":
        recorded = json.loads(_RECORD.read_text(encoding="utf-8"))
        for name in _COUNTED:
            if counts[name] < max(1, recorded[name]):
                terminalreporter.write_line(
                    f"contract: only {counts[name]} {name} were checked; the record is {recorded[name]}", red=True
                )
