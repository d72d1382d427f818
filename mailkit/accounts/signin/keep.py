"""From the token service's answer to a grant in the store: what was granted, by whom, and whether that was meant.

Asks the mailbox for its address and nothing else. Knows nothing of how the answer came.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping

import anyio.to_thread

from mailkit.accounts.accounts import Accounts
from mailkit.accounts.causes import sign_in_required
from mailkit.accounts.grant import Grant
from mailkit.accounts.holding import holding
from mailkit.accounts.scopes import features_of
from mailkit.accounts.signin.flow import Flow
from mailkit.accounts.stores import TokenStore
from mailkit.accounts.token_answer import TokenAnswer, read_tokens
from mailkit.errors import MailkitError, SignInRequired
from mailkit.values import Account

__all__ = ["keep"]

_ADDRESS_SECONDS = 15.0
_REMOVE_ACCESS = "https://myaccount.google.com/connections"


async def keep(
    flow: Flow,
    answer: Mapping[str, object],
    *,
    store: TokenStore,
    previous: Grant | None,
    expected: str | None,
) -> Grant:
    """Read the answer and save what it grants; ``previous`` is what the store holds.

    Raises:
        SignInRequired: a refusal, nothing was granted, another account than ``expected``, or nothing to renew with.
        ConfigurationError: a refusal that signing in again would not change, or the store cannot be written.
        MailkitError: ``expected`` is given and the mailbox cannot be asked for its address.
    """
    received_at = flow.clock.now()
    tokens = read_tokens(flow.provider, answer, asked=flow.scopes, account=flow.account)
    features = features_of(flow.provider, tokens.scopes)
    if not features:  # Google lets the person untick every single permission
        raise sign_in_required("consent_needed", account=flow.account, code="nothing_granted")
    address = await _address(flow, tokens, expected)
    refresh_token, granted_at = _renewable(flow, tokens, previous, address, received_at)
    grant = Grant(
        provider=flow.provider,
        client_id=flow.client_id,
        client_secret=flow.client_secret,
        tenant=flow.tenant,
        refresh_token=refresh_token,
        access_token=tokens.access_token,
        renewed_at=received_at,
        expires_at=received_at + tokens.life,
        scopes=tokens.scopes,
        features=features,
        address=address,
        granted_at=granted_at,
    )

    async with holding(store):
        await anyio.to_thread.run_sync(store.save, grant)
    return grant


async def _address(flow: Flow, tokens: TokenAnswer, expected: str | None) -> str | None:
    """Give the mailbox' own address where it tells; only an expected one makes it matter."""
    asking = Account(name=flow.account, provider=flow.provider, token=tokens.access_token, transport=flow.transport)
    known: tuple[str, ...] = ()
    unknown: MailkitError | None = None
    with flow.clock.deadline(_ADDRESS_SECONDS):
        try:
            known = (
                await Accounts([asking], clock=flow.clock, settings=flow.settings).driver(flow.account).own_addresses()
            )
        except MailkitError as error:
            unknown = error
    if tokens.username and "@" in tokens.username:
        known = (*known, tokens.username)
    if expected is not None and expected.lower() not in {address.lower() for address in known}:
        raise unknown if unknown and not known else sign_in_required("wrong_account", account=flow.account)
    return next(iter(known), None)


def _renewable(
    flow: Flow, tokens: TokenAnswer, previous: Grant | None, address: str | None, now: dt.datetime
) -> tuple[str, dt.datetime | None]:
    """Give the refresh token and since when it is good: the new one, or the one there was for the same account."""
    if tokens.refresh_token:
        return tokens.refresh_token, now
    if (
        previous is not None
        and previous.dead is None
        and (previous.provider, previous.client_id) == (flow.provider, flow.client_id)
        and (previous.address or address or "").lower() == (address or "").lower()
    ):
        return previous.refresh_token, previous.granted_at
    # Google gives one with the first consent only, unless prompt=consent reaches it.
    remove = f"remove the app's access at {_REMOVE_ACCESS}, then " if flow.provider == "google" else ""
    raise SignInRequired(
        "the sign-in brought nothing to renew it with and would end within the hour; "
        f'{remove}sign in again and agree to everything: mailkit.sign_in("{flow.account}")',
        account=flow.account,
        cause="consent_needed",
        code="no_refresh_token",
    )
