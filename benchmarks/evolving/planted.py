"""Notes among which some are doubles of others.

Of each kind a hundredth: the same text; the same reworded, its halves in the other order and one word in eight another;
the same with another number in it, which is a double to the eye and another fact. The doubles lie anywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from benchmarks.texts import Notes

KINDS = ("exact", "reworded", "another number")
SHARE = 100  # notes to one double of a kind
OTHER = 8  # words of a reworded note, of which one is another


class Planted(NamedTuple):
    texts: list[str]
    doubles: dict[str, list[tuple[int, int]]]  # of each kind: where a note and its double are, the smaller first


def planted(size: int, seed: int = 7) -> Planted:
    """So many notes; the same seed gives the same."""
    dice, each = Random(f"doubles {seed}"), size // SHARE
    notes = [*Notes().take(size - len(KINDS) * each)]
    chosen = dice.sample(range(len(notes)), len(KINDS) * each)
    made: list[tuple[str, str, int]] = []
    for at, one in enumerate(chosen):
        kind = KINDS[at % len(KINDS)]
        if kind == "another number":
            notes[one] += f" port {dice.randrange(1_024, 65_536)}"
        made.append((kind, _double(kind, notes[one], notes, dice), one))
    texts, order = [*notes, *(text for _, text, _ in made)], [*range(size)]
    dice.shuffle(order)
    place = {one: at for at, one in enumerate(order)}
    doubles: dict[str, list[tuple[int, int]]] = {kind: [] for kind in KINDS}
    for at, (kind, _, one) in enumerate(made):
        first, second = sorted((place[one], place[len(notes) + at]))
        doubles[kind].append((first, second))
    return Planted([texts[one] for one in order], doubles)


def _double(kind: str, text: str, notes: Sequence[str], dice: Random) -> str:
    if kind == "exact":
        return text
    words = text.split()
    if kind == "another number":
        return " ".join([*words[:-1], str(int(words[-1]) + dice.randrange(1, 100))])
    strange = dice.choice(notes).split()
    for at in range(dice.randrange(OTHER), len(words), OTHER):
        words[at] = dice.choice(strange)
    half = len(words) // 2
    return " ".join([*words[half:], *words[:half]])
