"""What is protected needs a justification, and no surface gets round the rules."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import treering
from tests.evolve.test_evidence import BETTER, FACT, SAME, refused
from tests.evolve.worn import DAY, World
from tests.surfaces.cli.driving import Cli
from treering.evolve import rules as evolving
from treering.evolve.rules import Grounds
from treering.ledger.errors import NotEnoughEvidence, NotFound, Protected, Refused, TreeringError
from treering.ledger.events import MERGED, MOVED, SUPERSEDED
from treering.ledger.types import Context, Memory
from treering.ledger.usage import Record
from treering.skills.proposals import rules as proposing


@pytest.fixture
def world() -> World:
    return World()


PROTECTED = [{"invariant": True}, {"tags": ["meta-skill"]}]


class TestProtected:
    """What the machine must not change by itself, with all the evidence that there could be."""

    def acts(self, world: World, row: dict[str, Any]) -> dict[str, Callable[[str], object]]:
        same = world.memory.remember(SAME)
        fact = world.set_q(world.wear(world.memory.remember(FACT, **row), 10, 10), 0.1)
        old = world.memory.remember("The office plants are watered by Ben", at="2025-01-01", **row)
        return {
            "deprecate": lambda why: world.memory.evolve.deprecate(fact.id, reason="x", justification=why),
            "refine": lambda why: world.memory.evolve.refine(fact.id, BETTER, reason="x", justification=why),
            "merge": lambda why: world.memory.evolve.merge(same.id, fact.id, reason="x", justification=why),
            "archive": lambda why: world.memory.evolve.archive(old.id, justification=why),
        }

    @pytest.mark.parametrize("row", PROTECTED, ids=("invariant", "meta-skill"))
    @pytest.mark.parametrize("action", ("deprecate", "refine", "merge", "archive"))
    def test_without_a_justification_it_is_refused(self, world: World, row: dict[str, Any], action: str) -> None:
        """And a blank one is none."""
        act = self.acts(world, row)[action]
        before = world.dump()
        for why in ("", "   "):
            with pytest.raises(Protected, match=f"an invariant|a meta-skill.*to {action} it, give a justification"):
                act(why)
        assert world.dump() == before

    @pytest.mark.parametrize("row", PROTECTED, ids=("invariant", "meta-skill"))
    @pytest.mark.parametrize("action", ("deprecate", "refine", "merge", "archive"))
    def test_with_a_justification_it_is_done_and_recorded(self, world: World, row: dict[str, Any], action: str) -> None:
        """In the event that does it."""
        self.acts(world, row)[action]("the company moved")
        told = world.told(MOVED, MERGED, SUPERSEDED)
        assert [one["justification"] for one in told] == ["the company moved"]

    def test_a_justification_is_no_evidence(self, world: World) -> None:
        """It lifts the protection and nothing else."""
        fact = world.memory.remember(FACT, invariant=True)
        refused(
            world,
            lambda: world.memory.evolve.deprecate(fact.id, reason="x", justification="y"),
            *("Q is", "usage is", "0 of 0 uses were judged bad"),
        )

    def test_a_run_never_touches_it(self, world: World) -> None:
        """Nobody is there to justify anything; what was left alone is told, with the reason."""
        for text, row in ((FACT, {"invariant": True}), ("Ask before you merge", {"tags": ["meta-skill"]})):
            world.set_q(world.wear(world.memory.remember(text, **row), 10, 10), 0.1)
        world.pass_(days=100)
        before = world.dump()[1]
        told = world.memory.evolve.run()
        assert world.dump()[1] == before
        assert not told.details
        assert sum("needs a justification" in kept.why for kept in told.kept) >= 2

    def test_the_tag_protects_in_any_case(self, world: World) -> None:
        """As a person may have written it."""
        fact = world.set_q(world.wear(world.memory.remember(FACT, tags=["Meta-Skill"]), 10, 10), 0.1)
        with pytest.raises(Protected, match="meta-skill"):
            world.memory.evolve.deprecate(fact.id, reason="x")


class TestNoWayRound:
    """The rules are in the core: whoever decides without evidence is refused, whatever it comes through."""

    def test_the_core_refuses_by_itself(self) -> None:
        """With nothing but a memory, its record and its grounds."""
        fact, here = Memory("a-1", FACT), Context()
        given = Grounds("a hunch", "a justification", forced=True)
        with pytest.raises(NotEnoughEvidence):
            evolving.deprecate(fact, Record(), given, here)
        with pytest.raises(NotEnoughEvidence):
            evolving.archive(fact._replace(created=10 * DAY), 99 * DAY, given, here)
        with pytest.raises(NotEnoughEvidence):
            evolving.refine(fact, Memory("a-2", BETTER), Record(), given, here)
        with pytest.raises(NotEnoughEvidence):
            evolving.check_merge([fact, Memory("a-2", SAME)], [Record(), Record()], 1.0, "", given)
        with pytest.raises(NotEnoughEvidence):
            proposing.induce([fact], True, {}, here, "")

    def test_the_command_line_is_refused_like_everybody_else(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """With every option that it has."""
        for name in [name for name in os.environ if name.startswith("TREERING_")]:
            monkeypatch.delenv(name)
        monkeypatch.setenv("TREERING_HOME", str(tmp_path / "home"))
        cli = Cli(capsys)
        one, other = cli.remember(FACT), cli.remember(SAME)
        sure = ("--reason", "a hunch", "--justification", "sure", "--force")
        for words in (
            ("deprecate", one, *sure),
            ("refine", one, "--text", BETTER, *sure),
            ("merge", one, other, *sure),
            ("archive", one, *sure[:4]),
            ("induce", one, other),
        ):
            result = cli("evolve", *words)
            assert result.code != 0
            assert "not enough evidence" in result.err, words
        with treering.open() as memory:
            assert {note.status for note in memory.list()} == {"created"}

    def test_another_space_is_out_of_reach(self, world: World) -> None:
        """Whatever it is that should be done there."""
        theirs = world.seen_by(Context("elsewhere")).remember(FACT)
        mine = world.memory.remember(SAME)
        before = world.dump()
        acts: list[Callable[[], object]] = [
            lambda: world.memory.evolve.deprecate(theirs.id, reason="x"),
            lambda: world.memory.evolve.refine(theirs.id, BETTER, reason="x"),
            lambda: world.memory.evolve.merge(mine.id, theirs.id),
            lambda: world.memory.evolve.archive(theirs.id),
            lambda: world.memory.evolve.attempt("deprecate", theirs.id),
        ]
        for act in acts:
            with pytest.raises(NotFound):
                act()
        assert world.dump() == before

    def test_what_is_out_of_sight_cannot_be_retired_again(self, world: World) -> None:
        """By the table of moves."""
        fact = world.worn(FACT)
        world.memory.evolve.deprecate(fact.id, reason="x")
        world.pass_(days=100)
        before = world.dump()
        acts: list[Callable[[], object]] = [
            lambda: world.memory.evolve.deprecate(fact.id, reason="x"),
            lambda: world.memory.evolve.refine(fact.id, BETTER, reason="x"),
            lambda: world.memory.evolve.archive(fact.id),
        ]
        for act in acts:
            with pytest.raises(TreeringError, match="deprecated"):
                act()
        assert world.dump() == before

    def test_every_refusal_of_evolution_is_one_of_a_kind(self) -> None:
        """So that a surface can tell it from a mistake."""
        assert issubclass(NotEnoughEvidence, Refused)
        assert issubclass(Protected, Refused)
