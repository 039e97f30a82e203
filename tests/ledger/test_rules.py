"""The rules of core, one by one."""

from __future__ import annotations

from typing import Any

import pytest

from tests.world import NOON
from treering.ledger import decide
from treering.ledger.ageing import QUEUE, Due, Step
from treering.ledger.codec import data_of, decode, from_line, intact, stamp, tick, to_line
from treering.ledger.decide import Remember
from treering.ledger.errors import CannotUndo, IllegalMove, InvalidInput, NotFound
from treering.ledger.events import (
    FORGOTTEN,
    MOVED,
    PURGED,
    QUEUED,
    RAISED,
    RAN,
    REMEMBERED,
    SUCCEEDED,
    SUPERSEDED,
    USED,
    Event,
    upcast,
)
from treering.ledger.fold import apply, fold
from treering.ledger.schemas import SCHEMAS, check_data
from treering.ledger.sessions import DAY, summarise_sessions
from treering.ledger.types import (
    RECALLABLE,
    STATUSES,
    TRANSITIONS,
    TRUSTS,
    Context,
    Memory,
    check_move,
    comes_from,
    origin_named,
    trust_in,
    type_named,
)

HERE = Context(actor="user")


def happened(content: str = "a fact", seq: int = 1, time: int = NOON, **wish: Any) -> Event:
    draft = decide.remember(Remember(content, **wish), HERE)
    return stamp(draft, "writer", seq, b"", time + seq, time, b"salt")


def made(content: str = "a fact", **wish: Any) -> Memory:
    memory = apply(None, happened(content, **wish))
    assert memory is not None
    return memory


class TestRemember:
    def test_a_memory_has_the_id_of_its_event(self) -> None:
        """One id serves both, so undoing a memory is undoing its making."""
        event = happened(seq=7)
        assert apply(None, event) == made()._replace(id="writer-7", created=NOON, updated=NOON)
        assert event.subject == event.id == "writer-7"

    @pytest.mark.parametrize(
        ("word", "type"),
        [
            ("Fact", "semantic"),
            ("Process", "procedural"),
            ("process", "procedural"),
            (" Episodic ", "episodic"),
        ],
    )
    def test_words_of_other_systems_mean_our_types(self, word: str, type: str) -> None:
        """Fact is semantic, Process is procedural, in any case."""
        assert type_named(word) == type

    @pytest.mark.parametrize(
        "wish",
        [
            Remember("   "),
            Remember("x", type="nonsense"),
            Remember("x", scope="galaxy"),
            Remember("x", scope="project"),
            Remember("x", scope="session"),
            Remember("x", problem="p", trigger="t"),
            Remember("x", tags=tuple(map(str, range(51)))),
            Remember("x", project="p" * 501),
            Remember("x", session="two\nlines"),
            Remember("x", origin="hearsay"),
        ],
    )
    def test_what_makes_no_sense_is_refused(self, wish: Remember) -> None:
        """Empty texts, unknown words, a scope without its place, two structures at once, names too long."""
        with pytest.raises(InvalidInput):
            decide.remember(wish, HERE)

    def test_scope_follows_the_project(self) -> None:
        """What is learned in a project belongs to it; all else belongs to the user."""
        assert made(project="p").scope == "project"
        assert made().scope == "user"
        assert made(project="p", scope="user").scope == "user"

    def test_structured_fields_can_stand_for_the_text(self) -> None:
        """A lesson or a rule needs no text beside it."""
        assert made("", trigger="on deploy", action="warm the cache").content == "on deploy. warm the cache"

    def test_tags_are_single_words_told_once(self) -> None:
        """Blanks inside a tag become hyphens; repetitions and empty tags go."""
        assert made(tags=("lock timeout", "a", "a", " ")).tags == ("lock-timeout", "a")


class TestTrust:
    @pytest.mark.parametrize(
        ("origin", "trust"),
        [("user", "user"), ("agent", "agent"), ("tool:web", "external"), ("a/b.md:3", "external")],
    )
    def test_trust_follows_the_origin(self, origin: str, trust: str) -> None:
        """Text from outside is trusted least, whoever brings it."""
        assert made(origin=origin).trust == trust

    @pytest.mark.parametrize(
        ("text", "whole"),
        [
            ("document:docs/a.md:12", ("document", "docs/a.md", 12)),
            ("docs/a.md", ("document", "docs/a.md", 0)),
            ("https://example.org:8080/x", ("document", "https://example.org:8080/x", 0)),
            ("tool:web", ("tool", "web", 0)),
        ],
    )
    def test_an_origin_is_read_and_written_alike(self, text: str, whole: tuple[str, str, int]) -> None:
        """Kind, pointer and line survive the way through text."""
        origin = origin_named(text)
        assert tuple(origin) == whole
        assert origin_named(str(origin)) == origin

    @pytest.mark.parametrize("origin", ("user", "agent", "tool:web"))
    @pytest.mark.parametrize("trust", TRUSTS)
    def test_a_derived_memory_has_the_lowest_trust_among_its_sources_and_its_origin(
        self, origin: str, trust: str
    ) -> None:
        """External text is trusted least, and what is derived from it no more."""
        sources = [made()._replace(id=f"writer-{number}", trust=one) for number, one in ((7, "user"), (8, trust))]
        draft = decide.remember(Remember("derived", origin=origin), HERE, sources)
        derived = apply(None, stamp(draft, "writer", 9, b"", NOON, NOON, b""))
        assert derived is not None
        assert derived.trust == max(trust_in(origin), trust, key=TRUSTS.index)
        assert draft.causes == ("writer-7", "writer-8")

    def test_a_source_is_the_file_and_not_its_namesake(self) -> None:
        """`a.md` is every line of it, and not `aa.md`."""
        assert comes_from("document:a.md:3", "a.md")
        assert not comes_from("document:aa.md:3", "a.md")
        assert not comes_from("", "a.md")


class TestLifecycle:
    def test_the_table_knows_every_status(self) -> None:
        """No move leads out of the table."""
        assert {to for moves in TRANSITIONS.values() for to in moves} <= set(STATUSES)
        assert set(RECALLABLE) < set(STATUSES)

    @pytest.mark.parametrize("now", STATUSES)
    @pytest.mark.parametrize("to", STATUSES)
    def test_a_move_is_in_the_table_or_an_error(self, now: str, to: str) -> None:
        """Nothing in between."""
        if to in TRANSITIONS[now]:
            check_move("m", now, to)
        else:
            with pytest.raises(
                IllegalMove, match=f"is {now} already" if now == to else f"is {now} and cannot become {to}"
            ):
                check_move("m", now, to)

    def test_a_forgotten_memory_has_no_text_left(self) -> None:
        """Its text leaves the projections; what it was, and whose, stays."""
        memory = made(tags=("t",), problem="p")
        draft = decide.forget(memory, HERE)
        forgotten = apply(memory, stamp(draft, "writer", 2, b"", NOON, NOON, b""))
        assert forgotten is not None
        assert (forgotten.status, forgotten.content, forgotten.details, forgotten.tags) == (
            "forgotten",
            "",
            "",
            (),
        )
        assert forgotten.type == memory.type

    def test_what_is_forgotten_cannot_be_forgotten(self) -> None:
        """The table has no such move."""
        with pytest.raises(IllegalMove):
            decide.forget(made()._replace(status="forgotten"), HERE)

    def test_only_what_is_forgotten_can_be_restored(self) -> None:
        """Restoring undoes a forgetting; without one there is nothing to undo."""
        with pytest.raises(InvalidInput, match="nothing to restore"):
            decide.restore(made(), [happened()], HERE)

    @pytest.mark.parametrize("now", STATUSES)
    def test_the_side_exits_are_open_to_what_is_told_and_to_nothing_else(self, now: str) -> None:
        """Superseded, merged and deprecated: from every status that recall answers with, and from no other."""
        for to in ("superseded", "merged", "deprecated"):
            assert (to in TRANSITIONS[now]) == (now in RECALLABLE)

    def test_what_was_superseded_merged_or_deprecated_can_only_be_forgotten(self) -> None:
        """Whatever else brings it back undoes the event that made it so."""
        assert {TRANSITIONS[now] for now in ("superseded", "merged", "deprecated")} == {("forgotten",)}

    def test_a_policy_moves_by_the_table(self) -> None:
        """A step that is not in it is refused, with all the others of its run."""
        fine, wrong = Due(made(), Step("active", "grown", {})), Due(made(), Step("created", "grown", {}))
        assert len(decide.moves([fine], "age", "writer-9", HERE)) == 1
        with pytest.raises(IllegalMove):
            decide.moves([fine, wrong], "age", "writer-9", HERE)

    def test_a_move_rests_on_its_run_and_tells_its_evidence(self) -> None:
        """So that undoing the run takes all of its moves back; a queueing too."""
        steps = [Step("archived", "faded", {"strength": 0.05}), Step(QUEUE, "faded", {"strength": 0.2})]
        moved, queued = decide.moves([Due(made(), step) for step in steps], "half-life", "writer-9", HERE)
        assert (moved.kind, moved.subject, moved.causes) == (MOVED, "writer-1", ("writer-9",))
        assert decode(moved.payload) == {
            "from": "created",
            "to": "archived",
            "rule": "faded",
            "policy": "half-life",
            "evidence": {"strength": 0.05},
        }
        assert (queued.kind, queued.subject, queued.causes) == (QUEUED, "writer-1", ("writer-9",))
        assert decode(queued.payload) == {"evidence": {"strength": 0.2}}

    def test_what_a_document_no_longer_says_is_archived(self) -> None:
        """Not denied: the table has the move, and the reason is told."""
        draft = decide.leave(made(), "gone from a.md", HERE)
        assert (draft.kind, draft.causes) == (MOVED, ("writer-1",))
        assert decode(draft.payload)["reason"] == "gone from a.md"
        with pytest.raises(IllegalMove):
            decide.leave(made()._replace(status="archived"), "gone from a.md", HERE)

    def test_a_session_that_has_no_name_cannot_end(self) -> None:
        """Days end by themselves."""
        with pytest.raises(InvalidInput, match="no session to end"):
            decide.ended(HERE)
        assert decide.ended(HERE._replace(session="s")).session == "s"


class TestUndoing:
    def test_a_purge_cannot_be_undone(self) -> None:
        """What it erased is gone."""
        with pytest.raises(CannotUndo, match="gone for good"):
            decide.undo([happened()._replace(kind=PURGED)], [], HERE)

    def test_nothing_is_undone_twice(self) -> None:
        """An event that is left out already says so."""
        with pytest.raises(CannotUndo, match="already"):
            decide.undo([happened()], {"writer-1"}, HERE)

    def test_an_undoing_rests_on_nothing(self) -> None:
        """So undoing an event never takes its own undoing with it."""
        assert decide.undo([happened()], [], HERE).causes == ()

    @pytest.mark.parametrize(("session", "source"), [("", ""), ("s", "a.md")])
    def test_a_revocation_names_one_thing(self, session: str, source: str) -> None:
        """A session or a source."""
        with pytest.raises(InvalidInput):
            decide.revoke(session, source, HERE)

    def test_what_was_never_there_cannot_be_purged(self) -> None:
        """Nor can what was purged before."""
        with pytest.raises(NotFound):
            decide.purge("writer-9", [], HERE)
        with pytest.raises(InvalidInput, match="already"):
            decide.purge("writer-1", [happened(), happened()._replace(kind=PURGED)], HERE)

    def test_only_memories_are_purged(self) -> None:
        """An event that made none has a payload that others rest on."""
        with pytest.raises(NotFound, match="only memories"):
            decide.purge("writer-1", [happened()._replace(kind=FORGOTTEN)], HERE)


class TestEvents:
    def test_a_line_of_an_export_is_read_back_whole(self) -> None:
        """Every field survives, and the payload byte for byte."""
        event = happened('quotes " and ünïcode', tags=("a",), project="p")
        assert from_line(to_line(event)) == event
        erased = event._replace(payload=None, salt=None)
        assert from_line(to_line(erased)) == erased

    def test_the_chain_covers_every_field(self) -> None:
        """A change of any field is seen; the payload's through its digest."""
        event = happened(project="p", session="s")
        assert intact(event, b"") == ""
        for name in Event._fields:
            value = getattr(event, name)
            other: object = value + 1 if isinstance(value, int) else value[:-1] + type(value)(value[:1]) + value[:1]
            if name == "causes":
                other = ("x-1",)
            assert intact(event._replace(**{name: other}), b""), name  # type: ignore[arg-type]
        assert intact(event, b"another past")

    def test_an_old_event_is_brought_up_to_date(self) -> None:
        """Upcasters run one after the other until the newest version is reached."""
        casters = {
            "thing.v1": lambda data: ("thing.v2", {**data, "two": True}),
            "thing.v2": lambda data: ("thing.v3", {**data, "three": True}),
        }
        assert upcast("thing.v1", {"one": True}, casters) == (
            "thing.v3",
            {"one": True, "two": True, "three": True},
        )
        assert upcast("other.v1", {}, casters) == ("other.v1", {})

    def test_every_stored_name_is_versioned(self) -> None:
        """Names are for ever, so each says which version it is."""
        for kind in SCHEMAS:
            name, _, version = kind.rpartition(".v")
            assert name.count(".") == 1
            assert version.isdecimal()

    @pytest.mark.parametrize(
        ("kind", "data"),
        [
            ("memory.dreamt.v1", {}),
            (REMEMBERED, []),
            (REMEMBERED, {"content": "x"}),
            (REMEMBERED, {"content": 1, "type": "semantic", "scope": "user", "origin": "user"}),
            (REMEMBERED, {"content": "x", "type": "t", "scope": "s", "origin": "u", "tags": [1]}),
            (FORGOTTEN, {"why": "x"}),
            (MOVED, {"from": "created", "to": "active"}),
            (MOVED, {"from": "created", "to": "active", "rule": "grown", "evidence": [1]}),
            (MOVED, {"from": "created", "to": "active", "rule": "two words"}),
            (MOVED, {"from": "created", "to": "active", "rule": "a@b"}),
            (SUCCEEDED, {"old": "a b"}),
            (SUCCEEDED, {"old": ""}),
            (USED, {"at": 10**30}),
            (QUEUED, {}),
            (SUPERSEDED, {}),
            (SUPERSEDED, {"by": 7}),
            (RAISED, {"older": "a", "newer": "b", "kind": "number", "spans": ["the words"]}),
            (RAISED, {"older": "a", "newer": "b", "kind": "number", "spans": [1.5]}),
            (RAN, {"policy": "age", "moves": True, "crowded": 0}),
            (REMEMBERED, {"content": "x", "type": "t", "scope": "s", "origin": "u", "confidence": "high"}),
        ],
    )
    def test_a_payload_that_nobody_wrote_is_refused(self, kind: str, data: object) -> None:
        """Unknown events and fields, missing fields, wrong types."""
        with pytest.raises(InvalidInput):
            check_data(kind, data)

    def test_the_fold_never_refuses(self) -> None:
        """Events about a memory that is not there change nothing, whatever they are."""
        for kind in SCHEMAS:
            event = happened()._replace(kind=kind, payload=None, salt=None)
            assert fold([event, event]) is None

    def test_the_payload_is_canonical(self) -> None:
        """Keys are in order and nothing is padded, so that one value has one text."""
        payload = happened(tags=("b", "a")).payload
        assert payload == ('{"content":"a fact","origin":"user","scope":"user","tags":["b","a"],"type":"semantic"}')
        assert data_of(happened())[0] == REMEMBERED


class TestClock:
    def test_time_never_stands_still_or_runs_back(self) -> None:
        """A clock that is behind goes on from the last event; one that is ahead is believed."""
        assert tick(100, 50) == 101
        assert tick(100, 100) == 101
        assert tick(100, 500) == 500


class TestRings:
    def test_a_session_is_one_ring_and_a_day_outside_any_another(self) -> None:
        """Each ring counts what its session added and changed."""
        inside = [happened(seq=seq)._replace(session="s") for seq in (1, 2)]
        forgot = happened(seq=3)._replace(session="s", kind=FORGOTTEN)
        alone = [happened(seq=4, time=NOON + DAY), happened(seq=5, time=NOON + 2 * DAY)]
        first, second, third = summarise_sessions([*inside, forgot, *alone])
        assert (first.session, first.events, first.added, first.forgotten) == ("s", 3, 2, 1)
        assert (second.added, third.added) == (1, 1)
