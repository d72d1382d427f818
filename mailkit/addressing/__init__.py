"""Who an answer goes to, under which subject, threaded how, and how it quotes: one rule set for both providers.

Pure: works on records, knows no provider, asks nobody. Every address that is in or left out has its reason.
"""

from __future__ import annotations

from mailkit.addressing.quote import Quoted, quote_forward, quote_reply
from mailkit.addressing.recipients import Addressed, Reason, Wish, address
from mailkit.addressing.references import references_of
from mailkit.addressing.subject import forward_subject, reply_subject
from mailkit.addressing.target import answerable

__all__ = [
    "Addressed",
    "Quoted",
    "Reason",
    "Wish",
    "address",
    "answerable",
    "forward_subject",
    "quote_forward",
    "quote_reply",
    "references_of",
    "reply_subject",
]
