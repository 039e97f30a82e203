"""The cut-off of an answer, where chance may speak: so that one day it can be told what showing a memory does.

What always stands first gathers all the credit, whatever it is worth. Now and then the last that would be shown and the
first that would not change places, and the log keeps how likely that was.
"""

from __future__ import annotations

from treering.core.types import Cutoff

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from treering.core.types import Hit

_SIDES = 2**32


def contested(hits: Sequence[Hit], shown: Sequence[Hit], after: Hit | None) -> Hit | None:
    """The one that may take the last place: the first that is not shown. Nobody's best answer is left to chance, and no
    invariant is."""
    # A budget may leave out a long one and show a shorter one behind it.
    ids = {hit.memory.id for hit in shown}
    first = next((hit for hit in hits if hit.memory.id not in ids), after)
    if first is None or len(shown) < 2 or first.memory.invariant or shown[-1].memory.invariant:
        return None
    return first


def swapped(dice: bytes, chance: float) -> bool:
    """Whether chance, which is four random bytes, lets the two change places."""
    return int.from_bytes(dice) < chance * _SIDES


def settled(stays: Hit, comes: Hit, swap: bool, chance: float) -> Cutoff:
    """What the log keeps of it."""
    if swap:
        return Cutoff(comes.memory.id, stays.memory.id, round(chance, 6))
    return Cutoff(stays.memory.id, comes.memory.id, round(1 - chance, 6))
