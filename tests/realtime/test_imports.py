"""What importing costs: in time, and in modules."""

from __future__ import annotations

import subprocess
import sys

import pytest

import mailkit

pytestmark = pytest.mark.realtime

HEAVY = ("cattrs", "dateutil", "google.auth", "msal", "pytest", "requests", "trio", "tzlocal")


def run(code: str) -> str:
    command = [sys.executable, "-c", code]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout


def test_importing_mailkit_takes_no_longer_than_importing_httpx() -> None:
    timed = "import time; begun = time.perf_counter(); import {}; print(time.perf_counter() - begun)"
    best = {name: min(float(run(timed.format(name))) for _ in range(3)) for name in ("mailkit", "httpx")}
    assert best["mailkit"] <= 1.3 * best["httpx"]


def test_using_every_public_name_imports_nothing_heavy() -> None:
    code = (
        f"import sys; from mailkit import *; import mailkit.testing; print([n for n in {HEAVY!r} if n in sys.modules])"
    )
    assert run(code).strip() == "[]"


def test_every_lazy_name_has_a_home_and_no_other_has() -> None:
    eager = set(vars(mailkit.errors)) & set(mailkit.__all__)
    assert set(mailkit._HOMES) == set(mailkit.__all__) - eager
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        mailkit.Nothing  # type: ignore[attr-defined]  # noqa: B018  # asking is the test
