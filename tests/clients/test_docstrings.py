"""Every example in the docstrings of the clients runs, and every verb has one."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator

import anyio
import pytest

from mailkit import clients

CLIENTS = [getattr(clients, name) for name in clients.__all__]
WITHOUT = {"accounts", "aclose", "close"}


def examples() -> Iterator[object]:
    for cls in CLIENTS:
        documented = [(cls.__name__, cls.__doc__)] if cls.__name__.endswith("Client") else []
        documented += [
            (f"{cls.__name__}.{name}", inspect.getdoc(value))
            for name, value in [pair for part in cls.__mro__[:-1] for pair in vars(part).items()]
            if not name.startswith("_") and name not in WITHOUT
        ]
        for name, text in documented:
            yield pytest.param(inspect.cleandoc(text or ""), id=name)


@pytest.mark.parametrize("text", list(examples()))
def test_the_example_runs(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    blocks = re.findall(r"^ *```python\n(.*?)^ *```$", text, re.MULTILINE | re.DOTALL)
    assert len(blocks) == 1
    code = compile(inspect.cleandoc("\n" + blocks[0]), "<docstring>", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    running = eval(code, {})
    if inspect.iscoroutine(running):

        async def run() -> None:
            await running

        anyio.run(run)
    assert capsys.readouterr().out or "print(" not in text
