"""Settings on the command line: read with where they come from, and written with care."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.surfaces.cli.driving import Cli


def test_a_setting_is_read_with_where_it_comes_from(cli: Cli, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cli.fine("config", "get", "decay").out == "half-life\n"
    cli.fine("config", "set", "decay", "age")
    monkeypatch.setenv("TREERING_CONFIRM_DAYS", "7")
    found = {row["name"]: row for row in cli.fine("config", "list", "--json").json}
    assert (found["decay"]["value"], found["decay"]["from"]) == ("age", "config.toml")
    assert (found["confirm_days"]["value"], found["confirm_days"]["from"]) == (7, "the environment")
    assert found["q_rate"]["from"] == "default"
    assert "overrides it" in cli.fine("config", "set", "confirm_days", "9").err


def test_comments_and_order_stay(cli: Cli, home: Path) -> None:
    """A setting is changed where it stands, in its table too; a new one is added."""
    home.mkdir()
    path = home / "config.toml"
    path.write_text('# mine\ndecay = "age"  # why\n\n[llm]\nmodel = "a"  # small\nbase_url = "http://x/v1"\n')
    cli.fine("config", "set", "decay", "sessions", "llm_model", "b", "confirm_days", "30")
    text = path.read_text()
    assert '# mine\ndecay = "sessions"  # why\n' in text and 'model = "b"  # small' in text
    assert cli.fine("config", "get", "confirm_days").out == "30\n"
    assert cli.fine("config", "get", "llm_model").out == "b\n"


def test_a_name_alone_goes_back_to_the_default(cli: Cli, home: Path) -> None:
    cli.fine("config", "set", "decay", "age")
    assert cli.fine("config", "set", "decay").out == "decay = half-life\n"
    assert "decay" not in (home / "config.toml").read_text()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("set", "decya", "age"), "did you mean decay?"),
        (("get", "qqqqq"), "`treering config list` lists them"),
        (("set", "decay", "never"), "must be one of half-life, age, sessions"),
        (("set", "confirm_days", "many"), "must be a whole number"),
        (("set", "swap", "2"), "must be from 0 to 1"),
        (("set", "learn_terms", "perhaps"), "must be true or false"),
        (("set", "llm_model", "x"), "go together"),
        (("set", "llm_key", "sk-1"), "set the variable TREERING_LLM_KEY"),
        (("set", "model", "http://example.org/v1#m"), "use https"),
        (("set", "model", "http://127.0.0.1:1/v1"), "lacks the name of the model"),
        (("set", "llm_base_url", "http://example.org/v1", "llm_model", "m"), "use https"),
        (("set", "embedder", "endpoint:http://example.org/v1#m"), "use https"),
        (("set", "embedder", "http://127.0.0.1:1/v1#m"), "no embedder is called"),
    ],
)
def test_what_makes_no_sense_is_refused_and_nothing_is_written(
    cli: Cli, home: Path, words: tuple[str, ...], message: str
) -> None:
    result = cli("config", *words)
    assert result.code == 1 and message in result.err and len(result.err.splitlines()) == 1
    assert not (home / "config.toml").exists()
