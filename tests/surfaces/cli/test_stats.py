"""`treering stats`, as somebody calls it."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

import treering
from tests.surfaces.cli.driving import Cli, Program
from tests.surfaces.cli.growth import refused, worn
from tests.surfaces.cli.signals import signalled
from treering.consolidate.reflection.figures import BUCKETS
from treering.ledger import decide
from treering.ledger.types import Context
from treering.surfaces.cli.stats import ASCII, BLOCKS

SHARES = {"junk", "echoes", "duplicates", "wrong_retirements", "misses", "feedback"}
KEYS = SHARES | {"at", "memories", "live", "tokens", "recalls", "q", "weeks", "weights", "model"}


def test_every_figure_is_there_for_programs(cli: Cli, home: Path) -> None:
    """Each share with what it is a part of, and a rate between 0 and 1."""
    worn(home)
    told = cli.fine("stats", "--json").json
    assert {*told} == KEYS
    for name in SHARES:
        assert {*told[name]} == {"count", "of", "rate"} and 0 <= told[name]["count"] <= told[name]["of"]
    assert told["feedback"] == {"count": 10, "of": 11, "rate": round(10 / 11, 4)}
    assert told["live"] == sum(told["memories"].values()) == sum(bucket["count"] for bucket in told["q"])
    assert len(told["q"]) == BUCKETS and told["recalls"] == 11
    assert told["tokens"]["surfaced"] >= told["tokens"]["judged"] > told["tokens"]["used"] == 0


def test_people_get_the_same_as_bars_and_words(cli: Cli, home: Path) -> None:
    worn(home)
    told = cli.fine("stats").out
    assert "10 of 11 recalls that showed anything were judged" in told
    assert "Q of the live memories" in told and BLOCKS.parts[-1] in told
    assert all(line.isprintable() for line in told.split("\n"))


def test_prompts_that_met_with_silence_are_misses(cli: Cli, home: Path) -> None:
    signalled(home)
    assert cli.fine("stats", "--json").json["misses"] == {"count": 3, "of": 6, "rate": 0.5}


def test_an_empty_store_has_nothing_to_tell_and_no_rate(cli: Cli) -> None:
    told = cli.fine("stats", "--json").json
    assert {told[name]["rate"] for name in SHARES} == {None} and told["weights"] == []
    assert cli.fine("stats").out.count("nothing to tell yet") == len(SHARES)


def test_a_memory_that_was_forgotten_is_not_live(cli: Cli) -> None:
    id = cli.remember("the oak grows here")
    cli.fine("forget", id)
    told = cli.fine("stats", "--json").json
    assert told["memories"] == {"forgotten": 1} and told["live"] == 0


def test_the_history_of_the_weights_is_told_for_each_place(cli: Cli, home: Path) -> None:
    with treering.open(home, actor="user") as memory:
        here = Context(project="shop", actor="user")
        for keyword in (0.8, 0.6):
            weighed = decide.weigh({"keyword": keyword}, here, "how_to")
            memory.ledger.commit(partial(list, (weighed,)))
    found = cli.fine("stats", "--json").json["weights"]
    assert [one["weights"] for one in found] == [{"keyword": 0.8}, {"keyword": 0.6}]
    told = cli.fine("stats").out
    assert "set 2 times" in told and "0.8 to 0.6" in told


def test_the_past_had_figures_of_its_own(cli: Cli, home: Path) -> None:
    worn(home)
    assert cli.fine("stats", "--as-of", "2020-01-01", "--json").json["recalls"] == 0


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [(("--as-of", "never"), 1, "'never' is not a time"), (("all",), 2, "all"), (("--limit", "3"), 2, "--limit")],
)
def test_what_makes_no_sense_is_refused(cli: Cli, words: tuple[str, ...], code: int, message: str) -> None:
    refused(cli, ("stats", *words), code, message)


def test_a_terminal_that_knows_only_ascii_gets_ascii(program: Program, home: Path) -> None:
    """And one that is narrow gets lines that fit; a pipe gets no colours."""
    worn(home)
    plain = program("stats", environment={"LC_ALL": "C.US-ASCII"})
    assert plain.code == 0 and plain.out.isascii() and ASCII.parts in plain.out
    assert "\033" not in program("stats").out
    screen = program.terminal("stats", columns=60)
    screen.until("Q of the live memories")
    assert screen.ended() == 0
