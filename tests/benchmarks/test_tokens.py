"""What a signed-in account adds to a call whose token is good: less than a tenth of a loopback request (0.5 ms)."""

from __future__ import annotations

import datetime as dt
from typing import Any

import anyio
import pytest

from mailkit.accounts.grant import Grant
from mailkit.accounts.settings import Settings
from mailkit.accounts.stores import MemoryStore
from mailkit.accounts.token_cache import TokenCache
from mailkit.accounts.tokens import token_source
from mailkit.transport import HttpxTransport, SystemClock
from mailkit.values import Account

pytest.importorskip("pytest_benchmark")
pytestmark = pytest.mark.realtime

CALLS = 1000


def test_a_thousand_calls_with_a_good_token(benchmark: Any) -> None:
    clock = SystemClock()
    now = clock.now()
    grant = Grant(
        provider="microsoft",
        client_id="app",
        refresh_token="refresh",
        access_token="access",
        renewed_at=now,
        expires_at=now + dt.timedelta(hours=1),
        scopes=frozenset({"Mail.Read"}),
        features=frozenset({"read"}),
    )
    account = Account(name="work", provider="microsoft", token=MemoryStore(grant))
    cache = TokenCache(token_source(account, transport=HttpxTransport(), clock=clock, settings=Settings()), clock=clock)

    async def calls() -> str:
        for _ in range(CALLS):
            token = await cache.token()
        return token.value

    assert benchmark(anyio.run, calls) == "access"
    if benchmark.stats is not None:  # not with --benchmark-disable
        assert benchmark.stats["median"] / CALLS < 0.1 * 0.5e-3
