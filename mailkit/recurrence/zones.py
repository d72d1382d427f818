"""Names of time zones: Windows' names, which Outlook speaks, and IANA's, which everybody else does.

The tables are CLDR's, as tzlocal carries them; countries and other spellings come from tzdata. A zone of somebody's own
is unknown and is reported as that, never guessed.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from zoneinfo import ZoneInfo

import attrs

from mailkit.errors import UsageError

__all__ = ["FoundZone", "first_known_zone", "windows_name", "zone_named"]

# Names of UTC beyond those in the tables; the first is how Outlook's own clients write it.
_UTC_NAMES = ("tzone://Microsoft/Utc", "Coordinated Universal Time", "Z", "GMT", "Etc/UTC")

# Windows zones of 2025 and 2026 that tenants do not know yet: understood when read, written as what they were before.
_BEFORE = {
    "Alberta Standard Time": "Mountain Standard Time",
    "British Columbia Standard Time": "Pacific Standard Time",
    "Manitoba Standard Time": "Central Standard Time",
}

# Links to cities since tzdata 2024b, which the package tzdata still carries as zones of their own:
# https://data.iana.org/time-zones/tzdb/backward
_CITIES = {
    "CST6CDT": "America/Chicago",
    "EST5EDT": "America/New_York",
    "MST7MDT": "America/Denver",
    "PST8PDT": "America/Los_Angeles",
}


@attrs.frozen(kw_only=True)
class FoundZone:
    """A zone and where its name stood (``source``); not ``known``: no name meant a zone, and UTC stands in for it."""

    zone: ZoneInfo
    source: str
    known: bool


def zone_named(name: str, territory: str | None = None) -> ZoneInfo | None:
    """Find the zone of a Windows or IANA name, in either case; None: nobody knows it.

    A Windows zone spans many countries: ``territory`` (``"SE"``) chooses its zone of that country, where there is one.
    """
    wanted = name.strip().casefold()
    if wanted in _utc_names():
        return ZoneInfo("Etc/UTC")
    windows = _windows_names().get(wanted)
    if windows is None:
        iana = _iana_names().get(wanted)
        return None if iana is None else ZoneInfo(iana)
    return ZoneInfo(_of_territory(windows, territory) or _cldr().defaults[windows])


def windows_name(zone: ZoneInfo) -> str:
    """Give the Windows name of a zone, as Microsoft Graph takes it.

    Raises:
        UsageError: Windows has no such zone (``no_windows_zone``).
    """
    spellings = (zone.key, _targets().get(zone.key)) if zone.key else ()
    windows = next(filter(None, (_windows_of(name) for name in spellings if name)), None)
    if windows is None:
        raise UsageError(
            "Outlook has no time zone like this one; pass a zone with the same clocks that it has, or Etc/UTC",
            code="no_windows_zone",
        )
    return windows


def first_known_zone(names: Mapping[str, str | None]) -> FoundZone:
    """Find the first name that means a zone; ``names`` are by where they stood, the most telling first.

    An empty or missing name, or that of a zone of somebody's own, is passed over.
    """
    for source, name in names.items():
        if name and (zone := zone_named(name)) is not None:
            return FoundZone(zone=zone, source=source, known=True)
    return FoundZone(zone=ZoneInfo("Etc/UTC"), source="none", known=False)


def _windows_of(iana: str) -> str | None:
    if iana.casefold() in _utc_names():
        return "UTC"
    windows = _cldr().windows.get(iana)
    return None if windows is None else _BEFORE.get(windows, windows)


def _of_territory(windows: str, territory: str | None) -> str | None:
    if territory is None:
        return None
    of_country = _zones_of_countries().get(territory.strip().upper(), ())
    default = _cldr().defaults[windows]
    if default in of_country:
        return default
    written = _BEFORE.get(windows, windows)
    exact = (zone for zone in of_country if _cldr().windows.get(zone) == windows)
    alike = (zone for zone in of_country if _windows_of(zone) == written)
    return next(exact, None) or next(alike, None)


@attrs.frozen
class _Cldr:
    defaults: Mapping[str, str]
    windows: Mapping[str, str]


@cache
def _cldr() -> _Cldr:
    """Give Windows' zones with IANA's most common one of each, and IANA's with Windows' name."""
    from tzlocal.windows_tz import tz_win, win_tz  # only who has to do with zones needs them

    return _Cldr(defaults=win_tz, windows=tz_win)


@cache
def _utc_names() -> frozenset[str]:
    listed = (name for name, windows in _cldr().windows.items() if windows == "UTC")
    return frozenset(name.casefold() for name in (*listed, *_UTC_NAMES))


@cache
def _windows_names() -> Mapping[str, str]:
    return {name.casefold(): name for name in _cldr().defaults}


@cache
def _iana_names() -> Mapping[str, str]:
    return {name.casefold(): name for name in (files("tzdata") / "zones").read_text(encoding="utf-8").split()}


@cache
def _zones_of_countries() -> Mapping[str, tuple[str, ...]]:
    """Read ``zone.tab``: a country's zones, the most populous first."""
    countries: dict[str, tuple[str, ...]] = {}
    for line in (files("tzdata") / "zoneinfo" / "zone.tab").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            country, _, zone, *_ = line.split("\t")
            countries[country] = (*countries.get(country, ()), zone)
    return countries


@cache
def _targets() -> Mapping[str, str]:
    """Read the other spellings in ``tzdata.zi`` (``L target name``): names that the table of Windows zones lacks."""
    lines = (files("tzdata") / "zoneinfo" / "tzdata.zi").read_text(encoding="utf-8").splitlines()
    links = (line.split() for line in lines if line.startswith("L "))
    return {name: target for _, target, name in links} | _CITIES
