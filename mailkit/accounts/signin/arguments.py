"""What a program says about a sign-in, looked at before anything is read, opened or asked.

Kinds, ranges and shapes only; what goes together with what is told where it is put together. Shows no value.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from typing import get_args

import attrs

from mailkit.accounts.settings import Settings
from mailkit.accounts.signin.prompt import Prompt
from mailkit.accounts.signin.way import Method
from mailkit.accounts.stores import TokenStore
from mailkit.checks import instance, refuse, seconds, several
from mailkit.values import Clock, Provider, Transport

__all__ = ["Arguments"]

_ADDRESS = re.compile(r"[^@\s<>\",;]+@[^@\s<>\",;]+")
# A word, an id or a domain, which becomes a part of a URL's path:
# https://learn.microsoft.com/entra/identity-platform/v2-protocols#endpoints
_TENANT = re.compile(r"[A-Za-z0-9.-]+")
_PORTS = range(65536)

# What a field is given, and its name.
_Check = Callable[[object, str], object]


def _given(check: _Check) -> Callable[..., None]:
    """Make a check the validator of a field that may be left out."""

    def validate(_record: object, field: attrs.Attribute[object], value: object) -> None:
        if value is not None:
            check(value, field.name)

    return validate


def _of(kind: type, wanted: str) -> Callable[..., None]:
    return _given(lambda value, name: instance(value, name, kind, wanted))


def _word(*words: str) -> Callable[..., None]:
    def check(value: object, name: str) -> None:
        if value not in words:
            refuse(value, name, f"one of {', '.join(map(repr, words))}")

    return _given(check)


def _line(value: object, name: str) -> str:
    # A lone surrogate is not printable either, and cannot be sent.
    if not isinstance(value, str) or not value or not value.isprintable():
        refuse(value, name, "one line of printable text")
    return value


def _client(value: object, name: str) -> None:
    if not isinstance(value, os.PathLike):
        _line(value, name)


def _address(value: object, name: str) -> None:
    if _ADDRESS.fullmatch(_line(value, name)) is None:
        refuse(value, name, "one address alone, as in 'ann@example.com'")


def _tenant(value: object, name: str) -> None:
    if _TENANT.fullmatch(_line(value, name)) is None:
        refuse(value, name, "'common', 'organizations', 'consumers', or the organisation's id or domain")


def _port(value: object, name: str) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value not in _PORTS:
        refuse(value, name, "a whole number from 0 (any that is free) to 65535")


def _callable(value: object, name: str) -> None:
    if not callable(value):
        refuse(value, name, "a function that shows what it is given, as print does")


def _some(value: object, name: str) -> None:
    if value == ():
        refuse(None, name, "at least one, or be left out")


def _stripped(value: object) -> object:
    return value.strip() if isinstance(value, str) else value


def _features(value: object) -> tuple[str, ...] | None:
    return None if value is None else several(value, "features", str, "texts, as in ['read', 'send']")


@attrs.frozen(kw_only=True)
class Arguments:
    """What ``sign_in`` was given, without blanks around it; None: not said.

    Raises:
        UsageError: one of them cannot be right.
    """

    provider: Provider | None = attrs.field(validator=_word("google", "microsoft"))
    client: str | os.PathLike[str] | None = attrs.field(converter=_stripped, validator=_given(_client), repr=False)
    client_secret: str | None = attrs.field(converter=_stripped, validator=_given(_line), repr=False)
    tenant: str | None = attrs.field(converter=_stripped, validator=_given(_tenant))
    features: Iterable[str] | None = attrs.field(converter=_features, validator=_given(_some))
    method: Method = attrs.field(validator=_word(*get_args(Method)))
    prompt: Prompt | None = attrs.field(validator=_given(_callable))
    address: str | None = attrs.field(converter=_stripped, validator=_given(_address), repr=False)
    login_hint: str | None = attrs.field(converter=_stripped, validator=_given(_line), repr=False)
    store: TokenStore | None = attrs.field(validator=_of(TokenStore, "a token store, as in FileStore(path)"))
    port: int = attrs.field(validator=_given(_port))
    timeout: float | None = attrs.field(validator=_given(seconds))
    settings: Settings | None = attrs.field(validator=_of(Settings, "Settings"))
    transport: Transport | None = attrs.field(validator=_of(Transport, "a Transport"), repr=False)
    clock: Clock | None = attrs.field(validator=_of(Clock, "a Clock"), repr=False)
