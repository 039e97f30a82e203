"""Split a sentence into items: its names, and its words without the small ones that add nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from treering.graph.entities.cues import Spot
from treering.graph.entities.shapes import SIGN, WORD, Token

_MOST_ITEMS = 80  # of a sentence: what goes on for longer is a list or a dump, and is read in portions
_ENDS = frozenset(".!?;\n")
_NO_ADVERBS = frozenset(
    """nightly weekly daily monthly hourly early rely apply reply supply imply multiply comply fly only family
    assembly anomaly""".split()
)
_ADVERBS = frozenset(
    """also just already currently only again even always often sometimes usually therefore thus hence still soon
    finally mostly really quite simply actually basically then too once all either itself themselves""".split()
)
AUXILIARIES = frozenset(
    "is are was were be been being has have had does do did will gets got get getting to gone".split()
)
DENIALS = frozenset(
    """not never cannot can't don't doesn't didn't isn't aren't wasn't weren't won't hasn't haven't hadn't neither
    nor without""".split()
)
# What is wished, asked, feared or only possible.
MODALS = frozenset(
    """could might may should would can must if whether unless want wants wanted plan plans planned hope wish
    consider considering considered maybe perhaps probably let's let try tries trying wondering suppose ought shall
    suggest suggested propose proposed proposal evaluate evaluating think thinking fear afraid imagine
    someday""".split()
)
PREPOSITIONS = frozenset(
    """on in for of at from with under inside within by to into via through over across between against during after
    before since until as like about behind onto per around below above beyond upon next outside""".split()
)
CONJUNCTIONS = frozenset(
    """and or but nor so because while when if unless whereas although though then than that which who where how why
    what""".split()
)
PRONOUNS = frozenset("it they this that these those he she we i you them him her us me both".split())
DETERMINERS = frozenset(
    "the a an our its their my your his her this that these those some any every each all no".split()
)
ALONE = PRONOUNS - DETERMINERS  # they stand for a thing; the others stand before one
SEPARATORS = frozenset((",", "and", "or", "&", "/", "+", "plus"))
BREAKS = frozenset((",", ":", ";", "(", ")", "\u2014", "\u2013", "-", "=", "\u2192", "|", "[", "]"))
FUNCTION = PREPOSITIONS | CONJUNCTIONS | AUXILIARIES | DENIALS | MODALS | PRONOUNS | DETERMINERS
EDGES = BREAKS | PREPOSITIONS | CONJUNCTIONS  # where a noun phrase ends


class Item(NamedTuple):
    """A word or a name of a sentence."""

    low: str
    spot: int  # which name; -1 for a word
    start: int  # characters
    end: int


def sentences(found: Sequence[Token], spots: Sequence[Spot], start: int = 0) -> Iterator[tuple[list[Item], str]]:
    """Yield the items of each sentence that names something, from a token on, and its end sign."""
    number = 0
    for begin, end, sign in _bounds(found, start):
        while number < len(spots) and spots[number].first < begin:
            number += 1
        if number == len(spots):
            return
        if spots[number].first < end:
            items = _items(found, spots, number, begin, end)
            for portion in range(0, len(items), _MOST_ITEMS):
                yield items[portion : portion + _MOST_ITEMS], sign


def _bounds(found: Sequence[Token], start: int) -> Iterator[tuple[int, int, str]]:
    """Yield where each sentence begins and ends, and the sign that ends it."""
    for at in [at for at, token in enumerate(found) if token.low in _ENDS and token.kind == SIGN]:
        if at < start or (found[at].low == "\n" and at > start and _goes_on(found, at + 1)):
            continue
        yield start, at, found[at].low
        start = at + 1
    yield start, len(found), ""


def _items(found: Sequence[Token], spots: Sequence[Spot], number: int, at: int, end: int) -> list[Item]:
    items: list[Item] = []
    new = tuple.__new__  # past the frame of the constructor: there are many words
    first = spots[number].first
    while at < end:
        _, low, start, stop, _, _ = found[at]
        if at == first:
            at = spots[number].last
            items.append(Item("", number, start, found[at - 1].end))
            number += 1
            first = spots[number].first if number < len(spots) else -1
            if at + 1 < len(found) and found[at].low == "=" and first != at + 1:
                at += 2  # a setting and its value
            continue
        at += 1
        if low not in _ADVERBS and low != "\n" and (low[-2:] != "ly" or low in _NO_ADVERBS):
            items.append(new(Item, (low, -1, start, stop)))
    return items


def _goes_on(found: Sequence[Token], at: int) -> bool:
    """Tell whether a line is only broken: the next begins in lower case, and this one has no end."""
    if at >= len(found) or found[at].kind != WORD or found[at - 2].kind == SIGN:
        return False
    return found[at].text[:1].islower() and found[at].start == found[at - 1].end
