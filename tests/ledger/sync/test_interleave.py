"""Whatever three machines do, and in whichever order: in the end they hold the same, and nothing is lost."""

from __future__ import annotations

import os

import pytest

from tests.ledger.sync.interleave import Interleaving

SEEDS = 40
SEEDS_LONG = 10_000


@pytest.mark.parametrize("seed", range(SEEDS))
def test_three_machines_end_equal(seed: int) -> None:
    Interleaving(seed).run()


@pytest.mark.long
def test_three_machines_end_equal_in_ten_thousand_orders() -> None:
    first = int(os.environ.get("FIRST", SEEDS))
    for seed in range(first, first + int(os.environ.get("SEEDS", SEEDS_LONG))):
        try:
            Interleaving(seed).run()
        except Exception as error:
            raise AssertionError(f"seed {seed}: {error}") from error
