"""Measure the shipped weights on the labels that they have never seen: `make bench-judgement`.

Nobody who made the weights, or chose a floor, has read these: the batches, lives and sessions of `labels.LAST`. One
table has a row for each thing that is demanded, what is demanded, and whether it is met.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from benchmarks import language, report
from benchmarks.graph.extraction import tallied
from benchmarks.judgement import labels, pairs, uses
from benchmarks.judgement.graph import notes
from benchmarks.judgement.labels import Prompt
from treering.graph.extract import read
from treering.judge.sentences import Verdict, judge
from treering.judge.use import IGNORED, USED
from treering.judge.use import judge as judge_use
from treering.recall.wants import wants

_OTHERS = ("de", "es", "fr")
_ROUNDS = 5  # the fastest of so many: other work of the machine only ever adds
_RELATIONS = "relations"


class Goal(NamedTuple):
    """What is demanded: at least, or at the most."""

    precision: float = 0.0
    recall: float = 0.0
    most_stored: float = 1.0  # share of all that is shown


class Share(NamedTuple):
    """How many were right of those shown, and how many were shown of those wanted."""

    name: str
    right: int
    shown: int
    wanted: int
    of: int
    goal: Goal | None = None

    @property
    def precision(self) -> float:
        return self.right / max(1, self.shown)

    @property
    def recall(self) -> float:
        return self.right / max(1, self.wanted)

    @property
    def is_met(self) -> bool:
        goal = self.goal or Goal()
        enough = self.precision >= goal.precision and self.recall >= goal.recall
        return enough and self.shown / max(1, self.of) <= goal.most_stored

    def cells(self) -> tuple[str, ...]:
        shown = f"{self.shown:,} of {self.of:,}"
        if self.goal is None:
            return self.name, f"{self.precision:.3f} / {self.recall:.3f}", shown, "", ""
        wanted = f"{self.goal.precision:g} / {self.goal.recall:g}"
        wanted = wanted if self.goal.precision else f"recall {self.goal.recall:g}, shown ≤ {self.goal.most_stored:.0%}"
        return self.name, f"{self.precision:.3f} / {self.recall:.3f}", shown, wanted, _verdict(self.is_met)


def _verdict(is_met: bool) -> str:
    return "met" if is_met else "**missed**"


def judged(prompts: Sequence[Prompt]) -> list[tuple[Verdict, bool]]:
    """Return each own sentence that careful people agree on: what is thought of it, and whether it is worth keeping."""
    return [
        (judge(one.said, at, one.before), label is not None)
        for one in prompts
        for at, label in enumerate(one.labels)
        if not one.said[at].pasted and not (label and label.may)
    ]


def kept(name: str, prompts: Sequence[Prompt], leads: Goal, stored: Goal | None = None) -> Iterator[Share]:
    """Yield what leads, and what is kept at all."""
    found = judged(prompts)
    wanted = sum(worth for _, worth in found)
    for what, chosen, goal in (
        ("leads", [worth for verdict, worth in found if verdict.leads], leads),
        ("is kept at all", [worth for verdict, worth in found if verdict.likely], stored),
    ):
        yield Share(f"{name}: what {what}", sum(chosen), len(chosen), wanted, len(found), goal)


def statements() -> Iterator[Share]:
    """Yield what is kept of prompts that nobody has read."""
    prompts = labels.prompts(last=True)
    lives = {json.loads(path.read_text("utf-8"))["id"] for path in labels.LIVES.glob("*.json")}
    english, other = Goal(0.9, 0.6), Goal(0.85, 0.4)
    yield from kept("sessions, English", [one for one in prompts if one.source == "held"], english)
    yield from kept("messages, English", [one for one in prompts if one.source.startswith("en-")], english)
    foreign = [one for one in prompts if one.source not in lives and one.language in _OTHERS]
    yield from kept("messages, German, Spanish, French", foreign, other)
    stored = Goal(recall=0.85, most_stored=0.4)
    yield from kept("lives", [one for one in prompts if one.source in lives], Goal(0.8, 0.6), stored)


def asked() -> Share:
    """Return which prompts of lives want a memory, and which of them a hook takes for such."""
    known = []
    for path in sorted(labels.LIVES.glob("*.json")):
        life = json.loads(path.read_text("utf-8"))
        if life["id"] in labels.LAST:
            turns = [turn for session in life["sessions"] for turn in session["turns"] if turn.get("probe") is not None]
            known += [(wants(turn["user"]) > 0, bool(turn["probe"]["want"])) for turn in turns]
    passed = [wanted for taken, wanted in known if taken]
    return Share("prompts that want a memory", sum(passed), len(passed), sum(wanted for _, wanted in known), len(known))


def used() -> Iterator[Share]:
    """Yield which memories are taken for used, and which for anything but ignored."""
    known = [case for case in uses.cases(last=True) if case.turn.prompt]
    found = [(judge_use(case.turn).label, case.label) for case in known]
    shown = [label for taken, label in found if taken == USED]
    wanted = sum(label == USED for _, label in found)
    yield Share("used", sum(label == USED for label in shown), len(shown), wanted, len(found), Goal(0.85, 0.5))
    shown = [label for taken, label in found if taken != IGNORED]
    wanted = sum(label != IGNORED for _, label in found)
    right = sum(label != IGNORED for label in shown)
    yield Share("used, corrected or harmful, not ignored", right, len(shown), wanted, len(found))


def related() -> Share:
    """Return which relations are read from notes."""
    known = [one.note for one in notes.labelled(last=True)]
    (tally,) = (one for one in tallied(known, [read(note.text) for note in known]) if one.what == _RELATIONS)
    score = tally.scores("")[0]
    return Share("relations (by rules)", score.right, score.found, score.labelled, score.labelled, Goal(0.8, 0.4))


def paired() -> Iterator[tuple[str, ...]]:
    """Yield what is found of pairs of an old and a new statement, and the false alarms."""
    goals = {"replaces an older one": Goal(0.9, 0.6), "the same (by rules)": Goal(0.97, 0.4)}
    found, alarms = pairs.measure()
    for one in found:
        yield Share(f"pairs: {one.name}", *one[1:], goals.get(one.name)).cells()
    yield "pairs: false alarms in 1,000 turns of lives", f"{alarms:.1f}", "", "≤ 2", _verdict(alarms <= 2)


def speed() -> tuple[str, ...]:
    """Return how many sentences are judged in a second of processor time."""
    prompts = labels.prompts(last=True)
    times = []
    for _ in range(_ROUNDS):
        began = time.process_time()
        count = len(judged(prompts))
        times.append(time.process_time() - began)
    rate = count / min(times)
    return "sentences judged in a second", f"{rate:,.0f}", "", "≥ 1,000", _verdict(rate >= 1_000)


def lines() -> tuple[str, ...]:
    """Return how much of the code is language written by hand."""
    total = sum(language.counted().values())
    return "lines of language code", f"{total:,}", "", "≤ 6,000", _verdict(total <= 6_000)


def rows() -> Iterator[tuple[str, ...]]:
    """Yield the rows of the table, each as soon as it is measured."""
    yield from (share.cells() for share in statements())
    yield from paired()
    yield from (share.cells() for share in used())
    yield related().cells()
    yield asked().cells()
    yield speed()
    yield lines()


def main() -> None:
    headings = ("on labels that the weights have not seen", "precision / recall", "shown", "demanded", "")
    print(report.lines(headings, [*rows()]), end="")


if __name__ == "__main__":
    main()
