"""Read what texts are about: the stems of their telling words, their names, numbers and tags."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from treering.judge.senses import rarity
from treering.text.mentions import entities
from treering.text.stems import stem
from treering.text.words import FILLER, STOP_WORDS, folded, parts

READ = 1_500  # characters of a text: what it is about is said by then, and reading on would take the time of ten notes
LONGEST_TERM = 64  # characters: what is longer is a line of code or a token, which nobody writes twice
_WITHIN = 0.4  # what a word counts for that stands only within a name
_DIGITS = frozenset("0123456789")
_MARKS = ".,;:!?()[]{}\"'`*\u2026"  # around a word
TAG = "#"  # before a term that is a tag
_LEAST_NUMBER = 13  # of those that tell something: an amount, a port, a version; smaller ones come up everywhere
_AMOUNT = re.compile(r"(?<![\w.,:#/-])\d{1,9}(?:,\d{3})*(?:\.\d+)?(?![\w:/]|[.,-]\d)")
_NUMBER = 0.8  # what one counts for
_COMMON = 0.3  # how rare a word must be to tell something: below it are "time", "new", "get"
_KEPT = 50_000  # words whose stems are kept: a language has about that many in use

EXTENSIONS = frozenset("css html ini js json md py rs sh toml ts txt xml yaml yml".split())  # of the names of files
_UNITS = frozenset("ms sec second seconds min minute minutes hour hours kb mb gb percent".split())
_SILENT = STOP_WORDS | FILLER | EXTENSIONS | _UNITS


@lru_cache(_KEPT)
def tells(word: str) -> bool:
    """Tell whether a word in lower case says what a text is about."""
    if word.isdecimal():
        return False
    return 1 < len(word) <= LONGEST_TERM and word not in _SILENT and rarity(word) >= _COMMON


def stems(text: str) -> list[str]:
    """Return the stems of the telling words of a text, each once, in their order."""
    return list(dict.fromkeys(stem(word) for word in folded(text) if tells(word)))


class Term(NamedTuple):
    """Something that a text is about."""

    key: str  # in one normal form, by which other texts have it too
    word: str  # as it is shown
    weight: float = 1.0  # what it counts for in this text
    is_name: bool = False


def terms(text: str, tags: tuple[str, ...] = ()) -> list[Term]:
    """Return what a text is about, each once.

    A name of several words is a term, and so is each of its words, as somebody else may write them
    apart; but they count for little: two texts with the same file name share one thing and not
    four.
    """
    read = text[:READ]
    found: dict[str, Term] = {}
    within: set[str] = set()
    for name in entities(read):
        split = [part.lower() for part in parts(name) if part.lower() not in EXTENSIONS]
        pieces = [piece for piece in split if tells(piece)]
        if not pieces or len(name) > LONGEST_TERM:
            continue
        if len(split) == 1 and _DIGITS.isdisjoint(name):
            key = stem(pieces[0])
            found[key] = Term(key, pieces[0], is_name=True)
        else:
            found[name] = Term(name, name, is_name=True)
            within.update(pieces)
    alone = _alone(read) if within else frozenset()
    for word in dict.fromkeys(folded(read)):
        if tells(word) and (key := stem(word)) not in found:
            weight = _WITHIN if word in within and word not in alone else 1.0
            found[key] = Term(key, word, weight)
    for piece in sorted(within):
        found.setdefault(stem(piece), Term(stem(piece), piece, _WITHIN))
    for number in _AMOUNT.findall(read):
        digits = number.replace(",", "")
        if "." in digits or int(digits) >= _LEAST_NUMBER:
            found[f"={digits}"] = Term(f"={digits}", number, _NUMBER)
    for tag in tags:
        found[TAG + tag.lower()] = Term(TAG + tag.lower(), tag)
    return list(found.values())


def _alone(text: str) -> frozenset[str]:
    """Return the words that stand between blanks, in lower case."""
    return frozenset(chunk.strip(_MARKS).lower() for chunk in text.split())
