"""Invariants come up to be confirmed by a person; and a memory is trusted no more than what it was made of."""

from __future__ import annotations

import pytest

from tests.ageing import DAY, Aged
from tests.truth.test_truth import event_of
from tests.world import fresh, memory_on, picture, store_in_memory
from treering.ledger.codec import data_of
from treering.ledger.config import Config
from treering.ledger.errors import InvalidInput, NotFound
from treering.ledger.events import VERIFIED
from treering.ledger.history import causes
from treering.ledger.types import Context, Memory
from treering.memory import Treering
from treering.stores.port.ledger import EventQuery
from treering.truth.claims import last_confirmed


@pytest.fixture
def memory() -> Treering:
    return fresh()


class TestInvariants:
    def asking(self, **settings: int) -> tuple[Aged, Memory]:
        world = Aged(context=Context(actor="user"))
        world.memory.workspace.config = Config(**settings)  # type: ignore[arg-type]
        return world, world.memory.remember("The company was founded in 1999", invariant=True)

    def test_an_invariant_comes_up_after_ninety_days(self) -> None:
        """Not a moment earlier, and nothing else does."""
        world, fact = self.asking()
        world.memory.remember("no invariant")
        world.time = fact.created + 90 * DAY - 1
        assert world.memory.truth.to_confirm() == []
        world.time += 1
        assert world.memory.truth.to_confirm() == [fact]

    def test_the_days_are_a_setting_and_can_be_asked_for(self) -> None:
        """None at all lists every one."""
        world, fact = self.asking(confirm_days=7)
        assert world.memory.truth.to_confirm() == []
        assert world.memory.truth.to_confirm(days=0) == [fact]
        world.time = fact.created + 7 * DAY
        assert world.memory.truth.to_confirm() == [fact]
        assert world.memory.truth.to_confirm(days=8) == []

    def test_the_longest_unconfirmed_comes_first(self) -> None:
        """By when a person last said that it holds, or when it was made."""
        world, first = self.asking()
        world.pass_(days=1)
        second = world.memory.remember("Water boils at 100 degrees", invariant=True)
        world.pass_(days=100)
        assert world.memory.truth.to_confirm() == [first, second]
        world.memory.truth.confirm(first.id)
        world.pass_(days=100)
        assert [memory.id for memory in world.memory.truth.to_confirm()] == [second.id, first.id]

    def test_what_is_no_longer_told_does_not_come_up(self) -> None:
        """Forgotten or superseded."""
        world, fact = self.asking()
        other = world.memory.remember("Water boils at 100 degrees", invariant=True)
        world.memory.forget(fact.id)
        world.memory.supersede(other.id, world.memory.remember("Water boils").id)
        world.pass_(days=100)
        assert world.memory.truth.to_confirm() == []

    def test_yes_holds_for_another_ninety_days(self) -> None:
        """It is recorded, and the memory says when."""
        world, fact = self.asking()
        world.pass_(days=100)
        held = world.memory.truth.confirm(fact.id, reason="looked it up")
        assert held == fact._replace(verified=world.time)
        assert last_confirmed(held) == world.time
        assert world.memory.truth.to_confirm() == []
        world.pass_(days=90)
        assert world.memory.truth.to_confirm() == [held]
        told = data_of(next(iter(world.memory.store.events(EventQuery(kinds=(VERIFIED,))))))[1]
        assert told == {"answer": "yes", "reason": "looked it up"}

    def test_no_forgets_it(self) -> None:
        """And undoing the answer brings it back."""
        world, fact = self.asking()
        assert world.memory.truth.confirm(fact.id, "no").status == "forgotten"
        world.memory.undo(event_of(world.memory, VERIFIED))
        assert world.memory.get(fact.id) == fact

    def test_change_supersedes_it_with_what_holds_instead(self) -> None:
        """An invariant again, confirmed by whoever said so; undoing the answer brings the old one back."""
        world, fact = self.asking()
        world.pass_(days=100)
        new = world.memory.truth.confirm(fact.id, "change", text="The company was founded in 1998")
        assert (new.invariant, new.supersedes, new.content) == (True, (fact.id,), "The company was founded in 1998")
        assert world.memory.get(fact.id).superseded_by == new.id
        assert world.memory.truth.to_confirm() == []
        world.memory.undo(event_of(world.memory, VERIFIED))
        assert world.memory.get(fact.id) == fact
        assert world.memory.get(new.id).supersedes == ()

    @pytest.mark.parametrize("actor", ("agent", "hook", "system"))
    @pytest.mark.parametrize("answer", ("yes", "no"))
    def test_only_a_person_confirms(self, actor: str, answer: str) -> None:
        """It is what the machine must not change."""
        memory = memory_on(store_in_memory(), context=Context(actor=actor))
        fact = memory.remember("x", invariant=True)
        before = list(memory.store.events())
        with pytest.raises(InvalidInput, match="only a person"):
            memory.truth.confirm(fact.id, answer)
        assert list(memory.store.events()) == before

    @pytest.mark.parametrize(
        ("answer", "text"), [("maybe", ""), ("change", ""), ("yes", "a text"), ("no", "a text"), ("", "")]
    )
    def test_an_answer_that_makes_no_sense_is_refused(self, answer: str, text: str) -> None:
        """A change needs its text, and the others need none."""
        world, fact = self.asking()
        before = list(world.memory.store.events())
        with pytest.raises(InvalidInput):
            world.memory.truth.confirm(fact.id, answer, text=text)
        assert list(world.memory.store.events()) == before

    def test_only_an_invariant_that_is_told_is_confirmed(self) -> None:
        """Of others there is nothing to confirm."""
        world, fact = self.asking()
        with pytest.raises(InvalidInput, match="is no invariant"):
            world.memory.truth.confirm(world.memory.remember("x").id)
        world.memory.forget(fact.id)
        with pytest.raises(InvalidInput, match="is forgotten"):
            world.memory.truth.confirm(fact.id)


class TestSources:
    @pytest.mark.parametrize("origin", ("", "user", "agent", "document:a.md", "tool:web"))
    def test_what_is_made_of_external_text_is_external(self, memory: Treering, origin: str) -> None:
        """Whatever it says about where it comes from."""
        page = memory.remember("a page", origin="tool:web")
        assert memory.remember("a summary", sources=[page.id], origin=origin).trust == "external"

    def test_what_is_made_of_several_is_trusted_as_the_least(self, memory: Treering) -> None:
        """A person's word and an agent's make an agent's; and nothing rises above its own origin."""
        user, agent = memory.remember("u", origin="user"), memory.remember("a", origin="agent")
        assert memory.remember("s", sources=[user.id, agent.id], origin="user").trust == "agent"
        assert memory.remember("s", sources=[user.id], origin="user").trust == "user"
        assert memory.remember("s", sources=[user.id], origin="tool:web").trust == "external"

    def test_trust_falls_through_every_step(self, memory: Treering) -> None:
        """What is made of what is made of a page is external, too."""
        page = memory.remember("a page", origin="tool:web")
        summary = memory.remember("a summary", sources=[page.id], origin="user")
        assert memory.remember("a lesson", sources=[summary.id], origin="user").trust == "external"

    def test_the_causes_lead_to_the_source(self, memory: Treering) -> None:
        """However far back."""
        page = memory.remember("a page", origin="document:a.md:3")
        summary = memory.remember("a summary", sources=[page.id])
        lesson = memory.remember("a lesson", sources=[summary.id, summary.id])
        history = memory.history(lesson.id)
        assert history[0].causes == (summary.id,)
        assert [event.id for event in causes(memory.store, history)] == [page.id, summary.id]

    @pytest.mark.parametrize("way", ("undo", "revoke"))
    def test_undoing_the_source_takes_what_was_made_of_it(self, memory: Treering, way: str) -> None:
        """And undoing that brings all of it back."""
        page = memory.remember("a page", origin="tool:web")
        summary = memory.remember("a summary", sources=[page.id], origin="user")
        memory.remember("a lesson", sources=[summary.id])
        kept = memory.remember("of its own")
        before = picture(memory.store)
        undone = memory.undo(page.id) if way == "undo" else memory.revoke(source="tool:web")
        assert list(picture(memory.store)) == [kept.id]
        memory.undo(undone.event.id)
        assert picture(memory.store) == before

    def test_a_source_has_to_be_there(self, memory: Treering) -> None:
        """Or nothing is remembered."""
        gone = memory.remember("gone")
        memory.undo(gone.id)
        before = list(memory.store.events())
        for source in (gone.id, "nobody-1", "99"):
            with pytest.raises(NotFound):
                memory.remember("x", sources=[source])
        assert list(memory.store.events()) == before

    def test_a_source_of_another_space_is_not_there(self) -> None:
        """Spaces never meet."""
        store = store_in_memory()
        theirs = memory_on(store, context=Context("elsewhere")).remember("x")
        with pytest.raises(NotFound):
            memory_on(store).remember("y", sources=[theirs.id])

    def test_a_short_id_names_a_source(self, memory: Treering) -> None:
        """One of them may stand alone."""
        page = memory.remember("a page", origin="tool:web")
        made = memory.remember_many([{"content": "a summary", "sources": "1"}])
        assert memory.history(made[0].id)[0].causes == (page.id,)

    @pytest.mark.parametrize("value", (-0.1, 1.1, float("nan"), True, "0.5"))
    @pytest.mark.parametrize("name", ("confidence", "relevance"))
    def test_confidence_and_relevance_go_from_nothing_to_one(self, memory: Treering, name: str, value: object) -> None:
        """Nothing else is taken for one."""
        with pytest.raises(InvalidInput, match=f"{name} must be a number from 0 to 1"):
            memory.remember_many([{"content": "x", name: value}])
        assert getattr(memory.remember("x", **{name: 1}), name) == 1.0  # type: ignore[arg-type]
