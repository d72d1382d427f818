"""How a mailing list says one can leave it."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from mailkit.mime.lists import is_one_click, read_links, read_mailto
from mailkit.models.records import Record

__all__ = ["ListUnsubscribe", "MailTo", "list_unsubscribe_of"]


@attrs.frozen(kw_only=True, repr=False)
class MailTo(Record):
    """The mail to write: to whom, under which subject and with which text; either may be empty."""

    address: str
    subject: str = ""
    text: str = ""

    def __repr__(self) -> str:
        return "<MailTo>"


@attrs.frozen(kw_only=True, repr=False)
class ListUnsubscribe(Record):
    """The ways off a list, each in the order its sender prefers (RFC 2369).

    ``one_click`` is the https address that takes a request without a person (RFC 8058), which ``mail.unsubscribe``
    sends. ``urls`` are pages for people, and ``mailto`` mails to write. All of it is the sender's word: opening a page
    or writing tells a spammer that somebody reads this.
    """

    one_click: str | None = None
    urls: tuple[str, ...] = ()
    mailto: tuple[MailTo, ...] = ()

    def __repr__(self) -> str:  # its addresses often hold the recipient's
        click = ", one click" if self.one_click else ""
        return f"<ListUnsubscribe {len(self.urls)} urls, {len(self.mailto)} mails{click}>"


def list_unsubscribe_of(headers: Sequence[tuple[str, str]]) -> ListUnsubscribe | None:
    """Read the ways off a list from a message's headers; None where there is none that can be used."""
    links = [link for name, value in headers if name.lower() == "list-unsubscribe" for link in read_links(value)]
    urls = tuple(link for link in links if not link.lower().startswith("mailto:"))
    mails = [read_mailto(link) for link in links if link.lower().startswith("mailto:")]
    mailto = tuple(MailTo(address=mail[0], subject=mail[1], text=mail[2]) for mail in mails if mail)
    if not urls and not mailto:
        return None
    clicks = any(name.lower() == "list-unsubscribe-post" and is_one_click(value) for name, value in headers)
    secure = next((url for url in urls if url.lower().startswith("https:")), None)
    return ListUnsubscribe(one_click=secure if clicks else None, urls=urls, mailto=mailto)
