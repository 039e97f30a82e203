"""What a memory matters, and how much of that is left."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treering.ledger.ageing import DAY, HALF_LIFE, importance, strength
from treering.ledger.types import TYPES, Memory

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


_share = st.floats(0, 1)
_moment = st.integers(0, 2_000).map(lambda days: NOW - 1_000 * DAY + days * DAY)


@st.composite
def lived(draw: st.DrawFn) -> Memory:
    """Any memory, with whatever is known about it."""
    created = draw(_moment)
    return made(draw(st.sampled_from(TYPES)))._replace(
        created=created,
        updated=created,
        accesses=draw(st.integers(0, 20)),
        accessed=draw(st.one_of(st.just(0), _moment)),
        invariant=draw(st.booleans()),
        confidence=draw(_share),
        relevance=draw(_share),
        impact=draw(_share),
        feedback=draw(_share),
    )


@given(lived(), _moment, st.integers(0, 10**15))
def test_strength_never_rises_without_use(memory: Memory, now: int, span: int) -> None:
    """Time takes from it, or leaves it; and so with importance."""
    assert strength(memory, now + span) <= strength(memory, now)
    assert importance(memory, now + span) <= importance(memory, now)


@given(lived(), _moment, st.integers(0, 10**15))
def test_a_use_never_lowers_strength(memory: Memory, now: int, span: int) -> None:
    """Not at the moment of it, and at no later one."""
    used = memory._replace(accesses=memory.accesses + 1, accessed=max(memory.accessed, now))
    assert strength(used, now + span) >= strength(memory, now + span)
    assert importance(used, now + span) >= importance(memory, now + span)


@given(lived(), _moment)
def test_whatever_is_known_of_it_both_lie_between_nothing_and_one(memory: Memory, now: int) -> None:
    """Shares of one add up to one."""
    assert 0 <= strength(memory, now) <= importance(memory, now) <= 1


@pytest.mark.parametrize(
    ("field", "share"), [("relevance", 0.2), ("confidence", 0.15), ("impact", 0.1), ("feedback", 0.1)]
)
def test_each_share_counts_as_the_design_says(field: str, share: float) -> None:
    """From nothing to all of it."""
    nothing, all = (importance(made("episodic", **{field: value}), NOW) for value in (0.0, 1.0))
    assert all - nothing == pytest.approx(share)


def test_ten_uses_are_worth_a_fifth() -> None:
    """One is worth a tenth of that."""
    worth = [importance(made("episodic", accesses=count), NOW) for count in (0, 1, 10)]
    assert [value - worth[0] for value in worth[1:]] == pytest.approx([0.02, 0.2])


def test_recency_falls_by_a_tenth_a_day() -> None:
    """Of its quarter, counted from the last change."""
    memory = made("episodic", relevance=0.0, confidence=0.0, impact=0.0)
    assert importance(memory, NOW + 10 * DAY) == pytest.approx(0.25 / 2.718281828)
