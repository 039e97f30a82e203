"""What a text names and tells."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treering.graph import relations
from treering.graph.entities.lexicon import GUESSED
from treering.graph.extract import MOST_ENTITIES, MOST_LETTERS, read
from treering.graph.rules import ENTITY_TYPES, RELATION_TYPES
from treering.stores.port.graph import DENIED, ENDED, HOW, TOLD

SIZE = 100_000  # characters: as large as a memory may be


def named(text: str) -> dict[str, str]:
    return {one.name: one.type for one in read(text).entities}


def told(text: str, how: str = TOLD) -> set[tuple[str, str, str]]:
    return {one[:3] for one in read(text).relations if one.how == how}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "See src/auth/session.ts:12 and D:\\build\\app.toml.",
            {"src/auth/session.ts": "file", "D:\\build\\app.toml": "file"},
        ),
        ("Never mind the Makefile and .env here.", {"Makefile": "file", ".env": "file"}),
        ("Call build_report() with MAX_RETRIES=3.", {"build_report": "concept", "MAX_RETRIES": "concept"}),
        ("GET /api/orders needs a JWT.", {"/api/orders": "concept", "JWT": "concept"}),
        ("It runs Redis 7 on k8s.", {"Redis": "tool", "k8s": "tool"}),
        ("pip install fastnumbers", {"pip": "tool", "fastnumbers": "library"}),
        ("Pinning orbax to 0.4.1 helped.", {"orbax": "library"}),
        ("The React app has zod and SQLAlchemy.", {"React": "library", "zod": "library", "SQLAlchemy": "library"}),
        (
            "We saw a KeyError, E0502 and ECONNREFUSED.",
            {"KeyError": "error", "E0502": "error", "ECONNREFUSED": "error"},
        ),
        ("HTTP 502 from nginx.", {"502": "error", "nginx": "tool"}),
        ('It dies with "connection reset by peer".', {"connection reset by peer": "error"}),
        (
            "We have a circuit breaker and the outbox pattern.",
            {"circuit breaker": "pattern", "outbox pattern": "pattern"},
        ),
        ("Names are in snake_case.", {"snake_case": "convention"}),
        ("See ADR-12 and ADR 7.", {"ADR-12": "decision", "ADR 7": "decision"}),
        ("Asked @tkim and Priya Raman.", {"@tkim": "person", "Priya Raman": "person"}),
        ("`ledger-core` is in the payments repo.", {"ledger-core": "project", "payments": "project"}),
        ("Look at https://example.com/a?b=c.", {"https://example.com/a?b=c": "concept"}),
        ("Never commit .env files.", {".env": "file", "Never commit .env files": "convention"}),
        ("We decided to keep sessions in Redis.", {"Redis": "tool", "keep sessions in Redis": "decision"}),
    ],
)
def test_what_a_text_names(text: str, found: dict[str, str]) -> None:
    assert named(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "Go ahead and merge when it is green.",
        "Spring is coming, expect a busy April.",
        "Rust on the pipe, call the plumber.",
        "Yes, it works on my machine and/or yours, 24/7.",
        "Standup is at 9:45, retro every other Friday.",
        "We never found out why, and it never happens at night.",
        "The meeting took 3.5 hours; 404 people came.",
        "Good job on the event store, and the service bus too.",
        "He made a mess, and that is a great shame.",
    ],
)
def test_what_names_nothing(text: str) -> None:
    assert named(text) == {}


def test_a_version_belongs_to_what_it_is_one_of() -> None:
    found = read("We are on Django 4.2 and Python 3.11.")
    assert [one.name for one in found.entities] == ["Django", "Python"]
    assert found.versions == (("django", "4.2"), ("python", "3.11"))


def test_what_is_named_twice_is_seen_once_by_its_normal_form() -> None:
    assert [one.key for one in read("PostgreSQL is fast. Postgres is slow. `postgres` is fine.").entities] == [
        "postgres"
    ]


@pytest.mark.parametrize(
    ("text", "relations"),
    [
        ("billing-api uses Stripe for payments, SendGrid for mail and S3 for invoices.",
         "billing-api uses stripe / billing-api uses sendgrid / billing-api uses s3"),
        ("Postgres is used by billing-api.", "billing-api uses postgres"),
        ("user-service stores sessions in Redis.", "user-service uses redis"),
        ("orders-api uses Redis and depends on auth-service.",
         "orders-api uses redis / orders-api depends_on auth-service"),
        ("Node 20 is required by vite 5.", "vite depends_on node"),
        ("The charts are rendered through Grafana.", "chart uses grafana"),
        ("AuthMiddleware extends BaseMiddleware.", "authmiddleware is_a basemiddleware"),
        ("PgBouncer is a connection pooler.", "pgbouncer is_a connection pooler"),
        ("utils.py contains parse_date and format_date.", "parse_date part_of utils.py / format_date part_of utils.py"),
        ("parse_date lives in utils.py.", "parse_date part_of utils.py"),
        ("The OOM came from Pillow.", "pillow causes oom"),
        ("ETIMEDOUT was caused by Kafka.", "kafka causes etimedout"),
        ("We migrated from Travis CI to GitHub Actions.", "github actions replaces travis"),
        ("Swapped Webpack for Vite.", "vite replaces webpack"),
        ("We replaced redis with valkey in March.", "valkey replaces redis"),
        ("We replaced moment by dayjs.", "dayjs replaces moment"),
        ("We migrated billing-api from Heroku to fargo.", "fargo replaces heroku"),
        ("orders-api switched from Solr to Typesense.", "typesense replaces solr"),
        ("Kafka was swapped out for Redpanda.", "redpanda replaces kafka"),
        ("Celery was replaced by Dramatiq.", "dramatiq replaces celery"),
        ("We use pnpm instead of npm.", "pnpm replaces npm"),
        ("Priya maintains the search-indexer.", "priya related_to search-indexer"),
        ("The search-indexer is owned by Priya.", "priya related_to search-indexer"),
        ("src/a.ts is tested by tests/a.test.ts.", "src/a.ts tested_by tests/a.test.ts"),
        ("mypy is configured in pyproject.toml.", "mypy configured_by pyproject.toml"),
        ("Unser Kundenportal nutzt Redis.", "kundenportal uses redis"),
        ("orders-api depende de Postgres.", "orders-api depends_on postgres"),
        ("Valkey remplace Redis.", "valkey replaces redis"),
        ("app/user.rb imports app/crypto.rb.", "app/user.rb imports app/crypto.rb"),
        ("In src/main.py:\n```python\nimport numpy as np\nfrom fastapi import FastAPI\n```",
         "src/main.py imports numpy / src/main.py imports fastapi"),
    ],
)  # fmt: skip
def test_what_a_text_tells(text: str, relations: str) -> None:
    assert {" ".join(one) for one in told(text)} == set(relations.split(" / "))


@pytest.mark.parametrize(
    ("text", "relation"),
    [
        ("gantryctl uses Bollard for everything.", "gantryctl uses bollard"),
        ("The invoice page uses Tally to show sums.", "invoice page uses tally"),
        ("The tide curves are drawn by Fathom.", "tide curve uses fathom"),
        ("The weekly letters are sent through Curlew.", "weekly letter uses curlew"),
        ("Price calendar: reads from Hostel, nothing else.", "price calendar uses hostel"),
        ("stock-digest reads its input from Culvert.", "stock-digest uses culvert"),
        ("refund-counter is part of Scarp.", "refund-counter part_of scarp"),
        ("Heron replaced the old xml-dump script.", "heron replaces xml-dump"),
        ("warmstore was replaced by Silt in 2023.", "silt replaces warmstore"),
        ("K-7731 is raised by the lease check of Silt.", "silt causes k-7731"),
        ("`launchit` is a thin wrapper around Winch.", "launchit uses winch"),
        ("The guide tablet app is a build of Waymark.", "guide tablet app is_a waymark"),
        ('"taxbot" is the former name of Tally.', "tally replaces taxbot"),
        ("open-pool is the public name of Scarp.", "open-pool is_a scarp"),
    ],
)
def test_a_plain_verb_makes_a_thing_of_a_name_that_no_table_has(text: str, relation: str) -> None:
    (one,) = read(text).relations
    assert " ".join(one[:3]) == relation
    assert one.confidence <= 0.7


@pytest.mark.parametrize(
    "text",
    [
        "My sister uses Bollard.",
        "Does the invoice page use Tally?",
        "The invoice page should use Tally.",
        "The key for the invoice page is kept in Tally.",
        "The press office calls Deniz.",
        "One of them, Daisy, is a Labrador.",
        "The stew is a crowd-pleaser.",
        "We replaced the sofa with a bench.",
        "We moved from Sweden to Berlin.",
        "We switched from weekly to monthly Docker updates.",
        "The previews are allowed by a regex.",
        "Avoid using Redis.",
        "Replacing webpack with stiffer, better tools helps.",
    ],
)
def test_a_guess_needs_more_than_a_capital(text: str) -> None:
    assert told(text) == set()


def test_a_guess_is_made_in_a_note_and_not_in_an_essay() -> None:
    note = "The invoice page uses Tally. "
    assert told(note) == {("invoice page", "uses", "tally")}
    assert told(note + "The rest of the day was long and warm. " * 10) == set()


@pytest.mark.parametrize("who", ["Melanie", "Priya Raman", "Zorblax Quix"])
def test_who_speaks_is_not_spoken_of(who: str) -> None:
    for text in ("it depends on Docker.", "uses Redis.", "reads from Hostel.", "is tested in tests/a.py."):
        assert told(f"{who}: {text}") == set()
    assert told(f"{who}: billing-api uses Redis.") == {("billing-api", "uses", "redis")}


@pytest.mark.parametrize(
    "text",
    [
        "We should use Redis in billing-api.",
        "Does billing-api still use Redis?",
        "If billing-api used Kafka, this would be easier.",
        "I could imagine replacing Jenkins with Buildkite.",
        "billing-api and Redis are on the same host.",
        "Maybe billing-api depends on Redis.",
        "The reason for the KeyError was not Redis.",
    ],
)
def test_what_is_asked_wished_or_only_possible_is_not_told(text: str) -> None:
    assert told(text) == set()


def test_what_is_denied_and_what_is_over_are_told_as_such() -> None:
    assert told("billing-api does not depend on Kafka.", DENIED) == {("billing-api", "depends_on", "kafka")}
    assert told("orders-api no longer uses MongoDB.", ENDED) == {("orders-api", "uses", "mongodb")}
    assert told("orders-api no longer uses MongoDB. billing-api does not depend on Kafka.") == set()


def test_a_relation_has_the_words_that_tell_it() -> None:
    text = "As agreed, billing-api depends on Redis."
    (one,) = read(text).relations
    assert text[one.start : one.end] == "depends on"


def test_a_plain_verb_is_surer_than_a_guess() -> None:
    sure, guessed = (read(text).relations[0] for text in ("a-api uses Redis.", "Our retries use Redis."))
    assert sure.confidence > guessed.confidence > GUESSED


def test_listings_name_only_what_they_import() -> None:
    assert named("```sql\nSELECT created_at FROM user_orders;\n```") == {}


@settings(max_examples=150)
@given(st.text(st.characters(codec=None)) | st.text("redis uses `\"'.,:;=/\\()\n-→Error fix in of because"))
def test_any_text_can_be_read(text: str) -> None:
    found = read(text)
    keys = {one.key for one in found.entities}
    assert found == read(text)
    assert len(keys) == len(found.entities) <= MOST_ENTITIES
    for entity in found.entities:
        assert entity.type in ENTITY_TYPES and entity.key and 0 < entity.confidence <= 1
    for one in found.relations:
        assert one.type in RELATION_TYPES and one.how in HOW and 0 < one.confidence <= 1
        assert {one.source, one.target} <= keys and one.source != one.target
        assert 0 <= one.start < one.end <= len(text)


@pytest.mark.parametrize(
    "piece",
    [
        "a",
        "aB3/+",
        ",",
        "redis, ",
        "redis uses ",
        "`",
        '"a ',
        "redis (",
        "a.py in b.py in ",
        "redis is a ",
        "tests in a.py ",
    ],
)
def test_hostile_text_costs_no_more_than_its_length(piece: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Counted in steps through a sentence, not in seconds."""
    steps = []
    real = relations.Reader.read

    def counted(one: relations.Reader, line: relations.Line) -> None:
        steps.append(len(line.text))
        real(one, line)

    monkeypatch.setattr(relations.Reader, "read", counted)
    read((piece * SIZE)[:SIZE])
    assert sum(steps) <= 2 * MOST_LETTERS
    assert all(one <= 10_000 for one in steps)


def test_who_replaced_one_with_another_uses_the_other() -> None:
    """The subject of the sentence took no one's place."""
    told = {(one.source, one.type, one.target) for one in read("The frontend replaced Webpack with Vite").relations}
    assert told == {("vite", "replaces", "webpack"), ("frontend", "uses", "vite")}
