"""What a user waits for, beside the least that the network allows: sequential round trips times their latency.

mailkit's pacing is off, by a quota that nothing uses up; what is paced is measured nowhere here.
"""

from __future__ import annotations

import asyncio
import gc
import time
import tracemalloc
from collections.abc import Awaitable, Callable, Iterator, Mapping
from itertools import cycle

import attrs

from mailkit import Account, AsyncMailClient, MailClient, Quota, Settings
from mailkit.models import MessageSummary
from mailkit.values import Ref
from tests.benchmarks import by_hand, letters
from tests.benchmarks.measure import Work, taking_turns, verdict
from tests.benchmarks.server import LATENCY

OURS, HAND, GOOGLE, O365 = "mailkit", "httpx by hand", "google-api-python-client", "O365"
COLUMNS = ("task", "floor ms", OURS, "ratio", "bound", "", HAND, GOOGLE, O365)

NEWEST_GMAIL = "newest 100 of one Gmail mailbox"
NEWEST_OUTLOOK = "newest 100 of one Outlook mailbox"
MERGED = "newest 100 of 4 + 4 accounts, merged"
WHOLE_GMAIL = "50 whole Gmail messages"
WHOLE_OUTLOOK = "50 whole Outlook messages"
ITERATED = "10,000 Gmail summaries, one by one"
ARCHIVED_GMAIL = "500 Gmail messages archived"
ARCHIVED_ROWS = "500 Outlook messages archived, given as rows"
ARCHIVED_REFS = "500 Outlook messages archived, given as refs"

_SETTINGS = Settings(gmail_quota=Quota(units=10**9, seconds=60))
_GMAIL, _OUTLOOK = ("g1", "g2", "g3", "g4"), ("m1", "m2", "m3", "m4")
Works = Callable[[], Awaitable[object]]
OnLoop = Callable[[Works], Work]

_DEADLINE = 1.0
_MEGABYTE = 1024 * 1024


@attrs.frozen(kw_only=True)
class Wait:
    """One task: how many round trips it cannot do without, and what ratio to them mailkit must keep.

    ``slow`` ones run once only, so that the whole run ends soon.
    """

    task: str
    trips: int
    most: float
    works: Mapping[str, Work]
    slow: Mapping[str, Work] = attrs.field(factory=dict)
    rounds: int = 9

    def row(self) -> list[str]:
        """Measure, and write the row."""
        floor = self.trips * LATENCY
        took = taking_turns(self.works, rounds=self.rounds) | taking_turns(self.slow, rounds=1, warm=False)
        shown = {name: f"{seconds * 1000:,.0f}" for name, seconds in took.items()}
        ratio = took[OURS] / floor
        return [
            self.task,
            f"{floor * 1000:,.0f}",
            shown[OURS],
            f"{ratio:.2f}",
            f"≤ {self.most}",
            verdict(ratio, most=self.most),
            *(shown.get(name, "") for name in COLUMNS[6:]),
        ]


def accounts(url: str, *, hanging: str = "") -> list[Account]:
    """Give four Gmail and four Outlook accounts; the one named ``hanging`` never gets an answer."""
    tokens = {name: "hangs" if name == hanging else "token" for name in (*_GMAIL, *_OUTLOOK)}
    return [
        *(Account(name=name, provider="google", token=tokens[name], base_url=url) for name in _GMAIL),
        *(Account(name=name, provider="microsoft", token=tokens[name], base_url=f"{url}/v1.0") for name in _OUTLOOK),
    ]


def client(url: str, *, hanging: str = "") -> AsyncMailClient:
    """Give a client of all eight."""
    return AsyncMailClient(accounts(url, hanging=hanging), settings=_SETTINGS, tz="UTC")


def rows(url: str, *, with_others: bool) -> Iterator[list[str]]:
    """Measure every task; yields a row for each."""
    with asyncio.Runner() as loop:

        def on_loop(make: Works) -> Work:
            async def awaited() -> object:
                return await make()

            return lambda: loop.run(awaited())

        mail, hands, others = client(url), by_hand.Mailboxes(url), _others(url) if with_others else {}
        gc.freeze()  # what the other clients keep in memory would make every collection longer, mailkit's too
        for wait in _waits(url, mail, hands, on_loop, others):
            yield wait.row()
        yield from _hanging(url, on_loop)
        yield _sync(url, on_loop, mail)
        loop.run(mail.aclose())
        loop.run(hands.aclose())
    yield _growth(url)


def _waits(
    url: str,
    mail: AsyncMailClient,
    hands: by_hand.Mailboxes,
    on_loop: OnLoop,
    others: Mapping[str, Mapping[str, Work]],
) -> Iterator[Wait]:
    gmail, outlook = hands.gmail[0], hands.outlook[0]
    gmail_ids = [letters.gmail_id(number) for number in range(50)]
    outlook_ids = [letters.graph_id(number) for number in range(50)]

    async def cold() -> object:
        async with client(url) as fresh:
            return await fresh.recent(accounts="m1", limit=100)

    async def iterated() -> int:
        seen = 0
        async for _row in mail.iter_search("in:inbox", accounts="g1"):
            seen += 1
        assert seen == letters.MAILBOX
        return seen

    def wait(task: str, trips: int, most: float, ours: Works, hand: Works) -> Wait:
        works = {OURS: on_loop(ours), HAND: on_loop(hand)}
        theirs = others.get(task, {})
        if task == ITERATED:
            return Wait(task=task, trips=trips, most=most, works=works, slow=theirs, rounds=5)
        return Wait(task=task, trips=trips, most=most, works={**works, **theirs})

    def refs(account: str, ids: list[str]) -> list[Ref]:
        return [Ref(account=account, kind="message", id=id_) for id_ in ids]

    yield wait(NEWEST_GMAIL, 2, 1.15, lambda: mail.recent(accounts="g1", limit=100), lambda: gmail.newest(100))
    yield wait(NEWEST_OUTLOOK, 1, 1.15, lambda: mail.recent(accounts="m1", limit=100), lambda: outlook.newest(100))
    yield Wait(task=f"{NEWEST_OUTLOOK}, first of all", trips=2, most=1.15, works={OURS: on_loop(cold)})
    yield wait(MERGED, 2, 1.3, lambda: mail.recent(limit=100), lambda: hands.newest(100))
    yield wait(WHOLE_GMAIL, 1, 1.25, lambda: mail.get_many(refs("g1", gmail_ids)), lambda: gmail.whole(gmail_ids))
    yield wait(
        WHOLE_OUTLOOK, 3, 1.25, lambda: mail.get_many(refs("m1", outlook_ids)), lambda: outlook.whole(outlook_ids)
    )
    yield wait(ITERATED, 21, 1.6, iterated, gmail.everything)
    yield from _archived(mail, hands, wait)


def _archived(
    mail: AsyncMailClient, hands: by_hand.Mailboxes, wait: Callable[[str, int, float, Works, Works], Wait]
) -> Iterator[Wait]:
    """Twice what takes one batch where nobody knows the folder: a ref does not say it.

    In accounts of their own, by turns, since Outlook lets an account ask 10,000 times in ten minutes.
    """
    gmail_ids = [letters.gmail_id(number) for number in range(500)]
    outlook_ids = [letters.graph_id(number) for number in range(500)]
    rows: list[MessageSummary] = []

    async def refs(account: str, ids: list[str]) -> None:
        outcomes = await mail.archive([Ref(account=account, kind="message", id=id_) for id_ in ids])
        outcomes.raise_for_failures()

    async def known() -> None:
        if not rows:  # in the first round, which is not measured
            rows.extend(await mail.recent(accounts="m2", limit=500))
        outcomes = await mail.archive(rows)
        outcomes.raise_for_failures()

    gmail, outlook = hands.gmail[0], hands.outlook[0]
    unknown = cycle(("m3", "m4"))
    yield wait(ARCHIVED_GMAIL, 2, 1.3, lambda: refs("g1", gmail_ids), lambda: gmail.archive(gmail_ids))
    yield wait(ARCHIVED_ROWS, 25, 1.3, known, lambda: outlook.archive(outlook_ids))
    yield wait(ARCHIVED_REFS, 50, 1.3, lambda: refs(next(unknown), outlook_ids), lambda: outlook.archive(outlook_ids))


def _others(url: str) -> dict[str, dict[str, Work]]:
    from tests.benchmarks import others

    gmail, outlook = others.Google(url), others.Outlook(url)
    reads = [*(others.Google(url).newest for _ in _GMAIL), *(others.Outlook(url).newest for _ in _OUTLOOK)]
    return {
        NEWEST_GMAIL: {GOOGLE: lambda: gmail.newest(100)},
        NEWEST_OUTLOOK: {O365: lambda: outlook.newest(100)},
        MERGED: {GOOGLE: lambda: others.newest_of_all(reads, 100)},
        WHOLE_GMAIL: {GOOGLE: lambda: gmail.whole([letters.gmail_id(number) for number in range(50)])},
        WHOLE_OUTLOOK: {O365: lambda: outlook.newest(50)},
        ITERATED: {GOOGLE: gmail.everything},
    }


def _hanging(url: str, on_loop: OnLoop) -> Iterator[list[str]]:
    """One account of eight never answers: what the seven others gave, and when."""
    mail = client(url, hanging="g4")
    arrived: list[float] = []

    async def together() -> object:
        results = await mail.recent(limit=100, deadline=_DEADLINE)
        assert [failure.account for failure in results.failures] == ["g4"]
        return results

    async def as_they_come() -> None:
        start = time.perf_counter()
        async with mail.search_as_completed("in:inbox", limit=100, deadline=_DEADLINE) as updates:
            async for update in updates:
                if update.waiting == ("g4",):
                    break
        arrived.append(time.perf_counter() - start)

    late = taking_turns({OURS: on_loop(together)}, rounds=5)[OURS] - _DEADLINE
    yield [
        f"one of 8 hangs: the answer, after the deadline of {_DEADLINE:g} s",
        "0",
        f"{late * 1000:,.0f}",
        "",
        "≤ 100 ms",
        verdict(late, most=0.1),
        *[""] * 3,
    ]
    yield Wait(
        task="one of 8 hangs: the seven others' rows, as they arrive",
        trips=2,
        most=1.3,
        works={OURS: on_loop(as_they_come)},
    ).row()
    on_loop(mail.aclose)()


def _sync(url: str, on_loop: OnLoop, mail: AsyncMailClient) -> list[str]:
    """The sync client beside the async one."""
    with MailClient(accounts(url), settings=_SETTINGS, tz="UTC") as blocking:
        took = taking_turns(
            {
                "async": on_loop(lambda: mail.recent(accounts=["g1", "m1"], limit=100)),
                "sync": lambda: blocking.recent(accounts=["g1", "m1"], limit=100),
            },
            rounds=15,
        )
    ratio = took["sync"] / took["async"]
    return [
        "newest 100 of two accounts: the sync client beside the async one",
        f"{took['async'] * 1000:,.0f}",
        f"{took['sync'] * 1000:,.0f}",
        f"{ratio:.2f}",
        "≤ 1.15",
        verdict(ratio, most=1.15),
        *[""] * 3,
    ]


def _growth(url: str) -> list[str]:
    """How much memory an iteration takes at its highest, all that Python allocates counted."""
    with MailClient(accounts(url), settings=_SETTINGS, tz="UTC") as mail:
        mail.recent(accounts="g1", limit=100)
        tracemalloc.start()
        for _row in mail.iter_search("in:inbox", accounts="g1"):
            pass
        _, highest = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    return [
        f"{ITERATED}: growth in MB",
        "",
        f"{highest / _MEGABYTE:.1f}",
        "",
        "≤ 20",
        verdict(highest / _MEGABYTE, most=20),
        *[""] * 3,
    ]
