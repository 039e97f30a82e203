"""Episodes of one story come together, and nothing else does."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import numpy as np
import pytest

from tests.consolidate.summaries.stories import DAY, START, STORIES, episodes
from treering.consolidate.summaries.group import MIN_GROUP, MOST_MEMBERS, Episode, Group, groups
from treering.models.embed.static import StaticEmbedder


def shares(found: list[Group], stories: dict[str, str]) -> tuple[float, float]:
    """Of the pairs in groups, those of one story; of the pairs of stories, those in groups."""
    pairs = [pair for group in found for pair in combinations(group.members, 2)]
    right = sum(stories[one] == stories[other] for one, other in pairs)
    sizes = Counter(stories.values())
    return right / len(pairs), right / sum(size * (size - 1) // 2 for size in sizes.values())


@pytest.mark.parametrize("embedder", [StaticEmbedder(), None], ids=["vectors", "words"])
def test_pairs_in_a_group_are_of_one_story_and_most_stories_are_found(embedder: StaticEmbedder | None) -> None:
    told, stories = episodes(embedder)
    precise, complete = shares(groups(told), stories)
    assert precise >= 0.7  # half of what is near a story shares a name and the day with it, on purpose
    assert complete >= (0.8 if embedder else 0.4)  # words alone are less sure, and less is told by them


def test_the_order_of_the_episodes_makes_no_difference() -> None:
    told, _ = episodes(StaticEmbedder())
    expected = groups(told)
    for seed in range(3):
        shuffled = told.copy()
        Random(seed).shuffle(shuffled)
        assert groups(shuffled) == expected


def test_an_unrelated_episode_leaves_the_groups_as_they_are() -> None:
    told, _ = episodes()
    other = Episode("zebra", "shop", "The zoo got a zebra, and the children fed it carrots.", START + 900 * DAY)
    assert groups([*told, other]) == groups(told)


def test_episodes_of_two_places_never_meet() -> None:
    told, _ = episodes()
    scattered = [episode._replace(place=f"{episode.place}-{at % 2}") for at, episode in enumerate(told)]
    places = {episode.id: episode.place for episode in scattered}
    found = groups(scattered)
    assert found
    assert all(len({places[member] for member in group.members}) == 1 for group in found)


def test_no_episode_is_in_two_groups_and_members_come_oldest_first() -> None:
    told, _ = episodes(StaticEmbedder())
    created = {episode.id: episode.created for episode in told}
    found = groups(told)
    members = [member for group in found for member in group.members]
    assert len(members) == len({*members})
    for group in found:
        assert list(group.members) == sorted(group.members, key=created.__getitem__)


def test_a_faded_member_gives_the_group_its_reason() -> None:
    told, _ = episodes()
    faded = [episode._replace(queued=episode.id == "kitchen-2") for episode in told]
    reasons = {group.reason for group in groups(faded) if "kitchen-2" in group.members}
    assert reasons == {"strength"}
    assert {group.reason for group in groups(told)} == {"topic"}


def test_a_group_says_what_it_is_about() -> None:
    told, _ = episodes()
    about = next(group.about for group in groups(told) if "kitchen-1" in group.members)
    assert {"brandt", "tap", "plumber"} <= {*about}


def test_two_episodes_are_no_group() -> None:
    place, some = STORIES["kitchen"]
    told = [Episode(str(at), place, text, START + at * DAY) for at, (_, text, _) in enumerate(some[: MIN_GROUP - 1])]
    assert groups(told) == []


def test_one_tag_or_one_name_ties_nothing() -> None:
    texts = [
        "Ada bought a bicycle with red tyres.",
        "Ada cannot come to the concert.",
        "Ada found the keys under the sofa.",
    ]
    told = [Episode(str(at), "home", text, START + at * DAY, tags=("life",)) for at, text in enumerate(texts)]
    assert groups(told) == []


def test_words_that_are_shared_by_chance_do_not_tie_what_means_something_else() -> None:
    texts = [f"The harbour crane {what} near the lighthouse." for what in ("failed", "was painted", "lifted a boat")]
    near = np.eye(1, 8, 0, dtype=np.float32)[0]
    alike = [Episode(str(at), "port", text, START + at, vector=near) for at, text in enumerate(texts)]
    apart = [episode._replace(vector=np.eye(1, 8, at, dtype=np.float32)[0]) for at, episode in enumerate(alike)]
    assert len(groups(alike)) == 1
    assert groups(apart) == []


def test_a_long_story_is_cut_where_the_most_time_passes() -> None:
    days = [*range(8), *range(40, 49)]
    told = [
        Episode(
            f"{day:02}", "port", f"Harbour crane inspection {day}: the winch brake was adjusted.", START + day * DAY
        )
        for day in days
    ]
    found = groups(told)
    assert [len(group.members) for group in found] == [8, 9]
    assert all(MIN_GROUP <= len(group.members) <= MOST_MEMBERS for group in found)


def test_vectors_of_another_embedder_and_missing_ones_are_left_out() -> None:
    told, stories = episodes(StaticEmbedder())
    foreign = np.full(4, 0.5, np.float32)
    mixed = [
        episode._replace(vector=(None, foreign)[at % 2] if at % 10 < 2 else episode.vector)
        for at, episode in enumerate(told)
    ]
    precise, complete = shares(groups(mixed), stories)
    assert precise >= 0.8
    assert complete >= 0.6


def test_empty_and_odd_texts_are_no_trouble() -> None:
    odd = ["", " ", "```", "###", "\n\n", "!!!", "日本語のメモ", "a" * 5_000, "x " * 3_000, "\ud800"]
    assert groups([Episode(str(at), "p", text, at) for at, text in enumerate(odd)]) == []
    assert groups([]) == []
