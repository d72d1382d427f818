from __future__ import annotations

import pytest

from mailkit.sandbox.microsoft.words import is_run, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" - & ", []),
        ("Let's MEET", ["let", "s", "meet"]),
        ("john_smith@x.example", ["john_smith", "x", "example"]),
        ("3.14, 10.0.0.1 v1.2 1.2a 1.2.", ["3.14", "10.0.0.1", "v1", "2", "1", "2a", "1.2"]),
        ("1,234.50", ["1", "234.50"]),
        ("今天会议 ok", ["今", "天", "会", "议", "ok"]),
        ("Budget3.5会", ["budget3", "5", "会"]),
        ("Straße CAFÉ Cafe\u0301", ["strasse", "café", "café"]),
        ("\uff46ull", ["full"]),
        ("हिन्दी", ["हिन्दी"]),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_runs_of_words() -> None:
    text = ["the", "quick", "brown", "fox"]
    assert is_run(["quick", "brown"], text, prefix=False)
    assert not is_run(["quick", "fox"], text, prefix=False)
    assert not is_run(["qui", "bro"], text, prefix=False)
    assert is_run(["qui", "bro"], text, prefix=True)
    assert is_run(["quick", "bro"], text, prefix=False, open_end=True)
    assert not is_run(["qui", "bro"], text, prefix=False, open_end=True)
    assert not is_run(["the", "quick", "brown", "fox", "jumps"], text, prefix=True)
