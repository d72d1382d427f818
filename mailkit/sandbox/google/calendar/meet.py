"""Google Meet: the conference of an event, made when a call asks for one.

Source: developers.google.com/workspace/calendar/api/guides/create-events#conferencing, reference/events.
"""

from __future__ import annotations

import hashlib

from mailkit.sandbox.google.labels import Json
from mailkit.sandbox.google.refusals import Refusal
from mailkit.sandbox.kept import Calendar

__all__ = ["MEET", "conference", "made", "video"]

MEET = "https://meet.google.com/"
_MEET_TYPE = "hangoutsMeet"


def made(asked: object, calendar: Calendar) -> Json:
    """Give the conference a call asks for; the same request again gives the same one."""
    if not isinstance(asked, dict):
        raise Refusal(400, "invalid", "Invalid conference data.")
    request = asked.get("createRequest")
    if not isinstance(request, dict) or asked.get("entryPoints"):
        if not isinstance(asked.get("conferenceSolution"), dict) or not asked.get("entryPoints"):
            raise Refusal(400, "invalid", "Invalid conference data.")
        return dict(asked)
    key = request.get("conferenceSolutionKey", {"type": _MEET_TYPE})
    if not request.get("requestId") or not isinstance(key, dict) or key.get("type") not in calendar.meetings:
        raise Refusal(400, "invalid", "Invalid conference type value.")
    letters = hashlib.blake2s(f"{calendar.id} {request['requestId']}".encode(), digest_size=10).digest()
    code = "".join(chr(ord("a") + byte % 26) for byte in letters)
    request = {**request, "conferenceSolutionKey": key, "status": {"statusCode": "success"}}
    return {"createRequest": request, **conference(f"{MEET}{code[:3]}-{code[3:7]}-{code[7:]}")}


def conference(url: str) -> Json:
    """Give the data of the Meet conference at ``url``."""
    code = url.removeprefix(MEET)
    return {
        "entryPoints": [{"entryPointType": "video", "uri": url, "label": url.removeprefix("https://")}],
        "conferenceSolution": {"key": {"type": _MEET_TYPE}, "name": "Google Meet"},
        "conferenceId": code,
    }


def video(data: object) -> str | None:
    """Give the address at which a conference is seen."""
    points = data.get("entryPoints", []) if isinstance(data, dict) else []
    addresses = (one.get("uri") for one in points if isinstance(one, dict) and one.get("entryPointType") == "video")
    return next((str(address) for address in addresses if address), None)
