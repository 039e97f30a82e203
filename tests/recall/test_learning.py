"""How recall learns from judgements: pure rules."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treering.recall.lessons.rules import (
    ENOUGH,
    FURTHEST,
    HOPE,
    PROVED,
    RATE,
    WIDEST,
    Case,
    log_odds,
    move_weights,
    trust,
    worth,
)

USUAL = {"keyword": 1.0, "vector": 0.6, "graph": 0.03}
COUNTS = st.tuples(st.floats(0, 1_000), st.floats(0, 1_000))
SHARES = st.fixed_dictionaries(dict.fromkeys(USUAL, st.floats(-1, 1)))


def case(**better: float) -> Case:
    """A query in which channels gave so much more to what helped."""
    return Case({name: 0.5 + better.get(name, 0.0) for name in USUAL}, dict.fromkeys(USUAL, 0.5))


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"by": "explicit", "reward": 1.0}, 1.0),
        ({"by": "explicit", "reward": 0.5}, 0.0),
        ({"by": "explicit", "reward": 0.0}, -1.0),
        ({"by": "implicit", "reward": 1.0}, 0.3),
        ({"by": "outcome", "reward": 1.0, "rank": 1}, 0.5),
        ({"by": "outcome", "reward": 0.0, "rank": 2}, -0.125),
        ({"by": "hearsay", "reward": 1.0}, 0.0),
    ],
)
def test_what_is_said_outright_counts_most(data: dict[str, object], said: float) -> None:
    """And what stood lower in a recall that led somewhere has mostly stood by."""
    assert worth(data) == pytest.approx(said)


@given(st.lists(st.tuples(COUNTS, COUNTS), min_size=1, max_size=3))
def test_odds_are_bounded(levels: list[tuple[tuple[float, float], tuple[float, float]]]) -> None:
    """Whatever was counted, on however many levels."""
    assert -WIDEST <= log_odds(levels) <= WIDEST


def test_odds_follow_what_helped() -> None:
    """More often than the others, as often, less often; and more surely the more was counted."""
    every = (100.0, 300.0)
    assert log_odds([((40, 20), every)]) > log_odds([((10, 5), every)]) > 0.1
    assert log_odds([((25, 75), every)]) == pytest.approx(0.0, abs=0.02)
    assert log_odds([((2, 60), every)]) < -0.5
    assert log_odds([((0, 0), every)]) == pytest.approx(0.0)


def test_a_single_mark_moves_little() -> None:
    """One wrong word is one of many."""
    every = (100.0, 300.0)
    assert abs(log_odds([((1, 0), every)])) < 0.25
    assert abs(log_odds([((0, 1), every)])) < 0.1


def test_a_narrower_level_begins_where_the_wider_one_ended() -> None:
    """Where nothing is known of a type of question, what holds for all does; where much is, that."""
    wide = ((40.0, 20.0), (100.0, 300.0))
    assert log_odds([wide, ((0, 0), (0, 0))]) == pytest.approx(log_odds([wide]), abs=1e-6)
    assert log_odds([wide, ((1, 60), (20, 80))]) < 0 < log_odds([wide])


@given(COUNTS, COUNTS)
def test_trust_is_a_share(hinted: tuple[float, float], others: tuple[float, float]) -> None:
    """Never below nothing: where answered questions mislead, they are not listened to."""
    assert 0.0 <= trust(hinted, others) <= 1.0


def test_trust_is_earned_and_lost() -> None:
    """It begins a little above nothing, and follows whether what lessons spoke for helped."""
    assert trust((0, 0), (0, 0)) == pytest.approx(HOPE / PROVED)
    assert trust((40, 20), (60, 240)) == 1.0
    assert trust((0, 12), (200, 500)) == 0.0


def test_nothing_moves_before_enough_was_judged() -> None:
    """Five queries are not enough, six are."""
    few = move_weights(USUAL, USUAL, [case(vector=0.4)] * ENOUGH)
    assert few.settled and few.weights == USUAL
    assert not move_weights(USUAL, USUAL, [case(vector=0.4)] * (ENOUGH + 1)).settled


def test_the_channel_that_tells_what_helps_counts_more() -> None:
    """A tenth of the way at a time, and together they count as much as ever."""
    after = move_weights(USUAL, USUAL, [case(vector=0.4)] * 10)
    assert after.weights["vector"] > USUAL["vector"]
    assert after.weights["keyword"] < USUAL["keyword"]
    assert sum(after.weights.values()) == pytest.approx(sum(USUAL.values()), abs=0.001)
    assert after.weights["vector"] - USUAL["vector"] < RATE * FURTHEST * USUAL["vector"] + 0.01


def test_weights_settle_and_follow_when_feedback_turns() -> None:
    """They stop where feedback points, and go on when it points elsewhere."""
    weights, steps = dict(USUAL), 0
    while not (after := move_weights(weights, USUAL, [case(vector=0.3)] * 10)).settled:
        weights, steps = dict(after.weights), steps + 1
        assert steps < 100
    assert steps > 5
    turned = move_weights(weights, USUAL, [case(keyword=0.3)] * 10)
    assert not turned.settled and turned.weights["vector"] < weights["vector"]


@given(st.lists(st.builds(Case, SHARES, SHARES), min_size=6, max_size=12), st.integers(1, 60))
def test_no_feedback_takes_weights_further_than_it_may(cases: list[Case], times: int) -> None:
    """However often it is said: no channel is silenced, and none drowns the others."""
    weights = dict(USUAL)
    for _ in range(times):
        weights = dict(move_weights(weights, USUAL, cases).weights)
    for name, usual in USUAL.items():
        assert 0.3 * usual <= weights[name] <= 3.1 * usual
