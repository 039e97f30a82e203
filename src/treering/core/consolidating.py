"""The rules of the slow loop: when episodes are summed up, what reaches more people, what is noted, and what is due."""

from __future__ import annotations

from treering.core.codec import decode, encode, fingerprint
from treering.core.decide import Remember, remember
from treering.core.drafts import draft
from treering.core.errors import InvalidInput
from treering.core.events import GRAPHED, GROUPED, MERGED, MOVED, NOTED, PRUNED, SUMMARISED, TENDED
from treering.core.lifecycle import check_move
from treering.core.strength import importance
from treering.core.tuples import NamedTuple
from treering.core.types import least_trusted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from treering.core.events import Data, Draft
    from treering.core.types import Context, Memory

LEAST = 3  # episodes of one matter: two may be chance
SUMMARY, DRAFT = "summary", "draft"  # tags of a summary; a draft waits for somebody who can write
BY_MODEL, BY_AGENT, BY_EXTRACT = WRITERS = ("llm", "agent", "extract")
# Confidence in a summary that somebody wrote, and in one that is a draft or lacks something.
SURE, UNSURE = 0.7, 0.5
CONSOLIDATED = "consolidated"
PROMOTE = "promote"

# What is worth telling beyond its session, and beyond its project.
PROMOTED_TYPES = {"project": ("semantic", "procedural", "episodic"), "user": ("procedural", "semantic")}
PROMOTED_AT_ONCE = 20  # of a session, the most important
LEAST_IMPORTANCE = 0.5
LEAST_USES = 2  # recalls that showed it in its session
LEAST_SESSIONS = 3  # that used it in its project
ALIKE = 0.85  # the cosine from which on a memory may be the one that is there already
DISCOUNT = {"project": 0.8, "user": 0.7}  # of the importance: it has yet to prove itself among strangers
WIDER = {"session": "project", "project": "user"}

# What relevance and confidence add to the importance, by which that is brought down when a memory is promoted.
_RELEVANCE, _CONFIDENCE = 0.2, 0.15


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
    """The name of a group: a function of its members, so that grouping again names it again."""
    return f"group-{fingerprint(sorted(ids)) & 0xFF_FFFF_FFFF:010x}"


def grouped(ids: Sequence[str], reason: str, context: Context) -> Draft:
    """Episodes that belong together go into the queue."""
    if len(ids) < LEAST:
        raise InvalidInput(f"a group has at least {LEAST} episodes, not {len(ids)}")
    data = {"group": group_named(ids), "memories": [*ids], "reason": reason}
    return draft(GROUPED, data, context, causes=tuple(ids))


def summarise(made: Summary, sources: Sequence[Memory], limit: int, context: Context) -> Draft:
    """The semantic memory that sums up some episodes. It lies where they lie, is as old as the newest of them, is
    trusted no more than the least of them, or than whoever wrote it, and rests on them."""
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
    """Who it comes from: whoever hands it in, or a machine. What is put together from outside texts is from outside."""
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
    """What follows from a summary: it knows its sources, and these are consolidated. All of it rests on the summary."""
    told: Data = {"group": group, "sources": [source.id for source in sources], "by": made.by}
    told |= {name: value for name in ("model", "dropped", "invented") if (value := getattr(made, name))}
    drafts = [draft(SUMMARISED, told, context, memory, (memory, grouping))]
    for source in sources:
        check_move(source.id, source.status, CONSOLIDATED)
        data = {"from": source.status, "to": CONSOLIDATED, "rule": CONSOLIDATED}
        drafts.append(draft(MOVED, data, context, source.id, (memory,)))
    return drafts


def may_widen(memory: Memory, uses: int, now: int) -> bool:
    """Whether a memory has earned to be told beyond its session or project. What came from outside never does, and of
    what must not change a person decides."""
    wider = WIDER.get(memory.scope)
    if wider is None or memory.invariant or memory.trust == "external" or memory.type not in PROMOTED_TYPES[wider]:
        return False
    if wider == "user":
        return memory.accesses >= LEAST_SESSIONS
    # What is told to a project must have one.
    return bool(memory.project) and uses >= LEAST_USES and importance(memory, now) >= LEAST_IMPORTANCE


def widened(memory: Memory, now: int, context: Context) -> Draft:
    """The same memory for more people. Its importance is discounted in what of it is said rather than computed."""
    scope = WIDER[memory.scope]
    relevance, confidence = _discounted(memory, DISCOUNT[scope], now)
    wish = Remember(
        memory.content,
        memory.type,
        scope,
        memory.tags,
        memory.project,
        at=memory.created,
        origin=memory.origin,
        confidence=round(confidence, 4),
        relevance=round(relevance, 4),
        **{name: getattr(memory, name) for name in (*_KEPT, "redacted")},
    )
    there = context._replace(project=memory.project, session="")
    return remember(wish, there, [memory])


_KEPT = ("language", "invariant", "problem", "approach", "gotchas", "trigger", "action", "outcome")


def _discounted(memory: Memory, share: float, now: int) -> tuple[float, float]:
    """The relevance and the confidence with which a memory has this share of its importance, as far as they go."""
    lost = (1 - share) * importance(memory, now)
    relevance = max(0.0, memory.relevance - lost / _RELEVANCE)
    left = lost - _RELEVANCE * (memory.relevance - relevance)
    return relevance, max(0.0, memory.confidence - left / _CONFIDENCE)


def promoted(source: Memory, into: str, numbers: Mapping[str, float], context: Context) -> Draft:
    """A memory that reaches more people speaks for the one that it came from, or that says the same."""
    check_move(source.id, source.status, "merged")
    data: Data = {"into": into, "from": source.status, "rule": PROMOTE, "evidence": dict(numbers)}
    return draft(MERGED, data, context, source.id, (source.id, into))


def graphed(memory: str, entities: Sequence[Data], relations: Sequence[Data], model: str, context: Context) -> Draft:
    """A model has read what a memory names."""
    data = {"entities": [*entities], "relations": [*relations], "model": model}
    return draft(GRAPHED, data, context, memory, (memory,))


def pruned(entities: int, relations: int, context: Context) -> Draft:
    """The graph is pruned. What that hides follows from the moment: no name is written down."""
    return draft(PRUNED, {"entities": entities, "relations": relations}, context)


def noted(insight: Data, context: Context) -> Draft:
    """Something was found out about the memory itself. It rests on the memories that it is about."""
    memories: list[str] = insight["memories"]
    return draft(NOTED, insight, context, memories[0] if memories else "", tuple(memories))


def tended(trigger: str, sessions: int, steps: Sequence[Data], took: int, context: Context) -> Draft:
    """The memory was looked after."""
    data = {"trigger": trigger, "sessions": sessions, "steps": [*steps], "took": took}
    return draft(TENDED, data, context)
