"""Reading provider JSON member by member: what is missing is empty, what has the wrong type is named by its path.

Pure, and the same for every provider. ``path`` is the JSON path of the object being read (``value[3]``); each reader
raises ``BadPayload`` with the path of the member at fault, and never shows its value. What is as it should be is asked
for first, and a path is written only for what is not: these few lines run dozens of times for each message.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias, TypeVar, cast

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
    if isinstance(value, dict):
        return value
    if value is None:
        return {}
    raise _not("an object", f"{path}.{name}")


def get_list(item: Wire, name: str, path: str) -> Sequence[object]:
    """Give a list; empty where it is missing or null."""
    value = item.get(name)
    if isinstance(value, list):
        return value
    if value is None:
        return ()
    raise _not("a list", f"{path}.{name}")


def get_objects(item: Wire, name: str, path: str) -> list[Wire]:
    """Give a list of objects; empty where it is missing or null."""
    members = get_list(item, name, path)
    for at, member in enumerate(members):
        if not isinstance(member, dict):
            raise _not("an object", f"{path}.{name}[{at}]")
    return cast("list[Wire]", [*members])


def get_text(item: Wire, name: str, path: str) -> str:
    """Give text; empty where it is missing or null."""
    value = item.get(name, "")
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    raise _not("text", f"{path}.{name}")


def get_needed_text(item: Wire, name: str, path: str) -> str:
    """Give text that must not be missing or empty."""
    value = get_text(item, name, path)
    if not value:
        raise _not("something", f"{path}.{name}")
    return value


def get_flag(item: Wire, name: str, path: str) -> bool:
    """Give true or false; false where it is missing or null."""
    value = item.get(name, False)
    if isinstance(value, bool):
        return value
    if value is None:
        return False
    raise _not("true or false", f"{path}.{name}")


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
            return instant if instant.tzinfo is dt.UTC else instant.astimezone(dt.UTC)
    except (ValueError, OverflowError):
        pass
    raise _not("an ISO 8601 instant with its zone", f"{path}.{name}")


def _not(expected: str, path: str) -> BadPayload:
    return BadPayload(f"expected {expected} at {path}", path=path)
