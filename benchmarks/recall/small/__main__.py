"""`python -m benchmarks.recall.small`: what is shown of small stores, to learn from and held back."""

from __future__ import annotations

from statistics import fmean
from tempfile import TemporaryDirectory
from typing import NamedTuple

import treering
from benchmarks import report
from benchmarks.recall import small

_HEADINGS = (
    "stores",
    "k",
    "recall",
    "precision",
    "shown",
    "first is right",
    "silent",
    "recall of all k",
    "precision of it",
)


class Shown(NamedTuple):
    """The answer to one question."""

    want: frozenset[str]
    found: tuple[str, ...]

    @property
    def right(self) -> int:
        return len(self.want.intersection(self.found))


def ask(held: bool, k: int, floor: float | None) -> list[Shown]:
    """Return the answers to every question of the stores."""
    answers = []
    for store in small.stores(held=held):
        with TemporaryDirectory() as folder, treering.open(folder) as memory:
            ids = small.fill(memory, store)
            for query in store.queries:
                found = memory.recall(query.text, k, project=store.project, log=False, floor=floor).hits
                want = frozenset(ids[name] for name in query.want)
                answers.append(Shown(want, tuple(hit.memory.id for hit in found)))
    return answers


def recall(answers: list[Shown]) -> float:
    return fmean(one.right / len(one.want) for one in answers if one.want)


def precision(answers: list[Shown]) -> float:
    """Return the share of what is shown that is wanted. Whatever is shown where nothing is wanted is wrong."""
    return fmean(one.right / len(one.found) for one in answers if one.found)


def row(held: bool, k: int) -> tuple[str, ...]:
    given, every = ask(held, k, None), ask(held, k, 0.0)
    wanted = [one for one in given if one.want]
    figures = (
        recall(given),
        precision(given),
        fmean(len(one.found) for one in wanted),
        fmean(one.found[:1] != () and one.found[0] in one.want for one in wanted),
        fmean(not one.found for one in given if not one.want),
        recall(every),
        precision(every),
    )
    return ("held back" if held else "to learn from", str(k), *(f"{figure:.3f}" for figure in figures))


if __name__ == "__main__":
    print(report.lines(_HEADINGS, [row(held, k) for held in (False, True) for k in (5, 20)], texts=1))
