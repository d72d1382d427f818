"""Save the files of all mail a search finds, from every account, offline: one mailbox at Google, one at Microsoft.

The mailboxes live in this process and hold the messages in ``examples/mail``. On real accounts only the part that
makes them differs: ``MailClient(Accounts.load())``.

Run it: ``python examples/save_attachments.py``
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from mailkit import MailClient, NotDownloadable
from mailkit.sandbox import Mailbox, Sandbox
from mailkit.testing import sandbox_accounts

MAIL = Path(__file__).parent / "mail"


def fill(box: Mailbox, name: str) -> None:
    """Load every .eml file below ``mail/NAME``; the folder a file lies in is the folder of the mailbox."""
    root = MAIL / name
    for file in sorted(root.rglob("*.eml")):
        box.load_eml(file, folder=file.parent.relative_to(root).as_posix())


def main() -> None:
    """Search, read the messages found in one go, save what hangs on them."""
    sandbox = Sandbox()
    boxes: dict[str, Mailbox] = {
        "studio": sandbox.google("mia@studio-vega.example"),
        "work": sandbox.microsoft("mia@northwind.example"),
    }
    for name, box in boxes.items():
        fill(box, name)

    with MailClient(sandbox_accounts(sandbox, **boxes)) as mail, tempfile.TemporaryDirectory() as folder:
        found = mail.search("has:attachment", limit=20)
        for outcome in mail.get_many(found):
            message = outcome.unwrap()
            for attachment in message.attachments:
                if attachment.inline:  # pictures inside the text
                    continue
                try:
                    path = mail.attachments.save(attachment, folder)
                except NotDownloadable:
                    print(f"{message.account:6}  {attachment.name}: a link, which only a browser can open")
                else:
                    print(f"{message.account:6}  {path.name}  {path.stat().st_size:,} bytes  from {message.subject!r}")


if __name__ == "__main__":
    main()
