"""Feedback as an act: who said what of which recall, what came of it, and how a memory has been used."""

from __future__ import annotations

from treering.core import decide, judging
from treering.core.codec import data_of
from treering.core.errors import InvalidInput, NotFound
from treering.core.events import JUDGED, RECALLED, TURNED_OUT, USED
from treering.core.judging import EXPLICIT, IMPLICIT, OUTCOME, shown
from treering.core.ports import EventQuery
from treering.core.rewards import OUTCOMES
from treering.core.types import one_of
from treering.core.usage import uses
from treering.history import fate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from treering.core.events import Event
    from treering.core.ports import Reader
    from treering.core.rewards import Rewards
    from treering.core.types import Context, Memory
    from treering.core.usage import Use
    from treering.evolve.implicit import Signal, ToolResult
    from treering.ledger import Ledger


JUDGED_ALREADY = "judged already: this changes nothing"
LAST = "last"  # the name of the recall that was logged last


def give(
    ledger: Ledger, recall: str, memory: str, verdict: str, rewards: Rewards, context: Context, note: str = ""
) -> Memory:
    """Somebody judges what a recall showed. Saying it again changes nothing, and saying otherwise replaces it."""
    store = ledger.store

    def work() -> Memory:
        asked, judged = recall_named(store, recall, context.space), _memory(store, memory, context.space)
        words = _words(store, asked.id).get(judged.id, {})
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
    """What a recall or a session led to falls back on all that was shown, unless somebody has said more of it.

    Each memory is credited once, however often a session was shown it. The memories that were.
    """
    one_of("outcome", outcome, OUTCOMES)
    store = ledger.store

    def work() -> list[Memory]:
        recalls = _recalls(store, of, context.space)
        session = "" if recalls[0].id == of else of
        known = _turned_out(store, of, context.space)
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
        words = {asked.id: _words(store, asked.id) for asked in recalls}
        spoken = {id for one in words.values() for id, by in one.items() if EXPLICIT in by or OUTCOME in by}
        firsts = {id: asked for asked in reversed(recalls) for id in shown(asked) if id not in spoken}
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
    """What is said of one recall replaces what its whole session was said to have led to."""
    credits = [event for by in _words(ledger.store, recall).values() for event in by.get(OUTCOME, ())]
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
    """What followed a recall is read for what it says of each memory shown; what somebody said outright counts more.

    Nothing of the texts is stored. Observing the same recall again changes nothing.
    """
    from treering.evolve.implicit import signals

    store = ledger.store

    def work() -> list[Signal]:
        asked = recall_named(store, recall, context.space)
        memories = store.several(shown(asked))
        found = signals([memory for memory in memories.values() if memory.content], answer, results, reply)
        spoken = _words(store, asked.id)
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
    """Every use of a memory that the log tells of, oldest first."""
    return sorted(uses(id, _about(store, id, space)), key=lambda use: use.time)


def last_recall(store: Reader, context: Context) -> str:
    """The recall that was logged last: in the session where we stand, or in any."""
    query = EventQuery(kinds=(RECALLED,), space=context.space, session=context.session, live=True, newest=True, limit=1)
    last = next(store.events(query), None)
    if last is None:
        raise NotFound("recall", LAST, "nothing has been recalled here yet")
    return last.id


def recall_named(store: Reader, id: str, space: str) -> Event:
    """A recall that counts."""
    found = next(store.events(EventQuery(ids=(id,), space=space)), None)
    if found is None or found.kind != RECALLED:
        raise NotFound("recall", id, "`treering log` lists them, and `treering recall --json` names its own")
    if found.id in store.left_out():
        raise InvalidInput(f"recall {id} has been undone: it cannot be judged")
    return found


def recall_or_session(
    store: Reader, text: str, whole: Callable[[str], str], guarded: Callable[[str], str], space: str
) -> str:
    """The id of the recall that a text names, in its short form or whole; otherwise it is the name of a session."""
    if text == LAST or (isinstance(text, str) and text.rpartition("-")[2].isdecimal()):
        id = whole(text)
        if any(store.events(EventQuery(ids=(id,), space=space, kinds=(RECALLED,)))):
            return id
    return guarded(text)


def _memory(store: Reader, id: str, space: str) -> Memory:
    memory = store.record(id)
    if memory is None or memory.space != space:
        raise NotFound("memory", id, fate(store, id, space))
    return memory


def _recalls(store: Reader, of: str, space: str) -> list[Event]:
    """The recalls that are meant: one by its id, or those of a session; oldest first."""
    if any(store.events(EventQuery(ids=(of,), space=space, kinds=(RECALLED,)))):
        return [recall_named(store, of, space)]
    found = list(store.events(EventQuery(session=of, space=space, kinds=(RECALLED,), live=True))) if of else []
    if not found:
        raise NotFound("recall or session", of, "no session of that name has recalled anything; see `treering rings`")
    return found


def _turned_out(store: Reader, of: str, space: str) -> list[Event]:
    """What was said to have come of a recall or session."""
    told = store.events(EventQuery(kinds=(TURNED_OUT,), space=space, live=True))
    return [event for event in told if of in event.causes or data_of(event)[1].get("session") == of]


def _words(store: Reader, recall: str) -> dict[str, dict[str, list[Event]]]:
    """What was said of each memory that a recall showed, by kind. Mostly one word of a kind; two machines may have said
    one each."""
    found: dict[str, dict[str, list[Event]]] = {}
    for event in store.events(EventQuery(ids=tuple(store.effects({recall})), kinds=(JUDGED,), live=True)):
        found.setdefault(event.subject, {}).setdefault(str(data_of(event)[1].get("by")), []).append(event)
    return found


def _about(store: Reader, id: str, space: str) -> Iterator[Event]:
    yield from store.events(EventQuery(kinds=(RECALLED,), space=space, naming=id, live=True))
    yield from store.events(EventQuery(subjects=(id,), space=space, kinds=(JUDGED, USED), live=True))
    yield from store.events(EventQuery(kinds=(TURNED_OUT,), space=space, live=True))
