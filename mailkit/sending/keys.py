"""Idempotency keys: what may be one, and how one is derived from what is sent. Pure, but for the bytes of files.

A derived key stands for the content: the same message to the same people again is the same send.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Sequence

from mailkit.errors import UsageError
from mailkit.mime.build import FilePart
from mailkit.mime.outgoing import OutgoingMessage
from mailkit.values import Address

__all__ = ["check_key", "derived", "fingerprint_of", "scope_of"]

_KEY = re.compile(r"[A-Za-z0-9._:-]{1,128}")


def check_key(key: object) -> str:
    """Take an idempotency key.

    Raises:
        UsageError: it cannot be one.
    """
    if not isinstance(key, str) or not _KEY.fullmatch(key):
        raise UsageError(
            "key must be 1 to 128 of letters, digits and . _ : -; of anything else, such as a ref, pass a hash",
            code="bad_key",
        )
    return key


def scope_of(account: str, operation: str, key: str) -> str:
    """Give what a key counts for: one account and one verb."""
    return f"{account} {operation} {key}"


def derived(fingerprint: str) -> str:
    """Give the key that stands for the content."""
    return f"derived:{fingerprint}"


def fingerprint_of(
    operation: str, message: OutgoingMessage, files: Sequence[FilePart], *, about: Sequence[str] = ()
) -> str:
    """Give a word that is the same for the same order; the order of its recipients does not count.

    ``message`` and ``files`` are what the caller wrote, ``about`` says what it refers to. Reads the files.
    """
    said = {
        "operation": operation,
        "about": list(about),
        **{name: _people(getattr(message, name)) for name in ("to", "cc", "bcc", "reply_to")},
        "from": _people([message.from_] if message.from_ else []),
        **{name: getattr(message, name) for name in ("subject", "text", "html", "markdown")},
        "headers": [list(pair) for pair in message.headers],
        "files": [[file.name, file.content_type, file.content_id, _hash(file)] for file in files],
    }
    return hashlib.sha256(json.dumps(said, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def _people(addresses: Iterable[Address]) -> list[list[str]]:
    return sorted([each.address.lower(), each.name] for each in addresses)


def _hash(file: FilePart) -> str:
    hashed = hashlib.sha256()
    for piece in file.payload.pieces():
        hashed.update(piece)
    return hashed.hexdigest()
