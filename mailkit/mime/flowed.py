"""Text of ``format=flowed`` (RFC 3676) to the lines its writer meant. Never raises."""

from __future__ import annotations

_SIGNATURE = "-- "


def unfold(text: str, *, delsp: bool) -> str:
    """Join the lines that a blank at their end marks as going on; ``delsp``: that blank was added and goes."""
    end = "\r\n" if "\r\n" in text else "\n"
    lines: list[str] = []
    open_: list[str] = []  # the pieces of a paragraph that goes on
    depth = 0
    for line in text.removesuffix(end).split(end):
        said = line.lstrip(">")
        quoted = len(line) - len(said)
        said = said.removeprefix(" ")  # §4.4: space-stuffing
        is_signature = said == _SIGNATURE
        if open_ and (quoted != depth or is_signature):  # §4.5: ends it, though it should not
            lines.append(_line(depth, open_))
            open_ = []
        depth = quoted
        goes_on = said.endswith(" ") and not is_signature
        open_.append(said[:-1] if goes_on and delsp else said)
        if not goes_on:
            lines.append(_line(depth, open_))
            open_ = []
    if open_:
        lines.append(_line(depth, open_))
    return end.join(lines) + (end if text.endswith(end) else "")


def _line(depth: int, pieces: list[str]) -> str:
    return f"{'>' * depth}{' ' if depth else ''}{''.join(pieces)}"
