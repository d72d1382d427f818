"""The sync clients are the async ones: same verbs, parameters, defaults and docstrings, and freshly made from them."""

from __future__ import annotations

import ast
import importlib.util
import inspect
import re
from pathlib import Path
from types import ModuleType

import pytest

from mailkit import clients

PAIRS = [
    (getattr(clients, name), getattr(clients, name.removeprefix("Async")))
    for name in clients.__all__
    if name.startswith("Async")
]
TWINS = {"aclose": "close", "__aenter__": "__enter__", "__aexit__": "__exit__"}


def maker() -> ModuleType:
    path = Path(__file__).parents[2] / "tools" / "make_sync.py"
    spec = importlib.util.spec_from_file_location("make_sync", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def verbs(cls: type) -> dict[str, object]:
    special = {*TWINS, *TWINS.values()}
    members = {name: value for each in reversed(cls.__mro__[:-1]) for name, value in vars(each).items()}
    own = {name: value for name, value in members.items() if not name.startswith("_") or name in special}
    return {TWINS.get(name, name): value for name, value in own.items()} | {"__init__": cls.__init__}  # type: ignore[misc]  # only read


def as_sync(text: str) -> str:
    """Written apart from the maker's own rules, so that a mistake there shows here."""
    text = re.sub(r"\(await ([^\n]*?\))\)(?=[\[.])", r"\1", text)
    return (
        text.replace("async ", "")
        .replace("await ", "")
        .replace("AsyncMailClient", "MailClient")
        .replace("AsyncCalendarClient", "CalendarClient")
        .replace("aclose", "close")
    )


@pytest.mark.parametrize(("ours", "theirs"), PAIRS)
def test_the_verbs_are_the_same(ours: type, theirs: type) -> None:
    assert set(verbs(ours)) == set(verbs(theirs))


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        pytest.param(value, verbs(sync)[name], id=f"{sync.__name__}.{name}")
        for own, sync in PAIRS
        for name, value in verbs(own).items()
        if inspect.isfunction(value) and not (name == "__init__" and not own.__name__.endswith("Client"))
    ],
)
def test_parameters_defaults_and_docstrings_are_the_same(ours: object, theirs: object) -> None:
    assert callable(ours)
    assert callable(theirs)
    mine, other = inspect.signature(ours), inspect.signature(theirs)
    assert list(mine.parameters.values()) == list(other.parameters.values())
    assert as_sync(inspect.getdoc(ours) or "") == (inspect.getdoc(theirs) or "")


@pytest.mark.parametrize(("ours", "theirs"), PAIRS)
def test_class_docstrings_are_the_same(ours: type, theirs: type) -> None:
    assert as_sync(ours.__doc__ or "") == theirs.__doc__


def test_the_sync_modules_are_freshly_made() -> None:
    make_sync = maker()
    for source in make_sync.sources():
        written, new = make_sync.target(source).read_text(), make_sync.made(source)
        assert classes(written) == classes(new), "run: python tools/make_sync.py"


def classes(text: str) -> list[str]:
    return [ast.dump(node) for node in ast.parse(text).body if isinstance(node, ast.ClassDef)]
