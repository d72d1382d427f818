"""Mail as plain records: summaries, whole messages, threads, attachments, labels.

One shape for both providers. What a provider leaves out is None or empty, never an error; instants are aware UTC
datetimes; text is as the sender wrote it and must be treated as untrusted.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Literal, TypeAlias

import attrs

from mailkit.mime.lists import is_bulk
from mailkit.models.body import Body
from mailkit.models.mailing_list import ListUnsubscribe, list_unsubscribe_of
from mailkit.models.records import Record
from mailkit.values import Address, Ref

FolderRole: TypeAlias = Literal["inbox", "sent", "drafts", "trash", "spam", "archive", "outbox", "other"]
LabelKind: TypeAlias = Literal["system", "label", "folder", "category"]
AttachmentKind: TypeAlias = Literal["file", "item", "link"]


def _shortened(text: str, width: int = 32) -> str:
    return text if len(text) <= width else f"{text[: width - 1]}…"


@attrs.frozen(kw_only=True, repr=False)
class MessageSummary(Record):
    """One row of a list: who, what, when, where, and in which state.

    ``date`` is the received instant (Gmail ``internalDate``, Graph ``receivedDateTime``) and what lists are ordered
    by; ``sent_at`` is the sender's own claim. ``folder`` is the well-known place, ``folder_path`` and ``folder_id``
    the user's own folder where there is one. ``labels`` are the names of the user's labels, categories and own folder.
    ``has_attachments`` is None where a summary cannot know (Gmail), ``size`` is in bytes. ``raw`` is the provider's
    own JSON, where it was asked for.
    """

    ref: Ref
    thread: Ref
    message_id: str | None = None
    from_: Address | None = None
    to: tuple[Address, ...] = ()
    cc: tuple[Address, ...] = ()
    bcc: tuple[Address, ...] = ()
    subject: str = ""
    snippet: str = ""
    date: dt.datetime
    sent_at: dt.datetime | None = None
    folder: FolderRole = "other"
    folder_path: str | None = None
    folder_id: str | None = None
    labels: tuple[str, ...] = ()
    is_read: bool = True
    is_starred: bool = False
    is_important: bool = False
    is_draft: bool = False
    has_attachments: bool | None = None
    size: int | None = None
    raw: Mapping[str, object] | None = attrs.field(default=None, eq=False)

    @property
    def account(self) -> str:
        """The name of the account the message lies in."""
        return self.ref.account

    def __repr__(self) -> str:
        sender = (self.from_.name or self.from_.address) if self.from_ else "nobody"
        when = self.date.strftime("%Y-%m-%d %H:%M")
        return f"<{type(self).__name__} {self.account} {when} {_shortened(sender)!r} {_shortened(self.subject)!r}>"


@attrs.frozen(kw_only=True)
class Attachment(Record):
    """What hangs on a message: a file, another message or Outlook item, or a link to a file kept elsewhere.

    ``size`` is in bytes as the provider states it. ``inline`` parts belong to the HTML body, which names them by
    ``content_id`` (without ``<>``). ``name`` comes from the sender: never use it as a path as it is. ``url`` is where
    a link leads, where the provider tells (Graph v1.0 does not). ``method`` is what an invitation asks for
    (``REQUEST``, ``REPLY`` …), None for all else.
    """

    ref: Ref
    name: str = ""
    content_type: str = "application/octet-stream"
    size: int | None = None
    inline: bool = False
    content_id: str | None = None
    kind: AttachmentKind = "file"
    url: str | None = None
    method: str | None = None

    @property
    def account(self) -> str:
        """The name of the account the attachment lies in."""
        return self.ref.account


@attrs.frozen(kw_only=True, repr=False)
class Message(MessageSummary):
    """A whole message: the summary, all headers in order, the body and what hangs on it."""

    reply_to: tuple[Address, ...] = ()
    in_reply_to: str | None = None
    references: tuple[str, ...] = ()
    headers: tuple[tuple[str, str], ...] = ()
    body: Body = attrs.field(factory=Body)
    attachments: tuple[Attachment, ...] = ()

    def header(self, name: str) -> str | None:
        """Give the first header of that name (any case), or None."""
        wanted = name.lower()
        return next((value for key, value in self.headers if key.lower() == wanted), None)

    @property
    def is_bulk(self) -> bool:
        """Whether it says of itself that it went to many: a list, a newsletter, a mailing."""
        return is_bulk(self.headers)

    @property
    def list_unsubscribe(self) -> ListUnsubscribe | None:
        """The ways off the list it came over, None where it names none; ``mail.unsubscribe`` takes the short one."""
        return list_unsubscribe_of(self.headers)


@attrs.frozen(kw_only=True, repr=False)
class Thread(Record):
    """A conversation as its provider groups it, oldest message first."""

    ref: Ref
    messages: tuple[Message, ...] = ()

    @property
    def account(self) -> str:
        """The name of the account the thread lies in."""
        return self.ref.account

    @property
    def subject(self) -> str:
        """The subject of the first message."""
        return self.messages[0].subject if self.messages else ""

    def __repr__(self) -> str:
        return f"<Thread {self.account} {len(self.messages)} messages {_shortened(self.subject)!r}>"


@attrs.frozen(kw_only=True)
class Label(Record):
    """One node of an account's tree of places and marks.

    ``kind`` tells a provider's own place or mark (system) from a Gmail label, an Outlook folder and an Outlook
    category; ``role`` is the well-known place it plays. ``path`` is the name from the root, parts joined by ``/``;
    ``parent`` is the node it hangs under. Counts are None where the provider does not tell.
    """

    ref: Ref
    name: str
    path: str
    kind: LabelKind
    role: FolderRole | None = None
    parent: Ref | None = None
    total: int | None = None
    unread: int | None = None

    @property
    def account(self) -> str:
        """The name of the account the label lies in."""
        return self.ref.account
