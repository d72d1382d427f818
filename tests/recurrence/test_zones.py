"""Names of zones: all of CLDR's, both ways, and those that nobody can know."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from zoneinfo import ZoneInfo, available_timezones

import pytest

from mailkit.errors import UsageError
from mailkit.recurrence import first_known_zone, windows_name, zone_named

_LINES = (Path(__file__).parent / "windows_zones.tsv").read_text(encoding="utf-8").splitlines()
ROWS = [tuple(line.split("\t")) for line in _LINES if not line.startswith("#")]
DEFAULTS = {windows: iana for windows, territory, iana in ROWS if territory == "001"}
NO_COUNTRY = "ZZ"  # CLDR's rows of plain offsets


def _same_clocks(one: ZoneInfo, other: ZoneInfo) -> bool:
    moments = [dt.datetime(year, month, 15, tzinfo=dt.UTC) for year in range(1990, 2030) for month in (1, 7)]
    return all(moment.astimezone(one).utcoffset() == moment.astimezone(other).utcoffset() for moment in moments)


def test_cldr_is_all_here() -> None:
    assert (len(DEFAULTS), len(ROWS)) == (139, 500)


@pytest.mark.parametrize("windows", DEFAULTS)
def test_every_windows_name_is_its_default_zone(windows: str) -> None:
    for spelled in (windows, windows.upper(), f" {windows.lower()} "):
        assert zone_named(spelled) == ZoneInfo(DEFAULTS[windows])


def test_every_zone_of_cldr_has_its_windows_name() -> None:
    for windows, _, zones in ROWS:
        for iana in zones.split():
            assert windows_name(ZoneInfo(iana)) == windows
            assert zone_named(iana.lower()) is not None


def test_a_country_chooses_its_zone() -> None:
    for windows, territory, zones in ROWS:
        if territory not in {"001", NO_COUNTRY}:
            found = zone_named(windows, territory)
            assert found is not None
            listed = [ZoneInfo(iana) for iana in zones.split()]  # CLDR keeps old spellings (Europe/Kiev)
            assert found in listed or any(_same_clocks(found, zone) for zone in listed)


def test_stockholm_rome_and_who_is_elsewhere() -> None:
    name = "W. Europe Standard Time"
    assert zone_named(name) == ZoneInfo("Europe/Berlin")
    assert zone_named(name, "se") == ZoneInfo("Europe/Stockholm")
    assert zone_named(name, "IT") == ZoneInfo("Europe/Rome")
    assert zone_named(name, "JP") == zone_named(name, "?") == ZoneInfo("Europe/Berlin")
    assert {windows_name(ZoneInfo(zone)) for zone in ("Europe/Stockholm", "Europe/Rome")} == {name}


@pytest.mark.parametrize(
    "name",
    ["UTC", "utc", "Etc/UTC", "Etc/GMT", "GMT", "Z", "tzone://Microsoft/Utc", "Coordinated Universal Time", "Zulu"],
)
def test_utc_by_any_name(name: str) -> None:
    assert zone_named(name) == ZoneInfo("Etc/UTC")


@pytest.mark.parametrize("zone", ["UTC", "Etc/UTC", "GMT", "Etc/GMT"])
def test_utc_is_written_as_windows_writes_it(zone: str) -> None:
    assert windows_name(ZoneInfo(zone)) == "UTC"


@pytest.mark.parametrize(
    ("new", "zone", "written"),
    [
        ("Alberta Standard Time", "America/Edmonton", "Mountain Standard Time"),
        ("British Columbia Standard Time", "America/Vancouver", "Pacific Standard Time"),
        ("Manitoba Standard Time", "America/Winnipeg", "Central Standard Time"),
    ],
)
def test_new_windows_zones_are_read_and_written_as_before(new: str, zone: str, written: str) -> None:
    assert zone_named(new) == ZoneInfo(zone)
    assert windows_name(ZoneInfo(zone)) == written


@pytest.mark.parametrize(
    "name", ["", " ", "tzone://Microsoft/Custom", "Customized Time Zone", "Mars/Olympus", "../UTC"]
)
def test_a_zone_of_ones_own_is_unknown(name: str) -> None:
    assert zone_named(name) is None
    found = first_known_zone({"originalStartTimeZone": name, "mailboxSettings": None})
    assert (found.zone, found.known, found.source) == (ZoneInfo("Etc/UTC"), False, "none")


def test_the_first_name_that_means_something_is_reported() -> None:
    found = first_known_zone(
        {"recurrenceTimeZone": "", "start": "Customized Time Zone", "originalStartTimeZone": "Tokyo Standard Time"}
    )
    assert (found.zone, found.known, found.source) == (ZoneInfo("Asia/Tokyo"), True, "originalStartTimeZone")


@pytest.mark.parametrize("zone", ["Antarctica/Troll", "Factory"])
def test_what_windows_has_not_is_refused(zone: str) -> None:
    with pytest.raises(UsageError) as caught:
        windows_name(ZoneInfo(zone))
    assert caught.value.code == "no_windows_zone"


def test_nearly_every_zone_there_is_can_be_written() -> None:
    known = set()
    for zone in available_timezones():
        try:
            known.add(windows_name(ZoneInfo(zone)) and zone)
        except UsageError:
            continue
    missing = available_timezones() - known
    assert missing <= {"Antarctica/Troll", "Factory", "localtime"}


@pytest.mark.parametrize(
    ("old", "city"),
    [
        ("CST6CDT", "America/Chicago"),
        ("EST5EDT", "America/New_York"),
        ("MST7MDT", "America/Denver"),
        ("PST8PDT", "America/Los_Angeles"),
    ],
)
def test_the_old_names_of_american_zones_stand_for_cities_with_the_same_clocks(old: str, city: str) -> None:
    assert windows_name(ZoneInfo(old)) == windows_name(ZoneInfo(city))
    for number in range(12_000):
        hour = dt.datetime(2020, 1, 1, tzinfo=dt.UTC) + dt.timedelta(hours=7 * number)
        assert hour.astimezone(ZoneInfo(old)).utcoffset() == hour.astimezone(ZoneInfo(city)).utcoffset()
