"""Which names are one, and which never are."""

from __future__ import annotations

import random

import pytest

from treering.graph import same as sameness
from treering.graph.same import key, merged, same

ALIKE = 0.97  # a cosine that says "the same"


@pytest.mark.parametrize(
    ("one", "other", "type"),
    [
        ("Redis", "`redis`", "tool"),
        ("PostgreSQL", "Postgres", "tool"),
        ("Django 4.2", "django", "library"),
        ("build_report()", "build_report", "concept"),
        ("./src/App.tsx", "src\\app.tsx", "file"),
        ("@ada", "Ada", "person"),
        ("Circuit Breakers", "circuit-breaker", "pattern"),
        ("the outbox pattern", "outbox pattern", "pattern"),
        ("https://www.example.com/a/?q=1", "http://example.com/a", "concept"),
        ("We always run the linter.", "always run linter", "convention"),
    ],
)
def test_one_name_in_many_spellings_has_one_key(one: str, other: str, type: str) -> None:
    assert key(one, type) == key(other, type)


@pytest.mark.parametrize(
    ("one", "other", "type"),
    [
        ("ERR_4012", "ERR_4013", "error"),
        ("API v1.2", "API v1.3", "concept"),
        ("config.py", "test_config.py", "file"),
        ("utf-8", "utf-16", "concept"),
        ("max_retries", "max-retries", "concept"),
        ("billing-api", "billing-api-2", "project"),
        ("React", "Preact", "library"),
        ("Ada", "Ana", "person"),
        ("getUserName", "getUserNames", "concept"),
        ("always use tabs in Makefile", "never use tabs in Makefile", "convention"),
        ("keep exports for 30 days", "keep exports for 90 days", "decision"),
        ("event sourcing", "event streaming", "pattern"),
    ],
)
def test_likeness_never_joins_what_a_sign_or_a_word_sets_apart(one: str, other: str, type: str) -> None:
    assert not same(key(one, type), key(other, type), type, ALIKE)


@pytest.mark.parametrize(
    ("one", "other", "type"),
    [
        ("log-in", "login", "concept"),
        ("redis", "redis server", "tool"),
        ("saga", "saga approach", "pattern"),
        ("always run ruff before each commit", "always run ruff before you commit", "convention"),
    ],
)
def test_likeness_joins_what_differs_in_what_says_nothing(one: str, other: str, type: str) -> None:
    assert same(key(one, type), key(other, type), type, 0.9)
    assert not same(key(one, type), key(other, type), type, 0.87)


def test_the_shortest_name_stands_for_all_whatever_the_order() -> None:
    near, far = (1.0, 0.1), (0.0, 1.0)
    names = [
        ("redis", "tool", near),
        ("redis server", "tool", near),
        ("redis cluster", "tool", near),
        ("redis database", "tool", far),
        ("redis server", "concept", near),
        ("err 1", "error", near),
        ("err 2", "error", near),
    ]
    for seed in range(5):
        random.Random(seed).shuffle(names)
        assert merged(names) == {"redis server": "redis", "redis cluster": "redis"}


def test_thousands_of_names_are_compared_by_their_rarest_words(monkeypatch: pytest.MonkeyPatch) -> None:
    compared = []

    def counted(one: str, other: str, type: str, likeness: float) -> bool:
        compared.append((one, other))
        return same(one, other, type, likeness)

    monkeypatch.setattr(sameness, "same", counted)
    names = [(f"always check module {number} before release", "convention", (1.0,)) for number in range(800)]
    assert merged(names) == {}
    assert len(compared) < 800 * 130
