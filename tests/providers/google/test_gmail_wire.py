"""Gmail's message JSON → records."""

from __future__ import annotations

import copy
import datetime as dt
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mailkit.errors import BadPayload
from mailkit.models.body import Body
from mailkit.models.mail import Attachment, Message, MessageSummary
from mailkit.providers.google.gmail_wire import message_from_wire, parts_from_wire, summary_from_wire
from mailkit.values import Address, Ref
from tests.providers.google.samples import b64, sample

NAMES = {"Label_12": "family", "Label_99": "Work/Clients/Acme"}


def summary(item: Any) -> MessageSummary:
    return summary_from_wire(item, "$", account="home", label_names=NAMES)


def message(item: Any, fetched: dict[str, bytes] | None = None) -> Message:
    parts = parts_from_wire(item, "$")
    return message_from_wire(item, "$", account="home", label_names=NAMES, parts=parts, fetched=fetched or {})


def attachment(part: str, **fields: Any) -> Attachment:
    return Attachment(ref=Ref(account="home", kind="attachment", id="18f2b1d09c4e6a02", part=part), **fields)


def with_payload(**payload: Any) -> dict[str, Any]:
    return {"id": "m1", "threadId": "t1", "internalDate": "0", "payload": payload}


def test_a_summary() -> None:
    assert summary(sample("metadata")) == MessageSummary(
        ref=Ref(account="home", kind="message", id="18f2a64c0e1b7d35"),
        thread=Ref(account="home", kind="thread", id="18f2a5ff3b0c9a11"),
        message_id="<CA+7f3@mail.example.com>",
        from_=Address(name="Amy Stone", address="amy.stone@example.com"),
        to=(Address(name="Field, Ben", address="ben@example.org"), Address(address="carol@example.net")),
        cc=(Address(name="Dan", address="dan@example.com"),),
        subject="Dinner à sept",
        snippet="Dinner's at 7 & bring the <map>",
        date=dt.datetime(2024, 4, 29, 14, 13, 20, 123_000, tzinfo=dt.UTC),
        sent_at=dt.datetime(2024, 4, 29, 14, 13, 20, tzinfo=dt.UTC),
        folder="inbox",
        labels=("family",),
        is_read=False,
        is_important=True,
        has_attachments=None,
        size=5230,
    )


def test_a_whole_message() -> None:
    item = sample("full")
    read = message(item)
    assert read == Message(
        ref=Ref(account="home", kind="message", id="18f2b1d09c4e6a02"),
        thread=Ref(account="home", kind="thread", id="18f2b1d09c4e6a02"),
        message_id="<m2@mail.example.com>",
        from_=Address(name="Émilie", address="emilie@example.com"),
        cc=(Address(address="a@example.com"), Address(name="Bea", address="b@example.com")),
        subject="Figures",
        snippet="Please find the figures below.",
        date=dt.datetime(2024, 4, 30, 12, 34, 56, tzinfo=dt.UTC),
        sent_at=dt.datetime(2024, 4, 30, 12, 34, 55, tzinfo=dt.UTC),
        folder="inbox",
        labels=("family", "Work/Clients/Acme"),
        is_starred=True,
        has_attachments=True,
        size=88211,
        reply_to=(Address(name="Figures", address="figures@example.com"),),
        in_reply_to="<m1@mail.example.com>",
        references=("<m0@mail.example.com>", "<m1@mail.example.com>"),
        headers=tuple((h["name"], h["value"]) for h in item["payload"]["headers"]),
        body=Body(
            plain="Voilà les chiffres.\r\nÉmilie\r\n",
            html='<p>Voilà les chiffres.</p><img src="cid:Logo%40x">Émilie',
            snippet="Please find the figures below.",
        ),
        attachments=(
            attachment("0.1", name="logo.png", content_type="image/png", size=4211, inline=True, content_id="logo@x"),
            attachment("1", name="figures.pdf", content_type="application/pdf", size=61440, content_id="f_lvm5k0"),
            attachment("2", name="noname.eml", content_type="message/rfc822", size=412, kind="item"),
        ),
    )


def test_a_snippet_may_name_a_number_of_any_length() -> None:
    item = {**sample("metadata"), "snippet": f"&#{'0' * 5_000}65;&#{'9' * 5_000};"}
    assert summary(item).snippet == "A\ufffd"


def test_the_provider_s_own_json_only_where_asked_for() -> None:
    item = sample("metadata")
    assert summary(item).raw is None
    assert summary_from_wire(item, "$", account="home", label_names={}, include_raw=True).raw == item


@pytest.mark.parametrize(
    ("labels", "folder"),
    [
        (["INBOX", "SENT"], "inbox"),
        (["SENT"], "sent"),
        (["DRAFT"], "drafts"),
        (["TRASH", "INBOX"], "trash"),
        (["SPAM"], "spam"),
        (["CHAT"], "other"),
        (["Label_12", "STARRED"], "archive"),
        ([], "archive"),
        (None, "archive"),
    ],
)
def test_the_place_of_a_message(labels: list[str] | None, folder: str) -> None:
    assert summary({**with_payload(), "labelIds": labels}).folder == folder


def test_what_gmail_leaves_out_is_empty() -> None:
    read = message({"id": "m1", "threadId": "t1", "internalDate": "0"})
    assert (read.subject, read.from_, read.to, read.headers, read.attachments) == ("", None, (), (), ())
    assert (read.body, read.has_attachments, read.size, read.message_id) == (Body(), False, None, None)
    assert read.is_read
    assert not read.is_draft


# Where a message cannot be read: what is changed in the sample, and the path that must be named.
_HTML = "$.payload.parts[0].parts[0].parts[1]"
BROKEN: list[tuple[tuple[str | int, ...], object, str]] = [
    (("id",), None, "$.id"),
    (("id",), "", "$.id"),
    (("threadId",), 7, "$.threadId"),
    (("internalDate",), None, "$.internalDate"),
    (("internalDate",), "soon", "$.internalDate"),
    (("internalDate",), "9" * 30, "$.internalDate"),
    (("labelIds",), "INBOX", "$.labelIds"),
    (("labelIds", 1), 5, "$.labelIds[1]"),
    (("snippet",), [], "$.snippet"),
    (("sizeEstimate",), "12", "$.sizeEstimate"),
    (("payload",), [], "$.payload"),
    (("payload", "headers", 2), "From", "$.payload.headers[2]"),
    (("payload", "headers", 2, "value"), {}, "$.payload.headers[2].value"),
    (("payload", "parts"), {}, "$.payload.parts"),
    (("payload", "parts", 1), None, "$.payload.parts[1]"),
    (("payload", "parts", 1, "body"), "x", "$.payload.parts[1].body"),
    (("payload", "parts", 1, "body", "size"), 1.5, "$.payload.parts[1].body.size"),
    (("payload", "parts", 0, "parts", 0, "parts", 1, "mimeType"), 1, f"{_HTML}.mimeType"),
    (("payload", "parts", 0, "parts", 0, "parts", 1, "body", "data"), "*", f"{_HTML}.body.data"),
]  # fmt: skip


@pytest.mark.parametrize(("where", "value", "path"), BROKEN, ids=lambda value: None)
def test_what_cannot_be_read_is_named_by_its_path(where: tuple[str | int, ...], value: object, path: str) -> None:
    item = sample("full")
    inner = item
    for step in where[:-1]:
        inner = inner[step]
    inner[where[-1]] = value
    with pytest.raises(BadPayload) as caught:
        message(item)
    assert caught.value.path == path
    assert "emilie" not in str(caught.value)


def _places(value: Any, at: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [at, *(place for key, member in inner for place in _places(member, (*at, key)))]


_FULL = sample("full")
_JUNK = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from([[], {}, [[]], [{}], "text/html", "multipart/mixed", "\ufffd", "=?x?q?=?=", "9" * 5_000])
)


@given(st.lists(st.tuples(st.sampled_from(_places(_FULL)[1:]), _JUNK), min_size=1, max_size=4))
def test_a_mutated_message_is_read_or_named(changes: list[tuple[tuple[str | int, ...], object]]) -> None:
    item = copy.deepcopy(_FULL)
    for where, value in changes:
        inner = item
        try:
            for step in where[:-1]:
                inner = inner[step]
            inner[where[-1]] = value
        except (TypeError, KeyError, IndexError):  # an earlier change took the place away
            continue
    for read in (summary, message):
        try:
            record = read(item)
        except BadPayload as problem:
            _is_named(problem)
        else:
            assert type(record).from_dict(json.loads(json.dumps(record.to_dict()))) == record


def _is_named(problem: BadPayload) -> None:
    assert problem.path.startswith("$")


_KEYS = st.sampled_from([
    "id", "threadId", "internalDate", "labelIds", "snippet", "sizeEstimate", "payload", "headers", "name", "value",
    "parts", "partId", "mimeType", "filename", "body", "data", "attachmentId", "size",
])  # fmt: skip
_ANY = st.recursive(
    _JUNK, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_KEYS, inner, max_size=6), max_leaves=12
)


@settings(max_examples=50)
@given(st.dictionaries(_KEYS, _ANY, max_size=6), _ANY)
def test_an_arbitrary_object_is_read_or_named(item: dict[str, object], payload: object) -> None:
    for candidate in (item, {**item, "id": "m", "threadId": "t", "internalDate": "1", "payload": payload}):
        for read in (summary, message):
            try:
                read(candidate)
            except BadPayload as problem:
                _is_named(problem)


def test_a_very_deep_tree_is_read() -> None:
    part: dict[str, Any] = {"mimeType": "text/plain", "body": {"data": b64(b"deep")}}
    for _ in range(3_000):
        part = {"mimeType": "multipart/mixed", "parts": [part]}
    assert message(with_payload(**part)).body.plain == "deep"
