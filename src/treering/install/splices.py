"""A text under way, and the way back from it."""

from __future__ import annotations

from treering.core.errors import TreeringError
from treering.core.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


class NotUnderstood(TreeringError):
    """A file that is not written as its format wants it: it is left alone."""

    def __init__(self, why: str, line: int = 0) -> None:
        super().__init__(f"line {line}: {why}" if line else why)


class Splice(NamedTuple):
    """A piece of a text in the place of another."""

    at: int
    old: str
    new: str


class Draft:
    """A text, and each step that was taken with it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.steps: list[Splice] = []

    def splice(self, start: int, end: int, new: str) -> None:
        self.steps.append(Splice(start, self.text[start:end], new))
        self.text = self.text[:start] + new + self.text[end:]

    @property
    def newline(self) -> str:
        return "\r\n" if "\r\n" in self.text else "\n"


def back(text: str, steps: Sequence[Splice]) -> str | None:
    """The text before these steps; None if they do not lead here."""
    for at, old, new in reversed(steps):
        if text[at : at + len(new)] != new:
            return None
        text = text[:at] + old + text[at + len(new) :]
    return text


def line_of(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1
