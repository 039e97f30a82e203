"""Write the ledger as a folder of Markdown files, and read such a folder back.

What is new becomes session files, and all session files together make continuity.md.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from treering.documents.vault import folder as files
from treering.documents.vault.continuity import ARCHIVE, CONTINUITY, Difference, archive, continuity, differences
from treering.documents.vault.fact import seconds
from treering.documents.vault.segments import USES, Telling, fact_of, holds_any, without
from treering.documents.vault.session import parse, render
from treering.documents.vault.state import GONE, entries, ring_of
from treering.documents.vault.state import replay as lives_in
from treering.ledger import decide
from treering.ledger.arguments import parse_row, storable_context
from treering.ledger.arguments import storable_name as guarded
from treering.ledger.clock import SECOND
from treering.ledger.codec import data_of, decode, encode, fingerprint
from treering.ledger.errors import InvalidInput, MalformedLine, TreeringError
from treering.ledger.events import REMEMBERED, SUPERSEDED
from treering.ledger.ledger import batches
from treering.ledger.sessions import happened
from treering.ledger.types import RECALLABLE, TRUSTS, Context, least_trusted, trust_in
from treering.stores.port.ledger import EventQuery, record_of
from treering.text.redact import CONTENT_LIMIT, clean
from treering.truth import claims

if TYPE_CHECKING:
    from treering.documents.vault.fact import Fact
    from treering.documents.vault.session import Segment
    from treering.documents.vault.state import Entry, Life, Lives, Ring
    from treering.ledger.events import Draft, Event
    from treering.ledger.ledger import Ledger
    from treering.ledger.types import Memory
    from treering.stores.port.ledger import Reader


_AT_A_TIME = 1_000  # ids in a question to the store, which looks at all of them for every page of its answer


class Written(NamedTuple):
    """What writing a vault came to."""

    files: tuple[str, ...]  # made or changed, as seen from the folder
    sessions: int  # session files that there are now
    facts: int  # in continuity.md
    archived: int  # in archive.md


class Replayed(NamedTuple):
    """What the session files alone amount to, and where the other files say something else."""

    sessions: int
    facts: int
    archived: int
    differences: tuple[Difference, ...]

    @property
    def equal(self) -> bool:
        return not self.differences


class Taken(NamedTuple):
    """What reading a vault came to."""

    added: int  # facts that were new
    known: int  # those that were here already
    used: int  # uses that were new
    superseded: int  # supersessions that were new
    redacted: int = 0  # facts from which the guard took something
    passed_over: int = 0  # facts that do not hold any more, and whose successor is gone
    refused: int = 0  # supersessions of what is trusted more than the vault: its owner may say that it is theirs
    changed_by_hand: int = 0  # facts that are known here and read otherwise there: what is here stays as it is
    doubted: tuple[str, ...] = ()  # what new facts claimed of themselves and was not believed


def write(
    store: Reader,
    folder: str,
    space: str,
    now: int,
    overwrite: bool = False,
    progress: Callable[[int], None] = lambda done: None,
) -> Written:
    """Bring a folder up to date. Session files that are there are left as they are, but for what was purged."""
    there = os.path.isdir(folder)
    if there:
        files.check_ours(folder, (CONTINUITY, ARCHIVE), overwrite)
    known = {segment.name: segment for segment in (files.segments(folder) if there else ())}
    changed = store.view(lambda: _sessions(store, space, folder, known, seconds(now)))
    stand = entries(lives_in(known.values())[0])
    for name, text in ((ARCHIVE, archive(stand)), (CONTINUITY, continuity(stand))):
        if not there or files.rows(folder, name) != text.split("\n"):
            changed[name] = text
    files.make(folder)
    for done, (name, text) in enumerate(changed.items(), 1):
        files.put(os.path.join(folder, name), text)
        progress(done)
    return Written(tuple(changed), len(known), *_counts(stand))


def _sessions(store: Reader, space: str, folder: str, known: dict[str, Segment], now: int) -> dict[str, str]:
    """Return the session files to write, erasures first; `known` learns of them."""
    telling = Telling(store, space, _names(store, space, folder, known.values()))
    changed: dict[str, str] = {}
    for name, segment in known.items():
        if holds_any(segment, telling.purged):
            rows = without(files.rows(folder, _within(name)) or [], segment, telling.purged)
            known[name], changed[_within(name)] = parse(name, name, rows), "\n".join(rows)
    for segment in telling.news([*known.values()], now):
        made = segment._replace(name=files.name_for(segment, known))
        known[made.name], changed[_within(made.name)] = made, render(made)
    return changed


def _names(store: Reader, space: str, folder: str, known: Collection[Segment]) -> dict[str, str]:
    """Return the names that the files have for memories which were read from them; the files may say so themselves."""
    named = {one.id: one.by for segment in known for one in segment.named}
    by_hand = any(not files.is_ours(folder, name) for name in (CONTINUITY, ARCHIVE))
    told = {told.fact.id for segment in known for told in segment.created} - set(named.values())
    own = {event.id for event in _made_by(store, told, space)}
    if told == own and not by_hand:
        return named
    try:
        lives = files.Vault(folder, known).lives
    except MalformedLine:  # what is written over need not make sense
        lives, _ = lives_in(known)
    keys = {_key(space, life.fact): id for id, life in lives.items() if id not in own}
    events = store.events(EventQuery(kinds=(REMEMBERED,), space=space))
    return {event.id: keys[key] for event in events if (key := data_of(event)[1].get("key")) in keys} | named


def _made_by(store: Reader, ids: Iterable[str], space: str) -> Iterator[Event]:
    """Yield the events among these ids that made a memory."""
    for batch in batches(ids, _AT_A_TIME):
        yield from store.events(EventQuery(ids=tuple(batch), kinds=(REMEMBERED,), space=space))


def _key(space: str, fact: Fact) -> int:
    """Return what identifies a fact: its id and what it says, as it would be stored. Where it stands may change."""
    texts = {"content": fact.text, **fact.details}
    # A mark may be longer than the secret that it stands for.
    cleaned = {name: clean(text, 2 * len(text) + CONTENT_LIMIT).text for name, text in texts.items()}
    return fingerprint((space, fact.id, cleaned))


def _within(name: str) -> str:
    return os.path.join(files.SESSIONS, name)


def replay(folder: str) -> Replayed:
    """Rebuild the state from the session files alone, and compare the other files with it."""
    segments = files.segments(folder)
    lives, problems = lives_in(segments)
    stand = entries(lives)
    found = [Difference(_within(one.file), one.line, one.message) for one in problems]
    for name in (CONTINUITY, ARCHIVE):
        rows = files.rows(folder, name)
        if rows is not None:
            found += differences(name, os.path.join(folder, name), rows, stand)
        elif name == CONTINUITY and not segments:
            raise InvalidInput(f"{folder} is no vault: it has neither {CONTINUITY} nor {files.SESSIONS}/*.md")
        elif any((entry.tier in GONE) == (name == ARCHIVE) for entry in stand):
            found.append(Difference(name, 1, "the file is missing"))
    return Replayed(len(segments), *_counts(stand), tuple(found))


def _counts(stand: list[Entry]) -> tuple[int, int]:
    archived = sum(entry.tier in GONE for entry in stand)
    return len(stand) - archived, archived


def read(
    ledger: Ledger,
    context: Context,
    folder: str,
    limit: int,
    progress: Callable[[int], None] = lambda done: None,
    mine: bool = False,
) -> Taken:
    """Take in a vault: every fact, its uses and what superseded it, or nothing. Reading it again adds nothing.

    Anybody can write a footer. It is believed where the caller says that the vault is theirs; otherwise what is new is
    text from a document: external, of a project, and never an invariant.
    """
    vault = files.Vault(folder)
    vault.check()
    wanted = vault.holding()
    drafts: dict[str, Draft] = {}
    redacted = 0
    for id, life in wanted.items():
        drafts[id] = _draft(life, vault.places[id], context, limit)
        redacted += bool(decode(drafts[id].payload).get("redacted"))
    passed = sum(not life.gone for life in vault.lives.values()) - len(wanted)

    def work() -> Taken:
        reading = _Reading(ledger, context, limit, mine)
        home = context.project or os.path.basename(os.path.abspath(folder))
        facts = drafts if mine else {id: _doubted(one, vault.places[id], home) for id, one in drafts.items()}
        added = reading.remember(facts, dict(vault.memories), progress)
        used, superseded = reading.use(wanted), reading.supersede(wanted)
        changed = sum(reading.reads_otherwise(id, life.fact) for id, life in wanted.items())
        doubted = _claims(drafts, facts) if added else ()
        return Taken(added, len(drafts) - added, used, superseded, redacted, passed, reading.refused, changed, doubted)

    return ledger.store.write(work)


def _draft(life: Life, place: files.Place, context: Context, limit: int) -> Draft:
    """Return the event that remembers a fact: made where and when the vault says, and trusted no more than it says."""
    fact = life.fact
    given = fact.origin and least_trusted(trust_in(fact.origin), fact.trust) == trust_in(fact.origin)
    row = {
        "content": fact.text,
        "type": fact.type,
        "scope": fact.scope,
        "tags": fact.tags,
        "project": fact.project,
        "session": fact.session,
        "language": fact.language,
        "invariant": fact.invariant,
        "at": fact.created or None,
        "origin": fact.origin if given else "",
        **fact.details,
    }
    nowhere = Context(storable_context(context, limit).space, actor=context.actor)
    try:
        for text in (life.reason, fact.project, fact.session, *(text for ring in life.used for text in ring[:2])):
            guarded(text, limit)
        draft = decide.remember(parse_row(row, limit, f"{place.name}:{place.line}", fact.id), nowhere)
    except TreeringError as error:
        raise MalformedLine(place.path, place.line, str(error)) from None
    key = _key(nowhere.space, fact)
    draft = draft._replace(payload=encode({**decode(draft.payload), "key": key}), key=key)
    return draft if given else _from_outside(draft, place)


def _from_outside(draft: Draft, place: files.Place) -> Draft:
    """Return the same event, whatever the footer says of its origin: the file is all that is known of it."""
    return draft._replace(payload=encode({**decode(draft.payload), "origin": f"document:{place.name}:{place.line}"}))


def _doubted(draft: Draft, place: files.Place, home: str) -> Draft:
    """Return the event of a fact of somebody else: whatever it claims of itself, it is told in its project only."""
    outside = _from_outside(draft, place)
    data = decode(outside.payload)
    data.pop("invariant", None)
    if data.get("scope") == "user":
        data["scope"] = "project"
    return outside._replace(project=draft.project or home, payload=encode(data))


def _claims(said: dict[str, Draft], taken: dict[str, Draft]) -> tuple[str, ...]:
    """Return the fields of facts that are not taken in as they are said."""
    pairs = [(decode(said[id].payload), decode(one.payload)) for id, one in taken.items()]
    fields = ("origin", "invariant", "scope")
    return tuple(name for name in fields if any(one.get(name) != other.get(name) for one, other in pairs))


class _Reading:
    """A vault on its way into a ledger, in a transaction."""

    def __init__(self, ledger: Ledger, context: Context, limit: int, believed: bool) -> None:
        self.ledger = ledger
        self.store = ledger.store
        self.context = storable_context(context, limit)
        self.limit = limit
        self.believed = believed
        self.ids: dict[str, str] = {}  # of facts: the memories that they are here
        self.made: set[str] = set()
        self.refused = 0

    def remember(self, drafts: dict[str, Draft], names: dict[str, str], progress: Callable[[int], None]) -> int:
        """Remember the facts that are not here yet, neither under their own id nor as something read before."""
        own = _made_by(self.store, (*drafts, *names), self.context.space)
        self.ids = {names.get(event.id, event.id): event.id for event in own}
        keys = {draft.key: id for id, draft in drafts.items() if id not in self.ids}
        known = self.store.known([*keys])
        if known:
            for event in self.store.events(EventQuery(kinds=(REMEMBERED,), space=self.context.space)):
                key = data_of(event)[1].get("key")
                if key in known:
                    self.ids[keys[key]] = event.id
        fresh = [id for id in drafts if id not in self.ids]
        made = self.ledger.commit(lambda: [drafts[id] for id in fresh])
        self.made = {event.id for event in made}
        self.ids |= {id: event.id for id, event in zip(fresh, made, strict=True)}
        progress(len(drafts))
        return len(fresh)

    def use(self, lives: Lives) -> int:
        """Count the uses that are not counted yet; one that was undone stays undone."""
        counted = {(event.subject, _ring(event)) for event in self._about(USES)}
        drafts = []
        for id, life in lives.items():
            memory = self._memory(id)
            if memory is None or memory.status not in RECALLABLE:
                continue
            for ring, at in sorted(life.used.items(), key=lambda use: use[1]):
                if (memory.id, ring) not in counted:
                    drafts.append(decide.used(memory, self._in(ring), at * SECOND))
        self.ledger.commit(lambda: drafts)
        return len(drafts)

    def supersede(self, lives: Lives) -> int:
        """Let facts take the place of others, those first whose successors have been succeeded themselves."""
        told = {(event.subject, data_of(event)[1].get("by")) for event in self._about((SUPERSEDED,))}
        replaced = {id: life for id, life in lives.items() if life.by}
        done = 0
        for id in sorted(replaced, key=lambda one: _depth(one, lives), reverse=True):
            old, new = self._memory(id), self._memory(replaced[id].by)
            if old is None or new is None or (old.id, new.id) in told:
                continue
            if {old.status, new.status} <= set(RECALLABLE):
                if self._may(old) and decide.as_wide(new, old):
                    claims.supersede(self.ledger, old, new, self.context, guarded(replaced[id].reason, self.limit))
                    done += 1
                else:
                    self.refused += 1
        return done

    def _may(self, old: Memory) -> bool:
        """Return whether a vault may say that a memory does not hold: one that is not trusted says so from outside."""
        return self.believed or old.id in self.made or old.trust == TRUSTS[-1]

    def reads_otherwise(self, id: str, fact: Fact) -> bool:
        """Return whether a fact is known here in other words; a secret that was left out is no difference."""
        memory = self._memory(id)
        if memory is None or memory.id in self.made:
            return False
        here = fact_of(memory)._replace(id=id)
        same = (here.text, here.details) == (fact.text, fact.details)  # the usual case, and quick
        return not same and _key("", here) != _key("", fact)

    def _about(self, kinds: tuple[str, ...]) -> Iterator[Event]:
        for batch in batches(self.ids.values(), _AT_A_TIME):
            yield from self.store.events(EventQuery(subjects=tuple(batch), kinds=kinds))

    def _memory(self, id: str) -> Memory | None:
        return record_of(self.store, self.ids[id]) if id in self.ids else None

    def _in(self, ring: Ring) -> Context:
        return storable_context(Context(self.context.space, ring.project, ring.session, self.context.actor), self.limit)


def _ring(event: Event) -> Ring:
    return ring_of(event.project, event.session, seconds(happened(event)))


def _depth(id: str, lives: Lives) -> int:
    """Return how many supersessions lie between a fact and the one that holds."""
    depth = 0
    while lives[id].by:
        id, depth = lives[id].by, depth + 1
    return depth
