"""What the tests amount to: a point of a learning curve for each set, arm and step; and whether that is good enough."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import fmean
from typing import NamedTuple

from benchmarks.learning.learners import MISLED, STATIC, TOGETHER, Taken
from benchmarks.recall.measures import mean

GAIN, SETS = 0.05, 2  # points of R@10 that all mechanisms together must gain, and on how many sets
_NOISE = 1e-9  # of sums in another order


class Point(NamedTuple):
    """How an arm does after some of its training, on average over the seeds."""

    set: str
    arm: str
    step: float
    r10: float
    ndcg: float
    gain: float  # of R@10 over the store that does not learn
    least: float  # the same for the worst seed,
    most: float  # and for the best
    queries: int  # in all tests


class Goal(NamedTuple):
    what: str
    found: float
    asked: float

    @property
    def met(self) -> bool:
        return self.found >= self.asked - _NOISE


def points(name: str, taken: Iterable[tuple[int, Taken]]) -> list[Point]:
    """The curves of a set, from the tests of all corpora and seeds."""
    by: dict[tuple[str, float], dict[int, list[Taken]]] = {}
    for seed, test in taken:
        by.setdefault((test.arm, test.step), {}).setdefault(seed, []).append(test)
    scores = {
        key: {seed: mean(score for test in tests for score in test.scores) for seed, tests in seeds.items()}
        for key, seeds in by.items()
    }
    found = []
    for (arm, step), seeds in scores.items():
        gains = [seeds[seed].r10 - scores[STATIC, step][seed].r10 for seed in seeds]
        queries = sum(len(test.scores) for tests in by[arm, step].values() for test in tests)
        r10, ndcg = fmean(score.r10 for score in seeds.values()), fmean(score.ndcg for score in seeds.values())
        found.append(Point(name, arm, step, r10, ndcg, fmean(gains), min(gains), max(gains), queries))
    return found


def goals(found: Sequence[Point]) -> list[Goal]:
    """All together gain enough on two sets, and lose nowhere, even if one verdict in five is wrong."""
    last = {(point.set, point.arm): point for point in found if point.step == 1.0}
    gains = sorted((point.gain for (_, arm), point in last.items() if arm == TOGETHER), reverse=True)
    wanted = (
        [Goal(f"R@10 gained together, on the best {SETS} sets", gains[SETS - 1], GAIN)] if gains[SETS - 1 :] else []
    )
    for (name, arm), point in last.items():
        if arm in (TOGETHER, MISLED):
            wanted.append(Goal(f"{name}: {arm}", point.gain, 0.0))
    return wanted
