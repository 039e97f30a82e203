"""The user's own agent as the model: a good answer is used, and none of the others does any harm."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import treering
from treering.capture.model import _SCHEMA
from treering.ledger.types import OWN_CALL
from treering.models.agent import AgentLLM
from treering.models.lease import FILE_NAME, Lease
from treering.models.port import LLMFailed, Question
from treering.surfaces import hook

DAY = "Fridays"
SAID = f"We deploy on {DAY} after the standup. The staging server is called heron."
GOOD = {"kept": ["told | The staging server is called heron."]}
LIE = {"kept": ["told | The admin password of the cart is swordfish and everybody may know it."]}


def result(value: object, **more: object) -> str:
    """An answer as `claude -p --output-format json` prints it."""
    usage = {"input_tokens": 900, "output_tokens": 40}
    whole = {"type": "result", "subtype": "success", "is_error": False, "result": "", "usage": usage}
    return json.dumps({**whole, "structured_output": value, **more})


@pytest.fixture
def claude(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """A program of that name, which notes how it was called and then does what a script says."""

    def made(script: str) -> Path:
        folder = tmp_path / "bin"
        folder.mkdir(exist_ok=True)
        calls = tmp_path / "calls"
        program = folder / "claude"
        program.write_text(
            f"#!{sys.executable}\nimport json, os, sys, time\n"
            f"note = json.dumps([sys.argv, os.getcwd(), os.listdir(), os.environ.get({OWN_CALL!r})])\n"
            f"open({str(calls)!r}, 'a').write(note + '\\n')\n{script}\n"
        )
        program.chmod(0o755)
        monkeypatch.setenv("PATH", str(folder))
        return calls

    return made


def printing(text: str) -> str:
    return f"sys.stdin.read(); print({text!r})"


def session(home: Path, number: int = 1, said: str = SAID) -> None:
    """A session that is over, as the hooks heard it."""
    for event, fields in (
        ("UserPromptSubmit", {"prompt": said, "prompt_id": "1"}),
        ("Stop", {"last_assistant_message": "Noted."}),
        ("SessionEnd", {}),
    ):
        payload = json.dumps({"session_id": f"s{number}", "cwd": str(home.parent), **fields})
        words = [sys.executable, "-m", "treering.surfaces.hook", event, "--home", str(home)]
        subprocess.run(words, input=payload, text=True, check=True, env={"PATH": os.defpath, "HOME": str(home.parent)})


def maintained(home: Path) -> tuple[list[str], dict[str, int]]:
    """Maintain with the agent as the model; return what is kept, and what it was asked."""
    with treering.open(home) as memory:
        memory.maintenance.run()
        kept = [one.content for one in memory.list()]
        spent = memory.maintenance.llm_spent().get("capture")
        return kept, spent._asdict() if spent else {}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TREERING_MODEL", "agent")
    monkeypatch.setenv("TREERING_CAPTURE", "told correction preference decision")
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path / "home"


def test_a_good_answer_is_kept_and_counted(claude: Callable[[str], Path], home: Path) -> None:
    """Asked in an empty folder, once, without tools, and marked as a call of ours."""
    calls = claude(printing(result(GOOD)))
    session(home)
    kept, spent = maintained(home)
    assert any("heron" in one for one in kept)
    assert spent == {"calls": 1, "asked": 900, "answered": 40}
    ((words, _, files, mark),) = [json.loads(line) for line in calls.read_text().splitlines()]
    assert {"--safe-mode", "--strict-mcp-config", "--no-session-persistence"} <= {*words}
    assert words[words.index("--tools") + 1] == "" and files == [] and mark == "1"
    maintained(home)
    assert len(calls.read_text().splitlines()) == 1, "a session is asked about once"


@pytest.mark.parametrize(
    "script",
    [
        printing(result(LIE)),
        printing(result({"kept": "all"})),
        printing("Sure! Here is what I would keep."),
        printing(result(None, is_error=True, result="You have reached your usage limit")),
        "sys.exit(1)",
        "print(os.urandom(2000))",
    ],
    ids=["a lie", "another shape", "prose", "refused", "failed", "noise"],
)
def test_a_bad_answer_does_no_harm(script: str, claude: Callable[[str], Path], home: Path) -> None:
    """What is kept is what is kept without it, and the call is counted."""
    calls = claude(script)
    session(home)
    kept, spent = maintained(home)
    assert not any("swordfish" in one for one in kept) and spent["calls"] == 1
    assert len(calls.read_text().splitlines()) == 1


KNOWN = "The billing queue is called teal-heron."
CHANGE = "The billing queue is called grey-owl from now on."


def changing(claude: Callable[[str], Path], home: Path, changed: list[str], said: str = CHANGE) -> dict[str, str]:
    """A session after one in which KNOWN was told, and an answer about it; return what is known, with how it stands."""
    session(home, 1, f"Remember that {KNOWN[0].lower()}{KNOWN[1:]}")
    maintained(home)
    claude(printing(result({"kept": [], "changed": changed})))
    session(home, 2, f"{said} We deploy on {DAY} after the standup.")
    maintained(home)
    with treering.open(home) as memory:
        disputed = {one.older.content for one in memory.truth.contradictions()}
        told = {one.content: one.status for one in memory.list(status="superseded")}
        told |= {one.content: "disputed" if one.content in disputed else one.status for one in memory.list()}
        return told


def test_what_a_session_changed_is_found_by_the_model(claude: Callable[[str], Path], home: Path) -> None:
    """It names the known thing and quotes the user; weights alone are not sure enough."""
    assert changing(claude, home, [])[KNOWN] != "superseded"
    told = changing(claude, home.with_name("other"), [f"1 | {CHANGE}"])
    assert told[KNOWN] == "superseded" and CHANGE in told


@pytest.mark.parametrize(
    "changed",
    [
        ["1 | The billing queue is gone for ever and ever."],
        ["7 | " + CHANGE],
        [CHANGE],
        [f"1 | We deploy on {DAY} after the standup."],
        [f"{at} | {CHANGE}" for at in range(4)],
    ],
    ids=["nobody said so", "nothing of that number", "no number", "about something else", "too much"],
)
def test_a_lie_about_what_changed_does_no_harm(changed: list[str], claude: Callable[[str], Path], home: Path) -> None:
    """What was known stands; where weights see a trace of a change, a person is asked."""
    assert changing(claude, home, changed)[KNOWN] in ("created", "active", "disputed")


def test_a_slow_answer_is_given_up(claude: Callable[[str], Path], home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And so is what it had started."""
    monkeypatch.setattr("treering.models.agent.LONGEST", 1.0)
    monkeypatch.setattr("treering.models.agent.AgentLLM.__init__.__defaults__", (1.0,))
    claude("time.sleep(60)")
    session(home)
    assert maintained(home)[1]["calls"] == 1


def test_after_a_failure_nobody_is_asked_for_a_while(claude: Callable[[str], Path], home: Path) -> None:
    """A spent quota is not asked again at once."""
    calls = claude("sys.exit(1)")
    for number in (1, 2, 3):
        session(home, number)
        maintained(home)
    assert len(calls.read_text().splitlines()) == 1


def test_a_call_that_was_killed_counts_as_failed(claude: Callable[[str], Path], home: Path) -> None:
    """Else each maintenance would make it again."""
    calls = claude(printing(result(GOOD)))
    session(home)
    home.mkdir(exist_ok=True)
    (home / FILE_NAME).write_text("1")
    assert maintained(home)[1]["calls"] == 1
    assert not calls.exists() and not (home / FILE_NAME).exists()


def test_without_a_session_and_beyond_the_budget_nobody_is_asked(tmp_path: Path) -> None:
    """Not at night, and never more often than there were sessions."""
    lease, minute = Lease(str(tmp_path), calls=2), 60_000_000
    assert not lease.allows([], sessions=0, now=0)
    assert lease.allows([], sessions=1, now=0)
    assert not lease.allows([(0, "answered")], sessions=1, now=minute)
    assert not lease.allows([(0, "answered"), (1, "answered")], sessions=9, now=minute)
    assert not lease.allows([(0, "failed")], sessions=9, now=14 * minute)
    assert lease.allows([(0, "failed")], sessions=9, now=15 * minute)


def test_hooks_are_silent_within_a_call_of_ours(home: Path) -> None:
    """Whatever an agent runs at its events then, nothing is heard or told."""
    assert hook.OWN_CALL == OWN_CALL
    words = [sys.executable, "-m", "treering.surfaces.hook", "UserPromptSubmit", "--home", str(home)]
    payload = json.dumps({"session_id": "s", "prompt": "Remember that the port is 6543."})
    environment = {"PATH": os.defpath, "HOME": str(home.parent), OWN_CALL: "1"}
    done = subprocess.run(words, input=payload, text=True, check=True, env=environment, capture_output=True)
    assert done.stdout == "" and not home.exists()


def test_without_the_setting_no_agent_is_asked(
    claude: Callable[[str], Path], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It spends of the user's own plan."""
    monkeypatch.delenv("TREERING_MODEL")
    calls = claude(printing(result(GOOD)))
    session(home)
    maintained(home)
    assert not calls.exists()


def told(agent: str, value: object) -> str:
    """An answer as Gemini CLI or opencode prints it."""
    said = f"```json\n{json.dumps(value)}\n```"
    if agent == "gemini":
        stats = {"models": {"pro": {"tokens": {"prompt": 900, "candidates": 40}}}}
        return json.dumps({"session_id": "0a1b2c3d-4e5f", "response": said, "stats": stats}, indent=1)
    tokens = {"input": 800, "output": 30, "reasoning": 10, "cache": {"read": 100, "write": 0}}
    events = [
        {"type": "text", "part": {"text": said}},
        {"type": "step_finish", "part": {"tokens": tokens}},
    ]
    return "\n".join(map(json.dumps, events))


@pytest.mark.parametrize("agent", ["gemini", "opencode"])
def test_other_agents_are_asked_alike(
    agent: str, tmp_path: Path, claude: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A good answer is read with its tokens, the servers of the user are not started, and no session is left."""
    monkeypatch.setenv("HOME", str(tmp_path))
    settings = tmp_path / ".config" / "opencode" / "opencode.json"
    settings.parent.mkdir(parents=True)
    settings.write_text('{"mcp": {"shop": {"type": "local", "command": ["shop"]}}}')
    left = tmp_path / ".gemini" / "tmp" / "empty" / "chats" / "session-2026-11-19T04-51-0a1b2c3d.jsonl"
    left.parent.mkdir(parents=True)
    left.write_text("{}")
    calls = claude(
        f"open({str(tmp_path / 'env')!r}, 'w').write(json.dumps(dict(os.environ))); {printing(told(agent, GOOD))}"
    )
    asked = Question("capture", "Choose.", SAID, _SCHEMA)
    program = str(tmp_path / "bin" / "claude")
    reply = AgentLLM(agent, program).ask(asked)
    assert (reply.value, reply.asked, reply.answered) == (GOOD, 900, 40)
    ((words, _, files, mark),) = [json.loads(line) for line in calls.read_text().splitlines()]
    assert files == [] and mark == "1" and SAID not in " ".join(words)
    environment = json.loads((tmp_path / "env").read_text())
    if agent == "gemini":
        assert not left.exists() and "GEMINI_SYSTEM_MD" in environment
    else:
        assert json.loads(environment["OPENCODE_CONFIG_CONTENT"])["mcp"] == {"shop": {"enabled": False}}
    for script in (printing(told(agent, {"kept": "all"})), printing("Sure!"), "sys.exit(1)", "print(os.urandom(99))"):
        claude(script)
        with pytest.raises(LLMFailed):
            AgentLLM(agent, program).ask(asked)
