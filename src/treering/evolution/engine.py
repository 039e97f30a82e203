"""The engine: each action with its evidence, tried on the recalls of the past, and done in one transaction or not."""

from __future__ import annotations

from treering import truth
from treering.core import evidence as ask
from treering.core import evolving, proposing
from treering.core.errors import InvalidInput, NotFound
from treering.core.evidence import Grounds
from treering.core.evolving import ACTIONS, ARCHIVE, DEPRECATE, INDUCE, MERGE, REFINE
from treering.core.lifecycle import RECALLABLE, TRANSITIONS
from treering.core.tuples import NamedTuple
from treering.core.types import TRUSTS, Filter, one_of
from treering.core.usage import record
from treering.evolution.feedback import usage
from treering.evolution.gate import Gate, Replay
from treering.evolution.likening import least_alike
from treering.history import fate
from treering.proposals.cases import propose

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import TypeVar

    from treering.core.events import Event
    from treering.core.types import Context, Memory
    from treering.core.usage import Record
    from treering.ledger import Ledger
    from treering.recalling import Recalling

    T = TypeVar("T")
    # Makes a memory of a new text that is what others were, resting on events.
    Make = Callable[[Sequence[Memory], str, tuple[str, ...]], Memory]


class Attempt(NamedTuple):
    """What an action would do."""

    action: str
    memories: tuple[Memory, ...]
    missing: tuple[str, ...]  # the evidence that it lacks, or why else it is refused
    replay: Replay | None
    text: str = ""  # what a merge or a refinement would say

    @property
    def allowed(self) -> bool:
        return not self.missing and not (self.replay and self.replay.counts.helpful_lost)


class Union(NamedTuple):
    """Memories that are to be one: the one that stays, if its text says all, and what is to be said otherwise."""

    memories: tuple[Memory, ...]
    known: tuple[Record, ...]
    kept: Memory
    text: str  # nothing if the one that is kept says it all
    likeness: float
    differs: str


class Engine:
    def __init__(
        self, ledger: Ledger, recalling: Recalling, context: Context, now: int, replayed: int, make: Make
    ) -> None:
        self.ledger = ledger
        self.store = ledger.store
        self.context = context
        self.now = now
        self.recalling = recalling
        self._replayed = replayed
        self._make = make
        self._gate: Gate | None = None

    @property
    def gate(self) -> Gate:
        """The recalls of the past, as they are answered now."""
        if self._gate is None:
            self._gate = Gate(self.store, self.recalling, self.context.space, self.now, self._replayed)
        return self._gate

    def deprecate(self, id: str, given: Grounds) -> Event:
        evolving.deprecate(*self._known(id), given, self.context)  # is refused before anything is replayed
        counts = self.gate.without({id}).counts

        def work() -> Event:
            memory, known = self._known(id)
            grounds = given._replace(replay=counts)
            (done,) = self.ledger.commit(lambda: [evolving.deprecate(memory, known, grounds, self.context)])
            return done

        return self._done(work)

    def archive(self, id: str, given: Grounds) -> Event:
        def work() -> Event:
            memory = self._memory(id)
            return self.ledger.commit(lambda: [evolving.archive(memory, self.now, given, self.context)])[0]

        return self.store.write(work)

    def refine(self, id: str, text: str, given: Grounds) -> Memory:
        memory, known = self._known(id)
        evolving.check_refine(memory, known, given)
        if not text.strip() or text.strip() == memory.content:
            raise InvalidInput("a refinement needs a new text: give it, as no LLM is configured that could write one")
        counts = self._rehearsed([memory], text).counts
        return self._done(lambda: self._refined(id, text, given._replace(replay=counts)))

    def merge(self, ids: Sequence[str], text: str, given: Grounds) -> Memory:
        union = self._union(ids, text)
        self._check(union, given)
        counts = self._tried(union, given).counts
        return self._done(lambda: self._merged(self._union(ids, text), given._replace(replay=counts)))

    def induce(self, ids: Sequence[str], skill: Mapping[str, str], run: str = "") -> str:
        """A skill is proposed; the id of that. The same proposal is not made twice: then that one is told."""

        def work() -> str:
            memories = [self._memory(id) for id in dict.fromkeys(ids)]
            decided = proposing.induce(memories, self._similar(memories), skill, self.context, run)
            return propose(self.ledger, decided, self.context)

        return self.store.write(work)

    def attempt(self, action: str, ids: Sequence[str], text: str, given: Grounds) -> Attempt:
        """What an action would come to. Nothing is changed."""
        one_of("action", action, ACTIONS)
        memories = tuple(self._memory(id) for id in dict.fromkeys(ids))
        if action == INDUCE:
            return Attempt(action, memories, ask.to_induce(memories, self._similar(memories)), None)
        if action == MERGE:
            union = self._union(ids, text)
            missing = ask.to_merge(memories, union.known, union.likeness, union.differs)
            return Attempt(
                action, memories, missing + _why_not(action, memories, given), self._tried(union, given), union.text
            )
        if len(memories) != 1:
            raise InvalidInput(f"{action} is about one memory, and {len(memories)} are given")
        return self._attempt_one(action, memories[0], text, given)

    def _attempt_one(self, action: str, memory: Memory, text: str, given: Grounds) -> Attempt:
        known = self._record(memory.id)
        missing = {
            DEPRECATE: lambda: ask.to_deprecate(memory, known),
            REFINE: lambda: ask.to_refine(memory, known, given.reason),
            ARCHIVE: lambda: ask.to_archive(memory, self.now),
        }[action]()
        replay = self.gate.without({memory.id}) if action == DEPRECATE else None
        if action == REFINE and text.strip() == memory.content:
            missing += ("the text is what it says already",)
        elif action == REFINE and text.strip():
            replay = self._rehearsed([memory], text)
        return Attempt(action, (memory,), missing + _why_not(action, [memory], given), replay, text)

    def _refined(self, id: str, text: str, grounds: Grounds) -> Memory:
        old, known = self._known(id)
        evolving.check_refine(old, known, grounds)
        new = self._make([old], text, grounds.causes)
        truth.succeeded(
            *(self.ledger, old, new, self.context),
            lambda: evolving.refine(old, new, known, grounds, self.context),
        )
        return self._memory(new.id)

    def _merged(self, union: Union, grounds: Grounds) -> Memory:
        self._check(union, grounds)
        kept = self._make(union.memories, union.text, grounds.causes) if union.text else union.kept
        best = max(memory.q for memory in union.memories)
        for memory, known in zip(union.memories, union.known, strict=True):
            if memory.id == kept.id:
                continue
            (merging,) = self.ledger.commit(
                lambda: [evolving.merge(memory, kept, known, union.likeness, grounds, self.context)]  # noqa: B023
            )
            self.ledger.commit(
                lambda: [evolving.absorb(self._memory(kept.id), memory, best, merging.id, self.context)]  # noqa: B023
            )
        return self._memory(kept.id)

    def _tried(self, union: Union, given: Grounds) -> Replay:
        """What recall would answer if they were one."""
        if union.text:
            return self._rehearsed(union.memories, union.text)
        gone = {memory.id for memory in union.memories if memory.id != union.kept.id}
        return self.gate.without(gone, dict.fromkeys(gone, union.kept.id))

    def _rehearsed(self, olds: Sequence[Memory], text: str) -> Replay:
        """What recall would answer with a new text instead of some memories: it is made, asked for, and taken back."""
        gate = self.gate
        if not gate.before:  # how it is answered now is asked before anything is changed
            return Replay(ask.Counts())
        gone = frozenset(memory.id for memory in olds)

        def work() -> Replay:
            return gate.with_change(dict.fromkeys(gone, self._make(olds, text, ()).id), gone)

        return self.ledger.rehearse(work)

    def _union(self, ids: Sequence[str], text: str) -> Union:
        from treering.evolve.likeness import joined
        from treering.recall.profile.making import text_of

        memories = tuple(self._memory(id) for id in dict.fromkeys(ids))
        if len(memories) < 2:
            raise InvalidInput("a merge needs at least 2 memories")
        known = tuple(self._record(memory.id) for memory in memories)
        kept = min(memories, key=_standing)
        others = [text_of(memory) for memory in memories if memory is not kept]
        said = text.strip() or joined([text_of(kept), *others])
        new = "" if said in (kept.content, text_of(kept)) else said
        likeness, differs = least_alike(self.recalling, memories)
        return Union(memories, known, kept, new, likeness, differs)

    def _check(self, union: Union, grounds: Grounds) -> None:
        evolving.check_merge(union.memories, union.known, union.likeness, union.differs, grounds)

    def _similar(self, memories: Sequence[Memory]) -> bool:
        """Whether processes are so much alike that they could be one skill."""
        from treering.evolve.clusters import clusters
        from treering.recall.profile.making import text_of

        # By themselves, and among all that there are, as candidates are found: what is common there says less.
        where = Filter(self.context.space, type="procedural", statuses=RECALLABLE)
        among = {memory.id: memory for memory in (*memories, *self.store.records(where))}
        wanted = {memory.id for memory in memories}
        return any(
            wanted <= set(group.ids)
            for those in (memories, among.values())
            for group in clusters([(memory.id, memory.trigger or text_of(memory)) for memory in those])
        )

    def _done(self, work: Callable[[], T]) -> T:
        """Do what has been tried."""
        done = self.store.write(work)
        self.gate.accept()
        return done

    def _memory(self, id: str) -> Memory:
        memory = self.store.record(id)
        if memory is None or memory.space != self.context.space:
            raise NotFound("memory", id, fate(self.store, id, self.context.space))
        return memory

    def _known(self, id: str) -> tuple[Memory, Record]:
        return self._memory(id), self._record(id)

    def _record(self, id: str) -> Record:
        return record(usage(self.store, id, self.context.space))


def _standing(memory: Memory) -> tuple[float, ...]:
    """Which of several stays: the highest Q, then the most used. But what is protected stays so, and no text from
    outside takes the place of a person's word."""
    trust = TRUSTS.index(memory.trust)
    return (not ask.protected(memory), trust, -memory.q, -memory.accesses, memory.created)


def _why_not(action: str, memories: Sequence[Memory], given: Grounds) -> tuple[str, ...]:
    """What stands in the way of an action, beside the evidence."""
    to = {DEPRECATE: "deprecated", REFINE: "superseded", MERGE: "merged", ARCHIVE: "archived"}[action]
    stuck = tuple(f"{one.id} is {one.status}" for one in memories if to not in TRANSITIONS[one.status])
    held = [(memory.id, why) for memory in memories if (why := ask.protected(memory))]
    return stuck + tuple(f"{id} is {why}: it needs a justification" for id, why in held if not given.justification)
