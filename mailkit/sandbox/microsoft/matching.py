"""Evaluates a ``$filter`` tree over one item, and sorts items by ``$orderby``.

Responsible for Exchange's comparisons: strings without regard to case, ``ne`` true for what is missing. Items are the
whole Graph JSON of a message or folder. Never reads a query's text: see ``odata``.
"""

from __future__ import annotations

import datetime as dt
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar, assert_never, cast

from mailkit.sandbox.microsoft.filter_tree import (
    And,
    AnyCategory,
    AnyProperty,
    Compare,
    Contains,
    Filter,
    Not,
    Or,
    Order,
)
from mailkit.sandbox.microsoft.schema import Entity, Kind

__all__ = ["holds", "property_id", "sort", "value_at"]

Item = Mapping[str, object]
Row = TypeVar("Row")

_TESTS: Mapping[str, Callable[[Any, Any], bool]] = {
    "eq": operator.eq,
    "ne": operator.ne,
    "gt": operator.gt,
    "ge": operator.ge,
    "lt": operator.lt,
    "le": operator.le,
}


def holds(tree: Filter, item: Item) -> bool:
    """Whether ``item`` is in the answer."""
    match tree:
        case And(left, right):
            return holds(left, item) and holds(right, item)
        case Or(left, right):
            return holds(left, item) or holds(right, item)
        case Not(inner):
            return not holds(inner, item)
        case Compare() | Contains():
            return _passes(tree, value_at(item, tree.path))
        case AnyCategory(name):
            return name.casefold() in {str(c).casefold() for c in cast(Iterable[object], item.get("categories", ()))}
        case AnyProperty(wanted, test):
            extended = cast(Iterable[Mapping[str, str]], item.get("singleValueExtendedProperties", ()))
            values = [p["value"] for p in extended if property_id(p["id"]) == property_id(wanted)]
            numeric = isinstance(test, Compare) and isinstance(test.value, int)
            return any(_passes(test, int(value) if numeric else value) for value in values)
    assert_never(tree)


def property_id(text: str) -> str:
    """Give one spelling to an extended property's id.

    Both ``Integer 0x0E08`` and ``Long 0x0E08`` are in use for the size (python-o365#970, msgraph-sdk-java#619).
    """
    kind, _, rest = text.lower().partition(" ")
    return f"{'integer' if kind == 'long' else kind} {rest}"


def value_at(item: Item, path: str) -> object:
    """Give what stands at ``path``, a date as a datetime; None where nothing does."""
    value: object = item
    for name in path.split("/"):
        if not isinstance(value, Mapping):
            return None
        value = value.get(name)
    if path.endswith("DateTime") and isinstance(value, str):
        return dt.datetime.fromisoformat(value)
    if path.endswith("/dateTime") and isinstance(value, str):
        return dt.datetime.fromisoformat(value).replace(tzinfo=dt.UTC)
    return value


def sort(rows: Iterable[Row], orders: Sequence[Order], entity: Entity, item_of: Callable[[Row], Item]) -> list[Row]:
    """Sort ``rows`` by ``orders``, the first counting most; those that tie keep their order."""
    ordered = list(rows)
    for order in reversed(orders):
        rank = partial(_rank, item_of=item_of, order=order, kind=entity.comparable[order.path])
        ordered.sort(key=rank, reverse=order.descending)
    return ordered


def _rank(row: Row, *, item_of: Callable[[Row], Item], order: Order, kind: Kind) -> tuple[bool, Any]:
    value = value_at(item_of(row), order.path)
    if value is None:
        return (False, 0)
    return (True, str(value).casefold() if kind in ("string", "enum") else value)


def _passes(test: Compare | Contains, value: object) -> bool:
    if isinstance(test, Contains):
        # `contains(body/content,...)` is answered without a look at the body (graph-explorer#3765).
        if not isinstance(value, str) or test.path == "body/content":
            return False
        folded, wanted = value.casefold(), test.text.casefold()
        return folded.startswith(wanted) if test.start else wanted in folded
    if value is None:
        return test.operator == "ne"
    left, right = (v.casefold() if isinstance(v, str) else v for v in (value, test.value))
    return _TESTS[test.operator](left, right)
