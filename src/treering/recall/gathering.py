"""Candidates: what the words, the vectors and the graph find for a query, and what stands beside that."""

from __future__ import annotations

from itertools import zip_longest

import numpy as np

from treering.core.tuples import NamedTuple
from treering.core.words import STOP_WORDS
from treering.recall import scoring
from treering.recall.graph import OFTEN, both_ways, company, spread, woken
from treering.recall.profile.postings import heaviest
from treering.recall.query.typos import corrected
from treering.recall.relations import reached

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from treering.core.index import Place
    from treering.core.ports import Matrix
    from treering.core.types import Context, Filter, Memory
    from treering.recall.lessons.book import Book
    from treering.recall.memo import Memo
    from treering.recall.profile.postings import Numbers
    from treering.recall.query.analysis import Query
    from treering.recall.scoring import Links, Term
    from treering.recall.weights import Mix

CANDIDATES = 60  # from each channel, or as many as are wanted; 100 find nothing more
SPARE = 15  # hits looked at beyond those wanted, as some are collapsed, out of bounds or older
ASKED_BESIDE = 80  # the best of all channels in turn, whose neighbours are looked at though no channel found them
SAME = 0.6  # how like a lesson must be to have asked the same: a cosine of three quarters, or nearly all the words
_SEEDS = 5  # the best, whose former company is looked at


class Ask(NamedTuple):
    """What is asked, by whom, and how."""

    query: Query
    context: Context
    k: int
    now: int
    strategy: str = "hybrid"
    narrow: Filter | None = None  # beyond the walls: a type, a scope, a time
    silent: bool = True  # when unsure
    hidden: frozenset[str] = frozenset()  # memories that are looked at as if they had been retired
    mix: Mix | None = None  # instead of what the store has learned
    past: Callable[[Memory], Memory] | None = None  # a memory as it was when the question was asked


class Gathering:
    """What is found for one query, and by what."""

    def __init__(self, memo: Memo, ask: Ask, places: Sequence[Place], breadth: int = 1) -> None:
        self.memo = memo
        self.index = memo.index
        self.ask = ask
        self.query = ask.query
        self.places = places
        self.size = sum(place.held for place in places)
        self.lists: dict[int, Numbers] = {}  # who holds each stem of the query
        context = ask.context
        self.mix = ask.mix or memo.mix(context.space, context.project, ask.query.type, ask.strategy)
        if not memo.switches.q:
            self.mix = self.mix._replace(usefulness=0.0, lift=0.0)
        self.wide = max(CANDIDATES, ask.k + SPARE) * breadth
        self._book: Book | None = None
        self.full = False  # a channel has given as many as it may
        self.allowed = None if ask.narrow is None else set(self.index.numbers(ask.narrow))
        pieces = self._pieces()
        self.terms = self._terms([piece for word in self.query.terms for piece in pieces.get(word, (word,))])
        topic = self.query.topic or [word for word in self.query.terms if not word.isalpha()]
        self.topic = {piece for word in topic for piece in pieces.get(word, (word,))}
        # A query that says nothing is taken at its word: only the full-text index knows of such words.
        self.empty = STOP_WORDS.issuperset(self.query.terms)
        self.matched: dict[int, float] = {}
        self.vector = self._question()
        self.active: dict[int, float] = {}
        self.reached: dict[int, float] = {}
        self.beside: Links = {}
        self.first: set[int] = set()  # that open their session, among those whose neighbours are known
        self.settled: dict[int, float] = {}  # the same of lessons that asked all but this very question
        self.spoken: dict[int, float] = {}  # what lessons say for memories, or against them
        self.company: Links = {}

    def _pieces(self) -> dict[str, tuple[str, ...]]:
        """CamelCase names that nobody has written so, and their pieces: getUserName may be get_user_name elsewhere."""
        joined = {name.text.lower(): name.parts for name in self.query.identifiers if name.text.isalnum()}
        stems = self._stemmed(list(joined))
        strange = [name for stem, name in stems.items() if not len(self.lists.get(stem, ()))]
        return {name: tuple(part.lower() for part in joined[name]) for name in strange}

    @property
    def here(self) -> list[int]:
        return [place.number for place in self.places]

    def numbers(self) -> dict[int, None]:
        """The numbers of all candidates: what each channel finds, and what stands beside the best of that."""
        channels = [self._matching() if self.mix.keyword else [], self._near()]
        self.active = woken(self.index, self.query, self.here, self.size) if self.mix.graph else {}
        self.reached = reached(self.index, self.query, self.here, self.size) if self.mix.relation else {}
        for found_there in (self.active, self.reached):
            channels.append(sorted(found_there, key=lambda number: -found_there[number])[: self.wide])
        self.full = any(len(channel) >= self.wide for channel in channels)
        channels.append(self._spoken())
        found = {number: None for channel in channels for number in channel}
        best = [number for rank in zip_longest(*channels) for number in rank if number is not None]
        self.beside, self.company = self._links(best)
        if self.mix.graph and not self.mix.keyword:
            self.active = spread(self.active, self.beside)
        found.update((number, None) for links in (self.beside, self.company) for number in links)
        if self.allowed is not None:
            found = {number: None for number in found if number in self.allowed}
        return found

    @property
    def book(self) -> Book | None:
        """What was learned here, if anything."""
        if self._book is None and (self.mix.learned or self.mix.prior or self.mix.lift):
            self._book = self.memo.book(self.ask.context.space)
        return self._book if self._book is not None and self._book.size else None

    def _spoken(self) -> list[int]:
        """Memories that answered questions like this one."""
        if self.mix.learned and self.memo.switches.terms and (book := self.book) is not None and book.trust:
            terms = {term.stem: term.rarity for term in self.terms if term.word not in STOP_WORDS}
            alike = book.alike(terms, self.vector)
            self.spoken, self.settled = book.spoken(alike), book.spoken(alike, SAME)
        best = sorted(self.spoken, key=lambda number: -self.spoken[number])
        return [number for number in best if self.spoken[number] > 0][: self.wide]

    def _links(self, best: list[int]) -> tuple[Links, Links]:
        if not self.mix.joined:
            return {}, {}
        unique = list(dict.fromkeys(best))[:ASKED_BESIDE]
        beside = self.memo.beside(unique, self.places)
        self.first = {number for number, before, behind in beside if before is None and behind is not None}
        return both_ways(beside), self._company(unique[:_SEEDS]) if self.mix.company else {}

    def _company(self, seeds: list[int]) -> dict[int, dict[int, float]]:
        """Those that came up with the best, or helped with the same questions."""
        if not self.memo.switches.company:
            return {}
        links = company(self.memo.store, seeds)
        helped = self.book.together(seeds) if self.book is not None else {}
        for one, counts in helped.items():
            for other, count in counts.items():
                strength = min(1.0, (1 + count) / OFTEN)  # it says more than having been shown
                links.setdefault(one, {})[other] = links.setdefault(other, {})[one] = strength
        return links

    def _matching(self) -> list[int]:
        """The keyword channel: words, and whole names and phrases; when nothing is found, what may have been meant."""
        found = self._holding()
        if not found and (meant := corrected(self.index, [term.word for term in self.terms])):
            self.terms, self.topic = self._terms(meant), set(meant)
            found = self._holding()
        self.matched = found
        # All of them: a phrase is measured otherwise than words are.
        return sorted(found, key=lambda number: -found[number])

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
        """The vector channel."""
        if self.vector is None:
            return []
        only = None if self.allowed is None else np.array(list(self.allowed), np.int32)
        parts = [self.memo.nearest.search(place, self.vector, self.wide, only) for place in self.places]
        numbers = np.concatenate([part[0] for part in parts])
        cosines = np.concatenate([part[1] for part in parts])
        return [int(number) for number in numbers[np.argsort(-cosines, kind="stable")[: self.wide]]]

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
        """Each stem once, with the first word that has it; who holds them is looked up."""
        found: dict[int, str] = {}
        for word, stem in zip(words, self.memo.stems.of(words), strict=True):
            found.setdefault(stem, word)
        if missing := [stem for stem, word in found.items() if stem not in self.lists and word not in STOP_WORDS]:
            self.lists.update(self.memo.postings.lists(self.places, missing))
        return found

    def _rarity(self, word: str, stem: int) -> float:
        empty = word in STOP_WORDS  # nobody lists those
        holding = self.memo.commonness(word) * self.size if empty else len(self.lists[stem])
        return scoring.rarity(holding, self.size)
