"""Record what memories earn by being shown, and read their uses off the ledger."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from treering.ledger.codec import data_of, draft
from treering.ledger.errors import InvalidInput
from treering.ledger.events import JUDGED, RECALLED, TURNED_OUT, USED, Data, Draft, Event
from treering.ledger.sessions import happened
from treering.ledger.types import Context, Memory, one_of, seen_from

VERDICTS = ("helpful", "partially_helpful", "not_helpful")
OUTCOMES = ("success", "partial", "failure")


class Rewards(NamedTuple):
    """The settings of Q: what each verdict earns, from 0 to 1, and how far Q moves."""

    # With a tenth, five bad uses bring a new memory below 0.3 and ten below 0.2: just as many as the rules ask for, so
    # that neither half of a rule waits for the other.
    q_rate: float = 0.1
    # An outcome is shared by all that was shown: half of the step, as some of it only stood by.
    outcome_weight: float = 0.5
    # What is read off the next answer is a guess, and a wrong one must not undo what somebody said.
    implicit_weight: float = 0.3
    reward_helpful: float = 1.0
    reward_partially_helpful: float = 0.5  # as good as a memory of which nothing is known
    reward_not_helpful: float = 0.0
    reward_success: float = 1.0
    reward_partial: float = 0.5
    reward_failure: float = 0.0

    def of(self, verdict: str) -> float:
        earned: float = getattr(self, f"reward_{verdict}")
        return earned


SIGNALS = ("referenced", "succeeded", "failed", "contradicted")  # what followed, as far as it can be read
EXPLICIT, OUTCOME, IMPLICIT = "explicit", "outcome", "implicit"
STRONGEST = (EXPLICIT, OUTCOME, IMPLICIT)  # whose word counts where several have spoken of one use

GOOD = ("helpful", "success", "succeeded", "referenced")
BAD = ("not_helpful", "failure", "failed", "contradicted")


def judge(
    memory: Memory,
    recall: Event,
    verdict: str,
    rewards: Rewards,
    context: Context,
    note: str = "",
    weaker: Event | None = None,
) -> Draft:
    """Record a verdict on a memory that a recall has shown. It replaces a weaker judgement."""
    one_of("verdict", verdict, VERDICTS)
    data = {"verdict": verdict, "by": EXPLICIT, "reward": rewards.of(verdict), "rate": rewards.q_rate}
    data |= ({"note": note} if note else {}) | _instead(weaker)
    return _judged(memory, recall, data, context)


def credit(
    memory: Memory,
    recall: Event,
    outcome: str,
    rewards: Rewards,
    context: Context,
    cause: str,
    weaker: Event | None = None,
) -> Draft:
    """Credit an outcome to a memory that was shown, to the first rank most of all.

    With equal shares, whatever is shown often would rise with the successes of others.
    """
    rate = rewards.q_rate * rewards.outcome_weight / shown_ranks(recall).get(memory.id, 1) ** 2
    data = {"verdict": outcome, "by": OUTCOME, "reward": rewards.of(outcome), "rate": rate}
    return _judged(memory, recall, {**data, **_instead(weaker)}, context, cause)


def observe(
    memory: Memory, recall: Event, kind: str, reward: float, weight: float, rewards: Rewards, context: Context
) -> Draft:
    """Record what the events after a recall say about a memory. `weight` is how sure that is."""
    one_of("signal", kind, SIGNALS)
    rate = rewards.q_rate * rewards.implicit_weight * weight
    return _judged(memory, recall, {"verdict": kind, "by": IMPLICIT, "reward": reward, "rate": rate}, context)


def turned_out(outcome: str, context: Context, recall: str = "", session: str = "") -> Draft:
    """Record the outcome of a recall, or of a whole session."""
    one_of("outcome", outcome, OUTCOMES)
    data = {"outcome": outcome, **({"session": session} if session else {})}
    return draft(TURNED_OUT, data, context, causes=(recall,) if recall else ())


def shown_ranks(recall: Event) -> dict[str, int]:
    """Return the memories that a recall showed, with their ranks."""
    return {hit["id"]: hit["rank"] for hit in data_of(recall)[1].get("hits", ())} if recall.kind == RECALLED else {}


def _instead(weaker: Event | None) -> Data:
    """Return what a stronger judgement takes back."""
    if weaker is None:
        return {}
    data = data_of(weaker)[1]
    return {"instead_reward": data["reward"], "instead_rate": data["rate"]}


# How much of a step praise by anybody but a person makes, and how far it can raise Q: whoever praises their own texts,
# or ones from outside, proves little.
_PRAISE = {"agent": (1.0, 0.8), "external": (0.3, 0.6)}


def _weighed(memory: Memory, reward: float, rate: float, context: Context) -> tuple[float, float]:
    """Return the reward and the rate of a judgement, as far as who judges can be believed."""
    if context.actor == "user" or reward <= memory.q or memory.trust not in _PRAISE:
        return reward, rate
    share, ceiling = _PRAISE[memory.trust]
    rate *= share
    raised = memory.q + rate * (reward - memory.q)
    return (reward if raised <= ceiling else max(ceiling, memory.q)), rate


def _judged(memory: Memory, recall: Event, data: Data, context: Context, cause: str = "") -> Draft:
    if recall.kind != RECALLED or recall.space not in seen_from(context.space):
        raise InvalidInput(f"{recall.id} is no recall: `treering recall --json` names its id")
    ranks = shown_ranks(recall)
    if memory.id not in ranks:
        raise InvalidInput(
            f"recall {recall.id} did not show memory {memory.id}, so it cannot be judged by it: "
            f"it showed {', '.join(ranks) or 'nothing'}"
        )
    reward, rate = _weighed(memory, data["reward"], data["rate"], context)
    numbers = {"reward": round(float(reward), 6), "rate": round(float(rate), 6)}
    data = {"recall": recall.id, "rank": ranks[memory.id], **data, **numbers}
    causes = tuple(dict.fromkeys(filter(None, (memory.id, recall.id, cause))))
    return draft(JUDGED, data, context, memory.id, causes)


MOST_FAILURES = 20  # judgements that an action is said to rest on
TOLD = (RECALLED, JUDGED, TURNED_OUT, USED)


class Use(NamedTuple):
    """One time that a memory was used."""

    time: int
    outcome: str  # a verdict, an outcome or a signal: the strongest word on it; nothing if nobody has spoken
    context: str  # what was asked
    recall: str  # its id; nothing for a use by somebody's own account
    session: str = ""
    project: str = ""
    rank: int = 0
    by: str = ""  # explicit, outcome or implicit: whose word that is
    judgement: str = ""  # the event that says so


class Record(NamedTuple):
    """The uses of a memory, counted."""

    usage: int = 0
    good: int = 0  # judged uses that helped
    bad: int = 0  # and those that did not
    failures: tuple[str, ...] = ()  # the judgements that say so, the last ones: an action rests on them


class _Judgement(NamedTuple):
    """A judgement of one use."""

    place: int  # in `STRONGEST`
    verdict: str
    event: str


class _Judgements:
    """The strongest judgement of each use, by memory and recall; of equals the later one."""

    def __init__(self) -> None:
        self.on: dict[tuple[str, str], _Judgement] = {}

    def take(self, event: Event) -> None:
        data = data_of(event)[1]
        if data.get("by") not in STRONGEST:
            return
        key, word = (event.subject, data["recall"]), _Judgement(STRONGEST.index(data["by"]), data["verdict"], event.id)
        if key not in self.on or word.place <= self.on[key].place:
            self.on[key] = word


def uses(id: str, events: Iterable[Event]) -> list[Use]:
    """Return every use of a memory, oldest first, from events in the order of the fold."""
    found: list[Use] = []
    judgements, sessions = _Judgements(), dict[str, str]()
    for event in events:
        kind, data = data_of(event)
        if kind == JUDGED and event.subject == id:
            judgements.take(event)
        elif kind == USED and event.subject == id:
            found.append(Use(happened(event), "", "", "", event.session, event.project))
        elif kind == TURNED_OUT and data.get("session"):
            sessions[data["session"]] = data["outcome"]
        elif kind == RECALLED and (rank := shown_ranks(event).get(id)):
            found.append(Use(event.time, "", data["query"], event.id, event.session, event.project, rank))
    return [_with_outcome(use, judgements.on.get((id, use.recall)), sessions) for use in found]


def record(uses: Iterable[Use]) -> Record:
    """Count uses. Only what was said of the memory itself is good or bad."""
    all = list(uses)
    good = sum(use.outcome in GOOD for use in all if use.judgement)
    failures = [use for use in all if use.judgement and use.outcome in BAD]
    return Record(len(all), good, len(failures), tuple(use.judgement for use in failures[-MOST_FAILURES:]))


def records(events: Iterable[Event]) -> dict[str, Record]:
    """Count the uses of every memory that was ever used, in one pass."""
    counts: dict[str, int] = {}
    judgements = _Judgements()
    for event in events:
        if event.kind == RECALLED:
            for id in shown_ranks(event):
                counts[id] = counts.get(id, 0) + 1
        elif event.kind == USED:
            counts[event.subject] = counts.get(event.subject, 0) + 1
        elif event.kind == JUDGED and event.payload is not None:
            judgements.take(event)
    found = {id: Record(count) for id, count in counts.items()}
    for (id, _), word in judgements.on.items():
        known = found.get(id, Record())
        found[id] = known._replace(
            good=known.good + (word.verdict in GOOD),
            bad=known.bad + (word.verdict in BAD),
        )
    return found


def _with_outcome(use: Use, said: _Judgement | None, sessions: dict[str, str]) -> Use:
    if said is not None:
        return use._replace(outcome=said.verdict, by=STRONGEST[said.place], judgement=said.event)
    if use.session and (outcome := sessions.get(use.session)):
        return use._replace(outcome=outcome, by=OUTCOME)
    return use
