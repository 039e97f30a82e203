"""Run evolution: look for candidates, act on those with evidence, and report.

Everything that a run does is caused by the event that began it. So undoing that event undoes the
run, the next run continues an interrupted one, and two at once share one run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from treering.evolve import rules as evolving
from treering.evolve.candidates import Candidate, Survey
from treering.evolve.engine import Engine
from treering.evolve.near import alike
from treering.evolve.refine import Better
from treering.evolve.retired import ACTING, rule_of, rules
from treering.evolve.rules import ARCHIVE, DEPRECATE, INDUCE, MERGE, REFINE, STALE, Grounds
from treering.ledger.codec import data_of
from treering.ledger.errors import CannotUndo, IllegalMove, InvalidInput, NotFound, Refused
from treering.ledger.events import (
    BEGAN,
    EVOLVED,
    JUDGED,
    MERGED,
    MOVED,
    PROPOSED,
    RECALLED,
    REMEMBERED,
    SUPERSEDED,
    USED,
    Event,
)
from treering.ledger.ledger import batches
from treering.ledger.types import Memory
from treering.ledger.usage import records
from treering.skills.proposals import rules as proposing
from treering.skills.proposals.cases import fresh_draft, propose
from treering.stores.port.ledger import EventQuery, Reader

HOUR = 3_600_000_000  # microseconds
_PORTION = 1_000  # memories archived in one transaction: others wait a fraction of a second
BY_HAND, HOURS, JUDGEMENTS, PROCESSES = "by_hand", "hours", "judgements", "processes"
COUNTED = {DEPRECATE: "deprecated", REFINE: "refined", MERGE: "merged", ARCHIVE: "archived", INDUCE: "induced_skills"}
PROPOSALS = "proposed"


class Triggers(NamedTuple):
    """The settings that make a run due; 0 turns one of them off."""

    hours: int
    judgements: int
    processes: int


class Detail(NamedTuple):
    """One action that a run took, or would take."""

    memories: tuple[str, ...]
    action: str  # in the words of the report: deprecated, merged, …
    reason: str
    new_id: str = ""  # the memory that speaks for it now, or the proposal
    event: str = ""


class Kept(NamedTuple):
    """A candidate that was left alone, and why."""

    memories: tuple[str, ...]
    action: str  # what it would have been
    why: str


class Evolution(NamedTuple):
    """The report of a run."""

    run: str  # its event; nothing for a rehearsal, or if nothing was due
    trigger: str
    evaluated: int = 0
    details: tuple[Detail, ...] = ()
    kept: tuple[Kept, ...] = ()

    @property
    def actions(self) -> dict[str, int]:
        """The number of actions by kind."""
        counts = {**dict.fromkeys(COUNTED.values(), 0), PROPOSALS: 0}
        for detail in self.details:
            counts[detail.action] += 1
        return counts

    @property
    def summary(self) -> str:
        """The report as a paragraph."""
        if not self.trigger:
            return "Nothing is due."
        done = [_SAID[name].format(_memories(count, name)) for name, count in self.actions.items() if count]
        first = f"Looked at {self.evaluated:,} candidate{'' if self.evaluated == 1 else 's'}: "
        watched = "1 was kept and is" if len(self.kept) == 1 else f"{len(self.kept):,} were kept and are"
        rest = f" {watched} watched." if self.kept else ""
        return first + (", ".join(done) if done else "nothing had to be done") + "." + rest


_SAID = {
    "deprecated": "deprecated {} that kept failing",
    "refined": "refined {}",
    "merged": "merged {} into others that say the same",
    "archived": "archived {} that nobody used for long",
    "induced_skills": "proposed {} from processes that do the same",
    PROPOSALS: "left {} to a person, as its rule was wrong too often",
}


def _memories(count: int, name: str) -> str:
    noun = {"induced_skills": "skill", PROPOSALS: "action"}.get(name, "memory")
    return f"{count:,} {noun if count == 1 else 'memories' if noun == 'memory' else noun + 's'}"


def due(store: Reader, space: str, triggers: Triggers, now: int) -> str:
    """Return why a run is due, or nothing."""
    last = _last(store, space)
    if last is not None and not _ended(store, last):
        return str(data_of(last)[1]["trigger"])
    first = last or next(store.events(EventQuery(space=space, limit=1)), None)
    if first is None:
        return ""
    if triggers.hours and now - first.time >= triggers.hours * HOUR:
        return HOURS
    since = EventQuery(space=space, since=last.clock if last else 0, live=True)
    judged = store.events(since._replace(kinds=(JUDGED,), limit=triggers.judgements))
    if triggers.judgements and sum(1 for _ in judged) >= triggers.judgements:
        return JUDGEMENTS
    made = store.events(since._replace(kinds=(REMEMBERED,), naming="procedural"))
    processes = sum(1 for event in made if data_of(event)[1]["type"] == "procedural")
    return PROCESSES if triggers.processes and processes >= triggers.processes else ""


def run(
    engine: Engine,
    trigger: str,
    limit: float,
    dry_run: bool = False,
    progress: Callable[[int], None] = lambda done: None,
    word: Callable[[Memory], Better | None] = lambda memory: None,
) -> Evolution:
    """Act on all candidates. `limit` is the share of wrong retirements above which a rule only proposes; `word` finds
    better words for a memory, if somebody can."""
    store, space = engine.store, engine.context.space
    used = store.events(EventQuery(kinds=(RECALLED, JUDGED, USED), space=space, live=True))
    survey = Survey(store, space, engine.now, records(used), progress)
    known = rules(store, space, limit, partial(alike, engine.recalls), ACTING)
    going = _Run(
        engine, "" if dry_run else _begin(engine, trigger), {rule.rule for rule in known if rule.suspended}, word
    )
    for candidate in _in_portions(survey.candidates()):
        going.take(candidate)
    if dry_run:
        return Evolution("", trigger, going.evaluated, tuple(going.planned), tuple(going.kept))
    report = Evolution(going.run, trigger, going.evaluated, tuple(details(store, going.run)), tuple(going.kept))
    end = evolving.evolved(going.run, report.evaluated, report.actions, engine.context)
    store.write(lambda: None if _ended(store, going.run) else engine.ledger.commit(lambda: [end]))
    return report


class _Run:
    """The state of one run."""

    def __init__(self, engine: Engine, run: str, suspended: set[str], word: Callable[[Memory], Better | None]) -> None:
        self.engine = engine
        self._word = word
        self.run = run
        self.evaluated = 0
        self.planned: list[Detail] = []
        self.kept: list[Kept] = []
        self._suspended = suspended
        self._gone: set[str] = set()  # those that this run has merged or retired already

    def take(self, group: Sequence[Candidate]) -> None:
        """Act on candidates of one kind, propose it, or note why not."""
        self.evaluated += len(group)
        self._check()
        if group[0].action == ARCHIVE and ARCHIVE not in self._suspended:
            self._archive([one for one in group if self._is_allowed(one)])
            return
        for candidate in group:
            if self.run and candidate.action == REFINE and len(candidate.missing) == 1 and self._refine(candidate):
                continue
            if self._is_allowed(candidate):
                self._try(candidate)

    def _check(self) -> None:
        if self.run and self.run in self.engine.store.left_out():
            raise CannotUndo(f"the run {self.run} has been undone before it was done: run it again")

    def _is_allowed(self, candidate: Candidate) -> bool:
        if not self._gone.isdisjoint(candidate.ids):
            return False
        missing = candidate.missing
        if missing:
            why = "it needs a better text" if candidate.action == REFINE else "; ".join(missing)
            self.kept.append(Kept(candidate.ids, candidate.action, why))
        return not missing

    def _try(self, candidate: Candidate) -> None:
        try:
            if candidate.action in self._suspended:
                self._propose(candidate)
            elif self.run:
                self._act(candidate)
            else:
                self._rehearse(candidate)
        except IllegalMove:
            return  # another run has done it meanwhile
        except (Refused, InvalidInput, NotFound) as error:
            self.kept.append(Kept(candidate.ids, candidate.action, str(error)))
            return
        self._gone.update(candidate.ids)

    def _act(self, candidate: Candidate) -> None:
        grounds = Grounds(reason(candidate), causes=(self.run,))
        if candidate.action == DEPRECATE:
            self.engine.deprecate(candidate.ids[0], grounds)
        elif candidate.action == MERGE:
            self.engine.merge(candidate.ids, "", grounds)
        else:
            self.engine.induce(candidate.ids, {"reason": grounds.reason}, self.run)

    def _refine(self, candidate: Candidate) -> bool:
        """Let better words take the place of a memory that lacks only these, if somebody finds any."""
        memory = candidate.memories[0]
        better = self._word(memory) if REFINE not in self._suspended and memory.id not in self._gone else None
        if better is None:
            return False
        try:
            self.engine.refine(memory.id, better.text, Grounds(better.why, causes=(self.run,)))
        except (Refused, InvalidInput, IllegalMove, NotFound) as error:
            self.kept.append(Kept(candidate.ids, candidate.action, str(error)))
        self._gone.add(memory.id)
        return True

    def _rehearse(self, candidate: Candidate) -> None:
        attempt = self.engine.attempt(candidate.action, candidate.ids, "", Grounds(reason(candidate)))
        if not attempt.allowed:
            lost = attempt.replay.counts.helpful_lost if attempt.replay else 0
            raise Refused("; ".join(attempt.missing) or f"{lost} results that were marked helpful would be lost")
        self.planned.append(Detail(candidate.ids, COUNTED[candidate.action], reason(candidate)))

    def _propose(self, candidate: Candidate) -> None:
        """Propose the action to a person, unless the same proposal is open."""
        engine, store = self.engine, self.engine.store
        decided = proposing.act(candidate.action, candidate.ids, candidate.numbers, engine.context, self.run)
        if self.run:
            store.write(lambda: propose(engine.ledger, decided, engine.context))
        elif fresh_draft(store, decided, engine.context):
            self.planned.append(Detail(candidate.ids, PROPOSALS, reason(candidate)))

    def _archive(self, group: Sequence[Candidate]) -> None:
        """Archive many in one transaction, except those that have changed since the survey."""
        if not self.run:
            self.planned += [Detail(one.ids, COUNTED[ARCHIVE], reason(one)) for one in group]
            return
        engine, looked_at = self.engine, {one.ids[0]: one for one in group}

        def work() -> None:
            now = engine.store.several(looked_at)
            still = [one for id, one in looked_at.items() if now.get(id) == one.memories[0]]
            context = engine.context
            grounds = [Grounds(reason(one), causes=(self.run,)) for one in still]
            drafts = [
                evolving.archive(one.memories[0], engine.now, given, context)
                for one, given in zip(still, grounds, strict=True)
            ]
            engine.ledger.commit(lambda: drafts, now)

        engine.store.write(work)


def reason(candidate: Candidate) -> str:
    """Return the criterion and its numbers in words."""
    numbers = ", ".join(f"{name.replace('_', ' ')} {value:g}" for name, value in candidate.numbers.items())
    return f"{candidate.criterion}: {numbers}"


def details(store: Reader, run: str) -> Iterator[Detail]:
    """Yield all that a run has done, read from the ledger, so that a continued run reports everything."""
    kinds = (MOVED, MERGED, SUPERSEDED, PROPOSED)
    for batch in batches(sorted(store.effects({run})), _PORTION):
        for event in store.events(EventQuery(ids=tuple(batch), kinds=kinds, live=True)):
            if event.kind == PROPOSED or rule_of(event) in COUNTED:
                yield _detail(event)


def _detail(event: Event) -> Detail:
    data = data_of(event)[1]
    if event.kind == PROPOSED:
        action = PROPOSALS if data.get("action") else COUNTED[INDUCE]
        return Detail(tuple(data["memories"]), action, data.get("reason", ""), data["fingerprint"], event.id)
    new = str(data.get("into") or data.get("by") or "")
    return Detail((event.subject,), COUNTED[rule_of(event)], data.get("reason", ""), new, event.id)


def _begin(engine: Engine, trigger: str) -> str:
    """Return the id of the unfinished run, or of a new one."""
    store, context = engine.store, engine.context

    def work() -> str:
        last = _last(store, context.space)
        if last is not None and not _ended(store, last.id):
            return last.id
        return engine.ledger.commit(lambda: [evolving.began(trigger, context)])[0].id

    return store.write(work)


def _last(store: Reader, space: str) -> Event | None:
    return next(store.events(EventQuery(kinds=(BEGAN,), space=space, live=True, newest=True, limit=1)), None)


def last_run(store: Reader, space: str) -> int:
    """Return when the last run began; 0 for never."""
    last = _last(store, space)
    return last.time if last is not None else 0


def _ended(store: Reader, run: Event | str) -> bool:
    id = run if isinstance(run, str) else run.id
    return any(store.events(EventQuery(ids=tuple(store.effects({id})), kinds=(EVOLVED,), live=True, limit=1)))


def _in_portions(candidates: Iterator[Candidate]) -> Iterator[list[Candidate]]:
    """Yield candidates one at a time, but stale ones in portions: they may be every memory."""
    stale: list[Candidate] = []
    for candidate in candidates:
        if candidate.criterion != STALE:
            yield [candidate]
            continue
        stale.append(candidate)
        if len(stale) == _PORTION:
            yield stale
            stale = []
    if stale:
        yield stale
