"""What was done about an insight: read off the store, so that nothing is said which is not so."""

from __future__ import annotations

from treering.core.codec import data_of
from treering.core.consolidating import group_named
from treering.core.events import GROUPED
from treering.core.evidence import REFINE_Q
from treering.core.ports import EventQuery
from treering.core.proposing import MEMORY_ACTION, PENDING, ROUTING_ADDITION, about_prompts, named
from treering.core.reflecting import FADING, HUB, NOISE, POOR, STRATEGY, TOGETHER
from treering.proposals.cases import cases

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from treering.core.patterns import Weighing
    from treering.core.ports import Reader
    from treering.core.proposing import Gap
    from treering.core.reflecting import Insight
    from treering.core.types import Memory

    Known = Mapping[str, Memory]

START_Q = 0.5  # of a memory that nobody has judged
_NOTHING = "nothing yet"
_ALWAYS = {
    TOGETHER: "recall lets those find each other that one recall has shown three times",
    FADING: f"{_NOTHING}: those that were used are active again, and the rule stands",
    HUB: f"{_NOTHING}: whether to split it is for a person to say",
}


class Remedies:
    """What has been done about each kind of thing that stands out."""

    def __init__(self, store: Reader, space: str, weighings: Sequence[Weighing]) -> None:
        self._weighings = weighings
        self._cases = cases(store, space)
        self._actions = {
            id: name
            for name, case in self._cases.items()
            if case.data["kind"] == MEMORY_ACTION and case.status == PENDING
            for id in case.data["memories"]
        }
        queued = store.events(EventQuery(kinds=(GROUPED,), space=space, live=True))
        self._groups = {str(data_of(event)[1]["group"]) for event in queued if event.payload is not None}

    def done(self, insight: Insight, memories: Known) -> str:
        """What was done, or that nothing was; with the memories that the insight names."""
        if insight.rule == NOISE:
            return self._judged(memories[insight.memories[0]])
        if insight.rule in (STRATEGY, POOR):
            return self._weighed(insight.tokens[0])
        return _ALWAYS.get(insight.rule, _NOTHING)

    def routed(self, gap: Gap) -> str:
        """What was proposed for a matter that nothing is known of: any of its prompts may have given it its name."""
        for prompt in gap.prompts:
            name = named(ROUTING_ADDITION, about_prompts(ROUTING_ADDITION, prompt.tokens))
            if case := self._cases.get(name):
                return f"{name} proposes somebody who knows: {case.status}"
        return f"{_NOTHING}: `treering evolve analyze` proposes"

    def grouped(self, members: Sequence[str]) -> str:
        name = group_named(members)
        return f"queued as {name}" if name in self._groups else f"{_NOTHING}: `treering consolidate` queues it"

    def _judged(self, memory: Memory) -> str:
        if memory.id in self._actions:
            return f"{self._actions[memory.id]} proposes what to do with it: `treering evolve list`"
        if memory.q < REFINE_Q:
            return f"its Q fell to {memory.q:.3f}: `treering evolve candidates --criteria low_q` has it"
        if memory.q < START_Q:
            return f"its Q fell to {memory.q:.3f}, by which recall ranks it lower"
        return f"{_NOTHING}: it was passed over and not blamed, so its Q is {memory.q:.3f}"

    def _weighed(self, type: str) -> str:
        changes = sum(one.changes for one in self._weighings if one.type in ("", type))
        if changes:
            return f"the weights for {type} were set {changes} times"
        return f"{_NOTHING}: `treering tune` looks for better settings"
