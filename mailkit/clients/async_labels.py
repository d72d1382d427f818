"""``mail.labels``: the labels, folders and categories of every account."""

from __future__ import annotations

from collections.abc import Iterable

from mailkit import fanout
from mailkit.clients.desk import Desk
from mailkit.models import Label, Results

__all__ = ["AsyncLabels"]


class AsyncLabels:
    """The labels, folders and categories of every account."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    async def list(
        self, *, accounts: str | Iterable[str] | None = None, deadline: float | None = None
    ) -> Results[Label]:
        """List every place and mark, account by account, parents before children.

        Raises:
            UnknownAccount: a name in ``accounts`` is not known.
            AllAccountsFailed: every account failed; the only account concerned raises its own error.

        Example:
            ```python
            from mailkit import AsyncMailClient
            from mailkit.testing import demo_accounts

            async with AsyncMailClient(demo_accounts()) as mail:
                for label in await mail.labels.list():
                    print(label.account, label.kind, label.path)
            ```
        """
        return await fanout.labels(self._desk, accounts, deadline=self._desk.deadline(deadline))
