"""What every answer of Graph has in common: the request at hand, pages of collections, single entities, contexts.

Responsible for the envelope. What stands inside comes from its callers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar
from urllib.parse import quote

import attrs

from mailkit.sandbox.microsoft.pages import next_link, read_token, whole_number
from mailkit.sandbox.microsoft.prefer import Preferences
from mailkit.sandbox.microsoft.refusals import bad_parameter
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

    def flag(self, name: str) -> bool:
        """Read a true-or-false option.

        Raises:
            Refusal: it is neither.
        """
        value = self.options.get(name, "false")
        if value not in ("true", "false"):
            raise bad_parameter(f"Invalid value '{value}' for {name} query option found.")
        return value == "true"


def entity(asked: Asked, owner: str, collection: str, item: Mapping[str, object]) -> SandboxResponse:
    """Answer with one item."""
    return json_response({"@odata.context": f"{asked.context(owner, collection)}/$entity", **item})


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
