"""How every store keeps what the graph is read from. It is part of `StoreContract`."""

from __future__ import annotations

import pytest

from tests.stores.indexing import ready
from tests.world import memory_on
from treering.ledger.types import Context, Filter, Memory
from treering.memory import Treering
from treering.stores.port.graph import Mention, SourceMemory, Statement
from treering.stores.port.ledger import Store, record_of

REDIS = Mention("redis", "Redis", "tool", 0.9)
SHOP = Mention("shop", "the shop", "project", 0.5)
USES = Statement("shop", "uses", "redis", 0.8, 4, 9)
ENDED = USES._replace(how="ended")


def number_of(store: Store, note: Memory) -> int:
    return store.index.named([note.id])[note.id]


def read(store: Store, *notes: Memory, by_model: bool = False, last: int = 0) -> None:
    """Each of these names and tells the same."""
    found = [(number_of(store, note), (REDIS, SHOP), (USES,)) for note in notes]
    store.index.write(lambda: store.index.graph.add(found, last, by_model))


def seen(store: Store, where: Filter | None = None, keys: list[str] | None = None) -> list[tuple[Mention, str]]:
    found = store.index.graph.mentions(where or Filter(), keys)
    return sorted((one, source.id) for one, source in found)


def told(store: Store, where: Filter | None = None, keys: list[str] | None = None) -> list[tuple[Statement, str]]:
    found = store.index.graph.statements(where or Filter(), keys)
    return sorted((one, source.id) for one, source in found)


class GraphContract:
    def test_graph_rows_come_back_as_they_went_in(self, store: Store, memory: Treering) -> None:
        """With the memory that they belong to: where and when it was, and since when it holds no more."""
        note = memory.remember("a", project="p")
        read(store, note)
        assert seen(store) == [(REDIS, note.id), (SHOP, note.id)]
        assert told(store) == [(USES, note.id)]
        (source,) = {source for _, source in store.index.graph.mentions(Filter())}
        assert source == SourceMemory(note.id, "project", "p", note.created)
        memory.supersede(note.id, "b")
        (source,) = {source for _, source in store.index.graph.statements(Filter())}
        assert source.gone == memory.get(note.id).since

    def test_the_same_is_kept_once(self, store: Store, memory: Treering) -> None:
        """Whoever read it: what was there first stays; another way of telling is another graph row."""
        note = memory.remember("a")
        read(store, note)
        surer = (REDIS._replace(confidence=0.1, name="REDIS"),)
        again = [(number_of(store, note), surer, (USES._replace(confidence=0.1), ENDED))]
        store.index.write(lambda: store.index.graph.add(again, 0, by_model=True))
        assert seen(store) == [(REDIS, note.id), (SHOP, note.id)]
        assert told(store) == sorted([(USES, note.id), (ENDED, note.id)])

    def test_graph_rows_are_found_by_their_keys(self, store: Store, memory: Treering) -> None:
        """A relation by either of its ends."""
        note = memory.remember("a")
        read(store, note)
        assert seen(store, keys=["redis"]) == [(REDIS, note.id)]
        assert seen(store, keys=[]) == seen(store, keys=["nobody", ""]) == []
        assert told(store, keys=["redis"]) == told(store, keys=["shop"]) == [(USES, note.id)]
        assert told(store, keys=["redis", "shop"]) == [(USES, note.id)]
        assert told(store, keys=[]) == told(store, keys=["red"]) == []

    def test_graph_rows_stay_behind_a_filter(self, store: Store, memory: Treering) -> None:
        """Spaces, walls and statuses."""
        ours = memory.remember("a", project="p")
        other = memory_on(store, seed=4, context=Context("elsewhere")).remember("b")
        read(store, ours, other)
        assert {id for _, id in seen(store)} == {ours.id}
        assert {id for _, id in told(store, Filter("elsewhere"))} == {other.id}
        assert seen(store, Filter(visible_to=Context())) == []
        assert told(store, Filter(visible_to=Context(project="p"))) == [(USES, ours.id)]
        assert seen(store, Filter(statuses=("archived",))) == []

    def test_what_is_to_be_read_comes_in_order_and_once(self, store: Store, memory: Treering) -> None:
        """At most so many at a time; what is forgotten is not read, and what comes back is read again."""
        notes = memory.remember_many({"content": f"note{number}"} for number in range(5))
        rows = store.index.graph
        memory.forget(notes[1].id)
        wanted = [note.id for note in notes if note.id != notes[1].id]
        assert [note.id for _, note in rows.unread(9)] == wanted
        assert [note.id for _, note in rows.unread(2)] == wanted[:2]
        (_, (last, _)) = rows.unread(2)
        store.index.write(lambda: rows.add([], last))
        assert [note.id for _, note in store.index.graph.unread(9)] == wanted[2:]
        store.index.write(lambda: store.index.graph.add([], 0))  # nobody unreads
        assert [note.id for _, note in store.index.graph.unread(9)] == wanted[2:]
        memory.restore(notes[1].id)
        assert [note.id for _, note in store.index.graph.unread(9)] == [*wanted[2:], notes[1].id]
        memory.ledger.rebuild()
        assert {note.id for _, note in store.index.graph.unread(9)} == {note.id for note in notes}

    @pytest.mark.parametrize("how", ("forget", "undo", "purge"))
    def test_graph_rows_go_with_their_memory(self, store: Store, memory: Treering, how: str) -> None:
        """At once; those of others stay."""
        note, kept = memory.remember("a"), memory.remember("b")
        read(store, note, kept)
        getattr(memory, how)(note.id)
        assert {id for _, id in seen(store)} == {id for _, id in told(store)} == {kept.id}

    @pytest.mark.parametrize("status", ("archived", "consolidated", "superseded", "merged", "deprecated"))
    def test_graph_rows_stay_while_a_memory_only_ages(self, store: Store, memory: Treering, status: str) -> None:
        """What became of it, the graph looks at when it is read."""
        note = memory.remember("a")
        read(store, note)
        store.write(lambda: store.save([(note, note._replace(status=status, moves=(f"{status}@7@test",)))]))
        assert len(seen(store)) == 2 and len(told(store)) == 1
        assert store.index.graph.unread(9) == [(number_of(store, note), record_of(store, note.id))]

    def test_what_is_added_for_a_memory_that_is_gone_is_not_kept(self, store: Store, memory: Treering) -> None:
        """It was forgotten while somebody read it."""
        note = memory.remember("a")
        number = number_of(store, note)
        memory.forget(note.id)
        store.index.write(lambda: store.index.graph.add([(number, (REDIS,), (USES,)), (99, (REDIS,), ())], number))
        assert (seen(store), told(store)) == ([], [])

    def test_what_models_read_is_replaced_as_a_whole(self, store: Store, memory: Treering) -> None:
        """What patterns found stays, and how far the models had come is known."""
        one, two, three = memory.remember("a"), memory.remember("b"), memory.remember("c")
        read(store, one)
        read(store, two, by_model=True)
        rows = store.index.graph
        assert rows.model_state() == ""
        again = [(number_of(store, three), (REDIS,), ())]
        store.index.write(lambda: rows.replace_model_rows(again, "so far"))
        assert seen(store) == sorted([(REDIS, one.id), (SHOP, one.id), (REDIS, three.id)])
        assert (told(store), rows.model_state()) == ([(USES, one.id)], "so far")
        assert [note.id for _, note in rows.unread(9)] == [one.id, two.id, three.id]
        store.index.write(lambda: rows.replace_model_rows([], "further"))
        assert ({id for _, id in seen(store)}, rows.model_state()) == ({one.id}, "further")

    def test_a_rebuild_reads_everything_again(self, store: Store, memory: Treering) -> None:
        """With nothing left of what was read before."""
        note = memory.remember("a")
        read(store, note, last=1)
        store.index.write(lambda: store.index.graph.replace_model_rows([], "so far"))
        memory.ledger.rebuild()
        assert (store.index.graph.model_state(), seen(store), told(store)) == ("", [], [])
        assert [left.id for _, left in store.index.graph.unread(9)] == [note.id]

    def test_aliases_replace_those_that_there_were(self, store: Store, memory: Treering) -> None:
        """All at once; and only names that memories name have any."""
        read(store, memory.remember("a"))
        known: list[tuple[str, str, str, str]] = [("", "tool", "redis", "shop"), ("p", "tool", "redis", "shop")]
        store.index.write(lambda: store.index.graph.set_aliases(known))
        assert sorted(store.index.graph.aliases()) == known
        store.index.write(lambda: store.index.graph.set_aliases(known[:1]))
        assert store.index.graph.aliases() == known[:1]

    def test_aliases_go_with_the_last_memory_that_names_them(self, store: Store, memory: Treering) -> None:
        """No name outlives its memory here."""
        one, two = memory.remember("a"), memory.remember("b")
        read(store, one, two)
        known: list[tuple[str, str, str, str]] = [("", "tool", "redis", "shop")]
        store.index.write(lambda: store.index.graph.set_aliases(known))
        memory.forget(one.id)
        assert store.index.graph.aliases() == known
        memory.forget(two.id)
        assert store.index.graph.aliases() == []

    def test_a_failed_write_leaves_no_graph_row(self, store: Store, memory: Treering) -> None:
        """Nor takes one away."""
        note = memory.remember("a")
        read(store, note)
        before = (seen(store), told(store), store.index.graph.aliases(), store.index.graph.unread(9))

        def work() -> None:
            rows = store.index.graph
            rows.set_aliases([("", "tool", "redis", "shop")])
            rows.replace_model_rows([], "lost")
            rows.add([], 99)
            memory.forget(note.id)
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            store.write(work)
        after = (seen(store), told(store), store.index.graph.aliases(), store.index.graph.unread(9))
        assert (after, store.index.graph.model_state()) == (before, "")

    def test_what_memories_of_some_places_relate_to_a_thing_is_found(self, store: Store, memory: Treering) -> None:
        """As recall asks for them: of those that are ready, in the places that it may look into."""
        ours, other = memory.remember("a"), memory.remember("b", project="p")
        read(store, ours, other)
        ready(store)
        places = {place.number for place in store.index.places(Context())}
        every = [place.number for place in store.index.places(Context(project="p"))]
        assert len(every) == 2
        rows = store.index.graph
        assert rows.related(["redis"], [*places], 9) == [("redis", "shop", 0.8)]
        assert rows.related(["shop"], [*places], 9) == [("shop", "redis", 0.8)]
        assert len(rows.related(["shop"], every, 9)) == 2
        past = [(number_of(store, ours), (), (ENDED._replace(target="old"), USES._replace(target="no", how="denied")))]
        store.index.write(lambda: store.index.graph.add(past, 0))
        rows = store.index.graph
        assert rows.related(["shop"], [*places], 9) == [("shop", "redis", 0.8)]
        memory.supersede(ours.id, "c")
        assert rows.related(["redis"], [*places], 9) == []

    def test_a_store_tells_what_may_be_related_to_anything(self, store: Store, memory: Treering) -> None:
        """Both ends of what holds, of memories above a number; and by what it is known that there is more."""
        first, second = memory.remember("a"), memory.remember("b")
        graph = store.index.graph
        assert (graph.state(), graph.ends(0, 9)) == ((0, ""), [])
        read(store, first, last=number_of(store, first))
        before = number_of(store, first)
        assert graph.state() == (before, "")
        assert (sorted(graph.ends(0, 9)), graph.ends(before, 9)) == (["redis", "shop"], [])
        assert len(graph.ends(0, 1)) == 1
        other = (number_of(store, second), (), (ENDED._replace(source="x"), USES._replace(source="y")))
        store.index.write(lambda: graph.replace_model_rows([other], "by a model"))
        assert (graph.state(), sorted(graph.ends(before, 9))) == ((before, "by a model"), ["redis", "y"])
