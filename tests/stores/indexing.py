"""What the searchable side of every store must do. It is part of `StoreContract`."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from random import Random

import pytest

from tests.world import memory_on
from treering.ledger.types import Context, Filter, Memory
from treering.memory import Treering
from treering.stores.port.ledger import Store
from treering.stores.port.search import PASSAGE, Cell, Index, Place, Profile

HERE = Context()
ACTS: dict[str, Callable[[Treering, str], object]] = {
    "forget": lambda memory, name: memory.forget(name),
    "purge": lambda memory, name: memory.purge(name),
    "undo": lambda memory, name: memory.undo(name),
}


def profile(number: int, memory: Memory, vector: Sequence[int] = ()) -> Profile:
    """A profile by hand; the tags stand for entities."""
    whole = array("b", vector or (number, -number, 1, 0)).tobytes()
    words = len(memory.content.split())
    stems = array("I", [7, number]).tobytes()
    return Profile(number, 0, memory.created, words, stems, whole, b"", memory.session, memory.tags)


def profiled(index: Index) -> list[tuple[Memory, Profile]]:
    return [(memory, profile(number, memory)) for number, memory in index.pending(1_000)]


def ready(store: Store) -> None:
    """Give every memory a profile."""
    store.index.write(lambda: store.index.add(profiled(store.index)))


def here(index: Index, context: Context = HERE) -> list[int]:
    return [place.number for place in index.places(context)]


def only(index: Index, context: Context = HERE) -> Place:
    (place,) = index.places(context)
    return place


def state(index: Index) -> tuple[object, ...]:
    """All that an index shows of itself to somebody in the default space."""
    numbers = [*range(1, 30)]
    places = index.places(HERE)
    return (
        (index.embedder, index.size, index.pending(9), places, index.found(numbers)),
        (sorted(index.profiles(numbers)), sorted(index.beside(numbers)), index.vocabulary("")),
        [(index.tail(place.number, 0), index.cells(place.number)) for place in places],
        [sorted(index.postings(place.number)) for place in places],
        sorted(index.mentions(["a", "b", "c"], [place.number for place in places], 9)),
    )


def cell(*profiles: Profile, number: int = 0) -> Cell:
    members = array("i", [one.number for one in profiles]).tobytes()
    return Cell(number, members, b"".join(one.vector for one in profiles))


def posting(stem: int, *numbers: int) -> tuple[int, bytes]:
    return (stem, array("i", numbers).tobytes())


def bare(place: Place) -> Place:
    """Without its shape, which goes on whatever happens."""
    return place._replace(shape=0)


class IndexContract:
    def test_what_is_seen_in_a_transaction_may_never_have_been(self, store: Store) -> None:
        """An index tells whether it is in one."""
        seen = [store.index.in_transaction, store.write(lambda: store.index.in_transaction), store.index.in_transaction]
        assert seen == [False, True, False]

    def test_what_was_remembered_waits_for_its_profile(self, store: Store, memory: Treering) -> None:
        """Pending memories come in the order of their numbers, and are no longer pending once they are added."""
        notes = [memory.remember(f"note {number}") for number in range(5)]
        memory.forget(notes[1].id)
        index = store.index
        left = [notes[0], *notes[2:]]
        store.write(lambda: index.clear("one"))
        assert [note for _, note in index.pending(9)] == left
        numbers = [number for number, _ in index.pending(9)]
        assert numbers == sorted(set(numbers))
        assert [note for _, note in index.pending(2)] == left[:2]
        index.write(lambda: index.add(profiled(index)[:2]))
        assert [note for _, note in index.pending(9)] == left[2:]
        ready(store)
        assert (index.pending(9), only(index).held) == ([], 4)
        assert (index.embedder, index.pending(9)) == ("one", [])

    @pytest.mark.parametrize("act", ACTS)
    def test_a_profile_of_what_has_gone_meanwhile_is_not_kept(self, store: Store, memory: Treering, act: str) -> None:
        """Whoever made a profile before a memory was forgotten, purged or undone brings nothing back."""
        gone, kept = memory.remember("gone", tags=["a"]), memory.remember("kept", tags=["a"])
        made = profiled(store.index)
        ACTS[act](memory, gone.id)
        store.write(lambda: store.index.add(made))
        assert [one.number for one in store.index.profiles([1, 2])] == [2]
        assert store.index.mentions(["a"], here(store.index), 9) == [("a", 2)]
        assert store.index.found([2]) == {2: kept}

    def test_a_profile_of_another_text_is_not_kept(self, store: Store, memory: Treering) -> None:
        """A memory that was forgotten and came back has another number: what was made of it before is void."""
        note = memory.remember("note", tags=["a"])
        ((before, _),) = store.index.pending(9)
        made = profiled(store.index)
        memory.forget(note.id)
        memory.restore(note.id)
        store.write(lambda: store.index.add(made))
        ((after, back),) = store.index.pending(9)
        assert (back, after > before) == (note, True)
        assert store.index.profiles([before, after]) == []
        ready(store)
        assert [one.number for one in store.index.profiles([before, after])] == [after]
        assert store.index.mentions(["a"], here(store.index), 9) == [("a", after)]

    @pytest.mark.parametrize("act", ACTS)
    def test_no_number_is_given_twice(self, store: Store, memory: Treering, act: str) -> None:
        """Whoever keeps something of a memory that is gone never takes it for another's."""
        memory.remember("kept")
        gone = memory.remember("gone")
        made = profiled(store.index)
        ACTS[act](memory, gone.id)
        memory.remember("another", project="p")
        store.write(lambda: store.index.add(made))
        assert [number for number, _ in store.index.pending(9)] == [3]
        assert [one.number for one in store.index.profiles([1, 2, 3])] == [1]

    def test_whoever_adds_second_changes_nothing(self, store: Store, memory: Treering) -> None:
        """Two processes may make the same profiles; they count once."""
        memory.remember("note", tags=["a"])
        made = profiled(store.index)
        store.write(lambda: store.index.add(made))
        before = state(store.index)
        store.write(lambda: store.index.add(made))
        assert state(store.index) == before

    @pytest.mark.parametrize("act", ACTS)
    def test_what_goes_leaves_nothing_in_the_index(self, store: Store, memory: Treering, act: str) -> None:
        """Profile, mentions, sums and the bytes in cells: all as if it had never been there."""
        index = store.index
        memory.remember("kept words", tags=["a", "b"], session="s")
        ready(store)
        before, known = only(index), state(index)[1]
        gone = memory.remember("gone things", tags=["a", "c"], session="s")
        made = profiled(index)
        ready(store)
        cells = [cell(made[0][1], *index.profiles([1]))]
        lists = [posting(1, 1), posting(2, 2), posting(7, 1, 2)]
        store.write(lambda: index.fold(only(index)._replace(folded=2), cells, lists, anew=True))
        folded = only(index)
        assert (folded.held, folded.tail, index.beside([1])) == (2, 0, [(1, None, 2)])
        ACTS[act](memory, gone.id)
        assert bare(only(index)) == bare(before._replace(folded=2, tail=0))
        assert only(index).shape > folded.shape
        assert state(index)[1] == known
        assert sorted(index.mentions(["a", "b", "c"], here(index), 9)) == [("a", 1), ("b", 1)]
        assert index.match(["gone", "things"], here(index), None, 9) == []
        assert index.counts(["gone", "kept"]) == [0, 1]
        assert index.cells(before.number) == [Cell(0, array("i", [0, 1]).tobytes(), bytes(4) + b"\1\xff\1\0")]
        left = [one for one in index.postings(before.number) if one[1]]
        assert sorted(left) == [posting(1, 1), posting(7, 1)]

    @pytest.mark.parametrize("size", (2, 256, 1_536, 4_096))
    def test_sums_come_back_to_what_they_were(self, store: Store, memory: Treering, size: int) -> None:
        """Vectors that are added together and taken out one by one leave the sums exactly as they were."""
        dice = Random(size)
        index = store.index

        def add() -> None:
            made = [(note, profile(at, note, dice.choices(range(-127, 128), k=size))) for at, note in index.pending(99)]
            store.write(lambda: index.add(made))

        memory.remember_many({"content": "stays " * (PASSAGE + count)} for count in range(3))
        add()
        before = only(index)
        more = memory.remember_many({"content": f"comes and goes {count}"} for count in range(20))
        add()
        between = only(index)
        assert (between.held, between.length) == (23, before.length + 20 * PASSAGE)
        for note in more:
            memory.forget(note.id)
        assert bare(only(index)) == bare(before)

    def test_a_place_is_described_by_what_lies_in_it(self, store: Store, memory: Treering) -> None:
        """How many, how long, the sum of the vectors and of their lengths."""
        short, long = memory.remember("short"), memory.remember("long " * 100)
        made = [(short, profile(1, short, (3, 4))), (long, profile(2, long, (-127, 0)))]
        store.write(lambda: store.index.add(made))
        place = only(store.index)
        assert (place.held, place.length, place.norms, place.tail, place.folded) == (2, PASSAGE + 100, 132, 2, 0)
        assert array("i", place.total).tolist() == [-124, 4]
        assert place.centroids == b""

    def test_profiles_need_no_vectors(self, store: Store, memory: Treering) -> None:
        """Without an embedder everything else works."""
        notes = memory.remember_many({"content": f"note {count}", "tags": ["a"]} for count in range(3))
        made = [(note, profile(at, note)._replace(vector=b"")) for at, note in store.index.pending(9)]
        store.write(lambda: store.index.add(made))
        memory.forget(notes[1].id)
        place = only(store.index)
        assert (place.held, place.total, place.norms) == (2, b"", 0)
        assert store.index.tail(place.number, 0) == [(1, b"", made[0][1].stems), (3, b"", made[2][1].stems)]
        assert [number for number, _ in store.index.match(["note"], here(store.index), None, 9)] == [3, 1]

    def test_clearing_drops_every_profile_and_no_memory(self, store: Store, memory: Treering) -> None:
        """Vectors of another kind are to come: everything waits again."""
        note = memory.remember("note", tags=["a"])
        index = store.index
        assert index.embedder == ""
        store.write(lambda: index.clear("one"))
        ready(store)
        store.write(
            lambda: index.fold(
                only(index)._replace(folded=1), [cell(*index.profiles([1]))], [posting(7, 1)], anew=False
            )
        )
        place = only(index).number
        store.write(lambda: index.clear("other"))
        assert (index.embedder, index.places(HERE), len(index.pending(9))) == ("other", [], 1)
        assert (index.profiles([1]), index.cells(place), index.mentions(["a"], [place], 9)) == ([], [], [])
        assert (index.postings(place), index.tail(place, 0)) == ([], [])
        assert (index.found([1]), index.counts(["note"])) == ({1: note}, [1])
        ready(store)
        assert only(index).held == 1

    def test_a_place_never_looks_like_another_that_had_its_number(self, store: Store, memory: Treering) -> None:
        """Whoever holds the vectors of a place can tell by its shape that the index was made anew since."""
        memory.remember("note")
        seen = []
        for _ in range(3):
            store.write(lambda: store.index.clear("one"))
            ready(store)
            seen.append((only(store.index).number, only(store.index).shape))
            memory.ledger.rebuild()
        assert len(set(seen)) == 3

    def test_the_index_is_empty_after_a_reset(self, store: Store, memory: Treering) -> None:
        """It is a projection, and is made again like the others."""
        memory.remember("note", tags=["a"])
        store.write(lambda: store.index.clear("one"))
        ready(store)
        before = state(store.index)
        memory.ledger.rebuild()
        assert (store.index.embedder, len(store.index.pending(9)), store.index.places(HERE)) == ("", 1, [])
        store.write(lambda: store.index.clear("one"))
        ready(store)
        assert state(store.index)[1] == before[1]

    @pytest.mark.parametrize("act", ("forget", "undo", "add", "fold", "clear", "reset", "remember"))
    def test_a_failed_write_leaves_the_index_as_it_was(self, store: Store, memory: Treering, act: str) -> None:
        """Whatever a transaction had done to the index is taken back when it fails."""
        index = store.index
        note = memory.remember("note", tags=["a"], session="s")
        store.write(lambda: index.clear("one"))
        ready(store)
        store.write(
            lambda: index.fold(
                only(index)._replace(folded=1), [cell(*index.profiles([1]))], [posting(7, 1)], anew=False
            )
        )
        memory.remember("pending", tags=["b"], session="s")
        acts: dict[str, Callable[[], object]] = {
            **{name: lambda do=do: do(memory, note.id) for name, do in ACTS.items()},  # type: ignore[misc]
            "add": lambda: index.add(profiled(index)),
            "fold": lambda: index.fold(only(index), [], [], anew=True),
            "clear": lambda: index.clear("two"),
            "reset": store.reset,
            "remember": lambda: memory.remember("more"),
        }
        before = state(index)

        def work() -> None:
            acts[act]()
            assert state(index) != before
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            store.write(work)
        assert state(index) == before
        ready(store)
        assert (index.embedder, index.pending(9)) == ("one", [])

    def test_a_place_is_what_lies_between_the_same_walls(self, store: Store) -> None:
        """User, project and session each have their own; the session of a user's memory is no wall."""
        at = {name: memory_on(store, seed=0, context=Context(project=name, session="s")) for name in ("p", "q")}
        for memory in at.values():
            memory.remember("everywhere", scope="user")
            memory.remember("in the project", scope="project")
            memory.remember("in the session", scope="session")
        ready(store)
        assert [place.held for place in store.index.places(HERE)] == [2]
        for name in at:
            seen = store.index.places(Context(project=name, session="s"))
            assert sorted(place.held for place in seen) == [1, 1, 2]
            assert len(store.index.places(Context(project=name))) == 2
        assert store.index.places(Context("elsewhere", "p", "s")) == []

    def test_all_places_of_a_space_are_seen_by_who_looks_after_it(self, store: Store) -> None:
        """Whatever the walls: each once, as whoever stands in it sees it; those of other spaces never."""
        at = [Context(space, project, "s") for space in ("default", "x") for project in ("p", "q")]
        for number, context in enumerate(at):
            memory = memory_on(store, seed=number, context=context)
            for scope in ("user", "project", "session"):
                memory.remember(f"in the {scope}", scope=scope)
        assert store.index.all_places("default") == []
        ready(store)
        for space in ("default", "x"):
            seen = {place.number: place for context in at if context.space == space
                    for place in store.index.places(context)}  # fmt: skip
            assert sorted(store.index.all_places(space)) == sorted(seen.values())
            assert sorted(place.held for place in seen.values()) == [1, 1, 1, 1, 2]
        assert store.index.all_places("elsewhere") == []

    def test_a_place_that_has_become_empty_is_none(self, store: Store, memory: Treering) -> None:
        """For nobody."""
        note = memory.remember("alone", scope="project", project="p")
        ready(store)
        (place,) = store.index.all_places("default")
        assert store.index.places(Context(project="p")) == [place]
        memory.forget(note.id)
        assert (store.index.all_places("default"), store.index.places(Context(project="p"))) == ([], [])

    def test_the_tail_of_a_place_goes_into_cells(self, store: Store, memory: Treering) -> None:
        """And into postings: beside those there are, or instead of them. The tail begins behind what was folded."""
        index = store.index
        for count in range(4):
            memory.remember(f"note {count}")
        memory.remember("elsewhere", project="p")
        ready(store)
        place = only(index)
        one, two, three, four = sorted(index.profiles([1, 2, 3, 4]))
        assert index.tail(place.number, 2) == [(3, three.vector, three.stems), (4, four.vector, four.stems)]
        store.write(lambda: index.fold(place._replace(folded=2), [cell(one, two)], [posting(7, 1, 2)], anew=False))
        assert only(index) == place._replace(folded=2, tail=2)
        more = [posting(7, 3), posting(3, 3)]
        store.write(lambda: index.fold(only(index)._replace(folded=3), [cell(three)], more, anew=False))
        assert only(index) == place._replace(folded=3, tail=1)
        assert sorted(index.cells(place.number)) == sorted([cell(one, two), cell(three)])
        assert sorted(index.postings(place.number)) == sorted([posting(7, 1, 2), *more])
        assert sorted(index.postings(place.number, [7, 99])) == sorted([posting(7, 1, 2), posting(7, 3)])
        assert index.postings(place.number, []) == []
        parted = [cell(one, four, number=7), cell(two, three, number=9)]
        made = only(index)._replace(folded=4, centroids=b"centres!")
        store.write(lambda: index.fold(made, parted, [posting(7, 1, 2, 3, 4)], anew=True))
        now = only(index)
        assert (now.folded, now.tail, now.centroids) == (4, 0, b"centres!")
        assert now.shape > place.shape
        assert sorted(index.cells(place.number)) == parted
        assert index.postings(place.number) == [posting(7, 1, 2, 3, 4)]
        assert (index.cells(place.number + 1), index.postings(place.number + 1)) == ([], [])
        fifth = profile(5, index.found([5])[5])
        assert index.tail(place.number + 1, 0) == [(5, fifth.vector, fifth.stems)]

    def test_a_match_finds_rare_words_first(self, store: Store, memory: Treering) -> None:
        """Any of the terms will do, and the rarer one counts for more."""
        for number in range(8):
            memory.remember(f"deploy note number {number}")
        memory.remember("deploy the canary")
        ready(store)
        hits = store.index.match(["deploy", "canary"], here(store.index), None, 3)
        assert (hits[0][0], len(hits)) == (9, 3)
        assert [score for _, score in hits] == sorted((score for _, score in hits), reverse=True)
        assert [number for number, _ in hits[1:]] == [8, 7]

    def test_several_words_are_a_phrase(self, store: Store, memory: Treering) -> None:
        """They stand side by side, in this order, in one field."""
        memory.remember("run the lock timeout now")
        memory.remember("a timeout of the lock")
        memory.remember("lock", tags=["timeout"])
        memory.remember("locking timeouts")
        ready(store)
        hits = store.index.match(["lock timeout"], here(store.index), None, 9)
        assert sorted(number for number, _ in hits) == [1, 4]
        assert store.index.counts(["lock timeout", "timeout lock", "timeout of the lock"]) == [2, 0, 1]

    def test_a_match_knows_word_forms_and_every_field(self, store: Store, memory: Treering) -> None:
        """Plurals and endings do not matter; tags, structured fields and the parts of names are searched too."""
        memory.remember("Migrations lock tables by getUserName", tags=["postgres"], problem="deadlocks at night")
        ready(store)
        for term in ("migration", "locking", "postgres", "deadlock", "night", "user", "getusername", "user name"):
            assert [number for number, _ in store.index.match([term], here(store.index), None, 1)] == [1]
        assert store.index.match(["usern"], here(store.index), None, 1) == []

    def test_words_match_if_their_stems_are_the_same(self, store: Store, memory: Treering) -> None:
        """What `stems` says is what the full-text index does."""
        words = "lock locks locked locking locker table tables night nights note noted policy policies cat cats".split()
        for word in words:
            memory.remember(word)
        ready(store)
        stems = store.index.stems(words)
        for word, stem in zip(words, stems, strict=True):
            alike = [number for number, other in enumerate(stems, 1) if other == stem]
            hits = store.index.match([word], here(store.index), None, 99)
            assert sorted(number for number, _ in hits) == alike
            assert store.index.counts([word]) == [len(alike)]
        assert set(store.index.vocabulary("")) == set(stems)
        assert store.index.stems(["", "-"]) == ["", ""]

    def test_a_match_takes_any_text_as_words(self, store: Store, memory: Treering) -> None:
        """Quotes, operators and symbols have no power."""
        memory.remember("plain text")
        ready(store)
        odd = ['"', "a AND b", "NEAR(", "col:x", "*", "^x", "-", "🦊", "x\ny", "()", "", "content : plain", 'pl" OR "x']
        for term in odd:
            hits = store.index.match([term, "plain"], here(store.index), None, 5)
            assert [number for number, _ in hits] == [1]
            assert store.index.match([term], here(store.index), None, 5) == []
        assert store.index.counts(odd) == [0] * len(odd)
        assert store.index.match([], here(store.index), None, 5) == []

    def test_a_match_stays_in_its_places_and_behind_a_number(self, store: Store, memory: Treering) -> None:
        """Other places, earlier memories and those without a profile are not looked at."""
        for project in ("p", "q", "p", "q"):
            memory.remember("word", project=project)
        ready(store)
        memory.remember("word without a profile", project="p")
        mine = here(store.index, Context(project="p"))

        def found(places: Sequence[int]) -> list[int]:
            return [number for number, _ in store.index.match(["word"], places, None, 9)]

        assert found(mine) == [3, 1]
        assert found([]) == []
        assert found([*mine, *here(store.index, Context(project="q"))]) == [4, 3, 2, 1]

    def test_a_filter_narrows_a_match(self, store: Store, memory: Treering) -> None:
        """By type, scope and time, and by what somebody may see."""
        memory.remember("word", at="2026-01-01T00:00:00Z")
        memory.remember("word", type="procedural", at="2026-01-02T00:00:00Z")
        memory.remember("word", scope="session", session="s", at="2026-01-03T00:00:00Z")
        ready(store)
        index, standing = store.index, Context(session="s")
        first, second, third = (index.found([1, 2, 3])[number].created for number in (1, 2, 3))
        asked = {
            Filter(): [1, 2, 3],
            Filter(type="procedural"): [2],
            Filter(scope="session"): [3],
            Filter(since=second): [2, 3],
            Filter(until=second): [1, 2],
            Filter(since=second, until=second): [2],
            Filter(since=third + 1): [],
            Filter(until=first - 1): [],
            Filter(statuses=("archived",)): [],
            Filter(visible_to=HERE): [1, 2],
            Filter("elsewhere"): [],
        }
        for narrow, expected in asked.items():
            hits = index.match(["word"], here(index, standing), narrow, 9)
            assert sorted(number for number, _ in hits) == expected
            assert sorted(index.numbers(narrow)) == expected

    def test_rare_terms_are_counted_exactly(self, store: Store, memory: Treering) -> None:
        """Of a store of any size, in every place, with a profile or without; common ones about right."""
        memory.remember_many({"content": f"common {'seldom' if count % 100 == 7 else ''}"} for count in range(1_200))
        memory.remember("seldom seen", project="p")
        memory.forget(memory.remember("seldom kept").id)
        common, seldom, never = store.index.counts(["common", "seldom", "never"])
        assert (seldom, never) == (13, 0)
        assert common == pytest.approx(1_200, rel=0.05)
        assert store.index.size >= 1_201

    def test_the_vocabulary_is_what_memories_say(self, store: Store, memory: Treering) -> None:
        """The stems that begin so, of what is not forgotten."""
        memory.remember("postpone the post", tags=["postgres"])
        gone = memory.remember("posthumous")
        every = store.index.stems(["postpone", "post", "postgres", "posthumous"])
        assert sorted(store.index.vocabulary("post")) == sorted(every)
        memory.forget(gone.id)
        assert sorted(store.index.vocabulary("post")) == sorted(every[:3])
        assert store.index.vocabulary("postx") == []

    def test_mentions_stay_in_their_places(self, store: Store, memory: Treering) -> None:
        """Which memories of some places mention any of the entities, at most so many."""
        for project, tags in (("p", ["a"]), ("p", ["a", "b"]), ("q", ["a"]), ("p", ["a"])):
            memory.remember("note", project=project, tags=tags)
        ready(store)
        mine, theirs = (here(store.index, Context(project=name)) for name in ("p", "q"))
        assert sorted(store.index.mentions(["a", "b", "x"], mine, 9)) == [("a", 1), ("a", 2), ("a", 4), ("b", 2)]
        assert store.index.mentions(["a", "b"], theirs, 9) == [("a", 3)]
        assert len(store.index.mentions(["a", "b"], [*mine, *theirs], 3)) == 3
        assert store.index.mentions(["a"], [], 9) == []

    def test_beside_a_memory_stand_those_of_its_session_and_place(self, store: Store, memory: Treering) -> None:
        """In the order of when they happened; of one moment, in the order of their numbers."""
        rows: list[tuple[str, str, str, str]] = [
            ("2026-01-03", "s", "", "user"),
            ("2026-01-01", "s", "", "user"),
            ("2026-01-02", "s", "", "user"),
            ("2026-01-02", "s", "", "user"),
            ("2026-01-02", "other", "", "user"),
            ("2026-01-02", "s", "p", "project"),
            ("2026-01-02", "s", "p", "session"),
            ("2026-01-02", "s", "q", "session"),
            ("2026-01-02", "", "", "user"),
        ]
        for at, session, project, scope in rows:
            memory.remember("note", at=at, session=session, project=project, scope=scope)
        ready(store)
        beside = {number: sides for number, *sides in store.index.beside([*range(1, 12)])}
        line = {2: [None, 3], 3: [2, 4], 4: [3, 1], 1: [4, None]}
        assert beside == {**line, 5: [None, None], 6: [None, None], 7: [None, None], 8: [None, None]}
        assert store.index.beside([]) == []

    def test_memories_are_found_by_number_and_by_name(self, store: Store, memory: Treering) -> None:
        """A use counts up and leaves the number; what is not there is not found."""
        one, two = memory.remember("one"), memory.remember("two")
        numbers = store.index.named([two.id, one.id, "nobody-1"])
        assert numbers == {one.id: 1, two.id: 2}
        assert store.index.found([2, 1, 9]) == {1: one, 2: two}
        assert (store.index.found([]), store.index.named([])) == ({}, {})
        ready(store)
        used = one._replace(accesses=3, accessed=7)
        store.write(lambda: store.save([(one, used)]))
        assert store.index.named([one.id]) == {one.id: 1}
        assert store.index.found([1]) == {1: used}
        assert store.index.pending(9) == []
        memory.purge(one.id)
        assert (store.index.found([1]), store.index.named([one.id])) == ({}, {})

    def test_a_profile_comes_back_as_it_went_in(self, store: Store, memory: Treering) -> None:
        """But for its session and entities, which others ask for."""
        note = memory.remember("note", session="s", at="2026-01-01")
        went = Profile(1, 0, note.created, 7, b"stem" * 3, b"\x80\x7f", b"\1\2\3\4", "s", ("a", "b c", "é"))
        store.write(lambda: store.index.add([(note, went)]))
        place = only(store.index).number
        assert store.index.profiles([1, 2]) == [went._replace(place=place, session="", entities=())]
        assert sorted(store.index.mentions(["b c", "é"], [place], 9)) == [("b c", 1), ("é", 1)]
