"""Accounts whose bytes go to a sandbox instead of the network."""

from __future__ import annotations

from typing import cast

from mailkit.accounts import Accounts, Settings
from mailkit.sandbox import Mailbox, Sandbox
from mailkit.transport import HttpxTransport
from mailkit.values import Account, Provider

__all__ = ["sandbox_account", "sandbox_accounts"]


def sandbox_account(sandbox: Sandbox, box: Mailbox, *, name: str) -> Account:
    """Make the account that reaches one mailbox of a sandbox.

    Its clock is the machine's unless it joins an ``Accounts`` set with ``clock=sandbox.clock``.
    """
    transport = HttpxTransport(httpx_transport=sandbox.transport())
    return Account(name=name, provider=cast(Provider, box.provider), token=box.token, transport=transport)


def sandbox_accounts(sandbox: Sandbox, *, settings: Settings | None = None, **boxes: Mailbox) -> Accounts:
    """Make an account set on a sandbox and its clock: ``sandbox_accounts(sandbox, home=box, work=other_box)``."""
    accounts = [sandbox_account(sandbox, box, name=name) for name, box in boxes.items()]
    return Accounts(accounts, settings=settings, clock=sandbox.clock)
