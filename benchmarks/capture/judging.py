"""What was captured from a session against what a reader of it would have kept.

A captured thing is right if it says what a label wants that nothing else has said yet: every word of `must` is in one
of its texts, and its kind is the label's, one of `also`, or of the same family: telling, correcting and preferring
are three ways to say one thing. Whatever fits no label is wrong, and so is the second thing for one label. A label
with `may` is one that readers could see either way: kept or not, it counts for nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

TOLD = frozenset({"told", "correction", "preference"})
KINDS = ("told", "correction", "preference", "fix", "decision")
EPISODE = "episode"
_TEXTS = ("content", "trigger", "action", "outcome")

Captured = Mapping[str, Any]
Label = Mapping[str, Any]


class Count(NamedTuple):
    right: int = 0
    wrong: int = 0
    missed: int = 0
    optional: int = 0

    @property
    def precision(self) -> float | None:
        return self.right / (self.right + self.wrong) if self.right + self.wrong else None

    @property
    def recall(self) -> float | None:
        return self.right / (self.right + self.missed) if self.right + self.missed else None


class Verdict(NamedTuple):
    """Counts by kind (right and missed: the label's; wrong: its own), the wrong things with why, and the missed."""

    counts: dict[str, Count]
    wrong: tuple[tuple[Captured, str], ...]
    missed: tuple[Label, ...]


def total(counts: Iterable[Count]) -> Count:
    rows = list(counts)
    return Count(*(sum(column) for column in zip(*rows, strict=True))) if rows else Count()


def merged(verdicts: Iterable[Verdict]) -> dict[str, Count]:
    """The counts of many sessions, kind by kind."""
    rows = [verdict.counts for verdict in verdicts]
    kinds = {kind for row in rows for kind in row}
    return {kind: total(row.get(kind, Count()) for row in rows) for kind in sorted(kinds)}


def fits(captured: Captured, label: Label) -> bool:
    """Whether this is the thing that the label wants, well enough said."""
    kinds = {label["kind"], *label.get("also", ())}
    family = TOLD if kinds & TOLD else frozenset[str]()
    return captured["kind"] in kinds | family and says(captured, label["must"])


def says(captured: Captured, must: Iterable[str]) -> bool:
    """Whether every word is there. Spaces and line ends count as one space: a text may be folded."""
    text = " ".join(" ".join(str(captured.get(part) or "") for part in _TEXTS).lower().split())
    return all(word in text for word in must)


def judge(captured: Sequence[Captured], labels: Label) -> Verdict:
    """Of all but the episodes, which `episodes` judges."""
    things = [each for each in captured if each["kind"] != EPISODE]
    wanted = [label for label in labels["wanted"] if not label["may"]]
    optional = [label for label in labels["wanted"] if label["may"]]
    firm = _paired(things, wanted, range(len(things)))
    loose = _paired(things, optional, [each for each in range(len(things)) if each not in firm])
    over = [things[each] for each in range(len(things)) if each not in firm and each not in loose]
    missed = [label for place, label in enumerate(wanted) if place not in firm.values()]
    right = Counter(wanted[place]["kind"] for place in firm.values())
    wrong = Counter(each["kind"] for each in over)
    lacking = Counter(label["kind"] for label in missed)
    open_ = Counter(optional[place]["kind"] for place in loose.values())
    kinds = {*right, *wrong, *lacking, *open_}
    counts = {kind: Count(right[kind], wrong[kind], lacking[kind], open_[kind]) for kind in sorted(kinds)}
    return Verdict(counts, tuple((each, _why(each, labels)) for each in over), tuple(missed))


def episodes(captured: Sequence[Captured], labels: Label) -> Count:
    """One line for a session in which something was done, none for any other."""
    found = [each for each in captured if each["kind"] == EPISODE]
    label = labels["episode"]
    right = [each for each in found if label["wanted"] and says(each, label["must"])][:1]
    wrong = len(found) - len(right)
    if label["may"]:
        return Count(wrong=max(0, len(found) - 1), optional=min(1, len(found)))
    return Count(len(right), wrong, int(label["wanted"] and not right))


def _paired(things: Sequence[Captured], labels: Sequence[Label], places: Iterable[int]) -> dict[int, int]:
    """The most pairs, thing to label: a thing that could stand for two does not take the only one of another."""
    taken: dict[int, int] = {}

    def place(thing: int, tried: set[int]) -> bool:
        for at, label in enumerate(labels):
            if at not in tried and fits(things[thing], label):
                tried.add(at)
                if at not in taken or place(taken[at], tried):
                    taken[at] = thing
                    return True
        return False

    for thing in places:
        place(thing, set())
    return {thing: at for at, thing in taken.items()}


def _why(captured: Captured, labels: Label) -> str:
    """Why a thing is wrong, as far as the labels tell."""
    if any(fits(captured, label) for label in labels["wanted"]):
        return "said twice"
    traps = (trap["why"] for trap in labels["traps"] if trap["line"] == captured.get("line"))
    return next(traps, "not labelled")
