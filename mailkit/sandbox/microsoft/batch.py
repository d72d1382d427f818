"""Answers ``POST /$batch``: up to 20 requests, judged one by one, answered in an order of their own.

Responsible for learn.microsoft.com/graph/json-batching. What a part asks for is answered by whoever answers it alone.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Mapping
from typing import Any, cast

import attrs

from mailkit.sandbox.microsoft.refusals import Refusal, bad_parameter
from mailkit.sandbox.microsoft.routes import VERSION
from mailkit.sandbox.wire import SandboxRequest, SandboxResponse, json_response

__all__ = ["AT_ONCE", "answer_batch", "weight"]

AT_ONCE = 4
"""How many parts run at the same time on one mailbox (throttling-limits)."""
_MOST = 20
_LEFT_OUT = ("content-length", "transfer-encoding")

Answer = Callable[[SandboxRequest], SandboxResponse]


def weight(request: SandboxRequest) -> int:
    """Say how many requests a batch counts for while it is under way."""
    try:
        return max(1, min(AT_ONCE, len(_parts(request))))
    except Refusal:
        return 1


def answer_batch(
    request: SandboxRequest, answer: Answer, refuse: Callable[[Refusal], SandboxResponse]
) -> SandboxResponse:
    """Answer each part with ``answer``, the last one first; ``refuse`` words what the batch itself says no to.

    A delay of a part delays the whole, a line that breaks in a part breaks the whole.

    Raises:
        Refusal: the batch is not one.
    """
    answers: dict[str, SandboxResponse] = {}
    others = request.in_flight - weight(request)
    for index, part in enumerate(_parts(request)):
        missing = [key for key in part.get("dependsOn", ()) if key not in answers]
        if missing:
            raise bad_parameter(f"The request depends on '{missing[0]}', which does not stand before it.")
        if any(answers[key].status >= 400 for key in part.get("dependsOn", ())):
            failed = Refusal(424, "FailedDependency", "The request failed because one it depends on failed.")
            answers[part["id"]] = refuse(failed)
        else:
            answers[part["id"]] = answer(_request(request, part, in_flight=others + index % AT_ONCE + 1))
    broken = next((a.broken for a in answers.values() if a.broken), None)
    whole = json_response({"responses": [_response(key, part) for key, part in reversed(answers.items())]})
    delay = max(part.delay for part in answers.values())
    return attrs.evolve(whole, delay=delay, broken=broken, scripted=any(a.scripted for a in answers.values()))


def _parts(request: SandboxRequest) -> list[Mapping[str, Any]]:
    try:
        body = request.json()
    except ValueError:
        raise bad_parameter("Unable to read JSON request payload.") from None
    parts = body.get("requests") if isinstance(body, dict) else None
    if not isinstance(parts, list) or not parts:
        raise bad_parameter("The batch holds no requests.")
    if len(parts) > _MOST:
        raise bad_parameter(f"Number of batch request steps exceeds the maximum value of {_MOST}.")
    for part in parts:
        _check(part)
    ids = [part["id"].lower() for part in parts]
    if len(set(ids)) != len(ids):
        raise bad_parameter("The ids of a batch are not unique.")
    return cast(list[Mapping[str, Any]], parts)


def _check(part: object) -> None:
    texts = (part.get(name) for name in ("id", "method", "url")) if isinstance(part, dict) else (None,)
    if not all(isinstance(text, str) and text for text in texts):
        raise bad_parameter("A request of a batch needs id, method and url.")
    part = cast(dict[str, Any], part)
    url = part["url"]
    if "://" in url or url.lstrip("/").startswith(VERSION[1:]):
        raise bad_parameter(f"The url of a request of a batch is relative to the version: '{url}'.")
    if part.get("body") is not None and "content-type" not in _headers(part):
        # json-batching: "Bodies for JSON requests ... MUST have a content-type header"
        raise bad_parameter(f"Write request id : {part['id']} does not contain Content-Type header or body.")


def _request(whole: SandboxRequest, part: Mapping[str, Any], *, in_flight: int) -> SandboxRequest:
    # Headers belong to each part; the token alone is the batch's.
    headers = _headers(part)
    return attrs.evolve(
        whole,
        method=part["method"],
        url=f"{whole.origin}{VERSION}/{part['url'].lstrip('/')}",
        headers={**headers, "authorization": whole.headers.get("authorization", "")},
        content=_content(part, headers),
        in_flight=in_flight,
        part=True,
    )


def _headers(part: Mapping[str, Any]) -> dict[str, str]:
    return {name.lower(): str(value) for name, value in part.get("headers", {}).items()}


def _content(part: Mapping[str, Any], headers: Mapping[str, str]) -> bytes:
    body = part.get("body")
    if body is None:
        return b""
    if isinstance(body, str) and not headers["content-type"].lower().startswith("application/json"):
        return base64.b64decode(body)  # json-batching: bodies that are no JSON
    return json.dumps(body).encode()


def _response(key: str, answer: SandboxResponse) -> dict[str, object]:
    headers = {name.title(): value for name, value in answer.headers if name.lower() not in _LEFT_OUT}
    shown: dict[str, object] = {"id": key, "status": answer.status, "headers": headers}
    if answer.content:
        try:
            shown["body"] = json.loads(answer.content)
        except ValueError:
            shown["body"] = base64.b64encode(answer.content).decode()  # json-batching: bodies that are no JSON
    return shown
