"""Uploads to Gmail: in one request, with metadata, in chunks that may be lost."""

from __future__ import annotations

import json

import httpx
import pytest

from mailkit.sandbox import Fault, Mail, Sandbox
from tests.support.gmail import Gmail, error, letter

_CHUNK = 256 * 1024
_RAW = letter("x" * 600_000)
_TOTAL = len(_RAW)
_MAIL = "message/rfc822"


@pytest.fixture
def gmail() -> Gmail:
    sandbox = Sandbox()
    return Gmail(sandbox, sandbox.google("ann@example.com"))


def _begin(gmail: Gmail, path: str = "/messages/send", body: object = None, **headers: str) -> str:
    content = b"" if body is None else json.dumps(body).encode()
    method = "PUT" if path.startswith("/drafts/r") else "POST"
    answer = gmail.upload(
        f"{path}?uploadType=resumable",
        content,
        method=method,
        **{"content_type": "application/json", "x_upload_content_type": _MAIL, **headers},
    )
    assert (answer.status_code, answer.content) == (200, b"")
    return str(answer.headers["location"])


def _put(gmail: Gmail, url: str, first: int, last: int | None = None, total: object = _TOTAL) -> httpx.Response:
    content = _RAW[first:last]
    range_ = f"bytes {first}-{first + len(content) - 1}/{total}"
    return gmail.upload(url, content, method="PUT", content_range=range_)


def _come(gmail: Gmail, url: str) -> httpx.Response:
    return gmail.upload(url, b"", method="PUT", content_range=f"bytes */{_TOTAL}")


def _related(metadata: object, media: bytes, kind: str = _MAIL, line: str = "\r\n") -> bytes:
    head = f"--m{line}Content-Type: application/json{line * 2}{json.dumps(metadata)}{line}--m{line}"
    return f"{head}Content-Type: {kind}{line * 2}".encode() + media + f"{line}--m--{line}".encode()


def _sent_bytes(gmail: Gmail) -> list[bytes]:
    return [mail.raw[-_TOTAL:] for mail in gmail.sandbox.sent]


# -- in one request --------------------------------------------------------------------------------------------------


def test_a_file_is_sent_as_it_is(gmail: Gmail) -> None:
    answer = gmail.upload("/messages/send?uploadType=media", _RAW, content_type=_MAIL)
    assert answer.json()["labelIds"] == ["SENT"]
    assert _sent_bytes(gmail) == [_RAW]


@pytest.mark.parametrize("line", ["\r\n", "\n"])
def test_metadata_comes_along(gmail: Gmail, line: str) -> None:
    asked = gmail.box.add(Mail(subject="Plans", message_id="<q@x>"))
    raw = letter(In_Reply_To="<q@x>")
    content = _related({"threadId": asked}, raw, line=line)
    headers = {"content_type": "multipart/related; boundary=m"}
    sent = gmail.upload("/messages/send?uploadType=multipart", content, **headers).json()
    assert sent["threadId"] == asked
    draft = gmail.upload("/drafts?uploadType=multipart", _related({"message": {"threadId": asked}}, raw), **headers)
    assert draft.json()["message"]["threadId"] == asked


@pytest.mark.parametrize(
    ("path", "content", "headers", "status"),
    [
        ("?uploadType=media", _RAW, {"content_type": "text/plain"}, 400),
        ("?uploadType=media", b"x" * 36_700_161, {"content_type": _MAIL}, 413),
        ("?uploadType=other", _RAW, {"content_type": _MAIL}, 400),
        ("", _RAW, {"content_type": _MAIL}, 400),
        ("?uploadType=multipart", _RAW, {"content_type": _MAIL}, 400),
        ("?uploadType=multipart", b"--m\r\n\r\n--m--", {"content_type": "multipart/related; boundary=m"}, 400),
        ("?uploadType=multipart", _related({}, _RAW, "a/b"), {"content_type": "multipart/related; boundary=m"}, 400),
        ("?uploadType=multipart", _related({"x": 1}, _RAW), {"content_type": "multipart/related; boundary=m"}, 400),
        ("?uploadType=resumable", b"", {"x_upload_content_length": "36700161"}, 413),
        ("?uploadType=resumable", b"", {"x_upload_content_type": "text/plain"}, 400),
        ("?uploadType=resumable&upload_id=none", b"", {}, 404),
    ],
)
def test_what_no_upload_is(gmail: Gmail, path: str, content: bytes, headers: dict[str, str], status: int) -> None:
    answer = gmail.upload(f"/messages/send{path}", content, **headers)
    assert error(answer)[0] == status
    assert gmail.sandbox.sent == []


def test_only_writing_methods_take_files(gmail: Gmail) -> None:
    assert gmail.upload("/labels?uploadType=media", _RAW, content_type=_MAIL).status_code == 404


# -- in chunks -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("early", [_TOTAL, "*"])
def test_chunks_become_a_mail_with_the_last(gmail: Gmail, early: object) -> None:
    url = _begin(gmail)
    assert "range" not in _come(gmail, url).headers
    for first, come in ((0, _CHUNK - 1), (_CHUNK, 2 * _CHUNK - 1)):
        answer = _put(gmail, url, first, first + _CHUNK, early)
        assert (answer.status_code, answer.headers["range"]) == (308, f"bytes=0-{come}")
    assert gmail.sandbox.sent == []
    assert _come(gmail, url).headers["range"] == f"bytes=0-{2 * _CHUNK - 1}"
    last = _put(gmail, url, 2 * _CHUNK)
    assert (last.status_code, last.json()["labelIds"]) == (200, ["SENT"])
    assert _sent_bytes(gmail) == [_RAW]


def test_an_upload_in_one_piece_needs_no_range(gmail: Gmail) -> None:
    assert gmail.upload(_begin(gmail), _RAW, method="PUT").json()["labelIds"] == ["SENT"]


def test_a_finished_upload_answers_the_same_again(gmail: Gmail) -> None:
    url = _begin(gmail)
    done = gmail.upload(url, _RAW, method="PUT")
    assert _come(gmail, url).content == _put(gmail, url, 2 * _CHUNK).content == done.content
    assert len(gmail.sandbox.sent) == 1


def test_the_size_said_first_holds(gmail: Gmail) -> None:
    url = _begin(gmail, x_upload_content_length=str(_TOTAL))
    assert _put(gmail, url, 0, _CHUNK, _TOTAL + 1).status_code == 400
    assert _put(gmail, url, 0, _CHUNK, "*").status_code == 308


@pytest.mark.parametrize(
    ("first", "last", "range_"),
    [(0, 1000, None), (_CHUNK, 2 * _CHUNK, None), (0, _CHUNK, "bytes 0-9/100"), (0, _CHUNK, "0-9")],
)
def test_chunks_that_do_not_fit(gmail: Gmail, first: int, last: int, range_: str | None) -> None:
    url = _begin(gmail)
    headers = {"content_range": range_ or f"bytes {first}-{last - 1}/{_TOTAL}"}
    assert error(gmail.upload(url, _RAW[first:last], method="PUT", **headers))[0] == 400
    assert "range" not in _come(gmail, url).headers


def test_drafts_are_made_updated_and_sent_in_chunks(gmail: Gmail) -> None:
    made = gmail.upload(_begin(gmail, "/drafts", {"message": {}}), _RAW, method="PUT").json()
    assert made["message"]["labelIds"] == ["DRAFT"]
    url = _begin(gmail, f"/drafts/{made['id']}", {"id": made["id"]})
    updated = gmail.upload(url, letter("New."), method="PUT").json()
    assert updated["id"] == made["id"]
    url = _begin(gmail, "/drafts/send", {"id": made["id"]})
    assert _put(gmail, url, 0, 2 * _CHUNK).status_code == 308
    assert gmail.sandbox.requests[-1].operation == "drafts.send"
    assert _put(gmail, url, 2 * _CHUNK).json()["labelIds"] == ["SENT"]
    assert (_sent_bytes(gmail), gmail.find("in:drafts")) == ([_RAW], [])


def test_a_mail_to_nobody_is_refused_at_the_end(gmail: Gmail) -> None:
    answer = gmail.upload(_begin(gmail), letter(To=""), method="PUT")
    assert error(answer) == (400, "Recipient address required")


def test_an_upload_belongs_to_its_mailbox(gmail: Gmail) -> None:
    url = _begin(gmail)
    other = Gmail(gmail.sandbox, gmail.sandbox.google("bob@example.com"))
    assert other.upload(url, _RAW, method="PUT").status_code == 404


# -- faults ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("takes_effect", "come"), [(False, _CHUNK), (True, 2 * _CHUNK)])
def test_the_middle_of_an_upload_can_be_lost(gmail: Gmail, takes_effect: bool, come: int) -> None:
    url = _begin(gmail)
    gmail.box.script(Fault.reset(method="PUT", skip=1, takes_effect=takes_effect))
    _put(gmail, url, 0, _CHUNK)
    with pytest.raises(httpx.ReadError):
        _put(gmail, url, _CHUNK, 2 * _CHUNK)
    assert _come(gmail, url).headers["range"] == f"bytes=0-{come - 1}"


@pytest.mark.parametrize(("takes_effect", "sent"), [(False, 0), (True, 1)])
def test_the_end_of_an_upload_can_be_lost(gmail: Gmail, takes_effect: bool, sent: int) -> None:
    url = _begin(gmail)
    gmail.box.script(Fault.server_error(503, path="upload_id=", takes_effect=takes_effect))
    assert gmail.upload(url, _RAW, method="PUT").status_code == 503
    assert len(gmail.sandbox.sent) == sent
    assert _come(gmail, url).status_code == (200 if sent else 308)


def test_no_upload_inside_a_batch(gmail: Gmail) -> None:
    part = "POST /upload/gmail/v1/users/me/messages/send?uploadType=resumable"
    content = f"--m\r\nContent-Type: application/http\r\n\r\n{part}\r\n\r\n\r\n--m--\r\n".encode()
    url = "https://gmail.googleapis.com/batch/gmail/v1"
    answer = gmail.upload(url, content, content_type="multipart/mixed; boundary=m")
    assert b"HTTP/1.1 400" in answer.content
