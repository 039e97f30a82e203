"""Contradictions: raised when somebody looks, resolved by whoever is asked, never by the machine."""

from __future__ import annotations

import pytest

import treering
from tests.ageing import Aged
from tests.truth.test_truth import QUICK, SLOW, event_of, found, said
from tests.world import fresh, memory_on, picture, store_in_memory
from treering.ledger.codec import data_of
from treering.ledger.errors import InvalidInput
from treering.ledger.events import RAISED, SETTLED, SUPERSEDED
from treering.ledger.types import Context
from treering.ledger.verify import verify
from treering.memory import Treering
from treering.stores.port.ledger import EventQuery
from treering.truth.claims import Contradiction

TABS, SPACES = "Code is indented with tabs", "Code is indented with spaces"


@pytest.fixture
def memory() -> Treering:
    return fresh()


def pairs(contradictions: list[Contradiction]) -> list[tuple[str, str]]:
    return [(one.older.id, one.newer.id) for one in contradictions]


class TestContradictions:
    def test_one_is_raised_for_two_that_cannot_both_hold(self, memory: Treering) -> None:
        """With both sides and why; and neither is changed."""
        older, newer = memory.remember(SLOW), memory.remember(QUICK)
        (one,) = memory.truth.contradictions()
        assert (one.older, one.newer, one.kind, one.keep) == (older, newer, "number", "")
        assert '"30" here' in one.why and '"5" there' in one.why
        start, end, begin, stop = one.spans
        assert (SLOW[start:end], QUICK[begin:stop]) == ("30", "5")
        assert picture(memory.store) == {older.id: older, newer.id: newer}
        assert found(memory, "request timeout") and memory.get(older.id).status == "created"

    def test_what_agrees_raises_nothing(self, memory: Treering) -> None:
        """Nor what is about something else."""
        for text in (SLOW, SLOW, "The database timeout is 5 seconds", "Deploys run on Friday"):
            memory.remember(text)
        assert memory.truth.contradictions() == []

    def test_the_older_side_is_the_one_that_happened_first(self, memory: Treering) -> None:
        """Whenever it was written down."""
        now = memory.remember(QUICK)
        earlier = memory.remember(SLOW, at="2020-01-01")
        assert pairs(memory.truth.contradictions()) == [(earlier.id, now.id)]

    def test_within_one_batch(self, memory: Treering) -> None:
        """Rows contradict each other, and what was there; each pair once."""
        known = memory.remember(SLOW)
        one, two = memory.remember_many([{"content": QUICK}, {"content": "The request timeout is 9 seconds"}])
        expected = {(known.id, one.id), (known.id, two.id), (one.id, two.id)}
        assert set(pairs(memory.truth.contradictions())) == expected
        assert len(memory.truth.contradictions()) == 3

    def test_a_pair_is_raised_once(self, memory: Treering) -> None:
        """However often either of them comes up again, and however often it is looked at."""
        memory.remember(SLOW)
        memory.remember(QUICK)
        assert len(memory.truth.contradictions()) == 1
        memory.restore(memory.forget("2").id)
        memory.remember("Requests are retried twice")
        for about in ("", "1", "2"):
            assert len(memory.truth.contradictions(about=about)) == 1
        assert memory.truth.look(again=True) == []
        assert len(list(memory.store.events(EventQuery(kinds=(RAISED,))))) == 1

    def test_not_across_walls(self, memory: Treering) -> None:
        """Two projects may differ, and so may two sessions; the user's own holds everywhere."""
        memory.remember(SLOW, project="p")
        memory.remember(QUICK, project="q")
        memory.remember(TABS, scope="session", session="s")
        memory.remember(SPACES, scope="session", session="t")
        assert memory.truth.contradictions() == []
        memory.remember("The request timeout is 7 seconds", scope="user", project="p")
        assert len(memory.truth.contradictions()) == 1

    def test_a_memory_that_is_seen_everywhere_contradicts_what_is_known_everywhere(self, memory: Treering) -> None:
        """And a project's memory contradicts the user's."""
        user = memory.remember(SLOW)
        project = memory.remember(QUICK, project="p")
        assert pairs(memory.truth.contradictions()) == [(user.id, project.id)]

    def test_not_across_spaces(self) -> None:
        """Each space has its own truth, and its own list."""
        store = store_in_memory()
        here, there = memory_on(store), memory_on(store, context=Context("elsewhere"))
        here.remember(SLOW)
        there.remember(QUICK)
        assert (here.truth.contradictions(), there.truth.contradictions()) == ([], [])
        there.remember(SLOW)
        assert (len(here.truth.contradictions()), len(there.truth.contradictions())) == (0, 1)

    def test_not_with_what_is_forgotten_or_superseded(self, memory: Treering) -> None:
        """They are no longer told."""
        gone, old = memory.remember(SLOW), memory.remember(TABS)
        memory.forget(gone.id)
        memory.supersede(old.id, memory.remember("Indent with whatever you like").id)
        memory.remember(QUICK)
        memory.remember(SPACES)
        assert memory.truth.contradictions(all=True) == []

    def test_with_what_is_archived(self) -> None:
        """It is still told."""
        world = Aged()
        world.memory.remember(SLOW)
        world.pass_(days=40)
        assert world.run().counts == {"archived": 1}
        world.memory.remember(QUICK)
        assert len(world.memory.truth.contradictions()) == 1

    def test_not_with_working_memory(self, memory: Treering) -> None:
        """It is gone within the hour."""
        memory.remember(SLOW, type="working")
        memory.remember(QUICK)
        memory.remember("The request timeout is 9 seconds", type="working")
        assert memory.truth.contradictions() == []

    @pytest.mark.parametrize("way", ("supersede", "change"))
    def test_a_new_text_that_supersedes_is_looked_at_too(self, way: str) -> None:
        """It may contradict a third; the one whose place it takes is not told any more."""
        memory = memory_on(store_in_memory(), context=Context(actor="user"))
        third = memory.remember("The request timeout is 9 seconds", invariant=True)
        old = memory.remember("Requests are never cut off", invariant=True)
        new = (
            memory.supersede(old.id, QUICK)
            if way == "supersede"
            else memory.truth.confirm(old.id, "change", text=QUICK)
        )
        assert pairs(memory.truth.contradictions()) == [(third.id, new.id)]

    def test_it_no_longer_stands_once_a_side_is_gone(self, memory: Treering) -> None:
        """Forgotten, superseded or purged; and stands again when it is back."""
        older, newer = memory.remember(SLOW), memory.remember(QUICK)
        assert len(memory.truth.contradictions()) == 1
        memory.forget(newer.id)
        assert memory.truth.contradictions() == []
        assert [one.why for one in memory.truth.contradictions(all=True)] == [""]
        memory.restore(newer.id)
        assert len(memory.truth.contradictions()) == 1
        memory.purge(older.id)
        assert memory.truth.contradictions(all=True) == []

    def test_a_document_does_not_contradict_itself(self, memory: Treering) -> None:
        """It is one voice; another document, and the same file of a tool, are others."""
        memory.remember(SLOW, origin="document:a.md:3")
        memory.remember(QUICK, origin="document:a.md:9")
        assert memory.truth.contradictions() == []
        memory.remember("The request timeout is 9 seconds", origin="document:b.md:9")
        assert len(memory.truth.contradictions()) == 2

    def test_those_of_one_memory(self, memory: Treering) -> None:
        """Asked for by its id."""
        slow, tabs = memory.remember(SLOW), memory.remember(TABS)
        memory.remember(QUICK)
        memory.remember(SPACES)
        assert len(memory.truth.contradictions()) == 2
        assert [one.older.id for one in memory.truth.contradictions(about=tabs.id)] == [tabs.id]
        (one,) = memory.truth.contradictions(about="1")
        assert one.older.id == slow.id
        memory.truth.resolve(one.id, keep="both")
        assert memory.truth.contradictions(about=slow.id) == []
        assert [one.keep for one in memory.truth.contradictions(about=slow.id, all=True)] == ["both"]

    @pytest.mark.parametrize(
        ("keep", "kept"),
        [("A", "older"), ("a", "older"), ("B", "newer"), ("b", "newer"), ("supersede", "newer"), ("both", "both")],
    )
    def test_resolving_keeps_what_was_said(self, memory: Treering, keep: str, kept: str) -> None:
        """What does not hold is superseded by what does; with both, nothing is."""
        older, newer = memory.remember(SLOW), memory.remember(QUICK)
        (one,) = memory.truth.contradictions()
        assert memory.truth.resolve(one.id, keep=keep, reason="asked Ann").keep == kept
        assert memory.truth.contradictions() == []
        assert [one.keep for one in memory.truth.contradictions(all=True)] == [kept]
        states = {m.id: (m.status, m.superseded_by, m.supersedes) for m in memory.list()}
        gone = {"older": newer, "newer": older}.get(kept)
        for side, other in ((older, newer), (newer, older)):
            if side == gone:
                assert states[side.id] == ("superseded", other.id, ())
            else:
                assert states[side.id] == ("created", "", (other.id,) if gone else ())
        told = memory.store.events(EventQuery(kinds=(SETTLED, SUPERSEDED)))
        assert [data_of(event)[1].get("reason") for event in told] == [None, "asked Ann"][-2 if gone else -1 :]
        assert verify(memory.ledger.store).problems == ()

    def test_resolving_twice_is_refused(self, memory: Treering) -> None:
        """And a resolution can be taken back: then it stands as before."""
        memory.remember(SLOW)
        memory.remember(QUICK)
        (one,) = memory.truth.contradictions()
        before = picture(memory.store)
        memory.truth.resolve(one.id, keep="A")
        with pytest.raises(InvalidInput, match="older kept"):
            memory.truth.resolve(one.id, keep="B")
        memory.undo(event_of(memory, SETTLED))
        assert picture(memory.store) == before
        assert memory.truth.contradictions() == [one]
        memory.truth.resolve(one.id, keep="both")
        with pytest.raises(InvalidInput, match="both kept"):
            memory.truth.resolve(one.id, keep="both")

    def test_what_is_moot_is_not_resolved(self, memory: Treering) -> None:
        """One side is no longer told."""
        memory.remember(SLOW)
        newer = memory.remember(QUICK)
        (one,) = memory.truth.contradictions()
        memory.forget(newer.id)
        with pytest.raises(InvalidInput, match="moot"):
            memory.truth.resolve(one.id, keep="A")

    @pytest.mark.parametrize(("id", "keep"), [("1", "A"), ("nobody-7", "A"), ("3", "C"), ("3", ""), ("3", "older")])
    def test_what_makes_no_sense_is_refused(self, memory: Treering, id: str, keep: str) -> None:
        """No such contradiction, no such choice; and nothing is written."""
        memory.remember(SLOW)
        memory.remember(QUICK)
        assert [one.id for one in memory.truth.contradictions()] == [memory.whole_id("3")]
        before = list(memory.store.events())
        with pytest.raises(treering.TreeringError):
            memory.truth.resolve(id, keep=keep)
        assert list(memory.store.events()) == before

    @pytest.mark.parametrize("side", (0, 1))
    def test_undoing_a_memory_takes_its_contradictions(self, memory: Treering, side: int) -> None:
        """They rest on both sides; and come back with it."""
        sides = [memory.remember(SLOW), memory.remember(QUICK)]
        assert len(memory.truth.contradictions()) == 1
        undone = memory.undo(sides[side].id)
        assert memory.truth.contradictions(all=True) == []
        memory.undo(undone.event.id)
        assert len(memory.truth.contradictions()) == 1

    def test_undoing_a_contradiction_says_that_it_was_none(self, memory: Treering) -> None:
        """Both sides stay, and a third is compared with both."""
        memory.remember(SLOW)
        memory.remember(QUICK)
        (one,) = memory.truth.contradictions()
        assert one.id == event_of(memory, RAISED)
        memory.undo(one.id)
        assert memory.truth.contradictions(all=True) == []
        memory.remember("The request timeout is 9 seconds")
        assert len(memory.truth.contradictions()) == 2

    @pytest.mark.parametrize("side", (0, 1))
    @pytest.mark.parametrize("keep", ("", "A", "B", "both"))
    def test_purging_a_side_leaves_no_word_of_it(self, memory: Treering, side: int, keep: str) -> None:
        """Not in the event that raised it, nor in any that came of it."""
        texts = ("We indent with aardvark", "We indent with zeppelin")
        sides = [memory.remember(text) for text in texts]
        found = memory.truth.contradictions()
        assert len(found) == 1
        lost = {"A": "zeppelin", "B": "aardvark"}.get(keep, "neither")
        if keep:
            memory.truth.resolve(found[0].id, keep=keep, reason=f"{lost} was wrong")
        memory.purge(sides[side].id)
        assert not said(memory, ("aardvark", "zeppelin")[side])
        assert said(memory, ("zeppelin", "aardvark")[side])
        assert memory.truth.contradictions(all=True) == []
        assert verify(memory.ledger.store).problems == ()

    def test_two_machines_raise_and_resolve_and_agree(self) -> None:
        """Each resolves in its own way: after the merge both tell the same."""
        one, two = memory_on(store_in_memory(), seed=1), memory_on(store_in_memory(), seed=2)
        one.remember(SLOW)
        one.remember(QUICK)
        assert len(one.truth.contradictions()) == 1
        two.ledger.take_in(list(one.store.events()))
        (raised,) = two.truth.contradictions()
        one.truth.resolve(raised.id, keep="A")
        two.truth.resolve(raised.id, keep="B")
        for here, there in ((one, two), (two, one)):
            here.ledger.take_in(list(there.store.events()))
        assert picture(one.store) == picture(two.store)
        assert one.truth.contradictions(all=True) == two.truth.contradictions(all=True)
        for memory in (one, two):
            assert verify(memory.ledger.store).problems == ()
