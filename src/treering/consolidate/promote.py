"""Promote memories that proved themselves: from a session to its project, from a project to its
user."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from treering.consolidate import rules
from treering.consolidate.reflection.insights import NOISE
from treering.consolidate.rules import ALIKE, LEAST_PROJECTS, PROMOTED_AT_ONCE, PROMOTED_TYPES, WIDER, Proof, may_widen
from treering.evolve.rules import absorb
from treering.evolve.same import SAME, likeness
from treering.graph.extract import read
from treering.ledger.ageing import importance
from treering.ledger.codec import data_of
from treering.ledger.errors import IllegalMove
from treering.ledger.events import JUDGED, MERGED, NOTED, RECALLED, USED
from treering.ledger.ledger import Ledger
from treering.ledger.types import PROMOTE, RECALLABLE, Context, Filter, Memory
from treering.ledger.usage import BAD, EXPLICIT, GOOD, shown_ranks
from treering.recall.index.profiles import text_of
from treering.recall.recalls import Recalls
from treering.stores.port.graph import TOLD
from treering.stores.port.ledger import EventQuery, Reader, record_of
from treering.truth.compare import between, terms

_LOOKED_AT = 8  # memories that share rare words with one: what says the same is among them


class Promoted(NamedTuple):
    """A memory that was promoted, or was not and why."""

    source: str
    into: str  # the memory that speaks for it; nothing if it stays where it is
    scope: str  # that it was to come to
    duplicate: bool = False  # whether that one was there before
    kept_apart: str = ""  # the memory of another place that says otherwise


class Promotion:
    """Promotions from one scope to the next."""

    def __init__(self, ledger: Ledger, recalling: Recalls, context: Context, now: int) -> None:
        self._ledger = ledger
        self._store = ledger.store
        self._recalling = recalling
        self._context = context
        self._now = now

    def promote(self, scope: str, going: Callable[[], bool] = lambda: True) -> Iterator[Promoted]:
        """Promote the memories that have earned it."""
        for memory, proof in self._earned(scope):
            if not going():
                return
            if (done := self._widen(memory, proof)) is not None:
                yield done

    def _earned(self, scope: str) -> list[tuple[Memory, Proof]]:
        proofs = proved(self._store, self._context.space)
        where = Filter(self._context.space, scope=scope, statuses=RECALLABLE)
        used = [memory for memory in self._store.records(where) if memory.id in proofs]
        found = [(memory, self._with_others(memory, proofs)) for memory in used]
        found = [(memory, proof) for memory, proof in found if may_widen(memory, proof, self._now)]
        found.sort(key=lambda one: (-importance(one[0], self._now), one[0].id))
        return _best(found) if scope == "session" else found

    def _with_others(self, memory: Memory, proofs: Mapping[str, Proof]) -> Proof:
        """Return the proof of a memory, with the projects in which one that says the same is used."""
        proof = proofs[memory.id]
        if (
            memory.scope != "project"
            or len(proof.projects) >= LEAST_PROJECTS
            or memory.type not in PROMOTED_TYPES["user"]
        ):
            return proof
        same = (other for other in self._sharing(memory, Filter(memory.space, memory.type, statuses=RECALLABLE)))
        told = [other for other in same if other.scope != "session" and other.trust != "external"]
        places = {other.project for other in told if proofs.get(other.id, Proof()).uses and self._alike(memory, other)}
        return proof._replace(projects=proof.projects | places)

    def _widen(self, memory: Memory, proof: Proof) -> Promoted | None:
        """Promote a memory in one transaction, if it still may be."""

        def work() -> Promoted | None:
            now = record_of(self._store, memory.id)
            if now is None or now.status not in RECALLABLE or not may_widen(now, proof, self._now):
                return None
            if self._undone(now):
                return None
            scope = WIDER[now.scope]
            if scope == "user" and (other := self._denied_by(now)) is not None:
                return Promoted(now.id, "", scope, kept_apart=other.id)
            same = self._same(now, scope)
            into = same or self._made(now)
            numbers = {"importance": round(importance(now, self._now), 4), "uses": proof.uses, "sessions": now.accesses}
            numbers["projects"] = len(proof.projects)
            commit = self._ledger.commit
            (merging,) = commit(lambda: [rules.promoted(now, into.id, numbers, self._context)])
            q = now.q if same is None else _joint_q(now, same)
            commit(lambda: [absorb(into, now, q, merging.id, self._context)])
            return Promoted(now.id, into.id, scope, duplicate=same is not None)

        try:
            return self._store.write(work)
        except IllegalMove:
            return None  # somebody else was quicker

    def _undone(self, memory: Memory) -> bool:
        """Tell whether somebody has undone a promotion of it, and so does not want it promoted."""
        out = self._store.left_out()
        events = self._store.events(EventQuery(subjects=(memory.id,), kinds=(MERGED,)))
        promoted = (event for event in events if event.id in out and event.payload is not None)
        return any(data_of(event)[1].get("rule") == PROMOTE for event in promoted)

    def _made(self, memory: Memory) -> Memory:
        decided = rules.widened(memory, self._now, self._context)
        (event,) = self._ledger.commit(lambda: [decided])
        return self._store.several([event.id])[event.id]

    def _same(self, memory: Memory, scope: str) -> Memory | None:
        """Return the memory of the wider scope that says the same: near in meaning, with the same
        numbers, names and denials."""
        where = Filter(memory.space, memory.type, scope, RECALLABLE, memory.project if scope == "project" else "")
        for other in self._sharing(memory, where):
            if other.trust != "external" and self._alike(memory, other):
                return other
        return None

    def _alike(self, one: Memory, other: Memory) -> bool:
        ours, theirs = text_of(one), text_of(other)
        if ours == theirs:
            return True
        vectors = self._recalling.vectors([ours, theirs])
        cosine = float(vectors[0] @ vectors[1]) if vectors is not None else 0.0
        return cosine >= ALIKE and likeness(ours, theirs, cosine).score > SAME and between(ours, theirs) is None

    def _denied_by(self, memory: Memory) -> Memory | None:
        """Return a memory of another project, or of the user, that contradicts this one."""
        where = Filter(memory.space, statuses=RECALLABLE)
        for other in self._sharing(memory, where):
            elsewhere = other.scope == "user" or (other.scope == "project" and other.project != memory.project)
            if elsewhere and between(memory.content, other.content) is not None:
                return other
        return self._related_otherwise(memory)

    def _related_otherwise(self, memory: Memory) -> Memory | None:
        """Return a memory of another project that states another target for the same relation."""
        ours = {(told.source, told.type): told.target for told in read(memory.content).relations if told.how == TOLD}
        names = [source for source, _ in ours]
        for told, holder in self._store.index.graph.statements(Filter(memory.space), names) if ours else ():
            target = ours.get((told.source, told.type), told.target)
            if holder.scope == "project" and holder.project != memory.project and target != told.target:
                return record_of(self._store, holder.id)
        return None

    def _sharing(self, memory: Memory, where: Filter) -> Sequence[Memory]:
        found = self._store.index.sharing(terms(memory.content), where, _LOOKED_AT)
        return [other for other in found if other.id != memory.id]


def proved(store: Reader, space: str) -> dict[str, Proof]:
    """Return what speaks for each memory that ever answered a recall, in one pass."""
    answered: dict[str, dict[str, str]] = {}  # the recalls, or uses by somebody's own account, and their projects
    blamed: set[str] = set()
    for event in store.events(EventQuery(kinds=(RECALLED, USED, JUDGED, NOTED), space=space, live=True)):
        data = data_of(event)[1] if event.payload is not None else {}
        if event.kind == RECALLED:
            for id in (id for id, rank in shown_ranks(event).items() if rank == 1):
                answered.setdefault(id, {})[event.id] = event.project
        elif event.kind == USED:
            answered.setdefault(event.subject, {})[event.id] = event.project
        elif event.kind == NOTED and str(data.get("mark", "")).startswith(NOISE):
            blamed.update(data["memories"])
        elif event.kind == JUDGED and data.get("verdict") in GOOD:
            answered.setdefault(event.subject, {})[data["recall"]] = event.project
        elif event.kind == JUDGED and data.get("verdict") in BAD:
            answered.get(event.subject, {}).pop(data["recall"], None)
            if data.get("by") == EXPLICIT:
                blamed.add(event.subject)
    return {id: Proof(len(of), frozenset(of.values()) - {""}, id in blamed) for id, of in answered.items()}


def _joint_q(one: Memory, other: Memory) -> float:
    """Return what two memories are worth together, by how often each was used."""
    uses = (1 + one.accesses, 1 + other.accesses)
    return round((one.q * uses[0] + other.q * uses[1]) / sum(uses), 6)


def _best(found: Sequence[tuple[Memory, Proof]]) -> list[tuple[Memory, Proof]]:
    """Return the most important memories of each session."""
    taken: dict[tuple[str, str], int] = {}
    chosen = []
    for memory, proof in found:
        place = (memory.project, memory.session)
        taken[place] = taken.get(place, 0) + 1
        if taken[place] <= PROMOTED_AT_ONCE:
            chosen.append((memory, proof))
    return chosen
