"""The cases kept outside this repository, in the folder that ``MAILKIT_SHARED`` names; without it there are none.

``@pytest.mark.parametrize("case", cases("queries.jsonl"))`` gives one test per case, skipped as a whole where there are
none. The contract judge counts those that pass.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from _pytest.mark.structures import ParameterSet

Case = dict[str, Any]  # the cases are JSON, each test knows the members it reads


def cases(name: str, wanted: Callable[[Case], bool] = lambda case: True) -> list[ParameterSet]:
    """Give the cases of a ``.jsonl`` file that are ``wanted``, each marked ``cases`` and named by its id."""
    text = _read(name)
    found = [json.loads(line) for line in text.splitlines() if line.strip()] if text else []
    return [pytest.param(case, id=case["id"], marks=pytest.mark.cases) for case in found if wanted(case)]


def shared_json(name: str) -> Any:
    """Give a JSON file of the same folder, or None where there is none."""
    text = _read(name)
    return json.loads(text) if text else None


def _read(name: str) -> str | None:
    folder = os.environ.get("MAILKIT_SHARED")
    return (Path(folder) / "cases" / name).read_text(encoding="utf-8") if folder else None
