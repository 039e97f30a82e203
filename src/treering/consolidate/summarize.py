"""Make one semantic memory of a group of episodes: by a model, by an agent, or as an extract."""

from __future__ import annotations

from collections.abc import Sequence

from treering.consolidate import rules
from treering.consolidate.queue import SHOWN, SUMMABLE, Group, heirs
from treering.consolidate.rules import BY_AGENT, BY_EXTRACT, BY_MODEL, LEAST, Summary
from treering.consolidate.summaries.extract import summary
from treering.consolidate.summaries.facts import dropped, invented
from treering.consolidate.summaries.wording import checked, orders, question
from treering.ledger import decide
from treering.ledger.errors import InvalidInput
from treering.ledger.events import SUMMARISED, Data
from treering.ledger.ledger import Ledger
from treering.ledger.types import RECALLABLE, Context, Memory
from treering.models.ask import Asking
from treering.recall.index.profiles import text_of
from treering.stores.port.ledger import EventQuery, Reader, record_of
from treering.text.redact import clean

FEWEST = 2  # episodes of a group that was summed up before, and of which some hold no longer


def by_model(sources: Sequence[Memory], about: Sequence[str], asking: Asking) -> Summary | None:
    """Return a model's summary, or None if it gave none that may be used."""
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
    """Return the summary that somebody submits, checked as a model's is."""
    texts = _texts(sources)
    cleaned, changes = clean(text, limit)
    if changes:
        raise InvalidInput(f"the summary holds what is never stored ({', '.join(changes)}): leave it out")
    return _weighed(checked(cleaned, texts), texts, BY_AGENT)


def by_extract(sources: Sequence[Memory]) -> Summary | None:
    """Return a draft of the episodes' own sentences, or None if it is empty or reads as orders."""
    texts = _texts(sources)
    text = summary(texts)
    return _weighed(text, texts, BY_EXTRACT) if text.strip() and not orders(text) else None


def put(ledger: Ledger, group: Group, made: Summary, context: Context, limit: int) -> Memory:
    """Store the summary of a group, in place of a draft if there is one."""
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
        decided = rules.summarise(made, sources, limit, context)
        (event,) = ledger.commit(lambda: [decided])
        ledger.commit(lambda: rules.summarised(event.id, group.id, group.event, made, sources, context))
        return store.several([event.id])[event.id]

    return store.write(work)


def _standing(store: Reader, group: Group) -> str:
    """Return the id of the memory that sums up a group now."""
    resting = EventQuery(ids=tuple(store.effects({group.event})), kinds=(SUMMARISED,), live=True)
    there = (record_of(store, event.subject) for event in store.events(resting))
    return next((memory.id for memory in there if memory is not None and memory.status in RECALLABLE), "")


def _weighed(text: str, texts: Sequence[str], by: str, model: str = "") -> Summary:
    lacks = tuple(f"{one.kind} {one.what}" for one in dropped(texts, text))
    return Summary(text, by, model, lacks, tuple(invented(texts, text)))


def _texts(sources: Sequence[Memory]) -> list[str]:
    return [text_of(source) for source in sources]
