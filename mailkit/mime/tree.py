"""Message bytes to a tree of parts, in one pass and without recursion, however deep or broken they are.

Responsible for where each part starts and ends (RFC 2046 §5.1). Decodes no content, and decides nothing about what a
part is good for. Never raises.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import attrs

from mailkit.mime.fields import Fields, by_name, first, read_fields
from mailkit.mime.parameters import read_content_type

# More than any mail has; what comes after stays in the last part, so that no mail can fill the memory with empty ones.
_MOST = 10_000


@attrs.define(kw_only=True, repr=False)  # a repr would show mail
class Node:
    """A part: its header, and the parts within it or the content as it travelled.

    A multipart has content where it could not be taken apart: its boundary is not named, or never comes.
    """

    fields: Fields
    headers: Mapping[str, Sequence[str]]
    content_type: str
    parameters: Mapping[str, str]
    children: list[Node] = attrs.field(factory=list)
    content: bytes = b""


def read_tree(data: bytes) -> Node:
    """Read a message into its tree. An attached message is a part without children: it is read on its own."""
    if b"\n" not in data:  # as old Macs end their lines
        data = data.replace(b"\r", b"\n")
    return _Reader(data).read()


class _Reader:
    def __init__(self, data: bytes) -> None:
        self._data = data
        self._parts = 0
        self._open: list[tuple[Node, bytes]] = []  # the multiparts around the place that is read, with their marks
        self._depths: dict[bytes, int] = {}  # mark → which of them it belongs to

    def read(self) -> Node:
        root, start = self._part(0, "text/plain")
        last: Node | None = root  # the part whose content starts at ``start``
        at = start
        while self._open and self._parts < _MOST and (at := self._next_dashes(at)) >= 0:
            after = self._data.find(b"\n", at) + 1 or len(self._data)
            found = self._mark_at(at)
            if found is None:
                at = after
                continue
            depth, closes = found
            parent = self._open[depth][0]
            if last is not None and (last is not parent or closes):  # else it is what stands before the first part
                last.content = self._data[start : max(start, self._line_end_before(at))]
            self._leave(depth if closes else depth + 1)
            if closes:  # what follows is for nobody, up to the next mark of a multipart further out
                last, at = None, after
            else:
                # RFC 2046 §5.1.5: what stands in a digest without a type is a message
                is_digest = parent.content_type == "multipart/digest"
                last, start = self._part(after, "message/rfc822" if is_digest else "text/plain")
                parent.children.append(last)
                at = start
        if last is not None and not last.children:
            last.content = self._data[start:]
        return root

    def _part(self, at: int, default_type: str) -> tuple[Node, int]:
        """Read the header of a part; also gives where its content starts."""
        self._parts += 1
        fields, start = read_fields(self._data, at, lambda at: self._mark_at(at) is not None)
        headers = by_name(fields)
        stated = first(headers, "content-type")  # of several the first counts
        content_type, parameters = read_content_type(stated) if stated else (default_type, {})
        node = Node(fields=fields, headers=headers, content_type=content_type, parameters=parameters)
        boundary = parameters.get("boundary", "").rstrip()
        if content_type.startswith("multipart/") and boundary:
            mark = b"--" + boundary.encode("utf-8", "replace")
            self._depths.setdefault(mark, len(self._open))
            self._open.append((node, mark))
        return node, start

    def _leave(self, depth: int) -> None:
        while len(self._open) > depth:
            _, mark = self._open.pop()
            if self._depths[mark] == len(self._open):
                del self._depths[mark]

    def _next_dashes(self, at: int) -> int:
        """Give the next line that starts with ``--``, ``at`` being the start of one; below 0 where there is none."""
        return at if self._data.startswith(b"--", at) else self._data.find(b"\n--", at) + 1 or -1

    def _mark_at(self, at: int) -> tuple[int, bool] | None:
        """Give whose boundary the line at ``at`` is, and whether it is the closing one."""
        if not (self._open and self._data.startswith(b"--", at)):
            return None
        end = self._data.find(b"\n", at)
        line = self._data[at : len(self._data) if end < 0 else end].rstrip(b" \t\r")
        depth = self._depths.get(line)
        if depth is None and line.endswith(b"--"):
            depth = self._depths.get(line[:-2])
            return None if depth is None else (depth, True)
        return None if depth is None else (depth, False)

    def _line_end_before(self, at: int) -> int:
        """RFC 2046 §5.1.1: the line end before a boundary belongs to it."""
        if self._data.startswith(b"\r\n", at - 2):
            return at - 2
        return at - 1
