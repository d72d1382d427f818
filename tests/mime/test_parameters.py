"""Header values with parameters, right and wrong."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mailkit.mime.parameters import read_content_type, read_parameters


@pytest.mark.parametrize(
    ("value", "main", "parameters"),
    [
        ("", "", {}),
        ("Text/Plain", "text/plain", {}),
        ('text/plain; charset="UTF-8"; Format=Flowed', "text/plain", {"charset": "UTF-8", "format": "Flowed"}),
        ("text/plain (a comment); charset = utf-8", "text/plain", {"charset": "utf-8"}),
        ("multipart/mixed boundary=b", "multipart/mixed", {"boundary": "b"}),
        ("filename=report.pdf", "", {"filename": "report.pdf"}),
        ("attachment; filename=my new report (2).pdf", "attachment", {"filename": "my new report (2).pdf"}),
        ('attachment; filename="a;b=c.pdf"; size=3', "attachment", {"filename": "a;b=c.pdf", "size": "3"}),
        ('attachment; filename="never closed.pdf; size=3', "attachment", {"filename": "never closed.pdf", "size": "3"}),
        (r'attachment; filename="a\"b\\c.pdf"', "attachment", {"filename": r'a"b\c.pdf'}),
        (r'attachment; filename="C:\tmp\new.pdf"', "attachment", {"filename": r"C:\tmp\new.pdf"}),
        ('multipart/mixed; boundary="two  blanks"', "multipart/mixed", {"boundary": "two  blanks"}),
        ("a/b; ;; =x; y; z=", "a/b", {"z": ""}),
        ("a/b; name=1; name=2", "a/b", {"name": "1"}),
        # encoded words, where none should be
        ('a/b; name="=?utf-8?q?r=C3=A9sum=C3=A9.pdf?="', "a/b", {"name": "résumé.pdf"}),
        ("a/b; name==?utf-8?b?w6kucGRm?=", "a/b", {"name": "é.pdf"}),
        # RFC 2231
        ("a/b; name*=utf-8'en'%e2%82%ac%20rates", "a/b", {"name": "€ rates"}),
        ('a/b; name*0=one; name*1=" two"; name*2=.pdf', "a/b", {"name": "one two.pdf"}),
        ("a/b; name*1=two.pdf; name*0=one", "a/b", {"name": "onetwo.pdf"}),
        ("a/b; name*0*=utf-8''%e2%82; name*1*=%ac; name*2=.pdf", "a/b", {"name": "€.pdf"}),
        ("a/b; name*0*=\"''attached%2E\"; name*1*=\"%62\"; name*2=at", "a/b", {"name": "attached.bat"}),
        ("a/b; name=plain.pdf; name*=utf-8''better%2Epdf", "a/b", {"name": "better.pdf"}),
        ("a/b; name*=us-ascii''%E2%80%93.pdf", "a/b", {"name": "\u2013.pdf"}),
        ("a/b; name*=x-unknown''%zz%e9.pdf", "a/b", {"name": "%zzé.pdf"}),
        ("a/b; name*=report.pdf", "a/b", {"name": "report.pdf"}),
        ("a/b; name*99999=x", "a/b", {}),
    ],
)  # fmt: skip
def test_parameters(value: str, main: str, parameters: dict[str, str]) -> None:
    assert read_parameters(value) == (main, parameters)


@pytest.mark.parametrize("value", ["text", "text/", "/plain", "text/plain/x", "te<xt/plain\x00", "é/é"])
def test_what_is_no_content_type_is_text(value: str) -> None:
    assert read_content_type(value)[0] == "text/plain"


_PIECES = [
    *"\"\\;=*'%() \r\n\t",
    "name",
    "*0",
    "*",
    "utf-8''",
    "%e2",
    "=?utf-8?q?",
    "?=",
    "é",
    "\x00",
    "\ud800",
    "\u202e",
]


@given(st.lists(st.sampled_from(_PIECES)).map("".join))
def test_never_raises(value: str) -> None:
    read_content_type(value)


@pytest.mark.parametrize("piece", [";", '"', '\\"', '; a="', "; a*0*=%41", " ", "=", "*", "; a", "a ="])
def test_long_values_are_read_in_one_pass(piece: str) -> None:
    read_parameters(piece * 50_000)  # minutes, if the time grew with the square of the length
