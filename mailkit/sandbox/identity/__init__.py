"""Both identity providers offline: people, apps, sign-in pages, tokens that open the sandbox's mailboxes and expire.

Independent of what signs in: it shares no logic with it, and judges PKCE, signatures, redirects and lifetimes itself.
"""

from mailkit.sandbox.identity.browser import Browser
from mailkit.sandbox.identity.desk import Identity
from mailkit.sandbox.identity.google import GoogleIdentity
from mailkit.sandbox.identity.google_apps import GoogleApp, ServiceAccount
from mailkit.sandbox.identity.microsoft import MicrosoftIdentity
from mailkit.sandbox.identity.microsoft_apps import MicrosoftApp, Tenant
from mailkit.sandbox.identity.people import Person
from mailkit.sandbox.identity.provider import Visit

__all__ = [
    "Browser",
    "GoogleApp",
    "GoogleIdentity",
    "Identity",
    "MicrosoftApp",
    "MicrosoftIdentity",
    "Person",
    "ServiceAccount",
    "Tenant",
    "Visit",
]
