"""From the token service's answer to a grant in the store: what was granted, by whom, and whether that was meant.

Asks the mailbox for its address and nothing else. Knows nothing of how the answer came.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping

import anyio.to_thread
import attrs

from mailkit.accounts.accounts import Accounts
from mailkit.accounts.causes import sign_in_required
from mailkit.accounts.grant import Grant
from mailkit.accounts.holding import holding
from mailkit.accounts.scopes import features_of
from mailkit.accounts.signin.flow import Flow
from mailkit.accounts.stores import TokenStore
from mailkit.accounts.token_answer import TokenAnswer, read_tokens
from mailkit.errors import MailkitError, SignInRequired, Unavailable
from mailkit.values import Account

__all__ = ["TELL_ADDRESS", "Expected", "keep"]

_ADDRESS_SECONDS = 15.0
_REMOVE_ACCESS = "https://myaccount.google.com/connections"


# Gmail tells a mailbox' address to these alone:
# https://developers.google.com/workspace/gmail/api/reference/rest/v1/users/getProfile#authorization-scopes
TELL_ADDRESS = frozenset({"read", "draft", "organise"})


@attrs.frozen(kw_only=True)
class Expected:
    """Who must sign in: any of the addresses, in small letters (none: anybody). ``said``: the caller named them."""

    addresses: frozenset[str] = attrs.field(repr=False)
    said: bool

    @classmethod
    def of(cls, said: str | None, *, listed: Account | None, previous: Grant | None) -> Expected:
        """Take what the caller says, else what is known of the account."""
        known: tuple[str | None, ...] = (previous.address if previous else None,)
        # What stands beside a shared mailbox is that one's address, not the person's.
        if listed is not None and listed.address is not None and listed.mailbox is None:
            known = (listed.address, *listed.aliases)
        addresses = known if said is None else (said,)
        return cls(addresses=frozenset(each.lower() for each in addresses if each), said=said is not None)


async def keep(
    flow: Flow,
    answer: Mapping[str, object],
    *,
    store: TokenStore,
    previous: Grant | None,
    expected: Expected,
) -> Grant:
    """Read the answer and save what it grants; ``previous`` is what the store holds.

    Raises:
        SignInRequired: a refusal, nothing was granted, another account than expected, or nothing to renew with.
        ConfigurationError: a refusal that signing in again would not change, or the store cannot be written.
        MailkitError: an address is expected and the mailbox cannot be asked for its own.
    """
    received_at = flow.clock.now()
    tokens = read_tokens(flow.provider, answer, asked=flow.scopes, account=flow.account)
    features = features_of(flow.provider, tokens.scopes)
    if not features:  # Google lets the person untick every single permission
        raise sign_in_required("consent_needed", account=flow.account, code="nothing_granted")
    address = await _address(flow, tokens, expected, told=bool(features & TELL_ADDRESS))
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


async def _address(flow: Flow, tokens: TokenAnswer, expected: Expected, *, told: bool) -> str | None:
    """Give the mailbox' own address where it tells; only an expected one makes it matter."""
    asking = Account(name=flow.account, provider=flow.provider, token=tokens.access_token, transport=flow.transport)
    known: tuple[str, ...] = ()
    unknown: MailkitError = Unavailable(
        "the mailbox did not tell its address in time, so it is not known whose it is; try again later",
        account=flow.account,
    )
    with flow.clock.deadline(_ADDRESS_SECONDS):
        try:
            known = (
                await Accounts([asking], clock=flow.clock, settings=flow.settings).driver(flow.account).own_addresses()
            )
        except MailkitError as error:
            unknown = error
    if tokens.username and "@" in tokens.username:
        known = (*known, tokens.username)
    if known and expected.addresses and expected.addresses.isdisjoint(map(str.lower, known)):
        raise sign_in_required("wrong_account", account=flow.account)
    if not known and expected.addresses and (told or expected.said):
        raise unknown
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
