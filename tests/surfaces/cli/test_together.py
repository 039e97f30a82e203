"""Runs of evolution in processes that meet each other, or an end that nobody has planned."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import apsw
import pytest

import treering
from tests.surfaces.cli.driving import Program
from tests.surfaces.cli.growth import DEPLOY, LONG_AGO, STEPS, wear
from tests.surfaces.cli.signals import FILE, signalled, written
from treering.ledger.events import BEGAN, EVOLVED, MOVED, PROPOSED
from treering.ledger.verify import verify
from treering.stores.files import FILE_NAME
from treering.stores.port.ledger import EventQuery

STALE = 4_000  # memories: several portions, so that there is a middle to be killed in
PATIENCE = 60  # seconds until something must have happened


@pytest.fixture
def attic(home: Path) -> Path:
    """Thousands of memories that nobody has used for years, one that fails, and three that are a skill."""
    with treering.open(home, actor="user") as memory:
        memory.remember_many({"content": f"acorn {number} fell", "at": LONG_AGO} for number in range(STALE))
        wear(memory, memory.remember(DEPLOY), 10, "not_helpful")
        for step in STEPS:
            memory.remember(step, type="procedural")
        memory.maintenance.prepare()
    return home


def started(program: Program, *words: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        program.command(*words), env=program.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


def moved(home: Path) -> int:
    """How many memories are archived, as another process sees it."""
    db = apsw.Connection(str(home / FILE_NAME), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        ((count,),) = db.execute("SELECT count(*) FROM memories WHERE status = 'archived'")
        return int(count)
    finally:
        db.close()


def counts(home: Path) -> dict[str, int]:
    """How many events of each kind evolution has written, and that all is well."""
    with treering.open(home) as memory:
        assert verify(memory.ledger.store).problems == ()
        kinds = (BEGAN, EVOLVED, MOVED, PROPOSED)
        return {kind: sum(1 for _ in memory.store.events(EventQuery(kinds=(kind,)))) for kind in kinds}


def test_a_run_that_is_killed_is_gone_on_with(attic: Path, program: Program) -> None:
    """The next one has the same name, does the rest, and tells all of it; nothing is done twice."""
    process = started(program, "evolve", "run")
    deadline = time.monotonic() + PATIENCE
    while not moved(attic) and process.poll() is None:
        assert time.monotonic() < deadline
        time.sleep(0.002)
    os.kill(process.pid, signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    process.communicate()
    half = moved(attic)
    assert 0 < half < STALE
    assert (counts(attic)[BEGAN], counts(attic)[EVOLVED]) == (1, 0)
    assert program("evolve", "stats", "--json").json["due"] == "by_hand"
    told = program("evolve", "run", "--if-due", "--json").json
    assert told["actions_taken"] == {
        "deprecated": 1, "refined": 0, "merged": 0, "archived": STALE, "induced_skills": 1, "proposed": 0
    }  # fmt: skip
    assert len(told["details"]) == STALE + 2
    assert counts(attic) == {BEGAN: 1, EVOLVED: 1, MOVED: STALE + 1, PROPOSED: 1}
    assert program("evolve", "run", "--if-due", "--json").json["trigger"] == ""
    assert program("undo", told["run"]).code == 0
    assert moved(attic) == 0


def test_two_runs_at_once_do_not_collide(attic: Path, program: Program) -> None:
    """Both end well, everything is done once, and each tells what the run came to."""
    both = [started(program, "evolve", "run", "--json") for _ in range(2)]
    answers = [process.communicate(timeout=PATIENCE) for process in both]
    assert [process.returncode for process in both] == [0, 0], [err for _, err in answers]
    told = [json.loads(out) for out, _ in answers]
    assert counts(attic) == {BEGAN: counts(attic)[BEGAN], EVOLVED: counts(attic)[BEGAN], MOVED: STALE + 1, PROPOSED: 1}
    done = {detail["event"] for one in told for detail in one["details"]}
    assert len(done) == STALE + 2
    assert moved(attic) == STALE
    for run in {one["run"] for one in told}:
        assert program("undo", run).code == 0
    assert moved(attic) == 0


def test_ctrl_c_in_a_run_ends_with_130_and_is_gone_on_with(attic: Path, program: Program) -> None:
    """Without a traceback."""
    process = subprocess.Popen(
        program.command("evolve", "run"),
        env=program.environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    deadline = time.monotonic() + PATIENCE
    while not moved(attic) and process.poll() is None:
        assert time.monotonic() < deadline
        time.sleep(0.002)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode in (130, 0) and b"Traceback" not in err
    assert program("evolve", "run", "--json").code == 0
    assert moved(attic) == STALE and counts(attic)[MOVED] == STALE + 1


def test_feedback_of_many_processes_is_all_counted(home: Path, program: Program) -> None:
    """Each judges a recall of its own; Q is what it would be one after the other."""
    with treering.open(home, actor="user") as memory:
        note = memory.remember(DEPLOY)
        recalls = [wear(memory, note, 1) for _ in range(6)]
    all_of_them = [started(program, "feedback", recall, "1", "helpful") for recall in recalls]
    for process in all_of_them:
        out, err = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0, (out, err)
    assert program("show", "1", "--json").json["q"] == pytest.approx(1 - 0.5 * 0.9**6)
    assert program("verify").code == 0


def test_proposals_are_made_and_accepted_once(program: Program, home: Path, root: Path) -> None:
    """However many ask for it at the same moment."""
    signalled(home)
    program.folder = root
    for words, said in ((("analyze",), b"(added): 2"), (("accept", "skill-", "--root", str(root)), b"accepted")):
        answers = [
            one.communicate(timeout=PATIENCE)[0] for one in [started(program, "evolve", *words) for _ in range(4)]
        ]
        assert sum(said in answer for answer in answers) == 1
    told = [row["what"] for row in program("evolve", "log", "--json").json]
    assert told == ["made", "made", "accepted"] and {*written(root)} == {FILE}
