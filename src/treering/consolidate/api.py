"""`memory.maintenance`: do all that is due, consolidate episodes, and report on the memory."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from time import monotonic
from typing import NamedTuple

from treering.consolidate import hygiene, rules, summarize
from treering.consolidate.hygiene import Report as Hygiene
from treering.consolidate.pipeline import Consolidation, Pipeline, due, runs, sessions_ended
from treering.consolidate.queue import Group, Queue, about, fill
from treering.consolidate.reflection.figures import Health
from treering.consolidate.reflection.health import gather
from treering.consolidate.reflection.insights import Insight
from treering.consolidate.reflection.reflect import insights
from treering.consolidate.summaries.wording import instructions
from treering.evolve.api import Evolve
from treering.graph.index import catch_up
from treering.graph.view import Graph
from treering.ledger import decide
from treering.ledger.errors import InvalidInput, StoreBusy
from treering.ledger.sync.api import MachineSync
from treering.ledger.sync.state import Syncs
from treering.ledger.types import Memory, one_of
from treering.ledger.workspace import Workspace, apart
from treering.models.ask import Asking, Spent, spent
from treering.recall.index.profiles import text_of
from treering.recall.lessons.trials import Tuning
from treering.recall.lessons.tune import tune
from treering.recall.recalls import HURRY
from treering.skills.proposals.api import Proposals
from treering.skills.proposals.cases import fresh_draft, propose
from treering.skills.proposals.rules import setting
from treering.stores import files
from treering.stores.port.ledger import EventQuery, record_of
from treering.truth.api import Truth

LONGEST_BUDGET = 86_400  # seconds
LONGEST_RUN = 3_600.0  # seconds: whoever has more time comes again
_MINUTE = 60_000_000  # microseconds
_TUNING = 10.0  # seconds in which other settings of recall are tried in the background
_EVOLVING = 20.0  # seconds that must be left to begin a run of evolution, which cannot be stopped halfway

# Turns queued events into memories and reads on in sessions, while there is time. It returns the numbers of events, of
# sessions, and of memories made of them.
TakeIn = Callable[[Callable[[], bool]], tuple[int, int, int]]


class Report(NamedTuple):
    """The work that was due and is done."""

    events: int = 0  # queued by hooks, and taken in
    sessions: int = 0  # read on
    kept: int = 0  # memories made of them
    consolidated: tuple[str, ...] = ()  # steps
    evolved: bool = False
    busy: bool = False  # another process is at it
    synced: tuple[str, ...] = ()  # places that are shared with other machines


class Task(NamedTuple):
    """A group to be summed up by somebody who can write."""

    group: Group
    about: tuple[str, ...]  # the words that its episodes share
    sources: tuple[Memory, ...]  # oldest first
    instructions: str
    draft: str = ""  # the text that stands there for now


class Tuned(NamedTuple):
    """The result of tuning, and the proposal made of it, if there was a gain."""

    tuning: Tuning
    proposal: str = ""
    fresh: bool = False  # it was not proposed before


class Maintenance:
    """Work that is done in the background, or by hand."""

    def __init__(
        self, workspace: Workspace, take_in: TakeIn, refresh: Callable[[], list[str]], brief: Callable[[], None]
    ) -> None:
        """`refresh` writes the files anew that show people what is known, and `brief` what sessions are told."""
        self._at = workspace
        self._take_in = take_in
        self._refresh = refresh
        self._brief = brief

    def run(self, seconds: float = 30.0) -> Report:
        """Do all that is due, begun only while there is time: queued events, transcripts,
        consolidation, evolution. Only one process does this at a time; a second one returns at
        once."""
        at = self._at
        if at.inbox is None or not at.writable:
            return Report()
        if not isinstance(seconds, (int, float)) or not 0 < seconds <= LONGEST_RUN:
            raise InvalidInput(f"seconds must be a number above 0 and up to {LONGEST_RUN:,.0f}, not {seconds!r}")
        end, path = monotonic() + seconds, os.path.join(at.home, files.TENDING)
        if not files.take(path):
            return Report(busy=True)
        try:
            return self._run(lambda: end - monotonic())
        finally:
            files.release(path)

    @apart
    def consolidate(
        self,
        *,
        if_due: bool = False,
        steps: Sequence[str] = (),
        budget: float | None = None,
        dry_run: bool = False,
        progress: Callable[[str, int], None] = lambda step, done: None,
    ) -> Consolidation:
        """Sum up episodes, promote what proved itself, mend the graph, look for contradictions,
        adapt recall and reflect. With `if_due`, do only what the sessions since the last run have
        made due, within its budget. `budget` is in seconds: the next run continues a step that is
        not done by then."""
        for step in steps:
            one_of("step", step, rules.STEPS)
        _check_budget(budget)
        space = self._at.space
        wanted = due(self._at.store, space)
        skipped = self._at.config.skip_steps.split()
        wanted = wanted._replace(steps=tuple(step for step in wanted.steps if step not in skipped))
        if not if_due:
            chosen = tuple(step for step in rules.STEPS if not steps or step in steps)
            wanted = rules.Due(rules.BY_HAND, chosen, 0)
        if not wanted.steps:
            return Consolidation("", sessions_ended(self._at.store, space))
        limit = budget if budget is not None else wanted.budget or None
        asking = None if dry_run else Asking.of(self._at)
        pipeline = Pipeline(
            self._at.ledger, self._at.recalls, self._at.here(), self._at.config, self._at.now(), asking, progress
        )
        if not dry_run:
            return pipeline.run(wanted, limit)
        self.prepare(lambda done: progress("prepare", done))
        return self._at.ledger.rehearse(lambda: pipeline.run(wanted, limit))._replace(event="")

    def end_session(self, session: str = "") -> Hygiene:
        """Record the end of a session, look for contradictions, move memories, and do what is due
        for at most 30 seconds; the next end or `consolidate` does the rest."""
        here, config = self._at.here(session=session), self._at.config
        self._at.ledger.commit(lambda: [decide.ended(here)])
        Truth(self._at).contradictions()
        self.consolidate(if_due=True, budget=rules.BUDGETS[rules.SESSION])
        moved = hygiene.run(self._at.ledger, here, config.decay, config.limits, self._at.now())
        self._refresh()
        return moved

    def log(self) -> list[tuple[int, Consolidation]]:
        """Return earlier runs, oldest first, each with its time, steps, durations and results."""
        return list(runs(self._at.store, self._at.space))

    def groups(self) -> list[Group]:
        """Return groups of episodes that belong together, summed up or not."""
        return Queue(self._at.store, self._at.space).groups()

    @apart
    def next_group(self) -> Task | None:
        """Return the group that waits longest for somebody who can write, with its episodes and
        instructions, or None. New groups are looked for first."""
        if self._at.writable:
            self._at.recalls.prepare(self._at.here())
            fill(self._at.ledger, self._at.here(), self._at.now())
        queue = Queue(self._at.store, self._at.space)
        found = queue.next(self._at.here())
        return self._task(found, queue) if found is not None else None

    def submit(self, group: str, text: str) -> Memory:
        """Store the summary of a group as a semantic memory that rests on its episodes, which are
        consolidated from now on. A draft is superseded. `undo` with its id restores them."""
        if not isinstance(text, str) or not isinstance(group, str):
            raise InvalidInput(f"a summary is a text for a group, not {text!r} for {group!r}")
        queue = Queue(self._at.store, self._at.space)
        found = queue.group(group)
        if found.status == "summarised":
            raise InvalidInput(f"{found.id} is summed up already, by {found.summary}: undo that first")
        made = summarize.by_agent(queue.sources(found), text, self._at.config.content_limit)
        return summarize.put(self._at.ledger, found, made, self._at.here(), self._at.config.content_limit)

    def dismiss(self, group: str, *, reason: str = "") -> Group:
        """Undo a group whose episodes do not belong together, with its summary, so that it is not
        found again. `undo` of that restores it."""

        def work() -> Group:
            found = Queue(self._at.store, self._at.space).group(group)
            ids = tuple(filter(None, (found.event, found.summary)))
            events = [*self._at.store.events(EventQuery(ids=ids))]
            out, why = self._at.store.left_out(), self._at.name(reason) or "dismissed"
            self._at.ledger.undo(lambda: decide.undo(events, out, self._at.here(), why))
            return found

        return self._at.together(work)

    def reflect(self, *, progress: Callable[[str, int], None] = lambda step, done: None) -> list[Insight]:
        """Look at how the memory is used, note what is new, and return those insights."""
        known = {insight.mark for insight in self.insights()}
        self.consolidate(steps=(rules.REFLECTION,), progress=progress)
        return [insight for insight in self.insights() if insight.mark not in known]

    def insights(self) -> list[Insight]:
        """Return what the memory has found out about itself, oldest first, with the numbers and
        what was done about it."""
        space = self._at.space
        return insights(self._at.store, space, Graph(self._at.store, space).hubs())

    def tune(
        self,
        *,
        project: str = "",
        budget: float = 60.0,
        dry_run: bool = False,
        progress: Callable[[int], None] = lambda done: None,
    ) -> Tuned:
        """Try other settings of recall on recalls that were judged, the older to choose and the
        newer to check. A setting that would have answered better becomes a proposal."""
        _check_budget(budget)
        here = self._at.here(project)
        found = tune(self._at.store, self._at.recalls, here, budget, progress)
        if dry_run or not found.weights:
            return Tuned(found)
        decided = setting(found.weights, found.evidence, found.held, here._replace(project=found.project))

        def work() -> Tuned:
            fresh = fresh_draft(self._at.store, decided, here) is not None
            return Tuned(found, propose(self._at.ledger, decided, here), fresh)

        return self._at.together(work)

    def health(self) -> Health:
        """Return figures on the memory: what is never used, duplicated, missed or wrongly retired,
        and what recall weighs."""
        return gather(self._at.store, self._at.space, self._at.now())

    @apart
    def hygiene(self, *, dry_run: bool = False, progress: Callable[[int], None] = lambda done: None) -> Hygiene:
        """Move every memory that is due, by the policy of the settings. Idempotent."""
        at = self._at
        policy, limits, now = at.config.decay, at.config.limits, at.now()
        if dry_run:
            return hygiene.plan(at.store, at.space, policy, limits, now)
        return hygiene.run(at.ledger, at.here(), policy, limits, now, progress)

    def prepare(self, progress: Callable[[int], None] = lambda done: None, *, wait: bool = True) -> int:
        """Index what has been remembered and is not indexed yet, and return the number of memories.
        A recall does this for a few; for many it takes a while, and here it can be watched. Unless
        it is to `wait`, it leaves the work to the next one while another process writes."""
        if wait:
            return self._prepare(progress)
        try:
            with self._at.store.hurried(HURRY):
                return self._prepare(progress)
        except StoreBusy:
            return 0

    def _prepare(self, progress: Callable[[int], None]) -> int:
        done = self._at.recalls.prepare(self._at.here(), progress)
        catch_up(self._at.store)
        return done

    def to_prepare(self) -> int:
        """Count what `prepare` would index, or a few more."""
        return max(self._at.store.index.size - self._at.store.index.profiled, 0)

    def llm_spent(self) -> dict[str, Spent]:
        """Return what a model was asked in the last 24 hours, and its tokens, by purpose."""
        return spent(self._at.store, self._at.space, self._at.now())

    def _run(self, left: Callable[[], float]) -> Report:
        events, sessions, kept = self._take_in(lambda: left() > 0)
        steps: tuple[str, ...] = ()
        if left() > 0:
            proposed = self._propose(left)  # before reflection, which names what is proposed
            consolidated = self.consolidate(if_due=True, budget=max(left(), 1.0))
            steps = (*proposed, *(step.step for step in consolidated.steps))
        if steps:  # a session has ended
            steps += self._tidy()
        evolved = left() > _EVOLVING and bool(Evolve(self._at).run(if_due=True).trigger)
        synced = self._sync() if left() > 0 else ()
        return Report(events, sessions, kept, steps, evolved, synced=synced)

    def _propose(self, left: Callable[[], float]) -> tuple[str, ...]:
        """Make proposals of the signals, after every fifth session, and try other settings of recall, after every
        twentieth. Of what is new the next session is told that it waits."""
        occasion = due(self._at.store, self._at.space).trigger
        taken = {rules.FIVE: (rules.PROPOSALS,), rules.TWENTY: (rules.PROPOSALS, rules.TUNE)}.get(occasion, ())
        steps = tuple(step for step in taken if step not in self._at.config.skip_steps.split())
        found = Proposals(self._at).analyze() if rules.PROPOSALS in steps else None
        fresh = found is not None and bool(found.added or found.again)
        if rules.TUNE in steps and left() > _TUNING:
            fresh |= self.tune(budget=_TUNING).fresh
        if fresh:
            self._brief()
        return steps

    def _tidy(self) -> tuple[str, ...]:
        """Do what every end of a session asks for: move what is due, and write the files for people anew."""
        aged = rules.HYGIENE not in self._at.config.skip_steps.split()
        if aged:
            self.hygiene()
        self._refresh()
        return (rules.HYGIENE,) * aged

    def _sync(self) -> tuple[str, ...]:
        """Sync with other machines when it is due. A place that cannot be reached is named by `doctor`."""
        every = self._at.config.sync_minutes * _MINUTE
        if not every or not self._at.home:
            return ()
        due = [one.name for one in Syncs(self._at.home).all() if abs(self._at.now() - one.tried) >= every]
        with suppress(StoreBusy):  # another process is at it
            return tuple(name for name in due if MachineSync(self._at).run(name)[0].done is not None)
        return ()

    def _task(self, group: Group, queue: Queue) -> Task:

        sources = tuple(queue.sources(group))
        shared = about(sources)
        draft = record_of(self._at.store, group.summary)
        told = instructions(shared, [text_of(source) for source in sources])
        return Task(group, shared, sources, told, draft.content if draft is not None else "")


def _check_budget(seconds: object) -> None:
    if seconds is None:
        return
    if not isinstance(seconds, int | float) or isinstance(seconds, bool) or not 0 < seconds <= LONGEST_BUDGET:
        raise InvalidInput(f"a budget is a number of seconds up to {LONGEST_BUDGET:,}, not {seconds!r}")
