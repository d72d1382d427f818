"""Gmail's labels: which ones a message carries, and the label resources.

Source: developers.google.com/workspace/gmail/api/guides/labels. It reads mailboxes and changes none.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TypeAlias

import attrs

from mailkit.sandbox.mail import Mail

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
# guides/labels: these say how a message came to be, and cannot be put on or taken off
FIXED = frozenset(("SENT", "DRAFT", "CHAT"))
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


def system_ids(mail: Mail) -> list[str]:
    """Give the ids of the system labels a message carries; muted and snoozed have none.

    Its folder is one of them. Others it lies under as well (a mail to oneself is in SENT and INBOX) stand among its
    labels, by id: no label of a person's own can be called so.
    """
    flags = {
        "UNREAD": not mail.read,
        "STARRED": mail.starred or mail.star is not None,
        "IMPORTANT": mail.important,
        "CHAT": mail.chat,
    }
    places = (_PLACES.get(mail.place), _CATEGORIES.get(mail.category or ""))
    also = (label for label in mail.labels if label in SYSTEM)
    return list(dict.fromkeys([*(flag for flag, on in flags.items() if on), *filter(None, places), *also]))


def user_names(mail: Mail) -> list[str]:
    """Give the names of the person's own labels a message carries; its folder may be one of them."""
    own = [mail.folder] if mail.place == "archive" and mail.folder.lower() != "archive" else []
    return list(dict.fromkeys([*(label for label in mail.labels if label not in SYSTEM), *own]))


def place_id(place: str) -> str | None:
    """Give the label of a place (``drafts``: ``DRAFT``); None where Gmail has none."""
    return _PLACES.get(place)


def category_id(category: str) -> str | None:
    """Give the label of a category (``social``)."""
    return _CATEGORIES.get(category)


def labelled(mail: Mail, system: Collection[str], names: Collection[str]) -> dict[str, object]:
    """Give the fields of a message that carries just these labels."""
    places = [place for place, id in _PLACES.items() if id in system]  # noqa: A001  # the name of the thing
    categories = [category for category, id in _CATEGORIES.items() if id in system]  # noqa: A001  # see above
    place = mail.place if mail.place in places else next(iter(places), "archive")
    kept = place == mail.place and place != "archive"
    also = [*(_PLACES[other] for other in places if other != place), *(_CATEGORIES[name] for name in categories[1:])]
    return {
        "folder": mail.folder if kept else place,
        "labels": (*also, *names),
        "category": next(iter(categories), None),
        "read": "UNREAD" not in system,
        "starred": "STARRED" in system,
        "star": mail.star if "STARRED" in system else None,
        "important": "IMPORTANT" in system,
    }


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
