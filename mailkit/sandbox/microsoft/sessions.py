"""What an upload session knows of the file that comes through it. Plain state; ``uploads`` judges and answers."""

from __future__ import annotations

import datetime as dt

import attrs

from mailkit.sandbox.mail import File

__all__ = ["UploadSession"]


@attrs.define(kw_only=True, eq=False)
class UploadSession:
    """One file on its way to a message.

    ``key`` is the session's id and ``authtoken`` what opens its URL, ``entry`` the id of the message; ``size`` is how
    many bytes were announced, ``received`` those that have come; ``over`` says that no more will be taken.
    """

    key: str
    authtoken: str = attrs.field(repr=False)
    entry: str
    file: File
    size: int
    expires: dt.datetime
    received: bytearray = attrs.field(factory=bytearray, repr=False)
    over: bool = False
