"""The documentation is true: what can be run is run, and what it points to is there."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import treering
from tests.surfaces.cli.signals import transcript
from treering.ledger.config import Config, load

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("benchmarks/*.md")])

DECISIONS = sorted(ROOT.glob("docs/decisions/*.md"))


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", (ROOT / page).read_text(), re.DOTALL | re.MULTILINE)


def run(command: list[str], home: Path, text: str) -> None:
    environment = {**os.environ, "TREERING_HOME": str(home)}
    environment["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), environment["PATH"]])
    done = subprocess.run(command, input=text, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_commands_of_the_readme_run(tmp_path: Path) -> None:
    """In the order in which they stand, on one store."""
    found = blocks("README.md", "sh")
    assert found
    for block in found:
        run(["bash", "-eux"], tmp_path / "home", block)


def test_prose_is_wrapped() -> None:
    """At a hundred columns: what is longer is a table, code, a picture or an address."""
    long = []
    for page in PAGES:
        prose = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.DOTALL | re.MULTILINE)
        long += [f"{page.name}: {line}" for line in prose.splitlines() if len(line) > 100 and is_prose(line)]
    assert not long


def is_prose(line: str) -> bool:
    return not line.lstrip().startswith(("|", "!", "<", "#")) and "](" not in line and " " in line.strip()


@pytest.mark.parametrize("page", ["README.md", "docs/local-models.md"])
def test_the_python_of_a_page_runs(page: str, tmp_path: Path) -> None:
    """As it stands."""
    found = blocks(page, "python")
    assert found
    for block in found:
        run([sys.executable, "-"], tmp_path / "home", block)


# What is different on every machine, and what stands for it.
VARIES = (
    (r"\b[a-z2-9]{8}-(\d+)\b", r"ID-\1"),
    (r"\b(skill|route|draft|act|group)-[0-9a-f]{10}\b", r"\1-…"),
    (r"\d{4}-\d\d-\d\d[T ][\d:.]+Z", "TIME"),
    (r"\b\d+\.\d s\b", "SECONDS"),
)


def told(text: str, folder: Path) -> str:
    """An answer without what is different on every machine."""
    text = text.replace(str(folder), "/path/to/repo")
    for pattern, instead in VARIES:
        text = re.sub(pattern, instead, text)
    return text.strip("\n")


PLAYED = (
    "proposals consolidation graph learning agents backup editing local-models other-agents files ageing evolution"
).split()


@pytest.mark.parametrize("page", PLAYED)
def test_a_page_tells_what_happens(page: str, tmp_path: Path) -> None:
    """Each command answers what stands below it; `...` is what is left out."""
    folder = tmp_path / "repo"
    folder.mkdir()
    transcript(folder / "session.jsonl", "monday")
    environment = {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "HOME": str(tmp_path)}
    steps = [step for block in blocks(f"docs/{page}.md", "console") for step in block.split("$ ")[1:]]
    assert len(steps) > 2
    for step in steps:
        command, _, wanted = step.partition("\n")
        done = subprocess.run(
            ["bash", "-c", command], capture_output=True, text=True, cwd=folder, env=environment, timeout=300
        )
        assert done.returncode == 0, (command, done.stderr)
        parts = [re.escape(told(part, folder)) for part in re.split(r"(?:^|(?<= )|\n)\.\.\.", f"\n{wanted}")]
        assert re.fullmatch(".*".join(parts), told(done.stdout, folder), re.DOTALL), (command, done.stdout)


def test_the_settings_of_the_page_are_the_settings(tmp_path: Path) -> None:
    """The example is accepted, and the table names every setting with its default."""
    (tmp_path / "config.toml").write_text("".join(blocks("docs/settings.md", "toml")))
    load(str(tmp_path), {})
    page = (ROOT / "docs/settings.md").read_text()
    for name, default in Config._field_defaults.items():
        shown = f"`{default}`" if default not in ("", {}) else "none"
        variable = f"`TREERING_{name.upper()}`" if not isinstance(default, dict) else ""  # a table is in the file only
        assert f"| `{name}` | {variable} | {shown} |".replace("|  |", "| |") in page


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    """Every link to a file of ours."""
    for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
        assert (page.parent / target).exists(), target


def modules_of(page: Path) -> list[str]:
    """Return the files and folders of the source that a page names, as `recall/fence.py` or `recall/`."""
    return re.findall(r"`((?:[a-z_]+/)*[a-z_]+(?:\.py|/))`", page.read_text())


def is_there(name: str) -> bool:
    """A path is taken from src/treering on; a name without a folder may stand in any of them."""
    source = ROOT / "src/treering"
    if "/" in name.rstrip("/"):
        return (source / name).exists() or (ROOT / name).exists()
    return (ROOT / name).exists() or any(source.rglob(name.rstrip("/")))


@pytest.mark.parametrize("page", ["architecture.md", *(f"decisions/{page.name}" for page in DECISIONS)])
def test_every_module_that_a_page_names_exists(page: str) -> None:
    """On the map, and wherever a decision speaks of the code."""
    assert not [name for name in modules_of(ROOT / "docs" / page) if not is_there(name)]


def test_the_layers_on_the_map_are_those_of_the_contract() -> None:
    """The page shows them without the name of the package."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    layers = next(one["layers"] for one in contracts if one["type"] == "layers")
    (shown,) = blocks("docs/architecture.md", "")
    assert shown.split("\n")[:-1] == [layer.replace("treering.", "") for layer in layers]


def test_the_session_file_of_the_page_can_be_read(tmp_path: Path) -> None:
    """What the manual shows of a vault written by hand starts a memory."""
    (tmp_path / "sessions").mkdir()
    (tmp_path / "sessions" / "2026-06-05-friday.md").write_text("".join(blocks("docs/files.md", "markdown")))
    with treering.open(tmp_path / "home") as memory:
        assert memory.documents.read_vault(str(tmp_path)).added == 3
        assert sorted(note.status for note in memory.list()) == ["active", "created", "superseded"]
