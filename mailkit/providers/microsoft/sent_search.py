"""Looking for a mail among the sent mail, by what is certain first.

Responsible for what counts as the same mail. Looks once; Sent Items lag, and when to look again is decided elsewhere.
"""

from __future__ import annotations

import datetime as dt
import re

from mailkit.errors import MailkitError, NotFound
from mailkit.mime.address_key import address_key
from mailkit.mime.build import SEND_ID_HEADER
from mailkit.models.sending import Evidence
from mailkit.providers.microsoft.letter_wire import has_message_id, has_send_id
from mailkit.providers.microsoft.mail_base import members
from mailkit.providers.microsoft.requests import prefer
from mailkit.providers.wire import (
    Wire,
    as_object,
    get_flag,
    get_instant,
    get_needed_text,
    get_object,
    get_objects,
    get_text,
)
from mailkit.providers.writing import Sent, Trace
from mailkit.transport.call import Answer, Call
from mailkit.transport.session import Session
from mailkit.transport.url import segment

_MEMBERS = "id,conversationId,internetMessageId"
_LOOKED_AT = ("subject", "toRecipients", "ccRecipients", "sentDateTime")
_NEWEST = "50"
_NEAR = dt.timedelta(minutes=1)
_LONGEST_HEAD = 1 << 18
_SEND_ID = re.compile(rb"^%b:[ \t]*(\S+)" % SEND_ID_HEADER.encode(), re.IGNORECASE | re.MULTILINE)


async def find_sent(session: Session, path: str, trace: Trace, *, operation: str) -> Sent | None:
    """Look for the mail in one batch of certain ways, then among the newest sent mail.

    Its Message-ID tells, then the send id, a property of drafts that were sent. At last subject, recipients and minute
    do, of a mail whose bytes bear the send id, or of the only one that bears none. A draft that still is one was not
    sent.
    """
    sent = f"{path}/mailFolders/sentitems/messages"
    ways: dict[Evidence, str] = {
        "message_id": has_message_id(trace.message_id),
        "send_id": has_send_id(trace.send_id),
    }
    calls = [
        Call(operation=operation, url=sent, query=(("$filter", text), ("$select", _MEMBERS)), headers=prefer())
        for text in ways.values()
    ]
    if trace.draft_id is not None:
        url = f"{path}/messages/{segment(trace.draft_id)}"
        calls.append(Call(operation=operation, url=url, query=(("$select", "id,isDraft"),), headers=prefer()))
    outcomes = await session.batch(calls)
    if any(map(_is_draft, outcomes[len(ways) :])):
        return None
    for evidence, outcome in zip(ways, outcomes, strict=False):
        if isinstance(outcome, MailkitError):
            raise outcome
        for item in members(outcome):
            return _sent(item, evidence)
    newest = Call(
        operation=operation,
        url=sent,
        query=(
            ("$orderby", "sentDateTime desc"),
            ("$top", _NEWEST),
            ("$select", ",".join((_MEMBERS, *_LOOKED_AT))),
        ),
        headers=prefer(),
    )
    alike: list[Sent] = []
    for item in members(await session.request(newest)):
        if _is_alike(item, trace):
            borne = await _send_id(session, f"{path}/messages/{segment(get_needed_text(item, 'id', '$'))}", operation)
            if borne == trace.send_id:
                return _sent(item, "send_id")
            if borne is None:
                alike.append(_sent(item, "likeness"))
    return alike[0] if len(alike) == 1 else None


def _is_draft(outcome: Answer | MailkitError) -> bool:
    if isinstance(outcome, NotFound):
        return False
    if isinstance(outcome, MailkitError):
        raise outcome
    return get_flag(as_object(outcome.json(), "$"), "isDraft", "$")


def _sent(item: Wire, evidence: Evidence) -> Sent:
    return Sent(
        message_id=get_text(item, "internetMessageId", "$") or None,
        id=get_text(item, "id", "$") or None,
        thread_id=get_text(item, "conversationId", "$") or None,
        evidence=evidence,
    )


async def _send_id(session: Session, url: str, operation: str) -> str | None:
    """Read the send id off a mail's bytes: Graph does not give the headers of sent mail (OfficeDev/office-js#5413)."""
    call = Call(operation=operation, url=f"{url}/$value", headers=prefer(), expects="bytes")
    head = b""
    async with session.stream(call) as pieces:
        async for piece in pieces:
            head += piece
            if b"\r\n\r\n" in head or len(head) > _LONGEST_HEAD:
                break
    found = _SEND_ID.search(head.partition(b"\r\n\r\n")[0])
    return None if found is None else found[1].decode("ascii", "replace")


def _is_alike(item: Wire, trace: Trace) -> bool:
    sent_at = get_instant(item, "sentDateTime", "$")
    people = {
        address_key(get_text(get_object(each, "emailAddress", "$"), "address", "$"))
        for name in ("toRecipients", "ccRecipients")
        for each in get_objects(item, name, "$")
    }
    return (
        sent_at is not None
        and abs(sent_at - trace.around) <= _NEAR
        and get_text(item, "subject", "$") == trace.subject
        and people == trace.recipients
    )
