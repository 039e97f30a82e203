"""A lock that goes with the process that holds it, however that ends."""

from __future__ import annotations

import os
import signal
from pathlib import Path

from tests.faults.harness import done, fork
from tests.surfaces.hook.driving import beside
from treering.stores import files as lock


def test_one_process_has_it_and_others_do_without(tmp_path: Path) -> None:
    path = str(tmp_path / "lock")
    assert lock.take(path)
    assert not lock.take(path)  # nor another part of the same process
    assert done(fork(lambda: _finds(path, free=False)))
    lock.release(path)
    assert done(fork(lambda: _finds(path, free=True)))
    lock.release(path)  # who has it not has nothing to give back
    assert lock.take(path)
    lock.release(path)


def test_it_goes_with_a_process_that_is_killed(tmp_path: Path) -> None:
    path = str(tmp_path / "lock")
    with beside(lambda ready: lock.take(path)) as pid:
        assert not lock.take(path)
        os.kill(pid, signal.SIGKILL)
        os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
        assert lock.take(path)
    lock.release(path)


def test_it_is_for_its_owner_only(tmp_path: Path) -> None:
    lock.take(str(tmp_path / "lock"))
    lock.release(str(tmp_path / "lock"))
    assert (tmp_path / "lock").stat().st_mode & 0o777 == 0o600


def _finds(path: str, free: bool) -> None:
    lock._held.clear()  # what a fork copied is the parent's
    assert lock.take(path) == free
