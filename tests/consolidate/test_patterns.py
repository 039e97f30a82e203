"""Insights: what counts must show before the memory says something about itself, and what it says then."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from treering.consolidate.reflection import patterns
from treering.consolidate.reflection.figures import FOREMOST, MOST_RECENT, WITHIN, CoRecallCounts, CountedRecall, Uses
from treering.consolidate.reflection.insights import KINDS, RULES, Insight, insight, news
from treering.consolidate.reflection.patterns import Faded, JudgedRecalls, Showings, Weighing, apart
from treering.ledger.codec import decode, encode
from treering.skills.proposals.rules import Gap
from treering.skills.signals.rules import Prompt

NOW = 1_767_268_800_000_000
SECOND = 1_000_000


def recall(
    *shown: str, at: int = 0, session: str = "s", type: str = "general", strategy: str = "hybrid"
) -> CountedRecall:
    moment = NOW + at * SECOND
    return CountedRecall(f"r-{at}", moment, moment, session, "", type, strategy, shown, False, False)


def times(together: CoRecallCounts) -> dict[frozenset[str], int]:
    return {frozenset((one, other)): count for one, other, count in together.pairs()}


def hub(key: str, degree: int, scope: str = "") -> Any:
    return SimpleNamespace(key=key, name=key.title(), scope=scope, degree=degree, memories=("m-1", "m-2"))


class TestNoise:
    @pytest.mark.parametrize(
        ("counts", "is_noise"),
        [
            (Showings(5, 5, 5), True),
            (Showings(10, 10, 9), True),
            (Showings(10, 10, 8), False),  # 80 % is not more than 80 %
            (Showings(4, 4, 4), False),  # too few
            (Showings(50, 4, 4), False),  # of most nothing is known
        ],
    )
    def test_what_is_known_to_be_of_no_use_in_more_than_four_of_five_showings_is_noise(
        self, counts: Showings, is_noise: bool
    ) -> None:
        """Showings of which nothing is known count on neither side."""
        assert bool(patterns.noise({"m-1": counts})) == is_noise

    def test_the_most_often_ignored_comes_first(self) -> None:
        """As it costs most."""
        found = patterns.noise({"m-1": Showings(5, 5, 5), "m-2": Showings(9, 9, 9)})
        assert [one.memories for one in found] == [("m-2",), ("m-1",)]

    def test_a_memory_that_others_were_preferred_to_is_ignored_and_one_that_nobody_judged_is_not(self) -> None:
        """Passed over, blamed and credited are known; silence is not."""
        uses = Uses(NOW)
        uses.take(recall("m-1", "m-2", "m-3"), {"m-1": "helpful", "m-2": "", "m-3": "not_helpful"})
        uses.take(recall("m-1", "m-2"), None)
        assert uses.lately == {"m-1": Showings(2, 1, 0), "m-2": Showings(2, 1, 1), "m-3": Showings(1, 1, 1, 1)}

    def test_what_is_half_a_help_is_not_ignored(self) -> None:
        """It was of some use."""
        uses = Uses(NOW)
        uses.take(recall("m-1"), {"m-1": "partially_helpful"})
        assert uses.lately["m-1"].ignored == 0

    def test_what_was_shown_more_than_two_weeks_ago_is_no_noise(self) -> None:
        """It may have been mended since. How recalls fared is told of all."""
        uses = Uses(NOW)
        uses.take(recall("m-1", at=-15 * 86_400), {"m-1": "not_helpful"})
        assert uses.lately == {}
        assert uses.judged == {("general", "hybrid"): JudgedRecalls(1, 0)}


class TestCompany:
    def test_memories_of_one_recall_belong_together_after_three_times(self) -> None:
        """Each time in a sitting of its own."""
        together = CoRecallCounts()
        for turn in range(3):
            assert not together.pairs()
            together.take(recall("m-1", "m-2", at=turn * 1_000))
        assert times(together) == {frozenset(("m-1", "m-2")): 3}

    def test_memories_of_two_recalls_belong_together_within_five_minutes_of_one_session(self) -> None:
        """Not later, and not because somebody else asked at the same time."""
        near, far, apart = CoRecallCounts(), CoRecallCounts(), CoRecallCounts()
        for turn in range(3):
            at = turn * 10_000
            for together, later, session in ((near, 300, "s"), (far, 301, "s"), (apart, 1, "t")):
                together.take(recall("m-1", at=at))
                together.take(recall("m-2", at=at + later, session=session))
        assert times(near) == {frozenset(("m-1", "m-2")): 3}
        assert not far.pairs()
        assert not apart.pairs()

    def test_asking_again_within_five_minutes_adds_nothing(self) -> None:
        """A hook that fires twice, or a user who does, has not found out more."""
        together = CoRecallCounts()
        for turn in range(20):
            together.take(recall("m-1", "m-2", at=turn * 200))
        assert not together.pairs()

    def test_a_burst_of_recalls_joins_only_what_came_last(self) -> None:
        """Otherwise everything would belong to everything, and counting would take for ever."""
        together = CoRecallCounts()
        for turn in range(3):
            for number in range(MOST_RECENT + 2):
                together.take(recall(f"m-{number}", at=turn * 10_000 + number))
        found = times(together)
        assert frozenset(("m-0", "m-1")) in found
        assert frozenset(("m-0", f"m-{MOST_RECENT + 1}")) not in found

    def test_only_the_first_of_a_recall_count(self) -> None:
        """What stands lower has mostly stood by."""
        together = CoRecallCounts()
        for turn in range(3):
            together.take(recall(*(f"m-{number}" for number in range(FOREMOST + 1)), at=turn * 1_000))
        assert all(f"m-{FOREMOST}" not in pair for pair in times(together))

    def test_what_comes_often_survives_however_many_others_come_once(self) -> None:
        """Memory stays bounded: what came least is let go."""
        together = CoRecallCounts(most=50)
        for turn in range(100):
            together.take(recall("m-1", "m-2", at=turn * 1_000))
            together.take(recall(*(f"x-{turn}-{number}" for number in range(4)), at=turn * 1_000, session="t"))
        assert times(together)[frozenset(("m-1", "m-2"))] == 100
        assert len(together._times) <= 50

    def test_sessions_that_fell_silent_are_let_go(self) -> None:
        """There may be a hundred thousand of them."""
        together = CoRecallCounts()
        for number in range(2_000):
            together.take(recall("m-1", at=number * WITHIN // SECOND, session=f"s{number}"))
        assert len(together._recent) < 1_000


class TestComparing:
    def test_shares_are_apart_by_more_the_more_there_is_behind_them(self) -> None:
        """Of nothing, nothing can be said."""
        assert apart((9, 10), (1, 10)) > apart((90, 100), (70, 100)) > apart((9, 10), (7, 10)) > 0
        assert apart((7, 10), (9, 10)) < 0
        assert apart((0, 0), (1, 2)) == apart((1, 2), (0, 0)) == apart((5, 5), (9, 9)) == 0

    def test_a_strategy_stands_out_where_it_helps_clearly_more_often_than_the_others(self) -> None:
        """Vector search for errors, here; for conventions too little is known."""
        judged = {
            ("error_debug", "vector"): JudgedRecalls(20, 18),
            ("error_debug", "keyword"): JudgedRecalls(20, 6),
            ("convention", "vector"): JudgedRecalls(9, 9),
            ("convention", "keyword"): JudgedRecalls(9, 0),
        }
        (found,) = patterns.strategies(judged)
        assert found.tokens == ("error_debug", "vector")
        assert found.text.startswith("vector alone finds what helps for error_debug: 18 of 20 judged recalls helped")

    def test_strategies_that_fare_about_alike_say_nothing(self) -> None:
        """Two of twenty more may be chance."""
        judged = {("general", "vector"): JudgedRecalls(20, 12), ("general", "keyword"): JudgedRecalls(20, 10)}
        assert not patterns.strategies(judged)

    def test_a_type_of_query_stands_out_for_which_little_is_found(self) -> None:
        """And the others do not, for being better."""
        judged = {("how_to", "hybrid"): JudgedRecalls(30, 6), ("general", "hybrid"): JudgedRecalls(60, 45)}
        assert [one.tokens for one in patterns.poor(judged)] == [("how_to",)]

    def test_a_channel_that_came_to_count_much_more_is_told(self) -> None:
        """And how to take it back. A small step is none."""
        start = {"keyword": 1.0, "vector": 0.6}
        far = Weighing("shop", "error_debug", start, {"keyword": 0.6, "vector": 1.0}, 4, "e-9", 30)
        near = Weighing("", "", start, {"keyword": 0.98, "vector": 0.62}, 1, "e-10")
        (found,) = patterns.weights([far, near])
        shares = "62% of the whole instead of 38% for error_debug in project shop"
        assert found.text.endswith(f"{shares}, as 30 answered recalls have taught")
        assert "treering undo e-9" in found.done


class TestFading:
    def test_a_type_that_comes_back_clearly_more_often_than_the_others_fades_too_soon(self) -> None:
        """The others do not."""
        groups = {("", "procedural"): Faded(40, 4, 10), ("", "episodic"): Faded(200, 2, 3)}
        (found,) = patterns.fading(groups)
        assert found.tokens == ("procedural",)
        assert "14 of 40 came back, of the others 5 of 200" in found.text

    def test_types_that_come_back_alike_say_nothing(self) -> None:
        """However often that is."""
        assert not patterns.fading({("", "procedural"): Faded(40, 0, 20), ("", "episodic"): Faded(40, 0, 19)})

    def test_a_type_that_is_alone_is_compared_with_what_a_rule_may_get_wrong(self) -> None:
        """One in twenty."""
        assert patterns.fading({("shop", "semantic"): Faded(100, 0, 6)})[0].tokens == ("semantic", "shop")
        assert not patterns.fading({("shop", "semantic"): Faded(100, 0, 5)})
        assert not patterns.fading({("shop", "semantic"): Faded(9, 0, 9)})
        assert not patterns.fading({})


class TestGraph:
    def test_an_entity_that_is_related_to_far_more_than_others_is_a_hub(self) -> None:
        """Of its own scope: another project is another world."""
        entities = [hub(f"e{number}", 3) for number in range(30)]
        (found,) = patterns.hubs([*entities, hub("api", 60), hub("core", 60, "elsewhere")])
        assert found.about == "Api"
        assert found.text.startswith("Api is related to 60 others, 19 of 20 entities there to at most 3")

    def test_where_all_are_related_to_much_none_is_a_hub(self) -> None:
        """Nor where there are few."""
        assert not patterns.hubs([hub(f"e{number}", 30) for number in range(30)])
        assert not patterns.hubs([*(hub(f"e{number}", 1) for number in range(5)), hub("api", 60)])
        assert not patterns.hubs([*(hub(f"e{number}", 1) for number in range(30)), hub("api", 10)])

    def test_no_name_of_an_entity_is_written_down(self) -> None:
        """A name is text of a memory: who purges that must find nothing left."""
        (found,) = patterns.hubs([*(hub(f"e{number}", 1) for number in range(30)), hub("secretproject", 60)])
        assert "secretproject" not in encode(found.data).lower()
        assert patterns.hub_marks([hub("secretproject", 1)])[found.mark] == "Secretproject"


class TestInsights:
    def test_every_rule_finds_a_kind_and_says_what_it_found(self) -> None:
        """From numbers alone; what is missing in them does not break it."""
        assert set(RULES.values()) == set(KINDS)
        for rule in RULES:
            assert insight(rule, "x", (), (), {}).text

    def test_the_same_matter_has_the_same_mark_and_another_one_another(self) -> None:
        """However much speaks for it, and in whatever order."""
        first, second = patterns.together([("m-1", "m-2", 3)]), patterns.together([("m-2", "m-1", 9)])
        assert first[0].mark == second[0].mark != patterns.together([("m-1", "m-3", 3)])[0].mark
        assert first[0].rule == "together"

    def test_a_gap_is_known_again_when_more_prompts_come(self) -> None:
        """Its first prompt names it. Too few prompts, or one wording, are no gap."""
        prompts = [Prompt(f"e-{n}", f"terraform state {n}", ("terraform", "state"), f"s{n}", n) for n in range(5)]
        assert not patterns.gap(Gap(tuple(prompts[:2])))
        assert not patterns.gap(Gap((prompts[0],) * 5))
        (few,), (many,) = patterns.gap(Gap(tuple(prompts[:3]))), patterns.gap(Gap(tuple(prompts)))
        assert few.mark == many.mark
        assert many.text == "nothing is known about terraform state: 5 prompts (5 wordings) met with silence"

    def test_what_was_noted_comes_again_only_with_twice_as_much_behind_it(self) -> None:
        """Nobody wants to be told the same every day."""
        known = {one.mark: one for one in patterns.together([("m-1", "m-2", 4)])}
        for count, comes in ((4, False), (7, False), (8, True)):
            assert bool(news(patterns.together([("m-1", "m-2", count)]), known)) == comes
        assert news(patterns.together([("m-1", "m-3", 3)]), known)

    def test_what_is_written_down_reads_back_as_the_same(self) -> None:
        """But for what is found again when it is read."""
        (told,) = patterns.group([f"m-{number}" for number in range(12)])
        data = decode(encode(told._replace(done="queued", about="words of memories").data))
        assert data.pop("memories") == [f"m-{number}" for number in range(10)]
        assert data == {
            "kind": "consolidation_signal",
            "mark": told.mark,
            "tokens": [],
            "evidence": {"members": 12},
            "done": "queued",
        }
        assert Insight(told.kind, told.mark, evidence=data["evidence"]).text == "12 memories could be one"
