"""``accounts.toml``: what it says, what is refused and where, and what a save leaves as it was."""

from __future__ import annotations

import os
import stat
import sys
import textwrap
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mailkit.accounts import Accounts
from mailkit.accounts.accounts_file import Listed, read_accounts, write_accounts
from mailkit.accounts.accounts_keys import fields_of
from mailkit.accounts.encrypted_store import EncryptedFileStore
from mailkit.accounts.keyring_store import KeyringStore
from mailkit.accounts.kinds import ClientCredentials, EnvironmentToken, ServiceAccount
from mailkit.accounts.stores import FileStore, MemoryStore
from mailkit.errors import AccountsFailed, ConfigurationError, SignInRequired, Unavailable
from mailkit.files import MailkitWarning, locked
from mailkit.values import Account

FOLDER = Path("/home/ann/.config/mailkit")
FILE = FOLDER / "accounts.toml"

EVERY_KIND = """
# my accounts
default = "work"  # the office

[[account]]
name = "home"
provider = "google"
address = "ann@example.com"
aliases = [
    "a@example.com",   # old
    "ann@example.org",
]

# at the office
[[account]]
name = "work"
provider = "microsoft"
store = "keyring"

[[account]]
name = "sealed"
provider = "google"
store = "encrypted:vault/sealed.json"
store_key = "mailkit/shared key"

[[account]]
name = "robot"
provider = "google"
service_account = "keys/robot.json"
subject = "ann@example.com"
features = ["read"]

[[account]]
name = "team"
provider = "microsoft"
tenant = "contoso.example"
client_id = "11111111-2222-3333-4444-555555555555"
client_secret_env = "TEAM_SECRET"
mailbox = "team@contoso.example"

[[account]]
name = "shared"
provider = "microsoft"
mailbox = "info@contoso.example"
scopes = ["Mail.Read.Shared"]
store = "file:/somewhere/else.json"

[[account]]
name = "given"
provider = "google"
token_env = "GMAIL_TOKEN"
base_url = "http://127.0.0.1:4000"
"""


def read(text: str) -> Listed:
    return read_accounts(textwrap.dedent(text), file=FILE)


def said(listed: Listed) -> list[object]:
    return [listed.default, *(fields_of(account, folder=FOLDER) for account in listed.accounts)]


def test_every_kind_of_account_is_read() -> None:
    listed = read(EVERY_KIND)
    assert listed.default == "work"
    by_name = {account.name: account for account in listed.accounts}
    assert list(by_name) == ["home", "work", "sealed", "robot", "team", "shared", "given"]
    home = by_name["home"]
    assert (home.address, home.aliases) == ("ann@example.com", ("a@example.com", "ann@example.org"))
    assert isinstance(home.token, FileStore)
    assert home.token.path == FOLDER / "tokens" / "home.json"
    assert isinstance(by_name["work"].token, KeyringStore)
    assert by_name["work"].token.reference == "keyring:mailkit/work"
    assert isinstance(by_name["sealed"].token, EncryptedFileStore)
    assert by_name["sealed"].token.path == FOLDER / "vault" / "sealed.json"
    assert by_name["robot"].token == ServiceAccount(
        key_file=FOLDER / "keys" / "robot.json", subject="ann@example.com", features={"read"}
    )
    assert by_name["team"].token == ClientCredentials(
        tenant="contoso.example", client_id="11111111-2222-3333-4444-555555555555", secret_env="TEAM_SECRET"
    )
    assert by_name["team"].mailbox == "team@contoso.example"
    assert by_name["shared"].scopes == frozenset({"Mail.Read.Shared"})
    assert by_name["given"].token == EnvironmentToken(variable="GMAIL_TOKEN")
    assert by_name["given"].base_url == "http://127.0.0.1:4000"


def test_what_is_written_says_the_same() -> None:
    listed = read(EVERY_KIND)
    assert said(read(write_accounts(listed, file=FILE))) == said(listed)


def test_nothing_changed_leaves_the_text_as_it_is() -> None:
    text = EVERY_KIND.lstrip("\n")
    assert write_accounts(read(text), file=FILE, before=text) == text


def test_a_change_leaves_the_rest_as_it_is() -> None:
    text = EVERY_KIND.lstrip("\n")
    listed = read(text)
    new = Account(name="new", provider="google", token=FileStore(FOLDER / "tokens" / "new.json"))
    accounts = (*(a for a in listed.accounts if a.name != "sealed"), new)
    written = write_accounts(Listed(accounts=accounts, default="home"), file=FILE, before=text)
    assert '# my accounts\ndefault = "home"\n' in written
    assert '"a@example.com",   # old' in written
    assert "# at the office\n[[account]]" in written
    assert "sealed" not in written
    assert written.endswith('\n[[account]]\nname = "new"\nprovider = "google"\n')
    assert said(read(written)) == said(Listed(accounts=accounts, default="home"))
    without = write_accounts(Listed(accounts=listed.accounts), file=FILE, before=text)
    assert "default" not in without


def test_text_written_in_another_way_is_written_anew_and_right() -> None:
    text = 'account = [{ name = "home", provider = "google" }, { name = "work", provider = "microsoft" }]\n'
    listed = read(text)
    changed = Listed(accounts=listed.accounts[:1], default="home")
    assert said(read(write_accounts(changed, file=FILE, before=text))) == said(changed)


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ('[[account]]\nname = "a\n', 2, "no TOML"),
        ('[[account]]\nname = "a"', 1, 'lacks provider; add provider = "…"'),
        (
            'default = "b"\n[[account]]\nname = "a"\nprovider = "google"\n',
            1,
            "'b' names no account; the accounts are: a",
        ),
        ("default = 7", 1, "names no account; the accounts are: none yet"),
        ("default = []", 1, "names no account"),
        ('\nacount = "x"\n', 2, "no key 'acount'"),
        ('\n\n[colours]\nred = "x"\n', 3, "no key 'colours'"),
        ('[account]\nname = "a"\n', 1, "two pairs of brackets"),
        ('[[account]]\nprovider = "google"\nname = "A b"\n', 3, "must be 1 to 64 of a-z"),
        ('[[account]]\nname = "a"\nprovider = "imap"\n', 3, "'google' or 'microsoft'"),
        ('[[account]]\nname = "a"\nprovider = "google"\n\n[[account]]\n#\nname = "a"\nprovider = "google"\n', 7, "two"),
        ('[[account]]\nname = "a"\nprovider = "google"\ncolour = "red"\n', 4, "no key 'colour'; the keys are: name, "),
        ('[[account]]\nname = "a"\nprovider = "google"\naddress = 7\n', 4, 'address = "…"'),
        ('[[account]]\nname = "a"\nprovider = "google"\naddress = ""\n', 4, 'address = "…"'),
        ('[[account]]\nname = "a"\nprovider = "google"\naliases = "x@y"\n', 4, 'aliases = ["…"]'),
        ('[[account]]\nname = "a"\nprovider = "google"\naliases = [1]\n', 4, 'aliases = ["…"]'),
        ('[[account]]\nname = "a"\nprovider = "google"\nstore = "vault"\n', 4, '"file", "encrypted" or "keyring"'),
        ('[[account]]\nname = "a"\nprovider = "google"\nstore = "keyring:x"\n', 4, "service and entry"),
        ('[[account]]\nname = "a"\nprovider = "google"\nstore = "keyring:x/\\u0000"\n', 4, "service and entry"),
        ('[[account]]\nname = "a"\nprovider = "google"\nstore_key = "x/y"\n', 4, "for an encrypted store"),
        ('[[account]]\nname = "a"\nprovider = "google"\nmailbox = "x@y"\n', 4, "is for Outlook"),
        ('[[account]]\nname = "a"\nprovider = "google"\nbase_url = "x"\n', 4, "absolute"),
        ('[[account]]\nname = "a"\nprovider = "google"\nservice_account = "k"\n', 1, "lacks subject"),
        (
            '[[account]]\nname = "a"\nprovider = "google"\nservice_account = "k"\nsubject = "s"\nfeatures = ["fly"]\n',
            6,
            "no feature 'fly'",
        ),
        (
            '[[account]]\nname = "a"\nprovider = "microsoft"\nservice_account = "k"\nsubject = "x@y"\n',
            3,
            'set provider = "google"',
        ),
        (
            '[[account]]\nname = "a"\nprovider = "google"\nstore = "file"\ntoken_env = "T"\n',
            5,
            "token_env and store do not go together",
        ),
        (
            '[[account]]\nname = "a"\nprovider = "microsoft"\nclient_id = "x"\ntenant = "y"\nmailbox = "m@y"\n',
            1,
            "client_secret_env or client_secret_file must name",
        ),
        (
            (
                '[[account]]\nname = "a"\nprovider = "microsoft"\nclient_id = "x"\ntenant = "y"\nmailbox = "m@y"\n'
                'client_secret_env = "A"\nclient_secret_file = "b"\n'
            ),
            7,
            "one of them",
        ),
        (
            (
                '[[account]]\nname = "a"\nprovider = "microsoft"\nclient_id = "x"\ntenant = "common"\nmailbox = "m"\n'
                'client_secret_env = "A"\n'
            ),
            5,
            "set tenant to its id or domain",
        ),
        (
            (
                '[[account]]\nname = "a"\nprovider = "microsoft"\nclient_id = "x"\ntenant = "y"\nmailbox = "m@y"\n'
                'client_secret_file = "b\\u0000"\n'
            ),
            7,
            "client_secret_file must be the path of a file",
        ),
        (
            (
                '[[account]]\nname = "a"\nprovider = "microsoft"\nclient_id = "x\\n"\ntenant = "y"\nmailbox = "m@y"\n'
                'client_secret_env = "A"\n'
            ),
            4,
            "client_id must be a text",
        ),
        ('[[account]]\nname = "a"\nprovider = "google"\nstore = "file:x\\u0000"\n', 4, "store must be the path"),
        ('[[account]]\nname = "a"\nprovider = "google"\nstore = "file:~nosuch/x"\n', 4, "in full, without ~"),
        (
            '[[account]]\nname = "a"\nprovider = "google"\nstore = "encrypted"\nstore_key = "x"\n',
            5,
            '"service/name"',
        ),
        ('[[account]]\nname = "a"\nprovider = "google"\n[account.store]\nkind = "file"\n', 4, "store must be a text"),
        ('[[account]]\nname = "a"\nprovider = "google"\nstore.kind = "file"\n', 4, "store must be a text"),
        ('[[account]]\nname = "a"\nprovider = "google"\n[[account.token]]\nx = 1\n', 4, "no key 'token'"),
        ('[[account]]\nname = "a"\nprovider = "google"\n"a b" = 1\n', 4, "no key 'a b'"),
        ('[[account]]\nname = "a"\nprovider = "microsoft"\nclient_id = "x"\n', 1, "lacks tenant"),
        ('account = [{ name = "a" }]\n', 1, "lacks provider"),
    ],
)
def test_what_is_wrong_is_told_with_file_line_and_fix(text: str, line: int, says: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        read(text)
    assert says in str(caught.value)
    assert (caught.value.file, caught.value.line) == (str(FILE), line)
    assert f"{FILE}, line {line}: " in str(caught.value)


TEXT = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)


@given(addresses=st.lists(TEXT, max_size=4), default=st.booleans(), comment=st.text("# [=]\"'account", max_size=20))
def test_any_text_survives_being_written(addresses: list[str], default: bool, comment: str) -> None:
    accounts = tuple(
        Account(
            name=f"a{number}",
            provider="google",
            token=EnvironmentToken(variable=address),
            address=address,
            aliases=(address,),
        )
        for number, address in enumerate(addresses)
    )
    listed = Listed(accounts=accounts, default="a0" if default and accounts else None)
    text = f"# {comment}\n" + write_accounts(listed, file=FILE)
    tomllib.loads(text)
    assert said(read(text)) == said(listed)
    shorter = Listed(accounts=accounts[1:])
    assert said(read(write_accounts(shorter, file=FILE, before=text))) == said(shorter)


def test_a_token_held_in_memory_is_refused_with_what_to_use_instead() -> None:
    for token in ("a secret", MemoryStore(), lambda: "a secret", EncryptedFileStore("/x", key=bytes(32))):
        account = Account(name="home", provider="google", token=token)
        with pytest.raises(ConfigurationError, match="account 'home' cannot stand in a file") as caught:
            write_accounts(Listed(accounts=(account,)), file=FILE)
        assert "secret" not in str(caught.value)


@pytest.mark.skipif(sys.platform == "win32", reason="pipes of POSIX")
@pytest.mark.parametrize("kind", ["pipe", "folder", "device"])
def test_what_is_no_plain_file_is_refused_at_once(kind: str, home: Path) -> None:
    home.mkdir()
    file = home / "accounts.toml"
    if kind == "pipe":
        os.mkfifo(file)
    elif kind == "folder":
        file.mkdir()
    else:
        file.symlink_to(os.devnull)
    for work in (Accounts.load, Accounts([]).save):
        with pytest.raises(ConfigurationError, match="no plain file") as caught:
            work()
        assert caught.value.file == str(file)


@pytest.mark.skipif(sys.platform == "win32", reason="modes of POSIX")
def test_folders_others_may_write_to_are_closed(home: Path) -> None:
    store = FileStore(home / "tokens" / "home.json")
    account = Account(name="home", provider="google", token=store)
    for folder in (home, store.path.parent):
        folder.mkdir()
        folder.chmod(0o777)
    with pytest.warns(MailkitWarning, match="home; its mode is now 700"):
        Accounts.load()
    with pytest.warns(MailkitWarning, match="tokens; its mode is now 700"):
        assert store.load() is None
    home.chmod(0o777)
    with pytest.warns(MailkitWarning, match="home; its mode is now 700"):
        Accounts(account).save()
    assert [stat.S_IMODE(folder.stat().st_mode) for folder in (home, store.path.parent)] == [0o700, 0o700]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MAILKIT_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def test_a_set_is_loaded_changed_and_saved(home: Path) -> None:
    accounts = Accounts.load()
    assert list(accounts) == []
    accounts.add(Account(name="home", provider="google", token=FileStore(home / "tokens" / "home.json")))
    accounts.add(Account(name="work", provider="microsoft", token=KeyringStore("mailkit", "work")))
    accounts.set_default("work")
    before = os.umask(0)
    try:
        assert accounts.save() == home / "accounts.toml"
    finally:
        os.umask(before)
    assert stat.S_IMODE((home / "accounts.toml").stat().st_mode) == 0o600
    again = Accounts.load()
    assert (list(again), again.default) == (["home", "work"], "work")
    assert again.remove("work").name == "work"
    assert (list(again), again.default) == (["home"], None)
    again.save()
    assert list(Accounts.load(home / "accounts.toml")) == ["home"]


def test_without_mailkit_home_the_systems_folder_is_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import platformdirs

    monkeypatch.setattr(platformdirs, "user_config_path", lambda name, appauthor: tmp_path / name)
    (tmp_path / "mailkit").mkdir()
    (tmp_path / "mailkit" / "accounts.toml").write_text('[[account]]\nname = "a"\nprovider = "google"\n')
    assert list(Accounts.load()) == ["a"]


def test_changes_are_checked(home: Path) -> None:
    accounts = Accounts.load()
    account = Account(name="home", provider="google", token=FileStore(home / "x.json"))
    accounts.add(account)
    with pytest.raises(ConfigurationError, match="two accounts are called 'home'"):
        accounts.add(account)
    with pytest.raises(ConfigurationError, match="names no account"):
        accounts.set_default("work")
    with pytest.raises(Exception, match="'work'"):
        accounts.remove("work")


def test_a_file_that_is_being_edited_is_not_overwritten(home: Path) -> None:
    accounts = Accounts.load()
    home.mkdir()
    (home / "accounts.toml").write_text("[[account]\n")
    with pytest.raises(ConfigurationError, match="line 1"):
        accounts.save()
    assert (home / "accounts.toml").read_text() == "[[account]\n"
    (home / "accounts.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigurationError, match="UTF-8"):
        Accounts.load()


def test_a_link_to_a_file_of_settings_stays_a_link(home: Path, tmp_path: Path) -> None:
    home.mkdir()
    (tmp_path / "dotfiles.toml").write_text("")
    (home / "accounts.toml").symlink_to(tmp_path / "dotfiles.toml")
    accounts = Accounts.load()
    accounts.add(Account(name="home", provider="google", token=FileStore(home / "tokens" / "home.json")))
    accounts.save()
    assert (home / "accounts.toml").is_symlink()
    assert "home" in (tmp_path / "dotfiles.toml").read_text()
    token = Accounts.load()["home"].token
    assert isinstance(token, FileStore)
    assert token.path == home / "tokens" / "home.json"  # never beside the file the link leads to


def test_who_edits_keeps_others_out_and_saves_in_the_end(home: Path) -> None:
    with Accounts.edit() as accounts:
        accounts.add(Account(name="home", provider="google", token=EnvironmentToken(variable="T")))
        with pytest.raises(Unavailable), locked(home / "accounts.toml", seconds=0.01):
            raise AssertionError("two are inside")
        assert not (home / "accounts.toml").exists()
    assert list(Accounts.load()) == ["home"]

    def fail(accounts: Accounts) -> None:
        accounts.remove("home")
        raise RuntimeError

    with pytest.raises(RuntimeError), Accounts.edit() as accounts:
        fail(accounts)
    assert list(Accounts.load()) == ["home"]


def test_an_account_that_cannot_load_fails_when_used_or_at_once_when_strict(home: Path) -> None:
    home.mkdir()
    (home / "tokens").mkdir()
    (home / "tokens" / "broken.json").write_text("damaged")
    (home / "tokens" / "broken.json").chmod(0o600)
    (home / "key.json").write_text('{"type": "authorized_user"}')
    (home / "accounts.toml").write_text(
        textwrap.dedent(
            """
            [[account]]
            name = "nobody"
            provider = "google"
            [[account]]
            name = "broken"
            provider = "google"
            [[account]]
            name = "robot"
            provider = "google"
            service_account = "key.json"
            subject = "ann@example.com"
            [[account]]
            name = "app"
            provider = "microsoft"
            tenant = "contoso.example"
            client_id = "x"
            client_secret_file = "none.txt"
            mailbox = "team@contoso.example"
            [[account]]
            name = "given"
            provider = "google"
            token_env = "MAILKIT_NOT_SET"
            """
        )
    )
    assert len(Accounts.load()) == 5
    with pytest.raises(AccountsFailed, match="5 of 5 accounts cannot be used") as caught:
        Accounts.load(strict=True)
    errors = {str(error.account): error for error in caught.value.errors}
    assert list(errors) == ["nobody", "broken", "robot", "app", "given"]
    assert isinstance(errors["nobody"], SignInRequired)
    assert 'mailkit.sign_in("nobody")' in str(errors["nobody"])
    assert "broken.json.corrupt-1" in str(errors["broken"])
    assert "no key of a service account" in str(errors["robot"])
    assert "none.txt" in str(errors["app"])
    assert "MAILKIT_NOT_SET is not set" in str(errors["given"])
