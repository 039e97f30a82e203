"""Learn which hits of a recall belong to its answer, and whether any does, from questions whose answers are known.

    python -m benchmarks.judgement.belongs --data DIR

asks the questions anew and writes down what recall saw of each hit: the numbers, not the texts, so that the weights
can be made without the sets. Sources are lives, small stores of our own, and the sets whose licence allows it.
"""

from __future__ import annotations

import argparse
import json
import sys
import zlib
from collections.abc import Iterator, Sequence
from datetime import timedelta
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy

import treering
from benchmarks.judgement import labels
from benchmarks.judgement.fit import Fitted, Row, fit, pack
from benchmarks.lives import life as lives
from benchmarks.recall import sets, small
from benchmarks.recall.asking import fill
from treering.ledger.clock import parse_time
from treering.recall.belongs import ANSWERED, BELONGS, HIT, QUERY, named, of_hits, of_query
from treering.recall.candidates import Ask
from treering.recall.query.analysis import analyse
from treering.recall.recaller import Answer
from treering.recall.scoring import Mix

SEEN = Path(__file__).parent / "seen"
DEPTH = 10  # hits that are looked at
# What may be learned from: sets under the MIT licence. Two of one origin are one source.
SETS = {
    "longmemeval-sessions": "longmemeval",
    "longmemeval-turns": "longmemeval",
    "coding-sessions": "coding",
    "changed-facts": "changed",
}
BITS = 10
_LOOSE = {BELONGS: 0.02, ANSWERED: 0.02}
_SCALE = 1_000  # of a number that is written down: it lies between -32 and 32
_MASS = 1_000.0  # that the cases of one source weigh together
# Of the answered questions of any set that silence may take, by weights that have not seen it. Prompts of lives are no
# questions: half of those that a memory could help with share no word with it.
_LOST, _NO_QUESTIONS = 0.004, "lives"
_FOREIGN = 1  # questions of other sources that are asked of a store, for each ten of its own
_CROWDED = 3  # lives of which one is played with a crowd


class Case(NamedTuple):
    """What recall saw of one question."""

    source: str
    wanted: int  # how many memories answer it
    query: list[float]
    hits: list[list[float]]
    right: list[bool]  # which of the hits answer it
    foreign: bool = False  # the question was made for another store


def ask(memory: treering.Treering, text: str, at: str | None = None, project: str = "") -> Answer:
    """Return all hits of a question, with what was seen of them."""
    space = memory.workspace
    now = parse_time(at) if at else space.now()
    (answer,) = space.recalls.replay([Ask(analyse(text, now), space.here(project, ""), DEPTH, now, floor=0.0)])
    return answer


def case(source: str, answer: Answer, right: set[str], foreign: bool = False) -> Case:
    if answer.seen is None:
        return Case(source, len(right), [], [], [], foreign)
    hits = answer.hits
    return Case(
        source,
        len(right),
        of_query(answer.seen).tolist(),
        of_hits(answer.seen)[: len(hits)].tolist(),
        [hit.memory.id in right for hit in hits],
        foreign,
    )


def from_set(data: str, name: str, source: str, foreign: Sequence[str]) -> Iterator[Case]:
    dice = Random(name)
    for corpus in sets.read(data, name):
        with TemporaryDirectory() as folder, treering.open(folder) as memory:
            ids = {row: id for id, row in fill(memory, corpus).items()}
            memory.maintenance.prepare()
            for query in corpus.queries:
                yield case(source, ask(memory, query.text, query.at), {ids[row] for row in query.relevant})
            for text in dice.sample(foreign, -(-_FOREIGN * len(corpus.queries) // 10)):
                yield case(source, ask(memory, text), set(), foreign=True)


def from_life(path: Path, others: Sequence[Path]) -> Iterator[Case]:
    """Yield the probes of a life whose facts are told, with a crowd of others beside if there is any."""
    played, known = lives.read(path), dict[str, str]()
    with TemporaryDirectory() as folder, treering.open(folder) as memory:
        began, names = played.sessions[0].at, played.projects
        crowd = lives.crowd(others, played.id) if others else []
        for at, gist in enumerate(crowd):
            told = (began - timedelta(days=40 - at % 30)).isoformat()
            memory.remember(gist, project=names[at % len(names)], scope="project", at=told)
        for session in played.sessions:
            moment = session.at.isoformat()
            for turn in session.turns:
                if turn.probe is not None:
                    right = {known[fact] for fact in turn.probe.want if fact in known}
                    yield case("lives", ask(memory, turn.user, moment, session.project), right)
            for fact in session.facts:
                project = session.project if fact.scope == "project" else ""
                known[fact.id] = memory.remember(fact.told, project=project, scope=fact.scope, at=moment).id


def from_small(one: small.Store) -> Iterator[Case]:
    with TemporaryDirectory() as folder, treering.open(folder) as memory:
        ids = small.fill(memory, one)
        for query in one.queries:
            yield case("small", ask(memory, query.text, project=one.project), {ids[name] for name in query.want})


def collect(data: str) -> dict[str, list[Case]]:
    """Return what recall sees of all questions, by source."""
    paths = [path for path in sorted(labels.LIVES.glob("*.json")) if path.stem not in labels.LAST]
    asked = {name: [query.text for corpus in sets.read(data, name) for query in corpus.queries] for name in SETS}
    found: dict[str, list[Case]] = {"lives": [], "small": []}
    for at, path in enumerate(paths):
        found["lives"] += from_life(path, paths if at % _CROWDED == 0 else ())
    for store in small.stores(held=False):
        found["small"] += from_small(store)
    for name, source in SETS.items():
        foreign = [text for other in SETS if SETS[other] != source for text in asked[other]]
        found.setdefault(source, []).extend(from_set(data, name, source, foreign))
        print(name, len(found[source]), file=sys.stderr, flush=True)
    return found


def write(found: dict[str, list[Case]]) -> None:
    SEEN.mkdir(exist_ok=True)
    for source, cases in found.items():
        head = [[len(one.hits), one.wanted, int(one.foreign), [*map(int, one.right)]] for one in cases if one.query]
        numbers = [number for one in cases if one.query for row in (one.query, *one.hits) for number in row]
        body = numpy.rint(numpy.array(numbers) * _SCALE).astype("<i2").tobytes()
        (SEEN / f"{source}.seen").write_bytes(zlib.compress(json.dumps(head).encode() + b"\n" + body, 9))


def read() -> list[Case]:
    """Return the cases that were written down."""
    cases = []
    for path in sorted(SEEN.glob("*.seen")):
        head, _, body = zlib.decompress(path.read_bytes()).partition(b"\n")
        numbers, at = numpy.frombuffer(body, "<i2") / _SCALE, 0
        for count, wanted, foreign, right in json.loads(head):
            query = numbers[at : at + len(QUERY)].tolist()
            at += len(QUERY)
            hits = numbers[at : at + count * len(HIT)].reshape(count, len(HIT)).tolist()
            at += count * len(HIT)
            cases.append(Case(path.stem, wanted, query, hits, [*map(bool, right)], bool(foreign)))
    return cases


def rows(cases: Sequence[Case]) -> tuple[list[Row], list[Row]]:
    """Return the hits of questions that have an answer, and all questions, as cases for training."""
    hits = [
        Row(one.source, named(BELONGS, HIT, numpy.array(hit)), BELONGS if right else "")
        for one in cases
        if one.wanted
        for hit, right in zip(one.hits, one.right, strict=True)
    ]
    asked = [
        Row(one.source, named(ANSWERED, QUERY, numpy.array(one.query)), ANSWERED if any(one.right) else "")
        for one in cases
        if any(one.right) or not one.wanted
    ]
    return _weighed(hits), _weighed(asked)


def _weighed(cases: list[Row]) -> list[Row]:
    counts = {source: sum(row.source == source for row in cases) for source in {row.source for row in cases}}
    return [row._replace(weight=_MASS / counts[row.source]) for row in cases]


def weights() -> bytes:
    """Return the weights, with the floor of silence where `Mix.silent` has it."""
    hits, asked = rows(read())
    belongs, _ = fit(hits, BELONGS, BITS, _LOOSE[BELONGS], rarely=False)
    answered, chances = fit(asked, ANSWERED, BITS, _LOOSE[ANSWERED], rarely=False)
    right = numpy.array([bool(row.label) for row in asked])
    floors = {}
    for source in sorted({row.source for row in asked}):
        here = numpy.array([row.source == source for row in asked])
        floors[source] = float(numpy.quantile(chances[here & right], _LOST))
        quiet = (chances[here & ~right] <= floors[source]).mean() if (here & ~right).any() else float("nan")
        print(f"answered, {source}: floor {floors[source]:.3f} where {_LOST} are lost, {quiet:.3f} quiet")
    floor = min(floor for source, floor in floors.items() if source != _NO_QUESTIONS)
    return pack([belongs, _raised(answered, floor)], BITS, {ANSWERED: floor}, share=1.0)


def _raised(fitted: Fitted, floor: float) -> Fitted:
    """Move the odds of a label so that what had the floor has the chance at which recall is silent."""
    usual = Mix().silent
    return fitted._replace(shift=fitted.shift + numpy.log(usual / (1 - usual)) - numpy.log(floor / (1 - floor)))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.judgement.belongs", description="Ask questions anew.")
    parser.add_argument("--data", required=True, metavar="DIR", help="where the sets of questions lie")
    write(collect(parser.parse_args().data))


if __name__ == "__main__":
    main()
