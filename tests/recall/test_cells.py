"""Vectors in cells, the search in them, and profiles kept in memory."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

import treering
from tests.recall.asking import names
from tests.world import Hashed, memory_on, static, store_in_memory
from treering.ledger.types import Context
from treering.memory import Treering
from treering.recall.index import cells
from treering.recall.index.cells import Nearest, Vectors
from treering.recall.index.profiles import ProfileCache
from treering.stores.port.search import Place

HERE = Context()
PEOPLE = "Anna Ben Clara David Emma Felix Greta Hugo Ida Jonas".split()
THINGS = """the invoice worker/a violin lesson/the garden fence/our staging database/the train to Bremen/a parrot/
the login page/the tax return/a birthday cake/the kitchen sink/her new bicycle/the release notes/his knee/a flaky test/
the holiday in Norway/the coffee machine/the book club/an old map/the router/the dog next door"""
DEEDS = """repaired/lost/painted/asked about/is afraid of/moved/has sold/wrote about/paid for/dreamt of/broke/postponed/
remembers/cannot find/is proud of"""
WHENS = ("on Monday", "in spring", "twice", "last night", "for the third time", "before lunch")


def texts(count: int, seed: int = 1) -> list[str]:
    """Sentences about a few people and many things, all different."""
    dice = Random(seed)
    made: dict[str, None] = {}
    while len(made) < count:
        middle = (dice.choice(DEEDS.split("/")), dice.choice(THINGS.split("/")))
        words = (dice.choice(PEOPLE), *middle, dice.choice(WHENS))
        made[" ".join(" ".join(words).split())] = None
    return [*made]


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few hundred memories are as many as a hundred thousand."""
    monkeypatch.setattr(cells, "EXACT", 64)
    monkeypatch.setattr(cells, "LONGEST_TAIL", (16, 32))
    monkeypatch.setattr(cells, "SIFTED", (16, 25))


def place_of(memory: Treering, context: Context = HERE) -> Place:
    (place,) = memory.store.index.places(context)
    return place


def members(memory: Treering) -> list[int]:
    found = memory.store.index.cells(place_of(memory).number)
    return [int(number) for cell in found for number in np.frombuffer(cell.members, np.int32)]


def exact(memory: Treering, question: NDArray[np.float32], k: int) -> set[int]:
    """The nearest by comparing with every vector there is."""
    tail = memory.store.index.tail(place_of(memory).number, 0)
    rows = cells.unit(cells.rows_of(b"".join(vector for _, vector, _ in tail), len(tail)))
    best = np.argsort(-(rows @ question), kind="stable")[:k]
    return {tail[at][0] for at in best}


def test_a_small_place_is_searched_whole() -> None:
    """Its cells are mere stretches, and nothing is missed."""
    memory = memory_on(store_in_memory())
    memory.remember_many({"content": text} for text in texts(100))
    memory.maintenance.prepare()
    question = static().embed(["who is afraid of the parrot"])[0]
    found, _ = Nearest(memory.store.index).search(place_of(memory), question, 10)
    assert {*map(int, found)} == exact(memory, question, 10)


def test_every_memory_lies_in_one_cell_or_in_the_tail(small: None) -> None:
    """No cell is larger than what a purge should write anew."""
    memory = memory_on(store_in_memory())
    memory.remember_many({"content": text} for text in texts(1_500))
    memory.maintenance.prepare()
    place = place_of(memory)
    assert sorted(members(memory)) == [*range(1, 1_501)]
    assert (place.tail, place.held, place.folded) == (0, 1_500, 1_500)
    assert max(len(cell.members) // 4 for cell in memory.store.index.cells(place.number)) <= 1_024


def test_what_comes_later_goes_into_more_cells(small: None) -> None:
    """The tail stays short, and each fold leaves every memory in one place."""
    memory = memory_on(store_in_memory())
    shapes = set()
    for number, text in enumerate(texts(700), 1):
        memory.remember(text)
        if number % 20 == 0:
            memory.recall(text, log=False)
            place = place_of(memory)
            shapes.add(place.shape)
            assert not cells.due(place) or place.tail <= 40
            assert sorted(members(memory)) == [*range(1, place.folded + 1)]
    assert len(shapes) == 1  # what others have in memory holds


def test_signs_find_nearly_what_comparing_with_all_finds(small: None) -> None:
    """49 in 50 of the nearest, on sentences, comparing a quarter in full."""
    memory = memory_on(store_in_memory())
    memory.remember_many({"content": text} for text in texts(600))
    memory.maintenance.prepare()
    search = Nearest(memory.store.index)
    found, wanted = 0, 0
    for text in texts(60, seed=2):
        question = static().embed([text])[0]
        near, _ = search.search(place_of(memory), question, 10)
        found += len(exact(memory, question, 10) & {*map(int, near)})
        wanted += 10
    assert found / wanted > 0.98


def test_a_narrow_search_looks_into_every_cell(small: None) -> None:
    """What is allowed may lie anywhere."""
    memory = memory_on(store_in_memory())
    memory.remember_many({"content": text} for text in texts(400))
    memory.maintenance.prepare()
    only = np.array([3, 200, 399], np.int32)
    found, _ = Nearest(memory.store.index).search(place_of(memory), static().embed(["zinc"])[0], 5, only)
    assert sorted(map(int, found)) == [3, 200, 399]


def test_vectors_without_a_direction_break_nothing(small: None) -> None:
    """A large place of texts that say nothing to the embedder is searched too."""
    memory = memory_on(store_in_memory(), embedder=Hashed())
    memory.remember_many({"content": "§" * number} for number in range(1, 101))
    assert memory.recall("paragraph", silent=False).abstained


def test_vectors_of_any_length_are_searched(small: None) -> None:
    """Signs are compared in whole words of 64 bits."""
    dice = np.random.default_rng(1)
    rows = dice.integers(-127, 128, (500, 100)).astype(np.int8)
    held = Vectors(Place(1, 500, total=rows.sum(axis=0, dtype=np.int32).tobytes(), norms=500))
    for at in range(0, 500, 70):  # they come in pieces
        held.add(np.arange(at + 1, min(at + 70, 500) + 1, dtype=np.int32), rows[at : at + 70])
    for number in (1, 250, 500):
        found, cosines = held.nearest(cells.unit(rows[number - 1 : number])[0], 3, None)
        assert number in found and cosines.max() == pytest.approx(1.0, abs=1e-3)


def test_what_goes_from_a_large_place_is_found_no_more(small: None) -> None:
    """By a search that has its cells in memory, and by one that comes new; its neighbours are."""
    memory = memory_on(store_in_memory())
    made = memory.remember_many({"content": text} for text in texts(300))
    for act in (memory.forget, memory.purge, memory.undo):
        gone = made.pop(150)
        assert gone.id in names(memory.recall(gone.content, silent=False, log=False))
        act(gone.id)
        assert gone.id not in names(memory.recall(gone.content, k=50, silent=False, log=False))
        fresh = memory_on(memory.ledger.store, seed=9)
        assert gone.id not in names(fresh.recall(gone.content, k=50, silent=False, log=False))
    kept = made[150]
    assert names(memory.recall(kept.content, silent=False, log=False))[0] == kept.id


@pytest.mark.parametrize("folded", [False, True])
def test_a_purge_leaves_no_byte_of_text_stems_or_vectors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folded: bool
) -> None:
    """On the disk, wherever its vectors lay; and the others are still found."""
    if folded:
        monkeypatch.setattr(cells, "EXACT", 64)
        monkeypatch.setattr(cells, "LONGEST_TAIL", (16, 32))
    secret = "Zanzibar. Quagga herds roam by the lighthouse. They hum."
    with treering.open(tmp_path) as memory:
        memory.remember_many({"content": text} for text in texts(150))
        note = memory.remember(secret, tags=["quokka"])
        memory.remember_many({"content": text} for text in texts(150, seed=3))
        assert names(memory.recall("herds by the sea"))[0] == note.id
        index = memory.store.index
        number = index.named([note.id])[note.id]
        (profile,) = index.profiles([number])
        assert (number in members(memory)) == folded
        pieces = [profile.vector, profile.stems, profile.sentences, b"Zanzibar", b"zanzibar", b"uagga", b"quokka"]
        assert all(pieces) and len(profile.sentences) > len(profile.vector)
        before = b"".join(path.read_bytes() for path in tmp_path.iterdir())
        assert all(piece in before for piece in pieces)
        memory.purge(note.id)
        after = b"".join(path.read_bytes() for path in tmp_path.iterdir())
        assert [piece for piece in pieces if piece in after] == []
        assert not memory.recall("Anna lost the parrot", log=False).abstained
    after = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert [piece for piece in pieces if piece in after] == []


def test_a_rebuild_finds_what_was_found(small: None) -> None:
    """All of it is made again from the ledger."""
    memory = memory_on(store_in_memory())
    memory.remember_many({"content": text} for text in texts(200))
    asked = texts(10, seed=5)
    before = [names(memory.recall(text, log=False, silent=False)) for text in asked]
    memory.ledger.rebuild()
    assert [names(memory.recall(text, log=False, silent=False)) for text in asked] == before


def test_new_vectors_are_searched_at_once() -> None:
    """However many small pieces they came in."""
    memory = memory_on(store_in_memory())
    memory.remember_many({"content": text} for text in texts(50))
    for number, text in enumerate(texts(40, seed=4)):
        note = memory.remember(f"{text} {number}")
        assert note.id in names(memory.recall(note.content, strategy="vector", silent=False, log=False))


@pytest.fixture
def two_places() -> Iterator[Treering]:
    memory = memory_on(store_in_memory())
    memory.remember("The kettle is green")
    memory.remember("The cat sleeps all day")
    yield memory
    memory.store.close()


def test_what_comes_next_is_not_taken_for_what_went_elsewhere(two_places: Treering) -> None:
    """The last memory of a project is undone, and the next one, of the user, is found though it may have its number."""
    memory = two_places
    gone = memory.remember("The submarine dives", project="navy")
    assert names(memory.recall("submarine", project="navy")) == [gone.id]
    memory.undo(gone.id)
    note = memory.remember("The parrot eats seeds")
    assert names(memory.recall("parrot")) == [note.id]
    assert memory.recall("submarine").abstained


def test_the_shelf_gives_only_what_lies_in_the_places_asked_for(two_places: Treering) -> None:
    """Whoever put it there."""
    memory = two_places
    memory.remember("The submarine dives", project="navy")
    memory.maintenance.prepare()
    index = memory.store.index
    shelf = ProfileCache(index, static().dimensions)
    user, navy = index.places(Context(project="navy"))
    assert [*shelf.take([3, 1, 2, 77], [user, navy]).numbers] == [3, 1, 2]
    assert [*shelf.take([3, 1, 2], [user]).numbers] == [1, 2]
    assert [*shelf.take([], [user]).numbers] == []


def test_what_is_on_the_shelf_is_what_is_in_the_store(two_places: Treering) -> None:
    """Word for word and vector for vector, in the order asked for, however often."""
    memory = two_places
    memory.remember("One sentence stands here. Another one is beside it. And the third.")
    memory.maintenance.prepare()
    index = memory.store.index
    shelf = ProfileCache(index, static().dimensions)
    stored = {profile.number: profile for profile in index.profiles([1, 2, 3])}
    for order in ([1], [3, 1], [2, 3, 1], [1, 1]):
        taken = shelf.take(order, index.places(HERE))
        assert [*taken.numbers] == order
        for at, number in enumerate(order):
            mine = taken.stems[([0, *taken.ends])[at] : taken.ends[at]]
            assert mine.tobytes() == stored[number].stems
            whole = cells.unit(cells.rows_of(stored[number].vector, 1))[0]
            assert taken.vectors[at] == pytest.approx(whole, abs=1e-6)
            own = taken.sentences[([0, *taken.last])[at] : taken.last[at]]
            assert own.tobytes() == stored[number].sentences


def test_a_full_shelf_is_emptied(two_places: Treering, monkeypatch: pytest.MonkeyPatch) -> None:
    """And filled again with what is asked for."""
    monkeypatch.setattr("treering.recall.index.profiles.MOST", 1)
    two_places.maintenance.prepare()
    index = two_places.store.index
    shelf = ProfileCache(index, static().dimensions)
    for order in ([1], [2], [1, 2], [2, 1]):
        assert [*shelf.take(order, index.places(HERE)).numbers] == order


def test_sayings_are_texts_apart_from_case_endings_and_empty_words() -> None:
    """Not apart from negations, numbers, or the order of words; tags are no part of it."""
    memory = memory_on(store_in_memory())
    rows = [
        "The parrots eat the seeds", "parrot eats: a SEED!", "The parrot does not eat seeds",
        "The parrot eats 2 seeds", "The parrot eats 3 seeds", "Seeds eat the parrot",
    ]  # fmt: skip
    memory.remember_many({"content": text, "tags": [f"t{number}"]} for number, text in enumerate(rows))
    memory.maintenance.prepare()
    index = memory.store.index
    taken = ProfileCache(index, static().dimensions).take([*range(1, 7)], index.places(HERE))
    sayings = taken.sayings.tolist()
    assert sayings[0] == sayings[1]
    assert len(set(sayings)) == 5


def test_recall_by_cells_is_recall_by_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """The best hit is nearly always the one that is found when the whole place is searched."""
    asked = texts(25, seed=6)

    def best() -> list[str]:
        memory = memory_on(store_in_memory())
        memory.remember_many({"content": text} for text in texts(400))
        return [memory.recall(text, silent=False, log=False).hits[0].memory.id for text in asked]

    whole = best()
    monkeypatch.setattr(cells, "EXACT", 64)
    monkeypatch.setattr(cells, "LONGEST_TAIL", (16, 32))
    monkeypatch.setattr(cells, "SIFTED", (16, 25))
    parted = best()
    assert sum(one == other for one, other in zip(parted, whole, strict=True)) >= 23
