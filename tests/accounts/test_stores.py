"""Token stores keep exactly one grant, lose none, and show none."""

from __future__ import annotations

import datetime as dt
import json
import os
import pickle
import secrets
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import attrs
import pytest

from mailkit.accounts.encrypted_store import EncryptedFileStore
from mailkit.accounts.grant import DeadGrant, Grant
from mailkit.accounts.keyring_store import KeyringStore
from mailkit.accounts.stores import FileStore, MemoryStore, TokenStore
from mailkit.errors import ConfigurationError
from mailkit.files import MailkitWarning, system, write_private

GRANT = Grant(
    provider="google",
    client_id="id.apps.googleusercontent.com",
    client_secret="GOCSPX-secret",
    refresh_token="1//refresh-secret",
    access_token="ya29.access-secret",
    expires_at=dt.datetime(2026, 3, 1, 12, tzinfo=dt.UTC),
    scopes=frozenset({"https://www.googleapis.com/auth/gmail.readonly"}),
    features=frozenset({"read"}),
    address="ann@example.com",
    granted_at=dt.datetime(2026, 2, 1, 12, tzinfo=dt.UTC),
    dead=DeadGrant(cause="revoked", code="invalid_grant"),
)
OTHER = attrs.evolve(GRANT, refresh_token="1//other-secret", dead=None)
KEY = bytes(range(32))


def test_key() -> bytes:
    return KEY


test_key.__test__ = False  # type: ignore[attr-defined]  # a key, no test; importable, so that it pickles


class Keyring:
    """The package ``keyring`` with one backend, in memory."""

    def __init__(self) -> None:
        self.kept: dict[tuple[str, str], str] = {}
        self.room = sys.maxsize

    def get_password(self, service: str, name: str) -> str | None:
        return self.kept.get((service, name))

    def set_password(self, service: str, name: str, password: str) -> None:
        if len(password) > 1280 or not self.room:
            raise RuntimeError("no room")
        self.room -= 1
        self.kept[service, name] = password

    def delete_password(self, service: str, name: str) -> None:
        del self.kept[service, name]


@pytest.fixture
def keyring(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Keyring:
    fake = Keyring()
    monkeypatch.setitem(sys.modules, "keyring", fake)
    monkeypatch.setenv("MAILKIT_HOME", str(tmp_path / "home"))
    return fake


@pytest.fixture(params=["memory", "file", "encrypted", "keyring"])
def store(request: pytest.FixtureRequest, tmp_path: Path, keyring: Keyring) -> TokenStore:
    made: dict[str, TokenStore] = {
        "memory": MemoryStore(),
        "file": FileStore(tmp_path / "tokens" / "work.json"),
        "encrypted": EncryptedFileStore(tmp_path / "tokens" / "work.json", key=KEY),
        "keyring": KeyringStore("mailkit", "work"),
    }
    return made[request.param]


def test_a_grant_comes_back_equal(store: TokenStore) -> None:
    assert isinstance(store, TokenStore)
    assert store.load() is None
    store.save(GRANT)
    assert store.load() == GRANT
    store.save(OTHER)
    assert store.load() == OTHER
    store.delete()
    store.delete()
    assert store.load() is None


def test_nothing_shows_what_is_kept(store: TokenStore) -> None:
    store.save(GRANT)
    assert "secret" not in f"{store!r}{store.reference}{GRANT!r}{vars(store) if store.reference != 'memory' else ''}"


def test_a_lock_keeps_other_threads_out(store: TokenStore) -> None:
    entered = threading.Event()

    def other() -> None:
        with store.lock():
            entered.set()

    thread = threading.Thread(target=other)
    with store.lock():
        thread.start()
        assert not entered.wait(0.05)
    thread.join(timeout=20)
    assert entered.is_set()


@pytest.mark.parametrize("make", [FileStore, lambda path: EncryptedFileStore(path, key=test_key)])
def test_files_are_this_users_alone(make: Callable[[Path], TokenStore], tmp_path: Path) -> None:
    path = tmp_path / "made" / "here" / "work.json"
    before = os.umask(0)
    try:
        make(path).save(GRANT)
        with make(path).lock():
            pass
    finally:
        os.umask(before)
    modes = {each.name: each.stat().st_mode & 0o777 for each in (path, path.parent, path.parent.parent)}
    assert modes == {"work.json": 0o600, "here": 0o700, "made": 0o700}
    assert (path.parent / "work.json.lock").stat().st_mode & 0o777 == 0o600
    assert sorted(each.name for each in path.parent.iterdir()) == ["work.json", "work.json.lock"]


@pytest.mark.parametrize(
    "found",
    [
        b"",
        b"\xff\xfe",
        b"{",
        b"no JSON",
        pytest.param(b"[" * 100_000, id="deep"),
    ],
)
@pytest.mark.parametrize("make", [FileStore, lambda path: EncryptedFileStore(path, key=KEY)])
def test_what_is_damaged_is_kept_aside_and_told(
    make: Callable[[Path], TokenStore], found: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "work.json"
    for number in (1, 2):
        path.write_bytes(found)
        path.chmod(0o600)
        with pytest.raises(ConfigurationError, match=rf"work\.json\.corrupt-{number}") as caught:
            make(path).load()
        assert (caught.value.code, caught.value.file) == ("corrupt", str(path))
        assert (tmp_path / f"work.json.corrupt-{number}").read_bytes() == found
        assert make(path).load() is None


@pytest.mark.parametrize(
    ("make", "found"),
    [
        (FileStore, {"format": "mailkit-grant", "version": 1, "grant": {"provider": "imap"}}),
        (lambda path: EncryptedFileStore(path, key=KEY), {"format": "mailkit-encrypted-grant", "version": "one"}),
    ],
)
def test_what_was_ours_and_is_no_more_is_kept_aside(
    make: Callable[[Path], TokenStore], found: object, tmp_path: Path
) -> None:
    path = tmp_path / "work.json"
    write_private(path, json.dumps(found).encode())
    with pytest.raises(ConfigurationError, match=r"work\.json\.corrupt-1"):
        make(path).load()


@pytest.mark.parametrize(
    ("found", "says"),
    [
        ({"installed": {"client_id": "x", "client_secret": "s3cret"}}, "Desktop client; pass it as sign_in"),
        ({"web": {"client_id": "x"}}, "a Web application client"),
        ({"type": "authorized_user", "refresh_token": "s3cret"}, r"a person's login.*accounts\.adopt"),
        ({"type": "service_account", "private_key": "s3cret"}, r"ServiceAccount\(key_file"),
        ({"RefreshToken": {}, "AccessToken": {}}, r"a cache of MSAL; .*adopt"),
        ({"colour": "red", "format": ["x"]}, "JSON of another kind"),
        ([1, 2], "JSON of another kind"),
        ("mailkit-grant", "JSON of another kind"),
    ],
)
@pytest.mark.parametrize("make", [FileStore, lambda path: EncryptedFileStore(path, key=KEY)])
def test_a_healthy_file_of_another_kind_is_left_alone(
    make: Callable[[Path], FileStore], found: object, says: str, tmp_path: Path
) -> None:
    path = tmp_path / "client_secret.json"
    write_private(path, json.dumps(found).encode())
    untouched(make(path), says)


def untouched(store: FileStore, says: str) -> None:
    before = store.path.read_bytes()
    for work in (store.load, lambda: store.save(GRANT), store.delete):
        with pytest.raises(ConfigurationError, match=says) as caught:
            work()
        assert (caught.value.code, caught.value.file) == ("foreign_file", str(store.path))
        assert "s3cret" not in str(caught.value)
    assert store.path.read_bytes() == before
    assert [each.name for each in store.path.parent.iterdir()] == [store.path.name]


def test_a_store_of_the_other_kind_is_left_alone(tmp_path: Path) -> None:
    plain, sealed = FileStore(tmp_path / "a" / "x.json"), EncryptedFileStore(tmp_path / "b" / "x.json", key=KEY)
    plain.save(GRANT)
    sealed.save(GRANT)
    untouched(FileStore(sealed.path), "an encrypted store of mailkit; open it with EncryptedFileStore")
    untouched(EncryptedFileStore(plain.path, key=KEY), "a plain store of mailkit; open it with FileStore")
    assert plain.load() == sealed.load() == GRANT


def test_a_damaged_file_is_not_overwritten_by_a_save(tmp_path: Path) -> None:
    path = tmp_path / "work.json"
    path.write_bytes(b"damaged")
    path.chmod(0o600)
    with pytest.warns(MailkitWarning, match="corrupt-1"):
        FileStore(path).save(GRANT)
    assert FileStore(path).load() == GRANT
    assert (tmp_path / "work.json.corrupt-1").read_bytes() == b"damaged"


@pytest.mark.parametrize("make", [FileStore, lambda path: EncryptedFileStore(path, key=KEY)])
def test_a_file_of_a_newer_mailkit_stays_as_it_is(make: Callable[[Path], FileStore], tmp_path: Path) -> None:
    store = make(tmp_path / "work.json")
    store.save(GRANT)
    newer = json.dumps({**json.loads(store.path.read_bytes()), "version": 2}).encode()
    store.path.write_bytes(newer)
    for work in (store.load, lambda: store.save(OTHER)):
        with pytest.raises(ConfigurationError, match="pip install -U mailkit-sdk"):
            work()
    assert store.path.read_bytes() == newer


def test_a_full_disk_leaves_what_was_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = FileStore(tmp_path / "work.json")
    store.save(GRANT)

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(system, "SYSTEM", attrs.evolve(system.SYSTEM, flush=full))
    with pytest.raises(ConfigurationError, match="the disk is full; make room") as caught:
        store.save(OTHER)
    assert caught.value.code == "enospc"
    assert store.load() == GRANT
    assert [each.name for each in tmp_path.iterdir()] == ["work.json"]


def test_an_encrypted_file_shows_nothing_and_never_the_same_twice(tmp_path: Path) -> None:
    store = EncryptedFileStore(tmp_path / "work.json", key=KEY)
    seen = set()
    for _ in range(3):
        store.save(GRANT)
        seen.add(store.path.read_bytes())
    assert len(seen) == 3
    assert not [word for word in (b"secret", b"ann@", b"google", KEY) for found in seen if word in found]


def test_a_wrong_key_is_told_apart_from_a_damaged_file(tmp_path: Path) -> None:
    path = tmp_path / "work.json"
    EncryptedFileStore(path, key=KEY).save(GRANT)
    wrong = EncryptedFileStore(path, key=bytes(32))
    for work in (wrong.load, lambda: wrong.save(OTHER)):
        with pytest.raises(ConfigurationError, match="another key") as caught:
            work()
        assert caught.value.code == "wrong_key"
    assert EncryptedFileStore(path, key=KEY).load() == GRANT
    kept = json.loads(path.read_bytes())
    kept["data"] = kept["data"][:-8] + "AAAAAAA="
    path.write_text(json.dumps(kept))
    with pytest.raises(ConfigurationError, match="corrupt-1"):
        EncryptedFileStore(path, key=KEY).load()


@pytest.mark.parametrize("key", [b"", b"short", bytes(33), lambda: b"short", lambda: "text"])
def test_a_key_is_32_bytes(key: bytes, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="must be 32 bytes"):
        EncryptedFileStore(tmp_path / "work.json", key=key).save(GRANT)


def test_a_key_in_the_keyring_is_made_at_the_first_save(tmp_path: Path, keyring: Keyring) -> None:
    store = EncryptedFileStore(tmp_path / "work.json", key="mailkit/work")
    assert store.load() is None
    assert not keyring.kept
    store.save(GRANT)
    assert store.load() == GRANT
    assert list(keyring.kept) == [("mailkit", "work")]
    keyring.kept["mailkit", "work"] = "no key"
    with pytest.raises(ConfigurationError, match="must be 32 bytes"):
        store.load()
    keyring.kept.clear()
    for work in (store.load, lambda: store.save(OTHER)):
        with pytest.raises(ConfigurationError, match="no entry 'mailkit/work'"):
            work()


def test_a_keyring_that_is_not_there_or_does_not_open_is_told(
    monkeypatch: pytest.MonkeyPatch, keyring: Keyring
) -> None:
    store = KeyringStore("mailkit", "work")
    keyring.room = 0
    with pytest.raises(ConfigurationError, match="RuntimeError; unlock it"):
        store.save(GRANT)
    monkeypatch.setitem(sys.modules, "keyring", None)
    with pytest.raises(ConfigurationError, match=r"pip install 'mailkit-sdk\[keyring\]'") as caught:
        store.load()
    assert caught.value.code == "no_keyring"


def test_a_keyring_without_room_keeps_what_was_kept(keyring: Keyring) -> None:
    store = KeyringStore("mailkit", "work")
    large = attrs.evolve(GRANT, access_token="x" * 4000)
    store.save(large)
    for room in range(5):
        keyring.room = room
        with pytest.raises(ConfigurationError):
            store.save(attrs.evolve(large, refresh_token="new"))
        assert store.load() == large
    keyring.room = sys.maxsize
    store.save(OTHER)
    assert store.load() == OTHER
    assert len(keyring.kept) == 2
    store.delete()
    assert not keyring.kept


@pytest.mark.parametrize("found", ["", "odd", "a3", "b0", "a999999999"])
def test_an_entry_of_somebody_else_is_told_and_kept(found: str, keyring: Keyring) -> None:
    keyring.kept["mailkit", "work"] = found
    store = KeyringStore("mailkit", "work")
    for work in (store.load, lambda: store.save(GRANT)):
        with pytest.raises(ConfigurationError, match="mailkit/work holds no sign-in"):
            work()
    assert keyring.kept == {("mailkit", "work"): found}


def test_a_save_while_somebody_reads_is_no_damage(keyring: Keyring, monkeypatch: pytest.MonkeyPatch) -> None:
    store = KeyringStore("mailkit", "work")
    store.save(GRANT)
    asked = SimpleNamespace(times=0)
    get = keyring.get_password

    def interrupted(service: str, name: str) -> str | None:
        asked.times += 1
        if asked.times == 2:  # after the index, before the first piece
            KeyringStore("mailkit", "work").save(OTHER)
        return get(service, name)

    monkeypatch.setattr(keyring, "get_password", interrupted)
    assert store.load() == OTHER


@pytest.mark.parametrize(
    "store",
    [
        FileStore("/somewhere/work.json"),
        KeyringStore("mailkit", "work"),
        EncryptedFileStore("/somewhere/work.json", key="mailkit/work"),
        EncryptedFileStore("/somewhere/work.json", key=test_key),
    ],
    ids=lambda store: store.reference,
)
def test_a_store_pickles_as_a_reference(store: TokenStore) -> None:
    pickled = pickle.dumps(store)
    assert pickle.loads(pickled).reference == store.reference
    assert vars(pickle.loads(pickled)) == vars(store)
    assert KEY not in pickled


@pytest.mark.parametrize("store", [MemoryStore(GRANT), EncryptedFileStore("/x", key=secrets.token_bytes(32))], ids=repr)
def test_a_store_that_holds_a_secret_does_not_pickle(store: TokenStore) -> None:
    with pytest.raises(ConfigurationError, match="never pickled"):
        pickle.dumps(store)
