"""Random histories on several machines: whatever happens, the fold equals every projection."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.consolidate.living import rows
from tests.consolidate.steps import Slow
from tests.skills.proposals.steps import TALK, Steps
from tests.world import NOON, SECOND, Clock, Dice, Hashed, memory_on, picture, store_in_memory
from treering.ledger.ageing import HOT, POLICIES
from treering.ledger.config import Config
from treering.ledger.errors import TreeringError
from treering.ledger.events import PURGED, RAISED, RECALLED, UNDOINGS
from treering.ledger.fold import left_out
from treering.ledger.types import RECALLABLE, Context, Memory, least_trusted
from treering.ledger.usage import OUTCOMES, VERDICTS, shown_ranks
from treering.ledger.verify import verify
from treering.memory import Treering
from treering.recall.recalls import Recalls
from treering.stores.port.ledger import EventQuery, Store
from treering.stores.port.search import Place

YEAR = 365 * 86_400 * SECOND
MACHINES = 3
RIPENED = (
    "deprecate",
    "refine",
    "merge",
    "evolve",
    "propose",
    "live",
    "promote",
)  # steps that begin with others, which may have been done

Step = tuple[Any, ...]
_which = st.integers(0, MACHINES - 1)
_pick = st.integers(0, 40)
_session = st.sampled_from(["", "s1", "s2"])
_origin = st.sampled_from(["", "tool:web", "document:a.md:3", "document:b.md"])
_tail = st.text(alphabet="ab c'\"é", max_size=12).map(lambda tail: "word " + tail)
# Each of these contradicts the others.
_claim = st.sampled_from([5, 9, 30]).map(lambda seconds: f"The request timeout is {seconds} seconds")
_text = st.one_of(_tail, _tail, _claim)
DAYS = 86_400 * SECOND
_ripe = st.sampled_from([True, True, True, False])  # whether what has to come before an action comes before it

STEPS = st.one_of(
    st.tuples(st.just("remember"), _which, _text, _session, _origin),
    st.tuples(st.just("remember_many"), _which, st.lists(_text, min_size=1, max_size=4), _session),
    st.tuples(st.just("forget"), _which, _pick),
    st.tuples(st.just("restore"), _which, _pick),
    st.tuples(st.just("undo"), _which, _pick),
    st.tuples(st.just("revoke"), _which, _session, _origin),
    st.tuples(st.just("purge"), _which, _pick),
    st.tuples(st.just("import"), _which, _which),
    st.tuples(st.just("jump"), _which, st.sampled_from([-9 * YEAR, -SECOND, 60 * SECOND, 30 * YEAR])),
    st.tuples(st.just("jump"), _which, st.sampled_from([DAYS // 12, 2 * DAYS, 20 * DAYS, 100 * DAYS])),
    st.tuples(st.just("rebuild"), _which),
    st.tuples(st.just("recall"), _which, _text, _session),
    st.tuples(st.just("supersede"), _which, _pick, st.one_of(_pick, _text)),
    st.tuples(st.just("hygiene"), _which, st.sampled_from(list(POLICIES)), st.sampled_from([0, 2, 90])),
    st.tuples(st.just("end_session"), _which, st.sampled_from(["s1", "s2"])),
    st.tuples(st.just("resolve"), _which, _pick, st.sampled_from(["A", "B", "both", "supersede"])),
    st.tuples(st.just("confirm"), _which, _pick, st.sampled_from(["yes", "no", "change"])),
    st.tuples(st.just("derive"), _which, _text, st.lists(_pick, min_size=1, max_size=2)),
    st.tuples(st.just("feedback"), _which, _pick, _pick, st.sampled_from(VERDICTS)),
    st.tuples(st.just("outcome"), _which, st.one_of(_pick, _session), st.sampled_from(OUTCOMES)),
    st.tuples(st.just("observe"), _which, _pick, _text, st.booleans(), st.sampled_from(["", "No, that is wrong"])),
    st.tuples(
        st.just("wear"), _which, _pick, st.sampled_from([5, 10]), st.sampled_from(["not_helpful", "", "helpful"])
    ),
    st.tuples(st.just("twin"), _which, _pick, st.sampled_from([".", "!", " - more of it"])),
    st.tuples(st.just("deprecate"), _which, _pick, st.booleans(), _ripe),
    st.tuples(st.just("refine"), _which, _pick, _text, st.booleans(), _ripe),
    st.tuples(st.just("merge"), _which, _pick, st.one_of(st.just(""), _tail), st.booleans(), _ripe),
    st.tuples(st.just("archive"), _which, _pick, _ripe),
    st.tuples(st.just("proceed"), _which, _tail),
    st.tuples(st.just("induce"), _which, st.lists(_pick, min_size=3, max_size=4)),
    st.tuples(st.just("evolve"), _which, st.sampled_from(["", "", "if_due", "dry_run", "undone"]), _ripe),
    st.tuples(st.just("evolve"), _which, st.sampled_from(["", "undone"]), _ripe),
    st.tuples(st.just("propose"), _which, _pick, _ripe),
    st.tuples(st.just("propose"), _which, _pick, _ripe),
    st.tuples(st.just("decide"), _which, _pick, st.sampled_from(["accept", "reject", "undo", "promote"])),
    st.tuples(st.just("decide"), _which, _pick, st.sampled_from(["accept", "reject"])),
    st.tuples(st.just("mine"), _which, st.integers(1, len(TALK))),
    st.tuples(st.just("skill"), _which, _session, st.sampled_from(["", *VERDICTS])),
    st.tuples(st.just("live"), _which, _pick, _session, _origin),
    st.tuples(st.just("live"), _which, _pick, _session, _origin),
    st.tuples(st.just("submit"), _which, _pick, st.booleans()),
    st.tuples(st.just("submit"), _which, _pick, st.booleans()),
    st.tuples(st.just("promote"), _which, _tail, st.sampled_from([1, 2, 3])),
    st.tuples(st.just("tend"), _which, st.sampled_from(["", "dry_run", "if_due", "twice"])),
    st.tuples(st.just("prune"), _which, st.booleans()),
)


class World(Steps, Slow):
    """Three machines that know nothing of each other until one imports from another."""

    def __init__(self) -> None:
        self.clocks = [Clock(NOON + machine * SECOND // 7) for machine in range(MACHINES)]
        stores: list[Store] = [store_in_memory() for _ in range(MACHINES)]
        self.machines = [
            memory_on(store, clock, seed=number + 1, context=Context(actor="user"), embedder=Hashed())
            for number, (store, clock) in enumerate(zip(stores, self.clocks, strict=True))
        ]
        recalling = Recalls(stores[0], Hashed(), Dice(9), swap=0.5)  # there chance has a say
        self.machines[0].workspace._make_recalls = lambda: recalling
        self.settle()

    def run(self, step: Step) -> None:
        name, which, *rest = step
        memory = self.machines[which]
        before = picture(memory.store)
        try:
            getattr(self, "do_" + name)(memory, *rest)
        except TreeringError:
            assert name in RIPENED or picture(memory.store) == before

    def do_remember(self, memory: Treering, text: str, session: str, origin: str) -> None:
        memory.remember(text, session=session, origin=origin, invariant=origin in ("tool:web", "document:b.md"))

    def do_derive(self, memory: Treering, text: str, picks: list[int]) -> None:
        ids = sorted(picture(memory.store))
        if ids:
            sources = [memory.get(ids[pick % len(ids)]) for pick in picks]
            made = memory.remember(text, sources=[source.id for source in sources], origin="user")
            assert made.trust == least_trusted(*(source.trust for source in sources))

    def do_supersede(self, memory: Treering, pick: int, new: int | str) -> None:
        ids = sorted(picture(memory.store))
        if ids:
            old, by = ids[pick % len(ids)], new if isinstance(new, str) else ids[new % len(ids)]
            held = memory.supersede(old, by)
            assert (memory.get(old).superseded_by, held.supersedes[-1]) == (held.id, old)

    def do_hygiene(self, memory: Treering, policy: str, limit: int) -> None:
        """Twice, at one moment: the second run does nothing; and no invariant moves."""
        memory.workspace.config = Config(
            decay=policy, forget_days=limit, age_archive_days=limit, age_forget_days=limit, age_hot=2, age_batch=1
        )
        clock = self.clocks[self.machines.index(memory)]
        before, now = picture(memory.store), clock.time
        memory.maintenance.hygiene()
        after = picture(memory.store)
        for id, record in before.items():
            assert not record.invariant or after[id] == record
        clock.time = now
        assert memory.maintenance.hygiene(dry_run=True).moves == ()

    def do_end_session(self, memory: Treering, session: str) -> None:
        memory.maintenance.end_session(session)

    def do_resolve(self, memory: Treering, pick: int, keep: str) -> None:
        known = memory.truth.contradictions() or memory.truth.contradictions(all=True)
        if known:
            one = known[pick % len(known)]
            memory.truth.resolve(one.id, keep=keep)
            assert one.id not in [other.id for other in memory.truth.contradictions()]

    def do_confirm(self, memory: Treering, pick: int, answer: str) -> None:
        ids = sorted(id for id, record in picture(memory.store).items() if record.invariant)
        if ids:
            memory.truth.confirm(ids[pick % len(ids)], answer, text="word anew" if answer == "change" else "")

    def do_remember_many(self, memory: Treering, texts: list[str], session: str) -> None:
        """What was recalled here and is said again makes nothing new."""
        before = picture(memory.store)
        made = memory.remember_many({"content": text, "session": session} for text in texts)
        assert len(made) == len(texts)
        for note, text in zip(made, texts, strict=True):
            assert note == before[note.id] if note.id in before else note.content == text.strip()

    def do_proceed(self, memory: Treering, text: str) -> None:
        """Three processes that do the same."""
        for number, word in enumerate(("first", "then", "last")):
            content = f"{text}: stop the red server, empty its cache and start it {word}"
            memory.remember(content, type="procedural", trigger=f"{text} fails", session=f"s{number % 2 + 1}")

    def do_feedback(self, memory: Treering, asked: int, pick: int, verdict: str) -> None:
        recalls = list(memory.store.events(EventQuery(kinds=(RECALLED,))))
        if recalls:
            recall = recalls[asked % len(recalls)]
            ids = list(shown_ranks(recall)) or sorted(picture(memory.store))
            if ids:
                judged = memory.feedback(recall.id, ids[pick % len(ids)], verdict)
                assert judged == memory.feedback(recall.id, judged.id, verdict) == memory.get(judged.id)

    def do_outcome(self, memory: Treering, of: int | str, outcome: str) -> None:
        recalls = list(memory.store.events(EventQuery(kinds=(RECALLED,))))
        if isinstance(of, str):
            memory.evolve.outcome(of, outcome)
        elif recalls:
            memory.evolve.outcome(recalls[of % len(recalls)].id, outcome)

    def do_observe(self, memory: Treering, asked: int, answer: str, failed: bool, reply: str) -> None:
        recalls = list(memory.store.events(EventQuery(kinds=(RECALLED,))))
        if recalls:
            id = recalls[asked % len(recalls)].id
            memory.evolve.observe(id, answer=answer, results=[(answer, failed)], reply=reply)
            before = picture(memory.store)
            memory.evolve.observe(id, answer=answer, results=[(answer, failed)], reply=reply)
            assert picture(memory.store) == before

    def do_wear(self, memory: Treering, pick: int, times: int, verdict: str) -> None:
        """A memory is shown again and again, and each time somebody says of what use it was."""
        if (note := self.told(memory, pick)) is not None:
            for _ in range(times):
                found = memory.recall(note.content, k=3, silent=False)
                if verdict and note.id in {hit.memory.id for hit in found.hits}:
                    memory.feedback(found.id, note.id, verdict)

    def do_twin(self, memory: Treering, pick: int, more: str) -> None:
        """Somebody says nearly the same, of the same kind and behind the same walls."""
        if (note := self.told(memory, pick)) is not None:
            walls: dict[str, Any] = {name: getattr(note, name) for name in ("type", "scope", "project", "session")}
            memory.remember(note.content + more, sources=[note.id], **walls)

    def do_deprecate(self, memory: Treering, pick: int, force: bool, ripe: bool) -> None:
        if ripe:
            self.do_wear(memory, pick, 10, "not_helpful")
        if (note := self.told(memory, pick)) is not None:
            gone = memory.evolve.deprecate(note.id, reason="it fails", justification="asked", force=force)
            assert gone.status == "deprecated"

    def do_refine(self, memory: Treering, pick: int, text: str, force: bool, ripe: bool) -> None:
        if ripe:
            self.do_wear(memory, pick, 5, "not_helpful")
        if (note := self.told(memory, pick)) is not None:
            new = memory.evolve.refine(note.id, text, reason="clearer", justification="asked", force=force)
            assert (memory.get(note.id).superseded_by, new.supersedes, new.q) == (new.id, (note.id,), 0.5)

    def do_merge(self, memory: Treering, pick: int, text: str, force: bool, ripe: bool) -> None:
        if ripe:
            self.do_wear(memory, pick, 5, "")
        if (note := self.told(memory, pick)) is not None:
            if ripe:
                self.do_twin(memory, pick, ".")
            twins = [other for other in picture(memory.store).values() if other.status in RECALLABLE]
            ids = [other.id for other in twins if other.content.rstrip(".") == note.content.rstrip(".")]
            kept = memory.evolve.merge(ids, text=text, reason="the same", justification="asked", force=force)
            for gone in (memory.get(id) for id in ids if id != kept.id):
                assert (gone.status, gone.merged_into, gone.id in kept.merged) == ("merged", kept.id, True)

    def do_archive(self, memory: Treering, pick: int, ripe: bool) -> None:
        if ripe:
            self.do_jump(memory, 100 * DAYS)
        if (note := self.told(memory, pick)) is not None:
            assert memory.evolve.archive(note.id, justification="asked").status == "archived"

    def do_induce(self, memory: Treering, picks: list[int]) -> None:
        ids = sorted(id for id, note in picture(memory.store).items() if note.type == "procedural")
        if ids:
            made = memory.proposals.induce([ids[pick % len(ids)] for pick in picks])
            assert memory.proposals.induce(made.memories) == made
            assert made.id in {one.id for one in memory.proposals.list()}

    def do_evolve(self, memory: Treering, how: str, ripe: bool) -> None:
        """No protected memory is touched; a rehearsal changes nothing; undoing a run takes all of it back."""
        if ripe:
            self.do_wear(memory, 0, 10, "not_helpful")
            self.do_wear(memory, 1, 5, "")
            self.do_twin(memory, 1, " - and more of it")
        before = picture(memory.store)
        if how == "dry_run":
            memory.evolve.run(dry_run=True)
            assert picture(memory.store) == before
            return
        done = memory.evolve.run(if_due=how == "if_due")
        after = picture(memory.store)
        for id, record in before.items():
            assert not record.invariant or after[id] == record
        if how == "undone":
            memory.undo(done.run)
            assert picture(memory.store) == before

    def do_forget(self, memory: Treering, pick: int) -> None:
        self.some(memory, pick, memory.forget)

    def do_restore(self, memory: Treering, pick: int) -> None:
        """As far as there are any, one that is out of sight; whatever took it there has not happened."""
        records = picture(memory.store)
        gone = sorted(id for id, note in records.items() if note.status not in HOT)
        if gone:
            was = records[gone[pick % len(gone)]]
            assert memory.restore(was.id).status != was.status
        else:
            self.some(memory, pick, memory.restore)

    def do_purge(self, memory: Treering, pick: int) -> None:
        self.some(memory, pick, memory.purge)

    def do_undo(self, memory: Treering, pick: int) -> None:
        events = list(memory.store.events())
        if events:
            memory.undo(events[pick % len(events)].id)

    def do_revoke(self, memory: Treering, session: str, origin: str) -> None:
        memory.revoke(session=session, source="" if session else origin)

    def do_import(self, memory: Treering, other: int) -> None:
        memory.ledger.take_in(list(self.machines[other].store.events()))

    def do_jump(self, memory: Treering, by: int) -> None:
        self.clocks[self.machines.index(memory)].time += by

    def do_rebuild(self, memory: Treering) -> None:
        before = picture(memory.store)
        memory.ledger.rebuild()
        assert picture(memory.store) == before

    def do_recall(self, memory: Treering, text: str, session: str) -> None:
        found = memory.recall(text, session=session, silent=False)
        for memory_now, hit in ((memory.get(hit.memory.id), hit) for hit in found.hits):
            assert _unused(memory_now) == _unused(hit.memory)
            assert memory_now.status == "active" or memory_now.accesses == hit.memory.accesses

    @staticmethod
    def some(memory: Treering, pick: int, act: Callable[[str], object]) -> None:
        ids = sorted(picture(memory.store))
        if ids:
            act(ids[pick % len(ids)])

    def sync(self) -> None:
        """Everybody hears everything, each in an order of its own."""
        for _ in range(2):
            for memory in self.machines:
                for other in reversed(self.machines):
                    memory.ledger.take_in(list(other.store.events()))


def _unused(memory: Memory) -> Memory:
    """What a use leaves as it was."""
    return memory._replace(accesses=0, accessed=0, status="", moves=(), queued=0)


def figures(memory: Treering) -> tuple[object, ...]:
    """What evolution knows, of which each machine must know the same."""
    found = memory.evolve.stats()
    uses = {id: memory.evolve.usage(id) for id in picture(memory.store)}
    rules = [(rule.rule, rule.retired) for rule in found.rules]
    lifts = sorted((one.memory.id, round(one.lift.lift, 9)) for one in found.lifts)
    proposals = [one._replace(file="") for one in memory.proposals.list()]  # of files, each knows its own
    told = (found.judgements, found.outcomes, found.recalls, found.swaps, rules, lifts, uses)
    return *told, proposals, memory.proposals.signals(), memory.skills.credits(), memory.maintenance.groups()


def sums(memory: Treering) -> list[list[Place]]:
    """What is typical of each place, once everything has been made ready."""
    memory.maintenance.prepare()
    seen = [memory.store.index.places(Context(session=session)) for session in ("", "s1", "s2")]
    return [[place._replace(number=0, shape=0, folded=0, tail=0) for place in places] for places in seen]


def graph_rows(memory: Treering) -> list[tuple[Any, ...]]:
    """What the graph is read from; which names are one, each machine works out for itself."""
    memory.store.index.write(lambda: memory.store.index.graph.set_aliases([]))
    return rows(memory.store)


# What all machines know before anything else happens, so that every step finds something to act on.
_SHARED: list[Step] = [
    ("remember", 0, "The request timeout is 5 seconds", "s1", "tool:web"),
    ("remember_many", 1, ["word a b", "word a c", "The request timeout is 7 seconds"], "s2"),
    ("import", 2, 0),
    ("import", 2, 1),
    ("import", 0, 2),
    ("import", 1, 2),
]


def check(steps: list[Step], begun: bool = False) -> None:
    world = World()
    for step in [*(_SHARED if begun else ()), *steps]:
        world.run(step)
    for memory in world.machines:
        assert verify(memory.ledger.store).problems == ()
    world.sync()
    pictures = [picture(memory.store) for memory in world.machines]
    assert pictures[0] == pictures[1] == pictures[2]
    for memory in world.machines:
        memory.truth.contradictions()
    world.sync()
    assert [picture(memory.store) for memory in world.machines] == pictures
    told = [memory.truth.contradictions(all=True) for memory in world.machines]
    assert told[0] == told[1] == told[2]
    for know in (figures, graph_rows):
        known = [know(memory) for memory in world.machines]
        assert known[0] == known[1] == known[2]
    for memory in world.machines:
        assert verify(memory.ledger.store).problems == ()
        pairs = [(e.writer, *sorted(e.causes)) for e in memory.store.events(EventQuery(kinds=(RAISED,)))]
        assert len(set(pairs)) == len(pairs)
        before = (
            picture(memory.store),
            memory.store.left_out(),
            sums(memory),
            memory.truth.to_compare(),
            graph_rows(memory),
        )
        memory.ledger.rebuild()
        after = (
            picture(memory.store),
            memory.store.left_out(),
            sums(memory),
            memory.truth.to_compare(),
            graph_rows(memory),
        )
        assert after == before
        purged = {e.subject for e in memory.store.events(EventQuery(kinds=(PURGED,)))}
        for event in memory.store.events(EventQuery(subjects=tuple(purged))):
            assert event.kind == PURGED or event.payload is None
        memory.close()
    world.folder.cleanup()


_settings = settings(
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    phases=[Phase.explicit, Phase.generate, Phase.shrink],
    database=None,
)


@settings(_settings, max_examples=50)
@given(st.lists(STEPS, min_size=6, max_size=25), st.booleans())
def test_any_history_folds_to_what_the_projections_hold(steps: list[Step], begun: bool) -> None:
    """Remember, recall, forget, restore, undo, revoke, purge, import, supersede, resolve, confirm, hygiene under any
    policy, feedback, outcomes, deprecate, refine, merge, archive, induce, runs of evolution, transcripts, proposals,
    decisions on them, skills, episodes, summaries, promotions and prunings, in any order, with wrong clocks: fold =
    projections, on every machine, and after a merge all machines believe the same, know the same of it, and each has
    raised a pair once."""
    check(steps, begun)


@pytest.mark.long
@settings(_settings, max_examples=20_000)
@given(st.lists(STEPS, max_size=50), st.booleans())
def test_many_long_histories(steps: list[Step], begun: bool) -> None:
    """The same, for hours of use on machines whose clocks are wrong by decades."""
    check(steps, begun)


def test_which_events_count_does_not_depend_on_their_order_of_arrival() -> None:
    """Two machines undo each other's undoings; whoever hears it in whichever order counts the same events."""
    world = World()
    one, two, _ = world.machines
    note = one.remember("a fact")
    two.ledger.take_in(list(one.store.events()))
    first = one.undo(note.id).event
    two.ledger.take_in(list(one.store.events()))
    two.undo(first.id)
    one.undo(one.remember("another").id)
    world.sync()
    for memory in world.machines:
        undoings = memory.store.events(EventQuery(kinds=UNDOINGS, newest=True))
        assert left_out(memory.store, undoings) == memory.store.left_out()
        assert [m.content for m in memory.list()] == ["a fact"]
