"""Gather candidates: what words, vectors and the graph find, and what stands beside it.

In the graph, memories are linked by the entities they mention, by standing side by side in a
session, and by having been recalled together. A query activates those that mention what it names,
and activation spreads a few steps. It also follows relations: "Who looks after the charts?" names
the charts; one memory says that Kelp draws them, another one who looks after Kelp.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain, zip_longest
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from treering.ledger.events import RECALLED, SURFACED
from treering.ledger.types import Context, Filter, Memory
from treering.ledger.usage import shown_ranks
from treering.recall import scoring
from treering.recall.index.caches import Memo, Neighbours
from treering.recall.index.postings import Numbers, heaviest
from treering.recall.index.rest import Rest
from treering.recall.lessons.lessons import Lessons
from treering.recall.query.analysis import Query, correct
from treering.recall.scoring import NO_LINKS, Links, Mix, Term, rarity
from treering.stores.port.ledger import EventQuery, Reader
from treering.stores.port.search import Place
from treering.text.words import STOP_WORDS

if TYPE_CHECKING:
    from treering.models.port import Matrix


MOST_MENTIONS = 400  # that a query wakes; what so many mention tells them apart no better
STEPS = 2  # that activation spreads
SPREAD = 0.4  # of its activation that a memory hands on
OFTEN = 3  # recalls together that make two memories companions
_LOOKED_AT = 40  # of their recalls, the latest


def entities(query: Query) -> list[str]:
    """Return what a query names that memories may mention."""
    names = [" ".join(pair) for pair in query.pairs]
    names += [name.text.lower() for name in query.identifiers]
    return [*dict.fromkeys([*names, *query.terms])]


def activate(mentions: Iterable[tuple[str, int]], size: int) -> dict[int, float]:
    """Return the memories that mention what a query names, by how rare that is."""
    found: dict[str, list[int]] = {}
    for entity, number in mentions:
        found.setdefault(entity, []).append(number)
    active: dict[int, float] = {}
    for numbers in found.values():
        weight = rarity(len(numbers), size)
        for number in numbers:
            active[number] = active.get(number, 0.0) + weight
    return active


def spread(active: Mapping[int, float], links: Mapping[int, Mapping[int, float]]) -> dict[int, float]:
    """Spread activation along links: a memory gets a share of the most active one beside it."""
    now = dict(active)
    for _ in range(STEPS):
        before = dict(now)
        for number, others in links.items():
            best = max((before.get(one, 0.0) * strength for one, strength in others.items()), default=0.0)
            now[number] = max(now.get(number, 0.0), active.get(number, 0.0) + SPREAD * best)
    return {number: score for number, score in now.items() if score > 0}


def both_ways(beside: Iterable[Neighbours]) -> dict[int, dict[int, float]]:
    """Return links between memories that stand side by side."""
    links: dict[int, dict[int, float]] = {}
    for number, *others in beside:
        for other in others:
            if other:
                links.setdefault(number, {})[other] = links.setdefault(other, {})[number] = 1.0
    return links


def co_recall_links(store: Reader, memories: Iterable[Memory]) -> dict[int, dict[int, float]]:
    """Return links from memories to those of the same recalls; three times make a full one."""
    known = [memory.id for memory in memories if memory.accesses]
    if not known:
        return {}
    together = _co_recall_counts(store, known)
    named = store.index.named([*together, *(other for counts in together.values() for other in counts)])
    links: dict[int, dict[int, float]] = {}
    for one, counts in together.items():
        for other, count in counts.items():
            if one in named and other in named:
                strength = min(1.0, count / OFTEN)
                links.setdefault(named[one], {})[named[other]] = strength
                links.setdefault(named[other], {})[named[one]] = strength
    return links


def _co_recall_counts(store: Reader, ids: Sequence[str]) -> dict[str, dict[str, int]]:
    """Return, for each memory, those that were shown by the same recalls, and how often."""
    seen = EventQuery(subjects=tuple(ids), kinds=(SURFACED,), live=True, newest=True, limit=_LOOKED_AT)
    recalls: dict[str, set[str]] = {}
    for event in store.events(seen):
        for cause in event.causes:
            if cause != event.subject:
                recalls.setdefault(cause, set()).add(event.subject)
    found: dict[str, dict[str, int]] = {}
    for event in store.events(EventQuery(ids=tuple(recalls), kinds=(RECALLED,), live=True)):
        for other in shown_ranks(event):
            for one in recalls[event.id] - {other}:
                counts = found.setdefault(one, {})
                counts[other] = counts.get(other, 0) + 1
    return found


LONGEST_NAME = 3  # words of a query that may be one name
MOST_RELATED = 100  # relations that are looked at: what has more is a hub, and tells nothing apart
MOST_FOLLOWED = 8  # things at their other ends, the surest: each is one search
MOST_HOLDING = 40  # memories that speak of one: what so many do is no clue
HOPS = 2  # from what is named to what is meant
_AROUND = "\"'`()[]{}<>.,;:!?"
_SHORT = 5  # letters of a name that may be a plural
FADING = 0.5  # of what a step is worth, the next one is


def follow_relations(memo: Memo, asked: Sequence[str], places: Sequence[Place], size: int) -> dict[int, float]:
    """Return the memories about what these names are related to, by certainty and rarity.

    They are found by its words: a text names it even without saying what kind it is.
    """
    strengths = _related(memo, asked, places)
    found: dict[int, float] = {}
    here = [place.number for place in places]
    for name in sorted(strengths, key=lambda name: (-strengths[name], name))[:MOST_FOLLOWED]:
        holders = memo.index.match([name], here, None, MOST_HOLDING)
        weight = strengths[name] * rarity(len(holders), size)
        for number, _ in holders:
            found[number] = max(found.get(number, 0.0), weight)
    return found


def first_words(query: Query) -> list[str]:
    """Return the words with which a name in the query may begin, and others."""
    found = [*query.words, *(chunk.strip(_AROUND) for chunk in query.text.split() if not chunk.isalnum())]
    found += [word[:-1] for word in found if word[-1:] in "sS"]
    found += [name.text.partition(" ")[0] for name in query.identifiers]
    return [word.lower() for word in found]


def names(query: Query) -> list[str]:
    """Return what of a query may be a name: words, names in code, a few words in a row; also singular."""
    words = [word.lower() for word in query.words]
    rows = (words[at : at + size] for size in range(2, LONGEST_NAME + 1) for at in range(len(words) - size + 1))
    joined = [" ".join(row) for row in rows if row[0] not in STOP_WORDS and row[-1] not in STOP_WORDS]
    single = [word for word in words if word not in STOP_WORDS and len(word) > 1]
    whole = [chunk.strip(_AROUND).lower() for chunk in query.text.split()]  # with what joins them: csv-dump
    coded = [name.text.lower() for name in query.identifiers]
    found = dict.fromkeys([*coded, *(name for name in whole if len(name) > 1), *joined, *single])
    one = (name[:-1] for name in found if len(name) > _SHORT and name.endswith("s") and not name.endswith("ss"))
    return [name for name in dict.fromkeys([*found, *one]) if name.isprintable()]  # none holds half a character


def _related(memo: Memo, asked: Sequence[str], places: Sequence[Place]) -> dict[str, float]:
    """Return what is related to the names asked about, over a step or two, and how strongly.

    The names themselves are left out: the words find those.
    """
    found: dict[str, float] = {}
    edge: dict[str, float] = dict.fromkeys(memo.related(places).among(asked), 1.0)
    for _ in range(HOPS):
        beyond: dict[str, float] = {}
        for name, other, sure in memo.relations([*edge], places, MOST_RELATED):
            strength = edge[name] * sure
            if other not in asked and strength > max(found.get(other, 0.0), beyond.get(other, 0.0)):
                beyond[other] = strength
        found |= beyond
        edge = {name: FADING * strength for name, strength in beyond.items()}
        if not edge:
            break
    return found


CANDIDATES = 60  # from each channel, or as many as are wanted; 100 find nothing more
SPARE = 15  # hits looked at beyond those wanted, as some are collapsed, out of bounds or older
ASKED_BESIDE = 80  # the best of all channels in turn, whose neighbours are looked at though no channel found them
CORRECTED = 0.8  # of what a word counts that was asked for, the word counts for which it is taken
SAME = 0.6  # how like a lesson must be to have asked the same: a cosine of three quarters, or nearly all the words
_SEEDS = 5  # the best, whose former company is looked at


class Ask(NamedTuple):
    """A query: what is asked, by whom, and how."""

    query: Query
    context: Context
    k: int
    now: int
    strategy: str = "hybrid"
    narrow: Filter | None = None  # beyond the walls: a type, a scope, a time
    # The share of what belongs that may be left out: 0 gives k hits, however unsure; None is what is usual.
    floor: float | None = None
    hidden: frozenset[str] = frozenset()  # memories that are looked at as if they had been retired
    mix: Mix | None = None  # instead of what the store has learned
    past: Callable[[Memory], Memory] | None = None  # a memory as it was when the question was asked


def _ordered(found: Mapping[int, float]) -> list[int]:
    """Return numbers, the highest score first; of equals, as they stood."""
    return sorted(found, key=found.__getitem__, reverse=True)


def _leading(channels: Sequence[Sequence[int]], most: int) -> list[int]:
    """Return the first of what each channel found, in turn."""
    found: dict[int, None] = {}
    for rank in zip_longest(*filter(None, channels)):
        for number in rank:
            found[number] = None
        if len(found) > most:
            break
    found.pop(None, None)  # type: ignore[call-overload]  # where a channel has no more
    return [*found][:most]


class Gathering:
    """The candidates of one query, and the channels that found them."""

    def __init__(self, memo: Memo, ask: Ask, places: Sequence[Place], rest: Rest, breadth: int = 1) -> None:
        self.memo = memo
        self.index = memo.index
        self.ask = ask
        self.query = ask.query
        self.places = [*places, rest.place] if rest.profiles else places
        self.rest = rest
        self.middle = memo.middle(places)
        self.alone = not places  # the index may be of another embedder: nothing of it is used
        self.size = sum(place.held for place in self.places)
        self.length = sum(place.length for place in self.places)
        self.lists: dict[int, Numbers] = {}  # who holds each stem of the query
        context = ask.context
        self.mix = ask.mix or memo.mix(context.space, context.project, ask.query.type, ask.strategy)
        if not memo.switches.q:
            self.mix = self.mix._replace(usefulness=0.0, lift=0.0)
        if self.alone:
            self.mix = self.mix._replace(learned=0.0, prior=0.0, lift=0.0)
        self.wide = max(CANDIDATES, ask.k + SPARE) * breadth
        self._lessons: Lessons | None = None
        self.full = False  # a channel has given as many as it may
        self.allowed = None if ask.narrow is None else set(self.index.numbers(ask.narrow))
        pieces = self._pieces()
        self.terms = self._terms([piece for word in self.query.terms for piece in pieces.get(word, (word,))])
        topic = self.query.topic or [word for word in self.query.terms if not word.isalpha()]
        self.topic = {piece for word in topic for piece in pieces.get(word, (word,))}
        # A query that says nothing is taken at its word: only the full-text index knows of such words.
        self.empty = STOP_WORDS.issuperset(self.query.terms)
        self.matched: dict[int, float] = {}
        self.faith = 1.0  # in the words that are searched for
        self.vector = self._question()
        self.active: dict[int, float] = {}
        self.related: dict[int, float] = {}
        self.beside = NO_LINKS
        self.company = NO_LINKS
        self.first: Sequence[int] = ()  # that open their session, among those whose neighbours are known
        self.same_votes: dict[int, float] = {}  # the same of lessons that asked all but this very question
        self.votes: dict[int, float] = {}  # what lessons say for memories, or against them

    def _pieces(self) -> dict[str, tuple[str, ...]]:
        """Return unknown CamelCase names and their pieces: getUserName may be get_user_name elsewhere."""
        joined = {name.text.lower(): name.parts for name in self.query.identifiers if name.text.isalnum()}
        stems = self._stemmed(list(joined))
        strange = [name for stem, name in stems.items() if not len(self.lists.get(stem, ()))]
        return {name: tuple(part.lower() for part in joined[name]) for name in strange}

    @property
    def here(self) -> list[int]:
        return [place.number for place in self.places]

    def numbers(self) -> dict[int, None]:
        """Return the numbers of all candidates: what each channel finds, and what is beside the best."""
        channels = [self._matching() if self.mix.keyword else [], self._near()]
        if self.mix.graph:
            mentions = self.memo.mentions(entities(self.query), self.places, MOST_MENTIONS)
            self.active = activate(mentions, self.size)
        if self.mix.relation:
            self.related = self._related()
        for found_there in (self.active, self.related):
            channels.append(_ordered(found_there)[: self.wide])
        self.full = any(len(channel) >= self.wide for channel in channels)
        channels.append(self._voted())
        found = dict.fromkeys(chain.from_iterable(channels))
        if self.mix.joined:
            best = _leading(channels, ASKED_BESIDE)
            found.update(dict.fromkeys([*self._beside(best), *self._co_recalled(best[:_SEEDS])]))
        if self.alone:
            found = {profile.number: None for profile in self.rest.profiles if profile.number in found}
        if self.allowed is not None:
            found = {number: None for number in found if number in self.allowed}
        return found

    @property
    def lessons(self) -> Lessons | None:
        """The lessons learned here, if any."""
        if self._lessons is None and (self.mix.learned or self.mix.prior or self.mix.lift):
            self._lessons = self.memo.lessons_of(self.ask.context.space)
        return self._lessons if self._lessons is not None and self._lessons.size else None

    def _related(self) -> dict[int, float]:
        """Return memories about what the names of the query are related to."""
        if not self.memo.related(self.places).may_begin(first_words(self.query)):
            return {}
        return follow_relations(self.memo, names(self.query), self.places, self.size)

    def _voted(self) -> list[int]:
        """Return memories that answered questions like this one."""
        if self.mix.learned and self.memo.switches.terms and (lessons := self.lessons) is not None and lessons.trust:
            terms = {term.stem: term.rarity for term in self.terms if term.word not in STOP_WORDS}
            alike = lessons.alike(terms, self.vector)
            self.votes, self.same_votes = lessons.votes(alike), lessons.votes(alike, SAME)
        return _ordered({number: vote for number, vote in self.votes.items() if vote > 0})[: self.wide]

    def _beside(self, best: list[int]) -> list[int]:
        """Return the best that have neighbours in their session, and these."""
        beside = self.memo.beside(best, self.places)
        if self.mix.graph and not self.mix.keyword:
            self.active = spread(self.active, both_ways(beside))
        linked = [row for row in beside if row[1] or row[2]]
        self.first = [number for number, before, _ in linked if not before]
        flat = [*chain.from_iterable(linked)]
        self.beside = Links.beside(np.fromiter(flat, np.int64, len(flat)).reshape(-1, 3))
        return [number for number in flat if number]

    def _co_recalled(self, seeds: list[int]) -> Iterable[int]:
        """Return those that came up with the best, or helped with the same questions."""
        if not self.mix.company or not self.memo.switches.company:
            return ()
        there = self.memo.memories(seeds)
        links = co_recall_links(self.memo.store, [there[number] for number in seeds if number in there])
        helped = self.lessons.together(seeds) if self.lessons is not None else {}
        for one, counts in helped.items():
            for other, count in counts.items():
                strength = min(1.0, (1 + count) / OFTEN)  # it says more than having been shown
                links.setdefault(one, {})[other] = links.setdefault(other, {})[one] = strength
        self.company = Links.of(links) if links else NO_LINKS
        return links

    def _matching(self) -> list[int]:
        """Search by words, whole names and phrases; if nothing is found, by what may have been meant."""
        found = self._holding()
        if not found and (meant := correct(self.index, [term.word for term in self.terms])):
            self.terms, self.topic, self.faith = self._terms(meant), set(meant), CORRECTED
            found = self._holding()
        self.matched = found
        # All of them: a phrase is measured otherwise than words are.
        return _ordered(found)

    def _holding(self) -> dict[int, float]:
        if self.empty:
            words = [term.word for term in self.terms]
            return dict(self.index.match(words, self.here, self.ask.narrow, self.wide))
        weights = {term.stem: term.rarity for term in self.terms}
        lists = {stem: members for stem, members in self.lists.items() if stem in weights}
        found = heaviest(lists, weights, self.wide, self.allowed)
        whole = [" ".join(phrase) for phrase in self.query.phrases]
        whole += [" ".join(name.parts) for name in self.query.identifiers if len(name.parts) > 1]
        if whole:
            found.update(self.index.match(list(dict.fromkeys(whole)), self.here, self.ask.narrow, self.wide))
        return found

    def _near(self) -> list[int]:
        """Search by vectors."""
        if self.vector is None:
            return []
        only = None if self.allowed is None else np.array(list(self.allowed), np.int32)
        parts = [self.memo.nearest.search(place, self.vector, self.wide, only) for place in self.places]
        if self.rest.profiles:
            parts.append(self.rest.near(self.vector))
        numbers, cosines = parts[0] if len(parts) == 1 else map(np.concatenate, zip(*parts, strict=True))
        nearest: list[int] = numbers[(-cosines).argsort(kind="stable")[: self.wide]].tolist()
        return nearest

    def _terms(self, words: Sequence[str]) -> list[Term]:
        return [scoring.Term(word, stem, self._rarity(word, stem)) for stem, word in self._stemmed(words).items()]

    def _question(self) -> Matrix | None:
        if self.memo.embedder is None or not self.mix.vector:
            return None
        words = [word.lower() for word in self.query.words]
        self._stemmed(words)
        rare = [self._rarity(word, stem) for word, stem in zip(words, self.memo.stems.of(words), strict=True)]
        return self.memo.embedder.question(list(zip(self.query.words, rare, strict=True)), self.query.text).reshape(-1)

    def _stemmed(self, words: Sequence[str]) -> dict[int, str]:
        """Return each stem once, with the first word that has it, and look up who holds them."""
        found: dict[int, str] = {}
        for word, stem in zip(words, self.memo.stems.of(words), strict=True):
            found.setdefault(stem, word)
        if missing := [stem for stem, word in found.items() if stem not in self.lists and word not in STOP_WORDS]:
            self.lists.update(self.memo.postings.lists(self.places, missing))
            if self.rest.profiles:
                more = self.rest.lists(missing)
                self.lists.update((stem, np.concatenate([self.lists[stem], more[stem]])) for stem in missing)
        return found

    def _rarity(self, word: str, stem: int) -> float:
        empty = word in STOP_WORDS  # nobody lists those
        holding = self.memo.commonness(word) * self.size if empty else len(self.lists[stem])
        return scoring.rarity(holding, self.size)
