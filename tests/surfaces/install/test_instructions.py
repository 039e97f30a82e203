"""AGENTS.md gets one block, and is as it was when the block is taken out."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.surfaces.cli.driving import Cli
from treering.surfaces.install.instructions import BEGIN


@pytest.mark.parametrize("text", [b"# Rules\n", b"# Rules", b"# Rules\r\n", b"\n\n", b"# caf\xe9\n", None])
def test_the_block_goes_in_once_and_out_to_the_byte(text: bytes | None, cli: Cli, person: Path) -> None:
    """Whatever the file ends with, and if there is none."""
    file = person / "work/AGENTS.md"
    if text is not None:
        file.write_bytes(text)
    for _ in range(2):
        cli.fine("install", "--agents-md")
        assert file.read_bytes().count(BEGIN.encode()) == 1
        assert file.read_bytes().startswith(text or b"")
    cli.fine("uninstall", "--agents-md")
    assert (file.read_bytes() if file.exists() else None) == text


def test_what_stands_around_the_block_stays(cli: Cli, person: Path) -> None:
    """Somebody has written below it since."""
    file = person / "work/AGENTS.md"
    file.write_text("# Rules\n")
    cli.fine("install", "--agents-md")
    file.write_text(file.read_text() + "More.\n")
    cli.fine("uninstall", "--agents-md")
    assert file.read_text() == "# Rules\nMore.\n"


def test_half_a_block_is_left_alone(cli: Cli, person: Path) -> None:
    """Nobody knows where it ends."""
    file = person / "work/AGENTS.md"
    file.write_text(f"{BEGIN}\nmine\n")
    assert cli("uninstall", "--agents-md").code != 0
    assert file.read_text() == f"{BEGIN}\nmine\n"


def test_a_dry_run_writes_nothing(cli: Cli, person: Path) -> None:
    """It only says what it would do."""
    assert "nothing was written" in cli.fine("install", "--agents-md", "--dry-run").out
    assert not (person / "work/AGENTS.md").exists()
