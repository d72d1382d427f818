"""What the contract judge lets through without looking again, and what it does not."""

from __future__ import annotations

from types import ModuleType

import pytest

from mailkit.values import HttpRequest
from tests.support.contract import Judge

ASKED = HttpRequest(
    method="GET",
    url="https://graph.microsoft.com/v1.0/me/messages",
    headers=(("client-request-id", "15fe6387-8e5a-437b-8db4-be0b7533617b"),),
)
AGAIN = HttpRequest(
    method="GET", url=ASKED.url, headers=(("client-request-id", "0d028cfa-3a24-4a67-a686-098fc4b4b0ab"),)
)
OTHER = HttpRequest(method="GET", url=ASKED.url, headers=(("client-request-id", "none"),))


class Checker(ModuleType):
    """Finds ``found`` in every request."""

    def __init__(self, *found: str) -> None:
        super().__init__("contract_check")
        self.found, self.asked = found, 0

    def check_graph(self, *exchange: object, **more: object) -> tuple[str, ...]:
        self.asked += 1
        return self.found


def test_what_was_right_is_right_whatever_was_drawn() -> None:
    checker = Checker()
    judge = Judge(checker)
    for request in (ASKED, AGAIN, ASKED):
        judge.request(request)
    assert (checker.asked, judge.counts["requests"]) == (1, 3)


@pytest.mark.parametrize(
    "other",
    [
        OTHER,
        HttpRequest(method="POST", url=ASKED.url, headers=ASKED.headers),
        HttpRequest(method="GET", url=f"{ASKED.url}/1", headers=ASKED.headers),
        HttpRequest(method="GET", url=ASKED.url, headers=ASKED.headers, content=b"x"),
        HttpRequest(method="GET", url=ASKED.url, headers=ASKED.headers, content=b"x" * 200_000),
    ],
)
def test_anything_else_is_looked_at(other: HttpRequest) -> None:
    checker = Checker()
    judge = Judge(checker)
    judge.request(ASKED)
    judge.request(other)
    assert checker.asked == 2


def test_a_link_is_another_request_than_the_same_words() -> None:
    checker = Checker()
    judge = Judge(checker)
    judge.request(ASKED)
    judge.learn(b'{"@odata.nextLink": "%b"}' % ASKED.url.encode())
    judge.request(ASKED)
    assert checker.asked == 2


def test_what_is_wrong_is_found_every_time() -> None:
    judge = Judge(Checker("no"))
    for _ in range(2):
        judge.request(ASKED)
        assert len(judge.take()) == 1
