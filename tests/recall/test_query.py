"""What a query asks for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treering.ledger.clock import parse_time
from treering.ledger.types import QUERY_TYPES
from treering.recall.query.analysis import MOST_TERMS, Identifier, analyse
from treering.recall.query.calendar import Window
from treering.text.words import STOP_WORDS

NOW = parse_time("2024-10-16T15:00:00Z")
ANY_TEXT = st.text(st.characters(codec=None))
SIZE = 100_000  # characters

# What the rules were written with.
TYPED = {
    "code_search": """
        where is the retry logic implemented
        which file defines the session cache
        find the function that parses dates
        getUserName
        show me the class that handles webhooks
        where do we validate the token
        definition of MAX_RETRIES
        usages of parse_config
        what does src/api/users.py do
        code that builds the search index
        which module exports the logger
        """,
    "error_debug": """
        TypeError: cannot read property of undefined
        why does the worker crash on startup
        build fails with TS2345
        ECONNREFUSED when connecting to redis
        the tests are failing since the upgrade
        traceback in the import job
        login returns 500
        docker container exits with code 137
        NullPointerException in OrderService
        why is the deploy broken
        segfault in the parser
        page hangs after login
        """,
    "convention": """
        do we use tabs or spaces
        should tests go next to the code
        naming of database tables
        what is our style for commit messages
        always squash before merging
        never log personal data
        do we prefer composition over inheritance
        branch naming rules
        are default exports allowed
        what's the convention for error messages
        coding guidelines for python
        """,
    "architecture": """
        why did we choose postgres over mongo
        how does the api talk to the worker
        overall design of the billing service
        what are the main components of the ingest pipeline
        why did we decide against microservices
        how is the frontend structured
        data flow from upload to report
        which services depend on the auth service
        trade-offs of event sourcing here
        how do the queue and the scheduler work together
        architecture of the plugin system
        """,
    "how_to": """
        how do I run the migrations
        how to rotate the api keys
        steps to release a new version
        how can I reset my local database
        set up the dev environment
        how do we deploy to staging
        command to rebuild the docs
        guide for onboarding a new customer
        what do I need to do to add a new locale
        instructions for restoring a backup
        procedure for on-call handover
        """,
    "recall_fact": """
        when did Ada join the team
        who owns the billing dashboard
        what is the port of the staging database
        how many users did we have in March
        which region hosts the backups
        what was the name of the vendor
        where does Caroline live
        how much did the new laptop cost
        what did Ben say about the budget
        whose birthday is in June
        what time is the weekly sync
        which restaurant did I like in Rome
        """,
    "find_pattern": """
        have we seen this timeout before
        similar problems with caching
        examples of flaky tests
        every time we upgrade the linter something breaks
        other places where we copied this workaround
        what patterns do we see in failed deploys
        how often does the import job time out
        bugs like this one
        does this keep happening after releases
        recurring complaints about the invoice page
        past incidents similar to the dns outage
        """,
    "general": """
        postgres backups
        the new office
        tell me about the onboarding project
        Caroline and the charity race
        notes on vector search
        billing
        summary of the last sprint
        remind me what we talked about yesterday
        project phoenix status
        everything about the customer workshop
        thoughts on remote work
        """,
}

# Written when the rules were done, tested once, and never used to change them. The first such table stood at 32 of 40;
# it then taught the rules something, and this second one stood at 33.
UNSEEN = {
    "code_search": """
        where is the pagination implemented
        apply_discount
        which function sends the welcome mail
        find the middleware that checks quotas
        files that import PaymentGateway
        """,
    "error_debug": """
        KeyError in the export script
        connection reset by peer during backup
        why are the emails not arriving
        memory usage grows until the pod is killed
        exit code 1 in the lint step
        """,
    "convention": """
        do we write docstrings for tests
        rule about force pushing
        should the changelog mention internal changes
        our naming scheme for queues
        never use floats for money
        """,
    "architecture": """
        how does billing interact with invoicing
        what is the design of the permission model
        why did we split the monolith
        relationship between projects and workspaces
        which component owns the session state
        """,
    "how_to": """
        how to run a single test
        how do I get access to the logs
        checklist for a release
        steps after a failed deploy
        how do we invite a contractor
        """,
    "recall_fact": """
        what is my sister's favourite film
        when was the last penetration test
        which database version runs in production
        how long did the migration take
        who did Tim meet in Oslo
        """,
    "find_pattern": """
        other outages caused by expired certificates
        have we ever rolled back on a Friday
        what kind of bugs keep coming back
        tickets like this one
        is there a pattern in the churned customers
        """,
    "general": """
        release notes
        marathon training
        meeting with the landlord
        the idea with the solar panels
        kubernetes upgrade
        """,
}


def lines(text: str) -> list[str]:
    return [line.strip() for line in text.strip().splitlines()]


def share_right(table: dict[str, str]) -> float:
    typed = [(type, query) for type, queries in table.items() for query in lines(queries)]
    return sum(analyse(query, NOW).type == type for type, query in typed) / len(typed)


@pytest.mark.parametrize("type", QUERY_TYPES)
def test_a_type_is_told_by_its_wording(type: str) -> None:
    """For every type, at least nine of ten queries that the rules were written with."""
    assert share_right({type: TYPED[type]}) >= 0.9
    assert len(lines(TYPED[type])) >= 10


def test_queries_that_the_rules_have_never_seen() -> None:
    """Four of five are told right: what can be expected of rules like these."""
    assert share_right(UNSEEN) >= 0.8


@pytest.mark.parametrize(
    ("query", "type"),
    [
        ("when did the build fail", "recall_fact"),
        ("how do I fix the TypeError in the importer", "error_debug"),
        ("do we handle errors with exceptions", "convention"),
        ("have we seen ECONNREFUSED before", "find_pattern"),
        ("how do I set up GitHub Actions", "how_to"),
        ("", "general"),
    ],
)
def test_when_two_types_compete_the_stronger_wording_wins(query: str, type: str) -> None:
    """A word for an error does not make every question one about an error."""
    assert analyse(query, NOW).type == type


def test_terms_are_what_can_find_something() -> None:
    """Lower case, each once, in order, without stop words."""
    query = analyse("What did we decide about the Deploy of the deploy queue, and why don't we?", NOW)
    assert query.terms == ("decide", "deploy", "queue")
    assert query.words[:4] == ("What", "did", "we", "decide")
    assert query.pairs == (("deploy", "queue"),)


def test_a_query_of_stop_words_is_taken_at_its_word() -> None:
    """To be or not to be is a question too; but it has no topic."""
    query = analyse("To be, or not to be", NOW)
    assert query.terms == ("to", "be", "or", "not")
    assert not query.pairs
    assert not query.topic


def test_a_document_is_searched_by_its_first_words() -> None:
    """Whatever is pasted, the search stays small."""
    query = analyse(" ".join(f"word{number}" for number in range(1_000)), NOW)
    assert len(query.terms) == len(query.pairs) == MOST_TERMS
    assert query.terms[0] == "word0"


@pytest.mark.parametrize(
    ("query", "phrases"),
    [
        ('the "retry budget" rule', [("retry", "budget")]),
        ("the 'retry budget' rule", [("retry", "budget")]),
        ("the \u201cRetry Budget\u201d rule", [("retry", "budget")]),
        ("run `git log -p` there", [("git", "log", "p")]),
        ("'don't panic' is the rule", [("don", "t", "panic")]),
        ("Ada's and Ben's boards, the users' table", []),
        ('a 5" screen', []),
        ('"" and "..."', []),
    ],
)
def test_quoted_words_are_a_phrase(query: str, phrases: list[tuple[str, ...]]) -> None:
    """In any quotes; an apostrophe is none."""
    assert list(analyse(query, NOW).phrases) == phrases


def test_names_in_code_are_found_whole_and_in_pieces() -> None:
    """The whole finds the same name, the pieces what is written otherwise."""
    query = analyse("why does getUserName() in src/api/users.py need --no-verify", NOW)
    assert query.identifiers == (
        Identifier("getUserName", ("get", "User", "Name")),
        Identifier("src/api/users.py", ("src", "api", "users", "py")),
        Identifier("--no-verify", ("no", "verify")),
    )


@pytest.mark.parametrize(
    "name",
    [
        *("snake_case", "FOO_BAR", "__init__", "getUserName", "HTTPServer", "utf-8", "os.path.join", "config.yaml"),
        *("a/b/c.py", "./run", "~/notes", "E0308", "TS2345", "ECONNREFUSED", "NullPointerException", "0x80070005"),
        *("java.lang.NullPointerException", "ORA-00942", "--no-verify", "3.11.4", "v2.1", "std::vector", "3f9a2bc"),
        *("HTTP 404", "SQLSTATE 42P01", "code 137", "@types/node", ".env", "main()"),
    ],
)
def test_what_somebody_copied_is_an_identifier(name: str) -> None:
    """Wherever it stands, and with whatever punctuation around it."""
    for query in (f"look at {name}", f"is it ({name}), or", f'about "{name}".'):
        assert [found.text for found in analyse(query, NOW).identifiers] == [name.removesuffix("()")]


@pytest.mark.parametrize(
    "query",
    [
        *("and/or", "24/7 support", "2023-08-15", "3.5 seconds", "e.g. this", "long-term memory", "a 3-day trip"),
        *(
            "GitHub",
            "PostgreSQL",
            "the IDs",
            "McDonald",
            "an iPhone",
            "Ada's",
            "wait...what",
            "10:30",
            "I/O",
            "- a",
            "--",
        ),
    ],
)
def test_what_people_write_anyway_is_no_identifier(query: str) -> None:
    """Products, abbreviations, numbers and dates."""
    assert analyse(query, NOW).identifiers == ()


def test_names_are_capitals_that_no_sentence_gave() -> None:
    """The first word of a sentence, "I", days and words that address the memory are none."""
    query = analyse("Did Ada move? Then I asked Ben about Kyoto on Monday. Tell Ada.", NOW)
    assert query.names == ("Ada", "Ben", "Kyoto")
    assert analyse("Would Tim read books by Dr. Seuss or J.K. Rowling?", NOW).names == (
        "Tim",
        "Dr",
        "Seuss",
        "J",
        "K",
        "Rowling",
    )


def test_the_topic_is_what_an_answer_would_mention() -> None:
    """No times, no numbers, and not the words that only ask."""
    query = analyse("Can you remind me how many lenses I mentioned 3 weeks ago?", NOW)
    assert query.topic == ("lenses",)
    assert query.windows == (Window(parse_time("2024-09-21T12:00"), parse_time("2024-09-29T12:00")),)


@given(ANY_TEXT)
def test_every_text_is_a_query(text: str) -> None:
    """Nothing raises, and what is found keeps its promises."""
    query = analyse(text, NOW)
    assert query.text == text
    assert query.type in QUERY_TYPES
    assert set(query.topic) <= set(query.terms)
    assert {name.lower() for name in query.names} <= set(query.topic)
    assert not {word for pair in query.pairs for word in pair} & STOP_WORDS
    assert len(set(query.terms)) == len(query.terms) <= MOST_TERMS
    assert all(found.text and all(found.parts) for found in query.identifiers)


@pytest.mark.parametrize("unit", ["'a ", '"', "`a", "a'", "'", "aB ", "a.", "a/", "A. ", "--", "\ud800", "how do i "])
def test_a_long_query_ends(unit: str) -> None:
    """However often it opens a quote or begins a name."""
    assert analyse(unit * (SIZE // len(unit)), NOW).type in QUERY_TYPES
