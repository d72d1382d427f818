"""What a person grants in mailkit's words (features), and in the provider's (scopes), both ways.

Pure tables and set arithmetic. Asks for no more than the features need: a scope that another one asked for includes is
left out. What every sign-in needs beside (``offline_access``, ``openid``) is no feature and stands with the flows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from mailkit.errors import ConfigurationError
from mailkit.values import Provider

__all__ = ["DEFAULT_FEATURES", "FEATURES", "features_of", "granted", "lacking", "scopes_for"]

DEFAULT_FEATURES = frozenset({"read", "send", "calendar"})
"""What a sign-in asks for when nothing else is said."""

_GOOGLE = "https://www.googleapis.com/auth/"

# https://developers.google.com/workspace/gmail/api/auth/scopes; the full-mail scope is never asked for.
# https://developers.google.com/workspace/calendar/api/auth
_GOOGLE_SCOPES = {
    "read": f"{_GOOGLE}gmail.readonly",
    "send": f"{_GOOGLE}gmail.send",
    "draft": f"{_GOOGLE}gmail.compose",
    "organise": f"{_GOOGLE}gmail.modify",
    "calendar_read": f"{_GOOGLE}calendar.readonly",
    "calendar": f"{_GOOGLE}calendar",
}
_GOOGLE_ALLOWS: Mapping[str, frozenset[str]] = {
    f"{_GOOGLE}gmail.readonly": frozenset({"read"}),
    f"{_GOOGLE}gmail.send": frozenset({"send"}),
    f"{_GOOGLE}gmail.compose": frozenset({"send", "draft"}),
    f"{_GOOGLE}gmail.modify": frozenset({"read", "send", "draft", "organise"}),
    "https://mail.google.com/": frozenset({"read", "send", "draft", "organise"}),
    f"{_GOOGLE}calendar.readonly": frozenset({"calendar_read"}),
    f"{_GOOGLE}calendar": frozenset({"calendar_read", "calendar"}),
}
# Google answers with the long names: https://developers.google.com/identity/protocols/oauth2/scopes
_GOOGLE_LONG = {"email": f"{_GOOGLE}userinfo.email", "profile": f"{_GOOGLE}userinfo.profile"}

# https://learn.microsoft.com/graph/permissions-reference
_MICROSOFT_SCOPES = {
    "read": "Mail.Read",
    "send": "Mail.Send",
    "draft": "Mail.ReadWrite",
    "organise": "Mail.ReadWrite",
    "calendar_read": "Calendars.Read",
    "calendar": "Calendars.ReadWrite",
    "settings_read": "MailboxSettings.Read",
    "settings": "MailboxSettings.ReadWrite",
    "rooms": "Place.Read.All",
}
_MICROSOFT_ALLOWS: Mapping[str, frozenset[str]] = {
    "Mail.Read": frozenset({"read"}),
    "Mail.ReadWrite": frozenset({"read", "draft", "organise"}),
    "Mail.Send": frozenset({"send"}),
    "Calendars.Read": frozenset({"calendar_read"}),
    "Calendars.ReadWrite": frozenset({"calendar_read", "calendar"}),
    "MailboxSettings.Read": frozenset({"settings_read"}),
    "MailboxSettings.ReadWrite": frozenset({"settings_read", "settings"}),
    "Place.Read.All": frozenset({"rooms"}),
}
# "… mail that the user can access, including the user's own and shared mail": each of these does all that its short
# form does, and the same in mailboxes and calendars that others share.
_SHARED = ".Shared"
_HAVE_SHARED = frozenset({"Mail.Read", "Mail.ReadWrite", "Mail.Send", "Calendars.Read", "Calendars.ReadWrite"})

FEATURES: Mapping[Provider, frozenset[str]] = {
    "google": frozenset(_GOOGLE_SCOPES),
    "microsoft": frozenset(_MICROSOFT_SCOPES) | {"shared"},
}
"""What can be asked for. ``settings_read``, ``settings`` (category names, their colours, the mailbox' zone), ``rooms``
(the directory of rooms) and ``shared`` (the same features in shared mailboxes) only when named."""

_SCOPES: Mapping[Provider, Mapping[str, str]] = {"google": _GOOGLE_SCOPES, "microsoft": _MICROSOFT_SCOPES}


def scopes_for(provider: Provider, features: Iterable[str]) -> frozenset[str]:
    """Give the fewest scopes that allow the features.

    Raises:
        ConfigurationError: the provider has no such feature.
    """
    asked = frozenset(features)
    unknown = sorted(asked - FEATURES[provider])
    if unknown:
        known = ", ".join(sorted(FEATURES[provider]))
        raise ConfigurationError(f"there is no feature {unknown[0]!r} at {provider}; the features are: {known}")
    wanted = {_SCOPES[provider][feature] for feature in asked - {"shared"}}
    allowed = {scope: _allowed(provider, scope) for scope in wanted}
    least = {scope for scope in wanted if not any(allowed[scope] < other for other in allowed.values())}
    if "shared" in asked:
        least = {f"{scope}{_SHARED}" if scope in _HAVE_SHARED else scope for scope in least}
    return frozenset(least)


def features_of(provider: Provider, scopes: Iterable[str]) -> frozenset[str]:
    """Give what granted scopes allow; scopes that mean nothing to mailkit allow nothing."""
    return frozenset().union(*(_allowed(provider, scope) for scope in scopes))


def granted(provider: Provider, answered: str | None, *, asked: Iterable[str]) -> frozenset[str]:
    """Give the granted scopes by the ``scope`` field of a token answer; without one they are as asked.

    https://www.rfc-editor.org/rfc/rfc6749#section-5.1
    """
    return frozenset(_name(provider, scope) for scope in (asked if answered is None else answered.split()))


def lacking(provider: Provider, asked: Iterable[str], given: Iterable[str]) -> frozenset[str]:
    """Give the scopes asked for that are neither granted nor included in one that is.

    Google lets a person untick single permissions; that it adds ``openid`` and writes names in full lacks nothing.
    """
    had = frozenset(_key(provider, scope) for scope in given)
    features = features_of(provider, had)
    return frozenset(
        scope
        for scope in asked
        if _key(provider, scope) not in had and not (_allowed(provider, scope) or {scope}) <= features
    )


def _allowed(provider: Provider, scope: str) -> frozenset[str]:
    return _ALLOWS[provider].get(_key(provider, scope), frozenset())


def _name(provider: Provider, scope: str) -> str:
    """Write one scope as the provider's pages do."""
    if provider == "google":
        return _GOOGLE_LONG.get(scope, scope)
    # Entra answers with and without the resource before the name (https://graph.microsoft.com/Mail.Read).
    return scope.rpartition("/")[2]


def _key(provider: Provider, scope: str) -> str:
    """Write one scope so that equal ones are equal: people also write ``gmail.readonly``, and Entra ``mail.read``."""
    if provider == "google":
        return _name(provider, scope).removeprefix(_GOOGLE).removesuffix("/")
    return _name(provider, scope).lower()


_ALLOWS: Mapping[Provider, Mapping[str, frozenset[str]]] = {
    "google": {_key("google", scope): features for scope, features in _GOOGLE_ALLOWS.items()},
    "microsoft": {
        **{_key("microsoft", scope): features for scope, features in _MICROSOFT_ALLOWS.items()},
        **{_key("microsoft", f"{s}{_SHARED}"): _MICROSOFT_ALLOWS[s] | {"shared"} for s in _HAVE_SHARED},
    },
}
