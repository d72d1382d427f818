"""A sandbox behind a real socket, plain http on 127.0.0.1: for clients that cannot be handed a transport.

Stands here and not in the package, because programs in Python reach the sandbox through its transport, without a port
and without waiting. Answers come from ``Sandbox.transport()`` byte for byte; nothing is judged or changed on the way.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx

from mailkit.sandbox import Sandbox

# They speak of the connection and not of the message (RFC 9110 §7.6.1).
_HOP_BY_HOP = frozenset({"connection", "content-length", "keep-alive", "transfer-encoding"})


@contextmanager
def served(sandbox: Sandbox) -> Iterator[str]:
    """Serve a sandbox while the block runs; gives its address, ``http://127.0.0.1:PORT``.

    Both providers' paths are answered there, and the links in answers lead back there.
    """
    transport = sandbox.transport()

    class Handler(_Handler):
        inner = transport

    # A connection's thread ends when its client hangs up, and holds nothing until then.
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


class _Handler(BaseHTTPRequestHandler):
    """Carries one connection's requests into the sandbox."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # or small answers wait for the client's acknowledgement
    inner: httpx.BaseTransport

    def handle_one_request(self) -> None:
        """Read a request of any method and answer it, or break the line as the sandbox says."""
        self.raw_requestline = self.rfile.readline(65537)
        if not self.raw_requestline or not self.parse_request():
            self.close_connection = True
            return
        content = self.rfile.read(int(self.headers.get("content-length") or 0))
        url = f"http://{self.headers['host']}{self.path}"
        request = httpx.Request(self.command, url, headers=self.headers.items(), content=content)
        try:
            response = self.inner.handle_request(request)
        except httpx.TransportError:
            self.close_connection = True
            return
        body = response.read()
        self.send_response(response.status_code)
        for name, value in response.headers.multi_items():
            if name not in _HOP_BY_HOP:
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the name it has there
        """Keep quiet: the sandbox has a log."""
