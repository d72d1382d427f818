"""Runs the code blocks of README, docs and docstrings as tests.

A plugin for ``nox -s examples`` and no conftest, so that a plain test run does not collect documents. The blocks of one
document share their names and must run from top to bottom.
"""

from __future__ import annotations

from pathlib import Path

from sybil import Sybil
from sybil.document import PythonDocStringDocument
from sybil.parsers.markdown import PythonCodeBlockParser
from sybil.parsers.rest import DocTestParser

ROOT = str(Path(__file__).resolve().parents[2])

pytest_collect_file = (
    Sybil(parsers=[PythonCodeBlockParser()], path=ROOT, pattern="*.md")
    + Sybil(
        parsers=[DocTestParser(), PythonCodeBlockParser()],
        path=ROOT,
        pattern="*.py",
        document_types={".py": PythonDocStringDocument},
    )
).pytest()
