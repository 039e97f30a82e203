"""Memories made ready for scoring."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import treering
from tests.recall.asking import names, told
from tests.world import Hashed, fresh, memory_on, static, store_in_memory
from treering.ledger.config import FILE_NAME
from treering.ledger.types import STRATEGIES, Context, Memory
from treering.ledger.verify import verify
from treering.memory import Treering
from treering.models.port import Embedder
from treering.recall.index import profiles
from treering.recall.index.profiles import MOST_SENTENCES, quantised, sentences, text_of
from treering.recall.query.analysis import Query, analyse
from treering.recall.recalls import Recalls

HERE = Context()
TEXTS = (
    "The parrot eats seeds", "The kettle is green. It whistles loudly in the morning.", "Soup needs more salt",
    "Trains run late on Mondays", "A violin has four strings",
)  # fmt: skip


class Wide(Hashed):
    """Another embedder, with vectors of another length."""

    name = "wide"
    dimensions = 48


def widths(memory: Treering) -> set[int]:
    """The lengths of all vectors that there are, of texts and in cells."""
    index = memory.store.index
    found = set()
    for place in index.places(HERE):
        found |= {len(vector) for _, vector, _ in index.tail(place.number, 0)}
        found |= {4 * len(cell.vectors) // len(cell.members) for cell in index.cells(place.number)}
    return found


def test_every_memory_gets_a_profile_once() -> None:
    """Preparing again does nothing, and says so; what comes later is made ready by itself."""
    memory = fresh()
    memory.remember_many({"content": text} for text in TEXTS)
    assert (memory.maintenance.prepare(), memory.maintenance.prepare()) == (5, 0)
    memory.remember("The museum opens at ten")
    assert told(memory.recall("museum"))[0] == "The museum opens at ten"
    assert memory.maintenance.prepare() == 0


def test_progress_is_told_portion_by_portion(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a large import can be watched, and others write in between."""
    monkeypatch.setattr(profiles, "PORTION", 2)
    memory = fresh()
    memory.remember_many({"content": text} for text in TEXTS)
    seen: list[int] = []
    assert memory.maintenance.prepare(seen.append) == 5
    assert seen == [2, 4, 5]


def test_what_was_forgotten_meanwhile_gets_no_profile() -> None:
    """Nor what was purged; and the rest is not held up by it."""
    memory = fresh()
    made = memory.remember_many({"content": text} for text in TEXTS)
    memory.forget(made[-1].id)
    memory.purge(made[0].id)
    assert memory.maintenance.prepare() == 3
    assert memory.maintenance.prepare() == 0
    memory.restore(made[-1].id)
    assert memory.maintenance.prepare() == 1


def test_a_text_is_cut_into_sentences() -> None:
    """Short ones join the next; lines are ends too."""
    assert sentences("Yes. We deploy on Tuesdays only. Never on Fridays, please!\nAsk Anna first, or Ben.") == [
        "Yes. We deploy on Tuesdays only.", "Never on Fridays, please!", "Ask Anna first, or Ben.",
    ]  # fmt: skip
    assert sentences("") == []
    assert sentences("v1.2.3 is out now") == ["v1.2.3 is out now"]


@given(st.text(alphabet="ab .!?\n", max_size=2_000))
def test_no_text_has_too_many_sentences_and_none_loses_a_word(text: str) -> None:
    """Several make one where there are too many."""
    found = sentences(text)
    assert len(found) <= MOST_SENTENCES
    assert " ".join(found).split() == text.split()


def test_all_that_a_memory_says_is_its_text_and_its_fields() -> None:
    """A field that is in the text already is not said twice."""
    memory = Memory("a-1", "Locks. Wait less", problem="Locks", approach="Wait less", gotchas="Beware")
    assert text_of(memory) == "Locks. Wait less\nBeware"


def test_rows_are_stretched_to_fill_eight_bits() -> None:
    """The direction is kept to a hundredth; a row of zeros stays one."""
    rows = np.vstack([static().embed(TEXTS), np.zeros((1, 256), np.float32)])
    for row, packed in zip(rows, quantised(rows), strict=True):
        whole = np.frombuffer(packed, np.int8).astype(np.float32)
        if row.any():
            assert np.abs(whole).max() == 127
            assert whole @ row / np.linalg.norm(whole) > 0.999
        else:
            assert not whole.any()
    assert quantised(np.empty((0, 4), np.float32)) == []


def test_lessons_are_found_by_any_of_their_fields() -> None:
    """And tags, though they are not in the text."""
    memory = fresh()
    lesson = memory.remember("", problem="The deploy hangs", approach="Drain the pool", gotchas="Mind the watchdog")
    tagged = memory.remember("It was a fine day", tags=["holiday"])
    memory.remember("The kettle is green")
    for query, note in (("drain", lesson), ("watchdog", lesson), ("deploy hangs", lesson), ("holiday", tagged)):
        assert names(memory.recall(query, strategy="keyword"))[:1] == [note.id], query


def test_another_embedder_makes_every_vector_anew() -> None:
    """And back again; vectors of two kinds are never in one index, and everything is found in between."""
    store = store_in_memory()
    memory_on(store).remember_many({"content": text} for text in TEXTS)
    kinds: list[tuple[Embedder, int]] = [(Hashed(), 32), (Wide(), 48), (static(), 256), (Hashed(), 32)]
    for embedder, width in kinds:
        memory = memory_on(store, embedder=embedder)
        assert memory.maintenance.prepare() == 5
        assert store.index.embedder == embedder.name
        assert widths(memory) == {width}
        for strategy in STRATEGIES[:3]:
            assert told(memory.recall("parrot eats seeds", strategy=strategy, log=False))[0] == TEXTS[0]
    assert memory.maintenance.prepare() == 0


def test_two_that_disagree_on_the_embedder_both_answer() -> None:
    """Each makes the index its own when it asks; nobody gets vectors of the other's kind."""
    store = store_in_memory()
    one, other = memory_on(store, embedder=Hashed()), memory_on(store, embedder=Wide(), seed=2)
    one.remember_many({"content": text} for text in TEXTS)
    for _ in range(3):
        for memory, width in ((one, 32), (other, 48)):
            assert told(memory.recall("parrot eats seeds", log=False, silent=False))[0] == TEXTS[0]
            assert widths(memory) == {width}


def test_another_embedder_between_getting_ready_and_looking_does_no_harm(monkeypatch: pytest.MonkeyPatch) -> None:
    """Vectors of two kinds are never compared, though somebody else has just made all of them anew."""
    store = store_in_memory()
    one, other = memory_on(store, embedder=Hashed()), memory_on(store, embedder=Wide(), seed=2)
    one.remember_many({"content": text} for text in TEXTS)
    one.recall("parrot", log=False)
    rivals = iter([other.maintenance.prepare])

    def meanwhile(text: str, now: int) -> Query:
        next(rivals, lambda: 0)()
        return analyse(text, now)

    monkeypatch.setattr("treering.recall.recalls.analyse", meanwhile)
    assert told(one.recall("parrot eats seeds", log=False))[0] == TEXTS[0]
    assert widths(one) == {32}


def test_the_setting_switches_vectors_off_and_on(tmp_path: Path) -> None:
    """Without any, words still find; and with them again, meanings do."""
    query = "which instrument is played with a bow"
    for setting, width, meant in (("static", 256, True), ("none", 0, False), ("static", 256, True)):
        (tmp_path / FILE_NAME).write_text(f'embedder = "{setting}"\n')
        with treering.open(tmp_path) as memory:
            if not memory.maintenance.prepare() and not list(memory.list()):
                memory.remember_many({"content": text} for text in TEXTS)
            assert told(memory.recall("parrot seeds", log=False))[0] == TEXTS[0]
            found = memory.recall(query, strategy="vector", silent=False, log=False)
            assert (TEXTS[4] in told(found)[:1]) == meant
            assert widths(memory) == {width}
            assert verify(memory.ledger.store).clean


def test_without_vectors_no_vector_is_a_reason() -> None:
    """A recall without an embedder says what it went by."""
    store = store_in_memory()
    memory = memory_on(store)
    memory.remember_many({"content": text} for text in TEXTS)
    recalling = Recalls(store, None, lambda count: b"n" * count)
    (hit,) = recalling.recall("parrot", HERE, 0, 5).hits
    assert set(hit.why.channels) == set(hit.why.parts) == {"keyword"}


KILLED = """
import os, sys, signal
import treering
from treering.recall.index import cells, profiles
profiles.PORTION, cells.EXACT, cells.LONGEST_TAIL = 20, 16, (8, 16)
memory = treering.open(sys.argv[1])
def die(done):
    if done >= int(sys.argv[2]):
        os.kill(os.getpid(), signal.SIGKILL)
memory.maintenance.prepare(die)
"""


def test_a_kill_while_getting_ready_costs_nothing(tmp_path: Path) -> None:
    """Whatever was made stays, the rest is made later, and recall finds as if nothing had been."""
    rows = [{"content": f"{text} number {number}"} for number in range(20) for text in TEXTS]
    with treering.open(tmp_path) as memory:
        made = memory.together(lambda: memory.remember_many(rows))  # so nothing is indexed yet
    for portion in (20, 40, 80):
        done = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path), "20"], capture_output=True)
        assert done.returncode == -9, done.stderr
        with treering.open(tmp_path) as memory:
            assert len(memory.store.index.pending(1_000)) <= 100 - min(portion, 60)
    with treering.open(tmp_path) as memory:
        assert 0 < memory.maintenance.prepare() < 100
        assert [place.held for place in memory.store.index.places(memory.context)] == [100]
        for note in made[::17]:
            assert names(memory.recall(note.content, log=False))[0] == note.id
        assert verify(memory.ledger.store).clean
