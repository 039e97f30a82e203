"""Rank hits: silence when unsure, small factors, current truth first, and a cut-off with chance.

Factors move a memory a little and hide nothing. Of hits that state different values for the same
thing the newest leads; the others stay, marked as older. What always stands first gathers all the
credit, so now and then the last shown and the first not shown swap, and the log keeps the odds.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from math import log1p, prod
from typing import NamedTuple, Protocol, TypeVar

from treering.ledger.ageing import Worth, worth
from treering.ledger.types import SUMMARY, TRUSTS, Cutoff, Hit, Memory, origin_named
from treering.recall.index.postings import Stems
from treering.recall.index.profiles import sentences
from treering.recall.scoring import Mix, rarity
from treering.stores.port.search import PASSAGE
from treering.text.words import STOP_WORDS, folded

HEARD = 3  # leading hits that are asked whether they mention what the query is about
# Memories. In a store of a few, a word that one of them holds is common; it is weighed as if there were this many.
YOUNG = 30


def weight(holding: int, size: int) -> float:
    """Return how much a word counts that so many memories hold."""
    return rarity(holding, max(size, YOUNG))


def confidence(topic: Mapping[str, float], mentioned: set[str], names: Sequence[str], unknown: set[str]) -> float:
    """Return how sure it is that the answer is among the hits.

    Half is how much of the query the leading hits mention, by weight; half is how many of its names
    the memory has ever heard. A query about nothing has none.
    """
    asked = sum(topic.values())
    if not asked:
        return 0.0
    covered = sum(weight for word, weight in topic.items() if word in mentioned)
    named = sum(topic.get(name, 0.0) for name in names)
    strange = sum(topic.get(name, 0.0) for name in names if name in unknown)
    return 0.5 * covered / asked + 0.5 * (1 - strange / named if named else 1.0)


_SIDES = 2**32


def contested(hits: Sequence[Hit], shown: Sequence[Hit], after: Hit | None) -> Hit | None:
    """Return the first that is not shown, if it may take the last place.

    Neither the best answer nor an invariant is left to chance.
    """
    # A budget may leave out a long one and show a shorter one behind it.
    ids = {hit.memory.id for hit in shown}
    first = next((hit for hit in hits if hit.memory.id not in ids), after)
    if first is None or len(shown) < 2 or first.memory.invariant or shown[-1].memory.invariant:
        return None
    return first


def swap_decided(dice: bytes, chance: float) -> bool:
    """Tell whether chance, which is four random bytes, lets the two change places."""
    return int.from_bytes(dice) < chance * _SIDES


def cutoff_of(stays: Hit, comes: Hit, swap: bool, chance: float) -> Cutoff:
    """Return what the log keeps of the cut-off."""
    if swap:
        return Cutoff(comes.memory.id, stays.memory.id, round(chance, 6))
    return Cutoff(stays.memory.id, comes.memory.id, round(1 - chance, 6))


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


class Merits(NamedTuple):
    """What a memory has by itself, whatever is asked."""

    worth: Worth
    q: float
    fixed: tuple[float, ...]  # what its status, trust and scope multiply its score with, and that it is an invariant
    all: float  # their product
    summary: bool
    traits: tuple[float, ...]  # by which `belongs.of_hits` knows it

    def factors(self, now: int, mix: Mix, lift: float = 0.0) -> tuple[float, ...]:
        """Return what each of `FACTORS` multiplies a score with; lift, where there is any."""
        known = 1 + mix.strength * self.worth.strength(now, mix.pace), 1 + mix.usefulness * (self.q - NEUTRAL_Q)
        return (*known, *self.fixed, 1 + mix.lift * lift) if lift and mix.lift else (*known, *self.fixed)

    def weighed(self, score: float, now: int, mix: Mix, lift: float = 0.0) -> float:
        """Return a score after its factors, as `apply_factors` does, of which a recall makes many."""
        factor = (1 + mix.strength * self.worth.strength(now, mix.pace)) * (1 + mix.usefulness * (self.q - NEUTRAL_Q))
        factor *= self.all
        factor *= 1 + mix.lift * lift if lift else 1.0
        return score * factor if score > 0 else score / factor


FACTORS = ("strength", "q", "status", "trust", "scope", "invariant", "lift")


def merits(memory: Memory) -> Merits:
    """Return what a memory has by itself."""
    invariant = INVARIANT if memory.invariant else 1.0
    fixed = STATUS.get(memory.status, 1.0), TRUST[memory.trust], SCOPE[memory.scope], invariant
    story, agent, outside = memory.type == "episodic", memory.trust == "agent", memory.trust == "external"
    return Merits(
        worth(memory),
        memory.q,
        fixed,
        prod(fixed),
        SUMMARY in memory.tags,
        (story, agent, outside, memory.invariant, memory.q - NEUTRAL_Q, log1p(memory.accesses) / 3),
    )


def factors(memory: Memory, now: int, mix: Mix = _USUAL, lift: float = 0.0) -> dict[str, float]:
    """Return what each property of a memory multiplies its score with; lift, where there is any."""
    return dict(zip(FACTORS, merits(memory).factors(now, mix, lift), strict=False))


def standing(memory: Memory) -> int:
    """Return how much a statement counts against another: by who said it, and among equals an invariant first."""
    return memory.invariant - 2 * TRUSTS.index(memory.trust)


def apply_factors(score: float, by: Iterable[float]) -> float:
    """Return a score after its factors; below zero a good factor brings it nearer to zero."""
    factor = prod(by)
    return score * factor if score > 0 else score / factor


def summaries_first(hits: Sequence[Hit], sources: Mapping[str, frozenset[str]]) -> list[int]:
    """Return an order in which a summary takes the place of the first that it summarises."""
    order = list(range(len(hits)))
    for at, hit in enumerate(hits):
        summed = sources.get(hit.memory.id, frozenset())
        before = [place for place, one in enumerate(order) if hits[one].memory.id in summed]
        if before and order.index(at) > before[0]:
            order.remove(at)
            order.insert(before[0], at)
    return order


def distinct(hits: Sequence[Hit], sayings: Sequence[Hashable]) -> list[Hit]:
    """Keep each statement once, at its best place; the most used speaks for all, or the newest.

    A longer text that two sessions share was said on two occasions, and stays.
    """
    groups: dict[tuple[str, str, Hashable], list[Hit]] = {}
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
    chosen = put_at(chosen, group[0].score, "same", "same")
    return chosen._replace(why=chosen.why._replace(same_as=others))


def put_at(hit: Hit, score: float, raised: str, lowered: str) -> Hit:
    """Return a hit in the place of another, with its score; the parts say what that gave."""
    if score == hit.score:
        return hit
    given = score / prod(hit.why.factors.values()) - sum(hit.why.parts.values())
    parts = {**hit.why.parts, raised if given > 0 else lowered: given}
    return hit._replace(score=score, why=hit.why._replace(parts=parts))


class _Held(Protocol):
    @property
    def memory(self) -> Memory: ...


H = TypeVar("H", bound=_Held)


def balanced(hits: Sequence[H], k: int, more: int = 0) -> list[H]:
    """Return the first k, with at most a quarter from any outside source, and those that come next."""
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


DEPTH = 20  # hits among which older statements are looked for
AS_GOOD = 0.9  # of the best hit's matched weight: two that answer the same question match it equally well
LEAST_FRAME = 3  # words that two statements must share: fewer are a turn of phrase, not a statement about one thing


class Statement(NamedTuple):
    """A hit as something that may be stated otherwise by another."""

    text: str
    length: int  # in words
    created: int
    standing: int  # how much its word counts; nobody is overruled by one who counts for less
    matched: float  # the weight of the query's words that it holds


def current_first(
    hits: Sequence[Statement], asked: Mapping[int, float], stems: Stems
) -> tuple[list[int], dict[int, int]]:
    """Return a new order of the hits, and for each older statement the newest of the same thing.

    `asked` is the weight of each stem of the query.
    """
    order = list(range(len(hits)))
    need = AS_GOOD * max((hit.matched for hit in hits), default=0.0)
    able = [place for place, hit in enumerate(hits) if hit.matched >= need > 0]
    older: dict[int, int] = {}
    if len(able) < 2:
        return order, older
    said = {place: stated_words(hits[place].text, hits[place].length, asked, stems) for place in able}
    for group in _groups({place: words for place, words in said.items() if words}, asked, stems, need):
        newest = sorted(group, key=lambda place: (-hits[place].standing, -hits[place].created))
        for place, hit in zip(group, newest, strict=True):
            order[place] = hit
        older.update((hit, newest[0]) for hit in newest[1:])
    return order, older


def stated_words(text: str, words: int, asked: Mapping[int, float], stems: Stems) -> tuple[str, ...]:
    """Return the words that state something: all of a short text, or a long one's best sentence.

    A question states nothing.
    """
    said = text.strip()
    if words > PASSAGE:
        said = max(
            sentences(said), key=lambda one: sum(asked.get(s, 0.0) for s in set(stems.of(folded(one)))), default=""
        )
    return () if said.rstrip().endswith("?") else tuple(folded(said))


def _groups(
    said: Mapping[int, tuple[str, ...]], asked: Mapping[int, float], stems: Stems, need: float
) -> list[list[int]]:
    groups: list[list[int]] = []
    for place, words in said.items():
        for group in groups:
            if _differ(said[group[0]], words, asked, stems, need):
                group.append(place)
                break
        else:
            groups.append([place])
    return [group for group in groups if len(group) > 1]


def _differ(
    one: tuple[str, ...], other: tuple[str, ...], asked: Mapping[int, float], stems: Stems, need: float
) -> bool:
    """Tell whether two statements differ in one value only, which the query does not tell apart."""
    shorter = min(len(one), len(other))
    before = next((at for at in range(shorter) if one[at] != other[at]), shorter)
    rest = shorter - before
    behind = next((at for at in range(rest) if one[-1 - at] != other[-1 - at]), rest)
    value, instead = one[before : len(one) - behind], other[before : len(other) - behind]
    if not value or not instead or before + behind < max(LEAST_FRAME, shorter / 2):
        return False
    if not STOP_WORDS.isdisjoint(set(value) & set(instead)):
        return False  # more than one thing differs
    frame = _asked(one[:before] + one[len(one) - behind :], asked, stems)
    mine, theirs = _asked(value, asked, stems) - frame, _asked(instead, asked, stems) - frame
    return bool(frame) and mine == theirs and sum(asked[stem] for stem in frame | mine) >= need


def _asked(words: Sequence[str], asked: Mapping[int, float], stems: Stems) -> set[int]:
    return set(stems.of(words)) & asked.keys()
