"""Which episodes tell one story: three or more of one place that share rare words or names and mean something alike.

Only episodes that share a rare term are ever compared, and of those that share one, each only with the next few in
time: the work grows with the number of episodes. Groups grow together along these ties, the nearest first, as long as
all of the one are near all of the other on average: in words, in meaning and in time.
"""

from __future__ import annotations

from treering.core.tuples import NamedTuple
from treering.summaries.holding import held
from treering.summaries.stories import grown
from treering.summaries.ties import ties

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from treering.summaries.holding import Held, Vector

MIN_GROUP = 3  # episodes: two are a coincidence
MOST_MEMBERS = 12  # of a group: what is longer is cut in time, as no summary holds it
STRENGTH, TOPIC = "strength", "topic"
_MOST_ABOUT = 6  # terms in a label
_LEAST_SHARED = 2  # rare terms that at least two members have each
_CORE = 0.5  # of the members that share a term, for it to be what the group is about


class Episode(NamedTuple):
    """Something that happened, as one memory tells it."""

    id: str
    place: str  # the wall: only episodes of one place come together
    text: str
    created: int  # microseconds
    session: str = ""
    vector: Vector | None = None  # of length 1; None where there is no embedder
    queued: bool = False  # it has faded and waits for this
    tags: tuple[str, ...] = ()


class Group(NamedTuple):
    """Episodes on one matter."""

    members: tuple[str, ...]  # ids, the oldest first
    reason: str  # `STRENGTH` if one of them has faded, else `TOPIC`
    about: tuple[str, ...]  # names and words that they share, the best first


def groups(episodes: Sequence[Episode]) -> list[Group]:
    """The groups of all places, in the order of their first members. What comes out does not depend on the order of
    the episodes, and no episode is in two groups."""
    ordered = sorted(episodes, key=lambda episode: (episode.place, episode.created, episode.id))
    found: list[Group] = []
    begin = 0
    while begin < len(ordered):
        end = begin
        while end < len(ordered) and ordered[end].place == ordered[begin].place:
            end += 1
        if end - begin >= MIN_GROUP:
            found += _of_place(ordered[begin:end])
        begin = end
    return found


def label(texts: Sequence[str]) -> tuple[str, ...]:
    """What the texts of one group are about: the names and words that most of them share, best first."""
    all = held([(text, ()) for text in texts], [None] * len(texts), list(range(len(texts))))
    return _about(all, range(len(texts)))


def _of_place(episodes: Sequence[Episode]) -> Iterator[Group]:
    """Of one place, in the order of time."""
    all = held(
        [(episode.text, episode.tags) for episode in episodes],
        [episode.vector for episode in episodes],
        [episode.created for episode in episodes],
    )
    for story in grown(all, ties(all)):
        for part in _cut(all, story) if len(story) >= MIN_GROUP else ():
            if not _is_one(all, part):
                continue
            members = [episodes[at] for at in part]
            reason = STRENGTH if any(member.queued for member in members) else TOPIC
            yield Group(tuple(member.id for member in members), reason, _about(all, part))


def _shared(all: Held, story: Sequence[int]) -> dict[int, int]:
    """How many of a story's members have each term."""
    counts: dict[int, int] = {}
    for at in story:
        for term in all.of(at):
            counts[term] = counts.get(term, 0) + 1
    return counts


def _is_one(all: Held, part: Sequence[int]) -> bool:
    """Whether more holds it together than one name: a person or a product has many stories."""
    return sum(count > 1 and bool(all.rare[term]) for term, count in _shared(all, part).items()) >= _LEAST_SHARED


def _cut(all: Held, story: Sequence[int]) -> list[list[int]]:
    """A story in parts of at most so many members, cut where the most time passes between two of them."""
    if len(story) <= MOST_MEMBERS:
        return [list(story)]
    places = range(MIN_GROUP, len(story) - MIN_GROUP + 1)
    # Of equal gaps the one nearest to the middle, so that parts are not small for nothing.
    at = max(places, key=lambda at: (all.times[story[at]] - all.times[story[at - 1]], -abs(2 * at - len(story))))
    return [*_cut(all, story[:at]), *_cut(all, story[at:])]


def _about(all: Held, part: Sequence[int]) -> tuple[str, ...]:
    """What most members share, the rarest and most shared first; a word within a name that is there is left out."""
    counts = _shared(all, part)
    telling = [term for term, count in counts.items() if count >= max(2, _CORE * len(part))]
    telling.sort(key=lambda term: (-counts[term] * all.worth[term] * (1.5 if all.named[term] else 1), all.shown[term]))
    found: list[str] = []
    for term in telling:
        word = all.shown[term]
        if not any(word in other for other in found):
            found = [other for other in found if other not in word] + [word]
    return tuple(found[:_MOST_ABOUT])
