"""What a browser brings back from the provider, and the secrets that tie it to the one who asked. No I/O.

RFC 6749, 4.1.2 (the answer), 10.12 (state); RFC 7636 (PKCE).
"""

from __future__ import annotations

import base64
import hashlib
import secrets
from collections.abc import Mapping
from urllib.parse import parse_qsl

import attrs

from mailkit.accounts.token_answer import refused
from mailkit.errors import SignInRequired
from mailkit.values import Provider

__all__ = ["Pkce", "check_redirect", "is_answer_to", "read_redirect"]


@attrs.frozen(kw_only=True)
class Pkce:
    """A secret, and its digest, which goes first: only who asked can exchange the code."""

    verifier: str = attrs.field(factory=lambda: secrets.token_urlsafe(48), repr=False)

    @property
    def challenge(self) -> str:
        """The verifier by the method ``S256``: https://www.rfc-editor.org/rfc/rfc7636#section-4.2."""
        digest = hashlib.sha256(self.verifier.encode()).digest()
        return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


def read_redirect(text: str) -> Mapping[str, str] | None:
    """Read the address, or path, that a browser was sent to; None where it is no answer to a sign-in (a favicon).

    Also takes what people paste: with blanks around it, or only what stands after the question mark.
    """
    text = text.strip()
    if any("\ud800" <= letter <= "\udfff" for letter in text):  # half a character cannot be sent on
        return None
    query = text.partition("?")[2] or text  # urlsplit would refuse some of what a browser, or a person, may bring
    fields = dict(parse_qsl(query.partition("#")[0]))
    return fields if fields.keys() & {"code", "error"} else None


def is_answer_to(state: str, fields: Mapping[str, str]) -> bool:
    """Tell whether the fields answer the sign-in that has this state."""
    return secrets.compare_digest(fields.get("state", "").encode(), state.encode())


def check_redirect(fields: Mapping[str, str], *, state: str, provider: Provider, account: str) -> None:
    """Make sure that the answer is ours and brings a code.

    Raises:
        SignInRequired: it belongs to another sign-in (code ``state_mismatch``), or the person declined.
        ConfigurationError: the provider refuses the app.
    """
    if not is_answer_to(state, fields):
        raise SignInRequired(
            "the browser brought the answer to another sign-in; close its other sign-in pages and start again: "
            f'mailkit.sign_in("{account}")',
            account=account,
            code="state_mismatch",
        )
    if "error" in fields:
        raise refused(provider, fields, account=account)
