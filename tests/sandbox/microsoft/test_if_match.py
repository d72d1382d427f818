"""A change that is asked for only while the message is as it was read."""

from __future__ import annotations

import pytest

from mailkit.sandbox import Mail, Sandbox
from tests.support.graph import Graph


@pytest.mark.parametrize(("if_match", "status"), [("etag", 200), ("*", 200), ('W/"another"', 412)])
def test_a_message_is_changed_only_as_it_was_read(if_match: str, status: int) -> None:
    sandbox = Sandbox()
    box = sandbox.microsoft("ann@contoso.example")
    path = f"/me/messages/{box.add(Mail(subject='x', text='x'))}"
    graph = Graph(sandbox, box.token)
    etag = graph.json(path, select="categories")["@odata.etag"]
    headers = {"if-match": etag if if_match == "etag" else if_match}
    answer = graph.http.patch(path, json={"categories": ["Work"]}, headers=headers)
    assert answer.status_code == status
    assert (graph.json(path)["categories"] == ["Work"]) is (status == 200)
    assert (graph.json(path)["@odata.etag"] != etag) is (status == 200)
