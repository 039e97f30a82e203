"""What a person needs to decide on a proposal in a minute, and which to look at first."""

from __future__ import annotations

from treering.core.ports import EventQuery
from treering.core.proposing import MEMORY_ACTION, RECALL_SETTING, ROUTING_ADDITION, SKILL_UPGRADE
from treering.core.tuples import NamedTuple
from treering.core.usage import TOLD, Record, records
from treering.proposals.texts import from_outside

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from treering.core.ports import Reader
    from treering.proposals.proposal import Proposal

# What a proposal saves each time that its signal comes again, beside a memory that is at hand: a prompt that nobody
# answers costs a whole search, and a loop costs several tries.
_SAVES = {SKILL_UPGRADE: 1.0, ROUTING_ADDITION: 1.5, MEMORY_ACTION: 0.5, RECALL_SETTING: 0.5}
_SAVES_FRICTION = 2.0
_GUESS = 0.25  # the risk of what nobody has judged: one good word halves it
_FROM_OUTSIDE = 0.5  # what a text that nobody here has said is worth, until somebody has read it


class Counter(NamedTuple):
    """What speaks against a proposal: how its memories fared where they were shown."""

    shown: int = 0  # recalls
    helpful: int = 0
    unhelpful: int = 0
    ignored: int = 0  # nobody said anything of it, or did anything with it that was noticed


class Review(NamedTuple):
    proposal: Proposal
    counter: Counter
    gain: float  # expected: what it saves, times how often that came up
    risk: float  # from 0 to 1

    @property
    def rank(self) -> float:
        return self.gain * (1 - self.risk)


def reviews(store: Reader, space: str, proposals: Iterable[Proposal]) -> list[Review]:
    """Proposals in the order in which they are worth a look: by expected gain and risk."""
    asked = [*proposals]
    told = store.events(EventQuery(kinds=TOLD, space=space, live=True)) if any(one.memories for one in asked) else ()
    known = records(told)
    found = [_review(store, proposal, known) for proposal in asked]
    return sorted(found, key=lambda one: (-one.rank, one.proposal.id))


def _review(store: Reader, proposal: Proposal, known: Mapping[str, Record]) -> Review:
    counter = Counter()
    for id in proposal.memories:
        usage, good, bad, _ = known.get(id, Record())
        more = (usage, good, bad, max(0, usage - good - bad))
        counter = Counter(*map(sum, zip(counter, more, strict=True)))
    gain = proposal.weight * _SAVES.get(proposal.kind, _SAVES_FRICTION)
    return Review(proposal, counter, gain, _risk(store, proposal, counter))


def _risk(store: Reader, proposal: Proposal, counter: Counter) -> float:
    """How likely it is to be of no use: the share of bad judgements, and a guess as long as there are few."""
    risk = (counter.unhelpful + _GUESS) / (counter.helpful + counter.unhelpful + 1)
    outside = from_outside(store.several(proposal.memories).values())
    return max(risk, _FROM_OUTSIDE) if outside else risk
