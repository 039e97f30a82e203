"""How episodes were grouped, what the summaries kept, and what questions found before and after.

Groups are judged by their pairs of episodes: of one topic or not. An episode without a topic belongs with no other.
A fact is kept if a summary that was made of an episode which states it has all of its strings. A question is answered
within the first k if one of these is relevant, or sums up a relevant one. As a summary may have dropped what was asked
for, it is also counted whether one of the first k has the strings of a fact that the relevant episodes state.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import NamedTuple

from benchmarks.consolidation.episodes import Episode, Fact, Topic, stands
from benchmarks.consolidation.trial import Answer, State, Summary, Trial

FEW, MANY = 5, 10
FIRST = ("created", "active")  # statuses of what is told first: what is consolidated or archived steps back


class Grouping(NamedTuple):
    groups: int
    pairs: int  # that belong together
    found: int
    right: int
    purity: float | None  # the share of the grouped episodes that are of the commonest topic of their group
    stories: int  # topics with two or more episodes in one group
    strays: int  # grouped episodes that belong to no topic

    @property
    def precision(self) -> float | None:
        return self.right / self.found if self.found else None

    @property
    def recall(self) -> float | None:
        return self.right / self.pairs if self.pairs else None


class Kept(NamedTuple):
    """Facts, and how many of those that a summary could have kept it did."""

    what: str
    facts: int
    summed: int  # stated in episodes that were summed up
    kept: int
    outdated: int  # whose former value is told without the later one

    @property
    def share(self) -> float | None:
        return self.kept / self.summed if self.summed else None


class Compression(NamedTuple):
    sources: int  # words of the episodes that were summed up
    summaries: int
    first_before: int  # words of all that is told first
    first_after: int
    answer_before: float  # words of the first five of an answer, on average
    answer_after: float

    @property
    def ratio(self) -> float | None:
        return self.sources / self.summaries if self.summaries else None


class Found(NamedTuple):
    """Some questions at one time: the shares that are answered within the first five and ten."""

    words: str
    when: str
    questions: int
    answered5: float
    answered10: float
    told5: float  # with a fact that was asked for in the text
    told10: float
    r10: float  # the share of the relevant episodes, themselves or summed up
    silent: int


class Undone(NamedTuple):
    summaries: int  # still there
    episodes: int  # otherwise than before
    answers: int


def grouping(episodes: Sequence[Episode], summaries: Sequence[Summary]) -> Grouping:
    topic = {episode.id: episode.topic or episode.id for episode in episodes}
    lonely = {episode.id for episode in episodes if episode.topic is None}
    sizes = Counter(topic.values())
    pairs = [pair for group in summaries for pair in combinations(sorted(set(group.episodes)), 2)]
    unique = set(pairs)
    right = [pair for pair in unique if topic[pair[0]] == topic[pair[1]]]
    members = [id for group in summaries for id in group.episodes]
    common = sum(max(Counter(topic[id] for id in group.episodes).values()) for group in summaries)
    return Grouping(
        len(summaries),
        sum(size * (size - 1) // 2 for size in sizes.values()),
        len(unique),
        len(right),
        common / len(members) if members else None,
        len({topic[pair[0]] for pair in right}),
        sum(id in lonely for id in members),
    )


def kept(topics: Sequence[Topic], summaries: Sequence[Summary]) -> list[Kept]:
    facts = [fact for topic in topics for fact in topic.facts]
    changed = [fact for fact in facts if fact.was]
    prohibited = [fact for fact in facts if _forbids(fact)]
    named = (("all", facts), ("a value that changed", changed), ("never, no, do not …", prohibited))
    return [_kept(what, some, summaries) for what, some in named]


def judged(fact: Fact, summaries: Sequence[Summary]) -> list[Summary]:
    """The summaries that could have kept a fact."""
    return [group for group in summaries if group.text and not set(fact.told).isdisjoint(group.episodes)]


def _forbids(fact: Fact) -> bool:
    return not {"no", "not", "never", "without"}.isdisjoint(fact.fact.split())


def _kept(what: str, facts: Sequence[Fact], summaries: Sequence[Summary]) -> Kept:
    summed = [(fact, texts) for fact in facts if (texts := [group.text for group in judged(fact, summaries)])]
    lost = [(fact, texts) for fact, texts in summed if not any(map(fact.kept, texts))]
    outdated = sum(any(stands(fact.was, text) for text in texts) for fact, texts in lost if fact.was)
    return Kept(what, len(facts), len(summed), len(summed) - len(lost), outdated)


def compression(episodes: Sequence[Episode], trial: Trial) -> Compression:
    texts = {episode.id: episode.text for episode in episodes}
    summed = {id for group in trial.summaries if group.text for id in group.episodes}
    return Compression(
        _words(texts[id] for id in summed),
        _words(group.text for group in trial.summaries),
        _first(trial.before),
        _first(trial.after),
        _answer(trial.before),
        _answer(trial.after),
    )


def _words(texts: Iterable[str]) -> int:
    return sum(len(text.split()) for text in texts)


def _first(state: State) -> int:
    return _words(memory.content for memory in state.memories.values() if memory.status in FIRST)


def _answer(state: State) -> float:
    return _words(shown.text for answer in state.answers for shown in answer.shown[:FEW]) / len(state.answers)


def found(words: str, when: str, answers: Sequence[Answer]) -> Found:
    """The questions of some words ("" for all)."""
    some = [answer for answer in answers if not words or answer.question.words == words]
    stated = [answer for answer in some if answer.question.facts]
    return Found(
        words or "all",
        when,
        len(some),
        _share([answered(answer, FEW) for answer in some]),
        _share([answered(answer, MANY) for answer in some]),
        _share([_told(answer, FEW) for answer in stated]),
        _share([_told(answer, MANY) for answer in stated]),
        sum(map(_covered, some)) / max(1, len(some)),
        sum(answer.silent for answer in some),
    )


def answered(answer: Answer, k: int) -> bool:
    return any(not shown.speaks_for.isdisjoint(answer.question.relevant) for shown in answer.shown[:k])


def _told(answer: Answer, k: int) -> bool:
    return any(fact.kept(shown.text) for shown in answer.shown[:k] for fact in answer.question.facts)


def _covered(answer: Answer) -> float:
    spoken: set[str] = set().union(*(shown.speaks_for for shown in answer.shown[:MANY]))
    return len(spoken.intersection(answer.question.relevant)) / len(answer.question.relevant)


def _share(cases: Sequence[bool]) -> float:
    return sum(cases) / max(1, len(cases))


def undone(trial: Trial) -> Undone:
    was, now = trial.before, trial.undone
    other = sum(now.memories.get(id) != memory for id, memory in was.memories.items())
    pairs = zip(was.answers, now.answers, strict=True)
    return Undone(
        len(now.memories.keys() - was.memories.keys()),
        other,
        sum([shown.id for shown in one.shown] != [shown.id for shown in two.shown] for one, two in pairs),
    )
