"""Message bytes (RFC 5322) to fields, texts and what hangs on them: the reader of raw mail.

Puts the tree and what is decided about its leaves together. Decodes no file before it is asked for. Never raises.
"""

from __future__ import annotations

from codecs import BOM_UTF8

import attrs

from mailkit.mime import uuencode
from mailkit.mime.fields import Fields, first
from mailkit.mime.late_text import MaybeText
from mailkit.mime.structure import Leaf, TextForm, file_name, put_together, walk
from mailkit.mime.transfer import EncodedBytes, encoding_name
from mailkit.mime.tree import Node, read_tree


@attrs.frozen(kw_only=True, repr=False)  # a repr would show mail
class RawLeaf(Leaf):
    """A leaf and its content."""

    content: EncodedBytes


@attrs.frozen(kw_only=True, repr=False)
class RawMessage:
    """What a message's bytes say: its own header, its texts, and the leaves that hang on it, in order."""

    fields: Fields
    plain: MaybeText
    html: MaybeText
    hanging: tuple[RawLeaf, ...]


def read_message(data: bytes) -> RawMessage:
    """Read a message; there is one in any bytes."""
    root = read_tree(data.removeprefix(BOM_UTF8))  # editors of Windows put it before what they save
    texts: list[tuple[Leaf, MaybeText]] = []
    hanging: list[RawLeaf] = []
    for node, content_type, version_of in walk(root, _look):
        leaf = _leaf(node, content_type, version_of)
        if not leaf.is_text:
            hanging.append(leaf)
            continue
        said = leaf.content.read()
        if content_type == "text/plain":
            found = uuencode.split(said)
            said = found.text
            hanging += [_written_in(file) for file in found.files]
        texts.append((leaf, _Text(said, leaf.form)))
    plain, html = put_together(texts)
    return RawMessage(fields=root.fields, plain=plain, html=html, hanging=tuple(hanging))


@attrs.frozen(repr=False)  # a repr would show mail
class _Text:
    """A text whose charset is still as it travelled."""

    data: bytes
    form: TextForm

    def read(self) -> str:
        return self.form.read(self.data)


def _look(node: Node) -> tuple[str, list[Node], bool]:
    return node.content_type, node.children, bool(node.content)


def _leaf(node: Node, content_type: str, version_of: int) -> RawLeaf:
    encoding = encoding_name(first(node.headers, "content-transfer-encoding"))
    return RawLeaf(
        version_of=version_of,
        content_type=content_type,
        headers=node.headers,
        name=file_name(content_type, node.headers),
        content=EncodedBytes(node.content, encoding),
    )


def _written_in(file: uuencode.File) -> RawLeaf:
    return RawLeaf(
        version_of=0,
        content_type="application/octet-stream",
        headers={},
        name=file.name,
        content=EncodedBytes(file.content, ""),
    )
