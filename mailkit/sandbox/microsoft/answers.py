"""What every answer of Graph has in common: the request at hand, pages of collections, single entities, contexts.

Responsible for the envelope. What stands inside comes from its callers.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar
from urllib.parse import quote

import attrs

from mailkit.sandbox.microsoft.pages import next_link, read_token, whole_number
from mailkit.sandbox.microsoft.prefer import Preferences
from mailkit.sandbox.microsoft.refusals import Refusal, bad_parameter
from mailkit.sandbox.microsoft.routes import VERSION, Route
from mailkit.sandbox.wire import SandboxRequest, SandboxResponse, json_response

__all__ = ["Asked", "collection", "entity"]

Row = TypeVar("Row")


@attrs.frozen(kw_only=True)
class Asked:
    """One request, read: its route, its query options, what the client prefers."""

    request: SandboxRequest
    route: Route
    options: Mapping[str, str]
    preferences: Preferences

    def context(self, owner: str, collection: str) -> str:
        """Give ``@odata.context``: ``$metadata#users('ann%40contoso.example')/messages(subject)``."""
        selected = self.options.get("$select", "")
        shown = f"({selected})" if selected else ""
        return f"{self.request.origin}{VERSION}/$metadata#users('{quote(owner, safe='')}'){collection}{shown}"

    def body(self) -> dict[str, Any]:
        """Read the JSON object the request brings.

        Raises:
            Refusal: there is none, or something else.
        """
        if not self.request.content:
            raise bad_parameter("Empty Payload. JSON content expected.")
        if not self.request.headers.get("content-type", "").lower().startswith("application/json"):
            raise Refusal(415, "UnsupportedMediaType", "The content type of the request is not supported.")
        try:
            body = self.request.json()
            json.dumps(body, ensure_ascii=False).encode()  # half a character is no text, however it is escaped
        except ValueError:
            raise bad_parameter("Unable to read JSON request payload.") from None
        if not isinstance(body, dict):
            raise bad_parameter("The JSON request payload is no object.")
        return body

    def parameters(self, *names: str) -> dict[str, Any]:
        """Read the parameters of an action, none without a body; the first letter may be of either case.

        Raises:
            Refusal: there is one that is not among ``names``.
        """
        body = self.body() if self.request.content else {}
        found = {name[:1].lower() + name[1:]: value for name, value in body.items() if "@" not in name}
        for name in found:
            if name not in names:
                raise Refusal(400, "RequestBodyRead", f"The parameter '{name}' is not one of this action's.")
        return found

    @property
    def mime(self) -> bool:
        """Whether the request brings a message in MIME (learn.microsoft.com/graph/outlook-send-mime-message)."""
        return self.request.headers.get("content-type", "").lower().startswith("text/plain")

    def flag(self, name: str) -> bool:
        """Read a true-or-false option.

        Raises:
            Refusal: it is neither.
        """
        value = self.options.get(name, "false")
        if value not in ("true", "false"):
            raise bad_parameter(f"Invalid value '{value}' for {name} query option found.")
        return value == "true"


def entity(asked: Asked, owner: str, collection: str, item: Mapping[str, object], status: int = 200) -> SandboxResponse:
    """Answer with one item."""
    return json_response({"@odata.context": f"{asked.context(owner, collection)}/$entity", **item}, status)


def collection(
    asked: Asked,
    context: str,
    rows: Sequence[Row],
    render: Callable[[Row], Mapping[str, object]],
    *,
    size: int,
    short: int | None = None,
) -> SandboxResponse:
    """Answer with one page of ``rows``, at most ``size`` where ``$top`` says nothing.

    ``short`` cuts this page to so many rows and lets another follow, even an empty one.
    """
    options = asked.options
    size = whole_number("$top", options["$top"], least=1, most=1000) if "$top" in options else size
    skipped = whole_number("$skip", options["$skip"], least=0) if "$skip" in options else 0
    token = read_token(asked.request)
    start = skipped if token is None else token
    end = start + (size if short is None else min(size, short))
    answer: dict[str, object] = {"@odata.context": context}
    if asked.flag("$count"):
        answer["@odata.count"] = len(rows)
    answer["value"] = [render(row) for row in rows[start:end]]
    if end < len(rows) or short is not None:
        answer["@odata.nextLink"] = next_link(asked.request, end)
    return json_response(answer)
