"""Replay session files: which facts hold, how often and when they were used, and their tiers.

Only whole numbers and dates, so that every reader comes to the same result.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from treering.documents.vault.fact import Fact, day
from treering.ledger.ageing import session_tier

if TYPE_CHECKING:
    from treering.documents.vault.session import Mention, Segment

ARCHIVED = "archived"
SUPERSEDED = "superseded"
GONE = (ARCHIVED, SUPERSEDED)  # tiers that are told in the archive


class Ring(NamedTuple):
    """A session in a project, or a day outside any session."""

    project: str
    session: str
    day: str


class Life(NamedTuple):
    """A fact, the rings that used it and when each last did, and what became of it."""

    fact: Fact
    used: Mapping[Ring, int] = {}
    gone: bool = False  # forgotten, undone or purged: not told any more
    by: str = ""  # what superseded it
    reason: str = ""  # and why


class Problem(NamedTuple):
    """Something that a session file says and that cannot be."""

    file: str
    line: int
    message: str


class Entry(NamedTuple):
    """A fact as it stands today."""

    fact: Fact
    last_used: int
    uses: int
    tier: str
    by: str = ""
    reason: str = ""


Lives = dict[str, Life]


def ring_of(project: str, session: str, moment: int) -> Ring:
    return Ring(project, session, "" if session else day(moment))


def replay(segments: Iterable[Segment], known_before: Lives = {}) -> tuple[Lives, list[Problem]]:  # noqa: B006
    """Return the life of every fact in the files, and what in them does not fit together."""
    ordered = sorted(segments, key=lambda segment: segment.order)
    lives = dict(known_before)
    problems: list[Problem] = []
    # A clock may have been wrong: what was made comes first, whenever that was.
    for segment in ordered:
        for told in segment.created:
            id = told.fact.id
            known = lives.get(id)
            if known and not known.gone and known.fact.text != told.fact.text and id not in known_before:
                problems.append(Problem(segment.name, told.line, f"fact {id} was created before, otherwise"))
            lives[id] = Life(told.fact, gone=told.purged)
    for segment in ordered:
        problems += _apply(segment, lives)
    return lives, problems + _circles(ordered, lives)


def _apply(segment: Segment, lives: Lives) -> list[Problem]:
    for told in segment.changed:
        if told.fact.id in lives:
            lives[told.fact.id] = lives[told.fact.id]._replace(fact=told.fact)
    said = [(name, one) for name in _CHANGES for one in getattr(segment, name)]
    strange = []
    for name, one in said:
        life = lives.get(one.id)
        if life is None:
            strange.append(Problem(segment.name, one.line, f"no session created {one.id}"))
            continue
        if name == "superseded" and segment.by_hand and one.by not in lives:
            strange.append(Problem(segment.name, one.line, f"no session created {one.by}"))
        lives[one.id] = _CHANGES[name](life, one, segment)
    return strange


def _circles(ordered: list[Segment], lives: Lives) -> list[Problem]:
    """Return supersessions that somebody wrote and after which none of the facts holds: the last
    one of each circle.

    Two machines that are merged may have gone in a circle too. That is how it is, and no mistake in
    a file.
    """
    told = {one.id: (segment, one) for segment in ordered for one in segment.superseded}
    found = []
    seen: set[str] = set()
    for id in told:
        circle = _circle(id, lives, seen)
        by_hand = [told[one] for one in circle if one in told and told[one][0].by_hand]
        if by_hand:
            segment, last = max(by_hand, key=lambda one: (one[0].order, one[1].line))
            way = f"{' → '.join((*circle, circle[0]))} is a circle: none of them would hold"
            message = way if len(circle) > 1 else f"{last.id} cannot supersede itself"
            found.append(Problem(segment.name, last.line, message))
    return found


def _circle(id: str, lives: Lives, seen: set[str]) -> list[str]:
    """Return the circle that the way from a fact to its successors leads into, if it was not seen before."""
    way: list[str] = []
    while id not in seen and (life := lives.get(id)) and life.by and not life.gone:
        seen.add(id)
        way.append(id)
        id = life.by
    return way[way.index(id) :] if id in way else []


def _ring(one: Mention, segment: Segment) -> tuple[Ring, int]:
    at = segment.began if one.at is None else one.at
    if segment.corrections:
        return ring_of(one.project, one.session, at), at
    return ring_of(segment.project, segment.session, segment.began), at


def _referenced(life: Life, one: Mention, segment: Segment) -> Life:
    ring, at = _ring(one, segment)
    return life._replace(used={**life.used, ring: max(at, life.used.get(ring, at))})


def _unreferenced(life: Life, one: Mention, segment: Segment) -> Life:
    ring, _ = _ring(one, segment)
    return life._replace(used={known: at for known, at in life.used.items() if known != ring})


def _restored(life: Life, one: Mention, segment: Segment) -> Life:
    erased = not life.fact.text and not life.fact.details  # that is for good
    return life if erased else life._replace(gone=False, by="", reason="")


def _superseded(life: Life, one: Mention, segment: Segment) -> Life:
    return life._replace(by=one.by, reason=one.reason)


def _forgotten(life: Life, one: Mention, segment: Segment) -> Life:
    return life._replace(gone=True)


# In this order within a file: what is said last holds.
_CHANGES = {
    "unreferenced": _unreferenced,
    "referenced": _referenced,
    "reactivated": _referenced,
    "restored": _restored,
    "superseded": _superseded,
    "forgotten": _forgotten,
}


class Rings:
    """When the rings that made or used a fact began, so that those since a moment can be counted."""

    def __init__(self, lives: Lives) -> None:
        first: dict[Ring, int] = {}
        for life in lives.values():
            if not life.gone:
                for ring, at in _moments(life):
                    first[ring] = min(at, first.get(ring, at))
        self._first = first
        self._of: dict[str, list[int]] = {}
        everywhere: dict[tuple[str, str], int] = {}  # a session that works on two projects is one session
        for ring, began in sorted(first.items(), key=lambda one: one[1]):
            self._of.setdefault(ring.project, []).append(began)
            everywhere.setdefault((ring.session, ring.day), began)
        self._all = sorted(everywhere.values())

    def since(self, fact: Fact, moment: int) -> int:
        """Return how many sessions began after a moment, where the fact could have been used."""
        starts = self._starts(fact)
        return len(starts) - bisect_right(starts, moment)

    def archived(self, life: Life, ring: Ring, moment: int) -> bool:
        """Return whether a fact had faded before a session used it at a moment: too many had begun
        since its last use.
        """
        before = max((at for used, at in _moments(life) if at < moment and used != ring), default=moment)
        starts, began = self._starts(life.fact), self._first.get(ring, moment)
        between = bisect_left(starts, began) - bisect_right(starts, before)
        return session_tier(between, life.fact.invariant) == ARCHIVED

    def _starts(self, fact: Fact) -> list[int]:
        return self._all if fact.scope == "user" or not fact.project else self._of.get(fact.project, [])


def entries(lives: Lives) -> list[Entry]:
    """Return the facts that are still told, those of the user first, then project by project, oldest first."""
    rings = Rings(lives)
    found = []
    for life in lives.values():
        if not life.gone:
            last = last_used(life)
            uses = len({(ring.session, ring.day) for ring in life.used})
            tier = SUPERSEDED if life.by else session_tier(rings.since(life.fact, last), life.fact.invariant)
            found.append(Entry(life.fact, last, uses, tier, life.by, life.reason))
    return sorted(found, key=lambda entry: (place(entry.fact), entry.fact.created, entry.fact.id))


def place(fact: Fact) -> tuple[int, str, str]:
    """Return where a fact is told: with those of the user, of its project, or of its session."""
    if fact.scope == "session":
        return (2, fact.session, fact.project)
    return (1, fact.project, "") if fact.scope == "project" else (0, "", "")


def last_used(life: Life) -> int:
    """Return when a fact was last used; being made is a use."""
    return max((at for _, at in _moments(life)), default=life.fact.created)


def _moments(life: Life) -> list[tuple[Ring, int]]:
    fact = life.fact
    return [(ring_of(fact.project, fact.session, fact.created), fact.created), *life.used.items()]
