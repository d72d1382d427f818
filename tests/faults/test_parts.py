"""One message among several goes wrong inside a batch: it alone is concerned, and what passes is waited for."""

from __future__ import annotations

from collections.abc import Mapping

import attrs
import pytest

from mailkit import (
    BadPayload,
    MailkitError,
    NotFound,
    PermissionMissing,
    ProviderError,
    RateLimited,
    SignInRequired,
    Unavailable,
)
from mailkit.sandbox import Fault
from mailkit.values import Provider
from tests.faults.world import DEADLINE, World, make_world

pytestmark = pytest.mark.anyio

PROVIDERS: tuple[Provider, ...] = ("google", "microsoft")
JSON = (("content-type", "application/json"),)

PASSING: Mapping[str, Fault] = {
    "token refused": Fault.unauthorized(part=True),
    "throttled": Fault.rate_limited(2, part=True),
    "throttled without a word": Fault.rate_limited(part=True),
    "500": Fault.server_error(500, part=True),
    "503": Fault.server_error(503, 3, part=True),
    "no body": Fault(status=200, body=b"", headers=JSON, part=True),
}

LASTING: Mapping[str, tuple[Fault, type[MailkitError]]] = {
    "deleted": (Fault(status=404, times=None), NotFound),
    "token refused": (Fault.unauthorized(times=None), SignInRequired),
    "forbidden": (Fault.forbidden(times=None), PermissionMissing),
    "throttled for long": (Fault.rate_limited(600, times=None), RateLimited),
    "throttled": (Fault.rate_limited(1, times=None), RateLimited),
    "500": (Fault.server_error(500, times=None), Unavailable),
    "refused": (Fault(status=400, reason="badRequest", times=None), ProviderError),
    "no JSON": (Fault(status=200, body=b"<p>", headers=JSON, times=None), BadPayload),
    "another shape": (Fault(status=200, json=[7], times=None), BadPayload),
    "a member of another type": (Fault(status=200, json={"id": 7}, times=None), BadPayload),
}


def _about(world: World, provider: Provider, fault: Fault) -> Fault:
    """Let a fault meet the second message alone."""
    return attrs.evolve(fault, path=world.messages[provider][1].id.rstrip("="))


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("fault", PASSING)
async def test_what_passes_costs_no_message(provider: Provider, fault: str) -> None:
    world = await make_world()
    async with world.client() as mail:
        world.boxes[provider].script(PASSING[fault])
        outcomes = await mail.get_many(world.messages[provider], deadline=DEADLINE)
        world.boxes[provider].script(PASSING[fault])
        found = await mail.search(accounts=provider, deadline=DEADLINE)
    assert [outcome.ref for outcome in outcomes if outcome.ok] == world.messages[provider]
    assert [row.ref for row in found] == world.messages[provider]


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("fault", LASTING)
async def test_what_lasts_concerns_its_own_message(provider: Provider, fault: str) -> None:
    world = await make_world()
    scripted, error = LASTING[fault]
    world.boxes[provider].script(_about(world, provider, scripted))
    async with world.client() as mail:
        outcomes = await mail.get_many(world.messages[provider], deadline=DEADLINE)
    assert [type(outcome.error) for outcome in outcomes] == [type(None), error, type(None)]
    assert outcomes[1].error is not None
    assert (outcomes[1].error.account, outcomes[1].error.operation) == (provider, "mail.get_many")
    assert world.sandbox.clock.monotonic() <= DEADLINE


@pytest.mark.parametrize("fault", LASTING)
async def test_a_row_of_gmails_that_cannot_be_had(fault: str) -> None:
    # Outlook's lists bring their rows along; at Gmail each is asked for, and may be gone or broken by then.
    world = await make_world()
    scripted, error = LASTING[fault]
    first, _, third = world.messages["google"]
    world.boxes["google"].script(_about(world, "google", scripted))
    async with world.client() as mail:
        found = await mail.search(deadline=DEADLINE)
    mine = [row.ref for row in found if row.account == "google"]
    assert [row.ref for row in found if row.account == "microsoft"] == world.messages["microsoft"]
    if error is NotFound:  # deleted since it was listed
        assert (mine, found.failures, found.problems) == ([first, third], (), ())
    elif error is BadPayload:
        assert (mine, found.failures, len(found.problems)) == ([first, third], (), 1)
    else:  # what is newer stands, and the failure says that it is not all
        assert (mine, [type(failure.error) for failure in found.failures]) == ([first], [error])
