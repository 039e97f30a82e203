"""The Treering object: what a Python program remembers and recalls with."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from itertools import chain
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar

from treering.capture.echoes import Echoes
from treering.ledger import decide
from treering.ledger.ageing import importance, strength, tier
from treering.ledger.clock import parse_time
from treering.ledger.errors import CannotUndo, Forbidden, InvalidInput, NotFound, StoreBusy
from treering.ledger.history import about, fate, live, of_project, same_words
from treering.ledger.sessions import WORK, Starts
from treering.ledger.types import (
    EVERYWHERE,
    RECALLABLE,
    RETIRED,
    SCOPES,
    STATUSES,
    STRATEGIES,
    Context,
    Filter,
    Memory,
    limit_of,
    move_of,
    one_of,
    person_in,
    type_named,
)
from treering.stores.port.ledger import EventQuery
from treering.stores.port.search import ON_THE_WAY

if TYPE_CHECKING:
    from treering.capture.api import Captured
    from treering.consolidate.api import Maintenance
    from treering.documents.api import Documents
    from treering.evolve.api import Evolve
    from treering.graph.api import KnowledgeGraph
    from treering.ledger.config import Config
    from treering.ledger.events import Draft, Event
    from treering.ledger.ledger import Ledger, Undone
    from treering.ledger.sync.api import MachineSync
    from treering.ledger.types import Recall
    from treering.ledger.workspace import Workspace
    from treering.skills.api import Skills
    from treering.skills.proposals.api import Proposals
    from treering.stores.port.ledger import Reader
    from treering.truth.api import Truth

    # By other names, as `list` is a method below.
    Events = list[Event]
    Memories = list[Memory]

T = TypeVar("T")

MOST_HITS = 10_000  # of one recall: more is not an answer but a list
MOST_TOKENS = 1_000_000  # of a budget: as large as the largest prompts


class Treering:
    """An open memory: the everyday verbs, and a facet for each further matter.

    Use it in a `with` block, or close it. A facet is imported when it is first used.
    """

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self._echoes = Echoes(workspace.store)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self.workspace.store.close()

    @property
    def store(self) -> Reader:
        return self.workspace.store

    @property
    def ledger(self) -> Ledger:
        """The ledger below: for importing, rebuilding, and writing decided events."""
        return self.workspace.ledger

    @property
    def config(self) -> Config:
        return self.workspace.config

    @property
    def context(self) -> Context:
        """The space, project and session, and who acts."""
        return self.workspace.context

    @property
    def read_only(self) -> bool:
        """True for a view of the past."""
        return not self.workspace.writable

    @cached_property
    def truth(self) -> Truth:
        """Contradictions, and what a person has confirmed."""
        from treering.truth.api import Truth

        return Truth(self.workspace)

    @cached_property
    def evolve(self) -> Evolve:
        """The value of memories by use, and the actions that improve them."""
        from treering.evolve.api import Evolve

        return Evolve(self.workspace)

    @cached_property
    def proposals(self) -> Proposals:
        """Proposed rules and skills, which a person accepts or rejects."""
        from treering.skills.proposals.api import Proposals

        return Proposals(self.workspace)

    @cached_property
    def skills(self) -> Skills:
        """The skills that an agent finds here."""
        from treering.skills.api import Skills

        return Skills(self.workspace)

    @cached_property
    def graph(self) -> KnowledgeGraph:
        """The entities that memories name, and their relations."""
        from treering.graph.api import KnowledgeGraph

        return KnowledgeGraph(self.workspace)

    @cached_property
    def captured(self) -> Captured:
        """The memories that agents bring in by themselves."""
        from treering.capture.api import Captured

        return Captured(self.workspace)

    @cached_property
    def maintenance(self) -> Maintenance:
        """The work that is due, in the background or by hand."""
        from treering.consolidate.api import Maintenance

        captured = self.captured
        return Maintenance(self.workspace, captured.take_in, lambda: self.documents.refresh(), captured.brief)

    @cached_property
    def sync(self) -> MachineSync:
        """The other machines that share this memory."""
        from treering.ledger.sync.api import MachineSync

        if person_in(self.context.space) and getattr(self.store, "shared", False):
            raise Forbidden("a team shares its memory by its database: sync would take along what is others' alone")
        return MachineSync(self.workspace)

    @cached_property
    def documents(self) -> Documents:
        """Markdown in and out."""
        from treering.documents.api import Documents

        return Documents(self.workspace)

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
        private: bool = False,
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

        What is `private`, only the person of a team who says it sees: see docs/team.md.

        `sources` names the memories that it was made of: it rests on them, and is trusted no more than they are. What
        it contradicts, `memory.truth.contradictions` tells.
        """
        row = dict(  # noqa: C408 - a literal would say each name twice
            content=content, type=type, scope=scope, tags=tags, project=project, session=session, language=language,
            invariant=invariant, private=private, origin=origin, sources=sources, confidence=confidence,
            relevance=relevance, problem=problem, approach=approach, gotchas=gotchas, trigger=trigger,
            action=action, outcome=outcome, at=at,
        )  # fmt: skip
        (memory,) = self.workspace.remember([row]) if anyway else self._remember([row])
        return self._replace_by(memory)

    def remember_many(self, rows: Iterable[Mapping[str, Any]]) -> list[Memory]:
        """Remember many at once, each a mapping of `remember`'s arguments: all of them, or none. They are indexed here,
        so that no recall has to, unless it is inside `together` or another process writes meanwhile."""
        made = self._remember(rows)
        if len(made) > ON_THE_WAY and not self.store.index.in_transaction:
            self.maintenance.prepare(wait=False)
        return made

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
        """Return memories, newest first; forgotten ones only if their status is asked for."""
        where = Filter(
            self.workspace.space,
            type_named(type) if type else "",
            one_of("scope", scope, SCOPES) if scope else "",
            (one_of("status", status, STATUSES),) if status else STATUSES[:-1],
            self.workspace.name(project),
            self.workspace.name(session),
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
        floor: float | None = None,
        silent: bool = True,
        superseded: bool = False,
        retired: bool = False,
        explain: bool = False,
        everywhere: bool = False,
    ) -> Recall:
        """Return the memories that answer a query, best first, of those visible from here.

        `budget` is a number of tokens for the fenced text. `at` says when the query was asked, if
        not now: "last week" depends on it. `log=False` leaves no trace. What surely does not belong
        is left out, so `k` is the most: `floor` is the share of what belongs that may be left out by
        that, and 0, like `silent=False`, gives k memories however unsure. `superseded` lets in what
        has been superseded, and `retired` also what was merged or deprecated. `everywhere` looks into all projects and
        sessions, for a person: it leaves no trace.
        """
        if not isinstance(query, str) or not any(letter.isalnum() for letter in query):
            raise InvalidInput(f"there is nothing to look for: a query is a text with words, not {query!r}")
        _check("k", k, 1, MOST_HITS)
        _check("budget", budget, 0, MOST_TOKENS)
        here = self.workspace.here(project, session)
        here = here._replace(project=EVERYWHERE) if everywhere else here
        narrow = None
        if type or scope or tag or superseded or retired or since is not None or until is not None:
            narrow = Filter(
                here.space,
                type_named(type) if type else "",
                one_of("scope", scope, SCOPES) if scope else "",
                RECALLABLE + (RETIRED if retired else ("superseded",) if superseded else ()),
                tag=self._tag(tag),
                visible_to=here,
                since=parse_time(since) if since is not None else None,
                until=parse_time(until, end_of_day=True) if until is not None else None,
            )
        return self.workspace.recalls.recall(
            query,
            here,
            parse_time(at) if at is not None else self.workspace.now(),
            k,
            one_of("strategy", strategy, STRATEGIES),
            narrow,
            budget,
            floor if silent else 0.0,
            explain,
            self.ledger if log and not everywhere and self.workspace.writable else None,
            (lambda logged: self.captured.log_later(logged)) if self.workspace.inbox is not None else None,
        )

    def get(self, id: str) -> Memory:
        """Return one memory, by its id or an unambiguous short form of it."""
        return self.workspace.get(id)

    def whole_id(self, id: str) -> str:
        """Return the whole id for a short form of it."""
        return self.workspace.whole_id(id)

    def together(self, work: Callable[[], T]) -> T:
        """Run several calls as one: all of what they do is written, or nothing."""
        return self.workspace.together(work)

    def feedback(self, recall_id: str, memory_id: str, verdict: str, *, note: str = "") -> Memory:
        """Judge a memory that a recall has shown, and return it with its new Q.

        The verdict is `helpful`, `partially_helpful` or `not_helpful`; the id `last` is the last
        recall.
        """
        return self.evolve.feedback(recall_id, memory_id, verdict, note=note)

    def supersede(self, old: str, new: str, *, reason: str = "") -> Memory:
        """Say that a fact has changed, and return the new memory. `new` is the id of the memory that holds now, or a
        text, which is remembered as what the old one was. The old one stays in the ledger, out of recall."""
        return self.truth.supersede(old, new, reason=reason)

    def scores(self, memory: Memory | str) -> dict[str, float | str]:
        """Return what a memory is worth now, how much of that is left, and its tier under the policy of the
        settings."""
        memory = self.get(memory) if isinstance(memory, str) else memory
        now, rings, policy = self.workspace.now(), 0, self.config.decay
        if policy == "sessions":
            work = EventQuery(space=memory.space, kinds=WORK, live=True)
            rings = Starts(self.store.events(work)).since(memory)
        return {
            "importance": round(importance(memory, now), 4),
            "strength": round(strength(memory, now), 4),
            "tier": tier(memory, policy, rings),
        }

    def _remember(self, rows: Iterable[Mapping[str, Any]]) -> Memories:
        """Remember rows. One that only repeats what was recalled makes nothing: the memory that it echoes stands for
        it."""
        here = self.workspace.here()
        echoes = self._echoes.at(here)
        sifted = [echoes.match(row) if hasattr(row, "get") else (row, None) for row in rows]

        checked = self.workspace.check((row for row, _ in sifted), here)
        new = [draft for draft, (_, echo) in zip(checked, sifted, strict=True) if echo is None]

        def work() -> Memories:
            made = iter(self.workspace.put(new))
            if repeated := [decide.echoed(echo, here) for _, echo in sifted if echo is not None]:
                self.ledger.commit(lambda: repeated)
            return [echo or next(made) for _, echo in sifted]

        return self.together(work)

    def _replace_by(self, made: Memory) -> Memory:
        """Supersede what a person's new statement surely replaces. Other contradictions wait until somebody looks."""
        from treering.truth import claims

        here = self.workspace.here()
        if made.trust == "user" and claims.replaced(self.store, made.content, here, told=True) is not None:
            self.together(lambda: claims.look(self.ledger, [made.id], here, told=True))
        return made

    def _tag(self, text: str) -> str:
        """Return a tag as it is kept: one word."""
        return "-".join(self.workspace.name(text).split())

    def history(self, id: str) -> Events:
        """Return every event about a memory, oldest first, and those that undid any of them."""
        whole = self.workspace.whole_id(id)
        found = about(self.store, whole, self.workspace.space)
        if not found:
            raise NotFound("memory", id, fate(self.store, whole, self.workspace.space))
        return found

    def forget(self, id: str, *, reason: str = "") -> Memory:
        """Take a memory out of sight. `restore` brings it back."""
        found = self.workspace.whole_id(id)
        self.ledger.commit(lambda: [decide.forget(self.get(found), self.workspace.here(), self.workspace.name(reason))])
        return self.get(found)

    def restore(self, id: str) -> Memory:
        """Bring a memory back as it was before it was forgotten, deprecated, merged, superseded or archived. One that a
        rule took out counts as used, and against that rule: somebody wants it."""
        found, ledger = self.workspace.whole_id(id), self.ledger

        def work() -> Memory:
            faded = self.get(found).moves[-1:] != () and move_of(self.get(found).moves[-1]).rule != "forgotten"
            done = ledger.undo(lambda: decide.restore(self.get(found), live(self.store, found), self.workspace.here()))
            memory = self.get(found)
            if memory.status in RECALLABLE and (faded or memory.status == "archived"):
                ledger.commit(lambda: [decide.used(memory, self.workspace.here(), cause=done.event.id)])
            return self.get(found)

        return ledger.store.write(work)

    def purge(self, *ids: str, project: str = "", reason: str = "") -> None:
        """Erase memories for good: from the ledger, the indexes and the disk. For a person who asked. Those that were
        merged into one say the same, and go with it; so do summaries that were made of them, and episodes that quote
        them. The id of a recall erases what was asked; a project, all of its memories and all that was asked there."""
        named = [self.workspace.whole_id(id) for id in ids]
        here = EventQuery(space=self.workspace.space)

        def work() -> None:
            if project:
                self.captured.erase_project(project)
            whole = chain(*of_project(self.store, project, here.space)) if project else ()
            found = dict.fromkeys((*named, *whole))
            kin = same_words(self.store, found, here.space)
            said = tuple(id for id, is_copy in kin.items() if id in found or not is_copy)  # a copy may be of others too
            made = [*self.store.events(here._replace(subjects=said))]
            kin |= dict.fromkeys(self.captured.quoting(made), False) | kin
            histories = [(id, [*self.store.events(here._replace(subjects=(id,)))]) for id in kin]
            drafts = [
                decide.purge(id, past, self.workspace.here(), self.workspace.name(reason)) for id, past in histories
            ]
            out = self.store.left_out()
            copies = [event for _, past in histories for event in past if kin.get(event.id) and event.id not in out]
            self.captured.erase(event for _, past in histories for event in past)
            if copies:  # what they summed up, and is not purged, is back
                ledger.undo(lambda: decide.undo(copies, out, self.workspace.here(), "purged"))
            ledger.commit(lambda: drafts)

        self.captured.receive()
        ledger = self.ledger
        ledger.store.scrub()  # what an interrupted purge may have left
        ledger.store.write(work)
        self.captured.receive()  # deletes the files of what was taken in meanwhile
        if not ledger.store.scrub():
            raise StoreBusy(
                "erased from the store, but another process still holds the log that has the text: "
                "close it and run `treering doctor`, which finishes the erasure"
            )

    def undo(self, *events: str, reason: str = "", dry_run: bool = False) -> Undone:
        """Leave events out of the fold, with all that rests on them. Undoing an undoing brings them back."""
        if not events:
            raise CannotUndo("name at least one event to undo")
        ids = {self.workspace.whole_id(id): id for id in events}

        def draft() -> Draft:
            here = EventQuery(ids=tuple(ids), space=self.workspace.space)
            found = {event.id: event for event in self.store.events(here)}
            for id, given in ids.items():
                if id not in found:
                    raise NotFound("event", given, "`treering log` lists them")
            return decide.undo(
                [*found.values()], self.store.left_out(), self.workspace.here(), self.workspace.name(reason)
            )

        return self.ledger.undo(draft, dry_run)

    def revoke(self, *, session: str = "", source: str = "", reason: str = "", dry_run: bool = False) -> Undone:
        """Leave out everything that a session or a source brought, with all that was made of it."""
        from treering.ledger.ledger import joined

        session, source = self.workspace.name(session), self.workspace.name(source)

        def draft() -> Draft:
            return decide.revoke(session, source, self.workspace.here(), self.workspace.name(reason))

        draft()  # refuses what makes no sense
        query = EventQuery(session=session, source=source, limit=1)
        parts = [part for part in self.workspace.parts if any(self.store.events(query._replace(space=part)))]
        if not parts and self.workspace.writable:
            hint = "`treering rings` and `treering log` show what there is"
            raise NotFound("session" if session else "source", session or source, hint)
        done = []
        for part in parts or self.workspace.parts[:1]:  # a view of the past refuses, whatever there was
            with self.workspace.standing(part):
                done.append(self.ledger.undo(draft, dry_run))
        return joined(done)


def _check(name: str, value: int, least: int, most: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise InvalidInput(f"{name} must be a whole number from {least} to {most:,}, not {value!r}")
