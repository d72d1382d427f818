"""Labels put on and taken off, trash, deletion: of messages, conversations and long lists.

Sources: developers.google.com/workspace/gmail/api/guides/labels, reference/rest/v1/users.messages/batchModify.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import attrs

from mailkit.sandbox.google.call import Answers, Call
from mailkit.sandbox.google.labels import FIXED, SYSTEM, Json
from mailkit.sandbox.google.refusals import Refusal
from mailkit.sandbox.mailbox import Entry

__all__ = ["ANSWERS"]

# reference/rest/v1/users.messages/batchModify; .../users.messages/modify
_MOST_IDS = 1000
_MOST_LABELS = 100


@attrs.frozen
class _Change:
    add: Sequence[str]
    remove: Sequence[str]


# Trash is a label like another: what a message carried besides is there again when it comes back.
_TRASH = _Change(("TRASH",), ())
_UNTRASH = _Change((), ("TRASH",))


def _asked(call: Call) -> _Change:
    change = _Change(call.texts("addLabelIds"), call.texts("removeLabelIds"))
    if not change.add and not change.remove:
        raise Refusal(400, message="No label add or removes specified")
    if max(len(change.add), len(change.remove)) > _MOST_LABELS:
        raise Refusal(400, message=f"Cannot change more than {_MOST_LABELS} labels at once")
    if both := set(change.add) & set(change.remove):
        raise Refusal(400, message=f"Cannot both add and remove the same label: {min(both)}")
    known = {*SYSTEM, *(label.id for label in call.box.labels.values())} - FIXED
    for label in (*change.add, *change.remove):
        if label not in known:
            raise Refusal(400, message=f"Invalid label: {label}")
    return change


def _applied(call: Call, entries: Iterable[Entry], change: _Change) -> list[Json]:
    """Change messages and give them as they are then."""
    rows: list[Json] = []
    for entry in entries:
        call.box.relabel(entry, change.add, change.remove)
        now = call.box.get(entry.id) or entry
        rows.append({"id": now.id, "threadId": now.thread_id, "labelIds": call.box.label_ids(now)})
    return rows


def _message(change: Callable[[Call], _Change]) -> Callable[[Call], Json]:
    def answer(call: Call) -> Json:
        entry = call.entry()
        (row,) = _applied(call, [entry], change(call))
        return row

    return answer


def _thread(change: Callable[[Call], _Change]) -> Callable[[Call], Json]:
    def answer(call: Call) -> Json:
        entries = call.thread()
        rows = _applied(call, entries, change(call))
        return {"id": call.path["id"], "historyId": str(call.box.history_id), "messages": rows}

    return answer


def _listed(call: Call) -> list[Entry]:
    """Find the messages of a long list; those that are not there are passed over in silence."""
    ids = call.texts("ids")
    if not ids:
        raise Refusal(400, message="No message ids specified")
    if len(ids) > _MOST_IDS:
        raise Refusal(400, message=f"Cannot change more than {_MOST_IDS} messages at once")
    return [entry for entry in map(call.box.get, dict.fromkeys(ids)) if entry]


def _change_many(call: Call) -> None:
    _applied(call, _listed(call), _asked(call))


def _deletion(find: Callable[[Call], Iterable[Entry]]) -> Callable[[Call], None]:
    def answer(call: Call) -> None:
        for entry in find(call):
            call.box.remove(entry.id)

    return answer


ANSWERS: Answers = {
    "messages.modify": _message(_asked),
    "messages.trash": _message(lambda _call: _TRASH),
    "messages.untrash": _message(lambda _call: _UNTRASH),
    "messages.delete": _deletion(lambda call: [call.entry()]),
    "messages.batchModify": _change_many,
    "messages.batchDelete": _deletion(_listed),
    "threads.modify": _thread(_asked),
    "threads.trash": _thread(lambda _call: _TRASH),
    "threads.untrash": _thread(lambda _call: _UNTRASH),
    "threads.delete": _deletion(lambda call: call.thread()),
}
