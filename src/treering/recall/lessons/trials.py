"""Measure settings of recall by the judgements of past answers, and search for better ones.

A setting maps names of recall's mix to values. What was never shown was never judged. So two things
are measured, by judged memories alone: whether of two the better one stands first, which no
unjudged memory can change; and how high the good ones stand, where an unjudged one takes a place
and earns nothing. Both favour the current setting, as all that was judged was found by it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import log2, sqrt
from typing import NamedTuple

Value = float | str
Setting = dict[str, Value]
Worths = Callable[[Setting], Iterator[float]]  # of each recall in turn; fewer of them when the time is up

DEPTH = 25  # places that are looked at: one that falls behind them is lost
# An answer with nothing good in it is worth nothing, and silence instead this much: five useless answers spared make up
# for one that is lost.
RELIEF = 0.2
NEUTRAL = 0.5  # the reward from which on a memory is a good answer, at least in part
# Standard errors of the gain that a step must bring: just so much is the gain that a single recall brings, so that one
# alone decides nothing.
SURE = 1.0
EARLY = 10  # recalls after which a step is given up that has brought only losses, or nothing
ROUNDS = 3  # times that every name is looked at; later ones move nothing on the sets of `make bench-tuning`
LEAST_GAIN = 0.01  # of 1, on recalls that did not choose: what is smaller is not worth a change
FIT = 0.4  # the share of recalls, the oldest, that choose; more are kept to check, as that decides
LEAST = 15  # recalls in each part, below which a gain is chance
BETWEEN = 0.9  # the share of the interval of a gain

# What is tried, in this order: those that move most come first. What was learned of feedback (company, terms, priors,
# lift) is not: the very same feedback would praise it.
LADDERS: dict[str, tuple[Value, ...]] = {
    "fusion": ("scores", "ranks"),
    # Turned down, never off: questions that are still to come may need what those of the log did not.
    "keyword": (0.1, 0.5, 1.0, 2.0),
    "vector": (0.1, 0.3, 0.45, 0.6, 0.9, 1.3, 2.0),
    "neighbour": (0.0, 0.2, 0.4, 0.6, 0.8),
    "likeness": (0.0, 0.5, 1.0, 1.5, 2.0),
    "graph": (0.0, 0.03, 0.1, 0.3, 1.0),
    "relation": (0.0, 0.15, 0.3, 0.6),
    "sentence": (0.0, 0.25, 0.5, 0.75, 1.0),
    "usefulness": (0.0, 0.1, 0.2, 0.4, 0.8),
    "strength": (0.0, 0.03, 0.1, 0.2),
    "pace": (0.5, 1.0, 2.0, 4.0, 8.0),
    "silent": (0.0, 0.5, 0.6, 0.7, 0.8),
}
# Each of these is looked up by itself, and costs time unless it is off.
COSTLY = ("keyword", "vector", "graph", "relation", "neighbour", "likeness")


class Tuning(NamedTuple):
    """The result of trying other settings. Worths lie between 0 and 1, on the recalls that checked."""

    weights: Mapping[str, Value] = {}  # to be set; nothing without a gain
    best: Mapping[str, Value] = {}  # what the best setting would change, whether it gained enough or not
    was: Mapping[str, Value] = {}  # the same names, as they are now
    before: float = 0.0
    after: float = 0.0
    gain: float = 0.0
    low: float = 0.0  # the gain lies between these with a probability of `BETWEEN`
    high: float = 0.0
    fit: int = 0  # recalls that chose; none if it is what is usual everywhere
    held: int = 0  # recalls that checked, all of them newer than those
    tried: int = 0  # settings
    cost_before: int = 0  # parts of recall that are at work, of `COSTLY`
    cost_after: int = 0
    took: float = 0.0  # seconds
    stopped: bool = False  # the time was up before everything was tried
    nothing: str = ""  # why nothing is proposed
    project: str = ""  # where it would hold: where all of the recalls were asked, or everywhere

    @property
    def evidence(self) -> dict[str, float]:
        """The numbers behind a proposal."""
        names = ("gain", "low", "high", "fit", "held", "tried", "before", "after", "cost_before", "cost_after")
        return {name: value if isinstance(value := getattr(self, name), int) else round(value, 4) for name in names}

    @property
    def data(self) -> dict[str, object]:
        changes = {"weights": dict(self.weights), "best": dict(self.best), "was": dict(self.was), **self.evidence}
        rest = {"took": round(self.took, 3), "stopped": self.stopped, "nothing": self.nothing, "project": self.project}
        return {**changes, **rest}

    @property
    def summary(self) -> list[str]:
        """The same for people."""
        cut = ", until the time was up" if self.stopped else ""
        lines = [f"tried {self.tried} settings in {self.took:.1f} s on recalls that were judged{cut}"]
        if self.best:
            lines += [f"  {name}: {self.was[name]} → {value}" for name, value in self.best.items()]
            chosen = f"chosen by {self.fit} recalls, checked by {self.held} newer ones"
            usual = f"usual everywhere, checked by {self.held} recalls"
            lines.append(f"{chosen if self.fit else usual}: {self.before:.3f} → {self.after:.3f}")
            lines.append(f"a gain of {self.gain:+.3f} ({BETWEEN:.0%} between {self.low:+.3f} and {self.high:+.3f})")
            lines.append(f"parts at work: {self.cost_before} → {self.cost_after} of {len(COSTLY)}")
        return [*lines, f"nothing is proposed: {self.nothing}"] if self.nothing else lines


def worth(found: Sequence[str] | None, rewards: Mapping[str, float]) -> float:
    """Return, from 0 to 1, the worth of an answer by what its memories earned when shown.

    None is silence; an empty answer is worth nothing.
    """
    if not any(reward >= NEUTRAL for reward in rewards.values()):
        return RELIEF if found is None else 0.0
    places = {id: place for place, id in enumerate((found or ())[:DEPTH], 1)}
    high = _standing(places, rewards)
    order = _order(places, rewards)
    return high if order is None else (high + order) / 2


def _standing(places: Mapping[str, int], rewards: Mapping[str, float]) -> float:
    """Return how high the good ones stand: their discounted rewards, as a share of the best possible."""
    earned = sum(reward / log2(1 + places[id]) for id, reward in rewards.items() if id in places)
    ideal = sum(reward / log2(1 + place) for place, reward in enumerate(sorted(rewards.values(), reverse=True), 1))
    return earned / ideal


def _order(places: Mapping[str, int], rewards: Mapping[str, float]) -> float | None:
    """Return the share of pairs in which the better one stands first; None if all are as good."""
    right = total = 0.0
    for one, better in rewards.items():
        for other, worse in rewards.items():
            if better > worse:
                ahead, behind = places.get(one, DEPTH + 1), places.get(other, DEPTH + 1)
                total += better - worse
                right += (better - worse) * ((ahead < behind) + (ahead == behind) / 2)
    return right / total if total else None


def cost(setting: Mapping[str, Value]) -> int:
    """Return how many parts of recall are at work."""
    return sum(bool(setting.get(name)) for name in COSTLY)


def search(start: Setting, others: Sequence[Setting], worths: Worths) -> list[Setting]:
    """Climb from the best of some settings, one name at a time, and return the settings on the way.

    Each is better than the one before. Others proved themselves elsewhere, so any gain will do.
    """
    climb = _Climb(start, worths)
    for other in others:
        climb.take(other, 0.0)
    for _ in range(ROUNDS):
        moved = [climb.along(name) for name in LADDERS if name in start]
        if not any(moved):
            break
    return climb.path


class _Climb:
    """The way upwards."""

    def __init__(self, start: Setting, worths: Worths) -> None:
        self._worths = worths
        self._here = list(worths(start))
        self.path = [start]

    def along(self, name: str) -> bool:
        """Go as far as one name leads, both ways, and tell whether it led anywhere."""
        moved = False
        for step in _ways(name):
            while (value := step(self.path[-1][name])) is not None and self.take({**self.path[-1], name: value}):
                moved = True
        return moved

    def take(self, setting: Setting, sure: float = SURE) -> bool:
        """Go there if it is better, or cheaper and as good for every recall; tell whether it went."""
        cheaper = cost(setting) < cost(self.path[-1])
        early = max(EARLY, len(self._here) // 3)
        there: list[float] = []
        for worth in self._worths(setting):
            there.append(worth)
            if len(there) == early and sure and _in_vain(self._gains(there), cheaper):
                return False
        gains = self._gains(there)
        whole = len(there) == len(self._here) > 0
        better = whole and (mean(gains) > sure * error(gains) + TINY or (cheaper and not any(gains)))
        if better:
            self.path.append(setting)
            self._here = there
        return better

    def _gains(self, there: Sequence[float]) -> list[float]:
        return [new - old for new, old in zip(there, self._here, strict=False)]


def _in_vain(gains: Sequence[float], cheaper: bool) -> bool:
    """Tell whether the first recalls show that a step is useless."""
    return mean(gains) < -SURE * error(gains) or not (cheaper or any(gains))


TINY = 1e-9  # below which a difference is one of rounding


def _ways(name: str) -> Iterator[Callable[[Value], Value | None]]:
    """Yield the steps to the next value: upwards, downwards, and at once to nothing or to the other word."""
    ladder = LADDERS[name]
    if isinstance(ladder[0], str):
        yield lambda now: next((word for word in ladder if word != now), None)
        return
    steps = [float(value) for value in ladder]
    yield lambda now: next((step for step in steps if step > float(now) + TINY), None)
    yield lambda now: next((step for step in reversed(steps) if step < float(now) - TINY), None)
    if steps[0] == 0.0:
        yield lambda now: 0.0 if float(now) > 0 else None


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def error(values: Sequence[float]) -> float:
    """Return the standard error of the mean."""
    count = len(values)
    if count < 2:
        return 0.0
    middle = mean(values)
    return sqrt(sum((value - middle) ** 2 for value in values) / (count - 1) / count)
