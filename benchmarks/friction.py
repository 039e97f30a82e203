"""`python -m benchmarks.friction`: what is found in transcripts of coding sessions, and which prompts ask for the same.

Labelled transcripts (`tests/skills/signals/cases`, whose page has the rules of labelling) are written to files and
read: the prompts of a person, loops of failing tries, stops with their tool and reason, and prompts of one session that
ask for the same. The sets of prompts have those of many sessions; what counts is pairs that are taken together.
`train` was read while the rules were made; `held` was not.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import combinations
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from benchmarks import report
from treering.skills.signals.alike import clusters
from treering.skills.signals.friction import read
from treering.skills.signals.loops import Loop, Prompt, Stop
from treering.text.words import substantive, tokens

CASES = os.path.join(os.path.dirname(report.HERE), "tests", "skills", "signals", "cases")
SETS = ("train", "held")
PRECISION = 0.9  # of each kind in held: a signal that is wrong costs the time of a person who reviews it

PROMPTS, LOOPS, COUNTS, STOPS = "prompts of a person", "loops", "loops, with the count of tries", "stops"
REPEATS, PAIRS = "pairs of repeated prompts in a session", "pairs of repeated prompts over sessions"
_HEADINGS = ("cases", "what", "labelled", "found", "right", "precision", "recall", f"precision ≥ {PRECISION:g}")

Bag = Counter[Hashable]


class Score(NamedTuple):
    cases: str
    what: str
    labelled: int
    found: int
    right: int

    @property
    def precision(self) -> float | None:
        return self.right / self.found if self.found else None

    @property
    def recall(self) -> float | None:
        return self.right / self.labelled if self.labelled else None

    @property
    def met(self) -> bool | None:
        return None if self.cases != "held" or self.precision is None else self.precision >= PRECISION


class Judged(NamedTuple):
    """Of one kind: what a reader labelled, and what was found."""

    what: str
    labelled: Bag
    found: Bag


def rows(name: str) -> Iterator[dict[str, Any]]:
    with open(os.path.join(CASES, f"{name}.jsonl"), encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def transcripts(name: str) -> list[Judged]:
    """All the transcripts of a set, kind by kind."""
    labelled, found = _bags(), _bags()
    with TemporaryDirectory() as folder:
        for row in rows(name):
            _label(row["name"], row["labels"], labelled)
            _find(row["name"], mined(row["lines"], folder), found)
    return [Judged(what, labelled[what], found[what]) for what in labelled]


def mined(lines: Sequence[str], folder: str) -> Sequence[object]:
    """The signals of a transcript; a last line that is no whole JSON is one that is still being written."""
    path = os.path.join(folder, "transcript.jsonl")
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        file.write("\n".join(lines) + ("\n" if _whole(lines[-1]) else ""))
    return read(path).signals


def _whole(line: str) -> bool:
    try:
        json.loads(line)
    except ValueError:
        return False
    return True


def _bags() -> dict[str, Bag]:
    return {what: Counter() for what in (PROMPTS, LOOPS, COUNTS, STOPS, REPEATS)}


def _label(case: str, labels: dict[str, Any], bags: dict[str, Bag]) -> None:
    bags[PROMPTS].update((case, each) for each in labels["prompts"])
    bags[LOOPS].update((case, each["tool"], each["first"]) for each in labels["loops"])
    bags[COUNTS].update((case, each["tool"], each["first"], each["count"]) for each in labels["loops"])
    bags[STOPS].update((case, each["kind"], each["tool"], each["reason"]) for each in labels["stops"])
    bags[REPEATS].update(_pairs(case, labels["near_duplicates"]))


def _find(case: str, signals: Iterable[object], bags: dict[str, Bag]) -> None:
    loops: dict[str, Loop] = {}  # one that has grown is told again: its last count is the one
    prompts: dict[str, Prompt] = {}
    for signal in signals:
        if isinstance(signal, Prompt):
            prompts[signal.id] = signal
            bags[PROMPTS][case, signal.id] += 1
        elif isinstance(signal, Loop):
            loops[signal.id] = signal
        elif isinstance(signal, Stop):
            bags[STOPS][case, signal.kind, signal.tool, signal.reason] += 1
    bags[LOOPS].update((case, each.tool, each.id) for each in loops.values())
    bags[COUNTS].update((case, each.tool, each.id, each.count) for each in loops.values())
    bags[REPEATS].update(_pairs(case, together([(each.id, each.text) for each in prompts.values()])))


def together(prompts: Iterable[tuple[str, str]]) -> list[list[str]]:
    """The names of prompts (a name and a text each) that are taken to ask for the same."""
    counted = [(name, text) for name, text in prompts if substantive(text)]
    groups = clusters([tokens(text) for _, text in counted])
    return [[counted[index][0] for index in group] for group in groups]


def _pairs(case: str, groups: Iterable[Sequence[str]]) -> Iterator[Hashable]:
    for group in groups:
        yield from ((case, *sorted(pair)) for pair in combinations(group, 2))


def prompts(name: str) -> Judged:
    """A set of prompts over sessions."""
    texts = list(rows(f"prompts-{name}"))
    labels: dict[str, list[str]] = {}
    for index, row in enumerate(texts):
        if row["cluster"]:
            labels.setdefault(row["cluster"], []).append(str(index))
    found = together((str(index), row["text"]) for index, row in enumerate(texts))
    return Judged(PAIRS, Counter(_pairs(name, labels.values())), Counter(_pairs(name, found)))


def score(cases: str, judged: Judged) -> Score:
    right = (judged.labelled & judged.found).total()
    return Score(cases, judged.what, judged.labelled.total(), judged.found.total(), right)


def written(scores: Iterable[Score]) -> str:
    return report.lines(_HEADINGS, map(_cells, scores), texts=2)


def _cells(row: Score) -> tuple[str, ...]:
    shares = ("" if share is None else f"{share:.3f}" for share in (row.precision, row.recall))
    goal = {None: "", True: "met", False: "**missed**"}[row.met]
    return (row.cases, row.what, *(f"{count:,}" for count in (row.labelled, row.found, row.right)), *shares, goal)


def _show(name: str, judged: Judged) -> None:
    texts = [row["text"] for row in rows(f"prompts-{name}")] if judged.what == PAIRS else []
    for verdict, bag in (("missed", judged.labelled - judged.found), ("wrong", judged.found - judged.labelled)):
        for key in bag.elements():
            parts = key[1:] if isinstance(key, tuple) and texts else key
            said = " | ".join(texts[int(part)] for part in parts) if isinstance(parts, tuple) and texts else key
            print(f"{judged.what}, {verdict}: {said}", file=sys.stderr)


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    scores = []
    for name in options.only:
        for judged in (*transcripts(name), prompts(name)):
            scores.append(score(name, judged))
            if options.show:
                _show(name, judged)
    table = written(scores)
    print(table)
    if options.save:
        os.makedirs(report.BUILD, exist_ok=True)
        shares = [{**row._asdict(), "precision": row.precision, "recall": row.recall} for row in scores]
        record = {**report.heading(), "method": (__doc__ or "").strip(), "scores": shares}
        print(f"recorded in {report.write('friction', record)}", file=sys.stderr)
        report.show_in_readme("friction", table, record)
    return 1 if any(row.met is False for row in scores) else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.friction", description="What is found in transcripts, and which prompts repeat."
    )
    parser.add_argument("--only", nargs="+", choices=SETS, default=SETS, help="only these cases")
    parser.add_argument("--show", action="store_true", help="print what was missed and what was wrong")
    parser.add_argument("--save", action="store_true", help="record the run under benchmarks/results")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
