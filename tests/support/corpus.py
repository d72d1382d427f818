"""The corpus of the query cases as seeds of a sandbox mailbox, for Gmail and for Outlook; see ``cases``."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from functools import cache
from typing import Any

import attrs

from mailkit.sandbox import File, Mail, Person
from tests.support.cases import shared_json


@attrs.frozen
class Corpus:
    """One mailbox's mail, its owner's addresses (the primary one first) and the moment its queries are asked."""

    now: dt.datetime
    me: tuple[str, ...]
    mails: tuple[Mail, ...]


@cache
def corpus() -> Corpus:
    """Read the corpus; its seeds keep the ids of the cases."""
    data = shared_json("corpus.json")
    return Corpus(dt.datetime.fromisoformat(data["now"]), tuple(data["me"]), tuple(map(seed_of, data["messages"])))


def seed_of(message: Mapping[str, Any]) -> Mail:
    """Turn a neutral message into a seed."""
    flags = message["flags"]
    return Mail(
        id=message["id"],
        thread=message["thread_id"],
        message_id=message["message_id"],
        from_=_person(message["from"]) if message["from"] else None,
        to=map(_person, message["to"]),
        cc=map(_person, message["cc"]),
        bcc=map(_person, message["bcc"]),
        delivered_to=message["delivered_to"],
        subject=message["subject"],
        text=message["body"],
        date=dt.datetime.fromisoformat(message["date"]),
        size=message["size"],
        folder=_folder(message),
        labels=[label for label in message["labels"] if label != message["folder_path"]],
        category=message["category"],
        files=[File(name=file["name"], content=b"seed", inline=file["inline"]) for file in message["attachments"]],
        list_id=message["list_id"],
        **flags,
    )


def _person(value: Mapping[str, str]) -> Person:
    return Person(value["name"], value["address"])


def _folder(message: Mapping[str, Any]) -> str:
    path: str | None = message["folder_path"]
    if path is None:
        return "archive" if message["folder"] == "other" else str(message["folder"])
    return path.replace("Deleted Items/", "trash/")
