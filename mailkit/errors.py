"""Every error mailkit raises, sorted by what the caller should do about it.

::

    MailkitError
    ├── UsageError              you: the call cannot be right as it stands; nothing was sent
    │   ├── UnknownAccount      no account of that name; lists the names there are
    │   ├── AmbiguousAccount    several accounts could be meant; name one
    │   ├── InvalidQuery        the search text cannot be read; has code, position, caret
    │   ├── InvalidRecurrence   the recurrence rule cannot be read or held
    │   ├── InvalidMessage      the message cannot be built as given
    │   ├── TooLarge            over a size the provider documents
    │   └── ConfigurationError  settings are wrong; has file, line
    ├── AccessError             the person or an administrator: consent is missing
    │   ├── SignInRequired      the grant is gone; sign in again
    │   ├── PermissionMissing   signed in, but without the permission this needs
    │   └── Unsupported         this provider has no such thing
    │       └── NotDownloadable it exists there, but has no bytes to fetch
    ├── AccountsFailed          some accounts failed and the caller asked to be told (also an ExceptionGroup)
    │   ├── AllAccountsFailed   every account concerned failed
    │   └── ItemsFailed         some messages of many failed
    ├── ProviderError           they: the provider answered, and the answer is no
    │   ├── NotFound            no such message, folder, label …
    │   ├── Conflict            it changed in between
    │   ├── RateLimited         asked too often; has retry_after
    │   ├── Unavailable         the provider is not well; later may work
    │   └── BadPayload          the answer cannot be understood; has path
    ├── TransportError          the way there: no answer came
    │   ├── ConnectionFailed    could not connect, or the connection broke
    │   └── TimedOut            the deadline passed
    └── OutcomeUnknown          a send may or may not have happened; has message_id

The class is chosen by status and error code, never by the text of a message. Each error pickles, and its text
holds no token, body, subject or address; what the program may need of those stands in attributes.
This module imports nothing of mailkit.
"""

from __future__ import annotations

import copyreg
import re
from collections.abc import Mapping, Sequence
from typing import Self, TypedDict, Unpack

__all__ = [
    "AccessError",
    "AccountsFailed",
    "AllAccountsFailed",
    "AmbiguousAccount",
    "BadPayload",
    "ConfigurationError",
    "Conflict",
    "ConnectionFailed",
    "Details",
    "InvalidMessage",
    "InvalidQuery",
    "InvalidRecurrence",
    "ItemsFailed",
    "MailkitError",
    "NotDownloadable",
    "NotFound",
    "OutcomeUnknown",
    "PermissionMissing",
    "ProviderError",
    "RateLimited",
    "SignInRequired",
    "TimedOut",
    "TooLarge",
    "TransportError",
    "Unavailable",
    "UnknownAccount",
    "Unsupported",
    "UsageError",
]


class Details(TypedDict, total=False):
    """What every error may know about where it happened; see ``MailkitError``."""

    account: str | None
    operation: str | None
    request_id: str | None
    status: int | None
    code: str | None
    attempts: Sequence[str]


class MailkitError(Exception):
    """The root of everything mailkit raises; never raised itself.

    ``message`` is one sentence for people and says what to do next. ``account`` and ``operation`` name the account
    and the verb concerned, ``request_id`` is the provider's own id of the failed request, ``status`` the HTTP status
    and ``code`` the provider's (or mailkit's) word for the cause; each is None where it is not known.
    ``attempts`` holds one short line per earlier attempt of the same request. ``had_no_effect`` is True where it is
    certain that the request changed nothing at the provider: it was refused, or never left.
    """

    had_no_effect: bool
    retryable: bool = False
    """Whether the same call may succeed later without anybody changing anything."""

    def __init__(
        self,
        message: str,
        *,
        account: str | None = None,
        operation: str | None = None,
        request_id: str | None = None,
        status: int | None = None,
        code: str | None = None,
        attempts: Sequence[str] = (),
    ) -> None:
        super().__init__(message)
        self.account = account
        self.operation = operation
        self.request_id = request_id
        self.status = status
        self.code = code
        self.attempts: tuple[str, ...] = tuple(attempts)
        self.had_no_effect = False

    @property
    def message(self) -> str:
        """The sentence alone, without account and operation."""
        return str(self.args[0])

    def __str__(self) -> str:
        where = [self.account] if self.account else []
        where += [self.operation] if self.operation else []
        prefix = f"{' '.join(where)}: " if where else ""
        return f"{prefix}{self.message}"

    def __reduce__(self) -> tuple[object, ...]:
        # Rebuilt from attributes, so that every subclass pickles whatever its constructor asks for.
        return (copyreg.__newobj__, (type(self), *self.args), self.__dict__)  # type: ignore[attr-defined]


def reword(error: MailkitError, message: str) -> None:
    """Let an error say what to do where more is known of it; all else that it tells stays."""
    error.args = (message, *error.args[1:])


def shown_name(name: object) -> str | None:
    """Quote what was given as an account's name; None where it looks like none, since it may be an address then."""
    return repr(name) if isinstance(name, str) and re.fullmatch(r"[A-Za-z0-9_-]{1,64}", name) else None


class UsageError(MailkitError):
    """The call cannot be right as it stands: change the call. Nothing was sent."""


class UnknownAccount(UsageError):
    """No account has that name; ``known`` lists the names there are."""

    def __init__(self, name: str, known: Sequence[str], *, operation: str | None = None) -> None:
        names = ", ".join(known) or "none yet"
        super().__init__(
            f"there is no account {shown_name(name) or 'of that name'}; the accounts are: {names}", operation=operation
        )
        self.name = name
        self.known: tuple[str, ...] = tuple(known)


class AmbiguousAccount(UsageError):
    """Several accounts could be meant: name one (or ask the person); ``known`` lists them."""

    def __init__(self, known: Sequence[str], *, operation: str | None = None) -> None:
        super().__init__(
            f"several accounts could be meant; ask the user which account, or pass account= one of: {', '.join(known)}",
            operation=operation,
        )
        self.known: tuple[str, ...] = tuple(known)


class InvalidQuery(UsageError):
    """The search text cannot be read.

    ``code`` is a stable word (``missing_value``, ``unbalanced_group``, ``bad_date`` …), ``position`` counts characters
    from 0, ``query`` is the text itself and ``caret`` two lines that point at the place. The text of the error leaves
    the query out, since a query may hold names and addresses; the caret is attached as a note, so a traceback shows it.
    """

    code: str
    position: int

    def __init__(self, message: str, *, code: str, query: str, position: int) -> None:
        super().__init__(f"{message} (character {position + 1}) [{code}]", code=code)
        self.query = query
        self.position = position
        self.add_note(self.caret)

    @property
    def caret(self) -> str:
        """The query around ``position`` on one line and a caret under it on the next; what cannot be seen is blank."""
        start = max(0, self.position - 80)
        near = "".join(c if c.isprintable() else " " for c in self.query[start : self.position + 40])
        return f"  {near}\n  {' ' * (self.position - start)}^"


class InvalidRecurrence(UsageError):
    """The recurrence rule cannot be read, or the provider cannot hold it; ``code`` says which.

    ``suggestion`` is a start (ISO date) or a rule that would do, where one is near.
    """

    def __init__(self, message: str, *, suggestion: str | None = None, **details: Unpack[Details]) -> None:
        super().__init__(message, **details)
        self.suggestion = suggestion


class InvalidMessage(UsageError):
    """The message cannot be built as given."""


class TooLarge(UsageError):
    """Over a size the provider documents; ``limit`` is in bytes."""

    def __init__(self, message: str, *, limit: int, account: str | None = None, operation: str | None = None) -> None:
        super().__init__(message, account=account, operation=operation)
        self.limit = limit


class ConfigurationError(UsageError):
    """Settings are wrong; ``file`` and ``line`` say where, when they come from a file.

    Where the provider told, and nothing could be told before, ``cause`` is a stable word for what must be mended there
    (``wrong_secret``, ``unknown_tenant``, ``admin_policy`` …): signing in again would not help. ``detail`` is the
    provider's own text, which is left out of the error's text since it may name people.
    """

    def __init__(
        self,
        message: str,
        *,
        file: str | None = None,
        line: int | None = None,
        cause: str | None = None,
        detail: str | None = None,
        **details: Unpack[Details],
    ) -> None:
        super().__init__(message, **details)
        self.file = file
        self.line = line
        self.cause = cause
        self.detail = detail


class AccessError(MailkitError):
    """A consent is missing: a person or an administrator must act."""


class SignInRequired(AccessError):
    """The grant is gone or was never given: sign in again.

    ``cause`` is a stable word for why (``revoked``, ``expired``, ``mfa_needed``, ``declined`` …), None where it is not
    known; ``detail`` is the provider's own text, which is left out of the error's text since it may name people.
    """

    def __init__(
        self, message: str, *, cause: str | None = None, detail: str | None = None, **details: Unpack[Details]
    ) -> None:
        super().__init__(message, **details)
        self.cause = cause
        self.detail = detail


class PermissionMissing(AccessError):
    """Signed in, but without the permission this call needs; ``scopes`` lists what would do, any one of them."""

    scopes: tuple[str, ...] = ()  # for one that was read from JSON, too

    def __init__(
        self,
        message: str,
        *,
        scopes: Sequence[str] = (),
        **details: Unpack[Details],
    ) -> None:
        super().__init__(message, **details)
        self.scopes = tuple(scopes)

    @property
    def message(self) -> str:
        """The sentence alone, which names the permissions that would do."""
        text = super().message
        named = not self.scopes or any(scope in text for scope in self.scopes)
        return text if named else f"{text}: one of {', '.join(self.scopes)}"


class Unsupported(AccessError):
    """This provider has no such thing."""


class NotDownloadable(Unsupported):
    """It exists at the provider, but has no bytes to fetch (a link to a cloud file, for one)."""


class AccountsFailed(MailkitError, ExceptionGroup[MailkitError]):
    """Some accounts failed; ``exceptions`` holds each account's own error. Also an ``ExceptionGroup``."""

    def __new__(cls, message: str, errors: Sequence[MailkitError], **_details: Unpack[Details]) -> Self:
        """Make the group; ``errors`` must not be empty."""
        return super().__new__(cls, message, errors)

    def __init__(self, message: str, errors: Sequence[MailkitError], **details: Unpack[Details]) -> None:
        MailkitError.__init__(self, message, **details)
        self.errors: tuple[MailkitError, ...] = tuple(errors)
        self.retryable: bool = any(error.retryable for error in errors)

    def __str__(self) -> str:
        lines = [f"{self.message}:", *(f"  {type(e).__name__}: {e}" for e in self.errors)]
        return "\n".join(lines)

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self), (self.message, list(self.errors)), self.__dict__)

    def derive(self, excs: Sequence[MailkitError]) -> AccountsFailed:  # type: ignore[override]
        """Make a group of the same kind around other errors (``except*`` asks for this)."""
        return AccountsFailed(self.message, excs, operation=self.operation)


class AllAccountsFailed(AccountsFailed):
    """Every account concerned failed, so there is nothing to show."""


class ItemsFailed(AccountsFailed):
    """Some of many messages failed and the caller asked to be told; ``exceptions`` holds each one's own error."""

    def derive(self, excs: Sequence[MailkitError]) -> ItemsFailed:  # type: ignore[override]
        """Make a group of the same kind around other errors (``except*`` asks for this)."""
        return ItemsFailed(self.message, excs, operation=self.operation)


class ProviderError(MailkitError):
    """The provider answered, and the answer is no."""


class NotFound(ProviderError):
    """No such message, thread, folder, label or attachment (any more).

    ``near`` are the names of labels alike, where a label was named that does not exist; its text leaves them out.
    """

    def __init__(self, message: str, *, near: Sequence[str] = (), **details: Unpack[Details]) -> None:
        super().__init__(message, **details)
        self.near: tuple[str, ...] = tuple(near)


class Conflict(ProviderError):
    """It changed in between: read it again, then decide."""


class RateLimited(ProviderError):
    """Asked too often; ``retry_after`` is the provider's wish in seconds, or None where it gave none."""

    retryable: bool = True

    def __init__(
        self,
        message: str,
        *,
        retry_after: float | None = None,
        **details: Unpack[Details],
    ) -> None:
        super().__init__(message, **details)
        self.retry_after = retry_after


class Unavailable(ProviderError):
    """The provider is not well just now; later may work."""

    retryable: bool = True


class BadPayload(ProviderError):
    """The answer cannot be understood; ``path`` is the JSON path at fault (``value[3].receivedDateTime``)."""

    def __init__(
        self,
        message: str,
        *,
        path: str,
        **details: Unpack[Details],
    ) -> None:
        super().__init__(message, **details)
        self.path = path


class TransportError(MailkitError):
    """No answer came."""

    retryable: bool = True


class ConnectionFailed(TransportError):
    """Could not connect, or the connection broke: check network, proxy, certificates."""


class TimedOut(TransportError):
    """The deadline passed before the answer was complete."""


class OutcomeUnknown(MailkitError):
    """A send may or may not have happened: pass this to ``reconcile()`` before any repeat.

    ``message_id`` and ``send_id`` are what the mail is found by, ``trace`` all that is known about it (it holds the
    subject and the recipients), ``key`` the idempotency key.
    """

    def __init__(
        self,
        message: str,
        *,
        message_id: str,
        send_id: str | None = None,
        trace: Mapping[str, object] | None = None,
        key: str | None = None,
        account: str | None = None,
        operation: str | None = None,
    ) -> None:
        super().__init__(message, account=account, operation=operation)
        self.message_id = message_id
        self.send_id = send_id
        self.trace: Mapping[str, object] = trace or {}
        self.key = key
