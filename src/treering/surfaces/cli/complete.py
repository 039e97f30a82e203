"""What the tab key offers: ids, projects, sessions, skills and drafts of the store that a line speaks of."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

import click

from treering.surfaces.cli.render import cut, line

if TYPE_CHECKING:
    from treering.memory import Treering

    Candidate = tuple[str, str]  # what could stand here, and a word about it

NEWEST = 50  # ids to offer: nobody reads more of them
RECENT = 2_000  # events among which projects and sessions are looked for: a key press must not read a whole ledger
_ABOUT_WIDTH = 50  # columns of text beside an id


class Known(click.ParamType):  # type: ignore[type-arg,unused-ignore]
    """Something that a store has: `Known("memory")` completes the ids of memories."""

    name = "text"

    def __init__(self, what: str) -> None:
        self.what = what

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
        from click.shell_completion import CompletionItem

        given = {"home": "", "store": "", "space": "", **ctx.find_root().obj}
        found = dict(_looked_up(self.what, given, ctx.params.get("root") or "."))
        return [
            CompletionItem(value, help=cut(line(about), _ABOUT_WIDTH))
            for value, about in found.items()
            if value.startswith(incomplete)
        ]


MEMORY, EVENT, SESSION, PROJECT, SKILL = map(Known, ("memory", "event", "session", "project", "skill"))


def _looked_up(what: str, given: dict[str, Any], root: str) -> Iterable[Candidate]:
    """Read a store that is there; looking for one makes none."""
    from treering.compose import open
    from treering.ledger.config import home_of
    from treering.stores.files import FILE_NAME

    home = home_of(given["home"] or None, os.environ)
    if not os.path.exists(os.path.join(home, FILE_NAME)):
        return ()
    with open(home, store=given["store"], space=given["space"], actor="user") as memory:
        return [*(_BELOW[what](memory, root) if what in _BELOW else _LISTED[what](memory))]


def _memories(memory: Treering) -> Iterator[Candidate]:
    return ((found.id, found.content) for found in memory.list(limit=NEWEST))


def _forgotten(memory: Treering) -> Iterator[Candidate]:
    """Offer what can be restored; the text of the forgotten is out of sight."""
    for status in ("forgotten", "deprecated", "merged", "superseded", "archived"):
        yield from ((found.id, found.content) for found in memory.list(status=status, limit=NEWEST))


def _contradictions(memory: Treering) -> Iterator[Candidate]:
    from treering.truth.claims import contradictions

    standing = contradictions(memory.store, memory.context.space)  # a key that is pressed writes nothing
    return ((found.id, found.why) for found in standing[-NEWEST:])


def _recalls(memory: Treering) -> Iterator[Candidate]:
    from treering.evolve.feedback import LAST
    from treering.ledger.events import RECALLED

    yield LAST, "the last recall"
    yield from _events(memory, (RECALLED,))


def _proposals(memory: Treering) -> Iterator[Candidate]:
    return ((found.id, found.name or found.text) for found in memory.proposals.list()[:NEWEST])


def _waiting(memory: Treering) -> Iterator[Candidate]:
    """Offer what `review` shows: proposals, contradictions and invariants."""
    yield from ((found.id, found.name or found.text) for found in memory.proposals.list("pending")[:NEWEST])
    yield from _contradictions(memory)
    yield from ((found.id, found.content) for found in memory.truth.to_confirm()[:NEWEST])


def _groups(memory: Treering) -> Iterator[Candidate]:
    return ((one.id, f"{one.status}: {', '.join(one.memories)}") for one in memory.maintenance.groups()[-NEWEST:])


def _entities(memory: Treering) -> Iterator[Candidate]:
    """Offer the names that most is related to, as far as the graph has been read."""
    from treering.graph.view import Graph

    hubs = Graph(memory.store, memory.context.space).hubs()
    return ((hub.name, hub.scope) for hub in hubs[:NEWEST])


def _places(memory: Treering) -> Iterator[Candidate]:
    """Offer the places through which the memory is shared with other machines."""
    return ((found.name, found.where) for found in memory.sync.list())


def _skills(memory: Treering, root: str) -> Iterator[Candidate]:
    return ((found.name, found.description) for found in memory.skills.list(root))


def _drafts(memory: Treering, root: str) -> Iterator[Candidate]:
    return ((name, "") for name in drafts(root))


def drafts(root: str) -> list[str]:
    """Return the names of the skills in quarantine below a root: no index has them."""
    from treering.skills.paths import SKILL_FILE
    from treering.skills.proposals.proposal import DRAFTS

    folder = os.path.join(os.path.expanduser(root), *DRAFTS.split("/"))
    names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    return [name for name in names if os.path.isfile(os.path.join(folder, name, SKILL_FILE))]


def _events(memory: Treering, kinds: tuple[str, ...] = ()) -> Iterator[Candidate]:
    from treering.stores.port.ledger import EventQuery
    from treering.surfaces.cli.events import gist, kind

    query = EventQuery(space=memory.context.space, kinds=kinds, newest=True, limit=NEWEST)
    return ((event.id, f"{kind(event)}: {gist(event)}") for event in memory.store.events(query))


def _names(field: str) -> Callable[[Treering], Iterator[Candidate]]:
    """Offer the projects or sessions of the newest events."""

    def found(memory: Treering) -> Iterator[Candidate]:
        from treering.stores.port.ledger import EventQuery

        query = EventQuery(space=memory.context.space, newest=True, limit=RECENT)
        names = dict.fromkeys(getattr(event, field) for event in memory.store.events(query))
        return ((name, "") for name in names if name)

    return found


_LISTED: dict[str, Callable[[Treering], Iterator[Candidate]]] = {
    "memory": _memories,
    "forgotten": _forgotten,
    "event": _events,
    "contradiction": _contradictions,
    "recall": _recalls,
    "proposal": _proposals,
    "waiting": _waiting,
    "group": _groups,
    "entity": _entities,
    "place": _places,
    "project": _names("project"),
    "session": _names("session"),
}

# What lies below a root, by the folder that it is.
_BELOW: dict[str, Callable[[Treering, str], Iterator[Candidate]]] = {"skill": _skills, "draft": _drafts}
