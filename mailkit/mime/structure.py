"""Which leaves of a mail are its text, and which hang on it: decided here alone, whoever brings the tree.

Looks at structure only, in one pass and without recursion, so it works on any depth. A leaf is the text of the mail, or
it is an attachment: none is lost. Asks nobody for anything and decodes no file.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar
from urllib.parse import unquote

import attrs

from mailkit.mime.charsets import decode_text
from mailkit.mime.fields import first
from mailkit.mime.flowed import unfold
from mailkit.mime.headers import one_line
from mailkit.mime.html import html_to_text
from mailkit.mime.late_text import MaybeText, read_text
from mailkit.mime.parameters import read_content_type, read_parameters

N = TypeVar("N")

_META_CHARSET = re.compile(rb"<meta\b[^>]{0,200}?charset\s*=\s*[\"']?([\w.:-]{1,64})", re.IGNORECASE)
_NAMES = (("content-disposition", "filename"), ("content-type", "name"))
_TEXTS = frozenset({"text/plain", "text/html"})
_MESSAGE = "message/rfc822"
ATTACHED_MESSAGE = "attachment.eml"
"""What an attached message is called where nobody gave it a name."""


@attrs.frozen(kw_only=True, repr=False)  # a repr would show mail
class Leaf:
    """A part that holds something.

    ``version_of`` tells the outermost multipart/alternative around it, or itself: leaves of the same one say the same
    thing in several forms. ``headers`` are its own, by lower-case name; ``name`` is that of the file, as ``file_name``
    gives it or as somebody else has read it.
    """

    version_of: int
    content_type: str
    headers: Mapping[str, Sequence[str]]
    name: str

    @property
    def content_id(self) -> str:
        """What HTML calls it by, without ``<>``."""
        return first(self.headers, "content-id").strip().strip("<>")

    @property
    def method(self) -> str | None:
        """What a calendar part asks for (RFC 5546), ``REQUEST`` or another."""
        if self.content_type != "text/calendar":
            return None
        return read_content_type(first(self.headers, "content-type"))[1].get("method") or None

    @property
    def is_message(self) -> bool:
        """Whether it is another mail."""
        return self.content_type == _MESSAGE

    @property
    def is_text(self) -> bool:
        """Whether it is what the mail says, not something that hangs on it."""
        return self.content_type in _TEXTS and not self.name and self.disposition != "attachment"

    @property
    def form(self) -> TextForm:
        """How its text is written."""
        return TextForm(self.content_type, first(self.headers, "content-type"))

    def is_inline(self, shown: str) -> bool:
        """Whether the HTML shows it; ``shown`` is what ``shown_in`` gives.

        Gmail gives every attachment a Content-ID, so one alone says nothing: the HTML uses it, or the sender says so.
        """
        content_id = self.content_id
        return bool(content_id) and (self.disposition == "inline" or f"cid:{content_id.lower()}" in shown)

    @property
    def disposition(self) -> str:
        """``attachment``, ``inline``, another word or none."""
        return first(self.headers, "content-disposition").partition(";")[0].strip().lower()


@attrs.frozen
class TextForm:
    """How a text is written, as its Content-Type tells: the charset, and whether its lines are folded (RFC 3676)."""

    content_type: str
    stated: str

    def read(self, data: bytes, *, charset: str | None = None) -> str:
        """Read the text that ``data`` is; ``charset`` is for who knows better than the sender."""
        parameters = read_content_type(self.stated)[1]
        charset = charset or parameters.get("charset")
        if self.content_type == "text/html":
            return decode_text(data, charset or _charset_within(data))
        text = decode_text(data, charset)
        is_flowed = parameters.get("format", "").lower() == "flowed"
        return unfold(text, delsp=parameters.get("delsp", "").lower() == "yes") if is_flowed else text


def _charset_within(markup: bytes) -> str | None:
    # https://html.spec.whatwg.org/#prescan-a-byte-stream-to-determine-its-encoding
    found = _META_CHARSET.search(markup, 0, 1024)
    return found[1].decode() if found else None


def file_name(content_type: str, headers: Mapping[str, Sequence[str]]) -> str:
    """Give the file name the sender gave to a part; an attached message always has one."""
    for header, parameter in _NAMES:
        stated = first(headers, header)
        # Most have none, and looking for one in earnest takes ten times as long.
        if "name" in stated.lower() and (name := one_line(read_parameters(stated)[1].get(parameter, ""))):
            return name
    return ATTACHED_MESSAGE if content_type == _MESSAGE else ""


def walk(root: N, look: Callable[[N], tuple[str, Sequence[N], bool]]) -> Iterator[tuple[N, str, int]]:
    """Give the leaves in the order of the mail, each with its content type and ``version_of``.

    ``look`` tells a node's content type, the nodes within it, and whether it has content of its own.
    """
    waiting: list[tuple[N, int | None]] = [(root, None)]
    count = 0
    while waiting:
        node, version_of = waiting.pop()
        count += 1
        content_type, children, has_content = look(node)
        is_multipart = content_type.startswith("multipart/")
        if is_multipart and (children or not has_content):
            if content_type == "multipart/alternative" and version_of is None:
                version_of = count
            waiting.extend([(child, version_of) for child in reversed(children)])
        else:
            # A multipart that could not be taken apart is text, as a whole.
            yield node, "text/plain" if is_multipart else content_type, version_of or count


def put_together(texts: Iterable[tuple[Leaf, MaybeText]]) -> tuple[MaybeText, MaybeText]:
    """Give the plain text and the HTML of a mail.

    Where a mail has several texts after one another (a list's footer, text around a picture), one that comes in one
    form only is turned into the other where that form is needed, so that neither the plain text nor the HTML misses it.
    """
    said: dict[int, dict[str, list[MaybeText]]] = {}
    for leaf, text in texts:
        said.setdefault(leaf.version_of, {}).setdefault(leaf.content_type, []).append(text)
    if len(said) == 1 and all(len(forms) == 1 for forms in next(iter(said.values())).values()):
        (forms,) = said.values()
        return forms.get("text/plain", [None])[0], forms.get("text/html", [None])[0]
    plains = {key: _joined(forms["text/plain"]) for key, forms in said.items() if "text/plain" in forms}
    htmls = {key: _joined(forms["text/html"]) for key, forms in said.items() if "text/html" in forms}
    return (
        "\n".join(plains[key] if key in plains else html_to_text(htmls[key]) for key in said) if plains else None,
        "\n".join(htmls[key] if key in htmls else _as_html(plains[key]) for key in said) if htmls else None,
    )


def shown_in(markup: str | None) -> str:
    """Give what ``is_inline`` looks through."""
    return unquote(markup or "").lower()


def _joined(texts: Sequence[MaybeText]) -> str:
    return "\n".join(read_text(text) or "" for text in texts)


def _as_html(text: str) -> str:
    return f"<pre>{html.escape(text)}</pre>"
