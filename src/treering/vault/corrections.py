"""What is left to say when the past has changed: undone, restored, purged, or merged from another machine.

Session files never change. So the difference between what they amount to and what holds goes into one more file.
"""

from __future__ import annotations

from treering.vault.fact import purged
from treering.vault.lines import item
from treering.vault.mentions import Mention
from treering.vault.session import SECTIONS, Segment, Told, mention

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator
    from typing import Any

    from treering.vault.state import Life, Lives, Ring


def corrected(segment: Segment, told: Lives, holds: Lives, why: Callable[[str], str]) -> Segment:
    """The segment with all that leads from what the files tell to what holds; `why` says why a fact is gone."""
    said: dict[str, list[Any]] = {}
    for id in sorted({*told, *holds}, key=lambda one: _order(holds.get(one) or told[one])):
        have, want = told.get(id), holds.get(id)
        if want is None or want.gone:
            if have is not None and not have.gone:
                said.setdefault("forgotten", []).append(Mention(id, reason=why(id)))
            continue
        for section, one in _between(have, want):
            said.setdefault(section, []).append(one)
    sections: dict[str, Any] = {section: tuple(ones) for section, ones in said.items()}
    return segment._replace(**sections)


def _between(have: Life | None, want: Life) -> list[tuple[str, Told | Mention]]:
    """The steps from one life of a fact to another."""
    fact, said = want.fact, list[tuple[str, Told | Mention]]()
    if have is None:
        said.append(("created", Told(fact)))
        have = want._replace(used={}, by="", reason="")
    elif have.fact != fact:
        said.append(("changed", Told(fact)))
    if have.gone or (have.by and have.by != want.by):
        said.append(("restored", Mention(fact.id)))
        have = have._replace(by="", reason="")
    for ring, at in have.used.items():
        if want.used.get(ring) != at:
            said.append(("unreferenced", _use(fact.id, ring, at)))
    for ring, at in want.used.items():
        if have.used.get(ring) != at:
            said.append(("referenced", _use(fact.id, ring, at)))
    if (have.by, have.reason) != (want.by, want.reason):
        said.append(("superseded", Mention(fact.id, by=want.by, reason=want.reason)))
    return said


def _use(id: str, ring: Ring, at: int) -> Mention:
    return Mention(id, at=at, project=ring.project, session=ring.session)


def _order(life: Life) -> tuple[int, str]:
    return (life.fact.created, life.fact.id)


def without(rows: list[str], segment: Segment, erased: Container[str]) -> list[str]:
    """The lines of a file without what it says of some facts: texts, footers, and reasons given for them.

    Nothing else ever changes a session file. But a person asked for it, and that wins.
    """
    rows = list(rows)
    for one in sorted(_holding(segment, erased), key=lambda one: one.line, reverse=True):
        if isinstance(one, Told):
            rows[one.line - 1 : one.last] = item("", purged(one.fact.id))
        else:
            rows[one.line - 1] = mention(one._replace(reason=""), segment)
    return rows


def holds_any(segment: Segment, erased: Container[str]) -> bool:
    return any(True for _ in _holding(segment, erased))


def _holding(segment: Segment, erased: Container[str]) -> Iterator[Told | Mention]:
    for section in SECTIONS:
        for one in getattr(segment, section):
            if isinstance(one, Told):
                if one.fact.id in erased and not one.purged:
                    yield one
            elif one.reason and one.id in erased:
                yield one
