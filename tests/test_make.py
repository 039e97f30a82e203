"""What `make` says of the Pythons of a machine."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests import pythons

ROOT = Path(__file__).parent.parent


def script(path: Path, *lines: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(("#!/bin/sh", *lines, "")))
    path.chmod(0o755)
    return path


def fake(path: Path, version: str) -> Path:
    """A Python that knows nothing but its version."""
    return script(path, f'echo "{version.replace(".", " ")} {path}"')


def test_who_has_no_venv_is_told_what_to_install(tmp_path: Path) -> None:
    """As on Debian, where it is a package of its own."""
    (tmp_path / "ensurepip.py").write_text("raise ImportError('not installed')\n")
    done = subprocess.run(
        ["make", "demo", f"PYTHON={sys.executable}", f"VENV={tmp_path / 'venv'}"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert done.returncode != 0
    assert "apt install python3-venv" in done.stderr and "Traceback" not in done.stderr
    assert not (tmp_path / "venv").exists()


def test_an_old_python_is_named_as_such(tmp_path: Path) -> None:
    old = script(tmp_path / "python3", "exit 1")
    command = ["make", "demo", f"PYTHON={old}", f"VENV={tmp_path / 'venv'}"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode != 0
    assert f"{old} is no Python 3.11 or newer" in done.stderr


def test_every_python_from_3_11_on_is_found_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pythons, "DEBIAN", str(fake(tmp_path / "debian" / "python3", "3.11.2")))
    for version in ("3.9.18", "3.11.2", "3.12.1"):
        fake(tmp_path / "pyenv" / "versions" / version / "bin" / "python3", version)
    fake(tmp_path / "path" / "python3.13", "3.13.0")
    script(tmp_path / "path" / "python3.14", "exit 127")  # as a shim of pyenv without a version
    found = pythons.pythons({"PYENV_ROOT": str(tmp_path / "pyenv"), "PATH": str(tmp_path / "path")})
    assert [python.version for python in found] == ["3.11.2", "3.12.1", "3.13.0"]
    assert found[0].path == pythons.DEBIAN


def test_one_python_that_fails_fails_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    found = [pythons.Python("3.11.2", "/a/python3"), pythons.Python("3.12.1", "/b/python3")]
    monkeypatch.setattr(pythons, "pythons", lambda environ: found)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    script(tmp_path / "make", 'case "$*" in *"PYTHON=/b/python3 VENV=.venvs/3.12.1") exit 2;; esac')
    assert pythons.main() == 1
    last = capfd.readouterr().out.splitlines()[-2:]
    assert ["3.11.2" in last[0], "passed" in last[0], "3.12.1" in last[1], "FAILED" in last[1]] == [True] * 4
    script(tmp_path / "make", "exit 0")
    assert pythons.main() == 0


def test_a_failure_is_named_as_soon_as_it_happens(tmp_path: Path) -> None:
    tests = "def test_first(): assert 'this' == 'that'\ndef test_second(): print('the second runs')\n"
    (tmp_path / "test_two.py").write_text(tests)
    command = [sys.executable, "-m", "pytest", "-q", "-s", "-p", "tests.conftest", "-c", os.devnull, str(tmp_path)]
    alone = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(command, cwd=ROOT, env=alone, capture_output=True, text=True)
    named, _, rest = done.stdout.partition("the second runs")
    assert "test_two.py::test_first - AssertionError: assert 'this' == 'that'" in named
    assert "1 failed, 1 passed" in rest
