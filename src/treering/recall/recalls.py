"""Run a recall: answer it, fence it, and log it in the ledger."""

from __future__ import annotations

from _thread import RLock
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import nullcontext, suppress
from time import perf_counter_ns
from typing import TYPE_CHECKING, NamedTuple

from treering.graph.index import catch_up_a_little
from treering.ledger import decide
from treering.ledger.arguments import loggable
from treering.ledger.errors import StoreBusy
from treering.ledger.events import SURFACED, Data, Draft
from treering.ledger.ledger import Ledger
from treering.ledger.sessions import DAY
from treering.ledger.types import (
    CHANCE,
    ENOUGH,
    NO_ROOM,
    RECALLABLE,
    SILENCE,
    UNSURE,
    Context,
    Cutoff,
    Filter,
    Hit,
    Passed,
    Recall,
)
from treering.recall.candidates import Ask
from treering.recall.fence import Fenced, fence
from treering.recall.query.analysis import analyse
from treering.recall.ranking import contested, cutoff_of, swap_decided
from treering.recall.recaller import RUNNERS_UP, Answer, Recaller
from treering.recall.scoring import EVERYTHING_LEARNED, NOTHING_LEARNED, Switches
from treering.stores.port.ledger import EventQuery, Reader
from treering.stores.port.search import ON_THE_WAY

if TYPE_CHECKING:
    from treering.models.port import Embedder, Matrix


_NARROWING = ("type", "scope", "tag", "since", "until")  # what of a filter a log tells as it is
HURRY = 0.2  # seconds that a recall waits for others who write
_NONCE_BYTES = 8  # nobody guesses one of 2^64 within a recall


class Logged(NamedTuple):
    """A recall as the ledger keeps it."""

    found: Recall  # its query without secrets
    context: Context
    k: int
    took: int  # microseconds
    narrow: Filter | None
    missed: bool


Later = Callable[[Logged], None]  # keeps a recall whose log has to wait


class Recalls:
    """The recalls of one open memory."""

    def __init__(
        self,
        store: Reader,
        embedder: Embedder | None,
        entropy: Callable[[int], bytes],
        swap: float = 0.0,
        switches: Switches = EVERYTHING_LEARNED,
    ) -> None:
        """Take `swap`, the chance that the last shown and the first not shown change places."""
        self.switches = switches
        self._store = store
        self._embedder = embedder
        self._entropy = entropy
        self._swap = swap
        self._kept = Recaller(store, embedder, switches)
        self._ready: Hashable = None  # the version of the store of which nothing waits to be indexed
        self._turn = RLock()  # threads take turns, as they share what is kept

    @property
    def _recaller(self) -> Recaller:
        """The cached recaller; in a transaction, which may be rolled back, one without a cache."""
        if not self._store.index.in_transaction:
            return self._kept
        return Recaller(self._store, self._embedder, self.switches)

    def prepare(
        self,
        context: Context,
        progress: Callable[[int], None] = lambda done: None,
        going: Callable[[], bool] = lambda: True,
    ) -> int:
        """Make ready what has been remembered since the last recall, as long as there is time."""
        with self._turn:
            return self._recaller.prepare(context, progress, going)

    def recall(
        self,
        query: str,
        context: Context,
        now: int,
        k: int,
        strategy: str = "hybrid",
        narrow: Filter | None = None,
        budget: int = 0,
        floor: float | None = None,
        explain: bool = False,
        ledger: Ledger | None = None,
        later: Later | None = None,
    ) -> Recall:
        """Answer a query; with a ledger, log it there. Nobody waits for others who write, nor for much to be indexed:
        what is not indexed yet is found by its words, and the log is given to `later`, if that is possible."""
        began = perf_counter_ns()
        recaller = self._recaller
        asked = analyse(query, now)
        with self._turn:
            ask = Ask(asked, context, k, now, strategy, narrow, floor)
            free, answer = True, self._store.view(lambda: recaller.told(ask) if self._is_ready else None)
            if answer is None:
                free = self._prepare_a_little(recaller, context)
                answer = recaller.told(ask)
        chance = self._swap if ledger is not None else 0.0  # what is not logged teaches nothing
        fenced, cutoff = self._fenced(answer, now, budget, explain, chance)
        silence = answer.silence
        if answer.hits and not fenced.hits:
            silence = f"a budget of {budget} tokens has no room for any of {len(answer.hits)} memories"
        found = Recall(
            *("", query, fenced.hits, asked.type, strategy, answer.confidence, silence),
            *(fenced.text, fenced.nonce, cutoff, _passed(answer, fenced.hits, cutoff, k)),
        )
        if ledger is None:
            return found
        missed = not answer.hits and narrow is None  # one that was narrowed may have looked in the wrong place
        logged = Logged(
            found._replace(query=loggable(query)), context, k, (perf_counter_ns() - began) // 1_000, narrow, missed
        )
        try:
            if later and not free:  # it has waited for them once
                raise StoreBusy("others write")
            with self._store.hurried(HURRY) if later else nullcontext():
                if recaller.overdue:  # as one that was killed left it
                    recaller.tidy(context)
                return found._replace(id=self._log(logged, ledger, recaller))
        except StoreBusy:
            if later is None:
                raise
            later(logged)
            return found

    def _log(self, one: Logged, ledger: Ledger, recaller: Recaller) -> str:
        """Write a recall into the ledger and return its id. What is cached stays, if nobody else has written since."""
        versions: list[Hashable] = []

        def work() -> str:
            versions[:] = [self._store.version()]
            id = _log(one, ledger)
            versions.append(self._store.version())
            return id

        id = ledger.store.write(work)
        before, after = versions
        with self._turn:
            if recaller is self._kept:
                recaller.carry_over(before, after, [hit.memory.id for hit in one.found.hits])
                self._ready = after if self._ready == before else self._ready
        return id

    def unlearned(self) -> Recalls:
        """Return the same without anything that was learned, to compare with."""
        return Recalls(self._store, self._embedder, self._entropy, 0.0, NOTHING_LEARNED)

    @property
    def _is_ready(self) -> bool:
        """True if nothing waits to be indexed."""
        return self._ready is not None and self._store.version() == self._ready

    def _prepare_a_little(self, recaller: Recaller, context: Context) -> bool:
        """Index a little of what was written since. Return False if others wrote for too long."""
        version = self._store.version()
        with suppress(StoreBusy), self._store.hurried(HURRY):
            recaller.prepare(context, most=ON_THE_WAY)
            catch_up_a_little(self._store)
            self._ready = version  # what was indexed now has made another version
            return True
        return False

    def replay(self, asks: Iterable[Ask]) -> Iterator[Answer]:
        """Answer questions of the past as they would be answered now. Nothing is logged."""
        recaller = self._recaller
        for ask in asks:
            with self._turn:
                recaller.prepare(ask.context)
                yield recaller.answer(ask)

    def vectors(self, texts: Sequence[str]) -> Matrix | None:
        """Return the vectors of texts, if there is an embedder."""
        return self._embedder.embed(texts) if self._embedder is not None else None

    def _fenced(
        self, answer: Answer, now: int, budget: int, explain: bool, chance: float
    ) -> tuple[Fenced, Cutoff | None]:
        """Fence the hits. Chance may have given the last place to the one that stood behind it."""
        nonce = self._entropy(_NONCE_BYTES).hex()
        fenced = fence(answer.hits, nonce, now, budget, explain)
        comes = contested(answer.hits, fenced.hits, answer.next) if chance else None
        if comes is None:
            return fenced, None
        stays, swap = fenced.hits[-1], swap_decided(self._entropy(4), chance)
        if swap or budget:
            other = fence((*fenced.hits[:-1], comes), nonce, now, budget, explain)
            if len(other.hits) < len(fenced.hits):  # there is no room for it, so chance has no say
                return fenced, None
            fenced = other if swap else fenced
        return fenced, cutoff_of(stays, comes, swap, chance)


def _passed(answer: Answer, shown: Sequence[Hit], cutoff: Cutoff | None, k: int) -> tuple[Passed, ...]:
    """Return the best that are not shown, and why they are not."""
    behind = SILENCE if answer.silence else ENOUGH if len(answer.hits) >= k else UNSURE
    if shown is answer.hits:
        left = [(hit, behind) for hit in answer.rest]
    else:
        there = {hit.memory.id for hit in shown}
        every = [*((hit, NO_ROOM) for hit in answer.hits), *((hit, behind) for hit in answer.rest)]
        left = [(hit, why) for hit, why in every if hit.memory.id not in there]
    withheld = cutoff.withheld if cutoff else ""
    return tuple(
        Passed(hit.memory.id, hit.score, CHANCE if hit.memory.id == withheld else why) for hit, why in left[:RUNNERS_UP]
    )


def _log(one: Logged, ledger: Ledger) -> str:
    """Write a recall into the ledger, inside a transaction, and return its id."""
    only = filter_data(one.narrow)
    (event,) = ledger.commit(lambda: [decide.recalled(one.found, one.k, one.took, one.context, only, one.missed)])
    ledger.commit(lambda: surfacings(ledger.store, one.found.hits, event.id, event.time, one.context))
    return event.id


def surfacings(store: Reader, hits: Sequence[Hit], recall: str, now: int, context: Context) -> list[Draft]:
    """Draft a surfacing for each memory that this session, or this day outside any, has not seen yet."""
    # Asked again here, in the transaction: since the answer others may have recalled it too, or undone it.
    known = tuple(store.several([hit.memory.id for hit in hits]))
    seen = {
        event.subject
        for event in store.events(EventQuery(subjects=known, kinds=(SURFACED,), live=True))
        if event.session == context.session and (event.session or event.time // DAY == now // DAY)
    }
    return [
        decide.surfaced(hit.memory, rank, recall, context)
        for rank, hit in enumerate(hits, 1)
        if hit.memory.id in known and hit.memory.id not in seen
    ]


def filter_data(narrow: Filter | None) -> Data:
    """Return what a recall was narrowed to, for the log."""
    if narrow is None:
        return {}
    data: Data = {name: value for name in _NARROWING if (value := getattr(narrow, name))}
    return data | ({"statuses": list(narrow.statuses)} if narrow.statuses != RECALLABLE else {})


def filter_of(only: Data, context: Context) -> Filter | None:
    """Return the filter that a log tells of."""
    if not only:
        return None
    statuses = tuple(only.get("statuses", RECALLABLE))
    fields = {name: only[name] for name in _NARROWING if name in only}
    return Filter(context.space, statuses=statuses, visible_to=context, **fields)
