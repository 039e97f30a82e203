"""When the steps of looking after a memory are due: by the sessions that have ended since each was last taken."""

from __future__ import annotations

from treering.core.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from treering.core.events import Data

SECOND = 1_000_000  # microseconds
BY_HAND, SESSION, FIVE, TWENTY = "by_hand", "session", "five", "twenty"
# Episodes are summed up before hygiene archives those that nobody used.
EPISODES, HYGIENE, TO_PROJECT, TO_USER, GRAPH, CONTRADICTIONS, WEIGHTS, REFLECTION = STEPS = (
    "episodes",
    "hygiene",
    "to_project",
    "to_user",
    "graph",
    "contradictions",
    "weights",
    "reflection",
)
EVERY = {SESSION: 1, FIVE: 5, TWENTY: 20}  # sessions
BUDGETS = {SESSION: 30, FIVE: 120, TWENTY: 300}  # seconds; by hand there is no end but the work's
# The steps that each occasion is for. Those of a rarer one come on top of the more frequent ones. Hygiene is none of
# them: whatever ends a session runs it.
_TAKEN = {
    SESSION: (EPISODES, TO_PROJECT, TO_USER),
    FIVE: (EPISODES, GRAPH, CONTRADICTIONS),
    TWENTY: (WEIGHTS, REFLECTION),
}
FEW_GROUPS = 5  # that are summed up at the end of a session: the rest waits for the fifth


class Last(NamedTuple):
    """When a step was last taken."""

    sessions: int = 0  # that had ended by then
    finished: bool = True


class Due(NamedTuple):
    """What is due: the occasion, the steps in their order, and the seconds that they may take."""

    trigger: str
    steps: tuple[str, ...]
    budget: int
    again: bool = False  # some of it was begun and not finished


NOTHING = Due("", (), 0)


def last_taken(runs: Iterable[Data]) -> dict[tuple[str, str], Last]:
    """For each occasion and step, when it was last taken; the runs are in the order of time."""
    found: dict[tuple[str, str], Last] = {}
    for run in runs:
        for step in run["steps"]:
            for occasion in _occasions(run["trigger"]):
                if step["step"] in _TAKEN[occasion]:
                    found[occasion, step["step"]] = Last(run["sessions"], bool(step["finished"]))
    return found


def _occasions(trigger: str) -> tuple[str, ...]:
    """A run counts for its own occasion and for those that come more often; one by hand for all."""
    if trigger not in EVERY:
        return tuple(EVERY)
    return tuple(name for name, every in EVERY.items() if every <= EVERY[trigger])


def due(sessions: int, taken: Mapping[tuple[str, str], Last]) -> Due:
    """What is due after so many sessions. A step that was not finished is due again."""
    occasions = [
        occasion
        for occasion, every in EVERY.items()
        if any(_is_due(taken.get((occasion, step), Last()), sessions, every) for step in _TAKEN[occasion])
    ]
    if not occasions:
        return NOTHING
    rarest = occasions[-1]
    wanted = {
        step
        for occasion in occasions
        for step in _TAKEN[occasion]
        if _is_due(taken.get((occasion, step), Last()), sessions, EVERY[occasion])
    }
    again = any(not taken.get((occasion, step), Last()).finished for occasion in occasions for step in wanted)
    return Due(rarest, tuple(step for step in STEPS if step in wanted), BUDGETS[rarest], again)


def _is_due(last: Last, sessions: int, every: int) -> bool:
    return not last.finished or sessions - last.sessions >= every
