"""google-api-python-client on the served sandbox, and what it says of a mailbox."""

from __future__ import annotations

import base64
import datetime as dt
import json
from collections.abc import Iterator, Mapping, Sequence
from email.utils import getaddresses
from typing import Any

from google.oauth2.credentials import Credentials
from googleapiclient.discovery import build_from_document
from googleapiclient.discovery_cache import get_static_doc

from tests.peers.seen import Person, Seen

Wire = Mapping[str, Any]

_PLACES = {"INBOX": "inbox", "SENT": "sent", "DRAFT": "drafts", "TRASH": "trash", "SPAM": "spam"}
_BATCH = 100  # guides/batch: the most calls in one


class GmailPeer:
    """The official client as its documentation uses it; its discovery document is led to ``url``."""

    def __init__(self, url: str, token: str) -> None:
        document = json.loads(get_static_doc("gmail", "v1"))
        document |= {"rootUrl": f"{url}/", "baseUrl": f"{url}/"}
        self._service = build_from_document(document, credentials=Credentials(token=token))
        self.users = self._service.users()
        self.label_names = {label["id"]: label["name"] for label in self.labels() if label["type"] == "user"}

    def close(self) -> None:
        self._service.close()

    def ids(self, *, page: int = 500, **parameters: object) -> list[str]:
        """List message ids to the end, ``page`` at a time."""
        return [row["id"] for row in _members(self.users.messages(), "messages", maxResults=page, **parameters)]

    def thread_ids(self, **parameters: object) -> list[str]:
        return [row["id"] for row in _members(self.users.threads(), "threads", **parameters)]

    def many(self, ids: Sequence[str], **parameters: object) -> list[Wire]:
        """Get messages in batches, in the order of ``ids``."""
        found: dict[str, Wire] = {}

        def take(request_id: str, response: Wire, exception: Exception | None) -> None:
            if exception is not None:
                raise exception
            found[request_id] = response

        for start in range(0, len(ids), _BATCH):
            batch = self._service.new_batch_http_request(callback=take)
            for id_ in ids[start : start + _BATCH]:
                batch.add(self.users.messages().get(userId="me", id=id_, **parameters), request_id=id_)
            batch.execute()
        return [found[id_] for id_ in ids]

    def thread(self, thread_id: str, **parameters: object) -> list[Wire]:
        messages: list[Wire] = self.users.threads().get(userId="me", id=thread_id, **parameters).execute()["messages"]
        return messages

    def labels(self) -> list[Wire]:
        labels: list[Wire] = self.users.labels().list(userId="me").execute()["labels"]
        return labels

    def files(self, message: Wire) -> list[tuple[str, str, bytes]]:
        """Give name, type and bytes of every part that has a name."""
        return [
            (part["filename"], part["mimeType"], self._bytes(message["id"], part["body"]))
            for part in _parts(message["payload"])
            if part["filename"]
        ]

    def text(self, message: Wire, kind: str) -> str | None:
        """Give the first part of that type that has no name."""
        fitting = (part for part in _parts(message["payload"]) if part["mimeType"] == kind and not part["filename"])
        part = next(fitting, None)
        return None if part is None else self._bytes(message["id"], part["body"]).decode()

    def seen(self, message: Wire) -> Seen:
        headers = {header["name"].lower(): header["value"] for header in message["payload"]["headers"]}
        marks = frozenset(message.get("labelIds", ()))
        return Seen(
            id=message["id"],
            thread=message["threadId"],
            subject=headers["subject"],
            sender=_people(headers["from"])[0],
            to=_people(headers.get("to", "")),
            cc=_people(headers.get("cc", "")),
            date=dt.datetime.fromtimestamp(int(message["internalDate"]) / 1000, dt.UTC),
            read="UNREAD" not in marks,
            starred="STARRED" in marks,
            place=next((place for label, place in _PLACES.items() if label in marks), "archive"),
            marks=frozenset(self.label_names[label] for label in marks if label in self.label_names),
        )

    def _bytes(self, message_id: str, body: Wire) -> bytes:
        if "attachmentId" in body:
            attachments = self.users.messages().attachments()
            body = attachments.get(userId="me", messageId=message_id, id=body["attachmentId"]).execute()
        return base64.urlsafe_b64decode(body.get("data", "") + "==")


def _members(collection: Any, name: str, **parameters: object) -> Iterator[Wire]:
    request = collection.list(userId="me", **parameters)
    while request is not None:
        answer = request.execute()
        yield from answer.get(name, ())
        request = collection.list_next(request, answer)


def _parts(payload: Wire) -> Iterator[Wire]:
    yield payload
    for part in payload.get("parts", ()):
        yield from _parts(part)


def _people(header: str) -> tuple[Person, ...]:
    return tuple(getaddresses([header])) if header else ()
