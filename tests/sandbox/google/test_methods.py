"""The table of Gmail's methods says what Google's own description says."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mailkit.sandbox.google.methods import METHODS

_ELSEWHERE = {"attachments.get": "messages.attachments.get"}


def _described(resource: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for method in resource.get("methods", {}).values():
        yield method["id"].removeprefix("gmail.users."), method
    for inner in resource.get("resources", {}).values():
        yield from _described(inner)


@pytest.fixture(scope="module")
def description() -> dict[str, Any]:
    folder = os.environ.get("MAILKIT_SHARED")
    if folder is None:
        pytest.skip("MAILKIT_SHARED names no folder with the description")
    found: dict[str, Any] = json.loads((Path(folder) / "contract/google/gmail.v1.json").read_text(encoding="utf-8"))
    return found


def test_every_method_is_as_described(description: dict[str, Any]) -> None:
    described = dict(_described(description))
    for method in METHODS:
        wire = described[_ELSEWHERE.get(method.name, method.name)]
        parameters = {name for name, one in wire["parameters"].items() if one["location"] == "query"}
        scopes = {scope.rpartition("/auth/")[2] for scope in wire["scopes"] if ".addons." not in scope}
        fields = description["schemas"][wire["request"]["$ref"]]["properties"] if "request" in wire else {}
        assert method.verb == wire["httpMethod"], method.name
        assert method.pattern.fullmatch("/" + wire["path"].replace("{", "").replace("}", "")), method.name
        assert set(method.scopes) == scopes, method.name
        assert set(method.parameters) <= parameters, method.name
        assert set(method.body or ()) <= set(fields), method.name
        assert (method.body is None) == ("request" not in wire), method.name
        assert method.upload == ("mediaUpload" in wire), method.name
