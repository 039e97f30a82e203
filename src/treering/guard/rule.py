"""One rule of redaction: what a kind of secret looks like, and who decides about a find."""

from __future__ import annotations

import re

from treering.core.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Span = tuple[int, int]
    Judge = Callable[[str, re.Match[str]], Span | None]

# Characters. Nobody masks or leaves blank a value longer than this, and a long random one may hold anything.
LONGEST_PLACEHOLDER = 200

# Somebody has hidden this value already, or never filled it in.
_MASKED = r"(?ai)x{6}|\*{3}|\.{3}|…|0{12}|(?<![a-z])your(?![a-z])"

_GLUED = r"(?a)[\w-]*"

# What a place in an example stands for: "ghp_{36}" is 36 letters and digits, "{32x}" 32 hexadecimal digits.
_PLACE = r"\{(\d+)([xAad]?)\}"
_ALPHABETS = {
    "": "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
    "x": "0123456789abcdef",
    "A": "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
    "a": "abcdefghijklmnopqrstuvwxyz0123456789",
    "d": "0123456789",
}


def masked(value: str) -> bool:
    return len(value) <= LONGEST_PLACEHOLDER and re.search(_MASKED, value) is not None


def secret_of(match: re.Match[str]) -> Span:
    """The last group that took part holds the secret and what stands before it is context; else all is secret."""
    return match.span(match.lastindex or 0)


def unmasked(text: str, match: re.Match[str]) -> Span | None:
    """The token and whatever is glued to it: no part of a secret is left because its format has changed."""
    start, end = secret_of(match)
    if masked(text[start:end]):
        return None
    rest = re.compile(_GLUED).match(text, end, match.endpos)
    return start, rest.end() if rest else end


class Rule(NamedTuple):
    """Patterns are kept as text and compiled by `re` when first needed: all at once would cost 40 ms at every start."""

    name: str
    markers: tuple[str, ...]  # a match begins with one of them; looking for them first is what makes this cheap
    pattern: str
    example: str  # with places for the random part: a scanner of this repository finds nothing in it
    judge: Judge = unmasked  # says where the secret is in the text, or that there is none
    folded: bool = False  # markers and pattern are in lower case and looked up in the lower-cased text
    anywhere: bool = False  # a match holds a marker somewhere


def spelled(example: str, pick: Callable[[str, int], str]) -> str:
    """An example with its places filled; `pick` chooses so many characters of an alphabet."""
    return re.sub(_PLACE, lambda place: pick(_ALPHABETS[place[2]], int(place[1])), example)
