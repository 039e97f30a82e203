"""The lessons of a space in memory, and what they say of a question."""

from __future__ import annotations

from math import sqrt

import numpy as np

from treering.core.learning import log_odds, trust
from treering.core.lift import Showing, lifts
from treering.recall.lessons.kinds import PROPERTIES, SHIFTS, SWAYED, chance

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from treering.core.learning import Counts
    from treering.core.lessons import Lesson
    from treering.core.ports import Matrix

    Numbers = NDArray[np.float64]

ALIKE = 0.4  # the cosine from which on two questions have anything in common: names and asking give as much to most
WORDS = 0.7  # what the same words count, beside the same direction: names are shared by many questions
# What it counts that a memory did not help, beside that it did: it may have stood by for another reason.
BLAME = 0.4
SURE = 2  # standard errors that a lift must be above nothing: chance does so once in twenty times
HINT = 0.05  # what lessons must have said for a memory to have hinted at it


class Book:
    """Questions that were answered, what they asked, and what answered them."""

    def __init__(self, lessons: Sequence[Lesson], dimensions: int) -> None:
        self.size = len(lessons)
        vectors = b"".join(lesson.vector for lesson in lessons)
        self._vectors = _unit(np.frombuffer(vectors, np.int8).reshape(self.size, dimensions))
        self._holding: dict[int, list[int]] = {}
        self._held = np.ones(self.size)
        for place, lesson in enumerate(lessons):
            stems = np.frombuffer(lesson.stems, np.uint32).tolist()
            self._held[place] = max(1, len(stems))
            for stem in stems:
                self._holding.setdefault(stem, []).append(place)
        marks = [(place, mark) for place, lesson in enumerate(lessons) for mark in lesson.marks]
        self._lessons = np.array([place for place, _ in marks], np.intp)
        self._numbers = np.array([mark.number for _, mark in marks], np.int64)
        self._weights = np.array([mark.weight for _, mark in marks])
        self._kinds = np.array([mark.kind for _, mark in marks], np.int64)
        # It is about memories: one that helped ten times is still one of its kind.
        self._goods, self._bads = (_each_once(self._numbers, np.maximum(sign * self._weights, 0)) for sign in (1, -1))
        self._hints = np.array([mark.hint for _, mark in marks])
        self._projects = np.array([lesson.project for lesson in lessons], object)[self._lessons]
        self._types = np.array([lesson.type for lesson in lessons], object)[self._lessons]
        self._priors: dict[tuple[str, str], dict[str, Numbers]] = {}
        self._lifts: dict[int, float] | None = None
        self.trust = self._trusted()

    def alike(self, terms: Mapping[int, float], vector: Matrix | None) -> Numbers:
        """How like a question each lesson's is, from 0 to 1: by direction, or by the weight of the words they share."""
        shared, count = np.zeros(self.size), np.zeros(self.size)
        for stem, weight in terms.items():
            if places := self._holding.get(stem):
                shared[places] += weight
                count[places] += 1
        by_words = WORDS * shared / max(sum(terms.values()), 1e-9) * np.sqrt(count / self._held)
        if vector is None or self._vectors.shape[1] != len(vector):
            return np.asarray(by_words, np.float64)
        cosines = self._vectors @ vector
        return np.asarray(np.maximum(by_words, (cosines - ALIKE) / (1 - ALIKE)), np.float64)

    def spoken(self, alike: Numbers, least: float = 0.0) -> dict[int, float]:
        """What lessons like a question say for each memory, or against it; only those that are at least so like."""
        alike = np.where(alike >= least, alike, 0.0)
        told = alike[self._lessons] * np.where(self._weights > 0, self._weights, BLAME * self._weights)
        telling = np.flatnonzero(told)
        sums: dict[int, float] = {}
        for number, amount in zip(self._numbers[telling].tolist(), told[telling].tolist(), strict=True):
            sums[number] = sums.get(number, 0.0) + amount
        return sums

    def together(self, numbers: Sequence[int]) -> dict[int, dict[int, int]]:
        """For each of these memories, those that helped with the same questions, and how often."""
        found: dict[int, dict[int, int]] = {}
        helped = self._weights > 0
        for number in numbers:
            lessons = self._lessons[helped & (self._numbers == number)]
            if len(lessons):
                others = self._numbers[helped & np.isin(self._lessons, lessons) & (self._numbers != number)]
                counts: dict[int, int] = {}
                for other in others.tolist():
                    counts[other] = counts.get(other, 0) + 1
                found[number] = counts
        return found

    def lift(self, number: int) -> float:
        """What showing a memory did to the recalls in which chance decided that, from -1 to 1, as far as it is sure."""
        if self._lifts is None:
            self._lifts = self._lifted()
        return self._lifts.get(number, 0.0)

    def _lifted(self) -> dict[int, float]:
        helped = np.zeros(self.size, bool)
        helped[self._lessons[self._weights > 0]] = True
        showings = []
        for place in np.flatnonzero(self._kinds >= SWAYED).tolist():
            p, shown = chance(int(self._kinds[place]))
            showings.append(Showing(str(self._numbers[place]), shown, p, float(helped[self._lessons[place]])))
        sure = ((found.memory, found.lift, abs(found.lift) - SURE * found.error) for found in lifts(showings))
        return {int(memory): least if lift > 0 else -least for memory, lift, least in sure if least > 0}

    def prior(self, project: str, type: str, kinds: NDArray[np.int64]) -> Numbers:
        """How much more often than others memories of these kinds helped with such questions, in log-odds."""
        key = (project, type)
        if key not in self._priors:
            self._priors[key] = {name: self._odds(name, project, type) for name in PROPERTIES}
        odds = self._priors[key]
        return np.asarray(sum(odds[name][_values(kinds, name)] for name in PROPERTIES), np.float64)

    def _odds(self, name: str, project: str, type: str) -> Numbers:
        """Of each value of a property: everywhere, then here, then for such questions here."""
        here = self._projects == project
        levels = [np.ones(len(here), bool), here, here & (self._types == type)]
        if here.all():
            del levels[1]
        values = _values(self._kinds, name)
        size = 1 << PROPERTIES[name]
        good, bad = self._goods, self._bads
        counted = [[np.bincount(values[level], side[level], size) for side in (good, bad)] for level in levels]
        every = [(float(goods.sum()), float(bads.sum())) for goods, bads in counted]
        each = [zip(goods.tolist(), bads.tolist(), strict=True) for goods, bads in counted]
        return np.array([log_odds(list(zip(row, every, strict=True))) for row in zip(*each, strict=True)])

    def _trusted(self) -> float:
        hinted = self._hints > HINT
        return trust(self._counts(hinted), self._counts(~hinted))

    def _counts(self, some: NDArray[np.bool_]) -> Counts:
        weights = self._weights[some]
        return float(weights[weights > 0].sum()), float(-weights[weights < 0].sum())


def likeness(one: Lesson, other: Lesson) -> float:
    """How like two questions are, from 0 to 1: as `Book.alike` has it, with every word counted the same."""
    mine, theirs = (set(np.frombuffer(lesson.stems, np.uint32).tolist()) for lesson in (one, other))
    shared = len(mine & theirs)
    by_words = WORDS * shared / max(1, len(mine)) * sqrt(shared / max(1, len(theirs)))
    if not one.vector or not other.vector:
        return by_words
    first, second = (np.frombuffer(lesson.vector, np.int8).astype(np.float32) for lesson in (one, other))
    cosine = float(first @ second) / max(float(np.linalg.norm(first) * np.linalg.norm(second)), 1e-9)
    return max(by_words, (cosine - ALIKE) / (1 - ALIKE))


def _each_once(numbers: NDArray[np.int64], weights: Numbers) -> Numbers:
    """Weights shared out so that those of one memory come to no more than its heaviest."""
    _, owners = np.unique(numbers, return_inverse=True)
    size = int(owners.max(initial=-1)) + 1
    most, total = np.zeros(size), np.bincount(owners, weights, size)
    np.maximum.at(most, owners, weights)
    return np.asarray(weights * (most / np.maximum(total, 1e-9))[owners], np.float64)


def _values(kinds: NDArray[np.int64], name: str) -> NDArray[np.int64]:
    return kinds >> SHIFTS[name] & (1 << PROPERTIES[name]) - 1


def _unit(rows: NDArray[np.int8]) -> Matrix:
    matrix = rows.astype(np.float32)
    return np.asarray(matrix / np.maximum(np.linalg.norm(matrix, axis=1, keepdims=True), 1e-9), np.float32)
