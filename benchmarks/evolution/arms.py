"""One memory through all sessions: it is asked, judged, and evolves or not. Time goes by between the sessions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from typing import NamedTuple

from benchmarks.evolution import judging
from benchmarks.evolution.judging import RIGHT, WRONG
from benchmarks.evolution.world import Asked, Planted, Session, World
from treering.ledger.config import Config
from treering.ledger.errors import TreeringError
from treering.ledger.ledger import Ledger
from treering.ledger.sessions import DAY
from treering.ledger.types import RECALLABLE, Context, Filter, Memory, Recall, move_of
from treering.ledger.workspace import Workspace
from treering.memory import Treering
from treering.models.port import Embedder
from treering.recall.recalls import Recalls
from treering.skills.proposals.rules import SKILL_DRAFT
from treering.stores.sqlite.store import SqliteStore

START = 1_767_261_600_000_000  # 2026-01-01T10:00:00Z, the first session
EVERY = 10  # sessions from one look at the quality to the next
IMPROVING = 5  # sessions from one time that the agent looks for what it can say better to the next
SHOWN = 5  # hits of a recall
_SECOND = 1_000_000
_CLEAN = ("good", "process", "fixable", "stale")  # kinds that a memory without anything wrong would hold
REFINED, JOINED = ", refined", ", joined"  # behind the key of what a new memory was made of
_REASON = "it leaves out the steps without which it fails"
_IMPROVABLE = ("critical", "high")  # priorities that the agent looks through for something that it can write better


class Arm(NamedTuple):
    name: str
    judged: bool
    evolves: bool


ARMS = (Arm("evolving", True, True), Arm("judged only", True, False), Arm("untouched", False, False))


class Quality(NamedTuple):
    """How good the answers to questions are that no session asks. Means over the questions."""

    reciprocal: float  # 1 / the rank of the first right one; 0 if none is shown
    helpful: float  # the share of right ones among those shown
    harmful: float  # the share of wrong and poisoned ones


class Sample(NamedTuple):
    session: int  # after so many
    quality: Quality
    size: int  # memories that recall may answer with


class Life(NamedTuple):
    """What became of one memory."""

    arm: str
    samples: tuple[Sample, ...]
    statuses: dict[str, str]  # of what was planted, by its key
    into: dict[str, str]  # the key of what a merged one went into
    archived: tuple[str, ...]  # those that were ever moved to the archive
    blamed: dict[str, int]  # how often each was said to be not helpful
    skills: tuple[tuple[str, ...], ...]  # those that were proposed, as the keys of their processes
    echoes: dict[str, str]  # texts that were not stored, and the key of the memory that says the same
    refused: dict[str, int]  # errors that the engine answered with, by kind
    runs: int  # of evolve
    asked: int


class Clock:
    """A clock that the simulation sets. It ticks, as no two things happen at once."""

    def __init__(self) -> None:
        self.time = START

    def __call__(self) -> int:
        self.time += _SECOND
        return self.time

    def day(self, day: float) -> None:
        self.time = max(self.time, START + round(day * DAY))


class _Living:
    """A memory at work, its clock, and which text is which."""

    def __init__(self, arm: Arm, world: World, embedder: Embedder, seed: int, config: Config) -> None:
        self.arm, self.world, self.seed = arm, world, seed
        self.clock, dice = Clock(), Random(seed).randbytes  # the same dice in each arm
        store = SqliteStore(":memory:")
        ledger, recalling = Ledger(store, self.clock, dice), Recalls(store, embedder, dice)
        self.memory = Treering(Workspace(store, config, Context(), ledger, lambda: recalling, self.clock))
        self.known: dict[str, Planted] = {}  # by the ids of the memories
        self.waiting = list(world.planted)
        self.refused: Counter[str] = Counter()
        self.blamed: Counter[str] = Counter()
        self.echoes: dict[str, str] = {}
        self.runs = self.asked = 0

    def hold(self, session: Session, improving: bool) -> None:
        """What is new is written down; then come the tasks, each with a recall; and at the end evolution, if due."""
        self._write_down(session.day)
        self.clock.day(session.day)
        outcomes = [self._task(session, place, asked) for place, asked in enumerate(session.asked)]
        if not self.arm.judged:
            return
        if outcome := judging.session_outcome(outcomes, self._dice(session.name)):
            self.memory.evolve.outcome(session.name, outcome)
        if self.arm.evolves and improving:
            self._improve()
        if self.arm.evolves:
            self._evolve()

    def _write_down(self, day: float) -> None:
        while self.waiting and self.waiting[0].born <= day:
            one = self.waiting.pop(0)
            self.clock.day(one.born)
            type = "procedural" if one.kind == "process" else "semantic"
            made = self.memory.remember(one.text, type=type, origin=one.origin, session=f"note {one.key}")
            if made.id in self.known:
                self.echoes[one.key] = self.known[made.id].key
            else:
                self.known[made.id] = one

    def _task(self, session: Session, place: int, asked: Asked) -> str:
        recall = self.memory.recall(asked.text, SHOWN, session=session.name)
        self.asked += 1
        dice = self._dice(session.name, place)
        roles = self._roles(recall, asked.fact)
        lead = judging.leading(roles)
        outcome = judging.ended(lead, dice)
        if self.arm.judged and recall.hits:
            self._judge(recall, roles, (session.name, place))
            if judging.told(dice):
                self.memory.evolve.outcome(recall.id, outcome)
            followed = self.known[recall.hits[roles.index(lead)].memory.id] if lead == WRONG else None
            if seen := judging.watched(self.world.facts[asked.fact], lead, followed, outcome, dice):
                self.memory.evolve.observe(recall.id, answer=seen.answer, results=seen.results, reply=seen.reply)
        return outcome

    def _judge(self, recall: Recall, roles: Sequence[str], where: tuple[str, int]) -> None:
        for hit, role in zip(recall.hits, roles, strict=True):
            id, key = hit.memory.id, self.known[hit.memory.id].key
            if verdict := judging.verdict(role, self._dice(*where, key)):
                self.memory.feedback(recall.id, id, verdict)
                self.blamed[key] += verdict == "not_helpful"

    def _improve(self) -> None:
        """The agent looks at what does badly, and writes anew what it can write better."""
        for found in self.memory.evolve.candidates("low_q"):
            (id,) = found.ids
            poor = self.known[id]
            if found.priority not in _IMPROVABLE or not poor.better:
                continue
            if made := self._try(id, poor.better):
                self.known[made.id] = poor._replace(
                    key=f"{poor.key}{REFINED}", kind="good", text=poor.better, better=""
                )

    def _try(self, id: str, text: str) -> Memory | None:
        """A refusal is an answer: it is counted, and the agent goes on."""
        try:
            return self.memory.evolve.refine(id, text, reason=_REASON)
        except TreeringError as error:
            self.refused[f"refine: {type(error).__name__}"] += 1
            return None

    def _evolve(self) -> None:
        done = self.memory.evolve.run(if_due=True)
        self.runs += bool(done.trigger)
        for memory in self.memory.list(status="merged"):
            if memory.merged_into not in self.known:  # the two were joined in a new text
                one = self.known[memory.id]
                self.known[memory.merged_into] = one._replace(key=f"{one.key}{JOINED}")

    def _roles(self, recall: Recall, fact: str) -> list[str]:
        return [judging.role(self.known.get(hit.memory.id), fact) for hit in recall.hits]

    def quality(self) -> Quality:
        """How well it answers what no session asks. Looking leaves no trace."""
        found = [
            _judged(self._roles(self.memory.recall(fact.held[place % len(fact.held)], SHOWN, log=False), fact.key))
            for place, fact in enumerate(self.world.facts.values())
        ]
        return Quality(*(sum(column) / len(column) for column in zip(*found, strict=True)))

    def _dice(self, *where: object) -> Random:
        """The same throw in each arm for the same thing, whatever else happened there."""
        return Random(repr((self.seed, *where)))

    def life(self, samples: Sequence[Sample]) -> Life:
        records = {memory.id: memory for memory in self.memory.store.records()}
        keys = {id: one.key for id, one in self.known.items()}
        return Life(
            self.arm.name,
            tuple(samples),
            {key: records[id].status for id, key in keys.items()},
            {keys[id]: keys[into] for id in keys if (into := records[id].merged_into)},
            tuple(
                key for id, key in keys.items() if any(move_of(one).status == "archived" for one in records[id].moves)
            ),
            dict(self.blamed),
            tuple(
                tuple(keys[id] for id in made.memories)
                for made in self.memory.proposals.list()
                if made.kind == SKILL_DRAFT
            ),
            dict(self.echoes),
            dict(self.refused),
            self.runs,
            self.asked,
        )

    def size(self) -> int:
        return sum(1 for _ in self.memory.store.records(Filter(statuses=RECALLABLE)))


def live(
    arm: Arm,
    world: World,
    held: Sequence[Session],
    embedder: Embedder,
    seed: int,
    config: Config,
    progress: Callable[[int], None] = lambda done: None,
) -> Life:
    """Hold all sessions with a new memory."""
    living, samples = _Living(arm, world, embedder, seed, config), []
    for number, session in enumerate(held, 1):
        living.hold(session, number % IMPROVING == 0)
        if number % EVERY == 0 or number == len(held):
            samples.append(Sample(number, living.quality(), living.size()))
            progress(number)
    found = living.life(samples)
    living.memory.close()
    return found


def ceiling(world: World, embedder: Embedder, seed: int) -> Quality:
    """How well a memory answers that holds every fact once, and nothing wrong: it cannot get better than that."""
    true = [
        one._replace(kind="good", text=one.better) if one.better else one for one in world.planted if one.kind in _CLEAN
    ]
    living = _Living(ARMS[-1], world._replace(planted=tuple(true)), embedder, seed, Config())
    living._write_down(max(one.born for one in true))
    found = living.quality()
    living.memory.close()
    return found


def _judged(roles: Sequence[str]) -> tuple[float, float, float]:
    first = roles.index(RIGHT) + 1 if RIGHT in roles else 0
    shown = max(1, len(roles))
    return (1 / first if first else 0.0, roles.count(RIGHT) / shown, roles.count(WRONG) / shown)
