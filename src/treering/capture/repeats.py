"""Drop what was said again in a session, or taken back."""

from __future__ import annotations

from collections.abc import Sequence

from treering.capture.turns import Catch, stems

_SAME = 0.8  # share of all words of two statements that both have: the later one says it again
_NEAR = 200  # statements before it with which one is compared


def distinct(found: Sequence[Catch]) -> list[Catch]:
    """Return each thing once: of two that say the same, the surer, or else the later."""
    kept: list[Catch] = []
    for catch in found:
        near = range(max(0, len(kept) - _NEAR), len(kept))
        at = next((place for place in near if _same(catch, kept[place])), -1)
        if at < 0:
            kept.append(catch)
        elif catch.likely <= kept[at].likely:
            kept[at] = catch
    return kept


def left(found: Sequence[Catch], retraction: str, last: str) -> list[Catch]:
    """Return what is left after a sentence that takes something back: what it names, or else the last prompt."""
    named = [one for one in found if len(stems(one.content) & stems(retraction)) > 0]
    gone = named or [one for one in found if one.line == last]
    return [one for one in found if one not in gone]


def _same(one: Catch, other: Catch) -> bool:
    some, others = stems(one.content), stems(other.content)
    return len(some & others) >= _SAME * max(len(some | others), 1)
