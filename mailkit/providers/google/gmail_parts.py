"""Gmail's tree of message parts → the body and the attachments. Pure.

Knows how Gmail writes parts; which of them are the text stands in ``mime.structure``. Attachments are named by
``partId``, since attachment ids are new at every get.
https://developers.google.com/workspace/gmail/api/reference/rest/v1/users.messages#messagepart
"""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

import attrs

from mailkit.mime import uuencode
from mailkit.mime.fields import by_name
from mailkit.mime.headers import decode_words
from mailkit.mime.late_text import MaybeText
from mailkit.mime.structure import Leaf, TextForm, file_name, put_together, shown_in, walk
from mailkit.models.body import Body
from mailkit.models.mail import Attachment
from mailkit.providers.google import base64url
from mailkit.providers.wire import Wire, as_object, get_list, get_number, get_object, get_objects, get_text
from mailkit.values import Ref

_ESC = b"\x1b"
_Node = tuple[Wire, str, str]  # the part, its path in the JSON, and its place in the tree: "0.1"


@attrs.frozen(kw_only=True, repr=False)  # a repr would show mail
class Part(Leaf):
    """One leaf of the tree; ``body`` is Gmail's own object."""

    id: str
    path: str
    size: int | None
    attachment_id: str
    body: Wire

    @property
    def is_detached(self) -> bool:
        """Whether the bytes have to be asked for by attachment id; long texts are among these."""
        return bool(self.attachment_id) and not self.body.get("data")

    @property
    def is_withheld(self) -> bool:
        """Whether there are bytes, but neither here nor behind an attachment id."""
        return (bool(self.size) or self.is_message) and not self.attachment_id and not self.body.get("data")

    def data(self) -> bytes:
        """Give the bytes that came along.

        Raises:
            BadPayload: they are no base64url.
        """
        return base64url.decode(self._encoded(), f"{self.path}.body.data")

    def text(self, data: bytes | None) -> MaybeText:
        """Give the part's text: ``data`` where it was detached, else what came along, to be decoded when asked for.

        Raises:
            BadPayload: what came along is no base64url.
        """
        if data is not None:
            return _as_text(data, self.form)
        encoded = self._encoded()
        base64url.check(encoded, f"{self.path}.body.data")
        return _EncodedText(encoded, self.form)

    def _encoded(self) -> str:
        return get_text(self.body, "data", f"{self.path}.body")


@attrs.frozen(repr=False)  # a repr would show mail
class _EncodedText:
    """A text as Gmail gives it: checked base64url, and how the sender says it is written."""

    data: str
    form: TextForm

    def read(self) -> str:
        return _as_text(base64url.decode(self.data, "$"), self.form)


def _as_text(data: bytes, form: TextForm) -> str:
    # Gmail gives text as UTF-8 and leaves the sender's charset in the header. Bytes that are UTF-8 are read as such,
    # whatever they are called; only the escapes of ISO-2022 could be both.
    return form.read(data, charset=None if _ESC in data or not _is_utf8(data) else "utf-8")


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def read_headers(part: Wire, path: str) -> tuple[tuple[str, str], ...]:
    """Read the headers of a part, in order.

    Raises:
        BadPayload: one is no pair of texts.
    """
    headers = get_list(part, "headers", path)
    pairs = [
        (name, value)
        for header in headers
        if isinstance(header, dict)
        and isinstance(name := header.get("name", ""), str)
        and isinstance(value := header.get("value", ""), str)
    ]
    return tuple(pairs if len(pairs) == len(headers) else [_header(*each, path) for each in enumerate(headers)])


def _header(at: int, header: object, path: str) -> tuple[str, str]:
    """Read one of a list of which not all are as they should be."""
    here = f"{path}.headers[{at}]"
    wire = as_object(header, here)
    return get_text(wire, "name", here), get_text(wire, "value", here)


def leaves(payload: Wire, path: str) -> Iterator[Part]:
    """Give the leaves in the order of the mail. An attached message is one leaf: what is inside it is its own affair.

    Raises:
        BadPayload: a member has another type than documented.
    """
    for (part, here, position), content_type, version_of in walk((payload, path, ""), _look):
        if part:  # Gmail leaves the payload out of what has none
            leaf = _leaf(part, here, position, version_of, content_type)
            yield from _taken_apart(leaf) if _may_hold_files(leaf) else (leaf,)


def _look(node: _Node) -> tuple[str, Sequence[_Node], bool]:
    part, path, position = node
    content_type = get_text(part, "mimeType", path).lower()
    is_multipart = content_type.startswith("multipart/")
    below = f"{position}." if position else ""
    children = [
        (child, f"{path}.parts[{at}]", f"{below}{at}")
        # An attached message has its own parts within it here; they are not this mail's.
        for at, child in enumerate(get_objects(part, "parts", path) if is_multipart or not content_type else ())
    ]
    has_content = bool(is_multipart and get_object(part, "body", path).get("size"))
    return content_type or ("multipart/mixed" if children else ""), children, has_content


def _leaf(part: Wire, path: str, position: str, version_of: int, content_type: str) -> Part:
    body = get_object(part, "body", path)
    headers = by_name(read_headers(part, path))
    name = decode_words(get_text(part, "filename", path)) or file_name(content_type, headers)
    return Part(
        id=get_text(part, "partId", path) or position,
        path=path,
        version_of=version_of,
        content_type=content_type or ("text/plain" if body.get("data") else "application/octet-stream"),
        name=name,
        headers=headers,
        size=get_number(body, "size", f"{path}.body"),
        attachment_id=get_text(body, "attachmentId", f"{path}.body"),
        body=body,
    )


def _may_hold_files(part: Part) -> bool:
    data = part.body.get("data") if part.content_type == "text/plain" else None
    return isinstance(data, str) and uuencode.may_hold_files(data) and part.is_text


def _taken_apart(part: Part) -> Iterator[Part]:
    """Give a text and the files that were written into it, which Gmail does not list: each is a part of our own."""
    found = uuencode.split(part.data())
    if not found.files:
        yield part
        return
    yield attrs.evolve(part, size=len(found.text), body=_body(found.text))
    for at, file in enumerate(found.files):
        yield attrs.evolve(
            part,
            id=f"{part.id}/{at}",
            content_type="application/octet-stream",
            name=file.name,
            headers={},
            size=len(file.content),
            body=_body(file.content),
        )


def _body(data: bytes) -> Wire:
    return {"data": base64.urlsafe_b64encode(data).decode()}


def body_of(parts: Sequence[Part], snippet: str, fetched: Mapping[str, bytes] = MappingProxyType({})) -> Body:
    """Put the text together; ``fetched`` holds texts that were detached, by part id.

    Raises:
        BadPayload: a text is no base64url.
    """
    plain, html = put_together(
        (part, part.text(fetched.get(part.id)))
        for part in parts
        if part.is_text and (part.id in fetched or not part.is_detached)
    )
    return Body(plain=plain, html=html, snippet=snippet)


def attachments_of(parts: Sequence[Part], body: Body, *, account: str, message_id: str) -> tuple[Attachment, ...]:
    """Give every leaf that is no text of the mail, in order."""
    hanging = [part for part in parts if not part.is_text]
    shown = shown_in(body.html) if any(part.content_id for part in hanging) else ""
    return tuple(
        Attachment(
            ref=Ref(account=account, kind="attachment", id=message_id, part=part.id),
            name=part.name,
            content_type=part.content_type,
            size=part.size,
            inline=part.is_inline(shown),
            content_id=part.content_id or None,
            kind="item" if part.is_message else "file",
            method=part.method,
        )
        for part in hanging
    )
