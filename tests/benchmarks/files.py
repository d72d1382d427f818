"""Saving one attachment of 20 MB: how much memory it takes, and how long beside the bare transfer by httpx."""

from __future__ import annotations

import base64
import json
import tempfile
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import httpx

from mailkit import Account, MailClient
from mailkit.models import Attachment
from mailkit.values import Provider, Ref
from tests.benchmarks.measure import taking_turns, verdict
from tests.support import big_file

COLUMNS = ("task", "httpx by hand, ms", "mailkit, ms", "ratio", "growth, MB", "bound", "")

_MEGABYTE = 1024 * 1024
_MOST = 10.0
_PROVIDERS: tuple[tuple[Provider, str, str], ...] = (
    ("google", "", f"/gmail/v1/users/me/messages/{big_file.MESSAGE}/attachments/A"),
    ("microsoft", "/v1.0", f"/v1.0/me/messages/{big_file.MESSAGE}/attachments/{big_file.PART}/$value"),
)


def rows() -> Iterator[list[str]]:
    """Measure both providers; yields a row for each."""
    with big_file.served() as url, tempfile.TemporaryDirectory() as folder:
        for provider, base, path in _PROVIDERS:
            yield _row(url, Path(folder), provider, base, path)


def _row(url: str, folder: Path, provider: Provider, base: str, path: str) -> list[str]:
    ref = Ref(account="home", kind="attachment", id=big_file.MESSAGE, part=big_file.PART)
    attachment = Attachment(ref=ref, name="big.bin", size=big_file.SIZE)
    account = Account(name="home", provider=provider, token="token", base_url=url + base)
    with MailClient(account) as mail, httpx.Client() as hand:

        def save() -> None:
            mail.attachments.save(attachment, folder).unlink()

        def by_hand() -> None:
            content = hand.get(url + path).content
            data = base64.urlsafe_b64decode(json.loads(content)["data"]) if provider == "google" else content
            (folder / "by-hand.bin").write_bytes(data)

        took = taking_turns({"hand": by_hand, "mailkit": save}, rounds=5)
        tracemalloc.start()
        save()
        growth = tracemalloc.get_traced_memory()[1] / _MEGABYTE
        tracemalloc.stop()
    return [
        f"20 MB from {'Gmail' if provider == 'google' else 'Outlook'} to disk",
        *(f"{took[name] * 1000:,.0f}" for name in ("hand", "mailkit")),
        f"{took['mailkit'] / took['hand']:.2f}",
        f"{growth:.1f}",
        f"growth ≤ {_MOST:g}",
        verdict(growth, most=_MOST),
    ]
