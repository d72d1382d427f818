"""Gmail and Graph on loopback, as fast as a far server: every answer is made beforehand and given 40 ms later.

A process of its own, so that it is the client that is measured: ``python -m tests.benchmarks.server`` prints its port.
Knows the few routes that reading, archiving and an agenda need and checks nothing. Parts of a batch are worked on side
by side, so a batch takes as long as one request. Whoever comes with the token ``hangs`` never gets an answer.
"""

from __future__ import annotations

import asyncio
import json
import math
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from urllib.parse import parse_qs, unquote, urlsplit

from tests.benchmarks import letters, meetings

LATENCY = 0.040
"""Seconds between the last byte of a request and the first of its answer."""

_LENGTH = re.compile(rb"(?i)\r\ncontent-length: *([0-9]+)")
_HOST = re.compile(rb"(?i)\r\nhost: *(\S+)")
_PART = re.compile(rb"Content-ID: <([^>]*)>.*?\r?\n\r?\nGET (\S+)", re.DOTALL)
_UNTIL = re.compile(r"receivedDateTime (le|lt) (\S+)")


@contextmanager
def served() -> Iterator[str]:
    """Run the server for the block, in a process of its own; gives where it is."""
    command = [sys.executable, "-m", "tests.benchmarks.server"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield f"http://127.0.0.1:{int(process.stdout.readline())}"
        finally:
            process.terminate()


class Connection(asyncio.Protocol):
    """One client's connection."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._waiting = b""

    def data_received(self, data: bytes) -> None:
        self._waiting += data
        loop = asyncio.get_running_loop()
        came = loop.time()
        while (end := self._waiting.find(b"\r\n\r\n")) >= 0:
            head = self._waiting[:end]
            length = _LENGTH.search(head)
            whole = end + 4 + (int(length[1]) if length else 0)
            if len(self._waiting) < whole:
                return
            body, self._waiting = self._waiting[end + 4 : whole], self._waiting[whole:]
            if b"Bearer hangs" not in head:
                loop.call_at(came + LATENCY, self._transport.write, _answer(head, body))


def _answer(head: bytes, body: bytes) -> bytes:
    target = head.split(b" ", 2)[1].decode()
    if target.startswith("/batch"):
        marked = b"".join(_part(name, path.decode()) for name, path in _PART.findall(body))
        return _message(marked + b"--part--\r\n", "multipart/mixed; boundary=part")
    if target.endswith("/$batch"):
        answers = b",".join(_graph_part(request) for request in json.loads(body)["requests"])
        return _message(b'{"responses":[' + answers + b"]}")
    if target.endswith("/batchModify"):
        return b"HTTP/1.1 204 No Content\r\n\r\n"
    host = _HOST.search(head)
    return _message(_found(f"http://{host[1].decode() if host else ''}{target}"))


def _message(body: bytes, content_type: str = "application/json; charset=utf-8") -> bytes:
    return f"HTTP/1.1 200 OK\r\nContent-Type: {content_type}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body


def _part(name: bytes, target: str) -> bytes:
    body = _found(target)
    return (
        b"--part\r\nContent-Type: application/http\r\nContent-ID: <response-%b>\r\n\r\nHTTP/1.1 200 OK\r\n"
        b"Content-Type: application/json; charset=UTF-8\r\nVary: Origin\r\nVary: X-Origin\r\n"
        b"Content-Length: %d\r\n\r\n%b\r\n" % (name, len(body), body)
    )


def _graph_part(request: dict[str, str]) -> bytes:
    return b'{"id":%b,"status":200,"headers":{"Content-Type":"application/json"},"body":%b}' % (
        json.dumps(request["id"]).encode(),
        _found(request["url"]),
    )


def _found(url: str) -> bytes:
    parts = urlsplit(url)
    query = {name: values[-1] for name, values in parse_qs(parts.query).items()}
    *_, above, last = parts.path.split("/")
    if "/gmail/" in parts.path:
        return _gmail(above, last, query)
    if "/calendar/v3/" in parts.path:
        return meetings.google_list() if last == "calendarList" else meetings.google_events(unquote(above))
    if last == "calendars":
        return meetings.graph_list()
    if last == "calendarView":
        return meetings.graph_events(unquote(above))
    return _graph(above, unquote(last), query, url)


def _gmail(above: str, last: str, query: dict[str, str]) -> bytes:
    if above == "messages":
        if query.get("format") == "minimal":  # archived
            return json.dumps({"id": last, "labelIds": ["UNREAD", "Label_7"]}).encode()
        write = letters.gmail_whole if query.get("format") == "full" else letters.gmail_summary
        return write(int(last[6:], 16))
    if last == "messages":
        start, size = int(query.get("pageToken", 0)), int(query.get("maxResults", 100))
        end = min(start + size, letters.MAILBOX)
        more = {"nextPageToken": str(end)} if end < letters.MAILBOX else {}
        return json.dumps({"messages": [{"id": letters.gmail_id(n)} for n in range(start, end)], **more}).encode()
    return b'{"labels":[{"id":"INBOX","name":"INBOX","type":"system"},{"id":"Label_7","name":"Figures","type":"user"}]}'


def _graph(above: str, last: str, query: dict[str, str], url: str) -> bytes:
    if last == "move":  # answered with the message, whole
        return letters.graph_whole(int(unquote(above)[-14:-4], 16))
    if above == "messages":
        if query.get("$select", "").startswith("id,parentFolderId"):
            return json.dumps({"id": last, "parentFolderId": "folder-inbox", "isDraft": False}).encode()
        return letters.graph_whole(int(last[-14:-4], 16))
    if last == "messages":
        selected = query.get("$select")
        write = letters.graph_summary if selected and "body," not in selected else letters.graph_whole
        start, size = int(query.get("$skip", 0)), int(query.get("$top", 10))
        if until := _UNTIL.search(query.get("$filter", "")):
            age = (letters.NEWEST - datetime.fromisoformat(until[2])).total_seconds() / 60
            start += max(0, math.ceil(age) if until[1] == "le" else math.floor(age) + 1)
        rows = b",".join(write(n) for n in range(start, min(start + size, letters.MAILBOX)))
        link = json.dumps(f"{url.partition('?')[0]}?$skip={start + size}").encode()
        return b'{"value":[' + rows + b'],"@odata.nextLink":' + link + b"}"
    if last in {"childFolders", "mailFolders", "masterCategories"}:
        return b'{"value":[]}'
    return json.dumps({"id": f"folder-{last}", "displayName": last, "parentFolderId": "root"}).encode()


async def _serve() -> None:
    for number in range(letters.MAILBOX):  # so that nothing is made while a client waits
        letters.gmail_summary(number)
    for calendar in meetings.CALENDARS:
        meetings.google_events(calendar)
        meetings.graph_events(calendar)
    server = await asyncio.get_running_loop().create_server(Connection, "127.0.0.1", 0)
    sys.stdout.write(f"{server.sockets[0].getsockname()[1]}\n")
    sys.stdout.flush()
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(_serve())
