"""Random records of every kind, for the round trips."""

from __future__ import annotations

import datetime as dt

from hypothesis import strategies as st

from mailkit import errors
from mailkit.models import (
    Attachment,
    Body,
    Draft,
    Failure,
    Label,
    Message,
    MessageSummary,
    Note,
    Organised,
    Outcome,
    Results,
    SendResult,
    Thread,
)
from mailkit.values import Address, Ref

text = st.text(max_size=12)
names = st.from_regex(r"[a-z0-9_-]{1,8}", fullmatch=True)
maybe_text = st.none() | text
instants = st.datetimes(
    min_value=dt.datetime(1990, 1, 1),  # noqa: DTZ001  # hypothesis wants it naive and adds the zone
    max_value=dt.datetime(2090, 1, 1),  # noqa: DTZ001
    timezones=st.sampled_from([dt.UTC, dt.timezone(dt.timedelta(hours=5, minutes=45))]),
)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | text,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(text, inner, max_size=2),
    max_leaves=4,
)
addresses = st.builds(Address, name=text, address=text)
refs = st.builds(
    Ref,
    account=names,
    kind=st.sampled_from(["message", "thread", "attachment", "label"]),
    id=st.text(min_size=1, max_size=12),
    part=st.none() | st.text(min_size=1, max_size=5),
)
summaries = st.builds(
    MessageSummary,
    ref=refs,
    thread=refs,
    message_id=maybe_text,
    from_=st.none() | addresses,
    to=st.lists(addresses, max_size=2).map(tuple),
    subject=text,
    snippet=text,
    date=instants,
    sent_at=st.none() | instants,
    folder=st.sampled_from(["inbox", "sent", "other"]),
    folder_path=maybe_text,
    labels=st.lists(text, max_size=2).map(tuple),
    is_read=st.booleans(),
    has_attachments=st.none() | st.booleans(),
    size=st.none() | st.integers(0, 10**9),
    raw=st.none() | st.dictionaries(text, json_values, max_size=2),
)
attachments = st.builds(Attachment, ref=refs, name=text, size=st.none() | st.integers(0), inline=st.booleans())
bodies = st.builds(Body, plain=maybe_text, html=st.none() | st.just("<p>hi</p>"), snippet=text)
messages = st.builds(
    Message,
    ref=refs,
    thread=refs,
    date=instants,
    subject=text,
    headers=st.lists(st.tuples(text, text), max_size=2).map(tuple),
    body=bodies,
    attachments=st.lists(attachments, max_size=2).map(tuple),
)
threads = st.builds(Thread, ref=refs, messages=st.lists(messages, max_size=2).map(tuple))
labels = st.builds(Label, ref=refs, name=text, path=text, kind=st.sampled_from(["system", "label", "folder"]))
drafts = st.builds(Draft, ref=refs, message=messages)
organised = st.builds(Organised, ref=refs)
records = summaries | attachments | messages | threads | labels | drafts | organised
notes = st.builds(Note, account=names, code=names, term=maybe_text, effect=text)
_plain_results = st.builds(
    SendResult,
    state=st.sampled_from(["sent", "draft", "held", "duplicate", "unknown"]),
    account=names,
    message_id=maybe_text,
    message=st.none() | refs,
    draft=st.none() | refs,
    evidence=st.none() | st.sampled_from(["answer", "message_id", "send_id", "likeness"]),
    blocked=st.lists(addresses, max_size=2).map(tuple),
    trace=st.none() | st.dictionaries(text, json_values, max_size=2),
    notes=st.lists(notes, max_size=2).map(tuple),
)
send_results = _plain_results | st.builds(
    SendResult, state=st.just("duplicate"), account=names, original=_plain_results
)

details = st.fixed_dictionaries(
    {},
    optional={
        "account": st.none() | names,
        "operation": st.none() | names,
        "request_id": maybe_text,
        "status": st.none() | st.integers(100, 599),
        "code": maybe_text,
        "attempts": st.lists(text, max_size=2),
    },
)


def _made(kind: type[errors.MailkitError], **own: st.SearchStrategy[object]) -> st.SearchStrategy[errors.MailkitError]:
    return st.builds(
        lambda message, more, mine: kind(message, **more, **mine), text, details, st.fixed_dictionaries(own)
    )


bad_payloads = st.builds(lambda message, path, more: errors.BadPayload(message, path=path, **more), text, text, details)
single_errors = st.one_of(
    _made(errors.SignInRequired),
    _made(errors.Unavailable),
    _made(errors.TimedOut),
    _made(errors.RateLimited, retry_after=st.none() | st.integers(0, 90).map(float)),
    _made(errors.PermissionMissing, scopes=st.lists(text, max_size=2)),
    bad_payloads,
    st.builds(errors.UnknownAccount, names, st.lists(names, max_size=3)),
    st.builds(errors.AmbiguousAccount, st.lists(names, min_size=1, max_size=3)),
    st.builds(lambda message, query: errors.InvalidQuery(message, code="bad", query=query, position=0), text, text),
    st.builds(lambda message, limit: errors.TooLarge(message, limit=limit), text, st.integers(1)),
    st.builds(lambda message, file: errors.ConfigurationError(message, file=file, line=3), text, maybe_text),
    st.builds(
        lambda message, mid, key, trace: errors.OutcomeUnknown(
            message, message_id=mid, send_id=mid, key=key, trace=trace
        ),
        text,
        text,
        maybe_text,
        st.none()
        | st.fixed_dictionaries({"subject": text, "recipients": st.lists(text, max_size=2), "draft_id": maybe_text}),
    ),
)
some_errors = single_errors | st.builds(
    lambda kind, message, inner: kind(message, inner, operation="mail.search"),
    st.sampled_from([errors.AccountsFailed, errors.AllAccountsFailed, errors.ItemsFailed]),
    text,
    st.lists(single_errors, min_size=1, max_size=3),
)
failures = st.builds(Failure, account=names, error=some_errors, calendar=st.none() | refs)
outcomes = st.builds(Outcome, ref=refs, value=records) | st.builds(Outcome, ref=refs, error=some_errors)
results = st.builds(
    Results,
    rows=st.lists(records, max_size=3).map(tuple),
    failures=st.lists(failures, max_size=2).map(tuple),
    notes=st.lists(notes, max_size=2).map(tuple),
    problems=st.lists(bad_payloads, max_size=2).map(tuple),
    cursor=maybe_text,
)
