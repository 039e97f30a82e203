"""Which sentences a summary is made of: those that say most in the room that there is."""

from __future__ import annotations

from treering.core.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_LENGTH = 0.5  # how much length counts: below 1, so that a whole sentence beats its shortest piece
_LEAST_WORTH = 1.0  # of a piece that is told: one word that nobody else says is talk


class Piece(NamedTuple):
    """A sentence of a source, or a part of one that stands by itself."""

    source: int
    sentence: int  # among all of them, in the order of time
    text: str
    facts: dict[object, float]  # what it says, and the worth of each


def chosen(pieces: Sequence[Piece], room: int) -> list[Piece]:
    """The pieces that give most for their length, one of each sentence, in the order of time. The best of the newest
    source is always among them, whole if there is room: it says how things are now."""
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
