"""Replies that real mail programs sent: each gives the text its sender newly wrote.

They lie in a folder that ``MAILKIT_SHARED`` names; without it there is nothing to compare.
"""

from __future__ import annotations

import os
from email import message_from_bytes, policy
from pathlib import Path

import pytest

from mailkit.models.body import Body

_SHARED = os.environ.get("MAILKIT_SHARED")
ROOT = Path(_SHARED) / "corpora" / "talon" / "tests" / "fixtures" if _SHARED else None
pytestmark = pytest.mark.skipif(ROOT is None, reason="the corpora are not at hand: MAILKIT_SHARED is not set")

_TYPED = "a greeting and a name that were typed are new"
DEVIATIONS = {
    "short_url_body": _TYPED,
    "jeff_body": f"{_TYPED}; the line of the program below is signature",
}

REPLIES = sorted((ROOT / "standard_replies").glob("*.eml")) if ROOT else []
PAGES = sorted((ROOT / "html_replies").glob("*.html")) if ROOT else []
SIGNED = sorted((ROOT / "signature" / "emails" / "stripped").glob("*_body")) if ROOT else []


def _body(path: Path) -> Body:
    message = message_from_bytes(path.read_bytes(), policy=policy.default)
    texts = {kind: message.get_body((kind,)) for kind in ("plain", "html")}
    plain, html = (None if part is None else str(part.get_content()) for part in texts.values())
    return Body(plain=plain, html=html)


def _words(*texts: str) -> str:
    return " ".join(" ".join(texts).split())


def _expected(path: Path) -> str:
    """Give what the corpus expects of a reply: a text beside it, else one word; one has another in its HTML."""
    text = path.with_name(f"{path.stem}_reply_text")
    return _words(text.read_text()) if text.exists() else "Hello"


@pytest.mark.parametrize("path", REPLIES, ids=lambda path: path.stem)
def test_replies_give_what_was_newly_written(path: Path) -> None:
    body = _body(path)
    assert _words(body.new, body.signature) == _expected(path)
    assert body.new.strip() == "Hello"
    assert body.quoted
    assert body.forwarded_from is None


@pytest.mark.parametrize("path", REPLIES, ids=lambda path: path.stem)
def test_replies_give_it_from_their_html_alone(path: Path) -> None:
    html = _body(path).html
    if html is None:
        pytest.skip("plain text only")
    body = Body(html=html)
    expected = "Allo! Follow up MIME!" if path.stem == "outlook" else _expected(path)
    expected = expected.partition(" (http")[0]  # of a link, HTML shows the text and not the target
    assert _words(body.new, body.signature) == expected
    assert body.quoted


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_html_replies_give_what_was_newly_written(path: Path) -> None:
    body = Body(html=path.read_text())
    assert _words(body.new) == "Hi. I am fine. Thanks, Alex"
    assert _words(body.quoted).endswith("Hello! How are you?" + " Thanks, Sasha." * (path.stem != "ms_outlook_2010"))


@pytest.mark.parametrize(
    ("name", "expected"), [("OLK_SRC_BODY_SECTION.html", "Reply"), ("reply-separated-by-hr.html", "Hi there Bob")]
)
def test_a_rule_or_a_container_ends_what_was_newly_written(name: str, expected: str) -> None:
    assert ROOT is not None
    assert _words(Body(html=(ROOT / name).read_text()).new) == expected


@pytest.mark.parametrize("kind", ["plain", "html"])
def test_a_reply_that_shares_its_block_with_the_quote_ends_before_it(kind: str) -> None:
    assert ROOT is not None
    body = _body(ROOT / "reply-quotations-share-block.eml")
    new = Body(plain=body.plain).new if kind == "plain" else Body(html=body.html).new
    assert new.startswith("Hi Katharine.")
    assert new.splitlines()[-1] in {"Joe XXX", "Jhon Doe"}
    assert "From:" not in new


@pytest.mark.parametrize("path", SIGNED, ids=lambda path: path.name)
def test_signatures_are_those_expected(path: Path) -> None:
    expected = path.with_name(path.name.replace("_body", "_signature")).read_text().replace("#sig#", "")
    signature = Body(plain=path.read_text().replace("#sig#", "")).signature
    assert (_words(signature) == _words(expected)) is (path.name not in DEVIATIONS)
