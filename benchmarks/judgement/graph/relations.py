"""Judge by weights how two names of a text are related: by the words around them, and by what they name.

One judgement says whether they are related at all, one of which type the relation is and which way round it goes.
A few words are read by rule, as no weights are needed for them: what is asked, denied or only possible.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from benchmarks.judgement.graph.names import Judge, Named
from treering.graph.entities.shapes import SIGN, WORD, Token
from treering.judge.features import Features, block

RELATED = "related"  # the label beside the types
MUTUAL = frozenset(("related_to", "contradicts"))  # they have no direction
ONWARD, BACK = ">", "<"  # behind a type: from the first name to the second, or the other way round
_AHEAD = 6  # names behind one that it is paired with: more are an inventory
_MOST_WORDS = 40  # between two names: what is longer is a story
_ENDS = frozenset(".!?;\n")
_STEM = 5  # letters by which forms of one word agree
_NEGATIONS = frozenset(
    """not never cannot can't don't doesn't didn't isn't aren't wasn't weren't won't hasn't haven't neither nor without
    nicht nie kein keine keinen weder no nunca sin tampoco pas jamais aucun sans ne n'""".split()
)
_DOUBTS = frozenset(
    """could might may should would if whether maybe perhaps wish hope consider considering wondering imagine propose
    sollte sollten könnte könnten würde würden falls ob vielleicht debería deberíamos podría podríamos quizá quizás
    devrait devrions pourrait pourrions peut-être""".split()
)
_SEPARATORS = frozenset(", and or & / + plus und oder sowie y e o u et ou".split())
_SMALL = frozenset(
    """the a an our its der die das den dem ein eine einen unser unsere sein seine el la los las un una nuestro nuestra
    su le les l' une des notre nos son sa also auch también aussi now jetzt ahora maintenant still noch just only nur
    since seit""".split()
)


class Told(NamedTuple):
    """A relation between two names."""

    source: int  # which name
    type: str
    target: int
    sure: float


class Pair(NamedTuple):
    """Two names, and the words around them, with other names replaced by their types."""

    first: int
    second: int
    before: list[str]
    between: list[str]
    behind: list[str]
    apart: int  # sentences


class Names:
    """The names of a text, and its sentences."""

    def __init__(self, found: Sequence[Token], names: Sequence[Named]) -> None:
        self.tokens = found
        self.names = names
        self._at = {one.first: one for one in names}
        self._sentence: list[int] = []
        number = 0
        for token in found:
            self._sentence.append(number)
            number += token.kind == SIGN and token.low in _ENDS
        self._bounds: dict[int, tuple[int, int]] = {}
        for at, number in enumerate(self._sentence):
            self._bounds[number] = (self._bounds.get(number, (at, at))[0], at + 1)

    def pairs(self) -> Iterator[Pair]:
        """Yield every two things that are named near each other, once: where they stand nearest."""
        nearest: dict[tuple[str, str], tuple[int, int, int, int]] = {}
        for first, one in enumerate(self.names):
            for second in range(first + 1, min(len(self.names), first + 1 + _AHEAD)):
                other = self.names[second]
                apart = self._sentence[other.first] - self._sentence[one.first]
                if apart > 1 or other.first - one.last > _MOST_WORDS:
                    break
                low, high = sorted((one.name.lower(), other.name.lower()))
                found = (apart, other.first - one.last, first, second)
                if low != high and found < nearest.get((low, high), (9, 0, 0, 0)):
                    nearest[low, high] = found
        for apart, _, first, second in nearest.values():
            yield self._pair(first, second, apart)

    def _pair(self, first: int, second: int, apart: int) -> Pair:
        one, other = self.names[first], self.names[second]
        start = max(self._bounds[self._sentence[one.first]][0], one.first - _MOST_WORDS)
        end = min(self._bounds[self._sentence[other.first]][1], other.last + _MOST_WORDS)
        parts = ((start, one.first), (one.last, other.first), (other.last, end))
        before, between, behind = (self._words(*part) for part in parts)
        return Pair(first, second, before, between, behind, apart)

    def _words(self, start: int, end: int) -> list[str]:
        found: list[str] = []
        while start < end:
            if name := self._at.get(start):
                found.append(f"<{name.type}>")
                start = name.last
                continue
            token = self.tokens[start]
            found.append(token.low if token.kind in (WORD, SIGN) else "<code>")
            start += 1
        return found


def holds(pair: Pair) -> bool:
    """Tell whether what is said of two names is said to hold: not asked, denied or only possible."""
    if "?" in pair.behind or not _DOUBTS.isdisjoint(pair.between) or not _DOUBTS.isdisjoint(pair.before):
        return False
    return _NEGATIONS.isdisjoint(_said(pair.between)[0])


def features(names: Names, pair: Pair) -> Features:
    """Return what is seen of two names."""
    first, second = names.names[pair.first].type, names.names[pair.second].type
    said, way = _said(pair.between)
    words = [word for word in said if word not in _SMALL]
    stems = [_stem(word) for word in words]
    ended = ["^", *stems, "$"]
    near = [f"word {word}" for word in words] + [f"stem {stem}" for stem in stems]
    runs = [f"words {one} {other}" for one, other in pairwise(ended)]
    whole = [f"all {' '.join(stems)}"] if len(stems) <= 5 else []
    further = [f"far {_stem(word)}" for word in pair.between if word[0] != "<"] if way != "beside" else ["beside"]
    before = [f"before {pair.before[-1] if pair.before else '^'}"]
    before += [f"earlier {_stem(word)}" for word in pair.before if word[0] != "<"]
    behind = [f"behind {pair.behind[0] if pair.behind else '$'}"]
    behind += [f"later {_stem(word)}" for word in pair.behind if word[0] != "<"]
    types = [f"types {first} {second}", f"first {first}", f"second {second}"]
    crossed = [f"{first} {second} {stem}" for stem in dict.fromkeys(stems) if stem.isalpha()][:8]
    listed = [f"{way} {stem}" for stem in dict.fromkeys(stems)]
    return {
        **block(dict.fromkeys(near)),
        **block(dict.fromkeys(runs)),
        **block(whole),
        **block(dict.fromkeys(further), 0.5),
        **block(dict.fromkeys(before), 0.5),
        **block(dict.fromkeys(behind), 0.5),
        **block(types, 0.7),
        **block(_shape(names, pair, words, way), 0.7),
        **block(crossed, 0.5),
        **block(listed, 0.5),
    }


def _shape(names: Names, pair: Pair, words: Sequence[str], way: str) -> list[str]:
    between = sum(word[0] == "<" for word in pair.between)
    return [
        way,
        f"{way} {pair.apart}",
        f"names between {min(between, 3)}",
        f"distance {min(len(words), 10) // 2}",
        f"sentences apart {pair.apart}",
        f"comma {',' in words}",
        f"begins {_SMALL.issuperset(pair.before)}",
        f"ends {not any(word.isalpha() for word in pair.behind)}",
        f"names {min(len(names.names), 6)}",
        f"nothing between {not words}",
        f"only listed {_SEPARATORS.issuperset(words)}",
    ]


def _said(between: list[str]) -> tuple[list[str], str]:
    """Return the words between two names without those that belong to other names of a list."""
    inner = [at for at, word in enumerate(between) if word[0] == "<"]
    if not inner:
        return between, "beside"
    head, tail = between[: inner[0]], between[inner[-1] + 1 :]
    if _is_list(tail):
        return head, "second is listed"  # A uses X and B
    return tail, "first is listed" if _is_list(head) else "further"  # A and X use B


def _is_list(words: Sequence[str]) -> bool:
    bare = [word for word in words if word not in _SMALL]
    return bool(bare) and _SEPARATORS.issuperset(bare)


def _stem(word: str) -> str:
    return word if len(word) < _STEM or word[0] == "<" else word[:_STEM]


def judge(found: Sequence[Token], named: Sequence[Named], by: Judge) -> list[Told]:
    """Return what is told of every two names, however unsure."""
    names = Names(found, named)
    pairs = [pair for pair in names.pairs() if holds(pair)]
    judged = by([features(names, pair) for pair in pairs])
    return [_told(pair, *best_type(chances)) for pair, chances in zip(pairs, judged, strict=True)]


def best_type(chances: dict[str, float]) -> tuple[str, float]:
    """Return the likeliest type with its direction, and how sure it is that two names are related, and so."""
    types = {label: chance for label, chance in chances.items() if label != RELATED}
    label = max(types, key=lambda one: types[one])
    return label, chances[RELATED] * types[label] / (sum(types.values()) or 1.0)


def _told(pair: Pair, label: str, sure: float) -> Told:
    source, target = (pair.second, pair.first) if label.endswith(BACK) else (pair.first, pair.second)
    return Told(source, label.rstrip(ONWARD + BACK), target, sure)
