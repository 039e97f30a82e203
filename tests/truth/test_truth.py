"""Supersession: a fact has changed, and both sides know."""

from __future__ import annotations

from pathlib import Path

import pytest

import treering
from tests.ageing import DAY, Aged
from tests.world import NOON, Hashed, fresh, memory_on, picture, store_in_memory
from treering.ledger.codec import data_of
from treering.ledger.config import Config
from treering.ledger.errors import IllegalMove, InvalidInput, NotFound, ReadOnly
from treering.ledger.events import SUPERSEDED
from treering.ledger.types import Context, move_of
from treering.ledger.verify import verify
from treering.ledger.workspace import Workspace
from treering.memory import Treering
from treering.recall.recalls import Recalls
from treering.stores.past import PastStore
from treering.stores.port.ledger import EventQuery
from treering.stores.sqlite.store import SqliteStore

SLOW, QUICK = "The request timeout is 30 seconds", "The request timeout is 5 seconds"


@pytest.fixture
def memory() -> Treering:
    return fresh()


def event_of(memory: Treering, kind: str, subject: str = "") -> str:
    """The id of the newest event of a kind."""
    query = EventQuery(kinds=(kind,), subjects=(subject,) if subject else None, newest=True, limit=1)
    (event,) = memory.store.events(query)
    return event.id


def found(memory: Treering, query: str, superseded: bool = False) -> list[str]:
    return [hit.memory.id for hit in memory.recall(query, silent=False, log=False, superseded=superseded).hits]


def said(memory: Treering, word: str) -> bool:
    """Whether any event of the ledger, or any record, still has a word."""
    payloads = "\n".join(event.payload or "" for event in memory.store.events())
    return word in payloads or word in str(picture(memory.store))


class TestSupersede:
    def test_by_id_both_know_of_each_other(self, memory: Treering) -> None:
        """The old one by what, the new one whom; and the reason is told."""
        old, new = memory.remember(SLOW), memory.remember("A request may take five seconds")
        held = memory.supersede(old.id, new.id, reason="measured")
        former = memory.get(old.id)
        assert (held.id, held.supersedes) == (new.id, (old.id,))
        assert (former.status, former.superseded_by, former.content) == ("superseded", new.id, old.content)
        assert move_of(former.moves[-1]).rule == "superseded"
        told = data_of(next(iter(memory.store.events(EventQuery(kinds=(SUPERSEDED,))))))[1]
        assert told == {"by": new.id, "reason": "measured"}
        assert verify(memory.ledger.store).clean

    def test_by_text_the_new_one_is_what_the_old_one_was(self, memory: Treering) -> None:
        """Type, scope, project, tags, language and whether it is an invariant; the text and the date are its own."""
        memory.workspace.context = memory.context._replace(actor="user")  # who alone changes an invariant
        old = memory.remember(SLOW, type="procedural", project="p", tags=["ops"], language="go", invariant=True)
        new = memory.supersede(old.id, QUICK)
        assert new.content == QUICK
        for name in ("type", "scope", "project", "tags", "language", "invariant", "space"):
            assert getattr(new, name) == getattr(old, name), name
        assert new.created > old.created
        assert memory.get(old.id).superseded_by == new.id

    def test_only_a_person_changes_an_invariant(self, memory: Treering) -> None:
        """An agent is told so, and nothing is written."""
        old = memory.remember(SLOW, invariant=True)
        before = len([*memory.store.events()])
        with pytest.raises(InvalidInput, match="only a person"):
            memory.supersede(old.id, QUICK)
        assert len([*memory.store.events()]) == before

    @pytest.mark.parametrize("scope", ("user", "project", "session"))
    def test_by_text_the_walls_stay_where_they_were(self, scope: str) -> None:
        """Wherever we stand: whoever could see the old one sees the new one."""
        store = store_in_memory()
        project, session = {"user": ("", ""), "project": ("p", ""), "session": ("", "s")}[scope]
        old = memory_on(store).remember(SLOW, scope=scope, project=project, session=session)
        elsewhere = memory_on(store, context=Context(project="q", session="t"))
        new = elsewhere.supersede(old.id, QUICK)
        assert (new.scope, new.project) == (old.scope, old.project)
        assert new.session == old.session or scope != "session"

    def test_only_by_what_is_seen_wherever_the_old_one_was(self, memory: Treering) -> None:
        """Nobody is left with neither: the user's own may overtake a project's, and not the other way round."""
        user, mine = memory.remember("u"), memory.remember(SLOW, project="p")
        other = memory.remember(QUICK, project="q")
        for old, new in ((mine, other), (user, mine)):
            with pytest.raises(InvalidInput, match="not seen wherever"):
                memory.supersede(old.id, new.id)
        assert memory.supersede(mine.id, user.id).supersedes == (mine.id,)

    def test_not_across_spaces(self) -> None:
        """A memory of another space is not there at all."""
        store = store_in_memory()
        here, there = memory_on(store), memory_on(store, context=Context("elsewhere"))
        mine, theirs = here.remember(SLOW), there.remember(QUICK)
        for old, new in ((mine, theirs), (theirs, mine)):
            with pytest.raises(NotFound):
                here.supersede(old.id, new.id)
        assert here.get(mine.id) == mine

    def test_several_can_be_superseded_by_one(self, memory: Treering) -> None:
        """It knows all of them."""
        olds = [memory.remember(text) for text in ("red apples", "green pears")]
        new = memory.remember("only plums")
        for old in olds:
            memory.supersede(old.id, new.id)
        assert memory.get(new.id).supersedes == tuple(old.id for old in olds)

    def test_a_chain_of_truths(self, memory: Treering) -> None:
        """The last one holds."""
        first = memory.remember("The port is 8080")
        second = memory.supersede(first.id, "The port is 9090")
        third = memory.supersede(second.id, "The port is 7070")
        middle = memory.get(second.id)
        assert (middle.supersedes, middle.superseded_by) == ((first.id,), third.id)
        assert [m.id for m in memory.list() if m.status != "superseded"] == [third.id]

    def test_superseded_is_terminal(self, memory: Treering) -> None:
        """It is not superseded twice, and nothing is superseded by it."""
        old, new, other = (memory.remember(text) for text in ("red apples", "green pears", "blue plums"))
        memory.supersede(old.id, new.id)
        before = picture(memory.store)
        with pytest.raises(IllegalMove, match="is superseded already"):
            memory.supersede(old.id, other.id)
        with pytest.raises(IllegalMove, match="is superseded already"):
            memory.supersede(old.id, "a third text")
        with pytest.raises(InvalidInput, match="cannot take the place"):
            memory.supersede(other.id, old.id)
        assert picture(memory.store) == before

    def test_a_superseded_memory_is_restored_by_undoing_what_superseded_it(self, memory: Treering) -> None:
        """Both hold again, neither knows of the other, and somebody wants the old one: it counts as used."""
        old, new = memory.remember("red apples"), memory.remember("green pears")
        memory.supersede(old.id, new.id)
        back = memory.restore(old.id)
        assert (back.superseded_by, back.status, back.accesses) == ("", "active", 1)
        assert memory.get(new.id) == new
        with pytest.raises(InvalidInput, match="is active: there is nothing to restore"):
            memory.restore(old.id)

    def test_no_memory_supersedes_itself_or_what_superseded_it(self, memory: Treering) -> None:
        """Truth has no circles."""
        one, two = memory.remember("red apples"), memory.remember("green pears")
        with pytest.raises(InvalidInput, match="cannot supersede itself"):
            memory.supersede(one.id, one.id)
        memory.supersede(one.id, two.id)
        with pytest.raises(InvalidInput, match="cannot take the place"):
            memory.supersede(two.id, one.id)
        assert memory.get(two.id).status == "created"

    def test_what_is_forgotten_is_neither_old_nor_new(self, memory: Treering) -> None:
        """It is to be restored first."""
        gone, kept = memory.remember("red apples"), memory.remember("green pears")
        memory.forget(gone.id)
        with pytest.raises(IllegalMove):
            memory.supersede(gone.id, kept.id)
        with pytest.raises(InvalidInput):
            memory.supersede(kept.id, gone.id)

    @pytest.mark.parametrize("new", ("99", "nobody-99", "", "   "))
    def test_what_names_nothing_and_says_nothing_is_refused(self, memory: Treering, new: str) -> None:
        """And the old one holds on."""
        old = memory.remember(SLOW)
        before = (picture(memory.store), list(memory.store.events()))
        if new == "nobody-99":
            assert memory.supersede(old.id, new).content == new
            return
        with pytest.raises(treering.TreeringError):
            memory.supersede(old.id, new)
        assert (picture(memory.store), list(memory.store.events())) == before

    def test_a_text_that_only_looks_like_an_id_is_a_text(self, memory: Treering) -> None:
        """No writer is called so."""
        old = memory.remember("The model is gpt-4")
        assert memory.supersede(old.id, "gpt-5").content == "gpt-5"

    def test_a_short_id_is_an_id(self, memory: Treering) -> None:
        """As everywhere."""
        old, new = memory.remember("red apples"), memory.remember("green pears")
        assert memory.supersede("1", "2").id == new.id
        assert memory.get(old.id).superseded_by == new.id

    def test_it_is_out_of_recall_unless_asked_for(self, memory: Treering) -> None:
        """Whether or not the question narrows otherwise."""
        old = memory.remember(SLOW, tags=["ops"])
        assert found(memory, "request timeout") == [old.id]
        new = memory.supersede(old.id, QUICK)
        assert found(memory, "request timeout") == [new.id]
        assert [h.memory.id for h in memory.recall("request timeout", type="semantic", log=False).hits] == [new.id]
        assert found(memory, "request timeout", superseded=True) == [new.id, old.id]

    def test_using_it_leaves_it_superseded(self, memory: Treering) -> None:
        """A recall that asks for it counts the use and no more."""
        old = memory.remember(SLOW)
        memory.supersede(old.id, QUICK)
        memory.recall("request timeout", silent=False, superseded=True)
        again = memory.get(old.id)
        assert (again.status, again.accesses) == ("superseded", 1)

    def test_undoing_it_brings_the_old_one_back(self, memory: Treering) -> None:
        """And the new one has taken nobody's place."""
        old, new = memory.remember("red apples"), memory.remember("green pears")
        before = picture(memory.store)
        memory.supersede(old.id, new.id)
        memory.undo(event_of(memory, SUPERSEDED))
        assert picture(memory.store) == before
        assert memory.supersede(old.id, new.id).supersedes == (old.id,)

    def test_undoing_the_new_one_brings_the_old_one_back(self, memory: Treering) -> None:
        """What rests on it goes with it."""
        old = memory.remember(SLOW)
        new = memory.supersede(old.id, QUICK)
        memory.undo(new.id)
        assert memory.get(old.id) == old
        with pytest.raises(NotFound):
            memory.get(new.id)

    def test_purging_the_old_one_leaves_the_new_one(self, memory: Treering) -> None:
        """It still says whose place it took."""
        old = memory.remember("red apples")
        new = memory.supersede(old.id, "green pears", reason="the orchard moved")
        memory.purge(old.id)
        assert memory.get(new.id) == new
        assert not said(memory, "apples") and not said(memory, "orchard")
        assert verify(memory.ledger.store).problems == ()

    def test_purging_the_new_one_leaves_the_old_one_superseded(self, memory: Treering) -> None:
        """What is erased is not therefore untrue."""
        old = memory.remember("red apples")
        new = memory.supersede(old.id, "green pears")
        memory.purge(new.id)
        assert memory.get(old.id).status == "superseded"
        assert not said(memory, "pears")
        assert verify(memory.ledger.store).problems == ()

    def test_as_of_a_moment_before_it_the_old_truth_holds(self, tmp_path: Path) -> None:
        """And of a moment after it the new one."""
        world = Aged(SqliteStore(str(tmp_path / "treering.db")))
        old = world.memory.remember(SLOW)
        world.pass_(days=1)
        new = world.memory.supersede(old.id, QUICK)
        for at, held in ((NOON + DAY // 2, old), (NOON + 2 * DAY, new)):
            past = as_of(world, at)
            assert [hit.memory.id for hit in past.recall("request timeout", silent=False).hits] == [held.id]
            assert [m.id for m in past.list() if m.status == "created"] == [held.id]
        assert as_of(world, NOON + DAY // 2).get(old.id) == old

    def test_it_is_one_transaction(self, memory: Treering, monkeypatch: pytest.MonkeyPatch) -> None:
        """A new text is not remembered for a supersession that fails."""
        old = memory.remember(SLOW)
        before = (picture(memory.store), list(memory.store.events()))
        monkeypatch.setattr("treering.ledger.decide.succeed", _interrupted)
        with pytest.raises(KeyboardInterrupt):
            memory.supersede(old.id, QUICK)
        assert (picture(memory.store), list(memory.store.events())) == before

    def test_two_machines_that_supersede_by_each_other_agree(self) -> None:
        """Whatever they come to, they come to the same."""
        one, two = memory_on(store_in_memory(), seed=1), memory_on(store_in_memory(), seed=2)
        a, b, c = (one.remember(text) for text in ("red apples", "green pears", "blue plums"))
        two.ledger.take_in(list(one.store.events()))
        one.supersede(a.id, b.id)
        two.supersede(a.id, c.id)
        for here, there in ((one, two), (two, one)):
            here.ledger.take_in(list(there.store.events()))
        assert picture(one.store) == picture(two.store)
        assert one.get(a.id).superseded_by in (b.id, c.id)
        for memory in (one, two):
            assert verify(memory.ledger.store).problems == ()


def _interrupted(*_: object) -> None:
    raise KeyboardInterrupt


def as_of(world: Aged, moment: int) -> Treering:
    past = PastStore(world.memory.ledger.store, moment)
    recalling = Recalls(past, Hashed(), lambda count: bytes(count))
    return Treering(Workspace(past, Config(), Context(), ReadOnly("then"), lambda: recalling, lambda: moment))


def test_scores_are_those_of_now() -> None:
    """They are computed when read: worth, what is left of it, and where it stands."""
    world = Aged()
    note = world.memory.remember("x", confidence=1.0, relevance=1.0)
    assert world.memory.scores(note) == {"importance": 0.7, "strength": 0.7, "tier": "hot"}
    world.pass_(days=7)
    later = world.memory.scores(note)
    assert isinstance(later["strength"], float)
    assert later["strength"] < 0.35
