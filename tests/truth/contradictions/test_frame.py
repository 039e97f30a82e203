"""The same sentence twice, but for one value: raised where there is one value at a time, and nowhere else."""

from __future__ import annotations

import pytest

from tests.truth.contradictions.test_rules import cases, kind
from treering.truth.contradictions import between

SWAPS = """
The wifi password is sunflower42. | The wifi password is marigold77.
The invoice template lives in `docs/invoice.tex`. | The invoice template lives in `assets/invoice.tex`.
Our landlord is Mr. Petrov. | Our landlord is Mrs. Aydin.
The piano lesson starts at 16:30. | The piano lesson starts at 17:15.
The choir rehearsal happens on Tuesdays. | The choir rehearsal now happens on Friday evenings.
Request timeout of the avatar service: 5 seconds | Request timeout of the avatar service: 20 seconds
The favicon cache expires after 10 minutes. | The favicon cache expires after 2 hours.
The ledger tables live in Postgres. | The ledger tables live in CockroachDB.
Decision: the audit trail lives in Kafka. | Decision: the audit trail lives in Pulsar.
Latest released build of the firmware is 2.3.1. | Latest released build of the firmware is 2.4.0.
The nightly export includes archived users. | The nightly export does not include archived users.
The sync job uploads skipped files again. | The sync job does not upload skipped files again.
The thermostat is set to 19 degrees. | The thermostat is set to 21 degrees.
Tomasz lives in Kraków. | Tomasz lives in Gdańsk.
Emergency contact: Lucia Bauer | Emergency contact is Hanna Vogel.
The crawler is deployed in eu-west-1. | The crawler is deployed in us-east-2.
The search index is hosted in Frankfurt. | The search index is hosted in Dublin.
Next vet visit: Monday 8:15 with Dr. Holm. | Next vet visit: Friday 16:00 with Dr. Holm.
Nora's passport expires on 4 May 2027. | Nora's passport expires on 9 June 2029.
the `indexer` image pinned to 2.3.1 on staging | The `indexer` image is pinned to 2.4.0 on staging.
For browser tests in the backend we settled on pytest-bdd | For browser tests in the backend we settled on Hypothesis
The release channel is #ship-it. | The release channel is #launchpad.
The log level in production is debug. | The log level in production is warn.
The company headquarters is in Oslo. | The company headquarters is in Bergen.
Grafana listens on port 3000 on the metrics host. | Grafana uses port 3001 on the metrics host.
Go 1.21 is pinned in `go.mod`. | Go 1.23 is what's pinned in `go.mod`.
"""


@pytest.mark.parametrize("one, other", cases(SWAPS))
def test_the_same_sentence_with_another_value_is_a_contradiction(one: str, other: str) -> None:
    assert kind(one, other) is not None


TRAPS = """
Mira likes tea. | Mira likes coffee.
Paolo speaks French. | Paolo speaks German.
The backend uses Redis. | The backend uses Postgres.
Met Ana on Monday. | Met Ana on Thursday.
Jonas has a son called Emil. | Jonas has a son called Theo.
The plugin works with Firefox. | The plugin works with Safari.
Lea knows Rust. | Lea knows Haskell.
Omar owns a Volvo. | Omar owns a Vespa.
We visited Porto in spring. | We visited Seville in spring.
The worker depends on Celery. | The worker depends on Kombu.
The exporter supports CSV. | The exporter supports Parquet.
The bundle includes Lodash. | The bundle includes Moment.
The module imports `json`. | The module imports `yaml`.
Nina attends the Monday course. | Nina attends the Friday course.
The agent runs on Linux. | The agent runs on Windows.
Hannah lives in Austria. | Hannah lives in Graz.
The build cluster is hosted in AWS. | The build cluster is hosted in eu-west-1.
The new flat is bright. | The new flat is quiet.
One of the reviewers is Ana. | One of the reviewers is Ben.
The user docs live in `docs/`. | The user docs live in `docs/guide`.
The team plans to settle on Luxon. | The team plans to settle on Moment.
If the disk is full, the job stops after 5 min. | If the disk is slow, the job stops after 9 min.
Example value for the flag: `fast` | Example value for the flag: `slow`
The first step is `build`. | The first step is `lint`.
The image is based on Debian. | The image is based on Ubuntu.
The article is published in English. | The article is published in German.
Melanie: Thanks, Caroline. | Melanie: Yes, Caroline.
Feature request for the editor: Vim keys | Feature request for the editor: Emacs keys
"""


@pytest.mark.parametrize("one, other", cases(TRAPS))
def test_values_that_may_both_be_so_in_the_same_sentence_are_no_contradiction(one: str, other: str) -> None:
    assert kind(one, other) is None


def test_the_places_are_those_of_the_two_values() -> None:
    one, other = "Decision: session data lives in Memcached.", "Decision: session data lives in DynamoDB."
    found = between(one, other)
    assert found is not None
    assert (one[slice(*found.ours)], other[slice(*found.theirs)]) == ("Memcached", "DynamoDB")


def test_a_denial_of_the_same_sentence_is_placed_at_its_negative_word() -> None:
    one, other = "The worker retries failed webhooks.", "The worker does not retry failed webhooks."
    found = between(one, other)
    assert found is not None
    assert (found.kind, other[slice(*found.theirs)]) == ("negation", "not")
