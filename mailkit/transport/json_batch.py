"""Several requests as one JSON object, and the answers out of one: Microsoft Graph's ``$batch``.

Pure: values in, values out. Judges no part and repeats none. Format: learn.microsoft.com/graph/json-batching
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable, Mapping

import attrs

from mailkit.errors import BadPayload
from mailkit.transport.call import Answer

__all__ = ["Item", "decode", "encode"]


@attrs.frozen(kw_only=True)
class Item:
    """One request inside a batch; ``target`` is its path and query below the base URL.

    A request with a body must say its ``Content-Type`` among its headers.
    """

    method: str
    target: str
    headers: tuple[tuple[str, str], ...] = ()
    body: object | None = None


def encode(items: Mapping[int, Item]) -> dict[str, object]:
    """Write requests, each under its number."""
    return {"requests": [_request(number, item) for number, item in items.items()]}


def _request(number: int, item: Item) -> dict[str, object]:
    request: dict[str, object] = {"id": str(number), "method": item.method, "url": item.target}
    if item.headers:
        request["headers"] = dict(item.headers)
    if item.body is not None:
        request["body"] = item.body
    return request


def decode(payload: object, numbers: Iterable[int]) -> dict[int, Answer]:
    """Read the answers to ``numbers``, in whatever order they come.

    An answer that is missing or makes no sense is left out: the caller sees that.

    Raises:
        BadPayload: this is no answer to a batch.
    """
    responses = payload.get("responses") if isinstance(payload, dict) else None
    if not isinstance(responses, list):
        raise BadPayload(
            "the answer to a batch is no batch; try again, and check for a proxy that changes answers",
            path="responses",
            code="not_a_batch",
        )
    by_id = {response.get("id"): response for response in responses if isinstance(response, dict)}
    found = {number: _answer(by_id.get(str(number))) for number in numbers}
    return {number: answer for number, answer in found.items() if answer is not None}


def _answer(response: dict[str, object] | None) -> Answer | None:
    if response is None:
        return None
    status, headers = response.get("status"), response.get("headers")
    if not isinstance(status, int):
        return None
    names = {str(k).lower(): str(v) for k, v in headers.items()} if isinstance(headers, dict) else {}
    if "body" not in response:
        return Answer(status=status, headers=names)
    body = response["body"]
    if isinstance(body, str) and "json" not in names.get("content-type", ""):
        try:  # a body that is not JSON comes as a base64 string
            return Answer(status=status, headers=names, content=base64.b64decode(body, validate=True))
        except (binascii.Error, ValueError):
            return Answer(status=status, headers=names, content=body.encode(errors="replace"))
    return Answer(status=status, headers=names, value=body)
