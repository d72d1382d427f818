"""The package as a whole: what it shows, and what importing it costs."""

from __future__ import annotations

import subprocess
import sys
from types import ModuleType

import pytest

import mailkit

HEAVY = ("cattrs", "dateutil", "google.auth", "html_to_markdown", "msal", "nh3", "requests", "trio", "tzlocal")


def test_all_is_the_sorted_list_of_public_names() -> None:
    public = [name for name in dir(mailkit) if not name.startswith("_") and _is_ours(getattr(mailkit, name))]
    assert sorted(set(public)) == list(mailkit.__all__)


def _is_ours(value: object) -> bool:
    return not isinstance(value, ModuleType) and str(getattr(value, "__module__", "")).startswith("mailkit")


@pytest.mark.parametrize("name", mailkit.__all__)
def test_every_public_class_says_what_it_is(name: str) -> None:
    value = getattr(mailkit, name)
    if isinstance(value, type):
        assert value.__doc__, f"{name} has no docstring"


@pytest.mark.realtime
def test_importing_mailkit_imports_nothing_heavy() -> None:
    code = f"import sys, mailkit; print([name for name in {HEAVY!r} if name in sys.modules])"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert result.stdout.strip() == "[]"
