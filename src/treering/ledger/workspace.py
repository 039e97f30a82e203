"""Hold what the `Treering` object and its facets are given: store, settings, context and clock."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property, wraps
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from treering.ledger.arguments import drafts, storable_context, storable_name
from treering.ledger.errors import InvalidInput, NotFound, ReadOnly
from treering.ledger.fold import fold
from treering.ledger.history import fate
from treering.ledger.types import Context, Memory, alone, number_in, seen_from, team_of
from treering.stores.port.ledger import record_of
from treering.stores.sqlite.projects import name_of, root_of
from treering.text.redact import clean

if TYPE_CHECKING:
    from treering.ledger.config import Config
    from treering.ledger.events import Draft
    from treering.ledger.ledger import Ledger
    from treering.models.port import LLM
    from treering.recall.recalls import Recalls
    from treering.stores.port.ledger import Reader
    from treering.stores.port.queue import Inbox

P = ParamSpec("P")
T = TypeVar("T")

_KEPT = ("type", "scope", "tags", "language", "invariant")  # of a memory whose text is replaced


class Workspace:
    """The store, the settings, the context and the clock. Costly parts are made when first used."""

    def __init__(
        self,
        store: Reader,
        config: Config,
        context: Context,
        ledger: Ledger | ReadOnly,
        recalls: Callable[[], Recalls],
        now: Callable[[], int],
        llm: Callable[[], LLM | None] = lambda: None,
        home: str = "",
        inbox: Callable[[], Inbox | None] = lambda: None,
    ) -> None:
        self.store = store
        self.config = config
        self.context = context
        self.now = now
        self.llm = llm
        self.home = home  # the folder of the store; empty for a store in memory
        self._ledger = ledger
        self._make_recalls = recalls
        self._make_inbox = inbox
        self._asked = self._here = Context()  # where somebody stood last, and the same under names that may be stored

    @property
    def writable(self) -> bool:
        """True unless this is a view of the past."""
        return not isinstance(self._ledger, ReadOnly)

    @property
    def ledger(self) -> Ledger:
        """The ledger to write to; a view of the past refuses it."""
        if isinstance(self._ledger, ReadOnly):
            raise self._ledger
        return self._ledger

    @cached_property
    def recalls(self) -> Recalls:
        return self._make_recalls()

    @cached_property
    def inbox(self) -> Inbox | None:
        """The queue that hooks write to; None for a store in memory or a view of the past."""
        return self._make_inbox()

    @property
    def space(self) -> str:
        return self.context.space

    def here(self, project: str = "", session: str = "") -> Context:
        """Return where we stand, under names that may be stored."""
        here = self.context
        there = here._replace(project=project or here.project, session=session or here.session)
        if there != self._asked:
            self._asked, self._here = there, storable_context(there, self.config.content_limit)
        return self._here

    def apart(self, work: Callable[[], T]) -> T:
        """Do work in the own space of a person and then in that of their team, so that nothing of the two is mixed,
        and return what the latter did. Where there is one space, it is done there."""
        for space in self.parts:
            with self.standing(space):
                done = work()
        return done

    @property
    def parts(self) -> tuple[str, ...]:
        """The space of a person alone, and that of their team; or the one that there is."""
        return (alone(self.space), team_of(self.space)) if len(seen_from(self.space)) > 1 else (self.space,)

    @contextmanager
    def standing(self, space: str) -> Iterator[None]:
        """Within it, everything is done from that space."""
        before = self.context
        self.context = before._replace(space=space)
        try:
            yield
        finally:
            self.context = before

    def name(self, text: str) -> str:
        """Return a name or a reason as it may be stored; refuse one that holds a secret."""
        return storable_name(text, self.config.content_limit) if text != "" else ""

    def clean(self, text: object) -> str:
        """Return a text as it may be stored: secrets redacted, hidden characters dropped."""
        checked = text_of(text)
        return clean(checked, self.config.content_limit).text if checked else ""

    def get(self, id: str) -> Memory:
        """Return one memory, by its id or an unambiguous short form of it."""
        whole = self.whole_id(id)
        memory = record_of(self.store, whole)
        if memory is None or memory.space not in seen_from(self.space):
            raise NotFound("memory", id, fate(self.store, whole, self.space))
        return memory

    def whole_id(self, id: str) -> str:
        """Return the whole id for a short form: `41` if one writer has so many events, `k7-41` for the writer k7…."""
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

    def is_id(self, text: str) -> bool:
        """Tell whether a text names a memory. Nobody remembers a text that looks like an id."""
        if not isinstance(text, str):
            raise InvalidInput(f"the new memory is an id or a text, not {text!r}")
        prefix, _, digits = text.rpartition("-")
        return number_in(digits) is not None and (not prefix or any(w.startswith(prefix) for w in self.store.heads()))

    def project_of(self, folder: str) -> str:
        """Return the project of a folder: the name of its repository. None for a home folder."""
        if not isinstance(folder, str):
            raise InvalidInput(f"a folder is a path, not {folder!r}")
        if self.inbox is not None:
            return self.inbox.project(folder)
        root = root_of(folder)
        return name_of(root) if root else ""

    def together(self, work: Callable[[], T]) -> T:
        """Run several calls as one transaction: all of what they do is written, or nothing."""
        return self.ledger.store.write(work)

    def remember(
        self, rows: Iterable[Mapping[str, Any]], here: Context | None = None, causes: tuple[str, ...] = ()
    ) -> list[Memory]:
        """Remember rows of `remember`'s arguments. `causes` are events that all of them rest on."""
        drafted = self.check(rows, here)
        return self.together(lambda: self.put(drafted, causes))

    def check(self, rows: Iterable[Mapping[str, Any]], here: Context | None = None) -> list[Draft]:
        """Return what remembering the rows would write, or refuse them."""
        return drafts(rows, here or self.here(), self.config.content_limit, self.get)

    def put(self, drafted: Sequence[Draft], causes: tuple[str, ...] = ()) -> list[Memory]:
        """Write checked rows, in a transaction, and return their memories."""
        for source in {source for draft in drafted for source in draft.causes}:
            self.get(source)  # raises if it is no longer there
        made = self.ledger.commit(lambda: [draft._replace(causes=(*draft.causes, *causes)) for draft in drafted])
        return [memory for memory in (fold([event]) for event in made) if memory is not None]

    def replace_text(self, former: Memory, text: str, causes: tuple[str, ...] = (), **more: Any) -> Memory:
        """Remember a new text as what another memory was. Its project and session stay, wherever we stand."""
        here = self.here()
        session = former.session if former.scope == "session" else here.session
        there = here._replace(project=former.project, session=session)
        row = {"content": text, **{name: getattr(former, name) for name in _KEPT}, **more}
        (made,) = self.remember([row], there, causes)
        return made


def apart(method: Callable[P, T]) -> Callable[P, T]:
    """Let a method of a facet work on what is a person's own and on what is their team's, never on both at once."""

    @wraps(method)
    def done(*given: P.args, **named: P.kwargs) -> T:
        at: Workspace = given[0]._at  # type: ignore[attr-defined]
        return at.apart(lambda: method(*given, **named))

    return done


def text_of(given: object) -> str:
    """Return a text, or refuse what is none."""
    if not isinstance(given, str):
        raise InvalidInput(f"expected a text, not {given!r}")
    return given
