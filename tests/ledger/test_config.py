"""Settings."""

from __future__ import annotations

from pathlib import Path

import pytest

import treering
from treering.ledger.config import Config, home_of, load
from treering.ledger.errors import InvalidInput, UnknownSetting


def written(tmp_path: Path, text: str) -> str:
    (tmp_path / "config.toml").write_text(text)
    return str(tmp_path)


def test_nothing_need_be_set(tmp_path: Path) -> None:
    """Without a file and variables the defaults hold."""
    assert load(str(tmp_path), {}) == Config()


def test_the_environment_is_over_the_file(tmp_path: Path) -> None:
    """A variable, then the file, then the default."""
    home = written(tmp_path, 'project = "shop"\nspace = "team"\ncontent_limit = 500\n')
    config = load(home, {"TREERING_PROJECT": "blog", "TREERING_HOME": home, "PATH": "x"})
    assert config == Config(project="blog", space="team", content_limit=500)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('porject = "x"', "did you mean 'project'"),
        ("zzz = 1", "unknown setting 'zzz'"),
        ("project = 5", "project in .* must be a text"),
        ("content_limit = 'x'", "must be a whole number"),
        ("content_limit = true", "must be a whole number"),
        ("content_limit = 0", "at least 1"),
        ("project = ", "cannot be read"),
        ("space = ''", "must not be empty"),
        ("q_rate = 1.1", "q_rate in .* must be from 0 to 1, not 1.1"),
        ("swap = -0.05", "swap in .* must be from 0 to 1"),
        ("wrong_limit = 2", "wrong_limit in .* must be from 0 to 1, not 2.0"),
        ("reward_failure = nan", "reward_failure in .* must be from 0 to 1, not nan"),
        ("outcome_weight = inf", "must be from 0 to 1, not inf"),
        ("q_rate = '0.1'", "q_rate in .* must be a number from 0 to 1, not '0.1'"),
        ("q_rate = true", "must be a number from 0 to 1"),
        ("gate_recalls = -1", "must not be below 0"),
        ("evolve_hours = 0.5", "must be a whole number"),
        ("llm = 'gpt'", "unknown setting 'llm'"),
        ("[llm]\nmodle = 'x'", "did you mean 'llm_model'"),
        ("[llm]\nkey = 'sk-1'", "llm_key is a secret: take it out of .* and set TREERING_LLM_KEY$"),
        ("[llm]\nbase_url = 'http://localhost'", "llm_base_url and llm_model go together"),
        ("llm_model = 'x'", "llm_base_url and llm_model go together"),
        ("llm_model = 'x'\n[llm]\nmodel = 'y'", "llm_model stands twice"),
        ("[llm]\ntimeout = 0", "llm_timeout in .* must be at least 1"),
        ("[llm]\nbudget = -1", "llm_budget in .* must not be below 0"),
        ("[llm]\nbudget = '1'", "llm_budget in .* must be a whole number"),
        ("[space]\nname = 'x'", "space in .* must be a text"),
    ],
)
def test_a_wrong_setting_is_an_error_that_helps(tmp_path: Path, text: str, message: str) -> None:
    """Unknown names the nearest, wrong kinds say what is wanted."""
    with pytest.raises(InvalidInput, match=message):
        load(written(tmp_path, text), {})


def test_an_unknown_variable_is_an_error_too() -> None:
    """A typing error in the environment is found like one in the file."""
    with pytest.raises(UnknownSetting, match="did you mean 'TREERING_HOME'"):
        load("nowhere", {"TREERING_HOEM": "x"})
    with pytest.raises(InvalidInput, match="whole number"):
        load("nowhere", {"TREERING_CONTENT_LIMIT": "many"})


def test_shares_are_read_from_the_file_and_the_environment(tmp_path: Path) -> None:
    """A whole number is one too; what cannot be read is refused by name."""
    home = written(tmp_path, "q_rate = 1\nswap = 0.2\nevolve_hours = 12\n")
    config = load(home, {"TREERING_SWAP": "0", "TREERING_OUTCOME_WEIGHT": "0.25", "TREERING_EVOLVE_PROCESSES": "7"})
    assert config == Config(q_rate=1.0, swap=0.0, outcome_weight=0.25, evolve_hours=12, evolve_processes=7)
    assert (config.rewards.q_rate, config.rewards.outcome_weight, config.rewards.of("success")) == (1.0, 0.25, 1.0)
    for wrong in ("much", "nan", "-1", "1.01", "0,5"):
        with pytest.raises(InvalidInput, match="swap in the environment must be"):
            load("nowhere", {"TREERING_SWAP": wrong})


def test_a_language_model_has_a_table_of_its_own(tmp_path: Path) -> None:
    """The key comes from the environment, which is over the table too."""
    home = written(tmp_path, '[llm]\nbase_url = "http://localhost:1/v1"\nmodel = "a"\nstrong_model = "b"\nbudget = 7\n')
    config = load(home, {"TREERING_LLM_KEY": "sk-1", "TREERING_LLM_MODEL": "c", "TREERING_LLM_TIMEOUT": "5"})
    assert (config.llm_base_url, config.llm_model, config.llm_strong_model) == ("http://localhost:1/v1", "c", "b")
    assert (config.llm_key, config.llm_timeout, config.llm_budget, config.llm) == ("sk-1", 5, 7, True)
    assert not load(home, {"TREERING_LLM_BUDGET": "0"}).llm
    assert not Config().llm


def test_the_home_is_the_one_given_or_the_one_set_or_the_usual_one(tmp_path: Path) -> None:
    """In this order."""
    assert home_of("a", {"TREERING_HOME": "b"}).endswith("/a")
    assert home_of(None, {"TREERING_HOME": "b"}).endswith("/b")
    assert home_of(None, {}).endswith("/.treering")


def test_settings_reach_the_memory(tmp_path: Path) -> None:
    """A project in the file is where one stands; a limit in the file is the limit."""
    home = written(tmp_path, 'project = "shop"\ncontent_limit = 10\n')
    with treering.open(home) as memory:
        assert memory.remember("short").project == "shop"
        with pytest.raises(treering.TreeringError, match="at most 10"):
            memory.remember("much too long for this")


def test_a_file_that_is_not_text_is_named(tmp_path: Path) -> None:
    """And an empty variable is as if it were not there."""
    (tmp_path / "config.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(InvalidInput, match="cannot be read"):
        load(str(tmp_path), {})
    assert load("nowhere", {"TREERING_SPACE": ""}) == Config()


def test_a_space_may_have_a_store_of_its_own(tmp_path: Path) -> None:
    """Also for the people who stand in it; a database that the environment names is for every space."""
    home = written(tmp_path, 'store = "postgresql://a/team"\n[stores]\nshop = "postgresql://b/team"\n')
    config = load(home, {})
    assert config.store_of("shop") == config.store_of("anna@shop") == "postgresql://b/team"
    assert config.store_of("web") == "postgresql://a/team"
    assert load(home, {"TREERING_STORE": "postgresql://c/team"}).store_of("shop") == "postgresql://c/team"


@pytest.mark.parametrize("address", ('"mysql://b/team"', "5", '""'))
def test_a_store_of_a_space_is_an_address(tmp_path: Path, address: str) -> None:
    """What is none is refused, and not taken for the file in the home."""
    with pytest.raises(InvalidInput, match=r"stores\.shop in .* must be an address"):
        load(written(tmp_path, f"[stores]\nshop = {address}\n"), {})
