"""The strands of the graph in memory: what each memory names and tells, looked through from end to end."""

from __future__ import annotations

from treering.core.graphs import TOLD, Told
from treering.core.lifecycle import RECALLABLE
from treering.core.strands import Holder, believed, gone_since
from treering.core.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from treering.core.graphs import Seen
    from treering.core.strands import Alias, Read
    from treering.core.types import Filter, Memory


class Woven(NamedTuple):
    """Everything that is kept: replaced as a whole, so that a transaction can go back to what was."""

    last: int = 0
    word: str = ""
    named: Mapping[tuple[str, str, int], tuple[Seen, bool]] = {}
    told: Mapping[tuple[str, str, str, str, int], tuple[Told, bool]] = {}
    aliases: tuple[Alias, ...] = ()


class MemoryStrands:
    """See `core.strands.Strands` for what each method promises."""

    def __init__(
        self,
        woven: Woven,
        keep: Callable[[Woven], None],
        memories: Mapping[int, Memory],
        place_of: Callable[[int], int],
        fits: Callable[[Memory, Filter], bool],
    ) -> None:
        self._woven = woven
        self._save = keep
        self._memories = memories
        self._place_of = place_of
        self._fits = fits

    def unread(self, limit: int) -> list[tuple[int, Memory]]:
        live = [(number, memory) for number, memory in self._memories.items() if memory.status != "forgotten"]
        return sorted((one for one in live if one[0] > self._woven.last), key=lambda one: one[0])[:limit]

    def behind(self) -> int:
        return max(0, max(self._memories, default=0) - self._woven.last)

    def add(self, read: Iterable[Read], last: int, by_model: bool = False) -> None:
        named, told = {**self._woven.named}, {**self._woven.told}
        for number, seen, relations in read:
            memory = self._memories.get(number)
            if memory is None or memory.status == "forgotten":
                continue
            for one in seen:
                named.setdefault((one.key, one.type, number), (one, by_model))
            for relation in relations:
                key = (relation.source, relation.type, relation.target, relation.how, number)
                told.setdefault(key, (relation, by_model))
        self._keep(self._woven._replace(last=max(last, self._woven.last), named=named, told=told))

    def remove(self, numbers: Sequence[int]) -> None:
        """Let go of the strands of memories whose text is gone."""
        named = {key: one for key, one in self._woven.named.items() if key[-1] not in numbers}
        told = {key: one for key, one in self._woven.told.items() if key[-1] not in numbers}
        names = {key for key, _, _ in named}
        aliases = tuple(one for one in self._woven.aliases if one[2] in names and one[3] in names)
        self._keep(self._woven._replace(named=named, told=told, aliases=aliases))

    def unread_all(self) -> None:
        self._keep(Woven())

    def drop_models(self) -> None:
        self._keep(
            self._woven._replace(
                named={key: one for key, one in self._woven.named.items() if not one[1]},
                told={key: one for key, one in self._woven.told.items() if not one[1]},
            )
        )

    def state(self, value: str | None = None) -> str:
        if value is not None:
            self._keep(self._woven._replace(word=value))
        return self._woven.word

    def sightings(self, where: Filter, keys: Sequence[str] | None = None) -> Iterator[tuple[Seen, Holder]]:
        for (key, _, number), (seen, _) in self._woven.named.items():
            memory = self._memories[number]
            if self._fits(memory, where) and (keys is None or key in keys):
                yield seen, _holder(memory)

    def tellings(self, where: Filter, keys: Sequence[str] | None = None) -> Iterator[tuple[Told, Holder]]:
        for (source, _, target, _, number), (told, _) in self._woven.told.items():
            memory = self._memories[number]
            if self._fits(memory, where) and (keys is None or source in keys or target in keys):
                yield told, _holder(memory)

    def naming(self, keys: Sequence[str], places: Sequence[int], k: int) -> list[tuple[str, int]]:
        found = [(key, number) for key, _, number in self._woven.named if key in keys]
        return [one for one in found if self._place_of(one[1]) in places][:k]

    def related(self, keys: Sequence[str], places: Sequence[int], k: int) -> list[tuple[str, str, float]]:
        found = []
        for (source, _, target, how, number), (told, _) in self._woven.told.items():
            live = how == TOLD and self._memories[number].status in RECALLABLE
            if live and self._place_of(number) in places:
                found += [(source, target, told.confidence)] if source in keys else []
                found += [(target, source, told.confidence)] if target in keys else []
        return found[: 2 * k]

    def aliases(self) -> list[Alias]:
        return list(self._woven.aliases)

    def alias(self, known: Iterable[Alias]) -> None:
        self._keep(self._woven._replace(aliases=tuple(known)))

    def _keep(self, woven: Woven) -> None:
        self._woven = woven
        self._save(woven)


def _holder(memory: Memory) -> Holder:
    gone = gone_since(memory.status, memory.moves, memory.created)
    sure = believed(memory.confidence, memory.trust)
    return Holder(memory.id, memory.scope, memory.project, memory.created, gone, sure)
