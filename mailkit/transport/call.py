"""One request before it is sent, and the answer to it.

Responsible for what the drivers say (``Call``) and get back (``Answer``). Never knows tokens, hosts or pacing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from enum import Enum
from typing import Final, Literal

import attrs

from mailkit.errors import BadPayload, UsageError

__all__ = ["Answer", "Call"]

_HEADER_TEXT = re.compile(r"[\x20-\x7e\t]*")

_MAY_BE_HALF = re.compile(r"\\u[dD][89a-fA-F]")  # JSON allows half a surrogate pair, escaped: RFC 8259, 8.2
_HALF = re.compile("[\ud800-\udfff]")


class _Unread(Enum):
    """The value of an answer that nobody has read as JSON yet."""

    UNREAD = "unread"


UNREAD: Final = _Unread.UNREAD


def _is_on_one_line(_call: object, _field: object, headers: tuple[tuple[str, str], ...]) -> None:
    # Inside a multipart batch a header is text between line ends: one of its own would start another header.
    if not all(_HEADER_TEXT.fullmatch(part) for pair in headers for part in pair):
        raise UsageError("header names and values must be printable ASCII on one line", code="bad_header")


@attrs.frozen(kw_only=True)
class Call:
    """One request, before token and pacing.

    ``operation`` is the verb as the caller knows it (``mail.search``) and goes into errors. ``url`` is a path below the
    session's base URL (``/me/messages``, its segments already quoted, see ``url.segment``) or an absolute link below
    it; ``query`` is percent-encoded, spaces as ``%20``. The body is ``json``, or ``content`` with its type among the
    headers. ``units`` is the cost in the provider's quota units. ``repeat`` says that sending it again does no harm
    when the outcome of the first time is unknown. ``answers`` are statuses that are answers beside those of 2xx.
    ``done`` is the one by which the provider says that something was done, where it says nothing else: any other of 2xx
    is somebody's on the way. A ``presigned`` URL bears its own permission: it may lead to any https host, and no token
    goes there.

    An answer to a call that expects JSON is read before it is handed over, so that a cut or foreign body is never taken
    for an empty result. A call whose answer has no body to speak of expects bytes.

    Raises:
        UsageError: a header holds a line end, or is not ASCII.
    """

    operation: str
    method: str = "GET"
    url: str = attrs.field(repr=False)
    query: tuple[tuple[str, str], ...] = attrs.field(default=(), repr=False)
    headers: tuple[tuple[str, str], ...] = attrs.field(default=(), validator=_is_on_one_line, repr=False)
    json: object | None = attrs.field(default=None, repr=False)
    content: bytes = attrs.field(default=b"", repr=False)
    expects: Literal["json", "bytes"] = "json"
    units: int = 1
    repeat: bool = True
    answers: tuple[int, ...] = ()
    done: int | None = None
    presigned: bool = False

    @property
    def body(self) -> bytes:
        """The body as it is sent."""
        return self.content if self.json is None else json.dumps(self.json, separators=(",", ":")).encode()

    @property
    def body_headers(self) -> tuple[tuple[str, str], ...]:
        """The headers, and the type of a JSON body."""
        return self.headers if self.json is None else (("Content-Type", "application/json"), *self.headers)


@attrs.frozen(kw_only=True)
class Answer:
    """What came back: status, headers (names in lower case), body.

    ``value`` is the body read as JSON, once somebody has; ``content`` of a part of a JSON batch is empty then.
    """

    status: int
    headers: Mapping[str, str] = attrs.field(factory=dict, repr=False)
    content: bytes = attrs.field(default=b"", repr=False)
    request_id: str | None = None
    value: object = attrs.field(default=UNREAD, repr=False)

    def json(self) -> object:
        """Give the body as JSON; halves of surrogate pairs, which are no text, are U+FFFD in it.

        Raises:
            BadPayload: the body is not JSON, or was cut.
        """
        if self.value is not UNREAD:
            return self.value
        try:
            text = _decoded(self.content)
            value: object = json.loads(text)
            if _MAY_BE_HALF.search(text):
                value = _whole(value)
        except (ValueError, RecursionError):  # not JSON, not UTF-8, an endless number; nested beyond reason
            raise BadPayload(
                "the answer is no JSON, or was cut on its way; try again, and check for a proxy that changes answers",
                path="$",
                code="not_json",
                status=self.status,
                request_id=self.request_id,
            ) from None
        return value


def _decoded(content: bytes) -> str:
    try:
        text = content.decode()  # RFC 8259, 8.1: nothing but UTF-8
    except UnicodeDecodeError:
        text = _HALF.sub("\ufffd", content.decode(errors="surrogatepass"))
    return text.removeprefix("\ufeff")


def _whole(value: object) -> object:
    """Give a JSON value all of whose texts can be encoded."""
    if isinstance(value, str):
        return value if value.isascii() else _HALF.sub("\ufffd", value)
    if isinstance(value, list):
        return [_whole(each) for each in value]
    if isinstance(value, dict):
        return {_whole(name): _whole(each) for name, each in value.items()}
    return value
