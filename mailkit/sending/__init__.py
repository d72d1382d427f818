"""Sending safely: the policy, the keys, the one way a message goes out, and finding out what became of it.

A send is never repeated while its fate is unclear. Knows no provider's requests: drivers make them.
"""

from __future__ import annotations

from mailkit.sending.answer import Answer, addressed, dispatch_answer
from mailkit.sending.dispatch import dispatch
from mailkit.sending.journal import EntryState, Journal, JournalEntry, MemoryJournal
from mailkit.sending.keys import check_key
from mailkit.sending.order import Idempotency, OnUnknown, Order, Outbox
from mailkit.sending.policy import PolicyCheck, SendPolicy
from mailkit.sending.reconcile import reconcile
from mailkit.sending.sqlite_journal import SqliteJournal

__all__ = [
    "Answer",
    "EntryState",
    "Idempotency",
    "Journal",
    "JournalEntry",
    "MemoryJournal",
    "OnUnknown",
    "Order",
    "Outbox",
    "PolicyCheck",
    "SendPolicy",
    "SqliteJournal",
    "addressed",
    "check_key",
    "dispatch",
    "dispatch_answer",
    "reconcile",
]
