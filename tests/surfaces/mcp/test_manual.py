"""The page on the server is true."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.surfaces.mcp.agents import PATIENCE, environment
from treering.surfaces.cli.serve import PORT
from treering.surfaces.mcp.gate import BURST, LARGEST, PER_SECOND
from treering.surfaces.mcp.http import NAME
from treering.surfaces.mcp.tools import DEFAULT, TOOLS
from treering.surfaces.mcp.worker import AGAIN, IDLE, LONG_MAINTENANCE, MAINTENANCE

PAGE = (Path(__file__).parents[3] / "docs" / "mcp.md").read_text()


def test_the_page_names_every_tool_and_which_are_offered_unasked() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (yes)? ?\|", PAGE, re.MULTILINE)
    assert [name for name, _ in rows] == [tool.name for tool in TOOLS]
    assert tuple(name for name, unasked in rows if unasked) == DEFAULT


def test_the_numbers_of_the_page_hold() -> None:
    """Limits, times, the port and the file of the token."""
    assert (IDLE, MAINTENANCE, AGAIN, LONG_MAINTENANCE) == (60, 10, 600, 30)
    assert "after a minute for 10 seconds at the most, then every ten minutes for 30" in PAGE
    assert LARGEST == 1 << 20 and "more than 1 MiB" in PAGE
    assert f"more than {BURST} at once and {PER_SECOND:.0f} a second" in PAGE
    assert f"http://127.0.0.1:{PORT}/mcp" in PAGE and f"`{NAME}`" in PAGE


def test_the_program_of_the_page_runs(tmp_path: Path) -> None:
    """With the command as it is installed."""
    (program,) = re.findall(r"^```python\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    known = environment(tmp_path / "home")
    known["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), known["PATH"]])
    program = program.replace('"shop"])', '"shop"], env=dict(__import__("os").environ))')  # the client passes few on
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=known, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    assert '"The shop is deployed on Tuesdays"' in done.stdout and "noted by an agent" in done.stdout
