"""What differs between systems about files, and how their refusals are worded. Writes no file itself."""

from __future__ import annotations

import errno
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import attrs

from mailkit.errors import ConfigurationError

__all__ = [
    "BYTES",
    "FILE_MODE",
    "NO_FOLLOW",
    "NO_WAIT",
    "OTHERS_WRITE",
    "SYSTEM",
    "System",
    "check_owner",
    "refuse",
    "unless_busy",
]

FILE_MODE = 0o600
OTHERS_WRITE = 0o022
_F_FULLFSYNC = 51  # <sys/fcntl.h> of macOS; Python names it there alone


@attrs.frozen(kw_only=True)
class System:
    """What differs between systems.

    ``has_modes``: owner and modes say who may read; elsewhere what lies in a person's profile is that person's alone.
    ``opens_folders``: a folder can be held open, and what lies in it be reached through that instead of by its path.
    ``syncs_folders``: a rename is sure only when its folder is synced. ``busy_tries``: how often a rename is tried
    while somebody has the file open. ``flush`` brings a file to the disk itself.
    """

    has_modes: bool
    opens_folders: bool
    syncs_folders: bool
    busy_tries: int
    flush: Callable[[int], None]

    @classmethod
    def of(cls, platform: str) -> System:
        """Give what holds for a ``sys.platform``."""
        if platform == "win32":
            # CreateFile without FILE_SHARE_DELETE, as Python opens files, keeps others from renaming over it.
            return cls(has_modes=False, opens_folders=False, syncs_folders=False, busy_tries=20, flush=os.fsync)
        flush = _flush_drive if platform == "darwin" else os.fsync
        return cls(has_modes=True, opens_folders=True, syncs_folders=True, busy_tries=1, flush=flush)


def _flush_drive(descriptor: int) -> None:
    """Flush the drive's own cache too, which fsync(2) on macOS says it does not."""
    import fcntl

    try:
        fcntl.fcntl(descriptor, _F_FULLFSYNC)
    except OSError:  # not every file system can
        os.fsync(descriptor)


SYSTEM = System.of(sys.platform)

# Absent where there is no such thing: links are then followed only by those who may write to the folder anyway.
NO_FOLLOW: int = getattr(os, "O_NOFOLLOW", 0)
BYTES: int = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
NO_WAIT: int = getattr(os, "O_NONBLOCK", 0)  # a pipe put in the file's place must not hang the reader


def unless_busy(work: Callable[[], object]) -> None:
    """Do what a system refuses while somebody has the file open, again after a moment where it is such a system."""
    for left in reversed(range(SYSTEM.busy_tries)):
        try:
            work()
        except PermissionError:
            if not left:
                raise
            time.sleep(0.01)
        else:
            return


def check_owner(path: Path, found: os.stat_result) -> None:
    """Refuse what another user owns.

    Raises:
        ConfigurationError: it does.
    """
    if SYSTEM.has_modes and found.st_uid != os.geteuid() and os.geteuid() != 0:
        raise ConfigurationError(
            f"{path} belongs to another user, who could change it; name another, or take it over with chown",
            file=str(path),
            code="not_yours",
        )


def refuse(path: Path, error: Exception, verb: str) -> NoReturn:
    """Say in one sentence what the system said no to, and what to do.

    Raises:
        ConfigurationError: always.
    """
    number = error.errno if isinstance(error, OSError) else None
    why = {
        errno.ENOENT: "it is not there; make it first",
        errno.ENOTDIR: "it is no folder; name another",
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
