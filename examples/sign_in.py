"""Sign in to two accounts, offline, as a person would see it; then use them, and lose one of them.

The providers, the mailboxes and the person's browser live in this process; on real accounts the calls are the same
without ``transport`` and ``clock``, and ``show`` is all that a program brings. Nothing is written to your own folders.

Run it: ``python examples/sign_in.py``
"""

from __future__ import annotations

import os
import tempfile

import attrs

from mailkit import Accounts, HttpxTransport, MailClient, SignInPrompt, SignInRequired, sign_in
from mailkit.sandbox import Mail, Person, Sandbox, VirtualClock

PRIYA = Person("Priya Nair", "priya@example.net")


def world(clock: VirtualClock) -> Sandbox:
    """Make two mailboxes, and an app registered at each provider."""
    sandbox = Sandbox(clock=clock)
    home, work = sandbox.google("mia.berg@post.example"), sandbox.microsoft("mia@northwind.example")
    home.add(Mail(subject="Dinner on Friday?", from_=PRIYA, text="Shall we say eight?"))
    work.add(Mail(subject="Budget, second draft", from_=PRIYA, text="Figures attached."))
    sandbox.identity.google.app("notes-app", secret="GOCSPX-made-up")  # noqa: S106  # of a sandbox
    sandbox.identity.microsoft.app("notes-app")
    return sandbox


def main() -> None:
    """Sign in by device code and by pasting, check, search, and see what happens when the permission is gone."""
    clock = VirtualClock()
    sandbox = world(clock)
    wire = HttpxTransport(httpx_transport=sandbox.transport())

    def show(prompt: SignInPrompt) -> str | None:
        """Tell the person what to do, and here be the person, too."""
        print(f"\n  {prompt}")
        if prompt.user_code:
            sandbox.identity.browser().enter(prompt.user_code)
            print(f"  (… in the browser: {prompt.user_code} entered, agreed)")
            return None
        address = sandbox.identity.browser().visit(prompt.url).redirect or ""
        print(f"  (… in the browser: agreed) {address.partition('?')[0]}?code=…")
        return address

    print("Work, at Microsoft, by a code typed in on any device:")
    work = sign_in(
        "work",
        provider="microsoft",
        client="notes-app",
        method="device",
        prompt=show,
        transport=wire,
        clock=clock,
    )
    print(f"  signed in as {work.address}")

    print("\nHome, at Google, from a machine without a browser:")
    sign_in(
        "home",
        provider="google",
        client="notes-app",
        client_secret="GOCSPX-made-up",  # noqa: S106  # of a sandbox
        features=["read"],
        method="paste",
        prompt=show,
        transport=wire,
        clock=clock,
    )

    # From here on, and in every later run, this is all: MailClient(Accounts.load())
    loaded = Accounts.load()
    accounts = Accounts([attrs.evolve(loaded[name], transport=wire) for name in loaded], clock=clock)

    print("\nBoth, checked:")
    for name in accounts:
        print(f"\n  {name}")
        for line in str(accounts.check(name)).splitlines():
            print(f"    {line}")

    with MailClient(accounts, tz="Europe/Stockholm") as mail:
        print("\nAnd used:\n")
        for row in mail.search("from:priya"):
            print(f"  {row.account:6}{row.subject}")

    print("\nWork's permission is taken back at Microsoft; once the token at hand has run out:\n")
    sandbox.identity.microsoft.person("mia@northwind.example").withdraw("notes-app")
    clock.advance(7200)
    with MailClient(accounts, tz="Europe/Stockholm") as mail:
        found = mail.search("from:priya")
        print(f"  still there: {[row.subject for row in found]}")
        for failure in found.failures:
            cause = failure.error.cause if isinstance(failure.error, SignInRequired) else None
            print(f"  {failure.account}: {failure.error.message} [cause: {cause}]")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.environ["MAILKIT_HOME"] = folder  # a program of your own leaves this out
        main()
