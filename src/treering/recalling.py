"""A recall as an act: it is asked for, answered within a fence, and goes down in the ledger."""

from __future__ import annotations

from _thread import RLock
from time import perf_counter_ns

from treering.core import decide
from treering.core.events import SURFACED
from treering.core.ports import EventQuery
from treering.core.rings import DAY
from treering.core.types import Recall
from treering.recall.fence import fence
from treering.recall.gathering import Ask
from treering.recall.query.analysis import analyse
from treering.recall.recaller import Recaller
from treering.wishes import logged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from treering.core.events import Draft
    from treering.core.ports import Embedder, Reader
    from treering.core.types import Context, Filter, Hit
    from treering.ledger import Ledger

_NONCE_BYTES = 8  # nobody guesses one of 2^64 within a recall


class Recalling:
    """The recalls of one open memory."""

    def __init__(self, store: Reader, embedder: Embedder | None, entropy: Callable[[int], bytes]) -> None:
        self._store = store
        self._embedder = embedder
        self._entropy = entropy
        self._kept = Recaller(store, embedder)
        self._turn = RLock()  # threads take turns, as they share what is kept

    @property
    def _recaller(self) -> Recaller:
        """The one that keeps what it has seen; in a transaction, which may be taken back, one that forgets it."""
        return Recaller(self._store, self._embedder) if self._store.index.tentative else self._kept

    def prepare(self, context: Context, progress: Callable[[int], None] = lambda done: None) -> int:
        """Make ready what has been remembered since the last recall."""
        with self._turn:
            return self._recaller.prepare(context, progress)

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
            answer = recaller.answer(Ask(asked, context, k, now, strategy, narrow, silent))
        fenced = fence(answer.hits, self._entropy(_NONCE_BYTES).hex(), now, budget, explain)
        silence = answer.silence
        if answer.hits and not fenced.hits:
            silence = f"a budget of {budget} tokens has no room for any of {len(answer.hits)} memories"
        found = Recall("", query, fenced.hits, asked.type, strategy, answer.confidence, silence, fenced.text)
        if ledger is None:
            return found
        took = (perf_counter_ns() - began) // 1_000
        if recaller.overdue:  # as one that was killed left it
            recaller.tidy(context)
        return found._replace(id=self._log(found, context, k, took, ledger()))

    def _log(self, found: Recall, context: Context, k: int, took: int, ledger: Ledger) -> str:
        shown = found._replace(query=logged(found.query))

        def work() -> str:
            (event,) = ledger.commit(lambda: [decide.recalled(shown, k, took, context)])
            ledger.commit(lambda: self._surfacings(found.hits, event.id, event.time, context))
            return event.id

        return ledger.store.write(work)

    def _surfacings(self, hits: Sequence[Hit], recall: str, now: int, context: Context) -> list[Draft]:
        """A surfacing for each memory that this session, or this day outside any, has not seen yet."""
        # Asked again here, in the transaction: since the answer others may have recalled it too, or undone it.
        known = tuple(hit.memory.id for hit in hits if self._store.record(hit.memory.id) is not None)
        seen = {
            event.subject
            for event in self._store.events(EventQuery(subjects=known, kinds=(SURFACED,), live=True))
            if event.session == context.session and (event.session or event.time // DAY == now // DAY)
        }
        return [
            decide.surfaced(hit.memory, rank, recall, context)
            for rank, hit in enumerate(hits, 1)
            if hit.memory.id in known and hit.memory.id not in seen
        ]
