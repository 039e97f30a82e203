"""Live many lives, in several processes of this machine."""

from __future__ import annotations

import faulthandler
import gc
import multiprocessing
import os
import shutil
import tempfile
from collections.abc import Iterator
from functools import partial

from tests.simulator.actions import Export
from tests.simulator.life import Lived, make_exports, simulate

LONGEST_LIFE = 1_800  # seconds of this machine, after which a life hangs: it may have many other things to do
_MEMORY = "/dev/shm"  # a disk that is quick to write to: what a sync means is ours to say

# Of this process: the files that others wrote, made when the first life begins.
_exports: list[Export] = []


def live_all(seeds: range, steps: int, processes: int) -> Iterator[Lived]:
    """Yield the lives of all seeds, as they end."""
    folder = tempfile.mkdtemp(prefix="treering-simulator-", dir=_MEMORY if os.path.isdir(_MEMORY) else None)
    live = partial(_live, folder=folder, steps=steps)
    try:
        if min(processes, len(seeds)) == 1:
            yield from map(live, seeds)
            return
        with multiprocessing.get_context("fork").Pool(processes) as pool:
            yield from pool.imap_unordered(live, seeds, chunksize=4)
    finally:
        _exports.clear()
        shutil.rmtree(folder, ignore_errors=True)


def _live(seed: int, folder: str, steps: int) -> Lived:
    own = os.path.join(folder, f"{os.getpid():010}")  # paths are stored: those of another length would be another life
    if not _exports:
        os.makedirs(own)
        _exports.extend(make_exports(own))
        gc.collect()
        gc.freeze()  # what is loaded by now is not looked at again after each life
    faulthandler.dump_traceback_later(LONGEST_LIFE, exit=True)
    try:
        return simulate(os.path.join(own, "life"), seed, _exports, steps)
    finally:
        faulthandler.cancel_dump_traceback_later()
