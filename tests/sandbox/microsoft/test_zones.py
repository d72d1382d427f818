from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

import pytest

from mailkit.sandbox.microsoft import zones


@pytest.mark.parametrize(
    ("name", "iana"),
    [
        ("W. Europe Standard Time", "Europe/Berlin"),
        ("w. europe standard time", "Europe/Berlin"),
        ("Central Standard Time (Mexico)", "America/Mexico_City"),
        ("UTC-11", "Etc/GMT+11"),
        ("Line Islands Standard Time", "Pacific/Kiritimati"),
        ("Europe/Stockholm", "Europe/Stockholm"),
        ("america/new_york", "America/New_York"),
        ("UTC", "Etc/UTC"),
        ("tzone://Microsoft/Utc", "Etc/UTC"),
    ],
)
def test_names_of_both_kinds_are_known(name: str, iana: str) -> None:
    found = zones.named(name)
    assert found is not None
    assert found.key == iana


@pytest.mark.parametrize("name", [zones.CUSTOM, "Customized Time Zone", "", "Mars", "Alberta Standard Time"])
def test_other_names_are_not(name: str) -> None:
    assert zones.named(name) is None


def test_every_zone_of_the_table_exists_and_comes_back() -> None:
    names = {name for name, _ in zones._pairs()}
    assert len(names) == 138
    for name in names:
        found = zones.named(name)
        assert found is not None
        assert zones.windows(found) == name
    assert zones.windows(dt.UTC) == zones.windows(ZoneInfo("Etc/UTC")) == "UTC"
    assert zones.windows(ZoneInfo("Europe/Stockholm")) == "Europe/Stockholm"


def test_a_moment_is_written_with_seven_digits() -> None:
    moment = dt.datetime(2026, 3, 1, 12, 0, 0, 500, tzinfo=dt.UTC)
    assert zones.local(ZoneInfo("Asia/Kolkata"), moment) == "2026-03-01T17:30:00.0005000"
