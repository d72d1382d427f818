"""Every verb that writes mail with every parameter wrong: refused in words before anything is sent."""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any

import pytest

from mailkit import AsyncMailClient, Ref, UsageError
from mailkit.clients import AsyncDrafts
from mailkit.clients.async_sending import AsyncSending
from mailkit.sandbox import Sandbox
from mailkit.testing import sandbox_accounts
from tests.clients.test_wrong_values import NOT_A_MESSAGE
from tests.clients.test_wrong_values import WRONG as ALIKE

pytestmark = [pytest.mark.anyio, pytest.mark.matrix]

NO_PEOPLE: tuple[object, ...] = (None, 5, b"x", "nobody", ["amy@example.com", 5], "a@b\r\nBcc: c@d", [None], "\ud800@x")
NO_TEXT: tuple[object, ...] = (5, b"x", ["x"])
FLAG: tuple[object, ...] = (None, 1, "yes", [])
WRONG: Mapping[str, tuple[object, ...]] = {
    **{name: ALIKE[name] for name in ("accounts", "deadline", "account", "progress")},
    **dict.fromkeys(("to", "cc", "bcc", "reply_to"), NO_PEOPLE),
    "from_": (5, b"x", "nobody", [None], ["a@example.com", "b@example.com"]),
    "subject": (None, *NO_TEXT),
    **dict.fromkeys(("text", "html", "markdown"), NO_TEXT),
    "files": (5, [5], [None], [b"x", 5]),
    "headers": (5, {"Subject": "x"}, {"X-A": 5}, {"X-A\r\nBcc": "x"}, {5: "x"}, [("X-A",)], "X-A: b"),
    "key": (5, "", b"x", "\ud800", "a b"),
    "on_unknown": (None, 5, "ignore", []),
    **dict.fromkeys(("reply_all", "own_spellings", "quote", "as_draft", "as_attachment"), FLAG),
    "message": NOT_A_MESSAGE,
    "draft": (*NOT_A_MESSAGE, Ref(account="g", kind="message", id="id")),
    "limit": (0, -1, "25", True, 10_001),
    "what": (None, 5, "x", []),
}
GIVEN: Mapping[str, Mapping[str, object]] = {
    "send": {"to": "amy@example.com", "subject": "x", "text": "x"},
    "forward": {"to": "amy@example.com"},
    "drafts.update": {"subject": "x"},
}
ITEM: Mapping[str, object] = {"message": "id", "draft": Ref(account="g", kind="draft", id="id")}
NAMESPACES = {AsyncSending: None, AsyncDrafts: "drafts"}


def cases() -> list[Any]:
    found = []
    for owner, namespace in NAMESPACES.items():
        for verb, function in inspect.getmembers(owner, inspect.isfunction):
            name = f"{namespace}.{verb}" if namespace else verb
            parameters = list(inspect.signature(function).parameters.values())[1:]
            for parameter in [] if verb.startswith("_") else parameters:
                values = [each for each in WRONG[parameter.name] if each is not None or parameter.default is not None]
                given = {each.name: ITEM[each.name] for each in parameters if each.name in ITEM}
                if any(each.name == "account" for each in parameters):
                    given["account"] = "g"
                found += [
                    pytest.param(
                        name,
                        parameter.name,
                        {**given, **GIVEN.get(name, {}), parameter.name: value},
                        id=f"{name}-{parameter.name}-{number}",
                    )
                    for number, value in enumerate(values)
                ]
    return found


@pytest.fixture
def sandbox() -> Sandbox:
    return Sandbox()


@pytest.fixture
async def mail(sandbox: Sandbox) -> AsyncIterator[AsyncMailClient]:
    google, microsoft = sandbox.google("ann@example.com"), sandbox.microsoft("ann@contoso.example")
    async with AsyncMailClient(sandbox_accounts(sandbox, g=google, m=microsoft), tz="UTC") as client:
        yield client


@pytest.mark.parametrize(("verb", "name", "arguments"), cases())
async def test_what_is_wrong_is_refused_before_anything_is_sent(
    sandbox: Sandbox, mail: AsyncMailClient, verb: str, name: str, arguments: Mapping[str, object]
) -> None:
    *namespace, last = verb.split(".")
    method: Callable[..., Any] = getattr(getattr(mail, namespace[0]) if namespace else mail, last)
    with pytest.raises(UsageError) as caught:
        await method(**arguments)
    assert sandbox.requests == []
    assert len(str(caught.value)) < 400
    assert "amy@" not in str(caught.value)
    if name != "deadline":
        assert caught.value.operation == f"mail.{verb}"
