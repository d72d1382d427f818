"""Gmail's labels: which ones a message carries, and the label resources.

Source: developers.google.com/workspace/gmail/api/guides/labels. It reads mailboxes and changes none.
"""

from __future__ import annotations

from typing import TypeAlias

import attrs

from mailkit.sandbox.mailbox import Entry

Json: TypeAlias = dict[str, object]

_PLACES = {"inbox": "INBOX", "sent": "SENT", "drafts": "DRAFT", "trash": "TRASH", "spam": "SPAM"}
_CATEGORIES = {
    "primary": "CATEGORY_PERSONAL",
    "social": "CATEGORY_SOCIAL",
    "promotions": "CATEGORY_PROMOTIONS",
    "updates": "CATEGORY_UPDATES",
    "forums": "CATEGORY_FORUMS",
}
SYSTEM = (*_PLACES.values(), "CHAT", "UNREAD", "STARRED", "IMPORTANT", *_CATEGORIES.values())
# What labels.list says of them: only these carry visibilities.
_HIDDEN = ("SENT", "INBOX", "IMPORTANT", "TRASH", "DRAFT", "SPAM", "CHAT", *_CATEGORIES.values())


@attrs.frozen(kw_only=True)
class UserLabel:
    """A label the person made; slashes in ``name`` nest it. ``colour`` is text and background, both ``#rrggbb``."""

    id: str
    name: str
    colour: tuple[str, str] | None = None
    list_visibility: str = "labelShow"
    message_visibility: str = "show"


def system_ids(entry: Entry) -> list[str]:
    """Give the ids of the system labels a message carries; muted and snoozed have none."""
    mail = entry.mail
    flags = {
        "UNREAD": not mail.read,
        "STARRED": mail.starred or mail.star is not None,
        "IMPORTANT": mail.important,
        "CHAT": mail.chat,
    }
    places = (_PLACES.get(mail.place), _CATEGORIES.get(mail.category or ""))
    return [*(flag for flag, on in flags.items() if on), *(place for place in places if place)]


def system_resource(id: str) -> Json:  # noqa: A002  # the name of the thing
    """Give a system label as labels.list shows it."""
    shown: Json = {"messageListVisibility": "hide", "labelListVisibility": "labelHide"} if id in _HIDDEN else {}
    return {"id": id, "name": id, **shown, "type": "system"}


def user_resource(label: UserLabel) -> Json:
    """Give a user label as labels.list shows it."""
    resource: Json = {
        "id": label.id,
        "name": label.name,
        "messageListVisibility": label.message_visibility,
        "labelListVisibility": label.list_visibility,
        "type": "user",
    }
    if label.colour is not None:
        resource["color"] = {"textColor": label.colour[0], "backgroundColor": label.colour[1]}
    return resource
