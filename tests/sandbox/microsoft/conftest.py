"""A mailbox of Ann's, and a client that asks Graph for it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from mailkit.sandbox import Sandbox
from mailkit.sandbox.microsoft import MicrosoftMailbox
from tests.support.graph import Graph


@pytest.fixture
def sandbox() -> Sandbox:
    return Sandbox()


@pytest.fixture
def box(sandbox: Sandbox) -> MicrosoftMailbox:
    return sandbox.microsoft("ann@contoso.example", name="Ann Lee", aliases=["ann.lee@contoso.example"])


@pytest.fixture
def graph(sandbox: Sandbox, box: MicrosoftMailbox) -> Iterator[Graph]:
    asks = Graph(sandbox, box.token)
    with asks.http:
        yield asks
