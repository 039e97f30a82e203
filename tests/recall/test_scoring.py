"""Scores of candidates: pure functions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treering.recall import scoring
from treering.recall.index.profiles import Candidates
from treering.recall.scoring import NO_LINKS, Links, Mix, Term
from treering.stores.port.search import PASSAGE, Place

PARROT, EATS, SEEDS = 1, 2, 3
TERMS = (Term("parrot", PARROT, 2.0), Term("eat", EATS, 1.0))


def candidates(*texts: Sequence[int], words: int = 0, vectors: Sequence[Sequence[float]] = ()) -> Candidates:
    """Texts as stems, each as long as it is or as told; texts without sentences."""
    ends = np.cumsum([len(text) for text in texts])
    width = len(vectors[0]) if vectors else 1
    matrix = np.array(vectors or [[0.0]] * len(texts), np.float32)
    return Candidates(
        np.arange(1, len(texts) + 1),
        np.zeros(len(texts), np.int64),
        np.array([words or len(text) for text in texts]),
        np.array([stem for text in texts for stem in text], np.uint32),
        ends,
        matrix,
        np.empty((0, width), np.int8),
        np.empty(0, np.float32),
        np.zeros(len(texts), np.intp),
    )


def keyword(found: Candidates, pairs: Sequence[tuple[int, int]] = (), length: float = 0.0) -> list[float]:
    often = scoring.occurrences(found, TERMS)
    return [*scoring.keyword(found, TERMS, often, pairs, length, 100)]


@given(st.integers(0, 10**7), st.integers(0, 10**7))
def test_rarity_is_never_negative_and_falls(holding: int, size: int) -> None:
    """Also in a store of none or one, and where a count is above the size."""
    assert scoring.rarity(holding, size) >= scoring.rarity(holding + 1, size) > 0


def test_rarer_words_and_more_of_them_score_more() -> None:
    """And a text without any of them scores nothing."""
    both, rare, common, none = keyword(candidates((PARROT, EATS), (PARROT, 9), (EATS, 9), (8, 9)))
    assert both > rare > common > none == 0.0


def test_a_word_said_again_adds_less_each_time() -> None:
    """Up to a little more than twice the weight of the word."""
    once, twice, often = keyword(candidates((PARROT,), (PARROT, PARROT), (PARROT,) * 40, words=40))
    assert once < twice < 2 * once
    assert twice < often < (scoring.SATURATION + 1) * 2.0


def test_no_text_gains_by_being_shorter_than_a_passage() -> None:
    """And longer ones lose."""
    (short,) = keyword(candidates((PARROT,), words=1))
    (passage,) = keyword(candidates((PARROT,), words=PASSAGE))
    (long,) = keyword(candidates((PARROT,), words=10 * PASSAGE))
    assert short == passage > long > 0


def test_words_side_by_side_count_for_more() -> None:
    """In the order of the query and within one text."""
    found = candidates((PARROT, EATS), (EATS, PARROT), (9, PARROT), (EATS, 9))
    plain, paired = keyword(found), keyword(found, [(PARROT, EATS)])
    gained = np.array(paired) - plain
    assert gained[0] == pytest.approx(scoring.PAIR * scoring.rarity(1, 100))
    assert [*gained[1:]] == [0.0, 0.0, 0.0]


def test_a_query_without_words_scores_nothing() -> None:
    """Nor does a store without candidates break anything."""
    found = candidates((PARROT,), (EATS,))
    assert [*scoring.keyword(found, (), scoring.occurrences(found, ()), (), 0.0, 2)] == [0.0, 0.0]
    empty = candidates()
    assert keyword(empty) == []
    assert scoring.relative(np.empty(0), np.empty(0), 0.0, 5).size == 0
    assert scoring.timely(np.empty(0), 5).size == 0
    assert scoring.share(np.empty(0)).size == 0


def test_a_time_says_more_the_fewer_lie_in_it() -> None:
    """Like a word."""
    few = scoring.timely(np.array([1.0, 0.0, 0.0, 0.0]), 4)
    many = scoring.timely(np.array([1.0, 1.0, 1.0, 0.0]), 4)
    assert few[0] > many[0] > few[1] == 0.0


def test_likeness_is_of_the_whole_and_of_the_best_sentence() -> None:
    """Half and half; a text of one sentence is its own best."""
    found = candidates((1,), (2,), vectors=[(1.0, 0.0), (0.6, 0.8)])._replace(
        sentences=np.array([[0, 100], [50, 0]], np.int8), lengths=np.array([100, 50], np.float32),
        last=np.array([0, 2]),
    )  # fmt: skip
    whole, best = scoring.likeness(found, np.array([1.0, 0.0], np.float32))
    assert [*whole] == pytest.approx([1.0, 0.5 * 0.6 + 0.5 * 1.0])
    assert [*best] == pytest.approx([1.0, 1.0])


def test_the_typical_likeness_is_that_of_the_average() -> None:
    """Over all places; nothing is typical where there are no vectors."""
    places = [Place(1, total=np.array([10, 0], np.int32).tobytes(), norms=10), Place(2)]
    places.append(Place(3, total=np.array([0, 30], np.int32).tobytes(), norms=30))
    assert scoring.typical(scoring.middle(places), np.array([1.0, 0.0], np.float32)) == pytest.approx(0.25)
    assert scoring.typical(scoring.middle([Place(1)]), np.array([1.0], np.float32)) == 0.0


def test_nearness_is_a_share_of_the_way_from_the_typical_to_the_nearest() -> None:
    """The nearest has 1, and what is further away than the typical less than 0; few are not their own middle."""
    scores = np.array([0.9, 0.5, 0.1])
    few = scoring.relative(scores, scores, 0.3, 3)
    assert few[0] == 1.0 and few[1] > 0 > few[2]
    large = scoring.relative(scores, scores, 0.3, 10**6)
    assert large[0] == 1.0 and large[0] > large[1] > large[2]


def test_differences_that_are_noise_are_not_stretched() -> None:
    """Where all are about equally like, they stay so."""
    scores = np.array([0.301, 0.3, 0.299])
    assert np.ptp(scoring.relative(scores, scores, 0.3, 3)) < 0.03


def test_one_alone_is_not_its_own_middle() -> None:
    """Or the only memory of a store would never be found by its meaning."""
    scores = np.array([0.4])
    assert scoring.relative(scores, scores, 0.4, 1)[0] > 0


def test_shares_are_of_the_best() -> None:
    """And all are nothing where nothing was found."""
    assert [*scoring.share(np.array([4.0, 1.0, 0.0]))] == [1.0, 0.25, 0.0]
    assert [*scoring.share(np.zeros(2))] == [0.0, 0.0]


def test_likeness_to_the_leaders_counts_where_these_are_long() -> None:
    """A short leader says no more than was asked."""
    vectors = [(1.0, 0.0), (0.9, 0.44), (0.8, 0.6), (-1.0, 0.0)]
    scores = np.array([1.0, 0.9, 0.1, 0.1])
    short = candidates((1,), (1,), (1,), (1,), vectors=vectors)
    assert [*scoring.alike(short, scores, scoring.middle(()))] == [0.0] * 4
    long = candidates((1,), (1,), (1,), (1,), words=20 * PASSAGE, vectors=vectors)
    added = scoring.alike(long, scores, scoring.middle(()))
    assert added[2] > 0.5 > 0 > added[3]


def test_short_texts_get_a_share_of_the_better_neighbour() -> None:
    """Long ones hardly any; one without neighbours, or with worse than none, gets nothing."""
    links = Links.of({1: {2: 1.0, 3: 1.0}, 2: {1: 1.0}, 4: {5: 1.0}})
    scores = np.array([0.1, 1.0, 0.5, 0.2, -1.0])
    given = scoring.neighbourly(candidates(*[(9,)] * 5), scores, links)
    assert [*given] == pytest.approx([Mix().neighbour * 1.0, Mix().neighbour * 0.1, 0.0, 0.0, 0.0])
    long = scoring.neighbourly(candidates(*[(9,)] * 5, words=10 * PASSAGE), scores, links)
    assert long[0] == pytest.approx(given[0] / 10)


def test_company_counts_by_how_often() -> None:
    """And one that is no candidate neither gives nor gets."""
    links = Links.of({1: {2: 0.5}, 3: {99: 1.0}, 99: {1: 1.0}})
    given = scoring.sociable(candidates((1,), (1,), (1,)), np.array([0.0, 1.0, 0.0]), links)
    assert [*given] == pytest.approx([Mix().company * 0.5, 0.0, 0.0])
    assert [*scoring.sociable(candidates((1,)), np.array([1.0]), NO_LINKS)] == [0.0]
