"""Several processes decide, analyse and mine at once; and one of them is killed."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

import treering
from tests.faults.harness import Signal, done, fork
from tests.skills.proposals.desk import FACT, NAME, PROMPTS, said, transcript, tree, tries
from treering.ledger.errors import TreeringError
from treering.ledger.events import ACCEPTED, PROMPTED, PROPOSED, READ, REJECTED, RUBBED
from treering.skills.proposals import rules
from treering.stores.port.ledger import EventQuery

PROCESSES = 4


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A store with one memory to graduate and one matter that nothing is known of."""
    home = tmp_path / "home"
    with treering.open(home) as memory:
        note = memory.remember(FACT)
        for number in range(3):
            assert memory.recall(note.content, session=f"s{number}", silent=False).hits
            assert not memory.recall(PROMPTS[number], session=f"m{number}").hits
    return home


def at_once(home: Path, *works: Callable[[treering.Treering], object]) -> None:
    """Each in a process of its own, all at the same moment. What is refused is refused."""
    start, ready = Signal(), Signal()

    def run(work: Callable[[treering.Treering], object]) -> None:
        with treering.open(home) as memory:
            ready.give()
            start.wait()
            try:
                work(memory)
            except TreeringError:
                return

    pids = [fork(partial(run, work)) for work in works]
    for _ in pids:
        ready.wait()
    for _ in pids:
        start.give()
    assert done(*pids)


def kinds(home: Path, *wanted: str) -> list[str]:
    with treering.open(home) as memory:
        return sorted(event.kind for event in memory.store.events(EventQuery(kinds=wanted, live=True)))


def proposed(home: Path) -> list[str]:
    with treering.open(home) as memory:
        memory.proposals.analyze()
        return [one.id for one in memory.proposals.list() if one.kind == "skill-upgrade"]


def test_analyses_at_once_propose_each_thing_once(home: Path) -> None:
    at_once(home, *[lambda memory: memory.proposals.analyze()] * PROCESSES)
    assert kinds(home, PROPOSED) == [PROPOSED] * 2


def test_acceptances_at_once_are_one(home: Path, root: Path) -> None:
    """One file and one event; the others are told that it is there."""
    (id,) = proposed(home)
    at_once(home, *[lambda memory: memory.proposals.accept(id, str(root))] * PROCESSES)
    assert kinds(home, ACCEPTED) == [ACCEPTED]
    with treering.open(home) as memory:
        proposal = memory.proposals.get(id)
    assert tree(root) == {f"skills/{NAME}/SKILL.md": proposal.text.encode()}
    assert (proposal.status, proposal.file) == ("accepted", "as written")


def test_what_is_accepted_and_rejected_at_once_is_one_of_both(home: Path, root: Path) -> None:
    """It is accepted and its file is there, or it was rejected first and accepted after all; never half of it."""
    (id,) = proposed(home)
    accept, reject = (
        (lambda memory: memory.proposals.accept(id, str(root))),
        (lambda memory: memory.proposals.reject(id, "no")),
    )
    at_once(home, accept, reject)
    with treering.open(home) as memory:
        assert memory.proposals.get(id).status == "accepted"
    assert list(tree(root)) == [f"skills/{NAME}/SKILL.md"]
    assert kinds(home, ACCEPTED, REJECTED) in ([ACCEPTED], [ACCEPTED, REJECTED])


def test_two_entries_that_are_accepted_at_once_are_both_there(home: Path, root: Path) -> None:
    """Neither is written over."""
    with treering.open(home) as memory:
        for number, word in enumerate(("first", "second", "third")):
            memory.recall(f"which kubernetes operator restarts pods {word}", session=f"k{number}")
        memory.proposals.analyze()
        ids = [one.id for one in memory.proposals.list() if one.kind == "routing-addition"]
    assert len(ids) == 2
    at_once(home, *[partial(_accepted, id=id, root=str(root)) for id in ids])
    (text,) = tree(root).values()
    assert [text.count(id.encode()) for id in ids] == [1, 1]


def test_a_transcript_that_is_mined_at_once_tells_each_thing_once(home: Path, tmp_path: Path) -> None:
    path = str(transcript(tmp_path / "a.jsonl", said("deploy the shop to the cluster", "u1"), *tries("t")))
    at_once(home, *[lambda memory: memory.captured.mine(path)] * PROCESSES)
    assert kinds(home, PROMPTED, RUBBED, READ) == [RUBBED, PROMPTED, READ]


def test_a_skill_that_is_loaded_at_once_is_loaded_once(home: Path, root: Path) -> None:
    (id,) = proposed(home)
    with treering.open(home) as memory:
        memory.proposals.accept(id, str(root))
    at_once(home, *[lambda memory: memory.skills.use(NAME, str(root), session="s")] * PROCESSES)
    with treering.open(home) as memory:
        assert memory.skills.credits()[NAME].loads == 1


def _accepted(memory: treering.Treering, id: str, root: str) -> None:
    memory.proposals.accept(id, root, overwrite=True)


@pytest.mark.parametrize("kind", ("skill-upgrade", "routing-addition"))
def test_what_was_killed_between_file_and_event_can_be_accepted_again(home: Path, root: Path, kind: str) -> None:
    """The file that is there is the one that would be written: it is claimed."""
    proposed(home)
    with treering.open(home) as memory:
        (id,) = [one.id for one in memory.proposals.list() if one.kind == kind]

    def killed() -> None:
        def die(*given: object) -> None:
            os.kill(os.getpid(), signal.SIGKILL)

        rules.accept = die  # type: ignore[assignment]
        with treering.open(home) as memory:
            memory.proposals.accept(id, str(root))

    pid = fork(killed)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == -signal.SIGKILL
    before = tree(root)
    assert len(before) == 1
    with treering.open(home) as memory:
        assert memory.proposals.get(id).status == "pending"
        memory.proposals.accept(id, str(root))
        assert memory.proposals.get(id).file == "as written"
    assert tree(root) == before
    assert kinds(home, ACCEPTED) == [ACCEPTED]
