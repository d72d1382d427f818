"""How Microsoft Graph says no: a status, a code, a sentence, perhaps a wait.

Responsible for the words of each refusal, in one place. Never decides when to refuse: the readers and the service do.
The codes are Exchange's and Graph's own (learn.microsoft.com/graph/errors and the threads named beside them).
"""

from __future__ import annotations

import attrs

__all__ = [
    "Refusal",
    "bad_body",
    "bad_filter",
    "bad_parameter",
    "bad_search",
    "bad_select",
    "busy",
    "exists",
    "forbidden",
    "not_a_filter",
    "not_found",
    "not_writable",
    "null_comparison",
    "too_complex",
    "too_long",
    "unknown_route",
    "unknown_zone",
]


@attrs.frozen
class Refusal(Exception):
    """The answer is an error: what the body, the status line and the headers say."""

    status: int
    code: str
    message: str
    retry_after: float | None = None


def bad_filter(detail: str) -> Refusal:
    """Say that ``$filter`` cannot be read (O365/python-o365#1133 shows the sentence)."""
    return Refusal(400, "BadRequest", f"Invalid filter clause: {detail}")


def not_a_filter() -> Refusal:
    """Say that ``$filter`` can be read but Exchange cannot run it (graph-explorer#3957, graph-docs#4331)."""
    return Refusal(400, "ErrorInvalidUrlQueryFilter", "The query filter contains one or more invalid nodes.")


def null_comparison() -> Refusal:
    """Fail as Exchange does over a flag compared with null (graph-docs#4083)."""
    return Refusal(500, "ErrorInternalServerError", "An internal server error occurred. The operation failed.")


def too_complex() -> Refusal:
    """Say that ``$orderby`` does not lead ``$filter`` (learn.microsoft.com/graph/api/user-list-messages)."""
    return Refusal(400, "InefficientFilter", "The restriction or sort order is too complex for this operation.")


def bad_search(detail: str) -> Refusal:
    """Say that ``$search`` cannot be read (msgraph-sdk-powershell#402)."""
    return Refusal(400, "BadRequest", f"Syntax error: {detail}")


def bad_select(detail: str) -> Refusal:
    """Say that ``$select`` or ``$expand`` names what is not there (mguessan/davmail#488)."""
    return Refusal(400, "BadRequest", f"Parsing OData Select and Expand failed: {detail}")


def bad_parameter(detail: str) -> Refusal:
    """Say that another query parameter, a header or a body cannot be read."""
    return Refusal(400, "BadRequest", detail)


def bad_body(name: str) -> Refusal:
    """Say that a property of a request's body is not in the form it has."""
    return Refusal(400, "RequestBodyRead", f"A value of the property '{name}' could not be read.")


def too_long() -> Refusal:
    """Say that a request is larger than Graph takes (microsoft-graph-docs-contrib#682 shows the sentence)."""
    return Refusal(413, "BadRequest", "The maximum request length supported is 4MB.")


def not_writable(name: str) -> Refusal:
    """Say that a property is not to be changed (learn.microsoft.com/graph/api/message-update)."""
    return Refusal(400, "ErrorInvalidPropertySet", f"Set action is invalid for property '{name}'.")


def exists(code: str, what: str) -> Refusal:
    """Say that the name is taken."""
    return Refusal(409, code, f"{what} with the specified name already exists.")


def not_found() -> Refusal:
    """Say that there is no such item."""
    return Refusal(404, "ErrorItemNotFound", "The specified object was not found in the store.")


def unknown_route(segment: str) -> Refusal:
    """Say that there is no such path."""
    return Refusal(400, "BadRequest", f"Resource not found for the segment '{segment}'.")


def unknown_zone(name: object) -> Refusal:
    """Say that a time zone has a name nobody knows (learn.microsoft.com/graph/api/resources/datetimetimezone)."""
    return Refusal(
        400,
        "TimeZoneNotSupportedException",
        f"A valid TimeZone value must be specified. The following TimeZone value is not supported: '{name}'.",
    )


def forbidden() -> Refusal:
    """Say that the token lacks the permission (learn.microsoft.com/graph/errors)."""
    return Refusal(403, "ErrorAccessDenied", "Access is denied. Check credentials and try again.")


def busy(seconds: float) -> Refusal:
    """Say that too many requests are in flight on the mailbox (learn.microsoft.com/graph/throttling-limits)."""
    return Refusal(
        429, "ApplicationThrottled", "Application is over its MailboxConcurrency limit.", retry_after=seconds
    )
