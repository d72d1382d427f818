"""Ready-made accounts on a sandbox: for a program's own tests, and for every example in these docs.

Joins the sandbox to the clients and adds no behaviour of its own. The pytest fixture stands in
``mailkit.testing.plugin``, so that nothing here needs pytest.
"""

from __future__ import annotations

from mailkit.testing.accounts import sandbox_account, sandbox_accounts
from mailkit.testing.demo import demo_accounts, demo_sandbox

__all__ = ["demo_accounts", "demo_sandbox", "sandbox_account", "sandbox_accounts"]
