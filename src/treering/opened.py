"""A memory that is open: what it stands on, and what every chapter of it uses."""

from __future__ import annotations

from treering.core.errors import InvalidInput, NotFound
from treering.core.types import Context, Memory, number_in

# Only what reading a memory needs is imported above: a process that shows one must start at once. What writing and
# searching need comes in with the methods that do so.

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from types import TracebackType
    from typing import Any, Self, TypeVar

    from treering.config import Config
    from treering.core.letters import Inbox
    from treering.core.ports import LLM, Reader
    from treering.echoes import Echoes
    from treering.ledger import Ledger
    from treering.recalling import Recalling

    T = TypeVar("T")


class Opened:
    """The store, the settings, and where we stand."""

    def __init__(
        self,
        store: Reader,
        config: Config,
        context: Context,
        ledger: Callable[[], Ledger],
        recalling: Callable[[], Recalling],
        now: Callable[[], int],
        writable: bool = True,
        llm: Callable[[], LLM | None] = lambda: None,
        home: str = "",
        inbox: Callable[[], Inbox | None] = lambda: None,
    ) -> None:
        self.store = store
        self.config = config
        self.context = context
        self._make_ledger = ledger
        self._make_recalling = recalling
        self._recaller: Recalling | None = None
        self._echoes: Echoes | None = None
        self._now = now
        self._writable = writable
        self._llm = llm
        self._home = home  # where the store lies; nothing if it lies in memory
        self._make_inbox = inbox
        self._kept_inbox: Inbox | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self.store.close()

    @property
    def ledger(self) -> Ledger:
        """The ledger below: for importing, rebuilding, and writing what has been decided."""
        return self._make_ledger()

    @property
    def read_only(self) -> bool:
        """Whether this is a view of the past."""
        return not self._writable

    @property
    def inbox(self) -> Inbox | None:
        """What hooks left; none for a store in memory, or a view of the past."""
        if self._kept_inbox is None:
            self._kept_inbox = self._make_inbox()
        return self._kept_inbox

    def _recalling(self) -> Recalling:
        if self._recaller is None:
            self._recaller = self._make_recalling()
        return self._recaller

    def get(self, id: str) -> Memory:
        """One memory, by its id or an unambiguous short form of it."""
        whole = self.whole_id(id)
        memory = self.store.record(whole)
        if memory is None or memory.space != self.context.space:
            from treering.history import fate

            raise NotFound("memory", id, fate(self.store, whole, self.context.space))
        return memory

    def together(self, work: Callable[[], T]) -> T:
        """Run several calls as one: all of what they do is written, or nothing."""
        return self.ledger.store.write(work)

    def whole_id(self, id: str) -> str:
        """The whole id for a short form: `41` if one writer has so many events, `k7-41` for the writer k7…."""
        if not isinstance(id, str) or not id or not id.isprintable():
            raise InvalidInput(f"an id is a text like k7qm2xva-41, not {id!r}")
        prefix, _, digits = id.rpartition("-")
        heads, number = self.store.heads(), number_in(digits)
        if number is None or prefix in heads:
            return id
        able = [writer for writer, head in heads.items() if head.seq >= number]
        writers = [writer for writer in able if writer.startswith(prefix)]
        if len(writers) > 1:
            several = ", ".join(f"{writer}-{number}" for writer in sorted(writers))
            raise InvalidInput(f"{id!r} could be any of {several}")
        return f"{writers[0]}-{number}" if writers else id

    def _here(self, project: str = "", session: str = "") -> Context:
        """Where we stand, under names that may be stored."""
        from treering.wishes import standing

        here = self.context
        there = here._replace(project=project or here.project, session=session or here.session)
        return standing(there, self.config.content_limit)

    def _guarded(self, text: str) -> str:
        if text == "":
            return ""
        from treering.wishes import name

        return name(text, self.config.content_limit)

    def _remembering(
        self,
        rows: Iterable[Mapping[str, Any]],
        here: Context | None = None,
        echoes: bool = True,
        causes: tuple[str, ...] = (),
    ) -> Callable[[], list[Memory]]:
        """What remembers the rows, once all of them have been checked: it runs in a transaction.

        A row that only repeats what was recalled makes nothing: the memory that it echoes stands for it. `causes` are
        events that all of it rests on, beside the memories that a row was made of.
        """
        from treering.core import decide
        from treering.core.apply import fold
        from treering.echoes import Echoes
        from treering.wishes import drafts

        ledger, standing = self.ledger, here or self._here()
        if self._echoes is None:
            self._echoes = Echoes(self.store)
        sift = self._echoes.at(standing).told if echoes else _unsifted
        sifted = [sift(row) if hasattr(row, "get") else (row, None) for row in rows]
        checked = drafts((row for row, _ in sifted), standing, self.config.content_limit, self.get)
        drafted = [draft for draft, (_, echo) in zip(checked, sifted, strict=True) if echo is None]

        def work() -> list[Memory]:
            for cause in {cause for draft in drafted for cause in draft.causes}:
                self.get(cause)  # is it still there?
            resting = [draft._replace(causes=(*draft.causes, *causes)) for draft in drafted] if causes else drafted
            made = iter(ledger.commit(lambda: resting))
            if repeated := [decide.echoed(echo, standing) for _, echo in sifted if echo is not None]:
                ledger.commit(lambda: repeated)
            found = (echo or fold([next(made)]) for _, echo in sifted)
            return [memory for memory in found if memory is not None]

        return work


def _unsifted(row: Mapping[str, Any]) -> tuple[Mapping[str, Any], Memory | None]:
    return row, None
