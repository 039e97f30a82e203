"""The page on integrations is true."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[3] / "docs" / "integrations.md"
BLOCKS = re.findall(r"^```python\n(.*?)^```", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("number", range(4))
def test_its_examples_run(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """And each has something to show."""
    monkeypatch.setenv("TREERING_HOME", str(tmp_path))
    exec(compile(BLOCKS[number], str(PAGE), "exec"), {})
    shown = ("likes tea", "30B\t/memories/notes.md", "green tea", "The train leaves on Tuesdays")[number]
    assert shown in capsys.readouterr().out and len(BLOCKS) == 4


def test_nothing_else_loads_these_libraries() -> None:
    """Neither the package, nor the command line, nor what reads the files of others."""
    script = (
        "import sys, treering, treering.surfaces.cli.files, treering.documents.foreign.files, treering.compose\n"
        "sys.exit(any(name.split('.')[0] in ('anthropic', 'langgraph', 'mcp', 'pydantic') for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", script], timeout=300).returncode == 0
