"""Send invoices once, although the line breaks and the program is started again, offline.

The mailboxes live in this process. On real accounts only the part that makes them differs:
``MailClient(Accounts.load(), journal=SqliteJournal("invoices.sqlite"))``.

Run it: ``python examples/send_safely.py``
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from mailkit import Accounts, MailClient, OutcomeUnknown, OutgoingFile, SendResult, SqliteJournal
from mailkit.sandbox import Fault, Sandbox
from mailkit.testing import sandbox_accounts

CUSTOMERS = {"invoice-7": "amy@example.net", "invoice-8": "bo@example.net", "invoice-9": "cy@example.net"}


def send_all(accounts: Accounts, journal: Path) -> dict[str, SendResult]:
    """Send every invoice under its number; what stays unclear is looked into once more."""
    results: dict[str, SendResult] = {}
    with MailClient(accounts, journal=SqliteJournal(journal)) as mail:
        for number, address in CUSTOMERS.items():
            invoice = OutgoingFile(content=f"Invoice {number}".encode(), name=f"{number}.txt")
            try:
                results[number] = mail.send(
                    address, subject=f"Your {number}", text="Please find it attached.", files=invoice, key=number
                )
            except OutcomeUnknown as unclear:
                results[number] = mail.reconcile(unclear)
    return results


def main() -> None:
    """Run the program twice."""
    sandbox = Sandbox()
    office = sandbox.microsoft("office@northwind.example")
    accounts = sandbox_accounts(sandbox, office=office)
    office.script(Fault.reset(operation="messages.send", skip=1))  # the second mail goes, its answer is lost
    with tempfile.TemporaryDirectory() as folder:
        for run in (1, 2):
            for number, result in send_all(accounts, Path(folder) / "journal").items():
                known = result.original or result
                print(f"run {run}  {number}  {result.state:9}  known by {known.evidence}")
    print(f"{len(sandbox.sent)} mails left the house")


if __name__ == "__main__":
    main()
