"""The Treering object's chapter on the knowledge graph: what memories name, and how that is related."""

from __future__ import annotations

from treering.core.errors import InvalidInput
from treering.core.types import one_of
from treering.skilled import Skilled

# Only what reading a memory needs is imported above: see `opened.py`.

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from treering.consolidation.graphing import Graph, Neighbourhood, Pruning
    from treering.core.graphs import Entity, Relation

LONGEST_NAME = 500  # characters: no entity has more
_LONGEST_ERROR = 200  # characters
FORMATS = ("json", "graphml", "svg")


class Connected(Skilled):
    """The graph is read from the texts; what a model has read is in the ledger."""

    def graph_show(self, entity: str, *, project: str | None = None) -> list[Neighbourhood]:
        """What is known of a name, and what it is related to: one answer for each project that has it. With a project,
        only what can be seen from there."""
        return self._graph(project).show(_name(entity))

    def graph_path(self, start: str, end: str, *, project: str | None = None) -> tuple[list[Entity], list[Relation]]:
        """The shortest way from one entity to another, and the relations that it goes along; nothing if there is
        none."""
        return self._graph(project).path(_name(start), _name(end))

    def graph_prune(self, *, dry_run: bool = False) -> Pruning:
        """Hide entities and relations that one memory named once, doubtfully, and long ago, until they are named
        again. `undo` takes it back."""
        from treering.consolidation.graphing import prune

        self._knit()
        return prune(self.ledger, self._here(), self._now(), dry_run)

    def graph_export(
        self,
        format: str = "json",
        entity: str = "",
        *,
        project: str | None = None,
        progress: Callable[[int], None] = lambda done: None,
    ) -> str:
        """The graph as `json` or `graphml`, whole or around one entity; as `svg`, a picture of a neighbourhood, that
        of the entity with the most relations unless one is named."""
        from treering.consolidation.graphing import exported

        one_of("format", format, FORMATS)
        return exported(self._graph(project, progress), format, _name(entity) if entity else "")

    def _graph(self, project: str | None, progress: Callable[[int], None] = lambda done: None) -> Graph:
        from treering.consolidation.graphing import Graph

        self._knit(progress)
        return Graph(self.store, self.context.space, self._guarded(project) if project else None)

    def _knit(self, progress: Callable[[int], None] = lambda done: None) -> None:
        """Read what is new. A view of the past reads it, too: that is written nowhere but in memory."""
        from treering.knitting import catch_up

        catch_up(self.store, progress)


def _name(name: object) -> str:
    if not isinstance(name, str) or not name.strip() or not name.isprintable():
        raise InvalidInput(f"an entity has a name, not {name!r}"[:_LONGEST_ERROR])
    return name.strip()[:LONGEST_NAME]
