"""`python -m benchmarks.serving`: what an MCP server costs until it has said hello, and until a tool answered.

Time of a processor, of all threads, as the kernel counts it, beside a bare interpreter; and time on the clock, which
is that of a quiet machine only if it is one. Needs /proc, so Linux.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple

TIMES = 7
ASKED: dict[str, dict[str, Any]] = {
    "initialize": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "bench", "version": "1"},
    },
    "tools/list": {},
    "tools/call": {"name": "recall_memories", "arguments": {"query": "which port has the staging database"}},
}
_TICK = os.sysconf("SC_CLK_TCK")
_USER, _SYSTEM = 11, 12  # fields of /proc/PID/stat after the name


class Taken(NamedTuple):
    processor: float
    clock: float


def main() -> None:
    found: dict[str, list[Taken]] = {name: [] for name in ("a bare interpreter, whole", *ASKED)}
    for _ in range(TIMES):
        found["a bare interpreter, whole"].append(_bare())
        with tempfile.TemporaryDirectory() as home:
            for name, taken in _served(home).items():
                found[name].append(taken)
    print(f"{'until it has answered':<28}{'processor':>12}{'clock':>10}   (median of {TIMES}, seconds)")
    for name, rows in found.items():
        print(f"{name:<28}{median(row.processor for row in rows):>12.2f}{median(row.clock for row in rows):>10.2f}")


def _bare() -> Taken:
    before, began = os.times(), perf_counter()
    subprocess.run([sys.executable, "-c", ""], check=True)
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return Taken(spent, perf_counter() - began)


def _served(home: str) -> dict[str, Taken]:
    """Start a server, ask it one thing after the other, and return what each had cost since the start."""
    words = [str(Path(sys.executable).parent / "treering"), "mcp", "--home", str(Path(home) / "home")]
    found, began = {}, perf_counter()
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=home, text=True) as server:
        assert server.stdin is not None and server.stdout is not None
        for number, (method, params) in enumerate(ASKED.items()):
            asked = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
            server.stdin.write(json.dumps(asked) + "\n")
            server.stdin.flush()
            server.stdout.readline()
            fields = Path(f"/proc/{server.pid}/stat").read_text().rpartition(")")[2].split()
            found[method] = Taken((int(fields[_USER]) + int(fields[_SYSTEM])) / _TICK, perf_counter() - began)
            if method == "initialize":
                server.stdin.write('{"jsonrpc": "2.0", "method": "notifications/initialized"}\n')
        server.stdin.close()
    return found


if __name__ == "__main__":
    main()
