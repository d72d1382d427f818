"""Leaving mailing lists."""

from __future__ import annotations

from mailkit.errors import Unsupported
from mailkit.fanout.flow import in_account
from mailkit.fanout.items import whole
from mailkit.fanout.request import Mailboxes
from mailkit.models.mail import Message
from mailkit.transport.one_click import one_click
from mailkit.values import Ref

__all__ = ["unsubscribe"]


async def unsubscribe(mailboxes: Mailboxes, ref: Ref, *, known: Message | None, deadline: float) -> None:
    """Leave the list that a message came over, by the way that its account's other requests go."""
    transport = mailboxes.driver(ref.account).account.transport
    assert transport is not None  # noqa: S101  # the account set gives every account one

    async def work() -> None:
        await one_click(transport, _address(known or await whole(mailboxes, ref)))

    await in_account(mailboxes, ref.account, work, operation="mail.unsubscribe", deadline=deadline)


def _address(message: Message) -> str:
    ways = message.list_unsubscribe
    if ways is None:
        raise Unsupported("this message names no way off a list", code="no_list")
    if ways.one_click is None:
        raise Unsupported(
            "this message offers no unsubscribing with one click; open one of the urls of its list_unsubscribe, or "
            "write to one of its mailto addresses",
            code="no_one_click",
        )
    return ways.one_click
