"""Several calls as few requests, in the provider's own batch form.

Responsible for cutting into batches, matching answers to calls and judging each part by itself. Never repeats: what
failed and may be tried again comes back as a failure, and the next round takes it along.
"""

from __future__ import annotations

import copy
import itertools
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TypeVar

import anyio
import attrs

from mailkit.errors import BadPayload
from mailkit.transport import json_batch, multipart_batch, url
from mailkit.transport.call import Answer, Call
from mailkit.transport.exchange import Exchange
from mailkit.transport.outcome import Failure

__all__ = ["Batching"]

T = TypeVar("T")


class Batching:
    """One account's batches; remembers when a server turns out to have no batch route (an emulator, for one)."""

    def __init__(self, exchange: Exchange) -> None:
        self._exchange = exchange
        self._route = exchange.dialect.batch
        self._route_is_missing = False

    async def attempt(self, calls: Mapping[int, Call], token: str) -> dict[int, Answer | Failure]:
        """Send each call once, in batches, or one by one where there is no batch route; gives an outcome for each."""
        outcomes: dict[int, Answer | Failure] = {}

        async def together(chunk: dict[int, Call]) -> None:
            outcomes.update(await self._batch(chunk, token))

        async def alone(number: int) -> None:
            outcomes[number] = await self._exchange.whole(calls[number], token)

        if len(calls) > 1 and not self._route_is_missing:
            numbers = iter(calls)
            parts = self._route.parts(len(calls))
            chunks = list(iter(lambda: {n: calls[n] for n in itertools.islice(numbers, parts)}, {}))
            await _each(chunks, together, at_once=self._route.parallel)
        await _each([n for n in calls if n not in outcomes], alone, at_once=self._exchange.dialect.slots)
        return outcomes

    async def _batch(self, calls: dict[int, Call], token: str) -> dict[int, Answer | Failure]:
        """Send one batch; gives nothing where the server has no such route."""
        encode, decode = (
            (self._to_multipart, _from_multipart) if self._route.style == "multipart" else (self._to_json, _from_json)
        )
        answer = await self._exchange.whole(encode(calls), token, places=self._route.slots)
        if isinstance(answer, Failure):
            self._route_is_missing = answer.error.status in {404, 405}
            return {} if self._route_is_missing else {number: _same(answer) for number in calls}
        try:
            parts = decode(answer, calls)
        except BadPayload as error:
            return {number: _same(Failure(error=error, repeat="reads")) for number in calls}
        return {number: self._part(call, parts.get(number), answer) for number, call in calls.items()}

    def _part(self, call: Call, part: Answer | None, batch: Answer) -> Answer | Failure:
        if part is None:
            missing = BadPayload(
                "the answer to a batch lacks this part; try again",
                path="$",
                code="part_missing",
                status=batch.status,
                request_id=batch.request_id,
            )
            return Failure(error=missing, repeat="reads")
        request_id = self._exchange.request_id(part.headers) or batch.request_id
        return self._exchange.judge(call, part if request_id is None else attrs.evolve(part, request_id=request_id))

    def _to_multipart(self, calls: dict[int, Call]) -> Call:
        parts = {
            number: multipart_batch.Part(
                start=f"{call.method} {self._target(call)} HTTP/1.1",
                headers={name.lower(): value for name, value in call.body_headers},
                body=call.body,
            )
            for number, call in calls.items()
        }
        content_type, content = multipart_batch.encode(parts, boundary=self._exchange.new_id())
        envelope = self._envelope(calls)
        return attrs.evolve(envelope, content=content, headers=(("Content-Type", content_type),), expects="bytes")

    def _to_json(self, calls: dict[int, Call]) -> Call:
        items = {
            number: json_batch.Item(
                method=call.method, target=self._target(call), headers=call.body_headers, body=call.json
            )
            for number, call in calls.items()
        }
        return attrs.evolve(self._envelope(calls), json=json_batch.encode(items))

    def _envelope(self, calls: dict[int, Call]) -> Call:
        return Call(
            operation=next(iter(calls.values())).operation,
            method="POST",
            url=self._route.path,
            # n calls count as n (Gmail: developers.google.com/workspace/gmail/api/guides/batch; Graph: json-batching)
            units=sum(call.units for call in calls.values()),
        )

    def _target(self, call: Call) -> str:
        """Give path and query below the base URL, as both batch forms want them."""
        base = self._exchange.base_url
        return url.join(base, call.url, call.query)[len(base) :]


def _from_multipart(answer: Answer, calls: Mapping[int, Call]) -> dict[int, Answer]:
    parts = multipart_batch.decode(answer.headers.get("content-type", ""), answer.content)
    return {
        number: Answer(status=status, headers=part.headers, content=part.body)
        for number, part in parts.items()
        if number in calls and (status := part.status) is not None
    }


def _from_json(answer: Answer, calls: Mapping[int, Call]) -> dict[int, Answer]:
    return json_batch.decode(answer.json(), calls)


def _same(failure: Failure) -> Failure:
    # Each part gets an error of its own, since each is told its own operation and attempts.
    return attrs.evolve(failure, error=copy.copy(failure.error))


async def _each(items: Sequence[T], work: Callable[[T], Awaitable[None]], *, at_once: int) -> None:
    """Do ``work`` on every item, so many at once, begun in order."""
    waiting = iter(items)

    async def worker() -> None:
        for item in waiting:
            await work(item)

    async with anyio.create_task_group() as group:
        for _ in range(min(at_once, len(items))):
            group.start_soon(worker)
