"""mailkit's Gmail driver on a service nobody here wrote: npm's ``emulate``.

It has no batch and no profile, takes no notice of ``fields``, and its page token is an offset. Of the query language it
knows words and most operators, side by side; no OR, no ``in:anywhere`` and no negation but ``-label:``, so that trash
and spam cannot be searched.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from mailkit import MailClient, NotFound
from mailkit.values import Ref
from tests.emulator.seed import ANN, DATES, LABELS, LETTERS, Letter, raw

Choice = Callable[[Letter], bool]

SEARCHES: dict[str, Choice] = {
    "": lambda _: True,
    "from:priya": lambda letter: "priya" in letter.sender,
    "from:me": lambda letter: ANN in letter.sender,
    "subject:trip": lambda letter: "Trip" in letter.subject,
    "is:unread": lambda letter: "UNREAD" in letter.labels,
    "is:starred": lambda letter: "STARRED" in letter.labels,
    "in:inbox": lambda letter: "INBOX" in letter.labels,
    "in:sent": lambda letter: "SENT" in letter.labels,
    "label:work": lambda letter: "Label_7" in letter.labels,
    "has:attachment": lambda letter: bool(letter.files),
    "from:sam is:unread": lambda letter: "Sam" in letter.sender and "UNREAD" in letter.labels,
    "figures": lambda letter: "Figures" in (letter.text or ""),
    "after:2026/03/04 before:2026/03/06": lambda letter: 4 <= DATES[letter.id].day < 6,
    "no-such-word-anywhere": lambda _: False,
}


def _expected(query: str) -> list[str]:
    shown = (letter for letter in reversed(LETTERS) if not {"TRASH", "SPAM"}.intersection(letter.labels))
    return [letter.id for letter in shown if SEARCHES[query](letter)]


@pytest.mark.parametrize("query", SEARCHES)
def test_a_search_finds_what_was_seeded_newest_first(mail: MailClient, query: str) -> None:
    assert [row.ref.id for row in mail.iter_search(query, limit=None)] == _expected(query)


def test_a_cursor_goes_on_where_the_rows_ended(mail: MailClient) -> None:
    first = mail.search("figures", limit=60)
    second = mail.search("figures", limit=60, cursor=first.cursor)
    last = mail.search("figures", limit=60, cursor=second.cursor)
    rows = [*first, *second, *last]
    assert [row.ref.id for row in rows] == _expected("figures")
    assert last.cursor is None


def test_rows_say_what_was_seeded(mail: MailClient) -> None:
    letters = {letter.id: letter for letter in LETTERS}
    for row in mail.iter_search(limit=None):
        letter = letters[row.ref.id]
        assert (row.subject, str(row.from_)) == (letter.subject, letter.sender.replace('"', ""))
        assert [address.address for address in row.to] == [ANN]
        assert (row.date, row.message_id) == (DATES[letter.id], letter.message_id)
        assert (row.is_read, row.is_starred) == ("UNREAD" not in letter.labels, "STARRED" in letter.labels)
        assert set(row.labels) == {LABELS[label] for label in letter.labels if label in LABELS}


def test_whole_messages_come_one_by_one_where_there_is_no_batch(mail: MailClient) -> None:
    outcomes = mail.get_many([Ref(account="home", kind="message", id=letter.id) for letter in LETTERS])
    for letter, outcome in zip(LETTERS, outcomes, strict=True):
        message = outcome.value
        assert message is not None
        assert (message.ref.id, message.subject) == (letter.id, letter.subject)
        assert ((message.body.plain or "").strip(), (message.body.html or "").strip()) == (
            letter.text or "",
            letter.html or "",
        )


def test_a_message_that_is_not_there_is_the_only_one_to_fail(mail: MailClient) -> None:
    there, missing = mail.get_many(["m01", "m99"], account="home")
    assert there.value is not None
    assert isinstance(missing.error, NotFound)


def test_a_thread_is_whole_and_oldest_first(mail: MailClient) -> None:
    row = mail.search("subject:trip", limit=1)[0]
    assert [message.ref.id for message in mail.thread(row).messages] == ["m01", "m02", "m03"]


def test_labels_are_those_seeded(mail: MailClient) -> None:
    labels = mail.labels.list()
    assert {label.ref.id: label.path for label in labels if label.kind == "label"} == LABELS
    assert {"inbox", "sent", "drafts", "trash", "spam"} <= {label.role for label in labels}


def test_attachments_have_the_seeded_names_and_bytes(mail: MailClient) -> None:
    for letter in LETTERS[:10]:
        found = mail.attachments.list(letter.id, account="home")
        assert [(a.name, a.content_type, mail.attachments.read(a)) for a in found] == list(letter.files)
        assert [a.size for a in found] == [len(content) for _, _, content in letter.files]


def test_the_original_bytes_come_back(mail: MailClient) -> None:
    for letter in LETTERS[:10]:
        assert mail.raw(letter.id, account="home") == raw(letter)
