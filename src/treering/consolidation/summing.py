"""A group of episodes becomes one semantic memory: by a model, by whoever hands a text back, or put together."""

from __future__ import annotations

from treering.consolidation.queue import SHOWN, SUMMABLE, heirs
from treering.core import consolidating, decide
from treering.core.consolidating import BY_AGENT, BY_EXTRACT, BY_MODEL, LEAST, Summary
from treering.core.errors import InvalidInput
from treering.core.events import SUMMARISED
from treering.core.lifecycle import RECALLABLE
from treering.core.ports import EventQuery
from treering.guard import clean
from treering.recall.profile.making import text_of
from treering.summaries.dropped import dropped, invented
from treering.summaries.extract import summary
from treering.summaries.wording import checked, orders, question

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from treering.asking import Asking
    from treering.consolidation.queue import Group
    from treering.core.events import Data
    from treering.core.ports import Reader
    from treering.core.types import Context, Memory
    from treering.ledger import Ledger


FEWEST = 2  # episodes of a group that was summed up before, and of which some hold no longer


def by_model(sources: Sequence[Memory], about: Sequence[str], asking: Asking) -> Summary | None:
    """A model's summary; none if it gave none that may be used."""
    texts = _texts(sources)

    def doubt(value: Data) -> str:
        try:
            checked(value, texts)
        except InvalidInput as error:
            return str(error)
        return ""

    reply = asking.ask(question(texts, about), doubt)
    return _weighed(checked(reply.value, texts), texts, BY_MODEL, reply.model) if reply is not None else None


def by_agent(sources: Sequence[Memory], text: str, limit: int) -> Summary:
    """The summary that somebody hands back, checked as a model's is."""
    texts = _texts(sources)
    cleaned, changes = clean(text, limit)
    if changes:
        raise InvalidInput(f"the summary holds what is never stored ({', '.join(changes)}): leave it out")
    return _weighed(checked(cleaned, texts), texts, BY_AGENT)


def by_extract(sources: Sequence[Memory]) -> Summary | None:
    """A draft out of the episodes' own sentences; none if they say nothing, or would be read as orders."""
    texts = _texts(sources)
    text = summary(texts)
    return _weighed(text, texts, BY_EXTRACT) if text.strip() and not orders(text) else None


def put(ledger: Ledger, group: Group, made: Summary, context: Context, limit: int) -> Memory:
    """Let a summary stand for its group. A draft that stood there makes room for one that somebody wrote."""
    store = ledger.store

    def work() -> Memory:
        now = _standing(store, group)
        if now != group.summary:
            raise InvalidInput(f"{group.id} is summed up already, by {now or 'nobody any more'}: look again")
        able, least = (SHOWN, FEWEST) if group.summary else (SUMMABLE, LEAST)
        there = sum(memory.status in able for memory in heirs(store, group.memories))
        if there < least:
            raise InvalidInput(
                f"only {there} episodes of {group.id} are still there: `treering consolidate next` gives another"
            )
        if group.summary:  # a draft makes room, and its episodes are as they were
            (old,) = store.events(EventQuery(ids=(group.summary,)))
            ledger.undo(lambda: decide.undo([old], store.left_out(), context, "a better text took its place"))
        sources = [memory for memory in heirs(store, group.memories) if memory.status in SUMMABLE]
        decided = consolidating.summarise(made, sources, limit, context)
        (event,) = ledger.commit(lambda: [decided])
        ledger.commit(lambda: consolidating.summarised(event.id, group.id, group.event, made, sources, context))
        return store.several([event.id])[event.id]

    return store.write(work)


def _standing(store: Reader, group: Group) -> str:
    """The memory that sums up a group now."""
    resting = EventQuery(ids=tuple(store.effects({group.event})), kinds=(SUMMARISED,), live=True)
    there = (store.record(event.subject) for event in store.events(resting))
    return next((memory.id for memory in there if memory is not None and memory.status in RECALLABLE), "")


def _weighed(text: str, texts: Sequence[str], by: str, model: str = "") -> Summary:
    lacks = tuple(f"{one.kind} {one.what}" for one in dropped(texts, text))
    return Summary(text, by, model, lacks, tuple(invented(texts, text)))


def _texts(sources: Sequence[Memory]) -> list[str]:
    return [text_of(source) for source in sources]
