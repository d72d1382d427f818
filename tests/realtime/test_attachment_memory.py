"""A large attachment is never held whole: measured over a real socket, the server in a process of its own."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest

from mailkit import Account, MailClient
from mailkit.models import Attachment
from mailkit.values import Provider, Ref
from tests.support import big_file

pytestmark = pytest.mark.realtime

MOST = 10 * 1024 * 1024


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with big_file.served() as where:
        yield where


@pytest.mark.parametrize(("provider", "path"), [("google", ""), ("microsoft", "/v1.0")])
def test_saving_20_mb_takes_less_than_10_mb(url: str, tmp_path: Path, provider: Provider, path: str) -> None:
    tmp_path.chmod(0o700)
    ref = Ref(account="home", kind="attachment", id=big_file.MESSAGE, part=big_file.PART)
    attachment = Attachment(ref=ref, name="big.bin", size=big_file.SIZE)
    told: list[int] = []
    with MailClient(Account(name="home", provider=provider, token="t", base_url=url + path)) as mail:
        tracemalloc.start()
        try:
            saved = mail.attachments.save(attachment, tmp_path, progress=lambda done, _total: told.append(done))
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
    assert saved.read_bytes() == big_file.DATA
    assert peak < MOST
    assert told == sorted(told)
    assert told[-1] == big_file.SIZE
    assert len(told) > 20
