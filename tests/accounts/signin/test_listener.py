"""The listener takes the browser's answer and nothing else, on real sockets."""

from __future__ import annotations

import gc
import socket
import warnings
from collections.abc import Mapping

import anyio
import pytest

from mailkit.accounts.signin.listener import listening
from mailkit.errors import ConfigurationError
from tests.support.browser import visit

pytestmark = pytest.mark.anyio


async def test_the_answer_is_taken_and_a_plain_page_given() -> None:
    pages = []

    async def browser() -> None:
        pages.append(await visit(f"http://localhost:{listener.port}/?code=4%2Fabc&state=s%20t"))

    async with listening(0, account="work") as listener, anyio.create_task_group() as group:
        group.start_soon(browser)
        assert await listener.redirect("s t") == {"code": "4/abc", "state": "s t"}
    ((status, page),) = pages
    assert status == 200
    assert "go back to the program" in page
    assert "abc" not in page


async def test_stray_requests_count_for_nothing() -> None:
    statuses: list[int] = []

    async def browser() -> None:
        base = f"http://127.0.0.1:{listener.port}"
        unused = await anyio.connect_tcp("127.0.0.1", listener.port)  # browsers open connections ahead of need
        for method, path in [
            ("GET", "/favicon.ico"),
            ("GET", "/"),
            ("POST", "/?code=x&state=s"),
            ("HEAD", "/?code=x"),
            ("GET", "/?code=1"),
            ("GET", "/?error=x&state=t"),
        ]:
            statuses.append((await visit(base + path, method=method))[0])
        await visit(f"{base}/?code=good&state=s")
        await unused.aclose()

    async with listening(0, account="work") as listener, anyio.create_task_group() as group:
        group.start_soon(browser)
        assert (await listener.redirect("s"))["code"] == "good"
    assert statuses == [404] * 6


@pytest.mark.parametrize("sent", [b"", b"\r\n\r\n", b"\x16\x03\x01\x02\x00", b"GET " + b"a" * 70_000])
async def test_what_is_no_request_harms_nobody(sent: bytes) -> None:
    async def browser() -> None:
        async with await anyio.connect_tcp("127.0.0.1", listener.port) as stream:
            if sent:
                await stream.send(sent)
        await visit(f"http://127.0.0.1:{listener.port}/?code=good&state=s")

    async with listening(0, account="work") as listener, anyio.create_task_group() as group:
        group.start_soon(browser)
        assert (await listener.redirect("s"))["code"] == "good"


async def test_a_second_answer_changes_nothing() -> None:
    taken: list[Mapping[str, str]] = []

    async def browser(code: str) -> None:
        await visit(f"http://127.0.0.1:{listener.port}/?code={code}&state=s")

    async with listening(0, account="work") as listener:
        async with anyio.create_task_group() as group:
            group.start_soon(browser, "one")
            taken.append(await listener.redirect("s"))
        assert await listener.redirect("s") == taken[0]


async def test_a_port_that_is_taken_is_told() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(ConfigurationError) as caught:
            async with listening(port, account="work"):
                pytest.fail("it is taken")
    assert (caught.value.code, caught.value.account) == ("port_taken", "work")
    assert str(port) in str(caught.value)
    with warnings.catch_warnings():
        # The lowest anyio forgets the socket it could not bind: it is collected here, and not in another test.
        warnings.simplefilter("ignore", ResourceWarning)
        del caught
        gc.collect()


async def test_the_port_given_is_used_and_free_again_afterwards() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
    for _ in range(2):
        async with listening(port, account="work") as listener:
            assert listener.port == port


async def test_nothing_but_this_machine_is_listened_to() -> None:
    async with listening(0, account="work") as listener:
        assert listener._socket.extra(anyio.abc.SocketAttribute.local_address) == ("127.0.0.1", listener.port)


async def test_waiting_can_be_given_up() -> None:
    async with listening(0, account="work") as listener:
        with anyio.CancelScope() as scope:
            scope.cancel()
            await listener.redirect("s")
        assert scope.cancelled_caught
    with pytest.raises(OSError):
        await visit(f"http://127.0.0.1:{listener.port}/")
