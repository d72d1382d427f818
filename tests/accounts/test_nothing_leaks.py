"""No token, code or secret that crosses the wire shows anywhere else: not in logs, reprs, errors, notes or pickles."""

from __future__ import annotations

import copy
import json
import logging
import pickle
import traceback
from collections.abc import Iterator, Mapping
from urllib.parse import parse_qsl, urlsplit

import attrs
import pytest

from mailkit.accounts import Accounts, Settings
from mailkit.accounts.grant import Grant
from mailkit.accounts.refresh import RefreshingSource
from mailkit.accounts.signin import SignInPrompt, sign_in_async
from mailkit.accounts.stores import MemoryStore
from mailkit.accounts.tokens import token_source
from mailkit.errors import MailkitError
from mailkit.sandbox import Sandbox, VirtualClock
from mailkit.transport import HttpxTransport, RetryPolicy, SystemClock
from mailkit.values import HttpRequest, Provider
from tests.support.token_service import Answer, TokenService

# device_code and user_code are as good as the tokens they lead to, client_info names the person.
_SECRET = (
    "access_token",
    "refresh_token",
    "id_token",
    "client_info",
    "device_code",
    "user_code",
    "code",
    "code_verifier",
    "client_secret",
    "assertion",
)


@attrs.define
class Spy:
    """A ``Transport`` that notes every secret that goes by."""

    inner: HttpxTransport | TokenService
    seen: set[str] = attrs.field(factory=set)

    async def send(self, request: HttpRequest) -> Answer:
        self.note(dict(parse_qsl(request.content.decode())))
        self.note(dict(parse_qsl(urlsplit(request.url).query)))
        for name, value in request.headers:
            if name.lower() == "authorization":
                self.seen.add(value.removeprefix("Bearer "))
        reply = await self.inner.send(request)
        content = b"".join([piece async for piece in reply.stream()])
        try:
            answer = json.loads(content)
        except ValueError:
            self.seen.add("sesame")  # what the tests put into answers that are no JSON
        else:
            self.note(answer if isinstance(answer, dict) else {})
        return Answer(reply.status, content, {"content-type": "application/json"})

    async def aclose(self) -> None: ...

    def note(self, fields: Mapping[str, object]) -> None:
        self.seen |= {str(fields[name]) for name in _SECRET if len(str(fields.get(name) or "")) > 3}


@attrs.define
class Everything:
    """All that was logged, raised, shown or pickled."""

    texts: list[str] = attrs.field(factory=list)

    def add(self, *things: object) -> None:
        for thing in things:
            self.texts += [repr(thing), str(thing)]
            if isinstance(thing, BaseException):
                self.texts += traceback.format_exception(thing)
                self.texts.append(str(pickle.dumps(thing)))

    def check(self, spy: Spy, *, at_least: int) -> None:
        assert len(spy.seen) >= at_least
        assert [(secret, text[:300]) for secret in spy.seen for text in self.texts if secret in text] == []


@pytest.fixture
def shown(caplog: pytest.LogCaptureFixture) -> Iterator[Everything]:
    everything = Everything()
    caplog.set_level(logging.DEBUG)
    logging.getLogger("msal").setLevel(logging.DEBUG)
    yield everything
    logging.getLogger("msal").setLevel(logging.NOTSET)


def logged(caplog: pytest.LogCaptureFixture) -> list[str]:
    formatter = logging.Formatter("%(name)s %(message)s")
    ours = [record for record in caplog.records if record.threadName != "sandbox browser"]  # that is the person's
    return [formatter.format(record) + str(vars(record)) for record in ours]


WAYS: list[tuple[Provider, str]] = [
    ("google", "browser"),
    ("google", "paste"),
    ("microsoft", "browser"),
    ("microsoft", "device"),
]


@pytest.mark.anyio
@pytest.mark.parametrize(("provider", "method"), WAYS)
async def test_signing_in_and_using_it(
    shown: Everything, caplog: pytest.LogCaptureFixture, provider: Provider, method: str
) -> None:
    sandbox = Sandbox(clock=SystemClock() if method == "browser" else VirtualClock())
    sandbox.google("ann@example.com")
    sandbox.microsoft("ann@contoso.example")
    sandbox.identity.google.app("app")
    sandbox.identity.microsoft.app("app")
    spy, store = Spy(HttpxTransport(httpx_transport=sandbox.transport())), MemoryStore()

    def prompt(asked: SignInPrompt) -> str | None:
        shown.add(repr(asked))
        spy.note(dict(parse_qsl(urlsplit(asked.url).query)) | {"user_code": asked.user_code or ""})
        browser = sandbox.identity.browser()
        if asked.user_code:
            browser.enter(asked.user_code)
        elif asked.kind == "browser":
            browser.open(asked.url).result()
        else:
            return browser.visit(asked.url).redirect
        return None

    account = await sign_in_async(
        "work",
        provider=provider,
        client="app",
        client_secret="GOCSPX-sandbox" if provider == "google" else None,
        method=method,  # type: ignore[arg-type]
        prompt=prompt,
        store=store,
        transport=spy,
        clock=sandbox.clock,
    )
    source = token_source(account, transport=spy, clock=sandbox.clock, settings=Settings())
    assert isinstance(source, RefreshingSource)
    first = await source.token()
    second = await source.token(stale=first.value)
    grant = store.load()
    accounts = Accounts([attrs.evolve(account, transport=spy)], clock=sandbox.clock)
    check = await accounts.check_async("work")
    shown.add(account, store, source, first, second, grant, accounts, check)
    for thing in (account, store, accounts):
        with pytest.raises(MailkitError) as caught:
            pickle.dumps(thing)
        shown.add(caught.value)
    shown.texts += logged(caplog)
    shown.check(spy, at_least=5)


ODD = [
    (400, {"error": "invalid_grant", "error_description": "the token of ann@example.com is used up"}),
    (401, {"error": "invalid_client", "error_description": "ann@example.com has another"}),
    (400, {"error": "interaction_required", "suberror": "basic_action", "error_codes": [50076]}),
    (200, b"<html>sesame</html>"),
    (200, b'{"access_token": "sesame'),
    (200, {"refresh_token": "sesame", "token_type": "Bearer"}),
    (200, {"access_token": "sesame", "expires_in": "soon"}),
    (503, b"sesame"),
]


@pytest.mark.anyio
@pytest.mark.parametrize("answer", ODD, ids=str)
@pytest.mark.parametrize("provider", ["google", "microsoft"])
async def test_what_goes_wrong_while_renewing(
    shown: Everything, caplog: pytest.LogCaptureFixture, provider: Provider, answer: tuple[int, object]
) -> None:
    clock = VirtualClock()
    spy = Spy(TokenService(script=[answer] * 9))
    store = MemoryStore(
        Grant(
            provider=provider,
            client_id="app",
            client_secret="app-secret" if provider == "google" else None,
            refresh_token="refresh-0",
            access_token="access-0",
            expires_at=clock.now(),
            scopes=frozenset({"Mail.Read"}),
            features=frozenset({"read"}),
        )
    )
    source = RefreshingSource(
        account="work",
        provider=provider,
        store=store,
        transport=spy,
        clock=clock,
        retry=RetryPolicy(attempts=2),
        chance=lambda: 0.5,
    )
    for _ in range(2):
        with pytest.raises(MailkitError) as caught:
            await source.token()
        shown.add(caught.value, copy.copy(caught.value))
    shown.add(source, store)
    shown.texts += logged(caplog)
    shown.check(spy, at_least=1)
    # The provider's own text, which may name people, is for the program alone: an attribute, kept when pickled.
    assert not [text for text in shown.texts if "ann@example.com" in text and not text.startswith("b'")]


def test_the_scan_would_find_something(shown: Everything, caplog: pytest.LogCaptureFixture) -> None:
    spy = Spy(TokenService(), seen={"opensesame"})
    logging.getLogger("msal.anything").debug("body: %s", "opensesame")
    shown.texts += logged(caplog)
    with pytest.raises(AssertionError):
        shown.check(spy, at_least=1)
