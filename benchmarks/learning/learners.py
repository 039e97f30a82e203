"""Stores that learn, each by some of the mechanisms, and what they are told.

Each query of the training part is asked as somebody asks it, and logged. What is shown is judged: those that answer it
are `helpful`, and of the others the first three, which is what people read, are `not_helpful`. Nothing is said of what
was not shown. Queries of the test part are never among them; they are asked without leaving a trace.
"""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import NamedTuple

import treering
from benchmarks.recall.measures import DEPTH, Score, score
from benchmarks.recall.sets import Corpus, Query
from treering.ledger.clock import parse_time
from treering.ledger.types import Recall
from treering.models.embed import embedder_named
from treering.recall.lessons.adapt import adapt
from treering.recall.recalls import Recalls
from treering.recall.scoring import NOTHING_LEARNED, Switches

READ = 3  # hits of no use that somebody looks at before saying so
TRAINED = 0.8  # of the queries; the others test what was learned
STEPS = (0.0, 0.25, 0.5, 0.75, 1.0)  # of the training, after which the test is taken
WRONG = 0.2  # of the verdicts, for the arm that is told wrongly

SETTINGS = ("learn_weights", "learn_terms", "learn_company", "learn_prior", "use_q")
ORIGIN = {"user": {"origin": "user"}, "assistant": {"origin": "agent"}}  # of other speakers nothing is said

STATIC, TOGETHER, MISLED = "static", "together", "together, 20 % wrong"


class Arm(NamedTuple):
    """A store that learns by some of the mechanisms."""

    name: str
    switches: Switches = NOTHING_LEARNED
    wrong: float = 0.0


ARMS = (
    Arm(STATIC),
    Arm("weights", NOTHING_LEARNED._replace(weights=True)),
    Arm("terms", NOTHING_LEARNED._replace(terms=True)),
    Arm("company", NOTHING_LEARNED._replace(company=True)),
    Arm("prior", NOTHING_LEARNED._replace(prior=True)),
    Arm("q and lift", NOTHING_LEARNED._replace(q=True)),
    Arm(TOGETHER, Switches()),
    Arm(MISLED, Switches(), WRONG),
)


class Split(NamedTuple):
    """The queries of a corpus, parted by a seed."""

    train: list[Query]
    test: list[Query]


class Taken(NamedTuple):
    """How an arm did in a test."""

    arm: str
    step: float  # how much of the training it had had
    scores: list[Score]


def parted(corpus: Corpus, seed: int) -> Split:
    """Train and test queries, never the same: a text that is asked twice goes to one side."""
    texts = sorted({query.text for query in corpus.queries})
    random.Random(f"{corpus.name} {seed}").shuffle(texts)
    trained = set(texts[: round(TRAINED * len(texts))])
    train = [query for text in texts for query in corpus.queries if query.text == text and text in trained]
    test = [query for query in corpus.queries if query.text not in trained and query.relevant]
    return Split(train, test)


class Filled(NamedTuple):
    """A corpus that has been remembered and made ready, to be copied for each learner."""

    home: str
    rows: dict[str, str]  # the ids of its rows, by those of the memories


class Learner:
    """A store on disk that is taught, and that can be asked by any of the mechanisms."""

    def __init__(self, home: str, filled: Filled, learning: bool) -> None:
        """One that is `learning` shows what it has learned while it is taught; the other shows what it always did."""
        shutil.copytree(filled.home, home)
        if not learning:
            with open(os.path.join(home, "config.toml"), "w", encoding="utf-8") as file:
                file.writelines(f"{name} = false\n" for name in SETTINGS)
        self.home = home
        self.memory = treering.open(home)
        self._rows = filled.rows
        self._asking: dict[Switches, Recalls] = {}

    def teach(self, queries: Sequence[Query], wrong: float, dice: random.Random) -> None:
        """Ask, and say what was of use; so many of the verdicts are the wrong way round."""
        for query in queries:
            shown = self.memory.recall(query.text, DEPTH, at=query.at, silent=False)
            verdicts = list(_verdicts([self._rows[hit.memory.id] for hit in shown.hits], query))
            turned = [(place, good != (dice.random() < wrong)) for place, good in verdicts]
            self.memory.together(partial(self._judge, shown, turned))

    def adapt(self) -> None:
        """Let the weights follow what was judged."""
        memory = self.memory
        adapt(memory.ledger, memory.workspace.recalls, memory.context, memory.workspace.now())

    def test(self, queries: Sequence[Query], switches: Switches) -> list[Score]:
        """How well queries are answered by some of the mechanisms."""
        memory = self.memory
        if switches not in self._asking:
            self._asking[switches] = Recalls(memory.store, embedder_named("static"), os.urandom, 0.0, switches)
        found = []
        for query in queries:
            now = parse_time(query.at) if query.at else memory.workspace.now()
            said = self._asking[switches].recall(query.text, memory.context, now, DEPTH, floor=0.0)
            found.append(score([self._rows[hit.memory.id] for hit in said.hits], query.relevant))
        return found

    def close(self) -> None:
        self.memory.close()
        shutil.rmtree(self.home)

    def _judge(self, shown: Recall, verdicts: Sequence[tuple[int, bool]]) -> None:
        for place, good in verdicts:
            verdict = "helpful" if good else "not_helpful"
            self.memory.feedback(shown.id, shown.hits[place].memory.id, verdict)


def _verdicts(shown: Sequence[str], query: Query) -> Iterator[tuple[int, bool]]:
    """Which of what is shown is judged, and whether it helped."""
    helped = [place for place, id in enumerate(shown) if id in query.relevant]
    others = [place for place, id in enumerate(shown) if id not in query.relevant]
    yield from ((place, True) for place in helped)
    yield from ((place, False) for place in others[:READ])


def fill(corpus: Corpus, home: str) -> Filled:
    """Remember a corpus; who said a thing becomes where it comes from."""
    rows = [
        {"content": row.content, "at": row.at, "session": row.session, **ORIGIN.get(row.role, {})}
        for row in corpus.rows
    ]
    with treering.open(home) as memory:
        made = memory.remember_many(rows)
        memory.maintenance.prepare()
    return Filled(home, {memory.id: row.id for memory, row in zip(made, corpus.rows, strict=True)})


def curves(corpus: Corpus, filled: Filled, seed: int, folder: str) -> Iterator[Taken]:
    """How every arm does on the test queries of a corpus, after each part of the training."""
    split = parted(corpus, seed)
    parts = [split.train[_at(split, step) : _at(split, more)] for step, more in pairwise(STEPS)]
    plain = Learner(os.path.join(folder, "plain"), filled, learning=False)
    untaught = plain.test(split.test, NOTHING_LEARNED)
    yield from (Taken(arm.name, 0.0, untaught) for arm in ARMS)
    for step, part in zip(STEPS[1:], parts, strict=True):
        yield Taken(STATIC, step, untaught)
        plain.teach(part, 0.0, random.Random(seed))
        for arm in ARMS[1:-2]:
            yield Taken(arm.name, step, _alone(plain, arm, split.test, folder))
    plain.close()
    for arm in ARMS[-2:]:
        learner = Learner(os.path.join(folder, "learner"), filled, learning=True)
        dice = random.Random(seed)
        for step, part in zip(STEPS[1:], parts, strict=True):
            learner.teach(part, arm.wrong, dice)
            learner.adapt()
            yield Taken(arm.name, step, learner.test(split.test, arm.switches))
        learner.close()


def _alone(plain: Learner, arm: Arm, queries: Sequence[Query], folder: str) -> list[Score]:
    """One mechanism, on the store that was taught without any."""
    if not arm.switches.weights:
        return plain.test(queries, arm.switches)
    other = Learner(os.path.join(folder, "weights"), Filled(plain.home, plain._rows), learning=False)
    other.adapt()
    found = other.test(queries, arm.switches)
    other.close()
    return found


def _at(split: Split, step: float) -> int:
    return round(step * len(split.train))
