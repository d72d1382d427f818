"""ISO-2022-JP: every character that Python's codec knows, read alike, and half-width ones beside blanks."""

from __future__ import annotations

from contextlib import suppress

from mailkit.mime.japanese import decode_iso_2022_jp

# Windows writes these six as the full-width forms: https://encoding.spec.whatwg.org/#index-jis0208
_WIDER = {"〜": "～", "‖": "∥", "−": "－", "¢": "￠", "£": "￡", "¬": "￢"}  # noqa: RUF001  # that is what they are


def test_every_character_of_the_codec_is_read_as_it_reads_it() -> None:
    compared = 0
    for row in range(0x21, 0x7F):
        for cell in range(0x21, 0x7F):
            data = b"\x1b$B" + bytes((row, cell))
            with suppress(UnicodeError):
                known = data.decode("iso2022_jp")
                assert decode_iso_2022_jp(data) == _WIDER.get(known, known)
                compared += 1
    assert compared == 6_879  # JIS X 0208


def test_half_width_letters_stand_beside_blanks() -> None:
    assert decode_iso_2022_jp(b"\x1b(I1 !_\n\x1b(B1") == "ｱ ｡ﾟ\n1"  # half-width
