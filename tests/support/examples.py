"""Runs the code blocks of README, docs and docstrings as tests.

A plugin for ``nox -s examples`` and no conftest, so that a plain test run does not collect documents. The blocks of one
document share their names and must run from top to bottom; ``await`` stands in them as in a notebook.
"""

from __future__ import annotations

import ast
import asyncio
import inspect
from pathlib import Path

from sybil import Example, Sybil
from sybil.document import PythonDocStringDocument
from sybil.evaluators.python import pad
from sybil.parsers.markdown import CodeBlockParser
from sybil.parsers.rest import DocTestParser

ROOT = str(Path(__file__).resolve().parents[2])


def run(example: Example) -> None:
    """Run one block, in an event loop of its own where it awaits something."""
    source = pad(example.parsed, example.line + example.parsed.line_offset)
    code = compile(source, example.path, "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
    outcome = eval(code, example.namespace)
    if inspect.iscoroutine(outcome):
        asyncio.run(outcome)


pytest_collect_file = (
    Sybil(parsers=[CodeBlockParser("python", run)], path=ROOT, pattern="*.md")
    + Sybil(
        parsers=[DocTestParser(), CodeBlockParser("python", run)],
        path=ROOT,
        pattern="*.py",
        document_types={".py": PythonDocStringDocument},
    )
).pytest()
