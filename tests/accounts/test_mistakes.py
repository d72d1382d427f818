"""What a newcomer passes by mistake is refused with what to pass, and never with an exception of Python's own."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mailkit.accounts import Accounts
from mailkit.accounts.adopt import AuthorizedUserStore
from mailkit.accounts.encrypted_store import EncryptedFileStore
from mailkit.accounts.grant import Grant
from mailkit.accounts.keyring_store import KeyringStore
from mailkit.accounts.kinds import ClientCredentials, EnvironmentToken, ServiceAccount
from mailkit.accounts.stores import FileStore, MemoryStore
from mailkit.errors import ConfigurationError
from mailkit.values import Account

APP = {"tenant": "contoso.example", "client_id": "x", "secret_env": "S"}
KEY = bytes(32)
GRANT = Grant(provider="google", client_id="x", refresh_token="1//r", scopes=frozenset(), features=frozenset())
odd: Any = object()
wrong: Any = {
    "number": 1,
    "nothing": None,
    "bytes": b"",
    "empty": "",
    "list": ["x"],
    "nul": "a\0",
    "nobody": "~nosuch/x",
}


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAILKIT_HOME", str(tmp_path))


@pytest.mark.parametrize("path", wrong.values(), ids=wrong)
@pytest.mark.parametrize(
    ("take", "name"),
    [
        (FileStore, "path"),
        (lambda path: EncryptedFileStore(path, key=KEY), "path"),
        (AuthorizedUserStore, "path"),
        (Accounts.load, "path"),
        (Accounts([]).save, "path"),
        (lambda path: Accounts([]).adopt("n", path), "login"),
        (lambda path: ServiceAccount(key_file=path, subject="a@x"), "key_file"),
        (lambda path: ClientCredentials(tenant="t", client_id="c", secret_file=path), "secret_"),
    ],
)
def test_what_is_no_path(take: Callable[[Any], object], name: str, path: object) -> None:
    if path is None and getattr(take, "__name__", "") in {"load", "save"}:
        return  # the file in its own place
    with pytest.raises(ConfigurationError, match=name):
        take(path)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: ServiceAccount(key_file="k", subject=odd), "subject must be a text"),
        (lambda: ServiceAccount(key_file="k", subject="a@x", features=odd), "features must be names"),
        (lambda: ServiceAccount(key_file="k", subject="a@x", features=[odd]), "features must be names"),
        (lambda: ClientCredentials(**{**APP, "tenant": odd}), "tenant must be a text"),
        (lambda: ClientCredentials(**{**APP, "tenant": []}), "tenant must be a text"),  # type: ignore[arg-type]
        (lambda: ClientCredentials(**{**APP, "client_id": odd}), "client_id must be a text"),
        (lambda: ClientCredentials(**{**APP, "secret_env": odd}), "secret_env must be a text"),
        (lambda: EnvironmentToken(variable=odd), "the name of an environment variable"),
        (lambda: KeyringStore(odd, "x"), "service must be a text"),
        (lambda: KeyringStore("x", ""), "name must be a text"),
        (lambda: EncryptedFileStore("x", key=odd), "key must be 32 bytes, a function"),
        (lambda: EncryptedFileStore("x", key="no slash"), "service/name"),
        (lambda: Accounts([]).adopt(["n"], "x"), "name must be"),  # type: ignore[arg-type]
        (lambda: Accounts([]).adopt("n", "x", address=odd), "address must be a text"),
        (lambda: Accounts([]).adopt("n", "x", client_id=odd), "client_id must be a text"),
        (lambda: Accounts([]).adopt("n", "x", store=odd), "store must be a token store"),
        (lambda: FileStore("x").save(odd), "grant must be a Grant"),
        (lambda: EncryptedFileStore("x", key=KEY).save(odd), "grant must be a Grant"),
        (lambda: MemoryStore().save(odd), "grant must be a Grant"),
        (lambda: KeyringStore("x", "y").save(odd), "grant must be a Grant"),
        (lambda: EncryptedFileStore("x", key=lambda: 1 // 0).save(GRANT), "its function raised ZeroDivisionError"),  # type: ignore[arg-type, return-value]
        (lambda: pickle.dumps(EncryptedFileStore("x", key=lambda: KEY)), "give key= as an importable function"),
    ],
)
def test_what_is_of_no_such_kind(make: Callable[[], object], says: str, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigurationError, match=says):
        make()


def test_a_home_that_nobody_has(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAILKIT_HOME", "~nosuch/x")
    with pytest.raises(ConfigurationError, match="MAILKIT_HOME must be a path"):
        Accounts.load()


def test_an_app_needs_a_mailbox() -> None:
    with pytest.raises(ConfigurationError, match="needs mailbox=, since an app has no mailbox of its own"):
        Account(name="robot", provider="microsoft", token=ClientCredentials(**APP))
    assert Account(name="robot", provider="microsoft", token=ClientCredentials(**APP), mailbox="m@x").mailbox == "m@x"
