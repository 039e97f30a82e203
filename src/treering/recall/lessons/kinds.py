"""The kind of a memory, in a few bits: what can be seen of it before anybody reads it; and the kind of a question."""

from __future__ import annotations

from itertools import pairwise

from treering.core.types import ORIGINS, SCOPES, TYPES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from treering.core.types import Memory
    from treering.recall.query.analysis import Query

LENGTHS = (12, 24, 48, 96, 192)  # words, doubling around a passage: a remark, a statement, a passage, a page
_SENTENCE_ENDS = ".!?:"

# What is known of a memory, and in how many bits.
PROPERTIES = {"origin": 3, "type": 2, "scope": 2, "length": 3, "asks": 1, "figures": 1, "names": 2, "first": 1}
SHIFTS = {name: sum(list(PROPERTIES.values())[:place]) for place, name in enumerate(PROPERTIES)}
FIRST = 1 << SHIFTS["first"]  # it opens its session; known only where its neighbours are
# Beside the kind of what was shown: how likely that was, in thousandths, where chance had a say; and that it was not.
_CHANCE, _CERTAIN = 16, 1_000
_WITHHELD = 1 << 27
SWAYED = 1 << _CHANCE  # from here on, chance had a say

# What a question asks for, by the word that it begins with; the others are told by their type.
_ASKING = ("when", "who", "whom", "whose", "where", "why", "which", "what", "how")
_MEASURES = ("many", "much", "long", "often", "old", "far")  # how many is another question than how
_HEAD = 4  # words in which a question says what it asks for


def kind_of(memory: Memory, words: int) -> int:
    """The kind of a memory of so many words, without what its neighbours tell."""
    text = memory.content
    kind = memory.origin.partition(":")[0]
    known = {
        "origin": ORIGINS.index(kind) if kind in ORIGINS else len(ORIGINS),
        "type": TYPES.index(memory.type),
        "scope": SCOPES.index(memory.scope),
        "length": sum(words >= least for least in LENGTHS),
        "asks": "?" in text,
        "figures": any(map(str.isdigit, text)),
        "names": min(2, _names(text)),
    }
    return sum(int(value) << SHIFTS[name] for name, value in known.items())


def by_chance(p: float, withheld: bool) -> int:
    """What is noted beside a kind where chance decided: how likely the memory was to be shown, and whether it was."""
    return (max(1, round(p * _CERTAIN)) << _CHANCE | _WITHHELD * withheld) if 0 < p < 1 else 0


def chance(kind: int) -> tuple[float, bool]:
    """How likely a memory was to be shown, and whether it was; 0 where chance had no say."""
    return (kind >> _CHANCE & 0x3FF) / _CERTAIN, not kind & _WITHHELD


def question(query: Query) -> str:
    """What kind of question it is: what it asks for, or its type."""
    head = [word.lower() for word in query.words[:_HEAD]]
    for place, word in enumerate(head):
        if word in _ASKING:
            return "how many" if word == "how" and head[place + 1 : place + 2] in [[one] for one in _MEASURES] else word
    return query.type


def _names(text: str) -> int:
    """Words with a capital that no sentence gave them."""
    pieces = text.split()
    return sum(
        piece[0].isupper() and len(piece) > 1 and before[-1] not in _SENTENCE_ENDS for before, piece in pairwise(pieces)
    )
