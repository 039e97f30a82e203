"""Compare the facts of a document with those that were taken when it was last read."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from treering.text.words import STOP_WORDS, folded


class Fact(NamedTuple):
    text: str  # understood by somebody who meets it alone, months later
    line: int  # where it starts in the file, from 1
    type: str  # "semantic", or "procedural": a step, a command, a rule to act by
    section: tuple[str, ...]  # the headings above it


class Known(NamedTuple):
    """What the memory already has from this document."""

    id: str
    text: str
    line: int


class Changes(NamedTuple):
    kept: tuple[tuple[Known, Fact], ...]  # the same text; a moved line is no change
    added: tuple[Fact, ...]
    changed: tuple[tuple[Known, Fact], ...]  # the same thing, said otherwise now
    gone: tuple[Known, ...]  # no longer in the document


ALIKE = 0.6  # share of their weighted words that two texts must have in common to say the same thing
IN_PLACE = 0.2  # added if both stand behind the same unchanged fact: there, less likeness is enough
HEADING_WEIGHT = 0.15  # of a word that a heading gave; it is shared by all facts below that heading
STOP_WEIGHT = 0.3  # of a word that says nothing by itself; "not" and "no" are among them, so it is not zero

# The search stays linear because a fact is compared with few others: those that share its rarest words, and those that
# stand where it stood.
RAREST = 6  # words of a text that are looked up
HOLDERS = 64  # texts with a word, of which the first are looked at
BEST = 8  # texts that share the most of these words
NEARBY = 2  # places before and behind its own among the changed facts of a gap


class _Text(NamedTuple):
    words: Counter[str]
    gap: int  # the place, among the found facts, of the unchanged one before it; -1 at the top
    rank: int  # its place among the changed facts behind that one


def changes(known: Sequence[Known], found: Sequence[Fact]) -> Changes:
    """Match the facts that are known with those that were found.

    Each is used exactly once, and the same input gives the same answer.
    """
    kept, old, new = _kept(known, found)
    before = _texts(known, old, dict(kept))
    after = _texts(found, new, {other: other for _, other in kept})
    scored: list[tuple[float, int, int]] = []
    for one, others in _candidates(before, after).items():
        for other in others:
            score = _likeness(before[one], after[other], found[other].section)
            if score >= ALIKE:
                scored.append((-score, one, other))
    changed: dict[int, int] = {}
    taken: set[int] = set()
    for _, one, other in sorted(scored):
        if one not in changed and other not in taken:
            changed[one] = other
            taken.add(other)
    return Changes(
        tuple((known[one], found[other]) for one, other in kept),
        tuple(found[other] for other in new if other not in taken),
        tuple((known[one], found[other]) for one, other in sorted(changed.items())),
        tuple(known[one] for one in old if one not in changed),
    )


def _kept(known: Sequence[Known], found: Sequence[Fact]) -> tuple[list[tuple[int, int]], list[int], list[int]]:
    """Return pairs of the same text, first to first, and the places of what is left on both sides."""
    places: dict[str, list[int]] = defaultdict(list)
    for place in range(len(found) - 1, -1, -1):
        places[found[place].text].append(place)
    kept = [(one, places[fact.text].pop()) for one, fact in enumerate(known) if places.get(fact.text)]
    left, right = {one for one, _ in kept}, {other for _, other in kept}
    return (
        kept,
        [one for one in range(len(known)) if one not in left],
        [other for other in range(len(found)) if other not in right],
    )


def _texts(facts: Sequence[Known] | Sequence[Fact], left: list[int], kept: dict[int, int]) -> dict[int, _Text]:
    """Return the facts that are left, in the order of the document, with where they stand between
    those that were kept.
    """
    wanted = set(left)
    texts: dict[int, _Text] = {}
    gap, rank = -1, 0
    for place in sorted(range(len(facts)), key=lambda place: (facts[place].line, place)):
        if place in kept:
            gap, rank = kept[place], 0
        elif place in wanted:
            texts[place] = _Text(Counter(folded(facts[place].text)), gap, rank)
            rank += 1
    return texts


def _candidates(before: dict[int, _Text], after: dict[int, _Text]) -> dict[int, list[int]]:
    """Return, for each text before, the few after it that may be its successor."""
    holders: dict[str, list[int]] = defaultdict(list)
    places: dict[tuple[int, int], int] = {}
    for other, text in after.items():
        places[text.gap, text.rank] = other
        for word in text.words:
            holders[word].append(other)
    found: dict[int, list[int]] = {}
    for one, text in before.items():
        rare = sorted((len(holders[word]), word) for word in text.words if word in holders)[:RAREST]
        shared = Counter(other for _, word in rare for other in holders[word][:HOLDERS])
        best = sorted(shared, key=lambda other: (-shared[other], other))[:BEST]
        near = (places.get((text.gap, text.rank + step)) for step in range(-NEARBY, NEARBY + 1))
        found[one] = list(dict.fromkeys([*best, *(other for other in near if other is not None)]))
    return found


def _likeness(before: _Text, after: _Text, section: Iterable[str]) -> float:
    """Return the share of words that both have, by weight, from 0 to 1; and a little more in the same place."""
    headings = set(folded(" ".join(section)))
    common = sum(_weight(word, headings) * number for word, number in (before.words & after.words).items())
    total = sum(_weight(word, headings) * number for text in (before, after) for word, number in text.words.items())
    share = 2 * common / total if total else 0.0
    return share + IN_PLACE if share and before.gap == after.gap else share


def _weight(word: str, headings: set[str]) -> float:
    if word in headings:
        return HEADING_WEIGHT
    return STOP_WEIGHT if word in STOP_WORDS else 1.0
