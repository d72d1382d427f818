"""What an answer shows of the original."""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

import attrs

from mailkit.addressing import quote_forward, quote_reply
from mailkit.mime.outgoing import OutgoingMessage
from mailkit.models.body import Body
from mailkit.models.mail import Message
from mailkit.values import Address, Ref

ORIGINAL = Message(
    ref=Ref(account="work", kind="message", id="m1"),
    thread=Ref(account="work", kind="thread", id="t1"),
    date=dt.datetime(2026, 3, 15, 23, 30, tzinfo=dt.UTC),
    subject="Plan\r\n B",
    from_=Address(name="Amy <b>Stone</b>", address="amy@x"),
    to=(Address(address="me@x"), Address(name="Bob", address="bob@x")),
    body=Body(plain="First line\n\n> older\nlast & least\n"),
)
BERLIN = ZoneInfo("Europe/Berlin")


def test_an_answer_marks_each_line_and_dates_it_in_the_zone_asked_for() -> None:
    found = quote_reply(ORIGINAL, text="Yes.\n", html=None, tz=BERLIN)
    assert found.text == (
        "Yes.\n\nOn Mon, 16 Mar 2026 at 00:30, Amy <b>Stone</b> <amy@x> wrote:\n"
        "> First line\n>\n>> older\n> last & least\n"
    )
    assert found.html is None


def test_markup_in_what_others_wrote_is_text() -> None:
    found = quote_reply(ORIGINAL, text="Yes.", html="<p>Yes.</p>", tz=BERLIN)
    assert found.html is not None
    assert found.html.startswith("<p>Yes.</p>")
    assert "Amy &lt;b&gt;Stone&lt;/b&gt; &lt;amy@x&gt; wrote:" in found.html
    assert "last &amp; least" in found.html


def test_the_html_of_others_is_made_safe_first() -> None:
    evil = '<p onclick="x()">Hi<script>y()</script></p><img src="cid:logo" alt="our logo">'
    original = attrs.evolve(ORIGINAL, body=Body(html=evil))
    reply = quote_reply(original, text="Yes.", html="<p>Yes.</p>", tz=BERLIN).html or ""
    forward = quote_forward(original, text="", html="", tz=BERLIN).html or ""
    for made in (reply, forward):
        assert "<p>Hi</p>" in made
        assert "script" not in made
        assert "onclick" not in made
        assert "cid:logo" in made


def test_a_forward_has_the_head_of_the_original() -> None:
    found = quote_forward(ORIGINAL, text="", html=None, tz=dt.UTC)
    assert found.text == (
        "---------- Forwarded message ----------\nFrom: Amy <b>Stone</b> <amy@x>\nDate: Sun, 15 Mar 2026 at 23:30\n"
        "Subject: Plan B\nTo: me@x, Bob <bob@x>\n\nFirst line\n\n> older\nlast & least\n"
    )


def test_our_own_reader_tells_the_new_text_from_the_quote() -> None:
    reply = quote_reply(ORIGINAL, text="Yes.", html="<p>Yes.</p>", tz=BERLIN)
    assert Body(plain=reply.text).new.strip() == "Yes."
    assert Body(html=reply.html).new.strip() == "Yes."
    forward = quote_forward(ORIGINAL, text="See below", html=None, tz=BERLIN)
    assert Body(plain=forward.text).new.strip() == "See below"


def test_what_no_mail_may_hold_does_not_keep_it_from_being_answered() -> None:
    for unfit in ("a\0b", "a\ud800b"):
        for body in (Body(plain=unfit), Body(html=f"<p>{unfit}</p>")):
            author = Address(name=unfit, address="amy@x")
            original = attrs.evolve(ORIGINAL, subject=unfit, from_=author, to=(author,), body=body)
            for quote in (quote_reply, quote_forward):
                found = quote(original, text="Yes.", html="<p>Yes.</p>", tz=dt.UTC)
                assert OutgoingMessage(text=found.text, html=found.html).text == found.text
                assert "a\ufffdb" in found.text
