"""Labelled sessions read, caught and judged."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from benchmarks import report
from benchmarks.capture.judging import KINDS, Count, Verdict, episodes, judge, merged, total
from treering.capture.sift import catch, episode
from treering.capture.transcript import read

CASES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "cases")
LABELS = "labels.json"
EPISODE = "episode"
ALL = "all but episodes"

_HEADINGS = ("cases", "kind", "right", "wrong", "missed", "either way", "precision", "recall")


class Judged(NamedTuple):
    name: str
    verdict: Verdict
    episode: Count
    told: str  # the episode that was found


class Score(NamedTuple):
    """A row of the table."""

    cases: str
    kind: str
    counted: Count


def judged(folder: str) -> list[Judged]:
    """Every labelled session of a folder."""
    with open(os.path.join(folder, LABELS), encoding="utf-8") as file:
        labels: dict[str, Any] = json.load(file)
    return [_session(folder, name, label) for name, label in sorted(labels.items())]


def _session(folder: str, name: str, label: dict[str, Any]) -> Judged:
    turns = read(os.path.join(folder, f"{name}.jsonl")).turns
    found = [each._asdict() for each in catch(turns)]
    whole = episode(turns)
    told = [whole._asdict()] if whole else []
    return Judged(name, judge(found, label), episodes(told, label), whole.content if whole else "")


def scores(cases: str, sessions: Sequence[Judged]) -> list[Score]:
    counts = merged(each.verdict for each in sessions)
    rows = [(ALL, total(counts.values())), *((kind, counts.get(kind, Count())) for kind in KINDS)]
    return [Score(cases, *row) for row in (*rows, (EPISODE, total(each.episode for each in sessions)))]


def table(rows: Iterable[Score]) -> str:
    return report.lines(_HEADINGS, map(_cells, rows), texts=2)


def _cells(row: Score) -> tuple[str, ...]:
    shares = ("" if share is None else f"{share:.3f}" for share in (row.counted.precision, row.counted.recall))
    return (row.cases, row.kind, *map(str, row.counted), *shares)


def mistakes(sessions: Iterable[Judged]) -> Iterable[str]:
    """What was wrong and what was missed, a line each."""
    for each in sessions:
        for found, why in each.verdict.wrong:
            yield f"{each.name}: wrong {found['kind']}: {found['content']} ({why})"
        for label in each.verdict.missed:
            yield f"{each.name}: missed {label['kind']}: {label['gist']} {label['must']}"
        if each.episode.wrong or each.episode.missed:
            yield f"{each.name}: episode: {each.told or 'none'}"
