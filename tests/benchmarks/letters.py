"""Mail as Gmail and Graph write it on the wire, made up by number: what the benchmarks' server gives and parsers read.

Letter 0 is the newest, and each next one a minute older. Sizes are those of ordinary mail: some thirty headers, 2 KB of
text, 9 KB of HTML, now and then a file.
"""

from __future__ import annotations

import base64
import datetime as dt
import json
from email.utils import format_datetime
from functools import cache

MAILBOX = 10_000
"""How many letters a mailbox holds."""

NEWEST = dt.datetime(2026, 3, 1, 12, tzinfo=dt.UTC)
_TEXT = "The second column is new; please look at the figures before Monday. " * 30
_HTML = "<div><p>The second column is <b>new</b>;&nbsp;please look at the figures.</p></div>\r\n" * 110
_PEOPLE = (("Priya Nair", "priya@example.net"), ("Sam Ortiz", "sam@contoso.example"), ("", "lists@example.org"))
_ME = ("Ann Lee", "ann@example.com")


def date_of(number: int) -> dt.datetime:
    """Give the instant a letter was received."""
    return NEWEST - dt.timedelta(minutes=number)


def gmail_id(number: int) -> str:
    """Give the id of a letter in Gmail's form."""
    return f"18f3a2{number:010x}"


def graph_id(number: int) -> str:
    """Give the id of a letter in Graph's form, as long as an immutable one."""
    return f"AAkALgAAAAAAHYQDEapmEc2byACqAC-EWg0A{'k9Xb' * 24}{number:010x}AAA="


@cache
def gmail_summary(number: int) -> bytes:
    """Write a message in the metadata format, as asked for by ``fields`` and ``metadataHeaders``."""
    return _written({**_gmail_members(number), "payload": {"headers": _summary_headers(number)}})


@cache
def gmail_whole(number: int) -> bytes:
    """Write a message in the full format: every third one with a file."""
    text = {"mimeType": "multipart/alternative", "filename": "", "headers": [], "body": {"size": 0}}
    parts = [_gmail_text(number, "0", "text/plain", _TEXT), _gmail_text(number, "1", "text/html", _HTML)]
    payload: dict[str, object] = {"partId": "", **text, "parts": parts}
    if number % 3 == 0:
        file = {
            "partId": "1",
            "mimeType": "application/pdf",
            "filename": "figures.pdf",
            "headers": [
                _header("Content-Type", 'application/pdf; name="figures.pdf"'),
                _header("Content-Disposition", 'attachment; filename="figures.pdf"'),
                _header("X-Attachment-Id", "f_lw0"),
                _header("Content-ID", "<f_lw0>"),
            ],
            "body": {"attachmentId": "ANGjdJ8" + "w" * 300, "size": 48_211},
        }
        inner = [{**part, "partId": f"0.{at}"} for at, part in enumerate(parts)]
        mixed = {**text, "mimeType": "multipart/mixed", "partId": ""}
        payload = {**mixed, "parts": [{"partId": "0", **text, "parts": inner}, file]}
    kind = str(payload["mimeType"])
    headers = [*_summary_headers(number), *_travel_headers(number), _header("Content-Type", f"{kind}; boundary=b")]
    return _written({**_gmail_members(number), "historyId": "90210", "payload": {**payload, "headers": headers}})


@cache
def graph_summary(number: int) -> bytes:
    """Write a message as a page gives it with the members of a summary selected."""
    return _written(_graph_members(number))


@cache
def graph_whole(number: int) -> bytes:
    """Write a message with its body, headers and attachments: every third one with a file."""
    headers = [*_summary_headers(number), *_travel_headers(number)]
    file = {
        "@odata.type": "#microsoft.graph.fileAttachment",
        "id": graph_id(number) + "-file",
        "name": "figures.pdf",
        "contentType": "application/pdf",
        "size": 48_211,
        "isInline": False,
        "contentId": "f_lw0",
    }
    return _written(
        {
            **_graph_members(number),
            "replyTo": [],
            "body": {"contentType": "html", "content": _HTML},
            "internetMessageHeaders": headers,
            "attachments": [file] if number % 3 == 0 else [],
        }
    )


def _gmail_members(number: int) -> dict[str, object]:
    return {
        "id": gmail_id(number),
        "threadId": gmail_id(number - number % 2),
        "labelIds": ["INBOX", "CATEGORY_PERSONAL", "Label_7", *(["UNREAD"] if number % 4 == 0 else [])],
        "snippet": "The second column is new; please look at Priya&#39;s figures before Monday.",
        "sizeEstimate": 14_200 + number,
        "internalDate": str(int(date_of(number).timestamp() * 1000)),
    }


def _gmail_text(number: int, part: str, kind: str, text: str) -> dict[str, object]:
    data = base64.urlsafe_b64encode(f"{number} {text}".encode()).decode()
    headers = [
        _header("Content-Type", f'{kind}; charset="UTF-8"'),
        _header("Content-Transfer-Encoding", "quoted-printable"),
    ]
    return {
        "partId": part,
        "mimeType": kind,
        "filename": "",
        "headers": headers,
        "body": {"size": len(text), "data": data},
    }


def _summary_headers(number: int) -> list[dict[str, str]]:
    name, address = _PEOPLE[number % 3]
    return [
        _header("From", f"{name} <{address}>" if name else address),
        _header("Date", format_datetime(date_of(number))),
        _header("Message-ID", f"<CAF{number}.figures@mail.example.net>"),
        _header("Subject", f"Figures, draft {number}" if number % 5 else f"=?UTF-8?Q?Entwurf_{number}_f=C3=BCr_Ann?="),
        _header("To", f'"{_ME[0]}" <{_ME[1]}>, bob@example.com'),
        *([_header("Cc", "Carol Jones <carol@example.org>")] if number % 2 else []),
    ]


def _travel_headers(number: int) -> list[dict[str, str]]:
    hop = "by 2002:a05:6402:1e96:b0 with SMTP id f22csp1234567edf; Sun, 1 Mar 2026 04:00:00 -0800 (PST)"
    return [
        _header("Delivered-To", _ME[1]),
        *(_header("Received", f"from mx{at}.example.net {hop}") for at in range(4)),
        _header("Return-Path", "<bounce@example.net>"),
        _header("DKIM-Signature", "v=1; a=rsa-sha256; c=relaxed/relaxed; d=example.net; s=20230601; b=" + "Zm9v" * 80),
        _header("Authentication-Results", "mx.google.com; dkim=pass header.i=@example.net; spf=pass; dmarc=pass"),
        *(_header(f"X-Mailer-Note-{at}", "some words about the way it went " * 2) for at in range(8)),
        _header("MIME-Version", "1.0"),
        _header("References", f"<CAF{number}.a@mail.example.net> <CAF{number}.b@mail.example.net>"),
        _header("In-Reply-To", f"<CAF{number}.b@mail.example.net>"),
    ]


def _header(name: str, value: str) -> dict[str, str]:
    return {"name": name, "value": value}


def _graph_members(number: int) -> dict[str, object]:
    sent = date_of(number).strftime("%Y-%m-%dT%H:%M:%SZ")
    return {
        "@odata.etag": 'W/"CQAAABYAAADHcgC8Hl9tRZ/hc1wEUs1TAAAwR4Hg"',
        "id": graph_id(number),
        "conversationId": graph_id(number - number % 2)[:120],
        "internetMessageId": f"<CAF{number}.figures@mail.example.net>",
        "subject": f"Figures, draft {number}",
        "bodyPreview": "The second column is new; please look at Priya's figures before Monday.",
        "from": _recipient(*_PEOPLE[number % 3]),
        "toRecipients": [_recipient(*_ME), _recipient("", "bob@example.com")],
        "ccRecipients": [_recipient("Carol Jones", "carol@example.org")] if number % 2 else [],
        "bccRecipients": [],
        "receivedDateTime": sent,
        "sentDateTime": sent,
        "hasAttachments": number % 3 == 0,
        "importance": "normal",
        "isRead": number % 4 != 0,
        "isDraft": False,
        "flag": {"flagStatus": "notFlagged"},
        "categories": ["Figures"] if number % 6 == 0 else [],
        "parentFolderId": "folder-inbox",
    }


def _recipient(name: str, address: str) -> dict[str, dict[str, str]]:
    return {"emailAddress": {"name": name or address, "address": address}}


def _written(members: dict[str, object]) -> bytes:
    return json.dumps(members, separators=(",", ":")).encode()
