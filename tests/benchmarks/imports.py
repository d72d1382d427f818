"""What importing costs, beside httpx, and what it brings in."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

from tests.benchmarks.measure import verdict

COLUMNS = ("import", "ms", "beside httpx", "bound", "")

_HTTPX = "import httpx"
_OURS, _CLIENT = "import mailkit", "from mailkit import MailClient"
_MOST = 1.3
_HEAVY = ("msal", "google", "requests", "dateutil", "bs4", "lxml", "html_to_markdown", "html2text")


def rows() -> Iterator[list[str]]:
    """Measure the imports, and look for heavy libraries among what they bring in."""
    took = {statement: [_took(statement)] for statement in (_HTTPX, _OURS, _CLIENT)}
    for _ in range(8):
        for statement, times in took.items():
            times.append(_took(statement))
    least = {statement: min(times) for statement, times in took.items()}
    yield [_HTTPX, f"{least[_HTTPX]:.0f}", "", "", ""]
    ours, whole = least[_OURS] / least[_HTTPX], least[_CLIENT] / least[_HTTPX]
    yield [_OURS, f"{least[_OURS]:.0f}", f"{ours:.2f}", f"≤ {_MOST}", verdict(ours, most=_MOST)]
    yield [f"{_CLIENT}, httpx with it", f"{least[_CLIENT]:.0f}", f"{whole:.2f}", "", ""]
    found = _run(f"{_CLIENT}; import sys; print(*({{*sys.modules}} & {{*{_HEAVY!r}}}))").split()
    yield [f"brings in: {', '.join(found) or 'no heavy library'}", "", "", "none", verdict(len(found), most=0)]


def _took(statement: str) -> float:
    """Give the milliseconds of one import in a fresh interpreter."""
    timed = f"import time; start = time.perf_counter(); {statement}; print((time.perf_counter() - start) * 1000)"
    return float(_run(timed))


def _run(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
