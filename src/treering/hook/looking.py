"""A look into the memory from a hook: what belongs to a prompt, a failure, or the start of a session."""

from __future__ import annotations

from treering.core.tuples import NamedTuple
from treering.core.types import Hit, Why
from treering.recall import quick
from treering.recall.fence import fence
from treering.stores import peek

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import apsw

    from treering.core.types import Context, Memory

PROMPT_TOKENS = 220  # by an estimate that is nearly always too high: about 200 of most models
BRIEFING = 1_200  # characters: what every session pays for, whatever it is about
BRIEFED = 8  # memories at the most
_LASTING = "memories.type IN ('procedural', 'semantic')"


class Look(NamedTuple):
    """What is to be said, and what is to be told of it later."""

    text: str = ""
    shown: tuple[tuple[str, float], ...] = ()  # the memories in it, and how sure it is of each
    nonce: str = ""
    certainty: float = 0.0  # of the best that was found, even if the session has seen it
    asked: bool = False  # whether there was anything to look for


def about(db: apsw.Connection, prompt: str, here: Context, nonce: str, now: int) -> Look:
    """The memories that a prompt is about. Mostly none."""
    terms = quick.terms(prompt)
    if not terms:
        return Look()
    size = peek.size(db)
    counts = peek.counts(db, terms, size)
    weights = quick.weights(terms, counts, size)
    found = []
    for memory, shared in _candidates(db, weights, counts, size, here):
        if certainty := quick.certainty(weights, shared, memory, size):
            found.append((memory, quick.merit(weights, shared, memory), certainty))
    return _told(db, quick.best(found), here, nonce, now)


def failed(db: apsw.Connection, command: str, error: str, here: Context, nonce: str, now: int) -> Look:
    """What is known about a command that failed: what solved it before, or what speaks of the same."""
    terms = quick.terms(f"{command} {error}", every=True)
    size = peek.size(db)
    counts = peek.counts(db, terms, size)
    weights = quick.weights(terms, counts, size)
    known = {term: weights[term] for term, count in zip(terms, counts, strict=True) if count}
    found = []
    for memory, shared in _candidates(db, weights, counts, size, here, _LASTING):
        certainty = quick.solved(memory, command, error) or quick.certainty(known, shared, memory, size)
        if certainty:
            found.append((memory, quick.merit(weights, shared, memory), certainty))
    return _told(db, quick.best(found), here, nonce, now)


def _candidates(
    db: apsw.Connection,
    weights: Mapping[str, float],
    counts: Sequence[int],
    size: int,
    here: Context,
    only: str = "true",
) -> Iterator[tuple[Memory, list[str]]]:
    """Memories that share words with what is looked for, and the words."""
    sought = quick.sought(weights, counts, size)
    rows = peek.match(db, sought, here, quick.CANDIDATES, only) if sought else []
    written = {term: peek.stems(db, term) for term in weights} if rows else {}
    for memory in rows:
        has = peek.stems_of(db, memory)
        yield memory, [term for term in weights if has.issuperset(written[term])]


def _told(
    db: apsw.Connection, found: Sequence[tuple[Memory, float, float]], here: Context, nonce: str, now: int
) -> Look:
    """What was found, but for what the session has seen."""
    seen = peek.shown(db, here.session) if found else set()
    hits = [_hit(memory, certainty) for memory, _, certainty in found if memory.id not in seen]
    fenced = fence(hits, nonce, now, PROMPT_TOKENS)
    shown = tuple((hit.memory.id, hit.score) for hit in fenced.hits)
    certainty = max((certainty for _, _, certainty in found), default=0.0)
    return Look(fenced.text, shown, fenced.nonce, certainty, True)


def briefing(db: apsw.Connection, here: Context, nonce: str, now: int) -> Look:
    """What a session is told when it starts: what always holds, what proved itself, and what waits for a person."""
    more = peek.brief(db, here)[:BRIEFING]
    hits: list[Hit] = []
    fenced = fence(hits, nonce, now)
    for memory in peek.standing(db, here, here.session, BRIEFED):
        longer = fence([*hits, _hit(memory, 1.0)], nonce, now)
        if len(longer.text) + len(more) < BRIEFING:
            hits, fenced = [*longer.hits], longer
    text = "\n".join(filter(None, (fenced.text, more)))
    return Look(text, tuple((hit.memory.id, hit.score) for hit in hits), fenced.nonce)


def _hit(memory: Memory, certainty: float) -> Hit:
    if memory.content:  # which says it all; room is dear
        memory = memory._replace(problem="", approach="", gotchas="", trigger="", action="", outcome="", tags=())
    return Hit(memory, certainty, Why({}, {}, {}))
