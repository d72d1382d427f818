"""JSON web tokens, as little of them as is needed: id tokens nobody verifies, assertions whose signature is checked.

Knows no provider. The sandbox signs nothing, so its id tokens prove nothing.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping

__all__ = ["claims_of", "encoded", "is_signed_by", "unsigned"]


def encoded(value: Mapping[str, object]) -> str:
    """Give JSON in base64url without padding."""
    return base64.urlsafe_b64encode(json.dumps(value, separators=(",", ":")).encode()).decode().rstrip("=")


def unsigned(claims: Mapping[str, object]) -> str:
    """Make a token of ``claims`` whose signature is a dummy."""
    return f"{encoded({'typ': 'JWT', 'alg': 'RS256', 'kid': 'sandbox'})}.{encoded(claims)}.c2FuZGJveA"


def claims_of(token: str) -> dict[str, object]:
    """Read the claims; raises ValueError for what is no token."""
    claims = json.loads(_decoded(token.split(".")[1])) if token.count(".") == 2 else None
    if not isinstance(claims, dict):
        raise ValueError("not a JSON web token")  # noqa: TRY004  # the text is at fault, whatever its type
    return claims


def is_signed_by(token: str, public_key: str) -> bool:
    """Say whether ``token`` bears the RS256 signature of the key (PEM)."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.serialization import load_pem_public_key

    key = load_pem_public_key(public_key.encode())
    signed, _, signature = token.rpartition(".")
    try:
        if not isinstance(key, RSAPublicKey):
            return False
        key.verify(_decoded(signature), signed.encode(), PKCS1v15(), SHA256())
    except (InvalidSignature, ValueError):
        return False
    return True


def _decoded(part: str) -> bytes:
    return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))
