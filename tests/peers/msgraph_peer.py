"""Microsoft's own SDK on the served sandbox, and what it says of a mailbox.

Its Azure credentials insist on https; its bearer provider, which anybody may feed, does not. So plain http will do.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import httpx
from kiota_abstractions.authentication import (
    AccessTokenProvider,
    AllowedHostsValidator,
    BaseBearerTokenAuthenticationProvider,
)
from kiota_abstractions.base_request_configuration import RequestConfiguration
from kiota_abstractions.headers_collection import HeadersCollection
from msgraph import GraphRequestAdapter, GraphServiceClient
from msgraph.graph_request_adapter import options
from msgraph_core import GraphClientFactory, PageIterator

from tests.peers.seen import Person, Seen

_PLACES = {
    "Inbox": "inbox",
    "Sent Items": "sent",
    "Drafts": "drafts",
    "Deleted Items": "trash",
    "Junk Email": "spam",
    "Archive": "archive",
    "Outbox": "outbox",
}


class _Token(AccessTokenProvider):  # type: ignore[misc]  # types of the peers are not installed where types are checked
    """A token for any host."""

    def __init__(self, token: str) -> None:
        self._token = token

    async def get_authorization_token(
        self, uri: str, additional_authentication_context: Mapping[str, Any] | None = None
    ) -> str:
        return self._token

    def get_allowed_hosts_validator(self) -> Any:
        return AllowedHostsValidator([])


class GraphPeer:
    """The SDK as its documentation uses it, all its middleware included; ``open`` reads the folders."""

    def __init__(self, url: str, token: str) -> None:
        self._connections = httpx.AsyncHTTPTransport()  # its client does not close what lies below the middleware
        client = httpx.AsyncClient(transport=self._connections)
        client = GraphClientFactory.create_with_default_middleware(client=client, options=options)
        adapter = GraphRequestAdapter(BaseBearerTokenAuthenticationProvider(_Token(token)), client)
        adapter.base_url = f"{url}/v1.0"
        self._adapter = adapter
        self.me = GraphServiceClient(request_adapter=adapter).me
        self.folders: dict[str, str] = {}

    async def open(self) -> None:
        await self._walk(self.me.mail_folders, "")

    async def close(self) -> None:
        await self._connections.aclose()

    async def every(self, collection: Any, **parameters: Any) -> list[Any]:
        """Read a list to its end with the SDK's own page iterator."""
        rows: list[Any] = []
        configuration = asked(collection, **parameters)
        first = await collection.get(request_configuration=configuration)

        def take(row: Any) -> bool:
            rows.append(row)
            return True

        pages = PageIterator(first, self._adapter)
        pages.headers = configuration.headers  # its set_headers() hands them over in a form that is not taken
        await pages.iterate(take)
        return rows

    def seen(self, message: Any) -> Seen:
        path = self.folders[message.parent_folder_id]
        own = () if path in _PLACES else (path,)
        return Seen(
            id=message.id,
            thread=message.conversation_id,
            subject=message.subject,
            sender=_person(message.from_),
            to=tuple(map(_person, message.to_recipients)),
            cc=tuple(map(_person, message.cc_recipients)),
            date=message.received_date_time,
            read=message.is_read,
            starred=message.flag.flag_status.value == "flagged",
            place=_PLACES.get(path, "other"),
            marks=frozenset((*message.categories, *own)),
        )

    async def _walk(self, collection: Any, above: str) -> None:
        for folder in await self.every(collection):
            path = f"{above}{folder.display_name}"
            self.folders[folder.id] = path
            if folder.child_folder_count:
                below = self.me.mail_folders.by_mail_folder_id(folder.id).child_folders
                await self._walk(below, f"{path}/")


def asked(builder: Any, **parameters: Any) -> Any:
    """Configure a request: query parameters as the builder's own class, and ids that survive a move."""
    name = next(name for name in dir(type(builder)) if name.endswith("GetQueryParameters"))
    configuration = RequestConfiguration(query_parameters=getattr(type(builder), name)(**parameters))
    configuration.headers = HeadersCollection()
    configuration.headers.add("Prefer", 'IdType="ImmutableId"')
    return configuration


def _person(recipient: Any) -> Person:
    # Exchange shows the address for a name where there is none.
    who = recipient.email_address
    return ("" if who.name == who.address else who.name, who.address)
