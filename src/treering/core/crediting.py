"""Skills that were loaded: what they earned, and the Q that this amounts to."""

from __future__ import annotations

from treering.core.codec import data_of
from treering.core.drafts import draft
from treering.core.events import LOADED, SKILL_JUDGED
from treering.core.judging import EXPLICIT, OUTCOME
from treering.core.rewards import OUTCOMES, VERDICTS
from treering.core.signals import session_of
from treering.core.tuples import NamedTuple
from treering.core.types import one_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from treering.core.events import Data, Draft, Event
    from treering.core.rewards import Rewards
    from treering.core.types import Context


class Credit(NamedTuple):
    """How a skill has fared."""

    q: float = 0.5  # as that of a memory of which nothing is known
    loads: int = 0  # sessions, or days outside of any, that loaded it
    last: int = 0


def loaded(name: str, context: Context) -> Draft:
    """A session loaded a skill."""
    return draft(LOADED, {"name": name}, context)


def judged(name: str, verdict: str, rewards: Rewards, context: Context, load: str, note: str = "") -> Draft:
    """Somebody says of what use a skill was; or what its session led to does, which weighs less."""
    explicit = verdict in VERDICTS
    one_of("verdict", verdict, (*VERDICTS, *OUTCOMES))
    rate = rewards.q_rate * (1.0 if explicit else rewards.outcome_weight)
    data: Data = {"name": name, "verdict": verdict, "by": EXPLICIT if explicit else OUTCOME}
    data |= {"reward": float(rewards.of(verdict)), "rate": round(float(rate), 6), **({"note": note} if note else {})}
    return draft(SKILL_JUDGED, data, context, causes=(load,))


def credits(events: Iterable[Event]) -> dict[str, Credit]:
    """The credit of each skill, from its events in the order of the fold."""
    found: dict[str, Credit] = {}
    loads: dict[str, set[str]] = {}  # two machines may tell of one session
    for event in events:
        if event.payload is None:
            continue
        kind, data = data_of(event)
        known = found.get(data["name"], Credit())
        if kind == LOADED:
            sessions = loads.setdefault(data["name"], set())
            sessions.add(session_of(event))
            known = known._replace(loads=len(sessions), last=max(known.last, event.time))
        elif kind == SKILL_JUDGED:
            known = known._replace(q=known.q + data["rate"] * (data["reward"] - known.q))
        found[data["name"]] = known
    return found
