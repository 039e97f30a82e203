"""What two how-tos may not say in another way, though most of their words may stand anywhere."""

from __future__ import annotations

from itertools import pairwise

from treering.evolve.likeness.wording import CONTENT, DENIAL, NAME, SIGN, is_coded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from treering.evolve.likeness.wording import Unit

    Line = tuple[Unit, ...]

_WHOLE = frozenset(("all", "every"))


def differing(mine: Line, theirs: Line) -> tuple[str, ...]:
    """In two how-tos most words may stand anywhere; signs, moods and what a relation leads to may not."""
    for told, of in _KEPT:
        one, other = of(mine), of(theirs)
        if one != other:
            return (f"{told} {' / '.join(sorted(' '.join(side) for side in (one, other) if side))}",)
    return ()


def _signs(units: Line) -> list[str]:
    return sorted(unit.key for unit in units if unit.sort == SIGN)


def _led(units: Line) -> list[str]:
    return sorted(f"{unit.key} {_behind(units, at)}" for at, unit in enumerate(units) if unit.key in _RELATIONS)


def _behind(units: Line, at: int) -> str:
    return next((unit.key for unit in units[at + 1 :] if unit.sort in (CONTENT, NAME)), "")


def _moods(units: Line) -> list[str]:
    denied = {f"not {after.key}" for unit, after in pairwise(units) if unit.sort == DENIAL and after.key in _WHOLE}
    return sorted(denied | {unit.key for unit in units if unit.key in _MOODS})


def _cased(units: Line) -> list[str]:
    """Names in code, and sizes in bits or in what is no size: their case tells them from others."""
    return sorted({unit.key for unit in units if is_coded(unit.text) or unit.key.endswith(_SMALL)})


def _owners(units: Line) -> list[str]:
    return sorted({unit.key for unit in units if unit.key in _PERSONS})


_KEPT: tuple[tuple[str, Callable[[Line], list[str]]], ...] = (
    ("sign", _signs),
    ("direction", _led),
    ("mood", _moods),
    ("value", _cased),
    ("person", _owners),
)
_SMALL = (" in bits",)
_PERSONS = frozenset("my his her".split())  # your home directory is the home directory
_RELATIONS = frozenset("before after until unless instead while then than".split())
_MOODS = frozenset("may might must should will would could shall only both either few most some".split())
