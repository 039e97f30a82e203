"""Turn intents into events. Every rule about what may happen is here; nothing is written here."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from treering.ledger import events as kinds
from treering.ledger.ageing import HOT, QUEUE, Due
from treering.ledger.codec import check, check_names, data_of, draft, encode, fingerprint, reasoned
from treering.ledger.errors import CannotUndo, InvalidInput, NotFound
from treering.ledger.events import Data, Draft, Event
from treering.ledger.types import (
    ACTORS,
    DEFAULT_TYPE,
    FUSIONS,
    MIX,
    QUERY_TYPES,
    RECALLABLE,
    SCOPES,
    Context,
    Memory,
    Recall,
    check_move,
    least_trusted,
    one_of,
    origin_named,
    person_in,
    seen_from,
    trust_in,
    type_named,
)
from treering.text.words import substantive, tokens

LESSON = ("problem", "approach", "gotchas")
RULE = ("trigger", "action", "outcome")
MOST_TAGS = 50  # more than this is a text, not a set of labels


class Remember(NamedTuple):
    """Checked arguments of `remember`, with secrets redacted."""

    content: str
    type: str = ""
    scope: str = ""
    tags: tuple[str, ...] = ()
    project: str = ""
    session: str = ""
    origin: str = ""
    at: int | None = None
    place: str = ""  # file and line, for a row that is imported
    row: str = ""  # the id of that row in its file
    identity: str = ""  # what it is known by when it comes again, if not by its whole row
    sources: tuple[str, ...] = ()  # the memories that it was made of
    confidence: float | None = None
    relevance: float | None = None
    language: str = ""
    invariant: bool = False
    problem: str = ""
    approach: str = ""
    gotchas: str = ""
    trigger: str = ""
    action: str = ""
    outcome: str = ""
    private: bool = False
    redacted: tuple[str, ...] = ()


# What goes into the event as it is, and only if it is there.
_FIRST_OPTIONAL = Remember._fields.index("language")
_OPTIONAL = Remember._fields[_FIRST_OPTIONAL:]


def remember(args: Remember, context: Context, sources: Sequence[Memory] = ()) -> Draft:
    """Make a memory. It is trusted no more than what it was made of."""
    one_of("actor", context.actor, ACTORS)
    project, session = args.project or context.project, args.session or context.session
    data: Data = {
        "content": _content(args),
        "type": type_named(args.type) if args.type else DEFAULT_TYPE,
        "scope": _scope(args.scope, project, session),
    }
    if any(args[_FIRST_OPTIONAL:]):
        data.update((name, getattr(args, name)) for name in _OPTIONAL if getattr(args, name))
    if args.at is not None:
        data["at"] = args.at
    for name in ("confidence", "relevance"):
        if getattr(args, name) is not None:
            data[name] = _share(name, getattr(args, name))
    if args.tags:
        data["tags"] = _tags(args.tags)
    check_names(project, session, context.space, args.language)
    key = 0
    if args.identity:
        key = data["key"] = fingerprint((context.space, project, args.identity, data["content"]))
    elif args.place:
        # Where the file lies is no part of what makes a row itself, unless the row says so.
        key = fingerprint((context.space, project, session, args.row, args.origin, data))
        data["key"] = key
    if args.private and not person_in(context.space):
        raise InvalidInput("nothing is private where there is one person: `treering config set person NAME` says who")
    data["origin"] = _origin(args, context.actor)
    trust = least_trusted(trust_in(data["origin"]), *(source.trust for source in sources))
    if sources:
        data["trust"] = trust
    if trust == "external" and data["scope"] == "user" and project and context.actor != "user":
        raise InvalidInput("what comes from outside stays in its project unless a person decides: leave out the scope")
    causes = tuple(dict.fromkeys(source.id for source in sources))
    return Draft(kinds.REMEMBERED, encode(data), context.actor, context.space, project, session, causes=causes, key=key)


def _origin(args: Remember, actor: str) -> str:
    if args.origin:
        return str(origin_named(args.origin))
    if args.place:
        return f"import:{args.place}"
    return actor if actor in ("user", "agent") else "agent"


def forget(memory: Memory, context: Context, reason: str = "", cause: str = "") -> Draft:
    check_move(memory.id, memory.status, "forgotten")
    return draft(kinds.FORGOTTEN, reasoned(reason), context, memory.id, causes=(cause or memory.id,))


def restore(memory: Memory, history: Sequence[Event], context: Context) -> Draft:
    """Bring a memory back as it was before it was forgotten, deprecated, merged, superseded or archived."""
    retirings = [event.id for event in history if retires(event) == memory.status]
    if not retirings:
        raise InvalidInput(f"memory {memory.id} is {memory.status}: there is nothing to restore")
    return draft(kinds.UNDONE, {"events": retirings, "reason": "restored"}, context)


def retires(event: Event) -> str:
    """Return the status to which an event retires or lowers a memory; empty if it does neither."""
    if event.kind == kinds.MOVED and event.payload is not None:
        to = str(data_of(event)[1].get("to", ""))
        return to if to not in HOT else ""
    return _RETIRED.get(event.kind, "")


_RETIRED = {kinds.FORGOTTEN: "forgotten", kinds.SUPERSEDED: "superseded", kinds.MERGED: "merged"}


def leave(memory: Memory, reason: str, context: Context) -> Draft:
    """Archive a fact that is no longer in the document that it came from."""
    check_move(memory.id, memory.status, "archived")
    data = {"from": memory.status, "to": "archived", "rule": "left", "reason": reason}
    return draft(kinds.MOVED, data, context, memory.id, (memory.id,))


def moves(due: Sequence[Due], policy: str, run: str, context: Context) -> list[Draft]:
    """Draft the moves of one run of hygiene. They rest on the run, so undoing it undoes all of them."""
    check(context)
    here = (context.actor, context.space, context.project, context.session)
    drafts = []
    for memory, step in due:
        data: Data = {"evidence": step.evidence}
        if step.to != QUEUE:
            check_move(memory.id, memory.status, step.to)
            data |= {"from": memory.status, "to": step.to, "rule": step.rule, "policy": policy}
        kind = kinds.QUEUED if step.to == QUEUE else kinds.MOVED
        drafts.append(Draft(kind, encode(data), *here, memory.id, (run,)))
    return drafts


def ran(policy: str, crowded: bool, context: Context) -> Draft:
    """Record a run of hygiene, and whether it also makes room, which it does once a day."""
    return draft(kinds.RAN, {"policy": policy, "crowded": crowded}, context)


def ended(context: Context) -> Draft:
    if not context.session:
        raise InvalidInput("no session to end: name it")
    return draft(kinds.ENDED, {}, context)


def supersede(
    old: Memory, new: Memory, context: Context, reason: str = "", *causes: str, more: Data | None = None
) -> Draft:
    """Replace a memory that is no longer true by another. Only undoing it brings the old one back."""
    if old.id == new.id:
        raise InvalidInput(f"memory {old.id} cannot supersede itself: name another one, or the new text")
    if new.status not in RECALLABLE:
        raise InvalidInput(f"memory {new.id} is {new.status}, so it cannot take the place of {old.id}")
    if not as_wide(new, old):
        raise InvalidInput(f"memory {new.id} is not seen wherever {old.id} is: give the new text, or let both stand")
    check_move(old.id, old.status, "superseded")
    data = {"by": new.id, **(more or {}), **reasoned(reason)}
    return draft(kinds.SUPERSEDED, data, context, old.id, tuple(dict.fromkeys((old.id, new.id, *filter(None, causes)))))


def check_stated(old: Memory, context: Context) -> None:
    """Refuse if somebody other than a person supersedes an invariant, or an agent what the user said."""
    if old.invariant and context.actor != "user":
        raise InvalidInput(f"memory {old.id} is an invariant, which only a person changes: ask them, or let both stand")
    if old.trust == "user" and context.actor == "agent":
        raise InvalidInput(
            f"memory {old.id} was said by the user, who alone replaces it: remember the new statement beside it, "
            "and they are asked which one holds"
        )


def as_wide(new: Memory, old: Memory) -> bool:
    """Tell whether whoever sees the old memory also sees the new one."""
    if new.space not in seen_from(old.space):
        return False
    if new.scope == "user" or old.scope == "user":
        return new.scope == "user"
    if new.scope == "session" and (old.scope, old.session) != (new.scope, new.session):
        return False
    return new.project == old.project


def succeed(new: Memory, old: str, superseding: str, context: Context) -> Draft:
    """Record on the new memory whose place it took."""
    return draft(kinds.SUCCEEDED, {"old": old}, context, new.id, (superseding,))


def raise_contradiction(
    older: Memory, newer: Memory, kind: str, spans: tuple[int, int, int, int], context: Context
) -> Draft:
    """Record that two memories cannot both hold. It points into their texts and repeats none of them."""
    data = {"older": older.id, "newer": newer.id, "kind": kind, "spans": list(spans)}
    return draft(kinds.RAISED, data, context, causes=(older.id, newer.id))


def settle(raised: str, keep: str, context: Context, reason: str = "") -> Draft:
    """Record which of two contradicting memories holds."""
    one_of("keep", keep, ("older", "newer", "both"))
    return draft(kinds.SETTLED, {"keep": keep, **reasoned(reason)}, context, causes=(raised,))


def verify(memory: Memory, answer: str, context: Context, reason: str = "") -> Draft:
    """Record whether an invariant still holds, which only a person may say."""
    one_of("answer", answer, ("yes", "no", "change"))
    if context.actor != "user":
        raise InvalidInput("only a person confirms an invariant: open the memory with actor='user' on their behalf")
    if not memory.invariant:
        raise InvalidInput(f"memory {memory.id} is no invariant: there is nothing to confirm")
    if memory.status not in RECALLABLE:
        raise InvalidInput(f"memory {memory.id} is {memory.status}: there is nothing to confirm")
    return draft(kinds.VERIFIED, {"answer": answer, **reasoned(reason)}, context, memory.id, (memory.id,))


def used(memory: Memory, context: Context, at: int | None = None, cause: str = "") -> Draft:
    """Record that a session says it used a memory."""
    return draft(kinds.USED, {} if at is None else {"at": at}, context, memory.id, (cause or memory.id,))


def echoed(memory: Memory, context: Context) -> Draft:
    """Record that a text only repeats a recalled memory. The text itself is not kept."""
    return draft(kinds.ECHOED, {}, context, memory.id, (memory.id,))


def purge(id: str, history: Sequence[Event], context: Context, reason: str = "") -> Draft:
    """Erase every payload about a memory, or what somebody asked or tried. Only a person asks for this, and it cannot
    be undone."""
    if not any(event.kind in (kinds.REMEMBERED, *kinds.QUESTIONS) and event.id == id for event in history):
        raise NotFound("memory", id, "only memories can be purged; `treering list` shows all memories")
    if any(event.kind == kinds.PURGED for event in history):
        raise InvalidInput(f"memory {id} has been purged already")
    return draft(kinds.PURGED, reasoned(reason), context, id)


def recalled(
    found: Recall, k: int, took: int, context: Context, only: Data | None = None, missed: bool = False
) -> Draft:
    """Record an answered query. All hits were shown for certain but the last, which chance decides.

    If nothing was found (`missed`), the words of the prompt are kept: clusters of them show gaps.
    """
    chances = {found.cutoff.shown: found.cutoff.p} if found.cutoff else {}
    hits = [
        {"id": id, "rank": rank, "score": round(hit.score, 4), "p": chances.get(id, 1.0)}
        for rank, hit in enumerate(found.hits, 1)
        for id in [hit.memory.id]
    ]
    data: Data = {
        "query": found.query,
        "type": found.type,
        "strategy": found.strategy,
        "k": k,
        "hits": hits,
        "confidence": round(float(found.confidence), 4),
        "took": took,
    }
    if found.cutoff:
        data["withheld"] = [{"id": found.cutoff.withheld, "p": round(1 - found.cutoff.p, 6)}]
    if found.passed:
        data["passed"] = [{"id": one.memory, "score": round(one.score, 4), "why": one.why} for one in found.passed]
    if found.nonce and hits:
        data["nonce"] = found.nonce
    if only:
        data["only"] = only
    if missed and substantive(found.query):
        data["tokens"] = tokens(found.query)
    return draft(kinds.RECALLED, data, context)


def surfaced(memory: Memory, rank: int, recall: str, context: Context) -> Draft:
    """Record that a recall showed a memory, which counts as a use."""
    return draft(kinds.SURFACED, {"rank": rank}, context, memory.id, causes=(recall, memory.id))


def weigh(
    weights: Mapping[str, float | str],
    context: Context,
    type: str = "",
    reason: str = "",
    causes: tuple[str, ...] = (),
    **learned: object,
) -> Draft:
    """Set the weights of recall in the current project, for a type of query or for all.

    `learned` says from what they were learned: by, queries, evidence.
    """
    if type:
        one_of("type of query", type, QUERY_TYPES)
    for name, weight in weights.items():
        _check_weight(name, weight)
    where = {"project": context.project} if context.project else {}
    data = {**where, **({"type": type} if type else {}), "weights": dict(weights), **learned, **reasoned(reason)}
    return draft(kinds.WEIGHED, data, context, causes=causes)


def _check_weight(name: str, weight: float | str) -> None:
    if name == "fusion":
        one_of(name, str(weight), FUSIONS)
        return
    one_of("weight", name, tuple(MIX))
    least, most = MIX[name]
    if not isinstance(weight, int | float) or isinstance(weight, bool) or not least <= weight <= most:
        raise InvalidInput(f"the weight of {name} must be from {least:g} to {most:g}, not {weight!r}")


def undo(events: Sequence[Event], left_out: Collection[str], context: Context, reason: str = "") -> Draft:
    """Leave events out of the fold. Undoing an undoing brings back what it left out."""
    for event in events:
        if event.kind == kinds.PURGED:
            raise CannotUndo(f"event {event.id} is a purge: what it erased is gone for good")
        if event.id in left_out:
            raise CannotUndo(f"event {event.id} has been undone already: see `treering log`")
    return draft(kinds.UNDONE, {"events": [event.id for event in events], **reasoned(reason)}, context)


def revoke(session: str, source: str, context: Context, reason: str = "") -> Draft:
    """Leave out all that a session or a source has brought, and all that was made of it."""
    if bool(session) == bool(source):
        raise InvalidInput("name either the session or the source to revoke")
    named = {"session": session} if session else {"source": source}
    return draft(kinds.REVOKED, {**named, **reasoned(reason)}, context)


def _content(args: Remember) -> str:
    text = args.content.strip()
    if not any(args[_FIRST_OPTIONAL:]):
        fields = []
    else:
        lesson, rule = ([getattr(args, name) for name in names if getattr(args, name)] for names in (LESSON, RULE))
        if lesson and rule:
            raise InvalidInput(
                f"a memory is either a lesson ({', '.join(LESSON)}) or a rule ({', '.join(RULE)}), not both"
            )
        fields = lesson or rule
    if not text and not fields:
        raise InvalidInput("there is nothing to remember: the text is empty")
    return text or ". ".join(fields)


def _scope(scope: str, project: str, session: str) -> str:
    """Return the scope, by default the project if there is one, else the user."""
    chosen = one_of("scope", scope or ("project" if project else "user"), SCOPES)
    if chosen == "project" and not project:
        raise InvalidInput("scope 'project' needs a project: name it, or choose scope 'user'")
    if chosen == "session" and not session:
        raise InvalidInput("scope 'session' needs a session: name it, or choose another scope")
    return chosen


def _tags(tags: Sequence[str]) -> list[str]:
    """Return tags as single words, so that a line of them can be read back."""
    words = ("-".join(tag.split()) for tag in tags)
    found = list(dict.fromkeys(word for word in words if word))
    if len(found) > MOST_TAGS:
        raise InvalidInput(f"{len(found)} tags are more than {MOST_TAGS}: put the rest into the text")
    check_names(*found)
    return found


def _share(name: str, value: float) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 1:
        raise InvalidInput(f"{name} must be a number from 0 to 1, not {value!r}")
    return float(value)
