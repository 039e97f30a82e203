"""What a memory earned by being shown: verdicts, outcomes, and how far each moves its Q."""

from __future__ import annotations

from treering.core.codec import data_of
from treering.core.drafts import draft
from treering.core.errors import InvalidInput
from treering.core.events import JUDGED, RECALLED, TURNED_OUT
from treering.core.rewards import OUTCOMES, VERDICTS
from treering.core.types import one_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from treering.core.events import Data, Draft, Event
    from treering.core.rewards import Rewards
    from treering.core.types import Context, Memory

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
    """Somebody says of what use a memory was that a recall had shown. A weaker word on that is taken back."""
    one_of("verdict", verdict, VERDICTS)
    data = {"verdict": verdict, "by": EXPLICIT, "reward": rewards.of(verdict), "rate": rewards.q_rate}
    told = {**data, **({"note": note} if note else {}), **_instead(weaker)}
    return _judged(memory, recall, told, context)


def credit(
    memory: Memory,
    recall: Event,
    outcome: str,
    rewards: Rewards,
    context: Context,
    cause: str,
    weaker: Event | None = None,
) -> Draft:
    """What came of it all falls back on a memory that was shown: on the first most of all, as what stands lower has
    mostly stood by. With the same for all, whatever is often shown rises with the successes of others."""
    rate = rewards.q_rate * rewards.outcome_weight / shown(recall).get(memory.id, 1) ** 2
    data = {"verdict": outcome, "by": OUTCOME, "reward": rewards.of(outcome), "rate": rate}
    return _judged(memory, recall, {**data, **_instead(weaker)}, context, cause)


def observe(
    memory: Memory, recall: Event, kind: str, reward: float, weight: float, rewards: Rewards, context: Context
) -> Draft:
    """What followed a recall says of what use a memory was, without anybody saying so. `weight` is how sure that is."""
    one_of("signal", kind, SIGNALS)
    rate = rewards.q_rate * rewards.implicit_weight * weight
    return _judged(memory, recall, {"verdict": kind, "by": IMPLICIT, "reward": reward, "rate": rate}, context)


def turned_out(outcome: str, context: Context, recall: str = "", session: str = "") -> Draft:
    """A recall, or a whole session, led to something."""
    one_of("outcome", outcome, OUTCOMES)
    told = {"outcome": outcome, **({"session": session} if session else {})}
    return draft(TURNED_OUT, told, context, causes=(recall,) if recall else ())


def shown(recall: Event) -> dict[str, int]:
    """The memories that a recall showed, and at which rank."""
    return {hit["id"]: hit["rank"] for hit in data_of(recall)[1].get("hits", ())} if recall.kind == RECALLED else {}


def _instead(weaker: Event | None) -> Data:
    """What a stronger word takes back."""
    if weaker is None:
        return {}
    data = data_of(weaker)[1]
    return {"instead_reward": data["reward"], "instead_rate": data["rate"]}


def _judged(memory: Memory, recall: Event, data: Data, context: Context, cause: str = "") -> Draft:
    if recall.kind != RECALLED or recall.space != context.space:
        raise InvalidInput(f"{recall.id} is no recall: `treering recall --json` names its id")
    ranks = shown(recall)
    if memory.id not in ranks:
        raise InvalidInput(
            f"recall {recall.id} did not show memory {memory.id}, so it cannot be judged by it: "
            f"it showed {', '.join(ranks) or 'nothing'}"
        )
    numbers = {name: round(float(data[name]), 6) for name in ("reward", "rate")}
    data = {"recall": recall.id, "rank": ranks[memory.id], **data, **numbers}
    causes = tuple(dict.fromkeys(filter(None, (memory.id, recall.id, cause))))
    return draft(JUDGED, data, context, memory.id, causes)
