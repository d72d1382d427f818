"""Whatever Graph takes in arrives as it was written, at Outlook and at Gmail; and nothing makes the service stumble."""

from __future__ import annotations

import base64
from email import message_from_bytes, policy
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from mailkit.sandbox import Sandbox
from tests.support.graph import Graph, to

LINES = st.text(st.characters(exclude_categories=("C", "Z"), exclude_characters="=?"), min_size=1, max_size=60)
JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
NAMES = (
    "subject",
    "body",
    "toRecipients",
    "from",
    "categories",
    "flag",
    "importance",
    "isRead",
    "attachments",
    "internetMessageHeaders",
    "singleValueExtendedProperties",
    "isReadReceiptRequested",
    "inferenceClassification",
)


@settings(max_examples=40)
@given(subject=LINES, text=LINES, name=LINES, file=LINES, content=st.binary(max_size=200))
def test_what_is_written_arrives(subject: str, text: str, name: str, file: str, content: bytes) -> None:
    sandbox = Sandbox()
    ann, bob = sandbox.microsoft("ann@contoso.example"), sandbox.microsoft("bob@fabrikam.example")
    cat = sandbox.google("cat@example.com")
    graph = Graph(sandbox, ann.token)
    message: dict[str, Any] = {
        "subject": subject,
        "body": {"contentType": "text", "content": text},
        "toRecipients": [{"emailAddress": {"name": name, "address": bob.address}}],
        "ccRecipients": to(cat.address),
        "internetMessageHeaders": [{"name": "x-mark", "value": name}],
        "attachments": [
            {
                "@odata.type": "#microsoft.graph.fileAttachment",
                "name": file,
                "contentBytes": base64.b64encode(content).decode(),
            }
        ],
    }
    with graph.http:
        assert graph.write("POST", "/me/sendMail", {"message": message}).status_code == 202
    for box in (bob, cat):
        (entry,) = box
        mail = entry.mail
        assert (mail.subject, mail.text, mail.to[0].name) == (subject, text, name)
        assert [(each.name, each.content) for each in mail.files] == [(file, content)]
        assert ("x-mark", name) in mail.headers
        parsed = message_from_bytes(entry.raw, policy=policy.default)
        assert parsed["Subject"] == subject
        assert parsed["To"].addresses[0].addr_spec == bob.address


@settings(max_examples=150)
@given(st.dictionaries(st.sampled_from(NAMES), JUNK, min_size=1, max_size=3))
def test_nothing_makes_the_service_stumble(body: dict[str, Any]) -> None:
    sandbox = Sandbox()
    graph = Graph(sandbox, sandbox.microsoft("ann@contoso.example").token)
    with graph.http:
        draft = graph.made("/me/messages", {"subject": "x"})["id"]
        for method, path, asked in (
            ("POST", "/me/messages", body),
            ("PATCH", f"/me/messages/{draft}", body),
            ("POST", "/me/sendMail", {"message": body}),
            ("POST", f"/me/messages/{draft}/createForward", {"message": body}),
            ("POST", "/me/mailFolders", {"displayName": body.get("subject")}),
        ):
            answer = graph.http.request(method, path, json=asked)
            assert answer.is_success or answer.json()["error"]["code"], (path, answer.text)
