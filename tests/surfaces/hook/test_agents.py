"""Every agent's events in one shape, and the answers in each agent's own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treering.surfaces.hook.agents import AGENTS, LONGEST, format_reply, parse
from treering.surfaces.hook.agents.event import (
    ANSWER,
    COMMAND,
    ERROR,
    EVENTS,
    PATH,
    PROMPT,
    SUMMARY,
    HookEvent,
)
from treering.text.json import read_json, write_json

PAYLOADS = os.path.join(os.path.dirname(__file__), "payloads")

# Each of them costs a fresh process more than reading a payload.
DEAR = ("re", "enum", "typing", "dataclasses", "pathlib", "hashlib", "datetime", "logging", "json", "msgspec")


def cases() -> Iterator[Any]:
    for agent in AGENTS:
        with open(os.path.join(PAYLOADS, f"{agent}.json"), encoding="utf-8") as file:
            for place, case in enumerate(json.load(file)["cases"]):
                yield pytest.param(agent, case, id=f"{agent}-{place}-{case['event']}")


CASES = list(cases())
OURS = [case for case in CASES if case.values[1]["heard"]]


def parsed(agent: str, case: dict[str, Any]) -> HookEvent:
    found = parse(case["event"], case["payload"], agent, {})
    assert found is not None
    return found


@pytest.mark.parametrize(("agent", "case"), CASES)
def test_each_event_of_each_agent_is_heard(agent: str, case: dict[str, Any]) -> None:
    found = parse(case["event"], case["payload"], agent, {})
    assert case["source"]
    if case["heard"] is None:
        assert found is None
        return
    assert found is not None
    assert {name: getattr(found, name) for name in case["heard"]} == case["heard"]


@pytest.mark.parametrize(("agent", "case"), OURS)
def test_context_is_given_only_where_the_agent_takes_it(agent: str, case: dict[str, Any]) -> None:
    answer = format_reply(parsed(agent, case), "A fact.")
    assert (answer is not None) == case["speaks"]
    if answer is not None:
        assert read_json(write_json(answer)) == answer
        assert "A fact." in json.dumps(answer)


@pytest.mark.parametrize(
    ("agent", "event", "answer"),
    [
        (
            "claude-code",
            "UserPromptSubmit",
            {"hookSpecificOutput": {"hookEventName": "UserPromptSubmit", "additionalContext": "F"}},
        ),
        ("gemini", "BeforeAgent", {"hookSpecificOutput": {"hookEventName": "BeforeAgent", "additionalContext": "F"}}),
        ("cursor", "sessionStart", {"additional_context": "F"}),
        ("copilot", "sessionStart", {"additionalContext": "F"}),
    ],
)
def test_an_answer_has_the_form_that_the_agent_reads(agent: str, event: str, answer: dict[str, Any]) -> None:
    found = parse(event, {"session_id": "s"}, agent, {})
    assert found is not None
    assert format_reply(found, "F") == answer


def test_a_failure_within_codex_is_answered_as_the_event_that_it_came_with() -> None:
    payload = {"turn_id": "t", "tool_name": "Bash", "tool_response": {"exit_code": 1}}
    found = parse("PostToolUse", payload, "codex", {})
    assert found is not None
    assert (found.event, found.native) == ("PostToolUseFailure", "PostToolUse")
    assert format_reply(found, "F") == {
        "hookSpecificOutput": {"hookEventName": "PostToolUse", "additionalContext": "F"}
    }


@pytest.mark.parametrize(("agent", "case"), OURS)
def test_a_double_firing_has_the_key_of_the_first(agent: str, case: dict[str, Any]) -> None:
    again = {**case, "payload": dict(reversed(case["payload"].items()))}
    assert parsed(agent, case) == parsed(agent, again)
    assert parsed(agent, case).key


@pytest.mark.parametrize(
    ("agent", "event", "one", "other"),
    [
        ("claude-code", "UserPromptSubmit", {"prompt_id": "a", "prompt": "yes"}, {"prompt_id": "b", "prompt": "yes"}),
        (
            "claude-code",
            "UserPromptSubmit",
            {"prompt_id": "a", "prompt": "yes"},
            {"prompt_id": "a", "prompt": "and stop"},
        ),
        ("claude-code", "UserPromptSubmit", {"prompt": "yes"}, {"prompt": "no"}),
        ("gemini", "BeforeAgent", {"timestamp": "T1", "prompt": "yes"}, {"timestamp": "T2", "prompt": "yes"}),
        ("copilot", "userPromptSubmitted", {"timestamp": 1, "prompt": "yes"}, {"timestamp": 2, "prompt": "yes"}),
        ("codex", "PostToolUse", {"turn_id": "a", "tool_use_id": "1"}, {"turn_id": "a", "tool_use_id": "2"}),
        (
            "claude-code",
            "SessionStart",
            {"source": "resume", "context_tokens": 9},
            {"source": "resume", "context_tokens": 12},
        ),
        ("cursor", "stop", {"generation_id": "g", "loop_count": 0}, {"generation_id": "g", "loop_count": 1}),
        ("cursor", "afterAgentResponse", {"generation_id": "g", "text": "one"}, {"generation_id": "g", "text": "two"}),
    ],
)
def test_two_events_of_a_session_have_two_keys(
    agent: str, event: str, one: dict[str, Any], other: dict[str, Any]
) -> None:
    first, second = parse(event, one, agent, {}), parse(event, other, agent, {})
    assert first is not None and second is not None
    assert first.key != second.key


@pytest.mark.parametrize("source", ["sdk", "system", "loop_wakeup", "schedule_wakeup", "poll_event"])
def test_what_a_machine_submits_is_no_persons_prompt(source: str) -> None:
    found = parse("UserPromptSubmit", {"prompt": "Go on.", "source": source}, "claude-code", {})
    assert found is not None
    assert not found.human


@pytest.mark.parametrize("agent", ["cursor", "copilot"])
def test_hooks_of_claude_code_that_another_agent_runs_are_silent(agent: str) -> None:
    """Its own hooks are there for it; otherwise each prompt would be heard twice."""
    with open(os.path.join(PAYLOADS, f"{agent}.json"), encoding="utf-8") as file:
        payloads = [case["payload"] for case in json.load(file)["cases"]]
    borrowed = [one for one in payloads if "cursor_version" in one or "session_id" in one]
    assert borrowed
    assert all(parse(event, one, "claude-code", {}) is None for one in borrowed for event in EVENTS)


def test_a_plugin_of_claude_code_within_codex_is_heard_as_codex() -> None:
    found = parse("PostToolUse", {"turn_id": "t", "tool_name": "Bash", "tool_response": "text"}, "claude-code", {})
    assert found is not None
    assert (found.agent, found.ok) == ("codex", None)


def test_an_agent_that_is_not_known_and_a_payload_that_is_no_object_are_not_for_us() -> None:
    assert parse("SessionStart", {}, "somebody", {}) is None
    others: list[object] = [None, 3, "text", [], True]
    for junk in others:
        assert parse("SessionStart", junk, "claude-code", {}) is None
    assert parse("PreToolUse", {"hook_event_name": "PreToolUse"}, "claude-code", {}) is None


def test_a_payload_without_a_folder_is_of_the_project_in_the_environment() -> None:
    environment = {"CLAUDE_PROJECT_DIR": "/home/ada/shop", "PWD": "/tmp"}
    found = parse("SessionStart", {}, "claude-code", environment)
    assert found is not None
    assert found.cwd == "/home/ada/shop"


def test_a_context_that_an_agent_would_cut_is_not_said() -> None:
    found = parse("SessionStart", {}, "codex", {})
    assert found is not None
    assert format_reply(found, "é" * (LONGEST // 2)) is not None
    assert format_reply(found, "é" * LONGEST) is None
    assert format_reply(found, "") is None


def test_what_is_too_long_is_cut_where_it_says_least() -> None:
    start, end = "Exit code 1", "the cause"
    payload = {"tool_name": "Bash", "tool_input": {"command": "x" * 10**6}, "error": start + "-" * 10**6 + end}
    found = parse("PostToolUseFailure", payload, "claude-code", {})
    assert found is not None
    assert len(found.command) == COMMAND
    assert len(found.error) == ERROR
    assert found.error.startswith(start) and found.error.endswith(end)


def test_half_of_a_pair_and_zeros_do_not_reach_the_store() -> None:
    found = parse("UserPromptSubmit", {"prompt": "a\ud800b\0c"}, "claude-code", {})
    assert found is not None
    assert found.prompt.encode() == b"a?bc"


NAMES = st.sampled_from(
    """session_id prompt_id turn_id cwd transcript_path prompt source tool_name tool_input tool_use_id tool_response
    error is_interrupt last_assistant_message compact_summary trigger reason agent_id timestamp hook_event_name
    sessionId toolName toolArgs toolResult conversation_id generation_id workspace_roots tool_output text status
    command cmd file_path content exit_code exitCode metadata output textResultForLlm resultType llmContent isError
    loop_count context_tokens ok""".split()
)
TEXTS = st.one_of(
    st.text(max_size=30),
    st.sampled_from(
        [
            "bash",
            "Bash",
            "apply_patch",
            "run_shell_command",
            "{",
            '{"exitCode": ',
            '{"a": [[[[',
            "\ud800",
            "*** Update File: ",
        ]
    ),
    st.text(max_size=5).map(lambda some: some * 20_000),
    st.integers(0, 4000).map(lambda depth: '{"a": ' + "[" * depth),
)
JUNK = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), TEXTS, st.just(10**4000)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.one_of(NAMES, st.text(max_size=3)), inner, max_size=6)
    ),
    max_leaves=20,
)
LONGEST_FIELDS = {
    "prompt": PROMPT,
    "command": COMMAND,
    "error": ERROR,
    "answer": ANSWER,
    "summary": SUMMARY,
    "cwd": PATH,
    "target": PATH,
}


@settings(deadline=None, max_examples=60)
@given(st.sampled_from(AGENTS), st.dictionaries(NAMES, JUNK, max_size=12), st.data())
def test_no_payload_breaks_a_hook(agent: str, raw: dict[str, Any], data: st.DataObject) -> None:
    names = __import__(f"treering.surfaces.hook.agents.{agent.partition('-')[0]}", fromlist=["EVENTS"]).EVENTS
    event = data.draw(st.sampled_from([*sorted(names), *sorted(EVENTS), "Other"]))
    found = parse(event, raw, agent, {})
    if found is None:
        return
    for name, value in found._asdict().items():
        assert isinstance(value, str | bool) or (name == "ok" and value is None)
        if isinstance(value, str):
            value.encode()
            assert len(value) <= LONGEST_FIELDS.get(name, PATH)
    format_reply(found, "A fact.")


def test_deep_nesting_does_not_break_a_hook() -> None:
    deep: Any = "end"
    for _ in range(900):
        deep = {"tool_input": [deep]}
    for agent in AGENTS:
        for event in EVENTS:
            found = parse(
                event, {"session_id": deep, "tool_input": deep, "tool_response": deep, "error": deep}, agent, {}
            )
            assert found is None or found.session == ""


def test_json_is_read_and_written_as_everywhere() -> None:
    value = {"a": {"b": ['é"\n\x01', 1, -2.5e-9, True, False, None]}, "c": "\U0001f333"}
    assert read_json(json.dumps(value)) == value
    assert read_json("\ufeff " + json.dumps(value, indent=1, ensure_ascii=False) + "\n") == value
    assert json.loads(write_json(value)) == value
    assert write_json([float("nan"), float("inf"), -float("inf")]) == "[null, null, null]"


@pytest.mark.parametrize("text", ["", "{", '{"a": 1} x', "nothing", "{'a': 1}"])
def test_what_is_no_json_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="char"):
        read_json(text)


@pytest.mark.parametrize("agent", AGENTS)
def test_a_fresh_process_imports_only_what_it_needs_to_hear(agent: str) -> None:
    program = f"""
import sys
from treering.surfaces.hook.agents import format_reply, parse
from treering.text.json import read_json, write_json
found = parse('SessionStart', read_json('{{"session_id": "s", "tool_response": "{{}}"}}'), {agent!r}, {{}})
write_json(format_reply(found, 'A fact.'))
print(*sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert not loaded & set(DEAR)
    others = {f"treering.surfaces.hook.agents.{other.partition('-')[0]}" for other in AGENTS if other != agent}
    assert not loaded & others
