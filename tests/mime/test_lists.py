"""What headers say about lists."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mailkit.mime.lists import is_bulk, is_one_click, read_links, read_mailto


@pytest.mark.parametrize(
    ("header", "bulk"),
    [
        (("List-Id", "Rowing <rowing.example.org>"), True),
        (("LIST-UNSUBSCRIBE", "<mailto:off@example.org>"), True),
        (("List-Post", "NO"), True),
        (("Feedback-ID", "7:news:example"), True),
        (("Precedence", " Bulk"), True),
        (("Precedence", "list"), True),
        (("Precedence", "junk"), True),
        (("Precedence", "first-class"), False),
        (("Auto-Submitted", "auto-replied"), False),
        (("Auto-Submitted", "auto-generated"), False),
        (("X-Auto-Response-Suppress", "All"), False),
        (("Subject", "list-id"), False),
    ],
)
def test_bulk(header: tuple[str, str], bulk: bool) -> None:
    assert is_bulk([("From", "ann@example.com"), header]) is bulk


@pytest.mark.parametrize(
    ("value", "links"),
    [
        ("<mailto:off@example.org>, <https://example.org/u?1,2>", ("mailto:off@example.org", "https://example.org/u?1,2")),
        ("(no) <HTTPS://Example.org/u>(or)\r\n <mailto:a@b.example>", ("HTTPS://Example.org/u", "mailto:a@b.example")),
        ("<https://example.org/\r\n\tu?x= 1>", ("https://example.org/u?x=1",)),
        ("https://example.org/u, mailto:a@b.example", ("https://example.org/u", "mailto:a@b.example")),
        ("=?us-ascii?Q?=3Chttps=3A=2F=2Fexample=2Eorg=2Fu=3E?=", ("https://example.org/u",)),
        ("<https://example.org/u>, <https://example.org/u>", ("https://example.org/u",)),
        ("<javascript:alert(1)>, <ftp://example.org/u>, <>, <https://>", ()),
        ("", ()),
        ("NO", ()),
    ],
)  # fmt: skip
def test_links(value: str, links: tuple[str, ...]) -> None:
    assert read_links(value) == links


@pytest.mark.parametrize(
    ("link", "mail"),
    [
        ("mailto:off@example.org", ("off@example.org", "", "")),
        ("MAILTO:off%2Bx@example.org?Subject=un%20sub&body=a%0D%0Ab", ("off+x@example.org", "un sub", "a\nb")),
        ("mailto:off@example.org?subject=a+b%0D%0ABcc:x@y.example", ("off@example.org", "a+b Bcc:x@y.example", "")),
        ("mailto:off@example.org?bcc=everybody@example.com&attach=/etc/passwd", ("off@example.org", "", "")),
        ("mailto:a@example.org,b@example.org", None),
        ("mailto:a@example.org%0D%0ABcc:b@example.org", None),
        ("mailto:nobody", None),
        ("mailto:", None),
    ],
)  # fmt: skip
def test_mailto(link: str, mail: tuple[str, str, str] | None) -> None:
    assert read_mailto(link) == mail


def test_one_click_is_said_in_one_way_only() -> None:
    assert is_one_click("List-Unsubscribe=One-Click")
    assert is_one_click(" list-unsubscribe=one-click\r\n ")
    assert not is_one_click("List-Unsubscribe=Two-Clicks")
    assert not is_one_click("")


@given(st.one_of(st.text(), st.text("<>mailto:htps/@.,?&=% \r\n=?Qaé", max_size=60)))
def test_anything_can_be_read(value: str) -> None:
    for link in read_links(value):
        assert not any(char.isspace() for char in link)
        if link.lower().startswith("mailto:"):
            read_mailto(link)
    is_one_click(value)
