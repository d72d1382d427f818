"""Gmail's batch form: every part is judged, faulted and answered alone."""

from __future__ import annotations

import re

import attrs
import httpx
import pytest

from mailkit.sandbox import Fault, Mail, Sandbox
from tests.support.gmail import Gmail


@pytest.fixture
def gmail() -> Gmail:
    sandbox = Sandbox()
    return Gmail(sandbox, sandbox.google("ann@example.com"))


def _parts(answer: httpx.Response) -> list[tuple[str, int]]:
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("multipart/mixed; boundary=")
    return [
        (found[1], int(found[2])) for found in re.finditer(r"Content-ID: <(\S+)>\r\n\r\nHTTP/1\.1 (\d+) ", answer.text)
    ]


@pytest.mark.parametrize("host", ["https://gmail.googleapis.com", "http://127.0.0.1:8000"])
def test_a_batch_may_go_where_the_discovery_document_says(gmail: Gmail, host: str) -> None:
    answer = attrs.evolve(gmail, host=host).batch("/profile", to="/batch")
    assert _parts(answer) == [("response-item-0", 200)]


def test_each_part_has_an_answer_under_its_own_id(gmail: Gmail) -> None:
    message = gmail.box.add(Mail(subject="ü"))
    answer = gmail.batch(f"/messages/{message}?format=minimal", "/messages/1f00000000000000", "/profile?odd=1")
    assert _parts(answer) == [("response-item-0", 200), ("response-item-1", 404), ("response-item-2", 400)]
    assert f'"id": "{message}"' in answer.text
    entry = gmail.sandbox.requests[-1]
    assert (entry.operation, entry.status) == ("batch", 200)
    assert [(part.operation, part.status) for part in entry.parts] == [
        ("messages.get", 200),
        ("messages.get", 404),
        ("getProfile", 400),
    ]


def test_single_parts_are_throttled(gmail: Gmail) -> None:
    gmail.box.script(Fault.rate_limited(path="/labels"), Fault.rate_limited(status=403, path="/messages", part=True))
    answer = gmail.batch("/profile", "/labels", "/messages", "/labels")
    assert [status for _, status in _parts(answer)] == [200, 429, 403, 200]


def test_a_fault_without_a_place_meets_the_whole_batch(gmail: Gmail) -> None:
    gmail.box.script(Fault.server_error())
    assert gmail.batch("/profile").status_code == 503
    gmail.box.script(Fault.reset(part=True))
    with pytest.raises(httpx.ReadError):
        gmail.batch("/profile")
    gmail.box.script(Fault.slow(3, part=True))
    before = gmail.sandbox.clock.monotonic()
    gmail.batch("/profile", "/profile")
    assert gmail.sandbox.clock.monotonic() == before + 3


def test_quota_is_counted_by_the_part() -> None:
    sandbox = Sandbox()
    gmail = Gmail(sandbox, sandbox.google("ann@example.com", quota=10))
    answer = gmail.batch("/messages", "/messages", "/messages", "/profile")
    assert [status for _, status in _parts(answer)] == [200, 200, 403, 403]


def test_an_unknown_token_is_told_to_every_part(gmail: Gmail) -> None:
    answer = Gmail(gmail.sandbox, gmail.box, token="stale").batch("/profile", "/labels")
    assert [status for _, status in _parts(answer)] == [401, 401]


def test_what_is_no_batch_is_refused(gmail: Gmail) -> None:
    assert gmail.batch(*["/profile"] * 100).status_code == 200
    assert gmail.batch(*["/profile"] * 101).status_code == 400
    assert gmail.batch().status_code == 400


def test_parts_may_change_things(gmail: Gmail) -> None:
    ids = [gmail.box.add(Mail(subject=subject)) for subject in ("a", "b")]
    body = '{"removeLabelIds": ["INBOX"]}'
    parts = "".join(
        f"--mark\r\nContent-Type: application/http\r\nContent-ID: <{id_}>\r\n\r\n"
        f"POST /gmail/v1/users/me/messages/{id_}/modify\r\nContent-Type: application/json\r\n\r\n{body}\r\n"
        for id_ in (*ids, "1f00000000000000")
    )
    content = f"{parts}--mark--\r\n".encode()
    answer = gmail.upload(
        "https://gmail.googleapis.com/batch/gmail/v1", content, content_type="multipart/mixed; boundary=mark"
    )
    assert [status for _, status in _parts(answer)] == [200, 200, 404]
    assert sorted(gmail.find("in:archive")) == sorted(ids)


def test_a_part_without_an_answers_body_says_204(gmail: Gmail) -> None:
    message = gmail.box.add(Mail())
    content = (
        "--mark\r\nContent-Type: application/http\r\nContent-ID: <one>\r\n\r\n"
        f"DELETE /gmail/v1/users/me/messages/{message}\r\n\r\n\r\n--mark--\r\n"
    ).encode()
    answer = gmail.upload(
        "https://gmail.googleapis.com/batch/gmail/v1", content, content_type="multipart/mixed; boundary=mark"
    )
    assert _parts(answer) == [("response-one", 204)]
    assert len(gmail.box) == 0
