"""How a letter gets to Gmail, to be sent or kept: within a request, or as an upload where it is large.

Responsible for the bytes and their way. What they are for is the call's to say, which comes without them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from mailkit.errors import BadPayload, MailkitError, NotFound, TooLarge
from mailkit.mime.build import Built, build
from mailkit.providers.google.gmail_writing_calls import upload_start, with_message
from mailkit.providers.google.limits import JSON_MOST, MESSAGE_MOST, UPLOAD_PIECE
from mailkit.providers.wire import Wire, as_object
from mailkit.providers.writing import Attempt, Letter, Progress
from mailkit.transport.call import Answer, Call
from mailkit.transport.session import Session
from mailkit.transport.upload import Upload

__all__ = ["bring", "committing"]


async def bring(session: Session, call: Call, letter: Letter, attempt: Attempt, progress: Progress | None) -> Wire:
    """Make the call with the letter and give the object it is answered with.

    A conversation that is gone is no reason to keep a reply back: it goes without, and In-Reply-To and References still
    say what it answers.

    Raises:
        TooLarge: Gmail takes no message of this size; nothing was sent.
    """
    built = _built(session, call, letter)
    thread_id = letter.answers.thread_id if letter.answers else ""
    try:
        answer = await _bring(session, call, built, thread_id, attempt=attempt, progress=progress)
    except NotFound:
        # guides/handle-errors: "Requested entity was not found" is the answer to an unknown threadId, too.
        if not thread_id or attempt.committed:
            raise
        answer = await _bring(session, call, built, "", attempt=attempt, progress=progress)
    return as_object(answer.json(), "$")


@contextmanager
def committing(attempt: Attempt) -> Iterator[None]:
    """Take ``committed`` back where the request that was to have the effect certainly had none."""
    try:
        yield
    except MailkitError as error:
        if attempt.committed and error.had_no_effect:
            attempt.committed = False
        raise


def _built(session: Session, call: Call, letter: Letter) -> Built:
    built = build(
        letter.message,
        files=letter.files,
        message_id=letter.message_id,
        send_id=letter.send_id,
        date=letter.date,
        in_reply_to=letter.in_reply_to,
        references=letter.references,
    )
    if built.size > MESSAGE_MOST:
        raise TooLarge(
            f"the message has {built.size:,} bytes as it travels, where files take a third more than on disk, and "
            f"Gmail takes {MESSAGE_MOST:,} at most; send fewer or smaller files, or a link to them",
            limit=MESSAGE_MOST,
            account=session.account.name,
            operation=call.operation,
        )
    return built


async def _bring(
    session: Session, call: Call, built: Built, thread_id: str, *, attempt: Attempt, progress: Progress | None
) -> Answer:
    def commit() -> None:
        attempt.committed = True

    with committing(attempt):
        if 4 * built.size <= 3 * JSON_MOST:  # in base64
            whole = with_message(call, bytes(built), thread_id)
            commit()
            answer = await session.request(whole)
            if progress is not None:
                progress(built.size, built.size)
            return answer
        return await session.upload(
            Upload(
                operation=call.operation,
                style="google",
                url=_location(await session.request(upload_start(call, built.size, thread_id))),
                total=built.size,
                pieces=built.pieces,
                size=UPLOAD_PIECE,
                progress=progress,
                before_last=commit,
            )
        )


def _location(answer: Answer) -> str:
    location = answer.headers.get("location", "")
    if not location:
        raise BadPayload(
            "Gmail does not say where the message is to be uploaded; try again", path="$", code="no_upload"
        )
    return location
