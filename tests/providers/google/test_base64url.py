"""Base64url, whole and in pieces: padded or not, cut or foreign."""

from __future__ import annotations

import base64
import json
import tracemalloc
from collections.abc import AsyncGenerator, AsyncIterator, Iterable
from contextlib import aclosing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mailkit.errors import BadPayload
from mailkit.providers.google.base64url import check, decode, decode_data


async def arriving(pieces: Iterable[bytes]) -> AsyncGenerator[bytes, None]:
    for piece in pieces:
        yield piece


async def collected(pieces: Iterable[bytes]) -> bytes:
    async with aclosing(arriving(pieces)) as answer, aclosing(decode_data(answer)) as data:
        return b"".join([piece async for piece in data])


def cut(content: bytes, size: int) -> list[bytes]:
    return [content[at : at + size] for at in range(0, len(content), size)]


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("", b""),
        ("SGVsbG8", b"Hello"),
        ("SGVsbG8=", b"Hello"),
        ("8J-YgA", "😀".encode()),
        ("-_-_", b"\xfb\xff\xbf"),
        ("+/+/", b"\xfb\xff\xbf"),
    ],
)
def test_both_alphabets_with_and_without_padding(text: str, data: bytes) -> None:
    assert decode(text, "$.data") == data


@pytest.mark.parametrize("text", ["A", "SGVs bG8", "SGVsbG8=SGVs", "é", "SGVs\nbG8"])
def test_what_is_no_base64_is_refused_by_its_path(text: str) -> None:
    with pytest.raises(BadPayload) as caught:
        decode(text, "$.raw")
    assert caught.value.path == "$.raw"


@pytest.mark.anyio
@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
@pytest.mark.parametrize(
    ("answer", "data"),
    [
        (b'{"size": 5, "data": "SGVsbG8="}', b"Hello"),
        (b'{\n  "data": "SGVsbG8"\n}\n', b"Hello"),
        (b'{"attachmentId":"ANGjdJ_-x","size":5,"data":"SGVsbG8\\u003d"}', b"Hello"),
        (b'{"data":"SGVsbG8gdGhlcg\\u003D\\u003d","size":10}', b"Hello ther"),
        (b'{"data":""}', b""),
        (b'{"size": 0}', b""),
        (b"{}", b""),
    ],
)
async def test_an_answer_in_pieces(answer: bytes, data: bytes, size: int) -> None:
    assert await collected(cut(answer, size)) == data


@pytest.mark.anyio
@pytest.mark.parametrize("size", [1, 5, 1000])
@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b'{"data":"SGVsbG8',
        b'{"data":"SGVsbG8=',
        b'{"data":"SGVsbG8\\u003',
        b'{"size": 5',
        b'{"data":"SGVs*bG8="}',
        b'{"data":"SGVsb"}',
        b'{"data":"SGVsbG8=SGVs"}',
        b"[]",
        b"<html>" + b"x" * 100_000,
    ],
)
async def test_a_cut_or_foreign_answer_is_never_taken_for_whole(answer: bytes, size: int) -> None:
    if size == 1:
        answer = answer[:200]
    with pytest.raises(BadPayload) as caught:
        await collected(cut(answer, size))
    assert caught.value.path == "$.data"


@pytest.mark.anyio
async def test_a_large_attachment_needs_little_memory() -> None:
    block = base64.urlsafe_b64encode(bytes(range(256)) * 192)  # 49,152 bytes

    async def answer() -> AsyncIterator[bytes]:
        yield b'{"size": 20971520, "data": "'
        for _ in range(427):
            yield block
        yield b'"}'

    tracemalloc.start()
    try:
        total = sum([len(piece) async for piece in decode_data(answer())])
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert total == 427 * 49_152
    assert peak < 2_000_000


@pytest.mark.anyio
@given(data=st.binary(max_size=300), size=st.integers(1, 50), padded=st.booleans())
async def test_any_bytes_come_back(data: bytes, size: int, padded: bool) -> None:
    text = base64.urlsafe_b64encode(data).decode()
    answer = json.dumps({"size": len(data), "data": text if padded else text.rstrip("=")}).encode()
    assert await collected(cut(answer, size)) == data
    assert decode(text, "$") == data


@given(st.text(alphabet="Ab9-_+/=é\n ", max_size=12))
def test_checking_refuses_what_decoding_refuses(text: str) -> None:
    refused = []
    for read in (check, decode):
        try:
            read(text, "$.data")
        except BadPayload as problem:
            refused.append(problem.path)
    assert refused in ([], ["$.data", "$.data"])
