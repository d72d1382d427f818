"""Names that senders give to files, made usable."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mailkit.mime.file_names import item_type, safe_file_name
from tests.support.cases import Case, cases

DEVICES = (
    "CON",
    "PRN",
    "AUX",
    "NUL",
    "CONIN$",
    "CONOUT$",
    *(f"{d}{n}" for d in ("COM", "LPT") for n in "0123456789¹²³"),
)
PIECES = st.sampled_from(
    ["CON", "nul", "lpt¹", "COM1", ".", "..", " ", "/", "\\", ":", "\0", "\n", "\u202e", "\u200d", "\ufeff", "a", "é",
     "e\u0301", "日本", "😀", "\ud800", "<\u0338", ".pdf", ".tar.gz", "~", "-", "x" * 150, "ü" * 150, "\u3000", "\x85"]
)  # fmt: skip
NAMES = st.one_of(st.text(max_size=300), st.lists(PIECES, max_size=12).map("".join))
TYPES = st.sampled_from(
    ["application/pdf", "message/rfc822", "text/plain; charset=x", "image/unheard-of", "", "nonsense"]
)


def assert_usable(name: str) -> None:
    """What holds on every system."""
    assert name
    assert len(name.encode()) <= 200
    assert name.isprintable()
    assert not re.search(r'[<>:"/\\|?*]', name)
    assert name == unicodedata.normalize("NFC", name)
    assert name.strip(" .") == name
    assert name.split(".", maxsplit=1)[0].rstrip().upper() not in DEVICES


@given(NAMES, TYPES, st.booleans())
@example("CON " + "x" * 300, "", False)
@example("a" + "." * 300 + "txt", "", False)
@example("x." + "y" * 199, "message/rfc822", True)
def test_any_name_becomes_a_usable_one_and_stays_it(name: str, content_type: str, is_item: bool) -> None:
    safe = safe_file_name(name, content_type, is_item=is_item)
    assert_usable(safe)
    assert safe_file_name(safe, content_type, is_item=is_item) == safe
    if content_type == "message/rfc822":
        assert safe.lower().endswith(".eml")


@given(st.text("abcdefg -_()é日😀", min_size=1, max_size=400), st.text("abcz019", min_size=1, max_size=16))
def test_an_extension_survives_whatever_is_cut(stem: str, extension: str) -> None:
    safe = safe_file_name(f"{stem}x.{extension}")
    assert safe.endswith(f".{extension}")


@given(st.from_regex(r"[A-Za-z0-9é日_()+-]{1,30}\.[a-z]{1,5}", fullmatch=True))
def test_a_name_with_nothing_wrong_is_kept(name: str) -> None:
    if name.split(".", maxsplit=1)[0].upper() not in DEVICES:
        assert safe_file_name(name) == name


@pytest.mark.parametrize(
    ("name", "content_type", "safe"),
    [
        ("C:\\Users\\Ann\\report.pdf", "", "report.pdf"),
        ("../../etc/passwd", "", "passwd"),
        ("folder/", "", "folder"),
        ("..", "text/plain", "attachment.txt"),
        (" .bashrc", "", "bashrc"),
        ("\u202egnp.exe", "", "gnp.exe"),
        ("report.pdf. . ", "", "report.pdf"),
        ("a\r\n b\tc.txt", "", "a b c.txt"),
        ("aux.txt", "", "_aux.txt"),
        ("COM¹.tar.gz", "", "_COM¹.tar.gz"),
        ("e\u0301te\u0301.pdf", "", "été.pdf"),
        ("what? <no>.txt:stream", "", "what_ _no_.txt_stream"),
        ("x" * 300 + ".pdf", "", "x" * 196 + ".pdf"),
        ("ü" * 150 + ".a" + "b" * 20, "", "ü" * 100),
        ("", "image/png", "attachment.png"),
        ("", "IMAGE/PNG; name=x", "attachment.png"),
        ("", "message/rfc822", "attachment.eml"),
        ("", "x/unheard-of", "attachment"),
        ("Fwd: report v1.2", "message/rfc822", "Fwd_ report v1.2.eml"),
        ("mail.EML", "message/rfc822", "mail.EML"),
        ("invite", "text/calendar", "invite"),
    ],
)
def test_names(name: str, content_type: str, safe: str) -> None:
    assert safe_file_name(name, content_type) == safe


def test_an_item_ends_in_the_extension_of_what_it_is() -> None:
    assert safe_file_name("Lunch, 12.30", "text/calendar", is_item=True) == "Lunch, 12.30.ics"
    assert safe_file_name("Ann", item_type(b"begin:vcard\r\n"), is_item=True) == "Ann.vcf"
    assert item_type(b"\xef\xbb\xbfBEGIN:VCALENDAR") == "text/calendar"
    assert item_type(b"Received: from") == item_type(b"") == "message/rfc822"


@pytest.mark.parametrize("case", cases("faults.jsonl", lambda case: case["id"] == "C234"))
def test_names_that_windows_cannot_have(case: Case) -> None:
    for name in case["input"]["names"]:
        assert_usable(safe_file_name(name))
    safe = [safe_file_name(name) for name in case["input"]["names"]]
    assert safe[:5] == ["_CON", "_nul.txt", "_COM1.tar.gz", "report.pdf", "a b.txt"]
    assert safe[5].endswith("x.pdf")
