"""Who may knock at Google: OAuth clients of a project, and service accounts with their keys.

Records of the sandbox's own; they answer no request.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

import attrs

from mailkit.sandbox.identity.forms import is_loopback

__all__ = ["GoogleApp", "ServiceAccount"]

_AUTH = "https://accounts.google.com/o/oauth2/v2/auth"
_TOKEN = "https://oauth2.googleapis.com/token"  # noqa: S105  # an address
_CERTIFICATES = "https://www.googleapis.com/oauth2/v1/certs"


@attrs.define(kw_only=True, eq=False)
class GoogleApp:
    """An OAuth client; made by ``sandbox.identity.google.app``.

    A ``desktop`` client is redirected to any port of the person's own machine, a ``web`` client to ``redirects`` as
    they are written. ``testers`` puts the project in Testing: those addresses may sign in, for seven days at a time
    (None: In production). ``organisation`` makes it Internal to people of that domain.
    """

    client_id: str
    secret: str = attrs.field(repr=False)
    kind: Literal["desktop", "web"] = "desktop"
    redirects: Collection[str] = ()
    testers: Collection[str] | None = attrs.field(default=None, repr=False)
    organisation: str | None = None

    def allows(self, redirect_uri: str) -> bool:
        """Say whether the person may be sent there."""
        return is_loopback(redirect_uri) if self.kind == "desktop" else redirect_uri in self.redirects

    @property
    def info(self) -> dict[str, object]:
        """The client file as the Cloud console gives it (``client_secret….json``)."""
        fields = {
            "client_id": self.client_id,
            "project_id": "sandbox",
            "auth_uri": _AUTH,
            "token_uri": _TOKEN,
            "auth_provider_x509_cert_url": _CERTIFICATES,
            "client_secret": self.secret,
            "redirect_uris": ["http://localhost"] if self.kind == "desktop" else list(self.redirects),
        }
        return {"installed" if self.kind == "desktop" else "web": fields}


@attrs.frozen(kw_only=True, eq=False)
class ServiceAccount:
    """A service account; made by ``sandbox.identity.google.service_account``.

    It may act for every person of ``domain`` with ``scopes`` (domain-wide delegation); ``info`` is its key file as the
    Cloud console gives it.
    """

    address: str
    domain: str | None
    scopes: frozenset[str]
    public_key: str = attrs.field(repr=False)
    info: dict[str, str] = attrs.field(repr=False)

    @classmethod
    def made(cls, address: str, *, domain: str | None, scopes: Collection[str]) -> ServiceAccount:
        """Make an account with a key of its own."""
        from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key
        from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

        key = generate_private_key(public_exponent=65537, key_size=2048)
        private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
        public = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()
        info = {
            "type": "service_account",
            "project_id": "sandbox",
            "private_key_id": "sandbox",
            "private_key": private,
            "client_email": address,
            "client_id": "100000000000000000001",
            "auth_uri": _AUTH,
            "token_uri": _TOKEN,
            "universe_domain": "googleapis.com",
        }
        return cls(address=address, domain=domain, scopes=frozenset(scopes), public_key=public, info=info)
