"""HTML messages sorted by the containers mail programs put round quotes and signatures.

The containers are marked in the HTML before it becomes text, so the text is that of ``html_to_text``, line for line;
what the containers do not show, the lines do. Builds no tree: tags are counted, so neither depth nor disorder matters.
"""

from __future__ import annotations

import re

import attrs

from mailkit.mime.html import html_to_text
from mailkit.mime.quoted.text import LOOKED_AT, Kind, SplitText, split_lines

# Characters that are none (Unicode, "Noncharacters"): they cannot be part of what a mail says.
_QUOTE, _SIGNATURE, _END, _REST = "\ufdd0", "\ufdd1", "\ufdd2", "\ufdd3"
_SIGNALS = re.compile(f"[{_QUOTE}{_SIGNATURE}{_END}{_REST}]")
_HINTS = {_QUOTE: Kind.QUOTED, _SIGNATURE: Kind.SIGNATURE, _END: None, _REST: Kind.QUOTED}

# What is asked for stands in the first part of a tag; a tag that is longer is passed over.
_TAG = re.compile(r"<!--|<(/?)(blockquote|div|span|hr|pre|p|table)(?![\w-])([^<>]{0,4000})>", re.IGNORECASE)
_VALUE = re.compile(
    r"""(?<![\w-])(class|id|name|type|style|data-\w{1,30})\s?=\s?(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE
)
# What parts the name of a container from the quote inside it is an attribution, and no longer than one.
_LONGEST_ATTRIBUTION = 1_500

# The names programs give to what they put round or above a quote, and round a signature.
_NAMES = {
    _QUOTE: """gmail_quote gmail_quote_container gmail_attr yahoo_quoted moz-cite-prefix moz-forward-container
        OLK_SRC_BODY_SECTION mail-editor-reference-message-container protonmail_quote zmail_extra tutanota_quote
        aolReplacedBody js-readmsg-msg mailru-blockquote isReplyContent isForwardContent alimail-quote front-blockquote
        missive_quote history_container sh-quoted-content messageReplySection""",
    _SIGNATURE: """gmail_signature gmail_signature_prefix moz-signature protonmail_signature_block Signature
        ms-outlook-mobile-signature AppleMailSignature ymail_android_signature composer_signature zmail_signature_below
        messageSignatureSection sh-signature""",
    _REST: "divRplyFwdMsg appendonsend stopSpelling EC_stopSpelling zwchr replySplit",
}
_SIGNALS_BY_NAME = {name.casefold(): signal for signal, names in _NAMES.items() for name in names.split()}
# What Word draws above the head of a message, in the colours of its versions, and what Windows Mail does.
_RULE_ABOVE = re.compile(
    r"border:\s?none;\s?border-top:\s?solid (?:#b5c4df|#e1e1e1|windowtext) 1\.0pt"
    r"|border-top-color:\s?rgb\(229, ?229, ?229\);\s?border-top-width:\s?1px"
)
_RULE_BESIDE = re.compile(r"border-(?:left|inline-start)(?:-\w{1,10})?\s?:\s?(?!none|0)")


def split_html(html: str) -> SplitText:
    r"""Sort the lines of an HTML message's text; ``new`` is all of it where nothing in it is new.

    >>> split = split_html('<p>Yes!</p><div class="gmail_quote">Ann, 2 Apr:<blockquote>Shall we?</blockquote></div>')
    >>> split.new, split.quoted
    ('Yes!', 'Ann, 2 Apr:\n\nShall we?')
    """
    split = _sorted(_marked(html))
    return split if split.new else attrs.evolve(split, new=html_to_text(html))


def said_in_html(html: str) -> str:
    """Give what is not quoted by the containers of an HTML message; nothing where it has none that quotes."""
    marked = _marked(html)
    if _QUOTE not in marked and _REST not in marked:
        return ""
    split = _sorted(marked)
    return f"{split.new}\n{split.signature}"


def _sorted(marked: str) -> SplitText:
    lines: list[str] = []
    hints: list[Kind | None] = []
    hint: Kind | None = None
    text = html_to_text(marked)
    at = 0
    for found in [*_SIGNALS.finditer(text), None]:
        piece = text[at : found.start() if found else len(text)].removeprefix("\n").removesuffix("\n")
        here = piece.split("\n", maxsplit=max(0, LOOKED_AT - len(lines))) if piece else []
        if here and not here[0] and lines and not lines[-1]:  # a blank line on either side of the signal
            del here[0]
        lines += here
        hints += [hint if line.strip() else None for line in here]
        if found:
            at, hint = found.end(), _HINTS[found[0]]
    return split_lines(lines, hints)


def _marked(html: str) -> str:
    """Put a signal, on a line of its own, where a container begins and after its end."""
    html = _SIGNALS.sub("", html)
    pieces: list[str] = []
    copied = at = 0
    last_comment_end = html.rfind("-->")
    container, depth, opened = "", 0, 0  # the tag of the container that is open, how often it is, and since when
    while (tag := _TAG.search(html, at)) is not None:
        at = tag.end()
        if tag[0] == "<!--":
            at = html.find("-->", at) + 3 if at <= last_comment_end else at
            continue
        name, is_end = tag[2].lower(), bool(tag[1])
        signal = None
        if container == name:
            depth += -1 if is_end else 1
            signal = None if depth else _END
        is_quote_inside = name == "blockquote" and container == "div" and tag.start() - opened <= _LONGEST_ATTRIBUTION
        if not is_end and (not container or is_quote_inside):
            signal = _signal(name, tag[3])
        if signal is None:
            continue
        cut = tag.end() if signal == _END else tag.start()
        pieces += [html[copied:cut], f"<div>{signal}</div>"]
        copied = cut
        if signal == _REST:
            break
        container, depth, opened = ("", 0, 0) if signal == _END else (name, 1, cut)
    return "".join(pieces) + html[copied:]


def _signal(name: str, attributes: str) -> str | None:
    """Say what begins with this tag, by what its program calls it or how it looks."""
    values: dict[str, str] = {}
    for found in _VALUE.finditer(attributes):
        values.setdefault(found[1].lower(), (found[2] or found[3] or found[4] or "").lower())
    if values.get("data-signatureblock") == "true":  # Windows Mail
        return _SIGNATURE
    for word in f"{values.get('class', '')} {values.get('id', '')} {values.get('name', '')}".split():
        signal = _SIGNALS_BY_NAME.get(word.removeprefix("x_"))  # Outlook's prefix for names that others gave
        if signal is not None:
            return _REST if name == "hr" else signal
    style = values.get("style", "")
    if name == "blockquote" and (not style or values.get("type") == "cite" or _RULE_BESIDE.search(style)):
        return _QUOTE
    return _REST if name == "div" and _RULE_ABOVE.search(style) else None
