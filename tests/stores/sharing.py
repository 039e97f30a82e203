"""How every store finds the memories that share rare words with a new one. It is part of `StoreContract`."""

from __future__ import annotations

from tests.world import memory_on
from treering.ledger.types import Context, Filter
from treering.memory import Treering
from treering.stores.port.ledger import Store
from treering.stores.port.search import FEW, SHARERS

HERE = Context()


class SharingContract:
    def test_one_term_that_few_hold_is_enough(self, store: Store, memory: Treering) -> None:
        """More than a few may mean anything by it; and it is not looked at whether there are profiles."""
        held = [memory.remember(f"gateway number{number}") for number in range(FEW)]
        found = store.index.sharing(["gateway"], Filter(), FEW)
        assert [note.id for note in found] == [note.id for note in reversed(held)]
        memory.remember("the gateway of one more")
        assert store.index.sharing(["gateway"], Filter(), FEW) == []
        assert store.index.sharing([], Filter(), FEW) == []

    def test_a_term_of_one_memory_counts_for_a_text_that_is_not_stored(self, store: Store, memory: Treering) -> None:
        """Otherwise that memory is the one that asks."""
        held = memory.remember("the gateway of the harbour")
        assert store.index.sharing(["gateway"], Filter(), FEW) == []
        assert [note.id for note in store.index.sharing(["gateway"], Filter(), FEW, stored=False)] == [held.id]

    def test_of_terms_that_more_than_a_few_hold_two_are_needed(self, store: Store, memory: Treering) -> None:
        """Whichever two."""
        for word in ("request", "timeout", "retry"):
            memory.remember_many({"content": f"{word} number{number}"} for number in range(FEW))
        both = memory.remember("the request timeout of the gateway")
        other = memory.remember("a timeout and no retry")
        memory.remember("one request alone")
        assert store.index.counts(["request", "timeout", "retry"]) == [FEW + 2, FEW + 2, FEW + 1]
        found = store.index.sharing(["request", "timeout", "retry"], Filter(), 9)
        assert {note.id for note in found} == {both.id, other.id}
        assert store.index.sharing(["timeout"], Filter(), 9) == []

    def test_one_of_two_terms_must_be_rare(self, store: Store, memory: Treering) -> None:
        """Two that everybody uses say nothing; of one, its newest are looked at for another that is rare."""
        early = memory.remember("common rare first")
        memory.remember_many({"content": f"common usual number{number}"} for number in range(SHARERS))
        memory.remember_many({"content": f"rare number{number}"} for number in range(FEW))
        assert store.index.sharing(["common", "usual"], Filter(), 9) == []
        late = memory.remember("common rare last")
        found = {note.id for note in store.index.sharing(["common", "usual", "rare"], Filter(), 9)}
        assert (late.id in found, early.id in found) == (True, False)

    def test_a_term_is_rare_up_to_a_number(self, store: Store, memory: Treering) -> None:
        """With one holder more, it is as common as any."""
        memory.remember_many({"content": f"alpha beta number{number}"} for number in range(SHARERS - 1))
        assert len(store.index.sharing(["alpha", "beta"], Filter(), 9)) == 9
        memory.remember("alpha beta once more")
        assert store.index.sharing(["alpha", "beta"], Filter(), 9) == []

    def test_terms_that_one_memory_holds_alone_do_not_count(self, store: Store, memory: Treering) -> None:
        """It is the one that asks: it shares them with nobody, and they do not put it before the others."""
        asks = memory.remember("alpha beta gamma delta")
        assert store.index.sharing(["alpha", "beta", "gamma", "delta"], Filter(), 9) == []
        other = memory.remember("epsilon alpha")
        found = store.index.sharing(["alpha", "beta", "gamma", "delta"], Filter(), 9)
        assert [note.id for note in found] == [other.id, asks.id]

    def test_those_that_share_the_rarest_come_first(self, store: Store, memory: Treering) -> None:
        """The fewer hold what is shared, the more it says; then the newest; at most so many."""
        for number in range(6):
            memory.remember(f"something else {number} entirely")
        most = memory.remember("alpha beta gamma filler")
        two = [memory.remember("alpha beta nothing filler") for _ in range(3)]
        rare = [memory.remember("gamma filler") for _ in range(2)]
        common = memory.remember("beta filler")
        terms = ["alpha", "beta", "gamma"]  # that 4, 5 and 3 hold
        found = [note.id for note in store.index.sharing(terms, Filter(), 9)]
        assert found == [note.id for note in (most, *reversed(two), *reversed(rare), common)]
        assert [note.id for note in store.index.sharing(terms, Filter(), 2)] == found[:2]

    def test_the_rarest_terms_are_looked_for(self, store: Store, memory: Treering) -> None:
        """Wherever they stand in a text: there is room for a few, and the common ones do not take it."""
        common = [f"common{letter}" for letter in "abcdefgh"]
        for _ in range(5):
            memory.remember(" ".join(common))
        pair = [memory.remember("aardvark zeppelin"), memory.remember("zeppelin of the aardvark")]
        found = store.index.sharing([*common, "aardvark", "zeppelin"], Filter(), 9)
        assert {note.id for note in found} >= {note.id for note in pair}

    def test_sharing_stays_behind_a_filter(self, store: Store, memory: Treering) -> None:
        """Spaces, walls, statuses and whatever else it narrows by."""
        user = memory.remember("alpha beta")
        project = memory.remember("alpha beta", project="p")
        session = memory.remember("alpha beta", scope="session", session="s")
        gone = memory.remember("alpha beta")
        memory.forget(gone.id)
        kept = memory.remember("alpha beta", type="procedural", invariant=True)
        elsewhere = memory_on(store, seed=4, context=Context("elsewhere")).remember("alpha beta")

        def found(where: Filter) -> set[str]:
            return {note.id for note in store.index.sharing(["alpha", "beta"], where, 9)}

        assert found(Filter(visible_to=HERE)) == {user.id, kept.id}
        assert found(Filter(visible_to=Context(project="p"))) == {user.id, project.id, kept.id}
        assert found(Filter(visible_to=Context(session="s"))) == {user.id, session.id, kept.id}
        assert found(Filter("elsewhere")) == {elsewhere.id}
        assert found(Filter(invariant=True)) == found(Filter(type="procedural")) == {kept.id}
        assert found(Filter(statuses=("forgotten",))) == set()
        assert found(Filter(statuses=("archived",))) == set()

    def test_sharing_takes_any_text_as_words(self, store: Store, memory: Treering) -> None:
        """Quotes, operators and symbols have no power; a name in code is its parts."""
        notes = [memory.remember('plain "text" of getUserName') for _ in range(2)]
        odd = ['"', "a AND b", "NEAR(", "col:x", "*", "^x", "-", "🦊", "x\ny", "()", "", 'pl" OR "x', "content : plain"]
        assert store.index.sharing(odd, Filter(), 9) == []
        found = store.index.sharing([*odd, 'pla"in', "plain", "text"], Filter(), 9)
        assert {note.id for note in found} == {note.id for note in notes}
        assert len(store.index.sharing(["user", "plain"], Filter(), 9)) == 2
