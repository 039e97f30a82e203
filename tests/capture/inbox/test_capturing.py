"""What is worth keeping is kept once: from the hooks, from the transcript, and from a session that goes on."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import tests.surfaces.hook as payloads
import treering
from tests.skills.signals.sessions import Session
from tests.surfaces.hook.driving import (
    Agent,
    bytes_of,
    contents,
    events,
    now,
    repository,
    rows,
    spooled,
    taken_in,
    writing,
)
from treering.ledger.events import CAPTURED, PROMPTED, REMEMBERED
from treering.stores.sqlite.store import SqliteStore
from treering.surfaces.hook.act import act
from treering.surfaces.hook.agents import AGENTS

SAID = "Remember that the harbour crane is painted yellow"
KEPT = "The harbour crane is painted yellow."
OTHER = "Remember that the airport tower is painted green"


def tended(home: Path) -> treering.consolidate.api.Report:
    with taken_in(home) as memory:
        return memory.maintenance.run()


class Log(Session):
    """A transcript whose lines are written when the hooks of its agent hear of them."""

    def __init__(self, agent: Agent) -> None:
        super().__init__()
        self._agent = agent

    def add(self, type: str, **fields: Any) -> str:
        at = datetime.fromtimestamp(self._agent.now / 1e6, UTC).isoformat().replace("+00:00", "Z")
        return super().add(type, **{"timestamp": at, "cwd": str(self._agent.folder), **fields})


class Written:
    """An agent whose transcript is written beside what its hooks hear."""

    def __init__(self, agent: Agent, folder: Path) -> None:
        self.agent = agent
        self.path = folder / f"{agent.session}.jsonl"
        self.log = Log(agent)
        agent.transcript = str(self.path)

    def asks(self, prompt: str) -> None:
        self.agent.asks(prompt)
        self.only_writes(prompt)

    def only_writes(self, prompt: str) -> None:
        """A prompt that no hook heard."""
        self.log.says(prompt)
        self.path.write_bytes(self.log.data)


@pytest.fixture
def written(agent: Agent, tmp_path: Path) -> Written:
    return Written(agent, tmp_path)


class TestOnce:
    def test_a_hook_and_the_transcript_tell_the_same_thing_once(self, written: Written, home: Path) -> None:
        written.asks(SAID)
        assert contents(home) == [KEPT]
        for _ in range(3):
            tended(home)
        written.asks("now to the login page please")
        tended(home)
        assert contents(home) == [KEPT]

    def test_what_no_hook_heard_is_in_the_transcript(self, written: Written, home: Path) -> None:
        written.asks("now to the login page please")
        written.only_writes(SAID)
        assert tended(home).kept == 1
        assert tended(home).kept == 0 and contents(home) == [KEPT]

    def test_a_session_that_was_ended_and_resumed_brings_only_what_is_new(self, written: Written, home: Path) -> None:
        written.asks(SAID)
        written.agent.ends()
        tended(home)
        written.agent.starts("resume")
        written.asks(OTHER)
        written.agent.ends("logout")
        tended(home)
        assert contents(home) == [KEPT, "The airport tower is painted green."]

    def test_the_same_words_in_another_session_of_the_project_are_known(
        self, agent: Agent, home: Path, shop: Path
    ) -> None:
        agent.asks(SAID)
        Agent(home, shop, "s2").asks(SAID.replace("Remember", "remember"))
        tended(home)
        assert contents(home) == [KEPT]

    def test_in_another_project_they_are_not(self, agent: Agent, home: Path, tmp_path: Path) -> None:
        agent.asks(SAID)
        Agent(home, repository(tmp_path / "bank"), "s2").asks(SAID)
        with taken_in(home) as memory:
            assert {one.project for one in memory.list()} == {"shop", "bank"}

    def test_a_session_that_goes_over_to_another_project_takes_nothing_along(
        self, written: Written, home: Path, tmp_path: Path
    ) -> None:
        """Scopes are walls: what was said in one repository is not known in the other."""
        written.asks(SAID)
        written.agent.folder = repository(tmp_path / "bank")
        written.asks("now to the login page please")
        tended(home)
        with taken_in(home) as memory:
            assert [(one.content, one.project) for one in memory.list()] == [(KEPT, "shop")]

    def test_nor_does_one_without_a_transcript(self, agent: Agent, home: Path, tmp_path: Path) -> None:
        agent.asks(SAID)
        agent.folder = repository(tmp_path / "bank")
        agent.asks("now to the login page please")
        tended(home)
        with taken_in(home) as memory:
            assert [(one.content, one.project) for one in memory.list()] == [(KEPT, "shop")]

    def test_what_was_recalled_and_is_said_again_is_no_news(self, agent: Agent, home: Path) -> None:
        with taken_in(home, project="shop", actor="user") as memory:
            memory.remember("The harbour crane is painted yellow")
        assert "yellow" in agent.asks("which colour is the harbour crane painted in, yellow?")
        agent.asks(SAID)
        tended(home)
        assert contents(home) == ["The harbour crane is painted yellow"]

    def test_what_was_forgotten_and_is_told_again_is_kept(self, agent: Agent, home: Path, shop: Path) -> None:
        agent.asks(SAID)
        with taken_in(home, actor="user") as memory:
            memory.forget(memory.captured.list()[0].memory.id)
            memory.maintenance.run()
            assert [*memory.list()] == []
        later = Agent(home, shop, "s2")
        later.now = now()
        later.asks(SAID)
        assert contents(home) == [KEPT]

    def test_what_is_said_and_taken_back_at_once_is_not_kept(self, written: Written, home: Path) -> None:
        written.asks(SAID)
        taken_in(home).close()
        written.asks("No wait, forget that, I was wrong about the crane")
        tended(home)
        assert contents(home) == []

    def test_lines_without_a_time_are_read_too(self, written: Written, home: Path) -> None:
        written.agent.asks("now to the login page please")
        written.log.says(SAID, timestamp=None)
        written.path.write_bytes(written.log.data)
        tended(home)
        assert contents(home) == [KEPT]


class TestFaint:
    FEE, SAID = "The harbour fee is 35 euros per ship", "Ole says the harbour fee is 39 since may"

    def test_a_sentence_that_is_hardly_worth_keeping_is_kept_if_it_may_replace_a_memory(
        self, agent: Agent, home: Path
    ) -> None:
        with taken_in(home, project="shop", actor="user") as memory:
            memory.remember(self.FEE)
        agent.asks(self.SAID)
        tended(home)
        assert {*contents(home)} == {self.FEE, f"{self.SAID}."}

    def test_and_is_not_kept_without(self, agent: Agent, home: Path) -> None:
        agent.asks(self.SAID)
        tended(home)
        assert contents(home) == []


class TestWhose:
    def test_it_is_the_user_s_and_says_where_it_was_said(self, agent: Agent, home: Path) -> None:
        agent.asks(SAID)
        with taken_in(home, project="shop") as memory:
            (caught,) = memory.captured.list()
        assert (caught.kind, caught.session, caught.project) == ("told", "s1", "shop")
        made = caught.memory
        assert (made.content, made.origin, made.trust, made.scope) == (KEPT, "user", "user", "project")
        assert made.created == agent.now

    def test_outside_a_project_it_is_for_the_user(self, agent: Agent, home: Path) -> None:
        agent.folder = Path("/")
        agent.asks(SAID)
        with taken_in(home) as memory:
            assert [(one.scope, one.project) for one in memory.list()] == [("user", "")]

    @pytest.mark.parametrize("spooled", [False, True])
    def test_a_folder_that_is_gone_meanwhile_keeps_its_wall(
        self, spooled: bool, agent: Agent, home: Path, shop: Path
    ) -> None:
        """A clone for an hour, or a disk that is not there just now: what was said in it is not for everybody."""
        if spooled:
            with writing(home):
                agent.asks(SAID)
        else:
            agent.asks(SAID)
        shop.rename(shop.with_name("elsewhere"))
        with taken_in(home) as memory:
            assert [(one.scope, one.project) for one in memory.list()] == [("project", "shop")]

    def test_nothing_comes_from_tools_notices_and_other_machines(self, agent: Agent, home: Path) -> None:
        agent.asks(f"<task-notification>{SAID}</task-notification>")
        agent.asks(SAID, source="sdk")
        agent.asks(SAID, agent_id="a-1")
        agent.fails("cat notes.txt", f"Exit code 1\n{SAID}")
        agent.does("SubagentStop", last_assistant_message=SAID, agent_id="a-1")
        agent.ends()
        tended(home)
        assert [one for one in contents(home) if "crane" in one] == []


class TestWithoutTranscript:
    """Other agents write none, or one that nobody can read."""

    def works(self, agent: Agent) -> None:
        agent.asks("please make the integration tests of the harbour pass again")
        agent.fails("pytest tests/harbour", "Exit code 1\nModuleNotFoundError: No module named 'ferry'")
        agent.edits(str(agent.folder / "pyproject.toml"))
        agent.runs("pytest tests/harbour")
        agent.answers("They pass now.")

    def test_a_fix_and_an_episode_are_made_of_letters(self, agent: Agent, home: Path) -> None:
        self.works(agent)
        assert tended(home).kept == 1
        agent.ends()
        tended(home)
        with taken_in(home, project="shop") as memory:
            assert [one.kind for one in memory.captured.list()] == ["episode", "fix"]
            fix, episode = [one.memory for one in memory.captured.list()][::-1]
        assert (fix.type, fix.origin) == ("procedural", "agent") and "pytest tests/harbour" in fix.trigger
        assert episode.type == "episodic" and "integration tests of the harbour" in episode.content

    def test_what_solved_a_failure_is_told_when_it_happens_again(self, agent: Agent, home: Path, shop: Path) -> None:
        self.works(agent)
        agent.ends()
        tended(home)
        later = Agent(home, shop, "s2")
        error = "Exit code 1\nModuleNotFoundError: No module named 'ferry'"
        said = later.fails("pytest tests/harbour", error)
        assert "pyproject.toml" in said and said.startswith("The memory of this project knows something")
        assert later.fails("pytest tests/harbour", error) == ""
        assert Agent(home, shop, "s3").fails("cargo build", "Exit code 101\nerror[E0308]: mismatched types") == ""

    def test_one_that_nobody_can_read_is_as_good_as_none(self, agent: Agent, home: Path, tmp_path: Path) -> None:
        log = tmp_path / "events.jsonl"
        log.write_text('{"type": "session.start", "data": {"version": 9}}\n{"type": "user.message"}\n')
        agent.transcript = str(log)
        self.works(agent)
        agent.ends()
        tended(home)
        with taken_in(home, project="shop") as memory:
            assert {one.kind for one in memory.captured.list()} == {"fix", "episode"}

    def test_a_session_is_one_episode_however_often_it_is_resumed(self, agent: Agent, home: Path) -> None:
        for reason in ("other", "logout"):
            self.works(agent)
            agent.ends(reason)
            tended(home)
        with taken_in(home, project="shop") as memory:
            assert [one.kind for one in memory.captured.list()].count("episode") == 1


class TestTakenBack:
    def test_what_was_released_does_not_come_back(self, written: Written, home: Path) -> None:
        written.asks(SAID)
        with taken_in(home) as memory:
            (caught,) = memory.captured.list()
            memory.captured.undo(caught.memory.id, reason="not wanted")
            assert [*memory.list()] == [] == memory.captured.list()
            memory.maintenance.run()
        written.asks("now to the login page please")
        written.asks(SAID)
        tended(home)
        assert contents(home) == []

    def test_a_whole_session_is_released_and_no_other(self, agent: Agent, home: Path, shop: Path) -> None:
        agent.asks(SAID)
        agent.asks("Remember that the quay is closed on Sundays")
        Agent(home, shop, "s2").asks(OTHER)
        with taken_in(home) as memory:
            assert len(memory.captured.list()) == 3
            assert len(memory.captured.undo(session="s1")) == 2
            assert [one.session for one in memory.captured.list()] == ["s2"]
            assert memory.captured.undo(session="s1") == []

    def test_undoing_a_release_brings_it_back(self, agent: Agent, home: Path) -> None:
        agent.asks(SAID)
        with taken_in(home) as memory:
            (done,) = memory.captured.undo(memory.captured.list()[0].memory.id)
            memory.undo(done.event.id)
            assert [one.memory.content for one in memory.captured.list()] == [KEPT]

    def test_naming_one_twice_releases_it_once(self, agent: Agent, home: Path) -> None:
        agent.asks(SAID)
        with taken_in(home) as memory:
            id = memory.captured.list()[0].memory.id
            assert len(memory.captured.undo(id, id)) == 1

    def test_what_was_not_captured_is_not_released(self, agent: Agent, home: Path) -> None:
        agent.asks(SAID)
        with taken_in(home) as memory:
            made = memory.remember("The quay is long")
            with pytest.raises(treering.NotFound, match="captured memory"):
                memory.captured.undo(memory.captured.list()[0].memory.id, made.id)
            assert len([*memory.list()]) == 2

    def test_revoking_a_session_removes_all_that_came_of_it(self, written: Written, home: Path) -> None:
        written.asks(SAID)
        written.agent.compacts("The user told the colour of the crane.")
        tended(home)
        with taken_in(home, actor="user") as memory:
            memory.revoke(session="s1")
            assert [*memory.list()] == [] == memory.captured.list()
            memory.maintenance.run()
        written.asks("now to the login page please")
        tended(home)
        assert contents(home) == []


class TestPurged:
    WORD = b"zanzibarquux"
    SAID = "Remember that the zanzibarquux vault is opened with the blue plate"

    def purge(self, home: Path) -> None:
        with taken_in(home, actor="user") as memory:
            memory.purge(*[one.id for one in memory.list()])

    def test_no_word_of_it_is_left_on_the_disk(self, agent: Agent, home: Path) -> None:
        """Not in the inbox, and not as what was asked of the memory."""
        agent.asks(self.SAID)
        agent.answers("I have noted that for zanzibarquux.")
        tended(home)
        assert self.WORD in bytes_of(home)
        self.purge(home)
        assert self.WORD not in bytes_of(home)

    def test_nor_when_it_was_said_in_a_session_that_is_over(self, agent: Agent, home: Path) -> None:
        agent.asks(self.SAID)
        agent.ends()
        tended(home)
        self.purge(home)
        assert self.WORD not in bytes_of(home)

    def test_nor_before_anybody_has_taken_it_in(self, agent: Agent, home: Path, shop: Path) -> None:
        """The letter of another session, which came while the purge was on its way."""
        with taken_in(home, actor="user") as memory:
            made = memory.remember("the zanzibarquux vault", project="shop")
            Agent(home, shop, "s2").asks("where is the key of the zanzibarquux vault kept, and by whom?")
            assert memory.workspace.inbox is not None
            memory.purge(made.id)
        assert rows(home, "SELECT count(*) FROM inbox WHERE instr(body, 'zanzibarquux')") == [(0,)]

    def test_the_transcript_does_not_bring_it_back(self, written: Written, home: Path) -> None:
        written.asks(self.SAID)
        tended(home)
        self.purge(home)
        for prompt in ("now to the login page please", "and to the other page please"):
            written.asks(prompt)
            tended(home)
        written.agent.ends()
        tended(home)
        assert [one for one in contents(home) if "zanzibarquux" in one] == []
        told = [event.kind for event in events(home) if "zanzibarquux" in (event.payload or "")]
        assert [kind for kind in told if kind != PROMPTED] == []

    def test_nor_does_the_transcript_of_another_session(self, home: Path, shop: Path, tmp_path: Path) -> None:
        """It was said there too, and known by then."""
        both = [Written(Agent(home, shop, name), tmp_path) for name in ("s1", "s2")]
        for one in both:
            one.asks(self.SAID)
        tended(home)
        self.purge(home)
        for one in both:
            one.asks("now to the login page please")
        tended(home)
        assert [one for one in contents(home) if "zanzibarquux" in one] == []

    def test_nor_does_a_session_that_is_resumed_after_a_month(self, written: Written, home: Path) -> None:
        written.asks(self.SAID)
        tended(home)
        self.purge(home)
        with taken_in(home) as memory:
            assert memory.workspace.inbox is not None
            memory.workspace.inbox.sweep(written.agent.now * 2)
        written.asks("now to the login page please")
        tended(home)
        assert [one for one in contents(home) if "zanzibarquux" in one] == []

    def test_no_word_of_it_is_left_in_the_spool(self, written: Written, home: Path) -> None:
        with taken_in(home, actor="user") as memory:
            made = memory.remember("the zanzibarquux vault", project="shop")
            with writing(home):
                written.asks(self.SAID)
            (home / "inbox" / "1-1.part").write_text(self.SAID)
            os.utime(home / "inbox" / "1-1.part", (1, 1))
            memory.purge(made.id)
            assert spooled(home) == []

    def test_letters_of_others_that_nobody_has_read_are_not_lost(self, agent: Agent, home: Path, shop: Path) -> None:
        """A process that runs for long may purge while letters wait."""
        with taken_in(home, actor="user") as memory:
            made = memory.remember("the zanzibarquux vault", project="shop")
            Agent(home, shop, "s2").asks(SAID)
            memory.purge(made.id)
        assert contents(home) == [KEPT]

    def test_nor_is_what_comes_while_the_purge_is_on_its_way(
        self, home: Path, shop: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Queued in the store, or in the folder as somebody was writing, after all that waited had been taken in."""

        def arriving(store: SqliteStore) -> bool:
            monkeypatch.undo()
            Agent(home, shop, "s2").asks(SAID)
            with writing(home):
                Agent(home, shop, "s3").asks("Remember that the harbour closes at nine")
            return store.scrub()

        with taken_in(home, actor="user") as memory:
            made = memory.remember("the zanzibarquux vault", project="shop")
            monkeypatch.setattr(SqliteStore, "scrub", arriving)
            memory.purge(made.id)
        assert sorted(contents(home)) == sorted([KEPT, "The harbour closes at nine."]) and spooled(home) == []

    def test_what_else_was_said_in_its_session_is_kept(self, written: Written, home: Path) -> None:
        """Even what stands only in the transcript, which nobody had read on in yet."""
        written.asks(self.SAID)
        tended(home)
        written.asks("Always run the linter with the strict profile before a commit.")
        with taken_in(home, actor="user") as memory:
            memory.purge(*[one.id for one in memory.list() if "zanzibarquux" in one.content])
        written.agent.ends()
        tended(home)
        assert any("strict profile" in one for one in contents(home))
        assert self.WORD not in bytes_of(home)

    def test_other_sessions_keep_what_they_have_queued(self, agent: Agent, home: Path, shop: Path) -> None:
        agent.asks(self.SAID)
        other = Agent(home, shop, "s2")
        other.asks("please look at the login page")
        tended(home)
        self.purge(home)
        assert rows(home, "SELECT count(*) FROM inbox WHERE instr(body, 'login page')") == [(1,)]


def test_what_is_captured_is_in_the_ledger_with_what_it_rests_on(agent: Agent, home: Path) -> None:
    agent.asks(SAID)
    (made,), (captured,) = events(home, REMEMBERED), events(home, CAPTURED)
    assert (captured.subject, captured.causes, captured.actor) == (made.id, (made.id,), "hook")


def native(agent: str, prompt: str, folder: Path) -> tuple[str, dict[str, Any]]:
    """A prompt as an agent tells it to its hooks: its own name of the event, and its own payload."""
    cases = json.loads((Path(payloads.__file__).parent / "payloads" / f"{agent}.json").read_text())["cases"]
    found = next(case for case in cases if case["heard"] and case["heard"].get("event") == "UserPromptSubmit")
    told = found["heard"]
    text = json.dumps(found["payload"]).replace(json.dumps(told["prompt"]), json.dumps(prompt))
    return found["event"], json.loads(text.replace(told["cwd"], str(folder)))


@pytest.mark.parametrize("agent", AGENTS)
def test_what_is_told_to_any_agent_is_kept_once_for_its_project(agent: str, home: Path, shop: Path) -> None:
    event, payload = native(agent, SAID, shop)
    for _ in range(2):
        assert act(event, payload, agent, str(home), {}, now()) == ("", "")
        tended(home)
    with treering.open(home, project="shop") as memory:
        assert [(one.content, one.project) for one in memory.list()] == [(KEPT, "shop")]
