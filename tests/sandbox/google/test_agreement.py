"""Two readers that share nothing agree: what Gmail selects for the text mailkit sends is what matches locally."""

from __future__ import annotations

import attrs
from hypothesis import given
from hypothesis import strategies as st

from mailkit.query import Candidate, QueryContext, matches, to_gmail
from mailkit.query.ast import Expr
from mailkit.sandbox import Sandbox, VirtualClock
from tests.query.strategies import ME, NOW, candidates, canonical, contexts
from tests.support.gmail import Gmail
from tests.support.seeds import seed

# In Gmail a coloured star is a star, and there is no folder of another kind.
_gmails = candidates.map(
    lambda mail: attrs.evolve(
        mail,
        starred=mail.starred or mail.star is not None,
        folder="archive" if mail.folder == "other" else mail.folder,
    )
)
_mailboxes = st.lists(_gmails, min_size=1, max_size=6, unique_by=lambda mail: mail.id)


@given(canonical, _mailboxes, contexts)
def test_gmail_selects_what_matches(expr: Expr, mails: list[Candidate], context: QueryContext) -> None:
    sandbox = Sandbox(VirtualClock(NOW))
    gmail = Gmail(sandbox, sandbox.google(ME[0]))
    for mail in mails:
        gmail.box.add(seed(mail))
    wanted = {mail.id for mail in mails if matches(expr, mail, context)}
    assert set(gmail.find(to_gmail(expr, context))) == wanted
