"""What somebody who knows both interfaces well gets out of httpx with a few dozen lines: no retries, no checks.

Batches of Gmail go out side by side, pages are listed ahead. Rows are dictionaries of what a list shows.
"""

from __future__ import annotations

import asyncio
import json
from typing import Any
from urllib.parse import quote

import httpx

_FIELDS = "id,threadId,labelIds,snippet,internalDate,sizeEstimate,payload/headers"
_HEADERS = ("From", "To", "Cc", "Bcc", "Subject", "Date", "Message-ID")
_METADATA = f"?format=metadata&fields={quote(_FIELDS)}" + "".join(f"&metadataHeaders={name}" for name in _HEADERS)
_SELECT = (
    "id,conversationId,internetMessageId,subject,bodyPreview,from,toRecipients,ccRecipients,bccRecipients,"
    "receivedDateTime,sentDateTime,hasAttachments,importance,isRead,isDraft,flag,categories,parentFolderId"
)

Row = dict[str, Any]


class Gmail:
    """One Gmail mailbox."""

    def __init__(self, url: str) -> None:
        self.http = _client(url)

    async def newest(self, count: int) -> list[Row]:
        """Give the newest summaries."""
        page = await self._list(count, "")
        return await self._summaries(page["messages"], size=20)

    async def everything(self) -> int:
        """Go through all summaries, listing a page ahead; gives how many there are."""
        seen, page = 0, await self._list(500, "")
        while page:
            following, rows = await asyncio.gather(
                self._list(500, page["nextPageToken"]) if "nextPageToken" in page else _nothing(),
                self._summaries(page["messages"], size=50),
            )
            seen, page = seen + len(rows), following
        return seen

    async def whole(self, ids: list[str]) -> list[Row]:
        """Give whole messages."""
        targets = [f"/gmail/v1/users/me/messages/{id_}?format=full" for id_ in ids]
        return [json.loads(body) for body in await self._batches(targets, 20)]

    async def archive(self, ids: list[str]) -> int:
        """Take messages out of the inbox, then look whether they are; gives how many are."""
        body = {"ids": ids, "removeLabelIds": ["INBOX"]}
        (await self.http.post("/gmail/v1/users/me/messages/batchModify", json=body)).raise_for_status()
        targets = [f"/gmail/v1/users/me/messages/{id_}?format=minimal&fields=id%2ClabelIds" for id_ in ids]
        return sum("INBOX" not in json.loads(body)["labelIds"] for body in await self._batches(targets, 50))

    async def _list(self, count: int, token: str) -> Row:
        query = {
            "maxResults": str(count),
            "fields": "messages/id,nextPageToken",
            **({"pageToken": token} if token else {}),
        }
        return (await self.http.get("/gmail/v1/users/me/messages", params=query)).json()  # type: ignore[no-any-return]

    async def _summaries(self, listed: list[Row], *, size: int) -> list[Row]:
        targets = [f"/gmail/v1/users/me/messages/{row['id']}{_METADATA}" for row in listed]
        return [_shown(json.loads(body)) for body in await self._batches(targets, size)]

    async def _batches(self, targets: list[str], size: int) -> list[bytes]:
        chunks = [targets[at : at + size] for at in range(0, len(targets), size)]
        return [body for bodies in await asyncio.gather(*map(self._batch, chunks)) for body in bodies]

    async def _batch(self, targets: list[str]) -> list[bytes]:
        parts = (
            f"--b\r\nContent-Type: application/http\r\nContent-ID: <{at}>\r\n\r\nGET {target} HTTP/1.1\r\n\r\n\r\n"
            for at, target in enumerate(targets)
        )
        answer = await self.http.post(
            "/batch/gmail/v1",
            content="".join(parts) + "--b--\r\n",
            headers={"content-type": "multipart/mixed; boundary=b"},
        )
        boundary = answer.headers["content-type"].partition("boundary=")[2].encode()
        pieces = answer.content.split(b"--" + boundary)[1:-1]
        return [piece.split(b"\r\n\r\n", 2)[2] for piece in pieces]


def _shown(item: Row) -> Row:
    headers = {header["name"]: header["value"] for header in item["payload"]["headers"]}
    return {
        "id": item["id"],
        "date": int(item["internalDate"]),
        "from": headers.get("From"),
        "subject": headers.get("Subject"),
        "labels": item["labelIds"],
    }


class Outlook:
    """One Outlook mailbox."""

    def __init__(self, url: str) -> None:
        self.http = _client(f"{url}/v1.0")

    async def newest(self, count: int) -> list[Row]:
        """Give the newest summaries."""
        query = {"$top": str(count), "$select": _SELECT, "$orderby": "receivedDateTime desc"}
        page = (await self.http.get("/me/mailFolders/inbox/messages", params=query)).json()
        return [
            {"id": item["id"], "date": item["receivedDateTime"], "from": item["from"], "subject": item["subject"]}
            for item in page["value"]
        ]

    async def whole(self, ids: list[str]) -> list[Row]:
        """Give whole messages, 20 at a time, one batch after another: more at once and Outlook throttles."""
        rows: list[Row] = []
        for start in range(0, len(ids), 20):
            requests = [
                {"id": str(at), "method": "GET", "url": f"/me/messages/{id_}?$expand=attachments"}
                for at, id_ in enumerate(ids[start : start + 20])
            ]
            answer = (await self.http.post("/$batch", json={"requests": requests})).json()
            rows += [part["body"] for part in answer["responses"]]
        return rows

    async def archive(self, ids: list[str]) -> int:
        """Move messages, 20 at a time; gives how many were."""
        moved = 0
        for start in range(0, len(ids), 20):
            requests = [
                {
                    "id": str(at),
                    "method": "POST",
                    "url": f"/me/messages/{id_}/move",
                    "headers": {"Content-Type": "application/json", "Prefer": 'IdType="ImmutableId"'},
                    "body": {"destinationId": "archive"},
                }
                for at, id_ in enumerate(ids[start : start + 20])
            ]
            answer = (await self.http.post("/$batch", json={"requests": requests})).json()
            moved += sum(part["status"] < 300 for part in answer["responses"])
        return moved


async def agenda(http: httpx.AsyncClient, listed: str, events: str) -> list[Row]:
    """Give the events of every calendar of a Google or Microsoft account, as they come; the paths say which."""
    found = (await http.get(listed)).json()
    calendars = [calendar["id"] for calendar in found.get("items") or found["value"]]
    pages = [page.json() for page in await asyncio.gather(*(http.get(events.format(id_)) for id_ in calendars))]
    return [row for page in pages for row in page.get("items") or page["value"]]


class Mailboxes:
    """Four of each."""

    def __init__(self, url: str) -> None:
        self.gmail = [Gmail(url) for _ in range(4)]
        self.outlook = [Outlook(url) for _ in range(4)]
        self._all: list[Gmail | Outlook] = [*self.gmail, *self.outlook]

    async def newest(self, count: int) -> list[Row]:
        """Give the newest of all, merged."""
        lists = await asyncio.gather(*(mailbox.newest(count) for mailbox in self._all))
        return sorted((row for rows in lists for row in rows), key=lambda row: str(row["date"]), reverse=True)[:count]

    async def aclose(self) -> None:
        """Close all connections."""
        for mailbox in self._all:
            await mailbox.http.aclose()


def _client(url: str) -> httpx.AsyncClient:
    return httpx.AsyncClient(
        base_url=url,
        headers={"authorization": "Bearer token"},
        limits=httpx.Limits(max_connections=11, max_keepalive_connections=11),
        timeout=60,
    )


async def _nothing() -> Row:
    return {}
