"""What is undone, revoked or purged takes what was proposed and decided with it."""

from __future__ import annotations

from pathlib import Path

import pytest

import treering
from tests.faults.harness import files_of
from tests.skills.proposals.desk import FACT, NAME, Desk, said, transcript, tree
from treering.ledger.codec import draft
from treering.ledger.errors import NotFound, ReadOnly
from treering.ledger.events import ACCEPTED, PROMOTED, PROPOSED, REJECTED, WORDED
from treering.ledger.types import Context

WORDS = (b"quokka", b"marmalade", b"zeppelin")  # of the memory, in no query and no prompt
SECRETIVE = "Deploy the shop: quokka marmalade zeppelin"
TRIGGER = "when the shop is deployed"
PROCESSES = tuple(f"Deploy the shop {word}, with quokka marmalade" for word in ("first", "then", "last"))


class TestUndoing:
    def test_an_acceptance_can_be_undone(self, desk: Desk, root: Path) -> None:
        """It waits again; the file stays, and accepting again claims it."""
        proposal = desk.upgrade()
        desk.memory.proposals.accept(proposal.id, str(root))
        before = tree(root)
        desk.memory.undo(desk.events(ACCEPTED)[0].id)
        now = desk.memory.proposals.get(proposal.id)
        assert (now.status, now.path, now.file) == ("pending", "", "")
        assert tree(root) == before
        desk.memory.proposals.accept(proposal.id, str(root))
        assert (tree(root), desk.status(proposal.id)) == (before, "accepted")

    def test_a_rejection_can_be_undone(self, desk: Desk) -> None:
        """It waits again, without its note."""
        proposal = desk.upgrade()
        desk.memory.proposals.reject(proposal.id, "hasty")
        desk.memory.undo(desk.events(REJECTED)[0].id)
        assert desk.memory.proposals.get(proposal.id) == proposal

    def test_the_memory_takes_its_proposal_along(self, desk: Desk, root: Path) -> None:
        """Accepted or not; undoing that brings both back."""
        proposal = desk.upgrade()
        desk.memory.proposals.accept(proposal.id, str(root))
        undone = desk.memory.undo(proposal.memories[0])
        assert desk.memory.proposals.list() == []
        with pytest.raises(NotFound):
            desk.memory.proposals.accept(proposal.id, str(root), overwrite=True)
        desk.memory.undo(undone.event.id)
        assert desk.status(proposal.id) == "accepted"

    def test_a_promotion_can_be_undone(self, desk: Desk, root: Path, tmp_path: Path) -> None:
        """It is an accepted draft again, whose file is elsewhere."""
        (talk := tmp_path / "talk").mkdir()
        (one,) = desk.eased(talk)
        desk.memory.proposals.accept(one.id, str(root))
        desk.memory.proposals.promote(one.name, str(root))
        desk.memory.undo(desk.events(PROMOTED)[0].id)
        assert (desk.status(one.id), desk.memory.proposals.get(one.id).file) == ("accepted", "deleted since")

    def test_undoing_a_reading_lets_the_transcript_be_read_again(self, desk: Desk, tmp_path: Path) -> None:
        """What it told is known still, and counts once."""
        path = transcript(tmp_path / "a.jsonl", said("deploy the shop to the cluster", "u1"))
        desk.memory.captured.mine(str(path))
        desk.memory.undo(desk.events("transcript.read.v1")[0].id)
        assert desk.memory.captured.mine(str(path)).lines == 1
        assert desk.memory.proposals.signals().asked == 1


class TestRevoking:
    def test_a_poisoned_source_takes_what_was_made_of_it(self, desk: Desk, root: Path) -> None:
        """Proposals and acceptances; the rest stands."""
        poisoned, sound = desk.upgrade(FACT, origin="tool:web"), desk.upgrade("Queues are emptied on Sunday nights")
        desk.memory.proposals.accept(poisoned.id, str(root))
        desk.memory.revoke(source="tool:web")
        assert [one.id for one in desk.memory.proposals.list()] == [sound.id]
        assert desk.analyzed().added == ()
        assert desk.events(ACCEPTED, live=True) == []

    def test_a_poisoned_session_takes_what_it_spoke_for(self, desk: Desk) -> None:
        """Prompts of it, wherever they stand among the others; and surfacings, if too few are left."""
        desk.miss("poisoned gradual rollout of feature flags", session="bad")
        route = desk.route()
        for number in range(12):
            desk.miss(f"feature flags gradual rollout number{number}", first=20 + number)
        note = desk.reuse(sessions=2)
        desk.show(note, session="bad")
        desk.analyzed()
        assert {one.kind for one in desk.memory.proposals.list()} == {"routing-addition", "skill-upgrade"}
        desk.memory.revoke(session="bad")
        assert all("poisoned" not in one.text for one in desk.memory.proposals.list())
        assert "skill-upgrade" not in {one.kind for one in desk.memory.proposals.list("pending")}
        desk.analyzed()
        assert [one.kind for one in desk.memory.proposals.list("pending")] == ["routing-addition"]
        assert route.kind == "routing-addition"

    def test_a_poisoned_transcript_takes_its_draft(self, desk: Desk, root: Path, tmp_path: Path) -> None:
        """And the acceptance of it."""
        (talk := tmp_path / "talk").mkdir()
        (one,) = desk.eased(talk)
        desk.memory.proposals.accept(one.id, str(root))
        desk.memory.revoke(session="stuck0")
        assert desk.memory.proposals.list() == []
        assert desk.analyzed().added == ()


class TestPurging:
    @pytest.mark.parametrize("decided", ("pending", "worded", "accepted", "rejected"))
    def test_no_word_of_a_memory_is_left(self, tmp_path: Path, root: Path, decided: str) -> None:
        """In no proposal and in no byte of the store. Only the file that a person wanted is theirs."""
        home = tmp_path / "home"
        with treering.open(home) as memory:
            note = memory.remember(SECRETIVE)
            for number in range(3):
                assert memory.recall("deploy the shop", session=f"s{number}", silent=False).hits
            (id,) = memory.proposals.analyze().added
            if decided == "worded":
                made = memory.proposals.get(id).event
                data = {"proposal": id, "name": "quokka-care", "description": "For quokka marmalade", "model": "m"}
                memory.ledger.commit(lambda: [draft(WORDED, data, Context(), note.id, (made,))])
            if decided in ("worded", "accepted"):
                assert "quokka" in memory.proposals.accept(id, str(root)).path
            if decided == "rejected":
                memory.proposals.reject(id, "no")
            memory.purge(note.id)
            assert memory.proposals.list() == []
            assert memory.proposals.analyze().added == ()
            assert memory.evolve.run().details == ()  # which looks at all that was proposed
        assert [word for word in WORDS for data in files_of(str(home)).values() if word in data] == []

    def test_no_word_of_processes_is_left_in_a_skill_made_of_them(self, tmp_path: Path, root: Path) -> None:
        """Once all of them are purged; of one that is, the draft tells no longer."""
        home = tmp_path / "home"
        with treering.open(home) as memory:
            notes = [memory.remember(text, type="procedural", trigger=TRIGGER) for text in PROCESSES]
            drafted = memory.proposals.induce(
                [note.id for note in notes], name="marmalade-care", description="quokka care"
            )
            memory.proposals.accept(drafted.id, str(root))
            memory.purge(notes[1].id)
            text = memory.proposals.get(drafted.id).text
            assert ("Deploy the shop first" in text, "Deploy the shop then" in text) == (True, False)
            memory.purge(notes[0].id, notes[2].id)
            assert memory.proposals.list() == []
        assert [word for word in WORDS for data in files_of(str(home)).values() if word in data] == []


class TestThePast:
    def test_a_view_of_the_past_shows_and_decides_nothing(self, tmp_path: Path, root: Path) -> None:
        """What was proposed then is listed and shown; accepting, rejecting, promoting and mining are refused."""
        home = tmp_path / "home"
        with treering.open(home) as memory:
            memory.remember(FACT)
            for number in range(3):
                memory.recall(FACT, session=f"s{number}", silent=False)
            (id,) = memory.proposals.analyze().added
            proposal = memory.proposals.get(id)
        with treering.open(home, as_of="2999-01-01") as past:
            assert past.proposals.list() == [proposal]
            assert past.proposals.get(id).text == proposal.text
            assert [review.proposal.id for review in past.proposals.reviews()] == [id]
            assert past.proposals.signals().reuse[0].times == 3
            path = str(transcript(tmp_path / "a.jsonl", said("deploy the shop to the cluster", "u1")))
            for act in (
                lambda: past.proposals.accept(id, str(root)),
                lambda: past.proposals.reject(id),
                lambda: past.proposals.promote(NAME, str(root)),
                lambda: past.proposals.analyze(),
                lambda: past.captured.mine(path),
                lambda: past.skills.feedback("a-skill", "helpful"),
            ):
                with pytest.raises(ReadOnly):
                    act()
        assert tree(root) == {}

    def test_before_it_was_made_there_was_none(self, tmp_path: Path) -> None:
        home = tmp_path / "home"
        with treering.open(home) as memory:
            memory.remember(FACT)
            for number in range(3):
                memory.recall(FACT, session=f"s{number}", silent=False)
            memory.proposals.analyze()
        with treering.open(home, as_of="2020-01-01") as past:
            assert past.proposals.list() == []
        with treering.open(home) as memory:
            assert [event.kind for event in memory.proposals.log()] == [PROPOSED]
