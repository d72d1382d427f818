"""The public surface as text: every public name with its signature, attributes and bases, one per line.

``python -m tests.surface --check`` compares it with ``tests/public_surface.txt``, so that no change of the surface goes
unannounced; ``--update`` writes the file, and the difference in review is what the news fragment must tell.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import difflib
import importlib
import inspect
import sys
import textwrap
import typing
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

PUBLIC_MODULES = (
    "mailkit",
    "mailkit.clients.async_mail",
    "mailkit.clients.sync_mail",
    "mailkit.clients.async_calendar",
    "mailkit.clients.sync_calendar",
    "mailkit.values",
    "mailkit.safety",
    "mailkit.sandbox",
    "mailkit.testing",
    "mailkit.views",
)
"""What a program may rely on is in the ``__all__`` of these; everything else may change without notice."""

SNAPSHOT = Path(__file__).parent / "public_surface.txt"


class _Plain(str):
    """An annotation shown as it is written, without quotes."""

    __slots__ = ()
    __repr__ = str.__str__


def surface() -> Iterator[str]:
    """Describe every public name once, under the first module that has it."""
    found: dict[int, tuple[str, object]] = {}
    for module_name in PUBLIC_MODULES:
        module = importlib.import_module(module_name)
        for name in sorted(module.__all__):
            value = getattr(module, name)
            found.setdefault(id(value), (f"{module_name}.{name}", value))
    for path, value in found.values():
        if isinstance(value, type):
            yield from _class(path, value, [base for base in value.__mro__[1:] if id(base) in found])
        elif inspect.isfunction(value):
            yield _function(path, value)
        else:
            yield f"{path} = {value!r}" if type(value).__module__ == "typing" else f"{path}: {type(value).__name__}"


def _class(path: str, cls: type, described: Sequence[type]) -> Iterator[str]:
    """The class, how it is made, and its members but those of a base that is described itself or is not ours."""
    yield f"class {path}({', '.join(base.__name__ for base in cls.__bases__ if base is not object)})"
    if typing.Protocol not in cls.__bases__:  # nobody makes one
        with contextlib.suppress(ValueError):  # a dictionary type has no signature of its own
            yield f"{path}{_signature(cls)}"
    covered = {member for base in described for part in base.__mro__ for member in (*vars(part), *_set_on_self(part))}
    annotations: dict[str, object] = {}
    members: dict[str, object] = {}
    for part in reversed(cls.__mro__):
        if part.__module__.partition(".")[0] == "mailkit":
            annotations |= _set_on_self(part) | inspect.get_annotations(part)
            members |= {**dict.fromkeys(annotations), **vars(part)}
    for name in sorted(members):
        if not name.startswith("_") and (name in vars(cls) or name not in covered):
            yield _member(f"{path}.{name}", members[name], annotations.get(name))


def _set_on_self(cls: type) -> dict[str, object]:
    """Find the attributes that only the constructor mentions, and their types where it says them."""
    constructor = vars(cls).get("__init__")
    if not inspect.isfunction(constructor) or cls.__module__.partition(".")[0] != "mailkit":
        return {}
    found: dict[str, object] = {}
    for node in ast.walk(ast.parse(textwrap.dedent(inspect.getsource(constructor)))):
        match node:
            case ast.AnnAssign(target=ast.Attribute(value=ast.Name(id="self"), attr=name), annotation=annotation):
                found[name] = ast.unparse(annotation)
            case ast.Assign(targets=[ast.Attribute(value=ast.Name(id="self"), attr=name)]):
                found[name] = "attribute"
    return found


def _member(path: str, value: object, annotation: object) -> str:
    match value:
        case property():
            return f"{path}: {inspect.signature(value.fget).return_annotation if value.fget else '?'} (property)"
        case classmethod() | staticmethod():
            return f"{_function(path, value.__func__)} ({type(value).__name__})"
        case _ if inspect.isfunction(value):
            return _function(path, value)
        case _:
            return f"{path}: {annotation or type(value).__name__}"


def _function(path: str, value: Callable[..., object]) -> str:
    return f"{'async ' if inspect.iscoroutinefunction(value) else ''}{path}{_signature(value)}"


def _signature(value: Callable[..., object]) -> str:
    signature = inspect.signature(value)
    parameters = [
        parameter.replace(annotation=_plain(parameter.annotation), default=_in_order(parameter.default))
        for parameter in signature.parameters.values()
    ]
    return str(signature.replace(parameters=parameters, return_annotation=_plain(signature.return_annotation)))


def _plain(annotation: object) -> object:
    return _Plain(annotation) if isinstance(annotation, str) else annotation


def _in_order(default: object) -> object:
    """Show a set in the same order in every run."""
    return _Plain(f"{{{', '.join(map(repr, sorted(default)))}}}") if isinstance(default, frozenset) else default


def main() -> int:
    """Print, check or update."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--update", action="store_true")
    options = parser.parse_args()
    now = [f"{line}\n" for line in surface()]
    if options.update:
        SNAPSHOT.write_text("".join(now), encoding="utf-8")
        return 0
    if not options.check:
        sys.stdout.writelines(now)
        return 0
    before = SNAPSHOT.read_text(encoding="utf-8").splitlines(keepends=True)
    changes = list(difflib.unified_diff(before, now, "recorded", "now"))
    sys.stdout.writelines(changes)
    if changes:
        sys.stdout.write(
            "\nThe public surface changed: say so in changelog.d/ and run python -m tests.surface --update\n"
        )
    return 1 if changes else 0


if __name__ == "__main__":
    sys.exit(main())
