"""Refs survive the way out and back and refuse what was changed; accounts refuse what cannot work."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mailkit.errors import ConfigurationError, UsageError
from mailkit.values import Account, Address, Ref

NAMES = st.from_regex(r"[a-z0-9_-]{1,64}", fullmatch=True)
IDS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)
REFS = st.builds(
    Ref,
    account=NAMES,
    kind=st.sampled_from(["message", "thread", "attachment", "label"]),
    id=IDS,
    part=st.none() | IDS,
)


@given(REFS)
def test_a_ref_comes_back_from_its_text(ref: Ref) -> None:
    assert Ref.parse(str(ref)) == ref
    assert not any(c.isspace() for c in str(ref))


@given(REFS, st.data())
def test_a_changed_ref_is_refused(ref: Ref, data: st.DataObject) -> None:
    text = str(ref)
    place = data.draw(st.integers(0, len(text) - 1))
    changed = text[:place] + data.draw(st.sampled_from("aZ0:_%")) + text[place + 1 :]
    if changed != text:
        with pytest.raises(UsageError) as caught:
            Ref.parse(changed)
        assert caught.value.code == "bad_ref"


@given(st.text())
def test_any_other_text_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        Ref.parse(text)


def test_a_ref_shows_its_account_and_hides_the_middle_of_its_id() -> None:
    assert repr(Ref(account="work", kind="message", id="AAMkAGI2TG93AAA=")) == "<Ref work message AAMkAGI2TG93AAA=>"
    assert repr(Ref(account="work", kind="message", id="A" * 150)) == "<Ref work message AAAAAA…AAAAAA>"


@pytest.mark.parametrize("name", ["", "Work", "a b", "a.b", "ä", "x" * 65])
def test_an_account_name_is_plain(name: str) -> None:
    with pytest.raises(ConfigurationError, match="a-z, 0-9"):
        Account(name=name, provider="google", token="t")


@pytest.mark.parametrize(
    "url",
    [
        *("graph.microsoft.us", "ftp://x", "https://u:p@x", "https://x/?a=1", "https://x y"),
        *("http://127.0.0.1:99999", "http://h:0", "http://h:x", "http://[::1"),
    ],
)
def test_a_base_url_is_absolute_and_bare(url: str) -> None:
    with pytest.raises(ConfigurationError, match="absolute"):
        Account(name="work", provider="microsoft", token="t", base_url=url)


def test_a_graph_base_url_names_the_version() -> None:
    with pytest.raises(ConfigurationError, match=r"v1\.0"):
        Account(name="work", provider="microsoft", token="t", base_url="https://graph.microsoft.us")
    Account(name="work", provider="microsoft", token="t", base_url="https://graph.microsoft.us/v1.0")
    Account(name="work", provider="google", token="t", base_url="http://127.0.0.1:4000")


def test_a_provider_is_one_of_two() -> None:
    with pytest.raises(ConfigurationError, match="'google' or 'microsoft'"):
        Account(name="work", provider="yahoo", token="t")  # type: ignore[arg-type]  # what is tested


def test_an_account_shows_neither_token_nor_address() -> None:
    shown = repr(Account(name="work", provider="google", token="s3cret", address="ann@example.com"))
    assert "s3cret" not in shown
    assert "ann@" not in shown


def test_an_address_reads_as_in_a_header() -> None:
    assert str(Address(name="Ann", address="ann@example.com")) == "Ann <ann@example.com>"
    assert str(Address(address="ann@example.com")) == "ann@example.com"


def test_a_mailbox_is_named_at_outlook_alone() -> None:
    assert Account(name="team", provider="microsoft", token="t", mailbox="team@contoso.example").mailbox
    with pytest.raises(ConfigurationError, match="service account"):
        Account(name="team", provider="google", token="t", mailbox="team@example.com")


@pytest.mark.parametrize("mailbox", ["", " ", "a b@contoso.example", "../me", "team@contoso.example?x"])
def test_a_mailbox_is_an_address_or_an_id(mailbox: str) -> None:
    with pytest.raises(ConfigurationError, match="mailbox of account 'team'"):
        Account(name="team", provider="microsoft", token="t", mailbox=mailbox)
