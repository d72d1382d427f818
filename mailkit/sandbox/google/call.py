"""One call of one method, its path, query and body read. Judges what holds for every method; answers nothing."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable, Mapping
from typing import TypeAlias

import attrs

from mailkit.sandbox.google.labels import Json
from mailkit.sandbox.google.mailbox import GoogleMailbox
from mailkit.sandbox.google.methods import METADATA, Method
from mailkit.sandbox.google.refusals import Refusal
from mailkit.sandbox.mailbox import Entry
from mailkit.sandbox.wire import SandboxRequest

__all__ = ["Answers", "Call", "inner", "json_body"]

# What Gmail takes as JSON. It names no number; above, users are told to upload.
_MOST_JSON = 5 * 1024 * 1024
_TO_STANDARD = str.maketrans("-_", "+/")


@attrs.frozen
class Call:
    """One request to one method. ``body`` is its JSON; ``media`` the file uploaded with it, or None."""

    box: GoogleMailbox
    request: SandboxRequest
    method: Method
    path: Mapping[str, str]
    body: Json = attrs.field(factory=dict)
    media: bytes | None = None

    @property
    def metadata_only(self) -> bool:
        """Whether the token may see headers, but no bodies."""
        return self.box.scopes is not None and self.box.scopes.intersection(self.method.scopes) == {METADATA}

    def one(self, name: str, default: str = "") -> str:
        """Give a query parameter."""
        return next((value for given, value in self.request.query if given == name), default)

    def all(self, name: str) -> list[str]:
        """Give every value of a query parameter."""
        return [value for given, value in self.request.query if given == name]

    def texts(self, name: str) -> list[str]:
        """Give a list of texts from the body; empty where it is missing."""
        value = self.body.get(name, [])
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise Refusal(400, message=f"Invalid value at '{name}' (TYPE_STRING)")
        return [str(item) for item in value]

    def entry(self) -> Entry:
        """Find the message of the path."""
        id = self.path.get("message") or self.path["id"]  # noqa: A001  # the name of the thing
        entry = self.box.get(id)
        if entry is not None:
            return entry
        # A message id is a hexadecimal number; anything else is no id at all.
        raise Refusal(404) if re.fullmatch(r"[0-9a-f]{1,16}", id) else Refusal(400, message="Invalid id value")

    def thread(self) -> list[Entry]:
        """Find the messages of the conversation of the path."""
        entries = self.box.thread(self.path["id"])
        if not entries:
            raise Refusal(404)
        return entries

    def draft(self, id: object) -> Entry:  # noqa: A002  # the name of the thing
        """Find the message of a draft."""
        entry = self.box.draft(id) if isinstance(id, str) else None
        if entry is None:
            raise Refusal(404)
        return entry

    def raw(self, message: Json) -> bytes:
        """Give the mail a call brings: its file, else what stands in ``raw``."""
        if self.media is not None:
            return self.media
        text = message.get("raw")
        text = text.rstrip("=").translate(_TO_STANDARD) if isinstance(text, str) else ""
        if not text:
            raise Refusal(
                400, message="'raw' RFC822 payload message string or uploading message via /upload/* URL required"
            )
        try:
            # Both alphabets are taken, padded or not, as in every field of bytes (protobuf.dev, JSON mapping).
            return base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
        except ValueError:
            raise Refusal(
                400, message="Invalid value at 'message.raw' (TYPE_BYTES), Base64 decoding failed for the given text"
            ) from None


Answers: TypeAlias = Mapping[str, Callable[[Call], Json | None]]
"""What answers each method, by its name; None is an answer without a body."""


def json_body(content: bytes, known: tuple[str, ...]) -> Json:
    """Read a body with no other fields than the known ones.

    Raises:
        Refusal: it is too long, no JSON object, or holds what the method does not know.
    """
    if len(content) > _MOST_JSON:
        raise Refusal(413, "uploadTooLarge", "Request payload size exceeds the limit: upload the message instead.")
    try:
        value = json.loads(content) if content.strip() else {}
    except ValueError:
        value = None
    if not isinstance(value, dict):
        raise Refusal(400, "badRequest", "Invalid JSON payload received. Unexpected token.")
    for name in value:
        if name not in known:
            raise Refusal(
                400, "badRequest", f'Invalid JSON payload received. Unknown name "{name}": Cannot find field.'
            )
    return value


def inner(body: Json, name: str) -> Json:
    """Give an object inside a body; empty where it is missing."""
    value = body.get(name, {})
    if not isinstance(value, dict):
        raise Refusal(400, "badRequest", f"Invalid value at '{name}'")
    return value
