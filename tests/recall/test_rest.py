"""A recall answers from what waits to be indexed, and does not index much itself."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest

import treering
from treering.memory import Treering
from treering.stores.files import FILE_NAME
from treering.stores.port.search import ON_THE_WAY

MANY = 5 * ON_THE_WAY


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A store with many memories, written one by one, that nothing has indexed."""
    with treering.open(tmp_path) as memory:
        memory.together(lambda: [memory.remember(f"note {at} is about topic{at} in the shed") for at in range(MANY)])
        memory.remember("the lock timeout of the payment service is 40 seconds")
    return tmp_path


def contents(memory: Treering, query: str) -> list[str]:
    return [hit.memory.content for hit in memory.recall(query, log=False).hits]


def test_a_recall_indexes_few_memories_and_answers_from_all(home: Path) -> None:
    """The answer is the newest of many: far beyond what a recall indexes on its way."""
    with treering.open(home) as memory:
        assert contents(memory, "lock timeout of the payment service")[0].startswith("the lock timeout")
        assert memory.store.index.profiled == ON_THE_WAY
        assert contents(memory, "topic7")[0] == "note 7 is about topic7 in the shed"
        assert contents(memory, f"topic{MANY - 1}")[0].startswith(f"note {MANY - 1} ")


def test_a_store_never_indexed_is_searched_while_another_process_writes(home: Path) -> None:
    """Nobody can index it, so it is searched by its words; it does not claim to be empty."""
    rival = apsw.Connection(str(home / FILE_NAME))
    rival.execute("BEGIN IMMEDIATE")
    with treering.open(home) as memory:
        assert contents(memory, "lock timeout")[0].startswith("the lock timeout")
        assert memory.recall("quantum chromodynamics", log=False).silence.startswith("nothing that is remembered")
        rival.execute("ROLLBACK")


def test_what_waits_stays_behind_its_walls(tmp_path: Path) -> None:
    """The words of another project's memories find nothing, indexed or not."""
    with treering.open(tmp_path, project="one") as memory:
        memory.together(
            lambda: [memory.remember(f"token {at} of the lock timeout", scope="project") for at in range(MANY)]
        )
    with treering.open(tmp_path, project="two") as memory:
        assert memory.recall("lock timeout", log=False).hits == ()
    with treering.open(tmp_path, project="one") as memory:
        assert memory.recall("lock timeout", log=False).hits
        gone = memory.recall(f"token {MANY - 1}", log=False).hits[0].memory
        memory.forget(gone.id)
        assert gone.id not in [hit.memory.id for hit in memory.recall(f"token {MANY - 1}", log=False).hits]


def test_vectors_of_another_embedder_are_not_compared_with(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Until they are made anew, memories are found by their words."""
    with treering.open(home) as memory:
        memory.maintenance.prepare()
    rival = apsw.Connection(str(home / FILE_NAME))
    monkeypatch.setenv("TREERING_EMBEDDER", "none")
    with treering.open(home) as memory:
        rival.execute("BEGIN IMMEDIATE")
        assert contents(memory, "lock timeout of the payment service")[0].startswith("the lock timeout")
        rival.execute("ROLLBACK")
        assert contents(memory, "lock timeout of the payment service")[0].startswith("the lock timeout")


def test_many_memories_written_at_once_are_indexed_there(tmp_path: Path) -> None:
    """The first recall finds nothing to do."""
    with treering.open(tmp_path) as memory:
        memory.remember_many({"content": f"note {at} is about topic{at}"} for at in range(MANY))
        assert memory.store.index.profiled == memory.store.index.size == MANY
        assert memory.maintenance.prepare() == 0
