"""Names of time zones as Exchange knows them: Windows' own, and those of the IANA beside them.

A small table of the server's own; zones that Windows gained lately are not in it, as tenants do not know them. Pure.
"""

from __future__ import annotations

import datetime as dt
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

__all__ = ["CUSTOM", "FIRST_YEAR", "LAST_YEAR", "UTC", "local", "named", "windows"]

CUSTOM = "tzone://Microsoft/Custom"
"""What stands for a zone that somebody defined: its rules are told to nobody (OutlookGoogleCalendarSync#2148)."""

UTC = ZoneInfo("Etc/UTC")
# [MS-OXOCAL] 2.2.1: dates lie between these; the year after is Exchange's word for none.
FIRST_YEAR, LAST_YEAR = 1601, 4500

# unicode.org/cldr, windowsZones, territory 001. Left out is " Standard Time"; names that have it not begin with "=".
_TABLE = """
AUS Central=Australia/Darwin; AUS Eastern=Australia/Sydney; Afghanistan=Asia/Kabul; Alaskan=America/Anchorage;
Aleutian=America/Adak; Altai=Asia/Barnaul; Arab=Asia/Riyadh; Arabian=Asia/Dubai; Arabic=Asia/Baghdad;
Argentina=America/Buenos_Aires; Astrakhan=Europe/Astrakhan; Atlantic=America/Halifax;
Aus Central W.=Australia/Eucla; Azerbaijan=Asia/Baku; Azores=Atlantic/Azores; Bahia=America/Bahia;
Bangladesh=Asia/Dhaka; Belarus=Europe/Minsk; Bougainville=Pacific/Bougainville; Canada Central=America/Regina;
Cape Verde=Atlantic/Cape_Verde; Caucasus=Asia/Yerevan; Cen. Australia=Australia/Adelaide;
Central America=America/Guatemala; Central Asia=Asia/Bishkek; Central Brazilian=America/Cuiaba;
Central Europe=Europe/Budapest; Central European=Europe/Warsaw; Central Pacific=Pacific/Guadalcanal;
Central=America/Chicago; =Central Standard Time (Mexico)=America/Mexico_City; Chatham Islands=Pacific/Chatham;
China=Asia/Shanghai; Cuba=America/Havana; Dateline=Etc/GMT+12; E. Africa=Africa/Nairobi;
E. Australia=Australia/Brisbane; E. Europe=Europe/Chisinau; E. South America=America/Sao_Paulo;
Easter Island=Pacific/Easter; Eastern=America/New_York; =Eastern Standard Time (Mexico)=America/Cancun;
Egypt=Africa/Cairo; Ekaterinburg=Asia/Yekaterinburg; FLE=Europe/Kiev; Fiji=Pacific/Fiji; GMT=Europe/London;
GTB=Europe/Bucharest; Georgian=Asia/Tbilisi; Greenland=America/Godthab; Greenwich=Atlantic/Reykjavik;
Haiti=America/Port-au-Prince; Hawaiian=Pacific/Honolulu; India=Asia/Calcutta; Iran=Asia/Tehran;
Israel=Asia/Jerusalem; Jordan=Asia/Amman; Kaliningrad=Europe/Kaliningrad; Korea=Asia/Seoul; Libya=Africa/Tripoli;
Line Islands=Pacific/Kiritimati; Lord Howe=Australia/Lord_Howe; Magadan=Asia/Magadan;
Magallanes=America/Punta_Arenas; Marquesas=Pacific/Marquesas; Mauritius=Indian/Mauritius; Middle East=Asia/Beirut;
Montevideo=America/Montevideo; Morocco=Africa/Casablanca; Mountain=America/Denver;
=Mountain Standard Time (Mexico)=America/Mazatlan; Myanmar=Asia/Rangoon; N. Central Asia=Asia/Novosibirsk;
Namibia=Africa/Windhoek; Nepal=Asia/Katmandu; New Zealand=Pacific/Auckland; Newfoundland=America/St_Johns;
Norfolk=Pacific/Norfolk; North Asia East=Asia/Irkutsk; North Asia=Asia/Krasnoyarsk; North Korea=Asia/Pyongyang;
Omsk=Asia/Omsk; Pacific SA=America/Santiago; Pacific=America/Los_Angeles;
=Pacific Standard Time (Mexico)=America/Tijuana; Pakistan=Asia/Karachi; Paraguay=America/Asuncion;
Qyzylorda=Asia/Qyzylorda; Romance=Europe/Paris; =Russia Time Zone 10=Asia/Srednekolymsk;
=Russia Time Zone 11=Asia/Kamchatka; =Russia Time Zone 3=Europe/Samara; Russian=Europe/Moscow;
SA Eastern=America/Cayenne; SA Pacific=America/Bogota; SA Western=America/La_Paz; SE Asia=Asia/Bangkok;
Saint Pierre=America/Miquelon; Sakhalin=Asia/Sakhalin; Samoa=Pacific/Apia; Sao Tome=Africa/Sao_Tome;
Saratov=Europe/Saratov; Singapore=Asia/Singapore; South Africa=Africa/Johannesburg; South Sudan=Africa/Juba;
Sri Lanka=Asia/Colombo; Sudan=Africa/Khartoum; Syria=Asia/Damascus; Taipei=Asia/Taipei; Tasmania=Australia/Hobart;
Tocantins=America/Araguaina; Tokyo=Asia/Tokyo; Tomsk=Asia/Tomsk; Tonga=Pacific/Tongatapu; Transbaikal=Asia/Chita;
Turkey=Europe/Istanbul; Turks And Caicos=America/Grand_Turk; US Eastern=America/Indianapolis;
US Mountain=America/Phoenix; =UTC+12=Etc/GMT-12; =UTC+13=Etc/GMT-13; =UTC-02=Etc/GMT+2; =UTC-08=Etc/GMT+8;
=UTC-09=Etc/GMT+9; =UTC-11=Etc/GMT+11; Ulaanbaatar=Asia/Ulaanbaatar; Venezuela=America/Caracas;
Vladivostok=Asia/Vladivostok; Volgograd=Europe/Volgograd; W. Australia=Australia/Perth;
W. Central Africa=Africa/Lagos; W. Europe=Europe/Berlin; W. Mongolia=Asia/Hovd; West Asia=Asia/Tashkent;
West Bank=Asia/Hebron; West Pacific=Pacific/Port_Moresby; Yakutsk=Asia/Yakutsk; Yukon=America/Whitehorse
"""
_UTC = ("utc", "etc/utc", "etc/gmt", "gmt", "z", "tzone://microsoft/utc", "coordinated universal time")


def named(name: str) -> ZoneInfo | None:
    """Give the zone of a Windows or IANA name, in either case; None: it is not supported."""
    key = name.strip().casefold()
    if key in _UTC:
        return UTC
    found = _windows().get(key) or _iana().get(key)
    return None if found is None else ZoneInfo(found)


def windows(zone: dt.tzinfo | None) -> str:
    """Give the name Outlook writes for a zone: Windows' where the table has one."""
    key: str | None = getattr(zone, "key", None)
    if key is None or key.casefold() in _UTC:
        return "UTC"
    return _by_iana().get(key, key)


def local(zone: ZoneInfo, moment: dt.datetime) -> str:
    """Write a moment as the wall clock of a zone, seven digits behind the second as Exchange does."""
    return f"{moment.astimezone(zone):%Y-%m-%dT%H:%M:%S.%f}0"


@cache
def _pairs() -> tuple[tuple[str, str], ...]:
    pairs = (entry.strip().rpartition("=") for entry in _TABLE.replace("\n", " ").split(";"))
    return tuple((name[1:] if name.startswith("=") else f"{name} Standard Time", iana) for name, _, iana in pairs)


@cache
def _windows() -> dict[str, str]:
    return {name.casefold(): iana for name, iana in _pairs()}


@cache
def _by_iana() -> dict[str, str]:
    return {iana: name for name, iana in _pairs()}


@cache
def _iana() -> dict[str, str]:
    return {name.casefold(): name for name in available_timezones()}
