"""The base of all records: plain frozen values that go through JSON and come back equal.

A record does no I/O and knows no client. ``to_dict`` gives JSON-safe values (instants as ISO 8601 with offset, refs as
text), ``from_dict`` reads them back and says with a path what is wrong.
"""

from __future__ import annotations

import base64
import datetime as dt
import re
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Self
from zoneinfo import ZoneInfo

import attrs

from mailkit.errors import MailkitError, UsageError
from mailkit.mime.late_bytes import MaybeBytes, read_bytes
from mailkit.mime.late_text import MaybeText, read_text
from mailkit.models.errors_json import error_from_dict, error_to_dict
from mailkit.recurrence import Recurrence
from mailkit.values import Ref

if TYPE_CHECKING:  # cattrs is heavy and only needed here, so it is imported when first used
    from cattrs import Converter


_MOMENT = dt.datetime | dt.date


@attrs.frozen(kw_only=True)
class Record:
    """A frozen, slotted, picklable value with a JSON form."""

    def to_dict(self) -> dict[str, object]:
        """Give the record as JSON-safe values; ``type(record).from_dict`` reads them back."""
        data: dict[str, object] = _converter().unstructure(self)
        return data

    @classmethod
    def from_dict(cls, data: object) -> Self:
        """Read what ``to_dict`` gave.

        Raises:
            UsageError: the data does not fit; the text names the path at fault, never the data.
        """
        from cattrs.errors import BaseValidationError

        try:
            return _converter().structure(data, cls)
        except BaseValidationError as error:
            paths = ", ".join(sorted(set(_paths(error)))) or "$"
            raise UsageError(
                f"this is no {cls.__name__}: wrong, missing or unknown at {paths}", code="bad_record"
            ) from None
        except (TypeError, ValueError, AttributeError, KeyError):
            raise UsageError(f"this is no {cls.__name__}: pass what to_dict gave", code="bad_record") from None


def _paths(error: BaseException, at: str = "$") -> list[str]:
    """Where inside the data something was wrong, from cattrs' notes; the values themselves are left out."""
    from cattrs import AttributeValidationNote, IterableValidationNote
    from cattrs.errors import ForbiddenExtraKeysError

    if isinstance(error, ForbiddenExtraKeysError):
        # A key is data, too: only what could be the name of a field is shown.
        return [f"{at}.{key if re.fullmatch('[a-z_]{1,40}', str(key)) else '?'}" for key in error.extra_fields]
    if not isinstance(error, BaseExceptionGroup):
        return [at]
    found: list[str] = []
    for inner in error.exceptions:
        here = at
        for note in getattr(inner, "__notes__", ()):
            if isinstance(note, AttributeValidationNote):
                here = f"{at}.{note.name.lstrip('_')}"
            elif isinstance(note, IterableValidationNote):
                here = f"{at}[{note.index}]"
        found.extend(_paths(inner, here))
    return found


def _written(value: dt.datetime) -> str:
    """Write an instant, and behind it the zone it has (RFC 9557)."""
    zone = value.tzinfo.key if isinstance(value.tzinfo, ZoneInfo) else None
    return f"{value.isoformat()}[{zone}]" if zone else value.isoformat()


def _instant(value: str) -> dt.datetime:
    text, _, zone = value.removesuffix("]").partition("[")
    instant = dt.datetime.fromisoformat(text)
    if instant.utcoffset() is None:
        raise ValueError("an instant needs its offset")
    return instant.astimezone(ZoneInfo(zone)) if zone else instant


def _moment(value: str) -> dt.datetime | dt.date:
    return _instant(value) if "T" in value else dt.date.fromisoformat(value)


@cache
def _converter() -> Converter:
    from cattrs.gen import make_dict_structure_fn, make_dict_unstructure_fn
    from cattrs.preconf.json import make_converter

    converter = make_converter(unstruct_collection_overrides={tuple: list})
    # A text that is still encoded stands in a private field; in JSON it has the name that it has for everybody else.
    converter.register_unstructure_hook_factory(
        attrs.has, lambda kind: make_dict_unstructure_fn(kind, converter, _cattrs_use_alias=True)
    )
    converter.register_structure_hook_factory(
        attrs.has,
        lambda kind: make_dict_structure_fn(kind, converter, _cattrs_use_alias=True, _cattrs_forbid_extra_keys=True),
    )
    converter.register_unstructure_hook(dt.datetime, _written)
    converter.register_structure_hook(dt.datetime, lambda value, _: _instant(value))
    converter.register_unstructure_hook(dt.date, lambda value: value.isoformat())
    converter.register_structure_hook(dt.date, lambda value, _: dt.date.fromisoformat(value))
    converter.register_unstructure_hook(
        _MOMENT, lambda value: _written(value) if isinstance(value, dt.datetime) else value.isoformat()
    )
    converter.register_structure_hook(_MOMENT, lambda value, _: _moment(value))
    converter.register_structure_hook(_MOMENT | None, lambda value, _: None if value is None else _moment(value))
    converter.register_unstructure_hook(Recurrence, str)
    converter.register_structure_hook(Recurrence, lambda value, _: Recurrence.from_text(value))
    converter.register_unstructure_hook(Ref, str)
    converter.register_unstructure_hook(MaybeText, read_text)
    converter.register_structure_hook(MaybeText, lambda value, _: None if value is None else str(value))
    converter.register_unstructure_hook(MaybeBytes, lambda value: base64.b64encode(read_bytes(value)).decode())
    converter.register_structure_hook(MaybeBytes, lambda value, _: base64.b64decode(value, validate=True))
    converter.register_structure_hook(Ref, lambda value, _: Ref.parse(value))
    converter.register_structure_hook_func(lambda kind: kind == Mapping[str, object], lambda value, _: dict(value))
    converter.register_unstructure_hook(MailkitError, error_to_dict)
    converter.register_structure_hook(MailkitError, lambda value, _: error_from_dict(value))
    return converter
