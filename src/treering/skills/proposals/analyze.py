"""Turn signals into proposals. The same signals make the same proposals, so analysing twice adds
nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from treering.ledger.codec import decode
from treering.ledger.errors import NotEnoughEvidence
from treering.ledger.events import Data, Draft
from treering.ledger.ledger import Ledger
from treering.ledger.types import RECALLABLE, Context
from treering.ledger.usage import Record
from treering.skills.proposals import rules
from treering.skills.proposals.cases import cases, known
from treering.skills.proposals.rules import (
    PENDING,
    ROUTING_ADDITION,
    SKILL_DRAFT,
    Gap,
    Last,
    Thresholds,
    about_prompts,
    named,
    news,
)
from treering.skills.signals.gather import Signals, gather, judged
from treering.skills.signals.rules import REJECTED
from treering.stores.port.ledger import Reader

FRICTION_AT_ONCE = 1  # drafts made of friction that wait: each is a guess, and one at a time is one that is read


class Analysis(NamedTuple):
    """The counts of what an analysis read, and the proposals that came of it."""

    reuse: int  # memories that were surfaced
    misses: int  # prompts, in different words, that nothing answered
    friction: int  # prompts of transcripts, and places where sessions got stuck
    generated: tuple[str, ...]  # the ids of all proposals that the signals speak for
    added: tuple[str, ...]  # of them, those that are new
    again: tuple[str, ...]  # those that were rejected and have come back
    grown: tuple[str, ...]  # and those that wait, and have more evidence than they had
    asked: int = 0  # new ones that a model was asked to put into words,
    worded: int = 0  # those that it did,
    trouble: str = ""  # and what was wrong with the last of the others


class Claim(NamedTuple):
    """A proposal that has enough evidence, with its signals."""

    draft: Draft
    signals: tuple[tuple[int, int], ...]  # when each of them came, and what it weighs

    @property
    def data(self) -> Data:
        data: Data = decode(self.draft.payload)
        return data

    def news(self, last: Last | None, context: Context) -> Draft | None:
        """Return the draft to commit, or None if a person knows it already. The evidence of a
        rejected one is what it was when it was rejected, which may be more than when it was
        proposed."""
        if last is not None and last.time:
            then = sum(weight for time, weight in self.signals if time <= last.time)
            last = last._replace(weight=max(last.weight, then))
        return news(self.draft, self.data, last, context)


def analyze(ledger: Ledger, asked: Thresholds, context: Context) -> Analysis:
    """Propose what there is evidence for, except what waits for a person or was rejected."""
    store = ledger.store
    signals = gather(store, context.space)
    before = known(store, context.space)
    claims = [*_upgrades(store, signals, asked, context), *_additions(signals, before, asked, context)]
    easing = _friction(signals, before, asked, context)

    def work() -> tuple[list[Draft], set[str]]:
        standing, last = cases(store, context.space), known(store, context.space)
        waiting = sum(case.status == PENDING and bool(case.data.get("signal")) for case in standing.values())
        ids = {name for name, case in standing.items() if case.status == PENDING}
        grown = [claim for claim in easing if claim.data["fingerprint"] in ids]
        others = [claim for claim in easing if claim.data["fingerprint"] not in ids]
        eases = islice(_fresh(others, last, context), max(0, FRICTION_AT_ONCE - waiting))
        fresh = [*_fresh(claims, last, context), *_fresh(grown, last, context), *eases]
        ledger.commit(lambda: fresh)
        return fresh, ids

    drafts, waited = store.write(work)
    made = [decode(one.payload) for one in drafts]
    added = [data for data in made if data["fingerprint"] not in waited]
    return Analysis(
        len(signals.reuse),
        signals.unique,
        signals.asked + len(signals.rubs),
        tuple(claim.data["fingerprint"] for claim in (*claims, *easing)),
        tuple(data["fingerprint"] for data in added if "before" not in data),
        tuple(data["fingerprint"] for data in added if "before" in data),
        tuple(data["fingerprint"] for data in made if data["fingerprint"] in waited),
    )


def _upgrades(store: Reader, signals: Signals, asked: Thresholds, context: Context) -> Iterator[Claim]:
    """Yield memories that could be skills."""
    able = [one for one in signals.reuse if one.times >= asked.reuse_min]
    memories = store.several([one.memory for one in able])
    said = judged(store, context.space)
    for reuse in able:
        memory = memories.get(reuse.memory)
        if memory is not None and memory.status in RECALLABLE:
            record = said.get(memory.id, Record())
            weights = [(moment, 1) for moment in reuse.moments]
            yield from _enough(weights, rules.upgrade, memory, reuse, record, asked, context)


def _additions(signals: Signals, before: Mapping[str, Last], asked: Thresholds, context: Context) -> Iterator[Claim]:
    """Yield topics that are asked about and not known."""
    for gap in signals.gaps:
        led = _with_known_first(gap, ROUTING_ADDITION, before)
        yield from _enough([(one.time, 1) for one in gap.prompts], rules.addition, led, asked, context)


def _friction(signals: Signals, before: Mapping[str, Last], asked: Thresholds, context: Context) -> list[Claim]:
    """Return places where sessions get stuck, the most costly first."""
    found: list[Claim] = []
    for gap in signals.repeated:
        led = _with_known_first(gap, SKILL_DRAFT, before)
        found += _enough([(one.time, 1) for one in gap.prompts], rules.asked_again, led, asked, context)
    for rubbing in signals.rubbing:
        weights = [(rub.time, rub.tries) for rub in rubbing.rubs]
        found += _enough(weights, rules.rubbed, rubbing, asked, context)
    return sorted(found, key=lambda claim: _cost(claim.data))


def _cost(data: Data) -> tuple[int, bool, int]:
    """Order by sessions, then what the user rejected, then tries."""
    return -data["evidence"]["sessions"], data["signal"] != REJECTED, -data["weight"]


def _with_known_first(gap: Gap, kind: str, before: Mapping[str, Last]) -> Gap:
    """Return a group with the prompt first that gave a known proposal its name: the first may be
    undone, or an older one may have been imported."""
    for prompt in gap.prompts if before else ():
        if named(kind, about_prompts(kind, prompt.tokens)) in before:
            others = (other for other in gap.prompts if other is not prompt)
            return Gap((prompt, *others))
    return gap


def _enough(weights: Sequence[tuple[int, int]], decide: Callable[..., Draft], *given: object) -> Iterator[Claim]:
    """Yield the proposal, if there is enough evidence for it."""
    try:
        yield Claim(decide(*given), tuple(weights))
    except NotEnoughEvidence:
        return


def _fresh(claims: Iterable[Claim], last: Mapping[str, Last], context: Context) -> Iterator[Draft]:
    for claim in claims:
        fresh = claim.news(last.get(claim.data["fingerprint"]), context)
        if fresh is not None:
            yield fresh
