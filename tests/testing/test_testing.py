"""Ready-made accounts on a sandbox."""

from __future__ import annotations

import pytest

from mailkit import Account, MailClient
from mailkit.sandbox import Mail, Sandbox
from mailkit.testing import demo_accounts, demo_sandbox, sandbox_account, sandbox_accounts
from mailkit.testing.plugin import mailkit_sandbox

__all__ = ["mailkit_sandbox"]  # the fixture, taken as a conftest.py would take it


def test_the_fixture_is_an_empty_sandbox(mailkit_sandbox: Sandbox) -> None:
    box = mailkit_sandbox.google("ann@example.com")
    box.add(Mail(subject="Hello", text="Hi"))
    with MailClient(sandbox_accounts(mailkit_sandbox, home=box)) as mail:
        assert [row.subject for row in mail.recent()] == ["Hello"]


def test_an_account_carries_name_provider_and_token(mailkit_sandbox: Sandbox) -> None:
    box = mailkit_sandbox.microsoft("ann@contoso.example")
    account = sandbox_account(mailkit_sandbox, box, name="work")
    assert isinstance(account, Account)
    assert (account.name, account.provider, account.token) == ("work", "microsoft", box.token)


@pytest.mark.parametrize("query", ["from:priya", "is:unread", "has:attachment", "older_than:30d", "subject:budget"])
def test_the_demo_has_something_to_find(query: str) -> None:
    with MailClient(demo_accounts(), tz="UTC") as mail:
        found = mail.search(query)
    assert found
    assert not found.failures


def test_the_demo_can_be_changed() -> None:
    sandbox, home, work = demo_sandbox()
    work.add(Mail(subject="New", text="x"))
    with MailClient(sandbox_accounts(sandbox, home=home, work=work), tz="UTC") as mail:
        assert mail.recent(limit=1)[0].subject == "New"
