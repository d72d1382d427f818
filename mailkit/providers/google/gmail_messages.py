"""Whole messages from the answers that hold them, their long texts fetched.

Gmail puts long texts behind an attachment id, so that a message may need a second request before it can be read. Each
message has an outcome of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import attrs

from mailkit.errors import BadPayload, MailkitError, NotFound, ProviderError
from mailkit.models.mail import Message
from mailkit.providers.google import base64url
from mailkit.providers.google.gmail_calls import attachment
from mailkit.providers.google.gmail_parts import Part
from mailkit.providers.google.gmail_wire import message_from_wire, parts_from_wire
from mailkit.providers.wire import Wire, as_object, get_needed_text, get_text
from mailkit.transport.call import Answer
from mailkit.transport.session import Session


@attrs.define(repr=False)  # a repr would show mail
class _Letter:
    """A message on its way to being read; ``failure`` ends it."""

    item: Wire
    path: str
    parts: Sequence[Part] = ()
    fetched: dict[str, bytes] = attrs.field(factory=dict)
    failure: MailkitError | None = None


async def read_messages(
    session: Session,
    operation: str,
    items: Sequence[tuple[str, Wire]],
    *,
    label_names: Mapping[str, str],
    include_raw: bool = False,
) -> list[Message | MailkitError]:
    """Read messages of the full format, each given with its JSON path; one batch fetches all texts that are missing."""
    letters = [_opened(item, path) for path, item in items]
    missing = [(letter, part) for letter in letters for part in letter.parts if part.is_text and part.is_detached]
    if missing:
        calls = [attachment(operation, str(letter.item["id"]), part.attachment_id) for letter, part in missing]
        for (letter, part), answer in zip(missing, await session.batch(calls), strict=True):
            data = _data(answer)
            if isinstance(data, bytes):
                letter.fetched[part.id] = data
            else:
                letter.failure = data
    return [_read(letter, session.account.name, label_names, include_raw) for letter in letters]


def object_of(answer: Answer | MailkitError) -> Wire | MailkitError:
    """Give the object that was asked for by its id, or why there is none."""
    if isinstance(answer, MailkitError):
        return as_missing(answer)
    try:
        return as_object(answer.json(), "$")
    except BadPayload as problem:
        return problem


def as_missing(error: MailkitError) -> MailkitError:
    """Take the refusal of an id that Gmail could never have given (400) for what it means: there is no such thing."""
    if type(error) is not ProviderError or error.code != "invalidArgument":
        return error
    return NotFound(
        "there is no such thing at Gmail, which gives ids of another shape; list again",
        account=error.account,
        operation=error.operation,
        status=error.status,
        code=error.code,
    )


def _data(answer: Answer | MailkitError) -> bytes | MailkitError:
    item = object_of(answer)
    if isinstance(item, MailkitError):
        return item
    try:
        return base64url.decode(get_text(item, "data", "$"), "$.data")
    except BadPayload as problem:
        return problem


def _opened(item: Wire, path: str) -> _Letter:
    try:
        get_needed_text(item, "id", path)
        return _Letter(item, path, parts_from_wire(item, path))
    except BadPayload as problem:
        return _Letter(item, path, failure=problem)


def _read(letter: _Letter, account: str, label_names: Mapping[str, str], include_raw: bool) -> Message | MailkitError:
    if letter.failure is not None:
        return letter.failure
    try:
        return message_from_wire(
            letter.item,
            letter.path,
            account=account,
            label_names=label_names,
            parts=letter.parts,
            fetched=letter.fetched,
            include_raw=include_raw,
        )
    except BadPayload as problem:
        return problem
