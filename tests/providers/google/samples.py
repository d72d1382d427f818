"""Scrubbed answers of Gmail's REST interface, as JSON."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

_FOLDER = Path(__file__).parent / "samples"


def sample(name: str) -> Any:
    """Give a sample, new each time, so that a test may change it."""
    return json.loads((_FOLDER / f"{name}.json").read_text(encoding="utf-8"))


def b64(data: bytes) -> str:
    """Encode as Gmail does, padded."""
    return base64.urlsafe_b64encode(data).decode()
