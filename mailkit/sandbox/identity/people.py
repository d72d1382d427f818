"""The people who sign in, what they have agreed to, and whose rules stand in their way.

Responsible for what is true of a person at either provider. It answers no request and words no error.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Literal, TypeAlias

import attrs

__all__ = ["Grant", "Moment", "Person", "Ruled"]

Moment: TypeAlias = Literal["sign_in", "device", "refresh"]
_MOMENTS: tuple[Moment, ...] = ("sign_in", "device", "refresh")


class Ruled:
    """Someone with rules: a person, or an organisation for all of its people."""

    def __init__(self) -> None:
        self._rules: dict[Moment, int | str] = {}

    def refuse(self, code: int | str, *moments: Moment) -> None:
        """Refuse with the provider's ``code`` from now on, at these moments (none named: at all of them).

        ``sign_in`` is the page a browser opens, ``device`` the page a user code is entered on, ``refresh`` the token
        endpoint when a refresh token comes. Codes are numbers at Microsoft (53003) and words at Google
        (``admin_policy_enforced``).
        """
        for moment in moments or _MOMENTS:
            self._rules[moment] = code

    def allow(self) -> None:
        """Take every rule back."""
        self._rules.clear()

    def refusal(self, moment: Moment) -> int | str | None:
        """Give the code that stands in the way, or None."""
        return self._rules.get(moment)


@attrs.define(kw_only=True, eq=False)
class Grant:
    """One time somebody let an app in; its refresh tokens live and die with it.

    ``person`` is None where an app acts for itself. ``used`` is the latest refresh, ``until`` a fixed end. ``ended``
    says why it is over.
    """

    client_id: str
    person: Person | None
    scopes: tuple[str, ...]
    made: dt.datetime
    used: dt.datetime
    until: dt.datetime | None = None
    ended: Literal["withdrawn", "password"] | None = None


class Person(Ruled):
    """A person with an address at one provider; made by ``person`` of that provider.

    ``opens`` holds the addresses of other people's mailboxes this one may open (Outlook's shared mailboxes).
    """

    def __init__(self, address: str, *, now: Callable[[], dt.datetime], name: str = "") -> None:
        super().__init__()
        self.address = address
        self.name = name
        self.opens: set[str] = set()
        self.consents: dict[str, frozenset[str]] = {}
        self.password_changed: dt.datetime | None = None
        self._grants: list[Grant] = []
        self._now = now

    def __repr__(self) -> str:
        return f"<Person with {len(self.consents)} apps>"

    @property
    def domain(self) -> str:
        """What stands after the ``@``, in lower case."""
        return self.address.rpartition("@")[2].lower()

    def let_in(self, client_id: str, scopes: tuple[str, ...], *, until: dt.datetime | None = None) -> Grant:
        """Agree that an app may use ``scopes``, besides what it may already."""
        now = self._now()
        grant = Grant(client_id=client_id, person=self, scopes=scopes, made=now, used=now, until=until)
        self.consents[client_id] = self.consents.get(client_id, frozenset()) | set(scopes)
        self._grants.append(grant)
        return grant

    def withdraw(self, client_id: str) -> None:
        """Take an app's permission back, as on the provider's account page."""
        self.consents.pop(client_id, None)
        for grant in self._grants:
            if grant.client_id == client_id:
                grant.ended = "withdrawn"

    def change_password(self) -> None:
        """Change the password (or have an administrator end all sessions), which ends what was granted before."""
        self.password_changed = self._now()
        for grant in self._grants:
            grant.ended = grant.ended or "password"
