"""An agent that is played: it runs the hooks that its settings name, as Claude Code does, and writes a transcript."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

VERSION = "2.1.300"  # that the transcript names; nothing here depends on it
PATIENCE = 60  # seconds for a hook, of which one takes a tenth


class Session:
    """One session in a folder, from its start to its end. What a method returns is what the hooks added."""

    def __init__(self, name: str, folder: Path, environment: Mapping[str, str]) -> None:
        self._name = name
        self._folder = folder
        self._environment = {**environment, "CLAUDE_PROJECT_DIR": str(folder)}
        self._settings = Path(environment["HOME"], ".claude", "settings.json")
        place = "".join(letter if letter.isalnum() else "-" for letter in str(folder))
        self._transcript = Path(environment["HOME"], ".claude", "projects", place, f"{name}.jsonl")
        self._transcript.parent.mkdir(parents=True, exist_ok=True)
        self._lines = self._prompts = 0

    def start(self) -> str:
        return self._fire("SessionStart", {"source": "startup"})

    def prompt(self, text: str) -> str:
        self._prompts += 1
        added = self._fire("UserPromptSubmit", {"prompt": text, "source": "user"})
        self._write("user", text)
        return added

    def use(self, tool: str, given: Mapping[str, str], output: str, error: bool = False) -> str:
        """Call a tool. What comes out of it is given, as no tool is run here."""
        call = f"toolu_{self._name}_{self._lines}"
        self._write("assistant", [{"type": "tool_use", "id": call, "name": tool, "input": dict(given)}])
        self._write("user", [{"type": "tool_result", "tool_use_id": call, "content": output, "is_error": error}])
        told = {"tool_name": tool, "tool_input": dict(given), "tool_use_id": call}
        if error:
            return self._fire("PostToolUseFailure", {**told, "error": output}, tool)
        return self._fire("PostToolUse", {**told, "tool_response": {"stdout": output, "stderr": ""}}, tool)

    def stop(self, answer: str) -> str:
        self._write("assistant", [{"type": "text", "text": answer}])
        return self._fire("Stop", {"stop_hook_active": False, "last_assistant_message": answer})

    def end(self) -> str:
        return self._fire("SessionEnd", {"reason": "prompt_input_exit"})

    def _fire(self, event: str, told: Mapping[str, Any], tool: str = "") -> str:
        """Run the hooks of an event, those in the background last."""
        groups = json.loads(self._settings.read_text())["hooks"].get(event, ())
        meant = [group for group in groups if not tool or tool in group.get("matcher", tool).split("|")]
        hooks = [hook for group in meant for hook in group["hooks"]]
        payload = {
            "session_id": self._name,
            "transcript_path": str(self._transcript),
            "cwd": str(self._folder),
            "hook_event_name": event,
            **({"prompt_id": f"{self._name}-{self._prompts}"} if self._prompts else {}),
            **told,
        }
        said = [self._run(hook, payload) for hook in sorted(hooks, key=lambda hook: hook.get("async", False))]
        return "\n".join(filter(None, said))

    def _run(self, hook: Mapping[str, Any], payload: Mapping[str, Any]) -> str:
        done = subprocess.run(
            [hook["command"], *hook["args"]],
            input=json.dumps(payload),
            capture_output=True,
            text=True,
            env=self._environment,
            cwd=self._folder,
            timeout=PATIENCE,
            check=True,
        )
        return json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"] if done.stdout else ""

    def _write(self, role: str, content: object) -> None:
        self._lines += 1
        line = {
            "type": role,
            "uuid": f"{self._name}-{self._lines}",
            "sessionId": self._name,
            "timestamp": datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "cwd": str(self._folder),
            "version": VERSION,
            "message": {"role": role, "content": content},
        }
        with self._transcript.open("a") as file:
            file.write(json.dumps(line) + "\n")
