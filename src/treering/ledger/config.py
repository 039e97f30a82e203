"""The settings: one frozen object, read once from the environment and a TOML file."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, NamedTuple

from treering.ledger.ageing import POLICIES, Limits
from treering.ledger.capturable import ALL, KINDS, kinds_of
from treering.ledger.errors import InvalidInput, UnknownSetting
from treering.ledger.types import CONTENT_LIMIT, DEFAULT_SPACE, OWN_CALL, number_in, standpoint, team_of
from treering.ledger.usage import Rewards
from treering.stores.files import open_file

FILE_NAME = "config.toml"
_LIMITS = Limits()
_REWARDS = Rewards()
_PREFIX = "TREERING_"
_ENVIRONMENT = "the environment"  # where a setting comes from, if not from a file
SECRETS = ("embedder_key", "llm_key")  # settings that a file is no place for
AGENT = "agent"  # as the model: the user's own coding agent
_TABLE = "llm"  # the settings that a file may hold as a table too: llm_model is model in [llm]


class Config(NamedTuple):
    """Each setting is a key of the file and, with TREERING_ before it, a variable of the environment."""

    store: str = ""  # where memories are kept: postgresql://…; by default the file in the home
    stores: dict[str, str] = {}  # the same for single spaces, where those of a team are parted among databases
    space: str = DEFAULT_SPACE  # the tenant: memories of one space never show in another
    person: str = ""  # who you are, where a team shares the space: what is yours alone, nobody else sees
    private_projects: str = ""  # of a team's member: projects of which all is yours alone, parted by commas
    project: str = ""  # where you stand unless a call says otherwise
    session: str = ""  # which session events are of unless a call says otherwise
    content_limit: int = CONTENT_LIMIT  # characters; a memory is a fact or a lesson, a book is a file
    embedder: str = "static"  # what turns texts into vectors: static, or an endpoint
    embedder_key: str = ""  # for an endpoint that asks for one; from the environment only
    decay: str = "half-life"  # how memories age: half-life, age or sessions
    forget_days: int = _LIMITS.forget_days  # with half-life: in the archive before a memory may be forgotten
    age_archive_days: int = _LIMITS.age_archive_days  # with age: unused for longer, and it is archived
    age_forget_days: int = _LIMITS.age_forget_days  # with age: in the archive for longer, and it is forgotten
    age_hot: int = _LIMITS.age_hot  # with age: more than these in one place, and some are archived
    age_batch: int = _LIMITS.age_batch  # with age: how many of them at a time
    capture: str = ALL  # what hooks may keep of sessions: all, none, or some kinds
    capture_in: dict[str, str] = {}  # the same for single projects
    ignored_folders: str = ""  # parted as in PATH: sessions in or below them are neither told nor asked anything
    likely_days: int = 60  # how long words that may be worth keeping are kept unless they are used; 0 keeps none
    briefing_tokens: int = 900  # what a session may be told when it starts
    prompt_tokens: int = 175  # what it may be told at a prompt or a failure; 0 for nothing
    skip_steps: str = ""  # steps of maintenance that are left out unless they are asked for, parted by blanks
    confirm_days: int = 90  # after which an invariant comes up to be confirmed
    q_rate: float = _REWARDS.q_rate  # how far Q moves towards what a use earned
    outcome_weight: float = _REWARDS.outcome_weight  # of that, for what a recall or a session led to
    implicit_weight: float = _REWARDS.implicit_weight  # of that, for what is read off the next answer
    reward_helpful: float = _REWARDS.reward_helpful  # what `helpful` earns, from 0 to 1
    reward_partially_helpful: float = _REWARDS.reward_partially_helpful  # as good as a memory of which nothing is known
    reward_not_helpful: float = _REWARDS.reward_not_helpful  # what `not_helpful` earns
    reward_success: float = _REWARDS.reward_success  # what an outcome earns for each memory that was shown
    reward_partial: float = _REWARDS.reward_partial  # the same for a partial success
    reward_failure: float = _REWARDS.reward_failure  # the same for a failure
    swap: float = 0.05  # the chance that the last shown and the first not shown change places; 0 turns it off
    gate_recalls: int = 300  # logged recalls on which an evolution is tried before it takes effect
    wrong_limit: float = 0.05  # share of wrong retirements above which a rule only proposes
    evolve_hours: int = 6  # a run of evolution is due after so many hours,
    evolve_judgements: int = 100  # or so many judgements,
    evolve_processes: int = 20  # or so many new processes
    learn_from_me: bool = True  # what is worth keeping follows what a person takes back and keeps
    learn_weights: bool = True  # what recall's channels count follows feedback, for each project and type of query
    learn_terms: bool = True  # a memory is found by the words of questions that it answered
    learn_company: bool = True  # memories that were of use together bring each other up
    learn_prior: bool = True  # kinds of memories that answer a type of query are preferred
    use_q: bool = True  # what a memory proved to be worth moves it
    skill_folders: str = ""  # further ones to look for skills in, parted as in PATH
    skill_target: str = ""  # where accepted skills go, below the root; by default where its agent looks for them
    routing_file: str = "rules/common/agent-intent-routing.md"  # where accepted routing entries go, below the root
    skill_index_chars: int = 240  # of the list of skills that goes into a prompt
    skill_body_chars: int = 4_000  # of the skills themselves that may follow it
    model: str = ""  # who is asked what rules cannot judge: agent, agent:codex, or an address#name; nobody by default
    model_calls: int = 20  # calls to an agent in 24 hours, and never more than there were sessions in them
    llm_base_url: str = ""  # of an OpenAI-compatible server; without one, no model is ever asked
    llm_model: str = ""  # the model to ask there
    llm_strong_model: str = ""  # for what takes judgement; the same one, if none is named
    llm_key: str = ""  # for a server that asks for one; from the environment only
    llm_timeout: int = 30  # seconds for an answer
    sync_minutes: int = 15  # after which maintenance syncs with other machines; 0 for only by `treering sync`
    sync_ssh: str = "ssh"  # how to reach them: the program, with its options
    llm_budget: int = 200_000  # tokens in 24 hours; 0 for no model at all

    def captured_kinds(self, project: str) -> frozenset[str]:
        """Return the kinds of memories that hooks may make of sessions in a project."""
        return kinds_of(self.capture_in.get(project, self.capture)) or frozenset()

    def store_of(self, space: str) -> str:
        """Return the address of what keeps a space, an empty text for the file in the home."""
        return self.stores.get(team_of(space), self.store)

    @property
    def private(self) -> frozenset[str]:
        """The projects of which all is the person's own."""
        return frozenset(filter(None, map(str.strip, self.private_projects.split(","))))

    @property
    def limits(self) -> Limits:
        return Limits(self.forget_days, self.age_archive_days, self.age_forget_days, self.age_hot, self.age_batch)

    @property
    def rewards(self) -> Rewards:
        return Rewards(*(getattr(self, name) for name in Rewards._fields))

    @property
    def llm(self) -> bool:
        """True if there is a language model to ask."""
        named = self.llm_base_url and self.llm_model
        return bool((named or self.agent is not None) and self.llm_budget)

    @property
    def agent(self) -> str | None:
        """The agent that is asked; an empty text for the first that is found, None if no agent is asked."""
        kind, _, name = self.model.partition(":")
        return name if kind == AGENT else None


def home_of(given: str | None, environment: Mapping[str, str]) -> str:
    """Return the folder of the store: as given, $TREERING_HOME, or ~/.treering."""
    return os.path.abspath(os.path.expanduser(given or environment.get(_PREFIX + "HOME") or "~/.treering"))


def is_address(place: str) -> bool:
    """Tell whether memories are kept in a database, by where that is."""
    return place.startswith(("postgresql://", "postgres://"))


def load(home: str, environment: Mapping[str, str]) -> Config:
    """Return the settings of a home: the environment over the file over the defaults. A store in memory has no home."""
    written = _from_file(os.path.join(home, FILE_NAME)) if home else {}
    given = {**written, **_from_environment(environment)}
    config = _with_endpoint(Config(**{name: value for name, (value, _) in given.items()}))
    if config.person:
        if config.person != config.person.strip("@") or "@" in config.person:
            raise InvalidInput(f"person in {given['person'][1]} must be a name without an @")
        config = config._replace(space=standpoint(config.space, config.person))
    if not config.space:
        raise InvalidInput(f"space in {given['space'][1]} must not be empty")
    if given.get("store", ("", ""))[1] == _ENVIRONMENT:
        config = config._replace(stores={})  # whoever names a database means that one
    addresses = {"store": config.store or None, **{f"stores.{name}": one for name, one in config.stores.items()}}
    for name, address in addresses.items():
        if address is not None and not (isinstance(address, str) and is_address(address)):
            where = given[name.partition(".")[0]][1]
            raise InvalidInput(f"{name} in {where} must be an address, postgresql://HOST/DATABASE")
    for name in ("content_limit", "llm_timeout"):
        if getattr(config, name) < 1:
            raise InvalidInput(f"{name} in {given[name][1]} must be at least 1")
    if bool(config.llm_base_url) != bool(config.llm_model):
        raise InvalidInput("llm_base_url and llm_model go together: a server, and which of its models to ask")
    for name, (value, where) in given.items():
        if isinstance(value, int) and value < 0:
            raise InvalidInput(f"{name} in {where} must not be below 0")
        if isinstance(value, float) and not 0 <= value <= 1:
            raise InvalidInput(f"{name} in {where} must be from 0 to 1, not {value!r}")
    captured = {"capture": config.capture, **{f"capture_in.{name}": kinds for name, kinds in config.capture_in.items()}}
    for where, wanted in captured.items():
        if not isinstance(wanted, str) or kinds_of(wanted) is None:
            raise InvalidInput(f"{where} must be all, none, or some of {', '.join(KINDS)}, not {wanted!r}")
    if config.decay not in POLICIES:
        raise InvalidInput(f"decay in {given['decay'][1]} must be one of {', '.join(POLICIES)}, not {config.decay!r}")
    return config


def _with_endpoint(config: Config) -> Config:
    """Return settings in which a model that is named by an address is an endpoint."""
    if not config.model or config.agent is not None:
        return config
    address, _, name = config.model.partition("#")
    if not address.startswith(("http://", "https://")):
        raise InvalidInput(f"model must be {AGENT}, {AGENT}:NAME, or the address of a server, not {config.model!r}")
    if not name:
        raise InvalidInput(f"model lacks the name of the model: {address}#NAME")
    if config.llm_base_url or config.llm_model:
        raise InvalidInput("model and llm_base_url both name a server: leave one of them out")
    return config._replace(llm_base_url=address, llm_model=name)


def _from_file(path: str) -> dict[str, tuple[Any, str]]:
    if not os.path.exists(path):
        return {}
    import tomllib  # costs as much as a bare interpreter, so only for those who have a file

    try:
        with open(open_file(path), "rb") as file:
            table = tomllib.load(file)
    except (OSError, ValueError, RecursionError) as error:  # also what is not UTF-8
        raise InvalidInput(f"{path} cannot be read: {error}") from error
    table = {name: _widened(name, value) for name, value in _flat(table, path).items()}
    for name, value in table.items():
        _check(name, value, path, name, Config._fields)
        if name in SECRETS:
            raise InvalidInput(f"{name} is a secret: take it out of {path} and set {_PREFIX}{name.upper()}")
    return {name: (value, path) for name, value in table.items()}


def _flat(table: dict[str, Any], path: str) -> dict[str, Any]:
    """Return the settings of a file, with those of its table under their whole names."""
    inner = table.pop(_TABLE) if isinstance(table.get(_TABLE), dict) else {}
    within = {f"{_TABLE}_{name}": value for name, value in inner.items()}
    if twice := sorted(table.keys() & within.keys()):
        raise InvalidInput(f"{twice[0]} stands twice in {path}: once by itself, once in [{_TABLE}]")
    return {**table, **within}


def _from_environment(environment: Mapping[str, str]) -> dict[str, tuple[Any, str]]:
    found: dict[str, tuple[Any, str]] = {}
    for variable, text in environment.items():
        if not variable.startswith(_PREFIX) or variable in (_PREFIX + "HOME", OWN_CALL) or not text:
            continue
        name = variable.removeprefix(_PREFIX).lower()
        value = _read(name, text)
        known = (*(_PREFIX + field.upper() for field in Config._fields), _PREFIX + "HOME")
        _check(name, value, _ENVIRONMENT, variable, known)
        found[name] = (value, _ENVIRONMENT)
    return found


def _widened(name: str, value: Any) -> Any:
    """Return a whole number as a float where one is wanted."""
    return float(value) if type(value) is int and type(Config._field_defaults.get(name)) is float else value


def _read(name: str, text: str) -> Any:
    """Return a setting from a text of the environment; an unreadable one stays a text and is refused."""
    wanted = type(Config._field_defaults.get(name))
    if wanted is int and (number := number_in(text)) is not None:
        return number
    if wanted is float:
        try:
            return float(text)
        except ValueError:
            return text
    if wanted is bool:
        return _SAID.get(text.lower(), text)
    return text


def _check(name: str, value: object, where: str, shown: str, known: tuple[str, ...]) -> None:
    if name not in Config._fields:
        from difflib import get_close_matches

        raise UnknownSetting(shown, where, next(iter(get_close_matches(shown, known, 1)), None))
    wanted = type(Config._field_defaults[name])
    if type(value) is not wanted:
        raise InvalidInput(f"{name} in {where} must be {_WORDS[wanted]}, not {value!r}")


_WORDS: dict[type, str] = {
    dict: "a table of config.toml",
    str: "a text",
    int: "a whole number",
    float: "a number from 0 to 1",
    bool: "true or false",
}
_SAID = {"true": True, "false": False, "1": True, "0": False, "yes": True, "no": False, "on": True, "off": False}
