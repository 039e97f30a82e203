"""The agent of the recording: it runs the hooks that its settings name, as Claude Code does."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from treering.surfaces.cli.demo.stage import Session, added_by

PATIENCE = 60  # seconds for a hook, of which one takes a tenth


def session(name: str, folder: Path, environment: Mapping[str, str]) -> Session:
    """Return a session in a folder of somebody whose home the environment names."""
    home = Path(environment["HOME"], ".claude")
    place = "".join(letter if letter.isalnum() else "-" for letter in str(folder))
    hooks = Hooks(home / "settings.json", folder, {**environment, "CLAUDE_PROJECT_DIR": str(folder)})
    return Session(name, folder, home / "projects" / place / f"{name}.jsonl", hooks.fire, _now)


class Hooks:
    """The hooks of a settings file."""

    def __init__(self, settings: Path, folder: Path, environment: Mapping[str, str]) -> None:
        self._settings = settings
        self._folder = folder
        self._environment = environment

    def fire(self, event: str, payload: Mapping[str, Any], tool: str) -> str:
        """Run the hooks of an event, those in the background last."""
        groups = json.loads(self._settings.read_text())["hooks"].get(event, ())
        meant = [group for group in groups if not tool or tool in group.get("matcher", tool).split("|")]
        hooks = [hook for group in meant for hook in group["hooks"]]
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
        return added_by(done.stdout)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
