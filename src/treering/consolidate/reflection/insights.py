"""Define insights: what a memory finds out about itself, with its numbers and what was done about
it.

An insight holds ids, words of prompts, and numbers. Its text is written when somebody reads it, so
no text of a memory is ever in it, and a purge leaves nothing behind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from treering.ledger.codec import fingerprint
from treering.ledger.events import Data
from treering.ledger.types import CHANNELS
from treering.text.words import joined

RETRIEVAL_PATTERN, MEMORY_GAP, CONSOLIDATION_SIGNAL, DECAY_ANOMALY, GRAPH_INSIGHT = KINDS = tuple(
    "retrieval_pattern memory_gap consolidation_signal decay_anomaly graph_insight".split()
)
NOISE, STRATEGY, POOR, WEIGHT, TOGETHER, HUB, GAP, GROUP, FADING = tuple(
    "noise strategy poor weight together hub gap group fading".split()
)
# Which kind each rule finds. A mark begins with its rule.
RULES = {
    NOISE: RETRIEVAL_PATTERN,
    STRATEGY: RETRIEVAL_PATTERN,
    POOR: RETRIEVAL_PATTERN,
    WEIGHT: RETRIEVAL_PATTERN,
    TOGETHER: GRAPH_INSIGHT,
    HUB: GRAPH_INSIGHT,
    GAP: MEMORY_GAP,
    GROUP: CONSOLIDATION_SIGNAL,
    FADING: DECAY_ANOMALY,
}

GROWN = 2  # times the evidence that it was noted with, before the same is noted again


class Insight(NamedTuple):
    """Something that the memory found out about itself, and what was done about it."""

    kind: str  # one of `KINDS`
    mark: str  # the rule, and a function of what it is about: the same is known again
    memories: tuple[str, ...] = ()
    tokens: tuple[str, ...] = ()  # words of prompts, and names of types, channels and projects
    evidence: Mapping[str, float] = {}
    done: str = ""
    about: str = ""  # what the memories say or are called: found again whenever it is read, and never stored
    noted: int = 0  # when, in microseconds; 0 if it has not been yet

    @property
    def rule(self) -> str:
        return self.mark.partition("-")[0]

    @property
    def weight(self) -> float:
        """The number by which it is compared with itself at another time."""
        return float(self.evidence.get(_WEIGHTS.get(self.rule, ""), 0))

    @property
    def worth(self) -> float:
        """What acting on it would change, in prompts that go better."""
        return self.weight * _CHANGES.get(self.rule, 0)

    @property
    def text(self) -> str:
        """The insight in words."""
        tell = _TEXTS.get(self.rule)
        return tell(self) if tell else f"{self.kind}: {_numbers(self.evidence)}"

    @property
    def data(self) -> Data:
        """The payload that is stored."""
        return {
            "kind": self.kind,
            "mark": self.mark,
            "memories": [*self.memories],
            "tokens": [*self.tokens],
            "evidence": dict(self.evidence),
            "done": self.done,
        }


def news(found: Iterable[Insight], known: Mapping[str, Insight]) -> list[Insight]:
    """Return the insights that have not been noted, or only with at most half the evidence."""
    return [one for one in found if one.mark not in known or one.weight >= GROWN * max(known[one.mark].weight, 1)]


def insight(
    rule: str, about: object, memories: tuple[str, ...], tokens: tuple[str, ...], evidence: Mapping[str, float]
) -> Insight:
    mark = f"{rule}-{fingerprint([rule, about]) & 0xFF_FFFF_FFFF:010x}"
    return Insight(RULES[rule], mark, memories, tokens, evidence)


def _numbers(evidence: Mapping[str, float]) -> str:
    return ", ".join(f"{name.replace('_', ' ')} {value:g}" for name, value in evidence.items())


# By which number an insight is compared with itself at another time.
_WEIGHTS = {
    NOISE: "ignored",
    STRATEGY: "recalls",
    POOR: "recalls",
    TOGETHER: "times",
    HUB: "degree",
    GAP: "prompts",
    GROUP: "members",
    FADING: "faded",
}


# What acting on an insight changes for each time that its number counts: a question without an answer costs a search,
# a memory beside the point a glance. What recall has set by itself changes nothing more.
_CHANGES = {
    GAP: 1.5,
    NOISE: 1.0,
    FADING: 1.0,
    GROUP: 0.5,
    STRATEGY: 0.5,
    POOR: 0.5,
    TOGETHER: 0.1,
    HUB: 0.1,
}


def _of(one: Insight, part: str, whole: str) -> str:
    return f"{one.evidence.get(part, 0):g} of {one.evidence.get(whole, 0):g}"


def _noise(one: Insight) -> str:
    shown, days = one.evidence.get("shown", 0), one.evidence.get("days", 0)
    was = f"it came up {shown:g} times in {days:g} days and was of no use in {_of(one, 'ignored', 'known')}"
    return f"{was} of which anything is known"


def _together(one: Insight) -> str:
    return f"these two came up together {one.evidence.get('times', 0):g} times"


def _gap(one: Insight) -> str:
    asked = f"{one.evidence.get('prompts', 0):g} prompts ({one.evidence.get('distinct', 0):g} wordings)"
    return f"nothing is known about {' '.join(joined(one.tokens))}: {asked} met with silence"


def _group(one: Insight) -> str:
    on = f" about {one.about}" if one.about else ""
    return f"{one.evidence.get('members', 0):g} memories{on} could be one"


def _fading(one: Insight) -> str:
    type, *project = one.tokens or ("",)
    where = f" of project {project[0]}" if project else ""
    back = one.evidence.get("restored", 0) + one.evidence.get("asked", 0)
    others = f"of the others {_of(one, 'others_back', 'others_faded')}"
    return f"{type} memories{where} fade too soon: {back:g} of {one.evidence.get('faded', 0):g} came back, {others}"


def _strategy(one: Insight) -> str:
    type, strategy = (*one.tokens, "", "")[:2]
    alone = " alone" if strategy in CHANNELS else ""
    helped = f"{_of(one, 'helped', 'recalls')} judged recalls helped, otherwise "
    return f"{strategy}{alone} finds what helps for {type}: {helped}{_of(one, 'others_helped', 'others_recalls')}"


def _poor(one: Insight) -> str:
    helped = f"{_of(one, 'helped', 'recalls')} judged recalls helped, of the others "
    return f"little is found for {' '.join(one.tokens)}: {helped}{_of(one, 'others_helped', 'others_recalls')}"


def _weight(one: Insight) -> str:
    channel, type, *project = (*one.tokens, "", "")[:3]
    where = f" in project {project[0]}" if project and project[0] else ""
    shares = f"{one.evidence.get('now', 0):.0%} of the whole instead of {one.evidence.get('before', 0):.0%}"
    queries = one.evidence.get("queries", 0)
    learned = f", as {queries:g} answered recalls have taught" if queries else ""
    return f"{channel} counts {shares} for {type}{where}{learned}"


def _hub(one: Insight) -> str:
    related = f"is related to {one.evidence.get('degree', 0):g} others"
    typical = f"19 of 20 entities there to at most {one.evidence.get('others', 0):g}"
    return f"{one.about or 'one entity'} {related}, {typical}: it says little, and could be split"


_TEXTS: dict[str, Callable[[Insight], str]] = {
    NOISE: _noise,
    STRATEGY: _strategy,
    POOR: _poor,
    WEIGHT: _weight,
    TOGETHER: _together,
    HUB: _hub,
    GAP: _gap,
    GROUP: _group,
    FADING: _fading,
}
