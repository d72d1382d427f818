"""Every message of the public corpora says the same in a mailbox of each provider and read from its own bytes.

What mailkit says is compared with an independent reading (``reading``), and the three ways with each other. Where they
may differ stands in ``DEVIATIONS`` and ``FROM_BYTES``, with the reason; nothing else may.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from pathlib import PurePosixPath

import anyio
import attrs
import pytest

from mailkit import AsyncMailClient, Attachment, Message, MessageSummary, ParsedMessage, Settings, parse_message
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
    ("sig-uu.msg", "files"): "files written into the text, which mailkit lists and the standard library does not know",
    ("uu-zeegee.msg", "files"): "the same",
    ("uu-junk.msg", "files"): "the same",
}

_WRITTEN_IN = "files written into the text: Outlook, as played here, leaves them there"
_BYTES = (
    "bytes beyond ASCII under the name of ASCII or of UTF-8: mailkit reads them, the standard library gives them up"
)
_LATIN = "bytes that the narrow Latin-1 has no letters for: mailkit reads Windows-1252, as browsers do"
_LIES = "UTF-8 under another name: mailkit reads UTF-8"
_OBSOLETE = "a blank before the colon (RFC 5322 §4.5), where the standard library ends the header"
_FOLDED = "a boundary folded within its quotes, which the standard library takes for another"
_EMPTY = "boundaries side by side, the parts between which the standard library skips"
_IN_BASE64 = "an attached message in base64, which RFC 2046 §5.2.1 forbids and the standard library leaves as it is"

FROM_BYTES: Mapping[tuple[str, str], str] = {
    ("attachment_with_encoded_name.eml", "files"): _LATIN,
    ("raw_email8.eml", "files"): _LATIN,
    ("bad_encoded_subject.eml", "headers"): "a charset that does not exist: mailkit tries UTF-8, the others give up",
    ("invalid_subject_characters.eml", "subject"): _BYTES,
    ("invalid_subject_characters.eml", "headers"): _BYTES,
    ("example13.eml", "to"): _OBSOLETE,
    ("example13.eml", "headers"): _OBSOLETE,
    ("example13.eml", "plain"): _OBSOLETE,
    ("obsolete.msg", "subject"): _OBSOLETE,
    ("obsolete.msg", "headers"): _OBSOLETE,
    ("obsolete.msg", "plain"): _OBSOLETE,
    ("multi-badnames.msg", "files"): _FOLDED,
    ("multi-badnames.msg", "plain"): _FOLDED,
    ("multi-clen.msg", "files"): _FOLDED,
    ("multi-clen.msg", "plain"): _FOLDED,
    ("multi-digest.msg", "files"): _FOLDED,
    ("multi-digest.msg", "plain"): _FOLDED,
    ("multi-simple.msg", "plain"): _FOLDED,
    ("multipartemptypart.msg", "plain"): _EMPTY,
    ("double-bound.msg", "html"): _EMPTY,
    ("msg_15.txt", "html"): _EMPTY,
    ("attachment_pdf_non_ascii.eml", "plain"): _LIES,
    ("attachment_pdf_non_ascii_lf.eml", "plain"): _LIES,
    ("content_transfer_encoding_7-bit.eml", "plain"): _LIES,
    ("content_transfer_encoding_7-bit.eml", "html"): _LIES,
    ("content_transfer_encoding_empty.eml", "html"): _LIES,
    ("content_transfer_encoding_plain.eml", "plain"): _BYTES,
    ("raw_email6.eml", "plain"): _BYTES,
    ("mime4j-219-new-date-time-format.msg", "plain"): _BYTES,
    ("multi-2gifs-base64.msg", "attached"): _IN_BASE64,
    ("bad-newlines-multiple-parts-base64.msg", "attached"): _IN_BASE64,
    ("base64encoded-rfc822message.msg", "attached"): _IN_BASE64,
    ("base64encoded-rfc822message-nested.msg", "attached"): _IN_BASE64,
    ("multipart_report_multiple_status.eml", "attached"): "a delivery report the standard library writes anew",
    ("infinite.msg", "attached"): "a text without a charset, which Gmail gives in UTF-8",
    ("twopart.msg", "sizes"): "damaged base64, which the standard library leaves as it is",
}
"""Where a message's own bytes say something else than both the standard library and Gmail, which it plays here."""


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
    parsed: Mapping[str, ParsedMessage]


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

    return World(
        letters={path: read(raw) for path, raw in files.items()},
        files=files,
        read=anyio.run(everything),
        parsed={path: parse_message(raw) for path, raw in files.items()},
    )


async def _read(mail: AsyncMailClient, account: str) -> AsyncIterator[tuple[str, Read]]:
    rows = await mail.search(accounts=account, limit=EVERYTHING)
    assert (rows.problems, rows.notes, rows.cursor) == ((), (), None)
    for row, outcome in zip(rows, await mail.get_many(rows), strict=True):
        attachments = tuple(await mail.attachments.list(row))
        contents = [await mail.attachments.read(attachment) for attachment in attachments]
        yield row.ref.id, Read(row, outcome.unwrap(), await mail.raw(row), attachments, tuple(contents))


def _told(message: Message | ParsedMessage) -> dict[str, object]:
    """What mailkit says of a file, field by field."""
    people = {
        "from": (message.from_,) if message.from_ else (),
        "to": message.to,
        "cc": message.cc,
        "reply-to": message.reply_to,
    }
    return {
        "subject": squeezed(message.subject),
        **{name: tuple((squeezed(who.name), who.address) for who in who_all) for name, who_all in people.items()},
        "date": message.date if isinstance(message, ParsedMessage) else message.sent_at,
        "message-id": message.message_id,
        "in-reply-to": message.in_reply_to,
        "references": message.references,
        "headers": [(name.lower(), _bare(value)) for name, value in message.headers],
        "files": [squeezed(attachment.name) for attachment in message.attachments],
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
        "files": [
            leaf.name or ("attachment.eml" if leaf.content_type == "message/rfc822" else "")
            for leaf in letter.leaves
            if leaf not in _texts(provider, letter)
        ],
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
    of: Mapping[str, Mapping[str, object]],
    from_: Mapping[str, Mapping[str, object]],
    but: Mapping[tuple[str, str], str] = DEVIATIONS,
) -> dict[str, object]:
    """Give what differs and is not among the deviations."""
    return {
        f"{path}: {field}": (value, from_[path][field])
        for path, fields in of.items()
        for field, value in fields.items()
        if value != from_[path][field] and (PurePosixPath(path).name, field) not in but
    }


def test_there_are_messages_of_every_corpus(world: World) -> None:
    found = {path.partition("/")[0] for path in world.files}
    assert ROOT is not None
    assert found == {path.name for path in ROOT.iterdir() if path.is_dir()}
    assert {name for name, _ in (*DEVIATIONS, *FROM_BYTES)} <= {PurePosixPath(path).name for path in world.files}


@pytest.mark.parametrize("provider", PROVIDERS)
def test_none_is_lost(world: World, provider: str) -> None:
    assert set(world.read[provider]) == set(world.files)


@pytest.mark.parametrize("provider", PROVIDERS)
def test_it_says_what_the_file_says(world: World, provider: str) -> None:
    read_here = world.read[provider]
    told = {path: _told(one.message) for path, one in read_here.items()}
    expected = {path: _expected(provider, world.letters[path], one) for path, one in read_here.items()}
    assert _differences(told, expected) == {}


def test_both_providers_say_the_same(world: World) -> None:
    google, microsoft = ({path: _told(one.message) for path, one in world.read[name].items()} for name in PROVIDERS)
    for path, letter in world.letters.items():
        # What only one of them holds or makes up; see _expected.
        ours = ["headers", "files"] + ["date"] * (letter.date is None) + ["message-id"] * (letter.message_id is None)
        for field in ours:
            del google[path][field]
    assert _differences(google, microsoft) == {}


def test_the_bytes_say_what_gmail_says(world: World) -> None:
    google, parsed = world.read["google"], world.parsed
    told = _differences(
        {path: _told(message) for path, message in parsed.items()},
        {path: _told(one.message) for path, one in google.items()},
        but=FROM_BYTES,
    )
    files = _differences(
        {path: {"sizes": _sizes(message)} for path, message in parsed.items() if not _deviates(path, "files")},
        {path: {"sizes": _sizes(one.message)} for path, one in google.items()},
        but=FROM_BYTES,
    )
    texts = _differences(
        {
            path: {"plain": _said(message.body.plain), "html": _said(message.body.html)}
            for path, message in parsed.items()
        },
        {
            path: {"plain": _said(o.message.body.plain), "html": _said(o.message.body.html)}
            for path, o in google.items()
        },
        but=FROM_BYTES,
    )
    assert (told, files, texts) == ({}, {}, {})


def test_the_bytes_say_what_outlook_says(world: World) -> None:
    compared = 0
    differing: dict[str, object] = {}
    for path, message in world.parsed.items():
        there = world.read["microsoft"][path].message
        letter = world.letters[path]
        if _texts("microsoft", letter) != _texts("google", letter) or _deviates(path, "plain", "files"):
            continue  # Outlook has one text of each kind, and hangs the others on the mail
        compared += 1
        if not _deviates(path, "sizes") and _sizes(message) != _sizes(there):
            differing[f"{path}: sizes"] = _sizes(message), _sizes(there)
        # Outlook has one body, the HTML where there is one, and makes it of the text where there is none.
        body = attrs.evolve(message.body, plain=None) if message.body.html else message.body
        if _bare(body.text) != _bare(there.body.text) and (PurePosixPath(path).name, "html") not in FROM_BYTES:
            differing[f"{path}: text"] = _bare(body.text), _bare(there.body.text)
    assert differing == {}
    assert compared > 180


def _deviates(path: str, *fields: str) -> bool:
    name = PurePosixPath(path).name
    return any((name, field) in {*DEVIATIONS, *FROM_BYTES} for field in fields)


def _said(text: str | None) -> str | None:
    """Give a text but for its white space: a line end may belong to the text or to the boundary after it."""
    return _bare(text) if text and text.strip() else None


def _sizes(message: Message | ParsedMessage) -> list[tuple[str, int | None]]:
    # Texts may come in another charset, attached messages written anew.
    kinds = ("text/", "message/", "multipart/")
    return [(squeezed(one.name), one.size) for one in message.attachments if not one.content_type.startswith(kinds)]


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
        if _deviates(path, "files"):
            continue
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
def test_texts_and_messages_attached_are_those_of_the_bytes(world: World, provider: str) -> None:
    compared = 0
    differing: dict[str, object] = {}
    for path, message in world.parsed.items():
        letter, one = world.letters[path], world.read[provider][path]
        if _texts(provider, letter) != _texts("google", letter) or _deviates(path, "files", "plain", "attached"):
            continue
        here = [_attached(of.content_type, of.content) for of in message.attachments]
        there = [_attached(of.content_type, content) for of, content in zip(one.attachments, one.contents, strict=True)]
        compared += len(here) - here.count(None)
        if here != there:
            differing[path] = here, there
    assert differing == {}
    assert compared > 70


def _attached(content_type: str, content: bytes) -> object:
    """What a text or a message says that is attached: the last line end may be the boundary's."""
    if content_type == "message/rfc822":  # which the standard library, playing the providers, writes anew
        message = parse_message(content)
        texts = _said(message.body.plain), _said(message.body.html)
        return _told(message), texts, [_attached(of.content_type, of.content) for of in message.attachments]
    return content.replace(b"\r\n", b"\n").rstrip(b"\n") if content_type.startswith(("text/", "message/")) else None


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
