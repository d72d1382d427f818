"""``accounts.toml`` as text: read with the line of whatever is wrong, written so that what did not change stays.

Comments and order of the accounts that did not change are kept, for people edit the file by hand. What the keys of an
account mean stands in ``accounts_keys``. Pure: text in, text out.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import attrs

from mailkit.accounts.accounts_keys import Fields, account_of, check_types, fields_of
from mailkit.errors import ConfigurationError
from mailkit.values import Account

__all__ = ["Listed", "read_accounts", "write_accounts"]

_HEADER = re.compile(r"\s*\[\[\s*(?:account|\"account\"|'account')\s*\]\]")
_NAME = r"""(?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*')"""
_KEY = re.compile(rf"[\s\[]*({_NAME}(?:\s*\.\s*{_NAME})*)\s*[=\]]")
_AT_LINE = re.compile(r"\(at line (\d+)")


@attrs.frozen(kw_only=True)
class Listed:
    """What the file says: the accounts in order, and the name of the default."""

    accounts: tuple[Account, ...] = ()
    default: str | None = None


def read_accounts(text: str, *, file: Path) -> Listed:
    """Read the file's text; ``file`` is where it lies, which relative paths and messages go by.

    Raises:
        ConfigurationError: with file and line: it is no TOML, a key is unknown or holds something else, a name is bad
            or stands twice, there is no such provider, or the default names no account.
    """
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        at = _AT_LINE.search(str(error))
        line = int(at[1]) if at else text.count("\n") + 1
        raise _wrong(file, line, "this is no TOML; look for a missing quote, bracket or '='") from None
    pieces = _Pieces.of(text)
    for key in found:
        if key not in ("default", "account"):
            raise _wrong(file, pieces.line(None, key), f"there is no key {key!r}; the keys are: default, [[account]]")
    listed = found.get("account", [])
    if not isinstance(listed, list) or not all(isinstance(each, dict) for each in listed):
        raise _wrong(file, pieces.line(None, "account"), "account must be [[account]], in two pairs of brackets")
    accounts: dict[str, Account] = {}
    for index, each in enumerate(listed):
        account = _account(each, index, pieces, file)
        if account.name in accounts:
            raise _wrong(
                file, pieces.line(index, "name"), f"two accounts are called {account.name!r}; give each its own name"
            )
        accounts[account.name] = account
    default = found.get("default")
    if default is not None and not (isinstance(default, str) and default in accounts):
        raise _wrong(
            file,
            pieces.line(None, "default"),
            f"the default {default!r} names no account; the accounts are: {', '.join(accounts) or 'none yet'}",
        )
    return Listed(accounts=tuple(accounts.values()), default=default)


def write_accounts(listed: Listed, *, file: Path, before: str = "") -> str:
    """Write the file's text; what ``before`` says of accounts that did not change is taken over as it stands.

    Raises:
        ConfigurationError: an account cannot stand in a file.
    """
    wanted = {account.name: fields_of(account, folder=file.parent) for account in listed.accounts}
    try:
        old = read_accounts(before, file=file)
    except ConfigurationError:
        return _plain(listed.default, wanted.values())
    pieces = _Pieces.of(before)
    kept = {account.name: piece for account, piece in zip(old.accounts, pieces.accounts, strict=False)}
    same = {a.name for a in old.accounts if fields_of(a, folder=file.parent) == wanted.get(a.name)}
    blocks = []
    for name, fields in wanted.items():
        piece = kept.get(name)
        above = piece.above if piece else "\n"
        blocks.append(above + (piece.body if piece and name in same else _block(fields)))
    top = pieces.top if listed.default == old.default else _with_default(pieces.top, listed.default)
    text = (top + "".join(blocks)).lstrip("\n")
    # What is written in a way that these few patterns do not see is written anew, never wrongly.
    plain = _plain(listed.default, wanted.values())
    return text if _says(text, file) == _says(plain, file) else plain


def _account(found: Mapping[str, object], index: int, pieces: _Pieces, file: Path) -> Account:
    def refuse(key: str | None, what: str) -> ConfigurationError:
        return _wrong(file, pieces.line(index, key), what)

    return account_of(check_types(found, refuse), folder=file.parent, refuse=refuse)


@attrs.frozen(kw_only=True)
class _Piece:
    """The lines of one account: comments and empty lines ``above`` its header, and the header with what follows."""

    above: str
    body: str
    first_line: int


@attrs.frozen(kw_only=True)
class _Pieces:
    """The file's text, cut at the accounts."""

    top: str
    accounts: tuple[_Piece, ...]

    @classmethod
    def of(cls, text: str) -> _Pieces:
        lines = [line if line.endswith("\n") else f"{line}\n" for line in text.splitlines(keepends=True)]
        headers = [number for number, line in enumerate(lines) if _HEADER.match(line)]
        starts = [_with_comments(lines, header) for header in headers]
        return cls(
            top="".join(lines[: starts[0] if starts else None]),
            accounts=tuple(
                _Piece(above="".join(lines[start:header]), body="".join(lines[header:end]), first_line=header + 1)
                for start, header, end in zip(starts, headers, [*starts[1:], len(lines)], strict=False)
            ),
        )

    def line(self, account: int | None, key: str | None) -> int:
        """Give the line of a key, counted from 1; that of the account, or of the file, where there is none to see."""
        if account is not None and account < len(self.accounts):
            piece = self.accounts[account]
            return piece.first_line + (_line_of(key, piece.body) or 0)
        whole = self.top + "".join(piece.above + piece.body for piece in self.accounts)
        return (_line_of(key if account is None else "account", whole) or 0) + 1


def _line_of(key: str | None, text: str) -> int | None:
    for number, line in enumerate(text.splitlines()):
        found = _KEY.match(line)
        names = [name.strip("\"'") for name in re.findall(_NAME, found[1])] if found else []
        if key in (names[:1] if names[:1] != ["account"] else names[:2]):  # [account.key] is a key of the account
            return number
    return None


def _with_comments(lines: Sequence[str], header: int) -> int:
    while header and (not lines[header - 1].strip() or lines[header - 1].lstrip().startswith("#")):
        header -= 1
    return header


def _with_default(top: str, default: str | None) -> str:
    lines = top.splitlines(keepends=True)
    at = _line_of("default", top)
    start, end = (len(lines), len(lines)) if at is None else (at, at + 1)
    return "".join([*lines[:start], *([f"default = {_quoted(default)}\n"] if default else []), *lines[end:]])


def _plain(default: str | None, accounts: Iterable[Fields]) -> str:
    return "\n".join([*([f"default = {_quoted(default)}\n"] if default else []), *map(_block, accounts)])


def _block(fields: Fields) -> str:
    return "[[account]]\n" + "".join(f"{key} = {_value(value)}\n" for key, value in fields.items())


def _value(value: str | Sequence[str]) -> str:
    return _quoted(value) if isinstance(value, str) else f"[{', '.join(map(_quoted, value))}]"


def _quoted(text: str) -> str:
    # A JSON text is a TOML basic string, but for DEL: https://toml.io/en/v1.0.0#string
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _says(text: str, file: Path) -> object:
    try:
        listed = read_accounts(text, file=file)
    except ConfigurationError:
        return None
    return listed.default, [fields_of(account, folder=file.parent) for account in listed.accounts]


def _wrong(file: Path, line: int, what: str) -> ConfigurationError:
    return ConfigurationError(f"{file}, line {line}: {what}", file=str(file), line=line)
