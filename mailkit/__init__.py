"""All of a person's mailboxes and calendars at once.

The public names of mailkit. The errors are here at once, everything else is imported when it is first asked for, so
that ``import mailkit`` costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from mailkit.errors import (
    AccessError,
    AccountsFailed,
    AllAccountsFailed,
    AmbiguousAccount,
    BadPayload,
    ConfigurationError,
    Conflict,
    ConnectionFailed,
    InvalidMessage,
    InvalidQuery,
    InvalidRecurrence,
    ItemsFailed,
    MailkitError,
    NotDownloadable,
    NotFound,
    OutcomeUnknown,
    PermissionMissing,
    ProviderError,
    RateLimited,
    SignInRequired,
    TimedOut,
    TooLarge,
    TransportError,
    Unavailable,
    UnknownAccount,
    Unsupported,
    UsageError,
)

if TYPE_CHECKING:  # what the table below brings in, as type checkers and editors see it
    from mailkit.accounts import (
        Accounts,
        ClientCredentials,
        EncryptedFileStore,
        EnvironmentToken,
        FileStore,
        Grant,
        KeyringStore,
        MemoryStore,
        ServiceAccount,
        Settings,
        TokenStore,
    )
    from mailkit.accounts.check import AccountCheck, Finding
    from mailkit.accounts.signin import SignInPrompt, sign_in, sign_in_async
    from mailkit.addressing import Addressed
    from mailkit.clients.async_mail import AsyncMailClient
    from mailkit.clients.sync_mail import MailClient
    from mailkit.fanout import AccountUpdate
    from mailkit.files import MailkitWarning
    from mailkit.mime.outgoing import OutgoingFile, OutgoingMessage
    from mailkit.models import (
        Attachment,
        Body,
        Draft,
        Failure,
        Label,
        ListUnsubscribe,
        MailTo,
        Message,
        MessageSummary,
        Note,
        Organised,
        Outcome,
        Outcomes,
        ParsedAttachment,
        ParsedMessage,
        RenamedLabel,
        Results,
        SendResult,
        Thread,
        parse_message,
    )
    from mailkit.query import Q
    from mailkit.query.explanation import Explanation
    from mailkit.recurrence import Recurrence
    from mailkit.sending import Journal, MemoryJournal, SendPolicy, SqliteJournal
    from mailkit.transport import HttpxTransport, Quota, RetryPolicy
    from mailkit.values import AccessToken, Account, Address, Ref, TokenSource, Transport

__all__ = [
    "AccessError",
    "AccessToken",
    "Account",
    "AccountCheck",
    "AccountUpdate",
    "Accounts",
    "AccountsFailed",
    "Address",
    "Addressed",
    "AllAccountsFailed",
    "AmbiguousAccount",
    "AsyncMailClient",
    "Attachment",
    "BadPayload",
    "Body",
    "ClientCredentials",
    "ConfigurationError",
    "Conflict",
    "ConnectionFailed",
    "Draft",
    "EncryptedFileStore",
    "EnvironmentToken",
    "Explanation",
    "Failure",
    "FileStore",
    "Finding",
    "Grant",
    "HttpxTransport",
    "InvalidMessage",
    "InvalidQuery",
    "InvalidRecurrence",
    "ItemsFailed",
    "Journal",
    "KeyringStore",
    "Label",
    "ListUnsubscribe",
    "MailClient",
    "MailTo",
    "MailkitError",
    "MailkitWarning",
    "MemoryJournal",
    "MemoryStore",
    "Message",
    "MessageSummary",
    "NotDownloadable",
    "NotFound",
    "Note",
    "Organised",
    "Outcome",
    "OutcomeUnknown",
    "Outcomes",
    "OutgoingFile",
    "OutgoingMessage",
    "ParsedAttachment",
    "ParsedMessage",
    "PermissionMissing",
    "ProviderError",
    "Q",
    "Quota",
    "RateLimited",
    "Recurrence",
    "Ref",
    "RenamedLabel",
    "Results",
    "RetryPolicy",
    "SendPolicy",
    "SendResult",
    "ServiceAccount",
    "Settings",
    "SignInPrompt",
    "SignInRequired",
    "SqliteJournal",
    "Thread",
    "TimedOut",
    "TokenSource",
    "TokenStore",
    "TooLarge",
    "Transport",
    "TransportError",
    "Unavailable",
    "UnknownAccount",
    "Unsupported",
    "UsageError",
    "parse_message",
    "sign_in",
    "sign_in_async",
]

_HOMES = {
    "AccountCheck": "mailkit.accounts.check",
    "Finding": "mailkit.accounts.check",
    "SignInPrompt": "mailkit.accounts.signin",
    "sign_in": "mailkit.accounts.signin",
    "sign_in_async": "mailkit.accounts.signin",
    "Accounts": "mailkit.accounts",
    "Settings": "mailkit.accounts",
    "ClientCredentials": "mailkit.accounts",
    "EncryptedFileStore": "mailkit.accounts",
    "EnvironmentToken": "mailkit.accounts",
    "FileStore": "mailkit.accounts",
    "Grant": "mailkit.accounts",
    "KeyringStore": "mailkit.accounts",
    "MemoryStore": "mailkit.accounts",
    "ServiceAccount": "mailkit.accounts",
    "TokenStore": "mailkit.accounts",
    "AsyncMailClient": "mailkit.clients.async_mail",
    "MailClient": "mailkit.clients.sync_mail",
    "AccountUpdate": "mailkit.fanout",
    "MailkitWarning": "mailkit.files",
    "Addressed": "mailkit.addressing",
    "OutgoingFile": "mailkit.mime.outgoing",
    "OutgoingMessage": "mailkit.mime.outgoing",
    "Attachment": "mailkit.models",
    "Body": "mailkit.models",
    "Draft": "mailkit.models",
    "Failure": "mailkit.models",
    "Label": "mailkit.models",
    "ListUnsubscribe": "mailkit.models",
    "MailTo": "mailkit.models",
    "Message": "mailkit.models",
    "MessageSummary": "mailkit.models",
    "Note": "mailkit.models",
    "Organised": "mailkit.models",
    "Outcome": "mailkit.models",
    "Outcomes": "mailkit.models",
    "ParsedAttachment": "mailkit.models",
    "ParsedMessage": "mailkit.models",
    "RenamedLabel": "mailkit.models",
    "Results": "mailkit.models",
    "SendResult": "mailkit.models",
    "Thread": "mailkit.models",
    "parse_message": "mailkit.models",
    "Q": "mailkit.query",
    "Explanation": "mailkit.query.explanation",
    "Recurrence": "mailkit.recurrence",
    "Journal": "mailkit.sending",
    "MemoryJournal": "mailkit.sending",
    "SendPolicy": "mailkit.sending",
    "SqliteJournal": "mailkit.sending",
    "HttpxTransport": "mailkit.transport",
    "Quota": "mailkit.transport",
    "RetryPolicy": "mailkit.transport",
    "AccessToken": "mailkit.values",
    "Account": "mailkit.values",
    "Address": "mailkit.values",
    "Ref": "mailkit.values",
    "TokenSource": "mailkit.values",
    "Transport": "mailkit.values",
}


if not TYPE_CHECKING:  # a type checker that saw this would take any name for a public one

    def __getattr__(name: str) -> object:
        home = _HOMES.get(name)
        if home is None:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = globals()[name] = getattr(import_module(home), name)
        return value


def __dir__() -> list[str]:
    return list(__all__)
