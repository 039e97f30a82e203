"""The labelled episodes are sound, and what is made of them is counted as their page says."""

from __future__ import annotations

from benchmarks.consolidation import episodes as labelled
from benchmarks.consolidation import measures
from benchmarks.consolidation.trial import Summary


def test_every_labelled_fact_stands_in_an_episode_that_is_named_for_it() -> None:
    texts = {episode.id: episode.text for episode in labelled.episodes()}
    topics = labelled.topics()
    assert len(texts) == 1_000 and len(topics) == 150
    for topic in topics:
        for fact in topic.facts:
            assert any(fact.kept(texts[id]) for id in fact.told), (topic.topic, fact.fact)
        assert all(set(question.relevant) <= set(topic.episodes) for question in topic.questions)


def test_a_number_is_not_found_inside_a_longer_one() -> None:
    assert labelled.stands("5 %", "it fell by 5 %.")
    assert not labelled.stands("5 %", "it fell by 15 %")
    assert not labelled.stands("2.4", "release 12.4 and 2.41")
    assert labelled.stands("Retention", "the retention is 7 days")


def test_groups_are_judged_by_their_pairs() -> None:
    one, two, other = (
        labelled.Episode(id, topic, "p", "s", "", "") for id, topic in (("a", "t"), ("b", "t"), ("c", None))
    )
    found = measures.grouping([one, two, other], [Summary(("a", "b", "c"), "", False, ())])
    assert (found.pairs, found.found, found.right, found.strays) == (1, 3, 1, 1)
    assert found.precision == 1 / 3 and found.recall == 1 and found.purity == 2 / 3
