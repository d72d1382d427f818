"""Errors as JSON-safe objects and back: the class by name, everything else as the attributes it has.

Notes a traceback shows (a query's caret) are left behind. Only classes of ``mailkit.errors`` are made again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from mailkit import errors
from mailkit.errors import AccountsFailed, MailkitError, UsageError

__all__ = ["error_from_dict", "error_key", "error_to_dict"]

_CLASSES = {
    name: kind for name, kind in vars(errors).items() if isinstance(kind, type) and issubclass(kind, MailkitError)
}


def error_to_dict(error: MailkitError) -> dict[str, object]:
    """Give the error's class as ``error``, its ``message``, and all its attributes."""
    state = {name: _plain(value) for name, value in vars(error).items() if not name.startswith("_")}
    return {"error": type(error).__name__, "message": error.message, **state}


def error_from_dict(data: object) -> MailkitError:
    """Make the error again.

    Raises:
        UsageError: the data is not what ``error_to_dict`` gave.
    """
    if not isinstance(data, Mapping):
        raise UsageError("this is no error: expected an object", code="bad_record")
    state = {str(name): _rebuilt(value) for name, value in data.items() if not str(name).startswith("_")}
    kind, message = _CLASSES.get(str(state.pop("error", None))), state.pop("message", None)
    if kind is None or not isinstance(message, str):
        raise UsageError("this is no error: expected the name of an error class and its message", code="bad_record")
    if issubclass(kind, AccountsFailed):
        inner = state.get("errors")
        if not isinstance(inner, tuple) or not inner or not all(isinstance(each, MailkitError) for each in inner):
            raise UsageError("this is no group of errors: expected a list of them in errors", code="bad_record")
        error: MailkitError = kind(message, inner)
    else:
        error = kind.__new__(kind, message)
        MailkitError.__init__(error, message)  # the attributes every error has, also where the data lacks them
    vars(error).update(state)
    return error


def error_key(error: MailkitError | None) -> str:
    """Give text that is equal for errors that say the same: exceptions themselves compare by identity."""
    return json.dumps(error and error_to_dict(error), sort_keys=True)


def _plain(value: object) -> object:
    if isinstance(value, MailkitError):
        return error_to_dict(value)
    if isinstance(value, Mapping):
        return {name: _plain(item) for name, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value


def _rebuilt(value: object) -> object:
    if isinstance(value, Mapping):
        if "error" in value:
            return error_from_dict(value)
        return {str(name): _rebuilt(item) for name, item in value.items()}  # what a sent mail is looked for by
    return tuple(_rebuilt(item) for item in value) if isinstance(value, list) else value
