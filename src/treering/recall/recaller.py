"""Recall, end to end: gather candidates from three channels, score, rank, and explain or abstain."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from math import sqrt
from operator import itemgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from treering.ledger.codec import data_of
from treering.ledger.events import SUMMARISED
from treering.ledger.types import CHANNELS, RECALLABLE, Context, Found, Hit, Memory, Why, sight
from treering.models.port import Embedder
from treering.recall import belongs, scoring
from treering.recall.candidates import SPARE, Ask, Gathering
from treering.recall.doubts import disputes, newest_first
from treering.recall.index import cells
from treering.recall.index.caches import Memo
from treering.recall.index.profiles import Candidates, catch_up
from treering.recall.index.rest import Rest, find_rest
from treering.recall.lessons.rules import FIRST, question
from treering.recall.query.calendar import closeness
from treering.recall.ranking import (
    AS_GOOD,
    DEPTH,
    FACTORS,
    HEARD,
    Merits,
    Statement,
    balanced,
    confidence,
    current_first,
    distinct,
    merits,
    put_at,
    standing,
    summaries_first,
    weight,
)
from treering.recall.scoring import EVERYTHING_LEARNED, RANKS, Mix, Scores, Switches
from treering.stores.port.ledger import EventQuery, Reader
from treering.stores.port.search import Place

RUNNERS_UP = 2  # of what is not shown, that an answer names
FLOODED = 10  # times as many candidates, where those found come to fewer hits than are wanted
NOTHING_HERE = "nothing has been remembered here yet"
_NOTHING = "nothing that is remembered has anything to do with it"


class Answer(NamedTuple):
    hits: tuple[Hit, ...]
    confidence: float
    silence: str = ""
    rest: tuple[Hit, ...] = ()  # the best that are not among them
    seen: belongs.Evidence | None = None  # by which it was judged what belongs

    @property
    def next(self) -> Hit | None:
        """The first that is not among the hits."""
        return self.rest[0] if self.rest else None

    @property
    def considered(self) -> frozenset[str]:
        """The memories that shaped the answer: shown, next, and those that they speak for or follow."""
        shown = [*self.hits, *([self.next] if self.next else [])]
        return frozenset(id for hit in shown for id in (hit.memory.id, hit.why.older_than, *hit.why.same_as) if id)


class Recaller:
    def __init__(self, store: Reader, embedder: Embedder | None, switches: Switches = EVERYTHING_LEARNED) -> None:
        self._memo = Memo(store, embedder, switches)
        self.overdue = False  # a tail has grown too long

    def prepare(
        self,
        context: Context,
        progress: Callable[[int], None] = lambda done: None,
        going: Callable[[], bool] = lambda: True,
        most: int = sys.maxsize,
    ) -> int:
        """Make ready what has been remembered since the last time, or the first `most` of it, as long as there is
        time. How many memories that were."""
        memo = self._memo
        done = catch_up(memo.index, memo.stems, memo.embedder, progress, going, most)
        memo.learner.catch_up()
        if done:
            self.tidy(context)
        return done

    def tidy(self, context: Context) -> None:
        """Put tails that have grown too long into cells."""
        if any(map(cells.due, self._memo.index.places(context))):
            self._memo.index.write(lambda: self._fold(context))

    def carry_over(self, before: Hashable, after: Hashable, changed: Sequence[str]) -> None:
        """Keep what is cached from one version of the store to another, between which only these records changed."""
        self._memo.carry_over(before, after, changed)

    def answer(self, ask: Ask) -> Answer:
        """Return the hits and how sure they are, on one view of the store."""
        return self._memo.store.view(lambda: self._answer(ask))

    def told(self, ask: Ask) -> Answer:
        """Return the same as somebody is told it: what may hold no longer behind what says otherwise."""

        def work() -> Answer:
            store, found = self._memo.store, self._answer(ask)
            if not found.hits or ask.narrow is not None:
                return found
            clashing = self._memo.once("disputes", lambda: disputes(store))
            hits = newest_first(found.hits, clashing, store, ask.context, ask.k)
            there = {hit.memory.id for hit in hits}
            return found._replace(hits=(*hits,), rest=tuple(hit for hit in found.rest if hit.memory.id not in there))

        return self._memo.store.view(work)

    def _answer(self, ask: Ask) -> Answer:
        memo, embedder = self._memo, self._memo.embedder
        memo.look()
        filled = memo.once("embedder", lambda: memo.index.embedder)
        strange = filled != (embedder.name if embedder else "none")  # or never filled
        places = [] if strange else memo.places(ask.context)
        self.overdue = any(map(cells.due, places))
        rest = find_rest(memo, ask.query.terms, ask.context, ask.narrow, strange)
        if not places and not rest.profiles:
            return Answer((), 0.0, _NOTHING if rest.waiting else NOTHING_HERE)
        answer, full = self._look(ask, places, rest, 1)
        if full and answer.hits and answer.next is None and len(answer.hits) < ask.k:
            # One source or one text has filled all that was looked at; others may stand behind it.
            answer, _ = self._look(ask, places, rest, FLOODED)
        return answer

    def _look(self, ask: Ask, places: Sequence[Place], rest: Rest, breadth: int) -> tuple[Answer, bool]:
        found = Gathering(self._memo, ask, places, rest, breadth)
        answer = _Run(found).answer(found.numbers())
        return answer, found.full

    def _fold(self, context: Context) -> None:
        for place in self._memo.index.places(context):
            if cells.due(place):
                cells.fold(self._memo.index, place)


class _Run:
    """One recall at work, on what was gathered for it."""

    def __init__(self, found: Gathering) -> None:
        self.found = found
        self.memo = found.memo
        self.ask = found.ask
        self.query = found.query
        self.mix = found.mix
        self.found_at: dict[str, _Standing] = {}  # the hits, before others took their place

    def answer(self, numbers: Mapping[int, None]) -> Answer:
        ranked = self._ranked(numbers)
        if not len(ranked.scores):
            return Answer((), 0.0, _NOTHING)
        hits = self._hits(ranked)
        if not hits:
            return Answer((), 0.0, _NOTHING)
        seen = self._evidence(hits[: self.ask.k + 1], ranked)
        answered = seen.known if self.found.empty else belongs.answered(seen)
        sure = max(answered, self._settled(ranked))
        if self.ask.floor != 0 and sure <= self.mix.silent:
            silence = f"nothing that is remembered answers this well enough ({sure:.2f} of 1)"
            return Answer((), sure, silence, (*hits[:RUNNERS_UP],), seen)
        likely = belongs.chances(seen)
        floor = belongs.usual_floor(seen.text) if self.ask.floor is None else self.ask.floor
        most = belongs.shown(likely[: self.ask.k], floor, seen.cover)
        hits = [
            *(Hit(*hit[:3], round(chance, 4)) for hit, chance in zip(hits, likely.tolist(), strict=False)),
            *hits[len(likely) :],
        ]
        return Answer((*hits[:most],), sure, "", (*hits[most : most + RUNNERS_UP],), seen)

    def _evidence(self, hits: Sequence[Hit], ranked: _Ranked) -> belongs.Evidence:
        """Return what is known of the hits, and of the query, that tells which of them belong."""
        found, cosines = self.found, ranked.raw["vector"]
        own = [self.found_at[hit.memory.id] for hit in hits]
        at = [one.at for one in own]
        topic = [row for row, term in enumerate(found.terms) if term.word in found.topic]
        counts = [len(found.lists.get(found.terms[row].stem, ())) for row in topic]
        weights = np.array([weight(count, found.size) for count in counts])
        mean = float(cosines.sum()) / len(cosines)
        deviation = sqrt(max(0.0, float(cosines @ cosines) / len(cosines) - mean * mean))
        nothing = np.zeros(len(at))
        return belongs.Evidence(
            np.array([hit.score for hit in hits]),
            np.array([ranked.parts[name][at] if name in ranked.parts else nothing for name in belongs.PARTS]),
            np.array([ranked.nearness(channel, at) for channel in ("keyword", "vector")]),
            np.array([(bool(hit.why.older_than), *one.merits.traits) for hit, one in zip(hits, own, strict=True)]),
            len(topic),
            *belongs.covered(weights, ranked.holds[topic][:, at]),
            cosines[at],
            (mean, deviation, float(cosines.max())),
            ranked.candidates.words[at],
            self._confidence(ranked),
            sum(not count for count in counts) / max(1, len(counts)),
            found.size,
            found.length,
        )

    def _ranked(self, numbers: Collection[int]) -> _Ranked:
        ranked = self._scored(numbers)
        ranked = self._taught(self._joined(ranked) if self.mix.joined else ranked)
        return ranked._replace(leading=(-ranked.scores).argsort(kind="stable").tolist())

    def _scored(self, numbers: Collection[int]) -> _Ranked:
        candidates = self.memo.profiles.take(numbers, self.found.places, self.found.rest.profiles)
        often = scoring.occurrences(candidates, self.found.terms)
        weights = np.array([term.rarity for term in self.found.terms], np.float64)
        raw = {
            "keyword": self._keyword(candidates, often),
            "vector": np.zeros(len(candidates.numbers)),
            "graph": _laid_out(self.found.active, candidates),
        }
        by_rank = self.mix.fusion == RANKS
        share = scoring.ranked if by_rank else scoring.share
        parts = {"keyword": self.mix.keyword * self.found.faith * share(raw["keyword"])} if self.mix.keyword else {}
        if self.found.vector is not None:
            raw["vector"], best = scoring.likeness(candidates, self.found.vector, self.mix)
            middle = scoring.typical(self.found.middle, self.found.vector)
            near = scoring.relative(raw["vector"], best, middle, self.found.size, self.mix)
            parts["vector"] = self.mix.vector * (share(near) if by_rank else near)
        if self.found.active:
            parts["graph"] = self.mix.graph * share(raw["graph"])
        if self.found.related:
            led = _laid_out(self.found.related, candidates)
            # A long text mentions much: that it speaks of what is asked for through another thing says little.
            parts["relation"] = self.mix.relation * scoring.brevity(candidates) ** 2 * share(led)
        scores = np.asarray(sum(parts.values(), np.zeros(len(candidates.numbers))), np.float64)
        return _Ranked(candidates, weights, often, often > 0, raw, parts, scores, {})

    def _keyword(self, candidates: Candidates, often: NDArray[np.int64]) -> Scores:
        found = self.found
        if found.empty:
            return np.array([found.matched.get(number, 0.0) for number in candidates.numbers.tolist()])
        stems = [self.memo.stems.of(pair) for pair in self.query.pairs]
        pairs = [(one, other) for one, other in stems]
        scores = scoring.keyword(candidates, found.terms, often, pairs, found.length / max(1, found.size), found.size)
        if self.query.windows:
            near = np.array([closeness(self.query.windows, moment) for moment in candidates.created.tolist()])
            scores = scores + scoring.timely(near, found.size)
        return scores

    def _joined(self, ranked: _Ranked) -> _Ranked:
        """Add what candidates get from each other: likeness to the leaders, neighbours, co-recalls."""
        candidates, scores = ranked.candidates, ranked.scores
        parts = dict(ranked.parts)
        if self.found.vector is not None:
            parts["likeness"] = scoring.alike(candidates, scores, self.found.middle, self.mix)
            scores = scores + parts["likeness"]
        parts["neighbours"] = scoring.neighbourly(candidates, scores, self.found.beside, self.mix)
        parts["company"] = scoring.sociable(candidates, scores, self.found.company, self.mix)
        return ranked._replace(parts=parts, scores=scores + parts["neighbours"] + parts["company"])

    def _taught(self, ranked: _Ranked) -> _Ranked:
        """Add what was learned: questions that candidates answered, and what their kind is good for."""
        lessons, switches = self.found.lessons, self.memo.switches
        if lessons is None or not len(ranked.scores):
            return ranked
        candidates, parts = ranked.candidates, {}
        if self.found.votes:
            parts["learned"] = (
                self.mix.learned * lessons.trust * scoring.answered(candidates, self.found.votes, self.found.middle)
            )
        if self.mix.prior and switches.prior:
            first = np.isin(candidates.numbers, self.found.first) * FIRST
            kinds = candidates.kinds | first
            where = self.ask.context.project
            prior = self.mix.prior * lessons.prior(where, question(self.query), kinds)
            parts["prior"] = scoring.modest(prior, ranked.scores, [ranked.raw[name] for name in CHANNELS])
        parts = scoring.bounded(ranked.scores, parts)
        scores = ranked.scores + sum(parts.values(), np.zeros(len(ranked.scores)))
        return ranked._replace(parts={**ranked.parts, **parts}, scores=scores)

    def _confidence(self, ranked: _Ranked) -> float:
        found = self.found
        if found.empty:  # somebody quotes, or says nothing
            return 1.0 if self.memo.index.match([" ".join(self.query.words)], found.here, None, 1) else 0.0
        top = ranked.leading[:HEARD]
        holding = {term.word: len(found.lists.get(term.stem, ())) for term in found.terms}
        topic = {word: weight(count, found.size) for word, count in holding.items() if word in found.topic}
        if not topic and self.query.windows:  # it asks for a time and nothing else
            return max(closeness(self.query.windows, int(moment)) for moment in ranked.candidates.created[top])
        heard: list[int] = ranked.often[:, top].sum(axis=1).tolist()
        mentioned = {term.word for term, here in zip(found.terms, heard, strict=True) if here}
        names = [name.lower() for name in self.query.names]
        return found.faith * confidence(topic, mentioned, names, {name for name in names if not holding.get(name)})

    def _settled(self, ranked: _Ranked) -> float:
        """Return how sure those are who judged the leading hits when the same was asked."""
        if not self.found.same_votes:
            return 0.0
        leading = ranked.candidates.numbers[ranked.leading[:HEARD]].tolist()
        vote = max(self.found.same_votes.get(number, 0.0) for number in leading)
        return max(0.0, vote) / (max(0.0, vote) + scoring.CONVINCING)

    def _hits(self, ranked: _Ranked) -> list[Hit]:
        """Return as many hits as are wanted, and the runners-up."""
        # Those at or below zero have less to do with it than any memory would have.
        order = list(ranked.leading[: int((ranked.scores > 0).sum())])
        chosen = self._chosen(order[: self.ask.k + SPARE], ranked)
        # A flood from one source, or of duplicates, may fill all that was looked at.
        more = len(chosen) < self.ask.k and len(order) > self.ask.k + SPARE
        return self._chosen(order, ranked) if more else chosen

    def _chosen(self, order: Sequence[int], ranked: _Ranked) -> list[Hit]:
        found = self._standing(order, ranked)
        at = [one.at for one in found]
        summaries = tuple(one.memory.id for one in found if one.merits.summary)
        moved, older = self._older(found[:DEPTH], at[:DEPTH], ranked)
        sayings: list[int] = ranked.candidates.sayings[at].tolist()
        if not older and not summaries and len({*sayings}) == len(sayings):  # nearly always
            return self._told(balanced(found, self.ask.k, RUNNERS_UP), ranked)
        hits = self._told(found, ranked)
        same = {hit.memory.id: saying for hit, saying in zip(hits, sayings, strict=True)}
        hits = self._summaries_first(_newest_first(hits, moved, older), summaries)
        return balanced(distinct(hits, [same[hit.memory.id] for hit in hits]), self.ask.k, RUNNERS_UP)

    def _standing(self, order: Sequence[int], ranked: _Ranked) -> list[_Standing]:
        """Return candidates that may be shown, by their scores after all factors."""
        numbers: list[int] = ranked.candidates.numbers[order].tolist()
        memories = self.memo.memories(numbers)
        statuses = self.ask.narrow.statuses if self.ask.narrow else RECALLABLE
        sees, hidden, past, now, mix = sight(self.ask.context), self.ask.hidden, self.ask.past, self.ask.now, self.mix
        lessons = self.found.lessons if mix.lift else None
        found = []
        for at, number, score in zip(order, numbers, ranked.scores[order].tolist(), strict=True):
            memory = memories.get(number)
            if memory is None or memory.status not in statuses or not sees(memory) or memory.id in hidden:
                continue  # gone, or out of bounds; the places have seen to the walls already
            own = self.memo.merits(number, memory)
            lift = lessons.lift(number) if lessons else 0.0
            then = merits(past(memory)) if past else own
            found.append(_Standing(then.weighed(score, now, mix, lift), at, memory, own, then, lift))
        found.sort(key=itemgetter(0), reverse=True)
        return found

    def _told(self, found: Sequence[_Standing], ranked: _Ranked) -> list[Hit]:
        """Return hits with why each stands where it stands."""
        at = [one.at for one in found]
        self.found_at = {one.memory.id: one for one in found}
        return [
            Hit(one.memory, one.score, Why(channels, parts, one.factors(self.ask.now, self.mix)))
            for one, channels, parts in zip(found, ranked.found_by(at), ranked.given(at), strict=True)
        ]

    def _summaries_first(self, hits: list[Hit], summaries: tuple[str, ...]) -> list[Hit]:
        if not summaries:
            return hits
        events = self.memo.store.events(EventQuery(subjects=summaries, kinds=(SUMMARISED,), live=True))
        whole = [event for event in events if event.payload is not None]
        sources = {event.subject: frozenset(data_of(event)[1]["sources"]) for event in whole}
        order = summaries_first(hits, sources)
        return [put_at(hits[here], hits[place].score, "summary", "summed up") for place, here in enumerate(order)]

    def _older(self, found: Sequence[_Standing], at: list[int], ranked: _Ranked) -> tuple[list[int], dict[int, int]]:
        """Return the order in which the newest statement of each thing comes first, and which are older."""
        matched: list[float] = (ranked.weights @ ranked.holds[:, at]).tolist()
        need = AS_GOOD * max(matched, default=0.0)
        able = [place for place, one in enumerate(matched) if one >= need > 0]
        if len(able) < 2:
            return [], {}
        words: list[int] = ranked.candidates.words[at].tolist()
        order, older = current_first(
            [self._statement(found[place].memory, words[place], matched[place]) for place in able],
            {term.stem: term.rarity for term in self.found.terms},
            self.memo.stems,
        )
        moved = [*range(len(found))]
        for place, here in zip(able, order, strict=True):
            moved[place] = able[here]
        return moved, {able[one]: able[newer] for one, newer in older.items()}

    def _statement(self, memory: Memory, words: int, matched: float) -> Statement:
        # Who says that it will happen has said so when it was written.
        said = memory.created if memory.created <= self.ask.now else memory.updated
        return Statement(memory.content, words, said, standing(memory), matched)


class _Standing(NamedTuple):
    """A candidate that may be shown."""

    score: float
    at: int  # where it stands among the candidates
    memory: Memory
    merits: Merits
    then: Merits  # of the memory as it was when the question was asked
    lift: float

    def factors(self, now: int, mix: Mix) -> dict[str, float]:
        """Return what each of its properties multiplies its score with."""
        return dict(zip(FACTORS, self.then.factors(now, mix, self.lift), strict=False))


class _Ranked(NamedTuple):
    candidates: Candidates
    weights: Scores  # of the query's terms
    often: NDArray[np.int64]  # how often each term (row) is in each candidate
    holds: NDArray[np.bool_]
    raw: Mapping[str, Scores]  # what each channel gave
    parts: Mapping[str, Scores]  # what that came to
    scores: Scores
    sorted: dict[str, Scores]  # those of `raw` that were needed in order
    leading: Sequence[int] = ()  # where the candidates stand, the best first

    def given(self, order: Sequence[int]) -> list[dict[str, float]]:
        """Return what each part gave to some candidates, without those that gave nothing."""
        columns = [scores[order].tolist() for scores in self.parts.values()]
        names = [*self.parts]
        rows = zip(*columns, strict=True) if columns else ((),) * len(order)
        return [{name: part for name, part in zip(names, row, strict=True) if part} for row in rows]

    def found_by(self, order: Sequence[int]) -> list[dict[str, Found]]:
        """Return the channels that found some candidates, and their ranks there."""
        found: list[dict[str, Found]] = [{} for _ in order]
        for channel in [channel for channel in self.raw if channel in self.parts]:
            mine = self.raw[channel][order].tolist()
            for one, rank, score in zip(found, self.ranks(channel, order).tolist(), mine, strict=True):
                if score > 0:
                    one[channel] = Found(rank, score)
        return found

    def nearness(self, channel: str, order: Sequence[int]) -> Scores:
        """Return one over the rank of some candidates in a channel, and 0 where it did not find them."""
        if channel not in self.parts:
            return np.zeros(len(order))
        return (self.raw[channel][order] > 0) / self.ranks(channel, order)

    def ranks(self, channel: str, order: Sequence[int]) -> NDArray[np.intp]:
        """Return the ranks of some candidates in a channel, whether or not it found them."""
        scores = self.raw[channel]
        return len(scores) + 1 - self.ascending(channel).searchsorted(scores[order], "right")

    def ascending(self, channel: str) -> Scores:
        if channel not in self.sorted:
            self.sorted[channel] = np.sort(self.raw[channel])
        return self.sorted[channel]


def _newest_first(hits: Sequence[Hit], order: Sequence[int], older: Mapping[int, int]) -> list[Hit]:
    """Return the hits in the order in which the newest statement of each thing comes first."""
    if not older:
        return [*hits]
    ordered = []
    for place, here in enumerate(order):
        hit = hits[here]
        if here in older:
            hit = hit._replace(why=hit.why._replace(older_than=hits[older[here]].memory.id))
        ordered.append(put_at(hit, hits[place].score, "newest", "older"))
    return [*ordered, *hits[len(order) :]]


def _laid_out(found: Mapping[int, float], candidates: Candidates) -> Scores:
    """Return what is known of each candidate, and 0 for the others."""
    laid = np.zeros(len(candidates.numbers))
    if found and len(laid):
        at = candidates.places_of(np.fromiter(found, np.int64, len(found)))
        laid[at[at >= 0]] = np.fromiter(found.values(), np.float64, len(found))[at >= 0]
    return laid
