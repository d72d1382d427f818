"""The pytest fixture; switched on by ``pytest_plugins = ["mailkit.testing.plugin"]`` in a ``conftest.py``.

It is no entry point on purpose: an entry point is imported by every pytest run of every program that has mailkit.
"""

from __future__ import annotations

import pytest

from mailkit.sandbox import Sandbox

__all__ = ["mailkit_sandbox"]


@pytest.fixture
def mailkit_sandbox() -> Sandbox:
    """Give an empty sandbox on a virtual clock; join its mailboxes with ``sandbox_accounts``."""
    return Sandbox()
