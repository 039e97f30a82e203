"""Search the memory from a hook: for a prompt, a failure, or the start of a session."""

from __future__ import annotations

from treering.ledger.tuples import NamedTuple
from treering.ledger.types import DOUBTED, ENOUGH, NO_ROOM, TOLD_BEFORE, UNSURE, Hit, Why
from treering.recall import quick
from treering.recall.fence import Fenced, fence, fence_lines
from treering.recall.wants import wants
from treering.stores.sqlite import hook_queries
from treering.surfaces.hook.waiting import mark_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from treering.ledger.types import Context, Memory
    from treering.stores.sqlite.hook_queries import Connection

LETTERS = 4  # characters of a token, in plain prose
BRIEFED = 60  # memories at the most


class Findings(NamedTuple):
    """The text to reply with, and what the queued event records of it."""

    text: str = ""
    shown: tuple[tuple[str, float], ...] = ()  # the memories in it, and how sure it is of each
    known: tuple[tuple[str, float], ...] = ()  # the same of what the session was told before
    passed: tuple[tuple[str, float, str], ...] = ()  # the two best that are not shown, and why not
    nonce: str = ""
    certainty: float = 0.0  # of the best that was found, even if the session has seen it
    asked: bool = False  # True if there was anything to look for


def about_prompt(
    db: Connection, prompt: str, here: Context, nonce: str, now: int, tokens: int, waits: Sequence[Memory] = ()
) -> Findings:
    """Return the memories that a prompt is about, also of those that still wait to be kept: mostly none."""
    terms = quick.terms(prompt)
    if not terms:
        return Findings()
    size = hook_queries.size(db)
    counts = hook_queries.counts(db, terms, size)
    weights = quick.weights(terms, counts, size)
    wanted = wants(prompt) > 0
    looked = []
    for memory, shared in _candidates(db, weights, counts, size, here, every=wanted):
        certainty = quick.certainty(weights, shared, memory, size)
        if wanted and not certainty:
            certainty = quick.share(weights, shared)
        looked.append((memory, quick.merit(weights, shared, memory), certainty))
    looked += _told(db, weights, waits, size)
    return _findings(db, looked, here, nonce, now, tokens)


def _told(
    db: Connection, weights: Mapping[str, float], waits: Sequence[Memory], size: int
) -> Iterator[tuple[Memory, float, float]]:
    """Yield what was told just now, and is no memory yet, if the prompt is about it."""
    for memory in waits:
        has = hook_queries.stems_of(db, memory)
        shared = [term for term in weights if has.issuperset(hook_queries.stems(db, term))]
        if certainty := quick.certainty(weights, shared, memory, size) or quick.share(weights, shared):
            yield memory, quick.merit(weights, shared, memory), certainty


def about_failure(
    db: Connection, command: str, error: str, here: Context, nonce: str, now: int, tokens: int
) -> Findings:
    """Return what is known about a command that failed: its fix, or memories about the same."""
    terms = quick.terms(f"{command} {error}", every=True)
    size = hook_queries.size(db)
    counts = hook_queries.counts(db, terms, size)
    weights = quick.weights(terms, counts, size)
    known = {term: weights[term] for term, count in zip(terms, counts, strict=True) if count}
    looked = []
    for memory, shared in _candidates(db, weights, counts, size, here, lasting=True):
        certainty = quick.solved(memory, command, error) or quick.certainty(known, shared, memory, size)
        looked.append((memory, quick.merit(weights, shared, memory), certainty))
    return _findings(db, looked, here, nonce, now, tokens)


def _candidates(
    db: Connection,
    weights: Mapping[str, float],
    counts: Sequence[int],
    size: int,
    here: Context,
    lasting: bool = False,
    every: bool = False,
) -> Iterator[tuple[Memory, list[str]]]:
    """Yield memories that share words with what is looked for, and the words: enough of them, or `every` one."""
    sought = quick.known(weights, counts) if every else quick.sought(weights, counts, size)
    rows = hook_queries.match(db, sought, here, quick.CANDIDATES, lasting) if sought else []
    written = {term: hook_queries.stems(db, term) for term in weights} if rows else {}
    for memory in rows:
        has = hook_queries.stems_of(db, memory)
        yield memory, [term for term in weights if has.issuperset(written[term])]


def _findings(
    db: Connection,
    looked: Sequence[tuple[Memory, float, float]],
    here: Context,
    nonce: str,
    now: int,
    tokens: int,
) -> Findings:
    """Return the best of what was looked at, fenced, without those that the session has seen or that nobody is sure
    of."""
    found = quick.best([one for one in looked if one[2]])
    seen = hook_queries.shown(db, here.session) if found else set()
    older = hook_queries.doubted(db, here) if found else {}
    new = [one for one in found if not seen & {one[0].id, mark_of(one[0].content)}]
    hits = _beside(db, [_hit(memory, certainty) for memory, _, certainty in new], older, here, seen)
    fenced = fence_lines(hits, nonce, tokens * LETTERS)
    if hits and not fenced.hits:  # the best is a long text
        fenced = fence(hits[:1], nonce, now, tokens)
    shown = tuple((hit.memory.id, hit.score) for hit in fenced.hits)
    certainty = max((certainty for _, _, certainty in found), default=0.0)
    known = tuple((memory.id, certainty) for memory, _, certainty in found if memory.id in seen)
    reasons = {memory.id: NO_ROOM for memory, _, _ in found} | dict.fromkeys(older, DOUBTED)
    reasons |= dict.fromkeys(seen, TOLD_BEFORE)
    passed = _passed(looked, {id for id, _ in shown}, reasons)
    return Findings(fenced.text, shown, known, passed, fenced.nonce, certainty, True)


def _beside(
    db: Connection, hits: Sequence[Hit], older: Mapping[str, Sequence[str]], here: Context, seen: Collection[str] = ()
) -> list[Hit]:
    """Put what says otherwise before each memory that may hold no longer. That is left out where what says otherwise
    is trusted more, was `seen` before, or cannot be seen from here."""
    known = {hit.memory.id: hit for hit in hits}
    missing = [id for id in _newer([*known], older) if id not in known and id not in seen]
    known |= {memory.id: _hit(memory, 0.0) for memory in hook_queries.named(db, missing, here)}
    told: dict[str, Hit] = {}

    def add(hit: Hit, certainty: float, on_the_way: tuple[str, ...]) -> None:
        id = hit.memory.id
        newer = [known[other] for other in older.get(id, ()) if other in known and other not in on_the_way]
        for other in newer:
            add(other, certainty, (*on_the_way, id))
        if id not in older or any(other.memory.trust == hit.memory.trust for other in newer):
            than = newer[0].memory.id if newer else ""
            told.setdefault(id, hit._replace(score=hit.score or certainty, why=hit.why._replace(older_than=than)))

    for hit in hits:
        add(hit, hit.score, ())
    return [*told.values()]


def _newer(ids: Sequence[str], older: Mapping[str, Sequence[str]]) -> list[str]:
    """Return what says otherwise than some memories, and what says otherwise than that."""
    found = dict.fromkeys(ids)
    waiting = [*ids]
    while waiting:
        fresh = [id for id in older.get(waiting.pop(), ()) if id not in found]
        found |= dict.fromkeys(fresh)
        waiting += fresh
    return [*found]


def _passed(
    looked: Sequence[tuple[Memory, float, float]], shown: set[str], reasons: Mapping[str, str]
) -> tuple[tuple[str, float, str], ...]:
    """Return the best that are not shown, how sure it is of each, and why not: enough are shown, if nothing else."""
    left = sorted((one for one in looked if one[0].id not in shown), key=lambda one: -one[1])
    return tuple(
        (memory.id, certainty, reasons.get(memory.id, ENOUGH) if certainty else UNSURE)
        for memory, _, certainty in left[: quick.PASSED]
    )


def briefing(db: Connection | None, here: Context, nonce: str, tokens: int, waits: Sequence[Memory] = ()) -> Findings:
    """Return what a session is told first: what was told just now, invariants, proven memories, and what waits."""
    room = tokens * LETTERS
    more = hook_queries.brief(db, here)[:room] if db is not None else ""
    standing = [*waits, *(hook_queries.standing(db, here, here.session, BRIEFED) if db is not None else ())]
    older = hook_queries.doubted(db, here) if db is not None else {}
    hits = [_hit(memory, 1.0) for memory in standing]
    fenced = _newest_first(_beside(db, hits, older, here) if db is not None else hits, nonce, room - len(more))
    text = "\n".join(filter(None, (fenced.text, more)))
    return Findings(text, tuple((hit.memory.id, hit.score) for hit in fenced.hits), nonce=fenced.nonce)


def subagent_briefing(db: Connection, here: Context, nonce: str, tokens: int) -> Findings:
    """Return what a subagent is told: it sees nothing of what its session was shown. That counts as shown to nobody."""
    older = hook_queries.doubted(db, here)
    hits = [_hit(memory, 1.0) for memory in hook_queries.standing(db, here, "", BRIEFED)]
    return Findings(_newest_first(_beside(db, hits, older, here), nonce, tokens * LETTERS).text)


def _newest_first(hits: Sequence[Hit], nonce: str, room: int) -> Fenced:
    """Fence as many of the first as there is room for, the newest word of the user first. What may hold no longer is
    told only beside what says otherwise."""
    fitting = fence_lines(hits, nonce, room).hits
    there = {hit.memory.id for hit in fitting}
    told = [hit for hit in fitting if not hit.why.older_than or hit.why.older_than in there]
    return fence_lines(sorted(told, key=_place), nonce, room)


def _place(hit: Hit) -> tuple[bool, bool, bool, int]:
    """Return what a briefing is sorted by; what still waits to be kept is the newest of all."""
    memory = hit.memory
    return not memory.invariant, memory.trust != "user", memory.created > 0, -memory.created


def _hit(memory: Memory, certainty: float) -> Hit:
    if memory.content:  # it holds all of the other fields, and room is scarce
        memory = memory._replace(problem="", approach="", gotchas="", trigger="", action="", outcome="", tags=())
    return Hit(memory, certainty, Why({}, {}, {}))
