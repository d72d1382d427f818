"""format=flowed (RFC 3676)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mailkit.mime.flowed import unfold


@pytest.mark.parametrize(
    ("text", "delsp", "said"),
    [
        ("", False, ""),
        ("one \r\ntwo\r\nthree\r\n", False, "one two\r\nthree\r\n"),
        ("日本 \n語\n", True, "日本語\n"),
        ("> one \n> two\n>> deeper \nplain\n", False, "> one two\n>> deeper \nplain\n"),
        (" From here\n >not a quote\n  two blanks", False, "From here\n>not a quote\n two blanks"),
        ("words \n-- \nAnn\n", False, "words \n-- \nAnn\n"),
        ("> words \n> -- \n> Ann \n> Lee", False, "> words \n> -- \n> Ann Lee"),
        ("open \n", False, "open \n"),
        ("open ", False, "open "),
    ],
)
def test_unfolding(text: str, delsp: bool, said: str) -> None:
    assert unfold(text, delsp=delsp) == said


@given(st.text(alphabet="ab >-\r\n"), st.booleans())
def test_no_letter_is_lost(text: str, delsp: bool) -> None:
    said = unfold(text, delsp=delsp)
    assert said.translate(dict.fromkeys(b" >\r\n")) == text.translate(dict.fromkeys(b" >\r\n"))
