"""What a hook does at each event: look, leave a letter, and say what the agent is to know."""

from __future__ import annotations

import os
import sys

from treering.core.letters import SCALE, TEXTS, Letter, key_of
from treering.core.prompts import SHORTEST
from treering.core.secrecy import suspicious
from treering.core.types import DEFAULT_SPACE, Context
from treering.hook.agents import heard as hear
from treering.hook.agents import spoken
from treering.hook.agents.wire import written
from treering.hook.leaving import leave
from treering.stores import peek, roots, slot
from treering.stores.files import FILE_NAME

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    import apsw

    from treering.hook.agents.heard import Heard
    from treering.hook.looking import Look

LONGEST = 9_900  # characters of what is said: Claude Code hides what is longer than 10,000 in a file
_NONCE = 8  # bytes
_AGAIN = ("resume", "compact", "fork")  # sources of a session's start that had one before


def act(event: str, raw: object, agent: str, home: str, environment: Mapping[str, str], now: int) -> tuple[str, str]:
    """What goes to standard output, which is nothing or one JSON object; and what went wrong with the store, if
    anything did: the letter is left all the same."""
    told = hear(event, raw, agent, environment)
    if told is None:
        return "", ""
    db, problem = None, ""
    try:
        db = peek.connect(os.path.join(home, FILE_NAME))
        said = _at(db, told, home, environment, now)
    except Exception as error:  # noqa: BLE001 - whatever is wrong with the store, what was heard is kept, and this is told
        problem = f"{type(error).__name__}: {error}"
        said = _at(None, told, home, environment, now)
    finally:
        if db is not None:
            db.close()
    return said, problem


def _at(db: apsw.Connection | None, told: Heard, home: str, environment: Mapping[str, str], now: int) -> str:
    space, project = _settings(home, environment)
    root = "" if project else roots.root_of(told.cwd)
    project = project or (roots.named(db, root) if db is not None else os.path.basename(root))
    here = Context(space, project, told.session, "hook")
    key, look = key_of(told.session, told.event, told.key), None
    if db is not None:
        key = slot.again(db, key, told.session, told.event)
        if slot.known(db, key):
            return ""
        look = _look(db, told, here, now)
    said = spoken(told, _introduced(told, look.text)) if look is not None and look.text else None
    text = written(said) if said is not None else ""
    if look is not None and not 0 < len(text) <= LONGEST:  # a fence is never cut; and some agents take none here
        text, look = "", look._replace(shown=())
    letter = Letter(key, space, told.session, told.event, now, written(_body(told, project, root, look)))
    shown = [id for id, _ in look.shown] if look is not None else []
    return text if leave(db, home, letter, shown, root, project) else ""


def _look(db: apsw.Connection, told: Heard, here: Context, now: int) -> Look | None:
    """What is found for an event that asks for anything."""
    nonce = os.urandom(_NONCE).hex()
    if told.event == "SessionStart":
        if told.source in _AGAIN and slot.began(db, told.session):
            return None
        from treering.hook.looking import briefing

        return briefing(db, here, nonce, now)
    if told.event == "UserPromptSubmit" and _asks(told):
        from treering.hook.looking import about

        return about(db, told.prompt, here, nonce, now)
    if told.event == "PostToolUseFailure" and not told.interrupted:
        from treering.hook.looking import failed

        return failed(db, told.command, told.error, here, nonce, now)
    return None


def _asks(told: Heard) -> bool:
    """Whether a prompt is worth a look."""
    prompt = told.prompt.strip()
    return told.human and len(prompt) >= SHORTEST and not prompt.startswith("/")


def _introduced(told: Heard, text: str) -> str:
    if told.event == "PostToolUseFailure":
        return f"The memory of this project knows something that may be about this failure.\n{text}"
    return text


def _settings(home: str, environment: Mapping[str, str]) -> tuple[str, str]:
    """The space and the project that are set; the file is read only if there is one, as that costs a search."""
    if os.path.exists(os.path.join(home, "config.toml")):
        from treering.config import load
        from treering.core.errors import TreeringError

        try:
            config = load(home, environment)
            return config.space, _project(config.project)
        except TreeringError:  # doctor tells of it
            pass
    space = environment.get("TREERING_SPACE") or DEFAULT_SPACE
    return space, _project(environment.get("TREERING_PROJECT", ""))


def _project(name: str) -> str:
    return "" if name == "." else name  # which is the one of the working folder


def _body(told: Heard, project: str, root: str, look: Look | None) -> dict[str, Any]:
    """All that was heard and shown, without what says nothing; no secret gets as far as the disk."""
    body: dict[str, Any] = {name: value for name, value in told._asdict().items() if value not in ("", None)}
    for name in TEXTS:
        if name in body and suspicious(body[name]):
            body[name] = _cleaned(body[name])
    body["project"], body["root"] = project, root
    if not project and not os.path.isdir(told.cwd):
        body["nowhere"] = True
    if look is not None and look.asked:
        body["certainty"] = round(look.certainty * SCALE)
        body["missed"] = look.certainty == 0
    if look is not None and look.shown:
        body["shown"] = [[id, round(score * SCALE)] for id, score in look.shown]
        body["nonce"] = look.nonce
    return body


def _cleaned(text: str) -> str:
    from treering.guard import clean

    return clean(text, sys.maxsize).text
