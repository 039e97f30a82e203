"""The signals that a store holds, gathered: what is used again, what is not known, and where sessions get stuck."""

from __future__ import annotations

from treering.core import signals
from treering.core.events import JUDGED, PROMPTED, RECALLED, RUBBED, SURFACED
from treering.core.ports import EventQuery
from treering.core.prompts import NOT, tokens
from treering.core.proposing import Gap, Rubbing
from treering.core.signals import REJECTED, RETRIED
from treering.core.tuples import NamedTuple
from treering.core.usage import records
from treering.core.words import folded
from treering.evolve.prompts import clusters
from treering.evolve.topics import topics
from treering.friction.calls import doing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from treering.core.events import Event
    from treering.core.ports import Reader
    from treering.core.signals import Prompt, Reuse, Rub
    from treering.core.usage import Record


_OF_ERROR = 3  # words of an error that tell it from others


class Signals(NamedTuple):
    """All of them, as they stand."""

    reuse: tuple[Reuse, ...]  # the most used first
    misses: int  # prompts that nothing answered
    unique: int  # of them, in different words
    gaps: tuple[Gap, ...]  # the largest first, those of one prompt too
    asked: int  # prompts of transcripts
    repeated: tuple[Gap, ...]  # those of them that ask for the same
    rubs: tuple[Rub, ...]
    rubbing: tuple[Rubbing, ...]  # what happened most first


def gathered(store: Reader, space: str) -> Signals:
    """What there is to analyse."""

    def read(kind: str, naming: str = "") -> Iterator[Event]:
        return store.events(EventQuery(kinds=(kind,), space=space, naming=naming, live=True))

    reuse = signals.reuse(read(SURFACED))
    missed = signals.misses(read(RECALLED, "tokens"))
    prompts = signals.prompts(read(PROMPTED))
    rubs = signals.rubs(read(RUBBED))
    return Signals(
        tuple(reuse),
        len(missed),
        len({signals.spoken(prompt.text) for prompt in missed}),
        _gaps(missed, topics([one.tokens for one in missed])),
        len(prompts),
        _gaps(prompts, clusters([one.tokens for one in prompts])),
        tuple(rubs),
        _rubbing(rubs),
    )


def judged(store: Reader, space: str) -> dict[str, Record]:
    """What was said of each memory that anybody has judged."""
    return records(store.events(EventQuery(kinds=(JUDGED,), space=space, live=True)))


def _gaps(prompts: Sequence[Prompt], groups: Sequence[Sequence[int]]) -> tuple[Gap, ...]:
    found = [Gap(tuple(prompts[place] for place in group)) for group in groups]
    return tuple(sorted(found, key=lambda gap: -len(gap.prompts)))


def _rubbing(rubs: Sequence[Rub]) -> tuple[Rubbing, ...]:
    """Friction on one matter each: what was tried in vain, and what the user did not want and why."""
    found: list[Rubbing] = []
    for kind in (RETRIED, REJECTED):
        told = [(rub, _words(rub)) for rub in rubs if (rub.kind == RETRIED) == (kind == RETRIED)]
        telling = [(rub, words) for rub, words in told if words]
        for group in _alike(telling) if kind == RETRIED else topics([words for _, words in telling]):
            members = tuple(telling[place][0] for place in group)
            found.append(Rubbing(kind, members, tuple(telling[group[0]][1])))
    return tuple(sorted(found, key=lambda one: -sum(rub.tries for rub in one.rubs)))


def _alike(tried: Sequence[tuple[Rub, list[str]]]) -> list[list[int]]:
    """Which of the things that were tried in vain are one: the same program doing the same, or the same file."""
    groups: dict[tuple[str, str], list[int]] = {}
    for place, (rub, _) in enumerate(tried):
        groups.setdefault((rub.tool, doing(rub.tool, rub.what)), []).append(place)
    return [*groups.values()]


def _words(rub: Rub) -> list[str]:
    """What friction is about: what was tried and how that failed, or what the user said when they stepped in."""
    if rub.kind != RETRIED:
        return [word for word in tokens(rub.reason) if word != NOT]
    tried = [word for word in folded(doing(rub.tool, rub.what)) if word.isascii()]
    failed = [word for word in tokens(rub.error) if word != NOT]
    return [*dict.fromkeys((*tried, *failed[:_OF_ERROR]))]
