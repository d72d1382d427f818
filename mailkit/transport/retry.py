"""Whether to try again, and when.

Pure policy: chance, the time left and what the provider wishes come in as numbers; nothing waits here.
"""

from __future__ import annotations

import attrs

from mailkit.checks import seconds, setting, whole

__all__ = ["RetryPolicy"]


@attrs.frozen(kw_only=True)
class RetryPolicy:
    """How often and how patiently a request is repeated.

    ``attempts`` counts the first one too. The wait before the second attempt lies in ``first`` to twice ``first``
    seconds, and each later one doubles, up to ``slowest``; so waits grow also where a server repeats
    ``Retry-After: 1`` (Graph does). ``longest`` is the most seconds ever waited at a time.

    Raises:
        ConfigurationError: a value is not what it must be.
    """

    attempts: int = attrs.field(default=4, validator=setting(whole, most=100))
    first: float = attrs.field(default=0.75, validator=setting(seconds, zero=True))
    slowest: float = attrs.field(default=30.0, validator=setting(seconds, zero=True))
    longest: float = attrs.field(default=300.0, validator=setting(seconds, zero=True, endless=True))

    def wait(self, *, failures: int, asked: float | None, remaining: float, chance: float) -> float | None:
        """Give the seconds to wait after ``failures`` failed attempts, or None to give up.

        ``asked`` is the provider's ``Retry-After`` and is never undercut, ``remaining`` the seconds until the deadline,
        ``chance`` a random number of [0, 1).
        """
        if failures >= self.attempts:
            return None
        backoff = min(self.first * 2 ** (failures - 1) * (1 + chance), self.slowest)
        wait = max(backoff, asked or 0.0)
        return wait if self._fits(wait, remaining) else None

    def is_too_long(self, asked: float | None, remaining: float) -> bool:
        """Tell whether the provider asks for more patience than there is."""
        return asked is not None and not self._fits(asked, remaining)

    def _fits(self, wait: float, remaining: float) -> bool:
        return wait < remaining and wait <= self.longest
