"""Judge an old memory and a new statement: does the new one replace it, contradict it, say the same, or leave it alone?

Two steps. The words of the new statement tell whether it announces a change, is in doubt, or repeats. What the two
share, and what only one of them has, tells whether both are about one thing: how rare the shared words are, how near
the others, and which numbers and names differ.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import log
from typing import NamedTuple

import numpy
from numpy.typing import NDArray

from treering.judge.features import Features, block, letters, runs, tokens
from treering.judge.model import Reason, load
from treering.judge.senses import Numbers, embedder, ends, rarity, said, stem, vector

WORDS, PAIRS = "pair-words", "pairs"  # the files of weights: of the first step and of the second
REPLACES, CONTRADICTS, SAME, APART = LABELS = ("replaces", "contradicts", "same", "apart")
CLASH = "clash"  # both cannot hold: replaced or contradicted
LEARNED = (REPLACES, CLASH, SAME)
_MASKED, _OWN, _GONE = 0.7, 0.7, 0.5  # what runs with shared words masked weigh, words of the new only, of the old only
_LONG = 3  # letters of a word above which a shared one is masked: the rest of the sentence tells more
_RARE = 0.45  # of a word that tells something by itself
_NAMED, _ALIKE = 0.3, 0.3  # of what a memory says: chosen on lives, where a correction stands beside other memories
_PRECISE = 2  # digits: sums of floats differ from machine to machine behind those
_BEGINS = 4  # letters of a stem that may begin another: deploy, deploys
_TOKENS = 120  # of a text in which an order is looked for: the work grows with the product of both
_KEPT = 4_096  # texts whose words are remembered: a new statement is compared with several memories
Truths = NDArray[numpy.bool_]

_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_CAPITAL = re.compile(r"\b[^\W\d_a-zß-ÿ][\w'-]*")


class Verdict(NamedTuple):
    """How likely each label is, and why."""

    chances: Mapping[str, float]  # by label; together 1
    is_about: bool  # the new one names enough of what the old one says to be about it
    reasons: tuple[Reason, ...] = ()

    @property
    def is_sure(self) -> bool:
        """True if the old memory is replaced beyond doubt."""
        return self.is_about and self.chances[REPLACES] >= load(PAIRS).floors[REPLACES]

    @property
    def clashes(self) -> bool:
        """True if it is likely enough that both cannot hold for a person to be asked."""
        return self.is_about and self.clash >= load(PAIRS).floors[CLASH]

    @property
    def clash(self) -> float:
        """How likely it is that both cannot hold."""
        return self.chances[REPLACES] + self.chances[CONTRADICTS]


def judge(old: str, new: str) -> Verdict:
    """Judge an old memory and a new statement."""
    seen = compared(old, new)
    hints = scores(wording(old, new))
    model = load(PAIRS)
    joined = {label: joint(seen, hints, label) for label in LEARNED}
    chance = {label: model.probability(joined[label], label) for label in LEARNED}
    chances = combined(**chance)
    likeliest = SAME if chances[SAME] > chances[REPLACES] + chances[CONTRADICTS] else CLASH
    likeliest = REPLACES if likeliest == CLASH and chances[REPLACES] > chances[CONTRADICTS] else likeliest
    return Verdict(chances, is_about(seen), tuple(model.reasons(joined[likeliest], likeliest)))


def is_about(seen: Features) -> bool:
    """Tell whether a statement names enough of a memory to be about it. A sum of weights cannot ask for both, and a
    correction beside a memory that it does not mean has all the words of a change."""
    return seen.get("of the old in the new", 0.0) > _NAMED and seen.get("alike", 0.0) > _ALIKE


def combined(replaces: float, clash: float, same: float) -> dict[str, float]:
    """Return the probability of each label: what clashes and does not replace contradicts, and the rest is apart."""
    clash = max(clash, replaces)
    total = max(1.0, clash + same)
    chances = {REPLACES: replaces / total, CONTRADICTS: (clash - replaces) / total, SAME: same / total}
    return {**chances, APART: max(0.0, 1 - sum(chances.values()))}


def scores(seen: Features) -> dict[str, float]:
    """Return what the words alone say for each label, as a number around 0."""
    model = load(WORDS)
    chances = {label: model.probability(seen, label) for label in LEARNED}
    return {label: log(chance / (1 - chance)) for label, chance in chances.items()}


def joint(seen: Features, hints: Mapping[str, float], label: str) -> Features:
    """Return what the second step looks at: numbers, and with each of the main ones what the words say."""
    hint = round(hints[label] / 4, _PRECISE)  # about as large as the numbers
    with_words = {f"the words, by {name}": round(hint * seen.get(name, 0.0), _PRECISE) for name in _MAIN}
    others = {f"the words for {name}": round(value / 4, _PRECISE) for name, value in hints.items()}
    return {**seen, **others, **with_words}


_MAIN = ("alike", "of the old in the new", "rarest shared", "near the old", "gap of the old", "order kept")


def wording(old: str, new: str) -> Features:
    """Return the words of a new statement: as they are, with those of the old masked, and those of one alone."""
    before, after = tokens(ends(old)), tokens(ends(new))
    known, here = set(before), set(after)
    masked = ["=" if word in known and len(word) > _LONG else word for word in after]
    return {
        **block(f"new: {run}" for run in runs(after, 3)),
        **block(f"new {run}" for run in letters(after)),
        **block((f"masked: {run}" for run in runs(masked, 3)), _MASKED),
        **block(dict.fromkeys(f"only new: {word}" for word in after if word not in known), _OWN),
        **block(dict.fromkeys(f"only old: {word}" for word in before if word not in here), _GONE),
    }


class _Read(NamedTuple):
    """A text as it is compared."""

    stems: tuple[str, ...]
    words: tuple[str, ...]
    rare: Numbers
    vectors: Numbers
    whole: Numbers
    tokens: tuple[str, ...]
    numbers: frozenset[str]
    names: frozenset[str]
    lower: str


@lru_cache(_KEPT)
def _read(text: str) -> _Read:
    text = ends(text)
    known = said(text)
    rows = numpy.array([vector(word) for word in known.values()]) if known else numpy.zeros((0, 1), numpy.float32)
    return _Read(
        tuple(known),
        tuple(known.values()),
        numpy.array([rarity(word) for word in known.values()], numpy.float32),
        rows,
        embedder().embed([text])[0],
        tuple(tokens(text)[:_TOKENS]),
        frozenset(_NUMBER.findall(text)),
        frozenset(name.lower() for name in _CAPITAL.findall(text)),
        text.lower(),
    )


def compared(old: str, new: str) -> Features:
    """Return what two texts share and where they differ, in numbers."""
    one, other = _read(old), _read(new)
    near = _nearness(one, other)
    alike = numpy.array([[_is_form(a, b) for b in other.stems] for a in one.stems], bool)
    alike = alike.reshape(len(one.stems), len(other.stems))
    near = numpy.maximum(near, alike)
    there, known = numpy.atleast_1d(alike.any(axis=1)), numpy.atleast_1d(alike.any(axis=0))
    found = {**_shared(one, other, near, there, known), **_gaps(one, other, near, there, known), **_forms(one, other)}
    rounded = {name: round(float(value), _PRECISE) for name, value in found.items()}
    return {name: value for name, value in rounded.items() if value}


def _nearness(one: _Read, other: _Read) -> Numbers:
    """Return how near each word of one text is to each of the other, from 0 to 1."""
    if not one.stems or not other.stems:
        return numpy.zeros((len(one.stems), len(other.stems)), numpy.float32)
    near = numpy.maximum(0, one.vectors @ other.vectors.T)
    return numpy.asarray(near, numpy.float32)


def _is_form(one: str, other: str) -> bool:
    """Tell whether two stems are of one word: the same, or the one begins the other."""
    return one == other or (min(len(one), len(other)) >= _BEGINS and (one.startswith(other) or other.startswith(one)))


def _greatest(values: Sequence[float] | Numbers, count: int) -> list[float]:
    found = sorted(map(float, values), reverse=True)[:count]
    return found + [0.0] * (count - len(found))


def _shared(one: _Read, other: _Read, near: Numbers, there: Truths, known: Truths) -> dict[str, float]:
    whole, rest = float(one.rare.sum()) or 1.0, float(other.rare.sum()) or 1.0
    first, second, third = _greatest(one.rare[there], 3)
    by_old = near.max(axis=1) if near.size else numpy.zeros(len(one.stems))
    by_new = near.max(axis=0) if near.size else numpy.zeros(len(other.stems))
    names = [rarity(word) for word, is_shared in zip(one.words, there, strict=True) if is_shared and word in one.names]
    return {
        "alike": float(one.whole @ other.whole),
        "of the old in the new": float((one.rare * there).sum()) / whole,
        "of the new in the old": float((other.rare * known).sum()) / rest,
        "near the old": float((one.rare * by_old).sum()) / whole,
        "near the new": float((other.rare * by_new).sum()) / rest,
        "rarest shared": first,
        "second shared": second,
        "third shared": third,
        "rare words shared": float((one.rare[there] > _RARE).sum()) / 4,
        "name shared": max(names, default=0.0),
        "last words": float(near[-1, -1]) if near.size else 0.0,
        "first words": float(near[0, 0]) if near.size else 0.0,
    }


def _gaps(one: _Read, other: _Read, near: Numbers, there: Truths, known: Truths) -> dict[str, float]:
    """Return what only one text says: how rare it is, and whether the other has something near in its place."""
    by_old = near.max(axis=1) if near.size else numpy.zeros(len(one.stems))
    by_new = near.max(axis=0) if near.size else numpy.zeros(len(other.stems))
    old_gap, new_gap = one.rare * (1 - by_old), other.rare * (1 - by_new)
    rest = near[numpy.ix_(~there, ~known)] if near.size else near
    weighed = rest * numpy.minimum.outer(one.rare[~there], other.rare[~known]) if rest.size else rest
    (gap, gap_next), (fresh, fresh_next) = _greatest(old_gap, 2), _greatest(new_gap, 2)
    return {
        "rarest of the old only": _greatest(one.rare[~there], 1)[0],
        "rarest of the new only": _greatest(other.rare[~known], 1)[0],
        "gap of the old": gap,
        "next gap of the old": gap_next,
        "gap of the new": fresh,
        "next gap of the new": fresh_next,
        "gaps of the old": float(old_gap.sum()) / 4,
        "gaps of the new": float(new_gap.sum()) / 4,
        "words of the old only": log(1 + float((~there).sum())) / 2,
        "words of the new only": log(1 + float((~known).sum())) / 2,
        "one word for another": float(weighed.max()) if weighed.size else 0.0,
        "nearest of the rest": float(rest.max()) if rest.size else 0.0,
    }


def _forms(one: _Read, other: _Read) -> dict[str, float]:
    """Return numbers, names, order and length."""
    old, new = one.numbers - other.numbers, other.numbers - one.numbers
    kept = _in_order(one.tokens, other.tokens)
    most, least = max(len(one.tokens), len(other.tokens), 1), max(1, min(len(one.tokens), len(other.tokens)))
    return {
        "same numbers": float(bool(one.numbers & other.numbers)),
        "a number gone": float(bool(old)),
        "a new number": float(bool(new)),
        "a number changed": float(bool(old and new)),
        "a number changed in place": kept / most * float(bool(old and new)),
        "names shared": min(2, len(one.names & other.names)) / 2,
        "a name gone": float(any(name not in other.lower for name in one.names)),
        "a new name": float(any(name not in one.lower for name in other.names)),
        "order kept": kept / most,
        "order of the shorter kept": kept / least,
        "long old": log(1 + len(one.stems)) / 3,
        "long new": log(1 + len(other.stems)) / 3,
        "longer": log((1 + len(other.stems)) / (1 + len(one.stems))) / 2,
        "asks": float("?" in other.lower),
        "ends in a question": float(other.lower.rstrip().endswith("?")),
    }


def _in_order(some: Sequence[str], others: Sequence[str]) -> int:
    """Return how many tokens both have in the same order."""
    row = [0] * (len(others) + 1)
    for one in some:
        before = 0
        for at, other in enumerate(others, 1):
            above = row[at]
            row[at] = before + 1 if one == other else max(above, row[at - 1])
            before = above
    return row[-1]


def difference(old: str, new: str) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return where two texts differ most: characters of a word of each, or of all where no word stands for another."""
    ours, theirs = _only(old, new), _only(new, old)
    pairs = [(_rivalry(old[a:b], new[c:d]), (a, b), (c, d)) for a, b in ours for c, d in theirs]
    best = max(pairs, default=None)
    if best is not None and best[0] > 0:
        return best[1], best[2]
    return (ours[0] if ours and not theirs else (0, len(old))), (theirs[0] if theirs and not ours else (0, len(new)))


_SPOT = re.compile(r"[^\W_]+(?:[.,:_'-][^\W_]+)*")  # a word, a number or a version with its place


def _only(text: str, other: str) -> list[tuple[int, int]]:
    """Return the places of the words that the other text does not have."""
    known = [stem(found.lower()) for found in _SPOT.findall(other)]
    spots = [(one.span(), stem(one.group().lower())) for one in _SPOT.finditer(text)]
    return [span for span, word in spots if not any(_is_form(word, one) for one in known)]


def _rivalry(one: str, other: str) -> float:
    """Return how much two words look like values of one thing: numbers, or rare words of near meaning."""
    digits = any(map(str.isdigit, one)) + any(map(str.isdigit, other))
    if digits == 1:
        return 0.0
    near = float(vector(one.lower()) @ vector(other.lower()))
    return near * min(rarity(one.lower()), rarity(other.lower())) + digits / 2
