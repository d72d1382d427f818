"""An account set pickles as references, never with a secret."""

from __future__ import annotations

import functools
import pickle
from collections.abc import Callable
from pathlib import Path

import pytest

from mailkit.accounts import Accounts, Settings
from mailkit.accounts.encrypted_store import EncryptedFileStore
from mailkit.accounts.keyring_store import KeyringStore
from mailkit.accounts.kinds import ClientCredentials, EnvironmentToken, ServiceAccount
from mailkit.accounts.stores import FileStore, MemoryStore
from mailkit.errors import ConfigurationError
from mailkit.values import AccessToken, Account


def give() -> str:
    return "hidden"


class Vault:
    """A program's own source, which says where its secret is."""

    reference = "vault:mail/work"

    async def token(self, *, stale: str | None = None) -> AccessToken:
        return AccessToken(value="hidden")


class Holder:
    """A program's own source, which may hold anything."""

    def __init__(self) -> None:
        self.value = "hidden"

    async def token(self, *, stale: str | None = None) -> AccessToken:
        return AccessToken(value=self.value)

    def give(self) -> str:
        return self.value


REFERENCES: list[object] = [
    FileStore("/somewhere/work.json"),
    EncryptedFileStore("/somewhere/work.json", key="mailkit/work"),
    KeyringStore("mailkit", "work"),
    ServiceAccount(key_file="/somewhere/key.json", subject="ann@example.com"),
    ClientCredentials(tenant="contoso.example", client_id="x", secret_env="SECRET"),
    ClientCredentials(tenant="contoso.example", client_id="x", secret_file="/somewhere/secret"),
    EnvironmentToken(variable="TOKEN"),
    Vault(),
    give,
]


@pytest.mark.parametrize("token", REFERENCES, ids=lambda token: getattr(token, "reference", None) or token.__name__)
def test_a_set_of_references_pickles(token: object) -> None:
    account = Account(name="work", provider="microsoft", token=token, address="ann@contoso.example", mailbox="team@x")
    accounts = Accounts([account], default="work", settings=Settings(deadline=7))
    pickled = pickle.dumps(accounts)
    assert b"hidden" not in pickled.replace(b"/somewhere/secret", b"").replace(b"secret_", b"")
    copy = pickle.loads(pickled)
    assert (list(copy), copy.default, copy.settings) == (["work"], "work", Settings(deadline=7))
    assert (copy["work"].address, copy["work"].mailbox) == ("ann@contoso.example", "team@x")
    assert getattr(copy["work"].token, "reference", copy["work"].token) == getattr(token, "reference", token)


@pytest.mark.parametrize(
    ("make", "instead"),
    [
        (lambda: "hidden", "importable function"),
        (MemoryStore, "FileStore or a KeyringStore"),
        (lambda: EncryptedFileStore("/x", key=b"hidden" * 6), "importable function"),
        (lambda: EncryptedFileStore("/x", key=lambda: b""), "importable function"),
        (lambda: lambda: "hidden", "importable function"),
        (lambda: functools.partial(str, "hidden"), "importable function"),
        (Holder, "importable function"),
        (lambda: Holder().give, "importable function"),
    ],
)
def test_a_secret_in_memory_is_refused_by_name_and_with_what_to_use(make: Callable[[], object], instead: str) -> None:
    accounts = Accounts([Account(name="work", provider="google", token=make())])
    with pytest.raises(ConfigurationError, match="account 'work' cannot be pickled") as caught:
        pickle.dumps(accounts)
    assert instead in str(caught.value)
    assert "hidden" not in str(caught.value)
    assert caught.value.account == "work"


def test_a_transport_that_cannot_be_pickled_is_told() -> None:
    class Transport:
        async def send(self, request: object) -> object:
            raise AssertionError

        async def aclose(self) -> None:
            raise AssertionError

    account = Account(name="work", provider="google", token=give, transport=Transport())  # type: ignore[arg-type]
    with pytest.raises(ConfigurationError, match="give the transport anew"):
        pickle.dumps(account)


def test_a_set_that_was_loaded_still_knows_its_file(tmp_path: Path) -> None:
    path = tmp_path / "accounts.toml"
    path.write_text('[[account]]\nname = "work"\nprovider = "google"\n')
    assert pickle.loads(pickle.dumps(Accounts.load(path))).save() == path
