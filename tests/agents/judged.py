"""Check an agent as the model: a good answer is used, and no other does any harm."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

from tests.agents.checks import QUIET, Cannot, Scene
from tests.agents.model import Request, Step
from tests.agents.packages import program
from treering.models.agent import PROGRAMS

FACT = "The cart tests need a real database, not a mock."
SAID = f"We deploy on Fridays after the standup. {FACT} Please say hello."
GOOD = {"kept": [f"preference | {FACT}"]}
LIE = {"kept": ["told | The cart is painted in swordfish blue on every page."]}
_OURS = "what a user said in a session"  # stands in our question
_SHOWN = 900  # characters of a call that are printed
_SECONDS = 120.0  # for an answer: it takes five on a quiet machine
_IMPATIENT = 20.0  # in which the slow one is not given
_ASK = """
import json, sys
from treering.capture.model import _SCHEMA, _SYSTEM
from treering.models.agent import AgentLLM
from treering.models.port import LLMFailed, Question
try:
    agent, program, seconds, text = sys.argv[1:]
    reply = AgentLLM(agent, program, float(seconds)).ask(Question("capture", _SYSTEM, text, _SCHEMA))
    print(json.dumps({"value": reply.value, "asked": reply.asked, "answered": reply.answered}))
except LLMFailed as failure:
    print(json.dumps({"failed": str(failure), "down": failure.down}))
"""


def judges(scene: Scene) -> str:
    """The agent is asked once about a session that is over, and only what was said word for word is kept."""
    if scene.agent.name not in PROGRAMS:
        raise Cannot("it is not asked")
    return _bad_answers(scene) or _whole_session(scene)


def _bad_answers(scene: Scene) -> str:
    """Return what is wrong when it answers in prose, refuses, or takes too long."""
    refused, slow = Step("the quota is spent", status=400), Step(json.dumps(GOOD), seconds=_IMPATIENT + 5)
    for name, step in {"prose": Step("Sure, I keep it all!"), "refused": refused, "slow": slow}.items():
        found = _asked(scene, step, _IMPATIENT if step.seconds else _SECONDS)
        if "failed" not in found:
            return f"{name}: it answered {found}"
    found = _asked(scene, _step(scene, GOOD))
    if found.get("value") != GOOD or not found["asked"]:
        return f"a good answer: {found}"
    return ""


def _asked(scene: Scene, step: Step, seconds: float = _SECONDS) -> dict[str, Any]:
    room, name = scene.room, scene.agent.name
    room.model.play()
    room.model.aside = _answering(step)
    try:
        words = [sys.executable, "-c", _ASK, name, str(program(name)), str(seconds), SAID]
        ran = room.run(words)
    finally:
        room.model.aside = None
    found: dict[str, Any] = json.loads(ran.out.splitlines()[-1])
    return found


def _answering(given_step: Step | Callable[[Request], Step]) -> Any:
    given: list[Request] = []

    def aside(request: Request) -> Step | None:
        if _OURS not in json.dumps(request.body):
            return None
        given.append(request)
        step = given_step if isinstance(given_step, Step) else given_step(request)
        return step if len(given) == 1 or step.status != 200 else Step("Done.")

    return aside


def _ours(scene: Scene) -> Callable[[], bool]:
    """Return a function that tells whether our question was asked."""
    model = scene.room.model
    return lambda: any(_OURS in json.dumps(one.body) for one in [*model.requests])


def _step(scene: Scene, value: dict[str, Any]) -> Step:
    """Return an answer in the form in which the agent wants it."""
    if scene.agent.name == "claude-code":
        return Step(tool=("StructuredOutput", value))
    return Step(json.dumps(value))


def _fitting(scene: Scene, value: dict[str, Any], request: Request) -> Step:
    """Return an answer that also says what has changed, where that is asked."""
    return _step(scene, {**value, "changed": []} if "Known:" in json.dumps(request.body) else value)


def _transcript(scene: Scene, tokens: int) -> list[str]:
    """Return what was asked of the agent about its last session, as its model saw it, with the tokens of all calls."""
    bodies = [one.messages for one in scene.room.model.requests]
    asked = [body for body in bodies if _OURS in body]
    told = f"asked its model {len(asked)} times, {tokens} tokens in all so far"
    return [f"{told}: … {asked[0][-_SHOWN:]}"] if asked else []


def _whole_session(scene: Scene) -> str:
    """Return what is wrong when a session is over: one call, counted, nothing of it captured, the lie not kept."""
    room, name = scene.room, scene.agent.name
    before = dict(room.environment)
    room.environment["PATH"] = f"{program(name).parent}:{room.variables()['PATH']}"
    room.treering("config", "set", "model", f"agent:{name}")
    calls = room.json("stats")["model"]["calls"]
    try:
        for value in (GOOD, LIE):
            room.model.play()
            room.model.aside = _answering(partial(_fitting, scene, value))
            room.run(scene.agent.printing(SAID, scene.model))
            room.until(_ours(scene), QUIET)
            scene.quiet()
            stats = room.json("stats")["model"]
            now = stats["calls"]
            if now != calls + 1:
                return f"{now - calls} calls were counted"
            calls = now
            room.notes += _transcript(scene, stats["tokens"])
        kept = json.dumps(room.json("list", "--limit", "200"))
    finally:
        room.model.aside = None
        room.treering("config", "set", "model", "")
        room.environment.clear()
        room.environment.update(before)
    if "swordfish" in kept or _OURS in kept:
        return "what nobody said was kept"
    return "" if FACT in kept else "what it chose was not kept"
