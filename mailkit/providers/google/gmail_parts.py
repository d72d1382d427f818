"""Gmail's tree of message parts → the body and the attachments. Pure.

Looks at structure only, so it works on any depth. A part is the text of the mail, or it is an attachment: none is lost.
Attachments are named by ``partId``, since attachment ids are new at every get.
https://developers.google.com/workspace/gmail/api/reference/rest/v1/users.messages#messagepart
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from urllib.parse import unquote

import attrs

from mailkit.mime.charsets import decode_text
from mailkit.mime.headers import decode_words
from mailkit.mime.html import html_to_text
from mailkit.models.body import Body
from mailkit.mime.late_text import MaybeText, read_text
from mailkit.models.mail import Attachment
from mailkit.providers.google import base64url
from mailkit.providers.wire import Wire, as_object, get_list, get_number, get_object, get_objects, get_text
from mailkit.values import Ref

_CHARSET = re.compile(r"charset\s*=\s*[\"']?([^\s;\"']{1,64})", re.IGNORECASE)
_NO_HEADER = ("",)
_NO_TEXT = (None,)
_ESC = b"\x1b"


@attrs.frozen(kw_only=True, repr=False)  # a repr would show mail
class Part:
    """One leaf of the tree.

    ``version_of`` is the path of the outermost multipart/alternative around it, or its own path: leaves of the same one
    say the same thing in several forms. ``disposition`` is ``attachment``, ``inline`` or empty. ``body`` is the
    provider's own object.
    """

    id: str
    path: str
    version_of: str
    content_type: str
    name: str
    headers: Mapping[str, Sequence[str]]
    disposition: str
    size: int | None
    attachment_id: str
    body: Wire

    def header(self, name: str) -> str:
        """Give the first header of that lower-case name, as mail programs read them; empty where there is none."""
        return self.headers.get(name, _NO_HEADER)[0]

    @property
    def is_text(self) -> bool:
        """Whether the leaf is what the mail says, not something that hangs on it."""
        return self.content_type in {"text/plain", "text/html"} and not self.name and self.disposition != "attachment"

    @property
    def is_detached(self) -> bool:
        """Whether the bytes have to be asked for by attachment id; long texts are among these."""
        return bool(self.attachment_id) and not self.body.get("data")

    @property
    def is_withheld(self) -> bool:
        """Whether there are bytes, but neither here nor behind an attachment id."""
        has_bytes = bool(self.size) or self.content_type == "message/rfc822"
        return has_bytes and not self.attachment_id and not self.body.get("data")

    def data(self) -> bytes:
        """Give the bytes that came along.

        Raises:
            BadPayload: they are no base64url.
        """
        path = f"{self.path}.body"
        return base64url.decode(get_text(self.body, "data", path), f"{path}.data")

    def text(self, data: bytes | None) -> MaybeText:
        """Give the part's text: ``data`` where it was detached, else what came along, to be decoded when asked for.

        Raises:
            BadPayload: what came along is no base64url.
        """
        found = _CHARSET.search(self.header("content-type"))
        charset = found[1] if found else None
        if data is not None:
            return _as_text(data, charset)
        path = f"{self.path}.body"
        encoded = get_text(self.body, "data", path)
        base64url.check(encoded, f"{path}.data")
        return _EncodedText(encoded, charset)


@attrs.frozen(repr=False)  # a repr would show mail
class _EncodedText:
    """A text as Gmail gives it: checked base64url, and the charset that the sender names."""

    data: str
    charset: str | None

    def read(self) -> str:
        return _as_text(base64url.decode(self.data, "$"), self.charset)


def _as_text(data: bytes, charset: str | None) -> str:
    # Gmail gives text as UTF-8 and leaves the sender's charset in the header. Bytes that are UTF-8 are read as such,
    # whatever they are called; only the escapes of ISO-2022 could be both.
    if _ESC not in data:
        try:
            return data.decode()
        except UnicodeDecodeError:
            pass
    return decode_text(data, charset)


def read_headers(part: Wire, path: str) -> tuple[tuple[str, str], ...]:
    """Read the headers of a part, in order.

    Raises:
        BadPayload: one is no pair of texts.
    """
    return tuple([_header(header, path, at) for at, header in enumerate(get_list(part, "headers", path))])


def _header(header: object, path: str, at: int) -> tuple[str, str]:
    if isinstance(header, dict):
        name, value = header.get("name"), header.get("value")
        if isinstance(name, str) and isinstance(value, str):
            return name, value
    here = f"{path}.headers[{at}]"
    wire = as_object(header, here)
    return get_text(wire, "name", here), get_text(wire, "value", here)


def by_name(headers: Sequence[tuple[str, str]]) -> dict[str, list[str]]:
    """Give the values of headers by lower-case name, each name's in order."""
    values: dict[str, list[str]] = {}
    for name, value in headers:
        values.setdefault(name.lower(), []).append(value)
    return values


def leaves(payload: Wire, path: str) -> Iterator[Part]:
    """Give the leaves in the order of the mail. An attached message is one leaf: what is inside it is its own affair.

    Raises:
        BadPayload: a member has another type than documented.
    """
    waiting: list[tuple[Wire, str, str, str | None]] = [(payload, path, "", None)]
    while waiting:
        part, here, position, version_of = waiting.pop()
        content_type = get_text(part, "mimeType", here).lower()
        children = get_list(part, "parts", here)
        is_multipart = content_type.startswith("multipart/")
        is_whole = is_multipart and not children and bool(get_object(part, "body", here).get("size"))
        if (is_multipart and not is_whole) or (children and not content_type):
            if content_type == "multipart/alternative":
                version_of = version_of or here
            below = f"{position}." if position else ""
            inner = get_objects(part, "parts", here)
            waiting.extend(
                (child, f"{here}.parts[{at}]", f"{below}{at}", version_of)
                for at, child in reversed([*enumerate(inner)])
            )
        elif part:  # Gmail leaves the payload out of what has none
            # A multipart that could not be taken apart (its boundary is missing, or never comes) is text, as a whole.
            yield _leaf(part, here, position, version_of or here, "text/plain" if is_whole else content_type)


def _leaf(part: Wire, path: str, position: str, version_of: str, content_type: str) -> Part:
    body = get_object(part, "body", path)
    headers = by_name(read_headers(part, path))
    return Part(
        id=get_text(part, "partId", path) or position,
        path=path,
        version_of=version_of,
        content_type=content_type or ("text/plain" if body.get("data") else "application/octet-stream"),
        name=decode_words(get_text(part, "filename", path)),
        headers=headers,
        disposition=headers.get("content-disposition", _NO_HEADER)[0].partition(";")[0].strip().lower(),
        size=get_number(body, "size", f"{path}.body"),
        attachment_id=get_text(body, "attachmentId", f"{path}.body"),
        body=body,
    )


def body_of(parts: Sequence[Part], snippet: str, fetched: Mapping[str, bytes] = MappingProxyType({})) -> Body:
    """Put the text together; ``fetched`` holds texts that were detached, by part id.

    Where a mail has several texts after one another (a list's footer, text around a picture), one that comes in one
    form only is turned into the other where that form is needed, so that neither the plain text nor the HTML misses it.

    Raises:
        BadPayload: a text is no base64url.
    """
    said: dict[str, dict[str, list[MaybeText]]] = {}
    for part in parts:
        if part.is_text and (part.id in fetched or not part.is_detached):
            forms = said.setdefault(part.version_of, {})
            forms.setdefault(part.content_type, []).append(part.text(fetched.get(part.id)))
    if len(said) == 1 and all(len(texts) == 1 for forms in said.values() for texts in forms.values()):
        (forms,) = said.values()
        return Body(
            plain=forms.get("text/plain", _NO_TEXT)[0], html=forms.get("text/html", _NO_TEXT)[0], snippet=snippet
        )
    plains = {key: _joined(forms["text/plain"]) for key, forms in said.items() if "text/plain" in forms}
    htmls = {key: _joined(forms["text/html"]) for key, forms in said.items() if "text/html" in forms}
    return Body(
        plain="\n".join(plains[key] if key in plains else html_to_text(htmls[key]) for key in said) if plains else None,
        html="\n".join(htmls[key] if key in htmls else _as_html(plains[key]) for key in said) if htmls else None,
        snippet=snippet,
    )


def _joined(texts: Sequence[MaybeText]) -> str:
    return "\n".join(read_text(text) or "" for text in texts)


def _as_html(text: str) -> str:
    return f"<pre>{html.escape(text)}</pre>"


def attachments_of(parts: Sequence[Part], body: Body, *, account: str, message_id: str) -> tuple[Attachment, ...]:
    """Give every leaf that is no text of the mail, in order."""
    named = any("content-id" in part.headers for part in parts if not part.is_text)
    shown = unquote(body.html or "").lower() if named else ""
    return tuple(
        Attachment(
            ref=Ref(account=account, kind="attachment", id=message_id, part=part.id),
            name=part.name,
            content_type=part.content_type,
            size=part.size,
            inline=_is_inline(part, content_id, shown),
            content_id=content_id or None,
        )
        for part in parts
        if not part.is_text
        for content_id in (part.header("content-id").strip().strip("<>"),)
    )


def _is_inline(part: Part, content_id: str, shown: str) -> bool:
    # Gmail gives every attachment a Content-ID, so one alone says nothing: the HTML must use it, or the sender say so.
    return bool(content_id) and (part.disposition == "inline" or f"cid:{content_id.lower()}" in shown)
