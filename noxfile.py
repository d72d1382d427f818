"""Every check of mailkit, one session each: ``nox -l`` lists them, ``nox`` runs the ones that need no extra time."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import nox

nox.needs_version = ">=2026.10"
nox.options.default_venv_backend = "virtualenv"
nox.options.reuse_existing_virtualenvs = True
nox.options.sessions = ["tests", "lint", "types"]

PROJECT = nox.project.load_toml("pyproject.toml")

# Folders with sessions of their own.
ELSEWHERE = tuple(f"--ignore=tests/{name}" for name in ("emulator", "peers"))


def install(session: nox.Session, *groups: str, editable: bool = True) -> None:
    """Install mailkit and dependency groups of pyproject.toml."""
    package = ("-e", ".") if editable else (".",)
    session.install(*package, *nox.project.dependency_groups(PROJECT, *groups))


@nox.session
def tests(session: nox.Session) -> None:
    """Run the tests that need no real clock, on asyncio and trio, and print the coverage by branch."""
    install(session, "test")
    # Without arguments this is the whole suite, so what the contract judge saw can be compared with last time.
    chosen = session.posargs or ["--contract-counts=check"]
    session.run(
        "coverage",
        "run",
        "-m",
        "pytest",
        "-m",
        "not realtime",
        *ELSEWHERE,
        *chosen,
    )
    session.run("coverage", "report")


@nox.session
def realtime(session: nox.Session) -> None:
    """Run the few tests that need a real clock, processes or signals."""
    install(session, "test")
    session.run("pytest", "-m", "realtime", *ELSEWHERE, *session.posargs)


@nox.session
def peers(session: nox.Session) -> None:
    """Let other people's clients read a served sandbox, and compare what they say with what mailkit says."""
    install(session, "test", "peers")
    session.run("pytest", "tests/peers", *session.posargs)


@nox.session
def emulator(session: nox.Session) -> None:
    """Let mailkit work with a Gmail that nobody here wrote: npm's ``emulate``, which needs Node 20."""
    if shutil.which("npm") is None or shutil.which("node") is None:
        session.skip("there is no node and npm here")
    install(session, "test")
    folder = Path(session.create_tmp()).resolve()
    # This version and no other: the newest of that name is another project. Nothing in it needs its install scripts.
    npm = ("npm", "install", "--no-fund", "--no-audit", "--ignore-scripts", "--prefix", str(folder))
    session.run(*npm, "emulate@0.11.2", external=True, silent=True)
    command = folder / "node_modules" / "emulate" / "dist" / "index.js"
    session.run("pytest", "tests/emulator", *session.posargs, env={"EMULATE_COMMAND": str(command)})


@nox.session
def lint(session: nox.Session) -> None:
    """Check style, the order of the rooms, the public surface and the news fragments."""
    install(session, "lint")
    session.run("ruff", "check")
    session.run("ruff", "format", "--check")
    session.run("lint-imports", "--no-cache")  # its cache knows a module by its own time, not by what it imports
    session.run("python", "-m", "tests.surface", "--check")
    session.run("towncrier", "build", "--draft", "--version", "next", silent=True)


@nox.session
def types(session: nox.Session) -> None:
    """Check the types inside with mypy, and the public ones with pyright on the installed package."""
    install(session, "types", editable=False)
    session.run("mypy")
    session.run("pyright", "tests/typing")
    with session.chdir(session.create_tmp()):  # elsewhere, so that the installed package is judged and not the checkout
        session.run("pyright", "--verifytypes", "mailkit", "--ignoreexternal")


@nox.session
def docs(session: nox.Session) -> None:
    """Build the documentation; a warning is an error."""
    install(session, "docs")
    session.run("mkdocs", "build", "--strict", *session.posargs, env={"NO_MKDOCS_2_WARNING": "1"})


@nox.session
def examples(session: nox.Session) -> None:
    """Run every example: the scripts, and the code blocks of README, docs and docstrings."""
    install(session, "test")
    for script in sorted(Path("examples").glob("*.py")):
        session.run("python", "-W", "error", str(script))
    plugins = ("-p", "no:randomly", "-p", "tests.support.examples")  # the blocks of a page build on one another
    session.run("python", "-m", "pytest", *plugins, "README.md", "docs", "mailkit")


@nox.session
def bench(session: nox.Session) -> None:
    """Measure, beside other clients; the figures are printed, kept as Markdown, and never fail the run."""
    install(session, "compared")
    file = Path(session.create_tmp()).resolve() / "figures.md"
    session.run("python", "-m", "tests.benchmarks", "--markdown", str(file), *session.posargs)


@nox.session
def minimum(session: nox.Session) -> None:
    """Run the tests on the lowest version of everything that pyproject.toml allows."""
    session.install(*nox.project.dependency_groups(PROJECT, "minimum"))
    lowest = ("--python", str(session.virtualenv.location), "--resolution", "lowest-direct")
    session.run("uv", "pip", "install", *lowest, "-e", ".", "--group", "test")
    few = "--hypothesis-profile=few"  # whether the versions fit shows in few examples, and without the longest tables
    session.run("pytest", "-m", "not realtime and not matrix", *ELSEWHERE, few, *session.posargs)


@nox.session
def build(session: nox.Session) -> None:
    """Build wheel and sdist, install each into an environment of its own and import it from outside the checkout."""
    session.install(*nox.project.dependency_groups(PROJECT, "build"))
    out = Path(session.create_tmp()).resolve()
    shutil.rmtree(out / "dist", ignore_errors=True)
    session.run("python", "-m", "build", "--outdir", str(out / "dist"))
    for package in sorted((out / "dist").iterdir()):
        venv = out / f"venv-{package.suffix.strip('.')}"
        python = venv / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
        session.run("python", "-m", "venv", "--clear", str(venv))
        session.run(str(python), "-m", "pip", "install", "--quiet", str(package), external=True)
        with session.chdir(out):
            session.run(str(python), "-c", IMPORT_CHECK, external=True)


IMPORT_CHECK = """
import importlib.metadata, importlib.resources, mailkit
assert importlib.resources.files("mailkit").joinpath("py.typed").is_file()
print(mailkit.__file__, importlib.metadata.version("mailkit-sdk"))
"""
