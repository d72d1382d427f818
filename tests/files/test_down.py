"""New files in a person's folder: whole or not at all, under a name nothing had, and nowhere else."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from pathlib import Path

import attrs
import pytest

from mailkit.errors import ConfigurationError
from mailkit.files import new_file, system

posix = pytest.mark.skipif(sys.platform == "win32", reason="modes and links of POSIX")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of this user, whatever the umask is."""
    made = tmp_path / "downloads"
    made.mkdir()
    made.chmod(0o755)
    return made


@pytest.fixture(params=["linux", "darwin", "win32"])
def platform(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Each system in turn, as far as another one can play it."""
    there = system.System.of(request.param)
    if sys.platform == "win32" and there.has_modes:
        pytest.skip("Windows cannot play a system with modes")
    monkeypatch.setattr(system, "SYSTEM", attrs.evolve(there, flush=os.fsync))
    if request.param == "win32":
        for name in ("fchmod", "geteuid"):
            monkeypatch.delattr(os, name, raising=False)
    return str(request.param)


def save(folder: Path, name: str, data: bytes = b"data") -> Path:
    with new_file(folder) as file:
        file.write(data)
        return file.keep(name)


def names(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir())


@pytest.mark.usefixtures("platform")
def test_a_file_is_written_and_nothing_is_replaced(folder: Path) -> None:
    assert save(folder, "a.tar.gz", b"one") == folder / "a.tar.gz"
    assert save(folder, "a.tar.gz", b"two") == folder / "a.tar (2).gz"
    assert save(folder, "a.tar.gz", b"") == folder / "a.tar (3).gz"
    assert [each.read_bytes() for each in sorted(folder.iterdir())] == [b"two", b"", b"one"]


@posix
def test_only_this_user_can_read_it(folder: Path) -> None:
    mask = os.umask(0)
    try:
        kept = save(folder, "a.txt")
    finally:
        os.umask(mask)
    assert kept.stat().st_mode & 0o777 == 0o600


@posix
def test_a_strict_umask_takes_nothing_from_the_owner(folder: Path) -> None:
    mask = os.umask(0o777)
    try:
        kept = save(folder, "a.txt")
    finally:
        os.umask(mask)
    assert kept.read_bytes() == b"data"


@pytest.mark.usefixtures("platform")
@posix
def test_links_and_folders_in_its_place_are_left_alone(folder: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    (folder / "a.txt").symlink_to(outside)  # leads to what is not there
    (folder / "a (2).txt").symlink_to(tmp_path)
    (folder / "a (3).txt").mkdir()
    assert save(folder, "a.txt") == folder / "a (4).txt"
    assert not outside.exists()
    assert (folder / "a.txt").is_symlink()


@pytest.mark.usefixtures("platform")
def test_what_is_not_kept_leaves_nothing(folder: Path) -> None:
    with new_file(folder) as file:
        file.write(b"data")
        assert len(names(folder)) == 1
    assert names(folder) == []


@pytest.mark.usefixtures("platform")
def test_a_file_system_without_links_will_do(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def cannot(*_: object, **__: object) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", cannot)
    (folder / "a.txt").write_bytes(b"old")
    assert save(folder, "a.txt") == folder / "a (2).txt"
    assert names(folder) == ["a (2).txt", "a.txt"]
    assert ((folder / "a.txt").read_bytes(), (folder / "a (2).txt").read_bytes()) == (b"old", b"data")

    monkeypatch.setattr(os, "replace", cannot)
    with pytest.raises(ConfigurationError):
        save(folder, "b.txt")
    assert names(folder) == ["a (2).txt", "a.txt"]


@pytest.mark.usefixtures("platform")
def test_a_full_disk_says_so_and_leaves_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    for wanted in ("write", "fsync"):
        with monkeypatch.context() as patch:
            patch.setattr(os, wanted, full)
            patch.setattr(system, "SYSTEM", attrs.evolve(system.SYSTEM, flush=os.fsync))
            with pytest.raises(ConfigurationError, match="the disk is full; make room") as caught:
                save(folder, "secret-name.txt")
        assert "secret-name" not in str(caught.value)
        assert names(folder) == []


def test_a_write_that_takes_only_some_goes_on(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, data: real(descriptor, bytes(data[:3])))
    assert save(folder, "a.txt", b"0123456789").read_bytes() == b"0123456789"


@posix
@pytest.mark.parametrize("mode", [0o775, 0o757, 0o1777])
def test_a_folder_that_others_may_write_to_is_refused(folder: Path, mode: int) -> None:
    folder.chmod(mode)
    with pytest.raises(ConfigurationError, match="chmod go-w") as caught:
        save(folder, "a.txt")
    assert (caught.value.code, caught.value.file, names(folder)) == ("open_to_others", str(folder), [])


@posix
def test_another_users_folder_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    owner = folder.stat().st_uid
    monkeypatch.setattr(os, "geteuid", lambda: owner + 1)
    with pytest.raises(ConfigurationError, match="belongs to another user"):
        save(folder, "a.txt")


@posix
def test_the_folder_is_held_even_when_its_path_leads_elsewhere(folder: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    with new_file(folder) as file:
        folder.rename(tmp_path / "moved")
        folder.symlink_to(elsewhere)
        file.write(b"data")
        file.keep("a.txt")
    assert names(elsewhere) == []
    assert names(tmp_path / "moved") == ["a.txt"]


@pytest.mark.usefixtures("platform")
@pytest.mark.parametrize(("make", "hint"), [(lambda _: None, "make it first"), (Path.touch, "it is no folder")])
def test_the_folder_must_be_there(tmp_path: Path, make: Callable[[Path], None], hint: str) -> None:
    path = tmp_path / "missing"
    make(path)
    with pytest.raises(ConfigurationError, match=hint):
        save(path, "a.txt")
