"""Every message of the public corpora, put into a mailbox of each provider, comes back through mailkit.

What mailkit says is compared with an independent reading (``reading``), and the providers with each other. Where they
may differ stands in ``DEVIATIONS``, with the reason; nothing else may.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from pathlib import PurePosixPath

import anyio
import attrs
import pytest

from mailkit import AsyncMailClient, Attachment, Message, MessageSummary, Settings
from mailkit.sandbox import Sandbox
from mailkit.sandbox.mailbox import Mailbox
from mailkit.testing import sandbox_accounts
from mailkit.transport import Quota
from tests.corpora.reading import MBOX, Leaf, Letter, folder, message_files, read, said_by, squeezed

ROOT = folder()
PROVIDERS = ("google", "microsoft")
EVERYTHING = 1_000

_LIST = "the standard library, which plays Outlook here too, stumbles over the list; mailkit reads it at Gmail"
_COMMENTS = "the standard library puts comments into the name"
_NOBODY = "who has no address is kept at Gmail and not by Outlook"

DEVIATIONS: Mapping[tuple[str, str], str] = {
    ("attachment_nonascii_filename.eml", "files"): "the standard library gives up bytes beyond ASCII in a name",
    ("multi-2evil.msg", "files"): "encoded words within words, which RFC 2047 forbids and every reader takes otherwise",
    ("bad_encoded_subject.eml", "subject"): "a charset that does not exist: mailkit tries UTF-8, the others give up",
    ("bad_date_header.eml", "in-reply-to"): "an address without <> is no message id",
    ("mix_caps_content_type.eml", "from"): "a name and an address without <>: mailkit tells them apart",
    ("raw_email_with_at_display_name.eml", "to"): _LIST,
    ("raw_email_multiple_from.eml", "from"): _LIST,
    ("raw_email_multiple_from.eml", "to"): _LIST,
    ("raw_email_multiple_from.eml", "reply-to"): _LIST,
    ("missing_body.eml", "to"): "a group within <>, which is nobody's address either way",
    ("example10.eml", "from"): _COMMENTS,
    ("example10.eml", "to"): _COMMENTS,
    ("msg_43.txt", "from"): _NOBODY,
    ("encoding_madness.eml", "reply-to"): _NOBODY,
}


@attrs.frozen
class Read:
    """What mailkit says of one file in one mailbox."""

    row: MessageSummary
    message: Message
    raw: bytes
    attachments: tuple[Attachment, ...]
    contents: tuple[bytes, ...]


@attrs.frozen
class World:
    letters: Mapping[str, Letter]
    files: Mapping[str, bytes]
    read: Mapping[str, Mapping[str, Read]]


@pytest.fixture(scope="module")
def world() -> World:
    if ROOT is None:
        pytest.skip("the corpora are not at hand: MAILKIT_SHARED is not set")
    files = message_files(ROOT)
    sandbox = Sandbox()
    boxes: dict[str, Mailbox] = {
        "google": sandbox.google("ann@example.com"),
        "microsoft": sandbox.microsoft("ann@contoso.example"),
    }
    ids = {name: {box.load_eml(raw): path for path, raw in files.items()} for name, box in boxes.items()}

    async def everything() -> dict[str, dict[str, Read]]:
        roomy = Settings(gmail_quota=Quota(units=10_000_000, seconds=60), deadline=3_600)
        async with AsyncMailClient(sandbox_accounts(sandbox, settings=roomy, **boxes), tz="UTC") as mail:
            return {name: {ids[name][i]: one async for i, one in _read(mail, name)} for name in PROVIDERS}

    return World({path: read(raw) for path, raw in files.items()}, files, anyio.run(everything))


async def _read(mail: AsyncMailClient, account: str) -> AsyncIterator[tuple[str, Read]]:
    rows = await mail.search(accounts=account, limit=EVERYTHING)
    assert (rows.problems, rows.notes, rows.cursor) == ((), (), None)
    for row, outcome in zip(rows, await mail.get_many(rows), strict=True):
        attachments = tuple(await mail.attachments.list(row))
        contents = [await mail.attachments.read(attachment) for attachment in attachments]
        yield row.ref.id, Read(row, outcome.unwrap(), await mail.raw(row), attachments, tuple(contents))


def _told(one: Read) -> dict[str, object]:
    """What mailkit says of a file, field by field."""
    message = one.message
    people = {
        "from": (message.from_,) if message.from_ else (),
        "to": message.to,
        "cc": message.cc,
        "reply-to": message.reply_to,
    }
    return {
        "subject": squeezed(message.subject),
        **{name: tuple((squeezed(who.name), who.address) for who in who_all) for name, who_all in people.items()},
        "date": message.sent_at,
        "message-id": message.message_id,
        "in-reply-to": message.in_reply_to,
        "references": message.references,
        "headers": [(name.lower(), _bare(value)) for name, value in message.headers],
        "files": [squeezed(attachment.name) for attachment in one.attachments],
    }


def _expected(provider: str, letter: Letter, one: Read) -> dict[str, object]:
    """What it has to say, the providers' own rules included."""
    headers = [(name, _bare(value)) for name, value in letter.headers]
    people = {name: who_all[:1] if name == "from" else who_all for name, who_all in letter.people.items()}
    date, message_id = letter.date, letter.message_id
    if provider == "microsoft":
        # Outlook keeps nobody without an address and shows no Bcc on what came in; what lacks an id or a date is given
        # one, and mailkit names that id where there is no header at all.
        people = {name: tuple(who for who in who_all if who[1]) for name, who_all in people.items()}
        headers = [header for header in headers if header[0] != "bcc"]
        date = date or one.message.date
        message_id = message_id or one.message.message_id
        headers = headers or [("message-id", str(message_id))]
    return {
        "subject": letter.subject,
        **people,
        "date": date,
        "message-id": message_id,
        "in-reply-to": letter.in_reply_to,
        "references": letter.references,
        "headers": headers,
        "files": [leaf.name for leaf in letter.leaves if leaf not in _texts(provider, letter)],
    }


def _texts(provider: str, letter: Letter) -> list[Leaf]:
    """Give the texts of the mail: at Gmail all, at Outlook the first of each kind; the others are attachments there."""
    texts = [leaf for leaf in letter.leaves if leaf.is_body]
    if provider == "google":
        return texts
    return [*{leaf.content_type == "text/html": leaf for leaf in reversed(texts)}.values()]


def _bare(value: str) -> str:
    """Leave quotes and white space out: Gmail decodes names in lists, and then needs others than the sender."""
    return "".join(value.replace('"', "").split())


def _differences(
    of: Mapping[str, Mapping[str, object]], from_: Mapping[str, Mapping[str, object]]
) -> dict[str, object]:
    """Give what differs and is not among the deviations."""
    return {
        f"{path}: {field}": (value, from_[path][field])
        for path, fields in of.items()
        for field, value in fields.items()
        if value != from_[path][field] and (PurePosixPath(path).name, field) not in DEVIATIONS
    }


def test_there_are_messages_of_every_corpus(world: World) -> None:
    found = {path.partition("/")[0] for path in world.files}
    assert ROOT is not None
    assert found == {path.name for path in ROOT.iterdir() if path.is_dir()}
    assert {name for name, _ in DEVIATIONS} <= {PurePosixPath(path).name for path in world.files}


@pytest.mark.parametrize("provider", PROVIDERS)
def test_none_is_lost(world: World, provider: str) -> None:
    assert set(world.read[provider]) == set(world.files)


@pytest.mark.parametrize("provider", PROVIDERS)
def test_it_says_what_the_file_says(world: World, provider: str) -> None:
    read_here = world.read[provider]
    told = {path: _told(one) for path, one in read_here.items()}
    expected = {path: _expected(provider, world.letters[path], one) for path, one in read_here.items()}
    assert _differences(told, expected) == {}


def test_both_providers_say_the_same(world: World) -> None:
    google, microsoft = ({path: _told(one) for path, one in world.read[name].items()} for name in PROVIDERS)
    for path, letter in world.letters.items():
        # What only one of them holds or makes up; see _expected.
        ours = ["headers", "files"] + ["date"] * (letter.date is None) + ["message-id"] * (letter.message_id is None)
        for field in ours:
            del google[path][field]
    assert _differences(google, microsoft) == {}


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_row_and_its_message_say_the_same(world: World, provider: str) -> None:
    known_later = {"has_attachments"}  # Gmail's rows do not say
    for path, one in world.read[provider].items():
        for field in attrs.fields_dict(MessageSummary).keys() - known_later:
            assert getattr(one.row, field) == getattr(one.message, field), (path, field)
        assert one.attachments == one.message.attachments, path


def test_sizes_are_those_of_the_files(world: World) -> None:
    for path, letter in world.letters.items():
        assert world.read["google"][path].row.size == letter.size, path


@pytest.mark.parametrize("provider", PROVIDERS)
def test_the_bytes_are_those_of_the_file(world: World, provider: str) -> None:
    for path, raw in world.files.items():
        if provider == "microsoft":  # shows no Bcc on what came in
            raw = b"".join(line for line in raw.splitlines(keepends=True) if not line.lower().startswith(b"bcc:"))  # noqa: PLW2901
        assert world.read[provider][path].raw == raw, path


@pytest.mark.parametrize("provider", PROVIDERS)
def test_attachments_have_the_bytes_of_the_file(world: World, provider: str) -> None:
    compared = 0
    for path, one in world.read[provider].items():
        # Texts may come in another charset, attached messages written anew.
        kinds = ("text/", "message/", "multipart/")
        sent = [leaf.content for leaf in world.letters[path].leaves if not leaf.content_type.startswith(kinds)]
        here = [
            content
            for attachment, content in zip(one.attachments, one.contents, strict=True)
            if attachment.kind == "file" and not attachment.content_type.startswith(kinds)
        ]
        assert here == sent, path
        compared += len(sent)
    assert compared > 50


@pytest.mark.parametrize("provider", PROVIDERS)
def test_there_is_text_where_the_file_has_some(world: World, provider: str) -> None:
    silent = {path for path, one in world.read[provider].items() if not one.message.body.text.strip()}
    assert {path for path in silent if said_by(_texts(provider, world.letters[path]))} == set()
    assert len(silent) < len(world.files) / 4


@pytest.mark.parametrize("provider", PROVIDERS)
def test_an_mbox_is_the_messages_in_it(world: World, provider: str) -> None:
    assert ROOT is not None
    box = getattr(Sandbox(), provider)("ann@example.com")
    entries = [box.get(i) for i in box.load_mbox(ROOT / MBOX)]
    parts = [world.letters[f"{MBOX}-{number}"] for number in range(5)]
    assert [entry.mail.subject for entry in entries] == [part.subject for part in parts]
    assert [entry.message["message-id"] for entry in entries] == [part.message_id for part in parts]
