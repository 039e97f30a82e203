"""What a memory matters, and how much of that is left."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treering.core.strength import DAY, HALF_LIFE, importance, strength
from treering.core.types import TYPES, Memory

NOW = 1_000 * DAY


def made(type: str = "semantic", **fields: object) -> Memory:
    return Memory("a-1", "x", type, created=NOW, updated=NOW)._replace(**fields)  # type: ignore[arg-type]


def test_a_new_memory_is_worth_what_its_shares_say() -> None:
    """Recency and half or more of relevance, confidence and impact; and a bonus for facts and skills."""
    assert importance(made("episodic"), NOW) == pytest.approx(0.25 + 0.1 + 0.105 + 0.05)
    assert importance(made("semantic"), NOW) == pytest.approx(0.505 + 0.05)
    assert importance(made("procedural"), NOW) == pytest.approx(0.505 + 0.1)


@pytest.mark.parametrize("type", TYPES)
def test_strength_is_halved_with_every_half_life(type: str) -> None:
    """Beside what recency takes from importance."""
    memory = made(type)
    later = NOW + round(HALF_LIFE[type] * DAY)
    assert strength(memory, NOW) == importance(memory, NOW)
    assert strength(memory, later) == pytest.approx(importance(memory, later) / 2, rel=1e-3)


def test_use_makes_it_stronger_and_last_longer() -> None:
    """More accesses count for more, up to ten; and the half-life grows by a fifth with each."""
    later = NOW + 7 * DAY
    once, often = made(accesses=1, accessed=NOW), made(accesses=5, accessed=NOW)
    assert strength(made(), later) < strength(once, later) < strength(often, later)
    assert importance(made(accesses=10), NOW) == importance(made(accesses=99), NOW)
    assert strength(often, NOW + 14 * DAY) == pytest.approx(importance(often, NOW + 14 * DAY) / 2, rel=1e-3)


def test_time_counts_from_the_last_use() -> None:
    """What was recalled today has not faded since it was made."""
    used, unused = made(created=0, accessed=NOW), made(created=0)
    assert strength(used, NOW) == importance(used, NOW)
    assert strength(unused, NOW) < 1e-9


def test_an_invariant_does_not_decay() -> None:
    """However long nobody asks."""
    kept = made(invariant=True, created=0)
    assert strength(kept, NOW) == importance(kept, NOW) > strength(made(created=0), NOW)


@given(
    type=st.sampled_from(TYPES),
    accesses=st.integers(0, 10**6),
    moments=st.tuples(*[st.integers(-(10**18), 10**18)] * 4),
    invariant=st.booleans(),
)
def test_both_lie_between_nothing_and_one(
    type: str, accesses: int, moments: tuple[int, int, int, int], invariant: bool
) -> None:
    """Whatever the clocks say, and strength is never more than importance."""
    created, updated, accessed, now = moments
    memory = Memory("a-1", "x", type, created=created, updated=updated, accessed=accessed)
    memory = memory._replace(accesses=accesses, invariant=invariant)
    assert 0 <= strength(memory, now) <= importance(memory, now) <= 1
