"""A vault of a memory that has evolved: what was retired is told as such, and comes back as it was told."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.documents.vault.test_histories import shown
from tests.world import Clock, Hashed, memory_on, store_in_memory
from treering.documents.vault.vault import read, replay, write
from treering.ledger.sessions import DAY
from treering.ledger.types import Context, Memory
from treering.ledger.verify import verify
from treering.memory import Treering


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def memory(clock: Clock) -> Treering:
    return memory_on(store_in_memory(), clock, embedder=Hashed())


class Grown:
    """One of each: a memory that was merged into another, two into a new one, one deprecated and one refined."""

    def __init__(self, memory: Treering) -> None:
        self.kept, self.gone = (self.said(memory, "Deploy with make deploy", end) for end in ("", "."))
        shown(memory, self.kept.id, 5)
        self.kept = memory.evolve.merge(self.kept.id, self.gone.id)
        self.parts = [self.said(memory, "Kettles are green", end) for end in ("", ".")]
        shown(memory, self.parts[0].id, 5)
        self.whole = memory.evolve.merge([part.id for part in self.parts], text="Every kettle is green")
        self.failed = self.said(memory, "Look twice before you leap", "")
        shown(memory, self.failed.id, 10, "not_helpful")
        memory.evolve.deprecate(self.failed.id, reason="it helps nobody")
        self.rough = self.said(memory, "Ask somebody for the password", "")
        shown(memory, self.rough.id, 5, "not_helpful")
        self.fine = memory.evolve.refine(self.rough.id, "Ask the team lead for the password", reason="says whom")

    @staticmethod
    def said(memory: Treering, text: str, end: str) -> Memory:
        return memory.remember(text + end, session="monday")

    @property
    def told(self) -> set[str]:
        return {note.content for note in (self.kept, self.whole, self.fine)}


def continuity(folder: Path) -> str:
    return (folder / "continuity.md").read_text()


def written(memory: Treering, folder: Path) -> None:
    write(memory.store, str(folder), "default", memory.workspace.now())


def test_what_was_retired_is_out_of_continuity(memory: Treering, tmp_path: Path) -> None:
    """A refinement is in the archive with its reason; what was merged or deprecated is told nowhere else."""
    grown = Grown(memory)
    written(memory, tmp_path)
    for text in grown.told:
        assert f"- {text}\n" in continuity(tmp_path)
    for note in (grown.gone, *grown.parts, grown.failed, grown.rough):
        assert f"id: {note.id} " not in continuity(tmp_path)
    archive = (tmp_path / "archive.md").read_text()
    assert "Ask somebody for the password" in archive and "says whom" in archive
    assert "Look twice" not in archive
    assert replay(str(tmp_path)).equal


def test_what_is_retired_later_is_taken_back(memory: Treering, tmp_path: Path, clock: Clock) -> None:
    """The session files stay as they are; a new one says what went, and why; and restoring tells it again."""
    notes = [Grown.said(memory, "Deploy with make deploy", end) for end in ("", ".")]
    failing = Grown.said(memory, "Look twice before you leap", "")
    written(memory, tmp_path)
    before = {path.name: path.read_text() for path in (tmp_path / "sessions").iterdir()}
    clock.time += DAY
    shown(memory, notes[0].id, 5)
    memory.evolve.merge([note.id for note in notes], reason="the same twice")
    shown(memory, failing.id, 10, "not_helpful")
    memory.evolve.deprecate(failing.id, reason="it helps nobody")
    written(memory, tmp_path)
    after = {path.name: path.read_text() for path in (tmp_path / "sessions").iterdir()}
    assert {name: after[name] for name in before} == before
    (news,) = (text for name, text in after.items() if name not in before)
    assert "the same twice" in news and "it helps nobody" in news
    assert "Look twice" not in continuity(tmp_path) and continuity(tmp_path).count("Deploy with make deploy") == 1
    assert replay(str(tmp_path)).equal
    memory.restore(failing.id)
    written(memory, tmp_path)
    assert "- Look twice before you leap\n" in continuity(tmp_path) and replay(str(tmp_path)).equal


def test_a_store_that_is_started_from_it_believes_the_same(memory: Treering, tmp_path: Path, clock: Clock) -> None:
    """What holds, what was refined and by what; a second reading adds nothing, and a vault of it is the same."""
    grown = Grown(memory)
    written(memory, tmp_path / "one")
    new = memory_on(store_in_memory(), clock, seed=7, embedder=Hashed())
    context = Context(session="now", actor="user")
    done = read(new.ledger, context, str(tmp_path / "one"), 100_000)
    assert (done.added, done.superseded, done.passed_over) == (4, 1, 0)
    assert {note.content for note in new.list() if note.status != "superseded"} == grown.told
    (old,) = new.list(status="superseded")
    assert (old.content, new.get(old.superseded_by).content) == (grown.rough.content, grown.fine.content)
    again = read(new.ledger, context, str(tmp_path / "one"), 100_000)
    assert (again.added, again.used, again.superseded) == (0, 0, 0)
    written(new, tmp_path / "two")
    assert replay(str(tmp_path / "two")).equal
    assert verify(new.ledger.store).problems == ()


def test_reading_it_where_it_was_written_adds_nothing(memory: Treering, tmp_path: Path) -> None:
    """Whatever has been retired since: a vault does not bring it back."""
    note = Grown.said(memory, "Look thrice before you leap", "")
    written(memory, tmp_path)
    shown(memory, note.id, 10, "not_helpful")
    memory.evolve.deprecate(note.id, reason="it helps nobody")
    Grown(memory)
    before = len([*memory.store.events()])
    done = read(memory.ledger, Context(), str(tmp_path), 100_000)
    assert (done.added, len([*memory.store.events()]), memory.get(note.id).status) == (0, before, "deprecated")
