"""SQLite's plan of each query on the way of a recall: none reads through a table that grows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import apsw
import pytest

import treering
from treering.ledger.types import Context
from treering.stores.sqlite import hook_queries
from treering.surfaces.hook import look
from treering.surfaces.hook.act import PROMPTED

# Not among them: lessons, of which a space keeps so many and no more, and cells, which a process reads once.
GROWING = tuple("events memories profiles mentions named told causes keys postings inbox shown".split())
SHARED = "(place=?)"  # a search by this alone reads as much as a scan: most memories of a store lie in one place
NOTES = (
    ("Kelp draws the charts of the quarterly report.", "procedural"),
    ("Maria maintains Kelp since Anna left the team.", "semantic"),
    ("The staging database moved to port 5433.", "semantic"),
    ("We fixed the flaky login test by waiting for the token.", "episodic"),
)
QUESTIONS = (
    "Who looks after the charts?",
    'What did we say about "staging database" last week?',
    "How does getUserName work?",
    "the staging databse",
    "what was it",
)

STATEMENTS = 8  # of a recall, at most, in a store that nobody else writes to
LOGGED = 28  # of one that is logged; without what is kept there would be 48

Told = tuple[str, Any]


@contextmanager
def listened(db: apsw.Connection) -> Iterator[list[Told]]:
    """The statements that a connection runs, with their values."""
    heard: list[Told] = []

    def hear(_: Any, sql: str, values: Any) -> bool:
        heard.append((sql, values))
        return True

    db.exec_trace = hear
    try:
        yield heard
    finally:
        db.exec_trace = None


def scans(db: apsw.Connection, told: Sequence[Told]) -> list[str]:
    """The statements that read through a growing table, or index one on the fly, with that line of the plan."""
    found = []
    read = {sql: values for sql, values in told if sql.lstrip().startswith("SELECT") and "temp." not in sql}
    for sql, values in read.items():
        for *_, line in db.execute(f"EXPLAIN QUERY PLAN {sql}", values):
            words = str(line).split()
            through = words[0] == "SCAN" or str(line).endswith(SHARED)
            if "AUTOMATIC" in words or (through and words[1] in GROWING):
                found.append(f"{line}: {sql}")
    return found


@pytest.fixture
def home(tmp_path: Path) -> Path:
    with treering.open(tmp_path, project="shop") as memory:
        for session in ("one", "two"):
            memory.remember_many(
                {"content": f"{text} ({session})", "type": type, "session": session} for text, type in NOTES
            )
        memory.maintenance.prepare()
        found = memory.recall("Who looks after the charts?")
        memory.feedback(found.id, found.hits[0].memory.id, "helpful")
    return tmp_path


def test_no_query_of_a_recall_reads_through_a_table_that_grows(home: Path) -> None:
    """The graph is indexed, questions and lessons are there: the time of a recall does not grow with the store.

    One that is narrowed to a type or a time does read through the memories of its space.
    """
    with treering.open(home, project="shop") as memory:
        db = memory.store._db.get()  # type: ignore[attr-defined]
        with listened(db) as heard:
            for question in QUESTIONS:
                memory.recall(question, session="one")
        assert any("told" in sql for sql, _ in heard)
        assert scans(db, heard) == []


@pytest.mark.parametrize(
    "ask",
    [
        lambda db, here: look.about_prompt(db, "who maintains the quarterly charts of Kelp?", here, "n", 0, PROMPTED),
        lambda db, here: look.about_failure(
            db, "make charts", "KeyError: kelp quarterly report", here, "n", 0, PROMPTED
        ),
        lambda db, here: look.briefing(db, here, "n", 700),
    ],
)
def test_no_query_of_a_hook_reads_through_a_table_that_grows(
    home: Path, ask: Callable[[apsw.Connection, Context], look.Findings]
) -> None:
    """A hook has a hundredth of a second, in a store of any size."""
    db = hook_queries.connect(str(home / "treering.db"))
    assert db is not None
    with listened(db) as heard:
        ask(db, Context("default", "shop", "three"))
    assert heard
    assert scans(db, heard) == []


def test_a_recall_runs_few_statements(home: Path) -> None:
    """Most is in memory, as long as nobody else writes: that a recall is logged changes nothing that it holds."""
    with treering.open(home, project="shop") as memory:
        db = memory.store._db.get()  # type: ignore[attr-defined]
        for log, most in ((False, STATEMENTS), (True, LOGGED)):
            for question in ("Which port has the server?", "Which port", "Which port has the staging database?"):
                with listened(db) as heard:
                    memory.recall(question, log=log)
            assert len(heard) <= most


def test_what_a_logged_recall_keeps_is_as_the_store_has_it(home: Path) -> None:
    """Another object, which keeps nothing, finds the same, with the same scores; also once others have written."""
    with treering.open(home, project="shop") as memory:
        for number, question in enumerate([*QUESTIONS, *QUESTIONS]):
            if number == len(QUESTIONS):
                with treering.open(home, project="shop") as other:
                    other.remember("Kelp moved to port 5434, said Maria.")
            with treering.open(home, project="shop") as fresh:
                wanted = fresh.recall(question, log=False, floor=0.0, at="2027-01-01")
            found = memory.recall(question, log=False, floor=0.0, at="2027-01-01")
            assert found._replace(nonce="", fence="") == wanted._replace(nonce="", fence="")
            memory.recall(question, k=2)


def test_what_is_related_is_found_as_soon_as_somebody_says_so(home: Path) -> None:
    """What a recall remembers of the graph follows what is written, forgotten and restored."""

    def led(memory: treering.Treering) -> bool:
        found = memory.recall("What do we know of Pharos?", k=9, floor=0.0, log=False)
        return any("relation" in hit.why.parts and "sea" in hit.memory.content for hit in found.hits)

    with treering.open(home, project="shop") as memory:
        memory.remember("Norbert lives by the sea.")
        assert not led(memory)
        told = memory.remember("Norbert maintains Pharos.")
        memory.maintenance.prepare()
        assert led(memory)
        memory.forget(told.id)
        assert not led(memory)
        memory.restore(told.id)
        memory.maintenance.prepare()
        assert led(memory)
