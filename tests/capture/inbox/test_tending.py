"""What is due is done: by one process at a time, within its time, and nothing that goes wrong stops the rest."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path

import pytest

import treering
from tests.faults.harness import Signal, done, fork
from tests.skills.signals.sessions import Session
from tests.surfaces.hook.driving import (
    Agent,
    beside,
    contents,
    events,
    hook,
    known,
    queued_events,
    repository,
    rows,
    spooled,
    taken_in,
)
from treering.capture.inbox.sessions import briefing
from treering.consolidate.api import Report
from treering.ledger.ageing import POLICIES
from treering.ledger.events import CAPTURED, ENDED
from treering.ledger.verify import verify
from treering.stores.files import noted
from treering.surfaces.hook.maintain import RIPE, due

SAID = "Remember that the harbour crane is painted yellow"
KEPT = "The harbour crane is painted yellow."
MINUTE = 60_000_000
YEAR = 365 * 24 * 60 * MINUTE
_SESSIONS = 4


class TestOneAtATime:
    def test_while_one_process_is_at_it_another_has_nothing_to_do(self, agent: Agent, home: Path) -> None:
        """And when that one is killed, the next goes on."""
        agent.asks(SAID)
        with beside(lambda ready: _hang(home, ready)) as pid, treering.open(home) as memory:
            assert memory.maintenance.run() == Report(busy=True)
            os.kill(pid, signal.SIGKILL)
            os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
            assert not memory.maintenance.run().busy
            assert verify(memory.ledger.store).problems == ()
        assert contents(home) == [KEPT]

    def test_what_goes_wrong_leaves_nobody_locked_out(self, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        with treering.open(home) as memory:
            monkeypatch.setattr(memory.maintenance, "consolidate", lambda **given: 1 / 0)
            with pytest.raises(ZeroDivisionError):
                memory.maintenance.run()
        assert done(fork(lambda: _tends(home)))

    def test_two_in_one_process_are_two(self, home: Path) -> None:
        """A server has several threads: what one of them does, another need not do too."""
        with treering.open(home) as memory, treering.open(home) as other:
            seen: list[Report] = []

            def consolidate(**given: object) -> None:
                seen.append(other.maintenance.run())
                raise ZeroDivisionError

            memory.maintenance.consolidate = consolidate  # type: ignore[method-assign, assignment]
            with pytest.raises(ZeroDivisionError):
                memory.maintenance.run()
        assert seen == [Report(busy=True)]

    def test_several_at_once_do_it_once(self, home: Path, shop: Path) -> None:
        for number in range(4):
            agent = Agent(home, shop, f"s{number}")
            agent.asks(f"Remember that quay number {number} of the harbour is closed on Sundays")
            agent.ends()
        pids = [fork(lambda: _tend(home)) for _ in range(4)]
        assert done(*pids)
        _tend(home)
        assert len(contents(home)) == 4 and len(events(home, ENDED)) == 4
        with treering.open(home) as memory:
            assert verify(memory.ledger.store).problems == ()


def _tend(home: Path) -> bool:
    """Whether there was nobody else at it."""
    with treering.open(home) as memory:
        return not memory.maintenance.run().busy


def _tends(home: Path) -> None:
    assert _tend(home)


def _hang(home: Path, begun: Signal) -> None:
    memory = treering.open(home)

    def consolidate(**given: object) -> None:
        begun.give()
        signal.pause()

    memory.maintenance.consolidate = consolidate  # type: ignore[method-assign, assignment]
    memory.maintenance.run(60)


class TestKilled:
    def test_killed_at_any_point_nothing_is_lost_or_done_twice(self, home: Path, shop: Path, tmp_path: Path) -> None:
        """At each write to the store in turn; whoever comes next goes on."""
        alive = True
        stop = 0
        while alive and stop < 40:
            stop += 1
            log = Session()
            log.says(f"Remember that quay number {stop} of the harbour is closed on Sundays")
            log.says(f"please make the tests of quay {stop} pass again")
            log.tries("Bash", "Exit code 1\nNo module named ferry", command=f"pytest tests/quay{stop}")
            log.tries("Edit", file_path="pyproject.toml", old_string="a", new_string="b")
            log.tries("Bash", command=f"pytest tests/quay{stop}")
            path = tmp_path / f"s{stop}.jsonl"
            path.write_bytes(log.data)
            agent = Agent(home, shop, f"s{stop}")
            agent.transcript = str(path)
            agent.asks(f"Remember that quay number {stop} of the harbour is closed on Sundays")
            agent.ends()
            pid = fork(lambda stop=stop: _die_at(home, stop))  # type: ignore[misc]
            alive = os.WIFSIGNALED(os.waitpid(pid, 0)[1])
        _tend(home)
        assert stop > 6
        with treering.open(home) as memory:
            assert verify(memory.ledger.store).problems == ()
            kinds = [one.kind for one in memory.captured.list()]
        assert (kinds.count("told"), kinds.count("fix"), kinds.count("episode")) == (stop, stop, stop)
        assert len(events(home, ENDED)) == stop


def _die_at(home: Path, calls: int) -> None:
    from treering.stores.sqlite.store import SqliteStore

    real, made = SqliteStore.write, [0]

    def write(self: SqliteStore, work: object) -> object:
        made[0] += 1
        if made[0] == calls:
            os.kill(os.getpid(), signal.SIGKILL)
        return real(self, work)  # type: ignore[arg-type]

    SqliteStore.write = write  # type: ignore[method-assign, assignment]
    _tend(home)


class TestBudget:
    @pytest.mark.parametrize("seconds", [0, -1, 3_601, "5", None, float("nan")])
    def test_a_time_that_makes_no_sense_is_refused(self, seconds: object, home: Path) -> None:
        with treering.open(home) as memory, pytest.raises(treering.InvalidInput, match="seconds must be"):
            memory.maintenance.run(seconds)  # type: ignore[arg-type]

    def test_when_the_time_is_over_nothing_more_is_begun(
        self, home: Path, shop: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The clock is the only fake: every look at it is a second later."""
        for number in range(30):
            agent = Agent(home, shop, f"s{number}")
            agent.asks(f"Remember that quay number {number} of the harbour is closed on Sundays")
        seconds = iter(range(10_000))
        with taken_in(home) as memory, monkeypatch.context() as late:
            memory.captured.receive()  # that would use the time up
            late.setattr("treering.consolidate.api.monotonic", lambda: float(next(seconds)))
            cut = memory.maintenance.run(10)
        assert 0 < cut.sessions < 30 and not cut.evolved
        with treering.open(home) as memory:
            assert memory.maintenance.run().sessions == 30

    def test_a_view_of_the_past_tends_nothing(self, agent: Agent, home: Path) -> None:
        agent.asks(SAID)
        with treering.open(home, as_of="2020-01-01") as memory:
            assert memory.maintenance.run() == Report() and memory.captured.receive() == 0
            assert memory.captured.list() == []
        assert rows(home, "SELECT taken FROM inbox") == [(0,)]


class TestTrouble:
    def transcript(self, tmp_path: Path, how: str) -> str:
        path = tmp_path / "odd.jsonl"
        if how == "unreadable":
            path.symlink_to("/proc/self/mem")
        elif how == "a folder":
            path.mkdir()
        elif how == "binary":
            path.write_bytes(os.urandom(100_000))
        elif how == "one long line":
            path.write_bytes(b'{"type": "user", "message": "' + b"x" * 3_000_000)
        elif how == "nested":
            path.write_bytes(b"[" * 200_000 + b"\n")
        return str(path)

    @pytest.mark.parametrize("how", ["unreadable", "a folder", "binary", "one long line", "nested", "gone"])
    def test_a_transcript_that_cannot_be_read_holds_up_no_other_session(
        self, how: str, home: Path, shop: Path, tmp_path: Path
    ) -> None:
        odd, other = Agent(home, shop, "odd"), Agent(home, shop, "s2")
        odd.transcript = self.transcript(tmp_path, how)
        odd.asks("now to the login page please")
        odd.ends()
        other.now += MINUTE
        log = Session()
        log.says(SAID)
        (tmp_path / "s2.jsonl").write_bytes(log.data)
        other.transcript = str(tmp_path / "s2.jsonl")
        other.asks("now to the login page please")
        _tend(home)
        assert contents(home) == [KEPT] and len(events(home, ENDED)) == 1

    @pytest.mark.parametrize("name", [" ", "a\nb", "\u202eabc", "ghp_" + "aB3dE6gH9j" * 4])
    def test_a_folder_of_any_name_holds_up_no_other_session(self, name: str, home: Path, tmp_path: Path) -> None:
        odd = Agent(home, repository(tmp_path / name), "odd")
        odd.asks("Remember that the airport tower is painted green")
        odd.fails("pytest tests/tower", "Exit code 1\nNo module named 'tower'")
        odd.edits("pyproject.toml")
        odd.runs("pytest tests/tower")
        odd.ends()
        other = Agent(home, repository(tmp_path / "shop"), "s2")
        other.asks(SAID)
        other.ends()
        _tend(home)
        _tend(home)
        assert KEPT in contents(home)
        assert {event.session for event in events(home, ENDED)} >= {"s2"}

    def test_whatever_goes_wrong_in_one_session_the_others_are_read(
        self, home: Path, shop: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A fault of our own in reading one of them is no reason to leave the rest; doctor tells of it."""
        from treering.capture import sift

        real = sift.catch
        monkeypatch.setattr(sift, "catch", lambda turns, learned: 1 / 0 if "odd" in turns[0].text else real(turns))
        for session, prompt in (("s1", "something odd about the login page"), ("s2", "now to the login page please")):
            agent = Agent(home, shop, session)
            agent.asks(prompt)
            agent.ends()
        with treering.open(home) as memory:
            assert memory.maintenance.run().sessions == 2
        assert [run.problem for run in noted(str(home)) if "ZeroDivision" in run.problem or "division" in run.problem]
        assert {one["session"] for one in queued_events(home) if one.get("prompt")} <= {"s1"}


class TestBackground:
    """`treering-hook tend`, which agents run beside a session."""

    def test_it_does_what_is_due_and_says_nothing(self, agent: Agent, home: Path) -> None:
        agent.asks(SAID)
        agent.ends()
        said = hook("tend", b"", home)
        assert (said.code, said.out, said.err) == (0, "", "")
        assert rows(home, "SELECT count(*) FROM inbox WHERE body <> '' OR taken = 0") == [(0,)]
        assert [(run.event, run.problem) for run in noted(str(home))] == [("tend", "")]
        assert contents(home) == [KEPT]

    def test_it_is_due_when_a_session_turns_or_letters_are_ripe(self, agent: Agent, home: Path) -> None:
        assert not due(str(home), agent.now)
        agent.answers("Done.")
        assert not due(str(home), agent.now + RIPE) and due(str(home), agent.now + RIPE + 1)
        agent.starts()
        assert due(str(home), agent.now)
        _tend(home)
        assert not due(str(home), agent.now + 10 * RIPE)

    def test_it_is_due_when_letters_lie_beside_the_store(self, tmp_path: Path, shop: Path) -> None:
        home = tmp_path / "new"
        assert not due(str(home), 0)
        Agent(home, shop).asks(SAID)
        assert due(str(home), 0) and spooled(home)
        assert hook("tend", b"", home).code == 0
        assert contents(home) == [KEPT]

    def test_nobody_s_store_is_made_by_it(self, tmp_path: Path) -> None:
        assert hook("tend", b"", tmp_path / "new").code == 0
        assert not (tmp_path / "new").exists()

    def test_what_goes_wrong_is_noted(self, home: Path) -> None:
        (home / "treering.db").write_bytes(b"no database at all " * 1_000)
        said = hook("tend", b"", home)
        assert (said.code, said.out, said.err) == (0, "", "")
        assert [bool(run.problem) for run in noted(str(home))] == [True]


class TestBriefs:
    def test_the_next_session_is_told_what_waits_for_a_person(self, agent: Agent, home: Path, shop: Path) -> None:
        agent.asks("now to the login page please")
        with treering.open(home, project="shop", actor="user") as memory:
            memory.remember("The staging port is 8080")
            memory.remember("The staging port is 9090")
            assert len(memory.truth.contradictions()) == 1
            memory.maintenance.run()
        said = Agent(home, shop, "s2").starts()
        assert "1 contradiction (`treering contradictions`)" in said

    @pytest.mark.parametrize(
        ("counts", "told"),
        [
            ((0, 0, 0), ""),
            ((1, 0, 0), "Waiting for a person's review: 1 proposal (`treering evolve list`)."),
            ((0, 2, 1), "2 contradictions (`treering contradictions`), 1 invariant to confirm (`treering confirm`)."),
            ((0, 0, 3), "3 invariants to confirm (`treering confirm`)."),
        ],
    )
    def test_what_waits_is_counted(self, counts: tuple[int, int, int], told: str) -> None:
        assert briefing("", *counts).endswith(told) and (told or briefing("", *counts) == "")
        assert briefing(" some skills \n", *counts).startswith("some skills")

    def test_it_is_short(self) -> None:
        assert len(briefing("x" * 10_000, 10**6, 10**6, 10**6)) < 800


def test_sessions_of_another_space_are_for_who_stands_there(agent: Agent, home: Path, tmp_path: Path) -> None:
    """Whoever tends writes where he stands: a transcript of the one space leaves no word in the other."""
    log = Session()
    log.says("please look at the zanzibar crane of the harbour")
    log.says(SAID)
    (tmp_path / "s1.jsonl").write_bytes(log.data)
    agent.transcript = str(tmp_path / "s1.jsonl")
    agent.environment = {"TREERING_SPACE": "work"}
    agent.asks("please look at the zanzibar crane of the harbour")
    agent.ends()
    _tend(home)
    with treering.open(home, space="work") as memory:
        memory.maintenance.run()
    assert {event.space for event in events(home) if event.session} == {"work"}
    assert [json.loads(event.payload or "")["kind"] for event in events(home, CAPTURED)] == ["told"]


def test_letters_that_were_read_are_let_go_of(agent: Agent, home: Path) -> None:
    known(home, "The quay is long")
    agent.asks(SAID)
    _tend(home)
    assert queued_events(home)[0]["prompt"]
    agent.ends()
    _tend(home)
    assert [one.get("prompt") for one in queued_events(home)] == [None, None]


class TestAtTheEndOfASession:
    @pytest.mark.parametrize("policy", sorted(POLICIES))
    def test_what_nobody_used_for_a_year_moves_under_every_policy(
        self, agent: Agent, home: Path, policy: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The hooks alone do it: nobody has to say that the session is over."""
        monkeypatch.setenv("TREERING_DECAY", policy)
        for number in range(_SESSIONS):
            agent.session, agent.now = f"s{number}", agent.now - (YEAR if not number else -YEAR // _SESSIONS)
            agent.starts()
            agent.asks(SAID if not number else f"Remember that door {number} has a green frame")
            agent.ends()
            done = _maintained(home)
        assert "hygiene" in done.consolidated
        ((status,),) = rows(home, "SELECT status FROM memories WHERE content = ?", KEPT)
        assert status != "created"

    def test_the_index_of_the_project_is_written_anew(self, agent: Agent, home: Path) -> None:
        with treering.open(home) as memory:
            memory.documents.index(str(agent.folder / "MEMORY.md"))
        agent.starts()
        agent.asks(SAID)
        agent.ends()
        _maintained(home)
        assert KEPT in (agent.folder / "MEMORY.md").read_text("utf-8")

    @pytest.mark.parametrize("written", (None, "# Memory\n\nMy own notes.\n"))
    def test_an_index_that_is_not_ours_is_left_alone(self, agent: Agent, home: Path, written: str | None) -> None:
        """And where there is none, none is made."""
        path = agent.folder / "MEMORY.md"
        if written is not None:
            path.write_text(written, "utf-8")
        agent.starts()
        agent.asks(SAID)
        agent.ends()
        _maintained(home)
        assert (path.read_text("utf-8") if path.exists() else None) == written


def _maintained(home: Path) -> Report:
    with treering.open(home) as memory:
        return memory.maintenance.run()
