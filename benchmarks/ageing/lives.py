"""A made-up year: what is remembered in which session, and when somebody wants it again. The same from every seed.

Some memories are used again and again; most once or twice, soon after they were made; some never; and some come back
after months. Sessions stand in projects, and what belongs to a project is wanted in its sessions only.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from random import Random
from typing import NamedTuple

SEED = 20_260_501
_PROJECTS, _SHARES = ("harbour", "orchard", "quarry"), (5, 3, 2)
_QUIET = (0.3, 0.55, 0.8)  # after these shares of the sessions comes a week without any
_WEEK = 7  # days
_TYPES, _TYPE_SHARES = ("semantic", "episodic", "procedural", "working"), (50, 35, 12, 3)
_INVARIANT = 0.02  # the share of memories that hold always
_USER = 0.15  # the share that belongs to the user, and is wanted in every project
# How memories are used, and how many of a hundred so.
_USES = {"often": 3, "soon": 65, "never": 20, "back": 12}
_EVERY = 9  # days between two uses of what is used often, on average
_SOON = 6  # days in which most are used
_BACK = (45, 240)  # days after which some come back


class Session(NamedTuple):
    name: str
    day: int
    project: str


class Life(NamedTuple):
    """One memory: what it is, and the sessions that make it and want it, by their places."""

    type: str
    scope: str
    invariant: bool
    born: int
    wanted: tuple[int, ...]


def sessions(count: int, seed: int = SEED) -> list[Session]:
    """One a day, with a few quiet weeks."""
    source = Random(seed)
    quiet = [round(share * count) for share in _QUIET]
    return [
        Session(f"s{place:03}", place + _WEEK * sum(place >= start for start in quiet), project)
        for place, project in enumerate(source.choices(_PROJECTS, _SHARES, k=count))
    ]


def lives(count: int, held: Sequence[Session], seed: int = SEED) -> list[Life]:
    """Memories, in the order of the sessions that make them; every session makes about as many."""
    source = Random(seed + 1)
    return [_life(source, place * len(held) // count, held) for place in range(count)]


def _life(source: Random, born: int, held: Sequence[Session]) -> Life:
    (type,) = source.choices(_TYPES, _TYPE_SHARES)
    scope = "user" if source.random() < _USER else "project"
    days = _days(source, held[born].day, held[-1].day)
    there = [place for place, session in enumerate(held) if scope == "user" or session.project == held[born].project]
    dates = [held[place].day for place in there]
    # It is wanted on a day; the next session that can see it asks for it.
    asked = {there[place] for day in days if (place := bisect_left(dates, day)) < len(there)}
    return Life(type, scope, source.random() < _INVARIANT, born, tuple(sorted(asked - {born})))


def _days(source: Random, born: int, last: int) -> list[float]:
    """The days on which a memory is wanted."""
    (kind,) = source.choices(list(_USES), list(_USES.values()))
    if kind == "never":
        return []
    if kind == "often":
        days = [born + source.expovariate(1 / _EVERY)]
        while days[-1] < last:
            days.append(days[-1] + source.expovariate(1 / _EVERY))
        return days
    days = [born + source.uniform(0, _SOON) for _ in range(source.choice((1, 1, 2)))]
    if kind == "back":
        back = born + source.uniform(*_BACK)
        days += [back, back + source.uniform(0, _SOON)]
    return days
