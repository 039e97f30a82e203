"""Keep in SQLite what recall has learned."""

from __future__ import annotations

from collections.abc import Sequence

from treering.stores.port.search import MOST_LESSONS, Learned, Lesson, Mark
from treering.stores.sqlite.connection import Connections
from treering.stores.sqlite.rows import as_json

_LISTED = "(SELECT value FROM json_each(?))"
_TOLD = "recall, space, project, type, stems, vector"
# The newest of each space stay.
_BEYOND = f"""SELECT lesson FROM (SELECT lesson, row_number() OVER (PARTITION BY space ORDER BY lesson DESC) AS place
    FROM lessons) WHERE place > {MOST_LESSONS}"""


class SqliteLessons:
    """Implement `stores.port.lessons.Lessons`."""

    def __init__(self, connections: Connections) -> None:
        self._db = connections

    def learned(self) -> Learned:
        rows = self._db.rows("SELECT writer, seq, clock FROM learnt")
        return Learned({writer: seq for writer, seq, _ in rows}, max((clock for _, _, clock in rows), default=0))

    def count(self) -> int:
        ((count,),) = self._db.rows("SELECT count(*) FROM marks")
        return int(count)

    def taken(self, space: str = "") -> list[Lesson]:
        where, values = ("WHERE space = ?", (space,)) if space else ("", ())
        marks: dict[int, list[Mark]] = {}
        sql = f"SELECT lesson, number, weight, kind, hint FROM marks JOIN lessons USING (lesson) {where} ORDER BY 1, 2"
        for lesson, *mark in self._db.rows(sql, values):
            marks.setdefault(lesson, []).append(Mark(*mark))
        sql = f"SELECT lesson, {_TOLD} FROM lessons {where} ORDER BY lesson"
        return [Lesson(*row[1:])._replace(marks=tuple(marks.get(row[0], ()))) for row in self._db.rows(sql, values)]

    def keep(self, lessons: Sequence[Lesson], learned: Learned, anew: bool) -> None:
        if anew:
            self._db.rows("DELETE FROM marks; DELETE FROM lessons; DELETE FROM learnt")
        sql = f"""INSERT INTO lessons ({_TOLD}) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (recall) DO UPDATE SET type = excluded.type RETURNING lesson"""
        for lesson in lessons:
            ((number,),) = self._db.rows(sql, lesson[:-1])
            self._db.rows("DELETE FROM marks WHERE lesson = ?", (number,))
            self._db.many("INSERT INTO marks VALUES (?, ?, ?, ?, ?)", ((number, *mark) for mark in lesson.marks))
        heads = ((writer, seq, learned.clock) for writer, seq in learned.heads.items())
        self._db.many("INSERT OR REPLACE INTO learnt VALUES (?, ?, ?)", heads)
        self._db.rows(f"DELETE FROM marks WHERE lesson IN ({_BEYOND})")
        self._delete_unmarked()

    def remove(self, numbers: Sequence[int]) -> None:
        """Delete all that was learned of memories that are gone."""
        if self._db.rows(f"DELETE FROM marks WHERE number IN {_LISTED} RETURNING 1", (as_json(list(numbers)),)):
            self._delete_unmarked()

    def _delete_unmarked(self) -> None:
        self._db.rows("DELETE FROM lessons WHERE lesson NOT IN (SELECT lesson FROM marks)")
