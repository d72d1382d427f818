"""Where mailkit keeps its files: ``MAILKIT_HOME``, else the system's folder for a program's settings."""

from __future__ import annotations

import os
from pathlib import Path

from mailkit.checks import configured, file_path

__all__ = ["accounts_path", "home", "tokens_path"]


def home() -> Path:
    """Give the folder, whether it is there or not.

    Raises:
        ConfigurationError: ``MAILKIT_HOME`` cannot be a path.
    """
    named = os.environ.get("MAILKIT_HOME")
    if named:
        with configured():
            return file_path(named, "MAILKIT_HOME")
    from platformdirs import user_config_path

    return user_config_path("mailkit", appauthor=False)


def accounts_path() -> Path:
    """Give the path of ``accounts.toml``."""
    return home() / "accounts.toml"


def tokens_path(folder: Path, account: str) -> Path:
    """Give the path of an account's own store below the folder ``accounts.toml`` lies in."""
    return folder / "tokens" / f"{account}.json"
