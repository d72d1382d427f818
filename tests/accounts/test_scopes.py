"""Features as scopes and scopes as features."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mailkit.accounts.scopes import DEFAULT_FEATURES, FEATURES, features_of, granted, lacking, scopes_for
from mailkit.errors import ConfigurationError
from mailkit.values import Provider
from tests.support.cases import Case, cases

AUTH = "https://www.googleapis.com/auth/"


@pytest.mark.parametrize(
    ("provider", "feature", "scope"),
    [
        ("google", "read", f"{AUTH}gmail.readonly"),
        ("google", "send", f"{AUTH}gmail.send"),
        ("google", "draft", f"{AUTH}gmail.compose"),
        ("google", "organise", f"{AUTH}gmail.modify"),
        ("google", "calendar_read", f"{AUTH}calendar.readonly"),
        ("google", "calendar", f"{AUTH}calendar"),
        ("microsoft", "read", "Mail.Read"),
        ("microsoft", "send", "Mail.Send"),
        ("microsoft", "draft", "Mail.ReadWrite"),
        ("microsoft", "organise", "Mail.ReadWrite"),
        ("microsoft", "calendar_read", "Calendars.Read"),
        ("microsoft", "calendar", "Calendars.ReadWrite"),
        ("microsoft", "settings_read", "MailboxSettings.Read"),
        ("microsoft", "settings", "MailboxSettings.ReadWrite"),
        ("microsoft", "rooms", "Place.Read.All"),
    ],
)
def test_each_feature_has_its_scope(provider: Provider, feature: str, scope: str) -> None:
    assert scopes_for(provider, {feature}) == {scope}
    assert feature in features_of(provider, {scope})


def test_the_default_reads_sends_and_keeps_calendars() -> None:
    assert scopes_for("microsoft", DEFAULT_FEATURES) == {"Mail.Read", "Mail.Send", "Calendars.ReadWrite"}
    assert scopes_for("google", DEFAULT_FEATURES) == {f"{AUTH}gmail.readonly", f"{AUTH}gmail.send", f"{AUTH}calendar"}


def test_a_scope_that_another_includes_is_not_asked_for() -> None:
    assert scopes_for("google", {"read", "send", "draft", "organise"}) == {f"{AUTH}gmail.modify"}
    assert scopes_for("google", {"send", "draft"}) == {f"{AUTH}gmail.compose"}
    assert scopes_for("microsoft", {"read", "draft", "send"}) == {"Mail.ReadWrite", "Mail.Send"}


def test_shared_mailboxes_have_scopes_of_their_own() -> None:
    assert scopes_for("microsoft", {"read", "send", "settings_read", "shared"}) == {
        "Mail.Read.Shared",
        "Mail.Send.Shared",
        "MailboxSettings.Read",
    }
    assert features_of("microsoft", {"Mail.ReadWrite.Shared"}) == {"read", "draft", "organise", "shared"}


@pytest.mark.parametrize("provider", ["google", "microsoft"])
@given(data=st.data())
def test_what_is_asked_for_is_what_is_granted(provider: Provider, data: st.DataObject) -> None:
    asked = data.draw(st.frozensets(st.sampled_from(sorted(FEATURES[provider] - {"shared"}))))
    scopes = scopes_for(provider, asked)
    assert asked <= features_of(provider, scopes)
    assert all(not asked <= features_of(provider, scopes - {scope}) for scope in scopes)
    assert lacking(provider, scopes, scopes) == frozenset()


def test_the_full_mail_scope_is_understood_and_never_asked_for() -> None:
    assert features_of("google", {"https://mail.google.com/"}) == {"read", "send", "draft", "organise"}
    assert "https://mail.google.com/" not in scopes_for("google", FEATURES["google"])


def test_scopes_are_known_however_they_are_written() -> None:
    assert features_of("google", {"gmail.readonly", "https://mail.google.com"}) >= {"read"}
    assert features_of("microsoft", {"https://graph.microsoft.com/mail.read", "openid"}) == {"read"}
    assert features_of("google", {"openid", f"{AUTH}drive"}) == frozenset()


def test_a_feature_nobody_has_is_refused_with_those_there_are() -> None:
    with pytest.raises(ConfigurationError, match="'rooms' at google; the features are: calendar, "):
        scopes_for("google", {"read", "rooms"})


def test_google_writes_names_in_full_and_adds_openid() -> None:
    answered = f"openid {AUTH}userinfo.email {AUTH}gmail.modify"
    given = granted("google", answered, asked={"email", f"{AUTH}gmail.modify"})
    assert given == {"openid", f"{AUTH}userinfo.email", f"{AUTH}gmail.modify"}
    assert lacking("google", {"email", f"{AUTH}gmail.modify", f"{AUTH}gmail.readonly"}, given) == frozenset()


def test_what_the_person_left_out_is_lacking() -> None:
    asked = scopes_for("google", DEFAULT_FEATURES)
    assert lacking("google", asked, {f"{AUTH}gmail.readonly"}) == {f"{AUTH}gmail.send", f"{AUTH}calendar"}
    assert lacking("microsoft", {"Mail.Read", "offline_access"}, {"Mail.ReadWrite"}) == {"offline_access"}


def test_entra_writes_the_resource_before_the_name() -> None:
    assert granted("microsoft", "https://graph.microsoft.com/Mail.Read openid", asked=()) == {"Mail.Read", "openid"}


def test_without_a_scope_field_nothing_has_changed() -> None:
    assert granted("google", None, asked=["a", "b"]) == {"a", "b"}
    assert granted("google", "", asked=["a", "b"]) == frozenset()


@pytest.mark.parametrize("case", cases("faults.jsonl", lambda case: case["id"] in {"C190", "C192"}))
def test_scopes_as_the_cases_want_them(case: Case) -> None:
    asked, answer = case["input"]["requested"], case["input"].get("response", {})
    given = granted("google", case["input"].get("granted", answer.get("scope")), asked=asked)
    assert sorted(lacking("google", asked, given)) == case["expected"].get("missing_scopes", [])
    assert given == set(case["expected"].get("granted", given))
