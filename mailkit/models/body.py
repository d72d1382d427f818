"""What a message says: the texts as they came, and what can be made of them.

Pure and lazy: nothing is decoded or converted before it is asked for, and nothing twice.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Literal

import attrs

from mailkit.mime.html import html_to_text
from mailkit.mime.late_text import MaybeText, read_text
from mailkit.mime.markdown import html_to_markdown
from mailkit.mime.quoted import SplitText, said_in_html, split_html, split_text
from mailkit.mime.safe_html import safe_html, text_as_html
from mailkit.models.records import Record
from mailkit.values import Address

__all__ = ["Body"]


@attrs.frozen(kw_only=True, repr=False)
class Body(Record):
    """What a message says: the plain text and the HTML as they came, either may be missing.

    Texts may still be encoded: they are decoded when they are first asked for, and compare and travel as what they say.
    """

    _plain: MaybeText = attrs.field(default=None, eq=read_text)
    _html: MaybeText = attrs.field(default=None, eq=read_text)
    _unique: MaybeText = attrs.field(default=None, eq=read_text)  # Outlook's own idea of what is new, as HTML
    snippet: str = ""

    @cached_property
    def plain(self) -> str | None:
        """The plain text."""
        return read_text(self._plain)

    @cached_property
    def html(self) -> str | None:
        """The HTML."""
        return read_text(self._html)

    @cached_property
    def source(self) -> Literal["plain", "html", "snippet"]:
        """Where ``text`` comes from."""
        if (self.plain or "").strip():
            return "plain"
        return "html" if (self.html or "").strip() else "snippet"

    @cached_property
    def text(self) -> str:
        """Readable text: the plain part, else the text of the HTML, else the snippet."""
        match self.source:
            case "plain":
                return self.plain or ""
            case "html":
                return html_to_text(self.html or "")
            case _:
                return self.snippet

    @property
    def new(self) -> str:
        r"""What the sender newly wrote: the lines of ``text`` without what is quoted and without the signature.

        Never empty where there is text: where nothing is new, as in a bare forward, it is the whole text.

        >>> body = Body(plain="At ten.\n\nOn 2 Apr 2012 at 18:26, Ann wrote:\n> When?\n> -- Ann")
        >>> body.new
        'At ten.'
        """
        return self._split.new

    @property
    def quoted(self) -> str:
        r"""What is quoted or passed on, the line that says of whom included; empty where nothing is.

        >>> print(Body(plain="At ten.\n\nOn 2 Apr 2012 at 18:26, Ann wrote:\n> When?").quoted)
        On 2 Apr 2012 at 18:26, Ann wrote:
        > When?
        """
        return self._split.quoted

    @property
    def signature(self) -> str:
        r"""The signature below what is new, with the mail program's own line, a disclaimer or a list's footer.

        >>> Body(plain="At ten.\n\nSent from my iPhone").signature
        'Sent from my iPhone'
        """
        return self._split.signature

    @property
    def forwarded_from(self) -> Address | None:
        r"""Who wrote the message that this one passes on, as its head names them; None where it is no forward.

        The address may be empty, since some programs quote the name alone.

        >>> head = "Begin forwarded message:\n\nFrom: Ann <ann@example.com>\nSubject: Lunch\nTo: Bob\n\nWhen?"
        >>> str(Body(plain=head).forwarded_from)
        'Ann <ann@example.com>'
        """
        return self._split.forwarded_from

    @cached_property
    def _split(self) -> SplitText:
        html = self.html or ""
        split = split_html(html) if self.source == "html" else split_text(self.text)
        if split.quoted:
            return split
        # The plain text may show no quote where the HTML does; Outlook's own idea may be wrong, so it comes last.
        hints = filter(str.strip, (said_in_html(html), html_to_text(read_text(self._unique) or "")))
        hinted = (split_text(self.text, said=said) for said in hints)
        return next((other for other in hinted if other.quoted), split)

    @cached_property
    def markdown(self) -> str:
        """Markdown of the HTML, with its links, lists and tables, else the plain text as it is, else the snippet.

        As untrusted as the mail itself, hidden text and all.

        Example:
            >>> from mailkit import Body
            >>> Body(html="<p>See <a href='https://example.com/plan'>the plan</a>: <b>new</b></p>").markdown
            'See [the plan](https://example.com/plan): **new**'
        """
        if (self.html or "").strip():
            return html_to_markdown(self.html or "")
        return self.text

    def safe_html(self, *, images: Mapping[str, str] | None = None, remote_images: bool = False) -> str:
        """Give HTML that can be shown inside a page: it runs nothing, asks nothing and loads nothing.

        Made of the HTML, else of the plain text, else of the snippet. Links lead to http, https, mailto and tel alone,
        and open elsewhere; inline styles stay where they only style. Made anew on each call.

        Args:
            images: addresses by content id (without angle brackets) for pictures that came with the mail; the others
                stay as ``cid:`` and their content id. The addresses are trusted.
            remote_images: keep the pictures that the sender's servers are asked for, which tells them that the mail was
                read; those that nobody can see are left out all the same.

        Example:
            >>> from mailkit import Body
            >>> body = Body(html='<p onclick="steal()">Our logo: <img src="cid:logo" alt="Logo"></p>')
            >>> body.safe_html(images={"logo": "/files/7"})
            '<p>Our logo: <img src="/files/7" alt="Logo"></p>'
        """
        if (self.html or "").strip():
            return safe_html(self.html or "", images=images, remote_images=remote_images)
        return text_as_html(self.text)

    def __repr__(self) -> str:
        return f"<Body {self.source}>"
