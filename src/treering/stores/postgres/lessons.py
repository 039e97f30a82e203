"""Keep in PostgreSQL what recall has learned."""

from __future__ import annotations

from collections.abc import Sequence

from treering.stores.port.search import MOST_LESSONS, Learned, Lesson, Mark
from treering.stores.postgres.space import Space

_TOLD = "recall, part, project, type, stems, vector"
_BEYOND = f"""SELECT lesson FROM (SELECT lesson, row_number() OVER (PARTITION BY part ORDER BY lesson DESC) AS place
    FROM treering.lessons WHERE space = %s) ranked WHERE place > {MOST_LESSONS}"""


class PostgresLessons:
    """Implement `stores.port.search.Lessons`."""

    def __init__(self, space: Space) -> None:
        self._space = space

    def learned(self) -> Learned:
        rows = self._space.rows("SELECT writer, seq, clock FROM treering.learnt WHERE space = %s")
        return Learned({writer: seq for writer, seq, _ in rows}, max((clock for _, _, clock in rows), default=0))

    def count(self) -> int:
        ((count,),) = self._space.rows("SELECT count(*) FROM treering.marks WHERE space = %s")
        return int(count)

    def taken(self, space: str = "") -> list[Lesson]:
        narrow, values = ("AND part = %s", (space,)) if space else ("", ())
        marks: dict[int, list[Mark]] = {}
        sql = f"""SELECT lesson, number, weight, kind, hint
            FROM treering.marks JOIN treering.lessons USING (space, lesson) WHERE space = %s {narrow} ORDER BY 1, 2"""
        for lesson, *mark in self._space.rows(sql, values):
            marks.setdefault(lesson, []).append(Mark(*mark))
        sql = f"SELECT lesson, {_TOLD} FROM treering.lessons WHERE space = %s {narrow} ORDER BY lesson"
        return [Lesson(*row[1:])._replace(marks=tuple(marks.get(row[0], ()))) for row in self._space.rows(sql, values)]

    def keep(self, lessons: Sequence[Lesson], learned: Learned, anew: bool) -> None:
        for table in ("marks", "lessons", "learnt") if anew else ():
            self._space.rows(f"DELETE FROM treering.{table} WHERE space = %s")
        sql = f"""INSERT INTO treering.lessons (space, {_TOLD}) VALUES (%s, %s, %s, %s, %s, %s, %s)
            ON CONFLICT (space, recall) DO UPDATE SET type = excluded.type RETURNING lesson"""
        for lesson in lessons:
            ((number,),) = self._space.rows(sql, lesson[:-1])
            self._space.rows("DELETE FROM treering.marks WHERE space = %s AND lesson = %s", (number,))
            self._space.db.many("INSERT INTO treering.marks VALUES *", ((number, *mark) for mark in lesson.marks))
        heads = ((writer, seq, learned.clock) for writer, seq in learned.heads.items())
        sql = """INSERT INTO treering.learnt VALUES *
            ON CONFLICT (space, writer) DO UPDATE SET seq = excluded.seq, clock = excluded.clock"""
        self._space.db.many(sql, heads)
        beyond = [lesson for (lesson,) in self._space.rows(_BEYOND)]
        if beyond:
            self._space.rows("DELETE FROM treering.marks WHERE space = %s AND lesson = ANY(%s)", (beyond,))
        self._delete_unmarked()

    def remove(self, numbers: Sequence[int]) -> None:
        """Delete all that was learned of memories that are gone."""
        sql = "DELETE FROM treering.marks WHERE space = %s AND number = ANY(%s) RETURNING 1"
        if self._space.rows(sql, ([*numbers],)):
            self._delete_unmarked()

    def _delete_unmarked(self) -> None:
        sql = """DELETE FROM treering.lessons l WHERE space = %s AND NOT EXISTS
            (SELECT 1 FROM treering.marks m WHERE (m.space, m.lesson) = (l.space, l.lesson))"""
        self._space.rows(sql)
