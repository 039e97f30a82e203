"""Run lives of the simulator in several processes: `python -m tests.simulator --seeds 1000`."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage

from tests.simulator.life import STEPS, Failure, Lived
from tests.simulator.lives import live_all

_SHOWN = 40  # lines of what happened before a failure


def main(arguments: Sequence[str]) -> int:
    asked = _parse(arguments)
    began = time.monotonic()
    seeds = range(asked.first, asked.first + asked.seeds)
    lives: list[Lived] = []
    failures: list[Failure] = []
    for lived in live_all(seeds, asked.steps, asked.processes):
        lives.append(lived)
        if lived.failure is not None:
            failures.append(lived.failure)
            _tell(lived.failure, asked.steps)
        if len(failures) >= asked.most or (asked.seconds and time.monotonic() - began > asked.seconds):
            break
    _sum_up(lives, failures, time.monotonic() - began)
    return bool(failures)


def _parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.simulator", description=__doc__)
    parser.add_argument("--seeds", type=int, default=1_000, help="how many lives")
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    parser.add_argument("--steps", type=int, default=STEPS, help="of each life")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--most", type=int, default=5, help="stop after so many failures")
    parser.add_argument("--seconds", type=float, default=0.0, help="stop after so much time; 0 for no limit")
    return parser.parse_args(arguments)


def _tell(failure: Failure, steps: int) -> None:
    print(f"\nseed {failure.seed} fails after step {failure.step}:", *failure.problems, sep="\n  ")
    print("what happened before:", *failure.trace[-_SHOWN:], sep="\n  ")
    print(f"replay it: make simulate SEED={failure.seed} STEPS={steps}", flush=True)


def _sum_up(lives: Sequence[Lived], failures: Sequence[Failure], seconds: float) -> None:
    steps = sum(one.steps for one in lives)
    used = [getrusage(whose) for whose in (RUSAGE_SELF, RUSAGE_CHILDREN)]
    processor = sum(one.ru_utime + one.ru_stime for one in used)
    print(
        f"simulated {steps:,} steps of {len(lives):,} seeds in {seconds:.0f} s "
        f"({processor:.0f} s of processor time): {len(failures)} failures; "
        f"{sum(one.kills for one in lives):,} kills, {sum(one.cuts for one in lives):,} power cuts, "
        f"{sum(one.faults for one in lives):,} faults of the disk; "
        f"{sum(one.acknowledged for one in lives):,} statements acknowledged, "
        f"{sum(one.purged for one in lives):,} purged"
    )
    if len(lives) == 1:
        print(f"mark of this life: {lives[0].mark}")


if __name__ == "__main__":
    if os.environ.get("PYTHONHASHSEED") != "0":  # the order of sets would be another in each run
        os.environ["PYTHONHASHSEED"] = "0"
        os.execv(sys.executable, [sys.executable, "-m", "tests.simulator", *sys.argv[1:]])
    for name in [name for name in os.environ if name.startswith("TREERING_")]:
        del os.environ[name]
    os.environ["TREERING_SWAP"] = "0"
    sys.exit(main(sys.argv[1:]))
