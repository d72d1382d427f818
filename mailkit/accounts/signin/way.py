"""Which way a person can sign in from here."""

from __future__ import annotations

import os
import sys
import webbrowser
from typing import Literal, TypeAlias

from mailkit.errors import ConfigurationError
from mailkit.values import Provider

__all__ = ["Method", "Way", "choose"]

Way: TypeAlias = Literal["browser", "device", "paste"]
Method: TypeAlias = Literal["auto", "browser", "device", "paste"]


def choose(method: Method, provider: Provider, *, account: str) -> Way:
    """Give the way to go; ``auto``: the browser where this machine has one, else what needs none here.

    Raises:
        ConfigurationError: the provider has no such way.
    """
    if method == "device" and provider == "google":
        # https://developers.google.com/identity/protocols/oauth2/limited-input-device#allowedscopes
        raise ConfigurationError(
            'Google gives no mail to a device code; use method="browser", or method="paste" where there is no browser',
            account=account,
            code="no_such_method",
        )
    if method != "auto":
        return method
    if _has_browser():
        return "browser"
    return "paste" if provider == "google" else "device"


def _has_browser() -> bool:
    if "SSH_CONNECTION" in os.environ:  # a browser there is one the person does not see
        return False
    if sys.platform not in ("win32", "darwin") and not {"DISPLAY", "WAYLAND_DISPLAY"} & os.environ.keys():
        return False  # those found there run in a terminal, which belongs to the program
    try:
        webbrowser.get()
    except webbrowser.Error:
        return False
    return True
