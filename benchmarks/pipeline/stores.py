"""A store with something to do for every step: notes and stories, recalls that showed them, and what was said of that.

Seven of ten memories are notes (`benchmarks.recalling.notes`): half facts, four of ten episodes, the rest processes, in
eight projects that grow with the store. Three of ten are the hand-written stories of `benchmarks.consolidation`, each
copy of them in projects of its own, so that there are groups to sum up. For ten memories there is a recall, of which
half are judged, a third of these as not helpful; for fifty, a prompt that nothing answered. Nothing is made ready: as
after an import, everything is read for the first time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random
from typing import Any

import treering
from benchmarks.consolidation.episodes import episodes
from benchmarks.recalling.notes import notes, questions
from treering.ledger import decide, usage
from treering.ledger.events import Draft
from treering.ledger.types import Context, Hit, Memory, Recall, Why
from treering.ledger.usage import Rewards
from treering.recall.query.analysis import analyse

SEED = 7
NOTES = 0.7  # the share of notes; the rest are stories
PROJECTS = 8  # of the notes, whatever their number: each grows with the store
TYPES = ("semantic",) * 5 + ("episodic",) * 4 + ("procedural",)
TO_A_RECALL, TO_A_MISS = 10, 50  # memories
TO_A_SESSION = 20  # recalls
SHOWN = 3  # memories, by each recall
PORTION = 5_000  # memories or recalls to one transaction
MATTERS = 40  # that prompts without an answer are about, at the most

_WHY = Why({}, {}, {})


def make(home: str, size: int) -> None:
    """A store of so many memories."""
    with treering.open(home) as memory:
        made: list[Memory] = []
        rows = iter(_rows(size))
        while portion := [*islice(rows, PORTION)]:
            made += memory.remember_many(portion)
        source = Random(SEED)
        asked = list(_recalls(source, made[: int(size * NOTES)], size // TO_A_RECALL))
        for start in range(0, len(asked), PORTION):
            _log(memory, source, asked[start : start + PORTION])
        misses = list(_misses(source, size // TO_A_MISS))
        memory.ledger.commit(lambda: misses)


def _rows(size: int) -> Iterator[dict[str, Any]]:
    source = Random(SEED)
    for note in notes(0, int(size * NOTES)):
        project = f"project-{int(note.session.rpartition('-')[2]) % PROJECTS}"
        yield {**note._asdict(), "type": source.choice(TYPES), "scope": "project", "project": project}
    told = episodes()
    for number in range(size - int(size * NOTES)):
        copy, place = divmod(number, len(told))
        one = told[place]
        row = {"content": one.text, "at": one.at, "session": f"{one.session}-{copy}", "type": "episodic"}
        yield {**row, "scope": "project", "project": f"{one.project}-{copy}"}


def _recalls(source: Random, made: Sequence[Memory], count: int) -> Iterator[tuple[Recall, Context]]:
    """Questions about notes: the note that answers it, and others of its project."""
    projects: dict[str, list[Memory]] = {}
    for note in made:
        projects.setdefault(note.project, []).append(note)
    for number, question in enumerate(questions(count, len(made), SEED)):
        right = made[question.note]
        others = source.sample(projects[right.project], min(SHOWN, len(projects[right.project])))
        shown = list(dict.fromkeys((right, *others)))[:SHOWN]
        if source.random() < 0.3:  # the best is not always first
            shown.reverse()
        hits = tuple(Hit(one, 1.0, _WHY) for one in shown)
        asked = Recall("", question.text, hits, analyse(question.text, 0).type, confidence=0.9)
        yield asked, Context(project=right.project, session=f"asking-{number // TO_A_SESSION}")


def _log(memory: treering.Treering, source: Random, asked: Sequence[tuple[Recall, Context]]) -> None:
    """Recalls, what they showed, and what was said of that."""
    written = memory.ledger.commit(lambda: [decide.recalled(found, SHOWN, 1_000, here) for found, here in asked])
    drafts: list[Draft] = []
    for event, (found, here) in zip(written, asked, strict=True):
        drafts += (decide.surfaced(hit.memory, rank, event.id, here) for rank, hit in enumerate(found.hits, 1))
        if source.random() < 0.5:
            judged = source.choice(found.hits).memory if source.random() < 0.3 else found.hits[0].memory
            verdict = "not_helpful" if source.random() < 1 / 3 else "helpful"
            drafts.append(usage.judge(judged, event, verdict, Rewards(), here))
    memory.ledger.commit(lambda: drafts)


def _misses(source: Random, count: int) -> Iterator[Draft]:
    """Prompts that nothing answered, some on each of a few matters."""
    words = [word for note in notes(0, 200, SEED + 1) for word in note.content.split() if word.isalpha()]
    matters = [source.sample(words, 5) for _ in range(max(1, min(MATTERS, count // 5)))]
    for number in range(count):
        prompt = f"how do we handle {' '.join(source.sample(source.choice(matters), 4))}"
        yield decide.recalled(Recall("", prompt, ()), SHOWN, 1_000, Context(session=f"missing-{number}"), missed=True)
