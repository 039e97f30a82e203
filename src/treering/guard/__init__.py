"""What every text passes through before it is stored: secrets redacted, hidden characters dropped, size capped."""

from __future__ import annotations

from treering.core.errors import TextTooLarge
from treering.core.tuples import NamedTuple
from treering.core.types import CONTENT_LIMIT
from treering.guard.redaction import redact
from treering.guard.visible import reveal

__all__ = ["CONTENT_LIMIT", "Cleaned", "clean"]


class Cleaned(NamedTuple):
    text: str
    changes: tuple[str, ...]  # what was hidden or redacted, by name; spelling, line ends and outer space are not listed


def clean(text: str, limit: int = CONTENT_LIMIT) -> Cleaned:
    """The text as it may be stored. Cleaning it again changes nothing; over the limit it is refused, never cut."""
    _check(text, limit)
    shown, hidden = reveal(text)
    safe, redacted = redact(shown)
    _check(safe, limit)  # a mark may be longer than the secret was
    return Cleaned(safe, hidden + redacted)


def _check(text: str, limit: int) -> None:
    if len(text) > limit:
        raise TextTooLarge(len(text), limit)
