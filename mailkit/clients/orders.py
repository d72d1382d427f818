"""What the verbs that send make of their parameters: checked orders and answers."""

from __future__ import annotations

from mailkit.addressing import Wish
from mailkit.checks import flag, plain_function, refuse
from mailkit.clients.desk import Desk
from mailkit.fanout.request import local_zone
from mailkit.mime.outgoing import OutgoingMessage
from mailkit.models import Message
from mailkit.providers.writing import Progress
from mailkit.sending import Answer, OnUnknown, Order, check_key

__all__ = ["new_answer", "new_order", "whole_message"]

_WITH_FILES = 300.0
_MAY_HAVE_FILES = frozenset({"mail.forward", "mail.drafts.update"})


def new_order(
    desk: Desk,
    operation: str,
    message: OutgoingMessage,
    *,
    account: str = "",
    key: str | None = None,
    on_unknown: OnUnknown = "raise",
    progress: Progress | None = None,
    deadline: float | None = None,
) -> Order:
    """Check how a message is to be sent; with files there are 300 seconds for it where the settings say less."""
    if on_unknown not in ("raise", "return"):
        refuse(on_unknown, "on_unknown", "'raise' or 'return'")
    plain_function(progress, "progress", "the bytes done and those of all")
    has_files = bool(message.files) or operation in _MAY_HAVE_FILES
    return Order(
        operation=operation,
        account=account,
        message=message,
        key=None if key is None else check_key(key),
        on_unknown=on_unknown,
        progress=progress,
        deadline=desk.deadline(deadline, at_least=_WITH_FILES if has_files else 0.0),
    )


def new_answer(
    desk: Desk, wish: Wish, written: OutgoingMessage, *, quote: bool = True, own_spellings: bool = False
) -> Answer:
    """Say how a message is to be answered; the original's date is quoted in the client's zone."""
    return Answer(
        wish=wish,
        message=written,
        quote=flag(quote, "quote"),
        own_spellings=flag(own_spellings, "own_spellings"),
        tz=desk.tz or local_zone(),
    )


def whole_message(message: object) -> Message | None:
    """Give the message where the caller has it whole: then it is not read again."""
    return message if isinstance(message, Message) else None
