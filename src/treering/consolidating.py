"""The Treering object's chapter on the slow loop: episodes become knowledge, and the memory looks at itself."""

from __future__ import annotations

from treering.connected import Connected
from treering.core.errors import InvalidInput
from treering.core.tuples import NamedTuple

# Only what reading a memory needs is imported above: see `opened.py`.

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from treering.asking import Asking
    from treering.consolidation.pipeline import Consolidation
    from treering.consolidation.queue import Group, Queue
    from treering.core.health import Health
    from treering.core.reflecting import Insight
    from treering.core.tuning import Tuning
    from treering.core.types import Memory
    from treering.hygiene import Report

LONGEST_BUDGET = 86_400  # seconds


class Task(NamedTuple):
    """A group for somebody who can write."""

    group: Group
    about: tuple[str, ...]  # the words that its episodes share
    sources: tuple[Memory, ...]  # oldest first
    instructions: str
    draft: str = ""  # the text that stands there for now


class Tuned(NamedTuple):
    """What tuning found, and the proposal that it made of it; none without a gain."""

    tuning: Tuning
    proposal: str = ""
    fresh: bool = False  # it was not proposed before


class Consolidating(Connected):
    """What is done in the background, or by hand."""

    def consolidate(
        self,
        *,
        if_due: bool = False,
        steps: Sequence[str] = (),
        budget: float | None = None,
        dry_run: bool = False,
        progress: Callable[[str, int], None] = lambda step, done: None,
    ) -> Consolidation:
        """Look after the memory: sum up episodes, tell what has proved itself to more people, mend the graph, look for
        contradictions, adapt recall and reflect. With `if_due`, only what the sessions since the last time have made
        due, within its budget. `budget` is in seconds: a step that is not done by then goes on the next time."""
        from treering.consolidation.pipeline import Consolidation, Pipeline, due, sessions_ended
        from treering.core import schedule
        from treering.core.types import one_of

        for step in steps:
            one_of("step", step, schedule.STEPS)
        _check_budget(budget)
        space = self.context.space
        wanted = due(self.store, space)
        if not if_due:
            chosen = tuple(step for step in schedule.STEPS if not steps or step in steps)
            wanted = schedule.Due(schedule.BY_HAND, chosen, 0)
        if not wanted.steps:
            return Consolidation("", sessions_ended(self.store, space))
        limit = budget if budget is not None else wanted.budget or None
        asking = None if dry_run else self._asking()
        pipeline = Pipeline(self.ledger, self._recalling(), self._here(), self.config, self._now(), asking, progress)
        if not dry_run:
            return pipeline.run(wanted, limit)
        self._prepared(lambda done: progress("prepare", done))
        return self.ledger.rehearse(lambda: pipeline.run(wanted, limit))._replace(event="")

    def end_session(self, session: str = "") -> Report:
        """A session ends: that is recorded, contradictions are looked for, memories are moved, and what is due now is
        done, as far as 30 seconds suffice; the rest at the next end, or by `consolidate`."""
        from treering import hygiene
        from treering.core import decide, schedule

        here, config = self._here(session=session), self.config
        self.ledger.commit(lambda: [decide.ended(here)])
        self.contradictions()
        self.consolidate(if_due=True, budget=schedule.BUDGETS[schedule.SESSION])
        return hygiene.run(self.ledger, here, config.decay, config.limits, self._now())

    def consolidations(self) -> list[tuple[int, Consolidation]]:
        """What was done before, oldest first, and when: which steps, how long each took, what came of it."""
        from treering.consolidation.pipeline import runs

        return list(runs(self.store, self.context.space))

    def groups(self) -> list[Group]:
        """Episodes that belong together: those that wait to be summed up, and those that have been."""
        from treering.consolidation.queue import Queue

        return Queue(self.store, self.context.space).groups()

    def next_group(self) -> Task | None:
        """The group that waits longest for somebody who can write, with its episodes and what to do; none if there is
        none. Episodes that belong together since the last look are found first."""
        from treering.consolidation.queue import Queue, fill

        if self._writable:
            self._recalling().prepare(self._here())
            fill(self.ledger, self._here(), self._now())
        queue = Queue(self.store, self.context.space)
        found = queue.next(self._here())
        return self._task(found, queue) if found is not None else None

    def submit(self, group: str, text: str) -> Memory:
        """Hand back the summary of a group: a semantic memory that rests on its episodes, which are consolidated from
        now on. `undo` with its id brings them back. A draft that stood there is superseded."""
        from treering.consolidation import summing
        from treering.consolidation.queue import Queue

        if not isinstance(text, str) or not isinstance(group, str):
            raise InvalidInput(f"a summary is a text for a group, not {text!r} for {group!r}")
        queue = Queue(self.store, self.context.space)
        found = queue.group(group)
        if found.status == "summarised":
            raise InvalidInput(f"{found.id} is summed up already, by {found.summary}: undo that first")
        made = summing.by_agent(queue.sources(found), text, self.config.content_limit)
        return summing.put(self.ledger, found, made, self._here(), self.config.content_limit)

    def dismiss(self, group: str, *, reason: str = "") -> Group:
        """Say that the episodes of a group do not belong together: a summary of it is taken back, and the group is not
        found again. `undo` of that brings it back."""
        from treering.consolidation.queue import Queue
        from treering.core import decide
        from treering.core.ports import EventQuery

        def work() -> Group:
            found = Queue(self.store, self.context.space).group(group)
            ids = tuple(filter(None, (found.event, found.summary)))
            events = [*self.store.events(EventQuery(ids=ids))]
            out, why = self.store.left_out(), self._guarded(reason) or "dismissed"
            self.ledger.undo(lambda: decide.undo(events, out, self._here(), why))
            return found

        return self.together(work)

    def reflect(self, *, progress: Callable[[str, int], None] = lambda step, done: None) -> list[Insight]:
        """Look at how the memory is used, and note what is new. Those insights."""
        from treering.core.schedule import REFLECTION

        known = {insight.mark for insight in self.insights()}
        self.consolidate(steps=(REFLECTION,), progress=progress)
        return [insight for insight in self.insights() if insight.mark not in known]

    def insights(self) -> list[Insight]:
        """What the memory has found out about itself, oldest first, with the numbers and what was done about it."""
        from treering.consolidation.graphing import Graph
        from treering.consolidation.reflecting import insights

        space = self.context.space
        return insights(self.store, space, Graph(self.store, space).hubs())

    def tune(
        self,
        *,
        project: str = "",
        budget: float = 60.0,
        dry_run: bool = False,
        progress: Callable[[int], None] = lambda done: None,
    ) -> Tuned:
        """Try other settings of recall on the recalls that were judged, the older ones to choose and the newer ones to
        check. A setting that would have answered better becomes a proposal; without a gain there is none."""
        from treering.consolidation.tuning import tune
        from treering.core.proposing import setting
        from treering.proposals.cases import newly, propose

        _check_budget(budget)
        here = self._here(project)
        found = tune(self.store, self._recalling(), here, budget, progress)
        if dry_run or not found.weights:
            return Tuned(found)
        decided = setting(found.weights, found.evidence, found.held, here._replace(project=found.project))

        def work() -> Tuned:
            fresh = newly(self.store, decided, here) is not None
            return Tuned(found, propose(self.ledger, decided, here), fresh)

        return self.together(work)

    def health(self) -> Health:
        """How the memory is doing, in figures: what is never used, said twice, missed, wrongly retired, and what recall
        weighs."""
        from treering.consolidation.health import gathered

        return gathered(self.store, self.context.space, self._now())

    def _task(self, group: Group, queue: Queue) -> Task:
        from treering.consolidation.queue import about
        from treering.recall.profile.making import text_of
        from treering.summaries.wording import instructions

        sources = tuple(queue.sources(group))
        shared = about(sources)
        draft = self.store.record(group.summary)
        told = instructions(shared, [text_of(source) for source in sources])
        return Task(group, shared, sources, told, draft.content if draft is not None else "")

    def _asking(self) -> Asking | None:
        """The model that is configured, if one is."""
        llm = self._llm()
        if llm is None:
            return None
        from treering.asking import Asking

        return Asking(self.ledger, llm, self._here(), self._now, self.config.llm_budget)


def _check_budget(seconds: object) -> None:
    if seconds is None:
        return
    if not isinstance(seconds, int | float) or isinstance(seconds, bool) or not 0 < seconds <= LONGEST_BUDGET:
        raise InvalidInput(f"a budget is a number of seconds up to {LONGEST_BUDGET:,}, not {seconds!r}")
