"""What a caller hands in, looked at before anything is done with it: kinds and ranges, in one place.

Each check gives the value back, or refuses it in one sentence that names the parameter and says what to pass. No text
of the caller's is shown, since it may be an address or a secret. Knows no verb and no record.
"""

from __future__ import annotations

import inspect
import math
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import attrs

from mailkit.errors import ConfigurationError, UsageError

__all__ = [
    "asked",
    "configured",
    "file_path",
    "flag",
    "instance",
    "plain_function",
    "refuse",
    "seconds",
    "setting",
    "several",
    "text",
    "whole",
]

T = TypeVar("T")

_LONGEST = 10**9  # seconds: thirty years, which every event loop can still count


def whole(value: object, name: str, *, most: int | None = None, hint: str = "") -> int:
    """Take a whole number from 1 to ``most``; None: as large as it likes."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 1 or (most is not None and value > most):
        refuse(value, name, f"a whole number {f'from 1 to {most}' if most else 'above 0'}", hint=hint)
    return value


def seconds(value: object, name: str, *, zero: bool = False, endless: bool = False) -> float:
    """Take a number of seconds above zero; ``zero`` takes that too, ``endless`` also infinity."""
    if (
        isinstance(value, bool)
        or not isinstance(value, int | float)
        or not (0 < value <= _LONGEST or (zero and value == 0) or (endless and value == math.inf))
    ):
        least = "from" if zero else "above"
        refuse(value, name, f"a number of seconds {least} 0 up to {_LONGEST}{', or inf for no end' if endless else ''}")
    return value


def flag(value: object, name: str) -> bool:
    """Take True or False."""
    return instance(value, name, bool, "True or False")


def instance(value: object, name: str, kind: type[T], wanted: str, *, hint: str = "") -> T:
    """Take a thing of one kind; ``wanted`` says in words what that is."""
    if not isinstance(value, kind):
        refuse(value, name, wanted, hint=hint)
    return value


def text(value: object, name: str, wanted: str = "a text on one line that says something") -> str:
    """Take a text that says something, in one line."""
    if not isinstance(value, str) or not value.strip() or not value.isprintable():
        refuse(value, name, wanted)
    return value


def several(value: object, name: str, kind: type[T], wanted: str) -> tuple[T, ...]:
    """Take any number of things of one kind; a single one stands for itself, so that text is never cut into letters."""
    if isinstance(value, kind):
        return (value,)
    if not isinstance(value, Iterable):
        refuse(value, name, wanted)
    return tuple(instance(each, f"each of {name}", kind, wanted) for each in value)


def plain_function(value: object, name: str, wanted: str) -> None:
    """Refuse what is no function, and an async one, which nobody would await; None is nobody to call."""
    is_async = map(inspect.iscoroutinefunction, (value, getattr(value, "__call__", None)))  # noqa: B004  # of objects
    if value is not None and (not callable(value) or any(is_async)):
        refuse(value, name, f"a plain function (no async one) that takes {wanted}")


def file_path(value: object, name: str, *, below: Path | None = None, kind: str = "file") -> Path:
    """Take the path of a file, as text or ``Path``, made absolute: ``below`` a folder, else the one worked in.

    ``kind`` is what it is the path of, in words.
    """
    path = os.fspath(value) if isinstance(value, os.PathLike) else value
    if not isinstance(path, str) or not path or "\0" in path:
        refuse(value, name, f"the path of a {kind}, as text or a pathlib.Path")
    try:
        os.fsencode(path)  # not every text can be a name
        return ((below or Path()) / Path(path).expanduser()).absolute()
    except (UnicodeEncodeError, RuntimeError):  # the latter: nobody has that "~name"
        refuse(value, name, "a path that this system can have", hint="write it in full, without ~")


def refuse(value: object, name: str, wanted: str, *, hint: str = "", code: str | None = None) -> NoReturn:
    """Say what ``name`` must be; the code of the error is ``bad_`` and the name, where none is given."""
    code = code or f"bad_{name.rpartition(' ')[2]}"
    raise UsageError(f"{name} must be {wanted}, not {_shown(value)}{hint and f'; {hint}'}", code=code)


def _shown(value: object) -> str:
    """Show numbers and lengths of time as they are, and of anything else no more than its kind."""
    if isinstance(value, int) and abs(value) >= 10**15:
        return "so large a number"
    if isinstance(value, str):
        return "this text"
    if isinstance(value, timedelta):
        return str(value)
    return repr(value) if value is None or isinstance(value, int | float) else type(value).__name__


@contextmanager
def asked(operation: str) -> Iterator[None]:
    """Name the verb in what is refused inside the block."""
    try:
        yield
    except UsageError as error:
        error.operation = error.operation or operation
        raise


@contextmanager
def configured(account: str | None = None) -> Iterator[None]:
    """Make what is refused inside the block a ``ConfigurationError``."""
    try:
        yield
    except ConfigurationError:
        raise
    except UsageError as error:
        refusal = ConfigurationError(error.message, account=account)
        refusal.code = error.code
        raise refusal from None


def setting(check: Callable[..., object], **options: object) -> Callable[..., None]:
    """Make a check the validator of a field that somebody configures."""

    def validate(_record: object, field: attrs.Attribute[Any], value: object) -> None:
        with configured():
            check(value, name=field.name, **options)

    return validate
