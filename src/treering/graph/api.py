"""The facet `memory.graph`: what memories name, and how that is related."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from treering.graph import view
from treering.graph.index import catch_up
from treering.graph.rules import Entity, Relation
from treering.graph.view import Graph, Hub, Neighbourhood, Pruning
from treering.ledger.errors import InvalidInput
from treering.ledger.types import one_of
from treering.ledger.workspace import apart

if TYPE_CHECKING:
    from treering.ledger.workspace import Workspace


LONGEST_NAME = 500  # characters: no entity has more
_LONGEST_ERROR = 200  # characters
FORMATS = ("json", "graphml", "svg")


class KnowledgeGraph:
    """The graph is read from the texts; what a model has read is in the ledger."""

    def __init__(self, workspace: Workspace) -> None:
        self._at = workspace

    def show(self, entity: str, *, project: str | None = None) -> list[Neighbourhood]:
        """Return what is known of a name, and what it is related to: one answer for each project that has it. With a
        project, only what can be seen from there."""
        return self._read(project).show(_name(entity))

    def hubs(self, limit: int = 0) -> list[Hub]:
        """Return the names that are related to the most others, the most first; 0 for all."""
        return self._read(None).hubs()[: limit or None]

    def path(self, start: str, end: str, *, project: str | None = None) -> tuple[list[Entity], list[Relation]]:
        """Return the shortest way from one entity to another, and its relations; nothing if there is none."""
        return self._read(project).path(_name(start), _name(end))

    @apart
    def prune(self, *, dry_run: bool = False) -> Pruning:
        """Hide entities and relations named once, doubtfully and long ago, until they are named
        again.

        `undo` takes it back.
        """
        self.index()
        return view.prune(self._at.ledger, self._at.here(), self._at.now(), dry_run)

    def export(
        self,
        format: str = "json",
        entity: str = "",
        *,
        project: str | None = None,
        progress: Callable[[int], None] = lambda done: None,
    ) -> str:
        """Return the graph as `json` or `graphml`, whole or around one entity; as `svg`, a picture of a neighbourhood,
        that of the entity with the most relations unless one is named."""
        one_of("format", format, FORMATS)
        return view.export(self._read(project, progress), format, _name(entity) if entity else "")

    def index(self, progress: Callable[[int], None] = lambda done: None) -> None:
        """Read the memories that are new. A view of the past reads them too, and writes nothing."""
        catch_up(self._at.store, progress)

    def _read(self, project: str | None, progress: Callable[[int], None] = lambda done: None) -> Graph:
        self.index(progress)
        return view.Graph(self._at.store, self._at.space, self._at.name(project) if project else None)


def _name(name: object) -> str:
    if not isinstance(name, str) or not name.strip() or not name.isprintable():
        raise InvalidInput(f"an entity's name is a text, not {name!r}"[:_LONGEST_ERROR])
    return name.strip()[:LONGEST_NAME]
