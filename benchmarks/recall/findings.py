"""What the answers to a set amount to, and whether that is good enough."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from benchmarks.recall.asking import CHANNELS, HYBRID, STRATEGIES, Answer, Asked
from benchmarks.recall.baselines import BASELINES
from benchmarks.recall.measures import NOTHING, Score, mean, score, share
from benchmarks.recall.sets import CHANGED, UNCHANGED

SYSTEMS = (*BASELINES, *STRATEGIES)

# The least R@10 of the hybrid, with silence switched off.
FLOORS = {"locomo": 0.74, "longmemeval-sessions": 0.98, "longmemeval-turns": 0.77, "coding-sessions": 0.97}
CHANGED_FIRST = 0.90  # how often the current fact must lead where an older one contradicts it
_NOISE = 1e-9  # of sums in another order


class Finding(NamedTuple):
    """How one system did on one set."""

    set: str
    system: str
    answerable: int
    forced: Score  # with nothing cut off
    given: Score  # as a user gets it: silence and what was cut off count as not found
    shown: float  # memories, where an answer is shown
    precision: float  # of these, the share that is relevant
    unanswerable: int
    silent: float | None  # the share of the unanswerable that got silence
    changed_first: float | None  # the share of the changed facts that lead
    unchanged_first: float | None

    @property
    def lost(self) -> float:
        """R@10 that silence and the cut-off took from the answerable."""
        return self.forced.r10 - self.given.r10


class Goal(NamedTuple):
    set: str
    what: str
    found: float
    sign: str  # ≥ or >
    asked: float

    @property
    def met(self) -> bool:
        over = self.found - self.asked
        return over > _NOISE if self.sign == ">" else over >= -_NOISE


def findings(name: str, asked: Sequence[Asked]) -> list[Finding]:
    """How every system did on a set."""
    return [_finding(name, system, asked) for system in SYSTEMS]


def together(found: Iterable[Finding]) -> Finding:
    """One system over the questions of all its sets."""
    rows = list(found)
    answerable, unanswerable = sum(row.answerable for row in rows), sum(row.unanswerable for row in rows)
    silent = sum(row.unanswerable * (row.silent or 0) for row in rows)
    return Finding(
        "all questions",
        rows[0].system,
        answerable,
        _weighted([(row.answerable, row.forced) for row in rows]),
        _weighted([(row.answerable, row.given) for row in rows]),
        sum(row.answerable * row.shown for row in rows) / max(1, answerable),
        sum(row.answerable * row.precision for row in rows) / max(1, answerable),
        unanswerable,
        silent / unanswerable if unanswerable else None,
        None,
        None,
    )


def goals(found: Sequence[Finding]) -> list[Goal]:
    """What is asked of the hybrid on one set."""
    of = {row.system: row for row in found}
    ours, best = of[HYBRID], [of[system] for system in (*BASELINES, *CHANNELS)]
    wanted = []
    if ours.answerable:
        if ours.set in FLOORS:
            wanted.append(Goal(ours.set, "R@10", ours.forced.r10, "≥", FLOORS[ours.set]))
        single = max(row.forced.r10 for row in best)
        wanted.append(Goal(ours.set, "R@10, best channel or baseline", ours.forced.r10, "≥", single))
        plain = max(of[system].forced.ndcg for system in BASELINES)
        wanted.append(Goal(ours.set, "nDCG@10, best baseline", ours.forced.ndcg, ">", plain))
    if ours.changed_first is not None:
        wanted.append(Goal(ours.set, "changed facts: the current one first", ours.changed_first, "≥", CHANGED_FIRST))
    return wanted


def _finding(name: str, system: str, asked: Sequence[Asked]) -> Finding:
    answerable = [(each.query.relevant, each.answers[system]) for each in asked if each.query.relevant]
    unanswerable = [each.answers[system] for each in asked if not each.query.relevant]
    forced = [score(answer.found, relevant) for relevant, answer in answerable]
    given = [score(answer.given, relevant) for relevant, answer in answerable]
    spoken = [(relevant, answer.given) for relevant, answer in answerable if answer.given]
    return Finding(
        name,
        system,
        len(answerable),
        mean(forced),
        mean(given),
        _mean([len(given) for _, given in spoken]),
        _mean([len(relevant.intersection(given)) / len(given) for relevant, given in spoken]),
        len(unanswerable),
        share([not answer.given for answer in unanswerable]),
        share(_leads(asked, system, CHANGED)),
        share(_leads(asked, system, UNCHANGED)),
    )


def _leads(asked: Iterable[Asked], system: str, kind: str) -> list[bool]:
    """For each query of a kind, whether what stands first answers it."""
    return [_first(each.answers[system]) in each.query.relevant for each in asked if each.query.kind == kind]


def _first(answer: Answer) -> str | None:
    return answer.found[0] if answer.found else None


def _mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers) if numbers else 0.0


def _weighted(scores: Sequence[tuple[int, Score]]) -> Score:
    total = sum(count for count, _ in scores)
    if not total:
        return NOTHING
    return Score(*(sum(count * each[place] for count, each in scores) / total for place in range(len(NOTHING))))
