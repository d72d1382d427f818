"""Which message of a conversation an answer answers. Pure."""

from __future__ import annotations

from mailkit.errors import InvalidMessage
from mailkit.models.mail import Message, Thread

__all__ = ["answerable"]


def answerable(thread: Thread) -> Message:
    """Give the newest message of a thread that is neither a draft nor in the trash or spam.

    Raises:
        InvalidMessage: there is none.
    """
    for message in reversed(thread.messages):
        if not message.is_draft and message.folder not in ("drafts", "trash", "spam"):
            return message
    raise InvalidMessage("this thread has no message that can be answered; name the message meant", code="no_target")
