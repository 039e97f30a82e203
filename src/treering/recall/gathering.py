"""Candidates: what the words, the vectors and the graph find for a query, and what stands beside that."""

from __future__ import annotations

from itertools import zip_longest

import numpy as np

from treering.core.tuples import NamedTuple
from treering.core.words import STOP_WORDS
from treering.recall import scoring
from treering.recall.graph import both_ways, company, spread, woken
from treering.recall.profile.postings import holding
from treering.recall.query.typos import corrected

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from treering.core.index import Place
    from treering.core.ports import Matrix
    from treering.core.types import Context, Filter
    from treering.recall.memo import Memo
    from treering.recall.query.analysis import Query
    from treering.recall.scoring import Links, Term

CANDIDATES = 60  # from each channel, or as many as are wanted; 100 find nothing more
SPARE = 15  # hits looked at beyond those wanted, as some are collapsed, out of bounds or older
# Rows that the full-text index scores for a query. Its rarest words come first; those that would take it beyond this
# are left to the scoring of candidates.
MATCHED = 1_000
ASKED_BESIDE = 80  # the best of all channels in turn, whose neighbours are looked at though no channel found them
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


class Gathering:
    """What is found for one query, and by what."""

    def __init__(self, memo: Memo, ask: Ask, places: Sequence[Place], breadth: int = 1) -> None:
        self.memo = memo
        self.index = memo.index
        self.ask = ask
        self.query = ask.query
        self.places = places
        self.size = self.index.size
        context = ask.context
        self.weights = memo.weights(context.space, context.project, ask.query.type, ask.strategy)
        self.wide = max(CANDIDATES, ask.k + SPARE) * breadth
        self.full = False  # a channel has given as many as it may
        self.allowed = None if ask.narrow is None else set(self.index.numbers(ask.narrow))
        pieces = self._pieces()
        self.terms = self._terms([piece for word in self.query.terms for piece in pieces.get(word, (word,))])
        self.topic = {piece for word in self.query.topic for piece in pieces.get(word, (word,))}
        # A query that says nothing is taken at its word: only the full-text index knows of such words.
        self.empty = STOP_WORDS.issuperset(self.query.terms)
        self.matched: dict[int, float] = {}
        self.vector = self._question()
        self.active: dict[int, float] = {}
        self.beside: Links = {}
        self.company: Links = {}

    def _pieces(self) -> dict[str, tuple[str, ...]]:
        """CamelCase names that nobody has written so, and their pieces: getUserName may be get_user_name elsewhere."""
        joined = {name.text.lower(): name.parts for name in self.query.identifiers if name.text.isalnum()}
        strange = [
            name for name, count in zip(joined, self.memo.counts([*joined], self.size), strict=True) if not count
        ]
        return {name: tuple(part.lower() for part in joined[name]) for name in strange}

    @property
    def here(self) -> list[int]:
        return [place.number for place in self.places]

    def numbers(self) -> dict[int, None]:
        """The numbers of all candidates: what each channel finds, and what stands beside the best of that."""
        channels = [self._matching() if self.weights.keyword else [], self._near()]
        self.active = woken(self.index, self.query, self.here, self.size) if self.weights.graph else {}
        channels.append(sorted(self.active, key=lambda number: -self.active[number])[: self.wide])
        self.full = any(len(channel) >= self.wide for channel in channels)
        found = {number: None for channel in channels for number in channel}
        best = [number for rank in zip_longest(*channels) for number in rank if number is not None]
        self.beside, self.company = self._links(best)
        if self.weights.graph and not self.weights.keyword:
            self.active = spread(self.active, self.beside)
        found.update((number, None) for links in (self.beside, self.company) for number in links)
        if self.allowed is not None:
            found = {number: None for number in found if number in self.allowed}
        return found

    def _links(self, best: list[int]) -> tuple[Links, Links]:
        if not self.weights.neighbours:
            return {}, {}
        unique = list(dict.fromkeys(best))[:ASKED_BESIDE]
        beside = self.memo.beside(unique, self.places, self.size)
        return both_ways(beside), company(self.memo.store, unique[:_SEEDS])

    def _matching(self) -> list[int]:
        """The keyword channel: whole names and phrases, and words; when they find nothing, what may have been meant."""
        whole = [" ".join(phrase) for phrase in self.query.phrases]
        whole += [" ".join(name.parts) for name in self.query.identifiers if len(name.parts) > 1]
        words = [*dict.fromkeys(whole), *(term.word for term in self.terms)]
        counted = zip(self.memo.counts(words, self.size), words, strict=True)
        found = self._holding(sorted((count, word) for count, word in counted if count))
        if not found and (meant := corrected(self.index, [term.word for term in self.terms])):
            self.terms, self.topic = self._terms(meant), set(meant)
            found = self._holding([(1, word) for word in meant])
        self.matched = found
        # All of them: what words weigh in the tail is measured otherwise than beyond it.
        return sorted(found, key=lambda number: -found[number])

    def _holding(self, counted: Sequence[tuple[int, str]]) -> dict[int, float]:
        found: dict[int, float] = {}
        if counted:
            for place in self.places:
                found.update(self._matched(counted, place))
                if not self.empty:
                    found.update(holding(self.index, place, self.terms, self.wide, self.allowed))
        return found

    def _matched(self, counted: Sequence[tuple[int, str]], place: Place) -> list[tuple[int, float]]:
        """What the full-text index finds: of the tail by any of its words, the rarest first, and of all by phrases."""
        share = place.tail / max(place.held, 1)
        rows = 0.0
        chosen: list[str] = []
        for count, word in counted:
            if rows + count * share <= MATCHED or not chosen:
                rows += count * share
                chosen.append(word)
        found: list[tuple[int, float]] = []
        if place.tail or self.empty:
            after = 0 if self.empty else place.folded
            found = self.index.match(chosen, [place.number], self.ask.narrow, self.wide, after)
        phrases = [word for count, word in counted if " " in word and count <= MATCHED]
        if phrases and place.folded:
            found += self.index.match(phrases, [place.number], self.ask.narrow, self.wide)
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
        stems = self.memo.stems.of(words)
        counts = self.memo.counts(words, self.size)
        found = {
            stem: scoring.Term(word, stem, scoring.rarity(count, self.size))
            for word, stem, count in zip(words, stems, counts, strict=True)
        }
        return list(found.values())

    def _question(self) -> Matrix | None:
        if self.memo.embedder is None or not self.weights.vector:
            return None
        words = [word.lower() for word in self.query.words]
        rare = [scoring.rarity(count, self.size) for count in self.memo.counts(words, self.size)]
        return self.memo.embedder.question(list(zip(self.query.words, rare, strict=True)), self.query.text).reshape(-1)
