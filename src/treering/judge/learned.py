"""Learn what one person finds worth keeping, on top of the shipped weights, from what they took back and kept.

Each verdict is an example. What was captured and left alone counts as judged rightly: it only holds the rest in
place. The correction is fitted to all of them at once, and is small by construction: it moves a verdict by its
likeness to what was taken back or kept, and on average not at all. It is only used if each verdict is judged better
by the correction that the other examples give than without one.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from collections.abc import Sequence
from math import exp, log, log2
from typing import NamedTuple
from zlib import crc32

import numpy
from numpy.typing import NDArray

from treering.judge.features import KINDS, Features, block, letters, runs, tokens

MOST_VERDICTS = 120  # examples that are looked at, the newest ones
MOST_LEFT = 240  # and of those that were left alone
LEAST = 2  # verdicts: from one alone nobody can tell what was meant
MOVES = 2.0  # at the most, in the logarithm of the odds: from 0.9 to 0.55
_PLACES = 1 << 13  # of hashed features: what is kept of them is 16 KB
_LOOSE = 0.03  # how little the correction is held back: chosen on lives that the weights have not seen
_STEPS = 8  # of Newton's method: more change nothing
_STEP = 1 / 4096  # of a stored weight: far finer than what one verdict moves
_CERTAIN = 1e-3  # the nearest to 0 and 1 that a probability counts as
_CAPITAL = re.compile(r"(?<=[^.!?:\s] )[A-ZÀ-Ý][a-zà-ÿ]+")

Numbers = NDArray[numpy.float64]


class Example(NamedTuple):
    """A captured sentence: how the shipped weights judged it, and what the person did with it."""

    text: str
    worth: float
    wanted: bool | None = None  # False: taken back; True: kept by a person's word; None: left alone


class Learned(NamedTuple):
    """A correction of verdicts, and how many of a person's verdicts it rests on."""

    verdicts: int = 0
    weights: bytes = b""  # two bytes a place; empty if the shipped weights are at least as good alone
    centre: float = 0.0  # of the correction: what was left alone is not moved on average

    def corrected(self, text: str, worth: float) -> float:
        """Return the probability that a sentence is worth keeping to this person."""
        if not self.weights:
            return worth
        weights = memoryview(self.weights).cast("h")
        moved = sum(value * weights[at] for at, value in _placed(text)) * _STEP - self.centre
        return 1 / (1 + exp(-(_odds(worth) + max(-MOVES, min(MOVES, moved)))))

    def packed(self) -> list[object]:
        """Return it as JSON can hold it."""
        return [self.verdicts, b64encode(self.weights).decode(), round(self.centre, 6)]


NOTHING = Learned()


def unpacked(held: Sequence[object]) -> Learned:
    """Return what `packed` made."""
    verdicts, weights, centre = held
    return Learned(int(str(verdicts)), b64decode(str(weights)), float(str(centre)))


def seen(text: str) -> Features:
    """Return what a sentence looks like by itself: where it stood is not kept."""
    words = tokens(text)
    shape = [
        f"length {min(int(2 * log2(len(words) + 1)), 12)}",
        f"capitals {min(len(_CAPITAL.findall(text)), 3)}",
        *(f"{kind} {min(words.count(kind), 2)}" for kind in sorted(KINDS)),
    ]
    starts = [f"starts: {' '.join(words[:count])}" for count in (1, 2, 3)]
    return {**block(runs(words, 2)), **block(letters(words)), **block(starts), **block(shape)}


def _placed(text: str) -> list[tuple[int, float]]:
    return [(crc32(name.encode("utf-8", "replace")) % _PLACES, value) for name, value in seen(text).items()]


def learn(examples: Sequence[Example]) -> Learned:
    """Return the correction that examples, oldest first, amount to."""
    said = [one for one in examples if one.wanted is not None][-MOST_VERDICTS:]
    if len(said) < LEAST:
        return Learned(len(said))
    left = [one for one in examples if one.wanted is None][-MOST_LEFT:]
    rows = numpy.zeros((len(said) + len(left), _PLACES))
    for row, one in zip(rows, [*said, *left], strict=True):
        for at, value in _placed(one.text):
            row[at] += value
    before = numpy.array([_odds(one.worth) for one in (*said, *left)])
    wanted = numpy.array([*(float(bool(one.wanted)) for one in said), *(_chance(odds) for odds in before[len(said) :])])
    shares, alone = _fit(rows @ rows.T, before, wanted)
    centre = float(numpy.average(alone[len(said) :], weights=wanted[len(said) :])) if left else 0.0
    moved = numpy.clip(alone[: len(said)] - centre, -MOVES, MOVES)
    if _loss(before[: len(said)] + moved, wanted[: len(said)]) > _loss(before[: len(said)], wanted[: len(said)]):
        return Learned(len(said))
    weights = numpy.clip(numpy.rint(shares @ rows / _STEP), -32_767, 32_767).astype("<i2")
    return Learned(len(said), weights.tobytes(), centre)


def _fit(likeness: Numbers, before: Numbers, wanted: Numbers) -> tuple[Numbers, Numbers]:
    """Fit a correction by how alike examples are. Return the share of each example in it, and how each would be
    moved by the correction that the others give."""
    shares = numpy.zeros(len(before))
    alone = shares
    for _ in range(_STEPS):
        moved = likeness @ shares
        chance = 1 / (1 + numpy.exp(-(before + moved)))
        spread = numpy.maximum(chance * (1 - chance), _CERTAIN)
        aim = moved + (wanted - chance) / spread
        inverse = numpy.linalg.inv(likeness + numpy.diag(_LOOSE / spread))
        shares = inverse @ aim
        alone = aim - shares / numpy.diag(inverse)
    return shares, alone


def _loss(odds: Numbers, wanted: Numbers) -> float:
    """Return how wrong probabilities are, by what they should have been."""
    return float(numpy.mean(numpy.logaddexp(0, odds) - wanted * odds))


def _odds(chance: float) -> float:
    held = max(_CERTAIN, min(1 - _CERTAIN, chance))
    return log(held / (1 - held))


def _chance(odds: float) -> float:
    return 1 / (1 + exp(-odds))
