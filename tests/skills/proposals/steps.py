"""What random histories do with signals, proposals and skills, and what holds after each step."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from tests.skills.proposals.desk import AGAIN, PROMPTS, refused, said, skill, transcript, tries
from tests.world import picture
from treering.ledger.types import RECALLABLE, Memory
from treering.memory import Treering

# A session that asks for the same three times, and gets stuck twice.
TALK = [
    *tries("t", times=4),
    *(said(text, f"u{number}", f"s{number}") for number, text in enumerate(AGAIN)),
    *refused("r", "never delete the build folder"),
    *tries("v", times=5, session="s2"),
]


class Steps:
    """Steps of machines that share a folder."""

    def settle(self) -> None:
        self.folder = TemporaryDirectory()
        self.root = Path(self.folder.name)
        skill(self.root / "skills", "deploy-shop")

    def do_propose(self, memory: Treering, pick: int, ripe: bool) -> None:
        """Analysing twice adds nothing."""
        if ripe:
            for session in ("s1", "s2", "s3"):
                memory.recall(f"{PROMPTS[pick % len(PROMPTS)]} of {session}", session=session)
                if (note := self.told(memory, pick)) is not None:
                    memory.recall(note.content, session=session, silent=False)
        told = memory.proposals.analyze()
        before = memory.proposals.list()
        assert {*told.added, *told.again} <= {one.id for one in before if one.status in ("pending", "applied", "moot")}
        again = memory.proposals.analyze()
        assert (again.added, again.again, again.grown, again.generated) == ((), (), (), told.generated)
        assert memory.proposals.list() == before

    def do_decide(self, memory: Treering, pick: int, how: str) -> None:
        """It stands as decided; undoing the decision takes it back; and it is all about what it says."""
        known = memory.proposals.list()
        if not known:
            return
        one = known[pick % len(known)]
        if how == "promote":
            memory.proposals.promote(one.name, str(self.root))
        elif how == "undo":
            made = [event.id for event in memory.proposals.log() if one.id in (event.payload or "")]
            memory.undo(made[-1])
        elif how == "reject":
            assert memory.proposals.reject(one.id, "no").status in ("rejected", "applied", "moot")
        else:
            memory.proposals.accept(one.id, str(self.root), overwrite=pick % 2 == 0)
            assert memory.proposals.get(one.id).status in ("accepted", "applied")

    def do_mine(self, memory: Treering, rows: int) -> None:
        """A transcript that somebody goes on with, or has replaced; the second time there is nothing new."""
        path = self.root / "talk.jsonl"
        path.unlink(missing_ok=True)
        transcript(path, *TALK[:rows])
        memory.captured.mine(str(path))
        before = memory.proposals.signals()
        assert memory.captured.mine(str(path)).lines == 0
        assert memory.proposals.signals() == before

    def do_skill(self, memory: Treering, session: str, verdict: str) -> None:
        memory.skills.use("deploy-shop", str(self.root), session=session)
        if verdict:
            told = memory.skills.feedback("deploy-shop", verdict, session=session)
            assert memory.skills.feedback("deploy-shop", verdict, session=session) == told

    @staticmethod
    def told(memory: Treering, pick: int) -> Memory | None:
        """One of those that recall may show."""
        found = [note for _, note in sorted(picture(memory.store).items()) if note.status in RECALLABLE]
        return found[pick % len(found)] if found else None
