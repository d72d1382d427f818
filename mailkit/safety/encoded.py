"""Long runs of encoded data, which say nothing to a reader and may say something to a model: noted, not shown."""

from __future__ import annotations

import re

__all__ = ["without_encoded_runs"]

_LONG = 100  # characters; a SHA-512 in base64 and a SHA-256 in hex are shorter and stay
_WORDS = 20  # characters between separators: less on average is a path, a slug or a ruled line, not data

# Short runs are matched as well, so that none is looked at twice, and kept.
_RUN = re.compile(
    r"""
    (?P<percent_encoding>   (?:%[0-9a-f]{2}){8,}+ )
  | (?P<quoted_printable>   (?:=[0-9a-f]{2}(?:=\n)?+){8,}+ )
  | (?P<escapes>            (?:\\(?:x[0-9a-f]{2}|u[0-9a-f]{4}|[0-7]{3})){8,}+ )
  | (?P<binary_digits>      \b(?:[01]{8}[\s,]{1,2}+){8,}+ )
  | (?P<hex>                \b(?:(?:0x)?+[0-9a-f]{2}[\s:,-]{1,2}+){8,}+ )
  | (?P<base64>             [a-z0-9+/_-]{60,}+ (?:[ \t]*+\n[ \t>]*+[a-z0-9+/_-]{60,}+)*+
                            (?:[ \t]*+\n[ \t>]*+[a-z0-9+/_-]{1,59}+(?==))?+ ={0,2} )
  | (?P<base64_in_pieces>   (?<![a-z0-9+/_-])
                            (?: (?:[a-z0-9+/_-]{4}[ \t]{0,2}+(?:\n[ \t>]{0,4}+)?+(?<=[\s>])){20,}+
                              | (?:[a-z0-9+/_-]{16,59}+[ \t]{0,2}+\n[ \t>]{0,4}+){3,}+ )
                            (?:[a-z0-9+/_-]{1,59}+(?==))?+ ={0,2} )
    """,
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)


def without_encoded_runs(text: str) -> str:
    """Put a note with kind and length in the place of every long run of base64, hex or escapes."""
    return _RUN.sub(_noted, text)


def _noted(match: re.Match[str]) -> str:
    run, kind = match[0], match.lastgroup or ""
    data = run.rstrip()
    if len(data) < _LONG or not _is_data(data, kind):
        return run
    return f"[{len(data)} characters of {kind.replace('_', ' ')} left out]{run[len(data) :]}"


def _is_data(run: str, kind: str) -> bool:
    if kind == "hex":  # a table of numbers is no hex
        return re.search("[a-f]", run, re.IGNORECASE) is not None
    if kind == "base64":
        return len(run) > _WORDS * len(re.split(r"[+/_\s-]", run))
    if kind == "base64_in_pieces":  # words of one length, account numbers and lists of ids lack one of the three
        return all(len(re.findall(sign, run)) > len(run) / 40 for sign in ("[a-z]", "[A-Z]", "[0-9]"))
    return True
