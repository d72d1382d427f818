"""What every room may know: who (Address, Account), which one (Ref), and the small protocols at the edges.

Values are frozen and hold no I/O. The protocols say what mailkit asks of a token source, a transport and a clock, so
that a program can bring its own. Imports only the errors and the checks.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import pickle
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from types import FunctionType
from typing import Literal, Protocol, TypeAlias, get_args, runtime_checkable
from urllib.parse import quote, unquote, urlsplit

import attrs

from mailkit.checks import configured, several
from mailkit.errors import ConfigurationError, UsageError, shown_name

__all__ = [
    "AccessToken",
    "Account",
    "Address",
    "Clock",
    "Deadline",
    "HttpRequest",
    "HttpResponse",
    "Provider",
    "Ref",
    "RefKind",
    "TokenSource",
    "Transport",
]

Provider: TypeAlias = Literal["google", "microsoft"]
RefKind: TypeAlias = Literal["message", "thread", "attachment", "label", "draft", "calendar", "event"]

_REF_VERSION = "mk1"
_BASE_URL = re.compile(r"https?://[^/?#@\s]+(/[^?#\s]*)?")
_ACCOUNT_NAME = re.compile(r"[a-z0-9_-]{1,64}")
_SURROGATE = re.compile("[\ud800-\udfff]")
_REF_KINDS: tuple[RefKind, ...] = get_args(RefKind)


@attrs.frozen(kw_only=True)
class Address:
    """A person or list as a message names it (RFC 5322 mailbox): display name (may be empty) and ``local@domain``."""

    name: str = ""
    address: str

    def __str__(self) -> str:
        return f"{self.name} <{self.address}>" if self.name else self.address


@attrs.frozen(kw_only=True, repr=False)
class Ref:
    """The account-qualified id of one thing; every row carries one, and it is accepted wherever an id is.

    ``part`` names the attachment inside the message ``id``. ``str(ref)`` is a single word that survives JSON, a file
    or a language model, and ``Ref.parse`` reads it back; the word ends in a check value, so a damaged one is
    refused before anything is sent.
    """

    account: str
    kind: RefKind
    id: str
    part: str | None = None

    def __str__(self) -> str:
        try:
            body = ":".join((_REF_VERSION, self.account, self.kind, *(quote(p, safe="-_=.~") for p in self._path())))
            return f"{body}:{_check(body)}"
        except (TypeError, UnicodeEncodeError):  # made by hand
            raise UsageError(
                "account, kind, id and part of a ref are text without lone surrogates", code="bad_ref"
            ) from None

    def __repr__(self) -> str:
        shown = self.id if len(self.id) <= 16 else f"{self.id[:6]}…{self.id[-6:]}"
        return f"<Ref {self.account} {self.kind} {shown}{'/' + self.part if self.part is not None else ''}>"

    def _path(self) -> tuple[str, ...]:
        return (self.id,) if self.part is None else (self.id, self.part)

    @classmethod
    def parse(cls, text: str) -> Ref:
        """Read ``str(ref)`` back.

        Raises:
            UsageError: the text is no ref of this version, or was changed on its way.
        """
        body, _, check = text.strip().rpartition(":") if _is_unicode(text) else ("", "", "")
        fields = body.split(":")
        if fields[0] != _REF_VERSION or len(fields) not in (4, 5) or fields[2] not in _REF_KINDS:
            raise UsageError(
                "this is not a mailkit ref; pass a row, its .ref, or str(row.ref) as it was given", code="bad_ref"
            )
        if check != _check(body):
            raise UsageError(
                "this ref was changed on its way (its check value does not fit); pass it exactly as it was given",
                code="bad_ref",
            )
        return cls(
            account=fields[1],
            kind=next(k for k in _REF_KINDS if k == fields[2]),
            id=unquote(fields[3]),
            part=unquote(fields[4]) if len(fields) == 5 else None,
        )


def is_ref_text(text: str) -> bool:
    """Whether a text is one for ``Ref.parse`` to read, and no bare id or name."""
    return text.lstrip().startswith(f"{_REF_VERSION}:")


def _check(text: str) -> str:
    return hashlib.blake2s(text.encode(), digest_size=4).hexdigest()


def _is_unicode(text: object) -> bool:
    return isinstance(text, str) and _SURROGATE.search(text) is None


@attrs.frozen(kw_only=True)
class AccessToken:
    """A bearer token. ``expires_at`` is an aware UTC datetime; None: used until the provider refuses it.

    ``scopes`` are the granted permissions where the source knows them; None: unknown, so nothing is refused early.
    """

    value: str = attrs.field(repr=False)
    expires_at: dt.datetime | None = None
    scopes: frozenset[str] | None = None


@runtime_checkable
class TokenSource(Protocol):
    """Where an account's access token comes from."""

    async def token(self, *, stale: str | None = None) -> AccessToken:
        """Give a token to use now; ``stale`` is one the provider has just refused: give another if there is one.

        Raises:
            SignInRequired: there is no way to a new token without the person.
        """
        ...


@attrs.frozen(kw_only=True)
class HttpRequest:
    """One request on its way out: an absolute URL, headers as pairs in order, the body in memory."""

    method: str
    url: str
    headers: Sequence[tuple[str, str]] = ()
    content: bytes = b""
    connect_timeout: float = 10.0
    read_timeout: float = 30.0


class HttpResponse(Protocol):
    """An answer whose body is read once, as it arrives."""

    @property
    def status(self) -> int:
        """The HTTP status code."""
        ...

    @property
    def headers(self) -> Mapping[str, str]:
        """The headers; names are lower case."""
        ...

    def stream(self) -> AsyncIterator[bytes]:
        """Give the body piece by piece, content encoding removed."""
        ...

    async def aclose(self) -> None:
        """Release the connection; harmless when repeated."""
        ...


@runtime_checkable
class Transport(Protocol):
    """The way bytes travel: bring your own to add a proxy, a recorder or a pool of your own.

    It follows no redirect, retries nothing and raises only ``ConnectionFailed`` and ``TimedOut``; their code
    is ``not_sent`` when nothing of the request went out, so that even a send may be repeated.
    """

    async def send(self, request: HttpRequest) -> HttpResponse:
        """Send one request and give the answer as soon as its headers are there."""
        ...

    async def aclose(self) -> None:
        """Close what is open in the running event loop; harmless when repeated."""
        ...


class Deadline(Protocol):
    """What ``Clock.deadline`` gives: whether the time ran out before the block was done."""

    @property
    def expired(self) -> bool:
        """True when the block was cut off."""
        ...


@runtime_checkable
class Clock(Protocol):
    """The one source of time: everything that waits or asks what time it is goes through it."""

    def now(self) -> dt.datetime:
        """The wall clock, aware, UTC."""
        ...

    def monotonic(self) -> float:
        """Seconds that never run backwards."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        ...

    def deadline(self, seconds: float | None) -> AbstractContextManager[Deadline]:
        """Cut the block off after ``seconds`` (None: never). No error: ask ``expired`` afterwards."""
        ...

    def remaining(self) -> float:
        """Seconds left until the nearest enclosing deadline; ``inf`` where there is none."""
        ...


def _names_a_place(url: str) -> bool:
    try:
        return urlsplit(url).port != 0
    except ValueError:  # a port that is none, or half an IPv6 address
        return False


def _aliases(values: str | Iterable[str]) -> tuple[str, ...]:
    with configured():
        return several(values, "aliases", str, "an address or a list of addresses")


def _scopes(values: str | Iterable[str] | None) -> frozenset[str] | None:
    if values is None:
        return None
    with configured():
        named = several(values, "scopes", str, "the permissions as a list, or in one text with blanks between them")
    return frozenset(scope for each in named for scope in each.split())  # as OAuth writes them, RFC 6749 section 3.3


@attrs.frozen(kw_only=True)
class Account:
    """One person's mailbox and calendars at one provider.

    ``token`` may be the token itself, a callable (plain or async) that gives one, a ``google.auth`` credential, an
    ``azure.identity``-shaped credential, an MSAL application, or any ``TokenSource``. ``address`` and ``aliases`` are
    what ``me`` means in a query; without them the provider is asked. ``scopes`` are the permissions granted, as a list
    or in one text with blanks between them (None: unknown). ``base_url`` points at a national cloud or an emulator
    (``https://graph.microsoft.us/v1.0``, with Graph's version; ``http://127.0.0.1:4000`` for Gmail), ``transport``
    replaces how bytes travel. ``mailbox`` is the address or id of a shared, delegated or app-accessed Outlook mailbox,
    worked in instead of the signed-in person's own.

    An account pickles when its token is a reference to where the secret is: an importable function, a token store, or
    any object that says so by its ``reference``; never when it holds the secret itself.

    Raises:
        ConfigurationError: the name is not ``[a-z0-9_-]+``, there is no such provider, the base URL cannot be one,
            the provider has no such ``mailbox``, an app that signs in as itself was given none, or another value is
            not what it must be.
    """

    name: str = attrs.field()
    provider: Provider = attrs.field()
    token: TokenSource | str | Callable[[], str | AccessToken | Awaitable[str | AccessToken]] | object = attrs.field(
        repr=False
    )
    address: str | None = attrs.field(default=None, repr=False)
    aliases: tuple[str, ...] = attrs.field(default=(), converter=_aliases, repr=False)
    scopes: frozenset[str] | None = attrs.field(default=None, converter=_scopes, repr=False)
    base_url: str | None = attrs.field(default=None)
    transport: Transport | None = attrs.field(default=None, repr=False)
    mailbox: str | None = attrs.field(default=None, repr=False)

    @name.validator
    def _name_is_plain(self, _attribute: object, value: object) -> None:
        if not (isinstance(value, str) and _ACCOUNT_NAME.fullmatch(value)):
            raise ConfigurationError(
                "the name of an account must be 1 to 64 of a-z, 0-9, '-' and '_', for example 'work'"
                + (f", not {shown}" if (shown := shown_name(value)) else "")
            )

    @provider.validator
    def _provider_is_known(self, _attribute: object, value: str) -> None:
        if value not in ("google", "microsoft"):
            raise ConfigurationError(f"provider of account {self.name!r} must be 'google' or 'microsoft'")

    @address.validator
    def _address_is_text(self, _attribute: object, value: object) -> None:
        if value is not None and not isinstance(value, str):
            raise ConfigurationError(f"address of account {self.name!r} must be one address as text, or None")

    @base_url.validator
    def _base_url_is_absolute(self, _attribute: object, value: object) -> None:
        if value is None:
            return
        if not isinstance(value, str) or not _BASE_URL.fullmatch(value) or not _names_a_place(value):
            raise ConfigurationError(
                f"base_url of account {self.name!r} must be an absolute http(s) URL without user, query or fragment"
            )
        if self.provider == "microsoft" and value.count("/") < 3:
            raise ConfigurationError(
                f"base_url of account {self.name!r} must end in Graph's version, as in https://graph.microsoft.us/v1.0"
            )

    @transport.validator
    def _transport_sends(self, _attribute: object, value: object) -> None:
        if value is not None and not isinstance(value, Transport):
            raise ConfigurationError(
                f"transport of account {self.name!r} must have the methods of mailkit.Transport; wrap a transport of "
                "httpx in HttpxTransport(httpx_transport=...)",
                account=self.name,
            )

    @mailbox.validator
    def _mailbox_is_outlooks(self, _attribute: object, value: str | None) -> None:
        if value is not None and self.provider != "microsoft":
            raise ConfigurationError(
                f"mailbox of account {self.name!r} is for Outlook; at Google sign in as that mailbox, or make it the "
                "subject of a service account"
            )
        if value is not None and not re.fullmatch(r"[^\s/?#]+", value):
            raise ConfigurationError(f"mailbox of account {self.name!r} must be an address or a user's id")

    def __attrs_post_init__(self) -> None:
        if getattr(self.token, "needs_mailbox", False) is True and self.mailbox is None:
            raise ConfigurationError(
                f"account {self.name!r} needs mailbox=, since an app has no mailbox of its own; pass the address of "
                "the one it works in",
                account=self.name,
            )

    def __reduce__(self) -> tuple[object, ...]:
        token = self.token
        # A plain function pickles as its name; what is bound, or partial, would take along what it holds.
        if not isinstance(getattr(token, "reference", None), str) and not isinstance(token, FunctionType):
            raise self._unpicklable(
                f"its token is a {type(token).__name__}, held in memory; sign in to it (mailkit.sign_in), or pass an "
                "importable function that gives the token"
            )
        for value, instead in (
            (token, "pass an importable function, a FileStore or a KeyringStore"),
            (self.transport, "give the transport anew where it is loaded"),
        ):
            try:
                pickle.dumps(value)
            except ConfigurationError as error:
                raise self._unpicklable(error.message) from error
            except Exception as error:  # whatever the object does when it is pickled
                raise self._unpicklable(f"its {type(value).__name__} cannot be; {instead}") from error
        return (_account, ({field.name: getattr(self, field.name) for field in attrs.fields(Account)},))

    def _unpicklable(self, why: str) -> ConfigurationError:
        return ConfigurationError(
            f"account {self.name!r} cannot be pickled: {why}", account=self.name, code="held_in_memory"
        )


def _account(fields: Mapping[str, object]) -> Account:
    return Account(**fields)  # type: ignore[arg-type]  # the very fields of an account
