"""Two memories that mean the same are told from two that only look like it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks import duplicates
from treering.evolve.echo import echoed
from treering.evolve.same import SAME, joined, likeness

PAIRS = Path(__file__).with_name("duplicates.jsonl")
LEAST_FOUND = 0.15  # of the pairs that mean the same: a wrong merge loses a memory, a missed one only keeps two
LONG = 100_000  # characters


class Pair(NamedTuple):
    a: str
    b: str
    same: bool
    kind: str


def pairs() -> list[Pair]:
    return [Pair(**json.loads(line)) for line in PAIRS.read_text(encoding="utf-8").splitlines()]


def is_same(one: str, other: str, cosine: float = 0.9) -> bool:
    return likeness(one, other, cosine).score > SAME


# -- facts, conventions, lessons, preferences


def test_no_pair_that_differs_is_taken_for_the_same() -> None:
    assert [pair for pair in pairs() if not pair.same and is_same(pair.a, pair.b, 1.0)] == []


def test_some_that_are_reworded_are_recognised() -> None:
    same = [pair for pair in pairs() if pair.same]
    assert sum(is_same(pair.a, pair.b) for pair in same) >= LEAST_FOUND * len(same)


def test_there_are_enough_pairs_of_both_kinds() -> None:
    found = pairs()
    assert len(found) >= 120
    assert min(sum(pair.same for pair in found), sum(not pair.same for pair in found)) >= 50
    assert len({frozenset((pair.a, pair.b)) for pair in found}) == len(found)


def test_which_text_comes_first_makes_no_difference() -> None:
    for pair in pairs():
        assert likeness(pair.a, pair.b, 0.8) == likeness(pair.b, pair.a, 0.8)


def test_a_score_is_between_nought_and_one_and_says_why() -> None:
    for pair in pairs():
        for cosine in (-1.0, 0.0, 1.0):
            found = likeness(pair.a, pair.b, cosine)
            assert 0.0 <= found.score <= 1.0
            assert found.cosine == cosine
            assert (found.score > SAME) == (not found.differs)


def test_a_text_is_like_itself() -> None:
    for pair in pairs():
        assert likeness(pair.a, pair.a, 1.0) == (1.0, 1.0, ())


def test_a_cosine_alone_makes_nothing_the_same() -> None:
    assert likeness("The API listens on port 80.", "The API listens on port 81.", 1.0).score <= SAME
    assert likeness("Anna", "Ben", 1.0).score <= SAME


def test_no_pair_that_differs_is_an_echo() -> None:
    wrong = [pair for pair in pairs() if not pair.same and (echoed(pair.a, [pair.b]) or echoed(pair.b, [pair.a]))]
    assert wrong == []


# -- what grammar says

STATEMENT = "The mail worker sends the digest to Lena on Mondays"
OTHERWISE = [
    "The mail worker sent the digest to Lena on Mondays",
    "The mail worker will send the digest to Lena on Mondays",
    "The mail worker should send the digest to Lena on Mondays",
    "The mail worker must send the digest to Lena on Mondays",
    "The mail worker may send the digest to Lena on Mondays",
    "The mail worker sends the digest to Lena only on Mondays",
    "The mail worker sends some of the digest to Lena on Mondays",
    "The mail worker sends my digest to Lena on Mondays",
    "The mail worker sends the digests to Lena on Mondays",
    "The mail worker sends the digest to Lena before Mondays",
    "The mail worker sends Lena to the digest on Mondays",
    "The digest sends the mail worker to Lena on Mondays",
    "The worker mail sends the digest to Lena on Mondays",
    "The mail worker sends the digest to LenA on Mondays",
    "The mail worker sends the digest to Lena on Mondays?",
    "\N{CROSS MARK} The mail worker sends the digest to Lena on Mondays",
    "The mail worker sends the digest to ~Lena on Mondays",
    "Was the mail worker sent to Lena on Mondays",
]


@pytest.mark.parametrize("other", OTHERWISE)
def test_one_word_of_grammar_makes_another_statement(other: str) -> None:
    assert not is_same(STATEMENT, other, 1.0)
    assert not echoed(other, [STATEMENT])
    assert not echoed(STATEMENT, [other])


@pytest.mark.parametrize(
    "other",
    [
        "On Mondays, the mail worker sends the digest to Lena.",
        "the mail worker sends a digest to Lena on Mondays.",
        "The mail worker sends the digest on Mondays to Lena",
    ],
)
def test_what_only_stands_elsewhere_is_the_same(other: str) -> None:
    assert likeness(STATEMENT, other, 0.9).differs == ()


@pytest.mark.parametrize(
    "statement", ["tests that fail are retried", "lint and ship on Friday", "use tabs and keep lines short"]
)
def test_a_negation_stands_at_its_word(statement: str) -> None:
    """Wherever else it stands, something else is denied."""
    words = statement.split()
    said = [" ".join([*words[:at], "not", *words[at:]]) for at in range(len(words))]
    for one in said:
        assert [other for other in said if is_same(one, other, 1.0)] == [one]
        assert [other for other in said if echoed(one, [other])] == [one]


def test_orders_may_not_change_places() -> None:
    assert not is_same("Stop the pump. Drain the tank.", "Drain the tank. Stop the pump.", 1.0)


# -- how-tos

OTHER_HOW_TOS = [
    ("Print lines 1 to 10 of notes.txt", "Print lines 1 to 20 of notes.txt"),
    ("Copy the folder with rsync -a", "Copy the folder with rsync -z"),
    ("Delete all files in /tmp/a", "Delete all files in /tmp/b"),
    ("Find files owned by root", "Find files not owned by root"),
    ("Find files larger than 5 MB", "Find files smaller than 5 MB"),
    ("Copy a.txt to b.txt", "Copy b.txt to a.txt"),
    ("Copy from a.txt to b.txt", "Copy to a.txt from b.txt"),
    ("Delete all empty files", "Delete all empty directories"),
    ("Find all logs in the current directory", "Find all logs in the home directory"),
    ("Find all *.c files in the current directory", "Find all *.c files in the entire file system"),
    ("Find files whose names start with a*", "Find files whose names start with *a"),
    ("Remove files older than 5 days", "Remove files older than 5 hours"),
    ("Sort the file numbers.txt", "Sort the file numbers.txt in reverse"),
    ("Change the owner of the files in x/", "Recursively change the owner of the files in x/"),
    ("Search for regex 'a.*b' in log.txt", "Search for regex 'a.*c' in log.txt"),
    ("Show the first line of each file", "Show the last line of each file"),
]


@pytest.mark.parametrize(("one", "other"), OTHER_HOW_TOS)
def test_a_how_to_with_another_detail_is_another_and_the_detail_is_named(one: str, other: str) -> None:
    found = likeness(one, other, 1.0)
    assert found.score <= SAME
    assert found.differs


def test_a_difference_shows_both_sides() -> None:
    assert likeness("Keep 10 backups", "Keep 20 backups", 0.9).differs == ("10 / 20",)
    assert likeness("Use -r", "Use -v", 0.9).differs == ("-r / -v",)
    assert likeness("Push tags", "Do not push tags", 0.9).differs == ("do not / nothing",)


# -- long, strange and empty texts


def test_long_texts_with_other_ends_are_not_the_same() -> None:
    text = ("The quick brown fox jumps over the lazy dog. " * (LONG // 45))[:LONG]
    assert likeness(text, text, 1.0).score == 1.0
    assert not is_same(text, text[:-5] + "cat.", 1.0)
    assert not is_same(text, text[: LONG // 2], 1.0)


@pytest.mark.parametrize(
    "letter", ["-", ".", "[", "*a", "a/", '"', "'", "`", "(", "a.", "a_", "1", "1,", "@", "~", "$", "\n", " "]
)
def test_no_text_takes_long_to_read(letter: str) -> None:
    """What would take minutes if a run of one letter could be cut in every way."""
    text = letter * (LONG // len(letter))
    assert likeness(text, text + "x", 1.0).score <= SAME


@pytest.mark.parametrize("text", ["", " ", "...", "the", "?!"])
def test_what_says_nothing_is_like_nothing_else(text: str) -> None:
    assert not is_same(text, "Anna lives in Lyon.", 1.0)
    assert not is_same(text, "and so on", 1.0)


def test_other_scripts_are_compared_by_their_words() -> None:
    assert is_same("Анна живёт в Лионе", "анна живёт в лионе.")
    assert not is_same("Анна живёт в Лионе", "Анна живёт в Париже", 1.0)
    assert not is_same("猫が好きです", "犬が好きです", 1.0)


# -- joining


def test_exact_duplicates_join_to_the_first_unchanged() -> None:
    text = "  Use pnpm,  not npm. \n"
    assert joined([text, text, text]) == text
    assert joined([text]) == text
    assert joined([]) == ""


def test_what_is_said_in_other_words_is_not_said_twice() -> None:
    assert joined(["Deploy on Fridays.", "On Fridays, deploy"]) == "Deploy on Fridays."
    assert joined(["The limit is 10 MB.", "Limit is 10 MB"]) == "The limit is 10 MB."


def test_what_only_the_others_say_is_kept_in_order() -> None:
    texts = ["Use pnpm.", "Use pnpm. The lockfile is committed.", "The lockfile is committed. Node is 20"]
    assert joined(texts) == "Use pnpm. The lockfile is committed. Node is 20"


def test_a_sentence_without_its_end_is_ended_before_another() -> None:
    assert joined(["Anna lives in Lyon", "Ben lives in Porto"]) == "Anna lives in Lyon. Ben lives in Porto"


def test_another_value_is_another_sentence() -> None:
    assert joined(["The port is 80.", "The port is 81."]) == "The port is 80. The port is 81."
    assert joined(["Commit the lockfile.", "Do not commit the lockfile."]).count("ommit") == 2


def test_lines_stay_lines() -> None:
    one = "Release:\n- run the tests\n- tag the commit"
    other = "Release:\n- tag the commit\n- push the tag"
    assert joined([one, other]) == "Release:\n- run the tests\n- tag the commit\n- push the tag"
    assert (
        joined(["1. Stop it.\n2. Start it.", "1. Stop it.\n3. Watch it."]) == "1. Stop it.\n2. Start it.\n3. Watch it."
    )


def test_an_empty_first_text_gives_way() -> None:
    assert joined(["", "Anna lives in Lyon."]) == "Anna lives in Lyon."


def test_points_within_names_and_numbers_end_no_sentence() -> None:
    texts = ["Node 20.1 is in use, e.g. on build.example.com.", "Dr. Bell wrote config.yaml for v2.0."]
    assert joined(texts) == " ".join(texts)


def test_documents_are_joined_too() -> None:
    lines = [f"Line {number} says that the value is {number}." for number in range(2_000)]
    one, other = "\n".join(lines), "\n".join([*lines, "And this is new."])
    assert joined([one, other]) == other


# -- the benchmark


def test_the_benchmark_tells_how_well_it_is_done(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert duplicates.main(["--data", str(PAIRS)]) == 0
    told = capsys.readouterr().out
    assert duplicates.OURS in told and duplicates.COSINE in told and "met" in told
    wrong = tmp_path / "pairs.jsonl"
    wrong.write_text(json.dumps({"a": "Use pnpm.", "b": "use pnpm", "same": False}))
    assert duplicates.main(["--data", str(wrong), "--show"]) == 1
    assert "Use pnpm." in capsys.readouterr().err
    assert duplicates.main(["--data", str(tmp_path / "nowhere")]) == 2


# -- anything at all

_WORDS = """
find search list delete change set copy move files directories the a of in from to by not never no less than more in the
last 7 days ago hour 10 MB 5% v1.2 -r --all /etc/x ~/y *.txt 'a b' "c" $HOME `d` , . ; ? and or if because when it their
is was has will may can user's Anna Ben May 4 owned only recursively current directory exactly back search for one any
who's don't isn't except
""".split()


@given(st.lists(st.sampled_from(_WORDS), max_size=14), st.lists(st.sampled_from(_WORDS), max_size=14))
def test_any_words_can_be_compared_joined_and_heard(mine: list[str], theirs: list[str]) -> None:
    one, other = " ".join(mine), " ".join(theirs)
    found = likeness(one, other, 0.5)
    assert found == likeness(other, one, 0.5)
    assert 0.0 <= found.score <= 1.0
    assert joined([one, one]) == one
    assert joined([one, other]).startswith(one.rstrip()) or not one.strip()
    echoed(one, [other])
