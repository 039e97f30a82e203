"""Large stores for the commands of this package: filled quickly, made ready for recall, and asked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from random import Random
from typing import Any

import treering

PORTION = 10_000  # memories to one transaction
ASKED = 3  # words of a note to a question about it


def fill(home: str, rows: Iterable[Mapping[str, Any]]) -> None:
    """A new store of memories, each a mapping of `remember`'s arguments. The first has the number 1, and so on."""
    with treering.open(home) as memory:
        waiting = iter(rows)
        while portion := [*islice(waiting, PORTION)]:
            memory.remember_many(portion)
        memory.maintenance.prepare()


def ask(home: str, questions: Iterable[str], k: int = 5) -> list[str]:
    """Recall in a store that there is, so that it is logged; the ids of the recalls."""
    with treering.open(home) as memory:
        return [memory.recall(question, k, silent=False).id for question in questions]


def questions(texts: Sequence[str], count: int, seed: int = 1) -> Iterator[str]:
    """Questions that some of these texts answer: a few of their longer words."""
    dice = Random(f"questions {seed}")
    for _ in range(count):
        words = sorted(dict.fromkeys(dice.choice(texts).split()), key=len)[-2 * ASKED :]
        yield " ".join(dice.sample(words, min(ASKED, len(words))))
