"""Every reading operation of a client, under everything that a provider or the way to it may do wrong.

``FAULTS`` says what happens and what has to come of it; ``EXCEPTIONS`` names the few cells where something else is
right, and why. Each cell is run by a client that knows the mailbox already and by one that knows nothing, since other
requests meet the fault there.
"""

from __future__ import annotations

from collections.abc import Mapping

import anyio
import attrs
import pytest

from mailkit import (
    BadPayload,
    ConnectionFailed,
    MailClient,
    MailkitError,
    PermissionMissing,
    RateLimited,
    SignInRequired,
    TimedOut,
    Unavailable,
)
from mailkit.sandbox import Fault
from mailkit.sandbox.faults import Where
from mailkit.values import Provider
from tests.faults.world import DEADLINE, MERGED, OPERATIONS, SECRETS, Seen, make_world, observe

pytestmark = [pytest.mark.anyio, pytest.mark.matrix]

ALWAYS: Where = {"times": None}
JSON = (("content-type", "application/json; charset=UTF-8"),)
PROVIDERS: tuple[Provider, ...] = ("google", "microsoft")


@attrs.frozen(kw_only=True)
class Case:
    """``error`` is what has to come of the fault, None: what would have been read without it.

    ``at_once`` says that nothing may be waited for, ``only`` that one provider alone does this.
    """

    fault: Fault
    error: type[MailkitError] | None = None
    code: str | None = None
    at_once: bool = False
    only: Provider | None = None


FAULTS: Mapping[str, Case] = {
    "the token is refused once": Case(fault=Fault.unauthorized(), at_once=True),
    "the token is refused always": Case(fault=Fault.unauthorized(**ALWAYS), error=SignInRequired, at_once=True),
    "Gmail misses a permission": Case(
        fault=Fault.forbidden("insufficientPermissions", **ALWAYS), error=PermissionMissing, at_once=True, only="google"
    ),
    "Outlook misses a permission": Case(
        fault=Fault.forbidden("ErrorAccessDenied", **ALWAYS), error=PermissionMissing, at_once=True, only="microsoft"
    ),
    "Gmail limits the rate once, with 403": Case(fault=Fault.forbidden("rateLimitExceeded"), only="google"),
    "Gmail limits the rate always, with 403": Case(
        fault=Fault.forbidden("userRateLimitExceeded", **ALWAYS), error=RateLimited, only="google"
    ),
    "429 asks for a short wait": Case(fault=Fault.rate_limited(2)),
    "429 asks for a short wait always": Case(fault=Fault.rate_limited(2, **ALWAYS), error=RateLimited),
    "429 asks for a wait until a date": Case(fault=Fault.rate_limited("Mon, 16 Mar 2026 09:00:05 GMT")),
    "429 asks for a long wait": Case(fault=Fault.rate_limited(600), error=RateLimited, at_once=True),
    "429 says nothing of a wait": Case(fault=Fault.rate_limited()),
    "429 says nothing of a wait, always": Case(fault=Fault.rate_limited(**ALWAYS), error=RateLimited),
    "500 once": Case(fault=Fault.server_error(500)),
    "500 always": Case(fault=Fault.server_error(500, **ALWAYS), error=Unavailable),
    "503 asks for a short wait": Case(fault=Fault.server_error(503, 3)),
    "503 asks for a long wait": Case(fault=Fault.server_error(503, 600), error=RateLimited, at_once=True),
    "503 always": Case(fault=Fault.server_error(503, **ALWAYS), error=Unavailable),
    "a proxy's page with 502 once": Case(fault=Fault.html_page(502)),
    "a proxy's page with 502 always": Case(fault=Fault.html_page(502, **ALWAYS), error=Unavailable),
    "a page to sign in to the network": Case(
        fault=Fault.html_page(200), error=Unavailable, code="html_page", at_once=True
    ),
    "a body cut once": Case(fault=Fault.truncated()),
    "a body cut always": Case(fault=Fault.truncated(**ALWAYS), error=BadPayload),
    "nobody to connect to once": Case(fault=Fault.reset(before=True)),
    "nobody to connect to": Case(fault=Fault.reset(before=True, **ALWAYS), error=ConnectionFailed),
    "the line breaks once": Case(fault=Fault.reset()),
    "the line breaks always": Case(fault=Fault.reset(**ALWAYS), error=ConnectionFailed),
    "slow": Case(fault=Fault.slow(DEADLINE * 0.6)),
    "no answer": Case(fault=Fault.hang(), error=TimedOut),
    "never an answer": Case(fault=Fault.hang(**ALWAYS), error=TimedOut),
    "a redirect": Case(
        fault=Fault(status=302, body=b"", headers=(("location", "https://elsewhere.example/"),)),
        error=Unavailable,
        code="redirected",
        at_once=True,
    ),
    "no body once": Case(fault=Fault(status=200, body=b"", headers=JSON)),
    "no body always": Case(fault=Fault(status=200, body=b"", headers=JSON, times=None), error=BadPayload),
    "no JSON": Case(fault=Fault(status=200, body=b"All is well", headers=JSON, times=None), error=BadPayload),
    "JSON of another shape": Case(fault=Fault(status=200, json=["secret plan"], times=None), error=BadPayload),
    "members of another type": Case(
        fault=Fault(
            status=200, json=dict.fromkeys(("value", "messages", "labels", "responses", "payload"), 7), times=None
        ),
        error=BadPayload,
    ),
}

# Files come as bytes at Outlook, and bytes do not say what they should be: what is wrong inside cannot be told (a body
# that ends before its stated length can, and is a broken line: tests/transport). Only a message is never empty.
_BYTES = ("mail.raw", "mail.attachments.read", "mail.attachments.iter_bytes")
_INSIDE = frozenset(
    {
        "a body cut once",
        "a body cut always",
        "no body once",
        "no body always",
        "no JSON",
        "JSON of another shape",
        "members of another type",
    }
)

# Searches as search does, so that a cursor serves both.
_NAMES = {"mail.search_as_completed": "mail.search"}


@pytest.fixture(scope="module", params=["asyncio"])
def anyio_backend(request: pytest.FixtureRequest) -> str:
    """Run the bulk on one loop; a sample on trio stands below."""
    return str(request.param)


CELLS = [
    pytest.param(provider, operation, fault, id=f"{provider}, {operation}, {fault}")
    for provider in PROVIDERS
    for operation in OPERATIONS
    for fault, case in FAULTS.items()
    if case.only in {None, provider} and not (provider == "microsoft" and operation in _BYTES and fault in _INSIDE)
]


@pytest.mark.parametrize(("provider", "operation", "fault"), CELLS)
async def test_what_comes_of_a_fault(provider: Provider, operation: str, fault: str) -> None:
    await _check(provider, operation, fault)


async def _check(provider: Provider, operation: str, fault: str) -> None:
    case = FAULTS[fault]
    world = await make_world()
    run = OPERATIONS[operation]
    async with world.client() as knowing, world.client() as ignorant:
        good = await observe(run, knowing, world, provider)
        assert not good.errors
        for mail in (knowing, ignorant):
            world.sandbox.requests.clear()
            world.boxes[provider].script(case.fault)
            begun = world.sandbox.clock.monotonic()
            seen = await observe(run, mail, world, provider)
            waited = world.sandbox.clock.monotonic() - begun
            world.boxes[provider].faults.clear()
            assert waited <= (0 if case.at_once else DEADLINE)
            if any(request.scripted for request in world.sandbox.requests):
                _judge(case, seen, good, provider, operation)
            else:  # folders known, Outlook is asked nothing
                assert (mail, operation, provider, seen) == (knowing, "mail.explain", "microsoft", good)


def _judge(case: Case, seen: Seen, good: Seen, provider: Provider, operation: str) -> None:
    if case.error is None:
        assert not seen.errors
        assert seen.read == good.read
        return
    assert seen.errors
    for error in seen.errors:
        assert type(error) is case.error
        assert (error.account, error.operation) == (provider, _NAMES.get(operation, operation))
        assert case.code in {None, error.code}
        said = " ".join([str(error), repr(error), *error.attempts, str(error.code), *getattr(error, "__notes__", ())])
        assert not [secret for secret in SECRETS if secret in said]
    assert seen.read == (
        {name: rows for name, rows in good.read.items() if name != provider} if operation in MERGED else {}
    )


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("fault", ["429 asks for a short wait", "a body cut always", "slow", "never an answer"])
def test_trio_and_the_sync_client_are_no_different(provider: Provider, fault: str) -> None:
    anyio.run(_check, provider, "mail.search", fault, backend="trio")
    world = anyio.run(make_world)
    with MailClient(world.accounts(), tz="UTC") as mail:
        world.boxes[provider].script(FAULTS[fault].fault)
        found = mail.search("from:secretary", deadline=DEADLINE)
    error = FAULTS[fault].error
    assert [type(failure.error) for failure in found.failures] == ([error] if error else [])
    assert {row.account for row in found} == (set(world.boxes) - {provider} if error else set(world.boxes))
    assert world.sandbox.clock.monotonic() <= DEADLINE
