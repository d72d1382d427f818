"""Finding out later what became of a send whose outcome was unknown."""

from __future__ import annotations

from collections.abc import Mapping

from mailkit.checks import asked, refuse
from mailkit.errors import OutcomeUnknown, UnknownAccount
from mailkit.models.sending import SendResult
from mailkit.sending.look import look
from mailkit.sending.order import Outbox
from mailkit.sending.traces import trace_from_dict

__all__ = ["reconcile"]


async def reconcile(outbox: Outbox, what: SendResult | OutcomeUnknown, *, operation: str) -> SendResult:
    """Look for the mail; sends nothing. A result that is not unknown is given back as it is.

    Raises:
        UsageError: it is no result of a send, or of an account that is not here.
    """
    if isinstance(what, SendResult) and what.state != "unknown":
        return what
    with asked(operation):
        if not isinstance(what, SendResult | OutcomeUnknown):
            refuse(what, "what", "the result of a send, or the OutcomeUnknown that it raised", code="bad_trace")
        trace = trace_from_dict(what.trace if isinstance(what.trace, Mapping) else {})
        account = what.account or ""
        if account not in outbox.names:
            raise UnknownAccount(account, outbox.names)
    return await look(outbox.driver(account), trace, clock=outbox.clock, operation=operation, key=what.key)
