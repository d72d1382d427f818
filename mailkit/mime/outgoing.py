"""What somebody wants to send, before it is bytes: plain values, checked when they are made. Pure.

Responsible for what a caller hands in: recipients in any usual form, texts, files, headers. Builds no bytes, opens no
file and decides no address; ``build`` and ``addressing`` do.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import BinaryIO, Protocol, TypeAlias

import attrs

from mailkit.errors import InvalidMessage
from mailkit.mime.header_text import is_one_line, one_line_text
from mailkit.mime.recipients import Recipients, read_recipients
from mailkit.values import Address, Ref, is_ref_text

__all__ = [
    "FileContent",
    "Files",
    "Headers",
    "OutgoingFile",
    "OutgoingMessage",
    "Recipients",
    "WithRef",
    "read_content_id",
    "read_content_type",
    "read_files",
]

FileContent: TypeAlias = bytes | str | os.PathLike[str] | BinaryIO | Ref
"""Where a file comes from: its bytes, its path, an open binary stream, or the ref of an attachment in a mailbox."""

Headers: TypeAlias = Mapping[str, str] | Sequence[tuple[str, str]]

_WORD = r"[A-Za-z0-9!#$&^_.+-]{1,127}"
_CONTENT_TYPE = re.compile(rf"{_WORD}/{_WORD}(?:\s*;\s*{_WORD}=(?:{_WORD}|\"[ !#-\[\]-~]*\"))*")
_CONTENT_ID = re.compile(r"[!#-;=?-~]{1,200}")
_HEADER_NAME = re.compile(r"X-[A-Za-z0-9-]{1,70}", re.IGNORECASE)
_OWN = "x-mailkit-"
_LONGEST_TYPE = 250
_LONGEST_VALUE = 900  # bytes: with its name below the 998 of a line


def read_content_type(value: object) -> str | None:
    """Give a content type that can be written into a mail; None where it is none."""
    if not isinstance(value, str) or len(value) > _LONGEST_TYPE or not _CONTENT_TYPE.fullmatch(value):
        return None
    return value if is_one_line(value) else None


def read_content_id(value: object) -> str | None:
    """Give a content id that can be written into a mail; None where it is none."""
    return value if isinstance(value, str) and _CONTENT_ID.fullmatch(value) and is_one_line(value) else None


def _content(value: FileContent | bytearray | memoryview) -> FileContent:
    return bytes(value) if isinstance(value, bytearray | memoryview) else value  # what may change is taken as it is now


@attrs.frozen(kw_only=True, repr=False)
class OutgoingFile:
    """A file to go with a message.

    ``name`` and ``content_type`` are guessed from a path or taken from the attachment where they are left out; bytes
    and streams need a ``name``, or go as ``attachment``. With a ``content_id`` (without ``<>``) the file is part of the
    HTML, which shows it as ``<img src="cid:…">``.

    Raises:
        InvalidMessage: a value is not what it must be.
    """

    content: FileContent = attrs.field(converter=_content)
    name: str | None = attrs.field(default=None)
    content_type: str | None = attrs.field(default=None)
    content_id: str | None = attrs.field(default=None)

    @content.validator
    def _content_can_be_a_file(self, _field: object, value: object) -> None:
        if isinstance(value, Ref) and value.kind != "attachment":
            raise InvalidMessage(f"a file can be the ref of an attachment, not of a {value.kind}", code="bad_file")
        if not (isinstance(value, bytes | str | os.PathLike | Ref) or hasattr(value, "read")) or value == "":
            raise InvalidMessage(
                "a file must be bytes, a path, an open binary file or the ref of an attachment, not "
                f"{'an empty path' if value == '' else type(value).__name__}",
                code="bad_file",
            )

    @name.validator
    def _name_says_something(self, _field: object, name: object) -> None:
        if name is not None and not one_line_text(name, "the name of a file").strip():
            raise InvalidMessage("the name of a file must say something, or be left out", code="bad_file")

    @content_type.validator
    def _content_type_is_one(self, _field: object, value: object) -> None:
        if value is not None and read_content_type(value) is None:
            raise InvalidMessage("the content type of a file must be one, as in application/pdf", code="bad_file")

    @content_id.validator
    def _content_id_is_a_word(self, _field: object, value: object) -> None:
        if value is not None and read_content_id(value) is None:
            raise InvalidMessage(
                'a content id must be one word without <> and quotes, as in "logo" for <img src="cid:logo">',
                code="bad_file",
            )


class WithRef(Protocol):
    """A row that knows the ref of what it describes: that of an attachment stands for the attachment."""

    @property
    def ref(self) -> Ref:
        """The ref."""
        ...


_OneFile: TypeAlias = OutgoingFile | FileContent | bytearray | memoryview | WithRef
Files: TypeAlias = _OneFile | Iterable[_OneFile]


def read_files(value: Files) -> tuple[OutgoingFile, ...]:
    """Read what was passed as files: an ``OutgoingFile``, a path, bytes, a stream, an attachment or its ref, or a list.

    Raises:
        InvalidMessage: one of them can be no file.
    """
    if isinstance(value, OutgoingFile | bytes | bytearray | memoryview | str | os.PathLike | Ref):
        return (_file(value),)
    if hasattr(value, "read") or hasattr(value, "ref"):
        return (_file(value),)
    if isinstance(value, Mapping) or not isinstance(value, Iterable):
        raise InvalidMessage(
            f"files must be a list of files, not {type(value).__name__}; OutgoingFile gives one its name",
            code="bad_file",
        )
    return tuple(map(_file, value))


def _file(value: object) -> OutgoingFile:
    if isinstance(value, OutgoingFile):
        return value
    if isinstance(value, str) and is_ref_text(value):
        value = Ref.parse(value)
    return OutgoingFile(content=getattr(value, "ref", value))  # type: ignore[arg-type]  # the validator looks at it


def _to(value: Recipients) -> tuple[Address, ...]:
    return read_recipients(value, "to")


def _cc(value: Recipients) -> tuple[Address, ...]:
    return read_recipients(value, "cc")


def _bcc(value: Recipients) -> tuple[Address, ...]:
    return read_recipients(value, "bcc")


def _reply_to(value: Recipients) -> tuple[Address, ...]:
    return read_recipients(value, "reply_to")


def _subject(value: str) -> str:
    return one_line_text(value, "the subject")


def _sender(value: Recipients | None) -> Address | None:
    if value is None:
        return None
    found = read_recipients(value, "from_")
    if len(found) != 1:
        raise InvalidMessage("from_ must be exactly one of the account's own addresses", code="bad_sender")
    return found[0]


def _headers(value: Headers) -> tuple[tuple[str, str], ...]:
    given: object = value.items() if isinstance(value, Mapping) else value
    if not isinstance(given, Iterable):
        raise InvalidMessage("headers must be a mapping or pairs of names and values", code="bad_header")
    return tuple(map(_header, given))


def _header(pair: object) -> tuple[str, str]:
    match pair:
        case (str() as name, str() as text) if _HEADER_NAME.fullmatch(name) and not name.lower().startswith(_OWN):
            if len(one_line_text(text, "the value of a header").encode()) <= _LONGEST_VALUE and text.strip():
                return name, text
            raise InvalidMessage(f"the value of a header must have 1 to {_LONGEST_VALUE} bytes", code="bad_header")
        case (str(), str()):
            raise InvalidMessage(
                "a header of one's own must be named X-…; recipients, subject and Reply-To have their own parameters",
                code="bad_header",
            )
    raise InvalidMessage("headers must be a mapping or pairs of names and values", code="bad_header")


def _text(value: str | None) -> str | None:
    if value is None:
        return None
    given: object = value
    if not isinstance(given, str):
        raise InvalidMessage(f"a text must be text, not {type(given).__name__}", code="bad_text")
    if "\0" in given:
        raise InvalidMessage("a text holds a NUL, which no mail may (RFC 5322)", code="bad_text")
    try:
        given.encode()
    except UnicodeEncodeError:
        raise InvalidMessage("a text holds half a character; pass text that is whole", code="bad_text") from None
    return given


@attrs.frozen(kw_only=True, repr=False)
class OutgoingMessage:
    """A message as its author means it: recipients, subject, texts, files.

    Recipients may be passed as an ``Address``, as text with one or several addresses, or as a list. With ``text`` and
    ``html`` both are sent; ``markdown`` stands for both and excludes them. ``headers`` are ``X-…`` headers. ``from_``
    is one of the account's own addresses; without it the account's main one.

    Raises:
        InvalidMessage: something cannot go into a mail; ``code`` is ``bad_recipient``, ``smtputf8``, ``bad_sender``,
            ``bad_header``, ``header_injection``, ``bad_text`` or ``bad_file``.
    """

    to: tuple[Address, ...] = attrs.field(default=(), converter=_to)
    cc: tuple[Address, ...] = attrs.field(default=(), converter=_cc)
    bcc: tuple[Address, ...] = attrs.field(default=(), converter=_bcc)
    subject: str = attrs.field(default="", converter=_subject)
    text: str | None = attrs.field(default=None, converter=_text)
    html: str | None = attrs.field(default=None, converter=_text)
    markdown: str | None = attrs.field(default=None, converter=_text)
    files: tuple[OutgoingFile, ...] = attrs.field(default=(), converter=read_files)
    reply_to: tuple[Address, ...] = attrs.field(default=(), converter=_reply_to)
    headers: tuple[tuple[str, str], ...] = attrs.field(default=(), converter=_headers)
    from_: Address | None = attrs.field(default=None, converter=_sender)

    def __attrs_post_init__(self) -> None:
        if self.markdown is not None and (self.text is not None or self.html is not None):
            raise InvalidMessage("markdown stands for text and html; pass it alone", code="bad_text")

    @property
    def recipients(self) -> tuple[Address, ...]:
        """Everybody who gets it: To, Cc, then Bcc."""
        return (*self.to, *self.cc, *self.bcc)
