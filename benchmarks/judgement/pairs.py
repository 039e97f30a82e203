"""Learn whether a new statement replaces, contradicts or repeats an old memory, or leaves it alone.

Beside the labelled pairs of each author, what such pairs lack is made of them and of the lives: a correction beside a
memory that it does not mean, and a sentence of plain work beside the memories that are nearest to it.
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
from treering.judge.pairs import (
    APART,
    CLASH,
    CONTRADICTS,
    LEARNED,
    PAIRS,
    REPLACES,
    SAME,
    WORDS,
    combined,
    compared,
    is_about,
    joint,
    judge,
    wording,
)
from treering.judge.senses import embedder, rarity, said
from treering.text.sentences import sentences

ROOT = Path(__file__).parents[2]
TALK = "talk"  # a sentence of work beside a memory: it replaces nothing, and nobody says whether it repeats it
BITS = {WORDS: 16, PAIRS: 10}
LOOSE = {WORDS: 0.5, PAIRS: 3.0}  # chosen on authors that were left out, as the weights below
RIGHT = 0.9  # precision from the floors on
LEAST = 0.5  # what is less likely than not is never acted upon
ALARMS = 2 / 1_000  # turns of talk
_BESIDE = 3  # memories beside which a statement is put
_ALIKE = 0.7  # from this likeness on another memory may be of the same fact
_SHORT = 8  # characters of a sentence that says nothing
_SHARES = 0.5  # what a shared word counts beside the likeness of the whole
# What a case weighs in each step, by where it comes from and the label that is learned; an author's own counts 1. The
# first step looks at words alone: a correction beside the wrong memory would teach it that corrections are none.
WEIGHTS: dict[str, dict[str, dict[str, float]]] = {
    WORDS: {
        REPLACES: {"life": 1.0, TALK: 0.03, "gist": 0.3, "kind": 0.3},
        CLASH: {"life": 1.0, TALK: 0.03, "gist": 0.3, "told": 0.5},
        SAME: {"told": 0.3, "twice": 0.3},
    },
    PAIRS: {
        REPLACES: {"life": 1.0, TALK: 0.01, "cross": 0.1, "gist": 0.3},
        CLASH: {"life": 1.0, TALK: 0.01, "cross": 0.1, "gist": 0.3, "told": 0.5, "twice": 0.2},
        SAME: {"life": 0.5, TALK: 0.02, "cross": 0.1, "gist": 0.3, "told": 0.3, "twice": 0.5},
    },
}
_RIGHT_ONES = {REPLACES: {REPLACES}, CLASH: {REPLACES, CONTRADICTS, CLASH}, SAME: {SAME}}


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
    return [*own, *made] if last else [*own, *made, *told(), *twice(), *kinds()]


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
            near = [olds[place] for place in nearest(case.new, olds) if other[place]][:_BESIDE]
            yield from (case._replace(old=old, label=APART, sort="cross") for old in near)


def nearest(text: str, memories: Sequence[str]) -> list[int]:
    """Return the places of memories, those first that are likest to a text and share rare words with it."""
    if not memories:
        return []
    stems = said(text)
    rows = embedder().embed([text, *memories])
    shared = [sum(rarity(word) for stem, word in said(one).items() if stem in stems) for one in memories]
    return [int(at) for at in numpy.argsort(-(rows[1:] @ rows[0] + _SHARES * numpy.array(shared)), kind="stable")]


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
    for number, turn in enumerate(turns):
        kept = turn.get("keep") or []
        said_now = [one for one in sentences(str(turn["user"])) if not one.pasted]
        for text, held in _holding([one.text for one in said_now], kept):
            replaced = {fact["replaces"] for fact in held if fact.get("replaces")}
            near = nearest(text, texts)[:_BESIDE] if len(text) >= _SHORT else []
            meant = [at for at, known in enumerate(facts) if known & replaced]
            for at in dict.fromkeys([*meant, *near]):
                if texts[at] != text:
                    is_meant = at in meant
                    yield Case(
                        source, texts[at], text, REPLACES if is_meant else TALK, "life" if is_meant else TALK, number
                    )
            for fact in held:
                if fact.get("replaces") in gists:
                    yield Case(source, gists[fact["replaces"]], fact["gist"], REPLACES, "gist", number)
                    yield Case(source, gists[fact["replaces"]], text, REPLACES, "gist", number)
                gists[fact["id"]] = fact["gist"]
            if any(not fact.get("may") for fact in held):
                texts.append(text)
                facts.append({fact["id"] for fact in held})


def _holding(texts: Sequence[str], facts: Sequence[dict[str, Any]]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Yield each sentence with the facts whose strings it holds: all of them, or else any."""
    held: list[list[dict[str, Any]]] = [[] for _ in texts]
    lower = [text.lower() for text in texts]
    for fact in facts:
        must = [str(one) for one in fact["must"]]
        whole = [at for at, text in enumerate(lower) if all(one in text for one in must)]
        part = [at for at, text in enumerate(lower) if any(one in text for one in must)]
        for at in whole[:1] or part:
            held[at].append(fact)
    yield from zip(texts, held, strict=True)


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


def kinds() -> Iterator[Case]:
    """Yield every sentence alone: corrections are what announces a change."""
    for prompt in labels.prompts():
        for one, label in zip(prompt.said, prompt.labels, strict=True):
            if not one.pasted:
                yield Case(
                    prompt.source, "", one.text, REPLACES if label and label.kind == "correction" else "", "kind"
                )


def _weight(case: Case, step: str, label: str) -> float:
    return WEIGHTS[step][label].get(case.sort, 0.0) if case.sort else 1.0


def _rows(known: Sequence[Case], step: str, label: str, seen: Sequence[Mapping[str, float]]) -> list[Row]:
    right = _RIGHT_ONES[label]
    return [
        Row(case.source, features, label if case.label in right else "", _weight(case, step, label))
        for case, features in zip(known, seen, strict=True)
    ]


@cache
def weights() -> tuple[bytes, bytes]:
    """Return the weights of both steps."""
    known = cases()
    words = [wording(case.old, case.new) for case in known]
    first: list[Fitted] = []
    hints: dict[str, Numbers] = {}
    for label in LEARNED:
        fitted, chances = fit_some(_rows(known, WORDS, label, words), label, BITS[WORDS], LOOSE[WORDS])
        first.append(fitted)
        hints[label] = numpy.log(chances / (1 - chances))
    return pack(first, BITS[WORDS], {}), _second(known, hints)


def _second(known: Sequence[Case], hints: Mapping[str, Numbers]) -> bytes:
    """Return the weights of the second step, which gets what the first says of sources that it has not seen."""
    paired = [at for at, case in enumerate(known) if case.sort != "kind"]
    some = [known[at] for at in paired]
    numbers = [compared(case.old, case.new) for case in some]
    given = [{label: float(hints[label][at]) for label in LEARNED} for at in paired]
    second: list[Fitted] = []
    chances: dict[str, Numbers] = {}
    for label in LEARNED:
        seen = [joint(each, hint, label) for each, hint in zip(numbers, given, strict=True)]
        rows = _rows(some, PAIRS, label, seen)
        fitted, chances[label] = fit_some(rows, label, BITS[PAIRS], LOOSE[PAIRS], rarely=False)
        second.append(fitted)
    together = [combined(**{label: float(chances[label][at]) for label in LEARNED}) for at in range(len(some))]
    about = numpy.array([is_about(each) for each in numbers])
    return pack(second, BITS[PAIRS], choose(some, together, about), 1.0)


def choose(known: Sequence[Case], chances: Sequence[Mapping[str, float]], about: Numbers) -> dict[str, float]:
    """Return the floors, chosen on sources that the weights have not seen, and print what they give."""
    own = numpy.array([not case.sort for case in known])
    found = {label: numpy.array([chance[label] for chance in chances]) for label in (REPLACES, CONTRADICTS)}
    found[CLASH] = (found[REPLACES] + found[CONTRADICTS]) * about
    found[REPLACES] = found[REPLACES] * about
    turns = sum(1 for _ in _turns())
    floors = {}
    for label in (REPLACES, CLASH):
        right = numpy.array([case.label in _RIGHT_ONES[label] for case in known])
        floor = max(floor_for(RIGHT, found[label][own], right[own]), _quiet(known, found[label], turns))
        floors[label] = max(LEAST, floor + 0.0005)
        report(label, known, found[label], right, floors[label], turns)
    return floors


def _turns(*, last: bool = False) -> Iterator[object]:
    for path in sorted(labels.LIVES.glob("*.json")):
        life = json.loads(path.read_text("utf-8"))
        if (life["id"] in labels.LAST) is last:
            yield from (turn for session in life["sessions"] for turn in session["turns"])


def _quiet(known: Sequence[Case], chances: Numbers, turns: int) -> float:
    """Return the probability that so few turns of talk reach."""
    most: dict[tuple[str, int], float] = {}
    for case, chance in zip(known, chances, strict=True):
        if case.sort == TALK:
            most[case.source, case.turn] = max(most.get((case.source, case.turn), 0.0), float(chance))
    return sorted(most.values(), reverse=True)[int(ALARMS * turns)]


def report(label: str, known: Sequence[Case], chances: Numbers, right: Numbers, floor: float, turns: int) -> None:
    """Print precision and recall of the labelled pairs, what is found in lives, and the alarms."""
    own = numpy.array([not case.sort for case in known])
    lived = numpy.array([case.sort == "life" for case in known])
    precision, recall = figures(chances[own], right[own], floor)
    alarms = {
        (case.source, case.turn)
        for case, chance in zip(known, chances, strict=True)
        if case.sort == TALK and chance >= floor
    }
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
    own, lived = [case for case in known if not case.sort], [case for case in known if case.sort in ("life", TALK)]
    verdicts = [(judge(case.old, case.new), case.label) for case in own]
    sure = [label for verdict, label in verdicts if verdict.is_sure]
    clashing = [label for verdict, label in verdicts if verdict.clashes]
    alike = [case.label for case in own if likeness(case.old, case.new, 0.0).score > ALIKE]
    seen = [case for case in lived if judge(case.old, case.new).is_sure]
    alarms = {(case.source, case.turn) for case in seen if case.sort == TALK}
    every = [case.label for case in own]
    return [
        _found("replaces an older one", sure, every, _RIGHT_ONES[REPLACES]),
        _found("replaces or contradicts", clashing, every, _RIGHT_ONES[CLASH]),
        _found("the same (by rules)", alike, every, _RIGHT_ONES[SAME]),
        _found("replaces, in lives", [case.label for case in seen], [case.label for case in lived], {REPLACES}),
    ], 1000 * len(alarms) / max(1, sum(1 for _ in _turns(last=True)))


def _found(name: str, shown: Sequence[str], every: Sequence[str], right: set[str]) -> Found:
    return Found(
        name, sum(label in right for label in shown), len(shown), sum(label in right for label in every), len(every)
    )
