"""Learn what became of a memory that was shown: cases, those that are made of them, and the weights.

Labelled are a memory, a prompt, the answer and the next message. What such cases lack is made of them: a next
message that is only the next request, a memory that was shown beside, and one that was repeated for nothing.
These weigh little. Pairs of an old and a new statement tell how people take something back.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy

from benchmarks.judgement import labels
from benchmarks.judgement.fit import Fitted, Numbers, Row, figures, fit, floor_for, pack
from treering.judge.use import (
    BLIND,
    CORRECTED,
    FAILED,
    HARMFUL,
    IGNORED,
    RESTS,
    USED,
    WORKED,
    WRONG,
    Turn,
    combined,
    features,
)
from treering.models.embed.static import StaticEmbedder

CASES = Path(__file__).parents[2] / "tests" / "evolve" / "cases"
BITS = 15
LOOSE = {RESTS: 1.0, WRONG: 1.0, FAILED: 0.3, WORKED: 1.0}  # chosen on sources that were left out, as what follows
MADE = 0.15  # what a case weighs that was made of others
NEXT = 0.5  # and one whose next message is any other: at work nearly all are
NEXT_ENDED = 0.03  # the same, where it is asked how it ended: there are many of them, and few that failed
PAIR = 0.3  # and a pair of statements
RIGHT = {
    USED: 0.85,
    CORRECTED: 0.92,
    HARMFUL: 0.92,
    WORKED: 0.9,
}  # precision from the floors on: a wrong blame is worse than none
LEAST = 0.5  # what is less likely than not is never acted upon
_BESIDE = 7  # places from a memory to the one that stands for one shown beside it
_NEAR = 2  # the rank of the prompt that comes next, by how near it is: nearer ones ask about the memory itself
_LATER = 4  # messages that come next, for each case
_PARTS = 4  # of the cases whose prompts nobody knows: weights that have met none of these cannot judge them
_LABELS = {"referenced": USED, "succeeded": USED, "contradicted": CORRECTED, "failed": HARMFUL, "ignored": IGNORED}


class Case(NamedTuple):
    source: str
    turn: Turn
    label: str
    weight: float = 1.0
    worked: bool | None = None  # whether it ended well, where that is known


def cases(*, last: bool = False) -> list[Case]:
    """Return every labelled case: those for training, or those for the last measurement."""
    found = [
        Case(source, Turn(row["memory"], row["prompt"], row["answer"], (), row["next"]), row["label"])
        for source, row in labels.rows("uses", last=last)
    ]
    return [*found, *_observed(last)]


def _observed(last: bool) -> Iterator[Case]:
    """Yield the cases of `benchmarks.implicit`, whose prompts nobody knows."""
    for path in (path for path in sorted(CASES.glob("*.jsonl")) if (path.stem in labels.LAST) is last):
        for number, line in enumerate(path.read_text("utf-8").splitlines()):
            row = json.loads(line)
            results = [(result["text"], result["failed"]) for result in row["results"]]
            for shown in row["shown"]:
                others = [one["content"] for one in row["shown"] if one is not shown]
                turn = Turn(shown["content"], "", row["answer"], results, row["reply"], others)
                label = row["labels"][shown["id"]]
                worked = label == "succeeded" if _LABELS[label] == USED else None
                yield Case(f"{path.stem} {number % _PARTS}", turn, _LABELS[label], worked=worked)


def beside(known: Sequence[Case]) -> Iterator[Case]:
    """Yield cases with a memory that was shown beside, or that was repeated for nothing."""
    for batch in _batches(known):
        for at, case in enumerate(batch):
            memory, turn = batch[(at + _BESIDE) % len(batch)].turn.memory, case.turn
            repeated = turn._replace(answer=f"{turn.memory}\n{turn.answer}")
            turn = repeated if case.label == IGNORED else turn._replace(memory=memory)
            yield case._replace(turn=turn, label=IGNORED, weight=MADE)


def later(known: Sequence[Case]) -> Iterator[Case]:
    """Yield cases whose next message is another of the same person, on whatever comes next."""
    messages: dict[str, list[str]] = {}
    for source, row in labels.rows("messages"):
        messages.setdefault(source, []).append(row["text"])
    embed = StaticEmbedder().embed
    for batch in _batches(known):
        prompts, texts = [case.turn.prompt for case in batch], messages[batch[0].source]
        near = embed([case.turn.memory for case in batch]) @ embed(prompts).T
        for at, case in enumerate(batch):
            if case.label in (USED, IGNORED):
                asked = prompts[int(numpy.argsort(-near[at], kind="stable")[_NEAR])]
                others = [texts[(_LATER * at + step) % len(texts)] for step in range(_LATER)]
                yield from (
                    case._replace(turn=case.turn._replace(reply=text), weight=NEXT) for text in (asked, *others)
                )


def _batches(known: Sequence[Case]) -> Iterator[list[Case]]:
    """Yield the cases of each batch, where the prompt is known."""
    for source in sorted({case.source for case in known if case.turn.prompt}):
        yield [case for case in known if case.source == source]


def corrections() -> Iterator[Case]:
    """Yield the pairs of an old and a new statement, of those who also wrote uses: others put a change into a request,
    and with those half as many corrections are found."""
    sources = {source for source, _ in labels.rows("uses")}
    for source, row in labels.rows("pairs"):
        if source in sources:
            label = CORRECTED if row["label"] == "replaces" else IGNORED
            yield Case(source, Turn(row["old"], reply=row["new"]), label, PAIR)


def weights() -> bytes:
    """Return the weights that tell what became of a memory."""
    known = cases()
    every = [*known, *later(known), *beside(known)]
    worked = [case for case in known if case.worked is not None]
    shown = [case if case.weight != NEXT else case._replace(weight=0.0) for case in every]
    rests, resting = _fit(shown, RESTS, [case.label != IGNORED for case in every])
    paired = [*every, *corrections()]
    wrong, wronged = _fit(paired, WRONG, [case.label == CORRECTED for case in paired])
    # Only what was used can have failed: of the rest nobody knows.
    silent = [case._replace(weight=_ended_weight(case)) for case in every]
    failed, failing = _fit(silent, FAILED, [case.label == HARMFUL for case in every])
    ran, well = _fit(worked, WORKED, [bool(case.worked) for case in worked])
    chances = [
        combined(case.turn, *map(float, three))
        for case, *three in zip(every, resting, wronged[: len(every)], failing, strict=True)
    ]
    right = numpy.array([bool(case.worked) for case in worked])
    floors = {**_floors(every, chances), WORKED: floor_for(RIGHT[WORKED], well, right)}
    _print(every, chances, floors)
    print("use worked: precision {:.3f} recall {:.3f}".format(*figures(well, right, floors[WORKED])))
    return pack([rests, wrong, failed, ran], BITS, floors, 1.0)


def _ended_weight(case: Case) -> float:
    if case.label not in (USED, HARMFUL):
        return 0.0
    return NEXT_ENDED if case.weight == NEXT else case.weight


def _fit(cases: Sequence[Case], label: str, right: Sequence[bool]) -> tuple[Fitted, Numbers]:
    rows = [
        Row(
            case.source,
            features(case.turn)[FAILED if label == WORKED else label],
            label if is_right else "",
            case.weight,
        )
        for case, is_right in zip(cases, right, strict=True)
    ]
    return fit(rows, label, BITS, LOOSE[label], rarely=False)


def _floors(every: Sequence[Case], chances: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Return the probability of each label from which on it is right often enough, with a prompt and without."""
    floors = {}
    for blind in ("", BLIND):
        for label in (USED, CORRECTED, HARMFUL):
            # A reply that is only the next message must not blame; of the rest, only what was labelled counts.
            inside = [
                bool(case.turn.prompt) is not bool(blind) and (case.weight == 1 or label == CORRECTED) for case in every
            ]
            found = numpy.array([chance[label] for chance in chances])[inside]
            right = numpy.array([case.label == label for case in every])[inside]
            floor = floors[f"{label}{blind}"] = max(LEAST, floor_for(RIGHT[label], found, right))
            precision, recall = figures(found, right, floor)
            print(f"use {label}{blind} from {floor:.3f}: precision {precision:.3f} recall {recall:.3f}")
    return floors


def _print(every: Sequence[Case], chances: Sequence[Mapping[str, float]], floors: Mapping[str, float]) -> None:
    """Print how well use is told at all, whatever came of it, and how many next messages are taken for a blame."""
    real = [case.weight == 1 and bool(case.turn.prompt) for case in every]
    rests = numpy.array([1 - chance[IGNORED] for chance in chances])[real]
    right = numpy.array([case.label != IGNORED for case in every])[real]
    precision, recall = figures(rests, right, floor_for(0.9, rests, right))
    print(f"use of any kind: precision {precision:.3f} recall {recall:.3f}")
    talk = [chance for chance, case in zip(chances, every, strict=True) if case.weight == NEXT]
    blamed = sum(chance[CORRECTED] >= floors[CORRECTED] or chance[HARMFUL] >= floors[HARMFUL] for chance in talk)
    print(f"use: {blamed} of {len(talk)} other messages are taken for a blame")
