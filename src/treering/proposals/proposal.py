"""Proposals: what evolution would do and leaves to a person. Their texts are written when they are read."""

from __future__ import annotations

from treering.core.codec import data_of, decode
from treering.core.errors import NotFound
from treering.core.events import PROPOSED
from treering.core.evolving import ARCHIVE, DEPRECATE, LONGEST_SKILL, MERGE, SKILL_DRAFT, is_skill_name
from treering.core.lifecycle import RECALLABLE
from treering.core.ports import EventQuery
from treering.core.tuples import NamedTuple
from treering.core.types import one_of
from treering.core.words import STOP_WORDS, folded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from treering.core.events import Data, Draft, Event
    from treering.core.ports import Reader
    from treering.core.types import Memory

PENDING, DONE, MOOT = STATUSES = ("pending", "done", "moot")  # moot: one of its memories is out of sight
_DONE = {DEPRECATE: "deprecated", MERGE: "merged", ARCHIVE: "archived"}
NAME_WORDS = 4  # of a skill that nobody has named: enough to tell it from others
LONGEST_DESCRIPTION = 1_024  # characters, as skills have them
_SHORT = 200  # characters of a step in a description


class Proposal(NamedTuple):
    """Something that waits for a person."""

    id: str  # the event that made it
    fingerprint: str  # a function of its evidence
    kind: str  # skill-draft or memory-action
    status: str
    action: str  # of a memory-action
    memories: tuple[str, ...]
    name: str  # of a skill
    text: str  # the skill as it would be written, or what would be done
    evidence: Mapping[str, float]
    reason: str
    made: int


def proposals(store: Reader, space: str, status: str = "") -> list[Proposal]:
    """Those that were made, newest first."""
    if status:
        one_of("status", status, STATUSES)
    query = EventQuery(kinds=(PROPOSED,), space=space, live=True, newest=True)
    found = [_proposal(store, event) for event in store.events(query) if store.several(data_of(event)[1]["memories"])]
    # Two machines may have proposed the same before they met: it is one, under its first name.
    single = {one.fingerprint: one for one in found}.values()
    return [one for one in single if status in ("", one.status)]


def proposal(store: Reader, space: str, id: str) -> Proposal:
    found = next(store.events(EventQuery(ids=(id,), kinds=(PROPOSED,), space=space, live=True)), None)
    if found is None:
        raise NotFound("proposal", id, "`treering evolve list` shows those that there are")
    return _proposal(store, found)


def made(store: Reader, decided: Draft) -> Event | None:
    """The proposal of the same evidence, if there is one."""
    mark = decode(decided.payload)["fingerprint"]
    query = EventQuery(kinds=(PROPOSED,), space=decided.space, naming=mark, live=True, limit=1)
    return next(store.events(query), None)


def _proposal(store: Reader, event: Event) -> Proposal:
    data = data_of(event)[1]
    memories = [*store.several(data["memories"]).values()]
    name = data.get("name", "") if data["kind"] == SKILL_DRAFT else ""
    if data["kind"] == SKILL_DRAFT and not is_skill_name(name):  # it has none, or one that came from elsewhere
        name = skill_name(memories)
    text = data.get("content") or ""
    if data["kind"] == SKILL_DRAFT:
        text = skill(name, data.get("description") or _described(memories), text or "\n".join(_steps(memories)))
    else:
        text = _command(data.get("action", ""), data["memories"])
    return Proposal(
        event.id,
        data["fingerprint"],
        data["kind"],
        _status(data, memories),
        data.get("action", ""),
        tuple(data["memories"]),
        name,
        text,
        data.get("evidence", {}),
        data.get("reason", ""),
        event.time,
    )


def _status(data: Data, memories: Sequence[Memory]) -> str:
    """Whether it still waits: somebody may have done it by hand, or something else with its memories."""
    statuses = [memory.status for memory in memories]
    if data["kind"] != SKILL_DRAFT and _DONE.get(data.get("action", "")) in statuses:
        return DONE
    still = len(memories) == len(data["memories"]) and all(status in RECALLABLE for status in statuses)
    return PENDING if still or data["kind"] == SKILL_DRAFT else MOOT


def _command(action: str, ids: Sequence[str]) -> str:
    """What a person types who agrees."""
    return f'treering evolve {action} {" ".join(ids)} --reason "as proposed"'.replace("  ", " ")


def skill(name: str, description: str, body: str) -> str:
    """A skill as a file. The frontmatter is written, never pasted: what memories say cannot add to it."""
    quoted = " ".join(description.split())[:LONGEST_DESCRIPTION].replace("\\", "\\\\").replace('"', '\\"')
    return f'---\nname: {name}\ndescription: "{quoted}"\n---\n\n{body.strip()}\n'


def skill_name(memories: Sequence[Memory]) -> str:
    """The words that most of the processes share, in the order of the first."""
    said = [folded(memory.trigger or memory.content) for memory in memories]
    shared: dict[str, int] = {}
    for words in said:
        for word in dict.fromkeys(words):
            if word.isascii() and word not in STOP_WORDS:  # so it fits a name
                shared[word] = shared.get(word, 0) + 1
    most = sorted(shared, key=lambda word: -shared[word])[:NAME_WORDS]
    return "-".join(sorted(most, key=list(shared).index))[:LONGEST_SKILL].strip("-") or "skill"


def _described(memories: Sequence[Memory]) -> str:
    triggers = dict.fromkeys(" ".join(memory.trigger.split())[:_SHORT] for memory in memories if memory.trigger)
    first = " ".join(memories[0].content.split())[:_SHORT] if memories else ""
    return f"Use when: {'; '.join(triggers)}" if triggers else f"Use for: {first}"


def _steps(memories: Sequence[Memory]) -> Iterator[str]:
    """What each process does, one below the other."""
    yield "# Steps"
    for number, memory in enumerate(memories, 1):
        yield f"{number}. {' '.join((memory.action or memory.content).split())}"
    gotchas = [" ".join(memory.gotchas.split()) for memory in memories if memory.gotchas]
    outcomes = [" ".join(memory.outcome.split()) for memory in memories if memory.outcome]
    for heading, lines in (("# Look out for", gotchas), ("# Outcome", outcomes)):
        if lines:
            yield from ("", heading, *(f"- {line}" for line in dict.fromkeys(lines)))
    yield ""
    yield f"Made of {', '.join(memory.id for memory in memories)}."
