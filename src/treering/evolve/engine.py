"""Carry out each action of evolution: check its evidence, replay past recalls, write in one transaction."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeVar

from treering.evolve import rules
from treering.evolve.feedback import usage
from treering.evolve.gate import Gate, Replay
from treering.evolve.groups import clusters
from treering.evolve.near import least_alike
from treering.evolve.rules import ACTIONS, ARCHIVE, DEPRECATE, INDUCE, MERGE, REFINE, Grounds
from treering.evolve.same import joined
from treering.ledger.errors import InvalidInput
from treering.ledger.events import Event
from treering.ledger.types import RECALLABLE, TRANSITIONS, TRUSTS, Filter, Memory, one_of
from treering.ledger.usage import Record, record
from treering.ledger.workspace import Workspace
from treering.recall.index.profiles import text_of
from treering.skills.proposals import rules as proposal_rules
from treering.skills.proposals.cases import propose
from treering.truth import claims

T = TypeVar("T")


class Attempt(NamedTuple):
    """The effect that an action would have."""

    action: str
    memories: tuple[Memory, ...]
    missing: tuple[str, ...]  # the evidence that it lacks, or why else it is refused
    replay: Replay | None
    text: str = ""  # what a merge or a refinement would say

    @property
    def allowed(self) -> bool:
        return not self.missing and not (self.replay and self.replay.counts.helpful_lost)


class Union(NamedTuple):
    """Memories to merge: the one that stays, and the new text if its own does not say everything."""

    memories: tuple[Memory, ...]
    known: tuple[Record, ...]
    kept: Memory
    text: str  # nothing if the one that is kept says it all
    likeness: float
    differs: str


class Engine:
    def __init__(self, workspace: Workspace) -> None:
        self._at = workspace
        self.ledger = workspace.ledger
        self.store = workspace.ledger.store
        self.context = workspace.here()
        self.now = workspace.now()
        self.recalls = workspace.recalls
        self._gate: Gate | None = None

    @property
    def gate(self) -> Gate:
        """The replay gate, which answers past recalls as they are answered now."""
        if self._gate is None:
            self._gate = Gate(self.store, self.recalls, self.context.space, self.now, self._at.config.gate_recalls)
        return self._gate

    def deprecate(self, id: str, given: Grounds) -> Event:
        rules.deprecate(*self._with_record(id), given, self.context)  # is refused before anything is replayed
        counts = self.gate.without({id}).counts

        def work() -> Event:
            memory, known = self._with_record(id)
            grounds = given._replace(replay=counts)
            (done,) = self.ledger.commit(lambda: [rules.deprecate(memory, known, grounds, self.context)])
            return done

        return self._carry_out(work)

    def archive(self, id: str, given: Grounds) -> Event:
        def work() -> Event:
            memory = self._at.get(id)
            return self.ledger.commit(lambda: [rules.archive(memory, self.now, given, self.context)])[0]

        return self.store.write(work)

    def refine(self, id: str, text: str, given: Grounds) -> Memory:
        memory, known = self._with_record(id)
        rules.check_refine(memory, known, given)
        if not text.strip() or text.strip() == memory.content:
            raise InvalidInput("a refinement needs a new text; no LLM is configured to write one")
        counts = self._replay_text([memory], text).counts
        return self._carry_out(lambda: self._write_refinement(id, text, given._replace(replay=counts)))

    def merge(self, ids: Sequence[str], text: str, given: Grounds) -> Memory:
        union = self._union(ids, text)
        self._check(union, given)
        counts = self._replay_union(union).counts
        return self._carry_out(lambda: self._write_merge(self._union(ids, text), given._replace(replay=counts)))

    def induce(self, ids: Sequence[str], skill: Mapping[str, str], run: str = "") -> str:
        """Propose a skill and return the proposal's id; the same proposal is not made twice."""

        def work() -> str:
            memories = [self._at.get(id) for id in dict.fromkeys(ids)]
            decided = proposal_rules.induce(memories, self._similar(memories), skill, self.context, run)
            return propose(self.ledger, decided, self.context)

        return self.store.write(work)

    def attempt(self, action: str, ids: Sequence[str], text: str, given: Grounds) -> Attempt:
        """Return the effect that an action would have; change nothing."""
        one_of("action", action, ACTIONS)
        memories = tuple(self._at.get(id) for id in dict.fromkeys(ids))
        if action == INDUCE:
            return Attempt(action, memories, rules.to_induce(memories, self._similar(memories)), None)
        if action == MERGE:
            union = self._union(ids, text)
            missing = rules.to_merge(memories, union.known, union.likeness, union.differs)
            return Attempt(
                action, memories, missing + _obstacles(action, memories, given), self._replay_union(union), union.text
            )
        if len(memories) != 1:
            raise InvalidInput(f"{action} takes one memory, not {len(memories)}")
        return self._attempt_one(action, memories[0], text, given)

    def _attempt_one(self, action: str, memory: Memory, text: str, given: Grounds) -> Attempt:
        known = self._record(memory.id)
        missing = {
            DEPRECATE: lambda: rules.to_deprecate(memory, known),
            REFINE: lambda: rules.to_refine(memory, known, given.reason),
            ARCHIVE: lambda: rules.to_archive(memory, self.now),
        }[action]()
        replay = self.gate.without({memory.id}) if action == DEPRECATE else None
        if action == REFINE and text.strip() == memory.content:
            missing += ("the text is what it says already",)
        elif action == REFINE and text.strip():
            replay = self._replay_text([memory], text)
        return Attempt(action, (memory,), missing + _obstacles(action, [memory], given), replay, text)

    def _write_refinement(self, id: str, text: str, grounds: Grounds) -> Memory:
        old, known = self._with_record(id)
        rules.check_refine(old, known, grounds)
        new = self._remember_instead([old], text, grounds.causes)
        claims.replace(
            *(self.ledger, old, new, self.context), lambda: rules.refine(old, new, known, grounds, self.context)
        )
        return self._at.get(new.id)

    def _write_merge(self, union: Union, grounds: Grounds) -> Memory:
        self._check(union, grounds)
        kept = self._remember_instead(union.memories, union.text, grounds.causes) if union.text else union.kept
        best = max(memory.q for memory in union.memories)
        for memory, known in zip(union.memories, union.known, strict=True):
            if memory.id == kept.id:
                continue
            (merging,) = self.ledger.commit(
                lambda: [rules.merge(memory, kept, known, union.likeness, grounds, self.context)]  # noqa: B023
            )
            self.ledger.commit(
                lambda: [rules.absorb(self._at.get(kept.id), memory, best, merging.id, self.context)]  # noqa: B023
            )
        return self._at.get(kept.id)

    def _replay_union(self, union: Union) -> Replay:
        """Replay past recalls as if the memories were merged."""
        if union.text:
            return self._replay_text(union.memories, union.text)
        gone = {memory.id for memory in union.memories if memory.id != union.kept.id}
        return self.gate.without(gone, dict.fromkeys(gone, union.kept.id))

    def _replay_text(self, olds: Sequence[Memory], text: str) -> Replay:
        """Replay past recalls with a new text in place of some memories, and roll it back."""
        gate = self.gate
        if not gate.before:  # how it is answered now is asked before anything is changed
            return Replay(rules.Counts())
        gone = frozenset(memory.id for memory in olds)

        def work() -> Replay:
            return gate.with_change(dict.fromkeys(gone, self._remember_instead(olds, text, ()).id), gone)

        return self.ledger.rehearse(work)

    def _union(self, ids: Sequence[str], text: str) -> Union:
        memories = tuple(self._at.get(id) for id in dict.fromkeys(ids))
        if len(memories) < 2:
            raise InvalidInput("a merge needs at least 2 memories")
        known = tuple(self._record(memory.id) for memory in memories)
        kept = min(memories, key=_keep_order)
        others = [text_of(memory) for memory in memories if memory is not kept]
        said = text.strip() or joined([text_of(kept), *others])
        new = "" if said in (kept.content, text_of(kept)) else said
        likeness, differs = least_alike(self.recalls, memories)
        return Union(memories, known, kept, new, likeness, differs)

    def _check(self, union: Union, grounds: Grounds) -> None:
        rules.check_merge(union.memories, union.known, union.likeness, union.differs, grounds)

    def _similar(self, memories: Sequence[Memory]) -> bool:
        """Tell whether processes are alike enough to be one skill."""
        # Alone, and among all processes as candidates are found: there common words count for less.
        where = Filter(self.context.space, type="procedural", statuses=RECALLABLE)
        among = {memory.id: memory for memory in (*memories, *self.store.records(where))}
        wanted = {memory.id for memory in memories}
        return any(
            wanted <= set(group.ids)
            for those in (memories, among.values())
            for group in clusters([(memory.id, memory.trigger or text_of(memory)) for memory in those])
        )

    def _carry_out(self, work: Callable[[], T]) -> T:
        """Carry out an action that was replayed, and let the gate keep its answers."""
        done = self.store.write(work)
        self.gate.accept()
        return done

    def _remember_instead(self, olds: Sequence[Memory], text: str, causes: tuple[str, ...]) -> Memory:
        """Remember a new text in place of others, with all their tags and the highest confidence."""
        tags = tuple(dict.fromkeys(tag for old in olds for tag in old.tags))
        like = olds[0]._replace(tags=tags, invariant=any(old.invariant for old in olds))
        return self._at.replace_text(
            like,
            text,
            causes,
            sources=tuple(old.id for old in olds),
            confidence=max(old.confidence for old in olds),
            relevance=max(old.relevance for old in olds),
            trigger=next((old.trigger for old in olds if old.trigger), ""),
        )

    def _with_record(self, id: str) -> tuple[Memory, Record]:
        return self._at.get(id), self._record(id)

    def _record(self, id: str) -> Record:
        return record(usage(self.store, id, self.context.space))


def _keep_order(memory: Memory) -> tuple[float, ...]:
    """Sort key of the memory that a merge keeps: protected, most trusted, highest Q, most used, oldest."""
    trust = TRUSTS.index(memory.trust)
    return (not rules.protected(memory), trust, -memory.q, -memory.accesses, memory.created)


def _obstacles(action: str, memories: Sequence[Memory], given: Grounds) -> tuple[str, ...]:
    """Return the reasons against an action other than missing evidence."""
    to = {DEPRECATE: "deprecated", REFINE: "superseded", MERGE: "merged", ARCHIVE: "archived"}[action]
    stuck = tuple(f"{one.id} is {one.status}" for one in memories if to not in TRANSITIONS[one.status])
    held = [(memory.id, why) for memory in memories if (why := rules.protected(memory))]
    return stuck + tuple(f"{id} is {why}: it needs a justification" for id, why in held if not given.justification)
