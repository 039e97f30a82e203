"""What recall has learned, in memory."""

from __future__ import annotations

from treering.core.lessons import MOST_LESSONS, Learnt

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from treering.core.lessons import Lesson


class MemoryLessons:
    """See `core.lessons.Lessons` for what each method promises."""

    def __init__(self) -> None:
        self._learnt = Learnt({})
        self._kept: dict[str, Lesson] = {}  # by recall

    def copy(self) -> MemoryLessons:
        """All of it, to go back to."""
        same = MemoryLessons()
        same._learnt, same._kept = self._learnt, dict(self._kept)
        return same

    def learnt(self) -> Learnt:
        return self._learnt

    def count(self) -> int:
        return sum(len(lesson.marks) for lesson in self._kept.values())

    def taken(self, space: str = "") -> list[Lesson]:
        return [lesson for lesson in self._kept.values() if space in ("", lesson.space)]

    def keep(self, lessons: Sequence[Lesson], learnt: Learnt, anew: bool) -> None:
        kept = {} if anew else dict(self._kept)
        kept.update((lesson.recall, lesson) for lesson in lessons)
        self._kept = {recall: lesson for recall, lesson in kept.items() if lesson.marks}
        for space in {lesson.space for lesson in self._kept.values()}:
            for lesson in self.taken(space)[:-MOST_LESSONS]:
                del self._kept[lesson.recall]
        self._learnt = Learnt({**({} if anew else self._learnt.heads), **learnt.heads}, learnt.clock)

    def remove(self, numbers: Sequence[int]) -> None:
        """Let go of all that was learned of memories that are gone."""
        for recall, lesson in list(self._kept.items()):
            left = tuple(mark for mark in lesson.marks if mark.number not in numbers)
            if len(left) < len(lesson.marks):
                self._kept[recall] = lesson._replace(marks=left)
            if not left:
                del self._kept[recall]
