"""What signing in gave: the tokens of one account, with what is needed to renew them.

A grant goes into a token store and nowhere else. Its repr shows no secret; its JSON form is all secrets.
"""

from __future__ import annotations

import datetime as dt

import attrs

from mailkit.models.records import Record
from mailkit.values import Provider

__all__ = ["DeadGrant", "Grant"]


@attrs.frozen(kw_only=True)
class DeadGrant(Record):
    """Why the provider renews a grant no more: the ``cause`` of ``SignInRequired`` and the provider's ``code``."""

    cause: str | None
    code: str | None = None


@attrs.frozen(kw_only=True)
class Grant(Record):
    """One account's standing permission.

    ``client_secret`` is what Google gives desktop applications; Microsoft's public clients have none. ``tenant`` is
    Microsoft's alone: ``common``, ``organizations``, ``consumers``, a tenant's id or domain. ``renewed_at`` and
    ``expires_at`` are the beginning and end of the access token, ``granted_at`` is when the person signed in; all are
    aware UTC. ``scopes`` are those granted, as the
    provider names them, ``features`` what they allow in mailkit's words. ``dead``: the provider has refused to renew
    it, so it is not asked again until the person has signed in.
    """

    provider: Provider
    client_id: str
    client_secret: str | None = attrs.field(default=None, repr=False)
    tenant: str | None = None
    refresh_token: str = attrs.field(repr=False)
    access_token: str | None = attrs.field(default=None, repr=False)
    renewed_at: dt.datetime | None = None
    expires_at: dt.datetime | None = None
    scopes: frozenset[str]
    features: frozenset[str]
    address: str | None = attrs.field(default=None, repr=False)
    granted_at: dt.datetime | None = None
    dead: DeadGrant | None = None
