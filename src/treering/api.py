"""The Treering object: what a Python program remembers and recalls with."""

from __future__ import annotations

from treering.attending import Attending
from treering.core.errors import CannotUndo, InvalidInput, NotFound, ReadOnly, StoreBusy
from treering.core.lifecycle import RECALLABLE, RETIRED, STATUSES
from treering.core.types import SCOPES, STRATEGIES, Filter, Memory, limit_of, move_of, one_of, type_named

# Only what reading a memory needs is imported above: a process that shows one must start at once. What
# writing and searching need comes in with the methods that do so.

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from datetime import datetime
    from typing import Any, TypeVar

    from treering.core.events import Draft, Event
    from treering.core.types import Recall
    from treering.ledger import Ledger, Undone
    from treering.truth import Contradiction

    T = TypeVar("T")
    Events = list[Event]  # by another name, as `list` is a method below
    Memories = list[Memory]
    Contradictions = list[Contradiction]


MOST_HITS = 10_000  # of one recall: more is not an answer but a list
MOST_TOKENS = 1_000_000  # of a budget: as large as the largest prompts


class Treering(Attending):
    """An open memory. Use it in a `with` block, or close it."""

    def remember(
        self,
        content: str,
        *,
        type: str = "",
        scope: str = "",
        tags: Sequence[str] = (),
        project: str = "",
        session: str = "",
        language: str = "",
        invariant: bool = False,
        origin: str = "",
        sources: Sequence[str] = (),
        confidence: float | None = None,
        relevance: float | None = None,
        problem: str = "",
        approach: str = "",
        gotchas: str = "",
        trigger: str = "",
        action: str = "",
        outcome: str = "",
        at: str | float | datetime | None = None,
        anyway: bool = False,
    ) -> Memory:
        """Remember a text, and what is known about it. `at` is for something that happened earlier.

        A text that only repeats what was recalled is known: that memory is returned and nothing is stored, unless it is
        to be stored `anyway`.

        `sources` names the memories that it was made of: it rests on them, and is trusted no more than they are. What
        it contradicts, `contradictions` tells.
        """
        options = dict(locals())
        del options["self"], options["anyway"]
        (memory,) = self.ledger.store.write(self._remembering([options], echoes=not anyway))
        return memory

    def remember_many(self, rows: Iterable[Mapping[str, Any]]) -> list[Memory]:
        """Remember many at once, each a mapping of `remember`'s arguments: all of them, or none."""
        return self.ledger.store.write(self._remembering(rows))

    def list(
        self,
        *,
        type: str = "",
        scope: str = "",
        status: str = "",
        project: str = "",
        session: str = "",
        tag: str = "",
        limit: int = 0,
    ) -> Iterator[Memory]:
        """Memories, newest first; forgotten ones only if their status is asked for."""
        where = Filter(
            self.context.space,
            type_named(type) if type else "",
            one_of("scope", scope, SCOPES) if scope else "",
            (one_of("status", status, STATUSES),) if status else STATUSES[:-1],
            self._guarded(project),
            self._guarded(session),
            self._tag(tag),
        )
        most = limit_of(limit)
        found = self.store.records(where)
        return found if most is None else (memory for memory, _ in zip(found, range(most), strict=False))

    def recall(
        self,
        query: str,
        k: int = 5,
        *,
        type: str = "",
        scope: str = "",
        project: str = "",
        session: str = "",
        tag: str = "",
        since: str | float | datetime | None = None,
        until: str | float | datetime | None = None,
        strategy: str = "hybrid",
        budget: int = 0,
        at: str | float | datetime | None = None,
        log: bool = True,
        silent: bool = True,
        superseded: bool = False,
        retired: bool = False,
        explain: bool = False,
    ) -> Recall:
        """The memories that answer a query, best first, of those that can be seen from where we stand.

        `budget` is a number of tokens for the fenced text. `at` says when the query was asked, if not now: "last week"
        means another one then. `log=False` looks without leaving a trace, `silent=False` answers even when unsure,
        `superseded` lets in what has been superseded, and `retired` also what has been merged or deprecated.
        """
        from treering.moment import read

        if not isinstance(query, str) or not any(letter.isalnum() for letter in query):
            raise InvalidInput(f"there is nothing to look for: a query is a text with words, not {query!r}")
        _check("k", k, 1, MOST_HITS)
        _check("budget", budget, 0, MOST_TOKENS)
        here = self._here(project, session)
        narrow = Filter(
            here.space,
            type_named(type) if type else "",
            one_of("scope", scope, SCOPES) if scope else "",
            RECALLABLE + (RETIRED if retired else ("superseded",) if superseded else ()),
            tag=self._tag(tag),
            visible_to=here,
            since=read(since) if since is not None else None,
            until=read(until, end_of_day=True) if until is not None else None,
        )
        return self._recalling().recall(
            query,
            here,
            read(at) if at is not None else self._now(),
            k,
            one_of("strategy", strategy, STRATEGIES),
            narrow if narrow != Filter(here.space, statuses=RECALLABLE, visible_to=here) else None,
            budget,
            silent,
            explain,
            self._make_ledger if log and self._writable else None,
        )

    def _tag(self, text: str) -> str:
        """A tag as it is kept: one word."""
        return "-".join(self._guarded(text).split())

    def prepare(self, progress: Callable[[int], None] = lambda done: None) -> int:
        """Make ready for recall what has been remembered since the last one. Recall does this by itself; after a large
        import it takes a while, and here it can be watched. How many memories were made ready."""
        done = self._recalling().prepare(self._here(), progress)
        self._knit()
        return done

    def history(self, id: str) -> Events:
        """Every event about a memory, oldest first, and those that undid any of them."""
        from treering.history import about, fate

        whole = self.whole_id(id)
        found = about(self.store, whole, self.context.space)
        if not found:
            raise NotFound("memory", id, fate(self.store, whole, self.context.space))
        return found

    def forget(self, id: str, *, reason: str = "") -> Memory:
        """Take a memory out of sight. `restore` brings it back."""
        from treering.core import decide

        found = self.whole_id(id)
        self.ledger.commit(lambda: [decide.forget(self.get(found), self._here(), self._guarded(reason))])
        return self.get(found)

    def restore(self, id: str) -> Memory:
        """Bring a memory back as it was before it was forgotten, deprecated, merged, superseded or archived. One that a
        rule took out counts as used, and against that rule: somebody wants it."""
        from treering.core import decide
        from treering.history import live

        found, ledger = self.whole_id(id), self.ledger

        def work() -> Memory:
            faded = self.get(found).moves[-1:] != () and move_of(self.get(found).moves[-1]).rule != "forgotten"
            done = ledger.undo(lambda: decide.restore(self.get(found), live(self.store, found), self._here()))
            memory = self.get(found)
            if memory.status in RECALLABLE and (faded or memory.status == "archived"):
                ledger.commit(lambda: [decide.used(memory, self._here(), cause=done.event.id)])
            return self.get(found)

        return ledger.store.write(work)

    def purge(self, *ids: str, reason: str = "") -> None:
        """Erase memories for good: from the ledger, the indexes and the disk. For a person who asked. Those that were
        merged into one say the same, and go with it; so do summaries that were made of them."""
        from treering.core import decide
        from treering.core.ports import EventQuery
        from treering.history import same_words

        found = dict.fromkeys(self.whole_id(id) for id in ids)
        here = EventQuery(space=self.context.space)

        def work() -> None:
            kin = same_words(self.store, found, here.space)
            histories = [(id, [*self.store.events(here._replace(subjects=(id,)))]) for id in kin]
            drafts = [decide.purge(id, past, self._here(), self._guarded(reason)) for id, past in histories]
            out = self.store.left_out()
            copies = [event for _, past in histories for event in past if kin.get(event.id) and event.id not in out]
            if self.inbox is not None:  # what an agent said lies there until its session is over
                self.inbox.purge(self._now())
            if copies:  # what they summed up, and is not purged, is back
                ledger.undo(lambda: decide.undo(copies, out, self._here(), "purged"))
            ledger.commit(lambda: drafts)

        self.receive()
        ledger = self.ledger
        ledger.store.scrub()  # what an interrupted purge may have left
        ledger.store.write(work)
        if not ledger.store.scrub():
            raise StoreBusy(
                "erased from the store, but another process still holds the log that has the text: "
                "close it and run `treering doctor`, which finishes the erasure"
            )

    def undo(self, *events: str, reason: str = "", dry_run: bool = False) -> Undone:
        """Leave events out of the fold, with all that rests on them. Undoing an undoing brings them back."""
        from treering.core import decide
        from treering.core.ports import EventQuery

        if not events:
            raise CannotUndo("name at least one event to undo")
        ids = {self.whole_id(id): id for id in events}

        def draft() -> Draft:
            here = EventQuery(ids=tuple(ids), space=self.context.space)
            found = {event.id: event for event in self.store.events(here)}
            for id, given in ids.items():
                if id not in found:
                    raise NotFound("event", given, "`treering log` lists them")
            return decide.undo([*found.values()], self.store.left_out(), self._here(), self._guarded(reason))

        return self.ledger.undo(draft, dry_run)

    def revoke(self, *, session: str = "", source: str = "", reason: str = "", dry_run: bool = False) -> Undone:
        """Leave out everything that a session or a source brought, with all that was made of it."""
        from treering.core import decide
        from treering.core.ports import EventQuery

        session, source = self._guarded(session), self._guarded(source)

        def draft() -> Draft:
            made = decide.revoke(session, source, self._here(), self._guarded(reason))
            if not any(self.store.events(EventQuery(space=made.space, session=session, source=source, limit=1))):
                hint = "`treering rings` and `treering log` show what there is"
                raise NotFound("session" if session else "source", session or source, hint)
            return made

        return self.ledger.undo(draft, dry_run)


def _check(name: str, value: int, least: int, most: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise InvalidInput(f"{name} must be a whole number from {least} to {most:,}, not {value!r}")


def read_only(moment: str) -> Callable[[], Ledger]:
    """In place of a ledger, for a view of the past."""

    def refuse() -> Ledger:
        raise ReadOnly(f"this is the memory as of {moment}: leave out --as-of to change anything")

    return refuse
