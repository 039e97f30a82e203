"""The JSON of each command keeps its fields, under the name that the command had when the snapshot was taken."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.ledger.frozen import copied
from tests.surfaces.shapes import gone, paths, snapshot
from treering.skills.proposals.texts import unfinished

KNOWN: dict[str, dict[str, dict[str, Any]]] = snapshot("commands")
NOTES = "# Decisions\n\n## Storage\n\nThe session store is Valkey.\n"
SKILL = '---\nname: deploy-staging\ndescription: "Deploy to staging"\n---\nRun `make staging`.\n'
VAULT = "- The dock is on the east side\n  <!-- id: v-9 | created: 2025-12-01 -->\n"
ROW = '{"content": "The warehouse opens at 7"}\n'
FILES = {
    "docs/notes.md": NOTES,
    "skills/deploy-staging/SKILL.md": SKILL,
    "vault/continuity.md": VAULT,
    "rows.jsonl": ROW,
    "noted/MEMORY.md": "# Notes\n\n- The linter runs before each commit\n",
}


class Said(NamedTuple):
    """What came of a command."""

    code: int
    shape: list[str]


def settle(folder: Path) -> Path:
    """Make a project for commands that read or write files, and return its folder."""
    shop = folder / "shop"
    for name, text in {**FILES, "talk.jsonl": _talk()}.items():
        path = shop / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (folder / "person").mkdir()
    return shop


def _talk() -> str:
    """Return a session of an agent in which one command fails again and again."""
    rows: list[tuple[str, Any]] = [("user", "please get the report test to pass")]
    for number in range(3):
        call = {"type": "tool_use", "id": f"call-{number}", "name": "Bash", "input": {"command": "make test-report"}}
        back = {"type": "tool_result", "tool_use_id": f"call-{number}", "is_error": True, "content": "Exit code 2\nno"}
        rows += [("assistant", [call]), ("user", [back])]
    rows.append(("assistant", [{"type": "text", "text": "It needs data."}]))
    return "".join(
        json.dumps({"type": role, "uuid": f"u-{at}", "sessionId": "s", "message": {"role": role, "content": content}})
        + "\n"
        for at, (role, content) in enumerate(rows)
    )


def run(home: Path, shop: Path, line: str) -> Said:
    """Run a command with --json, and return the shape of its answer, or of its error."""
    environment = {**os.environ, "HOME": str(home.parent / "person"), "TREERING_HOME": str(home), "TREERING_SWAP": "0"}
    words = [sys.executable, "-m", "treering", *shlex.split(line), "--json"]
    done = subprocess.run(words, capture_output=True, text=True, encoding="utf-8", cwd=shop, env=environment)
    told = done.stdout or done.stderr
    return Said(done.returncode, paths(_read(told)))


def _read(told: str) -> Any:
    """Return the value that a command printed; an export is one value a line."""
    try:
        return json.loads(told)
    except ValueError:
        return [json.loads(row) for row in told.splitlines()]


def finish(shop: Path) -> None:
    """Write what the drafts of skills lack, as a person does before a skill is promoted."""
    for draft in shop.rglob("SKILL.md"):
        text = draft.read_text("utf-8")
        while lacks := unfinished(text):
            text = text.replace(lacks, "Before a release, run `make data`.")
        draft.write_text(text, "utf-8")


@pytest.mark.parametrize("scene", KNOWN)
def test_no_field_vanishes(scene: str, tmp_path: Path) -> None:
    """The commands of a scene run one after the other on one copy of the stored store."""
    home, shop = copied(tmp_path), settle(tmp_path)
    for line, known in KNOWN[scene].items():
        if line.startswith("evolve promote"):
            finish(shop)
        said = run(home, shop, line)
        assert known["code"] in (said.code, None), line  # none where the machine has a say in it
        assert gone(known["paths"], said.shape) == [], line
