"""Move the weights of recall by feedback: channels that tell what helped come to count more."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from math import log2
from typing import NamedTuple

from treering.ledger import decide
from treering.ledger.codec import data_of
from treering.ledger.events import JUDGED, RECALLED, WEIGHED, Data, Draft, Event
from treering.ledger.ledger import Ledger
from treering.ledger.types import CHANNELS, QUERY_TYPES, STRATEGIES, Context
from treering.ledger.usage import EXPLICIT
from treering.recall.candidates import Ask
from treering.recall.lessons.rules import ENOUGH, Case, move_weights
from treering.recall.query.analysis import analyse
from treering.recall.recaller import Answer
from treering.recall.recalls import Recalls
from treering.recall.scoring import Mix, mix_for
from treering.stores.port.ledger import EventQuery, Reader

MOST = 100  # judged recalls of a scope that are replayed, the newest: a second or two
DEPTH = 50  # hits of a replayed recall, among which what was judged is looked for
FEEDBACK = "feedback"  # what found the weights
# Replayed without what the same judgements have taught, which would speak for itself.
_UNTAUGHT: Data = {"learned": 0.0, "prior": 0.0, "company": 0.0, "usefulness": 0.0, "lift": 0.0}


class _Scope(NamedTuple):
    """The judged recalls of a project and a type of query."""

    project: str
    type: str
    recalls: list[Event]
    verdicts: dict[str, dict[str, bool]]  # by recall and memory: whether it helped
    newest: int  # clock of the last judgement


def adapt(
    ledger: Ledger,
    recalling: Recalls,
    context: Context,
    now: int,
    going: Callable[[], bool] = lambda: True,
    progress: Callable[[int], None] = lambda done: None,
) -> dict[str, int]:
    """Move the weights of each project and type of query that was judged since they last moved."""
    counts = {"queries": 0, "scopes": 0, "moved": 0, "settled": 0}
    store = ledger.store
    scopes = _scopes(store, context.space) if recalling.switches.weights else []
    for number, scope in enumerate(scopes):
        if not going():
            counts["left"] = len(scopes) - number
            break
        if _moved_at(store, context.space, scope) > scope.newest or len(scope.recalls) <= ENOUGH:
            continue
        here = context._replace(project=scope.project)
        mix = mix_for(store, here.space, scope.project, scope.type)
        replays = _Replays(recalling, scope, now)
        cases = list(replays.cases(Mix()))
        before, usual = ({name: float(getattr(one, name)) for name in CHANNELS} for one in (mix, Mix()))
        after = move_weights(before, usual, cases)
        moved: Data = dict(after.weights)
        counts["queries"] += len(cases)
        counts["scopes"] += 1
        progress(counts["queries"])
        # As everywhere: what would bury something that helped does not happen.
        if after.settled or replays.worth(mix._replace(**moved)) < replays.worth(mix):
            counts["settled"] += 1
            continue
        evidence = {name: round(gain, 4) for name, gain in after.advantage.items()}
        by = {"by": FEEDBACK, "queries": len(cases), "evidence": evidence}
        ledger.commit(partial(_weighed, after.weights, here, scope.type, by))
        counts["moved"] += 1
    return counts


class _Replays:
    """The recalls of a scope, asked again."""

    def __init__(self, recalling: Recalls, scope: _Scope, now: int) -> None:
        self._recalling = recalling
        self._scope = scope
        self._now = now

    def cases(self, mix: Mix) -> Iterator[Case]:
        """Yield what each channel gave to what helped and to what did not, where both are found."""
        for event, answer in self._answers(mix):
            shares: dict[bool, list[dict[str, float]]] = {True: [], False: []}
            for hit in answer.hits:
                if (good := self._scope.verdicts[event.id].get(hit.memory.id)) is not None:
                    parts = hit.why.parts
                    shares[good].append({name: parts.get(name, 0.0) / getattr(mix, name) for name in CHANNELS})
            if shares[True] and shares[False]:
                yield Case(_mean(shares[True]), _mean(shares[False]))

    def worth(self, mix: Mix) -> float:
        """Return how high what helped stands, discounted as in nDCG."""
        return sum(
            1 / log2(1 + rank)
            for event, answer in self._answers(mix)
            for rank, hit in enumerate(answer.hits, 1)
            if self._scope.verdicts[event.id].get(hit.memory.id)
        )

    def _answers(self, mix: Mix) -> Iterator[tuple[Event, Answer]]:
        plain = mix._replace(**_UNTAUGHT)
        return zip(self._scope.recalls, self._recalling.replay(self._asks(plain)), strict=True)

    def _asks(self, mix: Mix) -> Iterator[Ask]:
        for event in self._scope.recalls:
            here = Context(event.space, event.project, event.session)
            query = analyse(data_of(event)[1]["query"], event.time)
            yield Ask(query, here, DEPTH, self._now, floor=0.0, mix=mix)


def _scopes(store: Reader, space: str) -> list[_Scope]:
    """Return the newest explicitly judged hybrid recalls, by project and type of query."""
    verdicts: dict[str, dict[str, bool]] = {}
    clocks: dict[str, int] = {}
    for event in store.events(EventQuery(kinds=(JUDGED,), space=space, live=True)):
        data = data_of(event)[1] if event.payload is not None else {}
        if data.get("by") == EXPLICIT and data["reward"] != 0.5:
            verdicts.setdefault(data["recall"], {})[event.subject] = data["reward"] > 0.5
            clocks[data["recall"]] = event.clock
    found: dict[tuple[str, str], list[Event]] = {}
    for event in store.events(EventQuery(ids=tuple(verdicts), kinds=(RECALLED,), live=True)):
        data = data_of(event)[1]
        if data["strategy"] == STRATEGIES[0] and data["type"] in QUERY_TYPES and "only" not in data:
            found.setdefault((event.project, data["type"]), []).append(event)
    return [
        _Scope(*key, recalls[-MOST:], verdicts, max(clocks[event.id] for event in recalls))
        for key, recalls in sorted(found.items())
    ]


def _moved_at(store: Reader, space: str, scope: _Scope) -> int:
    """Return when feedback last moved the weights of a scope; 0 for never."""
    for event in store.events(EventQuery(kinds=(WEIGHED,), space=space, live=True, newest=True)):
        data = data_of(event)[1]
        if (data.get("project", ""), data.get("type", ""), data.get("by")) == (scope.project, scope.type, FEEDBACK):
            return event.clock
    return 0


def _weighed(weights: Mapping[str, float], here: Context, type: str, by: Data) -> list[Draft]:
    return [decide.weigh(weights, here, type, **by)]


def _mean(rows: Sequence[Mapping[str, float]]) -> dict[str, float]:
    return {name: sum(row[name] for row in rows) / len(rows) for name in CHANNELS}
