"""Offer `memory.evolve`: judge memories, and improve those that were judged often enough."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import islice
from typing import Any

from treering.evolve import feedback, near, retired, runs, stats
from treering.evolve.candidates import Candidate, Survey
from treering.evolve.engine import Attempt, Engine
from treering.evolve.implicit import Signal, ToolResult
from treering.evolve.refine import Refiner
from treering.evolve.rules import CRITERIA, Grounds
from treering.evolve.runs import Evolution
from treering.evolve.stats import Point, Stats, curve
from treering.ledger.errors import InvalidInput, NotFound
from treering.ledger.types import Memory, limit_of, one_of
from treering.ledger.usage import TOLD, Use, records
from treering.ledger.workspace import Workspace, apart, text_of
from treering.skills import credit
from treering.stores.port.ledger import EventQuery


class Evolve:
    """Take feedback, and evolve memories by it."""

    def __init__(self, workspace: Workspace) -> None:
        self._at = workspace

    def feedback(self, recall_id: str, memory_id: str, verdict: str, *, note: str = "") -> Memory:
        """Judge a memory that a recall has shown: `helpful`, `partially_helpful` or `not_helpful`.
        `last` names the last recall. Return the memory with its new Q."""
        at = self._at
        ids = self._recall_id(recall_id), at.whole_id(memory_id)
        return feedback.give(at.ledger, *ids, verdict, at.config.rewards, at.here(), at.clean(note))

    def outcome(self, of: str, outcome: str) -> list[Memory]:
        """Record what a recall (by its id) or a session (by its name) led to: `success`, `partial`
        or `failure`. It counts for the memories shown there and the skills loaded. Return those
        memories."""
        at = self._at
        named = feedback.recall_or_session(at.store, of, self._recall_id, at.name, at.space)
        given = (outcome, at.config.rewards, at.here())

        def work() -> list[Memory]:
            skills = credit.outcome(at.ledger, named, *given)
            try:
                return feedback.outcome(at.ledger, named, *given)
            except NotFound:
                if not skills:
                    raise
                return []

        return at.together(work)

    def observe(
        self,
        recall_id: str,
        *,
        answer: str = "",
        results: Sequence[ToolResult | tuple[str, bool] | str] = (),
        reply: str = "",
    ) -> list[Signal]:
        """Judge each memory shown by what followed the recall: the answer, the results of tools (a
        text, and whether it failed) and the user's reply. It weighs less than feedback."""
        read = [_result(result) for result in ([results] if isinstance(results, str) else results)]
        said = (text_of(answer), read, text_of(reply))
        recall = self._recall_id(recall_id)
        return feedback.observe(self._at.ledger, recall, *said, self._at.config.rewards, self._at.here())

    def usage(self, id: str, limit: int = 0) -> list[Use]:
        """Return every recall that showed a memory, newest first: when, what came of it, and what was asked."""
        found = feedback.usage(self._at.store, self._at.get(id).id, self._at.space)[::-1]
        return found[: limit_of(limit)]

    def curve(self) -> list[Point]:
        """Ask judged questions of the past again, with what was learned and without: how high what helped stands."""
        return curve(self._at)

    def candidates(
        self, criteria: str = "", limit: int = 0, *, progress: Callable[[int], None] = lambda done: None
    ) -> list[Candidate]:
        """Return memories that could be improved, the most pressing first: by one of the criteria
        `low_q`, `stale`, `unlinked_processes` and `similar_pairs`, or by all."""
        if criteria:
            one_of("criteria", criteria, CRITERIA)
        at = self._at
        at.recalls.prepare(at.here(), progress)
        known = records(at.store.events(EventQuery(kinds=TOLD, space=at.space, live=True)))
        survey = Survey(at.store, at.space, at.now(), known, progress)
        return list(islice(survey.candidates(criteria), limit_of(limit)))

    def attempt(self, action: str, *ids: str, text: str = "", reason: str = "", justification: str = "") -> Attempt:
        """Try `deprecate`, `refine`, `merge`, `archive` or `induce` on the recalls of the past, and change nothing."""
        grounds = self._grounds(reason, justification, False)
        return Engine(self._at).attempt(action, self._ids(ids), text_of(text), grounds)

    def deprecate(self, id: str, *, reason: str, justification: str = "", force: bool = False) -> Memory:
        """Take a memory that keeps failing out of recall. `restore` brings it back."""
        whole = self._at.whole_id(id)
        Engine(self._at).deprecate(whole, self._grounds(reason, justification, force))
        return self._at.get(whole)

    def refine(self, id: str, text: str = "", *, reason: str, justification: str = "", force: bool = False) -> Memory:
        """Replace a memory by a better text; the reason states the improvement. Return the new
        memory, which supersedes the old one and starts with a Q of 0.5."""
        whole = self._at.whole_id(id)
        return Engine(self._at).refine(whole, text_of(text), self._grounds(reason, justification, force))

    def merge(
        self, *ids: str | Sequence[str], text: str = "", reason: str = "", justification: str = "", force: bool = False
    ) -> Memory:
        """Merge memories that say the same, and return the one that is left. Without a text, what
        the others add is joined to the one with the highest Q."""
        return Engine(self._at).merge(self._ids(ids), text_of(text), self._grounds(reason, justification, force))

    def archive(self, id: str, *, reason: str = "", justification: str = "") -> Memory:
        """Archive a memory that was not used for 90 days: recall still finds it, below the others."""
        whole = self._at.whole_id(id)
        Engine(self._at).archive(whole, self._grounds(reason, justification, False))
        return self._at.get(whole)

    @apart
    def run(
        self, *, if_due: bool = False, dry_run: bool = False, progress: Callable[[int], None] = lambda done: None
    ) -> Evolution:
        """Do all that there is evidence for: deprecate, merge, archive, propose skills, and refine if a language model
        finds better words. With `if_due`, only if enough has happened since the last run."""
        trigger, at = self._due(), self._at
        if if_due and not trigger:
            return runs.Evolution("", "")
        at.recalls.prepare(at.here(), progress)
        why = trigger if if_due else runs.BY_HAND
        return runs.run(Engine(at), why, at.config.wrong_limit, dry_run, progress, Refiner(at).word)

    def stats(self) -> Stats:
        """Return the judgements, how often each rule was wrong, and the lift of each memory."""
        at = self._at
        rules = retired.rules(at.store, at.space, at.config.wrong_limit, partial(near.alike, at.recalls))
        return stats.gather(at.store, at.space, rules, self._due(), runs.last_run(at.store, at.space))

    def _recall_id(self, id: str) -> str:
        last = id == feedback.LAST
        return feedback.last_recall(self._at.store, self._at.context) if last else self._at.whole_id(id)

    def _due(self) -> str:
        config = self._at.config
        triggers = runs.Triggers(config.evolve_hours, config.evolve_judgements, config.evolve_processes)
        return runs.due(self._at.store, self._at.space, triggers, self._at.now())

    def _grounds(self, reason: str, justification: str, force: bool) -> Grounds:
        return Grounds(self._at.name(reason), self._at.name(justification), force)

    def _ids(self, given: Sequence[str | Sequence[str]]) -> list[str]:
        """Return full ids of ids that are given one by one or as a list."""
        flat: list[Any] = [id for one in given for id in (one if isinstance(one, (list, tuple)) else [one])]
        return [self._at.whole_id(id) for id in flat]


def _result(given: ToolResult | tuple[str, bool] | str) -> ToolResult:
    """Return a tool's result as a value: given as a text, or as a text and whether it failed."""
    pair = (given, False) if isinstance(given, str) else given
    if not isinstance(pair, tuple) or len(pair) != 2 or not isinstance(pair[0], str):
        raise InvalidInput(f"the result of a tool is a text, or a text and whether it failed, not {given!r}")
    return ToolResult(pair[0], bool(pair[1]))
