"""The life of one request: token, pace, send, retry, typed error; batches, pages and streams of them.

The only room besides the sandbox that knows httpx. Knows no provider: what is particular to one comes as a ``Dialect``.
"""

from mailkit.transport.call import Answer, Call
from mailkit.transport.clock import SystemClock
from mailkit.transport.dialect import BatchRoute, Dialect, Quota, Refusal, Repeat
from mailkit.transport.httpx_transport import AsyncHttpxTransport, HttpxTransport
from mailkit.transport.pace import Slots
from mailkit.transport.retry import RetryPolicy
from mailkit.transport.session import Session
from mailkit.transport.upload import Upload

__all__ = [
    "Answer",
    "AsyncHttpxTransport",
    "BatchRoute",
    "Call",
    "Dialect",
    "HttpxTransport",
    "Quota",
    "Refusal",
    "Repeat",
    "RetryPolicy",
    "Session",
    "Slots",
    "SystemClock",
    "Upload",
]
