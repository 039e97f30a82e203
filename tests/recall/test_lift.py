"""What a memory's presence did to the outcome, estimated from recalls in which chance decided whether it was shown."""

from __future__ import annotations

from math import inf, isclose, sqrt
from random import Random
from statistics import mean

import pytest

from treering.recall.lessons.rules import Lift, Showing, lifts

SWAP = 0.05  # the default probability of a swap at the cut-off
RUNS = 400  # seeded
EASY, HARD = 0.9, 0.3  # the success of a recall without the memory


def recalls(dice: Random, count: int, effect: float) -> list[Showing]:
    """Recalls at whose cut-off the memory stood. Where it ranks last of the shown, the question is mostly easy; where
    it ranks first of those not shown, mostly hard: so success goes along with being shown, whatever the memory does."""
    made = []
    for _ in range(count):
        is_last = dice.random() < 0.5
        p = 1 - SWAP if is_last else SWAP
        is_easy = dice.random() < (0.9 if is_last else 0.1)
        shown = dice.random() < p
        success = (EASY if is_easy else HARD) + effect * shown
        made.append(Showing("m", shown, p, float(dice.random() < success)))
    return made


def popularity(rows: list[Showing]) -> float:
    """The success rate where it was shown less that where it was not."""
    return mean(row.reward for row in rows if row.shown) - mean(row.reward for row in rows if not row.shown)


def estimate(rows: list[Showing]) -> Lift:
    (found,) = lifts(rows)
    return found


def covered(effect: float, draw: int) -> int:
    """In how many runs the interval of 1.96 errors holds what is true."""
    dice = Random(f"cover {effect} {draw}")
    found = [estimate(recalls(dice, draw, effect)) for _ in range(RUNS)]
    return sum(abs(one.lift - effect) <= 1.96 * one.error for one in found)


@pytest.mark.parametrize("effect", [-0.2, 0.0, 0.1])
def test_the_estimate_is_right_on_average_where_popularity_is_not(effect: float) -> None:
    """Popularity makes half of the scale out of nothing; the lift is off by less than its own sampling error allows."""
    dice = Random(f"bias {effect}")
    runs = [recalls(dice, 1_000, effect) for _ in range(150)]
    found = [estimate(rows).lift for rows in runs]
    wrong = sqrt(mean((one - mean(found)) ** 2 for one in found) / len(found))
    assert abs(mean(found) - effect) < 3 * wrong
    assert abs(mean(popularity(rows) for rows in runs) - effect) > 0.3


@pytest.mark.parametrize(("effect", "draw"), [(0.0, 100), (0.0, 400), (0.1, 1_000)])
def test_nineteen_of_twenty_intervals_hold_the_truth(effect: float, draw: int) -> None:
    """Of 400 intervals 380 should; four binomial standard deviations are 17."""
    assert 363 <= covered(effect, draw) <= 397


def test_where_a_memory_changes_how_much_rewards_vary_intervals_are_rather_too_wide() -> None:
    assert covered(-0.2, 1_000) >= 0.95 * RUNS


def test_after_two_swaps_an_interval_is_still_wide_enough() -> None:
    """Twenty recalls have one swap, forty have two: nobody may draw a conclusion from them."""
    assert min(covered(0.0, 20), covered(0.0, 40)) >= 0.88 * RUNS
    dice = Random("few")
    assert mean(estimate(recalls(dice, 20, 0.0)).error for _ in range(200)) > 0.4


def test_a_side_of_one_row_is_as_uncertain_as_a_reward_can_be() -> None:
    found = estimate([Showing("m", True, 0.5, 1.0), Showing("m", False, 0.5, 0.0)])
    assert isclose(found.error, sqrt(0.5))
    assert found._replace(error=0.0) == Lift("m", 1.0, 0.0, 1, 1)


@pytest.mark.parametrize("shown", [True, False])
def test_with_one_side_empty_nothing_is_claimed(shown: bool) -> None:
    rows = [Showing("m", shown, 0.95, 1.0)] * 50
    assert lifts(rows) == [Lift("m", 0.0, inf, 50 * shown, 50 * (not shown))]


@pytest.mark.parametrize("p", [0.0, 1.0])
def test_rows_that_chance_did_not_decide_change_nothing(p: float) -> None:
    rows = recalls(Random(3), 100, 0.1)
    sure = [Showing("m", p == 1.0, p, 1.0)] * 1_000
    assert lifts([*rows, *sure]) == lifts(rows)
    assert lifts(sure) == []


def test_each_memory_is_judged_by_its_own_rows_in_the_order_in_which_they_come() -> None:
    rows = recalls(Random(4), 200, 0.1)
    others = [row._replace(memory="another") for row in recalls(Random(5), 200, -0.2)]
    mixed = [row for both in zip(others, rows, strict=True) for row in both]
    assert lifts(mixed) == [*lifts(others), *lifts(rows)]


def test_an_unlikely_row_counts_for_the_many_that_it_stands_for() -> None:
    """Shown against odds of 19 to 1, a failure stands for 19 rows beside a success that was due."""
    rows = [Showing("m", True, 0.95, 1.0), Showing("m", True, 0.05, 0.0), Showing("m", False, 0.5, 0.0)]
    assert isclose(estimate(rows).lift, (1 / 0.95) / (1 / 0.95 + 1 / 0.05))


def test_the_error_halves_with_four_times_the_rows() -> None:
    few, many = (estimate(recalls(Random(6), count, 0.1)).error for count in (2_000, 8_000))
    assert isclose(few / many, 2, rel_tol=0.1)


def test_rewards_may_lie_between_failure_and_success() -> None:
    rows = [Showing("m", shown, 0.5, 0.5 + 0.25 * shown) for shown in (True, False) * 100]
    assert isclose(estimate(rows).lift, 0.25)
    assert 0 < estimate(rows).error < 0.02
