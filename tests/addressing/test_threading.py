"""Subjects and References: what makes both sides show an answer below what it answers."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mailkit.addressing import forward_subject, references_of, reply_subject
from mailkit.addressing.references import message_id_of
from mailkit.models.mail import Message
from mailkit.values import Ref


def mail(message_id: str | None, references: tuple[str, ...] = (), in_reply_to: str | None = None) -> Message:
    return Message(
        ref=Ref(account="work", kind="message", id="18c0ffee"),
        thread=Ref(account="work", kind="thread", id="18c0fe"),
        date=dt.datetime(2026, 3, 15, tzinfo=dt.UTC),
        message_id=message_id,
        references=references,
        in_reply_to=in_reply_to,
    )


@pytest.mark.parametrize(
    ("subject", "reply"),
    [
        ("Plan", "Re: Plan"),
        ("", "Re:"),
        *(
            (kept, kept)
            for kept in ("Re: Plan", "RE: Plan", "re:Plan", "AW: Plan", "Sv: Plan", "RE[2]: Plan", "Re(3): Plan")
        ),
        *((kept, kept) for kept in ("Antw: Plan", "Odp: Plan", "R: Piano", "回复\uff1a计划", "Ответ: план")),
        ("Re\u00a0: Facture 12", "Re\u00a0: Facture 12"),
        ("Fwd: Plan", "Re: Fwd: Plan"),
        *(
            (own, f"Re: {own}")
            for own in ("OT: lunch", "AB:CE:1A:0F", "Review: draft", "SV Werder: Tickets", "Replan: x")
        ),
        ("Quarterly Roadmap\r\n & Project Status", "Re: Quarterly Roadmap & Project Status"),
        ("  Plan\tB ", "Re: Plan B"),
    ],
)
def test_the_subject_of_an_answer(subject: str, reply: str) -> None:
    assert reply_subject(subject) == reply


@pytest.mark.parametrize(
    ("subject", "forward"),
    [
        ("Plan", "Fwd: Plan"),
        *((kept, kept) for kept in ("Fwd: Plan", "FW: Plan", "WG: Plan", "TR: Plan", "RV: Plan", "转发\uff1a计划")),
        ("Re: Plan", "Fwd: Re: Plan"),
        ("Forward: march", "Fwd: Forward: march"),
    ],
)
def test_the_subject_of_a_forward(subject: str, forward: str) -> None:
    assert forward_subject(subject) == forward


@given(st.text())
def test_a_subject_gets_one_prefix_and_stays_on_one_line(subject: str) -> None:
    for prefixed in (reply_subject, forward_subject):
        once = prefixed(subject)
        assert prefixed(once) == once
        assert len(once.splitlines()) <= 1


def test_the_chain_grows_by_the_message_answered() -> None:
    parent = mail("<abc@mail.example.com>", ("<r1@x.example>", "<r2@x.example>"))
    assert references_of(parent) == ("<r1@x.example>", "<r2@x.example>", "<abc@mail.example.com>")
    assert message_id_of(parent) == "<abc@mail.example.com>"


def test_without_references_the_message_it_answers_stands_in() -> None:
    assert references_of(mail("<b@x>", in_reply_to="<a@x>")) == ("<a@x>", "<b@x>")
    assert references_of(mail("<b@x>", ("<r@x>",), in_reply_to="<a@x>")) == ("<r@x>", "<b@x>")


@pytest.mark.parametrize(
    "message_id", [None, "", "no brackets", "<a b@x>", "<a@x", f"<{'a' * 1000}@x>", "<\r\nBcc: x@y>"]
)
def test_what_has_no_usable_message_id_cannot_be_referred_to(message_id: str | None) -> None:
    assert references_of(mail(message_id, ("<r1@x>",))) == ()
    assert message_id_of(mail(message_id)) is None


def test_a_long_chain_keeps_its_beginning_and_its_end() -> None:
    chain = tuple(f"<{n:03}{'x' * 40}@example.org>" for n in range(60))
    kept = references_of(mail("<new@x>", chain))
    assert kept == (chain[0], *chain[-9:], "<new@x>")


def test_a_damaged_chain_is_read_for_what_it_holds() -> None:
    assert references_of(mail("<c@x>", ("<a@x><b@x>", "junk", "<c@x>"))) == ("<a@x>", "<b@x>", "<c@x>")


IDS = st.integers(0, 99).map(lambda n: f"<{n}@example.org>")


@given(IDS, st.lists(IDS).map(tuple), st.none() | IDS)
def test_every_chain_ends_with_the_parent_and_names_nobody_twice(
    parent: str, references: tuple[str, ...], in_reply_to: str | None
) -> None:
    chain = references_of(mail(parent, references, in_reply_to))
    assert chain[-1] == parent
    assert len(set(chain)) == len(chain)
    if len(" ".join({*references, parent})) < 900:
        assert set(references) | {parent} <= set(chain)
        assert len(references_of(mail("<next@x>", chain))) == len(chain) + 1
