"""Makes ids that look and travel like Exchange's: long, URL-safe base64 with ``=`` at the end.

The same words give the same id; nothing here is random.
"""

from __future__ import annotations

import base64
import hashlib
import uuid

__all__ = ["guid", "opaque"]


def opaque(prefix: str, *words: str) -> str:
    """Give the id of what ``words`` name."""
    digest = hashlib.blake2s("\0".join(words).encode(), digest_size=32).digest()
    return prefix + base64.urlsafe_b64encode(digest).decode()


def guid(*words: str) -> str:
    """Give a GUID of what ``words`` name."""
    return str(uuid.UUID(bytes=hashlib.blake2s("\0".join(words).encode(), digest_size=16).digest()))
