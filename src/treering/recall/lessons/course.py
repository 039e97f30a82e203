"""Lessons in the order in which they were learned: each mark is told what the lessons before it would have said."""

from __future__ import annotations

from treering.core.lessons import MOST_LESSONS
from treering.recall.lessons.book import BLAME, likeness

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from treering.core.lessons import Lesson, Mark


class Course:
    """Marks as they come in."""

    def __init__(self, asked: Mapping[str, Lesson], known: Iterable[Lesson]) -> None:
        """`asked` has what each recall asked, `known` the lessons that there are."""
        self._asked = asked
        self._marks: dict[str, dict[int, Mark]] = {}  # by recall and memory
        self._order: dict[str, dict[str, int]] = {}  # by space and recall: the how many-th lesson it is
        self._about: dict[int, dict[str, float]] = {}  # by memory and recall: what was said
        self._changed: dict[str, None] = {}
        for lesson in known:
            for mark in lesson.marks:
                self._put(lesson.recall, mark)

    def take(self, recall: str, mark: Mark, stronger: bool) -> None:
        """One more mark. A stronger one replaces what was said of the same use."""
        known = self._marks.get(recall, {}).get(mark.number)
        if known is not None and not stronger:
            return
        hint = known.hint if known is not None else self._hint(recall, mark.number)
        self._put(recall, mark._replace(hint=hint))
        self._changed[recall] = None

    def changed(self) -> list[Lesson]:
        """The lessons that took a mark, in the order in which they were learned."""
        marks = {recall: self._marks[recall] for recall in self._changed}
        return [self._asked[recall]._replace(marks=tuple(sorted(found.values()))) for recall, found in marks.items()]

    def _put(self, recall: str, mark: Mark) -> None:
        order = self._order.setdefault(self._asked[recall].space, {})
        order.setdefault(recall, len(order))
        self._marks.setdefault(recall, {})[mark.number] = mark
        self._about.setdefault(mark.number, {})[recall] = mark.weight

    def _hint(self, recall: str, number: int) -> float:
        """What the lessons of other recalls, as far as they are kept, say for a memory."""
        order = self._order.get(self._asked[recall].space, {})
        oldest = len(order) - MOST_LESSONS
        told = 0.0
        for other, weight in self._about.get(number, {}).items():
            if other != recall and order.get(other, -1) >= oldest:
                told += likeness(self._asked[recall], self._asked[other]) * (weight if weight > 0 else BLAME * weight)
        return told
