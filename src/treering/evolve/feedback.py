"""Record feedback: verdicts on what a recall showed, outcomes of recalls and sessions, and observed use."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from treering.evolve.implicit import Signal, ToolResult, signals
from treering.ledger import decide
from treering.ledger import usage as judging
from treering.ledger.codec import data_of
from treering.ledger.errors import InvalidInput, NotFound
from treering.ledger.events import JUDGED, RECALLED, TURNED_OUT, USED, Event
from treering.ledger.history import fate
from treering.ledger.ledger import Ledger
from treering.ledger.types import Context, Memory, one_of, seen_from
from treering.ledger.usage import EXPLICIT, IMPLICIT, OUTCOME, OUTCOMES, Rewards, Use, shown_ranks, uses
from treering.stores.port.ledger import EventQuery, Reader, record_of

JUDGED_ALREADY = "judged already: this changes nothing"
LAST = "last"  # the name of the recall that was logged last


def give(
    ledger: Ledger, recall: str, memory: str, verdict: str, rewards: Rewards, context: Context, note: str = ""
) -> Memory:
    """Judge a memory that a recall showed. The same verdict again changes nothing; another replaces it."""
    store = ledger.store

    def work() -> Memory:
        asked, judged = recall_named(store, recall, context.space), _memory(store, memory, context.space)
        words = _judgements(store, asked.id).get(judged.id, {})
        said = words.get(EXPLICIT, [])
        if [data_of(event)[1]["verdict"] for event in said] == [verdict]:
            return judged
        judging.judge(judged, asked, verdict, rewards, context, note)  # may be refused, before anything is undone
        if said:
            ledger.undo(lambda: decide.undo(said, store.left_out(), context, "judged otherwise"))
        weaker = [*words.get(IMPLICIT, ()), *words.get(OUTCOME, ())][-1:]
        standing = _memory(store, memory, context.space)
        ledger.commit(lambda: [judging.judge(standing, asked, verdict, rewards, context, note, *weaker)])
        return _memory(store, memory, context.space)

    return store.write(work)


def outcome(ledger: Ledger, of: str, outcome: str, rewards: Rewards, context: Context) -> list[Memory]:
    """Credit the memories that a recall or a session showed with its outcome, and return them.

    A memory with explicit feedback is left out. Each is credited once, however often a session
    showed it.
    """
    one_of("outcome", outcome, OUTCOMES)
    store = ledger.store

    def work() -> list[Memory]:
        recalls = _recalls(store, of, context.space)
        session = "" if recalls[0].id == of else of
        known = _outcomes(store, of, context.space)
        others = [event for event in known if data_of(event)[1]["outcome"] != outcome]
        if others:
            ledger.undo(lambda: decide.undo(others, store.left_out(), context, "it turned out otherwise"))
        same = [event.id for event in known if event not in others]
        recall = "" if session else of
        cause = (
            same[0] if same else ledger.commit(lambda: [judging.turned_out(outcome, context, recall, session)])[0].id
        )
        if not session:
            _replace_outcomes(ledger, of, outcome, context)
        words = {asked.id: _judgements(store, asked.id) for asked in recalls}
        spoken = {id for one in words.values() for id, by in one.items() if EXPLICIT in by or OUTCOME in by}
        firsts = {id: asked for asked in reversed(recalls) for id in shown_ranks(asked) if id not in spoken}
        memories = store.several(firsts)
        guessed = {id: words[asked.id].get(id, {}).get(IMPLICIT, ()) for id, asked in firsts.items()}
        ledger.commit(
            lambda: [
                judging.credit(memory, firsts[memory.id], outcome, rewards, context, cause, *guessed[memory.id][-1:])
                for memory in memories.values()
            ]
        )
        return [*store.several(memories).values()]

    return store.write(work)


def _replace_outcomes(ledger: Ledger, recall: str, outcome: str, context: Context) -> None:
    """Undo credits from a whole session that disagree with the outcome of this recall."""
    credits = [event for by in _judgements(ledger.store, recall).values() for event in by.get(OUTCOME, ())]
    others = [event for event in credits if data_of(event)[1]["verdict"] != outcome]
    if others:
        ledger.undo(lambda: decide.undo(others, ledger.store.left_out(), context, "it turned out otherwise"))


def observe(
    ledger: Ledger,
    recall: str,
    answer: str,
    results: Sequence[ToolResult],
    reply: str,
    rewards: Rewards,
    context: Context,
) -> list[Signal]:
    """Judge each memory shown by what followed the recall; explicit feedback counts more.

    The texts are not stored. Observing the same recall again changes nothing.
    """
    store = ledger.store

    def work() -> list[Signal]:
        asked = recall_named(store, recall, context.space)
        memories = store.several(shown_ranks(asked))
        shown = [memory for memory in memories.values() if memory.content]
        found = signals(shown, answer, results, reply, data_of(asked)[1].get("query", ""))
        spoken = _judgements(store, asked.id)
        found = [one._replace(weight=0.0, evidence=JUDGED_ALREADY) if one.memory in spoken else one for one in found]
        telling = [one for one in found if one.weight > 0 and one.kind != "ignored"]
        ledger.commit(
            lambda: [
                judging.observe(memories[one.memory], asked, one.kind, one.reward, one.weight, rewards, context)
                for one in telling
            ]
        )
        return found

    return store.write(work)


def usage(store: Reader, id: str, space: str) -> list[Use]:
    """Return every logged use of a memory, oldest first."""
    return sorted(uses(id, _about(store, id, space)), key=lambda use: use.time)


def last_recall(store: Reader, context: Context) -> str:
    """Return the id of the last recall that was logged, in this session if there is one."""
    query = EventQuery(kinds=(RECALLED,), space=context.space, session=context.session, live=True, newest=True, limit=1)
    last = next(store.events(query), None)
    if last is None:
        raise NotFound("recall", LAST, "nothing has been recalled here yet")
    return last.id


def recall_named(store: Reader, id: str, space: str) -> Event:
    """Return the event of a recall that was not undone."""
    found = next(store.events(EventQuery(ids=(id,), space=space)), None)
    if found is None or found.kind != RECALLED:
        raise NotFound("recall", id, "`treering log` lists them, and `treering recall --json` names its own")
    if found.id in store.left_out():
        raise InvalidInput(f"recall {id} has been undone: it cannot be judged")
    return found


def recall_or_session(
    store: Reader, text: str, whole: Callable[[str], str], guarded: Callable[[str], str], space: str
) -> str:
    """Return the id of the recall that a text names; otherwise the text names a session."""
    if text == LAST or (isinstance(text, str) and text.rpartition("-")[2].isdecimal()):
        id = whole(text)
        if any(store.events(EventQuery(ids=(id,), space=space, kinds=(RECALLED,)))):
            return id
    return guarded(text)


def _memory(store: Reader, id: str, space: str) -> Memory:
    memory = record_of(store, id)
    if memory is None or memory.space not in seen_from(space):
        raise NotFound("memory", id, fate(store, id, space))
    return memory


def _recalls(store: Reader, of: str, space: str) -> list[Event]:
    """Return the recall of that id, or the recalls of that session, oldest first."""
    if any(store.events(EventQuery(ids=(of,), space=space, kinds=(RECALLED,)))):
        return [recall_named(store, of, space)]
    found = list(store.events(EventQuery(session=of, space=space, kinds=(RECALLED,), live=True))) if of else []
    if not found:
        raise NotFound("recall or session", of, "no session of that name has recalled anything; see `treering rings`")
    return found


def _outcomes(store: Reader, of: str, space: str) -> list[Event]:
    """Return the recorded outcomes of a recall or session."""
    outcomes = store.events(EventQuery(kinds=(TURNED_OUT,), space=space, live=True))
    return [event for event in outcomes if of in event.causes or data_of(event)[1].get("session") == of]


def _judgements(store: Reader, recall: str) -> dict[str, dict[str, list[Event]]]:
    """Return the judgements of each memory that a recall showed, by kind. Two machines may each have given one."""
    found: dict[str, dict[str, list[Event]]] = {}
    for event in store.events(EventQuery(ids=tuple(store.effects({recall})), kinds=(JUDGED,), live=True)):
        found.setdefault(event.subject, {}).setdefault(str(data_of(event)[1].get("by")), []).append(event)
    return found


def _about(store: Reader, id: str, space: str) -> Iterator[Event]:
    yield from store.events(EventQuery(kinds=(RECALLED,), space=space, naming=id, live=True))
    yield from store.events(EventQuery(subjects=(id,), space=space, kinds=(JUDGED, USED), live=True))
    yield from store.events(EventQuery(kinds=(TURNED_OUT,), space=space, live=True))
