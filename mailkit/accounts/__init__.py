"""The account set, where tokens come from, and which driver serves which provider."""

from __future__ import annotations

from mailkit.accounts.accounts import Accounts
from mailkit.accounts.settings import Settings

__all__ = ["Accounts", "Settings"]
