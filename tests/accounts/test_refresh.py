"""A stored grant is renewed in time, once for all who wait, and nothing that was given is lost."""

from __future__ import annotations

import datetime as dt
import math
import threading
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import contextmanager

import anyio
import anyio.lowlevel
import anyio.to_thread
import attrs
import pytest

from mailkit.accounts import Accounts, Settings
from mailkit.accounts.grant import Grant
from mailkit.accounts.refresh import RefreshingSource
from mailkit.accounts.stores import MemoryStore
from mailkit.accounts.token_cache import TokenCache
from mailkit.accounts.token_transport import TimedTransport
from mailkit.accounts.tokens import token_source
from mailkit.errors import ConfigurationError, ConnectionFailed, MailkitError, SignInRequired, TimedOut, Unavailable
from mailkit.sandbox import VirtualClock
from mailkit.transport import RetryPolicy
from mailkit.values import Account, Clock, Deadline, HttpRequest, Provider
from tests.support.token_service import Scripted, TokenService

pytestmark = pytest.mark.anyio

READ = {"google": "https://www.googleapis.com/auth/gmail.readonly", "microsoft": "Mail.Read"}
PROVIDERS: list[Provider] = ["google", "microsoft"]


class Store(MemoryStore):
    """Counts, and fails when told to, as a full disk does."""

    full = False
    room = math.inf

    def save(self, grant: Grant) -> None:
        if self.full or self.room < 1:
            raise ConfigurationError("the disk is full")
        self.room -= 1
        super().save(grant)


@attrs.define(kw_only=True)
class Signed:
    """One signed-in account whose access token has run out."""

    provider: Provider = "microsoft"
    clock: VirtualClock = attrs.field(factory=VirtualClock)
    service: TokenService = attrs.field(factory=TokenService)
    signed_in: dt.timedelta = dt.timedelta(days=30)
    store: Store = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        now = self.clock.now()
        self.store = Store(
            Grant(
                provider=self.provider,
                client_id="app",
                client_secret="app-secret" if self.provider == "google" else None,
                tenant="common" if self.provider == "microsoft" else None,
                refresh_token="refresh-0",
                access_token="access-0",
                renewed_at=now - dt.timedelta(hours=1),
                expires_at=now,
                scopes=frozenset({READ[self.provider]}),
                features=frozenset({"read"}),
                granted_at=now - self.signed_in,
            )
        )

    def source(self) -> RefreshingSource:
        return RefreshingSource(
            account="work",
            provider=self.provider,
            store=self.store,
            transport=self.service,
            clock=self.clock,
            chance=lambda: 0.0,
        )

    @property
    def kept(self) -> Grant:
        grant = self.store.load()
        assert grant is not None
        return grant


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_a_token_that_has_run_out_is_renewed_and_kept(provider: Provider) -> None:
    signed = Signed(provider=provider)
    token = await signed.source().token()
    assert (token.value, token.expires_at) == ("access-1", signed.clock.now() + dt.timedelta(hours=1))
    assert token.scopes == frozenset({READ[provider]})
    assert (signed.kept.access_token, signed.kept.refresh_token) == ("access-1", "refresh-1")
    (form,) = signed.service.forms
    asked = set(form["scope"].split()) - {"openid", "profile", "offline_access"}
    assert asked == {READ[provider]}
    assert form.get("client_secret") == ("app-secret" if provider == "google" else None)


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_the_old_refresh_token_is_kept_where_no_new_one_comes(provider: Provider) -> None:
    signed = Signed(provider=provider, service=TokenService(rotates=False))
    await signed.source().token()
    assert (signed.kept.access_token, signed.kept.refresh_token) == ("access-1", "refresh-0")


@pytest.mark.parametrize(("left", "renewals"), [(20, 1), (119, 1), (120, 0), (3000, 0)])
async def test_a_token_is_used_while_120_seconds_remain(left: int, renewals: int) -> None:
    signed = Signed()
    signed.store.save(attrs.evolve(signed.kept, expires_at=signed.clock.now() + dt.timedelta(seconds=left)))
    await signed.source().token()
    assert len(signed.service.forms) == renewals


async def test_a_short_token_is_used_for_three_quarters_of_its_life() -> None:
    signed = Signed(service=TokenService(life=40))
    await signed.source().token()
    await signed.clock.sleep(30)
    assert (await signed.source().token()).value == "access-1"
    await signed.clock.sleep(1)
    assert (await signed.source().token()).value == "access-2"


async def test_a_refused_token_is_renewed_unless_somebody_has_done_so() -> None:
    signed = Signed()
    source = signed.source()
    await source.token()
    assert (await source.token(stale="access-1")).value == "access-2"
    assert (await source.token(stale="access-1")).value == "access-2"
    assert len(signed.service.forms) == 2


async def test_fifty_calls_at_once_renew_once() -> None:
    signed = Signed()
    cache = TokenCache(signed.source(), clock=signed.clock)
    values = []

    async def ask() -> None:
        values.append((await cache.token()).value)

    async with anyio.create_task_group() as group:
        for _ in range(50):
            group.start_soon(ask)
    assert values == ["access-1"] * 50
    assert len(signed.service.forms) == 1


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_threads_with_loops_of_their_own_renew_once(provider: Provider, anyio_backend_name: str) -> None:
    signed = Signed(provider=provider)
    ready = threading.Barrier(20)
    values = []

    def program() -> None:
        ready.wait()
        values.append(anyio.run(signed.source().token, backend=anyio_backend_name).value)

    threads = [threading.Thread(target=program) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        await anyio.to_thread.run_sync(thread.join)
    assert values == ["access-1"] * 20
    assert len(signed.service.forms) == 1


async def test_what_is_given_is_saved_before_it_is_used() -> None:
    signed = Signed()
    source = signed.source()
    signed.store.room = 1
    with pytest.raises(ConfigurationError, match="disk"):
        await source.token()
    assert (signed.kept.access_token, signed.kept.refresh_token) == ("access-0", "refresh-0")
    assert len(signed.service.forms) == 1
    signed.store.room = math.inf
    assert (await source.token()).value == "access-1"
    assert signed.kept.refresh_token == "refresh-1"
    assert len(signed.service.forms) == 1


async def test_no_refresh_token_is_spent_for_a_store_that_cannot_be_written() -> None:
    signed = Signed()
    signed.store.full = True
    with pytest.raises(ConfigurationError, match="disk"):
        await signed.source().token()
    assert signed.service.forms == []
    signed.store.full = False
    assert (await signed.source().token()).value == "access-1"


async def test_what_could_not_be_saved_gives_way_to_a_new_sign_in() -> None:
    signed = Signed()
    source = signed.source()
    signed.store.room = 1
    with pytest.raises(ConfigurationError):
        await source.token()
    signed.store.room = math.inf
    soon = signed.clock.now() + dt.timedelta(hours=1)
    signed.store.save(attrs.evolve(signed.kept, access_token="new", refresh_token="new", expires_at=soon))
    assert (await source.token()).value == "new"
    assert signed.kept.refresh_token == "new"


async def test_a_renewal_under_way_is_finished_when_its_caller_gives_up() -> None:
    signed = Signed()
    entered = anyio.Event()

    class Slow(TokenService):
        async def send(self, request):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202  # as there
            entered.set()
            await anyio.lowlevel.checkpoint()
            return await super().send(request)

    signed.service = Slow()
    async with anyio.create_task_group() as group:
        group.start_soon(signed.source().token)
        await entered.wait()
        group.cancel_scope.cancel()
    assert (signed.kept.access_token, signed.kept.refresh_token) == ("access-1", "refresh-1")


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize(
    "trouble",
    [
        (503, {}),
        (500, b"<html>sorry</html>"),
        (429, {"error": "invalid_grant"}),
        (200, b"<html>log in to the hotel's network</html>"),
        (200, b"\xff\xfe"),
        (200, ["a list"]),
        (400, {"error": "temporarily_unavailable"}),
        ConnectionFailed("no connection"),
    ],
    ids=str,
)
async def test_passing_trouble_is_tried_again(provider: Provider, trouble: Scripted) -> None:
    signed = Signed(provider=provider)
    signed.service.script = [trouble, trouble]
    started = signed.clock.monotonic()
    assert (await signed.source().token()).value == "access-1"
    assert signed.clock.monotonic() - started == pytest.approx(0.75 + 1.5)
    signed.service.script = [trouble] * 4
    with pytest.raises(MailkitError) as caught:
        await signed.source().token(stale="access-1")
    assert caught.value.retryable
    assert isinstance(caught.value, Unavailable | ConnectionFailed)
    assert signed.kept.dead is None


async def test_no_more_patience_than_the_caller_has() -> None:
    signed = Signed()
    signed.service.script = [(503, {})] * 4
    with signed.clock.deadline(1), pytest.raises(Unavailable):
        await signed.source().token()
    assert len(signed.service.forms) == 2


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_a_dead_grant_is_asked_about_once(provider: Provider) -> None:
    signed = Signed(provider=provider, service=TokenService(good="another"))
    for _ in range(3):
        with pytest.raises(SignInRequired) as caught:
            await signed.source().token()
        assert caught.value.account == "work"
        assert caught.value.cause == ("revoked" if provider == "google" else "expired")
        assert 'mailkit.sign_in("work")' in str(caught.value)
    assert len(signed.service.forms) == 1
    assert (signed.kept.access_token, signed.kept.refresh_token) == (None, "refresh-0")


async def test_a_dead_grant_that_cannot_be_remembered_is_told_all_the_same() -> None:
    signed = Signed(service=TokenService(good="another"))
    signed.store.room = 1
    with pytest.raises(SignInRequired):
        await signed.source().token()


async def test_a_new_sign_in_brings_a_dead_grant_back() -> None:
    signed = Signed(service=TokenService(good="another"))
    source = signed.source()
    with pytest.raises(SignInRequired):
        await source.token()
    signed.store.save(attrs.evolve(signed.kept, refresh_token="another", dead=None))
    assert (await source.token()).value == "access-1"


async def test_googles_seven_days_are_told() -> None:
    week = dt.timedelta(days=7, minutes=5)
    signed = Signed(provider="google", service=TokenService(good="another"), signed_in=week)
    with pytest.raises(SignInRequired) as caught:
        await signed.source().token()
    assert caught.value.cause == "testing_mode_7_days"


async def test_wrong_settings_are_no_dead_grant() -> None:
    signed = Signed()
    signed.service.script = [(401, {"error": "invalid_client", "error_codes": [7000218]})]
    with pytest.raises(ConfigurationError) as caught:
        await signed.source().token()
    assert caught.value.cause == "public_client_off"
    assert signed.kept.dead is None


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize(
    "answer",
    [
        (403, {"error": "forbidden"}),
        (403, {"error": "access_denied"}),
        (407, {}),
        (408, {"error": "timeout"}),
        (200, {"error": "maintenance"}),
        (400, {"error": {"code": 400, "status": "INVALID_ARGUMENT"}}),
        (400, {"error": "ann@example.com\n"}),
        (200, {}),
        (200, b"[" * 200_000 + b"]" * 200_000),
        (200, b'{"access_token": ' + b"[" * 200_000 + b"]" * 200_000 + b"}"),
        (200, {"access_token": "a", "expires_in": 3600, "scope": ["Mail.Read"]}),
        (200, {"access_token": "a", "expires_in": 10**30}),
        (200, {"access_token": "a", "expires_in": -1}),
        (200, {"access_token": "a", "expires_in": "soon"}),
        (200, {"access_token": "a", "expires_in": [3600]}),
        (200, {"access_token": "a\r\nX-Other: b", "expires_in": 3600}),
        (200, {"access_token": "two words", "expires_in": 3600}),
        (200, {"access_token": ["a"], "expires_in": 3600}),
        (200, {"access_token": "a", "expires_in": 3600, "refresh_token": {"a": 1}}),
        (200, {"access_token": "a", "expires_in": 3600, "refresh_token": "r\n"}),
    ],
    ids=lambda answer: str(answer)[:60],
)
async def test_what_does_not_end_a_sign_in_leaves_the_store_as_it_is(
    provider: Provider, answer: tuple[int, object]
) -> None:
    signed = Signed(provider=provider)
    before = signed.kept
    signed.service.script = [answer] * 4
    with pytest.raises(MailkitError) as caught:
        await signed.source().token()
    declined = isinstance(answer[1], dict) and answer[1].get("error") == "access_denied"
    assert type(caught.value) is (SignInRequired if declined else Unavailable)
    assert caught.value.account == "work"
    assert "ann@" not in repr(vars(caught.value))
    assert signed.kept == before
    signed.service.script = []
    assert (await signed.source().token()).value == "access-1"


@pytest.mark.parametrize("code", ["interaction_required", "invalid_grant", "consent_required"])
async def test_what_ends_a_sign_in_is_remembered(code: str) -> None:
    signed = Signed()
    signed.service.script = [(400, {"error": code})]
    with pytest.raises(SignInRequired):
        await signed.source().token()
    assert signed.kept.dead is not None
    assert signed.kept.dead.code == code


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_no_token_goes_to_the_other_provider(provider: Provider) -> None:
    signed = Signed(provider=provider)
    soon = signed.clock.now() + dt.timedelta(hours=1)
    signed.store.save(attrs.evolve(signed.kept, expires_at=soon))
    other: Provider = "google" if provider == "microsoft" else "microsoft"
    account = Account(name="work", provider=other, token=signed.store)
    source = token_source(account, transport=signed.service, clock=signed.clock, settings=Settings())
    with pytest.raises(ConfigurationError, match="holds a sign-in of") as caught:
        await source.token()
    assert (caught.value.account, caught.value.code) == ("work", "other_provider")
    assert signed.service.forms == []


@attrs.define
class Drip:
    """A ``Transport`` whose answers come one byte a second, for ever, or (``silent``) never, and an answer of it."""

    clock: Clock
    silent: bool = False
    status: int = 200
    headers: Mapping[str, str] = attrs.field(factory=dict)
    open: bool = False

    async def send(self, request: HttpRequest) -> Drip:
        if self.silent:
            await self.clock.sleep(math.inf)
        self.open = True
        return self

    async def stream(self) -> AsyncIterator[bytes]:
        while True:
            await self.clock.sleep(1)
            yield b" "

    async def aclose(self) -> None:
        self.open = False


@pytest.mark.parametrize("silent", [False, True])
async def test_an_answer_without_an_end_is_cut_off(silent: bool) -> None:
    clock = VirtualClock()
    drip = Drip(clock, silent)
    started = clock.monotonic()
    with pytest.raises(TimedOut):
        await TimedTransport(drip, clock, started + 20).send(HttpRequest(method="POST", url="https://x.example/token"))
    assert clock.monotonic() - started == pytest.approx(20)
    assert not drip.open


class Hasty(VirtualClock):
    """Lets every deadline pass at once, since the time of a ``VirtualClock`` stands still while a thread works."""

    def __init__(self) -> None:
        super().__init__()
        self.deadlines: list[float | None] = []

    @contextmanager
    def deadline(self, seconds: float | None) -> Iterator[Deadline]:  # type: ignore[override]  # the Clock's own type
        self.deadlines.append(seconds)
        with super().deadline(0) as limit:
            yield limit


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("silent", [False, True])
async def test_a_renewal_ends_however_slowly_the_answer_comes(provider: Provider, silent: bool) -> None:
    clock = Hasty()
    signed = Signed(provider=provider, clock=clock)
    drip = Drip(clock, silent)
    source = attrs.evolve(signed.source(), transport=drip, retry=RetryPolicy(attempts=1))
    with pytest.raises(TimedOut) as caught:
        await source.token()
    assert clock.deadlines == [20]
    assert (caught.value.account, signed.kept.dead, drip.open) == ("work", None, False)
    with signed.store.lock():  # it was let go
        pass


async def test_nobody_has_signed_in_yet() -> None:
    source = RefreshingSource(
        account="work",
        provider="google",
        store=MemoryStore(),
        transport=TokenService(),
        clock=VirtualClock(),
        retry=RetryPolicy(),
    )
    with pytest.raises(SignInRequired) as caught:
        await source.token()
    assert caught.value.code == "no_grant"


async def test_a_store_is_a_token() -> None:
    signed = Signed()
    account = Account(name="work", provider="microsoft", token=signed.store)
    source = token_source(account, transport=signed.service, clock=signed.clock, settings=Settings())
    assert (await source.token()).value == "access-1"


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_the_settings_of_the_account_set_hold_for_its_tokens(provider: Provider) -> None:
    signed = Signed(provider=provider)
    signed.service.script = [(503, {})] * 9
    account = Account(name="work", provider=provider, token=signed.store, transport=signed.service)
    settings = Settings(retry=RetryPolicy(attempts=2, first=7), connect_timeout=4, read_timeout=8)
    started = signed.clock.monotonic()
    with pytest.raises(Unavailable):
        await Accounts([account], clock=signed.clock, settings=settings).driver("work").own_addresses()
    assert 7 <= signed.clock.monotonic() - started < 14
    assert signed.service.timeouts == {(2.0, 4.0)}
    assert len(signed.service.forms) == 2


async def test_the_lock_is_held_from_reading_to_saving() -> None:
    signed = Signed()
    held = []

    class Locking(Store):
        inside = False

        @contextmanager
        def lock(self) -> Iterator[None]:
            self.inside = True
            yield
            self.inside = False

        def save(self, grant: Grant) -> None:
            held.append(self.inside)
            super().save(grant)

    signed.store = Locking(signed.kept)
    await signed.source().token()
    assert held == [True, True]


async def test_nobody_waits_longer_than_they_want_for_a_lock_that_is_held() -> None:
    signed = Signed()
    with signed.store.lock():
        with anyio.CancelScope() as scope:
            async with anyio.create_task_group() as group:
                group.start_soon(signed.source().token)
                await anyio.lowlevel.checkpoint()
                await anyio.lowlevel.checkpoint()
                scope.cancel()
        assert scope.cancelled_caught
        assert signed.service.forms == []
    # Whoever gave up lets go of what comes to it too late.
    assert (await signed.source().token()).value == "access-1"
