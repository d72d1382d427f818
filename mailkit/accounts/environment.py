"""Accounts from environment variables, by the names that people and other tools already use.

===================================================================  ==================================================
``MAILKIT_GOOGLE_TOKEN``, ``MAILKIT_MICROSOFT_TOKEN``                an access token, read anew for each request for one
``GOOGLE_APPLICATION_CREDENTIALS``                                   a person's login (``gcloud auth application-default
                                                                     login``), or a service account's key
``MAILKIT_GOOGLE_SUBJECT``                                           whom the service account acts for
``AZURE_TENANT_ID``, ``AZURE_CLIENT_ID``, ``AZURE_CLIENT_SECRET``    a Microsoft app that signs in as itself
``MAILKIT_MICROSOFT_MAILBOX``                                        the mailbox it works in
===================================================================  ==================================================

The names without ``MAILKIT`` are those of Google's and Microsoft's own libraries, and often set for something else: so
a service account without a subject, or an app without a mailbox, is passed over.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from mailkit.accounts.adopt import AuthorizedUserStore
from mailkit.accounts.google_client import google_kind, read_google_file
from mailkit.accounts.kinds import ClientCredentials, EnvironmentToken, ServiceAccount
from mailkit.errors import ConfigurationError
from mailkit.values import Account

__all__ = ["environment_accounts"]

_GOOGLE_TOKEN, _GOOGLE_FILE, _SUBJECT = (
    "MAILKIT_GOOGLE_TOKEN",
    "GOOGLE_APPLICATION_CREDENTIALS",  # https://cloud.google.com/docs/authentication/application-default-credentials
    "MAILKIT_GOOGLE_SUBJECT",
)
# https://learn.microsoft.com/python/api/azure-identity/azure.identity.environmentcredential
_TENANT, _CLIENT, _SECRET = "AZURE_TENANT_ID", "AZURE_CLIENT_ID", "AZURE_CLIENT_SECRET"
_MICROSOFT_TOKEN, _MAILBOX = "MAILKIT_MICROSOFT_TOKEN", "MAILKIT_MICROSOFT_MAILBOX"


def environment_accounts() -> list[Account]:
    """Give the accounts the environment speaks of: ``google`` and ``microsoft``, or one of them.

    Raises:
        ConfigurationError: there is none, or a file that is named cannot be read.
    """
    accounts = [*_google(), *_microsoft()]
    if not accounts:
        raise ConfigurationError(
            f"the environment names no account; set {_GOOGLE_TOKEN} or {_MICROSOFT_TOKEN}, {_GOOGLE_FILE} (for a "
            f"service account also {_SUBJECT}), or {_TENANT}, {_CLIENT}, {_SECRET} and {_MAILBOX}",
            code="no_account",
        )
    return accounts


def _google() -> Iterator[Account]:
    file, subject = os.environ.get(_GOOGLE_FILE), os.environ.get(_SUBJECT)
    if os.environ.get(_GOOGLE_TOKEN):
        yield Account(name="google", provider="google", token=EnvironmentToken(variable=_GOOGLE_TOKEN))
    elif file:
        kind = google_kind(read_google_file(Path(file)))
        if kind == "authorized_user":
            yield Account(name="google", provider="google", token=AuthorizedUserStore(file))
        elif kind == "service_account" and subject:
            token = ServiceAccount(key_file=file, subject=subject)
            yield Account(name="google", provider="google", token=token, address=subject)


def _microsoft() -> Iterator[Account]:
    tenant, client, mailbox = (os.environ.get(name) for name in (_TENANT, _CLIENT, _MAILBOX))
    if os.environ.get(_MICROSOFT_TOKEN):
        token: object = EnvironmentToken(variable=_MICROSOFT_TOKEN)
        yield Account(name="microsoft", provider="microsoft", token=token, mailbox=mailbox)
    elif tenant and client and mailbox and os.environ.get(_SECRET):
        token = ClientCredentials(tenant=tenant, client_id=client, secret_env=_SECRET)
        yield Account(name="microsoft", provider="microsoft", token=token, mailbox=mailbox)
