"""The table of `make bench-judgement`."""

from benchmarks.judgement.__main__ import Goal, Share


def test_a_row_is_met_only_if_precision_recall_and_the_share_that_is_stored_are() -> None:
    share = Share("x", right=9, shown=10, wanted=12, of=40)
    assert share._replace(goal=Goal(0.9, 0.7)).is_met
    assert not share._replace(goal=Goal(0.91, 0.7)).is_met
    assert not share._replace(goal=Goal(0.9, 0.8)).is_met
    assert not share._replace(goal=Goal(recall=0.7, most_stored=0.2)).is_met


def test_a_row_names_what_is_demanded_and_whether_it_is_met() -> None:
    share = Share("x", right=9, shown=10, wanted=12, of=40, goal=Goal(0.9, 0.8))
    assert share.cells() == ("x", "0.900 / 0.750", "10 of 40", "0.9 / 0.8", "**missed**")
    assert share._replace(goal=None).cells()[3:] == ("", "")
