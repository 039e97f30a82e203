"""A recall as an act: it is asked for, answered within a fence, and goes down in the ledger."""

from __future__ import annotations

from _thread import RLock
from time import perf_counter_ns

from treering.core import decide
from treering.core.events import SURFACED
from treering.core.lifecycle import RECALLABLE
from treering.core.ports import EventQuery
from treering.core.rings import DAY
from treering.core.types import Filter, Recall
from treering.knitting import catch_up_a_little
from treering.recall.cutoff import contested, settled, swapped
from treering.recall.fence import fence
from treering.recall.gathering import Ask
from treering.recall.query.analysis import analyse
from treering.recall.recaller import Recaller
from treering.recall.weights import EVERYTHING_LEARNED
from treering.wishes import logged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from treering.core.events import Data, Draft
    from treering.core.ports import Embedder, Matrix, Reader
    from treering.core.types import Context, Cutoff, Hit
    from treering.ledger import Ledger
    from treering.recall.fence import Fenced
    from treering.recall.recaller import Answer
    from treering.recall.weights import Switches

_NARROWING = ("type", "scope", "tag", "since", "until")  # what of a filter a log tells as it is
_NONCE_BYTES = 8  # nobody guesses one of 2^64 within a recall


class Recalling:
    """The recalls of one open memory."""

    def __init__(
        self,
        store: Reader,
        embedder: Embedder | None,
        entropy: Callable[[int], bytes],
        swap: float = 0.0,
        switches: Switches = EVERYTHING_LEARNED,
    ) -> None:
        """`swap` is the chance that the last shown and the first not shown change places."""
        self.switches = switches
        self._store = store
        self._embedder = embedder
        self._entropy = entropy
        self._swap = swap
        self._kept = Recaller(store, embedder, switches)
        self._turn = RLock()  # threads take turns, as they share what is kept

    @property
    def _recaller(self) -> Recaller:
        """The one that keeps what it has seen; in a transaction, which may be taken back, one that forgets it."""
        if not self._store.index.tentative:
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
        silent: bool = True,
        explain: bool = False,
        ledger: Callable[[], Ledger] | None = None,
    ) -> Recall:
        """The answer to a query; with a ledger, it is logged there."""
        began = perf_counter_ns()
        recaller = self._recaller
        asked = analyse(query, now)
        with self._turn:
            recaller.prepare(context)
            catch_up_a_little(self._store)
            answer = recaller.answer(Ask(asked, context, k, now, strategy, narrow, silent))
        chance = self._swap if ledger is not None else 0.0  # what is not logged teaches nothing
        fenced, cutoff = self._fenced(answer, now, budget, explain, chance)
        silence = answer.silence
        if answer.hits and not fenced.hits:
            silence = f"a budget of {budget} tokens has no room for any of {len(answer.hits)} memories"
        found = Recall(
            *("", query, fenced.hits, asked.type, strategy, answer.confidence, silence),
            *(fenced.text, fenced.nonce, cutoff),
        )
        if ledger is None:
            return found
        took = (perf_counter_ns() - began) // 1_000
        if recaller.overdue:  # as one that was killed left it
            recaller.tidy(context)
        missed = not answer.hits and narrow is None  # one that was narrowed may have looked in the wrong place
        return found._replace(id=self._log(found, context, k, took, ledger(), narrow, missed))

    def replay(self, asks: Iterable[Ask]) -> Iterator[Answer]:
        """The answers to questions of the past as they would be now. Nothing is logged."""
        recaller = self._recaller
        for ask in asks:
            with self._turn:
                recaller.prepare(ask.context)
                yield recaller.answer(ask)

    def vectors(self, texts: Sequence[str]) -> Matrix | None:
        """The directions of texts, if there is anything that knows meanings."""
        return self._embedder.embed(texts) if self._embedder is not None else None

    def _fenced(
        self, answer: Answer, now: int, budget: int, explain: bool, chance: float
    ) -> tuple[Fenced, Cutoff | None]:
        """The hits in their fence. Chance may have given the last place to the one that stood behind it."""
        nonce = self._entropy(_NONCE_BYTES).hex()
        fenced = fence(answer.hits, nonce, now, budget, explain)
        comes = contested(answer.hits, fenced.hits, answer.next) if chance else None
        if comes is None:
            return fenced, None
        stays, swap = fenced.hits[-1], swapped(self._entropy(4), chance)
        if swap or budget:
            other = fence((*fenced.hits[:-1], comes), nonce, now, budget, explain)
            if len(other.hits) < len(fenced.hits):  # there is no room for it, so chance has no say
                return fenced, None
            fenced = other if swap else fenced
        return fenced, settled(stays, comes, swap, chance)

    def _log(
        self, found: Recall, context: Context, k: int, took: int, ledger: Ledger, narrow: Filter | None, missed: bool
    ) -> str:
        shown = found._replace(query=logged(found.query))
        only = narrowed(narrow)

        def work() -> str:
            (event,) = ledger.commit(lambda: [decide.recalled(shown, k, took, context, only, missed)])
            ledger.commit(lambda: surfacings(ledger.store, found.hits, event.id, event.time, context))
            return event.id

        return ledger.store.write(work)


def surfacings(store: Reader, hits: Sequence[Hit], recall: str, now: int, context: Context) -> list[Draft]:
    """A surfacing for each memory that this session, or this day outside any, has not seen yet."""
    # Asked again here, in the transaction: since the answer others may have recalled it too, or undone it.
    known = tuple(hit.memory.id for hit in hits if store.record(hit.memory.id) is not None)
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


def narrowed(narrow: Filter | None) -> Data:
    """What a recall was narrowed to, for the log."""
    if narrow is None:
        return {}
    told: Data = {name: value for name in _NARROWING if (value := getattr(narrow, name))}
    return told | ({"statuses": list(narrow.statuses)} if narrow.statuses != RECALLABLE else {})


def widened(only: Data, context: Context) -> Filter | None:
    """The filter that a log tells of."""
    if not only:
        return None
    statuses = tuple(only.get("statuses", RECALLABLE))
    told = {name: only[name] for name in _NARROWING if name in only}
    return Filter(context.space, statuses=statuses, visible_to=context, **told)
