"""The names senders give to files → names that every system takes. Pure.

Responsible for what a name may hold; where a file is put, and what else is there, is no concern of it.
Rules of Windows: https://learn.microsoft.com/windows/win32/fileio/naming-a-file
"""

from __future__ import annotations

import re
import unicodedata

__all__ = ["item_type", "safe_file_name"]

_MOST = 200  # bytes: file systems take 255, and a number may be put behind the name
_LONGEST_EXTENSION = 16
_RESERVED = re.compile(r'[<>:"|?*]')
_DEVICE = re.compile(r"(?:CON|PRN|AUX|NUL|CONIN\$|CONOUT\$|CLOCK\$|(?:COM|LPT)[0-9¹²³])", re.IGNORECASE)
_ENDS = " ."

# The types that mail is full of; a table of the system's would make the same mail give other names elsewhere.
_EXTENSIONS = {
    "application/gzip": ".gz",
    "application/json": ".json",
    "application/ms-tnef": ".dat",
    "application/msword": ".doc",
    "application/octet-stream": ".bin",
    "application/pdf": ".pdf",
    "application/pgp-keys": ".asc",
    "application/pgp-signature": ".asc",
    "application/pkcs7-mime": ".p7m",
    "application/pkcs7-signature": ".p7s",
    "application/rtf": ".rtf",
    "application/vnd.ms-excel": ".xls",
    "application/vnd.ms-powerpoint": ".ppt",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation": ".pptx",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": ".xlsx",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": ".docx",
    "application/xml": ".xml",
    "application/zip": ".zip",
    "audio/mpeg": ".mp3",
    "audio/mp4": ".m4a",
    "audio/ogg": ".ogg",
    "audio/wav": ".wav",
    "image/bmp": ".bmp",
    "image/gif": ".gif",
    "image/heic": ".heic",
    "image/jpeg": ".jpg",
    "image/png": ".png",
    "image/svg+xml": ".svg",
    "image/tiff": ".tiff",
    "image/webp": ".webp",
    "message/delivery-status": ".txt",
    "message/rfc822": ".eml",
    "text/calendar": ".ics",
    "text/csv": ".csv",
    "text/html": ".html",
    "text/markdown": ".md",
    "text/plain": ".txt",
    "text/vcard": ".vcf",
    "text/xml": ".xml",
    "video/mp4": ".mp4",
    "video/mpeg": ".mpeg",
    "video/quicktime": ".mov",
}
# What is named by a subject, in which a dot says nothing of the type.
_NAMED_BY_SUBJECT = ("message/rfc822",)


def safe_file_name(name: str, content_type: str = "application/octet-stream", *, is_item: bool = False) -> str:
    """Give a name that can be used as it is on Windows, macOS and Linux, as close to the sender's as that allows.

    It is one name without a folder, visible text in its composed form, no more than 200 bytes of UTF-8, without leading
    dots, and no device's. What has no name is an ``attachment`` with the extension of its type; a message, and any
    other ``is_item``, ends in that extension whatever it is called.
    """
    kind = content_type.partition(";")[0].strip().lower()
    extension = _EXTENSIONS.get(kind, "")
    base = re.split(r"[/\\]", name.rstrip("/\\"))[-1]
    shown = "".join(char for char in base if char.isprintable() or char.isspace())  # no control, format, half character
    safe = _RESERVED.sub("_", unicodedata.normalize("NFC", " ".join(shown.split()))).lstrip(_ENDS).rstrip(_ENDS)
    if not safe:
        return f"attachment{extension}"
    if _DEVICE.fullmatch(safe.partition(".")[0].rstrip()):
        safe = f"_{safe}"
    if (is_item or kind in _NAMED_BY_SUBJECT) and not safe.lower().endswith(extension):
        safe += extension
    return _shortened(safe)


def item_type(start: bytes) -> str:
    """Tell by its first bytes what an Outlook item is: its MIME text, an event's iCalendar, or a contact's vCard.

    https://learn.microsoft.com/graph/api/attachment-get#get-the-raw-contents-of-a-file-or-item-attachment
    """
    first = start.lstrip(b"\xef\xbb\xbf \t\r\n").upper()
    if first.startswith(b"BEGIN:VCALENDAR"):
        return "text/calendar"
    return "text/vcard" if first.startswith(b"BEGIN:VCARD") else "message/rfc822"


def _shortened(name: str) -> str:
    if len(name.encode()) <= _MOST:
        return name
    stem, dot, extension = name.rpartition(".")
    end = f"{dot}{extension}"
    if not stem or len(end.encode()) > _LONGEST_EXTENSION + 1:
        stem, end = name, ""
    cut = stem.encode()[: _MOST - len(end.encode())].decode(errors="ignore")
    return f"{cut.rstrip(_ENDS)}{end}"
