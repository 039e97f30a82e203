"""The rules of tuning: what an answer is worth, and which settings are gone for."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from treering.ledger.decide import weigh
from treering.ledger.types import Context
from treering.recall.lessons.trials import DEPTH, EARLY, LADDERS, RELIEF, Tuning, cost, error, search, worth

TYPE_CHECKING = False
if TYPE_CHECKING:
    from treering.recall.lessons.trials import Setting, Value

GOOD, BAD = 1.0, 0.0
START: Setting = {"keyword": 1.0, "vector": 0.6, "graph": 0.03, "fusion": "scores"}


class TestWorth:
    def test_the_best_order_is_worth_1(self) -> None:
        """Whatever strangers come behind."""
        assert worth(["a", "b", "c", "x"], {"a": GOOD, "b": 0.5, "c": BAD}) == 1.0

    def test_each_place_that_a_good_one_loses_costs_something(self) -> None:
        """To a bad one more than to a stranger, of which nobody knows anything."""
        rewards = {"good": GOOD, "bad": BAD}
        stranger, bad = worth(["x", "good", "bad"], rewards), worth(["bad", "good", "x"], rewards)
        assert 1.0 > stranger > bad > worth(["bad", "x", "good"], rewards)

    def test_bad_ones_gain_nothing_by_giving_way_to_strangers(self) -> None:
        """Otherwise the best setting would be one that finds what nobody has judged."""
        rewards = {"good": GOOD, "bad": BAD, "worse": BAD}
        assert worth(["good", "x", "y", "z"], rewards) == worth(["good", "bad", "worse"], rewards) == 1.0

    def test_one_that_is_lost_counts_as_behind_all(self) -> None:
        """However deep the answer is."""
        rewards = {"good": GOOD, "bad": BAD}
        filled = [f"x{number}" for number in range(DEPTH)]
        assert worth([*filled, "good"], rewards) == worth(filled, rewards) == 0.25  # a pair that is level
        assert worth([*filled[1:], "bad"], rewards) == 0.0

    def test_part_of_an_answer_belongs_between_the_good_and_the_bad(self) -> None:
        rewards = {"good": GOOD, "part": 0.5, "bad": BAD}
        orders = (["good", "part", "bad"], ["part", "good", "bad"], ["part", "bad", "good"], ["bad", "part", "good"])
        found = [worth(order, rewards) for order in orders]
        assert found == sorted(found, reverse=True)
        assert len(set(found)) == len(found)

    def test_silence_is_better_than_nothing_good_and_worse_than_anything_good(self) -> None:
        """To look and find nothing is no silence."""
        useless, useful = {"a": BAD, "b": BAD}, {"a": GOOD, "b": BAD}
        assert worth(["a", "b"], useless) == worth([], useless) == 0.0
        assert worth(None, useless) == RELIEF
        assert worth(None, useful) < worth(["b", "a"], useful)


def measured(worth_of: Callable[[Setting, int], float], recalls: int = 30) -> Callable[[Setting], Iterator[float]]:
    return lambda setting: (worth_of(setting, place) for place in range(recalls))


class TestSearch:
    def test_it_climbs_to_the_best_on_every_ladder(self) -> None:
        """Over several steps, and for a word to the other one."""

        def peak(setting: Setting, place: int) -> float:
            return -abs(float(setting["vector"]) - 2.0) - abs(float(setting["graph"])) + (setting["fusion"] == "ranks")

        path = search(START, [], measured(peak))
        assert path[0] == START
        assert path[-1] == {**START, "vector": 2.0, "graph": 0.0, "fusion": "ranks"}

    def test_one_recall_alone_decides_nothing(self) -> None:
        """Two that agree do."""
        for loud, reached in ((1, "scores"), (2, "ranks")):
            heard = measured(lambda s, place, n=loud: float(s["fusion"] == "ranks") * (place < n))  # type: ignore[misc]
            path = search(START, [], heard)
            assert path[-1]["fusion"] == reached

    def test_what_is_as_good_and_cheaper_is_taken_and_what_is_as_good_is_not(self) -> None:
        """A part that changes nothing is switched off; nothing else moves."""
        assert search(START, [], measured(lambda setting, place: 1.0))[-1] == {**START, "graph": 0.0}
        assert search({"sentence": 0.5}, [], measured(lambda setting, place: 1.0)) == [{"sentence": 0.5}]

    @pytest.mark.parametrize("name", ["keyword", "vector"])
    def test_words_and_vectors_are_turned_down_and_never_off(self, name: str) -> None:
        """Though the questions of the log did not need them: others will."""
        path = search({name: 1.0}, [], measured(lambda setting, place: -float(setting[name])))
        assert path[-1] == {name: LADDERS[name][0]} == {name: 0.1}

    def test_a_part_that_changes_any_answer_stays(self) -> None:
        """Though others gain as much by its absence: so few recalls cannot weigh the one against the other."""

        def moved(setting: Setting, place: int) -> float:
            return 0.5 if setting["graph"] else place % 2

        assert search(START, [], measured(moved))[-1]["graph"] == 0.03

    def test_it_starts_from_another_setting_if_that_is_better(self) -> None:
        """Even a single recall may tell, as it has proved itself elsewhere."""
        other: Setting = {**START, "vector": 1.3, "graph": 1.0}
        path = search(START, [other], measured(lambda setting, place: float(setting == other) * (place == 29)))
        assert path[:2] == [START, other]

    def test_when_the_time_is_up_what_was_found_so_far_stays(self) -> None:
        asked: list[Setting] = []

        def worths(setting: Setting) -> Iterator[float]:
            asked.append(setting)
            yield from [float(setting["vector"])] * (10 if len(asked) < 4 else 5)

        path = search({"vector": 0.6}, [], worths)
        assert [one["vector"] for one in path] == [0.6, 0.9, 1.3]
        assert search(START, [], lambda setting: iter(())) == [START]

    def test_a_step_that_brings_only_losses_is_given_up_early(self) -> None:
        """Or that changes nothing, unless it is cheaper."""
        asked: dict[Value, int] = {}

        def worths(setting: Setting) -> Iterator[float]:
            for place in range(30):
                asked[setting["sentence"]] = place + 1
                yield -abs(float(setting["sentence"]) - 0.5) * (1 + place % 2)

        assert search({"sentence": 0.5}, [], worths) == [{"sentence": 0.5}]
        assert asked == {0.5: 30, 0.75: EARLY, 0.25: EARLY, 0.0: EARLY}

    def test_a_learned_value_between_the_steps_goes_to_the_next_ones(self) -> None:
        """Upwards and downwards."""
        for sign, reached in ((1, 2.0), (-1, 0.1)):
            path = search({"vector": 0.7}, [], measured(lambda s, place, sign=sign: sign * float(s["vector"])))  # type: ignore[misc]
            assert path[-1] == {"vector": reached}

    @pytest.mark.parametrize("name", LADDERS)
    def test_every_step_may_be_set(self, name: str) -> None:
        steps: tuple[Value, ...] = LADDERS[name]
        for step in steps:
            weigh({name: step}, Context())  # does not refuse it


def test_the_cost_counts_the_parts_that_are_at_work() -> None:
    assert cost({"keyword": 1.0, "vector": 0.0, "graph": 0.03, "sentence": 0.5}) == 2


def test_the_standard_error_of_one_among_many_is_its_mean() -> None:
    assert error([1.0] + [0.0] * 9) == pytest.approx(0.1)
    assert error([3.0]) == 0.0


def test_a_tuning_tells_what_it_found_or_why_nothing() -> None:
    """For people and for programs."""
    found = Tuning({"vector": 0.9}, {"vector": 0.9}, {"vector": 0.6}, 0.5, 0.6, 0.1, 0.05, 0.15, 20, 30, 40, 5, 4, 1.25)
    assert found.summary == [
        "tried 40 settings in 1.2 s on recalls that were judged",
        "  vector: 0.6 → 0.9",
        "chosen by 20 recalls, checked by 30 newer ones: 0.500 → 0.600",
        "a gain of +0.100 (90% between +0.050 and +0.150)",
        "parts at work: 5 → 4 of 6",
    ]
    assert found.data["weights"] == {"vector": 0.9}
    assert found.evidence["gain"] == 0.1
    assert Tuning(nothing="no reason").summary[-1] == "nothing is proposed: no reason"
