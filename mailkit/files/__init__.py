"""Files: those that hold secrets, and those a person asked for. What differs on Windows and macOS is in ``system``."""

from mailkit.files.down import NewFile, new_file
from mailkit.files.private import (
    MailkitWarning,
    close_folder,
    locked,
    make_folder,
    read_plain,
    read_private,
    remove_private,
    set_aside,
    write_private,
)

__all__ = [
    "MailkitWarning",
    "NewFile",
    "close_folder",
    "locked",
    "make_folder",
    "new_file",
    "read_plain",
    "read_private",
    "remove_private",
    "set_aside",
    "write_private",
]
