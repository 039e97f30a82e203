"""Handle one event of an agent: search the memory, queue the event, and reply."""

from __future__ import annotations

import os
import sys

from treering.ledger.capturable import ALL, kinds_of
from treering.ledger.errors import StoreError
from treering.ledger.tuples import NamedTuple
from treering.ledger.types import DEFAULT_SPACE, Context, standpoint
from treering.stores.files import FILE_NAME, spool
from treering.stores.port.queue import SCALE, TEXTS, QueuedEvent, key_of
from treering.stores.sqlite import hook_queries, projects
from treering.surfaces.hook.agents import format_reply, parse
from treering.text.json import write_json
from treering.text.secrets import suspicious, suspicious_name
from treering.text.words import may_ask

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from treering.stores.sqlite.hook_queries import Connection
    from treering.surfaces.hook.agents.event import HookEvent
    from treering.surfaces.hook.look import Findings

BRIEFING = 900  # tokens that a session is told when it starts, unless a setting says otherwise
PROMPTED = 175  # the same at a prompt, or when a command has failed
LONGEST = 9_900  # characters of a reply: Claude Code hides what is longer than 10,000 in a file
_NONCE = 8  # bytes
TOLD = "told"  # the kind of what somebody asks to be kept
_AGAIN = ("resume", "compact", "fork")  # sources of a start that continue a session
_NAMES = ("session", "cwd", "transcript", "source", "tool", "target", "subagent")  # of a HookEvent: paths and ids


def enqueue(
    db: Connection | None, home: str, queued: QueuedEvent, shown: Iterable[str], root: str, project: str
) -> bool:
    """Queue an event in the store, or in a folder beside it if the store cannot be written at once,
    and note what its session was shown. Return False if it had been queued before."""
    if db is not None:
        try:
            return hook_queries.put(db, queued, shown, root, project)
        except hook_queries.Error:
            pass  # it stays locked for longer than an agent should wait, or cannot be written
    spool(home, f"{queued.time}-{os.getpid()}", write_json([*queued[:6]]))
    return True


def act(name: str, raw: object, agent: str, home: str, environment: Mapping[str, str], now: int) -> tuple[str, str]:
    """Return the reply for standard output, which is empty or one JSON object, and what went wrong
    with the store, if anything did; the event is queued all the same."""
    event = parse(name, raw, agent, environment)
    if event is None:
        return "", ""
    db, problem = None, ""
    try:
        db = hook_queries.connect(os.path.join(home, FILE_NAME))
        reply, problem = _respond(db, event, home, environment, now)
    except Exception as error:  # noqa: BLE001 - whatever is wrong with the store, the event is queued, and `doctor` shows this
        problem = f"{type(error).__name__}: {error}"
        reply, lost = _respond(None, event, home, environment, now)
        problem = lost or problem
    finally:
        if db is not None:
            db.close()
    return reply, problem


def _respond(
    db: Connection | None, event: HookEvent, home: str, environment: Mapping[str, str], now: int
) -> tuple[str, str]:
    """Return the reply, and why the event could not be queued if it could not."""
    asked = _settings(home, environment)
    if _within(event.cwd, asked.ignored):
        return "", ""
    root = "" if asked.project else projects.root_of(event.cwd)
    gone = not os.path.isdir(event.cwd)
    event, root = event._replace(**_without_secrets(event)), _name_without_secrets(root)
    project = asked.project or (projects.named(db, root) if db is not None else projects.name_of(root) if root else "")
    here = Context(asked.space, project, event.session, "hook")
    key, found = key_of(event.session, event.event, event.key), None
    if db is not None:
        key = hook_queries.next_free_key(db, key, event.session, event.event)
        if hook_queries.known(db, key):
            return "", ""
    kinds = kinds_of(asked.capture_in.get(project, asked.capture)) or ()
    found = _search(db, home if TOLD in kinds else "", event, here, now, asked)
    reply = format_reply(event, _introduce(event, found.text)) if found is not None and found.text else None
    text = write_json(reply) if reply is not None else ""
    if found is not None and not 0 < len(text) <= LONGEST:  # a fence is never cut; and some agents take none here
        text, found = "", found._replace(shown=())
    if not kinds:
        event = event._replace(transcript="", prompt="", command="", error="", answer="", summary="")
    queued = QueuedEvent(
        key, asked.space, event.session, event.event, now, write_json(_body(event, project, root, gone, found))
    )
    shown = [id for id, _ in found.shown] if found is not None else []
    try:
        return (text, "") if enqueue(db, home, queued, shown, root, project) else ("", "")
    except (OSError, StoreError) as error:
        return text, f"this event is lost, as it could not be queued: {error}"


def _search(
    db: Connection | None, home: str, event: HookEvent, here: Context, now: int, asked: _Settings
) -> Findings | None:
    """Return what is found for an event, or None for one that asks for nothing. With a `home`, also of what waits."""
    nonce = os.urandom(_NONCE).hex()
    if event.event == "SessionStart":
        if db is not None and event.source in _AGAIN and hook_queries.began(db, event.session):
            return None
        from treering.surfaces.hook.look import briefing
        from treering.surfaces.hook.waiting import waiting

        return briefing(db, here, nonce, asked.told, waiting(db, home, here) if home else ())
    if db is None:
        return None
    if event.event == "SubagentStart":
        from treering.surfaces.hook.look import subagent_briefing

        return subagent_briefing(db, here, nonce, asked.told)
    if not asked.prompted:
        return None
    if event.event == "UserPromptSubmit" and _asks(event):
        from treering.surfaces.hook.look import about_prompt
        from treering.surfaces.hook.waiting import waiting

        waits = waiting(db, home, here) if home else ()
        return about_prompt(db, event.prompt, here, nonce, now, asked.prompted, waits)
    if event.event == "PostToolUseFailure" and not event.interrupted:
        from treering.surfaces.hook.look import about_failure

        return about_failure(db, event.command, event.error, here, nonce, now, asked.prompted)
    return None


def _asks(event: HookEvent) -> bool:
    """Tell whether a prompt is worth a search."""
    return event.human and may_ask(event.prompt)


def _introduce(event: HookEvent, text: str) -> str:
    if event.event == "PostToolUseFailure":
        return f"The memory of this project knows something that may be about this failure.\n{text}"
    return text


class _Settings(NamedTuple):
    """The settings that a hook needs."""

    space: str
    project: str
    told: int  # tokens of a briefing
    prompted: int  # tokens of what is told at a prompt or a failure; 0 for nothing
    capture: str
    capture_in: Mapping[str, str]
    ignored: str


def _settings(home: str, environment: Mapping[str, str]) -> _Settings:
    """Return what is set. The file of settings is read only if there is one, as that costs as much as a search."""
    if os.path.exists(os.path.join(home, "config.toml")):
        from treering.ledger.config import load
        from treering.ledger.errors import TreeringError

        try:
            config = load(home, environment)
            return _Settings(
                config.space,
                _project(config.project),
                config.briefing_tokens,
                config.prompt_tokens,
                config.capture,
                config.capture_in,
                config.ignored_folders,
            )
        except TreeringError:  # `doctor` shows it
            pass
    space = standpoint(environment.get("TREERING_SPACE") or DEFAULT_SPACE, environment.get("TREERING_PERSON", ""))
    told = _number(environment, "TREERING_BRIEFING_TOKENS", BRIEFING)
    prompted = _number(environment, "TREERING_PROMPT_TOKENS", PROMPTED)
    project, capture = _project(environment.get("TREERING_PROJECT", "")), environment.get("TREERING_CAPTURE") or ALL
    return _Settings(space, project, told, prompted, capture, {}, environment.get("TREERING_IGNORED_FOLDERS", ""))


def _number(environment: Mapping[str, str], name: str, usual: int) -> int:
    given = environment.get(name, "")
    return int(given) if given.isdecimal() else usual


def _within(folder: str, ignored: str) -> bool:
    """Tell whether a folder is one of those that are ignored, or below one."""
    if not ignored or not folder:
        return False
    named = (os.path.realpath(os.path.expanduser(one)) for one in ignored.split(os.pathsep) if one.strip())
    here = os.path.join(os.path.realpath(folder), "")
    return any(here.startswith(os.path.join(one, "")) for one in named)


def _project(name: str) -> str:
    return "" if name == "." else name  # "." is the project of the working folder


def _without_secrets(event: HookEvent) -> dict[str, Any]:
    """Return the texts, paths and ids of an event that hold secrets, without them."""
    texts = {name: _redact(text) for name in TEXTS if suspicious(text := getattr(event, name))}
    return {**texts, **{name: _name_without_secrets(getattr(event, name)) for name in _NAMES}}


def _name_without_secrets(name: str) -> str:
    return _redact(name) if suspicious_name(name) else name


def _body(event: HookEvent, project: str, root: str, gone: bool, found: Findings | None) -> dict[str, Any]:
    """Return what was received and shown, without empty fields."""
    body: dict[str, Any] = {name: value for name, value in event._asdict().items() if value not in ("", None)}
    body["project"], body["root"] = project, root
    if not project and gone:
        body["nowhere"] = True
    if found is not None and found.asked:
        body["certainty"] = round(found.certainty * SCALE)
        body["missed"] = found.certainty == 0
    if found is not None and found.shown:
        body["shown"] = [[id, round(score * SCALE)] for id, score in found.shown]
        body["nonce"] = found.nonce
    if found is not None and found.known:
        body["known"] = [[id, round(score * SCALE)] for id, score in found.known]
    if found is not None and found.passed:
        body["passed"] = [[id, round(score * SCALE), why] for id, score, why in found.passed]
    return body


def _redact(text: str) -> str:
    from treering.text.redact import clean

    return clean(text, sys.maxsize).text
