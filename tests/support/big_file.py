"""One large attachment at Gmail and at Graph, on loopback, in a process of its own: the client's memory is measured.

``python -m tests.support.big_file`` prints its port. Sends what it has in pieces, as a server far away would.
"""

from __future__ import annotations

import base64
import json
import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SIZE = 20 * 1024 * 1024
DATA = random.Random(7).randbytes(SIZE)
MESSAGE, PART = "big", "1"

_GMAIL = f"/gmail/v1/users/me/messages/{MESSAGE}"
_GRAPH = f"/v1.0/me/messages/{MESSAGE}/attachments/{PART}"
_PIECE = 64 * 1024


@contextmanager
def served() -> Iterator[str]:
    """Run the server for the block; gives where it is."""
    command = [sys.executable, "-m", "tests.support.big_file"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield f"http://127.0.0.1:{int(process.stdout.readline())}"
        finally:
            process.terminate()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:  # the name it has there
        path = self.path.partition("?")[0]
        if path == _GMAIL:
            body = {"attachmentId": "A", "size": SIZE}
            part = {"partId": PART, "filename": "big.bin", "mimeType": "application/octet-stream", "body": body}
            payload = {"partId": "", "mimeType": "multipart/mixed", "parts": [part]}
            self._send(json.dumps({"id": MESSAGE, "threadId": "t", "payload": payload}).encode())
        elif path == f"{_GMAIL}/attachments/A":
            self._send(b'{"size":%d,"data":"%b"}' % (SIZE, base64.urlsafe_b64encode(DATA)))
        elif path == f"{_GRAPH}/$value":
            self._send(DATA, "application/octet-stream")
        else:
            self.send_error(404)

    def _send(self, body: bytes, content_type: str = "application/json; charset=UTF-8") -> None:
        self.send_response(200)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        for at in range(0, len(body), _PIECE):
            self.wfile.write(body[at : at + _PIECE])

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the name it has there
        """Keep quiet."""


if __name__ == "__main__":
    with ThreadingHTTPServer(("127.0.0.1", 0), _Handler) as server:
        sys.stdout.write(f"{server.server_port}\n")
        sys.stdout.flush()
        server.serve_forever()
