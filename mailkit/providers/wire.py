"""Reading provider JSON member by member: what is missing is empty, what has the wrong type is named by its path.

Pure, and the same for every provider. ``path`` is the JSON path of the object being read (``value[3]``); each reader
raises ``BadPayload`` with the path of the member at fault, and never shows its value.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias, TypeVar

from mailkit.errors import BadPayload

Wire: TypeAlias = Mapping[str, object]
T = TypeVar("T")


def read_each(members: Sequence[object], path: str, read: Callable[[Wire, str], T]) -> tuple[list[T], list[BadPayload]]:
    """Read each member of a list; those that cannot be read are kept apart, each with its path."""
    good: list[T] = []
    bad: list[BadPayload] = []
    for index, member in enumerate(members):
        here = f"{path}[{index}]"
        try:
            good.append(read(as_object(member, here), here))
        except BadPayload as problem:
            bad.append(problem)
    return good, bad


def as_object(value: object, path: str) -> Wire:
    """Take a JSON value that must be an object."""
    if not isinstance(value, dict):  # JSON knows no other mapping, and asking for a Mapping takes five times as long
        raise _not("an object", path)
    return value


def get_object(item: Wire, name: str, path: str) -> Wire:
    """Give an object; empty where it is missing or null."""
    value = item.get(name)
    return {} if value is None else as_object(value, f"{path}.{name}")


def get_list(item: Wire, name: str, path: str) -> Sequence[object]:
    """Give a list; empty where it is missing or null."""
    value = item.get(name)
    if value is None:
        return ()
    if not isinstance(value, list):
        raise _not("a list", f"{path}.{name}")
    return value


def get_objects(item: Wire, name: str, path: str) -> list[Wire]:
    """Give a list of objects; empty where it is missing or null."""
    return [as_object(value, f"{path}.{name}[{i}]") for i, value in enumerate(get_list(item, name, path))]


def get_text(item: Wire, name: str, path: str) -> str:
    """Give text; empty where it is missing or null."""
    value = item.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise _not("text", f"{path}.{name}")
    return value


def get_needed_text(item: Wire, name: str, path: str) -> str:
    """Give text that must not be missing or empty."""
    value = get_text(item, name, path)
    if not value:
        raise _not("something", f"{path}.{name}")
    return value


def get_flag(item: Wire, name: str, path: str) -> bool:
    """Give true or false; false where it is missing or null."""
    value = item.get(name)
    if value is not None and not isinstance(value, bool):
        raise _not("true or false", f"{path}.{name}")
    return bool(value)


def get_number(item: Wire, name: str, path: str) -> int | None:
    """Give a whole number; None where it is missing or null."""
    value = item.get(name)
    if value is not None and (not isinstance(value, int) or isinstance(value, bool)):
        raise _not("a whole number", f"{path}.{name}")
    return value


def get_instant(item: Wire, name: str, path: str) -> dt.datetime | None:
    """Give an ISO 8601 instant with a zone as aware UTC; None where it is missing, null or empty."""
    text = get_text(item, name, path)
    if not text:
        return None
    try:
        instant = dt.datetime.fromisoformat(text)
        if instant.tzinfo is not None:
            return instant.astimezone(dt.UTC)
    except (ValueError, OverflowError):
        pass
    raise _not("an ISO 8601 instant with its zone", f"{path}.{name}")


def _not(expected: str, path: str) -> BadPayload:
    return BadPayload(f"expected {expected} at {path}", path=path)
