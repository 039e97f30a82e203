"""What is built, what it brings along, and that it works on a machine that has nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
import venv
import zipfile
from importlib.metadata import distribution
from pathlib import Path

import numpy
import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import hatch_build
from treering.models.embed import static

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
# All that a plain install brings: see docs/decisions/0002-dependencies.md.
DIRECT = {"apsw", "click", "markdown-it-py", "msgspec", "numpy", "pyyaml", "rich", "tomlkit"}
INDIRECT = {
    "mdurl": "markdown-it-py reads addresses with it",
    "pygments": "rich colours code with it",
    "colorama": "click colours a Windows terminal with it",
}
TEXT = "Caroline moved to Gothenburg in May"


def run(*command: str | Path, cwd: Path = ROOT, **environment: str) -> str:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run(command, cwd=cwd, env={**kept, **environment}, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def needed(name: str) -> set[str]:
    """Return a package and all that it needs on this machine, without its extras."""
    wanted = [Requirement(line) for line in distribution(name).requires or ()]
    here = [each.name for each in wanted if each.marker is None or each.marker.evaluate({"extra": ""})]
    return {str(canonicalize_name(name))}.union(*map(needed, here))


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel that pip makes of our source distribution, without a network."""
    folder = tmp_path_factory.mktemp("built")
    run(sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", folder)
    (source,) = folder.glob("*.tar.gz")
    pip = (sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-index", "--no-build-isolation")
    run(*pip, "-w", folder, source)
    (wheel,) = folder.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def bare(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of an environment with the wheel, its dependencies, and nothing else."""
    folder = tmp_path_factory.mktemp("bare")
    venv.create(folder, symlinks=True)
    (packages,) = folder.glob("lib/python*/site-packages")
    for name in set().union(*map(needed, DIRECT)):
        found = distribution(name)
        for top in {file.parts[0] for file in found.files or () if file.parts[0] not in ("..", "__pycache__")}:
            (packages / top).symlink_to(str(found.locate_file(top)))
    pip = (sys.executable, "-m", "pip", "--python", folder / "bin" / "python", "install", "--quiet", "--no-index")
    run(*pip, built)
    return folder / "bin"


def test_the_dependencies_are_few() -> None:
    """Each more is a decision: it goes onto the page, and here."""
    named = {canonicalize_name(Requirement(line).name) for line in PROJECT["project"]["dependencies"]}
    assert named == DIRECT
    assert set().union(*map(needed, DIRECT)) <= DIRECT | set(INDIRECT)
    page = (ROOT / "docs/decisions/0002-dependencies.md").read_text()
    assert not [name for name in DIRECT | set(INDIRECT) if name not in page]


def test_the_vectors_are_packed_from_one_release() -> None:
    """The one that builds is the one that tests compare with, and the one that the notice names."""
    assert hatch_build.SOURCE in PROJECT["project"]["optional-dependencies"]["dev"]
    assert hatch_build.SOURCE in (ROOT / "constraints.txt").read_text().splitlines()
    assert hatch_build.SOURCE.replace("==", " ") in (ROOT / "NOTICE").read_text()


def test_the_packed_files_lie_where_they_are_read() -> None:
    """The build writes them beside the module."""
    assert (ROOT / hatch_build.FOLDER).samefile(static.FOLDER)


def test_a_wheel_holds_the_vectors_and_their_licence(built: Path) -> None:
    """As they were measured, and nothing that the build left behind. It is the same wheel for every machine."""
    with zipfile.ZipFile(built) as wheel:
        files = {Path(name).name: wheel.read(name) for name in wheel.namelist() if "/packed/" in name}
        names = wheel.namelist()
    assert files == {name: Path(static.FOLDER, name).read_bytes() for name in hatch_build.DIGESTS}
    assert b"Permission is hereby granted" in files["LICENSE"]
    assert any(name.endswith(".dist-info/licenses/NOTICE") for name in names)
    assert built.name.endswith("-py3-none-any.whl")


def test_a_wheel_holds_what_the_dashboard_shows(built: Path) -> None:
    """Its templates, its sheet and its modules: nothing is fetched when it runs."""
    folder = ROOT / "src/treering/surfaces/ui"
    there = {
        str(path.relative_to(ROOT / "src")) for kind in ("templates", "static") for path in (folder / kind).iterdir()
    }
    with zipfile.ZipFile(built) as wheel:
        assert there and there <= {*wheel.namelist()}


def test_a_machine_with_nothing_else_embeds_a_text(bare: Path) -> None:
    """The same as here, where the packages for development are."""
    module = static.__name__
    script = f"from {module} import StaticEmbedder; print(StaticEmbedder().embed([{TEXT!r}]).tobytes().hex())"
    found = numpy.frombuffer(bytes.fromhex(run(bare / "python", "-I", "-c", script)), numpy.float32)
    assert (found == static.StaticEmbedder().embed([TEXT])[0]).all()


def test_a_machine_with_nothing_else_recalls_a_meaning(bare: Path, tmp_path: Path) -> None:
    """By the programs that were installed, in a store of their own."""
    home = str(tmp_path / "home")
    run(bare / "treering", "remember", TEXT, cwd=tmp_path, TREERING_HOME=home)
    assert TEXT in run(bare / "treering", "recall", "where does Caroline live", cwd=tmp_path, TREERING_HOME=home)


def test_the_environment_is_bare(bare: Path) -> None:
    """Or the tests before this one would prove nothing."""
    script = "import importlib.util as u; print([n for n in ('wordllama', 'tokenizers', 'pytest') if u.find_spec(n)])"
    assert run(bare / "python", "-I", "-c", script) == "[]\n"


class TestPacking:
    def test_a_tree_that_is_packed_needs_no_package(self) -> None:
        """So only its first build takes the time to install one."""
        hook = hatch_build.PackVectors(str(ROOT), {}, None, None, "", "wheel")  # type: ignore[arg-type]
        assert hook.dependencies() == []

    def test_a_fresh_tree_needs_the_package(self, tmp_path: Path) -> None:
        """Of one release."""
        hook = hatch_build.PackVectors(str(tmp_path), {}, None, None, "", "wheel")  # type: ignore[arg-type]
        assert hook.dependencies() == [hatch_build.SOURCE]

    def test_a_damaged_file_is_packed_anew(self, tmp_path: Path) -> None:
        """Whole, and with nothing left beside it."""
        folder = tmp_path / "packed"
        files = hatch_build.packed()
        hatch_build.write({**files, "tokens.txt": files["tokens.txt"][:-1]}, folder)
        assert not hatch_build.is_packed(folder)
        hatch_build.write(files, folder)
        assert hatch_build.is_packed(folder)
        assert {path.name for path in folder.iterdir()} == set(hatch_build.DIGESTS)

    def test_another_release_is_refused(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """What was not measured is not shipped."""
        monkeypatch.setitem(hatch_build.DIGESTS, "vectors.f16", "0")
        with pytest.raises(hatch_build.NothingToPack, match="not the vectors of wordllama=="):
            hatch_build.packed()
