"""What a program is handed to show to the person, as data: nothing is printed here."""

from __future__ import annotations

import datetime as dt
import webbrowser
from collections.abc import Awaitable, Callable
from typing import Literal, TypeAlias

import attrs

from mailkit.errors import ConfigurationError
from mailkit.models.records import Record

__all__ = ["Prompt", "SignInPrompt", "open_browser"]


@attrs.frozen(kw_only=True)
class SignInPrompt(Record):
    """What the person must do now; ``str(prompt)`` says it in one sentence.

    ``kind`` is ``browser`` (open ``url``), ``device`` (open ``url``, on any device, and type ``user_code`` there) or
    ``paste`` (open ``url``, agree, and give back the address the browser ends at). ``expires_at`` is aware UTC.
    """

    account: str
    kind: Literal["browser", "device", "paste"]
    url: str = attrs.field(repr=False)
    user_code: str | None = attrs.field(default=None, repr=False)
    expires_at: dt.datetime

    def __str__(self) -> str:
        if self.kind == "device":
            return f"To sign in to {self.account!r}, open {self.url} and enter the code {self.user_code}"
        if self.kind == "browser":
            return f"To sign in to {self.account!r}, open {self.url}"
        return (
            f"To sign in to {self.account!r}, open {self.url}\n"
            "Agree there. The page that comes then cannot be shown; copy its address and paste it here: "
        )


Prompt: TypeAlias = Callable[[SignInPrompt], object | Awaitable[object]]
"""Shows a ``SignInPrompt``, plain or async. For ``paste`` it gives back the address the browser ended at, as text;
what else it gives is not looked at. ``print`` and (for ``paste``) ``input`` will do."""


def open_browser(prompt: SignInPrompt) -> None:
    """Open the page in the person's browser: what is done where a program shows nothing itself.

    Raises:
        ConfigurationError: there is none that opens (code ``no_browser``).
    """
    if not webbrowser.open(prompt.url):
        raise ConfigurationError(
            'no browser could be opened here; pass prompt= to show the address yourself, or method="paste" or '
            '"device" to sign in with a browser elsewhere',
            account=prompt.account,
            code="no_browser",
        )
