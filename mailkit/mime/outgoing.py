"""What somebody wants to send, before it is bytes: plain values, checked when they are made.

Responsible for what a caller hands in: recipients in any usual form, texts, files, headers. Builds no bytes, opens no
file and decides no address; ``build`` and ``addressing`` do.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import BinaryIO, TypeAlias

import attrs

from mailkit.values import Address, Ref

__all__ = ["FileContent", "OutgoingFile", "OutgoingMessage", "Recipients"]

Recipients: TypeAlias = str | Address | Iterable[str | Address]
"""One or several recipients: an ``Address``, a text with one or several addresses, or a list of those."""

FileContent: TypeAlias = bytes | os.PathLike[str] | BinaryIO | Ref
"""Where a file comes from: its bytes, its path, an open binary stream, or the ref of an attachment in a mailbox."""


@attrs.frozen(kw_only=True, repr=False)
class OutgoingFile:
    """A file to go with a message.

    ``name`` and ``content_type`` are guessed from a path or taken from the attachment where they are left out. With a
    ``content_id`` (without ``<>``) the file is part of the HTML, which shows it as ``<img src="cid:…">``.
    """

    content: FileContent
    name: str | None = None
    content_type: str | None = None
    content_id: str | None = None


@attrs.frozen(kw_only=True, repr=False)
class OutgoingMessage:
    """A message as its author means it: recipients, subject, texts, files.

    ``markdown`` stands for both texts and excludes them. ``headers`` may hold ``X-…`` headers. ``from_`` is one of the
    account's own addresses; without it the account's main one.
    """

    to: tuple[Address, ...] = ()
    cc: tuple[Address, ...] = ()
    bcc: tuple[Address, ...] = ()
    subject: str = ""
    text: str | None = None
    html: str | None = None
    markdown: str | None = None
    files: tuple[OutgoingFile, ...] = ()
    reply_to: tuple[Address, ...] = ()
    headers: Mapping[str, str] | Sequence[tuple[str, str]] = ()
    from_: Address | None = None
