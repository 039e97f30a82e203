"""The way from one entity to another, over the fewest relations."""

from __future__ import annotations

from treering.core.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from treering.core.graphs import Relation

MOST_STEPS = 6  # beyond that everything is connected with everything
_MOST_VISITED = 20_000  # entities: a hub has a neighbourhood that nobody waits for


class Step(NamedTuple):
    """From one entity to the next, by a relation that holds in one direction or the other."""

    start: str
    relation: Relation
    end: str


def path(
    start: str, end: str, neighbours: Callable[[str], Iterable[tuple[str, Relation]]], most: int = MOST_STEPS
) -> list[Step] | None:
    """The shortest way, the surest of those; nothing to do is the empty way. None if there is none within `most`."""
    if start == end:
        return []
    came: dict[str, Step | None] = {start: None}
    edge = [start]
    for _ in range(most):
        reached: dict[str, Step] = {}
        for here in edge:
            for there, relation in neighbours(here):
                if there not in came and (there not in reached or _order(relation) < _order(reached[there].relation)):
                    reached[there] = Step(here, relation, there)
        came.update(reached)
        if end in came:
            return _walked(came, end)
        edge = sorted(reached)
        if not edge or len(came) > _MOST_VISITED:
            return None
    return None


def _order(relation: Relation) -> tuple[float, float, tuple[str, str, str]]:
    """What is still valid and surest comes first; then the alphabet, so that the answer is always the same."""
    return (relation.invalid_at is not None, -relation.confidence, relation[:3])


def _walked(came: dict[str, Step | None], end: str) -> list[Step]:
    steps: list[Step] = []
    step = came[end]
    while step:
        steps.append(step)
        step = came[step.start]
    return steps[::-1]
