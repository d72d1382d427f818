"""How far a send got, as its caller is told: never backwards, and never so that it hides what became of the mail."""

from __future__ import annotations

from mailkit.providers.writing import Attempt, Progress

__all__ = ["Meter"]


class Meter:
    """Tells the caller's function.

    What that raises ends the call as long as nothing can have gone. From then on the mail's fate is more important:
    the function is asked no more, and ``broken`` says so.
    """

    def __init__(self, progress: Progress, attempt: Attempt) -> None:
        self._progress = progress
        self._attempt = attempt
        self._told = -1
        self.broken: bool = False

    def __call__(self, done: int, total: int | None) -> None:
        """Tell how many bytes have gone, and of how many; a provider that lost some is not told of."""
        if done <= self._told or self.broken:
            return
        self._told = done
        try:
            self._progress(done, total)
        except Exception:
            if not self._attempt.committed:
                raise
            self.broken = True
