"""Which tests coverage watches: it makes one take up to twice as long, and a second loop shows it little that is new.

Threads are left alone: what coverage watches there it keeps watching.
"""

from __future__ import annotations

import sys
from collections.abc import Generator

import pytest


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Run a test unwatched where it repeats another on trio."""
    tracer = sys.gettrace()
    if not type(tracer).__module__.startswith("coverage.") or not _repeats(item):
        return (yield)
    sys.settrace(None)
    try:
        return (yield)
    finally:
        sys.settrace(tracer)


def _repeats(item: pytest.Item) -> bool:
    # The sandbox's clock goes a way of its own on each loop.
    call = getattr(item, "callspec", None)
    return call is not None and call.params.get("anyio_backend") == "trio" and "sandbox" not in item.path.parts
