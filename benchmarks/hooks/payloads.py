"""What Claude Code sends to each hook, made up from the notes of the store that it meets."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple
from uuid import UUID

from benchmarks.recalling.notes import notes, questions

KNOWN = "UserPromptSubmit, of something known"  # a whole note, with its names and paths
QUESTION = "UserPromptSubmit, a question"  # some words of a note
SMALL_TALK = "UserPromptSubmit, small talk"

KINDS = (
    "SessionStart",
    "PostToolUse",
    "PostToolUseFailure",
    "PostCompact",
    "Stop",
    "SubagentStop",
    "SessionEnd",
    KNOWN,
    QUESTION,
    SMALL_TALK,
)
_TALK = "Thanks, that looks good to me, please go on with the next step"


class Firing(NamedTuple):
    kind: str
    event: str
    payload: bytes


def firings(turn: int, size: int, folder: str) -> Iterator[Firing]:
    """Every event of a session of its own, so that nothing has been shown or heard before."""
    (known,) = notes(turn * 7919 % size, 1)
    question = questions(turn + 1, size)[turn].text
    texts = {KNOWN: known.content, QUESTION: question, SMALL_TALK: _TALK}
    for place, kind in enumerate(KINDS):
        event = kind.partition(",")[0]
        session = str(UUID(int=(turn << 8) + place + 1))
        common = {
            "session_id": session,
            "transcript_path": f"{folder}/transcripts/{session}.jsonl",
            "cwd": folder,
            "hook_event_name": event,
            "prompt_id": str(UUID(int=(turn << 8) + place + 2)),
            "permission_mode": "default",
        }
        yield Firing(kind, event, json.dumps({**common, **_own(event, known.content, texts.get(kind, ""))}).encode())


def _own(event: str, known: str, prompt: str) -> dict[str, Any]:
    tool: dict[str, Any] = {"tool_name": "Bash", "tool_input": {"command": "make check"}, "tool_use_id": "toolu_1"}
    fields: dict[str, dict[str, Any]] = {
        "SessionStart": {"source": "startup", "model": "claude-sonnet-5"},
        "UserPromptSubmit": {"prompt": prompt, "source": "user"},
        "PostToolUse": {**tool, "tool_response": {"stdout": known, "stderr": "", "interrupted": False}},
        "PostToolUseFailure": {**tool, "error": f"Exit code 2\n{known}", "is_interrupt": False},
        "PostCompact": {"trigger": "auto", "compact_summary": f"{known}\n" * 20},
        "Stop": {"stop_hook_active": False, "last_assistant_message": known},
        "SubagentStop": {"stop_hook_active": False, "agent_id": "agent-1", "last_assistant_message": known},
        "SessionEnd": {"reason": "prompt_input_exit"},
    }
    return fields[event]
