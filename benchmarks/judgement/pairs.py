"""Learn whether a new statement replaces, contradicts or repeats an old memory, or leaves it alone.

Beside the labelled pairs of each author, what such pairs lack is made of them and of the lives: a correction beside a
memory that it does not mean, and a sentence of plain work beside the memories that are nearest to it. `changes` holds
many ways to say that something changed, or only seems to. They were written for this by somebody who knew the judge,
so that they are learned from, and never measured.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import numpy

from benchmarks.judgement import labels
from benchmarks.judgement.fit import Fitted, Numbers, Row, figures, fit_some, floor_for, pack
from treering.evolve.same import SAME as ALIKE
from treering.evolve.same import likeness
from treering.judge.model import load
from treering.judge.pairs import (
    APART,
    CLASH,
    CONTRADICTS,
    HEARD,
    LEARNED,
    PAIRS,
    PASSING,
    REPLACES,
    SAME,
    TOLD,
    combined,
    compared,
    features,
    judge,
)
from treering.judge.senses import embedder
from treering.judge.sentences import KEEP, LIKELY
from treering.judge.sentences import judge as judge_worth
from treering.text.sentences import sentences
from treering.truth.claims import MEANT
from treering.truth.compare import likest, may_clash

ROOT = Path(__file__).parents[2]
TALK = "talk"  # a sentence of work beside a memory: it replaces nothing, and nobody says whether it repeats it
CHANGES = Path(__file__).parent / "changes"
MADE = "made"  # a pair of `changes`
BITS = 17
LOOSE = 0.15  # chosen on authors that were left out, as the weights below
RIGHT = 0.9  # precision from the floors on
LEAST = 0.5  # what is less likely than not is never acted upon
ALARMS = {HEARD: 2 / 1_000, CLASH: 4 / 1_000}  # in turns of lives; what is told to the memory itself is no talk
_BESIDE = 3  # memories beside which a statement is put
_ALIKE = 0.7  # from this likeness on another memory may be of the same fact
_SHORT = 8  # characters of a sentence that says nothing
# What a case weighs, by where it comes from and the label that is learned; an author's own counts 1.
WEIGHTS: dict[str, dict[str, float]] = {
    REPLACES: {MADE: 1.0, "life": 1.0, TALK: 0.02, "cross": 0.1, "gist": 0.3},
    CLASH: {MADE: 1.0, "life": 1.0, TALK: 0.02, "cross": 0.1, "gist": 0.3, "told": 0.5, "twice": 0.2},
    PASSING: {MADE: 1.0, "life": 1.0, TALK: 0.3, "cross": 0.5, "gist": 0.3},
    SAME: {MADE: 1.0, "life": 0.5, TALK: 0.02, "cross": 0.1, "gist": 0.3, "told": 0.3, "twice": 0.5},
}
_RIGHT_ONES = {REPLACES: {REPLACES}, PASSING: {REPLACES}, CLASH: {REPLACES, CONTRADICTS, CLASH}, SAME: {SAME}}


class Case(NamedTuple):
    source: str
    old: str
    new: str
    label: str
    sort: str = ""  # where it comes from; nothing for an author's own
    turn: int = 0  # of a life


def cases(*, last: bool = False) -> list[Case]:
    """Return every labelled pair, and what is made of them: for training, or for the last measurement."""
    own = [Case(source, row["old"], row["new"], row["label"]) for source, row in labels.rows("pairs", last=last)]
    made = [*crossed(own), *lived(last=last)]
    return [*own, *made] if last else [*own, *made, *changes(), *told(), *twice()]


def changes() -> Iterator[Case]:
    """Yield the pairs that were written to learn from: a line with a memory, and lines with what is said of it."""
    marks = {">": REPLACES, "?": CONTRADICTS, "=": SAME, "-": APART}
    for path in sorted(CHANGES.glob("*.txt")):
        old = ""
        for line in path.read_text("utf-8").splitlines():
            mark, _, text = line.partition(" ")
            if mark == "@":
                old = text
            elif mark in marks:
                yield Case(path.stem, old, text, marks[mark], MADE)


def crossed(own: Sequence[Case]) -> Iterator[Case]:
    """Yield each correction beside the nearest memories that it does not mean."""
    for _, batch in groupby(own, key=lambda case: case.source):
        known = [*batch]
        olds = [case.old for case in known]
        vectors = embedder().embed(olds)
        for at, case in enumerate(known):
            if case.label not in (REPLACES, CONTRADICTS):
                continue
            other = vectors @ vectors[at] < _ALIKE
            near = [olds[place] for place in likest(case.new, olds) if other[place]][:_BESIDE]
            yield from (case._replace(old=old, label=APART, sort="cross") for old in near)


def lived(*, last: bool = False) -> Iterator[Case]:
    """Yield each sentence of a life beside the nearest facts that were told before."""
    for path in sorted(labels.LIVES.glob("*.json")):
        life = json.loads(path.read_text("utf-8"))
        if (life["id"] in labels.LAST) is last:
            yield from _of_life(life["id"], [turn for session in life["sessions"] for turn in session["turns"]])


def _of_life(source: str, turns: Sequence[Mapping[str, Any]]) -> Iterator[Case]:
    texts: list[str] = []
    facts: list[set[str]] = []
    gists: dict[str, str] = {}
    before = ""
    for number, turn in enumerate(turns):
        kept = turn.get("keep") or []
        known = sentences(str(turn["user"]))
        worth = [judge_worth(known, at, before).worth for at in range(len(known))]
        before = str(turn.get("agent", ""))
        said_now = [(one.text, worth) for one, worth in zip(known, worth, strict=True) if not one.pasted]
        changed = {fact["replaces"] for fact in kept if fact.get("replaces")}
        for (text, likely), held in zip(said_now, _holding([text for text, _ in said_now], kept), strict=True):
            replaced = {fact["replaces"] for fact in held if fact.get("replaces")}
            meant = [at for at, ids in enumerate(facts) if ids & replaced and texts[at] != text]
            yield from (Case(source, texts[at], text, REPLACES, "life", number) for at in meant)
            near = likest(text, texts)[:_BESIDE] if len(text) >= _SHORT and likely >= _worth() else []
            # Another sentence of the turn says what replaces it: then this one may well be about it.
            apart = [at for at in near if not facts[at] & changed and texts[at] != text]
            yield from (Case(source, texts[at], text, TALK, TALK, number) for at in apart)
            for fact in held:
                if fact.get("replaces") in gists:
                    yield Case(source, gists[fact["replaces"]], fact["gist"], REPLACES, "gist", number)
                    yield Case(source, gists[fact["replaces"]], text, REPLACES, "gist", number)
                gists[fact["id"]] = fact["gist"]
            if any(not fact.get("may") for fact in held):
                texts.append(text)
                facts.append({fact["id"] for fact in held})


def _worth() -> float:
    """Return how likely a sentence must be worth keeping to be compared: what is not captured replaces nothing. The
    weights have seen most of these lives, so that half of what is demanded of others is enough."""
    return load(KEEP).floors[LIKELY] / 2


def _holding(texts: Sequence[str], facts: Sequence[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """Return for each sentence the facts whose strings it holds: all of them, or else any."""
    held: list[list[dict[str, Any]]] = [[] for _ in texts]
    lower = [text.lower() for text in texts]
    for fact in facts:
        must = [str(one) for one in fact["must"]]
        whole = [at for at, text in enumerate(lower) if all(one in text for one in must)]
        part = [at for at, text in enumerate(lower) if any(one in text for one in must)]
        for at in whole[:1] or part:
            held[at].append(fact)
    return held


def told() -> Iterator[Case]:
    """Yield the labelled contradictions: half of these pairs only look like one."""
    for line in (ROOT / "benchmarks" / "contradictions" / "pairs.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        apart = SAME if row["kind"] in ("paraphrase", "double_negation") else APART
        yield Case("told", row["a"], row["b"], CLASH if row["contradicts"] else apart, "told")


def twice() -> Iterator[Case]:
    """Yield the labelled near-duplicates."""
    for line in (ROOT / "tests" / "evolve" / "duplicates.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        yield Case("twice", row["a"], row["b"], SAME if row["same"] else "different", "twice")


@cache
def weights() -> bytes:
    """Return the weights, with floors that are chosen on sources that the weights have not seen."""
    known = cases()
    seen = [features(case.old, case.new) for case in known]
    measured = sorted({name for case in known for name in compared(case.old, case.new)})
    fitted: list[Fitted] = []
    chances: dict[str, Numbers] = {}
    for label in LEARNED:
        right = _RIGHT_ONES[label]
        rows = [
            Row(
                case.source,
                each,
                label if case.label in right else "",
                WEIGHTS[label].get(case.sort, float(not case.sort)),
            )
            for case, each in zip(known, seen, strict=True)
        ]
        one, chances[label] = fit_some(rows, label, BITS, LOOSE, measured)
        fitted.append(one)
    whole = (REPLACES, CLASH, SAME)
    together = [
        {**combined(**{label: float(chances[label][at]) for label in whole}), PASSING: float(chances[PASSING][at])}
        for at in range(len(known))
    ]
    return pack(fitted, BITS, choose(known, together), 1.0)


def choose(known: Sequence[Case], chances: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Return the floors, and print what they give."""
    own = numpy.array([not case.sort for case in known])
    turns = sum(1 for _ in _turns())
    floors = {}
    for name, parts in ((HEARD, [PASSING]), (TOLD, [REPLACES]), (CLASH, [REPLACES, CONTRADICTS])):
        right = numpy.array([case.label in _RIGHT_ONES[CLASH if len(parts) > 1 else REPLACES] for case in known])
        found = chosen(known, [sum(one[label] for label in parts) for one in chances])
        alarms = sorted(_alarming(known, found).values(), reverse=True)
        quiet = alarms[int(ALARMS[name] * turns)] if name in ALARMS else 0.0
        floors[name] = max(LEAST, max(floor_for(RIGHT, found[own], right[own]), quiet) + 0.0005)
        report(name, known, found, right, floors[name], turns)
    return floors


def chosen(known: Sequence[Case], chances: Sequence[float]) -> Numbers:
    """Return the probabilities as they are acted upon: two texts that are not about one thing are not compared, and of
    the memories beside a sentence one is replaced: of the two that are most about the same the likeliest."""
    found = numpy.array([chance * may_clash(case.old, case.new) for case, chance in zip(known, chances, strict=True)])
    beside: dict[tuple[str, int, str], list[int]] = {}
    for at, case in enumerate(known):
        if case.sort in ("life", TALK):
            beside.setdefault((case.source, case.turn, case.new), []).append(at)
    for places in beside.values():
        near = [places[at] for at in likest(known[places[0]].new, [known[at].old for at in places])[:MEANT]]
        found[[at for at in places if at != max(near, key=lambda at: found[at])]] = 0
    return found


def _alarming(known: Sequence[Case], chances: Numbers) -> dict[tuple[str, int], float]:
    """Return how likely a turn of talk is taken to replace something."""
    most: dict[tuple[str, int], float] = {}
    for case, chance in zip(known, chances, strict=True):
        if case.sort == TALK:
            most[case.source, case.turn] = max(most.get((case.source, case.turn), 0.0), float(chance))
    return most


def _turns(*, last: bool = False) -> Iterator[object]:
    for path in sorted(labels.LIVES.glob("*.json")):
        life = json.loads(path.read_text("utf-8"))
        if (life["id"] in labels.LAST) is last:
            yield from (turn for session in life["sessions"] for turn in session["turns"])


def report(label: str, known: Sequence[Case], chances: Numbers, right: Numbers, floor: float, turns: int) -> None:
    """Print precision and recall of the labelled pairs, what is found in lives, and the alarms."""
    own = numpy.array([not case.sort for case in known])
    lived = numpy.array([case.sort == "life" for case in known])
    precision, recall = figures(chances[own], right[own], floor)
    alarms = [chance for chance in _alarming(known, chances).values() if chance >= floor]
    share = float((chances[lived] >= floor).mean()) if lived.any() else 0.0
    print(
        f"pairs {label} from {floor:.3f}: precision {precision:.3f} recall {recall:.3f}, "
        f"in lives {share:.3f}, alarms in 1,000 turns {1000 * len(alarms) / max(1, turns):.1f}"
    )


class Found(NamedTuple):
    """What the shipped judgement finds in pairs that neither it nor anybody who made it has read."""

    name: str
    right: int
    shown: int
    wanted: int
    of: int


def measure() -> tuple[list[Found], float]:
    """Return what is found of the authors' pairs, of the lives, and the false alarms in 1,000 turns of lives."""
    known = cases(last=True)
    verdicts = [judge(case.old, case.new) for case in known]
    floors = load(PAIRS).floors
    replaced = chosen(known, [one.chances[REPLACES] for one in verdicts])
    passing = chosen(known, [one.passing for one in verdicts])
    clash = chosen(known, [one.clash for one in verdicts])
    own = numpy.array([not case.sort for case in known])
    lived = [at for at, case in enumerate(known) if case.sort in ("life", TALK)]
    told = [known[at].label for at in numpy.flatnonzero(own & (replaced >= floors[TOLD]))]
    heard = [known[at].label for at in numpy.flatnonzero(own & (passing >= floors[HEARD]))]
    clashing = [known[at].label for at in numpy.flatnonzero(own & (clash >= floors[CLASH]))]
    pairs = [case for case in known if not case.sort]
    alike = [case.label for case in pairs if likeness(case.old, case.new, 0.0).score > ALIKE]
    in_lives = [known[at].label for at in lived if passing[at] >= floors[HEARD]]
    alarms = [chance for chance in _alarming(known, passing).values() if chance >= floors[HEARD]]
    every = [case.label for case in pairs]
    return [
        _found("replaces an older one", told, every, _RIGHT_ONES[REPLACES]),
        _found("replaces, said in passing", heard, every, _RIGHT_ONES[REPLACES]),
        _found("replaces or contradicts", clashing, every, _RIGHT_ONES[CLASH]),
        _found("the same (by rules)", alike, every, _RIGHT_ONES[SAME]),
        _found("replaces, in lives", in_lives, [known[at].label for at in lived], {REPLACES}),
    ], 1000 * len(alarms) / max(1, sum(1 for _ in _turns(last=True)))


def _found(name: str, shown: Sequence[str], every: Sequence[str], right: set[str]) -> Found:
    return Found(
        name, sum(label in right for label in shown), len(shown), sum(label in right for label in every), len(every)
    )
