"""Errors in Google's own words and JSON shape.

Sources: developers.google.com/workspace/gmail/api/guides/handle-errors, .../calendar/api/guides/errors. The reason
chooses the sentence.
"""

from __future__ import annotations

import attrs

from mailkit.sandbox.wire import SandboxResponse, json_response

_STATUS_WORDS = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    409: "ABORTED",
    412: "FAILED_PRECONDITION",
    429: "RESOURCE_EXHAUSTED",
    500: "INTERNAL",
    503: "UNAVAILABLE",
    504: "DEADLINE_EXCEEDED",
}
_USUAL = {
    400: "invalidArgument",
    401: "authError",
    403: "insufficientPermissions",
    404: "notFound",
    409: "aborted",
    412: "conditionNotMet",
    429: "rateLimitExceeded",
}
_SENTENCES = {
    "invalidArgument": "Request contains an invalid argument.",
    "failedPrecondition": "Precondition check failed.",
    "authError": "Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other"
    " valid authentication credential.",
    "insufficientPermissions": "Request had insufficient authentication scopes.",
    "accessNotConfigured": "Gmail API has not been used in this project before or it is disabled.",
    "domainPolicy": "The domain administrators have disabled Gmail apps.",
    "rateLimitExceeded": "Quota exceeded for quota metric 'Queries' and limit 'Queries per minute per user' of service"
    " 'gmail.googleapis.com'.",
    "userRateLimitExceeded": "User Rate Limit Exceeded. Rate of requests for user exceed configured project quota.",
    "dailyLimitExceeded": "Daily Limit Exceeded",
    "notFound": "Requested entity was not found.",
    "backendError": "Backend Error",
}
_GMAIL = "gmail.googleapis.com"
_USAGE = ("rateLimitExceeded", "userRateLimitExceeded", "dailyLimitExceeded", "accessNotConfigured")


@attrs.frozen
class Refusal(Exception):  # it carries an answer, it is no error of the sandbox
    """Ends the work on a request with an error answer."""

    status: int
    reason: str | None = None
    message: str | None = None

    @property
    def response(self) -> SandboxResponse:
        """The answer."""
        return refuse(self.status, self.reason, self.message)


def refuse(
    status: int, reason: str | None = None, message: str | None = None, *, service: str = _GMAIL
) -> SandboxResponse:
    """Word an error; without ``reason`` the usual one for the status.

    ``service`` is whose interface says so: only newer ones than Calendar's name the status in a word.
    """
    reason = reason or _USUAL.get(status, "backendError")
    message = message or _SENTENCES.get(reason, "The request was refused.")
    detail = {"message": message, "domain": "usageLimits" if reason in _USAGE else "global", "reason": reason}
    headers: tuple[tuple[str, str], ...] = ()
    if reason == "authError":
        detail |= {"message": "Invalid Credentials", "location": "Authorization", "locationType": "header"}
        headers = (("www-authenticate", 'Bearer realm="https://accounts.google.com/", error="invalid_token"'),)
    error: dict[str, object] = {"code": status, "message": message, "errors": [detail]}
    if service == _GMAIL or reason == "insufficientPermissions":
        error["status"] = _STATUS_WORDS.get(status, "UNKNOWN")
    if reason == "insufficientPermissions":
        detail["message"] = "Insufficient Permission"
        headers = (("www-authenticate", 'Bearer realm="https://accounts.google.com/", error="insufficient_scope"'),)
        error["details"] = [
            {
                "@type": "type.googleapis.com/google.rpc.ErrorInfo",
                "reason": "ACCESS_TOKEN_SCOPE_INSUFFICIENT",
                "domain": "googleapis.com",
                "metadata": {"service": service},
            }
        ]
    return json_response({"error": error}, status, headers)
