"""`python -m benchmarks.house`: the size of the code, the language in it, and how many files one call runs through.

A call is traced in a process of its own, on a store with a few memories and, for maintenance, with a queued session.
Only functions count that run because of the call: what runs while a module is imported does not.
"""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FrameType

import treering
from benchmarks import language

ROOT = Path(treering.__file__).parent
# The most files that a call should run through: more is a maze.
GOALS = {"remember": 15, "recall": 35, "maintain": 40, "hook": 20}
MOST_LINES, MOST_FILES, MOST_ENTRIES = 58_000, 330, 18
_FUNCTION = 0x1  # CO_OPTIMIZED: functions have it, modules and class bodies have not
TEXTS = (
    "We deploy to production on Tuesdays",
    "The staging database of the harbour is read-only after 18:00",
    "Run migrations with a lock timeout of 5 s",
)
CALLS = {
    "remember": "memory.remember('The night build takes forty minutes on the small runner', project='shop')",
    "recall": "memory.recall('when do we deploy to production', project='shop')",
    "maintain": "memory.maintenance.run(60)",
}
PROGRAM = """
import sys, treering
from benchmarks.house import Trace
memory = treering.open(sys.argv[1])
with Trace() as trace:
    {call}
memory.close()
print("\\n".join(sorted(trace.files)))
"""
HOOK = """
import sys
from benchmarks.house import Trace
from treering.surfaces.hook import answer
with Trace() as trace:
    answer(["UserPromptSubmit"], {"TREERING_HOME": sys.argv[1]}, 1_795_000_000_000_000, 0)
print("\\n".join(sorted(trace.files)))
"""


class Trace:
    """Collect the files of the package whose functions run, import-time calls left out."""

    def __init__(self) -> None:
        self.files: set[str] = set()
        self._known: dict[CodeType, str] = {}

    def __enter__(self) -> Trace:
        sys.setprofile(self._seen)
        return self

    def __exit__(self, *error: object) -> None:
        sys.setprofile(None)

    def _seen(self, frame: FrameType, event: str, arg: object) -> None:
        if event != "call" or not frame.f_code.co_flags & _FUNCTION:
            return
        name = self._known.get(frame.f_code)
        if name is None:
            path = Path(frame.f_code.co_filename)
            name = str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else ""
            self._known[frame.f_code] = name
        if name and name not in self.files and not _importing(frame):
            self.files.add(name)


def _importing(frame: FrameType) -> bool:
    """Tell whether a module of the package is being imported further up."""
    above = frame.f_back
    while above is not None:
        if above.f_code.co_name == "<module>" and above.f_code.co_filename.startswith(str(ROOT)):
            return True
        above = above.f_back
    return False


def traced(call: str) -> list[str]:
    """Return the files that a call runs through, in a fresh process on a fresh store."""
    with tempfile.TemporaryDirectory() as home:
        payload = _prepare(Path(home), queue=call == "maintain")
        program = HOOK if call == "hook" else PROGRAM.format(call=CALLS[call])
        command = [sys.executable, "-c", program, home]
        done = subprocess.run(command, input=payload, capture_output=True, text=True, check=True)
    return done.stdout.split()


def _prepare(home: Path, queue: bool) -> str:
    """Fill a store, and queue a prompt if maintenance shall find something to do. Return the payload of a prompt."""
    with treering.open(home) as memory:
        for text in TEXTS:
            memory.remember(text, project="shop")
        memory.recall("lock timeout of migrations", project="shop")
    prompt = {"session_id": "s1", "cwd": str(home), "hook_event_name": "UserPromptSubmit"}
    payload = json.dumps({**prompt, "prompt": "Remember that we deploy to production on Tuesdays, never on Fridays"})
    if queue:
        command = [sys.executable, "-m", "treering.surfaces.hook", "UserPromptSubmit", "--home", str(home)]
        subprocess.run(command, input=payload, capture_output=True, text=True, check=True)
    return payload


def _sources() -> Iterator[tuple[Path, str]]:
    for path in sorted(ROOT.rglob("*.py")):
        yield path, path.read_text(encoding="utf-8")


def sizes() -> dict[str, int]:
    """Return lines, files, entries at the top level, and the 90th percentile and longest of all functions."""
    lengths = sorted(
        (node.end_lineno or node.lineno) - node.lineno + 1
        for _, text in _sources()
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )
    entries = [name for name in os.listdir(ROOT) if name.endswith(".py") or (ROOT / name / "__init__.py").exists()]
    return {
        "lines": sum(text.count("\n") for _, text in _sources()),
        "files": sum(1 for _ in _sources()),
        "entries at the top": len(entries),
        "function, 90th percentile": lengths[int(len(lengths) * 0.9)],
        "function, longest": lengths[-1],
    }


def main() -> int:
    for name, size in sizes().items():
        print(f"{name:26} {size:7,}")
    known = language.counted()
    print(f"{'language code':26} {sum(known.values()):7,} (goal {language.MOST_LINES:,})")
    for folder, lines in known.items():
        print(f"    {folder:22} {lines:7,}")
    for call, goal in GOALS.items():
        files = traced(call)
        folders = len({name.split("/")[0] for name in files})
        print(f"{call:26} {len(files):7} files in {folders} folders (goal {goal})")
        if "--files" in sys.argv:
            print("   ", " ".join(files))
    return 0


if __name__ == "__main__":
    sys.exit(main())
