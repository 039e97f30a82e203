"""What the actions of evolution came to: the right ones, those that were due, and good memories that were lost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import NamedTuple

from benchmarks.evolution.arms import REFINED, Life, Quality, Sample
from benchmarks.evolution.world import GRADES, Planted, World
from treering.evolve.rules import DEPRECATE_USAGE

QUARTERS = 4
TRUE = ("good", "process", "duplicate")  # kinds that say what is so
_WORDS = ("in the same words", "in nearly the same words", "in words of their own")
_GONE = ("deprecated", "superseded", "forgotten", "merged", "quarantined")


class Learning(NamedTuple):
    """A run: the same world in every arm."""

    seed: int
    world: World
    lives: tuple[Life, ...]  # the one that evolves first
    ceiling: Quality  # of a memory with nothing wrong in it


class Action(NamedTuple):
    """One kind of action: how often it was taken, how often rightly, and how many there were to find."""

    name: str
    taken: int
    right: int
    due: int
    found: int

    @property
    def precision(self) -> float | None:
        return self.right / self.taken if self.taken else None

    @property
    def recall(self) -> float | None:
        return self.found / self.due if self.due else None


def actions(life: Life, world: World) -> list[Action]:
    """Deprecate is right for what is bad or poisoned, refine for what can be said better, merge for two that say the
    same, archive for what no session asks for, and a proposed skill if its processes are of one kind."""
    known = {one.key: one for one in world.planted}
    return [
        _moved("deprecate", life, known, "deprecated", ("bad", "poisoned")),
        _moved("refine", life, known, "superseded", ("fixable",)),
        _merges(life, known),
        _archives(life, known),
        _skills(life, known),
    ]


def details(life: Life, world: World) -> dict[str, tuple[int, int]]:
    """How many were found of how many, where one action meets several sorts."""
    bad = [one for one in world.planted if one.kind in ("bad", "poisoned")]
    twins = [one for one in world.planted if one.kind == "duplicate"]
    alike = [one for one in world.planted if one.kind == "good" and one.pair]
    archived = [one for one in world.planted if one.kind in TRUE and one.key in life.archived]
    return {
        "bad, deprecated": _at(life, [one for one in bad if one.kind == "bad"], "deprecated"),
        "poisoned, deprecated": _at(life, [one for one in bad if one.kind == "poisoned"], "deprecated"),
        "of both, those that were said to be not helpful ten times": _at(
            life, [one for one in bad if life.blamed.get(one.key, 0) >= DEPRECATE_USAGE], "deprecated"
        ),
        **{
            f"duplicates {words}, merged": _joined(life, [one for one in twins if one.grade == grade])
            for grade, words in zip(GRADES, _WORDS, strict=True)
        },
        "duplicates that were taken for echoes, and not stored": (
            sum(one.key in life.echoes for one in twins),
            len(life.echoes),
        ),
        "look-alikes, merged": _at(life, alike, "merged"),
        "true ones that were archived, and have not come back": _at(life, archived, "archived"),
    }


def lost(life: Life, world: World) -> list[str]:
    """True memories that recall cannot answer with any more, and whose place nothing took that says the same."""
    facts = {one.key: one.fact for one in world.planted}

    def replaced(one: Planted) -> bool:
        now = _last(life, one.key)
        return life.statuses[now] not in _GONE and facts[_base(now)] == one.fact

    true = [one for one in world.planted if one.kind in TRUE]
    gone = [one.key for one in true if life.statuses.get(one.key) in _GONE and not replaced(one)]
    gone += [one.key for one in true if one.key in life.echoes and facts[_base(life.echoes[one.key])] != one.fact]
    return gone + [key for key, status in life.statuses.items() if key.endswith(REFINED) and status in _GONE]


def quarters(samples: Sequence[Sample]) -> list[Quality]:
    """The mean quality in each quarter of the sessions."""
    last = samples[-1].session
    found: list[list[Quality]] = [[] for _ in range(QUARTERS)]
    for sample in samples:
        found[(sample.session - 1) * QUARTERS // last].append(sample.quality)
    return [Quality(*map(fmean, zip(*some, strict=True))) for some in found if some]


def _moved(name: str, life: Life, known: Mapping[str, Planted], status: str, kinds: tuple[str, ...]) -> Action:
    taken = [one for one in known.values() if life.statuses.get(one.key) == status]
    right = sum(one.kind in kinds for one in taken)
    return Action(name, len(taken), right, sum(one.kind in kinds for one in known.values()), right)


def _merges(life: Life, known: Mapping[str, Planted]) -> Action:
    right = sum(_same(known[one], known[_base(into)]) for one, into in life.into.items() if one in known)
    found, due = _joined(life, [one for one in known.values() if one.kind == "duplicate"])
    return Action("merge", sum(one in known for one in life.into), right, due, found)


def _archives(life: Life, known: Mapping[str, Planted]) -> Action:
    """True ones that nobody asked for in 90 days count as wrong here, though they come back when somebody does."""
    taken = [known[key] for key in life.archived if key in known]
    found, due = _at_any(life, [one for one in known.values() if one.kind == "stale"])
    return Action("archive", len(taken), sum(one.kind not in TRUE for one in taken), due, found)


def _skills(life: Life, known: Mapping[str, Planted]) -> Action:
    kinds = [{known[key].pair for key in keys if key in known} for keys in life.skills]
    right = [kind for kind in kinds if len(kind) == 1 and "" not in kind]
    due = {one.pair for one in known.values() if one.kind == "process"}
    return Action("induce", len(kinds), len(right), len(due), len({min(kind) for kind in right}))


def _same(one: Planted, other: Planted) -> bool:
    return one.fact == other.fact and (one.kind in TRUE) == (other.kind in TRUE)


def _joined(life: Life, twins: Sequence[Planted]) -> tuple[int, int]:
    """How many duplicates are one with their originals, whichever of the two was kept. Echoes were never stored."""
    stored = [one for one in twins if one.key not in life.echoes]
    return sum(_last(life, one.key) == _last(life, one.pair) for one in stored), len(stored)


def _last(life: Life, key: str) -> str:
    """The memory that speaks for it now: that into which it was merged, and so on."""
    while key in life.into:
        key = life.into[key]
    return key


def _base(key: str) -> str:
    """What was planted, of which a new memory was made."""
    return key.partition(",")[0]


def _at(life: Life, those: Sequence[Planted], status: str) -> tuple[int, int]:
    return sum(life.statuses.get(one.key) == status for one in those), len(those)


def _at_any(life: Life, those: Sequence[Planted]) -> tuple[int, int]:
    return sum(one.key in life.archived for one in those), len(those)
