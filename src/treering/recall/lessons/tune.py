"""Try other settings of recall on the store's own judged recalls.

The older recalls choose, the newer ones check. A recall is replayed as if it were asked then: with
the memories that there were, their Q and uses, and without what was learned from the feedback that
judges it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from time import perf_counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from treering.ledger.ageing import strength
from treering.ledger.codec import data_of
from treering.ledger.events import JUDGED, RECALLED, WEIGHED, Data, Event
from treering.ledger.fold import apply
from treering.ledger.types import STRATEGIES, Context, Memory
from treering.ledger.usage import EXPLICIT, IMPLICIT
from treering.recall.candidates import Ask
from treering.recall.lessons.trials import (
    BETWEEN,
    DEPTH,
    FIT,
    LADDERS,
    LEAST,
    LEAST_GAIN,
    Setting,
    Tuning,
    cost,
    search,
    worth,
)
from treering.recall.query.analysis import analyse
from treering.recall.ranking import NEUTRAL_Q
from treering.recall.recaller import Answer
from treering.recall.recalls import Recalls, filter_of
from treering.recall.scoring import Mix, mixed
from treering.stores.port.ledger import EventQuery, Reader

Worths = NDArray[np.float64]

MOST = 600  # recalls, the newest that were judged: so many tell a gain of two points from chance
KEPT = 0.25  # of the budget, for the newer recalls: they are asked about three settings, and the older ones about many
SAMPLES = 2000  # of the bootstrap: a bound then moves by less than its third digit
_UP = "the time was up before anything better was found and checked"
_SEED = 7  # so that the same recalls always say the same
_BY = (EXPLICIT, IMPLICIT)  # whose word counts, strongest first. What came of it all falls on all that was shown alike


class Trial(NamedTuple):
    """A past recall, and what the memories that it showed had earned by it."""

    ask: Ask
    clock: int
    sure: float  # how sure it was of its answer
    rewards: Mapping[str, float]


class Place(NamedTuple):
    """A memory in a replayed answer, as it was then."""

    memory: Memory
    score: float
    older_than: str


def tune(
    store: Reader,
    recalling: Recalls,
    context: Context,
    budget: float,
    progress: Callable[[int], None] = lambda done: None,
) -> Tuning:
    """Look for a better setting for a project, or for the whole space, within a budget in seconds."""
    began = perf_counter()
    trials = judged(store, context)
    places = {trial.ask.context.project for trial in trials}
    if len(places) == 1:  # what one project asked says nothing of the others
        context = context._replace(project=places.pop())
    cut = round(len(trials) * FIT)
    fit, held = trials[:cut], trials[cut:]
    if min(len(fit), len(held)) < LEAST:
        least = round(LEAST / min(FIT, 1 - FIT) + 0.5)
        few = f"{len(trials)} recalls have been judged, and less than {least} tell nothing from chance"
        took = perf_counter() - began
        return Tuning(fit=len(fit), held=len(held), took=took, nothing=few, project=context.project)
    replays = Replays(store, recalling, context)
    replays.until, replays.progress = began + (1 - KEPT) * budget, progress
    path = search(replays.current, replays.others, lambda setting: replays.worths(setting, fit))
    stopped, replays.until = replays.stopped, began + budget
    found = _checked(replays, path, fit, held)
    stopped = stopped or replays.stopped
    took = perf_counter() - began
    return found._replace(tried=len(replays.tried), stopped=stopped, took=took, project=context.project)


def judged(store: Reader, context: Context) -> list[Trial]:
    """Return the judged recalls, oldest first; of those that asked the same only the last."""
    rewards = _rewards(store, context.space)
    logged = EventQuery(kinds=(RECALLED,), space=context.space, live=True, newest=True)
    found: dict[tuple[str, str], Trial] = {}
    for event in store.events(logged):
        if len(found) == MOST:
            break
        if event.id in rewards and context.project in ("", event.project):
            data = data_of(event)[1]
            if data["strategy"] == STRATEGIES[0]:
                found.setdefault((event.project, data["query"].casefold()), _trial(event, data, rewards[event.id]))
    return list(found.values())[::-1]


def _rewards(store: Reader, space: str) -> dict[str, dict[str, float]]:
    """Return what each memory earned, by recall: by the strongest judgement, and of equals the last."""
    found: dict[str, dict[str, float]] = {}
    for by in reversed(_BY):
        for event in store.events(EventQuery(kinds=(JUDGED,), space=space, live=True)):
            data = data_of(event)[1]
            if data.get("by") == by:
                found.setdefault(data["recall"], {})[event.subject] = data["reward"]
    return found


def _trial(event: Event, data: Data, rewards: Mapping[str, float]) -> Trial:
    context = Context(event.space, event.project, event.session)
    only = filter_of(data.get("only", {}), context)
    # All that it may have found: where the good ones have gone is to be seen, and silence is decided later.
    ask = Ask(analyse(data["query"], event.time), context, DEPTH, event.time, narrow=only, floor=0.0)
    return Trial(ask, event.clock, data["confidence"], rewards)


class Replays:
    """Past recalls, answered under other settings. Every answer is computed once."""

    def __init__(self, store: Reader, recalling: Recalls, context: Context) -> None:
        self._store = store
        self._recalling = recalling
        self._project = context.project
        weighed = EventQuery(kinds=(WEIGHED,), space=context.space, live=True)
        self._weighed = [data_of(event)[1] for event in store.events(weighed)]
        self._past = Past(store)
        self._answers: dict[tuple[str, int, Mix], tuple[list[Place], float]] = {}
        self.current = _setting(mixed(Mix(), self._weighed, self._project, ""))
        default = _setting(Mix())
        self.others = [default] if default != self.current else []
        self.until = 0.0  # the moment to stop
        self.stopped = False
        self.tried: set[tuple[object, ...]] = set()
        self.progress: Callable[[int], None] = lambda done: None

    def worths(self, setting: Setting, trials: Sequence[Trial]) -> Iterator[float]:
        """Yield what each answer would be worth, until the time is up."""
        mixes: dict[tuple[str, str], Mix] = {}
        for trial in trials:
            if perf_counter() > self.until:
                self.stopped = True
                return
            self.tried.add(tuple(setting.values()))
            key = (trial.ask.context.project, trial.ask.query.type)
            if key not in mixes:
                mixes[key] = self._mix(setting, *key)
            yield worth(self._answer(trial, mixes[key]), trial.rewards)
        self.progress(len(self.tried))

    def _mix(self, setting: Setting, project: str, type: str) -> Mix:
        """Return what would hold in a place under the setting: less where it has its own weights."""
        changed = {name: value for name, value in setting.items() if value != self.current[name]}
        return mixed(Mix(), [*self._weighed, {"project": self._project, "weights": changed}], project, type)

    def _answer(self, trial: Trial, mix: Mix) -> list[str] | None:
        """Return the memories in the order in which they would have been found then; None for silence."""
        found, sure = self._found(trial, _plain(mix))
        asked_to_speak = trial.sure <= float(self.current["silent"])  # or it would have stayed silent
        if sure <= mix.silent and not asked_to_speak:
            return None
        scores: dict[str, float] = {}
        for place in found:
            memory = place.memory
            by_strength = 1 + mix.strength * strength(memory, trial.ask.now, mix.pace) if mix.strength else 1.0
            score = place.score * by_strength * (1 + mix.usefulness * (memory.q - NEUTRAL_Q))
            # The newest statement of a thing stays before the older ones.
            scores[memory.id] = min(score, scores.get(place.older_than, score))
        return sorted(scores, key=scores.__getitem__, reverse=True)

    def _found(self, trial: Trial, mix: Mix) -> tuple[list[Place], float]:
        key = (trial.ask.query.text, trial.clock, mix)
        if key not in self._answers:
            (answer,) = self._recalling.replay([trial.ask._replace(mix=mix)])
            self._answers[key] = (self._past.places(answer, trial.clock), answer.confidence)
        return self._answers[key]


class Past:
    """Memories as they were at a moment."""

    def __init__(self, store: Reader) -> None:
        self._store = store
        self._lives: dict[str, tuple[list[int], list[Memory | None]]] = {}

    def places(self, answer: Answer, clock: int) -> list[Place]:
        """Return the hits that were there already, as they were."""
        self._read([hit.memory.id for hit in answer.hits])
        found = []
        for hit in answer.hits:
            clocks, states = self._lives[hit.memory.id]
            before = bisect_left(clocks, clock)
            if before and (memory := states[before - 1]) is not None:
                found.append(Place(memory, hit.score, hit.why.older_than))
        return found

    def _read(self, ids: Sequence[str]) -> None:
        missing = tuple(id for id in ids if id not in self._lives)
        self._lives.update((id, ([], [])) for id in missing)
        if not missing:
            return
        for event in self._store.events(EventQuery(subjects=missing, live=True)):
            clocks, states = self._lives[event.subject]
            clocks.append(event.clock)
            states.append(apply(states[-1] if states else None, event))


def _plain(mix: Mix) -> Mix:
    """Return the part of a setting that needs a new answer.

    Learning from feedback is switched off, as it knows the answers; Q, strength and silence are
    computed afterwards, from their values of then.
    """
    return mix._replace(
        company=0.0, lift=0.0, learned=0.0, prior=0.0, usefulness=0.0, strength=0.0, pace=1.0, silent=0.0
    )


def _setting(mix: Mix) -> Setting:
    return {name: getattr(mix, name) for name in LADDERS}


def _checked(replays: Replays, path: Sequence[Setting], fit: Sequence[Trial], held: Sequence[Trial]) -> Tuning:
    """Check the setting that the older recalls chose, and the first step towards it, on the newer.

    To check more would let chance choose. The defaults were chosen by no recall, so all of them
    check.
    """
    start = path[0]
    finals = [(path[at], held) for at in (-1, 1)[: len(path) - 1]]
    finals += [(usual, [*fit, *held]) for usual in replays.others]
    found = []
    for final, trials in finals:
        before, after = (np.array(list(replays.worths(setting, trials))) for setting in (start, final))
        if len(before) == len(after) == len(trials):
            tuning = _compared(start, final, before, after)
            found.append(tuning._replace(fit=len(fit) if trials is held else 0, held=len(trials)))
    why = _UP if replays.stopped else "of all that was tried, nothing is better"
    nothing = Tuning(cost_before=cost(start), cost_after=cost(start), fit=len(fit), held=len(held), nothing=why)
    return max(found, key=lambda one: (bool(one.weights), one.gain, -one.cost_after), default=nothing)


def _compared(start: Setting, final: Setting, before: Worths, after: Worths) -> Tuning:
    gains = after - before
    (low, high), gain = interval(gains), float(gains.mean())
    changed = {name: value for name, value in final.items() if value != start[name]}
    nothing = ""
    if gain < LEAST_GAIN:
        nothing = f"the gain is {gain:+.3f}, and less than {LEAST_GAIN:g} is not worth a change"
    elif low <= 0:
        nothing = f"the gain may be chance: it lies between {low:+.3f} and {high:+.3f}"
    return Tuning(
        {} if nothing else changed,
        changed,
        {name: start[name] for name in changed},
        *(float(before.mean()), float(after.mean()), gain, low, high),
        cost_before=cost(start),
        cost_after=cost(final),
        nothing=nothing,
    )


def interval(gains: Worths) -> tuple[float, float]:
    """Return the interval of the mean, by resampling the recalls many times."""
    dice = np.random.default_rng(_SEED)
    means = gains[dice.integers(0, len(gains), (SAMPLES, len(gains)))].mean(axis=1)
    low, high = np.quantile(means, [(1 - BETWEEN) / 2, (1 + BETWEEN) / 2])
    return float(low), float(high)
