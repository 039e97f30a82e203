"""Act on what a model says that a session changed, as far as weights agree.

A model may be wrong, or lie. So its word alone changes nothing: it counts as if the user had told the statement to the
memory, where weights need to be less sure than of what was said in passing.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from treering.capture import model
from treering.capture.turns import Catch, Turn
from treering.judge.pairs import judge
from treering.judge.senses import embedder
from treering.ledger import decide
from treering.ledger.codec import data_of
from treering.ledger.events import CAPTURED
from treering.ledger.ledger import Ledger
from treering.ledger.types import LIKELY, RECALLABLE, Context, Filter, Memory
from treering.stores.port.ledger import EventQuery, Reader, record_of
from treering.text.words import folded
from treering.truth import claims
from treering.truth.compare import may_clash

SAID_OTHERWISE = "the agent that was asked found that the user said otherwise since"
LEADS = "a model chose it, and it leads now"  # why a memory that may be worth keeping is forgotten under its old id
_LOOKED_AT = 500  # memories of a place, the last made first


def near(store: Reader, turns: Sequence[Turn], here: Context) -> list[Memory]:
    """Return the statements known here that are nearest to what was said, for a model to look at."""
    said = model.lines(turns)
    where = Filter(here.space, statuses=RECALLABLE, visible_to=here)
    own = f" {' '.join(folded(' '.join(said)))} "
    there = [
        one
        for one in islice(store.records(where), _LOOKED_AT)
        if may_change(one) and f" {' '.join(folded(one.content))} " not in own
    ]
    if not said or not there:
        return []
    alike = (embedder().embed([one.content for one in there]) @ embedder().embed(said).T).max(axis=1)
    order = sorted(range(len(there)), key=lambda at: -alike[at])
    return [there[at] for at in order[: model.MOST_KNOWN]]


def may_change(memory: Memory) -> bool:
    """Tell whether what the user says may replace a memory unasked."""
    return claims.is_claim(memory) and not memory.invariant and memory.type != "procedural"


def made_of(store: Reader, catch: Catch, here: Context) -> Memory | None:
    """Return the memory that a session's statement became."""
    words = " ".join(folded(catch.content))
    for event in store.events(EventQuery(kinds=(CAPTURED,), session=here.session, space=here.space, live=True)):
        memory = record_of(store, event.subject)
        if memory is None or memory.status not in RECALLABLE or LIKELY in memory.tags:
            continue
        if words in " ".join(folded(memory.content)):
            return memory
    return None


def agreed(old: Memory, catch: Catch) -> bool:
    """Tell whether weights find that a statement replaces a memory; if not, nothing is kept for it either.

    They tell that something changed, and not of what: so the two must be about one thing as well.
    """
    return may_clash(old.content, catch.content) and judge(old.content, catch.content).is_told


def replace(ledger: Ledger, old: Memory, catch: Catch, here: Context) -> None:
    """Let a statement of a session supersede a memory, if weights agree."""
    new, now = made_of(ledger.store, catch, here), record_of(ledger.store, old.id)
    if new is None or now is None or new.id == now.id or now.status not in RECALLABLE or not decide.as_wide(new, now):
        return
    if new.trust == "user" and agreed(now, catch):
        claims.supersede(ledger, now, new, here, SAID_OTHERWISE)


def lead(ledger: Ledger, mark: str, here: Context) -> None:
    """Forget what was only likely of a statement that leads now."""
    store = ledger.store
    for event in [*store.events(EventQuery(kinds=(CAPTURED,), space=here.space, naming=mark, live=True))]:
        memory = record_of(store, event.subject)
        if event.session != here.session or data_of(event)[1].get("kind") != LIKELY or memory is None:
            continue
        if memory.status in RECALLABLE:
            ledger.commit(lambda memory=memory: [decide.forget(memory, here, LEADS)])  # type: ignore[misc]
