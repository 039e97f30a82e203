"""The graph follows the memories: what they name and tell, since when, until when, and who must not know of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.consolidate.living import DAY, SECOND, World, rows
from treering.graph import index
from treering.graph import rules as graphs
from treering.graph.rules import Relation
from treering.graph.view import RELATION
from treering.ledger.errors import InvalidInput, NotFound
from treering.ledger.events import GRAPHED, PRUNED, RAISED
from treering.ledger.types import Context, Filter, Memory
from treering.stores.port.graph import Mention, Statement
from treering.stores.sqlite.store import SqliteStore

DEPENDS = "The checkout service depends on Redis"


def related(world: World, name: str) -> list[Relation]:
    (found,) = world.memory.graph.show(name)
    return list(found.relations)


def names(world: World) -> set[str]:
    return {one["key"] for one in json.loads(world.memory.graph.export())["entities"]}


def doubtful(world: World, note: Memory, name: str, sure: float = 0.25, edge: float = 0.15) -> None:
    """A name that somebody who is not sure has read in a memory, and what it is related to."""
    number = world.store.index.named([note.id])[note.id]
    seen = (Mention(name, name, "concept", sure), Mention("anchor", "Anchor", "concept", 0.9))
    told = (Statement(name, "uses", "anchor", edge, 0, 4),)
    index.catch_up(world.store)
    world.store.index.write(lambda: world.store.index.graph.add([(number, seen, told)], 0))


class TestReading:
    def test_what_memories_tell_is_shown_with_who_says_so(self, world: World) -> None:
        """A second memory makes it stronger and surer."""
        first = world.memory.remember(DEPENDS)
        (one,) = related(world, "Redis")
        assert (one.source, one.type, one.target, one.evidence) == ("checkout", "depends_on", "redis", (first.id,))
        world.pass_(days=1)
        second = world.memory.remember("As said, the checkout service depends on Redis heavily", anyway=True)
        (both,) = related(world, "redis")
        assert both.evidence == (first.id, second.id)
        assert both.weight > one.weight and both.confidence > one.confidence
        (found,) = world.memory.graph.show("redis")
        assert (found.entity.mentions, found.entity.type) == (2, "tool")

    def test_a_relation_knows_when_it_was_true_and_when_that_was_learned(self, world: World) -> None:
        """They differ for what is written down later."""
        world.memory.remember(DEPENDS, at=(world.time - 30 * DAY) / SECOND)
        (one,) = related(world, "redis")
        assert (one.valid_from, one.learned, one.invalid_at) == (world.time - 30 * DAY, world.time, None)

    @pytest.mark.parametrize("how", ("forget", "supersede", "purge", "undo", "told"))
    def test_a_relation_ends_with_what_told_it(self, world: World, how: str) -> None:
        """Forgotten, superseded, purged, undone, or somebody says that it ended."""
        note = world.memory.remember(DEPENDS)
        world.memory.remember("Redis runs on node 7")
        related(world, "redis")
        world.pass_(days=1)
        if how == "supersede":
            world.memory.supersede(note.id, "Nothing here needs a cache")
        elif how == "told":
            world.memory.remember("The checkout service no longer depends on Redis")
        else:
            getattr(world.memory, how)(note.id)
        left = [one for one in related(world, "redis") if one.source == "checkout"]
        if how in ("supersede", "told"):
            assert [one.invalid_at for one in left] == [world.time]
        else:
            assert left == []

    def test_the_same_name_in_two_projects_is_two_things(self, world: World) -> None:
        """Neither sees the other; the user's own is seen by both."""
        for project in ("shop", "bakery"):
            world.memory.remember(DEPENDS, scope="project", project=project, anyway=True)
        world.memory.remember("Redis depends on Postgres", scope="user")
        assert {found.entity.project for found in world.memory.graph.show("redis")} == {"", "shop", "bakery"}
        seen = world.memory.graph.show("redis", project="shop")
        assert {found.entity.project for found in seen} == {"", "shop"}
        for found in seen:
            assert found.entity.mentions == 1

    def test_a_path_leads_over_relations_that_hold(self, world: World) -> None:
        """The shortest, either way; one that ended leads nowhere, and no wall is climbed."""
        world.memory.remember(DEPENDS)
        world.memory.remember("Redis depends on Postgres")
        entities, relations = world.memory.graph.path("checkout", "postgres")
        assert [one.key for one in entities] == ["checkout", "redis", "postgres"]
        assert [one.type for one in relations] == ["depends_on", "depends_on"]
        assert [one.key for one in world.memory.graph.path("postgres", "checkout")[0]][::-1] == [
            one.key for one in entities
        ]
        world.memory.remember("The oven depends on Kafka", scope="project", project="bakery")
        assert world.memory.graph.path("checkout", "kafka") == ([], [])
        world.pass_(days=1)
        world.memory.remember("The checkout service no longer depends on Redis")
        assert world.memory.graph.path("checkout", "postgres") == ([], [])

    def test_who_is_not_there_is_not_found(self, world: World) -> None:
        """And what is no name is refused."""
        world.memory.remember(DEPENDS)
        with pytest.raises(NotFound):
            world.memory.graph.show("kafka")
        with pytest.raises(NotFound):
            world.memory.graph.path("redis", "kafka")
        for nothing in ("", "  ", None, 7):
            with pytest.raises(InvalidInput):
                world.memory.graph.show(nothing)  # type: ignore[arg-type]
        with pytest.raises(InvalidInput):
            world.memory.graph.export("dot")

    def test_a_graph_without_a_relation_is_not_drawn(self, world: World) -> None:
        """There is nothing to see; JSON and GraphML are whole all the same."""
        for format in ("json", "graphml"):
            assert world.memory.graph.export(format)
        with pytest.raises(InvalidInput):
            world.memory.graph.export("svg")
        world.memory.remember(DEPENDS)
        for format, mark in (("json", '"redis"'), ("graphml", "<graphml"), ("svg", "<svg")):
            assert mark in world.memory.graph.export(format)
            assert mark in world.memory.graph.export(format, "redis")


class TestStrands:
    """They follow the records, and are the same after a rebuild."""

    @pytest.mark.parametrize(
        "act",
        [
            lambda world, note: world.memory.forget(note.id),
            lambda world, note: world.memory.restore(world.memory.forget(note.id).id),
            lambda world, note: world.memory.purge(note.id),
            lambda world, note: world.memory.undo(note.id),
            lambda world, note: world.memory.undo(world.memory.undo(note.id).event.id),
            lambda world, note: world.seen_by(Context(actor="user")).supersede(note.id, "The checkout uses Valkey"),
            lambda world, note: world.memory.undo(
                world.seen_by(Context(actor="user")).supersede(note.id, "The checkout uses Valkey").id
            ),
            lambda world, note: world.memory.revoke(source="user"),
        ],
        ids=("forget", "restore", "purge", "undo", "redo", "supersede", "undo supersede", "revoke"),
    )
    @pytest.mark.parametrize("read", (True, False), ids=("read before", "read after"))
    def test_a_rebuild_gives_the_same(self, world: World, act: Callable[[World, Memory], object], read: bool) -> None:
        """Whatever happened to a memory, before or after it was read."""
        world.memory.remember("The gateway uses Kafka")
        note = world.memory.remember(DEPENDS, origin="user")
        self._read_by_model(world, note)
        if read:
            rows(world.store)
        act(world, note)
        before = rows(world.store)
        assert rows(world.store) == before
        world.memory.ledger.rebuild()
        assert rows(world.store) == before

    def test_what_is_forgotten_is_in_no_strand(self, world: World) -> None:
        """At once, without anybody reading."""
        note = world.memory.remember(DEPENDS)
        assert rows(world.store)
        world.memory.forget(note.id)
        assert list(world.store.index.graph.mentions(Filter())) == []
        assert list(world.store.index.graph.statements(Filter())) == []

    def test_what_a_model_read_comes_back_with_its_event(self, world: World) -> None:
        """Undone it is gone, and undoing that brings it back; patterns stay as they are."""
        note = world.memory.remember(DEPENDS)
        plain = rows(world.store)
        event = self._read_by_model(world, note)
        more = rows(world.store)
        assert len(more) == len(plain) + 1
        for _ in range(2):
            undone = world.memory.undo(event)
            assert rows(world.store) == plain
            world.memory.undo(undone.event.id)
            assert rows(world.store) == more

    def test_what_a_model_read_follows_its_memory(self, world: World) -> None:
        """Gone while that is forgotten, back when it is back."""
        note = world.memory.remember(DEPENDS)
        self._read_by_model(world, note)
        before = rows(world.store)
        world.memory.forget(note.id)
        assert rows(world.store) == []
        world.memory.restore(note.id)
        assert [row[:-1] for row in rows(world.store)] == [row[:-1] for row in before]

    def test_what_makes_no_sense_in_a_strange_event_is_left_out(self, world: World) -> None:
        """It may come from elsewhere."""
        note = world.memory.remember("zorblax keeps running")
        entities: list[dict[str, Any]] = [
            {"name": "zorblax", "type": "god"},
            {"name": "", "type": "tool"},
            {"kind": 7},
            {"name": "ok", "type": "tool"},
        ]
        relations = [{"source": "ok", "type": "eats", "target": "ok"}, {"source": "ok", "type": "uses", "target": "no"}]
        draft = graphs.draft_reading(note.id, entities, relations, "m", Context())
        world.memory.ledger.commit(lambda: [draft])
        assert [row[:3] for row in rows(world.store)] == [("ok", "ok", "tool")]

    @staticmethod
    def _read_by_model(world: World, note: Memory) -> str:
        draft = graphs.draft_reading(note.id, [{"name": "zinc", "type": "pattern"}], [], "m", Context())
        (event,) = world.memory.ledger.commit(lambda: [draft])
        assert event.kind == GRAPHED
        return event.id


def test_nothing_of_a_purged_memory_is_left_among_the_aliases(tmp_path: Path) -> None:
    """The names of decisions are whole sentences."""
    world = World(SqliteStore(str(tmp_path / "store.db")))
    kept = world.memory.remember("Decision: we deploy the quillfeather on Tuesdays")
    note = world.memory.remember("Decision: we deploy the quillfeathers on Tuesdays, yonderly")
    rows(world.store)
    both = [seen.key for seen, _ in world.store.index.graph.mentions(Filter())]
    assert len(both) == 2
    joined = [("shop", "decision", both[1], both[0])]
    world.store.index.write(lambda: world.store.index.graph.set_aliases(joined))
    world.memory.purge(note.id)
    assert world.store.index.graph.aliases() == []
    assert b"yonderly" not in b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert [seen.key for seen, holder in world.store.index.graph.mentions(Filter())] == both[:1]
    assert world.now(kept)
    world.store.close()


class TestPruning:
    def test_what_was_named_once_doubtfully_and_long_ago_is_hidden(self, world: World) -> None:
        """After more than 30 days, below a confidence of .3; an edge below .2."""
        note = world.memory.remember("plain words")
        doubtful(world, note, "murk")
        doubtful(world, note, "clear", sure=0.3, edge=0.2)
        world.pass_(days=30)
        assert world.memory.graph.prune()[:2] == (0, 0)
        world.time += 1
        done = world.memory.graph.prune()
        assert done[:2] == (1, 1) and done.event
        assert names(world) == {"clear", "anchor"}
        with pytest.raises(NotFound):
            world.memory.graph.show("murk")
        assert [one.source for one in related(world, "anchor")] == ["clear"]
        assert world.memory.graph.prune() == (0, 0, "")

    def test_a_new_mention_brings_it_back(self, world: World) -> None:
        """With all that was told of it before."""
        note = world.memory.remember("plain words")
        doubtful(world, note, "murk")
        world.pass_(days=31)
        world.memory.graph.prune()
        again = world.memory.remember("other plain words")
        doubtful(world, again, "murk")
        (found,) = world.memory.graph.show("murk")
        assert (found.entity.mentions, found.entity.memories) == (2, (note.id, again.id))
        assert [one.evidence for one in found.relations] == [(note.id, again.id)]

    def test_undoing_a_pruning_brings_all_of_it_back(self, world: World) -> None:
        """No memory has changed meanwhile, and undoing that hides it again."""
        doubtful(world, world.memory.remember("plain words"), "murk")
        before = names(world)
        world.pass_(days=31)
        done = world.memory.graph.prune()
        assert names(world) == {"anchor"}
        undone = world.memory.undo(done.event)
        assert names(world) == before
        world.memory.undo(undone.event.id)
        assert names(world) == {"anchor"}

    def test_a_rehearsal_hides_nothing(self, world: World) -> None:
        """It says what would be hidden."""
        doubtful(world, world.memory.remember("plain words"), "murk")
        world.pass_(days=31)
        before = (world.dump(), rows(world.store), names(world))
        assert world.memory.graph.prune(dry_run=True)[:2] == (1, 1)
        assert (world.dump(), rows(world.store), names(world)) == before

    def test_a_pruning_names_nobody(self, world: World) -> None:
        """So that a purge need not look into it."""
        doubtful(world, world.memory.remember("plain words"), "murk")
        world.pass_(days=31)
        world.memory.graph.prune()
        (event,) = world.events(PRUNED)
        assert event.payload == '{"entities":1,"relations":1}'


class TestContradictions:
    def test_relations_that_exclude_each_other_come_into_the_queue_once(self, world: World) -> None:
        """The same as that of texts, with the words that tell them."""
        older = world.memory.remember("Valkey replaced Redis")
        world.pass_(days=1)
        newer = world.memory.remember("Redis replaced Valkey")
        for _ in range(3):
            world.step("graph")
            world.step("contradictions")
        (one,) = [found for found in world.memory.truth.contradictions() if found.kind == RELATION]
        assert (one.older.id, one.newer.id) == (older.id, newer.id)
        first, last = one.spans[:2], one.spans[2:]
        assert [text.content[slice(*span)] for text, span in ((older, first), (newer, last))] == ["replaced"] * 2
        assert len(world.events(RAISED)) == 1

    @pytest.mark.parametrize("keep", ("A", "B", "both", "supersede"))
    def test_what_was_settled_is_not_raised_again(self, world: World, keep: str) -> None:
        """Whichever way it was."""
        world.memory.remember("Valkey replaced Redis")
        world.pass_(days=1)
        world.memory.remember("Redis replaced Valkey")
        world.memory.maintenance.consolidate(steps=["graph", "contradictions"])
        (one,) = world.memory.truth.contradictions()
        world.memory.truth.resolve(one.id, keep=keep)
        world.memory.maintenance.consolidate(steps=["graph", "contradictions"])
        assert world.memory.truth.contradictions() == []
        assert len(world.events(RAISED)) == 1

    def test_two_sessions_that_speak_for_themselves_do_not_contradict_each_other(self, world: World) -> None:
        """Neither can see the other."""
        world.memory.remember("Valkey replaced Redis", scope="session", session="a")
        world.memory.remember("Redis replaced Valkey", scope="session", session="b")
        world.memory.maintenance.consolidate(steps=["graph", "contradictions"])
        assert world.memory.truth.contradictions() == []

    def test_two_projects_do_not_contradict_each_other(self, world: World) -> None:
        """Each may replace what it likes."""
        world.memory.remember("Valkey replaced Redis", scope="project", project="shop")
        world.memory.remember("Redis replaced Valkey", scope="project", project="bakery")
        world.memory.maintenance.consolidate(steps=["graph", "contradictions"])
        assert world.memory.truth.contradictions() == []
