"""Pictures of text: what is more is drawn longer or higher, whatever the terminal can show; and `stats`."""

from __future__ import annotations

import pytest

from tests.surfaces.cli.driving import Cli, Program
from treering.consolidate.reflection.figures import Health, Share, Tokens, Week, Weighed
from treering.surfaces.cli.render import Page, width
from treering.surfaces.cli.stats import ASCII, BLOCKS, Ink, bar, bars, encoding_of, fitted, ink_for, plot, spark, told

INKS = (BLOCKS, ASCII)
MONDAY = 1_767_571_200_000_000  # 2026-01-05T00:00:00Z


@pytest.mark.parametrize("ink", INKS)
class TestPictures:
    def test_a_bar_is_as_wide_as_it_should_be_and_longer_for_more(self, ink: Ink) -> None:
        """Only nothing is empty, and only all of it full."""
        drawn = [bar(value, 100, 10, ink) for value in (0, 0.01, 30, 60, 99.9, 100, 200, -5)]
        assert {len(one) for one in drawn} == {10}
        filled = [len(one.rstrip(ink.empty)) for one in drawn]
        assert filled[0] == filled[-1] == 0 < filled[1] < filled[2] < filled[3] <= filled[4]
        assert drawn[4] != drawn[5] == drawn[6] == ink.parts[-1] * 10

    def test_bars_stand_below_each_other_within_the_width(self, ink: Ink) -> None:
        """Names to the left, numbers to the right."""
        drawn = bars([("junk", 5), ("all of them", 1_000)], 50, ink, "{:,.0f}".format)
        assert {len(one) for one in drawn} == {50}
        assert drawn[0].startswith("junk         ") and drawn[0].endswith("      5")
        assert drawn[1].endswith(f"{ink.parts[-1]}  1,000")

    def test_a_sparkline_has_a_step_for_each_value(self, ink: Ink) -> None:
        """The largest is the highest, and only nothing is as low as nothing."""
        drawn = spark([0, 0.001, 5, 10], 60, ink)
        assert (drawn[0], drawn[1], drawn[3]) == (ink.steps[0], ink.steps[1], ink.steps[-1])
        assert ink.steps.index(drawn[2]) in (3, 4)
        assert spark([0, 0], 60, ink) == ink.steps[0] * 2
        assert spark([], 60, ink) == ""
        assert spark([5], 60, ink, most=10) != spark([5], 60, ink)

    def test_more_values_than_fit_are_joined(self, ink: Ink) -> None:
        """None is left out: a stretch is worth its mean."""
        assert fitted([1, 3, 5, 7], 2) == [2, 6]
        assert len(spark([*range(1_000)], 26, ink)) == 26

    def test_a_line_goes_from_its_first_value_to_its_last_and_leaves_gaps(self, ink: Ink) -> None:
        """Zero is at the bottom, the largest at the top, and both are named."""
        drawn = plot([0.0, None, 0.5], 8, 3, ink, "{:.0%}".format)
        assert drawn == [f"50% {ink.axis}  {ink.point}", f"    {ink.axis}", f" 0% {ink.axis}{ink.point}"]
        wide = plot([0.0, 0.5], 9, 3, ink, "{:.0%}".format)
        assert wide[0] == f"50% {ink.axis}  {ink.point * 2}"
        assert max(map(len, plot([*range(500)], 40, 6, ink))) == 40

    def test_a_line_of_nothing_is_an_empty_plot(self, ink: Ink) -> None:
        """It says so by its axis."""
        assert all(ink.point not in line for line in plot([], 20, 4, ink))
        assert all(ink.point not in line for line in plot([None, None], 20, 4, ink))


class TestInk:
    @pytest.mark.parametrize(
        "environment", [{}, {"LANG": "C"}, {"LANG": "de_DE.UTF-8"}, {"LC_ALL": "en_US.utf8@euro", "LANG": "x.latin-1"}]
    )
    def test_blocks_are_drawn_where_they_can_be_shown(self, environment: dict[str, str]) -> None:
        """Or where nobody says otherwise."""
        assert ink_for(encoding_of(environment)) is BLOCKS

    @pytest.mark.parametrize(
        "environment",
        [
            {"LANG": "de_DE.ISO-8859-1"},
            {"LC_CTYPE": "C.ascii", "LANG": "C.UTF-8"},
            {"LANG": "x.no-such"},
            {"TERM": "dumb"},
        ],
    )
    def test_plain_letters_are_drawn_where_blocks_cannot_be_shown(self, environment: dict[str, str]) -> None:
        """The most particular setting counts."""
        assert ink_for(encoding_of(environment)) is ASCII
        assert "".join(ASCII).isascii()


def health(**given: object) -> Health:
    weeks = tuple(Week(MONDAY + n * 7 * 86_400_000_000, n, 10 + n, n, n, n // 2) for n in range(12))
    shares = dict.fromkeys(("junk", "echoes", "duplicates", "wrong", "misses", "feedback"), Share(1, 4))
    known = {"at": MONDAY, "memories": {"active": 3, "created": 1}, "live": 4, "tokens": Tokens(90, 30, 10)}
    fields = {**known, **shares, "recalls": 66, "q": (0,) * 5 + (4,) + (0,) * 4, "weeks": weeks, "weights": ()}
    return Health(**{**fields, **given})  # type: ignore[arg-type]


class TestPage:
    def test_every_figure_is_told_and_fits_the_terminal(self) -> None:
        """In the letters that it can show."""
        weights = tuple(
            Weighed(MONDAY, "shop", "how_to", {"vector": 0.6 + n / 10}, "feedback", "e-1") for n in range(3)
        )
        for ink in INKS:
            lines = [*told(health(weights=weights), Page(60), ink)]
            text = "\n".join(lines)
            for name in (
                "junk",
                "echoes",
                "duplicates",
                "wrong retirements",
                "misses",
                "feedback",
                "tokens",
                "by week",
            ):
                assert name in text
            assert "25.0%" in text and "0.6 to 0.8" in text and "shop, how_to: set 3 times" in text
            assert max(map(width, lines)) <= 60

    def test_what_is_a_share_of_nothing_is_not_told_as_none(self) -> None:
        """A rate of 0 would say that all is well."""
        text = "\n".join(told(health(junk=Share(), weeks=(), q=(0,) * 10, live=0), Page(), ASCII))
        assert "nothing to tell yet" in text
        assert "by week" not in text


class TestStats:
    def test_a_store_tells_how_it_does(self, shop: Cli) -> None:
        """For people, and for programs under names that stay."""
        assert "wrong retirements" in shop.fine("stats").out
        told = shop.fine("stats", "--json").json
        assert [*told] == [
            *("at", "memories", "live", "junk", "echoes", "duplicates", "wrong_retirements", "misses", "feedback"),
            *("tokens", "recalls", "q", "weeks", "weights", "model"),
        ]
        assert {*told["junk"]} == {"count", "of", "rate"}
        assert {*told["tokens"]} == {"surfaced", "judged", "used", "rate"}
        assert {*told["weeks"][0]} == {"start", "added", "total", "recalls", "asked", "missed", "miss_rate"}
        assert sum(tenth["count"] for tenth in told["q"]) == told["live"]
        assert told["recalls"] > 0 < told["tokens"]["surfaced"]

    def test_a_terminal_that_knows_ascii_alone_gets_ascii(self, shop: Cli, program: Program) -> None:
        """And does not fail."""
        told = program("stats", environment={"LC_ALL": "en_US.ISO-8859-1"})
        assert told.code == 0, told.err
        assert told.out.isascii() and "junk" in told.out and "###" in told.out

    def test_an_empty_store_has_nothing_to_tell(self, cli: Cli) -> None:
        """And says so, instead of dividing by it."""
        cli.remember("We deploy on Tuesdays")
        told = cli.fine("stats", "--json").json
        assert (told["live"], told["misses"]["rate"], told["tokens"]["rate"]) == (1, None, None)
        assert "nothing to tell yet" in cli.fine("stats").out
