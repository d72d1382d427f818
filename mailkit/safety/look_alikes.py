"""Text that a model could take for its own markup: tags, control tokens, speakers' turns. Their opening is changed.

What opens a tag becomes ``‹``, and a line that begins as a speaker's turn begins with ``‹``: a reader still sees what
was written, and no parser or tokenizer finds it.
"""

from __future__ import annotations

import re

from mailkit.safety.folding import OVERLAY, edit

__all__ = ["without_look_alikes"]

_HARMLESS = "‹"  # U+2039: no compatibility form of "<", so no normalisation turns it back

_GAP = rf"[\s\\{OVERLAY}]*+"
_GAP_IN_LINE = rf"(?:[^\S\n]|{OVERLAY})*+"
_ROLES = ("system", "assistant", "user", "human", "developer", "tool", "function")


def _any_of(*words: str, gap: str = _GAP) -> str:
    """Match any of the words, also with gaps between its letters."""
    return f"(?:{'|'.join(gap.join(word) for word in words)})"


# "<" before white space, a digit or one of "=~-" is arithmetic or an arrow, and "<amy@example.com>" an address.
_LINK = rf"(?:https?://|mailto:)[^\s<>]*+>(?!{OVERLAY})|[^\s<>@]++@[^\s<>@]++>(?!{OVERLAY})"
_NAMED = _any_of(*_ROLES, "instruct", "prompt", "invoke", "im_")
_OPENING = re.compile(
    rf"(?<![<⟨])[<⟨]++(?=[\s\\/|!?{OVERLAY}]*+{_NAMED})"
    rf"|(?<!<)<++(?![\s\d=~-]|$|{_LINK})"
    # Control tokens of the Llama and Mistral families: [INST], [/INST], [SYSTEM_PROMPT], [TOOL_CALLS].
    rf"|\[(?=[\s\\/|{OVERLAY}]*+{_any_of(*_ROLES, 'inst', 'sys', 'available_tools')}s?(?![^\W_]))"
    # "<" as JSON, JavaScript and links write it.
    rf"|(?:\\u003c|\\x3c|%3c)(?=(?:[\s\\/|!?]|%2f|%7c)*+{_NAMED})"
)
_TURN = re.compile(
    rf"^(?:[^\S\n]|[>*#_|\"'\u201c\u2018({{•‣▪●◦·–—-]|\d{{1,3}}+[.)])*+(?={_any_of(*_ROLES, 'ai', gap=_GAP_IN_LINE)}"
    r"(?:(?:[^\S\n]|[_-])++(?:prompt|message|instructions?|calls?|inputs?|outputs?|results?|responses?))?"
    r"[^\S\n*_]*+[*_\"'\u201d\u2019)}]*+[^\S\n]*+:)"
    r"|^(?:[^\S\n]|[>*_|])*+#++[^\S\n]*+(?=(?:instruction|input|response)s?[^\S\n*]*+[*]*+[^\S\n]*+:)",
    re.MULTILINE,
)


def without_look_alikes(text: str) -> str:
    """Change what opens a tag, a control token or a turn; doing it again changes nothing."""
    text = edit(text, _OPENING, lambda match, _: _HARMLESS * (1 if match[0][0] in "\\%" else len(match[0])))
    return edit(text, _TURN, lambda _, prefix: prefix + _HARMLESS)
