"""The chain of Message-IDs that makes programs show an answer below what it answers. Pure.

https://www.rfc-editor.org/rfc/rfc5322#section-3.6.4
"""

from __future__ import annotations

from collections.abc import Iterable

from mailkit.mime.header_lines import MESSAGE_ID
from mailkit.mime.header_text import is_one_line
from mailkit.models.mail import Message

__all__ = ["message_id_of", "references_of"]

_LONGEST = 998
_KEPT = 10


def message_id_of(original: Message) -> str | None:
    """Give the Message-ID of a message with its ``<>``; None where it has none that can be written again."""
    return next(iter(_ids([original.message_id or ""])), None)


def references_of(original: Message) -> tuple[str, ...]:
    """Give the References of an answer to ``original``: its own ones and its Message-ID, each once.

    A message that names no References but what it answers stands behind that. Of a chain longer than a header line
    the first and the last ten are kept. Empty where the message has no Message-ID: nothing can refer to it.
    """
    parent = message_id_of(original)
    if parent is None:
        return ()
    earlier = _ids(original.references) or _ids([original.in_reply_to or ""])
    chain = [*(id_ for id_ in dict.fromkeys(earlier) if id_ != parent), parent]
    if len(" ".join(chain)) > _LONGEST:
        chain = chain if len(chain) <= _KEPT + 1 else [chain[0], *chain[-_KEPT:]]
    return tuple(chain)


def _ids(texts: Iterable[str]) -> list[str]:
    return [id_ for text in texts for id_ in MESSAGE_ID.findall(text) if is_one_line(id_)]
