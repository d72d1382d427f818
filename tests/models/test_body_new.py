"""What of a body is new: from the plain text, else the HTML, with hints of the HTML and of the provider."""

from __future__ import annotations

import json
import pickle

import pytest

from mailkit.mime import quoted
from mailkit.models import body as body_module
from mailkit.models.body import Body
from mailkit.values import Address

_PLAIN = "At ten.\n\nZwz 2, Ann\nWhen?"
_HTML = '<p>At ten.</p><div class="gmail_quote">Zwz 2, Ann<br>When?</div>'
_FLAT = "<p>At ten.</p><p>Zwz 2, Ann</p><p>When?</p>"


@pytest.mark.parametrize(
    ("body", "new"),
    [
        (Body(plain="At ten.\n> When?", html="<p>Something else</p>"), "At ten."),
        (Body(html=_HTML), "At ten."),
        (Body(snippet="At ten.  On 2 Apr 2012"), "At ten.  On 2 Apr 2012"),
        (Body(plain=_PLAIN), _PLAIN),
        (Body(plain=_PLAIN, html=_HTML), "At ten."),  # only the HTML shows the quote
        (Body(plain=_PLAIN, html=_FLAT, unique="<p>At ten.</p>"), "At ten."),
        (Body(html=_FLAT, unique="<html><body><p>At ten.</p></body></html>"), "At ten."),
        (Body(html=_FLAT, unique="<p>At ten.</p><p>Really.</p>"), "At ten.\n\nZwz 2, Ann\n\nWhen?"),
        (Body(html=_FLAT, unique=_FLAT), "At ten.\n\nZwz 2, Ann\n\nWhen?"),
        (Body(html=_HTML, unique="<p>At ten.</p><p>Zwz 2, Ann</p>"), "At ten."),  # what the HTML shows goes first
        (Body(html=_FLAT, unique=""), "At ten.\n\nZwz 2, Ann\n\nWhen?"),
        (Body(), ""),
    ],
)
def test_what_is_new(body: Body, new: str) -> None:
    assert body.new == new
    assert bool(body.quoted) is (body.new != body.text)


def test_it_is_sorted_when_first_asked_for_and_once(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []

    def split(text: str, *, said: str = "") -> quoted.SplitText:
        seen.append(text)
        return quoted.split_text(text, said=said)

    monkeypatch.setattr(body_module, "split_text", split)
    body = Body(plain="At ten.\n-- \nBob\n\n---------- Forwarded message ----------\nFrom: Ann <ann@example.com>")
    assert (body.text, seen) == (body.plain, [])
    assert (body.new, body.signature) == ("At ten.", "-- \nBob")
    assert body.quoted.startswith("-----")
    assert body.forwarded_from == Address(name="Ann", address="ann@example.com")
    assert seen == [body.text]


def test_a_sorted_body_is_the_same_record() -> None:
    body, other = Body(plain="At ten.\n> When?"), Body(plain="At ten.\n> When?")
    assert body.new == "At ten."
    assert body == other == pickle.loads(pickle.dumps(body)) == Body.from_dict(json.loads(json.dumps(body.to_dict())))
    assert body.to_dict() == other.to_dict()
    assert pickle.loads(pickle.dumps(body)).quoted == "> When?"
