"""Leaving mailing lists over the whole house."""

from __future__ import annotations

import pytest

from mailkit import AsyncMailClient, ConnectionFailed, ListUnsubscribe, MailTo, Message, ProviderError, Unsupported
from mailkit.sandbox import Mail, Sandbox
from mailkit.testing import sandbox_accounts

pytestmark = pytest.mark.anyio

LEAVE = "https://lists.example.com/leave?u=secret%207"
BOTH = f"<mailto:off@lists.example.com?subject=leave>, <{LEAVE}>"
CLICK = ("List-Unsubscribe-Post", "List-Unsubscribe=One-Click")
PROVIDERS = ("google", "microsoft")


def world(provider: str, *headers: tuple[str, str]) -> tuple[Sandbox, AsyncMailClient]:
    sandbox = Sandbox()
    box = sandbox.google("ann@example.com") if provider == "google" else sandbox.microsoft("ann@contoso.example")
    box.add(Mail(subject="Offers", text="Buy", headers=headers))
    return sandbox, AsyncMailClient(sandbox_accounts(sandbox, home=box), tz="UTC")


async def only(mail: AsyncMailClient) -> Message:
    return await mail.get((await mail.recent())[0])


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_one_click_sends_one_request_that_says_nothing_else(provider: str) -> None:
    sandbox, client = world(provider, ("List-Unsubscribe", BOTH), CLICK)
    seen = sandbox.web(LEAVE, headers=[("set-cookie", "who=ann; Path=/")])
    async with client as mail:
        message = await only(mail)
        assert message.is_bulk
        assert message.list_unsubscribe == ListUnsubscribe(
            one_click=LEAVE, urls=(LEAVE,), mailto=(MailTo(address="off@lists.example.com", subject="leave"),)
        )
        assert seen == []
        await mail.unsubscribe(message)
        assert [(each.method, each.url, each.content) for each in seen] == [
            ("POST", LEAVE, b"List-Unsubscribe=One-Click")
        ]
        await mail.unsubscribe(message.ref)  # reads the message first
    assert len(seen) == 2
    for request in seen:
        assert not {"authorization", "cookie", "referer"} & request.headers.keys()
        assert "ann" not in str(request.headers)


@pytest.mark.parametrize(
    ("headers", "code"),
    [
        ([("List-Unsubscribe", BOTH)], "no_one_click"),
        ([("List-Unsubscribe", "<mailto:off@lists.example.com>"), CLICK], "no_one_click"),
        ([("List-Unsubscribe", "<http://lists.example.com/u>"), CLICK], "no_one_click"),
        ([("List-Unsubscribe", "<https://127.0.0.1/u>"), CLICK], "not_public"),
        ([("List-Id", "<news.example.com>")], "no_list"),
        ([], "no_list"),
    ],
)
async def test_what_offers_no_click_says_so_and_nothing_is_sent(headers: list[tuple[str, str]], code: str) -> None:
    sandbox, client = world("google", *headers)
    seen = sandbox.web(LEAVE)
    async with client as mail:
        message = await only(mail)
        before = len(sandbox.requests)
        with pytest.raises(Unsupported) as caught:
            await mail.unsubscribe(message)
    error = caught.value
    assert (error.code, error.account, error.operation) == (code, "home", "mail.unsubscribe")
    assert (seen, len(sandbox.requests)) == ([], before)
    assert "lists.example.com" not in str(error)


async def test_a_redirect_is_not_followed() -> None:
    sandbox, client = world("google", ("List-Unsubscribe", BOTH), CLICK)
    sandbox.web(LEAVE, status=307, headers=[("location", "https://other.example/u")])
    elsewhere = sandbox.web("https://other.example/u")
    async with client as mail:
        with pytest.raises(ProviderError) as caught:
            await mail.unsubscribe(await only(mail))
    assert (caught.value.code, caught.value.operation, elsewhere) == ("redirected", "mail.unsubscribe", [])


async def test_a_server_that_is_not_there() -> None:
    _, client = world("google", ("List-Unsubscribe", BOTH), CLICK)
    async with client as mail:
        with pytest.raises(ConnectionFailed) as caught:
            await mail.unsubscribe(await only(mail))
    assert (caught.value.account, caught.value.operation) == ("home", "mail.unsubscribe")
    assert "secret" not in str(caught.value)


async def test_ordinary_mail_is_not_bulk_and_reprs_show_no_address() -> None:
    _, client = world("microsoft", ("Auto-Submitted", "auto-replied"))
    async with client as mail:
        message = await only(mail)
    assert (message.is_bulk, message.list_unsubscribe) == (False, None)
    ways = ListUnsubscribe(one_click=LEAVE, urls=(LEAVE,), mailto=(MailTo(address="ann@example.com"),))
    assert repr(ways) == "<ListUnsubscribe 1 urls, 1 mails, one click>"
    assert repr(ways.mailto[0]) == "<MailTo>"
    assert ListUnsubscribe.from_dict(ways.to_dict()) == ways
