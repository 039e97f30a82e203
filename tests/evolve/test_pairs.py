"""Which memories are candidates for being the same, found without comparing all with all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from random import Random

import numpy as np
import pytest

import treering
from benchmarks.evolving import stores
from benchmarks.evolving.planted import planted
from tests.world import memory_on, store_in_memory
from treering.evolve import near as neighbours
from treering.evolve.groups import PARTNERS, Pair, similar_pairs
from treering.ledger.types import Context
from treering.memory import Treering
from treering.stores.port.search import Place

HERE = Context()
PEOPLE = "Anna Ben Clara David Emma Felix Greta Hugo Ida Jonas".split()
DEEDS = "repaired lost painted moved sold postponed broke cleaned measured photographed borrowed returned".split()
THINGS = """the invoice worker/a violin/the garden fence/our staging database/the parrot cage/the login page/
a tax return/the kitchen sink/her new bicycle/the release notes/a flaky test/the coffee machine/the book shelf/
an old map""".split("/")
WHERE = """in the cellar/near the harbour/behind the station/on the third floor/in Bremen/at the workshop/before lunch/
under the bridge/next to the bakery/during the storm""".split("/")


def filler(count: int, seed: int = 1) -> list[str]:
    """Sentences, all different, in which two things happen to somebody."""
    dice = Random(seed)
    made: dict[str, None] = {}
    while len(made) < count:
        halves = [
            " ".join((dice.choice(PEOPLE), dice.choice(DEEDS), dice.choice(THINGS).strip(), dice.choice(WHERE).strip()))
            for _ in range(2)
        ]
        made[f"{halves[0]}, and {halves[1]} after {dice.randrange(10, 99)} days."] = None
    return [*made]


class Vectorless:
    """A memory without an embedder: its vectors are empty."""

    name = "vectorless"
    dimensions = 0

    def embed(self, texts: Sequence[str]) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
        return np.zeros((len(texts), 0), np.float32)

    def question(
        self, words: Sequence[tuple[str, float]], text: str
    ) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
        return self.embed([text])


def holding(texts: Sequence[str], with_vectors: bool = True) -> Treering:
    memory = memory_on(store_in_memory(), embedder=None if with_vectors else Vectorless())
    memory.remember_many({"content": text} for text in texts)
    memory.maintenance.prepare()
    return memory


def pairs(memory: Treering, among: Sequence[int] | None = None) -> list[Pair]:
    index = memory.store.index
    return [*similar_pairs(index, index.places(HERE), among=among)]


def said(memory: Treering, found: Sequence[Pair]) -> set[frozenset[str]]:
    """What the two of each pair say."""
    numbers = {number for pair in found for number in pair[:2]}
    texts = {number: one.content for number, one in memory.store.index.found([*numbers]).items()}
    return {frozenset((texts[pair.one], texts[pair.other])) for pair in found}


def test_copies_and_other_wordings_are_candidates_and_strangers_are_not() -> None:
    copy, other = "The nightly backup runs at two and lands in the Frankfurt bucket.", "Anna prefers tea."
    reworded = "At two the nightly backup runs; it lands in the bucket in Frankfurt."
    shorter = "Nightly backups run at two and land in the Frankfurt bucket."
    memory = holding([*filler(300), copy, other, reworded, copy, shorter])
    found = said(memory, pairs(memory))
    assert {frozenset({copy}), frozenset({copy, reworded}), frozenset({copy, shorter})} <= found
    assert not any(other in pair for pair in found)


def test_the_nearest_comes_first_and_the_smaller_number_is_the_first_of_a_pair() -> None:
    texts = filler(100)
    memory = holding([*texts, texts[5], texts[6].replace("days", "weeks")])
    found = pairs(memory)
    assert found[0][:2] == (6, 101)
    assert found[0].cosine == pytest.approx(1.0)
    assert (7, 102) in [pair[:2] for pair in found]
    assert all(pair.one < pair.other for pair in found)
    assert len({pair[:2] for pair in found}) == len(found)


def test_the_cosine_is_that_of_the_vectors() -> None:
    texts = filler(50)
    memory = holding([*texts, texts[5] + " Nobody knows why."])
    (pair,) = (one for one in pairs(memory) if one[:2] == (6, 51))
    vectors = {number: vector for number, vector, _ in memory.store.index.tail(1, 0)}
    one, other = (np.frombuffer(vectors[number], np.int8).astype(float) for number in pair[:2])
    assert pair.cosine == pytest.approx(one @ other / np.linalg.norm(one) / np.linalg.norm(other), abs=1e-4)


def test_nothing_is_paired_across_walls() -> None:
    store = store_in_memory()
    ours, theirs = (memory_on(store, context=Context(project=name)) for name in ("ours", "theirs"))
    for memory in (ours, theirs):
        memory.remember("Deploy on Tuesdays, after the standup and never later.", scope="project")
        memory.remember("On Tuesdays deploy after the standup, and never later.", scope="project")
        memory.maintenance.prepare()
    index = store.index
    places = [*index.places(Context(project="ours")), *index.places(Context(project="theirs"))]
    assert [pair[:2] for pair in similar_pairs(index, places)] == [(1, 2), (3, 4)]


@pytest.mark.parametrize("with_vectors", [True, False])
def test_of_many_copies_each_meets_some_and_all_hang_together(with_vectors: bool) -> None:
    memory = holding(["Always run the tests before a push."] * 600, with_vectors)
    found = pairs(memory)
    partners = Counter(number for pair in found for number in pair[:2])
    assert max(partners.values()) == PARTNERS
    assert len(partners) == 600
    assert joined(found) == [600]


def joined(found: Sequence[Pair]) -> list[int]:
    """The sizes of what hangs together."""
    home: dict[int, int] = {}

    def root(number: int) -> int:
        while home.setdefault(number, number) != number:
            number = home[number]
        return number

    for pair in found:
        home[root(pair.one)] = root(pair.other)
    return sorted(Counter(root(number) for number in home).values())


@pytest.mark.parametrize("with_vectors", [True, False])
def test_texts_of_one_template_are_no_candidates_but_their_doubles_are(with_vectors: bool) -> None:
    texts = [f"Ticket {number} was closed." for number in range(1000, 3000)]
    memory = holding([*texts, texts[7], texts[1500]], with_vectors)
    assert {pair[:2] for pair in pairs(memory)} == {(8, 2001), (1501, 2002)}


def test_nobody_has_more_partners_than_allowed_where_everything_is_alike() -> None:
    dice = Random(2)
    texts = [" ".join(dice.choices(DEEDS, k=6)) for _ in range(1_500)]
    found = pairs(holding(texts))
    assert max(Counter(number for pair in found for number in pair[:2]).values()) <= PARTNERS
    assert len(found) > 1_500


def test_without_vectors_the_stems_alone_do() -> None:
    texts = filler(200)
    memory = holding([*texts, texts[3], texts[4].replace("days", "weeks")], with_vectors=False)
    found = {pair[:2]: pair.cosine for pair in pairs(memory)}
    assert found[4, 201] == pytest.approx(1.0)
    assert 0.7 < found[5, 202] < 1.0


def test_tags_do_not_part_two_that_say_the_same() -> None:
    memory = memory_on(store_in_memory())
    memory.remember_many({"content": text} for text in filler(50))
    memory.remember("The parser reads the header twice, by design.", tags=("parser", "io"))
    memory.remember("The parser reads the header twice, by design.", tags=("todo",))
    memory.maintenance.prepare()
    assert (51, 52) in {pair[:2] for pair in pairs(memory)}


def test_only_those_that_count_are_partners() -> None:
    """Retired memories would take the places of those that matter."""
    texts = filler(40)
    memory = holding([*texts, texts[0], texts[0], texts[1]])
    assert {pair[:2] for pair in pairs(memory, among=[1, 2, 42, 43])} == {(1, 42), (2, 43)}
    assert pairs(memory, among=[]) == []


@pytest.mark.parametrize("texts", [[], ["Anna prefers tea."], ["", "…"], ["to be", "to be"]])
def test_where_there_is_nothing_to_compare_nothing_is_found(texts: list[str]) -> None:
    memory = holding([text for text in texts if text])
    assert pairs(memory) == []


def test_what_was_said_twice_is_a_candidate() -> None:
    memory = holding([*filler(60), *filler(30)])
    found = {pair[:2] for pair in pairs(memory) if pair.cosine > 0.999}
    assert found == {(at + 1, at + 61) for at in range(30)}


def test_progress_goes_up_to_the_number_of_memories() -> None:
    memory = holding([*filler(200), *filler(10)])
    told: list[int] = []
    index = memory.store.index
    assert [*similar_pairs(index, index.places(HERE), told.append)]
    assert told == sorted(told)
    assert told[-1] == 210


def test_the_same_store_has_the_same_candidates() -> None:
    memory = holding([*filler(400), *filler(50)])
    assert pairs(memory) == pairs(memory)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few hundred memories are as many as a hundred thousand."""
    monkeypatch.setattr(neighbours, "WHOLE", 64)


@pytest.mark.usefixtures("small")
def test_doubles_among_many_are_found_though_not_all_are_compared() -> None:
    texts = filler(1_500)
    doubles = [text.replace(", and ", " and ").replace("days.", "days!") for text in texts[:200]]
    near = [text.replace(" days", " weeks") for text in texts[200:400]]
    found = {pair[:2] for pair in pairs(holding([*texts, *doubles, *near]))}
    assert {(at, 1_500 + at) for at in range(1, 201)} <= found
    assert len({(at, 1_500 + at) for at in range(201, 401)} & found) >= 190


@pytest.mark.usefixtures("small")
def test_a_crowd_round_one_centre_is_parted_and_still_finds_neighbours() -> None:
    """Rows that are nearly one: every row meets others, and none meets more than asked for."""
    dice = np.random.default_rng(3)
    rows = np.ones((2_000, 16), np.float32) + dice.normal(0, 0.01, (2_000, 16)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    found, products = neighbours.neighbours(rows, 0.9, 4)
    assert {*found[:, 0].tolist()} == {*range(2_000)}
    assert max(Counter(found[:, 0].tolist()).values()) == 4
    assert (found[:, 0] != found[:, 1]).all()
    assert products.min() >= 0.9


def test_few_rows_are_all_compared() -> None:
    rows = np.eye(6, dtype=np.float32)[[0, 1, 0, 2, 1, 0]]
    found, _ = neighbours.neighbours(rows, 0.5, 3)
    pairs = {tuple(sorted(pair)) for pair in found.tolist()}
    assert pairs == {one for group in ((0, 2, 5), (1, 4)) for one in combinations(group, 2)}


def test_a_place_that_is_gone_has_no_candidates() -> None:
    memory = holding(filler(20))
    assert [*similar_pairs(memory.store.index, [Place(99, held=5)])] == []


def test_the_benchmark_finds_what_it_has_planted(tmp_path: Path) -> None:
    """At a small size; how long it takes is for a quiet machine to say."""
    made = planted(900)
    assert [len(pairs) for pairs in made.doubles.values()] == [9, 9, 9]
    stores.fill(str(tmp_path), ({"content": text} for text in made.texts))
    with treering.open(str(tmp_path)) as memory:
        found = {(one - 1, other - 1) for one, other, _ in pairs(memory)}
    assert {*made.doubles["exact"], *made.doubles["another number"]} <= found
    assert len(found.intersection(made.doubles["reworded"])) >= 8
    assert len(found) <= 40


def test_a_store_of_the_benchmark_logs_what_it_is_asked(tmp_path: Path) -> None:
    texts = filler(50)
    stores.fill(str(tmp_path), ({"content": text} for text in texts))
    asked = stores.ask(str(tmp_path), stores.questions(texts, 3))
    assert len({*asked}) == 3
    assert all(asked)
