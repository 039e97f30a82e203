"""Every day: remember, recall, feedback, list, show, log, captured, stats."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, groupby, islice
from typing import TYPE_CHECKING, Any

import click

from treering.ledger.ageing import HOT
from treering.ledger.clock import format_time, now
from treering.ledger.errors import InvalidInput
from treering.ledger.types import LIKELY, ORIGINS, SCOPES, STATUSES, STRATEGIES, TYPES
from treering.ledger.usage import OUTCOMES, VERDICTS
from treering.surfaces.cli.app import EVERYDAY, ROOT, Words, argument, command, flag, number, option, shared
from treering.surfaces.cli.complete import MEMORY, PROJECT, SESSION, Known
from treering.surfaces.cli.render import Answer, card, columns, line, plain, when
from treering.surfaces.cli.view import ID, MEANING, TEXT, TIME, Column, hits, listed, table

if TYPE_CHECKING:
    from treering.capture.api import Caught
    from treering.ledger.sessions import SessionSummary
    from treering.ledger.types import Hit, Memory, Recall
    from treering.ledger.usage import Use
    from treering.memory import Treering
    from treering.surfaces.cli.render import Page
    from treering.surfaces.cli.scope import Scope

ROOT.aliases |= {
    "add": "remember",
    "search": "recall",
    "find": "recall",
    "ls": "list",
    "history": "log",
    "rings": "log --sessions",
    "usage": "show --uses",
}

type_option = option("--type", about="which kind of memory; Fact and Process are understood", type=Words(*TYPES))
scope_option = option("--scope", about="who it is for", type=Words(*SCOPES))
project_option = option("--project", about="the project; . for the one of the working folder", type=PROJECT)
session_option = option("--session", about="the session", type=SESSION)
recall_argument = argument("recall", "a recall's id, the number at its end, or `last`", type=Known("recall"))


@command(
    ROOT,
    "remember",
    section=EVERYDAY,
    examples=(
        'treering remember "Run migrations with a lock timeout of 5 s" --type procedural --tag postgres',
        'treering remember --problem "CI hangs" --approach "Set a timeout" --gotchas "macOS has none"',
        'treering remember "Reviews need two approvals" --origin document:docs/review.md:12 --invariant',
        "treering remember - --project shop --session monday",
    ),
)
@argument("text", "what to remember; - reads it from standard input", required=False)
@type_option
@scope_option
@option("--tag", about="a word to find it by; may be given several times", multiple=True, metavar="WORD")
@project_option
@session_option
@option("--language", about="the programming or natural language that it is about", metavar="NAME")
@flag("--invariant", "a fact that never decays")
@flag("--private", "for you alone, where a team shares the memory")
@flag("--anyway", "store it even if it repeats what was recalled")
@option("--origin", about="where it comes from; :REF and :LINE may follow", type=Words(*ORIGINS))
@option(
    "--from", "sources", about="a memory that it was made of; may be given several times", multiple=True, type=MEMORY
)
@option("--confidence", about="how sure you are, from 0 to 1 (default: 0.7)", metavar="SHARE")
@option("--relevance", about="how much it matters, from 0 to 1 (default: 0.5)", metavar="SHARE")
@option("--problem", about="a lesson: what was wrong", metavar="TEXT")
@option("--approach", about="a lesson: what was done about it", metavar="TEXT")
@option("--gotchas", about="a lesson: what to look out for", metavar="TEXT")
@option("--trigger", about="a rule: when to act", metavar="TEXT")
@option("--action", about="a rule: what to do", metavar="TEXT")
@option("--outcome", about="a rule: what comes of it", metavar="TEXT")
@option("--at", about="when it happened, if that was earlier", metavar="TIME")
def remember(
    memory: Treering, text: str, tag: tuple[str, ...], confidence: str, relevance: str, **options: Any
) -> Answer:
    """Remember a text, and what is known about it.

    Prints the id of the new memory. Secrets are redacted before anything is stored. The text can be left out when a
    lesson (--problem, --approach, --gotchas) or a rule (--trigger, --action, --outcome) is given.
    """
    from treering.surfaces.cli.change import noticed

    options |= {"confidence": _share("confidence", confidence), "relevance": _share("relevance", relevance)}
    made = memory.remember(given(text), tags=tag, **options)
    if echo := made.accesses > 0:  # a new one has been used by nobody
        note = "that was recalled, and is known: nothing new was stored (--anyway stores it)"
    else:
        note = noticed(memory, made)
    return Answer({**plain(made), "echo": echo}, lambda page: [made.id], note=note)


def given(text: str) -> str:
    """Return a text as it was given, or standard input for a dash."""
    if text != "-":
        return text
    if sys.stdin is None:  # closed by whoever started us
        raise InvalidInput("there is no standard input to read from")
    try:
        return sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInput(f"what came in is not valid UTF-8 at byte {error.start:,}") from None


def _share(name: str, text: str) -> float | None:
    if not text:
        return None
    try:
        return float(text)
    except ValueError:
        raise InvalidInput(f"{name} must be a number from 0 to 1, not {text!r}") from None


@command(
    ROOT,
    "recall",
    section=EVERYDAY,
    examples=(
        'treering recall "how do I run migrations"',
        'treering recall "timeout" -k 3 --project shop --explain',
        'treering recall "what did we decide last week" --budget 400',
    ),
)
@argument("query", "the question, in quotes")
@number("-k", "how many at the most", 5)
@project_option
@session_option
@type_option
@scope_option
@option("--since", about="not from before this time", metavar="TIME")
@option("--until", about="not from after this time", metavar="TIME")
@option("--strategy", about="how to look for it", type=Words(*STRATEGIES))
@number("--budget", "how many tokens the answer may have; 0 for any number", 0)
@flag("--superseded", "what has been superseded, too")
@flag("--retired", "what has been superseded, merged or deprecated, too")
@flag("--explain", "say for each memory why it stands where it stands")
@flag("--all", "as many as -k says, even what surely does not belong")
@flag("--unsure", "the same as --all")
@flag("--no-log", "look without leaving a trace")
@flag("--all-projects", "look into all projects and sessions, without leaving a trace")
def recall(memory: Treering, query: str, since: str, until: str, no_log: bool, **options: Any) -> Answer:
    """Find the memories that answer a question.

    Best first, of those that can be seen from where you stand: a project's memories show in that project, a session's
    in that session. What surely does not belong is left out, so -k is the most. The answer is fenced and quoted, so
    that an agent can read it as data. When nothing answers well enough, nothing is printed, and standard error says
    why. A recall is logged, and what it shows counts as used.
    """
    from treering.surfaces.cli.scope import scope_for

    options["everywhere"] = options.pop("all_projects")
    scope = scope_for(memory, options["project"], os.getcwd(), shared()["json"], options["everywhere"])
    options["project"] = scope.project
    every = [options.pop(name) for name in ("all", "unsure")]
    kept = {name: value for name, value in options.items() if value != ""}
    floor = 0.0 if any(every) else None
    found = memory.recall(query, since=since or None, until=until or None, log=not no_log, floor=floor, **kept)
    view = partial(hits, found, now()) if found.hits else None
    # For a person who looks on; in a pipe it would be noise.
    judged = f"recall {found.id}: `treering feedback last ID helpful` says what helped"
    note = judged if found.id and found.hits and sys.stderr.isatty() else ""
    kept = memory.captured.why(hit.memory.id for hit in found.hits) if options["explain"] else {}
    if not shared()["json"]:
        note = "\n".join([*(f"{id} was kept: {line(why)}" for id, why in kept.items()), *filter(None, [note])])
    return Answer(
        _recalled(found, kept),
        lambda page: found.fence.splitlines(),
        note=note,
        empty="" if found.hits or shared()["json"] else _silence(memory, query, found, scope),
        view=view,
    )


def _silence(memory: Treering, query: str, found: Recall, scope: Scope) -> str:
    """Say why a recall shows nothing, and where there is something, or what would show more."""
    from treering.recall.recaller import NOTHING_HERE
    from treering.surfaces.cli.scope import elsewhere, nothing, seen_by_recall

    seen = seen_by_recall(scope)
    if found.silence == NOTHING_HERE:
        return nothing(seen, elsewhere(memory, seen), found.silence)
    if scope.assumed or not scope.project:  # what answers in other projects is worth a second look
        hits = memory.recall(query, everywhere=True).hits
        others = Counter(hit.memory.project for hit in hits if not seen.covers(hit.memory))
        if others:
            return nothing(scope if scope.assumed else seen, dict(others.most_common()))
    return found.silence + ("; --all shows what comes nearest" if found.confidence else "")


def _recalled(found: Recall, kept: Mapping[str, str]) -> dict[str, Any]:
    """Return a recall for JSON, with the reasons for which memories had been kept without being asked for."""
    value = found._asdict()
    value["abstained"] = found.abstained
    value["cutoff"] = found.cutoff._asdict() if found.cutoff else None
    value["hits"] = [
        {**plain(hit.memory), "score": hit.score, "chance": hit.chance, "why": _why(hit, kept)} for hit in found.hits
    ]
    return value


def _why(hit: Hit, kept: Mapping[str, str]) -> dict[str, Any]:
    channels = {name: found._asdict() for name, found in hit.why.channels.items()}
    return {**hit.why._asdict(), "channels": channels, "kept": kept.get(hit.memory.id, "")}


@command(
    ROOT,
    "feedback",
    section=EVERYDAY,
    examples=(
        "treering feedback last 3 helpful",
        'treering feedback 41 3 not_helpful --note "the port is another one"',
    ),
    past=False,
)
@recall_argument
@argument("memory_id", "a memory's id, or the number at its end", type=MEMORY, metavar="MEMORY")
@argument("verdict", "helpful, partially_helpful or not_helpful", type=Words(*VERDICTS))
@option("--note", about="why, for the record", metavar="TEXT")
def feedback(memory: Treering, recall: str, memory_id: str, verdict: str, note: str) -> Answer:
    """Say how useful a memory was that a recall has shown.

    Its Q moves towards what the verdict earns. Saying it again changes nothing, saying otherwise replaces it. Feedback
    on a memory that the recall did not show is refused.
    """
    judged = memory.feedback(recall, memory_id, verdict, note=note)
    return Answer(plain(judged), lambda page: [_standing(judged)])


@command(
    ROOT,
    "outcome",
    examples=("treering outcome last success", "treering outcome monday failure"),
    past=False,
    hidden=True,
)
@argument("of", "a recall's id, `last`, or the name of a session", type=Known("recall"))
@argument("outcome", "success, partial or failure", type=Words(*OUTCOMES))
def outcome(memory: Treering, of: str, outcome: str) -> Answer:
    """Say what a recall or a session led to.

    It counts for every memory that was shown there, unless somebody has judged that one by itself.
    """
    found = memory.evolve.outcome(of, outcome)
    skills = memory.skills.loaded(of)
    note = f"recorded for {', '.join(skills)}" if skills else ""
    return Answer(
        [plain(one) for one in found],
        lambda page: map(_standing, found),
        note=note,
        empty="" if note else "recorded; it adds nothing to what was known of a memory",
    )


@command(
    ROOT,
    "observe",
    examples=('treering observe last --answer "I ran make deploy" --result "deployed"',),
    past=False,
    hidden=True,
)
@recall_argument
@option("--answer", about="what the agent answered; - reads it from standard input", metavar="TEXT")
@option("--result", about="what a tool gave; may be given several times", multiple=True, metavar="TEXT")
@option("--failed", about="what a tool gave that failed; may be given several times", multiple=True, metavar="TEXT")
@option("--reply", about="what the user said next", metavar="TEXT")
def observe(
    memory: Treering, recall: str, answer: str, result: tuple[str, ...], failed: tuple[str, ...], reply: str
) -> Answer:
    """Read off what followed a recall how useful it was.

    Reads the answer, the results of tools and the next message for what they say of each memory that was shown:
    referenced, succeeded, failed, contradicted or ignored. It weighs less than feedback, a mere repetition earns
    nothing, and the texts are not stored.
    """
    results = [*((text, False) for text in result), *((text, True) for text in failed)]
    if not (answer or results or reply):
        raise click.UsageError("observe needs what followed: --answer, --result, --failed or --reply")
    found = memory.evolve.observe(recall, answer=given(answer), results=results, reply=reply)
    rows = [(one.memory, one.kind, line(one.evidence)) for one in found]
    return Answer([one._asdict() for one in found], lambda page: columns(rows, page), empty="nothing was shown there")


def _standing(memory: Memory) -> str:
    return f"{memory.id}  Q {memory.q:.3f}  {line(memory.content)}".rstrip()


@command(
    ROOT,
    "list",
    section=EVERYDAY,
    examples=(
        "treering list",
        "treering list --type procedural --tag postgres",
        "treering list --as-of 2026-05-01 --limit 0 --json",
    ),
)
@type_option
@scope_option
@option("--status", about="where it is in its life", type=Words(*STATUSES))
@project_option
@session_option
@option("--tag", about="only with this tag", metavar="WORD")
@number("--limit", "how many at the most; 0 for all", 50)
@flag("--all-projects", "the memories of every project, in whichever folder you are")
@flag("--all", "also words that may be worth keeping, and are kept for a time", "likely")
def list(memory: Treering, project: str, limit: int, all_projects: bool, likely: bool, **narrow: Any) -> Answer:
    """List the memories, newest first.

    In the folder of a project it lists that project's memories and your own. Forgotten memories are listed only with
    --status forgotten.
    """
    from treering.surfaces.cli.scope import elsewhere, nothing, scope_for, within

    scope = scope_for(memory, project, os.getcwd(), shared()["json"], all_projects)
    every = memory.list(**narrow) if scope.assumed else memory.list(project=scope.project, **narrow)
    shown = (one for one in every if likely or narrow["tag"] or LIKELY not in one.tags)
    found = within(scope, shown, limit) if scope.assumed else islice(shown, limit or None)
    there = next(found, None)
    found = chain(() if there is None else (there,), found)
    return Answer(
        map(plain, found),
        lambda page: columns(map(_entry, found), page),
        note=scope.line if there is not None and sys.stderr.isatty() else "",
        empty="" if there is not None else _none(nothing(scope, elsewhere(memory, scope, **narrow)), narrow),
        view=lambda: table(_COLUMNS, map(_row, found)),
    )


_COLUMNS = (
    Column("id", ID),
    Column("type"),
    Column("when", TIME),
    Column("project"),
    Column("status", MEANING),
    Column("memory", TEXT),
)


def _none(message: str, narrow: dict[str, Any]) -> str:
    """Say that nothing was found, which is no sign of an empty store when the list was narrowed."""
    asked = [f"--{name}" for name, value in narrow.items() if value]
    return f"no memories to show with {' '.join(asked)}" if asked and message.startswith("nothing has") else message


def _row(memory: Memory) -> tuple[str | int, ...]:
    tags = "".join(f" #{tag}" for tag in memory.tags)
    return memory.id, memory.type, memory.created, memory.project, memory.status, memory.content + tags


def _entry(memory: Memory) -> tuple[str, ...]:
    tags = "".join(f" #{tag}" for tag in memory.tags)
    text = line(memory.content + tags)
    if memory.status not in HOT:
        text = f"({memory.status}) {text}".rstrip()
    return memory.id, memory.type, when(memory.created), line(memory.project), text


@command(
    ROOT,
    "show",
    section=EVERYDAY,
    examples=("treering show 1", "treering show 1 --json", "treering show 1 --uses"),
)
@argument("id", "a memory's id, or the number at its end", type=MEMORY)
@flag("--uses", "every use of it instead, newest first: when, what came of it, what was asked")
@number("--limit", "with --uses, how many at the most; 0 for all", 20)
def show(memory: Treering, id: str, uses: bool, limit: int) -> Answer:
    """Show one memory, with all that is known about it."""
    if uses:
        return _uses(memory, id, limit)
    found = memory.get(id)
    scores = memory.scores(found)
    value = {**plain(found), "last_used": format_time(found.used), **scores}
    return Answer(value, lambda page: card(found, page, {"last_used": when(found.used), **scores}))


def _uses(memory: Treering, id: str, limit: int) -> Answer:
    found = memory.evolve.usage(id, limit)
    rows = [(one.time, one.outcome or "-", _where(one), one.context) for one in found]
    return listed([use(one) for one in found], _USES, rows, empty="it has not been used yet")


_USES = (Column("when", TIME), Column("outcome", MEANING), Column("recall, session"), Column("for", TEXT))


def use(one: Use) -> dict[str, Any]:
    value = one._asdict()
    return {"timestamp": format_time(value.pop("time")), **value}


def _where(one: Use) -> str:
    return " ".join(filter(None, (one.recall, line(one.session))))


@command(
    ROOT,
    "log",
    section=EVERYDAY,
    examples=(
        "treering log",
        "treering log --session monday --limit 0",
        "treering log 1 --causes --effects",
        "treering log --sessions",
    ),
)
@argument("id", "a memory: every event about it, oldest first", required=False, type=MEMORY)
@flag("--causes", "with an ID: and all that these events rest on")
@flag("--effects", "with an ID: and all that rests on them")
@flag("--sessions", "a line for each session instead: what it added and changed")
@option("--session", about="only the events of this session", type=SESSION)
@number("--limit", "how many events at the most; 0 for all", 20)
def log(memory: Treering, id: str, causes: bool, effects: bool, sessions: bool, session: str, limit: int) -> Answer:
    """List what happened, newest first.

    Events that were undone are marked: they stay in the ledger and no longer count.
    """
    if id:
        return _history(memory, id, causes, effects)
    if causes or effects:
        raise click.UsageError("--causes and --effects are for the events of one memory: treering log ID --causes")
    return _sessions(memory) if sessions else _log(memory, session, limit)


_EVENTS = (Column("id", ID), Column("when", TIME), Column("", MEANING), Column("session"), Column("what", TEXT))


def _log(memory: Treering, session: str, limit: int) -> Answer:
    from treering.ledger.arguments import storable_name
    from treering.stores.port.ledger import EventQuery
    from treering.surfaces.cli.events import described, entry, row

    named = storable_name(session, memory.config.content_limit)
    query = EventQuery(space=memory.context.space, session=named, newest=True, limit=limit)
    events, out = memory.store.events(query), memory.store.left_out()
    return Answer(
        (described(event, out) for event in events),
        lambda page: columns((entry(event, out) for event in events), page),
        empty="no events yet",
        view=lambda: table(_EVENTS, (row(event, out) for event in events)),
    )


def _history(memory: Treering, id: str, with_causes: bool, with_effects: bool) -> Answer:
    from treering.ledger.history import causes, effects
    from treering.surfaces.cli.events import blocks, described

    events: Any = memory.history(id)
    parts = {"events": events}
    if with_causes:
        parts["causes"] = causes(memory.store, events)
    if with_effects:
        parts["effects"] = effects(memory.store, events)
    out = memory.store.left_out()
    return Answer(
        {name: [described(event, out) for event in part] for name, part in parts.items()},
        lambda page: blocks(parts, out, page),
    )


def _sessions(memory: Treering) -> Answer:
    """List the sessions; what belongs to none is gathered by the day."""
    from treering.ledger.sessions import summarise_sessions
    from treering.stores.port.ledger import EventQuery

    found = summarise_sessions(memory.store.events(EventQuery(space=memory.context.space)))
    value = [{**ring._asdict(), "first": format_time(ring.first), "last": format_time(ring.last)} for ring in found]
    return listed(value, _SESSIONS, [_session(one) for one in found], empty="no sessions yet")


_SESSIONS = (Column("session", ID), Column("project"), Column("since", TIME), Column("what it did", TEXT))


def _session(ring: SessionSummary) -> tuple[str | int, ...]:
    counts = (
        f"{getattr(ring, name)} {name}"
        for name in ("added", "recalls", "superseded", "moved", "forgotten", "undone", "purged")
        if getattr(ring, name)
    )
    did = ", ".join(counts) or f"{ring.events} events"
    return ring.session or "(no session)", ring.project, ring.first, did


@command(
    ROOT,
    "captured",
    section=EVERYDAY,
    examples=("treering captured", "treering captured --session monday --json", "treering captured --all"),
)
@session_option
@number("--limit", "sessions at the most; 0 for all", 5)
@flag("--all", "also words of yours that may be worth keeping, and are kept for a time", "likely")
def captured(memory: Treering, session: str, limit: int, likely: bool) -> Answer:
    """Show what was kept without being asked, session by session.

    What you told an agent to remember, your corrections and standing wishes, what fixed a failing command, decisions
    with their reason, and one line for each session: all of it comes from your words and the agent's own acts, never
    from the output of tools. `treering undo --captured` takes any of it back, and what you take back teaches what to
    keep.
    """
    found = memory.captured.list(session, likely=likely)
    sessions = [*dict.fromkeys(one.session for one in found)]
    kept = set(sessions[: limit or None])
    found = [one for one in found if one.session in kept]
    value = [_caught(one) for one in found]
    learned = memory.captured.learned()
    unsure = 0 if found or likely else len(memory.captured.list(session, likely=True))
    more = f" for sure: {unsure} may be worth keeping, `treering captured --all` shows them" if unsure else " yet"
    return Answer(value, lambda page: _by_session(found, learned, page), empty=f"nothing has been captured{more}")


def _caught(one: Caught) -> dict[str, Any]:
    return {
        "id": one.memory.id,
        "kind": one.kind,
        "content": one.memory.content,
        "type": one.memory.type,
        "scope": one.memory.scope,
        "project": one.project,
        "session": one.session,
        "time": format_time(one.time),
        "origin": one.memory.origin,
        "event": one.event,
        "why": one.why,
    }


def _by_session(found: Sequence[Caught], learned: int, page: Page) -> Iterator[str]:
    ordered = sorted(found, key=lambda one: -max(other.time for other in found if other.session == one.session))
    for session, group in groupby(ordered, key=lambda one: one.session):
        caught = [*group]
        project = f", project {line(caught[0].project)}" if caught[0].project else ""
        yield f"session {line(session) or '(none)'}{project}, {when(caught[0].time)}"
        rows = [(one.memory.id, one.kind, _text_and_reason(one)) for one in caught]
        yield from (f"  {text}" for text in columns(rows, page.inset()))
    if learned:
        yield f"learned from {learned} of your verdicts"


def _text_and_reason(one: Caught) -> str:
    text = line(one.memory.content or one.memory.details)
    return f"{text} ({line(one.why)})" if one.why else text


@command(ROOT, "stats", section=EVERYDAY, examples=("treering stats", "treering stats --json"))
def stats(memory: Treering) -> Answer:
    """Show how the memory is doing, in figures and plots.

    What is never used (junk), comes back (echo), is said twice, was wrongly retired, what prompts find nothing; tokens
    that recall showed against those that were of use; what recall weighs, and how that changed.
    """
    from treering.surfaces.cli.stats import answer

    return answer(memory)
