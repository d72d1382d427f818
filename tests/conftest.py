"""What every test stands on: both loops, a scrubbed environment, hypothesis' profile, contract judge, leak scan."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest_plugins = ["tests.support.contract", "tests.support.leaks"]

# A shared machine makes deadlines fail at random; in CI the same commit must always see the same examples.
settings.register_profile("local", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.register_profile("few", deadline=None, derandomize=True, max_examples=20)
IN_CI = bool(os.environ.get("CI"))
settings.load_profile("ci" if IN_CI else "local")

_SCRUBBED = (
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "ALL_PROXY",
    "NO_PROXY",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "SSLKEYLOGFILE",
    "TZ",
)
_KEPT = "MAILKIT_SHARED"


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Keep one random order in CI: hypothesis also tries the constants of the modules that earlier tests imported."""
    if IN_CI and config.getoption("randomly_seed", None) == "default":
        config.option.randomly_seed = 0


def pytest_collection_finish() -> None:
    """Keep the garbage collector away from what 20,000 collected tests are made of: none of it ever goes.

    Beside so much it would leave the tasks of earlier tests lie, among which asyncio looks for those of its loop.
    """
    given(st.none())(lambda _: None)()  # hypothesis asks the collector once who refers to its random numbers
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def _scrubbed_environment() -> Iterator[None]:
    """Take away what the machine would say about proxies, certificates, zones and mailkit itself."""
    with pytest.MonkeyPatch.context() as patch:
        for name in list(os.environ):
            if name.upper() in _SCRUBBED or (name.startswith("MAILKIT_") and name != _KEPT):
                patch.delenv(name)
        yield


@pytest.fixture(scope="module", params=["asyncio", "trio"])
def anyio_backend(request: pytest.FixtureRequest) -> str:
    """Run async tests on both loops; per module, since hypothesis refuses function-scoped fixtures."""
    return str(request.param)
