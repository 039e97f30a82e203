"""What a text is about: the stems of its telling words, and the names that it mentions."""

from __future__ import annotations

from functools import lru_cache

from treering.core.mentions import entities
from treering.core.prompts import FILLER
from treering.core.tuples import NamedTuple
from treering.core.words import STOP_WORDS, folded, parts
from treering.summaries.lexicon import COMMON, EXTENSIONS, LIGHT
from treering.summaries.numbers import UNITS, numbers
from treering.summaries.stem import stem

READ = 1_500  # characters of a text: what it is about is said by then, and reading on would take the time of ten notes
LONGEST_TERM = 64  # characters: what is longer is a line of code or a token, which nobody writes twice
_WITHIN = 0.4  # what a word counts for that stands only within a name
_ANY = 0.5  # and one of any talk
_DIGITS = frozenset("0123456789")
_MARKS = ".,;:!?()[]{}\"'`*\u2026"  # around a word
TAG = "#"  # before a term that is a tag
_LEAST_NUMBER = 13  # of those that tell something: an amount, a port, a version; smaller ones come up everywhere
_NUMBER = 0.8  # what one counts for
_KEPT = 50_000  # words whose stems are kept: a language has about that many in use

_SILENT = STOP_WORDS | FILLER | LIGHT | EXTENSIONS


_COMMON_STEMS = frozenset(map(stem, COMMON))
_LIGHT_STEMS = frozenset(map(stem, FILLER | LIGHT))


@lru_cache(_KEPT)
def tells(word: str) -> bool:
    """Whether a word in lower case says what a text is about."""
    if word.isdecimal() or word in UNITS:
        return False
    return 1 < len(word) <= LONGEST_TERM and word not in _SILENT and stem(word) not in _LIGHT_STEMS


def is_common(key: str) -> bool:
    """Whether a stem is one of any talk."""
    return key in _COMMON_STEMS


def stems(text: str) -> list[str]:
    """Of the telling words of a text, each once, in their order."""
    return list(dict.fromkeys(stem(word) for word in folded(text) if tells(word)))


class Term(NamedTuple):
    """Something that a text is about."""

    key: str  # in one normal form, by which other texts have it too
    word: str  # as it is shown
    weight: float = 1.0  # what it counts for in this text
    is_name: bool = False


def terms(text: str, tags: tuple[str, ...] = ()) -> list[Term]:
    """What a text is about, each once.

    A name of several words is a term, and so is each of its words, as somebody else may write them apart; but they
    count for little: two texts with the same file name share one thing and not four.
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
            found[key] = Term(key, pieces[0], _ANY if key in _COMMON_STEMS else 1.0, is_name=key not in _COMMON_STEMS)
        else:
            found[name] = Term(name, name, is_name=True)
            within.update(pieces)
    alone = _alone(read) if within else frozenset()
    for word in dict.fromkeys(folded(read)):
        if tells(word) and (key := stem(word)) not in found:
            weight = _WITHIN if word in within and word not in alone else 1.0
            found[key] = Term(key, word, weight * _ANY if key in _COMMON_STEMS else weight)
    for piece in sorted(within):
        found.setdefault(stem(piece), Term(stem(piece), piece, _WITHIN))
    for number in numbers(read):
        if number.raw >= _LEAST_NUMBER or not number.raw.is_integer():
            found[f"={number.raw:g}"] = Term(f"={number.raw:g}", number.text, _NUMBER)
    for tag in tags:
        found[TAG + tag.lower()] = Term(TAG + tag.lower(), tag)
    return list(found.values())


def _alone(text: str) -> frozenset[str]:
    """The words that stand between blanks, in lower case."""
    return frozenset(chunk.strip(_MARKS).lower() for chunk in text.split())
