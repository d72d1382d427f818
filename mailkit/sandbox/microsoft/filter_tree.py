"""What ``$filter`` and ``$orderby`` are read into. Plain values; ``odata`` makes them, ``matching`` evaluates them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import Literal

import attrs

__all__ = [
    "And",
    "AnyCategory",
    "AnyProperty",
    "Compare",
    "Contains",
    "Filter",
    "Not",
    "Operator",
    "Or",
    "Order",
    "Value",
    "paths",
]

Operator = Literal["eq", "ne", "gt", "ge", "lt", "le"]
Value = str | bool | int | dt.datetime


@attrs.frozen
class Compare:
    """``path operator value``."""

    path: str
    operator: Operator
    value: Value


@attrs.frozen
class Contains:
    """``contains(path,text)``, or ``startswith`` where ``start``."""

    path: str
    text: str
    start: bool


@attrs.frozen
class AnyCategory:
    """``categories/any(c:c eq name)``."""

    name: str


@attrs.frozen
class AnyProperty:
    """``singleValueExtendedProperties/any(...)``: the property's id, and a test of its value."""

    id: str
    test: Compare | Contains


@attrs.frozen
class Not:
    """``not(inner)``."""

    inner: Filter


@attrs.frozen
class And:
    """Both."""

    left: Filter
    right: Filter


@attrs.frozen
class Or:
    """Either."""

    left: Filter
    right: Filter


Filter = Compare | Contains | AnyCategory | AnyProperty | Not | And | Or


@attrs.frozen
class Order:
    """One property of ``$orderby``."""

    path: str
    descending: bool


def paths(tree: Filter) -> Iterator[str]:
    """Give the property of every leaf, in the order they are written."""
    match tree:
        case And(left, right) | Or(left, right):
            yield from paths(left)
            yield from paths(right)
        case Not(inner):
            yield from paths(inner)
        case Compare(path) | Contains(path):
            yield path
        case AnyCategory():
            yield "categories"
        case AnyProperty():
            yield "singleValueExtendedProperties"
