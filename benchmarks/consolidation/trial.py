"""A real store with all episodes: asked, consolidated without a model, asked again, undone, and asked once more.

All dates are moved by the same number of weeks, so that the last story ended some two weeks ago on whichever day this
runs. All come in at once, as from an import; hygiene, which would archive most of them before anybody had looked at
them, is left out, so that all that changes is consolidation's doing.
A question is asked from its project; where that meets silence, once more without it, as in `benchmarks.recall`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from time import perf_counter
from typing import NamedTuple

import treering
from benchmarks.consolidation.episodes import Episode, Question
from treering.consolidate import rules

DEPTH = 10  # what an agent reads at the most
STEPS = tuple(step for step in rules.STEPS if step != rules.HYGIENE)
PAUSE = timedelta(days=14)  # since the last episode: nobody is in the middle of it


class Shown(NamedTuple):
    """A memory of an answer."""

    id: str
    speaks_for: frozenset[str]  # ids of episodes: its own, or those that it sums up
    text: str


class Answer(NamedTuple):
    question: Question
    shown: tuple[Shown, ...]  # best first
    silent: bool


class Summary(NamedTuple):
    """A group that was found, and what it was summed up to; no text if it waits."""

    episodes: tuple[str, ...]
    text: str
    draft: bool
    flags: tuple[str, ...]


class State(NamedTuple):
    """The store at a moment."""

    answers: tuple[Answer, ...]
    memories: Mapping[str, treering.Memory]
    seconds: float  # that all questions took


class Trial(NamedTuple):
    before: State
    after: State
    undone: State
    summaries: tuple[Summary, ...]
    steps: tuple[tuple[str, float, Mapping[str, int]], ...]  # each with its seconds and counts
    seconds: float  # that consolidating took


def run(home: str, episodes: Sequence[Episode], questions: Sequence[Question], tell: Callable[[str], object]) -> Trial:
    with treering.open(home) as memory:
        ids = fill(memory, episodes)
        tell("asking before")
        before = _state(memory, questions, {id: frozenset({name}) for id, name in ids.items()})
        tell("consolidating")
        start = perf_counter()
        report = memory.maintenance.consolidate(steps=STEPS)
        seconds = perf_counter() - start
        steps = tuple((step.step, step.took / 1e6, dict(step.counts)) for step in report.steps)
        groups = memory.maintenance.groups()
        summaries = tuple(
            Summary(
                tuple(ids[id] for id in group.memories),
                memory.get(group.summary).content if group.summary else "",
                group.draft,
                tuple(group.flags),
            )
            for group in groups
        )
        known = {id: frozenset({name}) for id, name in ids.items()}
        known |= {group.summary: frozenset(ids[id] for id in group.memories) for group in groups if group.summary}
        tell("asking after")
        after = _state(memory, questions, known)
        tell("undoing")
        made = [group.summary for group in groups if group.summary]
        if made:
            memory.undo(*made, reason="the benchmark is over")
        return Trial(before, after, _state(memory, questions, known), summaries, steps, seconds)


def fill(memory: treering.Treering, episodes: Sequence[Episode]) -> dict[str, str]:
    """Remember all episodes; their names by the ids of the memories."""
    last = max(datetime.fromisoformat(episode.at) for episode in episodes)
    weeks = (datetime.now(UTC) - PAUSE - last) // timedelta(weeks=1)
    rows = [
        {
            "content": episode.text,
            "type": "episodic",
            "scope": "project",
            "project": episode.project,
            "session": episode.session,
            "at": datetime.fromisoformat(episode.at) + timedelta(weeks=weeks),
        }
        for episode in episodes
    ]
    made = memory.remember_many(rows)
    return {each.id: episode.id for each, episode in zip(made, episodes, strict=True)}


def _state(memory: treering.Treering, questions: Sequence[Question], known: Mapping[str, frozenset[str]]) -> State:
    memory.maintenance.prepare()
    start = perf_counter()
    answers = tuple(_ask(memory, question, known) for question in questions)
    seconds = perf_counter() - start
    return State(answers, {each.id: each for each in memory.list()}, seconds)


def _ask(memory: treering.Treering, question: Question, known: Mapping[str, frozenset[str]]) -> Answer:
    said = memory.recall(question.query, DEPTH, project=question.project, log=False)
    silent = said.abstained
    if silent:
        said = memory.recall(question.query, DEPTH, project=question.project, log=False, silent=False)
    shown = (hit.memory for hit in said.hits)
    return Answer(
        question, tuple(Shown(each.id, known.get(each.id, frozenset()), each.content) for each in shown), silent
    )
