"""HTML mail as Markdown, as text and for showing: beside the bare libraries, at five megabytes, and what it weighs."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

from html_to_markdown import convert

from mailkit.mime.html import html_to_text
from mailkit.mime.markdown import html_to_markdown
from mailkit.mime.safe_html import safe_html
from tests.benchmarks.measure import least_cpu, verdict

COLUMNS = ("what", "mailkit", "beside it", "ratio", "bound", "")

_LARGE = 5_000_000

_REPLY = (
    '<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style><!--\n'
    + "p.MsoNormal {margin:0cm; font-size:11.0pt;}\n" * 40
    + '--></style></head><body lang="EN-GB"><div class="WordSection1">'
    + '<p class="MsoNormal" style="margin:0cm"><span style="font-size:11.0pt;font-family:&quot;Calibri&quot;,serif">'
    "The second column is <b>new</b>; please look at the figures before Monday, see "
    '<a href="https://example.com/sheet?id=4711&amp;tab=2">the sheet</a>.<o:p></o:p></span></p>\r\n'
    * 55
    + "</div></body></html>"
)
_THREAD = (
    '<div dir="ltr"><div>The second column is <b>new</b>;&nbsp;please look at the figures.</div><div><br></div>'
    "<ul><li>one thing</li><li>another <i>thing</i></li></ul>"
    '<div class="gmail_quote"><blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;padding-left:1ex">'
    + "<div>An older line with <i>some words</i> in it, and some more.</div>\r\n" * 210
    + "</blockquote></div></div>"
)
_NEWSLETTER = (
    '<html><head><title>News</title></head><body><table width="100%" cellpadding="0" cellspacing="0">'
    + "".join(
        '<tr><td align="center" style="padding:10px 20px;font-family:Arial;font-size:14px;color:#333333">'
        '<table role="presentation" width="100%"><tr><td width="120" valign="top">'
        f'<a href="https://news.example/c/eJxNjk?u={number}"><img src="https://cdn.example/i/{number}.png" width="120" '
        f'height="80" alt="Story {number}" style="display:block"></a></td><td style="padding-left:10px">'
        f'<h3 style="margin:0">Headline {number}</h3><p style="margin:0">Some words that tell the story &amp; a line '
        "or two of plain text.</p></td></tr></table></td></tr>\r\n"
        for number in range(32)
    )
    + "</table></body></html>"
)


def rows() -> Iterator[list[str]]:
    """Measure each."""
    for what, html in {
        "an Outlook reply": _REPLY,
        "a Gmail thread": _THREAD,
        "a newsletter of tables": _NEWSLETTER,
    }.items():
        took = least_cpu({"ours": lambda: html_to_markdown(html), "bare": lambda: convert(html)}, rounds=40)  # noqa: B023 - at once
        speed = took["bare"] / took["ours"]
        yield [
            f"{what} of {len(html) / 1_000:.0f} KB to Markdown, its speed",
            f"{took['ours'] * 1e6:,.0f} µs",
            f"bare converter {took['bare'] * 1e6:,.0f} µs",
            f"{speed:.2f}",
            "≥ 0.6",
            verdict(speed, least=0.6),
        ]
    html = _THREAD * (_LARGE // len(_THREAD))
    works = {
        "text": lambda: html_to_text(html),
        "markdown": lambda: html_to_markdown(html),
        "shown": lambda: safe_html(html),
    }
    took = least_cpu(works, rounds=3)
    for what, name in (("to Markdown", "markdown"), ("for showing", "shown")):
        times = took[name] / took["text"]
        yield [
            f"5 MB {what}",
            f"{took[name]:.2f} s",
            f"text pass {took['text']:.2f} s",
            f"{times:.1f}",
            "≤ 10",
            verdict(times, most=10),
        ]
    for what, name in (("to Markdown", "html_to_markdown"), ("for showing", "safe_html")):
        growth = _growth(name) / _LARGE
        yield [
            f"5 MB {what}, the memory it takes",
            f"{growth * _LARGE / 1e6:.0f} MB",
            "5 MB",
            f"{growth:.1f}",
            "≤ 5",
            verdict(growth, most=5),
        ]


def _growth(name: str) -> int:
    """Give the bytes by which a process grows at most, as Linux counts them: tracing sees only what is Python's."""
    code = f"""
import pathlib, re
from tests.benchmarks import html as own
from mailkit.mime import {"markdown" if name == "html_to_markdown" else name} as room
def most():
    return int(re.search(r"VmHWM:\\s+(\\d+) kB", pathlib.Path("/proc/self/status").read_text())[1]) * 1024
room.{name}(own._THREAD)
mail = own._THREAD * (own._LARGE // len(own._THREAD))
before = most()
room.{name}(mail)
print(most() - before)
"""
    return int(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout)
