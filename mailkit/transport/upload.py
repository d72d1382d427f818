"""Large bodies in pieces: each piece is sent once, and after a failure the provider is asked how far it got.

Responsible for the order of pieces and for going on where the provider says. How the two providers speak of it is data
(``UploadStyle``); the bytes come from whoever calls, again from any place on. Never sends a piece twice on a guess.
https://developers.google.com/workspace/gmail/api/guides/uploads#resumable
https://learn.microsoft.com/graph/outlook-large-attachments
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterator
from typing import Literal, TypeAlias

import attrs

from mailkit.errors import BadPayload, MailkitError
from mailkit.transport.call import Answer, Call

__all__ = ["Upload", "run_upload"]

UploadStyle: TypeAlias = Literal["google", "microsoft"]

_MORE = 308  # "Resume Incomplete", Google's answer to every piece but the last
_UNTIL = re.compile(r"bytes=0-(\d+)")
_FROM = re.compile(r"(\d+)(?:-\d*)?")
_STALLS = 4


@attrs.frozen(kw_only=True)
class Upload:
    """One upload under way.

    ``url`` is that of its session, as the provider gave it, ``total`` all bytes, ``pieces`` gives them from a place on.
    ``size`` is that of a piece in bytes: at Google a multiple of 256 KiB, at Microsoft of 320 KiB and below 4 MB.
    ``before_last`` is told right before the piece is sent that makes the upload count.
    """

    operation: str
    style: UploadStyle
    url: str = attrs.field(repr=False)
    total: int
    pieces: Callable[[int], Iterator[bytes]] = attrs.field(repr=False)
    size: int
    progress: Callable[[int, int | None], None] | None = None
    before_last: Callable[[], None] | None = None

    def piece(self, start: int, content: bytes) -> Call:
        """Make the request for one piece; the URL of a session at Microsoft bears its own permission."""
        end = start + len(content) - 1
        return Call(
            operation=self.operation,
            method="PUT",
            url=self.url,
            headers=(
                ("Content-Type", "application/octet-stream"),
                ("Content-Range", f"bytes {start}-{end}/{self.total}" if content else f"bytes */{self.total}"),
            ),
            content=content,
            expects="bytes",
            repeat=False,
            answers=(_MORE,) if self.style == "google" else (),
            presigned=self.style == "microsoft",
        )

    def question(self) -> Call:
        """Make the request that asks how far the upload got."""
        if self.style == "google":
            return attrs.evolve(self.piece(0, b""), repeat=True)
        return Call(operation=self.operation, url=self.url, expects="bytes", presigned=True)


async def run_upload(
    upload: Upload, request: Callable[[Call], Awaitable[Answer]], wait: Callable[[int], Awaitable[bool]]
) -> Answer:
    """Send everything and give the last answer.

    ``wait`` pauses after so many tries that got no further, or says that another is no use.

    Raises:
        MailkitError: what stopped the upload; after ``before_last`` was called it may have counted.
    """
    source = _Source(upload.pieces)
    tries = 0
    while True:
        start = source.place
        content = source.take(upload.size)
        if source.place >= upload.total and upload.before_last is not None:
            upload.before_last()
        try:
            answer = await request(upload.piece(start, content))
        except MailkitError as error:
            if (error.had_no_effect and not error.retryable) or not await wait(tries + 1):
                raise
            try:
                answer = await request(upload.question())
            except MailkitError:
                raise error from None  # what went wrong first says more
        content = b""  # the next piece is put together without this one in memory
        done = _how_far(upload, answer)
        if upload.progress is not None:
            upload.progress(upload.total if done is None else done, upload.total)
        if done is None:
            return answer
        tries = tries + 1 if done <= start else 0
        if tries >= _STALLS:
            raise BadPayload("the upload gets no further; try again", path="$", code="stalled_upload")
        if done != source.place:
            source = _Source(upload.pieces, done)


class _Source:
    """The bytes from a place on, in pieces of the size that is wanted."""

    def __init__(self, pieces: Callable[[int], Iterator[bytes]], place: int = 0) -> None:
        self.place = place
        self._pieces = pieces(place)
        self._rest = b""

    def take(self, size: int) -> bytes:
        """Give the next ``size`` bytes, fewer at the end."""
        taken, missing = [self._rest], size - len(self._rest)
        while missing > 0 and (piece := next(self._pieces, b"")):
            taken.append(piece)
            missing -= len(piece)
        joined = b"".join(taken)
        self._rest = joined[size:]
        self.place += min(len(joined), size)
        return joined[:size]


def _how_far(upload: Upload, answer: Answer) -> int | None:
    """Give the place the provider waits for; None: it has everything."""
    if upload.style == "google":
        if answer.status != _MORE:
            return None
        found = _UNTIL.match(answer.headers.get("range", ""))
        return int(found[1]) + 1 if found else 0  # without Range it has nothing yet
    if answer.status == 201 or not answer.content:
        return None
    body = answer.json()
    ranges = body.get("nextExpectedRanges") if isinstance(body, dict) else None
    if ranges is None or ranges == []:
        return None
    found = _FROM.match(ranges[0]) if isinstance(ranges, list) and isinstance(ranges[0], str) else None
    if found is None:
        raise BadPayload("the provider does not say how far the upload got; try again", path="nextExpectedRanges")
    return int(found[1])
