"""What a caller names as recipients → addresses a mail can be sent to. Pure.

Refuses what cannot be an address before anything is sent, and never shows it: an address is nobody's business in a log.
https://www.rfc-editor.org/rfc/rfc5321#section-4.5.3.1 (lengths), https://www.rfc-editor.org/rfc/rfc5322#section-3.4.1
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TypeAlias

import idna

from mailkit.errors import InvalidMessage
from mailkit.mime.headers import decode_list, decode_words, read_addresses
from mailkit.values import Address

__all__ = ["Recipients", "one_line_text", "read_recipients", "wire_address"]

Recipients: TypeAlias = str | Address | Iterable[str | Address]
"""One or several recipients: an ``Address``, a text with one or several addresses, or a list of those."""

# Everything that some reader takes for the end of a line, and what no header may hold: RFC 5322 section 2.2.
_CONTROL = re.compile("[\x00-\x08\x0a-\x1f\x7f\x85\u2028\u2029]")
_ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_LOCAL = re.compile(rf"{_ATOM}(?:\.{_ATOM})*|\"(?:[ !#-\[\]-~]|\\[ -~])*\"")
_DOMAIN = re.compile(r"(?=.{1,253}\Z)(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)*[A-Za-z0-9-]{1,63}")
_SURROGATE = re.compile("[\ud800-\udfff]")


def read_recipients(value: object, name: str) -> tuple[Address, ...]:
    """Read what was passed as ``name`` (``to``, ``cc`` …); each address is checked.

    Raises:
        InvalidMessage: one of them is no address, or nothing of the kind was passed.
    """
    if isinstance(value, str | Address):
        value = (value,)
    if not isinstance(value, Iterable):
        raise InvalidMessage(
            f"{name} must be an address, a text with addresses or a list of them, not {type(value).__name__}",
            code="bad_recipient",
        )
    return tuple(found for each in value for found in _read(each, name))


def _read(each: object, name: str) -> tuple[Address, ...]:
    match each:
        case Address():
            found: tuple[Address, ...] = (each,)
        case str():
            _no_control(each, name)
            found = read_addresses(decode_list(each if ":" in each else each.replace(";", ",")))
        case _:
            raise InvalidMessage(f"each of {name} must be an address, not {type(each).__name__}", code="bad_recipient")
    if isinstance(each, str) and ((not found and each.strip()) or any(_is_guessed(each, address) for address in found)):
        raise InvalidMessage(f"{name} cannot be read; write Name <name@example.com>, another@…", code="bad_recipient")
    for address in found:
        _check(address, name)
    return found


def _is_guessed(text: str, address: Address) -> bool:
    """Whether the tolerant reader of received mail made something of what is no list of addresses."""
    bare = f"<{address.address}>" not in text.replace(" ", "")
    return bool(address.name) and (bare or ("@" in address.name and '"' not in text))


def _check(address: Address, name: str) -> None:
    one_line_text(address.name, f"a name in {name}")
    _no_control(address.address, name)
    local, at, domain = address.address.rpartition("@")
    if not at or not local or not domain or len(local) > 64:
        raise InvalidMessage(
            f"one of {name} is no address; write it as name@example.com or Name <name@example.com>",
            code="bad_recipient",
        )
    if not local.isascii():
        raise InvalidMessage(
            f"one of {name} has letters beyond ASCII before its @, which neither provider sends to (RFC 6531); use "
            "another address of that person",
            code="smtputf8",
        )
    if not _LOCAL.fullmatch(local) or not _DOMAIN.fullmatch(_ascii_domain(domain, name)):
        raise InvalidMessage(
            f"one of {name} holds marks that an address cannot have; a list needs a comma between addresses",
            code="bad_recipient",
        )


def wire_address(address: Address) -> str:
    """Give the address as it is written in mail: an international domain in its ASCII form (RFC 5891)."""
    local, _, domain = address.address.rpartition("@")
    return f"{local}@{_ascii_domain(domain, 'the recipients')}"


def _ascii_domain(domain: str, name: str) -> str:
    if domain.isascii():
        return domain
    try:
        return idna.encode(domain, uts46=True).decode("ascii")
    except idna.IDNAError:
        raise InvalidMessage(f"one of {name} has a domain that cannot be one", code="bad_recipient") from None


def one_line_text(text: object, name: str) -> str:
    """Take a text that goes into a header: one line, also for a reader who decodes what looks encoded (RFC 2047).

    Raises:
        InvalidMessage: it would end the line, or is no text.
    """
    if not isinstance(text, str):
        raise InvalidMessage(f"{name} must be text, not {type(text).__name__}", code="bad_header")
    _no_control(text, name)
    _no_control(decode_words(text), name)
    return text


def _no_control(text: str, name: str) -> None:
    if _CONTROL.search(text):
        raise InvalidMessage(f"{name} must be on one line, without control characters", code="header_injection")
    if _SURROGATE.search(text):
        raise InvalidMessage(f"{name} holds half a character; pass text that is whole", code="bad_header")
