"""Runs the code blocks of README, docs and docstrings as tests.

``pytest -p tests.support.examples README.md docs mailkit``. A plugin and no conftest, so that a plain test run does not
collect documents. The blocks of one document share their names and run from top to bottom.
"""

from __future__ import annotations

from sybil import Sybil
from sybil.document import PythonDocStringDocument
from sybil.parsers.markdown import PythonCodeBlockParser
from sybil.parsers.rest import DocTestParser

ROOT = "../.."

pytest_collect_file = (
    Sybil(parsers=[PythonCodeBlockParser()], path=ROOT, pattern="*.md")
    + Sybil(
        parsers=[DocTestParser(), PythonCodeBlockParser()],
        path=ROOT,
        pattern="*.py",
        document_types={".py": PythonDocStringDocument},
    )
).pytest()
