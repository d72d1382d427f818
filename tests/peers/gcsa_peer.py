"""gcsa on the served sandbox."""

from __future__ import annotations

import json
from typing import Any

import gcsa._services.authentication as at_google
import pytest
from gcsa.google_calendar import GoogleCalendar
from google.oauth2.credentials import Credentials
from googleapiclient.discovery import build_from_document
from googleapiclient.discovery_cache import get_static_doc


def calendar_of(url: str, token: str) -> GoogleCalendar:
    """Give gcsa's client of an account's primary calendar; its discovery document is led to ``url``."""
    document = json.loads(get_static_doc("calendar", "v3"))
    document |= {"rootUrl": f"{url}/", "baseUrl": f"{url}/calendar/v3/"}

    class Discovery:
        @staticmethod
        def build(_name: str, _version: str, credentials: Credentials) -> Any:
            return build_from_document(document, credentials=credentials)

    with pytest.MonkeyPatch.context() as patch:
        # It builds its service when it is made, and can be told no address.
        patch.setattr(at_google, "discovery", Discovery)
        return GoogleCalendar(credentials=Credentials(token=token))
