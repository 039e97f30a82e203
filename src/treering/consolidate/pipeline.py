"""Take the steps of consolidation in order, within the time that is left, and record the results.

Every step can be stopped after any of its batches; the next run continues there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from time import monotonic, perf_counter_ns
from typing import TYPE_CHECKING, NamedTuple

from treering.consolidate import hygiene, queue, rules, summarize
from treering.consolidate import rules as schedule
from treering.consolidate.promote import Promotion
from treering.consolidate.queue import Group
from treering.consolidate.reflection import reflect
from treering.consolidate.rules import BY_EXTRACT, Summary
from treering.graph import index, view
from treering.graph.index import read_by_model
from treering.ledger.ageing import GROWN
from treering.ledger.codec import data_of
from treering.ledger.errors import InvalidInput
from treering.ledger.events import ENDED, TENDED
from treering.ledger.ledger import Ledger, batches
from treering.ledger.types import Context, own_of
from treering.models.ask import Asking
from treering.recall.lessons import adapt
from treering.recall.recalls import Recalls
from treering.stores.port.ledger import EventQuery, Reader
from treering.truth import claims

if TYPE_CHECKING:
    from treering.ledger.config import Config

Counts = dict[str, int]
Progress = Callable[[str, int], None]

PREPARE = "prepare"  # not a step of its own: what recall needs is made ready
LEFT = "left"  # of a step, what it leaves for the next time though there was time: too much for one run
# Seconds in which texts are compared with each other, which takes milliseconds for each: a large import takes several
# runs, or `contradictions --look`.
LONGEST_LOOK = 30
LONGEST_ADAPTING = 20  # seconds in which judged recalls are answered again, to see what tells good from bad
LONGEST_SUMMING = 90  # seconds in which drafts are put together in one run; a model may take as long as it takes
AT_ONCE = 20  # drafts that are written in one transaction: others wait a fraction of a second


class Step(NamedTuple):
    """A step that was taken."""

    step: str
    finished: bool  # or stopped when the time was over
    took: int  # microseconds
    counts: Mapping[str, int]


class Consolidation(NamedTuple):
    """The result of a run."""

    trigger: str  # nothing if nothing was due
    sessions: int
    steps: tuple[Step, ...] = ()
    took: int = 0
    event: str = ""

    @property
    def finished(self) -> bool:
        return all(step.finished for step in self.steps)

    @property
    def idle(self) -> bool:
        """True if there was nothing to do."""
        taken = [step for step in self.steps if step.step != PREPARE]
        return self.finished and not any(count for step in taken for count in step.counts.values())


def sessions_ended(store: Reader, space: str) -> int:
    """Return the number of sessions that have ended, by which steps are due."""
    return len({event.session for event in store.events(EventQuery(kinds=(ENDED,), space=own_of(space), live=True))})


def runs(store: Reader, space: str) -> Iterator[tuple[int, Consolidation]]:
    """Yield earlier runs with their times, oldest first."""
    for event in store.events(EventQuery(kinds=(TENDED,), space=space, live=True)):
        data = data_of(event)[1]
        steps = tuple(
            Step(step["step"], bool(step["finished"]), step["took"], step.get("counts", {})) for step in data["steps"]
        )
        yield event.time, Consolidation(data["trigger"], data["sessions"], steps, data["took"], event.id)


def due(store: Reader, space: str) -> schedule.Due:
    """Return what the sessions since the last run have made due."""
    done = (data_of(event)[1] for event in store.events(EventQuery(kinds=(TENDED,), space=space, live=True)))
    return schedule.due(sessions_ended(store, space), schedule.last_taken(done))


class Pipeline:
    def __init__(
        self,
        ledger: Ledger,
        recalling: Recalls,
        context: Context,
        config: Config,
        now: int,
        asking: Asking | None = None,
        progress: Progress = lambda step, done: None,
    ) -> None:
        self._ledger = ledger
        self._store = ledger.store
        self._recalling = recalling
        self._context = context
        self._config = config
        self._now = now
        self._asking = asking
        self._progress = progress
        self._deadline: float | None = None

    def run(self, wanted: schedule.Due, budget: float | None) -> Consolidation:
        """Take the steps that are wanted, in their order, within so many seconds."""
        began = perf_counter_ns()
        self._deadline = None if budget is None else monotonic() + budget
        steps = list(self._prepare())
        for name in wanted.steps:
            began_step = perf_counter_ns()
            counts = self._take(name, wanted.trigger) if self._going() else {}
            finished = self._going() and not counts.get(LEFT)
            steps.append(Step(name, finished, (perf_counter_ns() - began_step) // 1_000, counts))
        took = (perf_counter_ns() - began) // 1_000
        sessions = sessions_ended(self._store, self._context.space)
        done = Consolidation(wanted.trigger, sessions, tuple(steps), took)
        if wanted.trigger == schedule.SESSION and done.idle and not wanted.again:
            return done  # it is due again with the next session, whether or not that is written down
        records = [step._asdict() for step in steps]
        decided = rules.maintained(wanted.trigger, sessions, records, took, self._context)
        (event,) = self._ledger.commit(lambda: [decided])
        return done._replace(event=event.id)

    def _prepare(self) -> Iterator[Step]:
        """Index every memory that is not yet."""
        began = perf_counter_ns()
        done = self._recalling.prepare(self._context, self._reporter(PREPARE), self._going)
        if done:
            yield Step(PREPARE, self._going(), (perf_counter_ns() - began) // 1_000, {"memories": done})

    def _going(self) -> bool:
        """Tell whether there is time left."""
        return self._deadline is None or monotonic() < self._deadline

    def _within(self, seconds: float) -> Callable[[], bool]:
        """Return a function that tells whether any of the time, and of `seconds`, is left."""
        until = monotonic() + seconds
        return lambda: self._going() and monotonic() < until

    def _take(self, step: str, trigger: str) -> Counts:
        tell = self._reporter(step)
        if step == schedule.HYGIENE:
            config = self._config
            done = hygiene.run(self._ledger, self._context, config.decay, config.limits, self._now, tell)
            return {"looked_at": done.looked_at, **done.counts}
        if step == schedule.EPISODES:
            return self._episodes(trigger == schedule.SESSION, trigger == schedule.BY_HAND, tell)
        if step in (schedule.TO_PROJECT, schedule.TO_USER):
            return self._promote("session" if step == schedule.TO_PROJECT else "project", tell)
        if step == schedule.GRAPH:
            return self._graph(tell)
        if step == schedule.CONTRADICTIONS:
            return self._contradictions(tell)
        if step == schedule.WEIGHTS:
            return self._adapt(tell)
        return self._reflect()

    def _reporter(self, step: str) -> Callable[[int], None]:
        return lambda done: self._progress(step, done)

    def _episodes(self, light: bool, by_hand: bool, tell: Callable[[int], None]) -> Counts:
        """Put new groups into the queue, and sum up those that wait there."""
        since = self._now - queue.LATELY if light else None
        until = None if by_hand else self._now - GROWN  # what somebody is in the middle of is left alone
        fresh = queue.fill(self._ledger, self._context, self._now, since, until, tell)
        waiting = self._waiting(drafts=self._asking is not None)
        counts = {"grouped": len(fresh), "summarised": 0, "drafts": 0, "flagged": 0}
        done, going = 0, self._going if self._asking is not None else self._within(LONGEST_SUMMING)
        for some in batches(waiting[: schedule.FEW_GROUPS if light else None], 1 if self._asking else AT_ONCE):
            if not going():
                counts[LEFT] = len(waiting) - done
                break
            self._sum_up(some, counts)
            done += len(some)
            tell(done)
        if self._asking is not None and (failed := done - counts["summarised"]):
            counts["model_failed"] = failed
        left = self._waiting() if counts["summarised"] + counts["drafts"] < len(waiting) else []
        return {**counts, "waiting": len(left)}

    def _waiting(self, drafts: bool = False) -> list[Group]:
        """Return the groups without a summary, or also those that only have a draft."""
        found = queue.Queue(self._store, self._context.space).groups()
        return [group for group in found if not group.summary or (drafts and group.status == "drafted")]

    def _sum_up(self, some: Sequence[Group], counts: Counts) -> None:
        """Write texts for some groups, and store them in one transaction."""
        made = [(group, summary) for group in some if (summary := self._summary(group)) is not None]

        def work() -> list[Summary]:
            return [summary for group, summary in made if self._put(group, summary)]

        for summary in self._store.write(work):
            counts["drafts" if summary.by == BY_EXTRACT else "summarised"] += 1
            counts["flagged"] += summary.flagged

    def _summary(self, group: Group) -> Summary | None:
        sources = queue.Queue(self._store, self._context.space).sources(group)
        made = summarize.by_model(sources, queue.about(sources), self._asking) if self._asking is not None else None
        return made or (None if group.summary else summarize.by_extract(sources))

    def _put(self, group: Group, made: Summary) -> bool:
        try:
            summarize.put(self._ledger, group, made, self._context, self._config.content_limit)
        except InvalidInput:
            return False  # somebody has changed its episodes meanwhile, or summed them up
        return True

    def _promote(self, scope: str, tell: Callable[[int], None]) -> Counts:
        counts = {"promoted": 0, "strengthened": 0, "kept_apart": 0}
        promotion = Promotion(self._ledger, self._recalling, self._context, self._now)
        for done in promotion.promote(scope, self._going):
            counts["kept_apart" if done.kept_apart else "strengthened" if done.duplicate else "promoted"] += 1
            tell(sum(counts.values()))
        return counts

    def _graph(self, tell: Callable[[int], None]) -> Counts:
        counts = {"read": index.catch_up(self._store, tell, self._going)}
        if self._asking is not None and self._going():
            asked, answered = read_by_model(
                self._ledger, self._asking, self._context, self._config.llm_model, self._going
            )
            counts |= {"read_by_model": answered, "model_found_nothing": asked - answered}
            index.catch_up(self._store)
        if self._going():
            counts["joined"] = view.join_names(self._store, self._context.space, self._recalling.vectors)
        if self._going():
            gone = view.prune(self._ledger, self._context, self._now)
            counts |= {"pruned_entities": gone.entities, "pruned_relations": gone.relations}
        return counts

    def _contradictions(self, tell: Callable[[int], None]) -> Counts:
        going = self._within(LONGEST_LOOK)
        found = claims.catch_up(self._ledger, self._context, tell, going)
        left = sum(last - first + 1 for _, first, last in claims.pending(self._store)) if not going() else 0
        in_graph = len(view.raise_contradictions(self._ledger, self._context)) if self._going() else 0
        return {"in_texts": len(found), "in_graph": in_graph, LEFT: left}

    def _adapt(self, tell: Callable[[int], None]) -> Counts:
        going = self._within(LONGEST_ADAPTING)
        return adapt.adapt(self._ledger, self._recalling, self._context, self._now, going, tell)

    def _reflect(self) -> Counts:
        space = self._context.space
        hubs = view.Graph(self._store, space).hubs()
        found = reflect.reflect(self._store, space, self._now, self._waiting(), hubs)
        self._ledger.commit(lambda: [rules.noted(insight.data, self._context) for insight in found])
        return {"insights": len(found)}
