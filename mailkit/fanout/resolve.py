"""Which accounts a call concerns: three rules, in one place, before anything is sent.

Reads go to all accounts or to the ones named. What concerns one item goes to the account its ref names; a bare id
needs ``account=`` unless there is only one account. Nothing here asks a provider.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mailkit.checks import asked, instance, refuse, several, text
from mailkit.errors import AmbiguousAccount, ConfigurationError, UnknownAccount, UsageError
from mailkit.models.calendar import Calendar, Event
from mailkit.models.drafts import Draft
from mailkit.models.mail import Attachment, Label, MessageSummary, Thread
from mailkit.values import Ref, RefKind, is_ref_text

__all__ = ["concerned", "creator", "item_ref", "label_named", "mail_ref", "owner", "thread_ref"]

# What a bare id does not name by itself: the part of a ref is an attachment's own id, and the calendar of an event.
_WITH_PART: frozenset[RefKind] = frozenset({"attachment", "event"})
_LABEL = "the name of a label, category or folder, a Label, or its ref"


def concerned(accounts: str | Iterable[str] | None, known: Sequence[str], *, operation: str) -> tuple[str, ...]:
    """Give the names a read goes to, in the order of ``known``: all of them, or the ones named.

    Raises:
        UnknownAccount: a name is not known.
        UsageError: there is no account, or the names are an empty list.
    """
    with asked(operation):
        if not known:
            raise ConfigurationError("there is no account yet; pass at least one Account")
        if accounts is None:
            return tuple(known)
        named = several(accounts, "accounts", str, "the name of an account, or a list of names")
        if not named:
            raise UsageError("accounts= names nobody; leave it out to ask all accounts", code="bad_accounts")
        for name in sorted(named):
            _check_known(name, known)
    return tuple(name for name in known if name in named)


def owner(account: str | None, known: Sequence[str]) -> str:
    """Give the account of a bare id: the one named, else the only one there is.

    Raises:
        AmbiguousAccount: there are several and none is named.
        UnknownAccount: the name is not known.
    """
    if account is not None:
        _check_known(account, known)
        return account
    if not known:
        raise ConfigurationError("there is no account yet; pass at least one Account")
    if len(known) > 1:
        raise AmbiguousAccount(known)
    return known[0]


def creator(account: str | None, known: Sequence[str], default: str | None, *, operation: str) -> str:
    """Give the account in which something new is made: the one named, else the default, else the only one.

    Raises:
        AmbiguousAccount: there are several, none is named and none is the default.
        UnknownAccount: the name is not known.
    """
    with asked(operation):
        if account is not None:
            instance(account, "account", str, "the name of an account")
        return owner(default if account is None else account, known)


def item_ref(
    item: Ref | str | MessageSummary | Attachment | Thread | Draft | Label | Calendar | Event,
    kind: RefKind,
    *,
    account: str | None,
    known: Sequence[str],
    operation: str,
) -> Ref:
    """Give the ref of one item out of a row, a ref, the text of one, or the provider's bare id.

    Raises:
        UsageError: it is of another kind, or of another account than ``account``.
        AmbiguousAccount: a bare id, several accounts, and none named.
        UnknownAccount: the account it names is not known.
    """
    with asked(operation):
        if account is not None:
            instance(account, "account", str, "the name of an account")
        ref: object = item if isinstance(item, Ref) else getattr(item, "ref", None)
        if isinstance(item, str):
            ref = Ref.parse(item) if is_ref_text(item) else _bare(item, kind, account, known)
        if not isinstance(ref, Ref):
            by_id = "" if kind in _WITH_PART else ", or the provider's id"
            refuse(item, kind, f"a row, its ref, the text of that{by_id}", code="bad_ref")
        if not _is_plain(ref):
            str(ref)  # refuses what was made by hand and cannot be sent
        if ref.kind != kind:
            raise UsageError(f"this is a ref of kind {ref.kind}; the ref of one {kind} is wanted", code="wrong_kind")
        if not ref.id or (kind != "label" and (ref.part is None) is (kind in _WITH_PART)):
            raise UsageError("this ref lacks its part, or has one too many; pass it as it was given", code="bad_ref")
        if account is not None and account != ref.account:
            raise UsageError(
                "the ref belongs to another account than account= names; leave that out", code="wrong_account"
            )
        _check_known(ref.account, known)
    return ref


def thread_ref(
    item: Ref | str | MessageSummary | Thread, *, account: str | None, known: Sequence[str], operation: str
) -> Ref:
    """Give the ref of the thread meant: that of a row or message is the thread it lies in."""
    of = item.thread if isinstance(item, MessageSummary) else item.ref if isinstance(item, Thread) else item
    return item_ref(of, "thread", account=account, known=known, operation=operation)


def mail_ref(
    item: Ref | str | MessageSummary | Thread, *, account: str | None, known: Sequence[str], operation: str
) -> Ref:
    """Give the ref of the message meant, or of the thread where one is named."""
    with asked(operation):
        named = Ref.parse(item) if isinstance(item, str) and is_ref_text(item) else item
    if isinstance(named, Thread) or (isinstance(named, Ref) and named.kind == "thread"):
        return thread_ref(named, account=account, known=known, operation=operation)
    return item_ref(named, "message", account=account, known=known, operation=operation)


def label_named(label: object, *, account: str | None, known: Sequence[str], operation: str) -> str | Ref:
    """Give the name of a label as it stands, for accounts to look up, or the ref of one.

    Raises:
        UsageError: it is neither, or the ref of something else.
    """
    with asked(operation):
        if isinstance(label, str) and not is_ref_text(label):
            return text(label, "label", _LABEL)
        if not isinstance(label, str | Label | Ref):
            refuse(label, "label", _LABEL)
    return item_ref(label, "label", account=account, known=known, operation=operation)


def _is_plain(ref: Ref) -> bool:
    """Say whether a ref is ASCII throughout, as nearly all are: to write one takes ten times as long."""
    try:
        return "".join((ref.account, ref.kind, ref.id, "" if ref.part is None else ref.part)).isascii()
    except TypeError:
        return False


def _bare(text: str, kind: RefKind, account: str | None, known: Sequence[str]) -> Ref:
    if not text or text != text.strip():
        raise UsageError("an id has no white space around it and is not empty", code="bad_ref")
    if kind in _WITH_PART:
        raise UsageError(f"an {kind} is named by its ref, not by a bare id", code="bad_ref")
    return Ref(account=owner(account, known), kind=kind, id=text)


def _check_known(name: str, known: Sequence[str]) -> None:
    if name not in known:
        raise UnknownAccount(name, known)
