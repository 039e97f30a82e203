"""A made-up world: what is planted in the memory, what is asked in each session, and what is true. From a seed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, NamedTuple

from benchmarks.evolution.aspects import ASPECTS, SERVICES, Aspect
from benchmarks.evolution.phrases import AGAIN, APART, FIXES, LONERS, PEOPLE, PLACES, POISON, PROCESSES, STALE

SEED = 20_261_116
SPAN = 210  # days that the sessions are spread over: what is never used is due for the archive less than half way
TASKS = 8  # recalls in a session
_BEFORE = 30  # days before the first session, in which most of it was written down
_LATEST = SPAN / 3  # the last day on which something is written down
_HOT, _WARM, _COOL = 4.0, 1.0, 0.5  # how often things are asked for, to each other
_SPREAD = (0.6, 1.6)  # and each thing by itself
_FIRST, _AGAIN = (0, 60), (40, 110)  # days: what is asked for rarely comes first, and again, after so many
GRADES = ("near", "light", "free")
_TOOLS = ("web-fetch", "issue-tracker", "mail-reader", "package-page")


class Shape(NamedTuple):
    """How many there are of each kind."""

    hot: int = 28  # facts that are asked for often
    warm: int = 30  # now and then
    rare: int = 60  # a few times in all; no good one of these may be lost either
    alike: int = 14  # pairs of facts that differ in a name or a number, and in nothing else
    bad: int = 30  # wrong answers; most of them to what is asked often
    poisoned: int = 10
    near: int = 8  # duplicates in the same words, but for a little at the edges
    light: int = 10  # duplicates in nearly the same words
    free: int = 6  # duplicates in words of their own
    fixable: int = 8
    cluster: int = 4  # processes of each kind
    stale: int = 40
    late: float = 0.3  # the share of wrong ones and duplicates that are written down after the first session


class Fact(NamedTuple):
    """Something that is true, and how it is asked for."""

    key: str
    service: str
    asks: tuple[str, ...]
    held: tuple[str, ...]
    weight: float  # how often it is asked for; 0 if rarely
    truth: str


class Planted(NamedTuple):
    """A text in the memory."""

    key: str
    kind: str  # good, bad, poisoned, duplicate, stale, fixable, process
    text: str
    fact: str = ""  # the fact that it is about, or speaks of wrongly
    born: float = 0.0  # the day
    origin: str = "agent"
    pair: str = ""  # a duplicate's original; the other one of two look-alikes; the kind of a process
    better: str = ""  # what a fixable one should say
    grade: str = ""  # of a duplicate: near, light or free


class World(NamedTuple):
    facts: dict[str, Fact]
    planted: tuple[Planted, ...]  # in the order in which they are written down


class Asked(NamedTuple):
    fact: str
    text: str


class Session(NamedTuple):
    name: str
    day: float
    asked: tuple[Asked, ...]


class _Maker:
    def __init__(self, seed: int, shape: Shape) -> None:
        self.dice, self.shape = Random(seed), shape
        self.facts: dict[str, Fact] = {}
        self.planted: list[Planted] = []
        self.values: dict[str, tuple[Aspect, str]] = {}  # of each fact

    def world(self) -> World:
        subjects = [(service, aspect) for service in SERVICES for aspect in ASPECTS]
        self.dice.shuffle(subjects)
        heats = [_HOT] * self.shape.hot + [_WARM] * self.shape.warm + [0.0] * self.shape.rare
        for heat in heats:
            self._good(*subjects.pop(), heat)
        known = list(self.facts)
        for _ in range(self.shape.alike):
            self._alike(*subjects.pop())
        self._wrong(known)
        self._duplicates(known)
        self._fixable()
        self._processes()
        self._stale()
        return World(self.facts, tuple(sorted(self.planted, key=lambda one: (one.born, one.key))))

    def _fact(self, key: str, service: str, asks: Sequence[str], held: Sequence[str], heat: float, truth: str) -> None:
        asked, kept_back = (tuple(text.format(s=service) for text in texts) for texts in (asks, held))
        self.facts[key] = Fact(key, service, asked, kept_back, heat * self.dice.uniform(*_SPREAD), truth)

    def _plant(self, kind: str, text: str, fact: str = "", late: bool = False, **more: Any) -> Planted:
        born = self.dice.uniform(0, _LATEST) if late else -self.dice.uniform(0, _BEFORE)
        number = sum(one.kind == kind for one in self.planted) + 1
        made = Planted(f"{kind}-{number}", kind, text, fact, born)._replace(**more)
        self.planted.append(made)
        return made

    def _good(self, service: str, aspect: Aspect, heat: float) -> None:
        key, value = f"{service}/{aspect.name}", self.dice.choice(aspect.values)
        says = self.dice.sample(aspect.says, 2)
        self.values[key] = (aspect, value)
        self._fact(key, service, aspect.asks, aspect.held, heat, says[1].format(s=service, v=value))
        self._plant("good", says[0].format(s=service, v=value), key)

    def _alike(self, service: str, aspect: Aspect) -> None:
        """Two facts in the same sentence: told apart by a word, and half of the time by the value too."""
        value = self.dice.choice(aspect.values)
        other = self.dice.choice(aspect.values) if self.dice.random() < 0.5 else value
        pair: list[Planted] = []
        for (before, behind), said in zip(self.dice.choice(APART), (value, other), strict=True):
            key = f"{service}/{aspect.name}{behind}"
            asks, held = ([ask + behind for ask in some] for some in (aspect.asks, aspect.held))
            self._fact(key, service, asks, held, _WARM, before + aspect.says[1].format(s=service, v=said))
            pair.append(self._plant("good", before + aspect.says[0].format(s=service, v=said), key))
        for one, its in zip(pair, reversed(pair), strict=True):
            self.planted[self.planted.index(one)] = one._replace(pair=its.key)

    def _wrong(self, known: Sequence[str]) -> None:
        """Wrong answers, nine of ten to what is asked often; and instructions from outside."""
        hot, warm = list(known[: self.shape.hot]), list(known[self.shape.hot : self.shape.hot + self.shape.warm])
        often = min(len(hot), self.shape.bad * 9 // 10)
        for key in self.dice.sample(hot, often) + self.dice.sample(warm, self.shape.bad - often):
            aspect, value = self.values[key]
            wrong = self.dice.choice([other for other in aspect.values if other != value])
            text = self.dice.choice(aspect.says).format(s=self.facts[key].service, v=wrong)
            self._plant("bad", text, key, self._late())
        for key in self.dice.sample(hot, self.shape.poisoned):
            service = self.facts[key].service
            topic = self.values[key][0].topic.format(s=service)
            origin = f"tool:{self.dice.choice(_TOOLS)}"
            self._plant(
                "poisoned", self.dice.choice(POISON).format(s=service, topic=topic), key, self._late(), origin=origin
            )

    def _duplicates(self, known: Sequence[str]) -> None:
        grades = [grade for grade in GRADES for _ in range(getattr(self.shape, grade))]
        originals = {one.fact: one for one in self.planted if one.kind == "good" and not one.pair}
        asked = self.dice.sample(known[: self.shape.hot + self.shape.warm], len(grades))
        for grade, key in zip(grades, asked, strict=True):
            (aspect, value), service, original = self.values[key], self.facts[key].service, originals[key]
            said = [say.format(s=service, v=value) for say in aspect.says]
            if grade == "light":  # the twin is one of the first saying
                self.planted[self.planted.index(original)] = original._replace(text=said[0])
            text = {
                "near": self.dice.choice(AGAIN).format(text=original.text, bare=original.text.rstrip(".")),
                "light": aspect.twin.format(s=service, v=value),
                "free": next(other for other in said if other != original.text),
            }[grade]
            self._plant("duplicate", text, key, self._late(), pair=original.key, grade=grade)

    def _fixable(self) -> None:
        subjects = [(service, number) for service in SERVICES for number in range(len(FIXES))]
        for service, number in self.dice.sample(subjects, self.shape.fixable):
            fix, key = FIXES[number], f"{service}/fix {number}"
            better = fix.better.format(s=service)
            self._fact(key, service, fix.asks, fix.held, _HOT, better)
            self._plant("fixable", fix.poor.format(s=service), key, better=better)

    def _processes(self) -> None:
        for number, process in enumerate(PROCESSES):
            for service in self.dice.sample(SERVICES, self.shape.cluster):
                key = f"{service}/process {number}"
                says = self.dice.sample(process.says, 2)
                self._fact(key, service, process.asks, process.held, _COOL, says[1].format(s=service))
                self._plant("process", says[0].format(s=service), key, pair=f"process {number}")

    def _stale(self) -> None:
        texts = set(LONERS[: self.shape.stale // 6])
        while len(texts) < self.shape.stale:
            name, place = self.dice.choice(PEOPLE), self.dice.choice(PLACES)
            texts.add(self.dice.choice(STALE).format(name=name, place=place, n=self.dice.randint(2, 60)))
        for text in sorted(texts):
            self._plant("stale", text)

    def _late(self) -> bool:
        return self.dice.random() < self.shape.late


def world(seed: int = SEED, shape: Shape | None = None) -> World:
    return _Maker(seed, shape or Shape()).world()


def sessions(world: World, count: int, seed: int = SEED) -> list[Session]:
    """Spread over the days with gaps of different lengths; each asks for some things, the hot ones more often."""
    dice = Random(seed + 1)
    marks = sorted(dice.uniform(0, SPAN) for _ in range(count - 2))
    days = [0.0, *marks, float(SPAN)]
    asked = [list(dice.choices([*world.facts], [fact.weight for fact in world.facts.values()], k=TASKS)) for _ in days]
    for fact in world.facts.values():
        for day in _rarely(dice) if not fact.weight else ():
            place = min(range(count), key=lambda at: abs(days[at] - day))
            asked[place].append(fact.key)
    return [
        Session(f"s{number:03}", day, tuple(Asked(key, dice.choice(world.facts[key].asks)) for key in keys))
        for number, (day, keys) in enumerate(zip(days, asked, strict=True), 1)
    ]


def _rarely(dice: Random) -> Iterator[float]:
    day = dice.uniform(*_FIRST)
    while day < SPAN:
        yield day
        day += dice.uniform(*_AGAIN)
