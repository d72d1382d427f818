"""Signing a person in: the ways there are, what a program shows meanwhile, and what is kept of it."""

from __future__ import annotations

from mailkit.accounts.signin.prompt import Prompt, SignInPrompt
from mailkit.accounts.signin.signing_in import sign_in, sign_in_async
from mailkit.accounts.signin.way import Method

__all__ = ["Method", "Prompt", "SignInPrompt", "sign_in", "sign_in_async"]
