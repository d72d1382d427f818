"""Signing in on another device (Microsoft): a short code is shown, and the service asked until it was typed in.

Waits on our own clock, at the pace the service asks for. RFC 8628.
https://learn.microsoft.com/entra/identity-platform/v2-oauth2-device-code
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping

from mailkit.accounts.calling import call
from mailkit.accounts.causes import sign_in_required
from mailkit.accounts.microsoft_identity import MicrosoftIdentity
from mailkit.accounts.signin.flow import Flow
from mailkit.accounts.signin.prompt import SignInPrompt
from mailkit.errors import MailkitError

__all__ = ["by_device"]

# "the client MUST … double the polling interval" is one way; seconds are added instead, as for slow_down:
# https://www.rfc-editor.org/rfc/rfc8628#section-3.5
_SLOWER_BY = 5.0


async def by_device(flow: Flow) -> Mapping[str, object]:
    """Show the code and wait until it was typed in; gives the token service's answer, a refusal included.

    Raises:
        SignInRequired: not done before the code's end, or in the seconds there are for all of it.
        ConfigurationError: the app's registration does not allow it.
    """
    with flow.clock.deadline(flow.timeout):  # the code is waited for, too
        return await _by_device(flow)
    raise sign_in_required("timed_out", account=flow.account)


async def _by_device(flow: Flow) -> Mapping[str, object]:
    identity = MicrosoftIdentity(
        client_id=flow.client_id, tenant=flow.tenant, transport=flow.transport, account=flow.account
    )
    started = await flow.asked(lambda: call(identity.start_device, flow.scopes))

    async def poll() -> Mapping[str, object]:
        interval = _seconds(started["interval"])
        while True:
            await flow.clock.sleep(interval)
            try:
                answer = await call(identity.poll_device, started)
            except MailkitError as error:
                if not error.retryable:
                    raise
                interval += _SLOWER_BY
                continue
            if answer.get("error") not in ("authorization_pending", "slow_down"):
                return answer
            interval = _seconds(started["interval"])  # msal makes it longer when told to slow down

    async def work(expires_at: dt.datetime) -> Mapping[str, object]:
        prompt = SignInPrompt(
            account=flow.account,
            kind="device",
            url=str(started.get("verification_uri") or started.get("verification_url")),
            user_code=str(started["user_code"]),
            expires_at=expires_at,
        )
        return await flow.shown(prompt, poll)

    return await flow.within(_seconds(started["expires_in"]), work)


def _seconds(value: object) -> float:
    return float(str(value))
