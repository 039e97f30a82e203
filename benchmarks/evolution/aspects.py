"""What is known about services, and how it is asked for.

The questions under `held` are never asked in a session: they say the same in other words than those that are.
"""

from __future__ import annotations

from typing import NamedTuple

SERVICES = tuple(
    "atlas beacon cinder drift ember fathom gantry hollow juniper kestrel lumen marten nimbus orchid".split()
)


class Aspect(NamedTuple):
    """One thing that is known about a service: {s} is the service, {v} the value."""

    name: str
    topic: str  # in words, for those who write about it
    says: tuple[str, ...]  # the first is the one that look-alikes share
    twin: str  # the first, in slightly other words
    asks: tuple[str, ...]
    held: tuple[str, ...]
    values: tuple[str, ...]


ASPECTS = (
    Aspect(
        "port",
        "the port of {s}",
        (
            "{s} listens on port {v}.",
            "Requests for {s} have to go to port {v}.",
            "We bound {s} to {v} on every host, so clients use that port.",
        ),
        "{s} is listening on port {v}.",
        ("which port does {s} listen on", "port number of {s}", "what port is {s} bound to"),
        ("I have to connect to {s}: which port", "the proxy needs the port for {s}"),
        ("8410", "8431", "8452", "9017", "9033", "7075", "7201"),
    ),
    Aspect(
        "owner",
        "who owns {s}",
        (
            "{v} owns {s} and approves its changes.",
            "Questions about {s} go to {v}, who is responsible for it.",
            "The owner of {s} is {v}.",
        ),
        "{v} owns {s} and approves changes to it.",
        ("who owns {s}", "who is responsible for {s}", "who approves changes to {s}"),
        ("whom do I ask about {s}, who is its owner", "owner of {s}, for a review"),
        ("Ines", "Tomasz", "Priya", "Halvard", "Noor", "Bertrand", "Yuki"),
    ),
    Aspect(
        "database",
        "the database of {s}",
        (
            "{s} keeps its data in {v}.",
            "The database behind {s} is {v}.",
            "All rows that {s} writes end up in {v}, its only database.",
        ),
        "{s} stores its data in {v}.",
        ("which database does {s} use", "where does {s} keep its data", "what is the database behind {s}"),
        ("which store holds the data of {s}", "I want to query the database of {s}: what is it"),
        ("PostgreSQL 16", "MariaDB", "SQLite", "CockroachDB", "DynamoDB", "FoundationDB"),
    ),
    Aspect(
        "timeout",
        "the timeout of {s}",
        (
            "Calls to {s} time out after {v} seconds.",
            "The timeout for {s} is {v} s; it was measured, not guessed.",
            "A client of {s} gives up after {v} seconds.",
        ),
        "Calls to {s} will time out after {v} seconds.",
        ("timeout of calls to {s}", "after how many seconds does a client of {s} give up", "what timeout has {s}"),
        ("how long may {s} take before its timeout", "{s} is slow: when do calls time out"),
        ("3", "5", "8", "12", "20", "45", "75"),
    ),
    Aspect(
        "region",
        "the region of {s}",
        (
            "{s} runs in the region {v}.",
            "The only region that {s} is deployed to is {v}.",
            "We moved the hosts of {s} to {v}, and that is its region now.",
        ),
        "{s} is run in the region {v}.",
        ("which region does {s} run in", "where is {s} deployed", "region of the hosts of {s}"),
        ("in which region are the hosts for {s}", "latency to {s}: what region is it in"),
        ("eu-north-1", "eu-west-3", "us-east-2", "ap-south-1", "sa-east-1", "ca-central-1"),
    ),
    Aspect(
        "tests",
        "the tests of {s}",
        (
            "The tests of {s} are run with `{v}`.",
            "Use `{v}` to test {s}; nothing else sets up its fixtures.",
            "`{v}` is the command for the test suite of {s}.",
        ),
        "The tests of {s} run with `{v}`.",
        ("how do I run the tests of {s}", "test command for {s}", "which command tests {s}"),
        ("I changed {s}: how is its suite run", "command that runs the test suite for {s}"),
        (
            "make check",
            "tox -e unit",
            "just test",
            "pytest -x tests",
            "npm run spec",
            "bazel test :all",
            "nox -s quick",
        ),
    ),
    Aspect(
        "logs",
        "the logs of {s}",
        (
            "{s} writes its logs to {v}.",
            "Logs of {s} are found under {v}.",
            "To see what {s} did, look into {v}, where it logs.",
        ),
        "{s} is writing its logs to {v}.",
        ("where are the logs of {s}", "where does {s} write its logs", "path of the log of {s}"),
        ("I need to read what {s} logged: which path", "log files for {s}"),
        ("/var/log/app", "/srv/logs/out", "/data/journal", "/opt/run/log", "/mnt/audit", "/var/spool/trace"),
    ),
    Aspect(
        "retention",
        "how long {s} keeps events",
        (
            "{s} keeps events for {v} days.",
            "After {v} days an event is deleted by {s}.",
            "The retention of {s} is {v} days, as agreed with the lawyers.",
        ),
        "{s} keeps its events for {v} days.",
        ("how many days does {s} keep events", "retention of {s}", "when does {s} delete events"),
        ("for how long are events of {s} kept", "days until {s} deletes an event"),
        ("7", "14", "30", "60", "120", "400"),
    ),
    Aspect(
        "backup",
        "the backup of {s}",
        (
            "The backup of {s} starts at {v} UTC.",
            "Every night at {v} UTC {s} is backed up.",
            "We take the nightly snapshot of {s} at {v} UTC.",
        ),
        "The backup of {s} begins at {v} UTC.",
        ("when does the backup of {s} start", "backup time of {s}", "at what time is {s} backed up"),
        ("at which hour is the snapshot of {s} taken", "is {s} being backed up now? what time is it done"),
        ("01:15", "02:40", "03:05", "04:30", "22:50", "23:20"),
    ),
    Aspect(
        "limit",
        "the rate limit of {s}",
        (
            "{s} allows {v} requests a minute from one client.",
            "The rate limit of {s} is {v} per minute and client.",
            "A client that sends {s} more than {v} requests a minute is refused.",
        ),
        "{s} will allow {v} requests a minute from one client.",
        ("rate limit of {s}", "how many requests a minute does {s} allow", "how often may a client call {s}"),
        ("{s} refuses my client: how many requests are allowed", "requests per minute permitted by {s}"),
        ("60", "150", "240", "500", "900", "2000"),
    ),
    Aspect(
        "cache",
        "the cache of {s}",
        (
            "Answers of {s} are cached for {v} minutes.",
            "The cache in front of {s} holds an answer for {v} minutes.",
            "It takes {v} minutes until the cache of {s} has expired.",
        ),
        "The answers of {s} are cached for {v} minutes.",
        ("how long are answers of {s} cached", "cache time of {s}", "when does the cache of {s} expire"),
        ("minutes until a cached answer of {s} is gone", "{s} shows old answers: how long does its cache hold"),
        ("2", "10", "15", "25", "90", "180"),
    ),
    Aspect(
        "release",
        "the releases of {s}",
        (
            "{s} is released on {v}.",
            "A release of {s} goes out every week, on {v}.",
            "The day for releases of {s} is {v}; other days need a reason.",
        ),
        "{s} gets released on {v}.",
        ("on which day is {s} released", "release day of {s}", "when does a release of {s} go out"),
        ("which weekday do we release {s}", "can {s} go out today? what is its release day"),
        ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"),
    ),
    Aspect(
        "queue",
        "the queue of {s}",
        (
            "{s} reads its jobs from the queue {v}.",
            "Jobs for {s} are put on {v}.",
            "The queue that feeds {s} is called {v}.",
        ),
        "{s} reads jobs from the queue {v}.",
        ("which queue does {s} read", "where do I put jobs for {s}", "name of the queue of {s}"),
        ("the queue with the jobs for {s}", "jobs of {s} are stuck: which queue do they wait in"),
        ("jobs-blue", "jobs-green", "work-main", "work-slow", "inbox-two", "tasks-night"),
    ),
    Aspect(
        "memory",
        "the memory limit of {s}",
        (
            "A worker of {s} may use {v} MiB of memory.",
            "The memory limit for workers of {s} is {v} MiB.",
            "Beyond {v} MiB a worker of {s} is killed.",
        ),
        "Each worker of {s} may use {v} MiB of memory.",
        ("memory limit of {s}", "how much memory may a worker of {s} use", "when is a worker of {s} killed"),
        ("MiB that the workers of {s} are given", "{s} was killed: how much memory is a worker allowed"),
        ("256", "384", "512", "768", "1536", "3072"),
    ),
    Aspect(
        "migrations",
        "migrations of {s}",
        (
            "Migrations of {s} are made with {v}.",
            "To change the schema of {s} we use {v}.",
            "{v} is the tool that migrates {s}.",
        ),
        "The migrations of {s} are made with {v}.",
        ("which tool makes migrations of {s}", "how do we change the schema of {s}", "migration tool of {s}"),
        ("the schema of {s} needs a column: which tool migrates it", "tool for schema migrations in {s}"),
        ("Alembic", "Flyway", "Liquibase", "dbmate", "goose", "sqitch"),
    ),
    Aspect(
        "flaky",
        "the flaky test of {s}",
        (
            "The flaky test of {s} fails because {v}.",
            "We found out why the test of {s} is flaky: {v}.",
            "Reruns hide it, but {v}, and so a test of {s} fails now and then.",
        ),
        "The flaky test of {s} is failing because {v}.",
        ("why is the test of {s} flaky", "reason for the flaky test of {s}", "a test of {s} fails now and then: why"),
        ("cause of the unstable test in {s}", "{s} has a flaky test: what makes it fail"),
        (
            "two threads share a socket",
            "the clock jumps at midnight",
            "a port is taken twice",
            "the order of rows is not fixed",
            "a fixture is never closed",
            "the cache outlives the test",
        ),
    ),
    Aspect(
        "flag",
        "the feature flag of {s}",
        (
            "The new path of {s} is behind the flag {v}.",
            "Set {v} to switch on the new path of {s}.",
            "{v} is the feature flag for the new path of {s}.",
        ),
        "The new path of {s} is kept behind the flag {v}.",
        ("which flag switches on the new path of {s}", "feature flag of {s}", "how is the new path of {s} enabled"),
        ("name of the flag for the new path in {s}", "I want {s} on its new path: what do I set"),
        ("USE_SHARDS", "FAST_JOIN", "NEW_PARSER", "SPLIT_READS", "LEAN_BOOT", "TWO_PHASE"),
    ),
    Aspect(
        "alarms",
        "alarms of {s}",
        (
            "Alarms of {s} are sent to the channel {v}.",
            "When {s} breaks, a message comes to {v}, the channel of its alarms.",
            "Whoever is on call for {s} watches {v} for alarms.",
        ),
        "Alarms of {s} get sent to the channel {v}.",
        ("where are alarms of {s} sent", "alarm channel of {s}", "which channel has the alarms of {s}"),
        ("{s} broke: in which channel do its alarms appear", "channel to watch for alarms by {s}"),
        ("#ops-west", "#ops-east", "#night-watch", "#red-room", "#pager-two", "#duty"),
    ),
)
