"""Memories: a list that is narrowed by facets, or what recall finds, now or as of a moment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from treering.consolidate.reflection.figures import start_of, week_of
from treering.ledger.clock import format_time
from treering.ledger.types import (
    LIKELY,
    SCOPES,
    STATUSES,
    TRUSTS,
    TYPES,
    Filter,
    Memory,
    one_of,
    type_named,
)
from treering.memory import Treering
from treering.stores.port.ledger import EventQuery
from treering.surfaces.cli.render import plain
from treering.surfaces.ui.desk import Asked

SIZE = 50  # memories on a page
FOUND = 20  # answers of a search: recall ranks, and what is beyond is no answer
MOST_TAGS = 40  # tags and projects that are offered, the commonest first
MOST_WEEKS = 80  # columns of the picture above the slider
_UNKNOWN: dict[str, Any] = {"project": {}, "tag": {}, "total": None, "weeks": []}
FACETS = {"type": TYPES, "scope": SCOPES, "status": STATUSES, "trust": TRUSTS}


def read(asked: Asked) -> dict[str, Any]:
    memory, text = asked.memory, asked.get("q")
    searched = asked.desk.searchable(asked) if text and asked.as_of else memory
    rows = _found(searched, asked, text) if text and searched else iter(()) if text else _listed(memory, asked)
    page = [*islice(rows, SIZE + 1)]
    more = len(page) > SIZE
    page = page[:SIZE]
    return {
        "memories": [plain(one) for one in page],
        "next": f"{page[-1].created}.{page[-1].id}" if more and not text else "",
        "facets": {name: [*words] for name, words in FACETS.items()},
        "known": asked.desk.figures("known", _known, asked._replace(waited=None)) or _UNKNOWN,
        "folding": searched is None,
        "span": _span(asked.desk.memory),
    }


def _listed(memory: Treering, asked: Asked) -> Iterator[Memory]:
    after = asked.place("after")
    rows = memory.store.records(_filter(memory, asked, after[0] if after else None))
    return (one for one in _kept(rows, asked) if not after or (one.created, one.id) < after)


def _filter(memory: Treering, asked: Asked, until: int | None) -> Filter:
    type, scope, status, trust = (asked.get(name) for name in ("type", "scope", "status", "trust"))
    return Filter(
        memory.context.space,
        type_named(type) if type else "",
        one_of("scope", scope, SCOPES) if scope else "",
        (one_of("status", status, STATUSES),) if status else STATUSES[:-1],
        project=memory.workspace.name(asked.get("project")),
        session=memory.workspace.name(asked.get("session")),
        tag="-".join(memory.workspace.name(asked.get("tag")).split()),
        until=until,
        trust=one_of("trust", trust, TRUSTS) if trust else "",
    )


def _kept(rows: Iterable[Memory], asked: Asked) -> Iterator[Memory]:
    """Leave out words that are kept for a time, unless they are asked for."""
    likely = asked.get("likely") or asked.get("tag") == LIKELY
    return (one for one in rows if likely or LIKELY not in one.tags)


def _found(memory: Treering, asked: Asked, text: str) -> Iterator[Memory]:
    """Yield what recall finds, best first. A search of the page is no recall of an agent: it leaves no trace."""
    narrow = {name: value for name in ("type", "scope", "tag", "project", "session") if (value := asked.get(name))}
    status, trust = asked.get("status"), asked.get("trust")
    everywhere = "project" not in narrow
    found = memory.recall(text, FOUND, log=False, silent=False, retired=bool(status), everywhere=everywhere, **narrow)  # type: ignore[arg-type]
    hits = (hit.memory for hit in found.hits)
    return (one for one in _kept(hits, asked) if status in ("", one.status) and trust in ("", one.trust))


def _known(memory: Treering) -> dict[str, Any]:
    """Count the memories by project, by tag, and by the week in which they came."""
    counts: dict[str, dict[str, int]] = {"project": {}, "tag": {}}
    total, weeks = 0, Counter[int]()
    first = next(iter(memory.store.events(EventQuery(space=memory.context.space, limit=1))), None)
    for one in memory.list():
        total += 1
        weeks[week_of(max(one.created, first.time if first else 0))] += 1  # below it, the slider begins there
        for name, words in (("project", (one.project,)), ("tag", one.tags)):
            for word in filter(None, words):
                counts[name][word] = counts[name].get(word, 0) + 1
    top = {
        name: dict(sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))[:MOST_TAGS])
        for name, found in counts.items()
    }
    return {**top, "total": total, "weeks": _weeks(weeks)}


def _weeks(counts: Mapping[int, int]) -> list[dict[str, Any]]:
    """Return every week from the first to the last, in as many as a picture has room for."""
    first, last = min(counts, default=0), max(counts, default=-1)
    step = max(1, (last - first) // MOST_WEEKS + 1)
    return [
        {"start": format_time(start_of(week))[:10], "count": sum(counts.get(week + more, 0) for more in range(step))}
        for week in range(first, last + 1, step)
    ]


def _span(memory: Treering) -> dict[str, str]:
    """Return the days of the first and the last event: the ends of the slider."""
    query = EventQuery(space=memory.context.space, limit=1)
    ends = [next(memory.store.events(query._replace(newest=newest)), None) for newest in (False, True)]
    return {
        name: format_time(event.time)[:10] if event else "" for name, event in zip(("first", "last"), ends, strict=True)
    }
