"""Write ``mailkit/clients/sync_mail.py`` from ``mailkit/clients/async_mail.py``.

Each verb of the sync clients has the signature and the docstring of its async twin and one line that hands the call to
the portal. Generated rather than made at run time, so that editors, type checkers and the reference pages see it as it
is. ``python tools/make_sync.py`` writes the file; a test compares it with what this would write.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "mailkit" / "clients" / "async_mail.py"
TARGET = ROOT / "mailkit" / "clients" / "sync_mail.py"

HEADER = '''"""The sync mail client: the verbs of the async one, run through the portal.

Generated from ``async_mail.py`` by ``tools/make_sync.py``; do not edit. Works in any thread, also where an event loop
is running; Ctrl-C cancels a call and returns at once; a client that nobody closed never keeps a program alive.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from functools import partial
from types import TracebackType
from typing import Self
from zoneinfo import ZoneInfo

from mailkit import portal
from mailkit.accounts import Accounts, Settings
from mailkit.clients.async_mail import AsyncAttachments, AsyncLabels, AsyncMailClient
from mailkit.clients.bridge import MessageIterator, Updates, opened
from mailkit.models import Attachment, Label, Message, MessageSummary, Outcome, Results, Thread
from mailkit.query import Q
from mailkit.query.ast import Expr
from mailkit.query.explanation import Explanation
from mailkit.values import Account, Clock, Ref

__all__ = ["Attachments", "Labels", "MailClient"]
'''

CLIENT_ENDS = """
    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
"""

# Async names and their sync twins, in code and in docstrings alike.
RENAMED = (
    (r"\basync (def|for|with)\b", r"\1"),
    (r"\(await ([^()]*(?:\([^()]*\))*[^()]*)\)\[", r"\1["),
    (r"\(await ([^()]*(?:\([^()]*\))*[^()]*)\)\.", r"\1."),
    (r"\bawait ", ""),
    (r"\bAbstractAsync", "Abstract"),
    (r"\bAsync(?=[A-Z])", ""),
    (r"\b__a(enter|exit)__\b", r"__\1__"),
    (r"\baclose\b", "close"),
)


def to_sync(text: str) -> str:
    """Give the sync form of a piece of async code or of a docstring."""
    for pattern, replacement in RENAMED:
        text = re.sub(pattern, replacement, text)
    return text


def made() -> str:
    """Give the whole module, not yet formatted."""
    tree = ast.parse(SOURCE.read_text())
    classes = [_class(node) for node in tree.body if isinstance(node, ast.ClassDef)]
    return "\n\n".join([HEADER, *classes])


def _class(node: ast.ClassDef) -> str:
    parts = [f"class {to_sync(node.name)}:", _docstring(node)]
    for item in node.body:
        match item:
            case ast.FunctionDef(name="__init__"):
                parts.append(_constructor(node, item))
            case ast.FunctionDef(name="__repr__"):
                parts.append(_code(item))
            case ast.FunctionDef(decorator_list=[_]):
                item.body[-1] = ast.parse(f"return self._async.{item.name}").body[0]
                parts.append(_code(item))
            case ast.AsyncFunctionDef(name="__aenter__"):
                parts.append(CLIENT_ENDS)
            case ast.FunctionDef() | ast.AsyncFunctionDef() if item.name != "__aexit__":
                parts.append(_verb(item))
    return "\n\n".join(parts)


def _constructor(node: ast.ClassDef, item: ast.FunctionDef) -> str:
    if node.name != "AsyncMailClient":
        return f"    def __init__(self, namespace: {node.name}) -> None:\n        self._async = namespace"
    head = _signature(item)
    targets = [each.target for each in item.body if isinstance(each, ast.AnnAssign)]  # public ones say it
    names = [target.attr for target in targets if isinstance(target, ast.Attribute)]
    lines = [f"self._async = {node.name}({_arguments(item)})"]
    lines += [f"self.{name}: {name.title()} = {name.title()}(self._async.{name})" for name in names]
    return head + "".join(f"\n        {line}" for line in lines)


def _verb(item: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    returns = to_sync(ast.unparse(item.returns or ast.Constant(None)))
    call = f"self._async.{item.name}({_arguments(item)})"
    if isinstance(item, ast.AsyncFunctionDef):
        given = _arguments(item)
        target = f"self._async.{item.name}"
        line = f"portal.run(partial({target}, {given}))" if given else f"portal.run({target})"
        if item.name == "aclose":
            return f"{_signature(item)}\n{_docstring(item)}\n        {line}"
    elif "ContextManager" in returns:
        line = f"opened({call})"
    else:
        line = f"{returns}({call})"
    return f"{_signature(item)}\n{_docstring(item)}\n        return {line}"


def _arguments(item: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    positional = [argument.arg for argument in item.args.args if argument.arg != "self"]
    return ", ".join([*positional, *(f"{argument.arg}={argument.arg}" for argument in item.args.kwonlyargs)])


def _signature(item: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    returns = f" -> {ast.unparse(item.returns)}" if item.returns else ""
    return to_sync(f"    def {item.name}({ast.unparse(item.args)}){returns}:")


def _docstring(node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    indent = "    " if isinstance(node, ast.ClassDef) else "        "
    lines = to_sync(ast.get_docstring(node) or "").splitlines()
    body = "\n".join(f"{indent}{line}".rstrip() if number else line for number, line in enumerate(lines))
    end = f"\n{indent}" if len(lines) > 1 else ""
    return f'{indent}"""{body}{end}"""'


def _code(item: ast.FunctionDef) -> str:
    text = to_sync(ast.unparse(item)).replace("self._desk.names", "self._async.accounts.names")
    return "\n".join(f"    {line}" for line in text.splitlines())


if __name__ == "__main__":
    TARGET.write_text(made())
    subprocess.run([sys.executable, "-m", "ruff", "format", "--quiet", str(TARGET)], check=True)  # noqa: S603  # our own file
