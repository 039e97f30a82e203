"""From signals to proposals. The same signals make the same proposals, so analysing twice adds nothing."""

from __future__ import annotations

from itertools import islice

from treering.core import proposing
from treering.core.codec import decode
from treering.core.errors import NotEnoughEvidence
from treering.core.lifecycle import RECALLABLE
from treering.core.proposing import PENDING, ROUTING_ADDITION, SKILL_DRAFT, Gap, about_prompts, named, news
from treering.core.signals import REJECTED
from treering.core.tuples import NamedTuple
from treering.core.usage import Record
from treering.proposals.cases import cases, known
from treering.proposals.signals import gathered, judged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from treering.core.events import Data, Draft
    from treering.core.ports import Reader
    from treering.core.proposing import Last, Thresholds
    from treering.core.types import Context
    from treering.ledger import Ledger
    from treering.proposals.signals import Signals

FRICTION_AT_ONCE = 1  # drafts made of friction that wait: each is a guess, and one at a time is one that is read


class Analysis(NamedTuple):
    """What an analysis looked at, and what came of it."""

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
    """A proposal that the signals speak for."""

    draft: Draft
    signals: tuple[tuple[int, int], ...]  # when each of them came, and what it weighs

    @property
    def data(self) -> Data:
        data: Data = decode(self.draft.payload)
        return data

    def news(self, last: Last | None, context: Context) -> Draft | None:
        """What is to be said of it, if a person does not know it yet. What they turned down is weighed as it was when
        they did, which may be more than it was when they were asked."""
        if last is not None and last.time:
            then = sum(weight for time, weight in self.signals if time <= last.time)
            last = last._replace(weight=max(last.weight, then))
        return news(self.draft, self.data, last, context)


def analyze(ledger: Ledger, asked: Thresholds, context: Context) -> Analysis:
    """Propose what there is evidence for, and nothing that a person has before them or has turned down."""
    store = ledger.store
    signals = gathered(store, context.space)
    before = known(store, context.space)
    claims = [*_upgrades(store, signals, asked, context), *_additions(signals, before, asked, context)]
    easing = _easings(signals, before, asked, context)

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
    told = [decode(one.payload) for one in drafts]
    added = [data for data in told if data["fingerprint"] not in waited]
    return Analysis(
        len(signals.reuse),
        signals.unique,
        signals.asked + len(signals.rubs),
        tuple(claim.data["fingerprint"] for claim in (*claims, *easing)),
        tuple(data["fingerprint"] for data in added if "before" not in data),
        tuple(data["fingerprint"] for data in added if "before" in data),
        tuple(data["fingerprint"] for data in told if data["fingerprint"] in waited),
    )


def _upgrades(store: Reader, signals: Signals, asked: Thresholds, context: Context) -> Iterator[Claim]:
    """Memories that do real work."""
    able = [one for one in signals.reuse if one.times >= asked.reuse_min]
    memories = store.several([one.memory for one in able])
    said = judged(store, context.space)
    for reuse in able:
        memory = memories.get(reuse.memory)
        if memory is not None and memory.status in RECALLABLE:
            record = said.get(memory.id, Record())
            weights = [(moment, 1) for moment in reuse.moments]
            yield from _enough(weights, proposing.upgrade, memory, reuse, record, asked, context)


def _additions(signals: Signals, before: Mapping[str, Last], asked: Thresholds, context: Context) -> Iterator[Claim]:
    """Matters that nothing is known of."""
    for gap in signals.gaps:
        led = _led(gap, ROUTING_ADDITION, before)
        yield from _enough([(one.time, 1) for one in gap.prompts], proposing.addition, led, asked, context)


def _easings(signals: Signals, before: Mapping[str, Last], asked: Thresholds, context: Context) -> list[Claim]:
    """Places where sessions get stuck."""
    found: list[Claim] = []
    for gap in signals.repeated:
        led = _led(gap, SKILL_DRAFT, before)
        found += _enough([(one.time, 1) for one in gap.prompts], proposing.asked_again, led, asked, context)
    for rubbing in signals.rubbing:
        weights = [(rub.time, rub.tries) for rub in rubbing.rubs]
        found += _enough(weights, proposing.rubbed, rubbing, asked, context)
    return sorted(found, key=lambda claim: _cost(claim.data))


def _cost(data: Data) -> tuple[int, bool, int]:
    """First what most sessions ran into, then what the user has said a word on, then what took most tries."""
    return -data["evidence"]["sessions"], data["signal"] != REJECTED, -data["weight"]


def _led(gap: Gap, kind: str, before: Mapping[str, Last]) -> Gap:
    """A group under the name that a person knows it by, if one of its prompts gave it one: the first of them may be
    undone, or an older one may have come from elsewhere."""
    for prompt in gap.prompts if before else ():
        if named(kind, about_prompts(kind, prompt.tokens)) in before:
            others = (other for other in gap.prompts if other is not prompt)
            return Gap((prompt, *others))
    return gap


def _enough(weights: Sequence[tuple[int, int]], decide: Callable[..., Draft], *given: object) -> Iterator[Claim]:
    """The proposal, if there is the evidence for it."""
    try:
        yield Claim(decide(*given), tuple(weights))
    except NotEnoughEvidence:
        return


def _fresh(claims: Iterable[Claim], last: Mapping[str, Last], context: Context) -> Iterator[Draft]:
    for claim in claims:
        fresh = claim.news(last.get(claim.data["fingerprint"]), context)
        if fresh is not None:
            yield fresh
