"""From relevance to an order: what a memory is and where it comes from moves it a little, and hides nothing."""

from __future__ import annotations

from math import prod

from treering.core.strength import strength
from treering.core.types import origin_named
from treering.recall.weights import Mix

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from treering.core.types import Hit, Memory

NEUTRAL_Q = 0.5
# Below live ones, unless it answers much better; what is retired comes only when it is asked for.
STATUS = {"consolidated": 0.95, "archived": 0.7, "superseded": 0.5, "merged": 0.5, "deprecated": 0.5}
TRUST = {"user": 1.0, "agent": 0.98, "external": 0.94}
SCOPE = {"session": 1.06, "project": 1.03, "user": 1.0}  # what was said here is meant before what holds everywhere
INVARIANT = 1.05
STATEMENT = 24  # words, half a passage: a text up to this long states a thing, a longer one tells of an occasion
QUARTER = 4  # of an answer, the part that may come from one source outside
# Kinds of origin that are one voice. A file that somebody imports is a carrier of many.
_VOICES = ("tool", "document")
_USUAL = Mix()


def factors(memory: Memory, now: int, mix: Mix = _USUAL, lift: float = 0.0) -> dict[str, float]:
    """What each property of a memory multiplies its score with; lift, where there is any."""
    known = {
        "strength": 1 + mix.strength * strength(memory, now, mix.pace),
        "q": 1 + mix.usefulness * (memory.q - NEUTRAL_Q),
        "status": STATUS.get(memory.status, 1.0),
        "trust": TRUST[memory.trust],
        "scope": SCOPE[memory.scope],
        "invariant": INVARIANT if memory.invariant else 1.0,
    }
    return {**known, "lift": 1 + mix.lift * lift} if lift and mix.lift else known


def standing(memory: Memory) -> int:
    """How much a statement counts against another: what never changes before the rest, and outside sources last."""
    return 2 * memory.invariant + (memory.trust != "external")


def moved(score: float, by: Iterable[float]) -> float:
    """A score after its factors; below zero a good factor brings it nearer to zero."""
    for factor in by:
        score = score * factor if score > 0 else score / factor
    return score


def led(hits: Sequence[Hit], sources: Mapping[str, frozenset[str]]) -> list[int]:
    """A new order, in which a summary comes before what it sums up: it takes the place of the first of it."""
    order = list(range(len(hits)))
    for at, hit in enumerate(hits):
        summed = sources.get(hit.memory.id, frozenset())
        before = [place for place, one in enumerate(order) if hits[one].memory.id in summed]
        if before and order.index(at) > before[0]:
            order.remove(at)
            order.insert(before[0], at)
    return order


def distinct(hits: Sequence[Hit], sayings: Sequence[bytes]) -> list[Hit]:
    """Each thing once, where the best of those that say it stands; the one most used speaks for all, or the newest.

    A longer text that two sessions share is what was said on two occasions, and stays.
    """
    groups: dict[tuple[str, str, bytes], list[Hit]] = {}
    for hit, saying in zip(hits, sayings, strict=True):
        occasion = hit.memory.session if hit.memory.content.count(" ") >= STATEMENT else ""
        groups.setdefault((hit.memory.type, occasion, saying or hit.memory.content.encode()), []).append(hit)
    return [_spokesman(group) for group in groups.values()]


def _spokesman(group: list[Hit]) -> Hit:
    if len(group) == 1:
        return group[0]
    live = [hit for hit in group if hit.memory.status not in STATUS] or group
    chosen = max(live, key=lambda hit: (hit.memory.accesses, hit.memory.created, hit.memory.id))
    others = tuple(hit.memory.id for hit in group if hit is not chosen)
    chosen = placed(chosen, group[0].score, "same", "same")
    return chosen._replace(why=chosen.why._replace(same_as=others))


def placed(hit: Hit, score: float, raised: str, lowered: str) -> Hit:
    """A hit that takes the place of another, with the score of that place: the parts say what that gave."""
    if score == hit.score:
        return hit
    given = score / prod(hit.why.factors.values()) - sum(hit.why.parts.values())
    parts = {**hit.why.parts, raised if given > 0 else lowered: given}
    return hit._replace(score=score, why=hit.why._replace(parts=parts))


def balanced(hits: Sequence[Hit], k: int, more: int = 0) -> list[Hit]:
    """The first k, of which no source outside gives more than a quarter: a flood of its texts drowns nobody. Then
    those that would be next."""
    most = max(1, k // QUARTER)
    taken: dict[str, int] = {}
    found = []
    for hit in hits:
        voice = _voice(hit.memory)
        taken[voice] = taken.get(voice, 0) + 1
        if not voice or taken[voice] <= most:
            found.append(hit)
        if len(found) == k + more:
            break
    return found


def _voice(memory: Memory) -> str:
    if memory.trust != "external":
        return ""
    origin = origin_named(memory.origin)
    return f"{origin.kind}:{origin.ref}" if origin.kind in _VOICES else ""
