"""What every store must do. A new store subclasses `StoreContract` and says how it is made."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

import pytest

from tests.stores.graph_rows import GraphContract
from tests.stores.indexing import IndexContract, ready
from tests.stores.sharing import SharingContract
from tests.world import Dice, memory_on, picture
from treering.ledger.codec import encode, stamp
from treering.ledger.events import REMEMBERED, UNDOINGS, Draft, Event, Head
from treering.ledger.ledger import Ledger
from treering.ledger.types import EVERYWHERE, Context, Filter, Memory, visible
from treering.ledger.verify import verify
from treering.memory import Treering
from treering.stores.port.ledger import EventQuery, Store, record_of


def event(seq: int, writer: str = "writer", subject: str = "", clock: int = 0, **fields: object) -> Event:
    draft = Draft(REMEMBERED, '{"content":"x"}', "user", "default")
    made = stamp(draft, writer, seq, b"", clock or seq, seq, b"salt")
    return made._replace(subject=subject or made.subject, **fields)  # type: ignore[arg-type]


class StoreContract(IndexContract, SharingContract, GraphContract):
    def make(self) -> Store:
        raise AssertionError("say how the store is made")

    @pytest.fixture
    def store(self) -> Iterator[Store]:
        store = self.make()
        yield store
        store.close()

    @pytest.fixture
    def memory(self, store: Store) -> Treering:
        return memory_on(store)

    def test_a_new_store_is_empty(self, store: Store) -> None:
        """A store starts with no event, no memory, no name and clock zero."""
        assert list(store.events()) == []
        assert list(store.records()) == []
        assert store.heads() == {}
        assert (store.writer, store.clock()) == ("", 0)

    def test_an_event_comes_back_as_it_went_in(self, store: Store) -> None:
        """Every field of an event survives storage."""
        went = event(1, causes=("a-1", "b-2"), session="s", project="p", salt=None, payload=None)
        store.write(lambda: store.append([went]))
        assert list(store.events()) == [went]

    def test_events_come_in_the_order_of_the_fold(self, store: Store) -> None:
        """Clock first, then writer, then sequence, whatever the order of arrival."""
        later, early, tie = event(1, "b", clock=20), event(1, "a", clock=10), event(2, "a", clock=20)
        store.write(lambda: store.append([later, early, tie]))
        assert [e.id for e in store.events()] == ["a-1", "a-2", "b-1"]
        newest = [e.id for e in store.events(EventQuery(newest=True, limit=2))]
        assert newest == ["b-1", "a-2"]

    def test_events_are_found_by_what_they_are_about(self, store: Store) -> None:
        """Each field of a query narrows, and the fields narrow together."""
        made = event(1, subject="writer-1")
        told = event(2, subject="writer-1", kind="memory.forgotten.v1", session="s", causes=("writer-1",))
        other = event(3, subject="writer-3", space="elsewhere", session="s")
        store.write(lambda: store.append([made, told, other]))

        def ids(query: EventQuery) -> list[str]:
            return [e.id for e in store.events(query)]

        assert ids(EventQuery(subjects=("writer-1",))) == ["writer-1", "writer-2"]
        assert ids(EventQuery(subjects=("writer-1", "writer-3"))) == ["writer-1", "writer-2", "writer-3"]
        assert ids(EventQuery(subjects=())) == []
        assert ids(EventQuery(ids=("writer-3", "nobody-9", "nonsense"))) == ["writer-3"]
        assert ids(EventQuery(ids=())) == []
        assert ids(EventQuery(session="s")) == ["writer-2", "writer-3"]
        assert ids(EventQuery(session="s", space="elsewhere")) == ["writer-3"]
        assert ids(EventQuery(kinds=("memory.forgotten.v1",))) == ["writer-2"]
        assert ids(EventQuery(kinds=(REMEMBERED,))) == ["writer-1", "writer-3"]
        assert ids(EventQuery(kinds=UNDOINGS)) == []

    def test_events_are_found_by_their_source(self, store: Store) -> None:
        """A source is an origin, or the file or kind that it lies in; a namesake is not."""
        origins = ("document:a.md:3", "document:a.md:30", "document:b/a.md", "tool:a.md", "user", 'tool:q"\\é')
        events = [event(seq, payload=encode({"origin": origin})) for seq, origin in enumerate(origins, 1)]
        store.write(lambda: store.append(events))

        def found(source: str) -> list[int]:
            return [e.seq for e in store.events(EventQuery(source=source))]

        assert found("a.md") == [1, 2, 4]
        assert found("document:a.md") == [1, 2]
        assert found("a.md:3") == [1]
        assert found("document:a.md:30") == [2]
        assert found("document") == [1, 2, 3]
        assert found("user") == [5]
        assert found('q"\\é') == [6]
        assert found("md") == []

    def test_events_are_found_by_a_word_that_they_name(self, store: Store) -> None:
        """As a whole text of the payload, wherever it stands there: not a part of one, and not in what is erased."""
        told = ({"hits": [{"id": "writer-1"}, {"id": "writer-11"}]}, {"nonce": "ab"}, {"writer-1": 1}, {"q": 'x"\\é'})
        events = [event(seq, payload=encode(data)) for seq, data in enumerate(told, 1)]
        store.write(lambda: store.append([*events, event(5, payload=None, salt=None)]))

        def found(naming: str, **query: object) -> list[int]:
            return [e.seq for e in store.events(EventQuery(naming=naming, **query))]  # type: ignore[arg-type]

        assert found("writer-1") == [1, 3]
        assert found("writer-11") == [1]
        assert found("ab") == [2]
        assert found('x"\\é') == [4]
        for part in ("writer", "riter-1", "a", "é", 'id":'):
            assert found(part) == []
        assert found("writer-1", newest=True, limit=1) == [3]
        store.write(lambda: store.leave_out(["writer-1"], []))
        assert found("writer-1", live=True) == [3]

    def test_events_are_found_by_what_they_came_after(self, store: Store) -> None:
        """By the clock of the ledger, and not at that moment itself; with the other fields of a query."""
        one, two, other = event(1, clock=10), event(2, clock=20), event(1, "other", clock=20, session="s")
        store.write(lambda: store.append([one, two, other]))

        def ids(**query: object) -> list[str]:
            return [e.id for e in store.events(EventQuery(**query))]  # type: ignore[arg-type]

        assert ids(since=9) == ids(since=0) == ["writer-1", "other-1", "writer-2"]
        assert ids(since=10) == ["other-1", "writer-2"]
        assert ids(since=20) == []
        assert ids(since=10, session="s") == ["other-1"]
        assert ids(until=19) == ids(until=10) == ["writer-1"]
        assert ids(until=9) == ids(since=10, until=19) == []
        assert ids(since=10, kinds=(REMEMBERED,), newest=True, limit=1) == ["writer-2"]

    def test_effects_are_direct(self, store: Store) -> None:
        """An event's effects are those that name it as a cause, one step on."""
        chain = [event(1), event(2, causes=("writer-1",)), event(3, causes=("writer-2", "writer-1"))]
        store.write(lambda: store.append(chain))
        assert store.effects(["writer-1"]) == {"writer-2", "writer-3"}
        assert store.effects(["writer-2", "writer-3"]) == {"writer-3"}
        assert store.effects([]) == set()

    def test_heads_and_clock_follow_the_events(self, store: Store) -> None:
        """A head is the last event of its writer; the clock is the highest of all."""
        first, second, other = event(1, clock=5), event(2, clock=9), event(1, "other", clock=7)
        store.write(lambda: store.append([first, second, other]))
        assert store.heads() == {"writer": Head(2, second.chain), "other": Head(1, other.chain)}
        assert store.clock() == 9

    def test_events_left_out_do_not_count(self, store: Store) -> None:
        """A live query passes over what is left out, until it is brought back."""
        store.write(lambda: store.append([event(1), event(2)]))
        store.write(lambda: store.leave_out(["writer-1", "gone-7"], []))
        assert store.left_out() == {"writer-1", "gone-7"}
        assert [e.id for e in store.events(EventQuery(live=True))] == ["writer-2"]
        store.write(lambda: store.leave_out([], ["writer-1", "gone-7"]))
        assert [e.id for e in store.events(EventQuery(live=True))] == ["writer-1", "writer-2"]

    def test_erasing_takes_the_payload_and_leaves_the_event(self, store: Store) -> None:
        """After an erasure the events about a memory keep their place, digest and chain, and say nothing."""
        made, purge = event(1, subject="writer-1"), event(2, subject="writer-1", kind="memory.purged.v1")
        store.write(lambda: store.append([made, purge]))
        store.write(lambda: store.erase("writer-1"))
        assert store.scrub()
        left, said = store.events()
        assert left == made._replace(payload=None, salt=None)
        assert said == purge

    def test_a_failed_write_leaves_nothing(self, store: Store, memory: Treering) -> None:
        """Whatever a transaction had done is taken back when it fails, and the store works on."""
        memory.remember("kept")

        def work() -> None:
            memory.remember("lost")
            memory.forget("1")
            raise KeyboardInterrupt

        before = (picture(store), list(store.events()), store.heads(), store.left_out())
        with pytest.raises(KeyboardInterrupt):
            store.write(work)
        assert before == (picture(store), list(store.events()), store.heads(), store.left_out())
        assert memory.remember("more").content == "more"

    def test_a_write_within_a_write_is_part_of_it(self, store: Store, memory: Treering) -> None:
        """Calls made together are one transaction."""
        ids = store.write(lambda: [memory.remember(text).id for text in ("one", "two")])
        assert set(picture(store)) == set(ids)

    def test_records_are_saved_changed_and_dropped(self, store: Store, memory: Treering) -> None:
        """The projection follows each change, and the index with it."""
        note = memory.remember("the quick brown fox", tags=["animal"])
        changed = note._replace(content="the lazy dog")
        store.write(lambda: store.save([(note, changed)]))
        assert record_of(store, note.id) == changed
        assert store.index.counts(["dog", "fox"]) == [1, 0]
        store.write(lambda: store.save([(changed, None)]))
        assert record_of(store, note.id) is None
        assert store.index.counts(["dog", "fox"]) == [0, 0]

    def test_several_are_read_at_once(self, store: Store, memory: Treering) -> None:
        """Those that are there, by their ids in the order asked for; a thousand and more of them, too."""
        notes = memory.remember_many({"content": f"note{number}"} for number in range(1_500))
        gone = memory.forget(notes[0].id)
        some = {note.id: note for note in notes[1:]} | {gone.id: gone}
        assert store.several([*some, "nobody-1", ""]) == some
        assert store.several([notes[3].id, notes[3].id]) == {notes[3].id: notes[3]}
        assert [*store.several([notes[9].id, notes[3].id])] == [notes[9].id, notes[3].id]
        assert store.several([]) == {}

    def test_records_are_listed_newest_first(self, store: Store, memory: Treering) -> None:
        """By when it happened, not by when it was written down."""
        memory.remember("new", at="2026-01-03")
        memory.remember("old", at="2026-01-01")
        memory.remember("middle", at="2026-01-02")
        assert [m.content for m in store.records(Filter())] == ["new", "middle", "old"]

    def test_a_filter_narrows_by_every_field(self, store: Store, memory: Treering) -> None:
        """Type, scope, status, project, session, tag and space, each on its own."""
        plain = memory.remember("plain")
        rich = memory.remember(
            "rich", type="procedural", scope="session", project="p", session="s", tags=["tag", "other"]
        )
        asked = (
            Filter(type="procedural"),
            Filter(scope="session"),
            Filter(project="p"),
            Filter(session="s"),
            Filter(tag="other"),
            Filter(since=rich.created),
            Filter(since=rich.created, until=rich.created),
        )
        for where in asked:
            assert [m.id for m in store.records(where)] == [rich.id]
        assert [m.id for m in store.records(Filter(until=plain.created))] == [plain.id]
        assert list(store.records(Filter(tag="oth"))) == []
        assert list(store.records(Filter(space="elsewhere"))) == []
        memory.forget(plain.id)
        assert [m.id for m in store.records(Filter(statuses=("forgotten",)))] == [plain.id]

    def test_a_filter_lets_only_invariants_through(self, store: Store, memory: Treering) -> None:
        """If it is asked to; and together with the others."""
        memory.remember("plain")
        kept = memory.remember("kept", invariant=True)
        memory.remember("kept elsewhere", invariant=True, project="p")
        assert [m.id for m in store.records(Filter(invariant=True, scope="user"))] == [kept.id]
        assert len(list(store.records(Filter(invariant=True)))) == 2
        assert len(list(store.records(Filter()))) == 3

    @pytest.mark.parametrize(
        ("field", "value"),
        [
            ("status", "archived"),
            ("updated", 7),
            ("q", 0.25),
            ("accesses", 3),
            ("accessed", 9),
            ("confidence", 1.0),
            ("relevance", 0.0),
            ("impact", 0.125),
            ("feedback", 0.75),
            ("moves", ("active@5@used", "archived@-7@faded")),
            ("queued", 11),
            ("verified", 13),
            ("superseded_by", "writer-9"),
            ("supersedes", ("writer-7", "writer-8")),
            ("merged_into", "writer-9"),
            ("merged", ("writer-7", "writer-8")),
        ],
    )
    def test_what_changes_as_a_memory_ages_is_kept(
        self, store: Store, memory: Treering, field: str, value: object
    ) -> None:
        """Each on its own, and back again; the text is found as before, under the same number and profile."""
        note = memory.remember("the quick brown fox", tags=["animal"], session="s")
        memory.remember("the lazy dog")
        ready(store)
        before = store.index.places(Context())
        aged = note._replace(**{field: value})  # type: ignore[arg-type]
        assert aged != note
        for old, new in ((note, aged), (aged, note), (note, aged)):
            store.write(lambda old=old, new=new: store.save([(old, new)]))  # type: ignore[misc]
            assert record_of(store, note.id) == new
            assert store.index.counts(["fox", "animal"]) == [1, 1]
            assert store.index.found([1]) == {1: new}
            assert store.index.pending(9) == []
            assert store.index.places(Context()) == before
        assert list(store.problems()) == []
        assert [m.id for m in store.records(Filter(statuses=(aged.status,)))][-1:] == [note.id]

    def test_a_version_stays_until_something_is_written(self, store: Store, memory: Treering) -> None:
        """A memory, its profile, an event; the same inside a view."""
        seen = [store.version()]
        for write in (lambda: memory.remember("the lazy dog"), lambda: ready(store), lambda: memory.recall("dog")):
            assert store.version() == store.view(store.version) == seen[-1]
            write()
            seen.append(store.version())
        assert len(set(seen)) == 4

    def test_a_write_knows_the_version_that_it_leaves(self, store: Store, memory: Treering) -> None:
        """So that a recall that is logged keeps what it has cached: nothing else was written between the two."""
        memory.remember("the lazy dog")
        before = store.version()

        def work() -> Hashable:
            assert store.version() == before
            store.keep_learned("somewhere", "something")
            return store.version()

        assert store.write(work) == store.version() != before

    def test_every_field_that_changes_as_a_memory_ages_is_tried(self) -> None:
        """A new one is to be added above; the others are what a memory was made with."""
        (mark,) = StoreContract.test_what_changes_as_a_memory_ages_is_kept.pytestmark  # type: ignore[attr-defined]
        tried = {field for field, _ in mark.args[1]}
        made = Memory._fields[: Memory._fields.index("created") + 1]
        assert tried == (set(Memory._fields) - set(made)) | {"status"}

    def test_a_forgotten_memory_can_age_on(self, store: Store, memory: Treering) -> None:
        """As a merge may bring it: its words stay out of the index."""
        note = memory.forget(memory.remember("the quick brown fox").id)
        aged = note._replace(superseded_by="writer-9", accesses=2)
        store.write(lambda: store.save([(note, aged)]))
        assert record_of(store, note.id) == aged
        assert store.index.counts(["fox"]) == [0]
        back = aged._replace(status="superseded", content="the quick brown fox")
        store.write(lambda: store.save([(aged, back)]))
        assert store.index.counts(["fox"]) == [1]
        store.write(lambda: store.save([(back, note)]))
        assert (store.index.counts(["fox"]), list(store.problems())) == ([0], [])

    def test_many_that_age_at_once_are_all_kept(self, store: Store, memory: Treering) -> None:
        """With those that are made, changed and dropped in the same breath."""
        one, two, three, four = (memory.remember(f"note {word}") for word in ("red", "green", "blue", "grey"))
        aged = [note._replace(status="active", moves=("active@1@grown",)) for note in (one, two)]
        fresh = one._replace(id="other-1", content="note of another")
        gone = three._replace(status="forgotten", content="")
        changes = [(one, aged[0]), (None, fresh), (two, aged[1]), (three, gone), (four, None)]
        store.write(lambda: store.save(changes))
        assert picture(store) == {note.id: note for note in (*aged, fresh, gone)}
        assert store.index.counts(["red", "green", "blue", "grey", "another"]) == [1, 1, 0, 0, 1]
        assert list(store.problems()) == []

    def test_the_walls_are_the_same_as_the_rule(self, store: Store) -> None:
        """What a store shows to somebody is exactly what `types.visible` says they may see."""
        places = [Context(space, project, session) for space in ("default", "x") for project in ("", "p", "q")
                  for session in ("", "s", "t")]  # fmt: skip
        ledger = Ledger(store, lambda: 1, Dice())
        for place in places:
            standing = memory_on(store, context=place)
            standing.workspace._ledger = ledger
            standing.remember("shared word user", scope="user")
            if place.project:
                standing.remember("shared word project", scope="project")
            if place.session:
                standing.remember("shared word session", scope="session")
        everything = list(store.records())
        ready(store)
        for space in ("default", "x"):
            held = sum(one.held for one in store.index.all_places(space))
            assert held == sum(memory.space == space for memory in everything)
        for place in (*places, Context("x", EVERYWHERE)):
            expected = {m.id for m in everything if visible(m, place)}
            where = Filter(place.space, visible_to=place)
            assert {m.id for m in store.records(where)} == expected
            seen = store.index.places(place)
            hits = store.index.match(["shared"], [one.number for one in seen], None, 1_000)
            assert {m.id for m in store.index.found([number for number, _ in hits]).values()} == expected
            assert sum(one.held for one in seen) == len(expected)

    def test_keys_of_imported_rows_are_known(self, store: Store) -> None:
        """A store tells which rows it has seen, whatever became of them."""
        seen = event(1, payload='{"content":"x","key":7}')
        store.write(lambda: store.append([seen, event(2)], [(7, seen.id)]))
        assert store.known([7, 8]) == {7}
        assert store.known([]) == set()
        store.write(store.reset)
        assert store.known([7, 8]) == {7}
        store.write(lambda: store.erase(seen.id))
        assert store.known([7]) == set()

    def test_how_far_each_writer_was_looked_at_is_kept(self, store: Store) -> None:
        """Each on its own; the last word counts, be it further on or back at the beginning."""
        assert store.looked() == {}
        for writer, seq in (("a", 3), ("b:c", 7), ("a", 5), ("b:c", 0)):
            store.write(lambda writer=writer, seq=seq: store.look_on(writer, seq))  # type: ignore[misc]
        assert store.looked() == {"a": 5, "b:c": 0}

    def test_how_far_each_writer_was_looked_at_outlives_a_rebuild(self, store: Store, memory: Treering) -> None:
        """It is no projection: what was raised stays in the ledger, and need not be looked for again."""
        memory.remember("x")
        store.write(lambda: store.look_on(store.writer, 1))
        memory.ledger.rebuild()
        assert store.looked() == {store.writer: 1}
        store.write(store.reset)
        assert store.looked() == {store.writer: 1}

    def test_a_look_that_fails_was_none(self, store: Store) -> None:
        """It is taken back with the transaction that it was part of."""
        store.write(lambda: store.look_on("a", 1))

        def work() -> None:
            store.look_on("a", 2)
            store.look_on("b", 2)
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            store.write(work)
        assert store.looked() == {"a": 1}

    def test_a_reset_store_can_be_filled_again(self, store: Store, memory: Treering) -> None:
        """Every projection comes back from the ledger alone, the same as before."""
        memory.remember("first", tags=["a"])
        second = memory.remember("second")
        memory.forget(second.id)
        memory.undo(memory.remember("third").id)
        before = (picture(store), store.left_out(), store.effects([second.id]))
        memory.ledger.rebuild()
        assert before == (picture(store), store.left_out(), store.effects([second.id]))
        assert store.index.counts(["first", "second", "third"]) == [1, 0, 0]
        assert verify(store).clean

    def test_a_name_once_adopted_stays(self, store: Store) -> None:
        """A store writes under one name."""
        store.write(lambda: store.adopt("abc"))
        assert store.writer == "abc"
