"""What a caller names as recipients → addresses a mail can be sent to. Pure.

Stricter than the reader of received mail: an address that is not understood is refused, never lost. Refuses before
anything is sent, and shows no address: it is nobody's business in a log.
https://www.rfc-editor.org/rfc/rfc5321#section-4.5.3.1 (lengths), https://www.rfc-editor.org/rfc/rfc5322#section-3.4
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import TypeAlias

from mailkit.errors import InvalidMessage
from mailkit.mime.header_text import one_line_text
from mailkit.mime.headers import decode_words
from mailkit.values import Address

__all__ = ["Recipients", "as_recipient", "read_recipients"]

Recipients: TypeAlias = str | Address | Iterable[str | Address]
"""One or several recipients: an ``Address``, a text with one or several addresses, or a list of those."""

_MOST, _MOST_LOCAL, _MOST_DOMAIN = 254, 64, 253  # characters: a path of 256 has its <> besides

# In quotes dots may stand anywhere, as in addresses of Japanese telephones. The grammar allows more in them, of which
# many readers make another address.
_ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_LOCAL = re.compile(rf'{_ATOM}(?:\.{_ATOM})*|"(?:{_ATOM}|\.)+"')
_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_DOMAIN = re.compile(rf"{_LABEL}(?:\.{_LABEL})*")

# One address of a text, with the comma or semicolon behind it; or the name of a group, whose members follow.
_QUOTED = r'"(?:[^"\\]|\\.)*+"'
_ADDRESS = rf'(?:{_QUOTED}|[^\s"<>(),;:@]++)@[^\s"<>(),;:@]++'
_ELEMENT = re.compile(
    rf"""\s*+(?:
        (?:{_QUOTED}|[^"<>(),;:@]*+)\s*+:
        |(?:(?P<name>(?:{_QUOTED}|[^"<>;:@])*+)<\s*+(?P<angle>{_ADDRESS})\s*+>
           |(?P<alone>{_ADDRESS})\s*+(?:\((?P<comment>[^()]*+)\))?
         )?\s*+(?:[,;]|\Z)
    )""",
    re.VERBOSE,
)
_NAME_PART = re.compile(rf'({_QUOTED})|[^"]++')
_ESCAPE = re.compile(r"\\(.)")


def read_recipients(value: object, name: str) -> tuple[Address, ...]:
    """Read what was passed as ``name`` (``to``, ``cc`` …); each address is checked.

    International domains are given in their ASCII form (RFC 5891), as mail is sent to them.

    Raises:
        InvalidMessage: one of them is no address, or nothing of the kind was passed. Of a list it says the place.
    """
    if isinstance(value, str | Address):
        return _found(value, name)
    if isinstance(value, Mapping) or not isinstance(value, Iterable):
        raise InvalidMessage(
            f"{name} must be an address, a text with addresses or a list of them, not {type(value).__name__}",
            code="bad_recipient",
        )
    return tuple(found for place, each in enumerate(value) for found in _found(each, f"{name}[{place}]"))


def as_recipient(address: Address) -> Address | None:
    """Give an address that a stranger wrote, without a name that cannot be written; None where no mail goes to it."""
    for form in (address, Address(address=address.address)):
        with suppress(InvalidMessage):
            _checked(form, "to")
            return form
    return None


def _found(each: object, name: str) -> tuple[Address, ...]:
    return tuple(_checked(found, name) for found in _read(each, name))


def _read(each: object, name: str) -> Iterable[Address]:
    if isinstance(each, Address):
        return (each,)
    if isinstance(each, str):
        return _listed(one_line_text(each, name), name)
    raise InvalidMessage(f"{name} must be an address, not {type(each).__name__}", code="bad_recipient")


def _listed(text: str, name: str) -> Iterator[Address]:
    at = 0
    while at < len(text):
        found = _ELEMENT.match(text, at)
        if found is None:
            raise InvalidMessage(
                f"{name} cannot be read; write Name <name@example.com>, another@example.com, and put a name with marks "
                "in quotes",
                code="bad_recipient",
            )
        at = found.end()
        if address := found["angle"] or found["alone"]:
            yield Address(name=_said(found["name"] or found["comment"] or ""), address=address)


def _said(name: str) -> str:
    parts = _NAME_PART.finditer(name)
    said = "".join(_ESCAPE.sub(r"\1", part[0][1:-1]) if part[1] else decode_words(part[0]) for part in parts)
    return " ".join(said.split())


def _checked(address: Address, name: str) -> Address:
    one_line_text(address.name, f"a name in {name}")
    local, _, domain = one_line_text(address.address, f"an address in {name}").rpartition("@")
    if not local or not domain:
        raise InvalidMessage(
            f"{name} holds what is no address; write it as name@example.com or Name <name@example.com>",
            code="bad_recipient",
        )
    if not local.isascii():
        raise InvalidMessage(
            f"{name} has letters beyond ASCII before an @, which neither provider sends to (RFC 6531); use "
            "another address of that person",
            code="smtputf8",
        )
    domain = _ascii_domain(domain, name)
    if len(local) > _MOST_LOCAL or len(domain) > _MOST_DOMAIN or len(local) + 1 + len(domain) > _MOST:
        raise InvalidMessage(
            f"{name} holds an address that is longer than one can be (RFC 5321): {_MOST_LOCAL} characters before "
            f"its @, {_MOST} in all",
            code="bad_recipient",
        )
    # Readers that decode such a word see another address than the one the mail is sent to.
    if not _LOCAL.fullmatch(local) or not _DOMAIN.fullmatch(domain) or "=?" in local:
        raise InvalidMessage(
            f"{name} holds marks that an address cannot have; a list needs a comma between addresses",
            code="bad_recipient",
        )
    return Address(name=address.name, address=f"{local}@{domain}")


def _ascii_domain(domain: str, name: str) -> str:
    if domain.isascii() or len(domain) > _MOST_DOMAIN:
        return domain
    import idna

    try:
        return idna.encode(domain, uts46=True).decode("ascii")
    except idna.IDNAError:
        raise InvalidMessage(
            f"{name} has a domain that cannot be one (RFC 5891); check its letters, or write its xn-- form",
            code="bad_recipient",
        ) from None
