"""The sandbox: mailboxes of both providers behind one transport, one clock, one log.

It finds the mailbox or the sign-in endpoint a request is for, applies scripted faults and keeps the log. It words no
answer (the services do) and waits for nothing (the transport does).
"""

from __future__ import annotations

import datetime as dt
import hashlib
import threading
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar
from urllib.parse import urlsplit

import attrs

from mailkit.sandbox.clock import VirtualClock
from mailkit.sandbox.delivery import PostOffice, SentMail
from mailkit.sandbox.faults import FaultScript
from mailkit.sandbox.google import GoogleMailbox, GoogleService
from mailkit.sandbox.identity.desk import Identity
from mailkit.sandbox.identity.provider import IdentityProvider, Reached
from mailkit.sandbox.invitations import CalendarPost, Notice
from mailkit.sandbox.mailbox import Mailbox
from mailkit.sandbox.microsoft import MicrosoftMailbox, MicrosoftService
from mailkit.sandbox.service import Proceed, Service
from mailkit.sandbox.transport import SandboxTransport
from mailkit.sandbox.wire import SandboxRequest, SandboxResponse
from mailkit.values import Clock

__all__ = ["LoggedRequest", "Sandbox"]

_BoxT = TypeVar("_BoxT", bound=Mailbox)


@attrs.define(kw_only=True)
class LoggedRequest:
    """One request the sandbox has seen.

    ``mailbox`` is the address it was for (None: unknown token), ``at`` the sandbox's time of arrival, ``in_flight`` how
    many requests of that mailbox were then under way, this one included (a Graph batch counts for several). ``status``
    is None while there is no answer. ``scripted`` says that a fault met it, or one of its ``parts``, which are the
    requests inside a batch.
    """

    method: str
    url: str = attrs.field(repr=False)
    mailbox: str | None = attrs.field(repr=False)
    operation: str | None
    at: dt.datetime
    in_flight: int
    headers: dict[str, str] = attrs.field(repr=False)
    content: bytes = attrs.field(repr=False)
    status: int | None = None
    scripted: bool = False
    parts: list[LoggedRequest] = attrs.field(factory=list, repr=False)

    @property
    def path(self) -> str:
        """The path of the URL."""
        return urlsplit(self.url).path


class Sandbox:
    """Gmail and Outlook, offline.

    ``clock`` is what the sandbox waits on and dates with (None: a new ``VirtualClock``), ``latency`` how many seconds
    every answer takes. Mailboxes are added with ``google`` and ``microsoft``, their people sign in at ``identity``;
    ``web`` adds an address of somebody else, ``transport`` leads to all of it. ``sent`` holds every mail an account
    sent, once each; ``outbox`` those that left for addresses without a mailbox here. ``notices`` holds every
    invitation, cancellation and answer that people were written to about, in order.
    """

    def __init__(self, clock: Clock | None = None, latency: float = 0.0) -> None:
        self.clock: Clock = VirtualClock() if clock is None else clock
        self.latency = latency
        self.requests: list[LoggedRequest] = []
        self._boxes: dict[str, Mailbox] = {}
        self._pages: dict[str, tuple[SandboxResponse, list[LoggedRequest]]] = {}
        post = PostOffice(lambda: tuple(self._boxes.values()), self.clock.now)
        self.sent: list[SentMail] = post.sent
        self.outbox: list[SentMail] = post.outbox
        invitations = CalendarPost(lambda: (box.calendars for box in self._boxes.values()))
        self.notices: list[Notice] = invitations.notices
        self._services: dict[str, Service[Any]] = {
            "google": GoogleService(post, invitations),
            "microsoft": MicrosoftService(post, invitations),
        }
        self._in_flight: Counter[str] = Counter()
        # Sync clients come from threads of their own; one request at a time keeps mailboxes and log whole.
        self._lock = threading.RLock()
        self.identity: Identity = Identity(self.clock.now, lambda: tuple(self._boxes.values()), self._lock)

    def google(
        self,
        address: str,
        *,
        token: str | None = None,
        name: str = "",
        aliases: Collection[str] = (),
        scopes: Collection[str] | None = None,
        quota: int | None = None,
        zone: str = "UTC",
    ) -> GoogleMailbox:
        """Add a Gmail mailbox, whose calendar is kept in ``zone`` (IANA).

        ``scopes`` are the granted ones (``https://www.googleapis.com/auth/gmail.readonly``), None: all. ``quota`` is
        how many quota units the account may use in a minute, None: not counted.
        """
        box = GoogleMailbox(
            address,
            token=token or _token("google", address),
            now=self.clock.now,
            name=name,
            aliases=aliases,
            scopes=scopes,
            quota=quota,
            zone=zone,
        )
        return self._opened(box)

    def microsoft(
        self,
        address: str,
        *,
        token: str | None = None,
        name: str = "",
        aliases: Collection[str] = (),
        scopes: Collection[str] | None = None,
        zone: str = "UTC",
    ) -> MicrosoftMailbox:
        """Add an Outlook mailbox; ``scopes`` are the granted ones (``Mail.Read``), None: all; ``zone`` is IANA's."""
        box = MicrosoftMailbox(
            address,
            token=token or _token("microsoft", address),
            now=self.clock.now,
            name=name,
            aliases=aliases,
            scopes=scopes,
            zone=zone,
        )
        return self._opened(box)

    def _opened(self, box: _BoxT) -> _BoxT:
        if box.token in self._boxes:
            raise ValueError("this sandbox has that mailbox already: give the other one a token of its own")
        self._boxes[box.token] = box
        return box

    def web(
        self, url: str, *, status: int = 200, headers: Collection[tuple[str, str]] = (), content: bytes = b""
    ) -> list[LoggedRequest]:
        """Add an address of the web that always answers the same; gives the list its requests are added to."""
        seen: list[LoggedRequest] = []
        self._pages[url] = SandboxResponse(status=status, headers=tuple(headers), content=content), seen
        return seen

    def transport(self) -> SandboxTransport:
        """Give an httpx transport, for sync and async clients, that leads to every mailbox of this sandbox."""
        return SandboxTransport(self)

    @contextmanager
    def arrival(self, method: str, url: str, headers: Mapping[str, str], content: bytes) -> Iterator[SandboxResponse]:
        """Answer one request, which stays under way until the block ends; header names come in lower case."""
        request = SandboxRequest(method=method, url=url, headers=headers, content=content, now=self.clock.now())
        service = None if url in self._pages else self._service(request)
        desk = None if service else self.identity.provider(url)
        with self._lock:
            reached = self._reached(service, request) if service else Reached()
            who = "" if reached.box is None else reached.box.token
            weight = service.weight(request) if service else 1
            self._in_flight[who] += weight
            request = attrs.evolve(request, in_flight=self._in_flight[who])
        try:
            with self._lock:
                if service is not None:
                    answer = self._at(service, reached, request)
                elif desk is not None:
                    answer = self._at_desk(desk, request)
                else:
                    answer = self._on_the_web(request)
            yield attrs.evolve(answer, delay=answer.delay + self.latency)
        finally:
            with self._lock:
                self._in_flight[who] -= weight

    def _service(self, request: SandboxRequest) -> Service[Any] | None:
        host = urlsplit(request.url).hostname
        services = self._services.values()
        named = (service for service in services if host in service.hosts)
        return next(named, None) or next((service for service in services if service.serves(request.path)), None)

    def _reached(self, service: Service[Any], request: SandboxRequest) -> Reached:
        """Find the mailbox behind a link, or a token: one given out when the mailbox was made, or one of a sign-in."""
        linked = next((box for box in self._boxes.values() if box.opened_by(request.url)), None)
        if linked is not None:
            return Reached(box=linked, scopes=linked.scopes)
        box = self._boxes.get(request.token or "")
        if box is not None and self._services[box.provider] is service:
            return Reached(box=box, scopes=box.scopes)
        provider = next(name for name, known in self._services.items() if known is service)
        return self.identity.reach(provider, request) or Reached()

    def _at(self, service: Service[Any], reached: Reached, request: SandboxRequest) -> SandboxResponse:
        if reached.box is not None:
            with reached.box.granting(reached.scopes):
                return self._exchange(service, reached.box, request, self.requests)
        entry = self._logged(service.operation(request), None, request, self.requests)
        answer = service.refuse(*reached.refusal) if reached.refusal else service.stranger(request)
        entry.status = answer.status
        return answer

    def _on_the_web(self, request: SandboxRequest) -> SandboxResponse:
        if request.url not in self._pages:
            return SandboxResponse(broken="connect")
        answer, seen = self._pages[request.url]
        entry = self._logged(None, None, request, self.requests)
        entry.status = answer.status
        seen.append(entry)
        return answer

    def _at_desk(self, desk: IdentityProvider, request: SandboxRequest) -> SandboxResponse:
        entry = self._logged(desk.operation(request), None, request, self.requests)
        return self._judged(desk.faults, desk.refuse, desk.answer, request, entry)

    def _exchange(
        self,
        service: Service[Any],
        box: Mailbox,
        request: SandboxRequest,
        log: list[LoggedRequest],
        proceed: Proceed | None = None,
    ) -> SandboxResponse:
        """Answer a request, or a part of one, whose way of answering is then ``proceed``."""
        entry = self._logged(service.operation(request), box, request, log)

        def exchange(part: SandboxRequest, proceed: Proceed) -> SandboxResponse:
            return self._exchange(service, box, part, entry.parts, proceed)

        return self._judged(
            box.faults, service.refuse, proceed or (lambda seen: service.handle(box, seen, exchange)), request, entry
        )

    def _logged(
        self, operation: str | None, box: Mailbox | None, request: SandboxRequest, log: list[LoggedRequest]
    ) -> LoggedRequest:
        entry = LoggedRequest(
            method=request.method,
            url=request.url,
            mailbox=None if box is None else box.address,
            operation=operation,
            at=request.now,
            in_flight=request.in_flight,
            headers=dict(request.headers),
            content=request.content,
        )
        log.append(entry)
        return entry

    def _judged(
        self,
        faults: FaultScript,
        refuse: Callable[[int, str | None, str | None], SandboxResponse],
        proceed: Proceed,
        request: SandboxRequest,
        entry: LoggedRequest,
    ) -> SandboxResponse:
        fault = faults.take(request, entry.operation)
        answer = fault.meet(refuse, lambda: proceed(request)) if fault else proceed(request)
        entry.scripted = fault is not None or any(part.scripted for part in entry.parts)
        answer = attrs.evolve(answer, scripted=entry.scripted)
        entry.status = None if answer.broken else answer.status
        return answer


def _token(provider: str, address: str) -> str:
    # Says nothing of the address, as real tokens do, and is the same every time.
    return hashlib.blake2s(f"{provider} {address}".encode(), digest_size=20).hexdigest()
