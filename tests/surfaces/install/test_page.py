"""The page about installing tells what happens."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.surfaces.cli.driving import START
from tests.surfaces.install.tree import put, tree
from tests.test_docs import blocks


def test_the_page_tells_what_happens(person: Path) -> None:
    """Each command answers what stands below it, and in the end everything is as it was."""
    put(person / ".claude/settings.json", '{\n  "model": "opus"\n}\n')
    before = tree(person)
    start = f"import sys; sys.argv[0] = '{person}/.local/bin/treering'; {START}"
    (block,) = blocks("docs/installing.md", "console")
    for step in block.split("$ ")[1:]:
        command, _, wanted = step.partition("\n")
        done = subprocess.run(
            [sys.executable, "-c", start, *command.split()[1:]],
            capture_output=True,
            text=True,
            env={"HOME": str(person), "PATH": os.defpath},
            cwd=person / "work",
            timeout=300,
        )
        assert done.returncode == 0, done.stderr
        parts = [re.escape(part) for part in re.split(r"^\.\.\.\n", wanted, flags=re.MULTILINE)]
        assert re.fullmatch(".*".join(parts), done.stdout.replace(str(person), "/home/you"), re.DOTALL), done.stdout
    assert tree(person) == before
