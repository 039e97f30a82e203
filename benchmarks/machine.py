"""What a run ran on, without names and places."""

from __future__ import annotations

import os
import platform
import subprocess
from importlib.metadata import version

import apsw

import treering

_ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def described(folder: str) -> dict[str, str]:
    return {
        "system": f"{platform.system()} {platform.machine()}",
        "processor": _processor(),
        "memory": _memory(),
        "file system": file_system(folder),
        "python": platform.python_version(),
        "apsw": apsw.apsw_version(),
        "sqlite": apsw.sqlite_lib_version(),
        "numpy": version("numpy"),
        "wordllama": version("wordllama"),
        "treering": treering.__version__,
        "commit": _commit(),
    }


def file_system(folder: str) -> str:
    """The type of the file system that a folder is on: fsync on a tmpfs costs nothing and proves nothing."""
    path, found = os.path.realpath(folder) + "/", ("", "unknown")
    for line in _lines("/proc/mounts"):
        _, place, kind, *_ = line.split()
        if path.startswith(place.rstrip("/") + "/") and len(place) >= len(found[0]):
            found = (place, kind)
    return found[1]


def _processor() -> str:
    models = [line.partition(":")[2].strip() for line in _lines("/proc/cpuinfo") if line.startswith("model name")]
    return f"{os.cpu_count()} of {models[0] if models else platform.processor() or 'unknown'}"


def _memory() -> str:
    for line in _lines("/proc/meminfo"):
        if line.startswith("MemTotal:"):
            return f"{int(line.split()[1]) / 2**20:.0f} GiB"
    return "unknown"


def _lines(path: str) -> list[str]:
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        return file.readlines()


def _commit() -> str:
    commit = _git("rev-parse", "--short=12", "HEAD")
    return f"{commit} and changes" if commit and _git("status", "--porcelain", "src") else commit or "none yet"


def _git(*words: str) -> str:
    done = subprocess.run(["git", *words], cwd=_ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else ""
