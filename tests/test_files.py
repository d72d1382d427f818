"""Files with secrets: modes, links, replacement, locks, and what differs between systems."""

from __future__ import annotations

import multiprocessing
import os
import sys
import threading
import time
from pathlib import Path

import attrs
import pytest

from mailkit.errors import ConfigurationError, Unavailable
from mailkit.files import (
    MailkitWarning,
    locked,
    make_folder,
    read_plain,
    read_private,
    remove_private,
    set_aside,
    system,
    write_private,
)

posix = pytest.mark.skipif(sys.platform == "win32", reason="modes and links of POSIX")


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


@pytest.fixture(params=[0o000, 0o022, 0o777], ids=oct)
def umask(request: pytest.FixtureRequest) -> object:
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


@posix
def test_a_file_is_private_from_its_first_byte(umask: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[int, int]] = []

    def flush(descriptor: int) -> None:
        found = os.fstat(descriptor)
        seen.append((found.st_mode & 0o777, found.st_size))

    created: list[int] = []
    real = os.open

    def opening(path: Path, flags: int, permissions: int = 0o777) -> int:
        descriptor = real(path, flags, permissions)
        if flags & os.O_CREAT:
            created.append(os.fstat(descriptor).st_mode & 0o077)
            assert flags & os.O_EXCL
            assert flags & os.O_NOFOLLOW
        return descriptor

    folders: list[int] = []
    make = Path.mkdir

    def making(folder: Path, mode: int = 0o777) -> None:
        folders.append(mode)
        make(folder, mode)

    monkeypatch.setattr(system, "SYSTEM", attrs.evolve(system.SYSTEM, flush=flush))
    monkeypatch.setattr(os, "open", opening)
    monkeypatch.setattr(Path, "mkdir", making)
    path = tmp_path / "a" / "b" / "secret"
    write_private(path, b"secret")
    assert created == [0]
    assert folders == [0o700, 0o700]
    assert seen == [(0o600, 6)]
    assert (mode(path), mode(path.parent), mode(path.parent.parent)) == (0o600, 0o700, 0o700)
    assert read_private(path) == b"secret"


@posix
@pytest.mark.parametrize("loose", [0o644, 0o660, 0o604, 0o777])
def test_loose_modes_are_tightened_with_a_warning(loose: int, tmp_path: Path) -> None:
    path = tmp_path / "secret"
    write_private(path, b"secret")
    path.chmod(loose)
    with pytest.warns(MailkitWarning, match="its mode is now 600"):
        assert read_private(path) == b"secret"
    assert mode(path) == 0o600
    assert read_private(path) == b"secret"


@posix
def test_a_folder_others_may_write_to_is_closed(tmp_path: Path) -> None:
    folder = tmp_path / "shared"
    folder.mkdir()
    folder.chmod(0o775)
    with pytest.warns(MailkitWarning, match="its mode is now 700"):
        write_private(folder / "secret", b"")
    assert mode(folder) == 0o700
    folder.chmod(0o777)
    with pytest.warns(MailkitWarning, match="its mode is now 700"):
        assert read_private(folder / "secret") == b""
    assert mode(folder) == 0o700
    folder.chmod(0o1777)  # as /tmp: nobody can replace what is not theirs
    make_folder(folder)
    assert folder.stat().st_mode & 0o7777 == 0o1777


@posix
def test_a_link_is_never_followed(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_bytes(b"theirs")
    link.symlink_to(target)
    with pytest.raises(ConfigurationError, match="it is a link"):
        read_private(link)
    write_private(link, b"ours")
    assert not link.is_symlink()
    assert (target.read_bytes(), link.read_bytes()) == (b"theirs", b"ours")


@posix
def test_a_pipe_or_a_folder_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe", 0o600)
    with pytest.raises(ConfigurationError, match="no plain file"):
        read_private(tmp_path / "pipe")
    with pytest.raises(ConfigurationError, match="no plain file"):
        read_private(tmp_path)
    for path in (tmp_path / "pipe", tmp_path, Path(os.devnull)):
        with pytest.raises(ConfigurationError, match="no plain file"):
            read_plain(path)


@posix
def test_what_belongs_to_another_user_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "secret"
    write_private(path, b"secret")
    monkeypatch.setattr(os, "geteuid", lambda: path.stat().st_uid + 1)
    with pytest.raises(ConfigurationError, match="belongs to another user"):
        read_private(path)


def test_a_failure_leaves_what_was_there_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "secret"
    write_private(path, b"old")

    def interrupted(descriptor: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(system, "SYSTEM", attrs.evolve(system.SYSTEM, flush=interrupted))
    with pytest.raises(KeyboardInterrupt):
        write_private(path, b"new")
    assert [each.name for each in tmp_path.iterdir()] == ["secret"]
    assert path.read_bytes() == b"old"


def test_what_is_not_there_is_nothing(tmp_path: Path) -> None:
    assert read_private(tmp_path / "none") is None
    assert set_aside(tmp_path / "none") is None
    remove_private(tmp_path / "none")
    assert not list(tmp_path.iterdir())


def test_what_is_set_aside_is_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "secret"
    for number in (1, 2, 3):
        path.write_text(str(number))
        assert set_aside(path) == tmp_path / f"secret.corrupt-{number}"
    assert [(tmp_path / f"secret.corrupt-{n}").read_text() for n in (1, 2, 3)] == ["1", "2", "3"]


def test_a_file_in_the_way_of_a_folder_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(ConfigurationError, match="cannot be made"):
        write_private(tmp_path / "file" / "below" / "secret", b"")


def test_a_lock_that_is_kept_is_given_up(tmp_path: Path) -> None:
    path = tmp_path / "secret"
    with locked(path), pytest.raises(Unavailable, match="kept"), locked(path, seconds=0.01):
        raise AssertionError("two are inside")
    with locked(path, seconds=0.01):
        pass


def _hold(path: Path, held: threading.Event, done: threading.Event) -> None:
    with locked(path):
        held.set()
        done.wait(20)


def test_a_lock_keeps_other_processes_out(tmp_path: Path) -> None:
    path, context = tmp_path / "secret", multiprocessing.get_context("spawn")
    held, done = context.Event(), context.Event()
    process = context.Process(target=_hold, args=(path, held, done))
    process.start()
    try:
        assert held.wait(20)
        with pytest.raises(Unavailable), locked(path, seconds=0.05):
            raise AssertionError("two are inside")
    finally:
        done.set()
        process.join(20)
    with locked(path, seconds=1):
        pass


def test_windows_has_no_modes_and_tries_again_while_a_file_is_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(system, "SYSTEM", system.System.of("win32"))
    waits: list[float] = []
    monkeypatch.setattr(time, "sleep", waits.append)
    for name in ("fchmod", "geteuid"):
        monkeypatch.delattr(os, name, raising=False)
    path = tmp_path / "folder" / "secret"
    write_private(path, b"secret")
    path.chmod(0o644)
    assert read_private(path) == b"secret"

    real = Path.replace

    def busy(source: Path, target: Path) -> Path:
        if len(waits) < 3:
            raise PermissionError(13, "in use")
        return real(source, target)

    monkeypatch.setattr(Path, "replace", busy)
    write_private(path, b"new")
    assert (path.read_bytes(), len(waits)) == (b"new", 3)
    monkeypatch.setattr(Path, "replace", lambda *_: (_ for _ in ()).throw(PermissionError(13, "in use")))
    with pytest.raises(ConfigurationError, match="this user may not"):
        write_private(path, b"newer")
    assert path.read_bytes() == b"new"


@posix
def test_macos_flushes_the_drive_where_it_can(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import fcntl

    asked: list[int] = []
    monkeypatch.setattr(system, "SYSTEM", system.System.of("darwin"))
    monkeypatch.setattr(fcntl, "fcntl", lambda _descriptor, what: asked.append(what))
    write_private(tmp_path / "secret", b"one")
    assert asked == [51]

    def cannot(_descriptor: int, _what: int) -> None:
        raise OSError(45, "Operation not supported")

    monkeypatch.setattr(fcntl, "fcntl", cannot)
    write_private(tmp_path / "secret", b"two")
    assert (tmp_path / "secret").read_bytes() == b"two"
