"""What one person's verdicts teach."""

from __future__ import annotations

from treering.judge.learned import MOVES, NOTHING, Example, learn, unpacked
from treering.judge.sentences import Verdict, reasons
from treering.judge.words import in_words
from treering.text.sentences import sentences

JUNK = [f"The build of {day} is red again, I will look at it after lunch." for day in ("Monday", "Tuesday", "Friday")]
WORTH = [
    "Deploys go through the canary cluster first.",
    "Use pnpm, never npm.",
    "Our API keys live in the vault.",
    "All times are stored in UTC.",
]


def examples(*wanted: bool | None) -> list[Example]:
    return [*(Example(text, 0.8, False) for text in JUNK), *(Example(text, 0.8, None) for text in WORTH)]


def test_junk_of_the_sort_that_was_taken_back_is_less_likely_to_be_kept() -> None:
    learned = learn(examples())
    assert learned.verdicts == len(JUNK)
    assert learned.corrected("The build of Thursday is red again, I will look at it later.", 0.8) < 0.6


def test_what_is_unlike_it_is_judged_as_before() -> None:
    learned = learn(examples())
    assert abs(learned.corrected("Releases are cut from the trunk every second week.", 0.8) - 0.8) < 0.1


def test_one_verdict_teaches_nothing_yet() -> None:
    assert learn([Example(JUNK[0], 0.8, False), *(Example(text, 0.8) for text in WORTH)]).weights == b""


def test_a_correction_is_bounded() -> None:
    learned = learn([Example(JUNK[0], 0.99, False)] * 100)
    assert learned.corrected(JUNK[0], 0.99) > 0.99 / (0.99 + 0.01 * 2.72**MOVES) - 0.01


def test_verdicts_that_contradict_each_other_teach_nothing() -> None:
    """Replayed without itself, each verdict would be judged worse with the correction than without."""
    both = [Example("The build of Monday is red again.", 0.5, bool(number % 2)) for number in range(6)]
    assert learn(both).weights == b""


def test_what_was_learned_comes_back_as_it_was_stored() -> None:
    learned = learn(examples())
    assert unpacked(learned.packed()).corrected(JUNK[0], 0.8) == learned.corrected(JUNK[0], 0.8)
    assert NOTHING.corrected(JUNK[0], 0.8) == 0.8


def test_reasons_are_told_in_words() -> None:
    told = reasons(sentences("Never commit to main, we always use `make release`."), 0)
    assert 0 < len(told) <= 3
    assert all(one.startswith(("it ", "after ", "before ")) for one in told)
    assert in_words([]) == []


def test_what_a_person_taught_is_a_reason_where_it_decided() -> None:
    assert Verdict(0.99, "told", "project", 0.01).moved == "it is like what you kept"
    assert Verdict(0.01, "told", "project", 0.99).moved == "it is like what you took back"
    assert Verdict(0.98, "told", "project", 0.99).moved == ""
