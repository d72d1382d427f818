"""A neutral message as a seed of a sandbox mailbox of either provider."""

from __future__ import annotations

from mailkit.query import Candidate
from mailkit.sandbox import File, Mail, Person
from mailkit.values import Address

OWN_FOLDER = "Own/Folder"


def seed(mail: Candidate) -> Mail:
    """Give the same mail; one that lies in no built-in folder lies in ``OWN_FOLDER``, which Gmail has only as a label.

    What the provider cannot hold (Outlook: Gmail's marks) is left out by its sandbox.
    """
    return Mail(
        id=mail.id,
        date=mail.date,
        message_id=mail.message_id,
        from_=_person(mail.from_) if mail.from_ else None,
        to=map(_person, mail.to),
        cc=map(_person, mail.cc),
        bcc=map(_person, mail.bcc),
        delivered_to=mail.delivered_to,
        subject=mail.subject,
        text=mail.body,
        size=mail.size,
        folder=OWN_FOLDER if mail.folder == "other" else mail.folder,
        labels=mail.labels,
        category=mail.category,
        read=mail.read,
        starred=mail.starred,
        star=mail.star,
        important=mail.important,
        muted=mail.muted,
        snoozed=mail.snoozed,
        chat=mail.chat,
        files=[File(name=file.name, inline=file.inline, content=b"x") for file in mail.attachments],
        list_id=mail.list_id,
    )


def _person(who: Address) -> Person:
    return Person(name=who.name, address=who.address)
