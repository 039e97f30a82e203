"""Find what somebody asked to be kept in another session, if it still waits in the queue.

Who says "remember that …" and starts the next session at once is not to wait for maintenance. The rule for such
sentences takes some hundredths of a second to load, so it is only loaded if a prompt of another session waits that has
one of their phrases.
"""

from __future__ import annotations

import os

from treering.ledger.types import Memory
from treering.stores.files import QUEUED, SPOOL, read_own
from treering.stores.sqlite import hook_queries
from treering.surfaces.hook.agents.event import checksum, fields
from treering.text.json import read_json
from treering.text.phrases import hints

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from treering.ledger.types import Context
    from treering.stores.sqlite.hook_queries import Connection

MOST = 20  # prompts that are looked at, the newest: more wait only if maintenance cannot run at all
MARK = "queued-"  # begins the id of what is not a memory yet


def mark_of(content: str) -> str:
    """Return the id under which a session was shown a statement before it became a memory."""
    return MARK + checksum(content)


def waiting(db: Connection | None, home: str, here: Context) -> list[Memory]:
    """Return what waits to be kept in this project, as it will be kept, newest last."""
    prompts = [one for one in _prompts(db, home, here) if one]
    if not any(hints(prompt) for _, prompt in prompts):
        return []
    from treering.text.wishes import own, retracts, whole, wished

    found: dict[str, list[str]] = {}
    for session, prompt in prompts:
        if any(retracts(prompt)):
            found[session] = []
        wishes = [whole(wish) for sentence in own(prompt) if (wish := wished(sentence))]
        found.setdefault(session, []).extend(wishes)
    texts = dict.fromkeys(text for session in found for text in found[session])
    return [Memory(mark_of(text), text, "semantic", "project", project=here.project) for text in texts]


def _prompts(db: Connection | None, home: str, here: Context) -> Iterator[tuple[str, str]]:
    """Yield the session and the text of prompts that people typed in other sessions of this project."""
    for space, session, event, text in [*_spooled(home), *(hook_queries.prompts(db, MOST) if db is not None else ())]:
        if event != "UserPromptSubmit" or space != here.space or session == here.session:
            continue
        try:
            body = fields(read_json(text))
        except (ValueError, RecursionError):
            continue
        prompt = body.get("prompt")
        if isinstance(prompt, str) and body.get("project") == here.project and body.get("human") is not False:
            yield session, prompt


def _spooled(home: str) -> Iterator[tuple[str, str, str, str]]:
    """Yield what hooks wrote beside the store, oldest first."""
    folder = os.path.join(home, SPOOL)
    names = sorted(name for name in os.listdir(folder) if name.endswith(QUEUED)) if os.path.isdir(folder) else []
    for name in names[-MOST:]:
        try:
            row = read_json(read_own(os.path.join(folder, name)))
        except (OSError, ValueError, RecursionError):  # taken in meanwhile, or damaged: `doctor` tells
            continue
        if isinstance(row, list) and len(row) == 6 and all(isinstance(part, str) for part in (*row[1:4], row[5])):
            yield row[1], row[2], row[3], row[5]
