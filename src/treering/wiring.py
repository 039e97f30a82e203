"""The composition root: what is opened with what."""

from __future__ import annotations

import os

from treering.api import Treering, read_only
from treering.config import home_of, load
from treering.core.errors import InvalidInput
from treering.core.types import Context
from treering.moment import now
from treering.stores.files import FILE_NAME, make_home, spooled
from treering.stores.sqlite import SqliteStore

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime

    from treering.config import Config
    from treering.core.letters import Inbox
    from treering.core.ports import LLM, Reader, Store
    from treering.ledger import Ledger
    from treering.recalling import Recalling

TAKING_IN = 0.3  # seconds that opening may spend on what hooks left; whoever tends takes in the rest
HERE = "."  # for a project: the one that the working folder belongs to


def open(
    home: str | os.PathLike[str] | None = None,
    *,
    space: str = "",
    project: str = "",
    session: str = "",
    actor: str = "agent",
    as_of: str | float | datetime | None = None,
) -> Treering:
    """Open the memory in a folder: the one given, $TREERING_HOME, or ~/.treering.

    `project` and `session` say where you stand; a project of "." is the one that the working folder belongs to. `as_of`
    opens a read-only view of a moment in the past.
    """
    if home is not None and not isinstance(home, (str, os.PathLike)):
        raise InvalidInput(f"home is a folder, not {home!r}")
    folder = home_of(os.fspath(home) if home is not None else None, os.environ)
    config = load(folder, os.environ)
    make_home(folder)
    context = Context(space or config.space, project or config.project, session or config.session, actor)
    store = SqliteStore(os.path.join(folder, FILE_NAME))
    if as_of is not None:
        return _as_of(store, as_of, config, context)
    recalling, llm, inbox = (lambda: _recalling(store, config)), (lambda: _llm(config)), (lambda: _inbox(store, folder))
    memory = Treering(store, config, context, lambda: _ledger(store), recalling, now, True, llm, folder, inbox)
    if context.project == HERE:
        memory.context = context._replace(project=memory.project_of(os.getcwd()))
    if (store.has_letters or spooled(folder)) and store.idle:
        _take_in(memory)
    return memory


def _take_in(memory: Treering) -> None:
    """Take in what hooks left, if that can be done at once: whoever wants to look is not to wait for it."""
    from contextlib import suppress

    from treering.core.errors import StoreError

    with suppress(StoreError):
        memory.receive(TAKING_IN)


def _inbox(store: SqliteStore, home: str) -> Inbox:
    from treering.stores.inbox import SqliteInbox

    return SqliteInbox(store.connections, home)


def _ledger(store: Store) -> Ledger:
    from treering.ledger import Ledger

    return Ledger(store, now, os.urandom)


def _recalling(store: Reader, config: Config) -> Recalling:
    from treering.embed import named
    from treering.recall.weights import Switches
    from treering.recalling import Recalling

    on = Switches(config.learn_weights, config.learn_terms, config.learn_company, config.learn_prior, config.use_q)
    return Recalling(store, named(config.embedder, config.embedder_key), os.urandom, config.swap, on)


def _llm(config: Config) -> LLM | None:
    from treering.llm import named

    return named(config)


def _as_of(store: Store, moment: str | float | datetime, config: Config, context: Context) -> Treering:
    from treering.moment import read, shown
    from treering.stores.past import PastStore

    until = read(moment, end_of_day=True)
    past = PastStore(store, until)
    refuse = read_only(shown(until))
    return Treering(past, config, context, refuse, lambda: _recalling(past, config), lambda: until, writable=False)
