"""What became of one item of many: its row, or its error."""

from __future__ import annotations

from typing import Generic, TypeVar

import attrs

from mailkit.errors import MailkitError, UsageError
from mailkit.models.errors_json import error_from_dict, error_key, error_to_dict
from mailkit.models.kinds import row_from_dict, row_to_dict
from mailkit.models.records import Record
from mailkit.values import Ref

__all__ = ["Outcome"]

T_co = TypeVar("T_co", bound=Record, covariant=True)


@attrs.frozen(kw_only=True)
class Outcome(Generic[T_co]):
    """What became of one ref of many: either ``value`` or ``error`` is set."""

    ref: Ref
    value: T_co | None = None
    error: MailkitError | None = attrs.field(default=None, eq=error_key)

    @property
    def ok(self) -> bool:
        """Whether there is a value."""
        return self.error is None

    def unwrap(self) -> T_co:
        """Give the value, or raise the error."""
        if self.error is not None:
            raise self.error
        return self.value  # type: ignore[return-value]  # one of the two is always set

    def to_dict(self) -> dict[str, object]:
        """Give the outcome as JSON-safe values; the value names its kind."""
        return {
            "ref": str(self.ref),
            "value": None if self.value is None else row_to_dict(self.value),
            "error": None if self.error is None else error_to_dict(self.error),
        }

    @classmethod
    def from_dict(cls, data: object) -> Outcome[Record]:
        """Read what ``to_dict`` gave.

        Raises:
            UsageError: the data does not fit.
        """
        match data:
            case {"ref": str(ref), "value": dict() as value, "error": None}:
                return Outcome(ref=Ref.parse(ref), value=row_from_dict(value))
            case {"ref": str(ref), "value": None, "error": dict() as error}:
                return Outcome(ref=Ref.parse(ref), error=error_from_dict(error))
        raise UsageError("this is no Outcome: expected the object to_dict gave", code="bad_record")
