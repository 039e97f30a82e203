"""Give out one-time words for what a person's page may decide, and take each back once."""

from __future__ import annotations

import secrets
from time import monotonic

SECONDS = 1_800  # that a page may stay open before it has to be read again
MOST = 1_000  # words at a time: the oldest are let go
_BYTES = 16


class Nonces:
    """Words of one server. None outlives it, and each is good for one decision on what was shown with it."""

    def __init__(self) -> None:
        self._given: dict[str, tuple[str, float]] = {}  # what it is for, and until when

    def give(self, shown: str) -> str:
        """Return a new word for what is shown."""
        while len(self._given) >= MOST:
            del self._given[next(iter(self._given))]
        word = secrets.token_urlsafe(_BYTES)
        self._given[word] = shown, monotonic() + SECONDS
        return word

    def take(self, word: str, shown: str) -> bool:
        """Tell whether a word was given for this, and let it go."""
        wanted, until = self._given.pop(word, ("", 0.0))
        return bool(wanted) and wanted == shown and monotonic() < until
