"""Organisations and apps at Microsoft, and who of whose people may use which.

Records of the sandbox's own; they answer no request.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Literal

import attrs

from mailkit.sandbox.identity.people import Ruled
from mailkit.sandbox.microsoft.ids import guid

__all__ = ["CONSUMERS", "MicrosoftApp", "Tenant", "is_personal"]

# learn.microsoft.com/entra/identity-platform/id-token-claims-reference, "tid": where personal accounts live
CONSUMERS = "9188040d-6c67-4c5b-b112-36a304b66dad"
_PERSONAL = re.compile(r"(outlook|hotmail|live|msn)\.[a-z.]+")


def is_personal(domain: str) -> bool:
    """Say whether addresses of ``domain`` are personal Microsoft accounts."""
    return _PERSONAL.fullmatch(domain) is not None


class Tenant(Ruled):
    """An organisation; made by ``tenant`` of ``sandbox.identity.microsoft``. Its rules hold for all of its people."""

    def __init__(self, domain: str, id: str | None = None) -> None:  # noqa: A002  # the name of the thing
        super().__init__()
        self.domain = domain
        self.id: str = id or guid("tenant", domain)

    def __repr__(self) -> str:
        return f"<Tenant {self.id}>"


@attrs.define(kw_only=True, eq=False)
class MicrosoftApp:
    """An app registration; made by ``sandbox.identity.microsoft.app``.

    ``audience`` is who may sign in: everybody (``all``), people of organisations, personal accounts, or only those of
    its own ``tenant``. ``redirects`` belong to the "mobile and desktop" platform, ``web_redirects`` to "web" and need
    the ``secret``. ``public_flows`` is the switch "Allow public client flows". ``roles`` are the application
    permissions an administrator has granted. ``secret_expired`` says so of the secret.
    """

    client_id: str
    tenant: Tenant | None = None
    audience: Literal["all", "organizations", "personal", "tenant"] = "all"
    secret: str | None = attrs.field(default=None, repr=False)
    secret_expired: bool = False
    public_flows: bool = True
    redirects: Collection[str] = ("http://localhost",)
    web_redirects: Collection[str] = ()
    roles: Collection[str] = ()
