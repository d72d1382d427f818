"""What a search costs among 1,500 messages: a filter reads one page, the search index no more than its cap."""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

import pytest

from mailkit.providers.base import Search
from mailkit.query import parse
from mailkit.sandbox import Mail, MicrosoftMailbox, Person, Sandbox
from tests.query.graph_plans import MAILBOX, ME, NOW, ROWS, Row
from tests.support.drivers import RowCount, outlook

pytestmark = pytest.mark.anyio

LIMIT = 25
MOST = {"empty": 0, "filter": LIMIT, "search+local": 1000}
START = dt.datetime.fromisoformat(NOW)


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    """What a search costs does not depend on the event loop."""
    return "asyncio"


@pytest.fixture(scope="module")
def large() -> tuple[Sandbox, MicrosoftMailbox]:
    """Give a mailbox in which every message holds the commonest words of the queries, so that searches find plenty."""
    sandbox = Sandbox()
    box = sandbox.microsoft(ME[0], aliases=ME[1:])
    for folder in MAILBOX.folders:
        if folder.role == "other":
            box.add_folder(folder.path.replace("Deleted Items/", "trash/"))
    box.categories = list(MAILBOX.categories or ())
    amy, me = Person("Amy Stone", "amy@example.com"), Person("Mia", ME[0])
    for n in range(1_500):
        when = START - n * dt.timedelta(hours=3)
        box.add(
            Mail(from_=amy, to=[me], subject="Dinner", text="Dinner and a movie, Zelda.", date=when, read=n % 2 > 0)
        )
    return sandbox, box


@pytest.mark.parametrize("row", [row for row in ROWS if row.strategy in MOST], ids=lambda row: row.id)
async def test_no_more_is_read_than_the_strategy_allows(row: Row, large: tuple[Sandbox, MicrosoftMailbox]) -> None:
    sandbox, box = large
    counted = RowCount(sandbox.transport())
    driver = outlook(sandbox, box, transport=counted)
    search = Search(expr=parse(row.query), now=START, tz=ZoneInfo(row.tz), size=LIMIT)
    assert (await driver.plan(search)).strategy == row.strategy
    await (await driver.search(search)).fetch()
    assert counted.rows <= MOST[row.strategy]
