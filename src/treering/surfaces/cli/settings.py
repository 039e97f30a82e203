"""Settings: config list, get, set. They are read from the environment and config.toml in the home."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any

import click

from treering.ledger.capturable import ALL, KINDS, NONE
from treering.ledger.config import FILE_NAME, SECRETS, Config, home_of, load
from treering.ledger.errors import InvalidInput
from treering.surfaces.cli.app import AGENTS, argument, command, group, opened, option, shared
from treering.surfaces.cli.render import Answer
from treering.surfaces.cli.scope import HERE
from treering.surfaces.cli.view import ID, TEXT, Column, listed

CONFIG = group("config", "Look at the settings, and change them.", section=AGENTS)
ENVIRONMENT = "the environment"  # where a setting may come from, beside the file
_TABLE = "llm"  # llm_model may stand as model in [llm]


_OWN = {"capture": "capture_in"}  # settings that a project may have of its own, and the table that they stand in
_FOR_PROJECT = option("--project", about="of this project alone; `.` is the one of the working folder")


class Setting(click.ParamType):  # type: ignore[type-arg,unused-ignore]
    """The name of a setting, or pairs of a name and a value."""

    name = "setting"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> Any:
        from click.shell_completion import CompletionItem

        before = ctx.params.get(param.name or "") or ()
        if isinstance(before, tuple) and len(before) % 2:
            found = values(before[-1])
        else:
            found = tuple(name for name in Config._fields if name not in SECRETS)
        return [CompletionItem(word) for word in found if word.startswith(incomplete)]


def values(name: str) -> tuple[str, ...]:
    """Return what a setting can be, where that is a word or two."""
    if name == "decay":
        from treering.ledger.ageing import POLICIES

        return tuple(POLICIES)
    if name == "capture":
        return (ALL, NONE, *KINDS)
    default = Config._field_defaults.get(name)
    return ("true", "false") if isinstance(default, bool) else ("" if default is None else str(default),)


@command(CONFIG, "list", examples=("treering config list", "treering config list --json"), opens=False, past=False)
def list() -> Answer:
    """List every setting: its value, and where it comes from."""
    rows = _rows()
    lines = [(row["name"], written(row["value"]), row["from"]) for row in rows]
    return listed(rows, (Column("setting", ID), Column("value", TEXT), Column("from")), lines)


@command(CONFIG, "get", examples=("treering config get decay",), opens=False, past=False)
@argument("name", "a setting", type=Setting())
@_FOR_PROJECT
def get(name: str, project: str) -> Answer:
    """Print the value of a setting."""
    _known(name)
    (row,) = (row for row in _rows() if row["name"] == name)
    if project and (own := _own_settings(name).get(_named(project))) is not None:
        row = {**row, "value": own, "from": FILE_NAME}
    return Answer(row, lambda page: [written(row["value"])])


@command(
    CONFIG,
    "set",
    examples=(
        "treering config set decay sessions",
        "treering config set llm_base_url http://127.0.0.1:8080/v1 llm_model qwen3",
        "treering config set capture none --project .",
        "treering config set decay",
    ),
    opens=False,
    past=False,
)
@argument(
    "setting",
    "a name and its value, or several of both; a name alone goes back to the default",
    nargs=-1,
    required=True,
    type=Setting(),
    metavar="NAME VALUE",
)
@_FOR_PROJECT
def set(setting: tuple[str, ...], project: str) -> Answer:
    """Change settings in config.toml; comments and order in the file stay.

    Settings that belong together are set together. A value that makes no sense is refused, and then nothing changes.
    With `--project`, what hooks may capture is set for that project alone.
    """
    home = home_of(shared()["home"] or None, os.environ)
    pairs = [(setting[at], setting[at + 1] if at + 1 < len(setting) else None) for at in range(0, len(setting), 2)]
    change(home, pairs, _named(project) if project else "")
    if project:
        return _for_project([name for name, _ in pairs], _named(project))
    rows = [row for row in _rows() if row["name"] in {name for name, _ in pairs}]
    over = [f"TREERING_{row['name'].upper()} overrides it" for row in rows if row["from"] == ENVIRONMENT]
    told = [f"{row['name']} = {written(row['value'])}" for row in rows]
    return Answer(rows, lambda page: told, note="\n".join(over))


def change(home: str, pairs: Sequence[tuple[str, str | None]], project: str = "") -> None:
    """Write settings into the file, or those of one project; without a value, one goes back to its default."""
    import tomlkit

    path = os.path.join(home, FILE_NAME)
    document = tomlkit.parse(_text(path))
    for name, value in pairs:
        _known(name)
        if name in _OWN.values():
            short = next(short for short, table in _OWN.items() if table == name)
            raise InvalidInput(f"{name} is a table: `treering config set {short} VALUE --project NAME` changes it")
        if name == "stores":
            raise InvalidInput(f"stores is a table, [stores] in {path}: write it there, an address for each space")
        if name in SECRETS:
            raise InvalidInput(f"{name} is a secret: set the variable TREERING_{name.upper()} instead")
        if project:
            _put_own(document, name, project, value)
        else:
            _put(document, name, None if value is None else _parsed(name, value))
            _reachable(name, value or "")
    _save(home, path, tomlkit.dumps(document))


def _reachable(name: str, value: str) -> None:
    """Refuse a model or an embedder that could not be asked: it would stop maintenance."""
    if name == "embedder" and value:
        from treering.models.embed import embedder_named

        embedder_named(value)
    if name in ("model", "llm_base_url") and "://" in value:
        from treering.models.post import checked

        checked(value.partition("#")[0])


def _own_settings(name: str) -> Mapping[str, str]:
    """Return what a setting is for single projects. Refuse a setting that holds for all of them."""
    if name not in _OWN:
        raise InvalidInput(f"{name} holds in every project: leave out --project, or set {' or '.join(_OWN)}")
    found: Mapping[str, str] = getattr(load(home_of(shared()["home"] or None, os.environ), os.environ), _OWN[name])
    return found


def _put_own(document: Any, name: str, project: str, value: str | None) -> None:
    """Put a value where a project's settings stand; None takes it out."""
    import tomlkit

    _own_settings(name)
    table = document.setdefault(_OWN[name], tomlkit.table())
    if value is not None:
        table[project] = value
    elif project in table:
        del table[project]


def _for_project(names: Sequence[str], project: str) -> Answer:
    rows = [{"name": name, "project": project, "value": _own_settings(name).get(project)} for name in names]
    told = [f"{row['name']} = {row['value'] or 'as in every project'} in project {project}" for row in rows]
    return Answer(rows, lambda page: told)


def _named(project: str) -> str:
    """Return a project by its name; "." is the one of the working folder."""
    if project != HERE:
        return project
    with opened(shared()) as memory:
        found = memory.workspace.project_of(os.getcwd())
    if not found:
        raise InvalidInput("this folder belongs to no project: name one, or go to its folder")
    return found


def _rows() -> Sequence[dict[str, Any]]:
    return rows(home_of(shared()["home"] or None, os.environ))


def rows(home: str) -> Sequence[dict[str, Any]]:
    """Return every setting with its value, its default, and where the value comes from."""
    now, file = load(home, os.environ)._asdict(), load(home, {})._asdict()
    return [
        {
            "name": name,
            "value": "(set)" if name in SECRETS and value else value,
            "default": Config._field_defaults[name],
            "from": _origin(name, value, file[name]),
        }
        for name, value in now.items()
    ]


def _origin(name: str, value: Any, in_file: Any) -> str:
    if os.environ.get(f"TREERING_{name.upper()}"):
        return ENVIRONMENT
    return FILE_NAME if in_file != Config._field_defaults[name] else "default"


def _known(name: str) -> None:
    if name not in Config._fields:
        near = get_close_matches(name, Config._fields, 1)
        hint = f"did you mean {near[0]}?" if near else "`treering config list` lists them"
        raise InvalidInput(f"there is no setting {name!r}: {hint}")


def _parsed(name: str, text: str) -> Any:
    """Return a value as TOML has it; what cannot be read stays a text, and is refused below."""
    wanted = type(Config._field_defaults[name])
    if wanted is bool:
        return {"true": True, "false": False}.get(text.lower(), text)
    if wanted in (int, float):
        try:
            return wanted(text)
        except ValueError:
            return text
    return text


def _put(document: Any, name: str, value: Any) -> None:
    """Put a value where the setting stands, or at the end; None takes it out."""
    short = name.removeprefix(f"{_TABLE}_")
    table = document.get(_TABLE)
    place, key = (table, short) if short != name and table is not None and short in table else (document, name)
    if value is not None:
        place[key] = value
    elif key in place:
        del place[key]


def _save(home: str, path: str, text: str) -> None:
    """Write the file, if a home with it can be opened."""
    from tempfile import TemporaryDirectory

    from treering.documents.vault.folder import put
    from treering.stores.files import make_home

    with TemporaryDirectory(prefix="treering-") as folder:
        draft = os.path.join(folder, FILE_NAME)
        put(draft, text)
        try:
            load(folder, {})
        except InvalidInput as error:
            raise InvalidInput(str(error).replace(draft, path)) from None
    if not os.path.isdir(home):
        make_home(home)
    put(path, text)


def _text(path: str) -> str:
    from treering.stores.files import open_file

    if not os.path.exists(path):
        return ""
    with open(open_file(path), encoding="utf-8") as file:
        return file.read()


def written(value: Any) -> str:
    """Return a value as a person writes it."""
    if isinstance(value, dict):
        return ", ".join(f"{name}: {one}" for name, one in value.items())
    return str(value).lower() if isinstance(value, bool) else str(value)
