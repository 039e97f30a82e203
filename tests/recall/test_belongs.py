"""What belongs to an answer, and what is left out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import treering
from benchmarks.recall import small
from benchmarks.recall.small.__main__ import ask, precision, recall
from treering import Treering
from treering.recall.belongs import LEAST_LEFT, MOST_LEFT, shown, usual_floor

NOBODY = np.zeros(5)
FACTS = (
    "The wifi password of the cabin is heronlake7",
    "The stove needs birch wood, two armfuls a day",
    "Aunt Hilda keeps the spare key of the boat house",
    "The train to the coast leaves at 7:12 from platform 4",
    "Parrots of the Lindgren family eat sunflower seeds",
    "The roof was repaired by Olsson in May",
)


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Treering]:
    with treering.open(tmp_path / "home") as memory:
        yield memory


@pytest.fixture
def cabin(memory: Treering) -> Treering:
    for text in FACTS:
        memory.remember(text)
    return memory


def test_what_does_not_belong_is_left_out(cabin: Treering) -> None:
    """So k is the most, and not the number."""
    found = cabin.recall("when does the train to the coast leave?", k=5)
    assert [hit.memory.content for hit in found.hits] == [FACTS[3]]


@pytest.mark.parametrize("asked", [{"floor": 0.0}, {"silent": False}])
def test_a_floor_of_nothing_gives_as_many_as_are_asked_for(cabin: Treering, asked: dict[str, float]) -> None:
    question = "which wood and which key does the cabin need?"
    found = cabin.recall(question, k=3, **asked)  # type: ignore[arg-type]
    assert len(found.hits) == 3 > len(cabin.recall(question, k=3, floor=0.9).hits)
    assert all(0 < hit.chance < 1 for hit in found.hits)


def test_a_higher_floor_shows_less(cabin: Treering) -> None:
    question = "which wood and which key does the cabin need?"
    counts = [len(cabin.recall(question, k=6, floor=floor).hits) for floor in (0.0, 0.1, 0.9)]
    assert counts == sorted(counts, reverse=True) and counts[0] > counts[-1] == 1


def test_what_holds_every_word_of_the_question_is_shown(memory: Treering) -> None:
    """However many there are, as nothing tells them apart."""
    for number in range(4):
        memory.remember(f"Backups of shelf {number} run at night")
    assert len(memory.recall("when do backups run", k=10).hits) == 4


def test_hits_end_where_the_rest_holds_too_little() -> None:
    likely = np.array([0.8, 0.1, 0.05, 0.03, 0.02])
    assert [shown(likely, floor, NOBODY) for floor in (0.0, 0.01, 0.06, 0.12, 0.5)] == [5, 5, 3, 2, 1]
    assert shown(likely, 0.5, np.array([1.0, 0.2, 1.0, 0.0, 0.0])) == 3
    assert shown(np.zeros(0), 0.5, np.zeros(0)) == 0


def test_less_is_left_out_where_more_is_remembered() -> None:
    floors = [usual_floor(words) for words in (0, 600, 2_000, 10_000, 1_000_000)]
    assert floors == sorted(floors, reverse=True)
    assert (floors[0], floors[-1]) == (MOST_LEFT, LEAST_LEFT)


def test_small_stores_that_nothing_was_learned_from_are_answered_precisely() -> None:
    """At least three fifths of what is shown is wanted, hardly anything wanted is lost, and half of the questions
    without an answer get none."""
    given, every = ask(True, 20, None), ask(True, 20, 0.0)
    assert len(list(small.stores(held=True))) == len(list(small.stores(held=False)))
    assert precision(given) >= 0.6 > precision(every)
    assert recall(given) >= recall(every) - 0.02
    nothing = [one for one in given if not one.want]
    assert sum(not one.found for one in nothing) >= len(nothing) / 2
