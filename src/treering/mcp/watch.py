"""A server ends with whoever started it, even if the pipe between them stays open in some other process."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from threading import Thread
from time import sleep

PAUSE = 2.0  # seconds between two looks: it costs microseconds, and nobody misses what is gone for two seconds
_SYNCHRONIZE = 0x0010_0000  # the right to wait for a process on Windows
_TIMED_OUT = 0x102  # it is still there


def watch(gone: Callable[[], None], pause: float = PAUSE) -> None:
    """Call `gone` from a thread of its own once the process that started this one has ended."""
    lives = _lives()

    def look() -> None:
        while lives():
            sleep(pause)
        gone()

    Thread(target=look, name="treering-parent", daemon=True).start()


def _lives() -> Callable[[], bool]:
    """Whether the parent is still there. An orphan on Unix gets another one; on Windows the number stays."""
    parent = os.getppid()
    if sys.platform != "win32":
        return lambda: os.getppid() == parent
    import ctypes

    kernel = ctypes.windll.kernel32
    handle = kernel.OpenProcess(_SYNCHRONIZE, False, parent)
    return lambda: not handle or kernel.WaitForSingleObject(handle, 0) == _TIMED_OUT
