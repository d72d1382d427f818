"""The bodies of mime4j's test messages, as its authors wrote them down beside each.

What mailkit reads otherwise stands in ``OTHERWISE`` with the reason; nothing else may differ but line ends.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from mailkit.mime.fields import first
from mailkit.mime.transfer import decode, encoding_name
from mailkit.mime.tree import Node, read_tree
from tests.corpora.reading import folder

ROOT = folder()

_NOT_A_FIELD = (
    "the header ends at a line that is no field, and nothing of it is lost; mime4j skips lines up to an empty one"
)
_PARTLESS = "a multipart without parts is text, as a whole, so that nothing is lost; mime4j takes it for a preamble"
_LONGER = (
    "text after the boundary makes it another (RFC 2046 §5.1.1 has the line end there); mime4j takes it for the same"
)
_BLANKS = "blanks at the end of a boundary are no part of it (RFC 2046 §5.1.1); mime4j tells one blank from two"
_LAST_GROUP = "base64 that is cut off: mime4j drops the bytes of the last group, mailkit keeps them"

OTHERWISE: Mapping[str, str] = {
    "hdr-fakeout": _NOT_A_FIELD,
    "basic-plain-with-bad-header-separator": _NOT_A_FIELD,
    "malformedHeader-nocrlfcrlf": _NOT_A_FIELD,
    "malformedHeader-noheader": _NOT_A_FIELD,
    "malformedHeaderStartsBody-nocrlfcrlf": _NOT_A_FIELD,
    "malformedHeaderStartsBody-noheader": _NOT_A_FIELD,
    "obsolete": "a name beyond ASCII is no field; see above",
    "missing-inner-boundary": _PARTLESS,
    "missing-inner-start-boundary": _PARTLESS,
    "ending-boundaries": _LONGER,
    "weird-boundary": _BLANKS,
    "very-long-boundary": _BLANKS,
    "very-very-long-boundary": _BLANKS,
    "frag": _LAST_GROUP,
    "multi-frag": _LAST_GROUP,
    "multipartemptypart": "the same empty part, counted from 2 there",
    "multipartnestedemptyparts": "an attached message, which mime4j does not open here alone",
}


def _bodies(node: Node, path: str) -> Iterator[tuple[str, bytes]]:
    """Give every body by its place, counted from 1 as in the names of mime4j's files; attached messages are opened."""
    waiting = [(node, path)]
    while waiting:
        node, path = waiting.pop()
        content = decode(node.content, encoding_name(first(node.headers, "content-transfer-encoding")))
        if node.children:
            waiting.extend((child, f"{path}_{at}") for at, child in enumerate(node.children, 1))
        elif node.content_type == "message/rfc822":
            waiting.append((read_tree(content), f"{path}_1"))
        else:
            yield path, content


def _lf(data: bytes) -> bytes:
    return data.replace(b"\r\n", b"\n")


def test_bodies_are_those_expected() -> None:
    if ROOT is None:
        pytest.skip("the corpora are not at hand: MAILKIT_SHARED is not set")
    compared = 0
    differing: dict[str, object] = {}
    for path in sorted((ROOT / "mime4j").rglob("*.msg")):
        expected = {_place(file): _lf(file.read_bytes()) for file in path.parent.glob(f"{path.stem}_decoded_*")}
        found = {place: _lf(content) for place, content in _bodies(read_tree(path.read_bytes()), "1")}
        if expected and expected != found:
            differing[path.stem] = [place for place in {*expected, *found} if expected.get(place) != found.get(place)]
        compared += len(expected)
    assert differing.keys() == OTHERWISE.keys()
    assert compared > 150


def _place(file: Path) -> str:
    return file.stem.partition("_decoded_")[2]
