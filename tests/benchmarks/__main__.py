"""Measures mailkit: ``python -m tests.benchmarks [--markdown FILE]``. Figures are reported; none fails the run."""

from __future__ import annotations

import argparse
import os
import platform
import sys
from importlib.util import find_spec
from pathlib import Path

from tests.benchmarks import agenda, building, files, html, imports, parsing, raw, small, waits
from tests.benchmarks.measure import table
from tests.benchmarks.server import LATENCY, served


def main() -> None:
    """Print the tables, and write them to a file where one is named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--markdown", type=Path, help="the file to write the tables to")
    options = parser.parse_args()
    for name in [name for name in os.environ if name.lower().endswith("_proxy")]:
        del os.environ[name]  # a proxy has no business between here and loopback
    missing = [name for name in ("googleapiclient", "O365") if find_spec(name) is None]
    if missing:
        sys.stdout.write(f"Not compared with other clients: no {' and no '.join(missing)} here.\n\n")
    written = [f"Python {platform.python_version()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}\n"]
    with served() as url:
        title = f"What a user waits for, in ms, at {LATENCY * 1000:.0f} ms latency"
        written.append(table(title, waits.COLUMNS, waits.rows(url, with_others=not missing)))
        written.append(table("Calendars, waiting and CPU, in ms", agenda.COLUMNS, agenda.rows(url)))
    written.append(table("A large attachment", files.COLUMNS, files.rows()))
    written.append(table("Reading payloads, CPU", parsing.COLUMNS, parsing.rows()))
    written.append(table("Reading raw messages, CPU and memory", raw.COLUMNS, raw.rows()))
    written.append(table("HTML, CPU and memory", html.COLUMNS, html.rows()))
    written.append(table("Building messages, CPU", building.COLUMNS, building.rows()))
    written.append(table("Importing", imports.COLUMNS, imports.rows()))
    written.append(table("Small things, CPU", small.COLUMNS, small.rows()))
    written.append(f"Load at the end: {os.getloadavg()[0]:.1f}\n")
    sys.stdout.write("\n".join(written))
    if options.markdown:
        options.markdown.write_text("\n".join(written), encoding="utf-8")


if __name__ == "__main__":
    main()
