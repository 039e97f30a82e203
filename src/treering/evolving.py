"""How an open memory gets better: it is judged, and what has been judged often enough is improved."""

from __future__ import annotations

from treering.core.errors import InvalidInput, NotFound
from treering.core.types import limit_of, one_of
from treering.upkeep import Upkeep

# Only what reading a memory needs is imported above: see `opened.py`.

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from treering.core.evidence import Grounds
    from treering.core.types import Memory
    from treering.core.usage import Use
    from treering.evolution.candidates import Candidate
    from treering.evolution.engine import Attempt, Engine
    from treering.evolution.runs import Evolution
    from treering.evolution.stats import Stats
    from treering.evolve.implicit import Signal, ToolResult


class Evolving(Upkeep):
    """Feedback in, evolution out."""

    def feedback(self, recall_id: str, memory_id: str, verdict: str, *, note: str = "") -> Memory:
        """Judge a memory that a recall has shown: `helpful`, `partially_helpful` or `not_helpful`. `last` is the last
        recall. The memory, with the Q that it has now."""
        from treering.evolution import feedback

        ids = self._recall_id(recall_id), self.whole_id(memory_id)
        return feedback.give(self.ledger, *ids, verdict, self.config.rewards, self._here(), self._cleaned(note))

    def outcome(self, of: str, outcome: str) -> list[Memory]:
        """Say what a recall, by its id, or a whole session, by its name, led to: `success`, `partial` or `failure`. It
        falls back on each memory that was shown there, and on the skills that the session loaded. Those memories, as
        they are now."""
        from treering.evolution import feedback
        from treering.proposals import credit

        named = feedback.recall_or_session(self.store, of, self._recall_id, self._guarded, self.context.space)
        given = (outcome, self.config.rewards, self._here())

        def work() -> list[Memory]:
            skills = credit.outcome(self.ledger, named, *given)
            try:
                return feedback.outcome(self.ledger, named, *given)
            except NotFound:
                if not skills:
                    raise
                return []

        return self.together(work)

    def observe(
        self,
        recall_id: str,
        *,
        answer: str = "",
        results: Sequence[ToolResult | tuple[str, bool] | str] = (),
        reply: str = "",
    ) -> list[Signal]:
        """Let what followed a recall speak: the answer, the results of tools (a text, and whether it failed) and what
        the user said next. Weighs less than feedback. What it says of each memory that was shown."""
        from treering.evolution import feedback

        told = [_result(result) for result in ([results] if isinstance(results, str) else results)]
        recall = self._recall_id(recall_id)
        said = (_text(answer), told, _text(reply))
        return feedback.observe(self.ledger, recall, *said, self.config.rewards, self._here())

    def usage(self, id: str, limit: int = 0) -> list[Use]:
        """Every recall that showed a memory, newest first: when, what came of it, and what was asked."""
        from treering.evolution import feedback

        found = feedback.usage(self.store, self.get(id).id, self.context.space)[::-1]
        return found[: limit_of(limit)]

    def candidates(
        self, criteria: str = "", limit: int = 0, *, progress: Callable[[int], None] = lambda done: None
    ) -> list[Candidate]:
        """Memories that could be improved, the most pressing first: those of one of the criteria `low_q`, `stale`,
        `unlinked_processes` and `similar_pairs`, or of all."""
        from itertools import islice

        from treering.core.ports import EventQuery
        from treering.core.usage import TOLD, records
        from treering.evolution.candidates import CRITERIA, Survey

        if criteria:
            one_of("criteria", criteria, CRITERIA)
        space = self.context.space
        self._prepared(progress)
        known = records(self.store.events(EventQuery(kinds=TOLD, space=space, live=True)))
        survey = Survey(self.store, space, self._now(), known, progress)
        return list(islice(survey.candidates(criteria), limit_of(limit)))

    def attempt(self, action: str, *ids: str, text: str = "", reason: str = "", justification: str = "") -> Attempt:
        """Try `deprecate`, `refine`, `merge`, `archive` or `induce` on the recalls of the past, and change nothing."""
        from treering.core.evidence import Grounds

        grounds = Grounds(self._guarded(reason), self._guarded(justification))
        return self._engine().attempt(action, self._ids(ids), _text(text), grounds)

    def deprecate(self, id: str, *, reason: str, justification: str = "", force: bool = False) -> Memory:
        """Take a memory that keeps failing out of recall. `restore` brings it back."""
        engine, whole = self._engine(), self.whole_id(id)
        engine.deprecate(whole, self._grounds(reason, justification, force))
        return self.get(whole)

    def refine(self, id: str, text: str = "", *, reason: str, justification: str = "", force: bool = False) -> Memory:
        """Say better what a memory says badly; the reason states the improvement. The new memory, which supersedes the
        old one and starts with a Q of 0.5."""
        whole = self.whole_id(id)
        return self._engine().refine(whole, _text(text), self._grounds(reason, justification, force))

    def merge(
        self,
        *ids: str | Sequence[str],
        text: str = "",
        reason: str = "",
        justification: str = "",
        force: bool = False,
    ) -> Memory:
        """Make one of memories that say the same. Without a text, what the others add is joined to the one of the
        highest Q, which stays as it is if they add nothing. The memory that speaks for all."""
        return self._engine().merge(self._ids(ids), _text(text), self._grounds(reason, justification, force))

    def archive(self, id: str, *, reason: str = "", justification: str = "") -> Memory:
        """Archive a memory that nobody has used for 90 days: it is still found, below the others."""
        engine, whole = self._engine(), self.whole_id(id)
        engine.archive(whole, self._grounds(reason, justification, False))
        return self.get(whole)

    def evolve(
        self, *, if_due: bool = False, dry_run: bool = False, progress: Callable[[int], None] = lambda done: None
    ) -> Evolution:
        """Do all that there is evidence for: deprecate, merge, archive, propose skills. With `if_due`, only when
        enough has happened since the last time."""
        from treering.evolution import runs

        trigger = self._due()
        if if_due and not trigger:
            return runs.Evolution("", "")
        self._prepared(progress)
        why = trigger if if_due else runs.BY_HAND
        return runs.run(self._engine(), why, self.config.wrong_limit, dry_run, progress)

    def evolution_stats(self) -> Stats:
        """What was judged, how often each rule was wrong, and what each memory's presence did."""
        from functools import partial

        from treering.evolution import likening, retired, runs, stats

        space = self.context.space
        alike = partial(likening.alike, self._recalling())
        rules = retired.rules(self.store, space, self.config.wrong_limit, alike)
        return stats.gathered(self.store, space, rules, self._due(), runs.last_run(self.store, space))

    def _recall_id(self, id: str) -> str:
        from treering.evolution.feedback import LAST, last_recall

        return last_recall(self.store, self.context) if id == LAST else self.whole_id(id)

    def _cleaned(self, text: str) -> str:
        """A text as it may be stored."""
        from treering.guard import clean

        return clean(text, self.config.content_limit).text if _text(text) else ""

    def _prepared(self, progress: Callable[[int], None]) -> None:
        """Have every memory ready to be compared and found."""
        self._recalling().prepare(self._here(), progress)

    def _due(self) -> str:
        from treering.evolution import runs

        config = self.config
        triggers = runs.Triggers(config.evolve_hours, config.evolve_judgements, config.evolve_processes)
        return runs.due(self.store, self.context.space, triggers, self._now())

    def _engine(self) -> Engine:
        from treering.evolution.engine import Engine

        return Engine(
            self.ledger, self._recalling(), self._here(), self._now(), self.config.gate_recalls, self._made_of
        )

    def _grounds(self, reason: str, justification: str, force: bool) -> Grounds:
        from treering.core.evidence import Grounds

        return Grounds(self._guarded(reason), self._guarded(justification), force)

    def _ids(self, given: Sequence[str | Sequence[str]]) -> list[str]:
        """Ids one by one, or as a list."""
        flat: list[Any] = [id for one in given for id in (one if isinstance(one, (list, tuple)) else [one])]
        return [self.whole_id(id) for id in flat]

    def _made_of(self, olds: Sequence[Memory], text: str, causes: tuple[str, ...]) -> Memory:
        """A memory of a new text that is what others were: with all of their tags, and the surest of them."""
        tags = tuple(dict.fromkeys(tag for old in olds for tag in old.tags))
        like = olds[0]._replace(tags=tags, invariant=any(old.invariant for old in olds))
        return self._instead(
            like,
            text,
            causes,
            sources=tuple(old.id for old in olds),
            confidence=max(old.confidence for old in olds),
            relevance=max(old.relevance for old in olds),
            trigger=next((old.trigger for old in olds if old.trigger), ""),
        )


def _text(given: object) -> str:
    if not isinstance(given, str):
        raise InvalidInput(f"a text is wanted, not {given!r}")
    return given


def _result(given: ToolResult | tuple[str, bool] | str) -> ToolResult:
    """What a tool gave: a text, or a text and whether it failed."""
    from treering.evolve.implicit import ToolResult

    pair = (given, False) if isinstance(given, str) else given
    if not isinstance(pair, tuple) or len(pair) != 2 or not isinstance(pair[0], str):
        raise InvalidInput(f"the result of a tool is a text, or a text and whether it failed, not {given!r}")
    return ToolResult(pair[0], bool(pair[1]))
