"""Answer unread mail of every account, as far as a policy lets the program, offline.

What may not go by itself is kept as a draft for a person. The mailboxes live in this process and hold the messages in
``examples/mail``. On real accounts only the part that makes them differs: ``MailClient(Accounts.load(), policy=...)``.

Run it: ``python examples/reply.py``
"""

from __future__ import annotations

from pathlib import Path

from mailkit import InvalidMessage, MailClient, SendPolicy
from mailkit.sandbox import Mailbox, Sandbox
from mailkit.testing import sandbox_accounts

MAIL = Path(__file__).parent / "mail"


def fill(box: Mailbox, name: str) -> None:
    """Load every .eml file below ``mail/NAME``; the folder a file lies in is the folder of the mailbox."""
    root = MAIL / name
    for file in sorted(root.rglob("*.eml")):
        box.load_eml(file, folder=file.parent.relative_to(root).as_posix())


def main() -> None:
    """Look who would get each answer, then answer."""
    sandbox = Sandbox()
    boxes: dict[str, Mailbox] = {
        "studio": sandbox.google("mia@studio-vega.example"),
        "work": sandbox.microsoft("mia@northwind.example"),
    }
    for name, box in boxes.items():
        fill(box, name)

    policy = SendPolicy(allow=["northwind.example", "studio-vega.example"], max_recipients=2)
    with MailClient(sandbox_accounts(sandbox, **boxes), policy=policy) as mail:
        for row in mail.search("in:inbox", limit=6):
            try:
                plan = mail.explain_reply(row, reply_all=True)
            except InvalidMessage:
                print(f"{row.account:6}  nobody to answer      {row.subject!r}")
                continue
            result = mail.reply(row, text="Thank you, I am back on Monday.", reply_all=True)
            print(f"{row.account:6}  {result.state:6} to {len(plan.to) + len(plan.cc)} people  {plan.subject!r}")
            if result.state == "held":
                print(f"        {result.hint}")
    print(f"{len(sandbox.sent)} answers went out")


if __name__ == "__main__":
    main()
