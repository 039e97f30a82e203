"""The rules that nothing may break: proposals are made of evidence, and a person decides."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treering
from tests.skills.proposals.desk import COMMAND, FACT, NAME, PROMPTS, TOKEN, Desk, tree
from treering.ledger import decide
from treering.ledger.codec import decode
from treering.ledger.errors import Refused
from treering.ledger.events import ACCEPTED, PROPOSED, REJECTED
from treering.ledger.types import Context, Recall


class TestTheSixOfTheSeed:
    def test_nothing_is_ever_applied_by_itself(self, desk: Desk, root: Path, user: Path, tmp_path: Path) -> None:
        """Signals, analysing, evolving, listing, showing and reviewing write no file, here or at home."""
        (talk := tmp_path / "talk").mkdir()
        desk.upgrade()
        desk.route()
        desk.eased(talk)
        desk.memory.evolve.run()
        kinds = {one.kind for one in desk.memory.proposals.list("pending")}
        assert kinds == {"skill-upgrade", "routing-addition", "skill-draft"}
        for review in desk.memory.proposals.reviews():
            desk.memory.proposals.get(review.proposal.id)
            desk.memory.proposals.draft(review.proposal.id, str(root))
        assert tree(root) == tree(user) == {}

    def test_nothing_is_overwritten_unless_that_is_said(self, desk: Desk, root: Path) -> None:
        """Not even by a proposal that has grown stale; and a refusal leaves it undecided."""
        proposal = desk.upgrade()
        there = root / proposal.target
        there.parent.mkdir(parents=True)
        there.write_text("my own work")
        with pytest.raises(Refused, match="--overwrite"):
            desk.memory.proposals.accept(proposal.id, str(root))
        assert (there.read_text(), desk.status(proposal.id)) == ("my own work", "pending")
        desk.memory.proposals.accept(proposal.id, str(root), overwrite=True)
        assert there.read_text() == proposal.text
        assert desk.told(ACCEPTED)[0]["replaced"]

    @settings(max_examples=200, deadline=None)
    @given(st.text(max_size=60))
    def test_noting_a_miss_never_blocks_a_recall(self, prompt: str) -> None:
        """Whatever was asked, the recall can be written down."""
        found = Recall("", prompt.encode("utf-8", "replace").decode(), ())
        data = decode(decide.recalled(found, 5, 0, Context(), missed=True).payload)
        assert data["query"] == found.query

    def test_a_recall_needs_nothing_of_all_this(self, tmp_path: Path) -> None:
        """It does not even import what analyses, proposes, mines or asks a model."""
        script = (
            "import sys, treering\n"
            "with treering.open(sys.argv[1]) as memory:\n"
            "    memory.recall('how do we roll out feature flags gradually')\n"
            "loaded = [name for name in sys.modules if name.startswith('treering.')]\n"
            "print([name for name in loaded if name.split('.')[1] in\n"
            "       ('evolve', 'skills', 'consolidate', 'documents')])"
        )
        done = subprocess.run([sys.executable, "-c", script, tmp_path], capture_output=True, text=True, timeout=300)
        assert (done.stdout.strip(), done.stderr) == ("[]", "")

    def test_a_placeholder_routes_nothing(self, desk: Desk, root: Path) -> None:
        """A routing entry names no agent, before and after it is accepted, until a person writes one in."""
        proposal = desk.route()
        accepted = desk.memory.proposals.accept(proposal.id, str(root))
        text = Path(accepted.path).read_text()
        assert accepted.path == str(root / "rules/common/agent-intent-routing.md")
        assert [line for line in text.splitlines() if line.startswith("#")] == [
            f"### TODO-agent — covers prompts about {', '.join(proposal.tokens)}"
        ]
        assert desk.memory.skills.list(str(root)) == []

    def test_the_same_evidence_has_the_same_id(self, desk: Desk) -> None:
        """Analysing again adds nothing, and changes nothing."""
        desk.upgrade()
        desk.route()
        before = desk.memory.proposals.list()
        again = desk.analyzed()
        assert (again.added, again.again, again.grown, len(again.generated)) == ((), (), (), 2)
        assert desk.memory.proposals.list() == before
        assert len(desk.events(PROPOSED)) == 2

    def test_every_decision_is_one_more_event(self, desk: Desk, root: Path) -> None:
        """None is ever changed or taken away; the trail tells all of it, with the note and the whole path."""
        upgrade, route = desk.upgrade(), desk.route()
        before = list(desk.store.events())
        desk.memory.proposals.reject(upgrade.id, "not yet")
        desk.memory.proposals.accept(upgrade.id, str(root))
        desk.memory.proposals.reject(route.id, "covered by debug-detective")
        assert list(desk.store.events())[: len(before)] == before
        kinds = [event.kind for event in desk.memory.proposals.log()]
        assert kinds == [PROPOSED, PROPOSED, REJECTED, ACCEPTED, REJECTED]
        assert [data["note"] for data in desk.told(REJECTED)] == ["not yet", "covered by debug-detective"]
        assert desk.told(ACCEPTED)[0]["path"] == str(root / "skills" / NAME / "SKILL.md")


class TestIds:
    def test_an_id_is_a_function_of_the_evidence_alone(self, tmp_path: Path) -> None:
        """Two stores that have seen the same propose the same, at any time."""
        one, two = Desk(seed=1), Desk(seed=1)
        two.pass_(days=3)
        for desk, folder in ((one, tmp_path / "one"), (two, tmp_path / "two")):
            folder.mkdir()
            desk.reuse()
            desk.miss()
            desk.eased(folder)
        named = [{proposal.id for proposal in desk.memory.proposals.list()} for desk in (one, two)]
        assert named[0] == named[1]
        assert len(named[0]) == 3

    def test_an_id_tells_the_kind_and_ten_digits(self, desk: Desk, tmp_path: Path) -> None:
        (talk := tmp_path / "talk").mkdir()
        desk.upgrade()
        desk.route()
        desk.eased(talk)
        for proposal in desk.memory.proposals.list():
            prefix, _, digits = proposal.id.partition("-")
            kind = {"skill": "skill-upgrade", "route": "routing-addition", "draft": "skill-draft"}[prefix]
            assert (proposal.kind, len(digits)) == (kind, 10)
            assert int(digits, 16) >= 0

    def test_more_evidence_keeps_the_id(self, desk: Desk) -> None:
        """What waits for a person is not put before them a second time; it tells what speaks for it now."""
        upgrade, route = desk.upgrade(), desk.route()
        desk.shown(desk.memory.get(upgrade.memories[0]), 4, first=10)
        desk.miss(*PROMPTS, first=10)
        again = desk.analyzed()
        assert set(again.generated) == {*again.grown} == {upgrade.id, route.id}
        assert again.added == again.again == ()
        assert [desk.memory.proposals.get(one.id).weight for one in (upgrade, route)] == [7, 7]
        assert "surfaced 7x across 7 sessions" in desk.memory.proposals.get(upgrade.id).reason
        assert desk.analyzed().grown == ()

    def test_the_beginning_of_an_id_is_enough(self, desk: Desk) -> None:
        desk.upgrade()
        route = desk.route()
        assert desk.memory.proposals.get("route").id == desk.memory.proposals.get(route.id[:8]).id == route.id


class TestComingBack:
    def test_what_was_rejected_stays_away_until_the_evidence_has_doubled(self, desk: Desk) -> None:
        """Five sessions instead of three do not bring it back; six do, and it says so."""
        proposal = desk.upgrade()
        note = desk.memory.get(proposal.memories[0])
        desk.memory.proposals.reject(proposal.id, "too early")
        desk.shown(note, 2, first=3)
        assert desk.analyzed().again == ()
        assert desk.status(proposal.id) == "rejected"
        desk.shown(note, 1, first=5)
        told = desk.analyzed()
        assert (told.added, told.again) == ((), (proposal.id,))
        back = desk.memory.proposals.get(proposal.id)
        assert (back.status, back.weight, back.before) == ("pending", 6, 3)
        assert "rejected" in back.reason
        assert (desk.analyzed().again, desk.analyzed().grown) == ((), ())
        assert len(desk.events(PROPOSED)) == 2

    def test_what_was_rejected_twice_needs_twice_as_much_again(self, desk: Desk) -> None:
        """Twelve, after six."""
        proposal = desk.upgrade()
        note = desk.memory.get(proposal.memories[0])
        desk.memory.proposals.reject(proposal.id)
        desk.shown(note, 3, first=3)
        assert desk.analyzed().again == (proposal.id,)
        desk.memory.proposals.reject(proposal.id, "still no")
        desk.shown(note, 5, first=6)
        assert desk.analyzed().again == ()
        desk.shown(note, 1, first=11)
        assert desk.analyzed().again == (proposal.id,)
        assert desk.memory.proposals.get(proposal.id).before == 6

    def test_it_is_what_spoke_for_it_when_it_was_rejected_that_has_to_double(self, desk: Desk) -> None:
        """Nothing new has come since: it stays away."""
        proposal = desk.upgrade()
        desk.shown(desk.memory.get(proposal.memories[0]), 3, first=3)
        desk.memory.proposals.reject(proposal.id)
        assert desk.analyzed().again == ()

    def test_a_rejection_outlasts_what_the_proposal_rested_on(self, desk: Desk) -> None:
        """One prompt of it is undone and another comes: a person is not asked the same again."""
        recalls = desk.miss(*PROMPTS)
        proposal = desk.memory.proposals.get(desk.analyzed().added[0])
        desk.memory.proposals.reject(proposal.id, "covered")
        desk.memory.undo(recalls[1])
        desk.miss("feature flags and their gradual rollout, once more", first=9)
        told = desk.analyzed()
        assert (told.generated, told.added, told.again) == ((proposal.id,), (), ())
        assert desk.memory.proposals.list("pending") == []

    def test_what_was_accepted_never_comes_back(self, desk: Desk, root: Path) -> None:
        """However often it is used."""
        proposal = desk.upgrade()
        desk.memory.proposals.accept(proposal.id, str(root))
        desk.shown(desk.memory.get(proposal.memories[0]), 9, first=3)
        assert (desk.analyzed().added, desk.analyzed().again) == ((), ())
        assert desk.status(proposal.id) == "accepted"


class TestFriction:
    def test_one_draft_made_of_friction_waits_at_a_time(self, desk: Desk, tmp_path: Path) -> None:
        """The most costly first; analysing again adds nothing until somebody has decided on it."""
        (talk := tmp_path / "talk").mkdir()
        (first,) = desk.eased(talk, COMMAND, "pytest tests/billing -k invoices")
        assert len(desk.analyzed().generated) == 2
        assert desk.analyzed().added == ()
        desk.memory.proposals.reject(first.id)
        (second,) = desk.analyzed().added
        assert second != first.id
        assert desk.analyzed().added == desk.analyzed().again == ()

    def test_a_draft_waits_in_quarantine(self, desk: Desk, root: Path, tmp_path: Path) -> None:
        """No agent finds it there: not by listing, searching or its place in a prompt."""
        (talk := tmp_path / "talk").mkdir()
        (draft,) = desk.eased(talk)
        path = Path(desk.memory.proposals.accept(draft.id, str(root)).path)
        assert path == root / ".treering/drafts" / draft.name / "SKILL.md"
        assert path.read_text() == draft.text
        assert desk.memory.skills.list(str(root)) == []
        assert desk.memory.skills.search(COMMAND, root=str(root)) == []
        assert desk.memory.skills.index(COMMAND, str(root)) == ""


def test_no_model_is_needed(tmp_path: Path, root: Path) -> None:
    """One that is configured and does not answer changes nothing of what is proposed and accepted."""
    (home := tmp_path / "home").mkdir()
    (home / "config.toml").write_text('[llm]\nbase_url = "http://127.0.0.1:9/v1"\nmodel = "none"\ntimeout = 1\n')
    with treering.open(home) as memory:
        memory.remember(FACT)
        for number in range(3):
            memory.recall(FACT, session=f"s{number}", silent=False)
        (id,) = memory.proposals.analyze().added
        assert memory.proposals.get(id).name == NAME
        assert memory.proposals.accept(id, str(root)).path == str(root / "skills" / NAME / "SKILL.md")


def test_no_secret_of_a_note_is_kept(desk: Desk) -> None:
    proposal = desk.upgrade()
    assert TOKEN not in desk.memory.proposals.reject(proposal.id, f"it needs {TOKEN} to work").note
    assert all(TOKEN not in (event.payload or "") for event in desk.events())
