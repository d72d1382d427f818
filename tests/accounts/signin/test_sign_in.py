"""People sign in on the sandbox, by every way there is, and everything that can come of it."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import anyio
import attrs
import pytest

from mailkit.accounts import Accounts, Settings
from mailkit.accounts.grant import DeadGrant, Grant
from mailkit.accounts.signin import SignInPrompt, sign_in_async
from mailkit.accounts.stores import MemoryStore
from mailkit.errors import ConfigurationError, SignInRequired, Unavailable
from mailkit.sandbox import Fault, Mail, Sandbox, VirtualClock
from mailkit.transport import HttpxTransport, RetryPolicy, SystemClock
from mailkit.values import Account, Clock, HttpRequest, HttpResponse, Provider
from tests.support.browser import visit
from tests.support.token_service import Answer

pytestmark = pytest.mark.anyio

PROVIDERS: list[Provider] = ["google", "microsoft"]
ANN = {"google": "ann@example.com", "microsoft": "ann@contoso.example"}
GOOGLE = "https://www.googleapis.com/auth/"


@attrs.define
class World:
    """A sandbox with Ann's mailboxes and one app each."""

    clock: Clock = attrs.field(factory=VirtualClock)
    sandbox: Sandbox = attrs.field(init=False)
    store: MemoryStore = attrs.field(factory=MemoryStore)
    prompts: list[SignInPrompt] = attrs.field(factory=list)

    def __attrs_post_init__(self) -> None:
        self.sandbox = Sandbox(clock=self.clock)
        self.sandbox.google(ANN["google"])
        self.sandbox.microsoft(ANN["microsoft"])
        self.sandbox.identity.google.app("app")
        self.sandbox.identity.microsoft.app("app")

    def paste(self, **person: object) -> Callable[[SignInPrompt], str]:
        """Give the prompt of a person who copies the address where the browser ends."""

        def prompt(shown: SignInPrompt) -> str:
            self.prompts.append(shown)
            return self.sandbox.identity.browser(**person).visit(shown.url).redirect or "nothing"  # type: ignore[arg-type]

        return prompt

    def browse(self, **person: object) -> Callable[[SignInPrompt], None]:
        """Give the prompt of a person whose browser follows the redirect to the listener."""

        def prompt(shown: SignInPrompt) -> None:
            self.prompts.append(shown)
            self.sandbox.identity.browser(**person).open(shown.url).result()  # type: ignore[arg-type]

        return prompt

    def type_in(self, **person: object) -> Callable[[SignInPrompt], None]:
        """Give the prompt of a person who types the code in at once."""

        def prompt(shown: SignInPrompt) -> None:
            self.prompts.append(shown)
            assert shown.user_code is not None
            self.sandbox.identity.browser(**person).enter(shown.user_code)  # type: ignore[arg-type]

        return prompt

    async def sign_in(self, provider_: Provider, method: str, prompt: object, **options: object) -> Account:
        wire = HttpxTransport(httpx_transport=self.sandbox.transport())
        settings: dict[str, object] = {
            "provider": provider_,
            "client": "app",
            "client_secret": self.secret if provider_ == "google" else None,
            "store": self.store,
            "transport": wire,
            "clock": self.clock,
        }
        try:
            return await sign_in_async("work", method=method, prompt=prompt, **settings | options)  # type: ignore[arg-type]
        finally:
            await wire.aclose()

    @property
    def secret(self) -> str:
        return self.sandbox.identity.google.app("app").secret

    @property
    def kept(self) -> Grant:
        grant = self.store.load()
        assert grant is not None
        return grant


WAYS: list[tuple[Provider, str]] = [
    ("google", "browser"),
    ("google", "paste"),
    ("microsoft", "browser"),
    ("microsoft", "paste"),
    ("microsoft", "device"),
]


def world_for(method: str) -> World:
    """Give real time where there are real sockets: a virtual clock would take them for standstill."""
    return World(SystemClock() if method == "browser" else VirtualClock())


@pytest.mark.parametrize(("provider", "method"), WAYS)
async def test_every_way_ends_with_an_account_that_works(provider: Provider, method: str) -> None:
    world = world_for(method)
    prompt = {"browser": world.browse, "paste": world.paste, "device": world.type_in}[method]()
    account = await world.sign_in(provider, method, prompt)
    assert (account.name, account.provider, account.address) == ("work", provider, ANN[provider])
    kept = world.kept
    assert kept.features >= {"read", "send", "calendar"}
    assert kept.address == ANN[provider]
    assert kept.dead is None
    (shown,) = world.prompts
    assert (shown.account, shown.kind) == ("work", method)
    assert shown.expires_at > world.clock.now()
    asked = parse_qs(urlsplit(shown.url).query)
    if provider == "google":
        assert asked["access_type"] == ["offline"]
        assert asked["prompt"] == ["consent"]
        assert asked["code_challenge_method"] == ["S256"]
        assert set(asked["scope"][0].split()) == {
            f"{GOOGLE}gmail.readonly",
            f"{GOOGLE}gmail.send",
            f"{GOOGLE}calendar",
        }
    transport = HttpxTransport(httpx_transport=world.sandbox.transport())
    accounts = Accounts([attrs.evolve(account, transport=transport)], clock=world.clock)
    assert (await accounts.driver("work").labels())[0]


async def test_a_file_of_googles_is_a_client(tmp_path: Path) -> None:
    world = World()
    file = tmp_path / "client_secret_1.json"
    file.write_text(json.dumps(world.sandbox.identity.google.app("app").info))
    for client in (file, str(file)):
        await world.sign_in("google", "paste", world.paste(), provider=None, client=client, client_secret=None)
    assert (world.kept.client_id, world.kept.client_secret) == ("app", world.secret)


async def test_the_second_time_the_name_is_enough() -> None:
    world = World()
    await world.sign_in("google", "paste", world.paste(), features=["read", "draft"])
    first = world.kept
    world.store.save(attrs.evolve(first, dead=DeadGrant(cause="revoked"), access_token=None))
    await world.sign_in("google", "paste", world.paste(), provider=None, client=None, client_secret=None)
    again = world.kept
    assert (again.client_id, again.features, again.dead) == ("app", first.features, None)
    assert "login_hint=ann%40example.com" in world.prompts[-1].url


async def test_fewer_permissions_than_asked_for_are_kept_as_granted() -> None:
    world = World()
    await world.sign_in("google", "paste", world.paste(scopes=[f"{GOOGLE}gmail.send"]))
    assert world.kept.features == {"send"}
    assert world.kept.address is None


async def test_not_one_permission_is_no_sign_in() -> None:
    world = World()
    with pytest.raises(SignInRequired):
        await world.sign_in("google", "paste", world.paste(scopes=[]))
    assert world.store.load() is None


@pytest.mark.parametrize(("provider", "method"), WAYS[1:2] + WAYS[3:])
async def test_declining_is_told(provider: Provider, method: str) -> None:
    world = World()
    prompt = world.type_in(agrees=False) if method == "device" else world.paste(agrees=False)
    with pytest.raises(SignInRequired) as caught:
        await world.sign_in(provider, method, prompt)
    assert (caught.value.cause, caught.value.account) == ("declined", "work")
    assert world.store.load() is None


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_declining_in_the_browser_is_told(provider: Provider) -> None:
    world = World(SystemClock())
    with pytest.raises(SignInRequired) as caught:
        await world.sign_in(provider, "browser", world.browse(agrees=False))
    assert caught.value.cause == "declined"


@pytest.mark.parametrize(("provider", "method", "seconds"), [(*way, 120) for way in WAYS[:4]] + [(*WAYS[4], 900)])
@pytest.mark.parametrize("given", [None, 30])
async def test_nobody_does_anything(provider: Provider, method: str, seconds: int, given: float | None) -> None:
    world = World()

    async def prompt(shown: SignInPrompt) -> None:
        assert shown.expires_at - world.clock.now() == dt.timedelta(seconds=given or seconds)
        await anyio.sleep_forever()

    before = world.clock.monotonic()
    with pytest.raises(SignInRequired) as caught:
        await world.sign_in(provider, method, prompt, timeout=given)
    assert caught.value.cause == "timed_out"
    assert world.clock.monotonic() - before == pytest.approx(given or seconds, abs=1)


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_a_pasted_answer_to_another_sign_in_is_refused(provider: Provider) -> None:
    world = World()
    with pytest.raises(SignInRequired) as caught:
        await world.sign_in(provider, "paste", lambda _shown: "http://localhost/?code=1&state=another")
    assert caught.value.code == "state_mismatch"
    assert world.store.load() is None


async def test_the_browser_may_bring_answers_to_other_sign_ins_before_the_right_one() -> None:
    world = World(SystemClock())

    async def prompt(shown: SignInPrompt) -> None:
        redirect = world.sandbox.identity.browser().visit(shown.url).redirect
        assert redirect is not None
        state = parse_qs(urlsplit(redirect).query)["state"][0]
        assert (await visit(redirect.replace(state, "another")))[0] == 404
        await visit(redirect)

    await world.sign_in("google", "browser", prompt, timeout=20)
    assert world.kept.address == ANN["google"]


async def test_another_person_does_not_take_over_an_account() -> None:
    world = World()
    world.sandbox.google("bob@example.com")
    await world.sign_in("google", "paste", world.paste(account=ANN["google"]))
    before = world.kept
    with pytest.raises(SignInRequired) as caught:
        await world.sign_in("google", "paste", world.paste(account="bob@example.com"))
    assert caught.value.cause == "wrong_account"
    assert world.kept == before
    await world.sign_in("google", "paste", world.paste(account="bob@example.com"), address="bob@example.com")
    assert world.kept.address == "bob@example.com"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("method", "fax"), ("port", -1), ("port", 65536), ("port", True), ("port", "80"),
        ("client", 7), ("client", "  "), ("client_secret", 7), ("tenant", "a/b"), ("tenant", 7), ("login_hint", 7),
        ("address", "ann"), ("address", "Ann <ann@x.example>"), ("address", 7), ("store", "file"), ("transport", 7),
        ("clock", 7), ("timeout", 0), ("timeout", -1), ("timeout", "9"), ("prompt", "x"), ("features", []),
        ("features", [7]), ("features", 7), ("provider", "yahoo"), ("settings", {}),
    ],
)  # fmt: skip
async def test_an_argument_that_cannot_be_right_is_told_at_once(name: str, value: object) -> None:
    world = World()
    with pytest.raises(ConfigurationError) as caught:
        await sign_in_async("work", **{"method": "paste", "store": world.store, name: value})  # type: ignore[arg-type]
    assert (caught.value.code, caught.value.account) == (f"bad_{name}", "work")
    assert world.store.load() is None


@pytest.mark.parametrize("pasted", ["", "https://accounts.google.com/", "code", None, 7, "?code=\ud800&state=s"])
async def test_what_is_pasted_must_be_an_answer(pasted: object) -> None:
    with pytest.raises(SignInRequired) as caught:
        await World().sign_in("google", "paste", lambda _shown: pasted)
    assert caught.value.code == "bad_redirect"


async def test_a_pasted_address_may_have_blanks_around_it_or_be_its_end_only() -> None:
    world = World()
    whole = world.paste()
    await world.sign_in("google", "paste", lambda shown: f"  {whole(shown)}\n")
    await world.sign_in("google", "paste", lambda shown: whole(shown).partition("?")[2])


@pytest.mark.parametrize(("provider", "method"), WAYS[1:2] + WAYS[3:])
async def test_another_account_than_the_expected_one(provider: Provider, method: str) -> None:
    world = World()
    world.sandbox.google("eve@example.com")
    world.sandbox.microsoft("eve@contoso.example")
    eve = ANN[provider].replace("ann", "eve")
    prompt = world.type_in(account=eve) if method == "device" else world.paste(account=eve)
    with pytest.raises(SignInRequired) as caught:
        await world.sign_in(provider, method, prompt, address=ANN[provider])
    assert caught.value.cause == "wrong_account"
    assert world.store.load() is None
    assert "eve" not in str(caught.value)
    await world.sign_in(provider, method, prompt, address=eve.upper())
    assert world.kept.address == eve


async def test_an_expected_address_that_google_would_not_tell_is_refused_at_once() -> None:
    world = World()
    with pytest.raises(ConfigurationError) as caught:
        await world.sign_in("google", "paste", world.paste(), address=ANN["google"], features=["send"])
    assert caught.value.code == "address"
    assert world.prompts == []


async def test_an_address_that_cannot_be_asked_for_just_now_is_not_missed() -> None:
    world = World()
    world.sandbox.google("zoe@example.com").script(Fault.server_error(503, times=None))
    await world.sign_in("google", "paste", world.paste(account="zoe@example.com"))
    assert world.kept.address is None
    with pytest.raises(Unavailable):
        await world.sign_in("google", "paste", world.paste(account="zoe@example.com"), address="zoe@example.com")


async def test_the_address_is_the_one_mail_is_sent_from() -> None:
    world = World()
    box = world.sandbox.microsoft("a.lee@contoso.example", aliases=["ann.lee@contoso.example"])
    box.add(Mail(subject="x", text="x", from_=None, folder="sent"))
    await world.sign_in("microsoft", "device", world.type_in(account="a.lee@contoso.example"))
    assert world.kept.address == "a.lee@contoso.example"


@attrs.define
class Frugal:
    """A ``Transport`` that loses the refresh token on its way, as Google does without ``prompt=consent``."""

    inner: HttpxTransport

    async def send(self, request: HttpRequest) -> Answer:
        reply = await self.inner.send(request)
        content = b"".join([piece async for piece in reply.stream()])
        if request.url.endswith("/token"):
            content = json.dumps(json.loads(content) | {"refresh_token": None}).encode()
        return Answer(reply.status, content)

    async def aclose(self) -> None: ...


@pytest.mark.parametrize("previous", ["same", "before addresses were known"])
async def test_a_second_consent_without_a_refresh_token_keeps_the_old_one(previous: str) -> None:
    world = World()
    await world.sign_in("google", "paste", world.paste())
    if previous != "same":
        world.store.save(attrs.evolve(world.kept, address=None))
    first = world.kept
    await world.clock.sleep(60)
    frugal = Frugal(HttpxTransport(httpx_transport=world.sandbox.transport()))
    await world.sign_in("google", "paste", world.paste(), transport=frugal)
    second = world.kept
    assert (second.refresh_token, second.granted_at) == (first.refresh_token, first.granted_at)
    assert second.access_token != first.access_token
    assert second.scopes == first.scopes


@pytest.mark.parametrize("previous", ["none", "other app", "dead", "other account"])
async def test_a_sign_in_without_anything_to_renew_it_is_refused(previous: str) -> None:
    world = World()
    if previous != "none":
        await world.sign_in("google", "paste", world.paste())
        kept = world.kept
        world.store.save(
            {
                "other app": attrs.evolve(kept, client_id="other"),
                "dead": attrs.evolve(kept, dead=DeadGrant(cause="revoked")),
                "other account": attrs.evolve(kept, address="eve@example.com"),
            }[previous]
        )
    before = world.store.load()
    frugal = Frugal(HttpxTransport(httpx_transport=world.sandbox.transport()))
    with pytest.raises(SignInRequired) as caught:
        await world.sign_in("google", "paste", world.paste(), transport=frugal, address=ANN["google"])
    assert caught.value.code == "no_refresh_token"
    assert world.store.load() == before


async def test_a_prompt_may_stay_open_and_async_or_end_the_sign_in() -> None:
    world = World()
    closed = []

    async def dialog(shown: SignInPrompt) -> None:
        world.type_in()(shown)
        try:
            await anyio.sleep_forever()
        finally:
            closed.append(shown.kind)

    await world.sign_in("microsoft", "device", dialog)
    assert closed == ["device"]

    async def clumsy(shown: SignInPrompt) -> None:
        world.type_in()(shown)
        try:
            await anyio.sleep_forever()
        finally:
            raise ZeroDivisionError

    await world.sign_in("microsoft", "device", clumsy)

    class Cancelled(Exception):
        pass

    async def give_up(_shown: SignInPrompt) -> None:
        raise Cancelled

    for provider, method in WAYS:
        with pytest.raises(Cancelled):
            await world_for(method).sign_in(provider, method, give_up)


@pytest.mark.parametrize(("provider", "method"), WAYS)
async def test_a_sign_in_can_be_cancelled(provider: Provider, method: str) -> None:
    world = world_for(method)

    async def prompt(_shown: SignInPrompt) -> None:
        group.cancel_scope.cancel()
        await anyio.sleep_forever()

    async with anyio.create_task_group() as group:
        group.start_soon(lambda: world.sign_in(provider, method, prompt))
    assert world.store.load() is None


async def test_a_code_that_google_takes_no_more_is_told() -> None:
    world = World()
    refusal = {"error": "invalid_grant", "error_description": "Malformed auth code."}
    world.sandbox.identity.google.script(Fault(operation="token", status=400, json=refusal))
    with pytest.raises(SignInRequired) as caught:
        await world.sign_in("google", "paste", world.paste())
    assert (caught.value.code, caught.value.status, caught.value.detail) == (
        "invalid_grant",
        400,
        "Malformed auth code.",
    )


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_a_token_service_that_is_down_is_no_fault_of_the_person(provider: Provider) -> None:
    world = World()
    identity = world.sandbox.identity.google if provider == "google" else world.sandbox.identity.microsoft
    for fault in (
        Fault.server_error(503, operation="token", times=4),
        Fault.html_page(200, operation="token", times=4),
    ):
        identity.script(fault)
        with pytest.raises(Unavailable):
            await world.sign_in(provider, "paste", world.paste())
    assert world.store.load() is None


async def test_the_connections_of_a_sign_in_are_closed_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    world = World()
    closed = []

    class Own(HttpxTransport):
        def __init__(self) -> None:
            super().__init__(httpx_transport=world.sandbox.transport())

        async def aclose(self) -> None:
            closed.append(self)
            await super().aclose()

    monkeypatch.setattr("mailkit.accounts.signin.signing_in.HttpxTransport", Own)
    await world.sign_in("google", "paste", world.paste(), transport=None)
    with pytest.raises(SignInRequired):
        await world.sign_in("google", "paste", world.paste(agrees=False), transport=None)
    assert len(set(map(id, closed))) == 2


async def test_a_prompt_says_what_to_do_in_a_sentence() -> None:
    clock = VirtualClock()
    told = {
        kind: str(
            SignInPrompt(account="work", kind=kind, url="https://x.example", user_code="U", expires_at=clock.now())
        )
        for kind in ("browser", "device", "paste")
    }
    assert told["browser"] == "To sign in to 'work', open https://x.example"
    assert told["device"] == "To sign in to 'work', open https://x.example and enter the code U"
    assert told["paste"].endswith("paste it here: ")


@pytest.mark.parametrize(
    ("number", "cause"),
    [(53003, "way_blocked"), (90094, "admin_consent_needed"), (65004, "declined"), (50105, "admin_policy")],
)
async def test_what_stands_in_the_way_at_microsoft_is_told_by_its_number(number: int, cause: str) -> None:
    world = World()
    world.sandbox.identity.microsoft.tenant("contoso.example").refuse(number, "sign_in")
    with pytest.raises((SignInRequired, ConfigurationError)) as caught:
        await world.sign_in("microsoft", "paste", world.paste())
    assert (getattr(caught.value, "cause", None), caught.value.code) == (cause, str(number))


@attrs.define
class Timed:
    """A ``Transport`` that notes how long each of the sign-in service's answers may take."""

    inner: HttpxTransport
    seen: set[tuple[float, float]] = attrs.field(factory=set)

    async def send(self, request: HttpRequest) -> HttpResponse:
        if urlsplit(request.url).hostname in {"oauth2.googleapis.com", "login.microsoftonline.com"}:
            self.seen.add((request.connect_timeout, request.read_timeout))
        return await self.inner.send(request)

    async def aclose(self) -> None: ...


@pytest.mark.parametrize(("provider", "method"), [("google", "paste"), ("microsoft", "paste"), ("microsoft", "device")])
async def test_the_provider_is_asked_as_patiently_as_the_settings_say(provider: Provider, method: str) -> None:
    world = World()
    prompt = world.type_in() if method == "device" else world.paste()
    desk = world.sandbox.identity.google if provider == "google" else world.sandbox.identity.microsoft
    operation = "devicecode" if method == "device" else "token"
    desk.script(Fault.server_error(503, times=2, operation=operation))
    timed = Timed(HttpxTransport(httpx_transport=world.sandbox.transport()))
    patient = Settings(retry=RetryPolicy(attempts=3, first=0.5), connect_timeout=4, read_timeout=8)
    account = await world.sign_in(provider, method, prompt, settings=patient, transport=timed)
    assert account.address == ANN[provider]
    assert timed.seen == {(2.0, 4.0)}
    desk.script(Fault.server_error(503, operation=operation))
    with pytest.raises(Unavailable):
        await world.sign_in(provider, method, prompt, settings=Settings(retry=RetryPolicy(attempts=1)))
