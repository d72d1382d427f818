"""Files that hold secrets: made so that nobody else ever reads them, replaced whole or not at all.

Responsible for modes, atomic replacement and locks between processes.
Never looks into what it writes and never puts any of it into an error or a warning.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import secrets
import stat
import threading
import warnings
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import NoReturn

from mailkit.errors import ConfigurationError, Unavailable
from mailkit.files import system
from mailkit.files.system import (
    BYTES,
    FILE_MODE,
    NO_FOLLOW,
    NO_WAIT,
    OTHERS_WRITE,
    check_owner,
    refuse,
    unless_busy,
)

__all__ = [
    "MailkitWarning",
    "close_folder",
    "locked",
    "make_folder",
    "read_plain",
    "read_private",
    "remove_private",
    "set_aside",
    "write_private",
]

LOCK_SECONDS = 60.0
"""How long another process may keep a lock: twice the time that one account has for a call."""

_POLL_SECONDS = 0.02
_FOLDER_MODE = 0o700
_FOR_OTHERS = 0o077


class MailkitWarning(UserWarning):
    """Something was not as it should be and was put right: loose modes tightened, a damaged file kept aside."""


_locks: dict[Path, threading.Lock] = {}
# A lock some other thread held at a fork would be held in the child for ever.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_locks.clear)


def read_private(path: Path) -> bytes | None:
    """Give what the file holds; None where there is none.

    Modes that let others read it, or put another in its place, are tightened, with a warning.

    Raises:
        ConfigurationError: it is a link, no plain file, somebody else's, or cannot be read.
    """
    close_folder(path.parent)
    return _read(path, NO_FOLLOW, private=True)


def read_plain(path: Path) -> bytes | None:
    """Give what a file without secrets holds, links followed; None where there is none.

    Raises:
        ConfigurationError: it is no plain file, or cannot be read.
    """
    return _read(path, 0, private=False)


def _read(path: Path, flags: int, *, private: bool) -> bytes | None:
    try:
        descriptor = os.open(path, os.O_RDONLY | BYTES | NO_WAIT | flags)
    except FileNotFoundError:
        return None
    except OSError as error:
        refuse(path, error, "read")
    try:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            raise ConfigurationError(f"{path} is no plain file; name another", file=str(path), code="not_a_file")
        if private:
            check_owner(path, found)
            if system.SYSTEM.has_modes and found.st_mode & _FOR_OTHERS:
                os.fchmod(descriptor, FILE_MODE)
                _warn(f"{path} could be read or written by others; its mode is now {FILE_MODE:o}")
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            return file.read()
    except OSError as error:
        refuse(path, error, "read")
    finally:
        os.close(descriptor)


def write_private(path: Path, data: bytes) -> None:
    """Put ``data`` in the place of what the file holds, at once and to last; its folder is made where it is missing.

    Only this user can read the file, from its first byte. A link in its place is replaced, never followed. When this
    fails, what was there is still there.

    Raises:
        ConfigurationError: it cannot be written (the disk is full, the folder is read-only).
    """
    make_folder(path.parent)
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(8)}.tmp")
    try:
        try:
            _write_new(temporary, data)
            unless_busy(partial(temporary.replace, path))
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
        _sync_folder(path.parent)
    except OSError as error:
        refuse(path, error, "written")


def set_aside(path: Path) -> Path | None:
    """Rename a damaged file to ``<name>.corrupt-<n>`` and give that path; None where it has gone meanwhile.

    Raises:
        ConfigurationError: it cannot be renamed.
    """
    try:
        for number in itertools.count(1):
            aside = path.with_name(f"{path.name}.corrupt-{number}")
            try:
                # The name is taken before anything is moved onto it, so that nothing kept aside is ever lost.
                os.close(os.open(aside, os.O_CREAT | os.O_EXCL | os.O_WRONLY | BYTES | NO_FOLLOW, FILE_MODE))
            except FileExistsError:
                continue
            try:
                unless_busy(partial(path.replace, aside))
            except FileNotFoundError:
                aside.unlink()
                return None
            return aside
    except OSError as error:
        refuse(path, error, "renamed")
    raise AssertionError("numbers end")  # pragma: no cover  # count() does not


def remove_private(path: Path) -> None:
    """Remove the file; harmless when there is none.

    Raises:
        ConfigurationError: it cannot be removed.
    """
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        refuse(path, error, "removed")


def make_folder(path: Path) -> None:
    """Make the folder, and those above it, for this user alone; one that others may write to is closed to them.

    Raises:
        ConfigurationError: it cannot be made, or is somebody else's.
    """
    try:
        missing = itertools.takewhile(lambda folder: not folder.exists(), (path, *path.parents))
        for folder in reversed(list(missing)):
            with contextlib.suppress(FileExistsError):  # somebody else has just made it
                folder.mkdir(mode=_FOLDER_MODE)
                if system.SYSTEM.has_modes:
                    folder.chmod(_FOLDER_MODE)  # whatever the umask took away
        found = path.stat()
        if _is_open(found):
            check_owner(path, found)
            _close(path)
    except OSError as error:
        refuse(path, error, "made")


def close_folder(path: Path) -> None:
    """Close a folder of this user that others may write to, with a warning; leave alone what is nobody's or theirs.

    Raises:
        ConfigurationError: its mode cannot be changed.
    """
    try:
        found = path.stat()
    except OSError:
        return  # whoever opens the file in it is told
    try:
        if _is_open(found) and found.st_uid == os.geteuid():
            _close(path)
    except OSError as error:
        refuse(path, error, "closed to others")


def _is_open(found: os.stat_result) -> bool:
    """Whoever may write to a folder may put another file in a file's place, but for one like ``/tmp``."""
    return system.SYSTEM.has_modes and bool(found.st_mode & OTHERS_WRITE) and not found.st_mode & stat.S_ISVTX


def _close(path: Path) -> None:
    path.chmod(_FOLDER_MODE)
    _warn(f"others could put files into {path}; its mode is now {_FOLDER_MODE:o}")


@contextlib.contextmanager
def locked(path: Path, *, seconds: float = LOCK_SECONDS) -> Iterator[None]:
    """Keep other threads and processes that lock the same path out while the block runs.

    The lock stands in a file beside it, ``<name>.lock``, which stays. Not reentrant.

    Raises:
        Unavailable: somebody has kept the lock all the time.
        ConfigurationError: the lock cannot be made there.
    """
    from filelock import FileLock, Timeout

    make_folder(path.parent)
    held = _locks.setdefault(path.absolute(), threading.Lock())
    if not held.acquire(timeout=seconds):
        _give_up(path)
    try:
        beside = path.with_name(f"{path.name}.lock")
        between = FileLock(beside, mode=FILE_MODE, timeout=seconds, thread_local=False, poll_interval=_POLL_SECONDS)
        try:
            between.acquire()
        except Timeout:
            _give_up(path)
        except (OSError, NotImplementedError) as error:
            refuse(path, error, "locked")
        try:
            yield
        finally:
            between.release()
    finally:
        held.release()


def _give_up(path: Path) -> NoReturn:
    raise Unavailable(
        f"another thread or process has kept {path} locked too long; try again later, or look what holds it",
        code="locked",
    )


def _write_new(path: Path, data: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | BYTES | NO_FOLLOW, FILE_MODE)
    with os.fdopen(descriptor, "wb") as file:
        if system.SYSTEM.has_modes:
            os.fchmod(descriptor, FILE_MODE)  # whatever the umask took away
        file.write(data)
        file.flush()
        system.SYSTEM.flush(descriptor)


def _sync_folder(folder: Path) -> None:
    if system.SYSTEM.syncs_folders:
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            # Network file systems may refuse this; the file itself is safe, and the rename will follow.
            with contextlib.suppress(OSError):
                os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _warn(text: str) -> None:
    warnings.warn(text, MailkitWarning, stacklevel=3)
