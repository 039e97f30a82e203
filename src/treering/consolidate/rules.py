"""Decide what is summed up, promoted and noted, and which steps of maintenance are due after which
session."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from treering.ledger.ageing import importance
from treering.ledger.codec import decode, draft, encode, fingerprint
from treering.ledger.decide import Remember, remember
from treering.ledger.errors import InvalidInput
from treering.ledger.events import GROUPED, MERGED, MOVED, NOTED, SUMMARISED, TENDED, Data, Draft
from treering.ledger.types import DRAFT, PROMOTE, SUMMARY, Context, Memory, check_move, least_trusted

LEAST = 3  # episodes of one matter: two may be chance
BY_MODEL, BY_AGENT, BY_EXTRACT = WRITERS = ("llm", "agent", "extract")
# Confidence in a summary that somebody wrote, and in one that is a draft or lacks something.
SURE, UNSURE = 0.7, 0.5
CONSOLIDATED = "consolidated"

# What is worth telling beyond its session, and beyond its project.
PROMOTED_TYPES = {"project": ("semantic", "procedural", "episodic"), "user": ("procedural", "semantic")}
PROMOTED_AT_ONCE = 20  # of a session, the most important
LEAST_IMPORTANCE = 0.5
LEAST_USES = 2  # recalls that it answered in its session
LEAST_PROJECTS = 2  # that used it, or found out the same: what one project needs is no business of the others
LEAST_Q = 0.5  # what a memory is born with: below it, more has spoken against it than for it
ALIKE = 0.85  # the cosine from which on a memory may be the one that is there already
DISCOUNT = {"project": 0.8, "user": 0.7}  # of the importance: it has yet to prove itself among strangers
WIDER = {"session": "project", "project": "user"}

# What relevance adds to the importance, by which that is brought down when a memory is promoted.
_RELEVANCE = 0.2


class Summary(NamedTuple):
    """A text that sums up a group, and what is known about it."""

    text: str
    by: str
    model: str = ""
    dropped: tuple[str, ...] = ()  # what most sources have and it has not
    invented: tuple[str, ...] = ()  # what it has and no source has

    @property
    def flagged(self) -> bool:
        return bool(self.dropped or self.invented)


def group_named(ids: Sequence[str]) -> str:
    """Return the name of a group, which depends only on its members."""
    return f"group-{fingerprint(sorted(ids)) & 0xFF_FFFF_FFFF:010x}"


def grouped(ids: Sequence[str], reason: str, context: Context) -> Draft:
    """Draft the event that puts a group of episodes into the queue."""
    if len(ids) < LEAST:
        raise InvalidInput(f"a group has at least {LEAST} episodes, not {len(ids)}")
    data = {"group": group_named(ids), "memories": [*ids], "reason": reason}
    return draft(GROUPED, data, context, causes=tuple(ids))


def summarise(made: Summary, sources: Sequence[Memory], limit: int, context: Context) -> Draft:
    """Draft the semantic memory that sums up some episodes. It has their scope and the date of the
    newest, rests on them, and is trusted no more than any of them, or than its author."""
    first, newest = sources[0], max(source.created for source in sources)
    if len(made.text) > limit:
        raise InvalidInput(f"a summary of {len(made.text):,} characters is too long: {limit:,} at the most")
    half = len(sources) / 2
    shared = [tag for tag in _tags(sources) if sum(tag in source.tags for source in sources) > half]
    marks = [SUMMARY, *([DRAFT] if made.by == BY_EXTRACT else [])]
    wish = Remember(
        made.text,
        "semantic",
        first.scope,
        tuple(dict.fromkeys((*shared, *marks))),
        first.project,
        first.session if first.scope == "session" else "",
        origin=_origin(made, sources),
        at=newest,
        confidence=UNSURE if made.by == BY_EXTRACT or made.flagged else SURE,
    )
    there = context._replace(project=first.project, session=first.session if first.scope == "session" else "")
    decided = remember(wish, there, sources)
    if made.by != BY_EXTRACT:
        return decided
    # Their own words, so they are trusted as these are, whoever put them together.
    trust = least_trusted(*(source.trust for source in sources))
    return decided._replace(payload=encode({**decode(decided.payload), "trust": trust}))


def _origin(made: Summary, sources: Sequence[Memory]) -> str:
    """Return who it comes from: its author, a machine, or outside for a draft of outside texts."""
    outside = [source.origin for source in sources if source.trust == "external"]
    if made.by == BY_EXTRACT and outside:
        return outside[0]
    return "" if made.by == BY_AGENT else "agent"


def _tags(sources: Sequence[Memory]) -> list[str]:
    found = dict.fromkeys(tag for source in sources for tag in source.tags)
    return [tag for tag in found if tag not in (SUMMARY, DRAFT)]


def summarised(
    memory: str, group: str, grouping: str, made: Summary, sources: Sequence[Memory], context: Context
) -> list[Draft]:
    """Draft the events that follow a summary: it names its sources, and they are consolidated. All
    of them rest on the summary."""
    told: Data = {"group": group, "sources": [source.id for source in sources], "by": made.by}
    told |= {name: value for name in ("model", "dropped", "invented") if (value := getattr(made, name))}
    drafts = [draft(SUMMARISED, told, context, memory, (memory, grouping))]
    for source in sources:
        check_move(source.id, source.status, CONSOLIDATED)
        data = {"from": source.status, "to": CONSOLIDATED, "rule": CONSOLIDATED}
        drafts.append(draft(MOVED, data, context, source.id, (memory,)))
    return drafts


class Proof(NamedTuple):
    """What speaks for a memory, and against it."""

    uses: int = 0  # recalls that it answered: it stood first, or was of use; filler is no use
    projects: frozenset[str] = frozenset()  # in which it answered them, or another says the same
    blamed: bool = False  # somebody called it unhelpful, or it was found to be noise


def may_widen(memory: Memory, proof: Proof, now: int) -> bool:
    """Tell whether a memory has earned a promotion. One from outside never does; an invariant is
    left to a person."""
    wider = WIDER.get(memory.scope)
    if wider is None or memory.invariant or memory.trust == "external" or memory.type not in PROMOTED_TYPES[wider]:
        return False
    if proof.blamed or memory.q < LEAST_Q:
        return False
    if wider == "user":
        return proof.uses > 0 and len(proof.projects) >= LEAST_PROJECTS
    # What is told to a project must have one.
    return bool(memory.project) and proof.uses >= LEAST_USES and importance(memory, now) >= LEAST_IMPORTANCE


def widened(memory: Memory, now: int, context: Context) -> Draft:
    """Draft the same memory for a wider scope, as sure as it was, with its importance discounted."""
    scope = WIDER[memory.scope]
    wish = Remember(
        memory.content,
        memory.type,
        scope,
        memory.tags,
        memory.project,
        at=memory.created,
        origin=memory.origin,
        confidence=memory.confidence,
        relevance=round(_discounted(memory, DISCOUNT[scope], now), 4),
        **{name: getattr(memory, name) for name in (*_KEPT, "redacted")},
    )
    there = context._replace(project=memory.project, session="")
    return remember(wish, there, [memory])


_KEPT = ("language", "invariant", "problem", "approach", "gotchas", "trigger", "action", "outcome")


def _discounted(memory: Memory, share: float, now: int) -> float:
    """Return the relevance that lowers the importance to this share, as far as it can."""
    return max(0.0, memory.relevance - (1 - share) * importance(memory, now) / _RELEVANCE)


def promoted(source: Memory, into: str, numbers: Mapping[str, float], context: Context) -> Draft:
    """Draft the merge of a memory into the wider one that was made of it, or says the same."""
    check_move(source.id, source.status, "merged")
    data: Data = {"into": into, "from": source.status, "rule": PROMOTE, "evidence": dict(numbers)}
    return draft(MERGED, data, context, source.id, (source.id, into))


def noted(insight: Data, context: Context) -> Draft:
    """Draft an insight, which rests on the memories that it is about."""
    memories: list[str] = insight["memories"]
    return draft(NOTED, insight, context, memories[0] if memories else "", tuple(memories))


def maintained(trigger: str, sessions: int, steps: Sequence[Data], took: int, context: Context) -> Draft:
    """Draft the record of a run."""
    data = {"trigger": trigger, "sessions": sessions, "steps": [*steps], "took": took}
    return draft(TENDED, data, context)


SECOND = 1_000_000  # microseconds
BY_HAND, SESSION, FIVE, TWENTY = "by_hand", "session", "five", "twenty"
# Episodes are summed up before hygiene archives those that nobody used.
EPISODES, HYGIENE, TO_PROJECT, TO_USER, GRAPH, CONTRADICTIONS, WEIGHTS, REFLECTION = STEPS = tuple(
    "episodes hygiene to_project to_user graph contradictions weights reflection".split()
)
PROPOSALS, TUNE = "proposals", "tune"  # which belong to other parts, and come with the rarer occasions
EVERY = {SESSION: 1, FIVE: 5, TWENTY: 20}  # sessions
BUDGETS = {SESSION: 30, FIVE: 120, TWENTY: 300}  # seconds; by hand there is no end but the work's
# The steps that each occasion is for. Those of a rarer one come on top of the more frequent ones. Hygiene is none of
# them: whatever ends a session runs it.
_TAKEN = {
    SESSION: (EPISODES, TO_PROJECT, TO_USER),
    FIVE: (EPISODES, GRAPH, CONTRADICTIONS),
    TWENTY: (WEIGHTS, REFLECTION),
}
FEW_GROUPS = 5  # that are summed up at the end of a session: the rest waits for the fifth


class Last(NamedTuple):
    """When a step was last taken."""

    sessions: int = 0  # that had ended by then
    finished: bool = True


class Due(NamedTuple):
    """The steps that are due in their order, the occasion, and the seconds that they may take."""

    trigger: str
    steps: tuple[str, ...]
    budget: int
    again: bool = False  # some of it was begun and not finished


NOTHING = Due("", (), 0)


def last_taken(runs: Iterable[Data]) -> dict[tuple[str, str], Last]:
    """Return when each step was last taken for each occasion; the runs are in order of time."""
    found: dict[tuple[str, str], Last] = {}
    for run in runs:
        for step in run["steps"]:
            for occasion in _occasions(run["trigger"]):
                if step["step"] in _TAKEN[occasion]:
                    found[occasion, step["step"]] = Last(run["sessions"], bool(step["finished"]))
    return found


def _occasions(trigger: str) -> tuple[str, ...]:
    """Return the occasions that a run counts for: its own and more frequent ones; by hand, all."""
    if trigger not in EVERY:
        return tuple(EVERY)
    return tuple(name for name, every in EVERY.items() if every <= EVERY[trigger])


def due(sessions: int, taken: Mapping[tuple[str, str], Last]) -> Due:
    """Return the steps that are due after so many sessions, and those that were not finished."""
    occasions = [
        occasion
        for occasion, every in EVERY.items()
        if any(_is_due(taken.get((occasion, step), Last()), sessions, every) for step in _TAKEN[occasion])
    ]
    if not occasions:
        return NOTHING
    rarest = occasions[-1]
    wanted = {
        step
        for occasion in occasions
        for step in _TAKEN[occasion]
        if _is_due(taken.get((occasion, step), Last()), sessions, EVERY[occasion])
    }
    again = any(not taken.get((occasion, step), Last()).finished for occasion in occasions for step in wanted)
    return Due(rarest, tuple(step for step in STEPS if step in wanted), BUDGETS[rarest], again)


def _is_due(last: Last, sessions: int, every: int) -> bool:
    return not last.finished or sessions - last.sessions >= every
