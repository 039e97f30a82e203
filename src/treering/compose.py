"""The composition root: what is opened with what."""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING

from treering.ledger.clock import now
from treering.ledger.config import home_of, is_address, load
from treering.ledger.errors import InvalidInput, ReadOnly
from treering.ledger.ledger import Ledger
from treering.ledger.people import ADMIN, READER, Member
from treering.ledger.types import Context, person_in, standpoint, team_of
from treering.ledger.workspace import Workspace
from treering.memory import Treering
from treering.stores.files import FILE_NAME, IN_MEMORY, make_home, spooled
from treering.stores.sqlite.store import SqliteStore
from treering.stores.walls import walled

if TYPE_CHECKING:
    from treering.ledger.config import Config
    from treering.models.port import LLM
    from treering.recall.recalls import Recalls
    from treering.stores.port.ledger import Reader, Store
    from treering.stores.port.queue import Inbox
    from treering.stores.postgres.store import PostgresStore

TAKING_IN = 0.3  # seconds that opening may spend on what hooks left; whoever tends takes in the rest
HERE = "."  # for a project: the one that the working folder belongs to


def open(
    home: str | os.PathLike[str] | None = None,
    *,
    store: str = "",
    space: str = "",
    project: str = "",
    session: str = "",
    actor: str = "agent",
    as_of: str | float | datetime | None = None,
) -> Treering:
    """Open the memory in a folder: the one given, $TREERING_HOME, or ~/.treering.

    The text ":memory:" opens a new one that no folder holds: it leaves no trace. Threads share it, processes cannot.

    An address, "postgresql://…", given as `store`, in place of the folder, or in $TREERING_STORE, opens what a team
    shares there in a space. The folder then has the settings, and what hooks queue.

    `project` and `session` say where you stand; a project of "." is the one that the working folder belongs to. `as_of`
    opens a read-only view of a moment in the past.
    """
    return _opened(home, store, space, project, session, actor, as_of)


def open_for(
    member: Member, home: str, *, store: str = "", space: str = "", actor: str = "user", as_of: str = ""
) -> Treering:
    """Open a memory as a server does, for one person of a team, who may do what their role says."""
    stand = standpoint(team_of(space or load(home, os.environ).space), member.person)
    return _opened(home, store, stand, "", "", actor, as_of or None, member)


def open_own(home: str) -> Treering:
    """Open the memory in a folder as one person's, whatever the environment says of a team."""
    return _opened(home, "", "", "", "", "user", None, environment={})


def _opened(
    home: str | os.PathLike[str] | None,
    store: str,
    space: str,
    project: str,
    session: str,
    actor: str,
    as_of: str | float | datetime | None,
    member: Member | None = None,
    environment: Mapping[str, str] = os.environ,
) -> Treering:
    if home is not None and not isinstance(home, (str, os.PathLike)):
        raise InvalidInput(f"home is a folder, not {home!r}")
    given = os.fspath(home) if home is not None else ""
    if is_address(given):
        given, store = "", given
    folder = "" if home == IN_MEMORY else home_of(given, environment)
    config = load(folder, environment)
    stand = standpoint(space or config.space, config.person)
    context = Context(stand, project or config.project, session or config.session, actor)
    kept = _store(folder, (store or config.store_of(stand)) if folder else "", context.space)
    if as_of is not None:
        return _as_of(kept, as_of, config, context)
    seen = walled(kept, stand)
    workspace = Workspace(
        seen,
        config,
        context,
        _ledger(kept, member or Member(ADMIN, person_in(stand), config.private)),
        lambda: _recalls(seen, config),
        now,
        llm=lambda: _llm(config),
        home=folder,
        inbox=lambda: _inbox(kept, folder, stand) if member is None else None,
    )
    memory = Treering(workspace)
    if context.project == HERE:
        workspace.context = context._replace(project=workspace.project_of(os.getcwd()))
    if folder and member is None and _may_take_in(kept, folder):
        _take_in(memory)
    return memory


def _ledger(store: Store, member: Member) -> Ledger | ReadOnly:
    if member.role == READER:
        return ReadOnly("a reader may look, and change nothing: ask for the role of a writer")
    return Ledger(store, now, os.urandom, member)


def _store(folder: str, address: str, space: str) -> Store:
    if not folder:
        return SqliteStore(IN_MEMORY)
    make_home(folder)
    return stored(os.path.join(folder, FILE_NAME), address, space)


def stored(path: str, address: str, space: str) -> Store:
    """Return the store in a file, or at an address if there is one."""
    if not address:
        return SqliteStore(path)
    from treering.stores.postgres.store import PostgresStore

    return PostgresStore(address, space)


def _may_take_in(store: Store, folder: str) -> bool:
    """Tell whether hooks have queued anything, and nobody is writing."""
    if isinstance(store, SqliteStore):
        return (store.has_queued_events or spooled(folder)) and store.idle
    return os.path.exists(os.path.join(folder, FILE_NAME)) or spooled(folder)


def _take_in(memory: Treering) -> None:
    """Take in what hooks left, if that can be done at once: whoever wants to look is not to wait for it."""
    from contextlib import suppress

    from treering.ledger.errors import StoreError

    with suppress(StoreError):
        memory.captured.receive(TAKING_IN)


def _inbox(store: Store, home: str, stand: str) -> Inbox | None:
    if not home:
        return None
    from treering.stores.sqlite.queue import SqliteInbox

    if isinstance(store, SqliteStore):
        return SqliteInbox(store.connections, home)
    from treering.stores.postgres.queue import TeamInbox
    from treering.stores.postgres.store import PostgresStore
    from treering.stores.sqlite.connection import connections

    assert isinstance(store, PostgresStore)
    path = os.path.join(home, FILE_NAME)
    return TeamInbox(connections(path), home, store.space, stand, lambda: _copy(store, path, stand))


def _copy(store: PostgresStore, path: str, stand: str) -> None:
    """Bring the copy in a file up to date, unless somebody has written to the file himself."""
    from contextlib import closing

    from treering.ledger.move import follow

    with closing(SqliteStore(path)) as file, store.space.db.whole():
        follow(store, Ledger(file, now, os.urandom), stand)


def _recalls(store: Reader, config: Config) -> Recalls:
    from treering.models.embed import embedder_named
    from treering.recall.recalls import Recalls
    from treering.recall.scoring import Switches

    on = Switches(config.learn_weights, config.learn_terms, config.learn_company, config.learn_prior, config.use_q)
    return Recalls(store, embedder_named(config.embedder, config.embedder_key), os.urandom, config.swap, on)


def _llm(config: Config) -> LLM | None:
    from treering.models.llm import llm_named

    return llm_named(config)


def _as_of(store: Store, moment: str | float | datetime, config: Config, context: Context) -> Treering:
    from treering.ledger.clock import format_time, parse_time
    from treering.stores.past import PastStore

    until = parse_time(moment, end_of_day=True)
    past = walled(PastStore(store, until), context.space)
    refusal = ReadOnly(f"this is the memory as of {format_time(until)}: leave out --as-of to change anything")
    recalls = lambda: _recalls(past, config)  # noqa: E731
    return Treering(Workspace(past, config, context, refusal, recalls, lambda: until))
