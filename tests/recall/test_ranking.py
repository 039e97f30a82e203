"""From relevance to an order."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.recall.asking import explained, hit
from tests.world import NOON
from treering.ledger.types import Hit, Memory
from treering.recall.ranking import apply_factors, balanced, distinct, factors, put_at


def product(**fields: object) -> float:
    memory = Memory("a-1", "x", created=NOON, updated=NOON)._replace(**fields)  # type: ignore[arg-type]
    return apply_factors(1.0, factors(memory, NOON).values())


def test_what_is_equally_relevant_is_ordered_by_what_it_is() -> None:
    """Live over archived, user over agent over outside, session over project over user; use and Q and invariance."""
    assert product() > product(status="archived")
    assert product(trust="user") > product(trust="agent") > product(trust="external")
    assert product(scope="session") > product(scope="project") > product(scope="user")
    assert product(invariant=True) > product()
    assert product(q=1.0) > product(q=0.5) > product(q=0.0)
    assert product(accesses=5, accessed=NOON) > product() > product(created=0, updated=0)


def test_each_property_has_a_factor_of_its_own() -> None:
    """So that a reader sees what did what; what says nothing is 1."""
    plain = factors(Memory("a-1", "x"), NOON)
    assert list(plain) == ["strength", "q", "status", "trust", "scope", "invariant"]
    assert [value for name, value in plain.items() if name != "strength"] == [1.0] * 5


def test_no_property_hides_a_good_answer() -> None:
    """The worst of everything but the status keeps nine tenths against the plainest."""
    worst = product(trust="external", created=0, updated=0)
    assert worst > 0.9 * product()


@given(
    st.floats(-10, 10, allow_subnormal=False).filter(lambda score: abs(score) > 1e-9),
    st.lists(st.floats(0.5, 2), max_size=6),
)
def test_a_good_factor_never_lowers(score: float, by: list[float]) -> None:
    """Below zero it divides; the sign stays."""
    after = apply_factors(score, by)
    assert apply_factors(after, [1.5]) >= after >= apply_factors(after, [0.5])
    assert (after > 0) == (score > 0)


def test_duplicates_stand_where_the_best_of_them_stood() -> None:
    """The most used speaks, or else the newest; it names the others, and its parts still give its score."""
    best = hit("Tea", 0.9, created=1)
    newer = hit("tea", 0.5, created=2)
    used = hit("TEA!", 0.4, created=0, accesses=3)
    rest = hit("coffee", 0.8)
    first, second = distinct([best, rest, newer, used], [b"t", b"c", b"t", b"t"])
    assert (first.memory, first.score, first.why.same_as) == (used.memory, 0.9, ("Tea", "tea"))
    assert explained(first) == pytest.approx(0.9)
    assert second == rest
    (spoken, _) = distinct([best, newer, rest], [b"t", b"t", b"c"])
    assert spoken.memory == newer.memory


def test_a_live_one_speaks_for_archived_duplicates() -> None:
    """However often those were used; among archived ones the most used does."""
    old, live = hit("tea", id="1", status="archived", accesses=9), hit("Tea", id="2")
    (spoken,) = distinct([old, live], [b"t", b"t"])
    assert (spoken.memory, spoken.why.same_as) == (live.memory, ("1",))
    (spoken,) = distinct([hit("Tea", id="3", status="archived"), old], [b"t", b"t"])
    assert spoken.memory == old.memory


def test_what_looks_alike_and_is_not_the_same_stays() -> None:
    """Another type of memory, and a longer text that was said on two occasions."""
    long = " ".join(["word"] * 30)
    typed = [hit("x", type="semantic"), hit("x", type="procedural")]
    told = [hit(long, id="1", session="a"), hit(long, id="2", session="b")]
    short = [hit("x", id="3", session="a"), hit("x", id="4", session="b")]
    again = [hit(long, id="5", session="a"), hit(long, id="6", session="a")]
    for pair, left in ((typed, 2), (told, 2), (short, 1), (again, 1)):
        assert len(distinct(pair, [b"s", b"s"])) == left


def test_texts_that_say_nothing_are_compared_as_they_stand() -> None:
    """Those without a stem are not all the same."""
    assert len(distinct([hit("§"), hit("¶"), hit("§", id="again")], [b"", b"", b""])) == 2


def floods(origin: str, count: int = 20) -> Iterator[Hit]:
    trust = origin if origin in ("user", "agent") else "external"
    return (hit(f"{origin} {place}", origin=origin, trust=trust) for place in range(count))


@pytest.mark.parametrize("origin", ["document:evil.md", "tool:web", "tool"])
@pytest.mark.parametrize(("k", "most"), [(1, 1), (3, 1), (5, 1), (8, 2), (20, 5)])
def test_one_voice_from_outside_has_a_quarter_at_most(origin: str, k: int, most: int) -> None:
    """Rounded down, and at least one; the room goes to others."""
    found = balanced([*floods(origin), *floods("user")], k)
    assert len(found) == k
    assert sum(one.memory.origin == origin for one in found) == most


def test_lines_of_one_document_are_one_voice() -> None:
    """However many places of it are quoted."""
    lines = [hit(f"line {number}", origin=f"document:a.md:{number}", trust="external") for number in range(1, 9)]
    assert len(balanced(lines, 8)) == 2


@pytest.mark.parametrize("origin", ["user", "agent", "import:notes.jsonl"])
def test_an_import_is_no_voice(origin: str) -> None:
    """It carries what many said; nor are the user and the agent bounded."""
    assert len(balanced([*floods(origin)], 8)) == 8


def test_a_hit_in_the_place_of_another_says_what_that_gave() -> None:
    """With the score of the place, and a part that accounts for it."""
    low = hit("x", 0.5)
    raised, lowered = put_at(low, 0.7, "newest", "older"), put_at(low, 0.3, "newest", "older")
    assert explained(raised) == pytest.approx(0.7) and "newest" in raised.why.parts
    assert explained(lowered) == pytest.approx(0.3) and "older" in lowered.why.parts
    assert put_at(low, 0.5, "newest", "older") == low
