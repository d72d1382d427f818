"""Gmail's labels: the tree they make, and their names by id. Pure.

Gmail has flat names only; the tree is read off their slashes. Names are compared exactly here; only ``label:`` in a
query compares keys. https://developers.google.com/workspace/gmail/api/guides/labels
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property

import attrs

from mailkit.errors import BadPayload
from mailkit.models.mail import FolderRole, Label
from mailkit.models.notes import Note
from mailkit.providers.wire import Wire, get_needed_text, get_text, read_each
from mailkit.query import ast
from mailkit.query.formula import literals
from mailkit.query.keys import label_key
from mailkit.query.render import render
from mailkit.values import Ref

_ROLES: Mapping[str, FolderRole] = {
    "INBOX": "inbox",
    "SENT": "sent",
    "DRAFT": "drafts",
    "TRASH": "trash",
    "SPAM": "spam",
}


@attrs.frozen(kw_only=True)
class LabelBook:
    """All labels of one account, as records, and what could not be read of them."""

    labels: Sequence[Label]
    problems: Sequence[BadPayload] = ()

    @cached_property
    def names(self) -> Mapping[str, str]:
        """The user's labels: names by id."""
        return {label.ref.id: label.path for label in self.labels if label.kind == "label"}

    @cached_property
    def _ids(self) -> frozenset[str]:
        return frozenset(label.ref.id for label in self.labels)

    @cached_property
    def _keys(self) -> frozenset[str]:
        return frozenset(map(label_key, self.names.values()))

    def knows(self, ids: Collection[str]) -> bool:
        """Say whether every one of these label ids is in the book."""
        return self._ids.issuperset(ids)

    def missing(self, expr: ast.Expr) -> tuple[ast.Label, ...]:
        """Give the labels a query names that do not exist."""
        asked = dict.fromkeys(literal.term for literal in literals(expr))
        return tuple(term for term in asked if isinstance(term, ast.Label) and label_key(term.value) not in self._keys)


def missing_notes(missing: Sequence[ast.Label], account: str) -> tuple[Note, ...]:
    """Say of each label that does not exist what that means."""
    effect = "there is no such label in this account, so the term matches nothing"
    return tuple(Note(account=account, code="no_such_label", term=render(term), effect=effect) for term in missing)


def labels_from_wire(items: Sequence[object], path: str, *, account: str) -> LabelBook:
    """Read the list of labels: the system's first, then the user's by path."""
    wires, problems = read_each(items, path, _checked)
    user_names = {wire["name"]: wire["id"] for wire in wires if wire["type"] == "user"}
    labels = [_label(wire, user_names, account) for wire in wires]
    labels.sort(key=lambda label: (label.kind == "label", label.path.casefold(), label.path))
    return LabelBook(labels=labels, problems=problems)


def _checked(wire: Wire, path: str) -> dict[str, str]:
    return {
        "id": get_needed_text(wire, "id", path),
        "name": get_needed_text(wire, "name", path),
        "type": get_text(wire, "type", path) or "user",
    }


def _label(wire: Mapping[str, str], user_names: Mapping[str, str], account: str) -> Label:
    ref = Ref(account=account, kind="label", id=wire["id"])
    path = wire["name"]
    if wire["type"] != "user":
        return Label(ref=ref, name=path, path=path, kind="system", role=_ROLES.get(wire["id"]))
    parent = _parent(path, user_names)
    return Label(
        ref=ref,
        name=path[len(parent) + 1 :] if parent else path,
        path=path,
        kind="label",
        parent=Ref(account=account, kind="label", id=user_names[parent]) if parent else None,
    )


def _parent(path: str, names: Mapping[str, str]) -> str | None:
    """Give the longest label there is whose name, with a slash, begins ``path``; none is invented."""
    head = path
    while "/" in head:
        head = head.rpartition("/")[0]
        if head in names:
            return head
    return None
