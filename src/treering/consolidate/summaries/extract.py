"""Write a summary of the sources' own sentences, for when nobody is there to write one.

Each sentence is worth the facts in it that no sentence taken before has: numbers, names, denials,
decisions and causes first, then words that several sources share. The most worth for the fewest
characters is taken first, until the room is used up. Where a later source states another value of
the same thing, the older statement is worth little. Sentences are shortened by leaving out clauses.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import log2
from typing import TYPE_CHECKING, NamedTuple

from treering.consolidate.summaries.dropped import denials
from treering.consolidate.summaries.names import coded, names
from treering.consolidate.summaries.numbers import numbers, same
from treering.consolidate.summaries.terms import stems, tells
from treering.text.sentences import plain_sentences
from treering.text.stems import stem
from treering.text.words import folded

if TYPE_CHECKING:
    from treering.consolidate.summaries.numbers import Number


_LENGTH = 0.5  # how much length counts: below 1, so that a whole sentence beats its shortest piece
_LEAST_WORTH = 1.0  # of a piece that is told: one word that nobody else says is talk


class Piece(NamedTuple):
    """A sentence of a source, or a part of one that stands by itself."""

    source: int
    sentence: int  # among all of them, in the order of time
    text: str
    facts: dict[object, float]  # what it says, and the worth of each


def chosen(pieces: Sequence[Piece], room: int) -> list[Piece]:
    """Return the pieces that give most for their length, one of each sentence, in the order of
    time. The best of the newest source is always among them, whole if there is room: it says how
    things are now."""
    newest = max(piece.source for piece in pieces)
    last = [piece for piece in pieces if piece.source == newest]
    fitting = [piece for piece in last if len(piece.text) <= room] or [min(last, key=lambda piece: len(piece.text))]
    taken = [max(fitting, key=lambda piece: (_worth(piece, frozenset()), -piece.sentence))]
    known: set[object] = set()
    left = list(pieces)
    while True:
        best = taken[-1]
        known |= best.facts.keys()
        room -= len(best.text) + 1
        left = [piece for piece in left if piece.sentence != best.sentence and len(piece.text) <= room]
        left = [piece for piece in left if _worth(piece, known) >= _LEAST_WORTH]
        if not left:
            return sorted(taken, key=lambda piece: piece.sentence)
        taken.append(max(left, key=lambda piece: (_rate(piece, known), piece.source)))


def _worth(piece: Piece, known: set[object] | frozenset[object]) -> float:
    return sum(worth for fact, worth in piece.facts.items() if fact not in known)


def _rate(piece: Piece, known: set[object] | frozenset[object]) -> float:
    return float(_worth(piece, known) / len(piece.text) ** _LENGTH)


_LEAST_WORDS = 4  # of a clause that stands alone
# Where a sentence may be cut, and whether what follows can stand alone there.
_JOINTS = {
    ", but ": True,
    ", so ": True,
    ", and ": True,
    "; ": True,
    " \u2014 ": True,
    " \u2013 ": True,
    " - ": True,
    ": ": True,
    ", because ": True,
    " because ": False,
    ", which ": False,
    ", although ": False,
    ", as ": False,
    " (": False,
}
_SUBJECTS = frozenset("a all an each every i it my no our she he the there these they this those we you".split())
_TURNS = frozenset(
    """assumed believed cannot except expected guessed hoped if looked maybe never no not only seemed suspected thought
    unless until when while without""".split()
)
_MOST_VARIANTS = 8  # of a sentence: one with more joints is a list
_CLAUSE = 3  # words within which the verb of a clause comes that stands alone


def trimmed(sentence: str) -> str:
    """Return a sentence without marks of stress, with a stop at its end."""
    text = sentence.replace("**", "").strip()
    text = text.rstrip(" ,;:\u2014\u2013-")
    if text and text[-1] not in ".!?\u2026":
        text += "."
    first = text.split(" ", 1)[0]
    return text[:1].upper() + text[1:] if first.isalpha() and first.islower() else text


def variants(sentence: str) -> list[str]:
    """Return the sentence, and the parts of it that can stand alone."""
    found = [sentence]
    for joint, free in _JOINTS.items():
        at = sentence.find(joint)
        while at >= 0 and len(found) < _MOST_VARIANTS:
            head, tail = sentence[:at], sentence[at + len(joint) :]
            if _is_whole(head) and not _turns(head) and not _turns(tail):
                found.append(head)
            if free and _is_whole(tail) and _stands(tail) and not _turns(head):
                found.append(tail)
            at = sentence.find(joint, at + len(joint))
    return found


def _turns(clause: str) -> bool:
    """Tell whether it denies or limits what stands beside it, so that nothing may be cut."""
    return not _TURNS.isdisjoint(clause.lower().replace("n't", " not").split())


def _is_whole(clause: str) -> bool:
    balanced = clause.count("(") == clause.count(")") and clause.count('"') % 2 == 0 and clause.count("`") % 2 == 0
    return balanced and len(clause.split()) >= _LEAST_WORDS


def _stands(clause: str) -> bool:
    """Tell whether a clause has a subject: it begins with one, or its verb comes soon."""
    first, *rest = clause.split()
    if first.lower() in _SUBJECTS:
        return True
    return any(word.endswith("ed") for word in rest[: _CLAUSE - 1])


LONGEST = 600  # characters: what is shown of a memory in a recall without being cut
# How many times shorter than its sources a summary is, if there is room for the least. Of what people marked as worth
# keeping, 4 in 5 are left at this, 7 in 10 at 2 and 6 in 10 at 3: whole sentences cannot be packed closer.
COMPRESSION = 1.4
_LEAST = 200  # characters: two sentences, however little the sources say
_READ = 20_000  # characters of a source: a memory of many pages is summed up by its beginning
_LONGEST_SENTENCE = 1_000  # characters: what is longer is a log or a table
_MOST_SENTENCES = 400  # that are looked at; a dozen long notes have fewer
_SHORTEST = 3  # words of a sentence that says something
# What a fact is worth, in shared words.
_NUMBER, _CODE, _NAME, _DENIAL, _TURN, _WORD = 2.5, 5.0, 1.5, 4.0, 1.5, 1.5
# A story begins with what was seen and ends with what was found, done and decided: what the first source says is worth
# this much of what the last one says.
_FIRST = 0.2
_OWN = 0.5  # of a word that only one source has
_OLDER = 0.15  # of a statement that a later source replaces
_FRAME = 4  # words on either side of a number that say what it is the number of
_ALIKE = 0.7  # of the words of the shorter of two sentences that both have, for them to say the same

# Whoever says one of these tells what was decided or why. As stems.
_TURNING = frozenset(
    map(
        stem,
        """because caused cause decided decision chose choose chosen agreed must root reason switched replaced
        replace instead prefer prefers policy rule always fixed fix fixes resolved solved workaround requires turned
        learned lesson deadline approved rejected rolled reverted owner only until never stays budget limit""".split(),
    )
)


def summary(texts: Sequence[str], longest: int = LONGEST) -> str:
    """Return the sentences of the texts, which come oldest first, that hold most of the facts; in
    their order, without repetitions; never longer than `longest`, and shorter than the texts by
    `COMPRESSION`."""
    told = _told(texts)
    if not told:
        return " ".join(" ".join(texts).split())[:longest].strip()
    room = min(longest, max(_LEAST, int(sum(map(len, texts)) / COMPRESSION)))
    pieces = _pieces(texts, told)
    return " ".join(piece.text for piece in chosen(pieces, room))[:longest]


def _told(texts: Sequence[str]) -> list[tuple[int, str]]:
    """Return the sentences with their sources; of those that are alike, the newest."""
    found: dict[tuple[str, ...], tuple[int, str]] = {}
    for source, text in enumerate(texts):
        for sentence in plain_sentences(text[:_READ]):
            words = tuple(folded(sentence))
            if len(words) >= _SHORTEST and len(sentence) <= _LONGEST_SENTENCE and not sentence.endswith("?"):
                found.pop(words, None)
                found[words] = (source, sentence)
    return list(found.values())[-_MOST_SENTENCES:]


def _pieces(texts: Sequence[str], told: Sequence[tuple[int, str]]) -> list[Piece]:
    shared: dict[str, int] = {}
    for text in texts:
        for word in {*stems(text)}:
            shared[word] = shared.get(word, 0) + 1
    readings = [_Reading(source, sentence) for source, sentence in told]
    found = []
    for at, (source, sentence) in enumerate(told):
        old = _replaced(readings[at], readings[at + 1 :])
        share = _FIRST + (1 - _FIRST) * source / max(len(texts) - 1, 1)
        for piece in dict.fromkeys(trimmed(part) for part in variants(sentence)):
            if len(folded(piece)) >= _SHORTEST:
                facts = _facts(piece, shared, old)
                found.append(Piece(source, at, piece, {fact: worth * share for fact, worth in facts.items()}))
    return found


class _Reading:
    """The content of a sentence, for comparing it with later ones."""

    def __init__(self, source: int, text: str) -> None:
        self.source = source
        self.numbers = numbers(text)
        self.stems = frozenset(stems(text))
        words = text.split()
        self.frames = [_frame(words, number) for number in self.numbers]


def _frame(words: Sequence[str], number: Number) -> frozenset[str]:
    """Return the stems around a number: what it is the number of."""
    near = words[max(0, number.place - _FRAME) : number.place + _FRAME + 1]
    return frozenset(stem(word) for chunk in near for word in folded(chunk) if tells(word) and word.isalpha())


def _replaced(older: _Reading, later: Iterable[_Reading]) -> list[Number]:
    """Return the numbers of a sentence that a later source replaces by others."""
    found = []
    for newer in later:
        if newer.source == older.source:
            continue
        shared = older.stems & newer.stems
        alike = len(shared) >= _ALIKE * min(len(older.stems), len(newer.stems))
        for number, frame in zip(older.numbers, older.frames, strict=True):
            rivals = [
                other
                for other, around in zip(newer.numbers, newer.frames, strict=True)
                if other.measures == number.measures and (alike or len(frame & around) >= 2)
            ]
            if rivals and not any(same(number, other) for other in newer.numbers):
                found.append(number)
    return found


def _facts(text: str, shared: dict[str, int], old: Sequence[Number]) -> dict[object, float]:
    """Return the facts of a piece, each with its worth."""
    found: dict[object, float] = {}
    for word in stems(text):
        count = shared.get(word, 1)
        found[word] = _WORD * (log2(count) if count > 1 else _OWN)
    for name in names(text):
        found[("name", name)] = _NAME
    for name in coded(text):
        found[("name", name.lower())] = _CODE
    for number in numbers(text):
        key = ("number", round(number.value, 6), number.measures if number.measured else "", number.text[:0])
        found[key] = _NUMBER * (_OLDER if any(same(number, other) for other in old) else 1)
    for denial in denials(text):
        found[("not", denial.stems)] = _DENIAL
    for word in {stem(word) for word in folded(text)} & _TURNING:
        found[("turn", word)] = _TURN
    if old:
        found = {key: worth * (_OLDER if not isinstance(key, tuple) else 1) for key, worth in found.items()}
    return found
