"""What a browser brings back is read whatever it is, and taken only when it is the answer to this very question."""

from __future__ import annotations

import re
from contextlib import nullcontext
from urllib.parse import urlencode

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mailkit.accounts.google_identity import authorise_url
from mailkit.accounts.signin.redirect import Pkce, check_redirect, read_redirect
from mailkit.errors import MailkitError, SignInRequired

SMALL = st.text(max_size=30)


def test_pkce_is_as_the_rfc_has_it() -> None:
    # https://www.rfc-editor.org/rfc/rfc7636#appendix-B
    pkce = Pkce(verifier="dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
    assert pkce.challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
    assert "dBjf" not in repr(pkce)


def test_every_verifier_is_new_and_long_enough() -> None:
    verifiers = {Pkce().verifier for _ in range(20)}
    assert len(verifiers) == 20
    assert all(re.fullmatch(r"[A-Za-z0-9._~-]{43,128}", verifier) for verifier in verifiers)


@given(code=SMALL.filter(bool), state=SMALL.filter(bool), path=st.sampled_from(["/", "", "/any/where"]))
def test_what_was_sent_is_what_is_read(code: str, state: str, path: str) -> None:
    query = urlencode({"code": code, "state": state})
    for text in (f"{path}?{query}", f"http://127.0.0.1:1{path}?{query}", query):
        assert read_redirect(text) == {"code": code, "state": state}


@given(SMALL)
@example("http://[x?y")
@example("//[")
@example("?code=%ff&&=#")
def test_anything_may_be_pasted(text: str) -> None:
    fields = read_redirect(text)
    assert fields is None or fields.keys() & {"code", "error"}


@given(fields=st.dictionaries(st.sampled_from(["code", "error", "state", "error_description"]), SMALL), state=SMALL)
def test_only_the_own_state_passes(fields: dict[str, str], state: str) -> None:
    ours = fields.get("state", "") == state
    with nullcontext() if ours and "error" not in fields else pytest.raises(MailkitError) as caught:
        check_redirect(fields, state=state, provider="microsoft", account="work")
    if not ours:
        assert caught is not None
        assert isinstance(caught.value, SignInRequired)
        assert caught.value.code == "state_mismatch"


@pytest.mark.parametrize("hint", [None, "ann@example.com"])
def test_googles_page_is_asked_for_by_the_book(hint: str | None) -> None:
    url = authorise_url(
        client_id="app",
        scopes={"b", "a"},
        redirect_uri="http://127.0.0.1:5",
        state="s t",
        challenge="c",
        login_hint=hint,
    )
    assert url == (
        "https://accounts.google.com/o/oauth2/v2/auth?response_type=code&client_id=app"
        "&redirect_uri=http%3A%2F%2F127.0.0.1%3A5&scope=a%20b&state=s%20t&code_challenge=c"
        "&code_challenge_method=S256&access_type=offline&prompt=consent"
    ) + ("&login_hint=ann%40example.com" if hint else "")
