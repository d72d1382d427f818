"""The error tree: drawn as it is, picklable, told apart by group, silent about contents."""

from __future__ import annotations

import inspect
import pickle

import pytest

from mailkit import errors
from mailkit.errors import (
    AccountsFailed,
    AllAccountsFailed,
    AmbiguousAccount,
    BadPayload,
    ConfigurationError,
    InvalidQuery,
    ItemsFailed,
    MailkitError,
    NotFound,
    OutcomeUnknown,
    PermissionMissing,
    RateLimited,
    SignInRequired,
    TooLarge,
    UnknownAccount,
    reword,
)

CLASSES = {name: value for name, value in vars(errors).items() if inspect.isclass(value) and name in errors.__all__}
ERRORS = {name: value for name, value in CLASSES.items() if issubclass(value, MailkitError)}

SPECIAL: dict[str, MailkitError] = {
    "UnknownAccount": UnknownAccount("works", ["home", "work"], operation="mail.search"),
    "AmbiguousAccount": AmbiguousAccount(["home", "work"]),
    "InvalidQuery": InvalidQuery("close the group", code="unbalanced_group", query="from:(ann", position=5),
    "TooLarge": TooLarge("too large", limit=100, account="work"),
    "ConfigurationError": ConfigurationError("wrong", file="accounts.toml", line=3, cause="wrong_secret", detail="no"),
    "SignInRequired": SignInRequired(
        "sign in again", account="work", cause="revoked", detail="ann@example.com is gone"
    ),
    "PermissionMissing": PermissionMissing("ask", scopes=["Mail.Read"], account="work"),
    "AccountsFailed": AccountsFailed("one failed", [NotFound("gone", account="a")], operation="mail.search"),
    "AllAccountsFailed": AllAccountsFailed("all failed", [NotFound("gone"), SignInRequired("sign in", account="b")]),
    "ItemsFailed": ItemsFailed("two failed", [NotFound("gone"), RateLimited("wait")], operation="mail.archive"),
    "NotFound": NotFound("no such label", near=["Work"], account="work"),
    "RateLimited": RateLimited("slow down", retry_after=2.5, attempts=["429"]),
    "BadPayload": BadPayload("odd", path="value[3]"),
    "OutcomeUnknown": OutcomeUnknown("look first", message_id="<a@b>"),
}


def an_error(name: str) -> MailkitError:
    return SPECIAL.get(name) or ERRORS[name](
        "a sentence", account="work", operation="mail.get", request_id="r", status=400
    )


def test_all_names_every_error_sorted() -> None:
    assert errors.__all__ == sorted(CLASSES)
    assert {n for n, v in vars(errors).items() if inspect.isclass(v) and issubclass(v, MailkitError)} == set(ERRORS)


def test_the_drawing_shows_every_class_below_its_parent() -> None:
    drawn: dict[str, str] = {}
    path: list[str] = []
    for line in (errors.__doc__ or "").splitlines():
        name = line.replace("│", " ").replace("├──", "   ").replace("└──", "   ")
        word = name.split()[0] if name.split() else ""
        if word in ERRORS:
            depth = (len(name) - len(name.lstrip())) // 4 - 1
            path[depth:] = [word]
            drawn[word] = path[depth - 1] if depth else ""
    assert set(drawn) == set(ERRORS)
    for name, parent in drawn.items():
        assert not parent or ERRORS[parent] in ERRORS[name].__bases__, name


@pytest.mark.parametrize("name", sorted(ERRORS))
def test_an_error_survives_pickling_with_all_it_knows(name: str) -> None:
    error = an_error(name)
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is type(error)
    assert str(copy) == str(error)
    assert repr(copy.__dict__) == repr(error.__dict__)


@pytest.mark.parametrize("name", sorted(ERRORS))
def test_only_passing_failures_are_retryable(name: str) -> None:
    passing = {"RateLimited", "Unavailable", "TransportError", "ConnectionFailed", "TimedOut"}
    if not issubclass(ERRORS[name], AccountsFailed):
        assert an_error(name).retryable is (name in passing)


def test_a_group_is_retryable_when_one_of_its_errors_is() -> None:
    assert AccountsFailed("x", [NotFound("gone"), RateLimited("wait")]).retryable
    assert not AccountsFailed("x", [NotFound("gone")]).retryable


@pytest.mark.parametrize("kind", [AllAccountsFailed, ItemsFailed])
def test_a_group_can_be_split_by_kind(kind: type[AccountsFailed]) -> None:
    caught: list[str] = []
    try:
        raise kind("all 2 failed", [NotFound("gone"), RateLimited("wait")])
    except* NotFound as group:
        caught += [str(e) for e in group.exceptions]
    except* RateLimited as group:
        caught += [str(e) for e in group.exceptions]
    assert caught == ["gone", "wait"]


def test_the_text_says_where_and_what() -> None:
    assert str(NotFound("no such message", account="work", operation="mail.get")) == "work mail.get: no such message"
    assert NotFound("no such message", account="work").message == "no such message"


def test_a_missing_permission_is_named() -> None:
    error = PermissionMissing("grant the permission this needs", scopes=["Mail.Read", "Mail.ReadWrite"], account="work")
    assert str(error) == "work: grant the permission this needs: one of Mail.Read, Mail.ReadWrite"
    error.scopes = ("Mail.Send",)  # whoever knows the request says what it takes
    assert error.message == "grant the permission this needs: one of Mail.Send"
    assert PermissionMissing("grant Mail.Send", scopes=["Mail.Send"]).message == "grant Mail.Send"
    assert PermissionMissing("use another address").message == "use another address"


def test_a_reworded_error_knows_what_it_knew() -> None:
    error = PermissionMissing("no", scopes=["Mail.Send"], account="work", operation="mail.send", request_id="r")
    error.had_no_effect = True
    known = dict(vars(error))
    reword(error, "ask the owner for Mail.Send")
    assert (str(error), vars(error)) == ("work mail.send: ask the owner for Mail.Send", known)
    assert str(pickle.loads(pickle.dumps(error))) == str(error)
    group = AllAccountsFailed("all failed", [error])
    reword(group, "nobody answered")
    assert str(group).startswith("nobody answered:\n")
    assert group.exceptions == (error,)


def test_a_query_error_points_at_the_place_without_repeating_the_query_in_its_text() -> None:
    error = InvalidQuery("close the group", code="unbalanced_group", query="from:(ann", position=5)
    assert "ann" not in str(error)
    assert error.caret.splitlines()[1].index("^") == error.caret.splitlines()[0].index("(")
    assert error.__notes__ == [error.caret]


def test_an_unknown_account_lists_the_names_there_are() -> None:
    assert str(UnknownAccount("wrok", ["home", "work"])).endswith("'wrok'; the accounts are: home, work")


@pytest.mark.parametrize("kind", [SignInRequired, ConfigurationError])
def test_the_providers_own_text_is_kept_apart(kind: type[SignInRequired | ConfigurationError]) -> None:
    error = kind("sign in again", account="work", cause="revoked", detail="ann@example.com is gone")
    assert "ann" not in str(error)
    assert "ann" not in repr(error)
    assert (error.cause, error.detail) == ("revoked", "ann@example.com is gone")
