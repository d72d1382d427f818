"""Messages read from their bytes, as records."""

from __future__ import annotations

import datetime as dt
import pickle

import pytest

from mailkit import Address, ParsedAttachment, ParsedMessage, UsageError, parse_message

LETTER = b"""\
Message-ID: <m1@example.com>
From: =?utf-8?q?Lee=2C_Ann?= <ann@example.com>
To: Bob <bob@example.com>,
 undisclosed:;
To: carol@example.com
Cc: =?utf-8?q?Jos=C3=A9?= <jose@example.com>
Reply-To: list@example.com
Subject: =?utf-8?q?R=C3=A9sum=C3=A9?=
Date: Fri, 5 Apr 2019 19:31:54 +0200
In-Reply-To: <m0@example.com>
References: <a@example.com>
 <m0@example.com>
Content-Type: multipart/related; boundary=B

--B
Content-Type: text/html

<p>See <img src="cid:Pic%40x"></p>
--B
Content-Type: image/png; name=pic.png
Content-ID: <pic@x>
Content-Transfer-Encoding: base64

iVBORw==
--B
Content-Type: application/pdf; name=a.pdf
Content-ID: <f_1>

%PDF
--B
Content-Type: message/rfc822

Subject: inner

Text
--B
Content-Type: text/calendar; method=REQUEST

BEGIN:VCALENDAR
--B--
"""


def test_a_message() -> None:
    message = parse_message(LETTER)
    assert message == ParsedMessage(
        message_id="<m1@example.com>",
        from_=Address(name="Lee, Ann", address="ann@example.com"),
        to=(Address(name="Bob", address="bob@example.com"), Address(address="carol@example.com")),
        cc=(Address(name="José", address="jose@example.com"),),
        reply_to=(Address(address="list@example.com"),),
        subject="Résumé",
        date=dt.datetime(2019, 4, 5, 17, 31, 54, tzinfo=dt.UTC),
        in_reply_to="<m0@example.com>",
        references=("<a@example.com>", "<m0@example.com>"),
        headers=message.headers,
        body=message.body,
        attachments=(
            ParsedAttachment(
                name="pic.png", content_type="image/png", size=4, inline=True, content_id="pic@x", content=b"\x89PNG"
            ),
            ParsedAttachment(name="a.pdf", content_type="application/pdf", size=4, content_id="f_1", content=b"%PDF"),
            ParsedAttachment(
                name="attachment.eml",
                content_type="message/rfc822",
                size=20,
                kind="item",
                content=b"Subject: inner\n\nText",
            ),
            ParsedAttachment(content_type="text/calendar", size=15, method="REQUEST", content=b"BEGIN:VCALENDAR"),
        ),
    )
    assert message.body.html == '<p>See <img src="cid:Pic%40x"></p>'
    assert message.header("SUBJECT") == "Résumé"
    assert message.header("to") == "Bob <bob@example.com>, undisclosed:;"
    # decoded, and still the same list
    assert message.header("from") == '"Lee, Ann" <ann@example.com>'
    assert message.header("x-none") is None
    assert parse_message(message.attachments[2].content).subject == "inner"


def test_a_message_of_nothing() -> None:
    message = parse_message(b"")
    assert (message.from_, message.date, message.headers, message.attachments) == (None, None, (), ())
    assert message.body.text == ""


def test_a_newsletter_says_what_it_is() -> None:
    newsletter = parse_message(b"List-Id: <a.example>\r\nList-Unsubscribe: <mailto:off@a.example>\r\n\r\nOffers")
    assert newsletter.is_bulk
    assert newsletter.list_unsubscribe is not None
    assert [each.address for each in newsletter.list_unsubscribe.mailto] == ["off@a.example"]
    assert not parse_message(LETTER).is_bulk
    assert parse_message(LETTER).list_unsubscribe is None


def test_it_travels() -> None:
    message = parse_message(LETTER)
    assert ParsedMessage.from_dict(message.to_dict()) == message
    assert pickle.loads(pickle.dumps(message)) == message
    with pytest.raises(UsageError, match=r"\$\.attachments\[0\]\.content"):
        ParsedMessage.from_dict({"attachments": [{"size": 1, "content": "no base64!"}]})


def test_its_repr_shows_no_mail() -> None:
    message = parse_message(LETTER)
    assert repr(message) == "<ParsedMessage 11 headers, 4 attachments>"
    assert repr(message.attachments[1]) == "<ParsedAttachment file application/pdf 4 bytes>"


@pytest.mark.parametrize("data", ["text", None, bytearray(b"x"), 7])
def test_what_is_no_bytes_is_refused(data: object) -> None:
    with pytest.raises(UsageError, match="data must be the bytes of a message") as caught:
        parse_message(data)  # type: ignore[arg-type]  # that is the point
    assert caught.value.operation == "parse_message"
