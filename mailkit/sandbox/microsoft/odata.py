"""Reads ``$filter`` and ``$orderby`` as Exchange does: what it accepts becomes a tree, what it refuses a ``Refusal``.

Responsible for the grammar (docs.oasis-open.org/odata: ABNF) and for which part of it Exchange runs
(learn.microsoft.com/graph/filter-query-parameter and the threads named beside the rules). Never evaluates: see
``matching``.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterator, Mapping
from typing import cast

import attrs

from mailkit.sandbox.microsoft.filter_tree import (
    And,
    AnyCategory,
    AnyProperty,
    Compare,
    Contains,
    Filter,
    Not,
    Operator,
    Or,
    Order,
    Value,
    paths,
)
from mailkit.sandbox.microsoft.refusals import Refusal, bad_filter, not_a_filter, null_comparison, too_complex
from mailkit.sandbox.microsoft.schema import Entity

__all__ = ["check_order", "parse_filter", "parse_orderby"]


@attrs.frozen
class _Token:
    kind: str
    text: str
    at: int


_TOKENS = re.compile(
    r"""(?P<space>[ \t]+)
      | (?P<string>'(?:[^']|'')*')
      | (?P<datetime>\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,7})?)?(?:Z|[+-]\d\d:\d\d)(?![\w:.+-]))
      | (?P<number>-?\d+(?![\w:.+-]))
      | (?P<name>[A-Za-z_][\w.]*(?:/[A-Za-z_][\w.]*)*)
      | (?P<mark>[(),:])""",
    re.VERBOSE,
)
_Resolve = Callable[[str], tuple[str, str]]  # from a path as written to the path and its kind
_OPERATORS = ("eq", "ne", "gt", "ge", "lt", "le")
_TYPES: Mapping[str, type] = {
    "string": str,
    "enum": str,
    "boolean": bool,
    "datetime": dt.datetime,
    "moment": dt.datetime,
    "number": int,
}
_ORDERED = ("gt", "ge", "lt", "le")
# Functions OData has and Exchange does not run over mail (graph-docs#4331 for endswith).
_OTHER_FUNCTIONS = frozenset(
    (
        "cast",
        "concat",
        "date",
        "day",
        "endswith",
        "hour",
        "indexof",
        "isof",
        "length",
        "matchesPattern",
        "minute",
        "month",
        "now",
        "second",
        "substring",
        "time",
        "tolower",
        "toupper",
        "trim",
        "year",
    )
)


def parse_filter(text: str, entity: Entity) -> Filter:
    """Read ``$filter`` over ``entity``.

    Raises:
        Refusal: it cannot be read, names what is not there, or is more than Exchange runs.
    """
    parser = _Parser(text, entity)
    tree = parser.either()
    parser.end()
    return tree


def parse_orderby(text: str, entity: Entity) -> list[Order]:
    """Read ``$orderby`` over ``entity``.

    Raises:
        Refusal: it cannot be read, or names what cannot be ordered by.
    """
    orders = []
    for item in text.split(","):
        match item.split():
            case [path] | [path, "asc"]:
                orders.append(Order(path, descending=False))
            case [path, "desc"]:
                orders.append(Order(path, descending=True))
            case _:
                raise bad_filter(f"Syntax error in the orderby clause '{text}'.")
    for order in orders:
        if order.path not in entity.comparable or order.path == "body/content":
            raise bad_filter(f"Could not find a property named '{order.path}' on type '{entity.name}'.")
    return orders


def check_order(tree: Filter, orders: list[Order]) -> None:
    """Hold ``$orderby`` to the rule for messages: its properties lead ``$filter``, in the same order.

    learn.microsoft.com/graph/api/user-list-messages, "Using filter and orderby in the same query".

    Raises:
        Refusal: they do not.
    """
    filtered = list(dict.fromkeys(paths(tree)))
    ordered = [order.path for order in orders]
    if filtered[: len(ordered)] != ordered:
        raise too_complex()


class _Parser:
    """A recursive descent over the tokens; one method per level of precedence (``not`` > comparison > and > or)."""

    def __init__(self, text: str, entity: Entity) -> None:
        self._text = text
        self._entity = entity
        self._tokens = list(self._lex())
        self._next = 0

    def _lex(self) -> Iterator[_Token]:
        at = 0
        while at < len(self._text):
            found = _TOKENS.match(self._text, at)
            if found is None:
                raise self._unexpected(at)
            kind = cast(str, found.lastgroup)
            if kind != "space":
                yield _Token(kind, found.group(), at)
            at = found.end()
        yield _Token("end", "", at)

    def _unexpected(self, at: int) -> Refusal:
        return bad_filter(f"Syntax error at position {at} in '{self._text}'.")

    @property
    def _here(self) -> _Token:
        return self._tokens[self._next]

    def _take(self, kind: str, text: str | None = None) -> str:
        token = self._here
        if token.kind != kind or (text is not None and token.text != text):
            raise self._unexpected(token.at)
        self._next += 1
        return token.text

    def _meets(self, kind: str, text: str) -> bool:
        if (self._here.kind, self._here.text) != (kind, text):
            return False
        self._next += 1
        return True

    def end(self) -> None:
        self._take("end")

    def either(self) -> Filter:
        tree = self._both()
        while self._meets("name", "or"):
            tree = Or(tree, self._both())
        return tree

    def _both(self) -> Filter:
        tree = self._one()
        while self._meets("name", "and"):
            tree = And(tree, self._one())
        return tree

    def _one(self) -> Filter:
        if self._meets("name", "not"):
            inner = self._one()
            # filter-query-parameter negates `any`; over functions and comparisons it fails (python-o365#193).
            if not isinstance(inner, AnyCategory):
                raise not_a_filter()
            return Not(inner)
        if self._meets("mark", "("):
            tree = self.either()
            self._take("mark", ")")
            return tree
        if self._here.kind in ("string", "number", "datetime"):
            self._literal()
            self._take("name")
            raise not_a_filter()  # `'x' eq subject` is OData, but nothing shows that Exchange turns it round
        path = self._take("name")
        return self._call(path) if self._here.text == "(" else self._comparison(path)

    def _call(self, name: str) -> Filter:
        collection, _, quantifier = name.rpartition("/")
        if quantifier in ("any", "all") and collection:
            return self._lambda(collection, quantifier)
        if name not in ("contains", "startswith"):
            if name in _OTHER_FUNCTIONS:
                raise not_a_filter()
            raise bad_filter(f"An unknown function with name '{name}' was found.")
        return self._text_call(name, self._property)

    def _text_call(self, name: str, resolve: _Resolve) -> Contains:
        self._take("mark", "(")
        path, kind = resolve(self._take("name"))
        self._take("mark", ",")
        value = self._literal()
        self._take("mark", ")")
        if kind != "string" or not isinstance(value, str):
            raise bad_filter(f"No function signature for the function with name '{name}' matches the arguments.")
        return Contains(path, value, start=name == "startswith")

    def _property(self, path: str) -> tuple[str, str]:
        kind = self._entity.comparable.get(path)
        if kind is None:
            name = path.partition("/")[0]
            if name in self._entity.properties | self._entity.navigation:
                raise not_a_filter()
            raise bad_filter(f"Could not find a property named '{name}' on type '{self._entity.name}'.")
        return path, kind

    def _comparison(self, name: str) -> Compare:
        path, kind = self._property(name)
        operator = self._operator()
        if self._meets("name", "null"):
            raise null_comparison() if path.startswith("flag") else not_a_filter()
        value = self._moment() if kind == "moment" else self._literal()
        if type(value) is not _TYPES[kind]:
            raise bad_filter("A binary operator with incompatible types was detected.")
        if kind == "enum" and value not in self._entity.enums[path]:
            raise bad_filter(f"The string '{value}' is not a valid enumeration type constant.")
        if kind in ("enum", "boolean") and operator in _ORDERED:
            raise not_a_filter()
        return Compare(path, operator, value)

    def _operator(self) -> Operator:
        token = self._here
        word = self._take("name")
        if word in ("in", "has", "add", "sub", "mul", "div", "mod"):
            raise not_a_filter()  # graph-docs-contrib#523 for `in`
        if word not in _OPERATORS:
            raise self._unexpected(token.at)
        return cast(Operator, word)

    def _literal(self) -> Value:
        token = self._here
        self._next += 1
        if token.kind == "string":
            return token.text[1:-1].replace("''", "'")
        if token.kind == "number":
            return int(token.text)
        if token.kind == "datetime":
            try:
                return dt.datetime.fromisoformat(token.text)
            except ValueError:
                raise self._unexpected(token.at) from None
        if token.text in ("true", "false"):
            return token.text == "true"
        if token.kind == "name":
            raise bad_filter(f"Could not find a property named '{token.text}' on type '{self._entity.name}'.")
        raise self._unexpected(token.at)

    def _moment(self) -> Value:
        """Read the text that ``start/dateTime`` is compared with (O365 writes an offset, the documentation none)."""
        value = self._literal()
        try:
            moment = dt.datetime.fromisoformat(value) if isinstance(value, str) else None
        except ValueError:
            raise bad_filter("A date and time was expected.") from None
        return value if moment is None else moment if moment.tzinfo else moment.replace(tzinfo=dt.UTC)

    def _lambda(self, collection: str, quantifier: str) -> Filter:
        if collection.partition("/")[0] not in self._entity.properties | self._entity.navigation:
            raise bad_filter(f"Could not find a property named '{collection}' on type '{self._entity.name}'.")
        # `all` is not supported for mail (filter-query-parameter); recipients, headers and attachment names cannot be
        # filtered by (graph-explorer#3957); `any()` without a test stands unanswered in graph-docs#12717.
        if quantifier == "all" or collection not in self._entity.collections:
            raise not_a_filter()
        self._take("mark", "(")
        if self._here.text == ")":
            raise not_a_filter()
        variable = self._take("name")
        self._take("mark", ":")
        tree = self._category(variable) if collection == "categories" else self._extended(variable)
        self._take("mark", ")")
        return tree

    def _category(self, variable: str) -> AnyCategory:
        # Only `c eq 'name'` is seen working (graph-docs#12717).
        token = self._here
        if self._take("name") != variable:
            raise self._unexpected(token.at)
        if self._operator() != "eq":
            raise not_a_filter()
        name = self._literal()
        if not isinstance(name, str):
            raise bad_filter("A binary operator with incompatible types was detected.")
        return AnyCategory(name)

    def _extended(self, variable: str) -> AnyProperty:
        # singlevaluelegacyextendedproperty-get: `ep/id eq '...' and <a test of ep/value>`.
        id_path, value_path = f"{variable}/id", f"{variable}/value"
        token = self._here
        if self._take("name").lower() != id_path.lower():
            raise self._unexpected(token.at)
        self._take("name", "eq")
        wanted = self._literal()
        self._take("name", "and")
        token = self._here
        name = self._take("name")
        if name in ("contains", "startswith"):
            test: Compare | Contains = self._text_call(name, lambda path: (path.lower(), "string"))
        else:
            numeric = name == "cast"
            if numeric:
                self._take("mark", "(")
                name = self._take("name")
                self._take("mark", ",")
                if self._take("name") not in ("Edm.Int32", "Edm.Int64"):
                    raise not_a_filter()
                self._take("mark", ")")
            test = Compare(name.lower(), self._operator(), self._literal())
            if type(test.value) is not (int if numeric else str):
                raise bad_filter("A binary operator with incompatible types was detected.")
        if test.path != value_path.lower() or not isinstance(wanted, str):
            raise self._unexpected(token.at)
        return AnyProperty(wanted, test)
