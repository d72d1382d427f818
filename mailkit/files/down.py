"""Files a person asked for: new ones, in a folder of theirs, whole or not there at all.

Responsible for where bytes that came from outside end up on the disk: in the very folder that was opened and checked,
readable by this user alone, under a name nothing had. Never replaces anything, never follows a link out of the folder,
never makes a folder. Names come in safe (``mailkit.mime.file_names``).
"""

from __future__ import annotations

import contextlib
import itertools
import os
import secrets
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from mailkit.errors import ConfigurationError
from mailkit.files import system
from mailkit.files.system import BYTES, FILE_MODE, NO_FOLLOW, OTHERS_WRITE, check_owner, refuse, unless_busy

__all__ = ["NewFile", "new_file"]

_FOLDER: int = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | BYTES
_NEW: int = os.O_WRONLY | os.O_CREAT | os.O_EXCL | NO_FOLLOW | BYTES


@contextlib.contextmanager
def new_file(folder: Path) -> Iterator[NewFile]:
    """Begin a file in a folder; when the block ends and it was not kept, nothing of it remains.

    Raises:
        ConfigurationError: there is no such folder, it is another user's, others may write to it, or this one may not.
    """
    with contextlib.ExitStack() as stack:
        try:
            descriptor = None
            if system.SYSTEM.opens_folders:
                descriptor = os.open(folder, _FOLDER)
                stack.callback(os.close, descriptor)
            _check(folder, folder.stat() if descriptor is None else os.fstat(descriptor))
            file = NewFile(folder, descriptor)
        except OSError as error:
            refuse(folder, error, "written to")
        stack.callback(file.drop)
        yield file


def _check(folder: Path, found: os.stat_result) -> None:
    check_owner(folder, found)
    if system.SYSTEM.has_modes and found.st_mode & OTHERS_WRITE:
        raise ConfigurationError(
            f"others may write to {folder}, and could put something in the place of what is saved; name a directory of "
            "your own, or close this one to them with chmod go-w",
            file=str(folder),
            code="open_to_others",
        )


class NewFile:
    """A file on its way into a folder, under a name of no meaning until it is whole."""

    def __init__(self, folder: Path, opened: int | None) -> None:
        self._folder = folder
        self._opened = opened  # the folder itself; without it each name is a whole path
        self._temporary: str | None = None
        name = self._at(f".mailkit-{secrets.token_hex(8)}.part")
        self._file: int | None = os.open(name, _NEW, FILE_MODE, dir_fd=opened)
        self._temporary = name
        if system.SYSTEM.has_modes:
            os.fchmod(self._file, FILE_MODE)  # whatever the umask took away

    def write(self, data: bytes) -> None:
        """Append bytes.

        Raises:
            ConfigurationError: the disk is full, or will not take them.
        """
        assert self._file is not None  # noqa: S101  # nobody writes to what was kept
        try:
            rest = memoryview(data)
            while rest:
                rest = rest[os.write(self._file, rest) :]
        except OSError as error:
            refuse(self._folder, error, "written to")

    def keep(self, name: str) -> Path:
        """Bring the file to the disk under its name, or ``name (2)`` and so on where there is one; gives the path.

        Raises:
            ConfigurationError: the system will not.
        """
        assert self._file is not None  # noqa: S101  # it is kept once
        try:
            system.SYSTEM.flush(self._file)
            self._close()
            kept = next(free for free in _numbered(name) if self._name(free))
            if self._opened is not None:
                with contextlib.suppress(OSError):  # a network file system may refuse; the file itself is safe
                    os.fsync(self._opened)
        except OSError as error:
            refuse(self._folder, error, "written to")
        return self._folder / kept

    def drop(self) -> None:
        """Remove what is there under no name of its own; harmless once the file is kept."""
        self._close()
        if self._temporary is not None:
            with contextlib.suppress(OSError):  # what failed is more worth knowing
                unless_busy(partial(os.unlink, self._temporary, dir_fd=self._opened))
            self._temporary = None

    def _close(self) -> None:
        if self._file is not None:
            descriptor, self._file = self._file, None
            os.close(descriptor)

    def _name(self, name: str) -> bool:
        """Give the file a name that nothing has, be it a file, a folder or a link; False where something has."""
        assert self._temporary is not None  # noqa: S101  # it is kept once
        source, target = self._temporary, self._at(name)
        try:
            os.link(source, target, src_dir_fd=self._opened, dst_dir_fd=self._opened)
        except FileExistsError:
            return False
        except OSError:  # a file system without links (FAT, many a network share): the name is taken, then replaced
            try:
                os.close(os.open(target, _NEW, FILE_MODE, dir_fd=self._opened))
            except FileExistsError:
                return False
            try:
                unless_busy(partial(os.replace, source, target, src_dir_fd=self._opened, dst_dir_fd=self._opened))
            except BaseException:
                os.unlink(target, dir_fd=self._opened)
                raise
            self._temporary = None
        return True

    def _at(self, name: str) -> str:
        return name if self._opened is not None else str(self._folder / name)


def _numbered(name: str) -> Iterator[str]:
    yield name
    path = Path(name)
    for number in itertools.count(2):
        yield f"{path.stem} ({number}){path.suffix}"
