"""Which processes are one skill. The groups and the loners below were written for this test."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.world import static
from treering.evolve.groups import clusters

# A paragraph is one way of doing, in other words.
GROUPS = """
Run the tests before pushing.
Execute the test suite prior to pushing a commit.
Before you push, run all tests.
Always run the tests before a push to the remote.

Restart the payment worker when the queue is stuck.
If the queue of the payment worker is stuck, restart the worker.
When payments hang in the queue, restart the payment worker.

Back up the database before running a migration.
Make a backup of the database prior to each migration.
Before a migration is run, take a database backup.

Bump the version in pyproject.toml and tag the release.
To release, tag it and bump the version number in pyproject.toml.
For a release, raise the version in pyproject.toml, then create the release tag.

Clear the browser cache when the login page shows an old style.
If the login page looks outdated, clear the cache of the browser.
When the login page still shows the old style, empty the browser cache.

Regenerate the API client after changing the OpenAPI schema.
After the OpenAPI schema changes, generate the API client again.
Whenever you change the OpenAPI schema, regenerate the API client.

Rotate the signing key every ninety days and tell the mobile team.
The signing key is rotated every ninety days; tell the mobile team about it.
Every ninety days, rotate the signing key and inform the mobile team.

Ask Petra for approval before changing the pricing table.
Changes to the pricing table need the approval of Petra first.
Before you edit the pricing table, get approval from Petra.

Compress images with pngquant before adding them to the docs.
Before images go into the docs, compress them with pngquant.
Use pngquant to compress every image that is added to the docs.

Check the disk space on the build server when a build fails with code 28.
When a build fails with code 28, check the build server for disk space.
A build that fails with code 28: verify the disk space of the build server.

Water the tomatoes in the greenhouse every second evening.
Every second evening the tomatoes in the greenhouse need water.
In the greenhouse, water the tomatoes every second evening.

Profile with py-spy before optimising a slow endpoint.
Before a slow endpoint is optimised, profile it with py-spy.
A slow endpoint should be profiled with py-spy before anybody optimises it.

Write the changelog entry in the same pull request as the feature.
A feature's pull request has its changelog entry in it.
Put the changelog entry of a feature into the same pull request.

Squash the fixup commits before merging a branch.
Before a branch is merged, squash its fixup commits.
Fixup commits are squashed before the branch gets merged.

Reset the feature flags after a load test in staging.
After each load test in staging, reset all feature flags.
When a load test in staging is over, the feature flags have to be reset.

Send the invoice to accounting on the last working day of the month.
On the last working day of a month, the invoice is sent to accounting.
Accounting gets the invoice on the last working day of each month.

Preheat the oven to 230 degrees with the stone inside before baking bread.
Before baking bread, preheat the oven and the stone to 230 degrees.
Bread: preheat the stone in the oven to 230 degrees before you bake.

Reindex the search cluster after importing products.
After products are imported, the search cluster must be reindexed.
Whenever products have been imported, reindex the search cluster.

Mock the clock in tests that depend on the date.
Tests which depend on the date must mock the clock.
In tests depending on a date, the clock is mocked.

Open an incident channel before paging the on-call engineer.
Before the on-call engineer is paged, open an incident channel.
Open a channel for the incident first, then page the on-call engineer.
""".strip()

# Each of them is a thing of its own, though many share a tool, a matter or a manner with others.
LONERS = """
Rebase the feature branch onto main with git before review.
Delete merged branches on the remote with git once a month.
Tag a hotfix with git and push the tag to the mirror.
Use git bisect to find the commit that broke the build.
Stash local changes with git before switching branches.
Clone the submodules with git when the vendor folder is empty.
Sign commits with the hardware key when working on the installer.
Restart the docker daemon after changing its proxy settings.
Prune docker images on the laptop when the disk is full.
Build the docker image with the no-cache flag after a base update.
Run the docker container as a user without rights.
Pin the base image of docker by its digest.
Restore the database from the nightly dump into a scratch schema.
Add an index to the orders table without locking it.
Vacuum the events table on Sundays.
Explain the query plan of every report that takes longer than a second.
Rename a column in two steps so that old code still works.
Check the replication lag before switching over to the standby.
Run the linter with the fix option on changed files only.
Quarantine a flaky test and open an issue for its owner.
Run the integration tests against the emulator, not against the cloud.
Record new fixtures when the partner changes the response format.
Measure coverage on the nightly run only.
Seed the random generator in tests of the scheduler.
Deploy to the canary region first and wait for an hour.
Roll back a deployment with the previous image tag.
Freeze deployments on the two days before Christmas.
Announce a deployment in the status channel.
Warm the cache after a deployment of the catalogue.
Scale the workers down at night to save money.
Renew the wildcard certificate with the DNS challenge.
Revoke the token of a lost laptop within the hour.
Ask security to review a new outbound connection.
Store secrets in the vault and never in the environment file.
Block an address at the edge after ten failed logins.
Write a decision record for each new dependency.
Update the diagram when a service gets a new queue.
Keep the README below two screens.
Translate new labels before the string freeze.
Proofread release notes aloud.
Invite the support team to the demo on Thursdays.
Cancel a meeting that has no agenda by noon.
Take notes in the retro and send them on the same day.
Interview candidates in pairs and write down scores before talking.
Book the train to Hamburg three weeks ahead.
Hand in travel receipts within ten days.
Order a replacement battery for the scanner at the warehouse.
Label boxes on two sides before they go to storage.
Clean the coffee machine with vinegar each Friday.
Feed the sourdough starter twice on the day before baking.
Prune the apple tree in late winter.
Sow the carrots after the last frost.
Sharpen the chisels on the wet stone, coarse side first.
Bleed the radiators when the heating season begins.
Rotate the tyres with the change of season.
Warm up for ten minutes before running intervals.
Practise the violin scales slowly with a metronome.
Photograph the meter on the first of January.
Vaccinate the dog against rabies every third year.
Read the contract twice before signing the lease.
""".strip().splitlines()

TEXTS = [[line.rstrip() for line in group.splitlines()] for group in GROUPS.split("\n\n")]


def numbered(texts: Sequence[str]) -> list[tuple[str, str]]:
    return [(f"p{at:05}", text) for at, text in enumerate(texts)]


def embedded(items: Sequence[tuple[str, str]]) -> dict[str, NDArray[np.float32]]:
    rows = static().embed([text for _, text in items])
    return {id: row for (id, _), row in zip(items, rows, strict=True)}


def found(texts: Sequence[str], by_vectors: bool = True) -> list[set[str]]:
    """The texts of each cluster."""
    items = numbered(texts)
    said = dict(items)
    return [{said[id] for id in one.ids} for one in clusters(items, embedded(items) if by_vectors else None)]


@pytest.fixture(scope="module")
def mixed() -> list[str]:
    """Groups and loners, far from their like."""
    every = [*chain.from_iterable(TEXTS), *LONERS]
    return [every[at * 61 % len(every)] for at in range(len(every))]


def test_there_are_twenty_groups_and_sixty_loners() -> None:
    assert (len(TEXTS), len(LONERS)) == (20, 60)
    assert all(len(group) >= 3 for group in TEXTS)
    assert len({*chain.from_iterable(TEXTS), *LONERS}) == sum(map(len, TEXTS)) + 60


def test_every_group_is_found_and_no_loner_joins_one(mixed: list[str]) -> None:
    groups = [{*group} for group in TEXTS]
    got = found(mixed)
    assert all(any(one <= group for group in groups) for one in got)
    assert all(any(one <= group for one in got) for group in groups)
    assert sum(group in got for group in groups) >= 18  # of one group, only three of four


def test_words_alone_find_nearly_as_much_and_mix_up_nothing(mixed: list[str]) -> None:
    groups = [{*group} for group in TEXTS]
    got = found(mixed, by_vectors=False)
    assert all(any(one <= group for group in groups) for one in got)
    assert sum(any(one <= group for one in got) for group in groups) >= 18


@pytest.mark.parametrize("by_vectors", [True, False])
@pytest.mark.parametrize("about", ["git", "docker", "deploy", "before", "test", "when"])
def test_processes_about_one_matter_are_no_skill(about: str, by_vectors: bool) -> None:
    """Nor are they when nothing else is there, and every word that they share is common."""
    alike = [text for text in LONERS if about in text.lower()]
    assert len(alike) >= 3
    assert found(alike, by_vectors) == []


def test_nearly_every_group_is_found_where_nothing_else_is() -> None:
    assert sum(found(group) != [] for group in TEXTS) >= len(TEXTS) - 1


def test_two_are_no_skill() -> None:
    assert clusters(numbered(TEXTS[0][:2])) == []
    assert found([*TEXTS[1][:2], *TEXTS[2][:2], *LONERS[:5]]) == []


def test_copies_are_one_group_however_many() -> None:
    copies = ["Run the tests before pushing."] * 2_000
    (one,) = clusters(numbered([*LONERS, *copies]))
    assert len(one.ids) == 2_000
    assert one.cohesion == pytest.approx(1.0, abs=1e-3)


def test_the_closest_comes_first_with_its_members_in_their_order(mixed: list[str]) -> None:
    items = numbered([*mixed, *["Read the logs of the gateway first."] * 3])
    got = clusters(items, embedded(items))
    assert got[0].cohesion > got[1].cohesion
    assert [one.cohesion for one in got] == sorted((one.cohesion for one in got), reverse=True)
    assert got[0].ids == tuple(f"p{len(mixed) + at:05}" for at in range(3))
    assert all(one.ids == tuple(sorted(one.ids)) for one in got)


def test_cohesion_is_what_two_members_have_in_common_on_average() -> None:
    """Two copies, and a third text that has most of their words."""
    text = "Check the disk, the memory and the queue of the build server."
    copies = clusters(numbered([text] * 3))
    (looser,) = clusters(numbered([text, text, "Check the disk, the memory and the queue of the mail server."]))
    assert [one.cohesion for one in copies] == pytest.approx([1.0], abs=1e-3)
    assert len(looser.ids) == 3
    assert 0.6 < looser.cohesion < 0.9


def test_a_chain_of_neighbours_is_no_group() -> None:
    """Each has half of the words of the next; the first and the last have none in common."""
    words = "amber birch cedar daisy elder fern gorse hazel iris juniper kale larch maple nettle oak pine".split()
    chained = [" ".join(words[at : at + 4]) for at in range(13)]
    sizes = [len(one) for one in found(chained, by_vectors=False)]
    assert max(sizes, default=0) < len(chained) / 2


def test_a_process_without_a_vector_lets_words_decide(mixed: list[str]) -> None:
    items = numbered(mixed)
    some = embedded(items[1:])
    assert clusters(items, some) == clusters(items)


def test_texts_that_say_nothing_are_in_no_group() -> None:
    assert clusters(numbered(["", "", "", "…", "…", "…", "the", "the", "the"])) == []


def test_the_order_in_which_processes_come_changes_no_group(mixed: list[str]) -> None:
    assert {frozenset(one) for one in found(mixed)} == {frozenset(one) for one in found(mixed[::-1])}
