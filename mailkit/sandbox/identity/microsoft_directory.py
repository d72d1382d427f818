"""Entra ID's directory: organisations, people, apps, and who may sign in to what through which authority.

Responsible for the facts and for the refusals that follow from them. It speaks no HTTP and hands out no token.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterable
from typing import Literal

import attrs

from mailkit.sandbox.identity.jwt import encoded
from mailkit.sandbox.identity.ledger import Ledger
from mailkit.sandbox.identity.microsoft_apps import CONSUMERS, MicrosoftApp, Tenant, is_personal
from mailkit.sandbox.identity.microsoft_words import Refusal
from mailkit.sandbox.identity.people import Grant, Moment, Person
from mailkit.sandbox.mailbox import Mailbox
from mailkit.sandbox.microsoft.ids import guid

__all__ = ["Authority", "Device", "Directory", "resource_scopes", "short_scope"]

_OIDC = ("openid", "profile", "email", "offline_access")
_GUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


@attrs.frozen(kw_only=True)
class Authority:
    """Whom a URL's first segment lets in: one organisation (``tenant``), or people of several."""

    kind: Literal["tenant", "common", "organizations"]
    tenant: Tenant | None = None

    @property
    def segment(self) -> str:
        """How Entra ID writes it in its own URLs: the tenant's id."""
        return self.kind if self.tenant is None else self.tenant.id


@attrs.define(kw_only=True, eq=False)
class Device:
    """A device code on its way. ``outcome`` is what the person at the other screen did; None: nothing yet."""

    user_code: str
    app: MicrosoftApp
    authority: Authority
    scopes: tuple[str, ...]
    expires_at: dt.datetime
    interval: int
    polled_at: dt.datetime | None = None
    outcome: Grant | Refusal | None = None


def short_scope(scope: str) -> str:
    """Write a permission without its resource: ``https://graph.microsoft.com/Mail.Read`` is ``Mail.Read``."""
    return scope.rpartition("/")[2] if scope.startswith("https://") else scope


def resource_scopes(scopes: Iterable[str]) -> frozenset[str]:
    """Give what is asked of Graph, without what is asked of Entra ID itself."""
    return frozenset(map(short_scope, scopes)) - set(_OIDC)


class Directory:
    """Everybody and everything Entra ID knows."""

    def __init__(self, now: Callable[[], dt.datetime], boxes: Callable[[], Iterable[Mailbox]]) -> None:
        self.now = now
        self.boxes = boxes
        self.ledger: Ledger = Ledger("microsoft", now)
        self.devices: dict[str, Device] = {}
        self.apps: dict[str, MicrosoftApp] = {}
        self._people: dict[str, Person] = {}
        self._tenants: dict[str, Tenant] = {}
        self._consumers = Tenant("consumers", CONSUMERS)

    # -- finding -----------------------------------------------------------------------------------------------------

    def tenant(self, domain: str) -> Tenant:
        """Give the organisation of a domain, which comes to be when it is first named."""
        if is_personal(domain.lower()):
            return self._consumers
        return self._tenants.setdefault(domain.lower(), Tenant(domain.lower()))

    def person(self, address: str) -> Person:
        """Give the person with this address, who comes to be when first named, with their organisation."""
        box = self.box(address)
        made = Person(address, now=self.now) if box is None else Person(box.address, now=self.now, name=box.name)
        person = self._people.setdefault(address.lower(), made)
        self.tenant(person.domain)
        return person

    def box(self, name: str) -> Mailbox | None:
        """Give the mailbox of an address or of a user id."""
        known = {key: box for box in self.boxes() for key in (guid(box.address), box.address.lower())}
        return known.get(name.lower())

    def visiting(self, account: str | None) -> Person | None:
        """Give the person who signs in as ``account``; None: the only one there is."""
        addresses = {box.address.lower() for box in self.boxes()} | set(self._people)
        if account is None and len(addresses) == 1:
            account = next(iter(addresses))
        return self.person(account) if account is not None and account.lower() in addresses else None

    def tenant_of(self, person: Person) -> Tenant:
        """Give a person's organisation."""
        return self.tenant(person.domain)

    def client_info(self, person: Person) -> str:
        """Give ``client_info``, from which msal makes an account's id."""
        return encoded({"uid": guid(person.address), "utid": self.tenant_of(person).id})

    def authority(self, segment: str) -> Authority:
        """Read a URL's first segment; raises Refusal."""
        name = segment.lower()
        if name == "common":
            return Authority(kind="common")
        if name == "organizations":
            return Authority(kind="organizations")
        if name in ("consumers", CONSUMERS):
            return Authority(kind="tenant", tenant=self._consumers)
        for box in self.boxes():
            self.person(box.address)
        for tenant in self._tenants.values():
            if name in (tenant.domain, tenant.id):
                return Authority(kind="tenant", tenant=tenant)
        raise Refusal(90002 if "." in name or _GUID.fullmatch(name) else 900023, {"tenant": segment})

    # -- judging -----------------------------------------------------------------------------------------------------

    def app_in(self, client_id: str, authority: Authority) -> MicrosoftApp:
        """Give the app, if this authority knows it; raises Refusal."""
        app = self.apps.get(client_id)
        names = {
            "client_id": client_id,
            "tenant": "Microsoft Accounts" if authority.tenant is None else authority.segment,
        }
        if app is None:
            raise Refusal(700016, names)
        if app.audience == "tenant":
            if authority.tenant is None:
                raise Refusal(50194, names)
            if authority.tenant is not app.tenant:
                raise Refusal(700016, names)
        return app

    def check(self, person: Person, app: MicrosoftApp, authority: Authority, moment: Moment) -> None:
        """Let a person through to an app; raises Refusal."""
        home = self.tenant_of(person)
        personal = home is self._consumers
        names = {
            "client_id": app.client_id,
            "tenant": authority.segment,
            "issuer": "live.com" if personal else f"https://sts.windows.net/{home.id}/",
        }
        strange = authority.tenant is not None and authority.tenant is not home
        unwelcome = (authority.kind == "organizations" or app.audience == "organizations") and personal
        if strange or unwelcome or (app.audience == "personal" and not personal):
            raise Refusal(50020, names)
        for ruled in (home, person):
            rule = ruled.refusal(moment)
            if rule is not None:
                raise Refusal(int(rule), names)
