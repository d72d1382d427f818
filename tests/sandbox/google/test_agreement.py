"""Two readers that share nothing agree: what Gmail selects for the text mailkit sends is what matches locally."""

from __future__ import annotations

import attrs
from hypothesis import given
from hypothesis import strategies as st

from mailkit.query import Candidate, QueryContext, matches, to_gmail
from mailkit.query.ast import Expr
from mailkit.sandbox import File, Mail, Person, Sandbox, VirtualClock
from mailkit.values import Address
from tests.query.strategies import ME, NOW, candidates, canonical, contexts
from tests.support.gmail import Gmail


def _person(address: Address) -> Person:
    return Person(address.name, address.address)


def _seed(mail: Candidate) -> Mail:
    return Mail(
        id=mail.id,
        date=mail.date,
        message_id=mail.message_id,
        from_=_person(mail.from_) if mail.from_ else None,
        to=map(_person, mail.to),
        cc=map(_person, mail.cc),
        bcc=map(_person, mail.bcc),
        delivered_to=mail.delivered_to,
        subject=mail.subject,
        text=mail.body,
        size=mail.size,
        # Gmail has no folder of another kind: such mail is archived mail.
        folder="archive" if mail.folder == "other" else mail.folder,
        labels=mail.labels,
        category=mail.category,
        read=mail.read,
        starred=mail.starred,
        star=mail.star,
        important=mail.important,
        muted=mail.muted,
        snoozed=mail.snoozed,
        chat=mail.chat,
        files=[File(name=file.name, inline=file.inline) for file in mail.attachments],
        list_id=mail.list_id,
    )


# In Gmail a coloured star is a star.
_gmails = candidates.map(lambda mail: attrs.evolve(mail, starred=mail.starred or mail.star is not None))
_mailboxes = st.lists(_gmails, min_size=1, max_size=6, unique_by=lambda mail: mail.id)


@given(canonical, _mailboxes, contexts)
def test_gmail_selects_what_matches(expr: Expr, mails: list[Candidate], context: QueryContext) -> None:
    sandbox = Sandbox(VirtualClock(NOW))
    gmail = Gmail(sandbox, sandbox.google(ME[0]))
    for mail in mails:
        gmail.box.add(_seed(mail))
    wanted = {mail.id for mail in mails if matches(expr, mail, context)}
    assert set(gmail.find(to_gmail(expr, context))) == wanted
