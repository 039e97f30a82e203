"""Judge an old memory and a new statement: does the new one replace it, contradict it, say the same, or leave it alone?

Three things are looked at together: the words of the new statement, which tell whether it announces a change, is in
doubt, or repeats; its frame, in which what the old one says too, what stands in its place, and what nobody else says
are only marked as such; and in numbers, what the two share and what only one of them has.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import log
from typing import NamedTuple

import numpy
from numpy.typing import NDArray

from treering.judge.features import Features, block, letters, runs, together, tokens
from treering.judge.model import Reason, load
from treering.judge.senses import Numbers, embedder, ends, rarity, said, stem, vector

PAIRS = "pairs"  # the file of weights
REPLACES, CONTRADICTS, SAME, APART = LABELS = ("replaces", "contradicts", "same", "apart")
CLASH = "clash"  # both cannot hold: replaced or contradicted
PASSING = "passing"  # replaces, judged among much that is about something else: what is said in the midst of work
LEARNED = (REPLACES, CLASH, SAME, PASSING)
TOLD, HEARD = "told", "heard"  # floors: of what is told to the memory itself, and of what is said in the midst of work
_MASKED, _OWN, _GONE = 0.7, 0.7, 0.5  # what runs with shared words masked weigh, words of the new only, of the old only
_FRAMED, _FAR, _OLD = 1.0, 0.7, 0.4  # the same of the frame: its runs, two of its words in order, and the old one's
_LONG = 3  # letters of a word above which a shared one is masked: the rest of the sentence tells more
_CHANGED = 0.5  # from here on an older memory is shown only beside the newer statement: more likely than not
_SHARES = 0.5  # what a shared word counts beside the likeness of the whole
_RARE = 0.45  # of a word that tells something by itself
_COMMON, _FRESH = 0.3, 0.6  # in a frame a shared word stays as it is below, and a new one is only a mark above
_INSTEAD, _LEAST_RARE = 0.6, 0.35  # how near a word is that stands in place of another, and how rare it must be
_PRECISE = 2  # digits: sums of floats differ from machine to machine behind those
_BEGINS = 4  # letters of a stem that may begin another: deploy, deploys
_TOKENS = 120  # of a text in which an order is looked for: the work grows with the product of both
_KEPT = 4_096  # texts whose words are remembered: a new statement is compared with several memories
Truths = NDArray[numpy.bool_]

_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_CAPITAL = re.compile(r"\b[^\W\d_a-zß-ÿ][\w'-]*")
_PIECE = re.compile(r"[^\W_]+(?:[.,:_'\u2019/-][^\W_]+)*|[?!:;,.«»\"]")


class Verdict(NamedTuple):
    """How likely each label is, and why."""

    chances: Mapping[str, float]  # by label; together 1
    passing: float  # how likely it replaces the old one if it was said in passing
    reasons: tuple[Reason, ...] = ()

    @property
    def is_sure(self) -> bool:
        """True if the old memory is replaced beyond doubt, even by something that was said in passing."""
        return self.passing >= load(PAIRS).floors[HEARD]

    @property
    def is_told(self) -> bool:
        """True if the old memory is replaced beyond doubt by a statement that was told to be remembered: among those
        fewer are about something else."""
        return self.chances[REPLACES] >= load(PAIRS).floors[TOLD]

    @property
    def clashes(self) -> bool:
        """True if it is likely enough that both cannot hold for a person to be asked."""
        return self.clash >= load(PAIRS).floors[CLASH]

    @property
    def is_likely(self) -> bool:
        """True if the older memory may be out of date: it is shown beside the newer one, and nobody is asked."""
        return self.chances[REPLACES] >= _CHANGED

    @property
    def clash(self) -> float:
        """How likely it is that both cannot hold."""
        return self.chances[REPLACES] + self.chances[CONTRADICTS]


def judge(old: str, new: str) -> Verdict:
    """Judge an old memory and a new statement."""
    seen = features(old, new)
    model = load(PAIRS)
    found = model.probabilities(seen)
    passing = found.pop(PASSING)
    chances = combined(**found)
    likeliest = SAME if chances[SAME] > chances[REPLACES] + chances[CONTRADICTS] else CLASH
    likeliest = REPLACES if likeliest == CLASH and chances[REPLACES] > chances[CONTRADICTS] else likeliest
    return Verdict(chances, passing, tuple(model.reasons(seen, likeliest)))


def likeness(one: str, other: str) -> float:
    """Return how alike two texts are as wholes, by their vectors."""
    return float(_read(one).whole @ _read(other).whole)


def relatedness(one: str, other: str) -> float:
    """Return how much two texts are about one thing: how alike they are, and what rare words they share."""
    mine, theirs = _read(one), _read(other)
    known = zip(mine.stems, mine.rare, strict=True)
    shared = (rare for stem, rare in known if any(_is_form(stem, other) for other in theirs.stems))
    return likeness(one, other) + _SHARES * float(sum(shared))


def features(old: str, new: str) -> Features:
    """Return what is seen of two texts."""
    return {**wording(old, new), **frame(old, new), **compared(old, new)}


def combined(replaces: float, clash: float, same: float) -> dict[str, float]:
    """Return the probability of each label: what clashes and does not replace contradicts, and the rest is apart."""
    clash = max(clash, replaces)
    total = max(1.0, clash + same)
    chances = {REPLACES: replaces / total, CONTRADICTS: (clash - replaces) / total, SAME: same / total}
    return {**chances, APART: max(0.0, 1 - sum(chances.values()))}


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


def frame(old: str, new: str) -> Features:
    """Return the frame of a new statement, and of the old one: its plain words, with marks for all others."""
    after, met = _marked(old, new)
    before = ["=" if at in met else _mark(word) for at, word in enumerate(_PIECE.findall(old.lower())[:_TOKENS])]
    return {
        **block((f"frame: {run}" for run in runs(after, 4)), _FRAMED),
        **block((f"frame: {pair}" for pair in together([f"<{word}>" for word in after], 16)), _FAR),
        **block((f"frame of the old: {run}" for run in runs(before, 2)), _OLD),
    }


def _marked(old: str, new: str) -> tuple[list[str], set[int]]:
    """Return the words of a new statement with marks, and which words of the old one it takes up."""
    known = _PIECE.findall(old.lower())[:_TOKENS]
    stems = [stem(word) if word[0].isalnum() else "" for word in known]
    vectors = numpy.array([vector(word) for word in known]) if known else numpy.zeros((0, 1), numpy.float32)
    found: list[str] = []
    met: set[int] = set()
    for at, word in enumerate(_PIECE.findall(new)[:_TOKENS]):
        low = word.lower()
        same = {spot for spot, one in enumerate(stems) if one and _is_form(one, stem(low))} if word[0].isalnum() else ()
        near = vectors @ vector(low) if known and not same and rarity(low) > _LEAST_RARE else None
        if same:
            met.update(same)
            found.append("=" if rarity(low) > _COMMON else low)
        elif not any(map(str.isdigit, word)) and near is not None and round(float(near.max()), _PRECISE) > _INSTEAD:
            met.add(int(near.argmax()))
            found.append("~")
        else:
            found.append(_mark(low) + "N" * (at > 0 and word[0].isupper() and rarity(low) > _FRESH))
    return found, met


def _mark(word: str) -> str:
    """Return a plain word as it is, and for a number or a rare word what it is."""
    if any(map(str.isdigit, word)):
        return "#"
    return "R" if word[0].isalnum() and rarity(word) > _FRESH else word


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
