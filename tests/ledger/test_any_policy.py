"""What holds for every policy, whatever the memories, the limits and the moment."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.ledger.lives import AGEING, HOUR, LIMITS, NOW, made, step
from treering.ledger.ageing import DAY, POLICIES, QUEUE, Due, Limits, due, final_step
from treering.ledger.types import SCOPES, TRANSITIONS, TYPES, Memory


class TestSettled:
    def test_a_memory_comes_to_rest_in_one_step(self) -> None:
        """However many rules led there: one that was never looked at goes to the archive at once."""
        assert final_step("half-life", made("created", 60 * DAY), NOW, 0, LIMITS) == step(
            "half-life", made("active", 60 * DAY)
        )
        (one,) = due("half-life", [made("created", 60 * DAY)], NOW, lambda memory: 0, LIMITS)
        assert (one.memory.status, one.step.to) == ("created", "archived")

    def test_a_step_says_why(self) -> None:
        """The rule in words, and the numbers that it looked at."""
        found = step("age", made(idle=61 * DAY, accesses=1))
        assert found is not None
        assert found.why == "it has not been used for long (idle days 61, accesses 1)"


_far = st.integers(-(10**9), 10**9).map(lambda seconds: NOW + seconds * 1_000_000)


_moment = st.one_of(
    st.integers(0, 200).map(lambda days: NOW - days * DAY), st.integers(0, 48).map(lambda h: NOW - h * HOUR), _far
)


_share = st.floats(0, 1)


_limit = st.integers(0, 400)


LIMIT = st.builds(Limits, _limit, _limit, _limit, st.integers(0, 10), st.integers(0, 10))


@st.composite
def lived(draw: st.DrawFn) -> Memory:
    """A memory of any age, kind and past."""
    created, status = draw(_moment), draw(st.sampled_from(AGEING))
    accesses = draw(st.integers(0, 4)) if status != "created" else 0  # the first use makes it active
    memory = Memory(f"a-{draw(st.integers(1, 99))}", "x", draw(st.sampled_from(TYPES)), draw(st.sampled_from(SCOPES)))
    return memory._replace(
        status=status,
        project=draw(st.sampled_from(["", "p"])),
        created=created,
        updated=created,
        accesses=accesses,
        accessed=draw(_moment) if accesses else 0,
        invariant=draw(st.sampled_from([False, False, False, True])),
        moves=(f"{status}@{draw(_moment)}@x",) if status != "created" else (),
        queued=draw(st.sampled_from([0, 0, 0, NOW])),
        confidence=draw(_share),
        relevance=draw(_share),
        impact=draw(_share),
        feedback=draw(_share),
    )


_policies = st.sampled_from(list(POLICIES))


_store = st.lists(lived(), max_size=30, unique_by=lambda memory: memory.id)


def _counted(memory: Memory) -> int:
    return int(memory.id[2:])


@settings(max_examples=100, suppress_health_check=[HealthCheck.too_slow])
@given(_policies, _store, LIMIT, st.booleans())
def test_a_policy_never_moves_an_invariant(name: str, memories: list[Memory], limits: Limits, room: bool) -> None:
    """Under any limits, in any crowd."""
    moves = list(due(name, memories, NOW, _counted, limits, room))
    assert not any(one.memory.invariant for one in moves)


@settings(max_examples=100, suppress_health_check=[HealthCheck.too_slow])
@given(_policies, _store, LIMIT, st.booleans())
def test_no_policy_takes_a_step_that_the_table_forbids(
    name: str, memories: list[Memory], limits: Limits, room: bool
) -> None:
    """And each memory takes one at the most."""
    moves = list(due(name, memories, NOW, _counted, limits, room))
    for memory, found in moves:
        assert (found.to == QUEUE and memory.status == "active") or found.to in TRANSITIONS[memory.status]
        assert found.why
    assert len({one.memory.id for one in moves}) == len(moves)


@settings(max_examples=100, suppress_health_check=[HealthCheck.too_slow])
@given(_policies, _store, LIMIT)
def test_what_has_come_to_rest_stays_at_rest(name: str, memories: list[Memory], limits: Limits) -> None:
    """Looking again at the same moment finds nothing to do, once room has been made."""
    moves = {one.memory.id: one for one in due(name, memories, NOW, _counted, limits)}
    after = [taken(moves[memory.id]) if memory.id in moves else memory for memory in memories]
    assert list(due(name, after, NOW, _counted, limits, crowding=False)) == []


def taken(move: Due) -> Memory:
    """A memory after its step, as the fold leaves it."""
    memory, found = move
    if found.to == QUEUE:
        return memory._replace(queued=NOW)
    return memory._replace(status=found.to, moves=(*memory.moves, f"{found.to}@{NOW}@{found.rule}"))


@given(lived(), LIMIT, st.integers(0, 40))
def test_no_policy_raises_what_has_faded(memory: Memory, limits: Limits, rings: int) -> None:
    """Only use does: out of the archive there is one way, and it leads further down."""
    for name in POLICIES:
        found = final_step(name, memory._replace(status="archived"), NOW, rings, limits)
        assert found is None or found.to == "forgotten"
