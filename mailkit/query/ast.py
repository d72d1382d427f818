"""The tree a query becomes: frozen nodes, one canonical form, a JSON shape.

Nodes are plain values. ``and_``, ``or_`` and ``not_`` build canonical trees: nested and/or flattened, double negation
removed, one-operand groups unwrapped, operand order kept. Nothing here reads text, a clock or a mailbox.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from typing import Literal, TypeAlias, get_args

import attrs

from mailkit.errors import UsageError

MAX_DEPTH = 50
"""How deep and, or and not may stand in one another: more than anybody writes, and safe to walk by recursion."""

FieldName: TypeAlias = Literal["from", "to", "cc", "bcc", "subject", "deliveredto", "list", "filename", "rfc822msgid"]
Place: TypeAlias = Literal["inbox", "sent", "drafts", "trash", "spam", "anywhere", "archive", "outbox", "all"]
State: TypeAlias = Literal["unread", "starred", "important", "muted", "snoozed", "chat"]
Unit: TypeAlias = Literal["d", "m", "y"]
Json: TypeAlias = "Mapping[str, object]"


@attrs.frozen
class All:
    """The empty query: everything in the default scope."""


@attrs.frozen
class Text:
    """A word or phrase in subject, body, any person, or an attachment name. ``exact`` is Gmail's ``+word``."""

    value: str
    phrase: bool = False
    exact: bool = False


@attrs.frozen
class Around:
    """At most ``distance`` words between ``left`` and ``right``; ``ordered``: left first; ``field``: subject only."""

    left: str
    right: str
    distance: int
    ordered: bool = False
    field: Literal["subject"] | None = None


@attrs.frozen
class Field:
    """``name:value``; for ``rfc822msgid`` the value is bare, without ``<>``."""

    name: FieldName
    value: str
    phrase: bool = False


@attrs.frozen
class Label:
    """A user label by its key (lower case, separators as ``-``)."""

    value: str


@attrs.frozen
class Category:
    """One of Gmail's inbox categories."""

    value: str


@attrs.frozen
class Has:
    """``attachment``, a kind of linked file, ``userlabels``, ``nouserlabels``, or a star colour."""

    value: str


@attrs.frozen
class In:
    """A place: one of the built-in folders, or ``anywhere`` / ``all``."""

    value: Place


@attrs.frozen
class Is:
    """A state of the message. ``is:read`` is ``Not(Is("unread"))``."""

    value: State


@attrs.frozen
class Date:
    """At or after (``after``), or before, midnight of a day, or an instant in whole epoch seconds."""

    rel: Literal["after", "before"]
    value: dt.date | int


@attrs.frozen
class Age:
    """Newer or older than ``n`` days, months or years before now."""

    rel: Literal["newer", "older"]
    n: int
    unit: Unit


@attrs.frozen
class Size:
    """More (``larger``) or fewer (``smaller``) than ``bytes`` bytes."""

    rel: Literal["larger", "smaller"]
    bytes: int


@attrs.frozen
class And:
    """Every operand; two or more."""

    args: tuple[Expr, ...]


@attrs.frozen
class Or:
    """Any operand; two or more."""

    args: tuple[Expr, ...]


@attrs.frozen
class Not:
    """Everything but ``arg``."""

    arg: Expr


Leaf: TypeAlias = Text | Around | Field | Label | Category | Has | In | Is | Date | Age | Size
Expr: TypeAlias = All | Leaf | And | Or | Not


def and_(args: Iterable[Expr]) -> Expr:
    """Join by and, canonically."""
    return _join(And, args)


def or_(args: Iterable[Expr]) -> Expr:
    """Join by or, canonically."""
    return _join(Or, args)


def not_(arg: Expr) -> Expr:
    """Negate, canonically."""
    return arg.arg if isinstance(arg, Not) else Not(arg)


def _join(kind: type[And | Or], args: Iterable[Expr]) -> Expr:
    flat: list[Expr] = []
    for arg in args:
        flat.extend(arg.args if isinstance(arg, kind) else (arg,))
    if not flat:
        return All()
    return flat[0] if len(flat) == 1 else kind(tuple(flat))


def depth(expr: Expr) -> int:
    """Count the and, or and not nodes on the longest way down."""
    deepest, todo = 0, [(expr, 0)]
    while todo:
        node, above = todo.pop()
        match node:
            case And(args) | Or(args):
                todo.extend((arg, above + 1) for arg in args)
            case Not(arg):
                todo.append((arg, above + 1))
            case _:
                deepest = max(deepest, above)
    return deepest


def bounded(expr: Expr) -> Expr:
    """Give ``expr`` back, once it is known to be shallow enough to be walked by recursion.

    Raises:
        UsageError: it is deeper than ``MAX_DEPTH``.
    """
    if depth(expr) > MAX_DEPTH:
        raise UsageError(f"nest at most {MAX_DEPTH} of and, or, not in a query; this one is deeper", code="too_deep")
    return expr


def sound(expr: Expr) -> Expr:
    """Give ``expr`` back, once it is known to be a tree, and shallow enough to be walked by recursion.

    Raises:
        UsageError: something in it is none of the nodes of this module, or it is deeper than ``MAX_DEPTH``.
    """
    todo: list[object] = [expr]
    while todo:
        match todo.pop():
            case And(tuple() as args) | Or(tuple() as args):
                todo.extend(args)
            case Not(arg):
                todo.append(arg)
            case node if not _is_leaf(node):
                raise UsageError(
                    "a query must be a text, a Q, or a tree of the nodes of mailkit.query.ast with fitting values",
                    code="bad_query",
                )
    return bounded(expr)


def _is_leaf(node: object) -> bool:
    match node:
        case All() | Text(str(), bool(), bool()) | Label(str()) | Category(str()) | Has(str()):
            return True
        case Around(str(), str(), int(), bool(), None | "subject"):
            return True
        case Field(name, str(), bool()):
            return name in get_args(FieldName)
        case In(value):
            return value in get_args(Place)
        case Is(value):
            return value in get_args(State)
        case Date("after" | "before", dt.date() | int()) | Size("larger" | "smaller", int()):
            return True
        case Age("newer" | "older", int(), "d" | "m" | "y"):
            return True
    return False


def to_json(expr: Expr) -> dict[str, object]:
    """Give the tree as plain JSON objects, each with an ``op``.

    Raises:
        UsageError: the tree is deeper than ``MAX_DEPTH``.
    """
    return _to_json(bounded(expr))


def _to_json(expr: Expr) -> dict[str, object]:
    match expr:
        case All():
            return {"op": "all"}
        case And(args) | Or(args):
            return {"op": type(expr).__name__.lower(), "args": [_to_json(a) for a in args]}
        case Not(arg):
            return {"op": "not", "arg": _to_json(arg)}
        case Date(rel, value):
            if isinstance(value, int):
                return {"op": "date", "rel": rel, "kind": "epoch", "value": value}
            return {"op": "date", "rel": rel, "kind": "date", "value": value.isoformat()}
        case _:
            node: dict[str, object] = {"op": type(expr).__name__.lower()}
            # Flags and the optional field are written only when set, so that a tree has one JSON form.
            node.update(
                (name, value)
                for name, value in attrs.asdict(expr).items()
                if name == "ordered" or (value is not False and value is not None)
            )
            return node
