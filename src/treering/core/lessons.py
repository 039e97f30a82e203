"""What recall has learned from judgements, and what it needs of a store for that.

A **lesson** is a recall of which somebody has said what of it was of use: what was asked, as stems and as a direction,
and a **mark** for each memory that was judged. All of it is a projection: a judgement that is undone takes its mark
along, and a memory that is gone has none.
"""

from __future__ import annotations

from treering.core.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Protocol
else:
    Protocol = object

# Lessons of a space that are kept, the newest: a process that starts reads all of them. What was judged before a
# thousand other recalls has been asked again since, or matters to nobody.
MOST_LESSONS = 1_000


class Mark(NamedTuple):
    """What a judged recall says of a memory that it showed."""

    number: int  # of the memory in the store
    weight: float  # 1 for one that helped, -1 for one that did not; less where nobody said so outright
    kind: int  # of the memory, and whether chance showed it: see `recall.lessons.kinds`
    hint: float = 0.0  # what earlier lessons said for it, before it was judged


class Lesson(NamedTuple):
    recall: str  # its id
    space: str
    project: str
    type: str  # of the question: see `recall.lessons.kinds`
    stems: bytes  # a 32-bit number for each meaningful word
    vector: bytes  # its direction: 8-bit integers
    marks: tuple[Mark, ...] = ()


class Learnt(NamedTuple):
    """How far judgements have been learned."""

    heads: Mapping[str, int]  # of each writer, the last event that was looked at
    clock: int = 0


class Lessons(Protocol):
    """The lessons of a store. They follow the records: what these lose, they lose at once."""

    def learnt(self) -> Learnt:
        """How far judgements have been learned."""

    def count(self) -> int:
        """How many marks there are."""

    def taken(self, space: str = "") -> list[Lesson]:
        """All lessons, or those of a space, in the order in which they were learned."""

    def keep(self, lessons: Sequence[Lesson], learnt: Learnt, anew: bool) -> None:
        """Keep lessons instead of those of the same recalls, or instead of all; and note how far they reach. Of each
        space only the newest are kept."""
