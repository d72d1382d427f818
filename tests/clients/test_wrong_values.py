"""Every public verb with every parameter wrong: refused in words, with the verb's name, before anything is sent."""

from __future__ import annotations

import datetime as dt
import inspect
import math
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from typing import Any
from zoneinfo import ZoneInfo

import anyio
import httpx
import pytest

from mailkit import (
    Account,
    Accounts,
    AccountsFailed,
    AsyncMailClient,
    ConfigurationError,
    HttpxTransport,
    MailClient,
    Q,
    Quota,
    Ref,
    RetryPolicy,
    Settings,
    UsageError,
)
from mailkit.clients import AsyncAttachments, AsyncLabels
from mailkit.clients.async_lists import AsyncLists
from mailkit.clients.async_marking import AsyncMarking
from mailkit.clients.async_moving import AsyncMoving
from mailkit.clients.async_reading import AsyncReading
from mailkit.query.ast import And, Expr, Field, Not, Or, Text
from mailkit.sandbox import Sandbox
from mailkit.testing import sandbox_accounts

pytestmark = [pytest.mark.anyio, pytest.mark.matrix]


def deep() -> Expr:
    expr: Expr = Text("a")
    for _ in range(3000):
        expr = Or((And((expr, Text("b"))), Text("c")))
    return expr


HALF = Ref(account="g", kind="message", id="\ud800")
NOT_A_MESSAGE: tuple[object, ...] = (None, 5, 2.5, b"x", [], {}, "", " x", "\ud800", HALF)
NOT_A_TREE: tuple[Any, ...] = (And(("a",)), Field("from", 5), Field("body", "x"), Not(None))  # type: ignore[arg-type]  # what is tested
WRONG: Mapping[str, tuple[object, ...]] = {
    "query": (None, 5, b"x", ["a"], Q, Text, *NOT_A_TREE, deep()),
    "accounts": (5, b"x", [5], [], "nobody", ["g", None], Account(name="g", provider="google", token="t")),
    "limit": (0, -1, "25", 2.0, True, [1]),
    "cursor": (5, b"x", "", "mkc1.x", ["mkc1.x"]),
    "tz": (0, [], "Nowhere/City", "", dt.timezone(dt.timedelta(hours=1)), 5, "\ud800"),
    "strict": (None, 1, "yes"),
    "include_raw": (None, 0, "no"),
    "deadline": (0, -1.0, "25", math.nan, 10**400, True, -math.inf, [1]),
    "message": NOT_A_MESSAGE,
    "attachment": (*NOT_A_MESSAGE, "bare"),
    "thread": NOT_A_MESSAGE,
    "messages": (None, 5, [None], [5], b"x", [""]),
    "account": (5, "nobody", b"g", ["g"]),
    "directory": (None, 5, b"x", "", "a\0b", "~nobody-of-that-name/x"),
    "name": (5, b"x", ["x"]),
    "progress": (5, "x", [], anyio.sleep),  # an async function would never be awaited
    "names": (None, 5, b"x", [], [None], "", " ", ["a", 5], "\ud800", HALF),
    "create": (None, 1, "yes"),
    "to": (None, 5, b"x", [], "", " ", "\ud800", HALF),
    "label": (None, 5, 2.5, b"x", [], {}, "", " ", "\ud800", HALF, Ref(account="g", kind="message", id="id")),
    "kind": (5, "tag", ["label"]),
}
# What other verbs of the same parameter can take: as many as there are, one that is no list, no name at all.
MORE: Mapping[tuple[str, str], tuple[object, ...]] = {
    ("search", "limit"): (None, 10**400),
    ("recent", "limit"): (None, 10**400),
    ("search_as_completed", "limit"): (None, 10**400),
    ("get_many", "messages"): ("id",),
    ("labels.create", "name"): (None, "", " a", "a//b", "a/"),
    ("labels.rename", "name"): (None, "", " a", "a/b"),
}
GIVEN: Mapping[str, object] = {
    "query": "a",
    "message": "id",
    "messages": ["id"],
    "thread": "id",
    "attachment": Ref(account="g", kind="attachment", id="id", part="1"),
    "directory": ".",
    "names": "x",
    "to": "x",
    "label": Ref(account="g", kind="label", id="id"),
    "name": "x",
}
NAMESPACES = {
    AsyncReading: None,
    AsyncLists: None,
    AsyncMarking: None,
    AsyncMoving: None,
    AsyncLabels: "labels",
    AsyncAttachments: "attachments",
}


def verbs() -> list[tuple[str, inspect.Signature]]:
    found = []
    for owner, namespace in NAMESPACES.items():
        for name, verb in inspect.getmembers(owner, inspect.isfunction):
            if not name.startswith("_") and name != "aclose":
                found.append((f"{namespace}.{name}" if namespace else name, inspect.signature(verb)))
    return found


CASES = [
    pytest.param(verb, signature, name, value, id=f"{verb}-{name}-{number}")
    for verb, signature in verbs()
    for name in list(signature.parameters)[1:]
    for number, value in enumerate((*WRONG[name], *MORE.get((verb, name), ())))
]


@pytest.fixture
async def world() -> AsyncIterator[tuple[Sandbox, AsyncMailClient]]:
    sandbox = Sandbox()
    google, microsoft = sandbox.google("ann@example.com"), sandbox.microsoft("ann@contoso.example")
    async with AsyncMailClient(sandbox_accounts(sandbox, g=google, m=microsoft), tz="UTC") as mail:
        yield sandbox, mail


async def call(mail: AsyncMailClient, verb: str, arguments: Mapping[str, object]) -> None:
    *namespace, name = verb.split(".")
    method: Callable[..., Any] = getattr(getattr(mail, namespace[0]) if namespace else mail, name)
    given = method(**arguments)
    if inspect.isawaitable(given):
        await given
    elif isinstance(given, AbstractAsyncContextManager):
        await given.__aenter__()
    else:
        await anext(given)


@pytest.mark.parametrize(("verb", "signature", "name", "value"), CASES)
async def test_what_is_wrong_is_refused_before_anything_is_sent(
    world: tuple[Sandbox, AsyncMailClient], verb: str, signature: inspect.Signature, name: str, value: object
) -> None:
    sandbox, mail = world
    arguments = {each: GIVEN[each] for each in signature.parameters if each in GIVEN}
    if "account" in signature.parameters:
        arguments["account"] = "g"
    with pytest.raises(UsageError) as caught:
        await call(mail, verb, {**arguments, name: value})
    assert sandbox.requests == []
    assert len(str(caught.value)) < 400
    if name != "deadline":
        asked = "search" if verb == "search_as_completed" else verb
        assert caught.value.operation == f"mail.{asked}"


async def test_what_is_right_is_taken(world: tuple[Sandbox, AsyncMailClient]) -> None:
    sandbox, mail = world
    for tz in (dt.UTC, dt.timezone(dt.timedelta(0)), ZoneInfo("Europe/Berlin"), "Asia/Tokyo"):
        assert list(await mail.search("", tz=tz, deadline=math.inf, limit=10_000)) == []
    assert list(await mail.search(And((Text("a"), Text("b"))), accounts=("g",))) == []
    explanation = await mail.explain("after:2026/03/01", tz=dt.UTC)
    assert explanation.tz == "UTC"
    with pytest.raises(UsageError) as caught:
        await mail.search("a" * 100_000, accounts="g")
    assert caught.value.code == "too_long"
    assert not any("aaaa" in request.url for request in sandbox.requests)


ACCOUNT: dict[str, Any] = {"name": "a", "provider": "google", "token": "t"}
CLIENT: list[dict[str, Any]] = [
    {"accounts": None},
    {"accounts": 5},
    {"accounts": "home"},
    {"accounts": {"a": Account(**ACCOUNT)}},
    {"accounts": [None]},
    {"accounts": [], "clock": 5},
    {"accounts": [], "settings": {}},
    {"accounts": [], "settings": {"deadline": 5}},
]


@pytest.mark.parametrize("wrong", CLIENT, ids=str)
@pytest.mark.parametrize("made", [MailClient, AsyncMailClient, Accounts])
def test_a_client_is_made_of_accounts(made: Callable[..., object], wrong: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError, match="must be"):
        made(**wrong)


@pytest.mark.parametrize("tz", WRONG["tz"], ids=repr)
def test_a_zone_is_looked_up_when_the_client_is_made(tz: Any) -> None:
    with pytest.raises(UsageError, match="Europe/Berlin"):
        MailClient([], tz=tz)


def test_a_single_account_needs_no_list() -> None:
    account = Account(**ACCOUNT)
    assert MailClient(account).accounts.names == ("a",)
    assert Accounts(account)["a"] is account


@pytest.mark.parametrize("default", [5, [], "ann@example.com"])
def test_a_default_that_is_none_is_refused(default: Any) -> None:
    with pytest.raises(ConfigurationError) as caught:
        Accounts(Account(**ACCOUNT), default=default)
    assert "ann@" not in str(caught.value)


@pytest.mark.parametrize(
    ("wrong", "match"),
    [
        ({"name": None}, "a-z"),
        ({"name": 5}, "a-z"),
        ({"provider": None}, "'google'"),
        ({"provider": []}, "'google'"),
        ({"address": 5}, "address"),
        ({"address": ["ann@example.com"]}, "address"),
        ({"aliases": None}, "aliases"),
        ({"aliases": [None]}, "aliases"),
        ({"scopes": 5}, "scopes"),
        ({"scopes": [5]}, "scopes"),
        ({"base_url": 5}, "base_url"),
        ({"transport": 5}, r"HttpxTransport\(httpx_transport="),
        ({"transport": httpx.MockTransport(lambda _: httpx.Response(200))}, r"HttpxTransport\(httpx_transport="),
    ],
    ids=str,
)
def test_an_account_says_what_is_wrong_when_it_is_made(wrong: dict[str, Any], match: str) -> None:
    with pytest.raises(ConfigurationError, match=match):
        Account(**{**ACCOUNT, **wrong})


def test_a_text_is_never_cut_into_letters() -> None:
    read = "https://www.googleapis.com/auth/gmail.readonly"
    account = Account(**ACCOUNT, aliases="ann@example.com", scopes=f"{read}  openid", transport=HttpxTransport())
    assert account.aliases == ("ann@example.com",)
    assert account.scopes == frozenset({read, "openid"})
    assert Account(**ACCOUNT, scopes=[f"{read} openid"]).scopes == frozenset({read, "openid"})


SETTINGS: Mapping[type, dict[str, tuple[object, ...]]] = {
    Settings: {
        "deadline": (0, "30", math.nan, None, True, 10**400),
        "in_flight": (1.5, 0, "4", None, True),
        "retry": (None, 4, {}),
        "connect_timeout": (0, "1", math.inf, math.nan),
        "read_timeout": (-1, None, math.inf),
        "user_agent": (None, 5, "a\nb", "a\r", "é", b"x"),
        "gmail_quota": (60_000, None, (6000, 60)),
        "calendar_quota": (600, None, (600, 60)),
        "outlook_in_flight": (0, 2.5, "4"),
    },
    RetryPolicy: {
        "attempts": (0, 1.5, "4", None, 10**6),
        "first": ("1", -1, math.nan, None),
        "slowest": ("1", -1, math.inf),
        "longest": ("1", math.nan, None),
    },
    Quota: {"units": (0, 1.5, "1", None, True), "seconds": (0, "60", math.nan, None, math.inf)},
}


@pytest.mark.parametrize(
    ("kind", "name", "value"),
    [(kind, name, value) for kind, fields in SETTINGS.items() for name, wrong in fields.items() for value in wrong],
    ids=lambda value: value.__name__ if isinstance(value, type) else str(value)[:20],
)
def test_settings_are_refused_when_they_are_made(kind: Callable[..., object], name: str, value: object) -> None:
    given: dict[str, object] = {"units": 1, "seconds": 1} if kind is Quota else {}
    with pytest.raises(ConfigurationError, match=f"{name} must be") as caught:
        kind(**{**given, name: value})
    assert caught.value.code == f"bad_{name}"


@pytest.mark.parametrize("kind", SETTINGS)
def test_the_table_of_settings_is_complete(kind: type) -> None:
    assert set(SETTINGS[kind]) == set(inspect.signature(kind).parameters)


TERMS: list[Callable[[], object]] = [
    lambda: Ref.parse(None),  # type: ignore[arg-type]
    lambda: Ref.parse(b"mk1"),  # type: ignore[arg-type]
    lambda: Ref.parse("mk1:g:message:\ud800:00000000"),
    lambda: str(Ref(account="g", kind="message", id="\ud800")),
    lambda: str(Ref(account="\ud800", kind="message", id="x")),
    lambda: str(Ref(account="g", kind="message", id=5)),  # type: ignore[arg-type]  # as are the others: what is tested
    lambda: Q(None),  # type: ignore[arg-type]
    lambda: Q("a"),  # type: ignore[arg-type]
    lambda: Q.all_of(None),  # type: ignore[arg-type]
    lambda: Q.all_of("a"),  # type: ignore[arg-type]
    lambda: Q.any_of(Q.text("a"), 5),  # type: ignore[arg-type]
    Q.any_of,
    lambda: Q.in_([]),  # type: ignore[arg-type]
    lambda: Q.is_({}),  # type: ignore[arg-type]
    lambda: Q.has([]),  # type: ignore[arg-type]
    lambda: Q.text(None),  # type: ignore[arg-type]
    lambda: Q.label(5),  # type: ignore[arg-type]
    lambda: Q.after("2026/03/01"),  # type: ignore[arg-type]
    lambda: Q.newer_than("7"),  # type: ignore[arg-type]
    lambda: Q.newer_than(7, []),  # type: ignore[arg-type]
    lambda: Q.larger(1.5),  # type: ignore[arg-type]
    lambda: Q.around("a", "b", 3, field="body"),  # type: ignore[arg-type]
    lambda: Q.around("a", "b", 3, ordered=5),  # type: ignore[arg-type]
]


@pytest.mark.parametrize("made", TERMS)
def test_terms_and_refs_are_refused_when_they_are_made(made: Callable[[], object]) -> None:
    with pytest.raises(UsageError):
        made()


def test_nothing_of_a_person_is_repeated() -> None:
    with pytest.raises(UsageError) as caught:
        MailClient(Account(**ACCOUNT)).search(accounts="ann@example.com")
    assert "ann" not in str(caught.value)
    with pytest.raises(ConfigurationError) as caught_too:
        Account(name="ann@example.com", provider="google", token="t")
    assert "ann" not in str(caught_too.value)
    with pytest.raises(UsageError, match="'hom'"):
        MailClient(Account(**ACCOUNT)).search(accounts="hom")


@pytest.mark.parametrize("verb", ["explain", "iter_search", "recent", "search", "labels.list"])
async def test_an_error_names_the_verb_that_was_called(
    world: tuple[Sandbox, AsyncMailClient], verb: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    sandbox, mail = world
    with monkeypatch.context() as patch:
        patch.setattr(sandbox, "_boxes", {})  # so that every token is refused
        with pytest.raises(AccountsFailed) as caught:
            await call(mail, verb, {"query": "label:friends from:me"} if verb == "explain" else {})
    assert caught.value.operation == f"mail.{verb}"
    assert {error.operation for error in caught.value.errors} == {f"mail.{verb}"}
