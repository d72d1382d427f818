"""All mail of four accounts in one search, offline: two at Google, two at Microsoft, one of them down on purpose.

The mailboxes live in this process and hold the messages in ``examples/mail``. On real accounts only the part that
makes them differs: ``Account(name="work", provider="microsoft", token=...)``.

Run it: ``python examples/quickstart.py``
"""

from __future__ import annotations

from pathlib import Path

from mailkit import MailClient
from mailkit.sandbox import Fault, Mailbox, Sandbox
from mailkit.testing import sandbox_accounts

MAIL = Path(__file__).parent / "mail"
QUERY = "budget (is:unread OR has:attachment) after:2026/03/01"


def fill(box: Mailbox, name: str) -> None:
    """Load every .eml file below ``mail/NAME``; the folder a file lies in is the folder of the mailbox."""
    root = MAIL / name
    for file in sorted(root.rglob("*.eml")):
        box.load_eml(file, folder=file.parent.relative_to(root).as_posix())


def main() -> None:
    """Search, show what went wrong, open a thread, explain."""
    sandbox = Sandbox()
    boxes: dict[str, Mailbox] = {
        "home": sandbox.google("mia.berg@post.example"),
        "studio": sandbox.google("mia@studio-vega.example"),
        "work": sandbox.microsoft("mia@northwind.example"),
        "club": sandbox.microsoft("mia@rowing.example"),
    }
    for name, box in boxes.items():
        fill(box, name)
    boxes["club"].script(Fault.server_error(503, times=None))  # this one is down, whatever is asked

    with MailClient(sandbox_accounts(sandbox, **boxes), tz="Europe/Stockholm") as mail:
        print(f"One search over all accounts: {QUERY}\n")
        found = mail.search(QUERY, limit=10)
        for row in found:
            sender = row.from_.name if row.from_ else "?"
            print(f"  {row.date:%d %b %H:%M}  {row.account:6}  {sender:18.18}  {row.subject}")

        print("\nWhat did not answer is apart from what did:\n")
        for failure in found.failures:
            print(f"  {failure.account}: {type(failure.error).__name__}: {failure.error.message}")

        newest = next(row for row in found if row.account == "work")
        thread = mail.thread(newest)
        print(f"\nThe thread of {newest.subject!r}, {len(thread.messages)} messages:\n")
        for message in thread.messages:
            said = message.body.text.strip().splitlines()
            files = ", ".join(file.name for file in message.attachments)
            print(f"  {message.date:%d %b}  {message.from_ or '?'}{f'  [{files}]' if files else ''}")
            print(f"          {said[0] if said else ''}")

        print("\nWhat each provider was asked, and how exactly:\n")
        print(mail.explain(QUERY, accounts=["home", "work"]))


if __name__ == "__main__":
    main()
