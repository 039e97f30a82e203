"""Look at a space from outside, for `treering doctor`."""

from __future__ import annotations

from typing import NamedTuple

from treering.stores.postgres.space import Space

_SERVER = """SELECT current_setting('server_version'), current_user,
    rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user"""
_CONTENTS = """SELECT
    (SELECT count(*) FROM treering.events e WHERE e.space = asked.space),
    (SELECT count(*) FROM treering.memories m WHERE m.space = asked.space),
    (SELECT count(*) FROM treering.memories m WHERE m.space = asked.space AND status <> 'forgotten' AND number >
        (SELECT coalesce(max(number), 0) FROM treering.profiles p WHERE p.space = asked.space)),
    EXISTS (SELECT 1 FROM treering.meta t WHERE t.space = asked.space AND name = 'erasing')
    FROM (VALUES (%s)) AS asked (space)"""


class Figures(NamedTuple):
    """A space, the server that keeps it, and the role that asks."""

    place: str
    server: str  # its version
    role: str
    unwalled: bool  # the role sees every space, whatever row-level security says
    events: int
    memories: int
    unprofiled: int  # memories that wait to be indexed
    erasing: bool  # something was purged, and its bytes are not yet overwritten


def figures(address: str, space: str) -> Figures:
    """Count what a space holds."""
    here = Space(address, space)
    try:
        ((server, role, unwalled),) = here.db.ask(_SERVER)
        ((events, memories, unprofiled, erasing),) = here.rows(_CONTENTS)
    finally:
        here.db.close()
    return Figures(here.db.place, server, role, unwalled, events, memories, unprofiled, erasing)
