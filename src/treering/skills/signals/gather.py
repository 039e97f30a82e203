"""Gather the signals of a store: reuse, unanswered prompts, and friction."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from treering.ledger.events import JUDGED, PROMPTED, RECALLED, RUBBED, SURFACED, Event
from treering.ledger.usage import Record, records
from treering.skills.proposals.rules import FrictionGroup, Gap
from treering.skills.signals import rules
from treering.skills.signals.alike import clusters, topics
from treering.skills.signals.loops import doing
from treering.skills.signals.rules import REJECTED, RETRIED, Friction, Prompt, Reuse
from treering.stores.port.ledger import EventQuery, Reader
from treering.text.words import NOT, folded, tokens

_OF_ERROR = 3  # words of an error that tell it from others


class Signals(NamedTuple):
    """All signals of a space."""

    reuse: tuple[Reuse, ...]  # the most used first
    misses: int  # prompts that nothing answered
    unique: int  # of them, in different words
    gaps: tuple[Gap, ...]  # the largest first, those of one prompt too
    asked: int  # prompts of transcripts
    repeated: tuple[Gap, ...]  # those of them that ask for the same
    rubs: tuple[Friction, ...]
    rubbing: tuple[FrictionGroup, ...]  # what happened most first


def gather(store: Reader, space: str) -> Signals:
    """Return the signals of a space."""

    def read(kind: str, naming: str = "") -> Iterator[Event]:
        return store.events(EventQuery(kinds=(kind,), space=space, naming=naming, live=True))

    reuse = rules.reuse(read(SURFACED))
    missed = rules.misses(read(RECALLED, "tokens"))
    prompts = rules.prompts(read(PROMPTED))
    rubs = rules.rubs(read(RUBBED))
    return Signals(
        tuple(reuse),
        len(missed),
        len({rules.normalized(prompt.text) for prompt in missed}),
        _gaps(missed, topics([one.tokens for one in missed])),
        len(prompts),
        _gaps(prompts, clusters([one.tokens for one in prompts])),
        tuple(rubs),
        _rubbing(rubs),
    )


def judged(store: Reader, space: str) -> dict[str, Record]:
    """Return the verdicts on each memory that was judged."""
    return records(store.events(EventQuery(kinds=(JUDGED,), space=space, live=True)))


def _gaps(prompts: Sequence[Prompt], groups: Sequence[Sequence[int]]) -> tuple[Gap, ...]:
    found = [Gap(tuple(prompts[place] for place in group)) for group in groups]
    return tuple(sorted(found, key=lambda gap: -len(gap.prompts)))


def _rubbing(rubs: Sequence[Friction]) -> tuple[FrictionGroup, ...]:
    """Return friction by topic: what was tried in vain, and what the user rejected and why."""
    found: list[FrictionGroup] = []
    for kind in (RETRIED, REJECTED):
        every = [(rub, _words(rub)) for rub in rubs if (rub.kind == RETRIED) == (kind == RETRIED)]
        known = [(rub, words) for rub, words in every if words]
        for group in _alike(known) if kind == RETRIED else topics([words for _, words in known]):
            members = tuple(known[place][0] for place in group)
            found.append(FrictionGroup(kind, members, tuple(known[group[0]][1])))
    return tuple(sorted(found, key=lambda one: -sum(rub.tries for rub in one.rubs)))


def _alike(tried: Sequence[tuple[Friction, list[str]]]) -> list[list[int]]:
    """Group what was tried in vain: the same program doing the same, or the same file."""
    groups: dict[tuple[str, str], list[int]] = {}
    for place, (rub, _) in enumerate(tried):
        groups.setdefault((rub.tool, doing(rub.tool, rub.what)), []).append(place)
    return [*groups.values()]


def _words(rub: Friction) -> list[str]:
    """Return the words of what was tried and its error, or of what the user said."""
    if rub.kind != RETRIED:
        return [word for word in tokens(rub.reason) if word != NOT]
    tried = [word for word in folded(doing(rub.tool, rub.what)) if word.isascii()]
    failed = [word for word in tokens(rub.error) if word != NOT]
    return [*dict.fromkeys((*tried, *failed[:_OF_ERROR]))]
