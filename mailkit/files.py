"""Files that hold secrets: made so that nobody else ever reads them, replaced whole or not at all.

Responsible for modes, atomic replacement, locks between processes, and what differs on Windows and macOS (``System``).
Never looks into what it writes and never puts any of it into an error or a warning.
"""

from __future__ import annotations

import contextlib
import errno
import itertools
import os
import secrets
import stat
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NoReturn

import attrs

from mailkit.errors import ConfigurationError, Unavailable

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
_FILE_MODE, _FOLDER_MODE = 0o600, 0o700
_FOR_OTHERS, _OTHERS_WRITE = 0o077, 0o022
_F_FULLFSYNC = 51  # <sys/fcntl.h> of macOS; Python names it there alone


class MailkitWarning(UserWarning):
    """Something was not as it should be and was put right: loose modes tightened, a damaged file kept aside."""


@attrs.frozen(kw_only=True)
class System:
    """What differs between systems.

    ``has_modes``: owner and modes say who may read; elsewhere what lies in a person's profile is that person's alone.
    ``syncs_folders``: a rename is sure only when its folder is synced. ``busy_tries``: how often a rename is tried
    while somebody has the file open. ``flush`` brings a file to the disk itself.
    """

    has_modes: bool
    syncs_folders: bool
    busy_tries: int
    flush: Callable[[int], None]

    @classmethod
    def of(cls, platform: str) -> System:
        """Give what holds for a ``sys.platform``."""
        if platform == "win32":
            # CreateFile without FILE_SHARE_DELETE, as Python opens files, keeps others from renaming over it.
            return cls(has_modes=False, syncs_folders=False, busy_tries=20, flush=os.fsync)
        flush = _flush_drive if platform == "darwin" else os.fsync
        return cls(has_modes=True, syncs_folders=True, busy_tries=1, flush=flush)


def _flush_drive(descriptor: int) -> None:
    """Flush the drive's own cache too, which fsync(2) on macOS says it does not."""
    import fcntl

    try:
        fcntl.fcntl(descriptor, _F_FULLFSYNC)
    except OSError:  # not every file system can
        os.fsync(descriptor)


SYSTEM = System.of(sys.platform)

# Absent where there is no such thing: links are then followed only by those who may write to the folder anyway.
_NO_FOLLOW: int = getattr(os, "O_NOFOLLOW", 0)
_BYTES: int = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_NO_WAIT: int = getattr(os, "O_NONBLOCK", 0)  # a pipe put in the file's place must not hang the reader

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
    return _read(path, _NO_FOLLOW, private=True)


def read_plain(path: Path) -> bytes | None:
    """Give what a file without secrets holds, links followed; None where there is none.

    Raises:
        ConfigurationError: it is no plain file, or cannot be read.
    """
    return _read(path, 0, private=False)


def _read(path: Path, flags: int, *, private: bool) -> bytes | None:
    try:
        descriptor = os.open(path, os.O_RDONLY | _BYTES | _NO_WAIT | flags)
    except FileNotFoundError:
        return None
    except OSError as error:
        _refuse(path, error, "read")
    try:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            raise ConfigurationError(f"{path} is no plain file; name another", file=str(path), code="not_a_file")
        if private:
            _check_owner(path, found)
            if SYSTEM.has_modes and found.st_mode & _FOR_OTHERS:
                os.fchmod(descriptor, _FILE_MODE)
                _warn(f"{path} could be read or written by others; its mode is now {_FILE_MODE:o}")
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            return file.read()
    except OSError as error:
        _refuse(path, error, "read")
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
            _replace(temporary, path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
        _sync_folder(path.parent)
    except OSError as error:
        _refuse(path, error, "written")


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
                os.close(os.open(aside, os.O_CREAT | os.O_EXCL | os.O_WRONLY | _BYTES | _NO_FOLLOW, _FILE_MODE))
            except FileExistsError:
                continue
            try:
                _replace(path, aside)
            except FileNotFoundError:
                aside.unlink()
                return None
            return aside
    except OSError as error:
        _refuse(path, error, "renamed")
    raise AssertionError("numbers end")  # pragma: no cover  # count() does not


def remove_private(path: Path) -> None:
    """Remove the file; harmless when there is none.

    Raises:
        ConfigurationError: it cannot be removed.
    """
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        _refuse(path, error, "removed")


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
                if SYSTEM.has_modes:
                    folder.chmod(_FOLDER_MODE)  # whatever the umask took away
        found = path.stat()
        if _is_open(found):
            _check_owner(path, found)
            _close(path)
    except OSError as error:
        _refuse(path, error, "made")


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
        _refuse(path, error, "closed to others")


def _is_open(found: os.stat_result) -> bool:
    """Whoever may write to a folder may put another file in a file's place, but for one like ``/tmp``."""
    return SYSTEM.has_modes and bool(found.st_mode & _OTHERS_WRITE) and not found.st_mode & stat.S_ISVTX


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
        between = FileLock(beside, mode=_FILE_MODE, timeout=seconds, thread_local=False, poll_interval=_POLL_SECONDS)
        try:
            between.acquire()
        except Timeout:
            _give_up(path)
        except (OSError, NotImplementedError) as error:
            _refuse(path, error, "locked")
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
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BYTES | _NO_FOLLOW, _FILE_MODE)
    with os.fdopen(descriptor, "wb") as file:
        if SYSTEM.has_modes:
            os.fchmod(descriptor, _FILE_MODE)  # whatever the umask took away
        file.write(data)
        file.flush()
        SYSTEM.flush(descriptor)


def _replace(source: Path, target: Path) -> None:
    for left in reversed(range(SYSTEM.busy_tries)):
        try:
            source.replace(target)
        except PermissionError:
            if not left:
                raise
            time.sleep(0.01)
        else:
            return


def _sync_folder(folder: Path) -> None:
    if SYSTEM.syncs_folders:
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            # Network file systems may refuse this; the file itself is safe, and the rename will follow.
            with contextlib.suppress(OSError):
                os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _check_owner(path: Path, found: os.stat_result) -> None:
    if SYSTEM.has_modes and found.st_uid != os.geteuid() and os.geteuid() != 0:
        raise ConfigurationError(
            f"{path} belongs to another user, who could change it; name another, or take it over with chown",
            file=str(path),
            code="not_yours",
        )


def _refuse(path: Path, error: Exception, verb: str) -> NoReturn:
    number = error.errno if isinstance(error, OSError) else None
    why = {
        errno.ELOOP: "it is a link; name the file it leads to",
        errno.ENOSPC: "the disk is full; make room",
        errno.EDQUOT: "the quota of this user is used up; make room",
        errno.EROFS: "its file system is read-only; name another folder",
        errno.EACCES: "this user may not; look at the rights of the file and its folder",
        errno.EPERM: "this user may not; look at the rights of the file and its folder",
    }.get(number or 0, f"the system says: {os.strerror(number)}" if number else "this file system cannot do it")
    raise ConfigurationError(
        f"{path} cannot be {verb}: {why}", file=str(path), code=errno.errorcode.get(number or 0, "unknown").lower()
    ) from error


def _warn(text: str) -> None:
    warnings.warn(text, MailkitWarning, stacklevel=3)
