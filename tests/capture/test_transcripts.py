"""A transcript's turns: what people typed and what the agent did, and nothing that stands between."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.capture.scenes import reading, rollout, written
from tests.skills.signals.sessions import SESSION, Session
from treering.capture.sift import catch, episode
from treering.capture.transcript import LAST_BYTES, LAST_PROMPTS, read
from treering.capture.turns import Did, Said, Turn

RULE = "Remember that prod is read-only. Always use tabs."


def said(turns: list[Turn]) -> list[tuple[str, str]]:
    return [(turn.who, turn.text) for turn in turns if isinstance(turn, Said)]


def did(turns: list[Turn]) -> list[tuple[str, str, str, bool | None]]:
    return [(turn.tool, turn.command, turn.target, turn.ok) for turn in turns if isinstance(turn, Did)]


def says(session: Session, text: str) -> str:
    return session.add(
        "assistant", message={"id": "m", "role": "assistant", "content": [{"type": "text", "text": text}]}
    )


def test_a_session_is_read_as_what_was_said_and_done(tmp_path: Path) -> None:
    session = Session()
    id = session.says("run the tests", cwd="/home/sam/app", promptId="p1")
    session.tries("Bash", "Exit code 1\nModuleNotFoundError: x", command="pytest")
    session.tries("Edit", file_path="/home/sam/app/a.py", old_string="a", new_string="b")
    says(session, "Done.")
    found = reading(tmp_path, session)
    first = found.turns[0]
    assert isinstance(first, Said)
    assert (first.line, first.prompt, first.at > 0) == (id, "p1", True)
    assert (found.session, found.cwd, found.offset) == (SESSION, "/home/sam/app", len(session.data))
    assert said(found.turns) == [("user", "run the tests"), ("agent", "Done.")]
    assert did(found.turns) == [("Bash", "pytest", "", False), ("Edit", "", "/home/sam/app/a.py", True)]


def test_nothing_is_kept_of_what_no_person_typed(tmp_path: Path) -> None:
    session = Session()
    session.says("go on")
    session.answers(session.calls("Read", file_path="/a.md"), RULE)
    session.answers(session.calls("WebFetch", url="https://example.com"), [{"type": "text", "text": RULE}])
    session.tries("Bash", f"Exit code 1\n{RULE}", command="make")
    session.says(RULE, isMeta=True)
    session.says(RULE, isCompactSummary=True)
    session.says(RULE, isSidechain=True)
    session.says(RULE, origin={"kind": "task-notification"})
    session.says(f"<system-reminder>{RULE}</system-reminder>")
    session.says(f"<local-command-stdout>{RULE}</local-command-stdout>")
    session.says(f"This session is being continued from a previous conversation. {RULE}")
    session.add("summary", summary=RULE)
    session.add("system", subtype="informational", content=RULE)
    session.add("attachment", attachment={"type": "hook_additional_context", "content": RULE})
    session.add("assistant", isSidechain=True, message={"content": [{"type": "text", "text": RULE}]})
    session.add("assistant", message={"content": [{"type": "thinking", "thinking": RULE}]})
    session.add("assistant", isApiErrorMessage=True, message={"content": [{"type": "text", "text": RULE}]})
    found = reading(tmp_path, session)
    assert said(found.turns) == [("user", "go on")]
    assert catch(found.turns) == []
    whole = episode(found.turns)
    assert whole is None or "tabs" not in whole.content


def test_the_reason_of_a_refusal_and_what_was_typed_meanwhile_are_the_users_words(tmp_path: Path) -> None:
    session = Session()
    session.says("add zod")
    session.refuses(session.calls("Bash", command="npm install zod"), "use pnpm here")
    session.refuses(session.calls("Bash", command="npm install zod"))
    prompt = {"type": "queued_command", "commandMode": "prompt", "prompt": "and never npm"}
    session.add("attachment", attachment=prompt)
    found = reading(tmp_path, session)
    assert said(found.turns) == [("user", "add zod"), ("user", "use pnpm here"), ("user", "and never npm")]
    assert did(found.turns) == [("Bash", "npm install zod", "", None)] * 2


def test_a_failure_behind_a_pipe_is_a_failure(tmp_path: Path) -> None:
    session = Session()
    session.answers(session.calls("Bash", command="pytest 2>&1 | tail -5"), "1 FAILED, 3 passed")
    session.answers(session.calls("Bash", command="pytest 2>&1 | tail -5"), "4 passed")
    session.answers(session.calls("Bash", command="npm start"), "Command running in background with ID: 1")
    assert [turn[3] for turn in did(reading(tmp_path, session).turns)] == [False, True, None]


def test_what_is_read_again_is_told_once_and_a_line_that_is_not_whole_is_left(tmp_path: Path) -> None:
    session = Session()
    session.says("first", uuid="u1")
    session.says("first", uuid="u1")
    session.lines += ["{broken", "[1, 2]", '"text"', "null", "", '{"type": "user"}', '{"type": 7, "message": []}']
    session.says("second")
    path = Path(written(tmp_path, session))
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"type": "user", "message": {"content": "half')
    found = read(str(path))
    assert said(found.turns) == [("user", "first"), ("user", "second")]
    assert found.offset == len(whole)
    path.write_bytes(whole[:10])
    assert read(str(path), found.offset).turns == []


def test_reading_goes_on_where_the_last_prompts_are(tmp_path: Path) -> None:
    session = Session()
    for at in range(20):
        session.says(f"prompt {at}")
        session.tries("Bash", command=f"make {at}")
    path = written(tmp_path, session)
    found = read(path)
    assert len(found.starts) == LAST_PROMPTS
    again = read(path, found.starts[0])
    assert said(again.turns)[0] == ("user", "prompt 14")
    assert again.starts == found.starts
    assert read(path, found.offset).starts == []


def test_a_long_transcript_is_read_in_pieces_that_come_to_an_end(tmp_path: Path) -> None:
    session = Session()
    for at in range(30):
        session.says(f"prompt {at}")
        session.tries("Read", file_path="/a.txt")
        session.answers(session.calls("Read", file_path="/b.txt"), "x" * 200_000)
    path = written(tmp_path, session)
    place, heard = 0, []
    for _ in range(100):
        found = read(path, place, most=2 * LAST_BYTES)
        heard += said(found.turns)
        if found.offset == len(session.data):
            break
        place = found.starts[0] if found.starts else found.offset
    assert list(dict.fromkeys(heard)) == [("user", f"prompt {at}") for at in range(30)]


@pytest.mark.parametrize("content", ["[" * 100_000, '{"a":' * 50_000, '"' + "x" * 200_000 + '"', "1" * 100_000])
def test_a_hostile_line_is_passed_over(tmp_path: Path, content: str) -> None:
    session = Session()
    session.says("before")
    session.lines.append('{"type": "user", "uuid": "h", "message": {"content": ' + content + "}}")
    session.lines.append(content)
    session.says("after")
    texts = said(reading(tmp_path, session).turns)
    assert (texts[0], texts[-1]) == (("user", "before"), ("user", "after"))


META = ("session_meta", {"id": "codex-1", "cwd": "/home/sam/app", "originator": "codex_cli_rs"})


def message(role: str, text: str) -> tuple[str, dict[str, Any]]:
    kind = "input_text" if role == "user" else "output_text"
    return "response_item", {"type": "message", "role": role, "content": [{"type": kind, "text": text}]}


def called(id: str, name: str = "shell", **arguments: Any) -> tuple[str, dict[str, Any]]:
    return "response_item", {"type": "function_call", "name": name, "call_id": id, "arguments": json.dumps(arguments)}


def answered(id: str, output: Any) -> tuple[str, dict[str, Any]]:
    return "response_item", {"type": "function_call_output", "call_id": id, "output": output}


def test_a_rollout_is_read_as_well(tmp_path: Path) -> None:
    failed = json.dumps({"output": "ModuleNotFoundError: attr", "metadata": {"exit_code": 1}})
    patch = "*** Begin Patch\n*** Update File: src/a.py\n@@\n*** Add File: src/b.py\n*** End Patch"
    path = rollout(
        tmp_path,
        META,
        message("user", "<environment_context>\n<cwd>/home</cwd>\n</environment_context>"),
        message("user", f"# AGENTS.md instructions for /home\n{RULE}"),
        message("developer", RULE),
        message("user", "make the tests pass"),
        ("event_msg", {"type": "user_message", "message": "make the tests pass"}),
        ("response_item", {"type": "reasoning", "summary": [{"type": "summary_text", "text": RULE}]}),
        called("c1", command=["bash", "-lc", "pytest -q"]),
        answered("c1", failed),
        ("response_item", {"type": "custom_tool_call", "name": "apply_patch", "call_id": "c2", "input": patch}),
        ("response_item", {"type": "custom_tool_call_output", "call_id": "c2", "output": "Done"}),
        called("c3", "exec_command", cmd="pytest -q"),
        answered("c3", "Chunk ID: 1\nProcess exited with code 0\nOutput:\n3 passed"),
        called("c4", "exec_command", cmd="make lint"),
        answered("c4", "Exit code: 2\nWall time: 1 s\nOutput:\nerror: x"),
        ("event_msg", {"type": "agent_message", "message": "They pass."}),
        message("assistant", "They pass."),
        ("compacted", {"message": RULE}),
    )
    found = read(path)
    assert (found.session, found.cwd) == ("codex-1", "/home/sam/app")
    assert said(found.turns) == [("user", "make the tests pass"), ("agent", "They pass.")]
    assert did(found.turns) == [
        ("shell", "pytest -q", "", False),
        ("apply_patch", "", "src/a.py", True),
        ("apply_patch", "", "src/b.py", True),
        ("exec_command", "pytest -q", "", True),
        ("exec_command", "make lint", "", False),
    ]
    later = read(path, found.starts[0])
    assert (later.session, said(later.turns)) == (found.session, said(found.turns))
    assert [each.kind for each in catch(found.turns)] == ["fix"]


def test_a_damaged_rollout_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    path = rollout(
        tmp_path,
        META,
        ("response_item", {"type": "function_call", "call_id": 7, "name": None}),
        ("response_item", {"type": "function_call", "call_id": "a", "name": "shell", "arguments": "{broken"}),
        ("response_item", {"type": "function_call_output", "call_id": "a", "output": {"content": [1, None]}}),
        ("response_item", {"type": "message", "role": "user", "content": [None, {"text": 5}]}),
        ("event_msg", {"type": "user_message", "message": ["x"]}),
        ("event_msg", {"type": "user_message", "message": "go on"}),
    )
    found = read(path)
    assert said(found.turns) == [("user", "go on")]
    assert did(found.turns) == [("shell", "", "", True)]
