"""What a file is that somebody named as a store, when it is whole but something else. Pure; shows nothing it holds."""

from __future__ import annotations

import json
from collections.abc import Mapping

from mailkit.accounts.google_client import google_kind

__all__ = ["foreign_kind"]

_ADOPT = "take it over with accounts.adopt(name, path)"
_GOOGLE = {
    "installed": "Google's file of a Desktop client; pass it as sign_in(client=...)",
    "web": "Google's file of a Web application client; sign_in needs one of a Desktop client",
    "authorized_user": f"a person's login that another program made; {_ADOPT}",
    "service_account": "the key of a service account; pass it as ServiceAccount(key_file=...)",
}
_OURS = {
    "mailkit-grant": "a plain store of mailkit; open it with FileStore",
    "mailkit-encrypted-grant": "an encrypted store of mailkit; open it with EncryptedFileStore and its key",
}


def foreign_kind(data: bytes, *, format_: str) -> str | None:
    """Say what the file seems to be and what to do with it; None: it is of the format, or no JSON at all."""
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, Mapping):
        return "JSON of another kind"
    kind = found.get("format")
    if kind == format_:
        return None
    if isinstance(kind, str) and kind in _OURS:
        return _OURS[kind]
    if "RefreshToken" in found or "AccessToken" in found:
        return f"a cache of MSAL; {_ADOPT}"
    return _GOOGLE.get(google_kind(found) or "", "JSON of another kind")
