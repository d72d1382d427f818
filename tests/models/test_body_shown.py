"""What can be shown of a body: Markdown and safe HTML, from whatever the message has."""

from __future__ import annotations

import pickle

import attrs
import pytest

from mailkit import Body
from mailkit.mime.safe_html import text_as_html
from mailkit.models import body as module

_HTML = '<p onclick="x()">Hi <b>Ann</b><img src="cid:logo"></p>'


@pytest.mark.parametrize(
    ("body", "markdown", "shown"),
    [
        (
            Body(html=_HTML, plain="Hi Ann", snippet="Hi"),
            "Hi **Ann**![](cid:logo)",
            '<p>Hi <b>Ann</b><img src="cid:logo"></p>',
        ),
        (Body(html=" ", plain="1 < 2\n  *", snippet="1"), "1 < 2\n  *", "1 &lt; 2\n  *"),
        (Body(snippet="Hi &"), "Hi &", "Hi &amp;"),
        (Body(), "", ""),
    ],
)
def test_there_is_always_something_to_show(body: Body, markdown: str, shown: str) -> None:
    assert body.markdown == markdown
    assert body.safe_html() == (shown if body.html == _HTML else text_as_html("").replace("</pre>", f"{shown}</pre>"))


def test_pictures_are_shown_as_asked_for() -> None:
    body = Body(html="<img src=cid:logo><img src=https://x.example/a.png>")
    assert (
        body.safe_html(images={"logo": "/1"}, remote_images=True) == '<img src="/1"><img src="https://x.example/a.png">'
    )


def test_markdown_is_made_once_and_only_when_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []

    def make(html: str) -> str:
        made.append(html)
        return "made"

    monkeypatch.setattr(module, "html_to_markdown", make)
    body = Body(html=_HTML)
    assert made == []
    assert (body.markdown, body.markdown) == ("made", "made")
    assert made == [_HTML]


def test_what_was_made_changes_nothing() -> None:
    body, fresh = Body(html=_HTML), Body(html=_HTML)
    assert body.markdown
    assert body == fresh
    assert hash(body) == hash(fresh)
    assert body.to_dict() == fresh.to_dict()
    assert Body.from_dict(body.to_dict()).markdown == body.markdown
    assert pickle.loads(pickle.dumps(body)) == fresh
    assert pickle.loads(pickle.dumps(body)).markdown == body.markdown
    assert attrs.evolve(body, html="<p>new").markdown == "new"
