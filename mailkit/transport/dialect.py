"""What a provider tells the transport about itself, as data and one pure function.

Responsible for the shape of that knowledge. The knowledge itself stands with each provider; this module knows none.
"""

from __future__ import annotations

import math
from typing import Literal, Protocol, TypeAlias

import attrs

from mailkit.checks import seconds, setting, whole
from mailkit.errors import MailkitError
from mailkit.transport.call import Answer

__all__ = ["BatchRoute", "Dialect", "Quota", "Refusal", "Repeat"]

Repeat: TypeAlias = Literal["never", "reads", "any"]
"""Whether to send the same request again: ``never`` (the answer would be the same), ``reads`` (the provider may have
acted on it, so only where ``Call.repeat`` says that this does no harm), ``any`` (the provider did nothing yet)."""


@attrs.frozen(kw_only=True)
class Refusal:
    """How an answer other than 2xx or 3xx is to be understood, decided by status and error code, never by text.

    ``error`` is a class of ``mailkit.errors`` that needs no attributes beyond the common ones, ``RateLimited``,
    ``PermissionMissing`` (which gets ``scopes``) or ``ConfigurationError`` (which gets ``cause``). ``message`` is one
    sentence that says what to do; None: the transport's own sentence for that class. Of the answer only ``code`` may
    enter it.
    """

    error: type[MailkitError]
    code: str | None = None
    repeat: Repeat = "never"
    message: str | None = None
    scopes: tuple[str, ...] = ()
    cause: str | None = None


@attrs.frozen(kw_only=True)
class Quota:
    """At most ``units`` in any ``seconds`` on end, as the provider counts its units.

    Raises:
        ConfigurationError: one of them is not above zero.
    """

    units: int = attrs.field(validator=setting(whole))
    seconds: float = attrs.field(validator=setting(seconds))


@attrs.frozen(kw_only=True)
class BatchRoute:
    """Where and how several calls travel as one request.

    ``path`` lies below the base URL. A batch holds ``size`` parts, up to ``most`` where that saves a round, and as many
    as ``parallel`` batches may be out at once. ``slots`` is how many of the mailbox's places in flight one takes.
    """

    style: Literal["multipart", "json"]
    path: str
    size: int
    most: int = attrs.field(default=attrs.Factory(lambda route: route.size, takes_self=True))
    parallel: int = 1
    slots: int = 1

    def parts(self, calls: int) -> int:
        """Give how many parts the batches for so many calls have."""
        return min(max(self.size, math.ceil(calls / self.parallel)), self.most)


class Dialect(Protocol):
    """One provider's ways: implemented once per provider, without state."""

    @property
    def base_url(self) -> str:
        """Where paths start, without a final slash; an account's own ``base_url`` goes before it."""
        ...

    @property
    def quota(self) -> Quota:
        """How much one account may ask for."""
        ...

    @property
    def slots(self) -> int:
        """How many requests of one account may be in flight at once."""
        ...

    @property
    def batch(self) -> BatchRoute:
        """How several calls travel as one."""
        ...

    @property
    def request_id_headers(self) -> tuple[str, ...]:
        """Names (lower case) of answer headers that hold the provider's id of the request; the first present counts."""
        ...

    @property
    def client_request_id_header(self) -> str | None:
        """Name of the request header that carries an id of our own making, where the provider takes one."""
        ...

    def refusal(self, answer: Answer) -> Refusal:
        """Understand an answer with a status of 400 or above. Must not raise, whatever the body holds."""
        ...
