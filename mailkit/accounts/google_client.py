"""Google's files as they are downloaded or left by other programs: a desktop app's client, and a person's login.

Reads; changes nothing. Says of a file of another kind what it is and what to do, and never what it holds.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import attrs

from mailkit.accounts.grant import Grant
from mailkit.accounts.scopes import features_of, granted
from mailkit.checks import configured, file_path
from mailkit.errors import ConfigurationError
from mailkit.files import read_plain

__all__ = ["GoogleClient", "google_kind", "read_authorized_user", "read_google_client", "read_google_file"]

_DESKTOP = (
    "create a Desktop client instead (Google Cloud console, Google Auth Platform, Clients, Create client, "
    "application type Desktop app) and download its file"
)
_KINDS = {
    "installed": "the file of a Desktop client",
    "web": "the file of a Web application client",
    "authorized_user": "a person's login",
    "service_account": "the key of a service account",
}


@attrs.frozen(kw_only=True)
class GoogleClient:
    """A desktop app as Google knows it."""

    client_id: str
    client_secret: str = attrs.field(repr=False)


def read_google_client(path: str | os.PathLike[str]) -> GoogleClient:
    """Read ``client_secret_….json`` as Google's console downloads it for a Desktop client.

    Raises:
        ConfigurationError: it is of another kind (a Web client's, a service account's key), or cannot be read.
    """
    # https://github.com/googleapis/google-api-python-client/blob/main/docs/client-secrets.md
    with configured():
        file = file_path(path, "path")
    found = read_google_file(file)
    if google_kind(found) == "web":
        raise _wrong(
            file,
            "is the file of a Web application client, which cannot sign in on a person's machine: Google sends the "
            f"answer to the web addresses registered for it only; {_DESKTOP}",
        )
    installed = found.get("installed")
    if not isinstance(installed, Mapping):
        raise _wrong(file, f"is {_kind_name(found)}, not a client_secret….json; {_DESKTOP}")
    return GoogleClient(
        client_id=_text(file, installed, "client_id"), client_secret=_text(file, installed, "client_secret")
    )


def read_authorized_user(path: str | os.PathLike[str]) -> Grant:
    """Read a person's login of ``google-auth`` (``Credentials.to_json()``) or of gcloud as a grant.

    Where the file does not say which scopes were granted, none is assumed: then Google decides.

    Raises:
        ConfigurationError: it is of another kind, or holds nothing that renews it.
    """
    # https://google-auth.readthedocs.io/en/latest/reference/google.oauth2.credentials.html
    with configured():
        file = file_path(path, "path")
    found = read_google_file(file)
    if google_kind(found) != "authorized_user":
        raise _wrong(file, f"is {_kind_name(found)}, not a person's login (type authorized_user)")
    scopes = found.get("scopes")
    words = scopes if isinstance(scopes, str) else " ".join(map(str, scopes)) if isinstance(scopes, list) else ""
    given = granted("google", words, asked=())
    return Grant(
        provider="google",
        client_id=_text(file, found, "client_id"),
        client_secret=_text(file, found, "client_secret"),
        refresh_token=_text(file, found, "refresh_token"),
        scopes=given,
        features=features_of("google", given),
        address=str(found.get("account") or "") or None,
    )


def google_kind(found: Mapping[str, object]) -> str | None:
    """Give of which kind one of Google's files is: ``installed``, ``web``, ``authorized_user``, ``service_account``."""
    for client in ("installed", "web"):
        if isinstance(found.get(client), Mapping):
            return client
    # Credentials.to_json() of google-auth names no type.
    kind = found.get("type", "authorized_user" if "refresh_token" in found else None)
    return kind if isinstance(kind, str) and kind in _KINDS else None


def read_google_file(file: Path) -> Mapping[str, object]:
    """Read a file of Google's, of whatever kind.

    Raises:
        ConfigurationError: it cannot be read, or is no JSON object.
    """
    data = read_plain(file)
    if data is None:
        raise _wrong(file, "is not there; check the path")
    found: object = None
    with suppress(ValueError, RecursionError):  # told below
        found = json.loads(data)
    if not isinstance(found, dict):
        raise _wrong(file, "is no JSON of Google's; download it again")
    return found


def _kind_name(found: Mapping[str, object]) -> str:
    return _KINDS.get(google_kind(found) or "", "something else")


def _text(file: Path, found: Mapping[str, object], name: str) -> str:
    value = found.get(name)
    if not isinstance(value, str) or not value:
        raise _wrong(file, f"lacks {name!r}; download it again, or sign in anew")
    return value


def _wrong(file: Path, what: str) -> ConfigurationError:
    return ConfigurationError(f"{file} {what}", file=str(file), code="google_file")
