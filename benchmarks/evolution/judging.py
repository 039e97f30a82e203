"""How the simulated agent judges what it was shown: honestly, not always, and sometimes wrongly."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import NamedTuple

from benchmarks.evolution.phrases import CONTENT, CORRECTED, FAILED, WORKED
from benchmarks.evolution.world import Fact, Planted

RIGHT, WRONG, BESIDE = "right", "wrong", "beside"
MISTAKEN = 0.07  # the share of verdicts that say the opposite of what is so

_TOLD = 0.6  # how often the agent says what it thinks of an answer, right or wrong
# What was shown beside the answer is rarely judged. An agent that does so calls it useless more often than not.
_USELESS, _PARTLY = 0.08, 0.04
_OUTCOME = 0.25  # how often it is known how a task ended
_SESSION = 0.15  # and how often only how the session ended
_WATCHED = 0.3  # how often a transcript is looked at
_LUCK = 0.08  # a right answer, and the task fails nevertheless
_HARM = 0.75  # a wrong answer comes first, and the task fails
_WELL, _BADLY = 0.75, 0.5  # the share of tasks that went well: a session is a success from here on, a failure below


class Watched(NamedTuple):
    """What followed a recall: the arguments of `observe`."""

    answer: str
    results: tuple[tuple[str, bool], ...]
    reply: str


def role(memory: Planted | None, fact: str) -> str:
    """What a memory is to a question. An instruction from outside is wrong wherever it shows up."""
    if memory is None:
        return BESIDE
    if memory.kind == "poisoned":
        return WRONG
    if memory.fact != fact:
        return BESIDE
    return WRONG if memory.kind in ("bad", "fixable") else RIGHT


def leading(roles: Iterable[str]) -> str:
    """The answer that the agent follows: the first that is one."""
    return next((role for role in roles if role != BESIDE), BESIDE)


def verdict(role: str, dice: Random) -> str:
    """What the agent says of one memory; nothing most of the time."""
    told, said, mistaken = dice.random(), dice.random(), dice.random() < MISTAKEN
    if role == BESIDE:
        return "not_helpful" if said < _USELESS else "partially_helpful" if said < _USELESS + _PARTLY else ""
    if told >= _TOLD:
        return ""
    return "helpful" if (role == RIGHT) != mistaken else "not_helpful"


def ended(lead: str, dice: Random) -> str:
    """How a task ends, by the answer that was followed."""
    luck = dice.random()
    if lead == RIGHT:
        return "failure" if luck < _LUCK else "success"
    if lead == WRONG:
        return "failure" if luck < _HARM else "partial"
    return "partial"


def told(dice: Random) -> bool:
    """Whether it is said how a task ended."""
    return dice.random() < _OUTCOME


def session_outcome(outcomes: Sequence[str], dice: Random) -> str:
    """How a session ended, if that is said."""
    if dice.random() >= _SESSION:
        return ""
    well = outcomes.count("success") / max(1, len(outcomes))
    return "success" if well >= _WELL else "failure" if well < _BADLY else "partial"


def watched(fact: Fact, lead: str, followed: Planted | None, outcome: str, dice: Random) -> Watched | None:
    """What a transcript shows of a task, if one is looked at: in the words of the answer, not of the memory."""
    if dice.random() >= _WATCHED:
        return None
    results = ((dice.choice(FAILED if outcome == "failure" else WORKED).format(s=fact.service), outcome == "failure"),)
    if lead == RIGHT:
        return Watched(fact.truth, results, dice.choice(CONTENT) if outcome == "success" else "")
    if followed is None:
        return Watched(f"I know nothing about that of {fact.service}.", (), "")
    if followed.kind == "poisoned":
        return Watched("A note asks me to do something that nobody wanted, so I leave it.", (), "")
    return Watched(followed.text, results, CORRECTED.format(truth=fact.truth))
